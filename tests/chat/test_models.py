"""Choosing language models: what serves when, what goes on undisturbed, whose word counts, and where a key is never found."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chat.assembly import House, open_house
from chat.errors import ConnectionInUse, PresetsTooMany
from chat.model_choice import chosen_judge
from chat.model_room import MOST_PRESETS
from models.connection import Connection
from models.embedded import FileModel
from models.errors import ConnectionUnfit, FileUnfit, NoSuchModel, WindowTooSmall
from models.gateway import litellm
from models.llama_child import weights
from settings import Settings
from storage.backup import Backups
from storage.model_uses import ModelUse
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import house_settings
from tests.models.openai_endpoint import Answer, OpenAIEndpoint
from tests.waiting import until

KEY = "sk-planted-7788990011"


def url(base: str, **more: object) -> Connection:
    return Connection.model_validate({"id": "new", "name": "Mine", "kind": "url", "model": "qwen3", "base": base, "timeout_s": 20, **more})


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """A busy machine takes longer to import it than these models have time to answer; the app does that in the background when it starts."""
    litellm()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house whose models are chosen as on the page: nothing is overridden."""
    with opened(house_settings(tmp_path / "data")) as made:
        yield made


@contextmanager
def opened(settings: Settings) -> Iterator[House]:
    made = open_house(settings)
    made.start(worker=False)
    try:
        yield made
    finally:
        made.close()


def reply(house: House, chat_id: str, text: str) -> str:
    house.service.send(LOCAL_USER, chat_id, text, token=text)
    until(lambda: bool((job := house.service.job(LOCAL_USER, chat_id)) and job.final))
    job = house.service.job(LOCAL_USER, chat_id)
    assert job is not None
    assert job.error_code is None, job
    return house.service.transcript(LOCAL_USER, chat_id).messages[-1].text


def test_a_choice_holds_from_the_next_reply_and_a_reply_under_way_ends_with_the_old(house: House) -> None:
    room, chat = house.service.models, house.service.create(LOCAL_USER, "builtin:nell-garrow")
    with OpenAIEndpoint() as first, OpenAIEndpoint() as second:
        one, two = room.keep(url(first.url), key=KEY), room.keep(url(second.url), key="")
        room.choose("chat", one, preset="", user_id=LOCAL_USER)
        first.enqueue(Answer(pieces=("The ", "first ", "talks."), between_s=0.4))
        house.service.send(LOCAL_USER, chat, "Who talks?", token="a")
        until(lambda: bool(first.requests))
        room.choose("chat", two, preset="", user_id=LOCAL_USER)
        until(lambda: bool((job := house.service.job(LOCAL_USER, chat)) and job.final))
        assert house.service.transcript(LOCAL_USER, chat).messages[-1].text == "The first talks."
        second.enqueue(Answer(pieces=("The second.",)))
        assert reply(house, chat, "And now?") == "The second."
    assert first.requests[0].authorization == f"Bearer {KEY}"
    assert KEY not in second.requests[0].authorization
    assert (len(first.requests), len(second.requests)) == (1, 1)
    receipt = house.service.receipt(LOCAL_USER, chat)
    assert receipt is not None
    assert receipt.model.startswith("qwen3 (127.0.0.1:")
    uses = house.memory.store.model_uses.all(Scope.of(LOCAL_USER, chat))
    assert [(use.purpose, use.calls) for use in uses] == [("reply", 1), ("reply", 1)]
    assert all(use.prompt_tokens > 100 and use.answer_tokens > 0 for use in uses)


def test_a_choice_is_kept_over_a_restart(tmp_path: Path) -> None:
    settings = house_settings(tmp_path / "data")
    with OpenAIEndpoint(Answer(pieces=("Still here.",))) as endpoint:
        with opened(settings) as house:
            room = house.service.models
            room.choose("chat", room.keep(url(endpoint.url), key=KEY), preset="steady", user_id=LOCAL_USER)
        with opened(settings) as house:
            assert reply(house, house.service.create(LOCAL_USER, "builtin:nell-garrow"), "Hello?") == "Still here."
    assert endpoint.requests[0].authorization == f"Bearer {KEY}"
    assert (endpoint.requests[0].body["temperature"], endpoint.requests[0].body["top_p"]) == (0.4, 0.9)


