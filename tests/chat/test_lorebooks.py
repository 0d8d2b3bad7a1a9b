"""A person's own lorebooks: kept, attached, read in the right conversations alone, removed, erased, and named in receipts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from chat.cast import character_of
from chat.errors import LorebookKeyUnknown
from chat.lorebooks import books_of
from models.scripted import Script
from personas.cards.lore_editing import WrittenBook, WrittenEntry
from personas.cards.lorebook import Place
from personas.cards.refused import CardRefused
from storage.errors import LorebookChanged, LorebookNotFound, NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.personas.cards.invented import raw
from tests.personas.cards.test_lore_editing import V3, WORLD, holds
from tests.waiting import until

NELL = "builtin:nell-garrow"


def keep(talk: Talk, book: str, entry: WrittenEntry, n: int = 0) -> None:
    books = talk.house.service.lorebooks
    books.keep(LOCAL_USER, book, n, entry, stamp=books.look(LOCAL_USER, book).stamp)


@pytest.fixture
def book(talk: Talk) -> str:
    made = talk.house.service.lorebooks.create(LOCAL_USER, " Harbour\n")
    keep(talk, made, WrittenEntry(comment="Gulls", keys=("gull",), content="Gulls steal bread."))
    return made


def read_by(talk: Talk, *, character: str = NELL, chat: str = "") -> list[str]:
    return [one.name for one in books_of(talk.house.memory.store, LOCAL_USER, character_id=character, chat_id=chat or talk.chat_id)]


def test_a_book_is_read_where_its_owner_says(talk: Talk, book: str) -> None:
    books = talk.house.service.lorebooks
    assert read_by(talk) == []
    other = talk.house.service.create(LOCAL_USER, "builtin:rafferty-moth")
    books.attach(LOCAL_USER, book, to="chat", target=talk.chat_id, on=True)
    assert (read_by(talk), read_by(talk, character="x", chat=other)) == (["Harbour"], [])
    books.attach(LOCAL_USER, book, to="chat", target=talk.chat_id, on=False)
    books.attach(LOCAL_USER, book, to="character", target=NELL, on=True)
    assert (read_by(talk), read_by(talk, character="x", chat=other)) == (["Harbour"], [])
    books.attach(LOCAL_USER, book, to="character", target=NELL, on=False)
    books.attach(LOCAL_USER, book, to="all", target="", on=True)
    assert (read_by(talk), read_by(talk, character="x", chat=other)) == (["Harbour"], ["Harbour"])
    books.remove(LOCAL_USER, book)
    assert read_by(talk) == []
    books.restore(LOCAL_USER, book)
    assert read_by(talk) == ["Harbour"]


def test_an_attached_book_stands_in_the_prompt_and_the_receipt_names_it(talk: Talk, book: str) -> None:
    talk.house.service.lorebooks.attach(LOCAL_USER, book, to="chat", target=talk.chat_id, on=True)
    talk.say("Look, a gull!")
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert [(one.book, one.name, one.by, one.delivered) for one in receipt.lore] == [("Harbour", "Gulls", "gull", True)]
    keep(
        talk,
        book,
        WrittenEntry(comment="Gulls", keys=("/g[ua]ll/i",), content="Gulls sing.", place=Place.AT_DEPTH, depth=2, role="assistant"),
        1,
    )
    talk.say("A GALL!")
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert [(one.by, one.delivered) for one in receipt.lore] == [("/g[ua]ll/i", True)]
    sent = receipt.prompt
    assert sent is not None
    assert [role for role, text in sent if "Gulls sing." in text] == ["assistant"]


def test_a_temporary_conversation_reads_the_books_of_its_character(talk: Talk, book: str) -> None:
    service = talk.house.service
    service.lorebooks.attach(LOCAL_USER, book, to="character", target=NELL, on=True)
    talk.model.enqueue(Script(("Yes.",)))
    token = service.passing.begin(LOCAL_USER, NELL).token
    service.passing.say(LOCAL_USER, token, "Look, a gull!")

    until(lambda: service.passing.look(LOCAL_USER, token).job is None)
    assert "Gulls steal bread." in str(talk.model.prompts[-1])
    service.passing.leave(LOCAL_USER, token)


def test_files_come_in_and_leave_with_nothing_lost(talk: Talk) -> None:
    service = talk.house.service
    taken = service.cards.take(LOCAL_USER, raw(WORLD), name="Harbour file")
    assert (taken.outcome, taken.name, taken.report.form) == ("lorebook", "Harbour", "world")
    assert service.own_characters.all(LOCAL_USER) == ()
    made = service.lorebooks.export(LOCAL_USER, taken.id, "world")
    assert holds(json.loads(made.path.read_text(encoding="utf-8")), WORLD)
    made.discard()
    nameless = service.cards.take(LOCAL_USER, raw({"entries": {"0": {"key": ["a"], "content": "b"}}}), name="My <b>world</b>")
    assert nameless.name == "My <b>world</b>"
    v3 = service.cards.take(LOCAL_USER, raw(V3))
    out = service.lorebooks.export(LOCAL_USER, v3.id, "v3")
    assert json.loads(out.path.read_text(encoding="utf-8")) == V3
    out.discard()
    with pytest.raises(CardRefused):
        service.cards.take(LOCAL_USER, b'{"entries": [1')
    assert len(service.lorebooks.all(LOCAL_USER)) == 3


def test_a_book_that_is_converted_is_told_first_and_keeps_every_key(talk: Talk) -> None:
    cards, books = talk.house.service.cards, talk.house.service.lorebooks
    came = raw(
        {
            "kind": "memory",
            "name": "Quay",
            "odd": 1,
            "entries": [{"name": "Gulls", "entry": "Gulls sing.", "keywords": ["gull"], "weight": 4}],
        }
    )
    assert cards.take(LOCAL_USER, came, how="look").outcome == "mended"
    assert books.all(LOCAL_USER) == ()
    taken = cards.take(LOCAL_USER, came, how="beside")
    assert (taken.outcome, taken.name) == ("lorebook", "Quay")
    kept = json.loads(books.raw(LOCAL_USER, taken.id))["data"]
    assert kept["extensions"]["agnai"] == {"kind": "memory", "odd": 1}
    assert books.entry(LOCAL_USER, taken.id, 1).written.content == "Gulls sing."


def test_what_cannot_be_kept_is_refused_and_changes_nothing(talk: Talk, book: str) -> None:
    books = talk.house.service.lorebooks
    before = books.look(LOCAL_USER, book)
    for key in ("/(?=x)/", "/(/", "/x/q"):
        with pytest.raises(LorebookKeyUnknown):
            keep(talk, book, WrittenEntry(keys=(key,), content="x"))
    with pytest.raises(LorebookChanged):
        books.settle(LOCAL_USER, book, WrittenBook("Other"), stamp=before.stamp - 1)
    for n in (2, 99):
        with pytest.raises(LorebookNotFound):
            books.drop(LOCAL_USER, book, n, stamp=before.stamp)
    with pytest.raises(CardRefused):
        keep(talk, book, WrittenEntry(keys=("x",), content="x" * 200_001))
    for to in ("chat", "character"):
        with pytest.raises(NotFound):
            books.attach(LOCAL_USER, book, to=to, target="nobody's", on=True)
    assert books.look(LOCAL_USER, book) == before
    books.settle(LOCAL_USER, book, WrittenBook("Quay", "Wet.", 9, 500, True), stamp=before.stamp)
    after = books.look(LOCAL_USER, book)
    assert after.settings == WrittenBook("Quay", "Wet.", 9, 500, True)
    assert books.entry(LOCAL_USER, book, 1).written == replace(books.entry(LOCAL_USER, book, 1).written, content="Gulls steal bread.")


def test_another_user_finds_no_book(talk: Talk, book: str) -> None:
    books = talk.house.service.lorebooks
    talk.house.memory.store.chats.ensure_user("ben", "Ben")
    books.attach(LOCAL_USER, book, to="all", target="", on=True)
    assert books.all("ben") == ()
    assert books_of(talk.house.memory.store, "ben", character_id=NELL, chat_id=talk.chat_id) == ()
    stamp = books.look(LOCAL_USER, book).stamp
    for attempt in (
        lambda: books.look("ben", book),
        lambda: books.entry("ben", book, 1),
        lambda: books.keep("ben", book, 0, WrittenEntry(content="x"), stamp=stamp),
        lambda: books.settle("ben", book, WrittenBook("x"), stamp=stamp),
        lambda: books.drop("ben", book, 1, stamp=stamp),
        lambda: books.attach("ben", book, to="all", target="", on=True),
        lambda: books.export("ben", book, "v3"),
        lambda: books.remove("ben", book),
        lambda: books.restore("ben", book),
        lambda: books.erase("ben", book),
    ):
        with pytest.raises(LorebookNotFound):
            attempt()
    mine = books.create("ben", "Mine")
    with pytest.raises(LorebookNotFound):
        books.attach("ben", mine, to="chat", target=talk.chat_id, on=True)


def test_an_erased_book_is_gone_from_every_file_and_a_used_one_is_not_erased(talk: Talk, book: str) -> None:
    books = talk.house.service.lorebooks
    keep(talk, book, WrittenEntry(keys=("x",), content="The word is heliotrope."))
    talk.house.upkeep.back_up()
    with pytest.raises(LorebookNotFound):
        books.erase(LOCAL_USER, book)
    books.remove(LOCAL_USER, book)
    assert [one.name for one in books.removed(LOCAL_USER)] == ["Harbour"]
    books.erase(LOCAL_USER, book)
    assert books.removed(LOCAL_USER) == ()
    folder = talk.house.memory.store.folder
    files = [path for path in folder.root.rglob("*") if path.is_file() and ("keepsake" in path.name or "backups" in path.parts)]
    assert any("backups" in path.parts for path in files), "there was a copy"
    assert not [path for path in files if b"heliotrope" in path.read_bytes()]


def test_a_book_of_thousands_of_entries_answers(talk: Talk) -> None:
    entries = [
        {"keys": [f"word{n}", f"thing{n}"], "content": f"Of {n}.", "extensions": {}, "enabled": True, "insertion_order": n}
        for n in range(3_000)
    ]
    taken = talk.house.service.cards.take(LOCAL_USER, raw({"name": "Large", "entries": entries}))
    talk.house.service.lorebooks.attach(LOCAL_USER, taken.id, to="all", target="", on=True)
    character = character_of(talk.house.memory.store, LOCAL_USER, NELL)
    assert character.name
    talk.say("I saw word2999 today.")
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert [one.n for one in receipt.lore if one.delivered][-1] == 3_000
