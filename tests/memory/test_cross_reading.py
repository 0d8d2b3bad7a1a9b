"""A second reading orders what the prompt takes, in time or not at all; what is reinforced it does not touch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from memory.cross_reading import FAILED, LATE, LOADING, READY, CrossReader
from memory.recall import Recall
from memory.reranker import POOL
from memory.retrieval import DIGITS, Candidate
from models.cross_encoder import CrossEncoder, Scores
from models.errors import CrossEncoderFailed
from storage.records import Effect, RecallEvent
from tests.waiting import PATIENCE_S


class Scripted(CrossEncoder):
    """Scores a text as it says; waits for `free`, fails on "broken"."""

    name = "scripted"

    def __init__(self) -> None:
        self.free = threading.Event()
        self.free.set()
        self.given_up = threading.Event()

    def scores(self, question: str, texts: Sequence[str], *, may_go_on: Callable[[], bool] = lambda: True) -> Scores | None:
        self.free.wait()
        if not may_go_on():
            self.given_up.set()
            return None
        if "broken" in texts:
            raise CrossEncoderFailed("It could not read.")
        return np.array([float(text) for text in texts])


def halves(ids: Sequence[str]) -> list[str]:
    return ["0.5"] * len(ids)


def recalled(count: int) -> Recall:
    """Memories 0 to count - 1, each a little worse than the one before."""
    found = tuple(Candidate(str(n), 0.5, None, None, 2.0 - n / 100, {"dense": 2.0 - n / 100}) for n in range(count))
    return Recall("a cue", "fused", found, (), (RecallEvent("0", 4, Effect.REINFORCED),), "", 1.0)


def reader(model: CrossEncoder, *, budget_s: float = 30.0) -> CrossReader:
    made = CrossReader(lambda: model, budget_s=budget_s)
    made.wait()
    return made


def test_the_first_of_the_ranking_are_put_in_a_new_order() -> None:
    before = recalled(POOL + 5)
    after = reader(Scripted()).read(before, lambda ids: ["0.9" if i == "7" else "0.1" for i in ids], weight=1.0)
    assert [c.memory_id for c in after.candidates[:3]] == ["7", "0", "1"]
    assert after.candidates[POOL:] == before.candidates[POOL:]
    assert after.cross == READY
    first = after.candidates[0]
    assert first.parts == {"dense": 1.93, "cross": 0.9}
    assert first.fused == round(sum(first.parts.values()), DIGITS)
    assert after.events == before.events


def test_a_recipe_without_it_is_left_as_it_is() -> None:
    before = recalled(5)
    assert reader(Scripted()).read(before, halves, weight=0.0) == before


def test_while_it_loads_recall_goes_on_without_it() -> None:
    loaded = threading.Event()

    def load() -> CrossEncoder:
        loaded.wait()
        return Scripted()

    made = CrossReader(load, budget_s=PATIENCE_S)
    before = recalled(5)
    assert made.read(before, halves, weight=1.0) == replace(before, cross=LOADING)
    loaded.set()
    made.wait()
    assert made.read(before, halves, weight=1.0).cross == READY


def test_one_that_cannot_be_loaded_says_why() -> None:
    def load() -> CrossEncoder:
        raise CrossEncoderFailed("It is not on this machine.")

    made = CrossReader(load, budget_s=PATIENCE_S)
    made.wait()
    assert (made.state, made.problem) == (FAILED, "It is not on this machine.")
    before = recalled(5)
    assert made.read(before, halves, weight=1.0) == replace(before, cross=FAILED)


def test_whatever_it_raises_is_not_waited_for() -> None:
    def load() -> CrossEncoder:
        raise MemoryError

    made = CrossReader(load, budget_s=PATIENCE_S)
    made.wait()
    assert made.state == FAILED
    assert "MemoryError" in made.problem
    before = recalled(5)
    assert reader(Scripted()).read(before, lambda ids: ["no number"] * len(ids), weight=1.0) == replace(before, cross=FAILED)


def test_one_that_takes_too_long_is_not_waited_for_and_one_reading_at_a_time_is_enough() -> None:
    model = Scripted()
    model.free.clear()
    made = reader(model, budget_s=0.05)
    before = recalled(5)
    assert made.read(before, halves, weight=1.0) == replace(before, cross=LATE)
    assert made.read(before, halves, weight=1.0) == replace(before, cross=LATE)
    assert not model.given_up.is_set()  # neither waited for the first reading to end
    model.free.set()
    assert model.given_up.wait(PATIENCE_S)


def test_one_that_fails_over_a_text_leaves_the_order() -> None:
    before = recalled(5)
    made = reader(Scripted())
    assert made.read(before, lambda ids: ["broken"] * len(ids), weight=1.0) == replace(before, cross=FAILED)
    assert made.read(before, halves, weight=1.0).cross == READY