def test_the_environment_stands_before_the_page(tmp_path: Path) -> None:
    with OpenAIEndpoint() as theirs, OpenAIEndpoint() as ours:
        settings = house_settings(
            tmp_path / "data",
            chat_model="openai/env",
            chat_api_base=theirs.url,
            chat_temperature=0.1,
            chat_reply_tokens=50,
            memory_model="",
        )
        with opened(settings) as house:
            room = house.service.models
            own = room.keep(url(ours.url), key="")
            room.choose("chat", own, preset="daring", user_id=LOCAL_USER)
            room.choose("memory", own, preset="", user_id=LOCAL_USER)
            reply(house, house.service.create(LOCAL_USER, "builtin:nell-garrow"), "Hello?")
            chat, memory, judge = room.view(LOCAL_USER).roles
    assert not ours.requests
    body = theirs.requests[0].body
    assert (body["model"], body["temperature"], body["max_tokens"], body["top_p"]) == ("env", 0.1, 50, 0.98)
    assert (chat.source, chat.model, chat.reach) == ("environment", "openai/env", "computer")
    assert chat.pinned == ("KEEPSAKE_CHAT_REPLY_TOKENS", "KEEPSAKE_CHAT_TEMPERATURE")
    assert (memory.source, memory.model, judge.source) == ("environment", "", "default")


def test_a_memory_task_under_way_ends_with_the_old_model(house: House) -> None:
    room, choice = house.service.models, house.memory.models
    with OpenAIEndpoint() as endpoint:
        own = room.keep(url(endpoint.url), key="")
        assert choice.reader.present is None
        assert choice.answering.present is None
        room.choose("memory", own, preset="", user_id=LOCAL_USER)
        reads = choice.reader.present
        assert reads is not None
        assert choice.answering.present is not None
        with choice.reader.taken() as held:
            room.choose("memory", "bundled", preset="", user_id=LOCAL_USER)
            assert choice.reader.present is None
            assert held is reads
        assert house.service.status(LOCAL_USER).memory_model == ""
    with pytest.raises(WindowTooSmall):
        room.choose("memory", room.keep(url("http://127.0.0.1:1/v1", context_tokens=1024), key=""), preset="", user_id=LOCAL_USER)


def test_what_has_not_changed_is_not_made_anew(house: House) -> None:
    room, choice = house.service.models, house.memory.models
    before = choice.chat.present
    room.keep(url("http://127.0.0.1:1/v1"), key="")
    room.choose("memory", "bundled", preset="", user_id=LOCAL_USER)
    room.choose("chat", "bundled", preset="lively", user_id=LOCAL_USER)
    assert choice.chat.present is before, "its process, and what it has read, stay"


def test_a_conversation_has_a_preset_of_its_own(house: House) -> None:
    room = house.service.models
    mine, other = (house.service.create(LOCAL_USER, "builtin:nell-garrow") for _ in range(2))
    with OpenAIEndpoint() as endpoint:
        room.choose("chat", room.keep(url(endpoint.url), key=""), preset="steady", user_id=LOCAL_USER)
        own = room.keep_preset(LOCAL_USER, "", "  Fog  and\nbells ", {"temperature": 1.5, "max_tokens": 33})
        room.prefer(LOCAL_USER, mine, own)
        reply(house, mine, "One.")
        reply(house, other, "Two.")
        room.keep_preset(LOCAL_USER, own, "Fog", {"temperature": 1.1})
        reply(house, mine, "Three.")
        room.remove_preset(LOCAL_USER, own)
        reply(house, mine, "Four.")
    drawn = [(request.body["temperature"], request.body["max_tokens"]) for request in endpoint.requests]
    assert drawn == [(1.5, 33), (0.4, 400), (1.1, 400), (0.4, 400)]
    with pytest.raises(NoSuchModel):
        room.prefer(LOCAL_USER, mine, own)
    for values in ({"temperature": 5}, {"top_p": 0}, {"max_tokens": 1}, {"stop": 1}):
        with pytest.raises(ConnectionUnfit):
            room.keep_preset(LOCAL_USER, "", "x", values)  # type: ignore[arg-type]
    for number in range(MOST_PRESETS):
        room.keep_preset(LOCAL_USER, "", str(number), {})
    with pytest.raises(PresetsTooMany):
        room.keep_preset(LOCAL_USER, "", "one more", {})


