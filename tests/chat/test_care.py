"""Care of a data folder while the app runs: backups in time, erasures finished, by the real house."""

from __future__ import annotations

from pathlib import Path

from chat.assembly import open_house
from chat.views import MemoryView
from models.scripted import ScriptedModel
from storage.backup import Backups
from storage.folder import DataFolder
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings
from tests.storage.lived_in import traces
from tests.waiting import until


def test_a_backup_is_made_when_one_is_due_and_not_again(talk: Talk) -> None:
    talk.say("I keep bees.", "How many?")
    talk.remembered()
    folder = talk.house.memory.store.folder
    assert talk.house.upkeep.back_up()
    assert not talk.house.upkeep.back_up()
    assert len(Backups(folder, keep=7).all()) == 1


def test_memory_that_is_free_is_given_back_in_time(talk: Talk) -> None:
    assert talk.house.upkeep._scheduler.get_job("memory").func() in (True, False), "whatever the C library"


def test_no_backups_where_they_are_turned_off(tmp_path: Path) -> None:
    house = open_house(house_settings(tmp_path / "data", backup_hours=0), model=ScriptedModel())
    house.start(worker=False)
    assert house.upkeep._scheduler.get_job("backup") is None
    house.close()


def test_the_running_house_removes_every_trace_of_an_erased_chat(talk: Talk) -> None:
    talk.say("The heliotrope code opens locker ninety-one.", "I never heard of heliotrope.")
    talk.remembered()
    store = talk.house.memory.store
    assert Backups(store.folder, keep=7).make()
    store.erasures.chat(LOCAL_USER, talk.chat_id)
    talk.house.memory.worker.tidy()
    until(lambda: not (store.erasures.waiting() or store.erasures.index_awaits()))
    assert traces(store.folder.root, "heliotrope") == []
    talk.chat_id = talk.house.service.create(LOCAL_USER, "builtin:nell-garrow")
    talk.say("My sister Clara keeps bees.", "On the roof?")
    talk.remembered()
    assert len(talk.house.memory.index.ids()) > 0


def test_an_erasure_that_was_cut_off_is_finished_by_the_next_start(tmp_path: Path) -> None:
    settings = house_settings(tmp_path / "data")
    house = open_house(settings, model=ScriptedModel())
    chat_id = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    house.memory.store.erasures.chat(LOCAL_USER, chat_id)
    assert house.memory.store.erasures.waiting() == 1
    house.close()
    again = open_house(settings, model=ScriptedModel())
    assert again.memory.store.erasures.waiting() == 0
    assert again.service.chats(LOCAL_USER) == ()
    again.close()


def test_a_memory_erased_since_a_backup_stays_away_after_that_backup_is_restored(tmp_path: Path) -> None:
    """Its row is erased from the backup; another wording of its message would give it another."""
    model = ScriptedModel()
    house = open_house(house_settings(tmp_path / "data"), model=model)
    house.start(worker=True)
    talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    for line in ("I am allergic to walnuts, so none for me.", "My sister Ida is a nurse.", "Hm."):
        talk.say(line, "How nice!")
    talk.remembered()
    made = Backups(house.memory.store.folder, keep=3).make()
    assert made is not None
    (gone,) = (m for m in facts(talk) if "walnuts" in m.text)
    kept = [m.text for m in facts(talk) if m.id != gone.id]
    assert kept
    house.service.controls.delete(LOCAL_USER, talk.chat_id, gone.id)
    talk.remembered()
    house.close()
    folder = DataFolder(tmp_path / "data")
    folder.own()
    Backups(folder, keep=3).restore(made.path)
    Backups(folder, keep=3).restore(made.path)
    folder.release()
    talk.house = house = open_house(house_settings(tmp_path / "data"), model=model)
    house.start(worker=True)
    view = house.service.transcript(LOCAL_USER, talk.chat_id)
    message = next(m for m in view.messages if "walnuts" in m.text)
    house.service.rewriting.edit(LOCAL_USER, talk.chat_id, message.id, message.text + " Badly so.", edition=view.edition)
    talk.remembered()
    house.service.controls.rebuild(LOCAL_USER, talk.chat_id)
    talk.remembered()
    assert [m.text for m in facts(talk)] == kept
    (count,) = house.memory.store.database.read().execute("SELECT count(*) FROM user_edit").fetchone()
    assert count == 1
    house.close()


def facts(talk: Talk) -> tuple[MemoryView, ...]:
    return talk.house.service.memories(LOCAL_USER, talk.chat_id, shelf="fact").memories
