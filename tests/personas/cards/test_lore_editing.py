"""Lorebooks changed by a person: what nobody here knows stays, and what was not touched says what it said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from personas.cards.lore_editing import (
    WrittenBook,
    WrittenEntry,
    as_v3,
    as_world,
    book_of,
    empty,
    entry_of,
    with_entry,
    with_settings,
    without_entry,
)
from personas.cards.lorebook import Logic, Place
from personas.cards.reading import read_lorebook
from tests.personas.cards.invented import raw

WORLD: dict[str, Any] = {
    "name": "Harbour",
    "myOwn": {"kept": True},
    "entries": {
        "0": {"uid": 0, "key": ["gull"], "keysecondary": ["bread"], "selective": True, "comment": "Gulls", "content": "They steal.", "order": 7, "position": 4,
              "depth": 2, "role": 1, "probability": 40, "useProbability": True, "disable": False, "constant": False, "vectorized": True, "sticky": 3},
        "1": {"uid": 1, "key": ["/to(ll|ne)/i"], "keysecondary": [], "comment": "", "content": "@@depth 1\nA shell.", "order": 3, "position": 0, "disable": True},
    },
}  # fmt: skip
V3: dict[str, Any] = {
    "spec": "lorebook_v3", "ours": 1,
    "data": {"name": "Hill", "extensions": {"x": 1}, "token_budget": 90, "entries": [
        {"keys": ["fox"], "content": "Red.", "extensions": {"y": [1]}, "enabled": True, "insertion_order": 1, "use_regex": False, "z": None}]},
}  # fmt: skip


def holds(left: object, came: object) -> bool:
    """Whether everything that came is in what left; what a form requires may have been added."""
    if isinstance(came, dict):
        return isinstance(left, dict) and all(key in left and holds(left[key], value) for key, value in came.items())
    return left == came


def test_world_info_becomes_a_v3_book_and_leaves_with_everything_it_had() -> None:
    made = as_v3(read_lorebook(raw(WORLD)))
    assert made["spec"] == "lorebook_v3"
    assert holds(as_world(made), WORLD)


def test_a_v3_book_stays_as_it_came() -> None:
    assert as_v3(read_lorebook(raw(V3))) == V3


def test_an_entry_is_read_as_a_form_has_it() -> None:
    first = entry_of(as_v3(read_lorebook(raw(WORLD))), 1)
    assert first == WrittenEntry(
        comment="Gulls", keys=("gull",), secondary_keys=("bread",), content="They steal.", insertion_order=7, probability=40, place=Place.AT_DEPTH, depth=2, role="user"
    )  # fmt: skip
    assert entry_of(as_v3(read_lorebook(raw(WORLD))), 2).content == "@@depth 1\nA shell."


def test_a_changed_entry_keeps_every_key_that_is_not_of_the_form() -> None:
    made = as_v3(read_lorebook(raw(WORLD)))
    before = entry_of(made, 1)
    assert as_world(with_entry(made, 1, before)) == as_world(made), "saved untouched"
    changed = as_world(with_entry(made, 1, replace(before, content="They sing.", probability=100, depth=None)))
    entries = changed["entries"]
    assert isinstance(entries, dict)
    assert {key: value for key, value in entries["0"].items() if WORLD["entries"]["0"].get(key, "") != value} == {
        "content": "They sing.",
        "probability": 100,
    }
    assert "depth" not in entries["0"]
    assert holds(entries["1"], WORLD["entries"]["1"])


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        WrittenEntry,
        comment=st.text("ab 龙", max_size=5).map(str.strip),
        keys=st.lists(st.sampled_from(["a", "b", "/c+/i"]), max_size=3).map(tuple),
        secondary_keys=st.lists(st.sampled_from(["d", "e"]), max_size=2).map(tuple),
        logic=st.sampled_from(Logic),
        content=st.sampled_from(["x", "@@depth 3\nx", "行\n二"]),
        enabled=st.booleans(),
        constant=st.booleans(),
        insertion_order=st.integers(0, 999),
        probability=st.integers(0, 100),
        place=st.sampled_from(Place),
        depth=st.none() | st.integers(0, 9),
        role=st.sampled_from(["", "user", "assistant", "system"]),
        scan_depth=st.none() | st.integers(0, 9),
        case_sensitive=st.booleans(),
        whole_words=st.booleans(),
        recurses=st.booleans(),
        recursed_into=st.booleans(),
    )
)
def test_what_is_written_is_read_again_also_by_way_of_world_info(new: WrittenEntry) -> None:
    for file in (with_entry(empty("B"), 0, new), with_entry(V3, 1, new), with_entry(V3, 0, new)):
        n = len(book_of(file).entries)
        assert entry_of(file, n) == new
        world = as_v3(read_lorebook(raw(json.loads(json.dumps(as_world(file))))))
        assert entry_of(world, n) == new


def test_settings_and_entries_come_and_go() -> None:
    made = with_settings(V3, WrittenBook("Moor", "Wet.", scan_depth=9, token_budget=None, recursive_scanning=True))
    book = book_of(made)
    assert (book.name, book.description, book.scan_depth, book.token_budget, book.recursive_scanning) == ("Moor", "Wet.", 9, None, True)
    assert made["ours"] == 1
    assert book_of(without_entry(made, 1)).entries == ()
    for n in (-1, 2):
        with pytest.raises(IndexError):
            without_entry(made, n)
