"""A card changed here keeps what was not changed; one that is shared says nothing of its owner's chats."""

from __future__ import annotations

import pytest
from hypothesis import given

from personas.cards.editing import amended, shareable
from personas.cards.reading import read_card, read_lorebook
from personas.cards.refused import CardNameless, CardTooLarge
from personas.cards.report import Container
from personas.cards.writing import embedded, write_charx, write_json, write_png
from tests.personas.cards.invented import V2, V3, Object, archive, book, entry, picture, png, raw, v1, v2, v3
from tests.personas.cards.test_round_trips import in_order, read


@given(V2)
def test_only_what_is_changed_changes(value: Object) -> None:
    file = amended(read(value), {"scenario": "New.", "tags": ["a"]})
    assert (file.card.scenario, file.card.tags) == ("New.", ("a",))
    assert in_order(file.original) == in_order({**value, "data": {**value["data"], "scenario": "New.", "tags": ["a"]}})
    assert amended(file, {"scenario": value["data"]["scenario"], "tags": value["data"]["tags"]}).original == value


def test_copies_beside_data_change_as_well() -> None:
    value = {**v2(), **v1(), "creatorcomment": "old"}
    file = amended(read(value), {"name": "Od", "creator_notes": "new", "nickname": "O"})
    assert (file.original["name"], file.original["creatorcomment"], file.card.name, file.card.nickname) == ("Od", "new", "Od", "O")
    assert "nickname" not in file.original
    assert amended(file, {"nickname": None}).card.nickname == ""


def test_a_flat_card_stays_flat_until_it_is_written() -> None:
    file = amended(read({**v1(), "creatorcomment": "c"}), {"creator_notes": "n", "alternate_greetings": ["Hm?"]})
    assert file.original["creatorcomment"] == "n"
    written = read_card(write_json(file, version=3).raw)
    assert (written.card.creator_notes, written.card.alternate_greetings) == ("n", ("Hm?",))


def test_a_change_is_held_to_what_reading_is() -> None:
    with pytest.raises(CardNameless):
        amended(read(v3()), {"name": " "})
    assert amended(read(v3()), {"scenario": "a\0b \ud83d"}).card.scenario == "ab \ufffd"


def test_a_lorebook_goes_into_a_card() -> None:
    lore = read_lorebook(raw({"entries": {"0": {"uid": 0, "key": ["stamp"], "content": "Two.", "order": 3, "x": 1}}}))
    file = amended(read(v3()), {"character_book": embedded(lore)})
    assert file.card.book is not None
    assert file.card.book.entries == lore.book.entries


def test_what_is_shared_says_nothing_of_chats() -> None:
    value = {**v2(), "chat": "Odile - yesterday", "fav": True, "avatar": "me.png", "create_date": "x", "talkativeness": "0.5"}
    value["data"]["extensions"] = {"fav": True, "world": "Town"}
    assert shareable(read(value)).original == {**v2(), "talkativeness": "0.5", "data": {**v2()["data"], "extensions": {"world": "Town"}}}
    assert shareable(read({**v1(), "chat": "x"})).original == v1()


@given(V3)
def test_an_archive_comes_back_with_its_members(value: Object) -> None:
    first = read_card(archive({"card.json": raw(value), "app.json": b"{}", "assets/a.png": picture()}))
    second = read_card(write_charx(first).raw)
    assert in_order(second.original) == in_order(value)
    assert (second.members, second.card, second.report) == (first.members, first.card, first.report)
    assert write_charx(second).raw == write_charx(first).raw
    for written in (write_json(first, version=3), write_png(first, picture())):
        assert {"app.json", "assets/a.png"} <= set(written.left_out)


def test_a_picture_becomes_the_icon_of_an_archive() -> None:
    value = v3()
    value["data"]["assets"] = [
        {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"},
        {"type": "background", "uri": "data:image/png;base64,AA==", "name": "main", "ext": "png"},
    ]
    file = read_card(write_charx(read_card(write_png(read(value), png()).raw)).raw)
    assert file.report.container is Container.CHARX
    assert dict(file.members) == {"assets/icon/images/main.png": picture()}
    assert [(asset.type, asset.uri) for asset in file.card.assets] == [
        ("icon", "embeded://assets/icon/images/main.png"),
        ("background", "data:image/png;base64,AA=="),
    ]
    assert not file.report.dropped


def test_a_card_with_a_lorebook_keeps_it_when_other_things_change() -> None:
    value = v3()
    value["data"]["character_book"] = book(entry())
    assert amended(read(value), {"personality": "wry"}).original["data"]["character_book"] == book(entry())  # type: ignore[index]


def test_what_could_not_be_read_again_is_not_written() -> None:
    long = amended(read(v1()), dict.fromkeys(("description", "personality", "scenario", "first_mes"), "字" * 190000))
    with pytest.raises(CardTooLarge):
        write_json(long, version=3)
    nested: object = 0
    for _ in range(15):
        nested = [nested]
    deep = {**v3(), "x_rows": [nested] * 9_000}
    assert b"\n" not in write_json(read(deep), version=3).raw
    assert read_card(write_json(read(deep), version=3).raw).original == deep
