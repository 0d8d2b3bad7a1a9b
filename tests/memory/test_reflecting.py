"""What of a model's readings of the player is kept: theirs alone, of nobody who was not named, and no diagnosis; in English and Chinese."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.clinical import is_clinical
from memory.reflecting import InsightsAnswer, Material, insights
from personas.cast import built_in
from tests.memory.test_insights import fact

NELL = next(c for c in built_in() if c.id == "builtin:nell-garrow")
TOLD = {
    "en": ("Mara", ("Mara lives with Mara's sister Ida and the dog.", "Mara sailed alone to Heron Island.")),
    "zh": ("小满", ("小满和姐姐李岚、一只猫住在一起。", "小满一个人划船去了苍鹭岛。")),
}


def kept(language: str, *texts: str, facts: tuple[str, ...] = ()) -> list[str]:
    player, told = TOLD[language]
    held = [replace(fact(at, text), said_by=player, subject=player, language=language) for at, text in ((1, told[0]), (3, told[1]))]
    held += [replace(fact(at, text), said_by=player, subject=player, language=language) for at, text in enumerate(facts, start=5)]
    material = Material(tuple(held), frozenset(f.id for f in held), tuple(f"lens {n}" for n in range(9)), language)
    grounds = list(range(1, len(held) + 1))
    items = [{"text": text, "facts": grounds, "lens": n} for n, text in enumerate(texts, start=1)]
    return [item.text for item, _ in insights(InsightsAnswer.model_validate({"insights": items}), material, character=NELL, player=player)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Mara seems to look for a place where nobody asks questions."),
        ("en", "Mara's silence about home seems to weigh more than Mara admits."),
        ("en", "Perhaps Mara leaves so that nobody can be left behind."),
        ("en", "Mara's love of the dog seems easier than trusting people."),
        ("en", "Mara's family is what holds her together."),
        ("en", "Mara's mother is the person Mara fears losing most."),
        ("zh", "小满似乎在找一个没有人追问的地方。"),
        ("zh", "小满的朋友很多，但真正能谈心的很少。"),
        ("zh", "小满的爸爸在小满心里很重要。"),
        ("zh", "小满的妈妈是小满最怕失去的人。"),
        ("zh", "小满的沉默似乎比她承认的更重。"),
    ],
)
def test_a_reading_of_the_player_is_kept(language: str, text: str) -> None:
    assert kept(language, text) == [text]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Everyone drinks tea in the evening."),
        ("en", "She seems restless in a way that shows."),
        ("en", "Zoltan seems to miss the sea."),
        ("en", "Zoltan's absence seems to weigh on Mara."),
        ("en", "Ida seems to be jealous of everyone."),
        ("en", "Mara's sister Ida seems to resent the sea."),
        ("en", "Perhaps Mara's dog is lonelier than anybody."),
        ("en", "Nell Garrow thinks that Mara is hiding."),
        ("en", "Mara seems to live for two."),
        ("zh", "人人晚上都喝茶。"),
        ("zh", "她似乎坐立不安。"),
        ("zh", "小满的姐姐李岚似乎讨厌大海。"),
        ("en", "Mara's sister Ida seems to be the one who fears for Mara."),
        ("en", "Mara's sister Ida is jealous of Mara."),
        ("en", "Mara's sister Ida is the most jealous of all."),
        ("zh", "小满的猫好像比谁都孤独。"),
        ("zh", "小满的姐姐很嫉妒小满。"),
        ("zh", "小满的姐姐觉得小满很重要。"),
        ("zh", "小满的姐姐是最嫉妒的。"),
        ("zh", "小满似乎还在想念王建国。"),
    ],
)
def test_a_reading_of_anybody_else_is_not(language: str, text: str) -> None:
    assert kept(language, text) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Mara seems to suffer from depression and hides it."),
        ("en", "Mara may be bipolar without knowing it."),
        ("zh", "小满似乎有抑郁症，只是不说。"),
        ("zh", "小满可能是回避型人格障碍。"),
    ],
)
def test_no_reading_is_a_diagnosis(language: str, text: str) -> None:
    assert kept(language, text) == []


@pytest.mark.parametrize(
    ("language", "said", "text"),
    [
        ("en", "Mara was told of a depression in spring.", "Mara seems to row against the depression rather than rest."),
        ("zh", "小满春天得过抑郁症。", "小满似乎宁可划船也不肯对抑郁低头。"),
    ],
)
def test_what_the_player_told_of_an_illness_may_be_named(language: str, said: str, text: str) -> None:
    assert kept(language, text, facts=(said,)) == [text]


@pytest.mark.parametrize(
    "text", ["Mara adds to the disorder on the desk.", "Mara is sad, tired and far too proud to say so.", "小满有些难过，不想说。"]
)
def test_a_mood_is_no_illness(text: str) -> None:
    assert not is_clinical(text, told=())
