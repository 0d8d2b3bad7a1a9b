"""A story is told by what happened, what changed and what was decided, before what somebody is like, likes or thinks."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from memory.narrative import CHAPTER, LINES, choose
from memory.story_worth import worths
from storage.records import Kind, Memory

TURNS = {
    "en": (
        "Ada has called off the wedding.",
        "Ada quit her job at the council.",
        "Ada's mother died when Ada was nineteen.",
        "Ada moved to Dover with the dog.",
        "Ada and Kit fell out over the caravan.",
        "Ada promised Nell to bring the letter back.",
        "Ada found out what the levels are for.",
    ),
    "zh": (
        "阿达辞职了。",
        "阿达跟程望分手了。",
        "阿达的奶奶去世了。",
        "阿达搬到海边的小屋去了。",
        "阿达决定不去深圳。",
        "阿达答应师傅把信送到。",
        "阿达头一回给奶奶上坟。",
    ),
}
CHAT = {
    "en": (
        "Ada likes smoked herring.",
        "Ada thinks Magistrate knows.",
        "Ada is good at crosswords, and she hates every brick.",
        "Ada looked at their feet.",
        "Ada was shaking.",
        "Isaac told Ada.",
        "Ada has 'good morning', and 'one coffee.",
        "Ada wants to marry a sailor.",
        "Ada never moved to Dover.",
        "It was about something there.",
    ),
    "zh": (
        "阿达不爱吃姜。",
        "阿达觉得炉子挺暖和的。",
        "阿达每天跟同事一块吃夜宵。",
        "阿达的手有点抖。",
        "阿达隔着墙看了一眼。",
        "阿达听老孙头说。",
        "阿达想结婚。",
        "阿达没搬到海边去。",
        "它就在那儿。",
    ),
}


def fact(text: str, language: str, at: int = 1, *, trust: float = 1.0) -> Memory:
    subject = {"en": "Ada", "zh": "阿达"}[language]
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    return Memory(f"{at}:{text}", "c", Kind.FACT, text, language, at, at, moment, (), text, subject=subject, said_by=subject, trust=trust)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_happened_is_worth_more_than_what_somebody_is_like(language: str) -> None:
    turns, chat = ([worths([fact(text, language)])[0] for text in texts[language]] for texts in (TURNS, CHAT))
    assert min(turns) > max(chat) + 0.3, list(zip(TURNS[language], turns, strict=True)) + list(zip(CHAT[language], chat, strict=True))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chapter_is_told_by_its_events_in_their_order(language: str) -> None:
    """Whatever lies at the centre of a day's chat: chance stands for meaning here."""
    texts = [t for pair in zip(CHAT[language], TURNS[language], strict=False) for t in pair] + list(CHAT[language][7:])
    facts = [fact(text, language, at) for at, text in enumerate(texts)]
    rows = np.random.default_rng(5).normal(size=(len(facts), 64)) + 2
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    told = [facts[i].text for i in choose(vectors, most=LINES[CHAPTER], weights=worths(facts))]
    assert set(told) <= set(TURNS[language])
    assert told == sorted(told, key=texts.index)


def test_what_others_tell_of_too_counts_more_and_what_was_hedged_less() -> None:
    alone, shared, *_ = worths(
        [
            fact("Ada sold a lamp at noon.", "en"),
            fact("Ada sold a gander at noon.", "en"),
            fact("A gander bit Kit twice.", "en"),
            *(fact(f"Nothing {n} else matters much.", "en") for n in range(6)),
        ]
    )
    assert shared > alone
    sure, unsure = (worths([fact("Ada sold a lamp at noon.", "en", trust=trust)])[0] for trust in (1.0, 0.6))
    assert sure > unsure


@pytest.mark.parametrize(
    ("first", "again", "language"),
    [
        ("Ada left the old mill at night, in the rain.", "Ada left the mill.", "en"),
        ("阿达从前说过，再也不回榆树屯了，是奶奶走那年说的气话。", "阿达从前说再也不回榆树屯了。", "zh"),
    ],
)
def test_what_was_told_already_is_hardly_told_again(first: str, again: str, language: str) -> None:
    _, second = worths([fact(first, language), fact(again, language, 2)])
    (alone,) = worths([fact(again, language, 2)])
    assert second < alone - 0.8
