"""Lorebooks as other programs lay them out: each is converted, and none is taken in empty."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from personas.cards.reading import read_card, read_lorebook
from personas.cards.refused import CardIsLorebook, CardRefused, CardTooDeep, CardUnknown
from personas.cards.writing import write_json
from tests.personas.cards.invented import Object, book, chunk, data, entry, png, raw


def told(value: object) -> tuple[Any, ...]:
    """The entries of a lorebook and what was put right, the same alone and in a card."""
    file = read_lorebook(raw(value))
    return file.book.entries, {note.code: note.detail for note in file.report.mended}


def test_a_memory_book_of_agnai_is_converted() -> None:
    entries, codes = told(
        {
            "kind": "memory",
            "name": "Town",
            "entries": [
                {
                    "name": "Stamps",
                    "entry": "Stamps cost two.",
                    "keywords": ["stamp", "letter"],
                    "priority": 7,
                    "weight": 3,
                    "enabled": True,
                },
                {"name": "Off", "entry": "x", "keywords": "a, b", "enabled": False, "odd": 1},
            ],
        }
    )
    assert codes == {"book_converted": "Agnai"}
    first, second = entries
    assert (first.name, first.keys, first.content) == ("Stamps", ("stamp", "letter"), "Stamps cost two.")
    assert (first.insertion_order, first.priority, first.enabled) == (3, 7, True)
    assert (second.keys, second.enabled) == (("a", "b"), False)


def test_a_lorebook_of_novelai_is_converted_alone_in_a_story_and_in_a_picture() -> None:
    entry_ = {
        "text": "Stamps cost two.",
        "displayName": "Stamps",
        "id": "u-1",
        "keys": ["stamp", "/lett(er)?/i", "king & crown"],
        "searchRange": 1000,
    }
    entry_ |= {"enabled": False, "forceActivation": True, "contextConfig": {"prefix": "", "budgetPriority": 400}, "category": ""}
    lore = {"lorebookVersion": 5, "entries": [entry_], "settings": {"orderByKeyLocations": False}, "categories": []}
    for value in (lore, {"scenarioVersion": 2, "title": "Town", "lorebook": lore}, {"metadata": {}, "content": {"lorebook": lore}}):
        (one,), codes = told(value)
        assert codes["book_converted"] == "NovelAI"
        assert (one.name, one.keys, one.content) == (
            "Stamps",
            ("stamp", "/lett(er)?/i", r"/king[\s\S]*crown|crown[\s\S]*king/i"),
            "Stamps cost two.",
        )
        assert (one.enabled, one.constant, one.insertion_order, one.id) == (False, True, 400, "u-1")
    whole = png(chunk(b"tEXt", b"naidata\0" + base64.b64encode(raw(lore))))
    with pytest.raises(CardIsLorebook):
        read_card(whole)
    file = read_lorebook(whole)
    assert len(file.book.entries) == 1
    kept = file.original["data"]
    assert isinstance(kept, dict)
    assert kept["extensions"]["novelai"] == {"lorebookVersion": 5, "settings": {"orderByKeyLocations": False}, "categories": []}
    assert kept["entries"][0]["extensions"]["novelai"]["searchRange"] == 1000


def test_entries_of_a_category_of_novelai_that_is_switched_off_are_switched_off() -> None:
    categories: list[object] = [
        {"id": "off", "enabled": False},
        {"id": "on", "enabled": True},
        {"id": "", "enabled": False},
        {"id": []},
        None,
    ]
    of = ["off", "on", "", "unknown", None, ["off"]]
    lore = {"categories": categories, "entries": [{"text": "x", "keys": ["x"], "enabled": True, "category": one} for one in of]}
    for value in (lore, {"scenarioVersion": 2, "lorebook": lore}):
        entries, _ = told(value)
        assert [entry.enabled for entry in entries] == [False, True, True, True, True, True]
    entries, _ = told({**lore, "categories": "none"})
    assert all(entry.enabled for entry in entries)


def test_lore_of_risuai_is_converted() -> None:
    plain = {
        "key": "stamp, letter",
        "secondkey": "red,blue",
        "insertorder": 40,
        "comment": "Stamps",
        "content": "@@depth 2\nTwo.",
        "mode": "normal",
    }
    plain |= {"alwaysActive": False, "selective": True, "activationPercent": 30, "extentions": {"risu_case_sensitive": True}}
    pattern = {
        "key": "st[ao]mp,s",
        "secondkey": "",
        "insertorder": 1,
        "comment": "",
        "content": "x",
        "mode": "constant",
        "alwaysActive": False,
        "selective": False,
        "useRegex": True,
    }
    folder = {"key": "folder:1", "comment": "Shelf", "content": "", "mode": "folder", "insertorder": 0, "alwaysActive": False}
    file = read_lorebook(raw({"type": "risu", "ver": 1, "data": [plain, folder, pattern]}))
    first, second = file.book.entries
    assert (first.keys, first.secondary_keys, first.selective, first.content) == (("stamp", "letter"), ("red", "blue"), True, "Two.")
    assert (first.insertion_order, first.probability, first.case_sensitive, first.comment) == (40, 30, True, "Stamps")
    assert (second.keys, second.constant) == (("/st[ao]mp,s/",), True)
    assert [(note.code, note.detail) for note in file.report.dropped] == [("entry_folder", "2: Shelf")]


def test_a_book_with_entries_of_several_programs_is_one() -> None:
    world = {"uid": 0, "key": ["ferry"], "comment": "c", "content": "x", "order": 100, "disable": False, "caseSensitive": True}
    entries, codes = told({"entries": {"0": world, "1": entry(), "2": {"keywords": ["k"], "entry": "e"}}})
    assert [one.keys for one in entries] == [("ferry",), ("stamp",), ("k",)]
    assert entries[0].case_sensitive is True
    assert codes == {"book_converted": "Agnai, SillyTavern"}


@pytest.mark.parametrize(
    "odd",
    [
        {"keys": "stamp, letter", "value": "Two.", "title": "Stamps"},
        {"keyword": "stamp, letter", "content": "Two.", "name": "Stamps"},
        {"triggers": ["stamp", "letter"], "text": "Two.", "name": "Stamps"},
    ],
)
def test_entries_under_other_words_for_their_fields_are_read(odd: Object) -> None:
    for value in ([odd], {"entries": [odd]}, {"entries": {"0": odd}}):
        (one,), codes = told(value)
        assert (one.keys, one.content, one.name) == (("stamp", "letter"), "Two.", "Stamps")
        assert "key_spelled" in codes
    file = read_card(raw(data(character_book={"entries": [odd]})))
    assert file.card.book is not None
    assert [one.content for one in file.card.book.entries] == ["Two."]


@pytest.mark.parametrize(
    "value",
    [
        {"character_book": book(entry())},
        {"data": book(entry())},
        [entry()],
        {"spec": "Lorebook_V3", "data": book(entry())},
        {"spec": "lorebook_v3", "data": {"Entries": [entry()]}},
        {"lorebook": [entry()]},
        {"type": "module", "module": {"name": "Town", "lorebook": [entry()]}},
        {"7": entry()},
        {"spec": "lorebook_v3", "data": json.dumps(book(entry()))},
        {"world_info": json.dumps(book(entry()))},
    ],
)
def test_a_book_within_something_else_is_found(value: object) -> None:
    assert read_lorebook(raw(value)).book.entries == read_lorebook(raw(book(entry()))).book.entries


def test_a_cards_own_book_may_be_of_any_layout() -> None:
    agnai = {"keywords": ["stamp"], "entry": "Two."}
    for own in (
        {"entries": [agnai]},
        [agnai],
        {"0": agnai},
        json.dumps([agnai]),
        json.dumps({"entries": [agnai]}),
        {"entries": {"0": {"key": ["stamp"], "content": "Two.", "order": 1}}},
    ):
        file = read_card(raw(data(character_book=own)))
        assert file.card.book is not None
        assert [(one.keys, one.content) for one in file.card.book.entries] == [(("stamp",), "Two.")]
        assert read_card(write_json(file, version=3).raw).card == file.card


@pytest.mark.parametrize("own", ["{cut", json.dumps({"said": "x"}), {"0": entry(), "1": "x"}, {}])
def test_a_cards_book_that_is_none_is_told(own: object) -> None:
    file = read_card(raw(data(character_book=own)))
    assert file.card.book is None
    assert ("wrong_type", "data.character_book") in {(note.code, note.field) for note in file.report.dropped}


def test_a_book_in_a_text_that_is_dangerous_is_refused_all_the_same() -> None:
    inner = json.dumps({"entries": [entry()], "extensions": {"x": json.loads("[" * 62 + "]" * 62)}})
    for own in ('{"entries": ' + "[" * 5_000, inner):
        with pytest.raises(CardTooDeep):
            read_card(raw(data(character_book=own)))
    with pytest.raises(CardTooDeep):
        read_lorebook(raw({"spec": "lorebook_v3", "data": inner}))


@pytest.mark.parametrize(
    ("value", "n"),
    [
        ({"entries": {}}, 0),
        ({"entries": []}, 0),
        ({"entries": [{"foo": 1}, {}]}, 2),
        ({"entries": [{"keys": ["stamp"], "said": "Two."}]}, 1),
        ([{"key": "stamp", "value": "two"}], 1),
        ({"kind": "memory", "entries": ["x"]}, 0),
        ({"lorebookVersion": 5, "entries": [{"text": "", "keys": []}]}, 1),
    ],
)
def test_a_book_of_which_no_entry_can_be_read_is_refused(value: object, n: int) -> None:
    with pytest.raises(CardRefused) as refused:
        read_lorebook(raw(value))
    assert (refused.value.code, refused.value.params) == ("lorebook_empty", {"n": n})


def test_entries_that_cannot_be_read_are_told_by_their_numbers() -> None:
    file = read_lorebook(raw(book(entry(), "x", {}, {"keys": [], "content": " "}, entry())))  # type: ignore[arg-type]
    assert {(note.code, note.detail) for note in file.report.dropped} == {("wrong_type", "2"), ("entry_unread", "3"), ("entry_unread", "4")}


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "content": "Hi."}],
        {"data": [{"text": "a"}]},
        {"name": "x", "description": "y", "version": "1"},
        [],
        [1],
        {"content": "x"},
    ],
)
def test_other_json_is_neither_card_nor_lorebook(value: object) -> None:
    for read in (read_card, read_lorebook):
        with pytest.raises(CardUnknown):
            read(raw(value))
