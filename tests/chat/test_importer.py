"""The importer as a command: through the same engine, resumable, beside a running app, refusing nothing silently."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat.assembly import open_house, open_memory, open_store
from chat.imported import ImportedMessage
from chat.importer import Cast, main, rounds
from chat.portable import main as portable
from memory.recall import Cue
from models.scripted import ScriptedModel
from storage.records import Role
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import house_settings
from tests.waiting import until

START = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def _story(path: Path, count: int = 30) -> Path:
    lines = ["2023-05-08"]
    for number in range(count):
        lines += [f"Ann: On walk {number} I met a fox near stone {number * 7}.", f"Bo: Foxes again! That makes {number + 1}."]
    lines[5] = "Ann: My violin teacher Ottoline moved to Bergen in spring."
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _run(monkeypatch: pytest.MonkeyPatch, data: Path, *arguments: str) -> int:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(data))
    return main(arguments)


def _message(speaker: str, session: int, number: int) -> ImportedMessage:
    return ImportedMessage(f"T{number}", speaker, f"text {number}", START, session, number)


def test_rounds_are_the_users_utterances_with_their_replies_and_a_session_opens_one() -> None:
    messages = [
        _message(s, session, n)
        for n, (s, session) in enumerate([("Bo", 1), ("Ann", 1), ("Bo", 1), ("Bo", 1), ("Ann", 1), ("Bo", 2), ("ann", 2)])
    ]
    made = list(rounds(messages, Cast("Ann", "Bo")))
    assert [[m.external_id for m in r] for r in made] == [["T0"], ["T1", "T2", "T3"], ["T4"], ["T5"], ["T6"]]
    assert made[4][0].role is Role.USER
    assert [len(r) for r in rounds(messages, Cast("Ann", "Bo", observe=True))] == [1] * 7


def test_an_import_keeps_dates_and_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, tmp_path / "d", str(_story(tmp_path / "s.txt")), "--user", "Ann", "--character", "Bo") == 0
    assert "60 new of 60" in capsys.readouterr().out
    memory = open_memory(house_settings(tmp_path / "d"))
    try:
        (chat,) = memory.store.chats.of_user(LOCAL_USER)
        scope = Scope.of(LOCAL_USER, chat.id)
        head = memory.store.chats.head(scope, chat.branch_id)
        assert head is not None
        assert head.said_at.date() == START.date()
        found = memory.engine.recall(scope, chat.branch_id, Cue("Where did the violin teacher move?", head.round + 1)).candidates[0]
        assert "Bergen" in memory.store.memories.get(scope, [found.memory_id])[found.memory_id].text
        assert memory.store.memories.events(scope, chat.branch_id), "recall was replayed"
    finally:
        memory.close()


def test_importing_again_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    story = _story(tmp_path / "s.txt", 5)
    for expected in ("10 new of 10", "0 new of 10"):
        assert _run(monkeypatch, tmp_path / "d", str(story), "--user", "Ann", "--character", "Bo") == 0
        assert expected in capsys.readouterr().out
    store = open_store(house_settings(tmp_path / "d"))
    assert len(store.chats.of_user(LOCAL_USER)) == 1
    store.close()


def test_beside_a_running_app_the_import_only_writes_and_the_app_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = open_house(house_settings(tmp_path / "d"), model=ScriptedModel())
    house.start(worker=True)
    try:
        assert _run(monkeypatch, tmp_path / "d", str(_story(tmp_path / "s.txt", 8)), "--user", "Ann", "--character", "Bo") == 0
        assert "app is running" in capsys.readouterr().err
        (chat,) = house.service.chats(LOCAL_USER)
        view = house.service.memories(LOCAL_USER, chat.id, shelf="episode")
        assert (view.total, view.queue.waiting, view.queue.failed) == (8, 0, 0)
        house.service.send(LOCAL_USER, chat.id, "Hello again", token="t")
    finally:
        house.close()


def test_two_speakers_are_named_or_the_choice_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, tmp_path / "d", str(_story(tmp_path / "s.txt")), "--user", "Ann", "--character", "Zoe") == 1
    error = capsys.readouterr().err
    assert "Ann" in error
    assert "Bo" in error


@pytest.mark.parametrize(
    ("content", "reason"), [(b"\xff\xfe\x00garbage", "no message"), (b"", "empty"), (b'{"conversation": {"session_1": [', "JSON")]
)
def test_a_bad_file_is_refused_with_its_reason_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes, reason: str
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    assert _run(monkeypatch, tmp_path / "d", str(bad), "--user", "Ann", "--character", "Bo") == 1
    error = capsys.readouterr().err
    assert reason.casefold() in error.casefold()
    assert "Nothing was imported" in error


def test_an_imported_chat_goes_on_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locomo = {
        "sample_id": "made",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a three-legged tortoise called Admiral."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Long may he sail."},
            ],
        },
    }
    file = tmp_path / "one.json"
    file.write_text(json.dumps([locomo]), encoding="utf-8")
    assert _run(monkeypatch, tmp_path / "d", str(file), "--user", "Ann", "--character", "Bo") == 0
    model = ScriptedModel.endless(["Admiral, of course."])
    house = open_house(house_settings(tmp_path / "d"), model=model)
    house.start(worker=True)
    try:
        (chat,) = house.service.chats(LOCAL_USER)
        assert (chat.title, chat.character_name) == ("Ann & Bo", "Bo")
        house.service.send(LOCAL_USER, chat.id, "What is my tortoise called?", token="t")
        until(lambda: (job := house.service.job(LOCAL_USER, chat.id)) is not None and job.final)
        receipt = house.service.receipt(LOCAL_USER, chat.id)
        assert receipt is not None
        assert "tortoise" in receipt.candidates[0].text
        assert model.prompts[-1][0].role == "system"
    finally:
        house.close()


def test_a_command_works_for_the_account_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(house_settings(tmp_path / "d"))
    assert store.accounts.add("ada-id", name="Ada", name_key="ada", role="player", password="x", must_change=False)
    story = _story(tmp_path / "s.txt", 3)
    assert _run(monkeypatch, tmp_path / "d", str(story), "--user", "Ann", "--character", "Bo", "--account", "nobody") == 1
    assert "no account called nobody" in capsys.readouterr().err
    assert _run(monkeypatch, tmp_path / "d", str(story), "--user", "Ann", "--character", "Bo", "--account", "ADA") == 0
    (chat,) = store.chats.of_user("ada-id")
    assert store.chats.of_user(LOCAL_USER) == []
    capsys.readouterr()
    assert portable(["--account", "Ada", "list"]) == 0
    assert chat.id in capsys.readouterr().out
    assert portable(["list"]) == 0
    assert chat.id not in capsys.readouterr().out
    file = tmp_path / "mine.keepsake.jsonl"
    assert portable(["export", chat.id, str(file)]) == 1
    assert portable(["--account", "Ada", "export", chat.id, str(file)]) == 0
    assert "ada-id" not in file.read_text(encoding="utf-8"), "a file does not say whose it was"
    store.close()
