"""Files of memory at the ends of what they may say, and beyond: taken so that everything can be read and goes on, or refused with a short reason, soon."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chat import carried_file
from chat.carried import EARLIEST_ROUND, MOST_CHARS
from chat.errors import MemoryFileRefused
from chat.portable import Portable
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.remembering import facts, rebuilt, recalled, service
from tests.chat.rewritten import edition
from tests.chat.test_carrying import carrying, standing
from tests.chat.test_memory_files import file_of
from tests.pace import STEADY, eightfold

ONE: dict[str, Any] = {
    "kind": "fact", "text": "Ann keeps bees.", "language": "en", "about": "Ann", "said_by": "Ann", "by_player": True, "own": True,
    "first_round": 1, "last_round": 1, "said_at": "2024-05-01T12:00:00+00:00",
    "came_from": {"title": "Bees", "character": "Nell Garrow", "conversation": "", "first_round": 1, "last_round": 1},
}  # fmt: skip


def a_file(*changes: dict[str, Any], **top: object) -> bytes:
    about = {"title": "Bees", "id": "", "character": "Nell Garrow", "player": "Ann", "language": "en", "rounds": 3}
    content = {"format": "keepsake-memory", "version": 1, "made_at": ONE["said_at"], "conversation": about}
    return json.dumps({**content, "memories": [{**ONE, **change} for change in changes], **top}).encode()


def taken(talk: Talk, raw: bytes) -> int:
    count = len(carried_file.read(raw).things)
    new = carrying(talk).take(LOCAL_USER, talk.chat_id, raw, range(count), edition=edition(talk)).new
    talk.remembered()
    return new


def test_the_story_calls_the_player_by_name_in_markdown_as_facts_do(talk: Talk) -> None:
    line = {"text": "The player met a bee.", "round": 1, "said_at": ONE["said_at"]}
    raw = a_file(
        {"text": "The player keeps bees."},
        {"kind": "persona", "key": "name", "text": "Mara"},
        {"kind": "plot", "text": "The player met a bee.", "tier": 1, "lines": [line]},
    )
    assert taken(talk, raw) == 3
    text = file_of(talk, "markdown").decode()
    assert "Mara keeps bees." in text
    assert "Mara met a bee." in text
    assert "The player" not in text


@pytest.mark.parametrize(
    "change", [{"version": "\ud800"}, {"\ud800": 1}, {"memories": [{**ONE, "\udfff": 1}]}, {"memories": [{**ONE, "kind": "\ud800"}]}]
)
def test_half_a_surrogate_pair_stands_in_no_refusal(change: dict[str, Any]) -> None:
    with pytest.raises(MemoryFileRefused) as refused:
        carried_file.read(json.dumps({**json.loads(a_file({})), **change}).encode())
    assert f"{refused.value}{refused.value.params}".encode()


@pytest.mark.parametrize("number", [0, 3, EARLIEST_ROUND])
def test_a_line_of_the_story_is_of_a_round_that_it_tells_of(number: int) -> None:
    def raw(number: int) -> bytes:
        line = {"text": "Ann met a bee.", "round": number, "said_at": ONE["said_at"]}
        return a_file({"kind": "plot", "text": "Bees.", "tier": 1, "lines": [line], "last_round": 2})

    assert carried_file.read(raw(2)).things[0].lines[0].round == 2
    with pytest.raises(MemoryFileRefused) as refused:
        carried_file.read(raw(number))
    assert (refused.value.params["where"], refused.value.params["reason"]) == ("memories.0", "a line of it is of another round")


FIRST, LAST = "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"


def test_what_is_from_the_ends_of_the_calendar_and_long_before_is_read_and_goes_on(talk: Talk, tmp_path: Path) -> None:
    far = {"first_round": EARLIEST_ROUND, "last_round": EARLIEST_ROUND}
    line = {"text": "Ann met a bee.", "round": EARLIEST_ROUND, "said_at": FIRST}
    raw = a_file(
        {"text": "Ann keeps old bees.", "said_at": FIRST, "happened": [FIRST, LAST], **far},
        {"text": "Ann keeps late bees.", "said_at": LAST, "language": "qq"},
        {"kind": "persona", "key": "residence", "text": "Porto", "said_at": LAST, **far},
        {"kind": "plot", "text": "Bees.", "tier": 1, "lines": [line], **far},
        {"kind": "topic", "text": "Bees and bees.", "said_at": FIRST, "first_round": EARLIEST_ROUND},
    )
    talk.say("I like honey.", "Noted.")
    assert taken(talk, raw) == 5
    assert taken(talk, a_file({"text": "Ann sells honey.", **far})) == 1
    talk.say("How are my old bees?", "Old.")
    talk.remembered()
    for shelf in ("fact", "topic", "plot", "insight"):
        service(talk).memories(LOCAL_USER, talk.chat_id, shelf=shelf)
    service(talk).persona(LOCAL_USER, talk.chat_id)
    assert {"Ann keeps old bees.", "Ann keeps late bees.", "Ann sells honey."} <= set(facts(talk))
    assert "Ann keeps old bees." in recalled(talk, "old bees")
    assert min(row[2] for row in standing(talk)) == EARLIEST_ROUND
    before = standing(talk)
    rebuilt(talk)
    assert standing(talk) == before
    portable = Portable(talk.house.memory.store)
    bundle = tmp_path / "whole.keepsake.jsonl"
    bundle.write_bytes(b"".join(portable.lines(LOCAL_USER, talk.chat_id)))
    assert portable.load(LOCAL_USER, bundle), "what leaves comes back"
    assert carried_file.read(file_of(talk)).things
    assert file_of(talk, "markdown")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"said_at": "0001-01-01T00:00:00+14:00"}, "memories.0.said_at"),
        ({"said_at": "9999-12-31T23:59:59-12:00"}, "memories.0.said_at"),
        ({"said_at": "9999-12-31T23:59:59.999999+00:00"}, "memories.0.said_at"),
        ({"happened": ["9999-12-31T23:59:59.999+00:00", LAST]}, "memories.0.happened.0"),
        ({"happened": [LAST, FIRST]}, "memories.0"),
        ({"came_from": {**ONE["came_from"], "conversation": "ab"}}, "memories.0.came_from.conversation"),
        ({"k" * 100_000: 1}, "memories.0.k"),
        ({"said_by": "\ud800"}, "memories.0.said_by"),
        ({"\ud800": 1}, "memories.0"),
    ],
)
def test_what_nothing_could_keep_is_refused_where_it_stands(change: dict[str, Any], where: str) -> None:
    with pytest.raises(MemoryFileRefused) as refused:
        carried_file.read(a_file(change))
    params = refused.value.params
    assert params["kind"] == "content"
    assert str(params["where"]).startswith(where)
    assert len(json.dumps(params).encode()) < 1_000


@pytest.mark.parametrize(
    "made",
    [
        lambda eighths: a_file(**{str(n): n for n in range(eighths * 125_000)}),
        lambda eighths: a_file(*[{"text": 1}] * (eighths * 5_000)),
        lambda eighths: a_file({"lines": [0] * (eighths * 250_000)}),
        lambda eighths: b"[" + b"[]," * (eighths * 1_250_000),
    ],
    ids=range(4),
)
def test_a_file_of_a_million_faults_is_refused_soon(made: Callable[[int], bytes]) -> None:
    raw = {1: made(1), 8: made(8)}

    def read(times: int) -> None:
        with pytest.raises(MemoryFileRefused):
            carried_file.read(raw[times])

    assert eightfold(read, 1) < STEADY


def test_a_name_of_one_letter_makes_no_text_long(talk: Talk) -> None:
    ann = service(talk).own_players.create(LOCAL_USER, name="Annabella of the bees", description="", picture=None)
    service(talk).own_players.make_default(LOCAL_USER, ann)
    there = replace(talk, chat_id=service(talk).create(LOCAL_USER, "builtin:nell-garrow"))
    long = "花" * 19_000
    assert (
        taken(there, a_file({"text": long, "said_by": "花", "about": "花"}, {"text": "花 keeps bees.", "said_by": "花", "about": "花"}))
        == 2
    )
    assert set(facts(there)) == {long, "Annabella of the bees keeps bees."}
    assert all(len(text) <= MOST_CHARS for text in facts(there))
