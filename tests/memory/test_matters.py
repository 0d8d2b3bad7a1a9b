"""What a question asks of the player: questions that calibrated nothing, values by round, and recall that finds what took the place of what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from memory.engine import Cue
from memory.matters import Reader, bearing
from memory.persona_keys import KEYS
from memory.recipes import RECIPES
from models.embedder import bundled_embedder
from storage.memory_values import Told
from tests.memory.test_construction import Live, many, opened, start
from tests.memory.values_given import give

QUESTIONS = json.loads(Path(__file__).with_name("matter_questions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_that_calibrated_nothing_are_read(language: str) -> None:
    embedder = bundled_embedder()
    reader = Reader.of(language, lambda texts: embedder.queries([*texts]))
    assert set(reader.keys) == set(KEYS)
    asked, none = QUESTIONS[language]["asked"], QUESTIONS[language]["none"]
    read = [reader.read(query) for query in embedder.queries([text for _, text in asked])]
    assert np.mean([key in found for (key, _), found in zip(asked, read, strict=True)]) >= 0.8
    assert all(0.5 <= share <= 1 and len(found) <= 3 for found in read for share in found.values())
    assert np.mean([bool(reader.read(query)) for query in embedder.queries(none)]) <= 0.15


def told(key: str, *values: tuple[int, str]) -> list[Told]:
    return [Told(key, text, "Mara", at, 0) for at, text in values]


def test_what_held_counts_less_than_what_holds_unless_it_is_asked_for() -> None:
    values = told("residence", (2, "Leith"), (9, "Dover"), (5, "leith"))
    now = bearing(values, {"residence": 1.0}, present=True)
    assert now.by_round == {2: 0.5, 5: 0.5, 9: 1.0}
    assert now.overtaken == {(2, 9), (5, 9)}
    assert bearing(values, {"residence": 0.8}, present=False).by_round == {2: 0.8, 5: 0.8, 9: 0.8}
    # Of a key with many values none takes another's place.
    pets = bearing(told("pets", (2, "a cat"), (9, "a dog")), {"pets": 1.0}, present=True)
    assert (pets.by_round, pets.overtaken) == ({2: 1.0, 9: 1.0}, frozenset())


GIVEN = {
    "I live in Leith with my aunt.": [("residence", "Leith")],
    "I'm married to Tom.": [("partner", "Tom")],
    "I have a grey cat called Biscuit.": [("pets", "Biscuit")],
    "I moved to Dover at the weekend.": [("residence", "Dover")],
    "I am engaged to Peter.": [("partner", "Peter")],
}
"""Which value is told is given: this is about what is found by it."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    memory = opened(tmp_path_factory.mktemp("matters") / "data")
    live = start(memory)
    live.pace = lambda number: timedelta(days=number)
    fill = iter(many(40))
    told = list(GIVEN)
    with pytest.MonkeyPatch.context() as patched:
        give(patched, GIVEN)
        for said in told[:3]:
            live.say(said, "Good.", work=False)
            live.say(*next(fill), work=False)
        for _ in range(14):
            live.say(*next(fill), work=False)
        for said in told[3:]:
            live.say(said, "Good.", work=False)
            live.say(*next(fill), work=False)
        for _ in range(10):
            live.say(*next(fill), work=False)
        live.end()
    yield live
    memory.close()


def rounds(live: Live, question: str, *, recipe: str = "fused", speaker: str = "Mara") -> list[int]:
    """Those that recall finds, best first. The rounds told of are 1 (Leith), 3 (Tom), 5 (the cat), 21 (Dover), 23 (Peter)."""
    cue = Cue(question, live.number + 2, said_at=live.last[0].said_at, speaker=speaker, listener="Nell Garrow")
    found = live.memory.engine.recall(live.scope, live.branch_id, cue, recipe=RECIPES[recipe]).candidates
    held = live.memory.store.memories.get(live.scope, [c.memory_id for c in found])
    return list(dict.fromkeys(held[c.memory_id].round_last for c in found))


@pytest.mark.parametrize(
    ("question", "older", "newer"), [("Where do I live now?", 1, 21), ("Where do I live?", 1, 21), ("Who is my partner now?", 3, 23)]
)
def test_what_is_asked_for_now_is_found_before_what_was(live: Live, question: str, older: int, newer: int) -> None:
    found = rounds(live, question)
    assert found.index(newer) < found.index(older) < 5


@pytest.mark.parametrize(("question", "older", "newer"), [("Where did I live before?", 1, 21), ("Who was my partner before?", 3, 23)])
def test_asked_how_it_was_both_are_found(live: Live, question: str, older: int, newer: int) -> None:
    assert {older, newer} <= set(rounds(live, question)[:5])


def test_a_question_of_somebody_else_brings_nothing_of_the_player(live: Live) -> None:
    question = "Where do you live, Nell?"
    assert rounds(live, question) == rounds(live, question, recipe="without-matter")
    assert rounds(live, "Where do I live?") != rounds(live, "Where do I live?", recipe="without-matter")


def told_by(live: Live, text: str) -> list[int]:
    """Rounds of which the value is asked for."""
    engine, cue = live.memory.engine, Cue("Where did I live before?", live.number + 2, speaker="Mara")
    found = engine.recall(live.scope, live.branch_id, cue).candidates
    held = live.memory.store.memories.get(live.scope, [c.memory_id for c in found])
    return sorted({m.round_last for c in found if "matter" in c.parts and text in (m := held[c.memory_id]).text})


def test_what_a_person_holds_back_is_not_found_by_what_is_asked(live: Live) -> None:
    (value,) = [
        v for e in live.memory.engine.overview.sketch(live.scope, live.branch_id) for v in (*e.values, *e.former) if v.text == "Leith"
    ]
    live.memory.store.controls.exclude(live.scope, value.id, True)
    assert told_by(live, value.text) == []
    live.memory.store.controls.exclude(live.scope, value.id, False)
    assert told_by(live, value.text) == [1]
