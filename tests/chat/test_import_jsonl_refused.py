"""JSON lines that are damaged: what is sound comes in, the rest is told with its line and the reason; only what holds no message is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.imported import MAX_BYTES
from tests.chat.import_files import GOOD, HEADER, Write, only, refusal, remarks

LAST = '{"name": "Cy", "text": "bye"}'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"name": "Bo", "text": "h', "json_cut"),
        ('{"name": "Bo"', "json_cut"),
        ('{"name": "Bo" "text": "h"}', "json"),
        ("[1, 2]", "not_object"),
        ('"words"', "not_object"),
        ("null", "not_object"),
        ("Bo: hi", "json"),
        ({"name": "Bo"}, "no_text"),
        ({"text": "hi"}, "missing"),
        ({"role": "", "text": "hi"}, "missing"),
        ('{"name": "Bo", "text": "hi", "x": ' + "[" * 10_000 + "]" * 10_000 + "}", "json_deep"),
    ],
)
def test_a_line_that_cannot_be_read_is_left_out_and_told_with_its_number(write: Write, line: object, reason: str) -> None:
    for lines in ([GOOD, line, LAST], [GOOD, LAST, line]):
        found = only(write(lines))
        assert [(m.speaker, m.text) for m in found.messages] == [("Ann", "hi"), ("Cy", "bye")]
        (note,) = [note for note in remarks(found) if note.code == "left_broken"]
        assert note.because is not None
        assert (note.because.code, note.places) == (reason, (f"line {lines.index(line) + 1}",))


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('{"name": "Bo" "text": "h"}', 15),
        ('  {"name": "Bo" "text": "h"}', 17),
        ('{"name": "Bo", "text": h}', 24),
        ('{"name": "Bo", "text": "a\\qb"}', 26),
    ],
)
def test_where_json_is_damaged_is_told_by_line_and_column_and_in_no_words_of_the_parsers(write: Write, line: str, column: int) -> None:
    (note,) = [note for note in remarks(only(write([GOOD, "", line, LAST]))) if note.code == "left_broken"]
    assert note.because is not None
    assert (note.because.code, note.because.params) == ("json", {"line": 3, "column": column})
    assert note.because == f"it is not valid JSON (line 3, column {column})"


def test_a_refused_value_of_many_lines_is_told_by_line_and_column(write: Write) -> None:
    assert refusal(write('{\n "messages": [\n  {"role": nobody}\n ]\n}', "x.json")) == (
        "line 3",
        "it is not valid JSON (line 3, column 12)",
    )


@pytest.mark.parametrize(
    ("line", "speaker", "text", "told"),
    [
        ({"name": 3, "text": "hi"}, "3", "hi", ""),
        ({"name": ["Bo", "Cy"], "text": "hi"}, "Bo, Cy", "hi", ""),
        ({"name": "Bo", "text": 3}, "Bo", "3", "other_text"),
        ({"name": "Bo", "mes": {"message": "hi"}}, "Bo", "hi", ""),
        ({"name": "Bo", "mes": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {}}]}, "Bo", "hi", "left_pictures"),
        ({"name": "Bo", "mes": "hi", "is_user": "perhaps"}, "Bo", "hi", "other_flags"),
        ({"name": "Bo", "text": "hi", "session": True, "id": {}}, "Bo", "hi", ""),
        *(
            ({"name": "Bo", "text": "hi", "date": date}, "Bo", "hi", "bad_dates")
            for date in (
                "someday",
                "2023-02-30",
                ["2023-02-03"],
                1e300,
                0,
                -5,
                True,
                "2023-05-08T25:00:00+08",
                "Invalid date",
                "10",
                "June",
            )
        ),
        ('{"name": "Bo", "text": "hi", "timestamp": 1e999}', "Bo", "hi", "bad_dates"),
        ('{"name": "Bo", "text": "hi", "timestamp": NaN}', "Bo", "hi", ""),
        ('{"name": "Bo", "text": "a\\u0000b"}', "Bo", "a\ufffdb", "replaced"),
        ('{"name": "Bo", "text": "a\\ud83d"}', "Bo", "a\ufffd", "replaced"),
        ('{"name": "B\\ud83d", "text": "a"}', "B\ufffd", "a", "replaced"),
        ('{"name": "Bo", "text": "hi", "id": ' + "9" * 5000 + "}", "Bo", "hi", ""),
        ('{"name": "Bo", "name": "Cy", "text": "hi"}', "Cy", "hi", "twin_fields"),
        ('{"name": "Bo", "name": "Bo", "text": "hi"}', "Bo", "hi", ""),
        ({"name": "B" * 201, "text": "hi"}, "B" * 200, "hi", "cut_names"),
        ({"name": "Bo\nthe Brave", "text": "hi"}, "Bo the Brave", "hi", ""),
        ({"name": "Bo", "text": "x" * 20_001}, "Bo", "x" * 20_001, "long_messages"),
        ({"name": "Bo", "text": "x" * 200_009}, "Bo", "x" * 200_000, "long_messages"),
        ('{"name": "Bo",\t"text": "a\tb"}', "Bo", "a\tb", ""),
        ('{"name": "Bo", "text": "hi"},', "Bo", "hi", ""),
        ('{"name": "Bo", "text": "one\ntwo"}', "Bo", "one\ntwo", "json_mended"),
    ],
)
def test_a_field_that_is_not_right_does_not_cost_the_message(write: Write, line: object, speaker: str, text: str, told: str) -> None:
    found = only(write([GOOD, line, LAST]))
    assert [(m.speaker, m.text) for m in found.messages] == [("Ann", "hi"), (speaker, text), ("Cy", "bye")]
    mends = [note for note in remarks(found) if note.code not in ("no_dates", "many_speakers", "other_fields", "left_pictures")]
    assert [note.code for note in mends] == ([told] if told and told != "left_pictures" else [])
    assert all(note.places == ("line 2",) or note.code == "twin_fields" for note in mends)


def test_messages_on_one_line_are_taken_one_by_one(write: Write) -> None:
    assert [m.text for m in only(write([GOOD + LAST, GOOD])).messages] == ["hi", "bye", "hi"]


def test_an_id_that_two_have_is_the_first_ones_and_what_stands_there_twice_comes_in_once(write: Write) -> None:
    lines = [{"name": "Ann", "text": "a", "id": 1}, {"name": "Bo", "text": "b", "id": "1"}, {"name": "Ann", "text": "a", "id": 1}]
    found = only(write(lines))
    assert [(m.external_id, m.text) for m in found.messages] == [("1", "a"), ("T2", "b")]
    assert {note.code: note.places for note in remarks(found) if note.code in ("twin_ids", "left_twice")} == {
        "twin_ids": ("line 2",),
        "left_twice": ("line 3",),
    }


@pytest.mark.parametrize(
    ("lines", "where", "reason"),
    [
        ([HEADER], "", "no message"),
        ([HEADER, HEADER], "", "no message"),
        ([{"name": "Ann", "text": " "}], "", "no message"),
        (['{"name": "Ann", "te'], "line 1", "breaks off"),
        ([HEADER, '{"name": "Ann", "mes": "he'], "line 2", "breaks off"),
        ([{"name": "Ann"}, {"name": "Bo"}], "line 1", "no text"),
    ],
)
def test_what_holds_no_message_is_refused_with_the_reason(write: Write, lines: list[object], where: str, reason: str) -> None:
    found = refusal(write(lines))
    assert found[0] == where
    assert reason in found[1]


def test_of_more_messages_than_a_chat_may_have_the_first_come_in(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.import_jsonl.MAX_MESSAGES", 1_000)
    found = only(write((GOOD + "\n") * 1_000 + "\n" + (GOOD + "\n") * 9))
    assert (len(found.messages), found.messages[-1].line) == (1_000, 1_000)
    assert [(note.places, note.params["most"]) for note in remarks(found) if note.code == "left_rest"] == [(("line 1002",), 1_000)]
    monkeypatch.setattr("chat.import_records.MAX_LINES", 500)
    assert len(only(write((GOOD + "\n") * 1_000)).messages) == 500


def test_a_file_larger_than_a_file_may_be_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as stream:
        stream.write(GOOD.encode() + b'\n{"name": "Bo", "text": "')
        stream.truncate(100 * 2**20)
    assert refusal(path) == ("", f"larger than {MAX_BYTES // 2**20} MiB")
