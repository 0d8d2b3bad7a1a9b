"""Cards of other programs in a house: brought in once, talked with, updated, taken out again, erased."""

from __future__ import annotations

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chat import arrivals
from chat.cards import Cards
from chat.characters import OwnCharacters
from chat.errors import ImportNoRoom, ImportRunning
from chat.imported import ImportRefused
from chat.portable import Portable
from chat.transfers import Transfers
from errors import KeepsakeError
from models.scripted import ScriptedModel
from personas.cards.reading import MAX_BYTES, read_card
from personas.cards.refused import CardTooLarge
from personas.pictures import is_face
from personas.written import written
from storage.backup import Backups
from storage.errors import CharacterNotFound
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.chat.conftest import Talk, talk
from tests.personas.cards.invented import archive, book, card_chunk, entry, picture, png, raw, v1, v2, v3
from tests.personas.cards.test_mending import other_picture

__all__ = ["talk"]

OTHER = "someone-else"


@pytest.fixture
def taker(store: Store) -> Cards:
    store.chats.ensure_user(OTHER, "")
    own = OwnCharacters(store, count=ScriptedModel().count_tokens, room=1000, finish_erasures=store.erasures.finish)
    return Cards(store, own, Transfers(Portable(store, wake=lambda: None), store.folder))


def own_of(taker: Cards) -> OwnCharacters:
    return taker._own


def out(taker: Cards, character_id: str, form: str, *, private: bool = True) -> bytes:
    made = taker.export(LOCAL_USER, character_id, form, private=private)
    content = made.path.read_bytes()
    made.discard()
    return content


