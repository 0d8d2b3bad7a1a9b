"""Tastes are compared by what they are of: minimal pairs that calibrated nothing, the fold, and vectors that go with what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.persona import sketch
from memory.tastes import KIND, is_kind_of, standing_texts, thresholds, worded
from models.embedder import Embedder, bundled_embedder
from storage.records import Kind, sha256
from storage.scope import LOCAL_USER
from tests.memory.test_construction import Live, opened, start
from tests.memory.test_persona import value
from tests.memory.values_given import give

PAIRS = json.loads(Path(__file__).with_name("taste_pairs.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return bundled_embedder()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield start(memory)
    memory.close()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_pairs_that_calibrated_nothing_few_that_differ_count_as_one(embedder: Embedder, language: str) -> None:
    least = thresholds(embedder.passages(standing_texts()))[language]

    def share(kind: str) -> float:
        near = [float(np.dot(*embedder.passages([worded(one), worded(other)]))) for one, other in PAIRS[language][kind]]
        return sum(score >= least for score in near) / len(near)

    assert share("two") <= 0.05
    assert share("one") >= 0.7


def test_a_newer_taste_retires_an_older_one_of_the_same_thing_and_no_other() -> None:
    def meets(one: object, other: object) -> bool:
        return {getattr(one, "text", ""), getattr(other, "text", "")} == {"cats", "kittens"}

    values = [value("animals_liked", "cats", 1), value("animals_liked", "dogs", 2), value("animals_disliked", "kittens", 9)]
    made = {e.key.name: ([v.text for v in e.values], [v.text for v in e.former]) for e in sketch(values, meets=meets)}
    assert made == {"animals_liked": (["dogs"], ["cats"]), "animals_disliked": (["kittens"], [])}
    # Under one key both stay: a person may like cats, and kittens more.
    assert len(sketch([value("animals_liked", "cats", 1), value("animals_liked", "kittens", 2)], meets=meets)[0].values) == 2


@pytest.mark.parametrize(
    ("narrow", "wide"), [("big dogs", "dogs"), ("Red wine", "wine"), ("绿茶", "茶"), ("大狗", "狗"), ("raw fish", "Fish")]
)
def test_a_kind_of_a_thing_is_not_the_thing(narrow: str, wide: str) -> None:
    assert is_kind_of(narrow, wide)
    assert not is_kind_of(wide, narrow)
    assert not is_kind_of(narrow, narrow)


@pytest.mark.parametrize(
    ("same", "thing"), [("playing chess", "chess"), ("the rain", "rain"), ("去钓鱼", "钓鱼"), ("jazz music", "jazz"), ("rice", "ice")]
)
def test_the_same_in_more_words_is_no_kind_of_it(same: str, thing: str) -> None:
    assert not is_kind_of(same, thing)


GIVEN = {
    "I love kittens and I adore espresso.": [("animals_liked", "kittens"), ("food_liked", "espresso")],
    "I love espresso.": [("food_liked", "espresso")],
    "I like green tea.": [("food_liked", "green tea")],
    "Well, I hate cats.": [("animals_disliked", "cats")],
    "I can't stand iced green tea, either.": [("food_disliked", "iced green tea")],
}
"""Which value is told is given: this is about what becomes of it."""


def test_what_is_told_later_of_the_same_thing_holds_also_after_the_vectors_were_lost(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, GIVEN)
    for said, reply in (
        ("I love kittens and I adore espresso.", "Brave."),
        ("I like green tea.", "So do I."),
        ("Well, I hate cats.", "Since when?"),
        ("I can't stand iced green tea, either.", "A pity."),
        ("I have a flat in Porto.", "Noted."),
    ):
        live.say(said, reply)
    live.end()
    known = live.known()
    assert known["animals_liked"] == []
    assert known["animals_disliked"] == ["cats"]
    assert known["food_liked"] == ["green tea", "espresso"], "one kind of tea is not tea"
    assert [v.text for e in live.memory.engine.overview.sketch(live.scope, live.branch_id) for v in e.former] == ["kittens"]

    database = live.memory.store.database
    with database.write() as connection:
        assert connection.execute("DELETE FROM vector WHERE fingerprint LIKE ?", (f"%{KIND}",)).rowcount >= 4
    assert live.known()["animals_liked"] == ["kittens"]
    live.memory.engine.reconcile()
    assert live.known() == known


def test_the_vector_of_a_taste_goes_with_what_was_said(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, GIVEN)
    live.say("I love espresso.", "Noted.")
    live.end()
    (liked,) = [v for v in live.of(Kind.PERSONA) if v.payload["key"] == "food_liked"]
    store = live.memory.store
    stored = [row["text_sha256"] for row in store.database.read().execute("SELECT * FROM vector WHERE fingerprint LIKE ?", (f"%{KIND}",))]
    assert stored == [sha256(liked.text)]
    store.erasures.chat(LOCAL_USER, live.scope.chat_id)
    store.erasures.finish()
    assert not store.database.read().execute("SELECT * FROM vector WHERE fingerprint LIKE ?", (f"%{KIND}",)).fetchall()
