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
    "One day I'll know.",
    "It was the second time we fell.",
    "He sat in the sun.",
    "I paid 2019 euros.",
    "On 31 February nothing happens.",
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
        assert spell(mention.range, language=language)
        end = mention.end


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2090, 12, 31)))
def test_yesterday_is_one_day_before_on_every_day(said_at: datetime) -> None:
    for text, language in (("I left yesterday.", "en"), ("昨天我走了", "zh")):
        (mention,) = mentions(text, said_at=said_at, language=language)
        assert mention.range.first.date() == said_at.date() - timedelta(days=1)
        assert mention.past
