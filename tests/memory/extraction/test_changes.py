"""What changes in a player's life takes the place of what was: jobs, partners, ages, diets, names; and what only might change, or changes for others, does not."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese, english
from memory.extraction.denials import may_deny
from memory.extraction.draft import ENDED, Line

SAID_AT = datetime(2024, 6, 12, 10)


def _value(text: str, keys: set[str]) -> set[tuple[str, str]]:
    read = english if text.isascii() else chinese
    found = read.extract(Line(text, "Mara" if text.isascii() else "小梅", "Aurel", True, SAID_AT, ""))
    return {(value.key, value.value) for value in found.values if value.key in keys}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I became a nurse in March.", "occupation", "nurse"),
        ("I just got promoted to head chef.", "occupation", "head chef"),
        ("I started as a bus driver last Monday.", "occupation", "bus driver"),
        ("I started a new job as a welder.", "occupation", "welder"),
        ("I got a new job at a bakery.", "workplace", "a bakery"),
        ("I retired last month.", "occupation", "retired"),
        ("I got married to Anna in June.", "partner", "married to Anna"),
        ("I married Anna in June.", "partner", "married Anna"),
        ("We got engaged!", "partner", "engaged"),
        ("I turned thirty-five yesterday.", "age", "thirty-five"),
        ("I'm thirty-five today, the ninth of November.", "age", "thirty-five"),
        ("I'm thirty-nine this month.", "age", "thirty-nine"),
        ("I went vegan in January.", "diet", "vegan"),
        ("I eat vegan now.", "diet", "vegan"),
        ("I changed my major to law.", "field_of_study", "law"),
        ("I have switched to medicine.", "field_of_study", "medicine"),
        ("I transferred to Leeds University.", "school", "Leeds University"),
        ("I moved back in with my parents.", "household", "parents"),
        ("I converted to Islam.", "faith", "Islam"),
        ("I dyed my hair red.", "appearance", "dyed their hair red"),
        ("I changed my name to Rose.", "name", "Rose"),
        ("我上个月当上了护士长。", "occupation", "护士长"),
        ("我升职当主管了。", "occupation", "主管"),
        ("我上周一开始当公交司机了。", "occupation", "公交司机"),
        ("我现在改行开公交车了。", "occupation", "开公交车"),
        ("我退休了。", "occupation", "退休"),
        ("我跳槽到一家印刷厂了。", "workplace", "印刷厂"),
        ("我和陈刚离婚了。", "partner", "离婚"),
        ("我六月和小安结婚了。", "partner", "和小安结婚"),
        ("我昨天满三十五岁了。", "age", "三十五岁"),
        ("我今天四十岁生日！", "age", "四十岁"),
        ("我从一月开始吃素了。", "diet", "吃素"),
        ("我改学法律了。", "field_of_study", "法律"),
        ("我转到法律专业了。", "field_of_study", "法律"),
        ("我转学到了北大。", "school", "北大"),
        ("我搬去和姐姐住了。", "household", "姐姐"),
        ("我现在一个人住。", "household", "一个人住"),
        ("我信佛了。", "faith", "佛"),
        ("我把头发染红了。", "appearance", "头发染红"),
        ("我改名叫李玫了。", "name", "李玫"),
        ("以后叫我小玫吧。", "nickname", "小玫"),
        ("我戒烟了。", "habits", "戒烟"),
    ],
)
def test_a_change_is_a_value(text: str, key: str, value: str) -> None:
    assert _value(text, {key}) == {(key, value)}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("I want to become a doctor.", "occupation"),
        ("If I quit my job, I'd be free.", "occupation"),
        ("I didn't quit my job.", "occupation"),
        ("I left my job application on the table.", "occupation"),
        ("My brother became a priest.", "occupation"),
        ("I dreamed I became a priest.", "occupation"),
        ("I started as a joke.", "occupation"),
        ("I started the car.", "occupation"),
        ("I almost got married to Anna.", "partner"),
        ("Tom and Anna got married.", "partner"),
        ("I would have married Anna.", "partner"),
        ("I might go vegan.", "diet"),
        ("I turned 30 pages.", "age"),
        ("I changed the subject to football.", "field_of_study"),
        ("I cut my finger.", "appearance"),
        ("我想当医生。", "occupation"),
        ("我差点辞职了。", "occupation"),
        ("我哥哥当上了警察。", "occupation"),
        ("他说他退休了。", "occupation"),
        ("我当上了妈妈。", "occupation"),
        ("我没有和他离婚。", "partner"),
        ("我又上网查，有一个殷玉展，一个殷玉战，都是男的。", "gender"),
        ("我明天要和小安结婚了。", "partner"),
        ("我姐姐和小安结婚了。", "partner"),
        ("我转到下一页了。", "field_of_study"),
        ("我想和姐姐住。", "household"),
    ],
)
def test_what_only_might_change_or_changes_for_others_is_none(text: str, key: str) -> None:
    assert _value(text, {key}) == set()


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I quit my job at the bank.", [("occupation",), ("workplace", "bank")]),
        ("I lost my job as a waiter.", [("occupation", "waiter"), ("workplace",)]),
        ("I handed in my notice on Monday.", [("occupation",), ("workplace",)]),
        ("I got fired.", [("occupation",), ("workplace",)]),
        ("I retired last month.", [("workplace",)]),
        ("I have no job, Aurel.", [("occupation",), ("workplace",)]),
        ("I broke up with Tom.", [("partner", "Tom")]),
        ("Tom and I split up.", [("partner", "Tom")]),
        ("My girlfriend Ana and I broke up.", [("partner", "Ana")]),
        ("I was fired from the bakery in March.", [("occupation",), ("workplace",)]),
        ("我三月被面包店开除了。", [("occupation",), ("workplace",)]),
        ("I've called off the wedding.", [("partner",)]),
        ("The wedding is off.", [("partner",)]),
        ("My boyfriend dumped me.", [("partner",)]),
        ("I left my husband.", [("partner",)]),
        ("We moved house.", [("residence",)]),
        ("My ankle has healed.", [("health", "ankle")]),
        ("I got over the flu.", [("health", "flu")]),
        ("I'm not afraid of deep water now.", [("fears", "water")]),
        ("I'm not allergic to cats.", [("allergies", "cat")]),
        ("我现在不怕打电话了。", [("fears", "打电话")]),
        ("我不怕黑了。", [("fears", "黑")]),
        ("我辞职了。", [("occupation",), ("workplace",)]),
        ("我辞掉了银行的工作。", [("occupation",), ("workplace",)]),
        ("上礼拜五办的手续，客服不干了。", []),
        ("我跟老郭分手了。", [("partner", "老郭")]),
        ("我和陈刚离婚了。", [("partner", "陈刚")]),
        ("我们俩分手了。", [("partner",)]),
        ("我昨天和女朋友分手了。", [("partner",)]),
        ("我搬家了。", [("residence",)]),
        ("我现在住在您后院这间小屋里。", [("residence",)]),
        ("我的脚好了。", [("health", "脚")]),
    ],
)
def test_what_is_over_leaves_its_key_and_fills_it_with_nothing(text: str, over: list[tuple[str, ...]]) -> None:
    read = english if text.isascii() else chinese
    found = read.extract(Line(text, "Mara" if text.isascii() else "小梅", "Aurel", True, SAID_AT, ""))
    assert [d.about for d in found.denials if d.act == ENDED] == over
    assert may_deny(text)
    assert not [v for v in found.values if (v.key, v.value) not in {("occupation", "retired"), ("partner", "离婚")}]


@pytest.mark.parametrize(
    "text",
    [
        "I didn't quit my job.",
        "If I quit my job, I'd be free.",
        "I almost lost my job.",
        "My brother lost his job.",
        "I broke up with Tom two years ago.",
        "I left my husband at the station.",
        "I called off my sister's wedding.",
        "I want to move out.",
        "Their ankle has healed.",
        "My sister and I broke up the party.",
        "We broke up the fight.",
        "We split up and searched the woods.",
        "我想分手了。",
        "我差点辞职了。",
        "我姐姐和姐夫离婚了。",
        "他说他辞职了。",
        "我两年前和小李分手了。",
        "我没有和他离婚。",
        "我下周要搬家了。",
    ],
)
def test_what_is_not_over_or_not_ones_own_ends_nothing(text: str) -> None:
    read = english if text.isascii() else chinese
    found = read.extract(Line(text, "Mara" if text.isascii() else "小梅", "Aurel", True, SAID_AT, ""))
    assert not [d for d in found.denials if d.act == ENDED]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I'm not making a lot of progress.", []),
        ("I think self-awareness is an important step.", []),
        ("I haven't received any explanation or feedback.", []),
        ("I made progress with the novel.", ["Mara made progress with the novel."]),
        ("I got good feedback on my essay.", ["Mara got good feedback on their essay."]),
        ("我很担心。", []),
        ("我希望能尝试一些当地的美食。", []),
        ("我在西班牙尝了当地的美食。", ["小梅在西班牙尝了当地的美食。"]),
        ("我最喜欢的是《听妈妈的话》。", []),
        ("我很担心妈妈的身体。", ["小梅很担心妈妈的身体。"]),
        ("妈妈生病了，我很担心。", ["小梅的妈妈生病了。"]),
        ("公司出了问题，我有些担心。", ["公司出了问题，小梅有些担心。"]),
        ("我最喜欢的歌是《听妈妈的话》。", ["小梅最喜欢的歌是《听妈妈的话》。"]),
    ],
)
def test_what_says_not_of_what_is_no_fact(text: str, facts: list[str]) -> None:
    read = english if text.isascii() else chinese
    found = read.extract(Line(text, "Mara" if text.isascii() else "小梅", "Aurel", True, SAID_AT, ""))
    assert [fact.text for fact in found.facts] == facts
