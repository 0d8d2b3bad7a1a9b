"""Whom a Chinese message means: relatives in apposition, by office, by name, by a pronoun, by the question; and the speaker's own name and narrated words."""

from __future__ import annotations

import pytest

from tests.memory.extraction.chinese_said import facts_of, values_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我姐，在老家县城开裁缝铺的，手艺特别好。", ["林小雨的姐姐是在老家县城开裁缝铺的。"]),
        ("妈，我回来了，买了菜。", ["林小雨回来了，买了菜。"]),
        ("我们店长天天加班，说年底给我们发奖金。", ["林小雨的店长天天加班，说年底给林小雨他们发奖金。"]),
        ("我们经理在广州买了房。", ["林小雨的经理在广州买了房。"]),
        ("我周敏从不骗人。", ["林小雨从不骗人。"]),
        ("我何大宽做了二十年菜。", ["林小雨做了二十年菜。"]),
        ("我叫周敏，爱笑的那种。", ["林小雨叫周敏，爱笑的那种。"]),
        ("我弟江川，初中二年级。", ["林小雨的弟弟江川初中二年级。"]),
        ("我女儿今年八岁。她怕黑，爱画画。", ["林小雨的女儿2024年八岁。", "林小雨的女儿怕黑，爱画画。"]),
        ("我舅舅在码头干活。他今年五十二。", ["林小雨的舅舅在码头干活。", "林小雨的舅舅2024年五十二岁。"]),
        (
            "我太太不吃辣。她叫沈月娥，三十一岁。她会弹琴。",
            ["林小雨的太太不吃辣。", "林小雨的太太叫沈月娥，三十一岁。", "林小雨的太太沈月娥会弹琴。"],
        ),
        ("我弟何川放暑假来了，在我爸那儿，他去年转了专业。", ["林小雨的弟弟何川2023年转了专业。"]),
    ],
)
def test_who_is_meant_stands_before_it(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "林婶疼你，老金那边我去说，他欠我两只鸡。",
        "我哥跟我弟吵架，他搬去了武汉。",
        "我妈和我姐都来了。她住在我家。",
        "我叫林小雨，怕死的那种。",
    ],
)
def test_with_two_to_choose_from_nobody_is_told_of(text: str) -> None:
    assert not [fact for fact in facts_of(text) if "搬去" in fact or "住在" in fact or "欠" in fact or "那种" in fact]


@pytest.mark.parametrize(
    ("question", "text", "facts"),
    [
        ("你妹妹多大了？", "她叫许棠，今年十四。", ["林小雨的妹妹叫许棠，2024年十四岁。"]),
        ("你太太呢？", "她住在苏州平江路。", ["林小雨的太太住在苏州平江路。"]),
        ("猫叫什么？", "叫胡椒。灰的。", ["林小雨的猫叫胡椒。"]),
        ("你爸妈呢？", "他在铁路上班。", []),
        ("你妈妈是做什么的？", "在医院当护士。", []),
    ],
)
def test_who_is_meant_stands_in_the_question(question: str, text: str, facts: list[str]) -> None:
    assert facts_of(text, question=question) == facts


def test_a_relative_has_the_name_that_is_given_later() -> None:
    assert values_of("我太太不吃辣。她叫沈月娥。") == ["partner=太太，叫沈月娥"]
    assert values_of("她叫许棠。", question="你妹妹多大了？") == ["family=妹妹，叫许棠"]
    assert values_of("我弟江川，初中二年级。") == ["family=弟江川"]
    assert values_of("我太太不吃辣。我同事叫沈月娥。") == ["partner=太太"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("林小雨放下茶杯，半天才开口：“我有个儿子，在海军当兵。”", ["林小雨有个儿子，在海军当兵。"]),
        ("林小雨擦了擦桌子。她轻声说：“我开了十年面馆。”", ["林小雨开了十年面馆。"]),
        ("阿四喘着气说：“我把钥匙丢了！”", []),
        ("林小雨看着门。阿四跑进来，他说：“我把钥匙丢了！”", []),
    ],
)
def test_narrated_speech_is_read_as_the_same_words_alone(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts
