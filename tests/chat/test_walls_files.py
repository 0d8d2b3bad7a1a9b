"""Days as files tell them: of who spoke, with the zone where it is not UTC, and the same when the file is read again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat.cast import enrol_built_in
from chat.fed_lines import fed_lines
from chat.import_dates import parse_date, split_stamp
from chat.import_formats import read_conversations
from chat.importer import Cast, import_key
from chat.portable import Portable
from memory.episodes import episode_of
from storage.folder import DataFolder
from storage.records import to_ms
from storage.scope import LOCAL_USER
from storage.store import Store
from storage.wall import offset_of, zone_of
from tests.chat.forgeries import Lines, write
from tests.chat.import_files import remarks
from tests.conftest import OpenChat, open_chat

SHANGHAI, NEW_YORK, KOLKATA = zone_of(480), zone_of(-300), zone_of(330)
FLIGHT = (SHANGHAI, SHANGHAI, NEW_YORK, KOLKATA, UTC)
"""Where each line is said: 14:00, 15:00, 16:00, 17:00 and 18:00 UTC on 1 May."""


@pytest.fixture
def flown(store: Store) -> OpenChat:
    enrol_built_in(store)
    chat = open_chat(store)
    with store.database.write() as connection:
        connection.execute("UPDATE chat SET character_id = 'builtin:nell-garrow' WHERE id = ?", (chat.scope.chat_id,))
    for number, zone in enumerate(FLIGHT, start=2):
        messages = chat.say(f"I said {number}", f"and I {number}", number=number, zone=zone)
        day = datetime(2024, 5, 1, tzinfo=zone), datetime(2024, 5, 1, 23, 59, 59, tzinfo=zone)
        store.memories.add(chat.scope, [replace(episode_of(chat.scope.chat_id, messages), event_from=day[0], event_to=day[1])])
    return chat


def moments(chat: OpenChat) -> list[str]:
    return [m.said_at.isoformat() for m in reversed(chat.store.chats.path(chat.scope, chat.branch_id, limit=50))]


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_what_is_read_back_has_the_days_it_left_with(flown: OpenChat, tmp_path: Path, form: str) -> None:
    portable = Portable(flown.store)
    path = tmp_path / f"talk.{'txt' if form == 'text' else 'jsonl'}"
    path.write_bytes(b"".join(getattr(portable, form)(LOCAL_USER, flown.scope.chat_id)))
    (conversation,) = read_conversations(path)
    assert [m.said_at.isoformat() for m in conversation.messages] == moments(flown)
    assert b"+08:00" in path.read_bytes()
    assert b"+00:00" not in path.read_bytes()


def test_markdown_has_a_heading_for_each_day_where_it_was_lived(flown: OpenChat) -> None:
    text = b"".join(Portable(flown.store).markdown(LOCAL_USER, flown.scope.chat_id)).decode()
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## 2024-05-01 (UTC+08:00)",
        "## 2024-05-01 (UTC-05:00)",
        "## 2024-05-01 (UTC+05:30)",
        "## 2024-05-01",
    ]
    assert "· round 1, 22:00" in text
    assert "· round 3, 11:00" in text


def test_a_heading_changes_where_the_day_does_on_that_wall(chat: OpenChat) -> None:
    for number, hour in ((3, "23:00"), (5, "01:00")):
        chat.say(f"it is {hour} in Shanghai", number=number, zone=SHANGHAI)
    text = b"".join(Portable(chat.store).markdown(LOCAL_USER, chat.scope.chat_id)).decode()
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## 2024-05-01 (UTC+08:00)", "## 2024-05-02 (UTC+08:00)"]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Store:
    store = Store(DataFolder(tmp_path / "elsewhere"), durable=False)
    store.chats.ensure_user(LOCAL_USER, "")
    enrol_built_in(store)
    return store


def lines_of(chat: OpenChat) -> Lines:
    return [json.loads(line) for line in Portable(chat.store).lines(LOCAL_USER, chat.scope.chat_id)]


def test_a_bundle_brings_every_wall_along(flown: OpenChat, elsewhere: Store) -> None:
    assert Portable(elsewhere).load(LOCAL_USER, Portable(flown.store).export(LOCAL_USER, flown.scope.chat_id)) == flown.scope.chat_id
    there = OpenChat(elsewhere, flown.scope, flown.branch_id)
    assert moments(there) == moments(flown)
    for store in (flown.store, elsewhere):
        visible = store.memories.visible(flown.scope, flown.branch_id)
        found = store.memories.get(flown.scope, visible.ids).values()
        assert len(found) == len(FLIGHT)
        assert {m.event_from.isoformat()[:10] for m in found if m.event_from} == {"2024-05-01"}
        assert {m.event_to.isoformat()[:10] for m in found if m.event_to} == {"2024-05-01"}
    elsewhere.close()


def test_a_bundle_of_before_has_the_days_of_utc(flown: OpenChat, elsewhere: Store, tmp_path: Path) -> None:
    lines = lines_of(flown)
    assert [line["utc_offset"] for line in lines if line["type"] == "message" and "utc_offset" in line] == [480] * 4 + [-300] * 2 + [
        330
    ] * 2
    for line in lines:
        line.pop("utc_offset", None)
    chat_id = Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "before.keepsake.jsonl", lines))
    assert chat_id == flown.scope.chat_id
    there = elsewhere.chats.path(flown.scope, flown.branch_id, limit=50)
    assert {offset_of(m.said_at) for m in there} == {0}
    assert [to_ms(m.said_at) for m in there] == [to_ms(m.said_at) for m in flown.store.chats.path(flown.scope, flown.branch_id, limit=50)]
    elsewhere.close()


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-05 01:00 +08:00", "2024-05-05T01:00:00+08:00"),
        ("2024-05-05T01:00:00-0530", "2024-05-05T01:00:00-05:30"),
        ("2024-05-05 01:00", "2024-05-05T01:00:00+00:00"),
        ("2024-05-05 01:00Z", "2024-05-05T01:00:00+00:00"),
    ],
)
def test_a_date_keeps_the_zone_that_it_names(text: str, iso: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.isoformat() == iso
    (line,) = fed_lines(json.dumps({"speaker": "Ann", "text": "Hello.", "at": text}).encode())
    assert line.at is not None
    assert line.at.isoformat() == iso


def test_a_clock_alone_counts_from_the_day_that_stands_above_it() -> None:
    stamped = split_stamp("[2024-05-05 01:00 +08:00] Ann: hi", today=None)
    assert stamped is not None
    assert split_stamp("[03:00] Ann: hi", today=stamped[0].date()) == (datetime(2024, 5, 5, 3, tzinfo=UTC), "Ann: hi")


def test_a_file_that_came_in_before_is_known_again(tmp_path: Path) -> None:
    """By its moments, as it was when only those were kept."""

    def key(zone: str, hour: int) -> str:
        path = tmp_path / "talk.txt"
        path.write_text(f"[2024-05-05 {hour:02}:00{zone}] Ann: hi\n[2024-05-05 {hour:02}:01{zone}] Bo: ho\n")
        (conversation,) = read_conversations(path)
        return import_key(conversation, Cast("Ann", "Bo"))

    assert key("+08:00", 9) == key("Z", 1)


def test_a_moment_before_all_days_is_no_date(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("[0001-01-01 00:00 +08:00] Ann: hi\n")
    (found,) = read_conversations(path)
    assert [m.text for m in found.messages] == ["hi"]
    assert [note.code for note in remarks(found)] == ["bad_dates", "no_dates"]
