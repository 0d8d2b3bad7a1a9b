"""Sample stories in a user's list: added through the engine, marked, removed whole, gone on with like any conversation."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chat import samples as module
from chat.assembly import House, open_house
from chat.building import follow
from chat.errors import NoSuchSample
from chat.import_formats import read_conversations
from chat.imported import ImportedConversation
from chat.samples import BINNED, REMOVED
from models.scripted import Script, ScriptedModel
from personas.stories import STORIES, Story
from storage.errors import NotFound
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk, house_settings

ROUNDS = 34
"""Of each story in most tests: a chapter and the topics of a sitting or two."""
BEN = "ben"


@pytest.fixture(autouse=True)
def shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    def beginning(story: Story) -> ImportedConversation:
        (found,) = read_conversations(story.path)
        return replace(found, key=story.key, title=story.title, messages=found.messages[: 2 * ROUNDS])

    monkeypatch.setattr(module, "_read", beginning)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(house_settings(tmp_path / "data"), model=ScriptedModel(otherwise=Script(("Noted.",))))
    opened.memory.store.chats.ensure_user(BEN, "Ben")
    yield opened
    opened.close()


def test_a_story_whose_memory_is_off_is_not_being_read(house: House) -> None:
    service = house.service
    chat_id = service.samples.add(LOCAL_USER, STORIES[0].key)

    def building() -> bool:
        (view,) = [view for view in service.samples.views(LOCAL_USER) if view.chat_id]
        return view.building

    for on in (False, True):
        edition = service.transcript(LOCAL_USER, chat_id, limit=1).edition
        service.remembering.switch(LOCAL_USER, chat_id, on=on, edition=edition)
        assert building() is on


def ids(house: House, user: str = LOCAL_USER) -> list[str]:
    return [chat.id for chat in house.service.chats(user)]


@pytest.mark.parametrize("story", [pytest.param(s, marks=[pytest.mark.long] * (s.key == "letter"), id=s.key) for s in STORIES])
def test_a_story_is_remembered_by_the_engine_as_any_conversation(house: House, story: Story) -> None:
    service = house.service
    chat_id = service.samples.add(LOCAL_USER, story.key)
    (before,) = [view for view in service.samples.views(LOCAL_USER) if view.chat_id]
    assert (before.key, before.building, before.done) == (story.key, True, 0)
    assert house.memory.work_off() > ROUNDS
    (after,) = [view for view in service.samples.views(LOCAL_USER) if view.chat_id]
    assert (after.building, after.failed, after.rounds) == (False, 0, ROUNDS)
    known = {entry.key: [value.text for value in entry.values] for entry in service.persona(LOCAL_USER, chat_id).entries}
    assert len(known) >= 4
    expected = {"letter": ("residence", "Port Sennet"), "name": ("age", "二十六")}[story.key]
    assert expected[1] in " ".join(known[expected[0]])
    facts = service.memories(LOCAL_USER, chat_id, shelf="fact")
    assert facts.total > ROUNDS / 2
    assert all(1 <= fact.first_round <= ROUNDS for fact in facts.memories)
    assert service.story(LOCAL_USER, chat_id).chapters
    assert service.topics(LOCAL_USER, chat_id).topics
    assert house.memory.store.memories.events(
        Scope.of(LOCAL_USER, chat_id), house.memory.store.chats.chat(Scope.of(LOCAL_USER, chat_id)).branch_id
    )


def test_it_is_marked_in_the_list_and_there_once(house: House) -> None:
    own = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    assert house.service.samples.add(LOCAL_USER, "letter") == chat_id
    assert {chat.id: chat.sample for chat in house.service.chats(LOCAL_USER)} == {chat_id: True, own: False}
    with pytest.raises(NoSuchSample):
        house.service.samples.add(LOCAL_USER, "../letter")


def test_one_that_nobody_touched_is_erased_whole_and_can_be_added_again(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    for _ in range(20):
        task = house.memory.store.tasks.lease()
        assert task is not None
        house.memory.engine.run(task)
        house.memory.store.tasks.finish(task)
    assert house.service.samples.remove(LOCAL_USER, chat_id) == REMOVED
    store = house.memory.store
    assert (ids(house), house.service.conversations.binned(LOCAL_USER), store.erasures.waiting()) == ([], (), 0)
    assert house.memory.work_off() == 0, "nothing is left to do for it"
    assert "plumb bob" not in store.folder.database.read_bytes().decode("utf-8", "replace")
    assert house.service.samples.add(LOCAL_USER, "letter") != chat_id
    assert [view.rounds for view in house.service.samples.views(LOCAL_USER) if view.chat_id] == [ROUNDS]


def test_one_that_was_gone_on_with_goes_to_the_bin_and_comes_back_as_it_was(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    talk = Talk(house, ScriptedModel(), chat_id)
    talk.send("I brought you a lamp.")
    talk.wait()
    assert house.service.samples.remove(LOCAL_USER, chat_id) == BINNED
    assert ids(house) == []
    assert [view.binned for view in house.service.samples.views(LOCAL_USER) if view.key == "letter"] == [True]
    assert house.service.samples.add(LOCAL_USER, "letter") == chat_id, "what was said in it is the person's own"
    assert "I brought you a lamp." in talk.texts()


def test_a_decision_about_its_memory_is_a_persons_own_as_well(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    house.memory.work_off()
    one = house.service.memories(LOCAL_USER, chat_id, shelf="fact").memories[0]
    house.service.controls.pin(LOCAL_USER, chat_id, one.id)
    assert house.service.samples.remove(LOCAL_USER, chat_id) == BINNED


def test_an_edited_line_is_a_persons_own_as_well(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "name")
    first = house.service.transcript(LOCAL_USER, chat_id, limit=600).messages[0]
    house.service.rewriting.edit(LOCAL_USER, chat_id, first.id, "雪停了。", edition=0)
    assert house.service.samples.remove(LOCAL_USER, chat_id) == BINNED


def test_another_user_neither_sees_nor_removes_it(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    assert [view.chat_id for view in house.service.samples.views(BEN)] == ["", ""]
    assert ids(house, BEN) == []
    with pytest.raises(NotFound):
        house.service.samples.remove(BEN, chat_id)
    bens = house.service.samples.add(BEN, "letter")
    assert bens != chat_id
    house.service.samples.remove(BEN, bens)
    assert ids(house) == [chat_id]


def test_what_is_no_sample_is_not_removed_by_this_way(house: House) -> None:
    own = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    with pytest.raises(NotFound):
        house.service.samples.remove(LOCAL_USER, own)
    assert ids(house) == [own]


def test_a_copy_that_comes_in_as_a_file_is_an_ordinary_conversation(house: House) -> None:
    chat_id = house.service.samples.add(LOCAL_USER, "letter")
    outgoing = house.service.transfers.export(LOCAL_USER, chat_id)
    incoming = house.service.transfers.incoming(LOCAL_USER, outgoing.size)
    incoming.write(outgoing.path.read_bytes())
    incoming.ended()
    copy = house.service.transfers.take(LOCAL_USER, incoming, look=lambda stage, done: None).chat_id
    incoming.close()
    assert copy != chat_id
    assert {chat.id: chat.sample for chat in house.service.chats(LOCAL_USER)} == {chat_id: True, copy: False}


def test_a_demonstration_adds_both_to_an_empty_folder_alone(house: House) -> None:
    assert house.service.samples.add_all(LOCAL_USER)
    assert [chat.title for chat in house.service.chats(LOCAL_USER)] == [story.title for story in STORIES]
    first = ids(house)
    assert not house.service.samples.add_all(LOCAL_USER)
    house.service.samples.remove(LOCAL_USER, first[0])
    assert not house.service.samples.add_all(LOCAL_USER), "what was removed stays away"
    assert ids(house) == first[1:]


def test_what_was_cut_off_while_it_was_written_is_finished_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.importer.ROUNDS_PER_COMMIT", 10)
    settings = house_settings(tmp_path / "data", demo=True)
    house = open_house(settings, model=ScriptedModel())
    append = house.memory.store.chats.append
    count: list[int] = []

    def cut(*given: object, **named: object) -> object:
        count.append(1)
        if len(count) > 25:
            raise RuntimeError("cut off")
        return append(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(house.memory.store.chats, "append", cut)
    with pytest.raises(RuntimeError, match="cut off"):
        house.service.samples.add_all(LOCAL_USER)
    house.close()
    house = open_house(settings, model=ScriptedModel())
    try:
        assert len(ids(house)) == len(STORIES), "both are there, neither whole"
        assert house.service.samples.resume() == len(STORIES)
        assert house.service.samples.resume() == 0
        for chat_id in ids(house):
            texts = [m.text for m in house.service.transcript(LOCAL_USER, chat_id, limit=600).messages]
            assert len(texts) == len(set(texts)) == 2 * ROUNDS
    finally:
        house.close()


def test_a_reader_is_brought_to_the_story_in_their_language_in_a_demonstration_alone(house: House, tmp_path: Path) -> None:
    house.service.samples.add_all(LOCAL_USER)
    assert house.service.samples.shown_first(LOCAL_USER, "zh") == ""
    house.service.samples._demo = True
    by_language = {view.language: view.chat_id for view in house.service.samples.views(LOCAL_USER)}
    assert house.service.samples.shown_first(LOCAL_USER, "zh") == by_language["zh"]
    house.service.samples.remove(LOCAL_USER, by_language["zh"])
    assert house.service.samples.shown_first(LOCAL_USER, "zh") == by_language["en"]
    assert house.service.samples.shown_first(BEN, "zh") == ""


def test_the_terminal_is_told_when_the_memory_is_built(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chat.building.LOOK_S", 0.05)
    house.service.samples.add(LOCAL_USER, "letter")
    ended = threading.Event()
    telling = threading.Thread(target=follow, args=(house.service.samples, LOCAL_USER), kwargs={"ended": ended})
    telling.start()
    house.memory.work_off()
    telling.join()
    assert "The memory of the sample stories is built" in capsys.readouterr().out
    follow(house.service.samples, LOCAL_USER, ended=ended)
    assert capsys.readouterr().out == "", "the second time there is nothing to tell"
    house.service.samples.add(LOCAL_USER, "name")
    ended.set()
    follow(house.service.samples, LOCAL_USER, ended=ended)
    assert "goes on from there" in capsys.readouterr().err