def test_a_preset_is_its_owners_and_stays_out_of_an_export(house: House) -> None:
    room, service = house.service.models, house.service
    chat = service.create(LOCAL_USER, "builtin:nell-garrow")
    house.memory.store.chats.ensure_user("ben", "Ben")
    own = room.keep_preset(LOCAL_USER, "", "Mine", {"temperature": 1.0})
    room.prefer(LOCAL_USER, chat, own)
    assert own not in {preset.id for preset in room.view("ben").presets}
    with pytest.raises(NoSuchModel):
        room.remove_preset("ben", own)
    made = service.transfers.export(LOCAL_USER, chat)
    assert own not in made.path.read_text(encoding="utf-8")
    made.discard()


def test_a_file_talks_and_its_process_ends_when_another_is_chosen(house: House) -> None:
    room, choice = house.service.models, house.memory.models
    choice.folder.folder.mkdir()
    shutil.copy(weights(), choice.folder.folder / "own.gguf")
    own = room.keep(Connection(id="new", name="Own", kind="file", model="own.gguf", context_tokens=2048, reply_tokens=24), key="")
    room.choose("chat", own, preset="", user_id=LOCAL_USER)
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    assert reply(house, chat, "Good evening.")
    model = choice.chat.present
    assert isinstance(model, FileModel)
    pid = model._server.pid
    assert pid is not None
    room.choose("memory", own, preset="", user_id=LOCAL_USER)
    assert choice.reader.present is not None
    room.choose("memory", "bundled", preset="", user_id=LOCAL_USER)
    assert model._server.pid == pid
    room.choose("chat", "bundled", preset="", user_id=LOCAL_USER)
    assert model._server.pid is None
    with pytest.raises(FileUnfit):
        room.keep(Connection(id="new", name="x", kind="file", model="gone.gguf"), key="")


def test_a_model_that_cannot_be_had_says_so_and_nothing_answers_in_its_place(house: House) -> None:
    room, choice = house.service.models, house.memory.models
    choice.folder.folder.mkdir()
    shutil.copy(weights(), choice.folder.folder / "own.gguf")
    own = room.keep(Connection(id="new", name="Own", kind="file", model="own.gguf"), key="")
    (choice.folder.folder / "own.gguf").unlink()
    room.choose("chat", own, preset="", user_id=LOCAL_USER)
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    house.service.send(LOCAL_USER, chat, "Anybody?", token="a")
    until(lambda: bool((job := house.service.job(LOCAL_USER, chat)) and job.final))
    job = house.service.job(LOCAL_USER, chat)
    assert job is not None
    assert (job.error_code, job.error_params["name"]) == ("file_unfit", "own.gguf")
    assert [m.text for m in house.service.transcript(LOCAL_USER, chat).messages][-1] == "Anybody?"


def test_a_key_stays_with_its_address_and_is_forgotten_when_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, choice = house.service.models, house.memory.models

    def key_of(connection_id: str) -> str | None:
        key = choice.key_of(choice.connections()[connection_id])
        return key.get_secret_value() if key is not None else None

    own = room.keep(url("http://127.0.0.1:1/v1"), key=KEY)
    assert room.keep(url("http://127.0.0.1:1/v1", id=own, name="Renamed", model="other"), key=None) == own
    assert key_of(own) == KEY
    room.keep(url("http://127.0.0.1:2/v1", id=own), key=None)
    assert key_of(own) is None, "another address is not handed the key of the first"
    room.keep(url("http://127.0.0.1:1/v1", id=own), key=KEY)
    room.keep(url("http://127.0.0.1:1/v1", id=own), key="")
    assert key_of(own) is None
    monkeypatch.setenv("HARBOUR_API_KEY", KEY)
    room.keep(url("http://127.0.0.1:1/v1", id=own, key_env="HARBOUR_API_KEY"), key="typed as well")
    assert key_of(own) == KEY
    assert choice.connections()[own].sealed == ""
    (shown,) = room.house().connections
    assert (shown.key, shown.key_env) == ("environment", "HARBOUR_API_KEY")
    monkeypatch.delenv("HARBOUR_API_KEY")
    assert room.house().connections[0].key == "missing"
    assert room.try_out(own).fault == "key"