def changed(value: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {**value, "data": {**value["data"], **fields}}


def edit(taker: Cards, character_id: str, **texts: str) -> None:
    form = own_of(taker).form(LOCAL_USER, character_id)
    told = {name: value for name, value in form.written.__dict__.items() if name != "tags"}
    own_of(taker).change(LOCAL_USER, character_id, written({**told, **texts}, tags=form.written.tags), stamp=form.stamp)


def test_a_card_becomes_a_character_with_its_picture_and_leaves_as_it_came(taker: Cards) -> None:
    value = changed(v2(), odd={"x": [1, None, 10**30]}, character_book=book(entry()))
    taken = taker.take(LOCAL_USER, png(card_chunk({**value, "chat": "Odile - yesterday"})))
    assert (taken.outcome, taken.name, taken.creator, taken.notes) == ("added", "Odile", "us", "Slow talker.")
    (one,) = own_of(taker).all(LOCAL_USER)
    assert (one.id, one.language, one.tags, one.creator) == (taken.id, "en", ("post",), "us")
    assert one.face is not None
    assert is_face(taker.face(LOCAL_USER, taken.id))
    assert json.loads(out(taker, taken.id, "v2")) == {**value, "chat": "Odile - yesterday"}
    assert json.loads(out(taker, taken.id, "v2", private=False)) == value
    back = read_card(out(taker, taken.id, "png"))
    assert back.picture == picture()  # with the chunk of another program
    assert back.original["data"]["odd"] == value["data"]["odd"]  # type: ignore[index]
    form = own_of(taker).form(LOCAL_USER, taken.id)
    assert (form.greetings, form.entries) == (1, 1)
    look = taker.look(LOCAL_USER, taken.id)
    assert (look.forms, look.private, look.left_out, look.members) == (("png", "v3", "v2"), ("chat",), (), 0)


def test_an_edit_leaves_with_it_and_everything_else_stays(taker: Cards) -> None:
    value = changed(v3(), unknown=[{"k": True}], nickname="Odi", description="  Keeps\r\nletters. ")
    taken = taker.take(LOCAL_USER, raw(value))
    edit(taker, taken.id, personality="merry")
    assert json.loads(out(taker, taken.id, "v3")) == changed(value, personality="merry")
    edit(taker, taken.id, personality="dry")
    assert json.loads(out(taker, taken.id, "v3")) == value
    second = own_of(taker).duplicate(LOCAL_USER, taken.id)
    assert json.loads(out(taker, second, "v3")) == changed(value, name="Odile (2)")
    assert read_card(out(taker, second, "png")).original == changed(value, name="Odile (2)")
    assert taker.look(LOCAL_USER, taken.id).left_out == ("data.nickname",)


def test_a_character_made_here_leaves_and_comes_back_as_it_is(taker: Cards) -> None:
    new = written({"name": "绮罗", "language": "zh", "tagline": "灯下", "description": "织锦的人。", "first_mes": "来了？"})
    mine = own_of(taker).create(LOCAL_USER, new)
    card = out(taker, mine, "png")
    assert taker.take(LOCAL_USER, card).outcome == "named"
    back = taker.take(LOCAL_USER, card, how="beside")
    assert own_of(taker).form(LOCAL_USER, back.id).written == new
    assert taker.face(LOCAL_USER, back.id)  # the picture that was drawn for it
    assert "keepsake" not in {note.place for note in back.report.kept}


def test_what_is_there_already_is_asked_about_and_nothing_is_changed(taker: Cards) -> None:
    file = png(card_chunk(v2()))
    first = taker.take(LOCAL_USER, file)
    again = taker.take(LOCAL_USER, file)
    assert (again.outcome, again.id, again.there) == ("same", first.id, "Odile")
    edit(taker, first.id, name="Odile the Second")
    assert taker.take(LOCAL_USER, file).there == "Odile the Second"
    assert taker.take(LOCAL_USER, raw(changed(v2(), name="ODILE THE SECOND"))).outcome == "named"
    assert len(own_of(taker).all(LOCAL_USER)) == 1
    assert taker.take(LOCAL_USER, file, how="beside").outcome == "added"
    assert taker.take(OTHER, file).outcome == "added"
    own_of(taker).remove(LOCAL_USER, first.id)
    assert len(own_of(taker).all(LOCAL_USER)) == 1


def test_an_update_keeps_conversations_the_record_and_the_card_as_it_was(talk: Talk) -> None:
    service = talk.house.service
    taker, own = service.cards, service.own_characters
    first = taker.take(LOCAL_USER, png(card_chunk(v2())))
    edit(taker, first.id, tagline="Stamps and silence.", language="zh")
    talk.chat_id = service.create(LOCAL_USER, first.id)
    talk.say("Good morning.", "Is it?")
    newer = changed(v3(), name="Odile M.", description="Odile has retired.")
    update = taker.take(LOCAL_USER, raw(newer), how="update", character_id=first.id)
    assert (update.outcome, update.id) == ("updated", first.id)
    read = talk.house.memory.store.database.read()
    anew = read.execute("SELECT count(*) FROM task WHERE kind = 'insight' AND chat_id = ?", (talk.chat_id,)).fetchone()
    assert anew[0] >= 1, "what was told is read by the judgments that the card has now"
    assert json.loads(out(taker, first.id, "v3"))["data"]["description"] == "Odile has retired."
    form = own.form(LOCAL_USER, first.id).written
    assert (form.name, form.tagline, form.language) == ("Odile M.", "Stamps and silence.", "zh")
    assert is_face(taker.face(LOCAL_USER, first.id))  # the new one has no picture
    assert read_card(out(taker, first.id, "png")).picture == picture()
    talk.say("And now?", "Now I rest.")
    assert "Odile has retired." in talk.model.prompts[-1][0].content
    assert service.head(LOCAL_USER, talk.chat_id).character_name == "Odile"
    (before,) = own.removed(LOCAL_USER)
    assert (before.name, before.conversations) == ("Odile", 0)
    own.restore(LOCAL_USER, before.id)
    assert own.form(LOCAL_USER, before.id).written.tagline == "Stamps and silence."
    assert taker.face(LOCAL_USER, before.id)
    assert taker.take(LOCAL_USER, png(card_chunk(v2()))).outcome == "same"
    with pytest.raises(CharacterNotFound):
        taker.take(LOCAL_USER, raw(newer), how="update", character_id="builtin:nell-garrow")


def test_files_of_an_archive_are_kept_and_leave_in_one(taker: Cards) -> None:
    value = changed(v3(), assets=[{"type": "icon", "uri": "embeded://a/main.png", "name": "main", "ext": "png"}])
    taken = taker.take(LOCAL_USER, archive({"card.json": raw(value), "a/main.png": picture(), "x/notes.bin": b"\0\1"}))
    assert is_face(taker.face(LOCAL_USER, taken.id))
    look = taker.look(LOCAL_USER, taken.id)
    assert (look.forms, look.members) == (("png", "v3", "v2", "charx"), 2)
    back = read_card(out(taker, taken.id, "charx"))
    assert (back.original, back.members) == (value, {"a/main.png": picture(), "x/notes.bin": b"\0\1"})
    assert read_card(out(taker, taken.id, "png")).picture == picture()


def test_the_report_tells_used_from_kept(taker: Cards) -> None:
    value = changed(v3(), group_only_greetings=["All of you!"], tags="post, sea", source=["https://cards.example/1"], assets=[])
    value["data"]["assets"] = [{"type": "icon", "uri": "https://spy.example/a.png", "name": "main", "ext": "png"}]
    value["data"]["extensions"] = {"other": 1}
    report = taker.take(LOCAL_USER, raw(value)).report
    assert (report.form, report.container) == ("v3", "json")
    assert {"name", "first_mes", "alternate_greetings", "group_only_greetings", "tags"} <= set(report.used)
    assert {(note.code, note.place) for note in report.kept} >= {
        ("unused", "source"),
        ("extension", "data.extensions.other"),
    }
    assert [(note.code, note.place) for note in report.coerced] == [("commas_as_list", "data.tags")]
    assert [(note.code, note.detail) for note in report.dropped] == [("asset_remote", "https")]
    assert "description" in taker.take(LOCAL_USER, raw({"char_name": "Bo", "char_persona": "b", "char_greeting": "Hm."})).report.used


def test_another_users_cards_are_not_there(taker: Cards) -> None:
    mine = taker.take(LOCAL_USER, png(card_chunk(v1()))).id
    for ask in (
        lambda: taker.face(OTHER, mine),
        lambda: taker.look(OTHER, mine),
        lambda: taker.export(OTHER, mine, "png", private=False),
        lambda: taker.take(OTHER, raw(v1()), how="update", character_id=mine),
    ):
        with pytest.raises(CharacterNotFound):
            ask()


def test_one_file_of_each_comes_in_at_a_time_while_there_is_room(taker: Cards, monkeypatch: pytest.MonkeyPatch) -> None:
    with taker.coming(LOCAL_USER, 10) as most:
        assert most == MAX_BYTES
        with pytest.raises(ImportRunning), taker.coming(LOCAL_USER, 10):
            pass
        with taker.coming(OTHER, 10):
            pass
    with pytest.raises(CardTooLarge), taker.coming(LOCAL_USER, MAX_BYTES + 1):
        pass
    monkeypatch.setattr(arrivals, "RESERVE_BYTES", 2**60)
    with pytest.raises(ImportNoRoom), taker.coming(LOCAL_USER, 10):
        pass
    monkeypatch.undo()
    with taker.coming(LOCAL_USER, 0):
        pass


def test_what_is_refused_changes_nothing(taker: Cards) -> None:
    for hostile in (b"", b"<script>", raw([1]), raw({**v2(), "data": {"name": ""}}), png(), archive({"../card.json": raw(v3())})):
        with pytest.raises(KeepsakeError):
            taker.take(LOCAL_USER, hostile)
    assert own_of(taker).all(LOCAL_USER) == ()


def test_what_was_put_right_is_told_first_and_the_file_stays_as_it_came(taker: Cards) -> None:
    came = raw(changed(v2(), name="")).replace(b'"scenario": "', b'"scenario": "first", "scenario": "')
    told = taker.take(LOCAL_USER, came, how="look", name="oda")
    assert (told.outcome, told.id, told.name) == ("mended", "", "oda")
    assert {note.code for note in told.report.mended} == {"key_twice", "named_after_file"}
    assert own_of(taker).all(LOCAL_USER) == ()
    taken = taker.take(LOCAL_USER, came, how="beside", name="Oda Ferrow")
    assert (taken.outcome, taken.name) == ("added", "Oda Ferrow")
    assert taker.look(LOCAL_USER, taken.id).forms == ("png", "v3", "v2", "came")
    assert out(taker, taken.id, "came") == came
    assert json.loads(out(taker, taken.id, "v2"))["data"]["name"] == "Oda Ferrow"
    edit(taker, taken.id, name="Oda")
    assert out(taker, taken.id, "came") == came
    assert json.loads(out(taker, taken.id, "v2"))["data"]["name"] == "Oda"
    pictured = taker.take(LOCAL_USER, other_picture("AVIF", raw(changed(v2(), name="Ida"))), how="beside")
    assert taker.export(LOCAL_USER, pictured.id, "came", private=True).path.suffix == ".avif"
    sound = taker.take(LOCAL_USER, raw(v2()), how="look")
    assert (sound.outcome, taker.look(LOCAL_USER, sound.id).forms) == ("added", ("png", "v3", "v2"))
    assert taker.take(LOCAL_USER, raw(v2()), how="look").outcome == "same"


def test_what_is_missing_is_told_first_too(taker: Cards) -> None:
    value = changed(v3(), assets=[{"type": "icon", "uri": "embeded://gone.png", "name": "main", "ext": "png"}])
    whole = archive({"card.json": raw(value)})
    assert taker.take(LOCAL_USER, whole, how="look").outcome == "mended"
    taken = taker.take(LOCAL_USER, whole)
    assert [(note.code, note.detail) for note in taken.report.dropped] == [("asset_missing", "gone.png")]


def test_erased_it_is_gone_with_its_files_from_every_copy(taker: Cards, store: Store) -> None:
    mine = taker.take(LOCAL_USER, png(card_chunk(v2()))).id
    copy = Backups(store.folder, keep=2).make()
    assert copy is not None
    own_of(taker).remove(LOCAL_USER, mine)
    own_of(taker).erase(LOCAL_USER, mine)
    for path in (store.folder.database, copy.path):
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM character_file").fetchone() == (0,)


def test_a_conversation_takes_the_card_as_it_came_and_the_small_picture_along(talk: Talk, tmp_path: Path) -> None:
    service = talk.house.service
    value = changed(v2(), deep=json.loads('{"a":' * 50 + str(10**40) + "}" * 50))
    mine = service.cards.take(LOCAL_USER, png(card_chunk(value))).id
    talk.chat_id = service.create(LOCAL_USER, mine)
    talk.say("Good morning.", "Is it?")
    made = service.transfers.export(LOCAL_USER, talk.chat_id)
    content = made.path.read_text(encoding="utf-8")
    record = json.loads(content.splitlines()[1])
    assert record["original"] == value
    assert is_face(base64.b64decode(record["avatar"]))
    store = Store(type(talk.house.memory.store.folder)(tmp_path / "other"))
    store.chats.ensure_user(LOCAL_USER, "")
    portable = Portable(store)
    chat_id = portable.take(LOCAL_USER, made.path, name="x").chat_id
    assert store.characters.face(LOCAL_USER, mine) == service.cards.face(LOCAL_USER, mine)
    again = portable.export(LOCAL_USER, chat_id).read_text(encoding="utf-8")
    assert json.loads(again.splitlines()[1]) == record
    forged = tmp_path / "forged.jsonl"
    evil = base64.b64encode(b"<svg onload=alert(1)>").decode()
    forged.write_text(content.replace(record["avatar"], evil), encoding="utf-8")
    with pytest.raises(ImportRefused):
        portable.take(LOCAL_USER, forged, name="x")
    store.close()
