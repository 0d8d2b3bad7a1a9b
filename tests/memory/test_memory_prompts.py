"""What a memory model is shown leaves room for its answer, however much was told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import decomposing, narrative, reflecting, telling
from memory.asking import most_that_fit
from models.chat_model import ChatMessage
from models.scripted import ScriptedModel
from models.structured import StructuredModel
from personas.cast import built_in
from storage.records import Memory
from tests.memory.test_insights import fact

NELL = next(c for c in built_in() if c.id == "builtin:nell-garrow")
TOLD = {
    "en": "Mara told at length of the {n}th boat that Mara built in the old harbour, plank by plank.",
    "zh": "小满细细讲了自己在老港口一块板一块板造起来的第{n}条船。",
}


def model(room: int) -> StructuredModel:
    return StructuredModel(ScriptedModel(context_tokens=room + 200, reply_tokens=200))


def words(shown: Sequence[str]) -> list[ChatMessage]:
    return [ChatMessage("system", "one two three"), ChatMessage("user", " ".join(shown))]


@given(st.lists(st.integers(1, 9).map(lambda n: " ".join("x" * n)), max_size=30), st.integers(4, 120))
def test_the_best_are_shown_as_far_as_there_is_room(items: list[str], room: int) -> None:
    shown = most_that_fit(items, words, model(room))
    assert shown == items[: len(shown)]
    assert not items or shown
    size = [sum(model(room).count_tokens(m.content) for m in words(items[:n])) for n in range(len(items) + 1)]
    assert len(shown) <= 1 or size[len(shown)] <= room
    assert len(shown) == len(items) or size[len(shown) + 1] > room


def asked(task: str, language: str) -> tuple[list[Memory], Callable[[Sequence[Memory]], list[ChatMessage]]]:
    """Many facts, and the prompt of a task made of some of them."""
    player, character = ("Mara", "Nell") if language == "en" else ("小满", "邱麦")
    facts = [replace(fact(n, TOLD[language].format(n=n)), said_by=player, subject=player, language=language) for n in range(160)]

    def prompt(some: Sequence[Memory]) -> list[ChatMessage]:
        if task == "topics":
            return decomposing.prompt(some, facts[:12], player=player, character=character, language=language)
        if task == "plot":
            return telling.prompt(some, narrative.Span(narrative.CHAPTER, 0, 29), language=language)
        material = reflecting.Material(tuple(some), frozenset(f.id for f in some), ("a lens",), language)
        return reflecting.prompt(material, NELL, player=player)

    return facts, prompt


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("task", ["topics", "plot", "insights"])
def test_a_long_session_fits_into_a_small_window(task: str, language: str) -> None:
    facts, prompt = asked(task, language)
    small = model(1_848)
    shown = most_that_fit(facts, prompt, small)
    assert 10 < len(shown) < len(facts)
    assert sum(small.count_tokens(m.content) for m in prompt(shown)) <= small.prompt_tokens
