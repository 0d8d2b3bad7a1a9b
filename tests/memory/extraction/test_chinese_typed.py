"""What is typed as talked in Chinese: without marks, with an answer in front, with what one says without saying of what."""

from __future__ import annotations

import pytest

from memory.extraction.chinese_plans import to_come
from memory.extraction.chinese_words import curled
from tests.memory.extraction.chinese_said import SAID_AT, extracted, facts_of, values_of


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("我三十五了。", ["林小雨三十五岁了。"], ["age=三十五"]),
        ("我28 你呢", ["林小雨28岁。"], ["age=28"]),
        ("我夜盲，天黑了看不见。", ["林小雨夜盲，天黑了看不见。"], ["health=夜盲"]),
        ("那可不成，我血糖高。", ["林小雨血糖高。"], ["health=血糖高"]),
        ("对了我不会游泳 小时候掉水库里差点淹死", ["林小雨不会游泳，小时候掉水库里差点淹死。"], []),
        ("记住了，我乳糖不耐，喝不了奶茶。", ["林小雨乳糖不耐，喝不了奶茶。"], []),
        ("差不多，我在准备司法考试。", ["林小雨在准备司法考试。"], ["activity=准备司法考试"]),
        ("我不能吃红豆的，我对红豆过敏。", ["林小雨不能吃红豆的，对红豆过敏。"], ["allergies=红豆"]),
        ("我想开个宠物医院，就在海边。", ["林小雨想开个宠物医院，就在海边。"], []),
        ("跟我爸呀我爸妈离婚了我妈去了成都", ["林小雨的爸妈离婚了。", "林小雨的妈妈去了成都。"], ["family=妈"]),
        (
            "不是啦我上个月搬家了搬到滨江这边跟我表姐合租她养了只橘猫",
            ["林小雨2024年4月搬家了，搬到滨江这边跟林小雨的表姐合租，她养了只橘猫。"],
            ["family=表姐"],
        ),
        ("我跟你说个秘密你别告诉别人我报了日语班", ["林小雨报了日语班。"], []),
    ],
)
def test_what_is_told_in_passing(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "我外婆家后面有一整片。",
        "我大学辅修过两年。",
        "我自己算了三个月都没算明白。",
        "我们在一起两年了。",
        "嗯，叫豆包，柯基，十二岁了，上个月查出来心脏不好。",
        "橘猫是我室友的年糕是我的兔子啦",
        "早好啦医生说可以正常走了就是不能跳舞我本来下个月要参加街舞比赛的现在只能当观众了",
        "我差点迟到。",
    ],
)
def test_what_says_nothing_alone_is_not_told(text: str) -> None:
    assert facts_of(text) == []
    assert not [v for v in values_of(text) if not v.startswith("family=")]


@pytest.mark.parametrize(
    ("text", "value"),
    [("我姓沈，沈孤舟，从雁门关来。", "name=沈孤舟"), ("在下谢云澜，此番北上。", "name=谢云澜"), ("我这人一害怕就乱说话。", "")],
)
def test_who_says_their_name(text: str, value: str) -> None:
    assert values_of(text) == ([value] if value else [])


def test_what_stands_behind_a_colon_is_said_by_whoever_is_told_of() -> None:
    told = facts_of("林小雨从书包里掏出两盒酸奶，推过去一盒：“草莓的给你。我最讨厌草莓味了，像感冒药。”")
    assert told == ["林小雨最讨厌草莓味了，像感冒药。"]


def test_straight_quotation_marks_open_and_close() -> None:
    assert curled('"我怕狗。"我说，"真的。"\n5"的屏') == '“我怕狗。”我说，“真的。”\n5"的屏'
    told = extracted('"我租了老街那个裁缝铺，想开个旧书店。"我咬着筷子。"我不吃荤油。"')
    assert [f.text for f in told.facts] == ["林小雨租了老街那个裁缝铺，想开个旧书店。", "林小雨不吃荤油。"]
    assert [f.quote for f in told.facts] == ["我租了老街那个裁缝铺，想开个旧书店", "我不吃荤油"]
    told = extracted('我最喜欢的书是"边城"。')
    assert [(v.key, v.value, v.quote) for v in told.values] == [("favorite_book", '"边城"', '我最喜欢的书是"边城"')], "as it was typed"


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("能!!!7月11号怎么样,那天我生日", ["林小雨的生日是7月11号。"], ["birthday=7月11号"]),
        ("我之前说我27,其实我29了,怕你嫌我大", ["林小雨29岁了。"], ["age=29"]),
        ("我三十四,谁嫌谁呢。", ["林小雨三十四岁。"], ["age=三十四"]),
        ("海鲜不要(我虾过敏你记得吧,上次嘴肿成香肠)", ["海鲜不要，林小雨虾过敏，上次嘴肿成香肠。"], ["allergies=虾"]),
        ("乳娘柳婆带我逃到江南。", ["乳娘柳婆带林小雨逃到江南。"], []),
        ("她走过来（我怕得发抖），我养了一只猫。", ["林小雨养了一只猫。"], []),
        ("公司派我去北京的分店。", ["公司派林小雨去北京的分店。"], []),
        ("（我低头笑了笑，讨厌的雨。）我养了一只猫。", ["林小雨养了一只猫。"], []),
    ],
)
def test_what_is_said_beside(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert [v for v in values_of(text) if not v.startswith("pets")] == values


@pytest.mark.parametrize(
    "text",
    [
        "我昨晚值班前放的,怕吵醒你。",
        "我师父临终时交给我的。",
        "我一直以为是冰柜。",
        "名字还没想好。",
        "5月3号，那天我妈生日。",
        "5月3号行吗，那天我生日吗？",
    ],
)
def test_what_hangs_in_the_air_is_not_told(text: str) -> None:
    assert facts_of(text) == []
    assert not [v for v in values_of(text) if not v.startswith("family=")]


def test_whose_trade_it_is_still_is_told() -> None:
    assert facts_of("我开出租的。") == ["林小雨是开出租的。"]
    assert values_of("我开出租的。") == ["occupation=开出租"]
    assert facts_of("毛衣是我奶奶织的。") == ["毛衣是林小雨的奶奶织的。"]


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("我爷爷种了一辈子稻子,他说,庄稼是渴大的。", ["林小雨的爷爷种了一辈子稻子。"], ["family=爷爷"]),
        ("我妈教了三十年书。", ["林小雨的妈妈教了三十年书。"], ["family=妈"]),
        ("花生的不行,我过敏。", ["花生的不行，林小雨过敏。"], ["allergies=花生"]),
        ("房租七月到期我可能真得搬。", ["房租2024年7月到期林小雨可能真得搬。"], []),
    ],
)
def test_words_run_together_and_what_falls_due(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


def test_what_fell_due_last_year_is_not_to_come() -> None:
    assert not [*to_come("我去年七月到期的合同没续。", said_at=SAID_AT)]
    assert [*to_come("合同七月到期。", said_at=SAID_AT)]