def test_a_planted_key_is_nowhere_to_be_found(house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    room, service, store = house.service.models, house.service, house.memory.store
    chat = service.create(LOCAL_USER, "builtin:nell-garrow")
    told: list[object] = []
    with OpenAIEndpoint(Answer(status=401, error=f"bad key {KEY}"), Answer(pieces=("Yes.",)), Answer(status=500, error=KEY)) as endpoint:
        own = room.keep(url(endpoint.url), key=KEY)
        told.append(room.try_out(own))
        room.choose("chat", own, preset="", user_id=LOCAL_USER)
        reply(house, chat, "Hello?")
        service.send(LOCAL_USER, chat, "Again?", token="x")
        until(lambda: bool((job := service.job(LOCAL_USER, chat)) and job.final))
        told += [
            service.job(LOCAL_USER, chat),
            room.view(LOCAL_USER, chat),
            room.house(),
            service.status(LOCAL_USER),
            house.model,
            room.choice.connections(),
        ]
        assert any(KEY in request.authorization for request in endpoint.requests), "and yet it is used"
    made = service.transfers.export(LOCAL_USER, chat)
    told.append(made.path.read_text(encoding="utf-8"))
    made.discard()
    told += [service.receipt(LOCAL_USER, chat), caplog.text]
    Backups(store.folder, keep=3).make()
    store.database.read().execute("PRAGMA wal_checkpoint(FULL)")
    for one in told:
        assert KEY not in repr(one)
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert any(path.parent.name == "backups" for path in files)
    assert any(path.name == "keepsake.db" for path in files)
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path


def test_a_connection_in_use_is_not_removed(house: House) -> None:
    room = house.service.models
    own = room.keep(url("http://127.0.0.1:1/v1"), key="")
    room.choose("judge", own, preset="", user_id=LOCAL_USER)
    with pytest.raises(ConnectionInUse):
        room.remove(own)
    room.choose("judge", "bundled", preset="", user_id=LOCAL_USER)
    room.remove(own)
    with pytest.raises(NoSuchModel):
        room.remove(own)
    with pytest.raises(NoSuchModel):
        room.choose("chat", own, preset="", user_id=LOCAL_USER)


def test_a_command_finds_the_judge_that_the_page_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = house_settings(tmp_path / "data")
    assert chosen_judge(settings) == (None, "")
    assert not (tmp_path / "data").exists(), "a look makes no folder"
    with opened(settings) as house:
        room = house.service.models
        room.choose("judge", room.keep(url("http://127.0.0.1:1/v1"), key=KEY), preset="", user_id=LOCAL_USER)
        model, name = chosen_judge(settings)
        assert model is not None
        assert name == "qwen3 (127.0.0.1:1)"
        model, name = chosen_judge(house_settings(tmp_path / "data", judge_model="openai/env"))
        assert name == "openai/env"


def test_what_models_cost_is_told_where_a_price_is_known(house: House) -> None:
    room, store = house.service.models, house.memory.store
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    scope = Scope.of(LOCAL_USER, chat)
    for model in ("gpt-4o-mini", "openai/gpt-4o-mini", "gpt-4o-mini (127.0.0.1:1)", "nobody/knows"):
        store.model_uses.add(scope, ModelUse("reply", model, 2, 0, 1_000_000, 1_000_000, 1.0))
    found = {one.use.model: one.cost for one in room.view(LOCAL_USER, chat).here}
    assert found["openai/gpt-4o-mini"] == pytest.approx(0.75)
    assert found["nobody/knows"] is None
    assert found["gpt-4o-mini (127.0.0.1:1)"] is None, "the same name at another address is another model"
    store.chats.ensure_user("ben", "Ben")
    assert room.view("ben").all == ()
