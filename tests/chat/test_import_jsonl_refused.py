"""JSON lines that are refused: with the line, the reason, and before they cost anything."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from chat.imported import MAX_BYTES, MAX_LINES
from tests.chat.import_files import GOOD, HEADER, Write, refusal


@pytest.mark.parametrize(
    ("lines", "where", "reason"),
    [
        ([GOOD, '{"name": "Bo", "text": "h'], "line 2", "breaks off"),
        ([GOOD, '{"name": "Bo", "text": "h', GOOD], "line 2", "breaks off"),
        ([GOOD, '{"name": "Bo"'], "line 2", "breaks off"),
        (['{"name": "Ann", "te', GOOD], "line 1", "breaks off"),
        (['{"name": "Ann", "te'], "line 1", "breaks off"),
        ([GOOD, "", "[1, 2]"], "line 3", "not an object"),
        ([GOOD, '"words"'], "line 2", "not an object"),
        ([GOOD, "null"], "line 2", "not an object"),
        ([GOOD, "Bo: hi"], "line 2", "not valid JSON"),
        ([GOOD, GOOD + GOOD], "line 2", "not valid JSON"),
        ([GOOD, {"name": 3, "text": "hi"}], "line 2", "name is not a text"),
        ([GOOD, {"name": ["Bo"], "text": "hi"}], "line 2", "name is not a text"),
        ([GOOD, {"name": "Bo", "text": 3}], "line 2", "text is not text"),
        ([GOOD, {"name": "Bo", "mes": {"message": "hi"}}], "line 2", "mes is not text"),
        ([GOOD, {"name": "Bo"}], "line 2", "no text"),
        ([GOOD, {"text": "hi"}], "line 2", "no speaker"),
        ([GOOD, {"role": "", "text": "hi"}], "line 2", "no role"),
        ([GOOD, HEADER], "line 2", "no speaker"),
        ([GOOD, {"query": "hi"}], "line 2", "no response"),
        ([GOOD, {"name": "Bo", "text": "hi", "is_user": "yes"}], "line 2", "is_user is not true or false"),
        ([GOOD, {"name": "Bo", "text": "hi", "is_system": 1}], "line 2", "is_system is not true or false"),
        ([GOOD, {"name": "Bo", "text": "hi", "session": True}], "line 2", "session is not a text"),
        ([GOOD, {"name": "Bo", "text": "hi", "id": {}}], "line 2", "id is not a text"),
        ([GOOD, {"name": "Bo", "text": "hi", "date": "someday"}], "line 2", "bad date"),
        ([GOOD, {"name": "Bo", "text": "hi", "date": "2023-02-30"}], "line 2", "bad date"),
        ([GOOD, {"name": "Bo", "text": "hi", "date": ["2023-02-03"]}], "line 2", "bad date"),
        ([GOOD, {"name": "Bo", "text": "hi", "timestamp": 1e300}], "line 2", "bad date"),
        ([GOOD, {"name": "Bo", "text": "hi", "timestamp": 1683554160000000}], "line 2", "neither seconds nor milliseconds"),
        ([GOOD, {"name": "Bo", "text": "hi", "timestamp": "20230508135600"}], "line 2", "neither seconds nor milliseconds"),
        ([GOOD, {"name": "Bo", "text": "hi", "timestamp": "2023-05-08T25:00:00+08"}], "line 2", "bad date"),
        ([GOOD, {"name": "Bo", "text": "hi", "timestamp": True}], "line 2", "bad date"),
        ([GOOD, '{"name": "Bo", "text": "hi", "timestamp": 1e999}'], "line 2", "bad date"),
        ([GOOD, '{"name": "Bo", "text": "hi", "timestamp": NaN}'], "line 2", "NaN"),
        ([GOOD, '{"name": "Bo", "text": "a\\u0000b"}'], "line 2", "NUL"),
        ([GOOD, '{"name": "Bo", "text": "a\\ud800b"}'], "line 2", "surrogate"),
        ([GOOD, GOOD + "\0"], "line 2", "NUL"),
        ([GOOD, {"name": "B" * 201, "text": "hi"}], "line 2", "200"),
        ([GOOD, {"name": "Bo", "text": "x" * 20_001}], "line 2", "20,000"),
        ([GOOD, '{"name": "Bo", "text": "hi", "x": ' + "[" * 10_000 + "]" * 10_000 + "}"], "line 2", "nested too deeply"),
        (['{"x":' * 10_000 + "1" + "}" * 10_000, GOOD], "line 1", "nested too deeply"),
        ([GOOD, '{"name": "Bo", "text": "hi", "id": ' + "9" * 5000 + "}"], "line 2", "too many digits"),
        ([HEADER, HEADER], "line 2", "no speaker"),
        ([HEADER], "", "no message"),
        ([{"name": "Ann", "text": " "}], "", "no message"),
        ([{"name": "Ann", "text": "a", "id": 1}, {"name": "Bo", "text": "b", "id": "1"}], "line 2", "used twice"),
    ],
)
def test_lines_are_refused_with_their_number_and_the_reason(write: Write, lines: list[object], where: str, reason: str) -> None:
    found = refusal(write(lines))
    assert found[0] == where
    assert reason in found[1]


def test_bytes_that_are_not_utf_8_are_refused_with_line_and_byte(write: Write) -> None:
    good = GOOD.encode() + b"\n"
    assert refusal(write(good + b'{"name": "Bo", "text": "\xff"}')) == ("line 2", f"not UTF-8 text (byte {len(good) + 24})")
    cut = good + '{"name": "Bo", "text": "你'.encode()[:-1]
    assert refusal(write(cut)) == ("line 2", f"not UTF-8 text (byte {len(good) + 24})")


def test_a_million_lines_are_refused_at_once_with_the_limit(write: Write) -> None:
    path = write((GOOD + "\n") * 1_000_000)
    tracemalloc.start()
    started = time.process_time()
    assert refusal(path) == (f"line {MAX_LINES + 1}", f"more than {MAX_LINES:,} lines")
    seconds, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 5
    assert peak < 5 * path.stat().st_size, "the file as bytes and as text, not as a million objects"


def test_more_messages_than_the_limit_are_refused_at_the_first_too_many(write: Write) -> None:
    assert refusal(write((GOOD + "\n") * 200_001)) == ("line 200001", "more than 200,000 messages")


def test_a_line_larger_than_a_file_may_be_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as stream:
        stream.write(GOOD.encode() + b'\n{"name": "Bo", "text": "')
        stream.truncate(100 * 2**20)
    assert refusal(path) == ("", f"larger than {MAX_BYTES // 2**20} MiB")
