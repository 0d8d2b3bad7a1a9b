"""Dates in words: worked examples by the calendar, and nothing where no date was meant. All said on Wednesday 15 May 2024."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.timeline import mentions, spell

SAID_AT = datetime(2024, 5, 15, 10, tzinfo=UTC)


def found(text: str, language: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], spell(m.range, language=language)) for m in mentions(text, said_at=SAID_AT, language=language)]


ENGLISH = [
    ("I went there yesterday.", "yesterday", "14 May 2024"),
    ("We spoke the day before yesterday.", "the day before yesterday", "13 May 2024"),
    ("I start tomorrow morning.", "tomorrow morning", "16 May 2024"),
    ("I leave the day after tomorrow.", "the day after tomorrow", "17 May 2024"),
    ("Today I baked.", "Today", "15 May 2024"),
    ("I slept badly last night.", "last night", "14 May 2024"),
    ("This morning I swam.", "This morning", "15 May 2024"),
    ("Last Friday we ate out.", "Last Friday", "10 May 2024"),
    ("I fell last Wednesday.", "last Wednesday", "8 May 2024"),
    ("It was last Tues.", "last Tues", "14 May 2024"),
    ("Next Friday I'm going to Rome.", "Next Friday", "24 May 2024"),
    ("This Friday I will rest.", "This Friday", "17 May 2024"),
    ("I ran a race last Saturday morning.", "last Saturday morning", "11 May 2024"),
    ("Last week was dull.", "Last week", "the week of 6 May 2024"),
    ("Next week we move.", "Next week", "the week of 20 May 2024"),
    ("The past weekend was loud.", "past weekend", "the weekend of 11 May 2024"),
    ("This weekend I will paint.", "This weekend", "the weekend of 18 May 2024"),
    ("I began the week before last.", "the week before last", "the week of 29 April 2024"),
    ("Last month I quit.", "Last month", "April 2024"),
    ("We marry next month.", "next month", "June 2024"),
    ("Last year I lived abroad.", "Last year", "2023"),
    ("Next year I turn forty.", "Next year", "2025"),
    ("Last summer I sailed.", "Last summer", "the summer of 2023"),
    ("This summer I'm going to sail.", "This summer", "the summer of 2024"),
    ("Last winter was cold.", "Last winter", "the winter of 2023/24"),
    ("Last June we met.", "Last June", "June 2023"),
    ("Next March I will go.", "Next March", "March 2025"),
    ("I saw her three days ago.", "three days ago", "12 May 2024"),
    ("I saw her 3 days ago.", "3 days ago", "12 May 2024"),
    ("I saw her a week ago.", "a week ago", "the week of 6 May 2024"),
    ("I saw her about two weeks ago.", "about two weeks ago", "the week of 29 April 2024"),
    ("A couple of months ago we moved.", "A couple of months ago", "March 2024"),
    ("I got it ten years ago.", "ten years ago", "2014"),
    ("A few days ago I fell.", "A few days ago", "10-13 May 2024"),
    ("The other day I fell.", "The other day", "8-14 May 2024"),
    ("In two weeks I will leave.", "In two weeks", "the week of 27 May 2024"),
    ("I leave two months from now.", "two months from now", "July 2024"),
    ("It was on Friday.", "Friday", "10 May 2024"),
    ("I'm going to the dentist on Friday.", "Friday", "17 May 2024"),
    ("Over the weekend I went out.", "the weekend", "the weekend of 11 May 2024"),
    ("We met in March.", "March", "March 2024"),
    ("I will go in March.", "March", "March 2025"),
    ("I was there on 3 April.", "3 April", "3 April 2024"),
    ("The exam was on March 8th.", "March 8th", "8 March 2024"),
    ("I will sing on 2 June.", "2 June", "2 June 2024"),
    ("I bought it on March 8th, 2021.", "March 8th, 2021", "8 March 2021"),
    ("I bought it on 8 Mar 2021.", "8 Mar 2021", "8 March 2021"),
    ("It opened in May 2022.", "May 2022", "May 2022"),
    ("It opened in the summer of 2019.", "the summer of 2019", "the summer of 2019"),
    ("In 2019 I moved.", "2019", "2019"),
    ("We moved at the end of last year.", "the end of last year", "2023"),
    ("We moved late last year.", "late last year", "September to December 2023"),
    ("Early next month I will move.", "Early next month", "1-10 June 2024"),
    ("In early May I planted beans.", "early May", "1-10 May 2024"),
    ("In mid-April I planted beans.", "mid-April", "11-20 April 2024"),
    ("In late May 2021 we met.", "late May 2021", "21-31 May 2021"),
    ("I slept badly the night before last.", "the night before last", "13 May 2024"),
    ("It rained the weekend before last.", "the weekend before last", "the weekend of 4 May 2024"),
    ("I fell the year before last.", "the year before last", "2022"),
    ("I fell last week on Monday.", "last week on Monday", "6 May 2024"),
    ("Tuesday next week we meet.", "Tuesday next week", "21 May 2024"),
    ("Last spring I was in Rome.", "Last spring", "the spring of 2023"),
    ("Next winter I will ski.", "Next winter", "the winter of 2024/25"),
    ("I went to Rome in the summer.", "the summer", "the summer of 2023"),
    ("I'm going to Rome in the summer.", "the summer", "the summer of 2024"),
    ("I moved half a year ago.", "half a year ago", "November 2023"),
    ("I moved a year and a half ago.", "a year and a half ago", "November 2022"),
    ("I moved two and a half years ago.", "two and a half years ago", "November 2021"),
    ("I saw him a week ago today.", "a week ago today", "8 May 2024"),
    ("Two years ago today we met.", "Two years ago today", "15 May 2022"),
    ("I saw him two Fridays ago.", "two Fridays ago", "3 May 2024"),
    ("I went two summers ago.", "two summers ago", "the summer of 2022"),
    ("I went two weekends ago.", "two weekends ago", "the weekend of 4 May 2024"),
    ("I moved a fortnight ago.", "a fortnight ago", "the week of 29 April 2024"),
    ("Several months ago I quit.", "Several months ago", "January to March 2024"),
    ("A few years ago I quit.", "A few years ago", "2020 to 2022"),
    ("I'll leave in a few days.", "in a few days", "17-20 May 2024"),
    ("I'll leave in a week or two.", "in a week or two", "20 May 2024 to 2 June 2024"),
    ("I was there from 3 to 5 May.", "3 to 5 May", "3-5 May 2024"),
    ("I was there 1-3 May 2023.", "1-3 May 2023", "1-3 May 2023"),
    ("I was there May 3-5.", "May 3-5", "3-5 May 2024"),
    ("I was there on may 3.", "may 3", "3 May 2024"),
    ("I bought it on 2021-03-08.", "2021-03-08", "8 March 2021"),
    ("I have lived here since 2016.", "2016", "1 January 2016 to 15 May 2024"),
    ("I've been ill since Monday.", "Monday", "13 May 2024"),
    ("I've been painting since March.", "March", "March 2024"),
    ("I saw her Friday.", "Friday", "10 May 2024"),
    ("I will call you Friday night.", "Friday night", "17 May 2024"),
    ("I left twenty-one days ago.", "twenty-one days ago", "24 April 2024"),
    ("It is forty two years ago.", "forty two years ago", "1982"),
    ("I left two or three weeks ago.", "two or three weeks ago", "22 April 2024 to 5 May 2024"),
    ("I moved in January last year.", "January last year", "January 2023"),
    ("I moved last year in January.", "last year in January", "January 2023"),
    ("The winter of last year was cold.", "The winter of last year", "the winter of 2023/24"),
    ("We met on Friday the 13th.", "Friday the 13th", "13 October 2023"),
]
ENGLISH_NONE = [
    "I may go.",
    "We march on.",
    "See you on Friday!",
    "I swim every Friday.",
    "My birthday is on 3 May.",
    "I did it in two weeks.",
    "I've had it for three years.",
    "April is my cousin.",
    "I love April.",
    "In April's house it was warm.",
    "I met May and June.",
    "You may 2 or 3 take.",
    "We march 5 miles.",
    "I live at 10 March Street.",
    "We fall and get up.",
    "The next week we left.",
    "In the past year I lost weight.",
    "I swim on Fridays.",
    "I usually cook Friday.",
    "I'll be back in an hour.",
    "It was half an hour ago.",
    "I will be ready in a few days time.",
    "I'd know by the second.",
    "Sun and sand, and we sat.",
    "He wed her.",
    "These days I paint.",
    "The 1990s were good.",
    "I paid 3/8 of it.",
    "Since 2030 is far away, I wait.",
    "One day I'll know.",
    "It was the second time we fell.",
    "He sat in the sun.",
    "I paid 2019 euros.",
    "On 31 February nothing happens.",
    "I moved 2.5 years ago.",
    "It was 1,200 days ago.",
    "I left one hundred and two days ago.",
]
CHINESE = [
    ("我昨天去了医院", "昨天", "2024年5月14日"),
    ("昨天晚上我没睡好", "昨天晚上", "2024年5月14日"),
    ("昨晚我没睡好", "昨晚", "2024年5月14日"),
    ("前天下雨", "前天", "2024年5月13日"),
    ("大前天下雨", "大前天", "2024年5月12日"),
    ("今天我烤了面包", "今天", "2024年5月15日"),
    ("今早我游了泳", "今早", "2024年5月15日"),
    ("明天考试", "明天", "2024年5月16日"),
    ("后天见", "后天", "2024年5月17日"),
    ("大后天见", "大后天", "2024年5月18日"),
    ("上周五我加班了", "上周五", "2024年5月10日"),
    ("上个星期天我爬了山", "上个星期天", "2024年5月12日"),
    ("下周一要考试", "下周一", "2024年5月20日"),
    ("这周六去看展", "这周六", "2024年5月18日"),
    ("上周我病了", "上周", "2024年5月6日那一周"),
    ("上上周我病了", "上上周", "2024年4月29日那一周"),
    ("下个礼拜出差", "下个礼拜", "2024年5月20日那一周"),
    ("上周末爬山了", "上周末", "2024年5月11日那个周末"),
    ("周五我看了电影", "周五", "2024年5月10日"),
    ("星期六要搬家", "星期六", "2024年5月18日"),
    ("周末打算去钓鱼", "周末", "2024年5月18日那个周末"),
    ("上个月我辞职了", "上个月", "2024年4月"),
    ("下个月去旅游", "下个月", "2024年6月"),
    ("下月底交稿", "下月底", "2024年6月21日到30日"),
    ("月底要交稿", "月底", "2024年5月21日到31日"),
    ("下个月8号结婚", "下个月8号", "2024年6月8日"),
    ("去年我住在罗马", "去年", "2023年"),
    ("前年我住在罗马", "前年", "2022年"),
    ("明年春天想去日本", "明年春天", "2025年春天"),
    ("去年夏天我在罗马", "去年夏天", "2023年夏天"),
    ("去年三月我换了工作", "去年三月", "2023年3月"),
    ("去年3月8号我换了工作", "去年3月8号", "2023年3月8日"),
    ("我三天前搬了家", "三天前", "2024年5月12日"),
    ("3天前搬了家", "3天前", "2024年5月12日"),
    ("两个星期前我见过她", "两个星期前", "2024年4月29日那一周"),
    ("两个月前我辞职了", "两个月前", "2024年3月"),
    ("十二年前我出国了", "十二年前", "2012年"),
    ("半年前分手了", "半年前", "2023年11月"),
    ("几天前摔了一跤", "几天前", "2024年5月10日到13日"),
    ("前几天摔了一跤", "前几天", "2024年5月10日到13日"),
    ("三天后要出发", "三天后", "2024年5月18日"),
    ("3月8号我去了杭州", "3月8号", "2024年3月8日"),
    ("六月二号要演出", "六月二号", "2024年6月2日"),
    ("2019年5月我毕业", "2019年5月", "2019年5月"),
    ("2019年5月4日我毕业", "2019年5月4日", "2019年5月4日"),
    ("2019年夏天我毕业", "2019年夏天", "2019年夏天"),
    ("2019年我毕业", "2019年", "2019年"),
    ("三月份我去过海边", "三月份", "2024年3月"),
    ("大上周我病了", "大上周", "2024年4月29日那一周"),
    ("下下周要出差", "下下周", "2024年5月27日那一周"),
    ("上上周五我加班了", "上上周五", "2024年5月3日"),
    ("这个星期我病了", "这个星期", "2024年5月13日那一周"),
    ("本周五要考试", "本周五", "2024年5月17日"),
    ("这周末去看展", "这周末", "2024年5月18日那个周末"),
    ("下周末去看展", "下周末", "2024年5月25日那个周末"),
    ("周日见！", "周日", "2024年5月19日"),
    ("这个月我很忙", "这个月", "2024年5月"),
    ("上上个月我辞职了", "上上个月", "2024年3月"),
    ("上个月初我病了", "上个月初", "2024年4月1日到10日"),
    ("本月中旬交稿", "本月中旬", "2024年5月11日到20日"),
    ("上个月15号我去了", "上个月15号", "2024年4月15日"),
    ("大前年我住在罗马", "大前年", "2021年"),
    ("今年春天我去了日本", "今年春天", "2024年春天"),
    ("去年冬天我在罗马", "去年冬天", "2023年冬天"),
    ("大后年毕业", "大后年", "2027年"),
    ("去年今天我们认识", "去年今天", "2023年5月15日"),
    ("三年前的今天我们结婚了", "三年前的今天", "2021年5月15日"),
    ("昨儿我去了医院", "昨儿", "2024年5月14日"),
    ("明早出发", "明早", "2024年5月16日"),
    ("前两天摔了一跤", "前两天", "2024年5月10日到13日"),
    ("两三天前摔了一跤", "两三天前", "2024年5月12日到13日"),
    ("三四年前我在上海", "三四年前", "2020年到2021年"),
    ("十几年前我在上海", "十几年前", "2005年到2013年"),
    ("好几年前我在上海", "好几年前", "2020年到2022年"),
    ("几个月前我在上海", "几个月前", "2024年1月到3月"),
    ("一年半前我搬家了", "一年半前", "2022年11月"),
    ("两百年前这里是海", "两百年前", "1824年"),
    ("半个月前我病了", "半个月前", "2024年4月29日那一周"),
    ("三年后我会回来", "三年后", "2027年"),
    ("一周后要出发", "一周后", "2024年5月20日那一周"),
    ("5月1日到5月3日我在杭州", "5月1日到5月3日", "2024年5月1日到3日"),
    ("2023年4月30日至5月2日我在杭州", "2023年4月30日至5月2日", "2023年4月30日到2023年5月2日"),
    ("5月1号-3号我在杭州", "5月1号-3号", "2024年5月1日到3日"),
    ("二〇一九年我毕业", "二〇一九年", "2019年"),
    ("二零一九年五月我毕业", "二零一九年五月", "2019年5月"),
    ("我从2016年开始住在这里", "2016年", "2016年1月1日到2024年5月15日"),
    ("2021/3/8我换了工作", "2021/3/8", "2021年3月8日"),
    ("一个半月前我搬了家", "一个半月前", "2024年3月24日到2024年4月7日"),
    ("去年年底我搬了家", "去年年底", "2023年9月到12月"),
    ("去年底我换了工作", "去年底", "2023年9月到12月"),
    ("今年初我搬了家", "今年初", "2024年1月到4月"),
    ("年初我搬了家", "年初", "2024年1月到4月"),
    ("去年三月初我搬了家", "去年三月初", "2023年3月1日到10日"),
]
CHINESE_NONE = [
    "总有一天我会明白",
    "每天都跑步",
    "每周五我跑步",
    "周一到周五上班",
    "我的生日是5月3日",
    "最后天气很好",
    "我们认识一周年了",
    "这是后来的事",
    "他2019级的",
    "周五",
    "三天后，他醒了",
    "周末愉快！",
    "先天后天都重要",
    "有一天我走了",
    "那天我走了",
    "三天我没吃饭",
    "第二天我走了",
    "每个月都去",
    "每年五月我都去",
    "2月30日我去了",
    "很久以前的事",
    "90年代的歌",
    "我一周五天上班",
    "一天到晚很忙",
    "三月前我搬了家",
    "三月之后我就没去过",
]


@pytest.mark.parametrize(("text", "words", "date"), ENGLISH)
def test_english_dates(text: str, words: str, date: str) -> None:
    assert found(text, "en") == [(words, date)]


@pytest.mark.parametrize("text", ENGLISH_NONE)
def test_english_that_names_no_date(text: str) -> None:
    assert found(text, "en") == []


@pytest.mark.parametrize(("text", "words", "date"), CHINESE)
def test_chinese_dates(text: str, words: str, date: str) -> None:
    assert found(text, "zh") == [(words, date)]


@pytest.mark.parametrize("text", CHINESE_NONE)
def test_chinese_that_names_no_date(text: str) -> None:
    assert found(text, "zh") == []


def test_two_dates_of_one_sentence_and_what_is_past() -> None:
    made = mentions("Yesterday I packed; tomorrow I leave, in 2019 I would have stayed.", said_at=SAID_AT, language="en")
    assert [(m.past, m.relative) for m in made] == [(True, True), (False, True), (True, False)]
    assert made[0].range.first == datetime(2024, 5, 14, tzinfo=UTC)
    assert made[0].range.last.date() == made[0].range.first.date()


def test_each_language_has_its_eighty_examples() -> None:
    assert min(len(ENGLISH) + len(ENGLISH_NONE), len(CHINESE) + len(CHINESE_NONE)) >= 80
    assert len({text for text, _, _ in ENGLISH + CHINESE}) == len(ENGLISH + CHINESE)


def test_who_knows_the_tense_says_it() -> None:
    for ahead, day in ((True, 17), (False, 10)):
        (found,) = mentions("On Friday.", said_at=SAID_AT, language="en", ahead=ahead)
        assert (found.range.first.day, found.past) == (day, not ahead)
    (found,) = mentions("五月", said_at=SAID_AT.replace(month=8), language="zh", ahead=True)
    assert spell(found.range, language="zh") == "2025年5月"


@pytest.mark.parametrize(
    ("said_at", "text", "date"),
    [
        (datetime(2024, 2, 29, tzinfo=UTC), "A year ago today we met.", "28 February 2023"),
        (datetime(2024, 2, 29, tzinfo=UTC), "Four years ago today we met.", "29 February 2020"),
        (datetime(2023, 12, 31, tzinfo=UTC), "I leave tomorrow.", "1 January 2024"),
        (datetime(2024, 1, 1, tzinfo=UTC), "Last week was dull.", "the week of 25 December 2023"),
        (datetime(2024, 1, 1, tzinfo=UTC), "Last month was dull.", "December 2023"),
        (datetime(2024, 1, 15, tzinfo=UTC), "Last winter was cold.", "the winter of 2022/23"),
        (datetime(2024, 3, 31, tzinfo=UTC), "Last month was dull.", "February 2024"),
        (datetime(2024, 5, 17, tzinfo=UTC), "Last Friday was dull.", "10 May 2024"),
        (datetime(2024, 5, 19, tzinfo=UTC), "Next Sunday I leave.", "26 May 2024"),
    ],
)
def test_the_ends_of_months_and_years(said_at: datetime, text: str, date: str) -> None:
    made = [spell(m.range, language="en") for m in mentions(text, said_at=said_at, language="en")]
    assert made == [date]


WORDS = st.sampled_from(
    "yesterday last next this Friday week month year ago in two a few days weeks from now on May 8 31 2021 Feb 29 . 。 0 9999 will was".split()
    + "昨天 上 下 周五 个月 三 天 前 后 月底 年 半 两百 号 日 了 要".split()
)


@given(
    st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=12),
    st.sampled_from(["", " "]),
    st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2090, 12, 31)),
    st.sampled_from(["en", "zh"]),
)
def test_any_text_on_any_day_gives_spans_in_order_and_ranges_forward(
    parts: list[str], between: str, said_at: datetime, language: str
) -> None:
    text = between.join(parts)
    end = 0
    for mention in mentions(text, said_at=said_at, language=language):
        assert end <= mention.start < mention.end <= len(text)
        assert mention.range.first <= mention.range.last
        assert mention.past is not True or mention.range.last.date() < said_at.date()
        assert mention.past is not False or mention.range.first.date() > said_at.date()
        assert spell(mention.range, language=language)
        end = mention.end


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2090, 12, 31)))
def test_yesterday_is_one_day_before_on_every_day(said_at: datetime) -> None:
    for text, language in (("I left yesterday.", "en"), ("昨天我走了", "zh")):
        (mention,) = mentions(text, said_at=said_at, language=language)
        assert mention.range.first.date() == said_at.date() - timedelta(days=1)
        assert mention.past
