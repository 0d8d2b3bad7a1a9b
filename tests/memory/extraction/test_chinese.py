"""Chinese extraction without a model: what a sentence gives, what it must not give, and what holds of any text."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extraction.chinese import extract
from memory.extraction.draft import Extraction, Line
from memory.persona_keys import KEYS
from tests.memory.extraction.chinese_said import SAID_AT, extracted, facts_of, values_of

TOLD = (
    ("我在成都一家医院当护士。", ["林小雨在成都一家医院当护士。"], ["occupation=护士", "workplace=成都一家医院"]),
    ("我是成都人。", ["林小雨是成都人。"], ["hometown=成都"]),
    ("我是中国人。", ["林小雨是中国人。"], ["nationality=中国人"]),
    ("我是女生。", ["林小雨是女生。"], ["gender=女生"]),
    ("我28了。", ["林小雨28岁了。"], ["age=28"]),
    ("我的生日是3月8号。", ["林小雨的生日是3月8号。"], ["birthday=3月8号"]),
    ("老家在哈尔滨，现在住在上海浦东。", ["林小雨的老家在哈尔滨，现在住在上海浦东。"], ["hometown=哈尔滨", "residence=上海浦东"]),
    ("我在杭州上班。", ["林小雨在杭州上班。"], ["workplace=杭州"]),
    ("我以前是老师，现在是律师。", ["林小雨以前是老师，现在是律师。"], ["occupation=律师"]),
    ("我以前住在罗马。", ["林小雨以前住在罗马。"], []),
    ("我毕业于浙江大学，学的是计算机。", ["林小雨毕业于浙江大学，学的是计算机。"], ["school=浙江大学", "field_of_study=计算机"]),
    ("我会说英语和法语。", ["林小雨会说英语和法语。"], ["languages=英语", "languages=法语"]),
    ("我会弹钢琴和游泳。", ["林小雨会弹钢琴和游泳。"], ["skills=弹钢琴", "skills=游泳"]),
    ("我不会游泳。", ["林小雨不会游泳。"], []),
    ("我结婚三年了。", ["林小雨结婚三年了。"], ["partner=结婚"]),
    ("我还是单身。", ["林小雨还是单身。"], ["partner=单身"]),
    ("我养了一只叫煤球的黑猫。", ["林小雨养了一只叫煤球的黑猫。"], ["pets=叫煤球的黑猫"]),
    ("我养过一只狗。", ["林小雨养过一只狗。"], []),
    ("我没有养猫。", ["林小雨没有养猫。"], []),
    ("我不吃香菜，最喜欢的颜色是墨绿。", ["林小雨不吃香菜，最喜欢的颜色是墨绿。"], ["food_disliked=香菜", "favorite_color=墨绿"]),
    ("我爱吃火锅，不爱喝咖啡。", ["林小雨爱吃火锅，不爱喝咖啡。"], ["food_liked=火锅", "food_disliked=咖啡"]),
    ("我最喜欢的歌手是陈奕迅。", ["林小雨最喜欢的歌手是陈奕迅。"], ["favorite_music=陈奕迅"]),
    ("我很喜欢看书、听音乐和爬山。", ["林小雨很喜欢看书、听音乐和爬山。"], ["hobbies=看书", "hobbies=听音乐", "hobbies=爬山"]),
    ("我喜欢弹吉他，摄影，旅游。", ["林小雨喜欢弹吉他，摄影，旅游。"], ["hobbies=弹吉他", "hobbies=摄影", "hobbies=旅游"]),
    ("我喜欢晴朗、温暖的天气。", ["林小雨喜欢晴朗、温暖的天气。"], ["liked=晴朗、温暖的天气"]),
    ("我讨厌下雨天。", ["林小雨讨厌下雨天。"], ["disliked=下雨天"]),
    ("我不喜欢猫。", ["林小雨不喜欢猫。"], ["animals_disliked=猫"]),
    ("我有一辆红色的自行车。", ["林小雨有一辆红色的自行车。"], ["belongings=红色的自行车"]),
    ("我对海鲜过敏。", ["林小雨对海鲜过敏。"], ["allergies=海鲜"]),
    ("我得了感冒，头疼。", ["林小雨得了感冒，头疼。"], ["health=感冒", "health=头疼"]),
    ("我每天早上跑步。", ["林小雨每天早上跑步。"], ["habits=每天早上跑步"]),
    ("我想当飞行员。", ["林小雨想当飞行员。"], ["goals=当飞行员"]),
    ("我的梦想是开一家咖啡店。", ["林小雨的梦想是开一家咖啡店。"], ["goals=开一家咖啡店"]),
    ("我觉得诚实比什么都重要。", ["林小雨觉得诚实比什么都重要。"], ["beliefs=诚实比什么都重要"]),
    ("我从小就怕打雷。", ["林小雨从小就怕打雷。"], ["fears=打雷"]),
    ("有点累。", ["林小雨有点累。"], ["mood=有点累"]),
    ("我觉得我很累。", ["林小雨觉得自己很累。"], ["mood=很累"]),
    ("我正在准备期末考试。", ["林小雨正在准备期末考试。"], ["activity=准备期末考试"]),
    ("我在图书馆呢。", ["林小雨在图书馆。"], ["whereabouts=图书馆"]),
    ("我得过省里的作文比赛一等奖。", ["林小雨得过省里的作文比赛一等奖。"], ["achievements=省里的作文比赛一等奖"]),
    ("叫我小雨就行。", ["林小雨的昵称是小雨。"], ["nickname=小雨"]),
    ("我叫林小雨，很高兴认识你。", [], ["name=林小雨"]),
)


@pytest.mark.parametrize(("text", "facts", "values"), TOLD)
def test_a_plain_statement_gives_its_fact_and_its_values(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


WHOLE = (
    # what is spoken of stands first
    ("楼下那家面馆我每周都去两回。", "楼下那家面馆林小雨每周都去两回。"),
    ("下夜班我总要绕到江边坐一坐，吹吹风。", "下夜班林小雨总要绕到江边坐一坐，吹吹风。"),
    ("书架顶上有一盒没拆的信，三年了，我一封也没看。", "书架顶上有一盒没拆的信，三年了，林小雨一封也没看。"),
    # who else is in it and why
    ("我爸妈天天吵，我是戴着耳机写完作业的。", "林小雨的爸妈天天吵，林小雨是戴着耳机写完作业的。"),
    ("我奶奶走了以后，我再没碰过她那架缝纫机。", "林小雨的奶奶走了以后，林小雨再没碰过她那架缝纫机。"),
    ("我爸一打来视频，没三句话我们就吵起来。", "林小雨的爸爸一打来视频，没三句话两人就吵起来。"),
    ("宿舍里谁病了，都是我去打饭。", "宿舍里谁病了，都是林小雨去打饭。"),
    # the speaker named once
    ("分房的时候我什么都没要，我说住哪儿都行。", "分房的时候林小雨什么都没要，说住哪儿都行。"),
    ("虽然我不会修车，但是我很喜欢拆东西。", "虽然林小雨不会修车，但是很喜欢拆东西。"),
    ("我家那只鹦鹉叫豆子，会学门铃响。", "林小雨家里那只鹦鹉叫豆子，会学门铃响。"),
    ("我这台相机用了十二年，快门声都变了。", "林小雨的相机用了十二年，快门声都变了。"),
    ("我表姐是护士，她常上夜班，我天天给她送饭。", "林小雨的表姐是护士，她常上夜班，林小雨天天给她送饭。"),
    ("我和我前男友分手以后，把微信全删了。", "林小雨和自己的前男友分手以后，把微信全删了。"),
    ("今天是我生日，我一个人吃了碗面。", "2024年5月10日是林小雨的生日，林小雨一个人吃了碗面。"),
    ("今天是星期五，我下班以后去爬了山。", "林小雨下班以后去爬了山。"),
    ("是的，我小时候住在码头边，天天听船叫。", "林小雨小时候住在码头边，天天听船叫。"),
    # nobody named, but nobody else can be meant
    ("从小跟着我爸跑船，一年换三个学校。", "林小雨从小跟着自己的爸爸跑船，一年换三个学校。"),
    # times that nobody named, words that are only spoken of
    ("那天我在站台上哭完，洗了把脸去上班。", "有一天林小雨在站台上哭完，洗了把脸去上班。"),
    ("谁问我我都说“没事没事”，回家再哭。", "谁问林小雨林小雨都说“没事没事”，回家再哭。"),
    ("半夜我常坐在窗边，看对面楼哪家还亮着灯。", "半夜林小雨常坐在窗边，看对面楼哪家还亮着灯。"),
)


@pytest.mark.parametrize(("text", "fact"), WHOLE)
def test_a_sentence_about_the_speaker_is_told_whole(text: str, fact: str) -> None:
    extraction = extracted(text)
    assert [(f.text, f.subject) for f in extraction.facts] == [(fact, "林小雨")]
    assert extraction.facts[0].quote in text


PARTS = (
    # what leans on something outside the sentence is left to its clauses
    ("从他走那天起，我天天晚上写日记，一天没断。", ["林小雨天天晚上写日记。"]),
    ("我喜欢下棋，这让我很放松。", ["林小雨喜欢下棋。"]),
    # "you" may be anybody
    ("毕业照上你得拿放大镜找我，我在最左边露半张脸。", ["林小雨在最左边露半张脸。"]),
    # somebody else's doings do not become the speaker's for a word beside them
    ("我嫂子天天晚上写日记，我很佩服。", ["林小雨的嫂子天天晚上写日记。"]),
    # what was only heard
    ("我听我奶奶讲，咱们村以前有条河。", []),
    # what is asked, wished or supposed beside it is left out
    ("我昨天剪了短发，还染了色，好看吗？", ["林小雨2024年5月9日剪了短发，还染了色。"]),
    ("要是哪天能上台，我就唱一首老歌。", []),
)


@pytest.mark.parametrize(("text", "facts"), PARTS)
def test_a_sentence_that_cannot_be_told_whole_is_told_as_far_as_it_can(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


NOT_TOLD = (
    "你喜欢吃辣吗？",
    "有什么好书推荐吗？",
    "我该怎么办？",
    "如果我有钱，我就去环游世界。",
    "要是能养只猫就好了。",
    "我恨不得马上飞回家。",
    "老板说我懒。",
    "听说你搬家了。",
    "我妈总夸我聪明。",
    "饿死了！",
    "我快要疯了。",
    "你真漂亮。",
    "好啊，真不错，听起来很棒。",
    "谢谢你的建议，我会试试看的。",
    "祝你生日快乐！",
    "帮我倒杯水。",
    "我开，我开还不行嘛。",
    "我道歉还不行吗。",
    "别忘了带伞。",
    "这本书很有意思。",
    "我也这么觉得。",
    "我明白你的意思。",
    "我想和你聊聊天。",
    "今天天气真好。",
    "*我叫苏晴，是个画家*",
    "（我住在海边的木屋里）",
    "我喜欢你。",
    "我会去搜索一些相关资料。",
    "非常棒，我觉得它的味道很浓郁。",
    "",
    "……",
)


@pytest.mark.parametrize("text", NOT_TOLD)
def test_what_is_no_statement_about_anybody_gives_nothing(text: str) -> None:
    assert extracted(text) == Extraction()


def test_dropped_subjects_belong_to_who_was_named_before() -> None:
    extraction = extracted("我是护士，在杭州上班，养了一只猫。")
    assert [f.text for f in extraction.facts] == ["林小雨是护士，在杭州上班，养了一只猫。"]
    assert [v.key for v in extraction.values] == ["occupation", "workplace", "pets"]


def test_a_statement_before_a_question_is_kept_without_it() -> None:
    assert facts_of("我很喜欢弹钢琴，你觉得有什么曲子适合新手吗？") == ["林小雨很喜欢弹钢琴。"]


def test_what_is_taken_back_leaves_nothing() -> None:
    assert extracted("我是外科医生。开玩笑的！") == Extraction()
    assert facts_of("我是外科医生。哈哈跟你开玩笑的，其实我是厨师。") == ["林小雨是厨师。"]
    assert facts_of("我说过我吃素，可那是骗你的。我爱吃羊肉。") == ["林小雨爱吃羊肉。"]
    assert facts_of("我是外科医生，这可不是开玩笑的。") == ["林小雨是外科医生。"]


def test_a_statement_in_doubt_is_left_out() -> None:
    assert facts_of("我应该辞职，对吗？") == []


def test_what_is_said_of_a_relative_belongs_to_the_relative() -> None:
    extraction = extracted("我妹妹小雪对花生过敏。")
    assert [(f.text, f.subject) for f in extraction.facts] == [("林小雨的妹妹小雪对花生过敏。", "林小雨的妹妹小雪")]
    assert [(v.key, v.value) for v in extraction.values] == [("family", "妹妹小雪")]


def test_a_pronoun_with_one_antecedent_is_named() -> None:
    extraction = extracted("我女朋友叫李娜，她是老师。")
    assert [(f.text, f.subject) for f in extraction.facts] == [
        ("林小雨的女朋友叫李娜。", "林小雨的女朋友"),
        ("林小雨的女朋友李娜是老师。", "林小雨的女朋友李娜"),
    ]
    assert values_of("我女朋友叫李娜，她是老师。") == ["partner=女朋友叫李娜"]


def test_a_pronoun_with_two_antecedents_is_not_guessed() -> None:
    assert not any("医生" in fact for fact in facts_of("我哥哥和我弟弟都在深圳，他是医生。"))


def test_parents_without_a_possessor_are_the_players() -> None:
    assert facts_of("妈妈在超市上班。") == ["林小雨的妈妈在超市上班。"]
    assert facts_of("妈妈一定会很高兴的。", player=False) == []


def test_a_separation_is_told_and_gives_no_partner() -> None:
    assert [v for v in values_of("我昨天和女朋友分手了。") if v.startswith("partner")] == []


def test_relative_dates_are_spelled_out_and_kept_as_the_event() -> None:
    [fact] = extracted("昨天我去了医院。").facts
    assert fact.text == "2024年5月9日林小雨去了医院。"
    assert fact.event is not None
    assert (fact.event.first.date(), fact.event.last.date()) == (datetime(2024, 5, 9).date(), datetime(2024, 5, 9).date())
    assert fact.quote == "昨天我去了医院"


def test_a_fact_without_a_time_has_no_event() -> None:
    [fact] = extracted("我在杭州上班。").facts
    assert fact.event is None


def test_a_plan_for_a_day_to_come_is_a_plan() -> None:
    assert "plans=去爬黄山" in values_of("下周打算去爬黄山。")
    assert "plans=去面试" in values_of("明天我要去面试。")


def test_what_a_year_gone_by_held_is_not_held_now() -> None:
    assert values_of("去年我住在罗马。") == []


def test_guesses_are_trusted_less() -> None:
    assert [f.trust for f in extracted("我可能要搬到北京了。").facts] == [0.6]
    assert [f.trust for f in extracted("我住在北京。").facts] == [1.0]


def test_gestures_are_not_spoken() -> None:
    assert values_of("*挥手* 你好，我是王强！") == ["name=王强"]
    assert facts_of("（低头看着手机）我在杭州上班。") == ["林小雨在杭州上班。"]


def test_speech_in_quotation_marks_is_the_speakers_and_narration_is_not() -> None:
    assert values_of("*她走进房间* “我是画家。” 我住在窗外的月光里。") == ["occupation=画家"]


def test_quoted_words_of_others_are_not_the_speakers() -> None:
    assert extracted("老板对我说：“我是护士，住在杭州。”") == Extraction()


def test_the_character_tells_and_recommends_but_has_no_persona_values() -> None:
    extraction = extracted("我在海边开了一家书店。你可以去青岛看看海。", player=False)
    assert [(f.text, f.subject) for f in extraction.facts] == [
        ("阿澜在海边开了一家书店。", "阿澜"),
        ("阿澜建议林小雨去青岛看看海。", "阿澜"),
    ]
    assert extraction.values == ()


def test_what_is_said_twice_is_kept_once() -> None:
    assert facts_of("我在杭州上班。真的，我在杭州上班！") == ["林小雨在杭州上班。"]


def test_traditional_characters_are_read_and_kept() -> None:
    extraction = extracted("我從小就怕狗，現在住在臺北。")
    assert [(v.key, v.value) for v in extraction.values] == [("fears", "狗"), ("residence", "臺北")]


_SPEECH = st.lists(
    st.sampled_from(
        "我 你 他 我们 咱 妹妹 妈妈 叫 是 在 住在 喜欢 不 吃 火锅 护士 昨天 明年 去 了 过 的 吗 和 “ ” 《 》 * （ ） ， 。 ？ ！ 、 林小雨 这本书 那里 如果 说 "
        "很 累 养 一只 猫 3月8号 二十九岁 杭州 想 打算 会 弹钢琴 ， ， 。 \n".split(" ")
    ),
    max_size=40,
).map("".join)


def _sound(line: Line) -> None:
    extraction = extract(line)
    for fact in extraction.facts:
        assert fact.text
        assert fact.subject
        assert fact.quote in line.text
        told = re.sub(r"《[^》]*》|“[^”]*”", "", fact.text)
        assert not re.search(r"[我你您咱俺]", told), fact.text
    for value in extraction.values:
        assert value.key in KEYS
        assert value.quote in line.text
        assert 0 < len(value.value) <= 24
        assert value.value in (line.question if value.from_question else line.text)
    assert extract(line) == extraction


@settings(max_examples=300, deadline=None)
@given(text=_SPEECH, question=_SPEECH, player=st.booleans())
def test_whatever_is_said_facts_stand_alone_and_values_are_verbatim(text: str, question: str, player: bool) -> None:
    _sound(Line(text, "林小雨", "阿澜", player, SAID_AT, question))


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=300), question=st.text(max_size=80))
def test_any_text_is_survived(text: str, question: str) -> None:
    _sound(Line(text, "林小雨", "", True, SAID_AT, question))


@pytest.mark.parametrize(
    "piece",
    ["我住在杭州，", "“", "*（", "我", "一二三四五", "a" * 50, "的的", "我喜欢看书、", "从", "我从", "刚", "从小就", "刚满", "我家的猫刚"],
)
def test_a_very_long_message_is_read_to_a_bound(piece: str) -> None:
    _sound(Line(piece * (20_000 // len(piece)), "林小雨", "阿澜", True, SAID_AT, piece * 3000))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我小时候有一只鹦鹉，放学就跟它说话。", "林小雨小时候有一只鹦鹉，放学就跟它说话。"),
        ("我的随身听是九八年的，天天上班还揣着它。", "林小雨的随身听是九八年的，天天上班还揣着它。"),
        ("我妈妈养了只羊，我天天给羊梳毛。", "林小雨的妈妈养了只羊，林小雨天天给羊梳毛。"),
    ],
)
def test_the_one_thing_of_a_sentence_may_be_meant_by_a_pronoun_and_who_does_it_is_said(text: str, fact: str) -> None:
    assert facts_of(text) == [fact]


@pytest.mark.parametrize("text", ["我在办公室里把它做完了。", "我买了笛子和风筝，它们挺旧的，我把它藏了。", "我昨天把它修好了。"])
def test_where_it_may_be_several_things_or_none_it_is_not_told(text: str) -> None:
    assert not any("它" in fact for fact in facts_of(text))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("在下是个铁匠，家里养了两匹马。", ["林小雨是个铁匠，家里养了两匹马。"]),
        ("我现在下不了厨。", ["林小雨现在下不了厨。"]),
        ("我是林小雨，布店的伙计。", ["林小雨是布店的伙计。"]),
        ("我这人急脾气，睡不着的时候就看书。", ["林小雨这人急脾气，睡不着的时候就看书。"]),
        ("我妈在家带我弟。", ["林小雨的妈妈在家带林小雨的弟弟。"]),
        ("来碗面就行，我不吃肉。", ["林小雨不吃肉。"]),
        ("我老婆的哥哥住在无锡。", ["林小雨的老婆的哥哥住在无锡。"]),
        ("还有我超喜欢五月天。", ["林小雨超喜欢五月天。"]),
        ("念给我听听，我帮你练。", []),
        ("在一起三年。", []),
    ],
)
def test_registers_of_role_play(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


def test_years_from_one_to_another_are_one_span() -> None:
    (fact,) = extracted("我2008年到2012年在北京读大学。").facts
    assert fact.event is not None
    assert (fact.event.first.year, fact.event.last.year) == (2008, 2012)
