"""Reading in processes of their own: what comes back, what is refused, and that nothing of it is left behind."""

from __future__ import annotations

import io
import json
import os
import resource
from itertools import repeat
from pathlib import Path

import pytest
from PIL import Image

from chat.import_apart import MOST_PARTS, check_parts, read_apart
from chat.import_formats import read_conversations
from chat.imported import ImportRefused
from chat.reading_process import MOST, NICENESS, PROCESSOR_S, SMALL_BYTES, HeavyFile, _readers, apart, pieces_apart
from personas.cards.reading import read_card
from personas.cards.refused import CardRefused
from personas.pictures import face


def test_what_is_read_comes_back_and_what_is_raised_is_raised() -> None:
    assert apart(json.loads, '{"a": [1]}') == {"a": [1]}
    assert list(pieces_apart(repeat, "x", 3)) == ["x", "x", "x"]
    for raw in (b"{", b"{}", b'{"a": 1, "a": 2}'):
        with pytest.raises(CardRefused) as here:
            read_card(raw)
        with pytest.raises(type(here.value)) as there:
            apart(read_card, raw)
        assert (str(there.value), there.value.params) == (str(here.value), here.value.params)
    with pytest.raises(ZeroDivisionError) as unexpected:
        apart(divmod, 1, 0)
    assert "reading_process.py" in unexpected.value.__notes__[0], "where it happened is told for the log"


@pytest.mark.parametrize(
    ("read", "args"),
    [(bytes, (2**31,)), (json.loads, ("[" * 10**6,)), (os._exit, (3,)), (os.abort, ())],
    ids=["memory", "depth", "gone", "crashed"],
)
def test_what_takes_too_much_or_ends_its_process_is_refused_and_the_next_is_read(read: object, args: tuple[object, ...]) -> None:
    for _ in range(MOST + 1):
        with pytest.raises(HeavyFile):
            apart(read, *args)  # type: ignore[arg-type]
    assert apart(json.loads, "[]") == []


def test_it_gives_way_and_has_so_much_time_of_the_processor() -> None:
    assert apart(os.nice, 0) == min(os.nice(0) + NICENESS, 19)
    soft, _ = apart(resource.getrlimit, resource.RLIMIT_CPU)
    assert PROCESSOR_S <= soft < 10 * PROCESSOR_S


def test_one_that_ended_meanwhile_is_replaced() -> None:
    first = apart(os.getpid)
    assert apart(os.getpid) == first, "one process reads one file after the other"
    os.kill(first, 9)
    _readers._idle[-1]._process.wait()
    assert apart(os.getpid) != first


def test_whoever_hears_only_the_beginning_leaves_nothing_running() -> None:
    heard = pieces_apart(repeat, "x" * 1_000)
    assert next(heard) == "x" * 1_000
    heard.close()  # type: ignore[attr-defined]
    assert apart(json.loads, "[]") == []


def test_a_conversation_is_what_it_is_in_this_process(tmp_path: Path) -> None:
    lines = [
        json.dumps({"name": "Ann" if n % 2 else "Bo", "mes": f"Line {n}, of the sea.", "send_date": 1_700_000_000 + n})
        for n in range(2_500)
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert path.stat().st_size > SMALL_BYTES
    assert read_apart(path) == read_conversations(path)
    path.write_bytes(b"\0" * (SMALL_BYTES + 1))
    with pytest.raises(ImportRefused) as there:
        read_apart(path, name="mine.txt")
    with pytest.raises(ImportRefused) as here:
        read_conversations(path, name="mine.txt")
    assert (str(there.value), there.value.params) == (str(here.value), here.value.params)


def test_brackets_are_counted_before_anything_is_made_of_them(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_bytes(b"[" + b"{}," * (MOST_PARTS - 2) + b"{}]")
    check_parts(path)
    path.write_bytes(b"[" + b"{}," * (MOST_PARTS - 1) + b"{}]")
    with pytest.raises(HeavyFile):
        read_apart(path)
    path.write_bytes(b"{" + b'"a":0,' * (MOST_PARTS + 100) + b'"a":0}')
    with pytest.raises(HeavyFile):
        read_apart(path)


def test_a_picture_is_drawn_as_here() -> None:
    written = io.BytesIO()
    Image.new("RGB", (30, 40), (10, 20, 30)).save(written, "PNG")
    assert apart(face, written.getvalue()) == face(written.getvalue())
    assert apart(face, b"no picture") is None
