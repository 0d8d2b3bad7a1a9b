"""Lorebooks, in cards and in files of their own, are one shape and keep everything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.cards.decorators import Decorator, split_content
from personas.cards.lorebook import Logic, Place
from personas.cards.reading import read_card, read_lorebook
from personas.cards.refused import CardUnknown
from personas.cards.report import Form
from personas.cards.writing import write_lorebook
from tests.personas.cards.invented import BOOK, MORE, TEXT, TEXTS, Object, book, entry, raw, v3
from tests.personas.cards.test_round_trips import holds, in_order

WORLD_ENTRY = st.builds(
    lambda needed, optional, more: {**needed, **optional, **more},
    st.fixed_dictionaries(
        {"key": TEXTS, "keysecondary": TEXTS, "comment": TEXT, "content": TEXT, "constant": st.booleans(), "selective": st.booleans()}
        | {"order": st.integers(-9, 999), "position": st.integers(0, 6), "disable": st.booleans()}
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "depth": st.integers(0, 9),
            "role": st.none() | st.integers(0, 2),
            "caseSensitive": st.none() | st.booleans(),
            "scanDepth": st.none() | st.integers(0, 9),
            "displayIndex": st.integers(0, 9),
            "useProbability": st.booleans(),
            "probability": st.integers(0, 100),
            "extensions": MORE,
        },
    ),
    MORE,
)
WORLD = st.builds(
    lambda entries, more: {"entries": {str(n): {"uid": n, **value} for n, value in enumerate(entries)}, **more},
    st.lists(WORLD_ENTRY, max_size=3).map(lambda entries: [*entries, {"key": ["stamp"], "content": "Two."}]),
    MORE,
)


def world(**changed: Any) -> Object:
    fields = {"uid": 7, "key": ["stamp"], "keysecondary": ["two"], "comment": "c", "content": "Stamps.", "order": 5, "position": 4}
    return {"entries": {"7": {**fields, "disable": True, "depth": 3, "role": 1, "selectiveLogic": 3, **changed}}}


@given(WORLD)
def test_world_info_comes_back_and_makes_the_way_through_v3(value: Object) -> None:
    file = read_lorebook(raw(value))
    assert file.report.form is Form.WORLD
    assert in_order(json.loads(write_lorebook(file, form=Form.WORLD))) == in_order(value)
    through = read_lorebook(write_lorebook(file, form=Form.LOREBOOK))
    assert through.book == file.book
    back = read_lorebook(write_lorebook(through, form=Form.WORLD))
    assert holds(back.original, value)
    assert back.book == file.book


@given(BOOK)
def test_a_lorebook_of_v3_comes_back_and_keeps_its_meaning_as_world_info(value: Object) -> None:
    value = {**value, "entries": [*value["entries"], entry()]}
    file = read_lorebook(raw({"spec": "lorebook_v3", "data": value, "x_more": 1}))
    assert in_order(json.loads(write_lorebook(file, form=Form.LOREBOOK))) == in_order(file.original)
    written = json.loads(write_lorebook(file, form=Form.WORLD))
    for before, after in zip(value["entries"], written["entries"].values(), strict=True):
        assert after["key"] == before["keys"]
        assert after["disable"] is not before["enabled"]
        assert holds(after, before["extensions"])
    assert {**read_card_with(value).original["data"]["character_book"]} == value


def read_card_with(value: Object) -> Any:
    card = v3()
    card["data"]["character_book"] = value
    return read_card(raw(card))


def test_one_entry_means_the_same_in_a_card_and_in_world_info() -> None:
    more = {"position": 4, "depth": 3, "role": 1, "selectiveLogic": 3}
    other = {**entry(), "id": 7, "secondary_keys": ["two"], "comment": "c", "content": "Stamps.", "insertion_order": 5, "enabled": False}
    inside = read_card_with(book({**other, "position": "after_char", "extensions": more})).card.book.entries[0]
    alone = read_lorebook(raw(world())).book.entries[0]
    assert inside == alone
    assert (alone.id, alone.place, alone.depth, alone.role, alone.logic) == (7, Place.AT_DEPTH, 3, "user", Logic.ALL)
    assert (alone.keys, alone.secondary_keys, alone.enabled, alone.insertion_order) == (("stamp",), ("two",), False, 5)


def test_places_and_chances_of_world_info() -> None:
    read = read_lorebook(raw(world(position=2, probability=30, useProbability=True, preventRecursion=True))).book.entries[0]
    assert (read.place, read.probability, read.recurses, read.recursed_into) == (Place.NOTE_TOP, 30, False, True)
    always = read_lorebook(raw(world(probability=30, useProbability=False))).book.entries[0]
    assert always.probability == 100
    strange = read_lorebook(raw(world(position=9)))
    assert strange.book.entries[0].place is Place.BEFORE_CHAR
    assert [(note.code, note.field, note.detail) for note in strange.report.dropped] == [("value_unknown", "entries[].position", "9")]


@pytest.mark.parametrize(("key", "pattern"), [("stamp", False), ("/st(a|o)mp/i", True), ("and/or", False), ("//", False)])
def test_a_key_of_world_info_is_a_pattern_by_its_slashes(key: str, pattern: bool) -> None:
    assert read_lorebook(raw(world(key=[key]))).book.entries[0].use_regex is pattern


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"spec": "lorebook_v3", "data": book(entry())}, Form.LOREBOOK),
        (world(), Form.WORLD),
        ({"entries": [{"key": ["a"], "content": "b"}]}, Form.WORLD),
        (book(entry()), Form.BARE),
        ({"entries": {"0": entry()}}, Form.BARE),
    ],
)
def test_layouts_are_told_apart(value: Object, form: Form) -> None:
    assert read_lorebook(raw(value)).report.form is form


@pytest.mark.parametrize("value", [v3(), {}, {"entries": "none"}, {"entries": None}, {"spec": "lorebook_v3", "data": []}])
def test_what_is_no_lorebook_is_refused(value: Object) -> None:
    with pytest.raises(CardUnknown):
        read_lorebook(raw(value))


# --- decorators ----------------------------------------------------------------------------------------------------------------------


def test_decorators_lead_and_content_follows() -> None:
    content = "@@depth 3\n@@@role  user\n@@@activate\n@@keep_activate_after_match\n\nStamps cost two.\n@@depth 9"
    assert split_content(content) == (
        (Decorator("depth", "3", (("role", "user"), ("activate", ""))), Decorator("keep_activate_after_match", "")),
        "Stamps cost two.\n@@depth 9",
    )
    read = read_card_with(book({**entry(), "content": content}))
    assert read.card.book.entries[0].content == "Stamps cost two.\n@@depth 9"
    assert [note.detail for note in read.report.kept if note.code == "decorator"] == ["@@depth", "@@keep_activate_after_match"]


@pytest.mark.parametrize("content", ["", "Stamps.", "\n  Stamps.\n", "@@@role user\nStamps.", "a @@depth 3", "@ @depth", "\n\n"])
def test_without_decorators_content_stays_as_it_is(content: str) -> None:
    assert split_content(content) == ((), content)


def test_only_so_many_lines_are_decorators() -> None:
    found, content = split_content("@@depth 1\n" * 100)
    assert len(found) == 50
    assert content.startswith("@@depth 1")
