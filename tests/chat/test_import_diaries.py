"""Importing pairs of question and answer and diaries of them: who is who, and every reason to refuse."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat.import_formats import NoSuchConversation, read_conversations, select
from chat.imported import STEP
from chat.importer import main
from tests.chat.import_files import DIARY, MAY_8, Write, only, refusal, remarks


def test_pairs_become_two_messages(write: Write) -> None:
    found = only(
        write(
            [
                {"query": "Hello", "response": "Hi", "date": "2023-05-08 13:56", "id": "p1"},
                {"query": "Still there?", "response": "", "date": "2023-05-09"},
            ]
        )
    )
    chosen = select([found], user="Ann", character="Bo", sample=None)
    assert [(m.external_id, m.speaker, m.text, m.session) for m in chosen.messages] == [
        ("p1q", "Ann", "Hello", 1),
        ("p1r", "Bo", "Hi", 1),
        ("T3", "Ann", "Still there?", 2),
    ]
    assert [m.said_at for m in chosen.messages] == [MAY_8, MAY_8 + STEP, datetime(2023, 5, 9, tzinfo=UTC)]
    assert chosen.notices == ("empty messages left out: 1",)


def test_a_diary_is_a_conversation_for_each_person_in_the_order_of_days(write: Write) -> None:
    found = read_conversations(write(json.dumps(DIARY), "diary.json"))
    assert [(c.key, c.speakers, c.unnamed) for c in found] == [
        ("Ann", ("Ann", "character"), ("character",)),
        ("小明", ("小明", "character"), ("character",)),
    ]
    chosen = select(found, user="ann", character="Bo", sample=None)
    day = datetime(2023, 5, 8, tzinfo=UTC)
    assert [(m.speaker, m.text, m.session, m.said_at) for m in chosen.messages] == [
        ("Ann", "Hello", 1, day),
        ("Bo", "Hi", 1, day + STEP),
        ("Ann", "Bye", 1, day + 2 * STEP),
        ("Ann", "Back again", 2, day + timedelta(days=1)),
        ("Bo", "Welcome", 2, day + timedelta(days=1) + STEP),
    ]
    assert set(chosen.notices) == {"empty messages left out: 1", "other fields not read (2): mood, summary"}
    for user, character in (("Bo", "Ann"), ("Cy", "Bo")):
        with pytest.raises(NoSuchConversation, match=r'Ann, character.* no name for "character": the name you give is taken'):
            select(found, user=user, character=character, sample=None)


def test_a_history_alone_fits_any_names(write: Write) -> None:
    history = {"2023-05-08": [{"query": "Hello", "response": "Hi"}]}
    found = read_conversations(write(json.dumps(history, indent=1), "diary.json"))
    assert [m.speaker for m in select(found, user="Ann", character="Bo", sample=None).messages] == ["Ann", "Bo"]


@pytest.mark.parametrize(
    ("day", "pairs", "said", "code", "place"),
    [
        ("someday", [{"query": "a", "response": "b"}], ["a", "b"], "bad_dates", "user Ann, someday"),
        ("2023-02-30", [{"query": "a", "response": "b"}], ["a", "b"], "bad_dates", "user Ann, 2023-02-30"),
        ("2023-05-09", "hi", [], "left_broken", "user Ann, 2023-05-09"),
        ("2023-05-09", ["hi", {"query": "a"}], ["a"], "left_broken", "user Ann, 2023-05-09, pair 1"),
        ("2023-05-09", [{"query": 3, "response": ""}], ["3"], "left_empty", "user Ann, 2023-05-09, pair 1"),
    ],
)
def test_a_damaged_day_does_not_cost_the_others(write: Write, day: str, pairs: object, said: list[str], code: str, place: str) -> None:
    diary = {"Ann": {"history": {"2023-05-08": [{"query": "Hello", "response": "Hi"}], day: pairs}}}
    found = only(write(json.dumps(diary), "diary.json"))
    assert [m.text for m in found.messages] == ["Hello", "Hi", *said]
    assert place in next(note for note in remarks(found) if note.code == code).places


def test_people_of_whom_nothing_can_be_read_do_not_cost_the_others(write: Write) -> None:
    diary = {"Ann": DIARY["小明"], " Ann": DIARY["小明"], "Bo": 3, " ": {"history": {}}}
    found = read_conversations(write(json.dumps(diary), "diary.json"))
    assert [one.key for one in found] == ["Ann", "Ann (2)"]
    assert {place for one in found for note in remarks(one) for place in note.places} == {"user Bo", "user  "}


@pytest.mark.parametrize(
    ("diary", "where", "reason"),
    [
        ({"Ann": {"history": {}}}, "user Ann", "no message"),
        ({"Ann": {"history": {"someday": []}}}, "user Ann", "no message"),
        ({"Ann": {"history": []}}, "", "unknown layout"),
    ],
)
def test_a_diary_without_a_message_is_refused(write: Write, diary: object, where: str, reason: str) -> None:
    found = refusal(write(json.dumps(diary), "diary.json"))
    assert found[0] == where
    assert reason in found[1]


def test_the_command_imports_a_diary_under_the_names_given(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path / "d"))
    path = write(json.dumps(DIARY), "diary.json")
    assert main([str(path), "--user", "Ann", "--character", "Bo"]) == 0
    assert "5 new of 5 messages" in capsys.readouterr().out
    assert main([str(path), "--user", "Cy", "--character", "Bo"]) == 1
    assert "Nothing was imported" in capsys.readouterr().err
