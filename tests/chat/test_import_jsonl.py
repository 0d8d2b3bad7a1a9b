"""Importing JSON lines, chats of role-play programs and diaries of pairs: what is kept, who is who, and every reason to refuse."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.import_formats import ImportedConversation, ImportRefused, NoSuchConversation, read_conversations, select
from chat.import_jsonl import looks_like_lines
from chat.imported import MAX_BYTES, MAX_LINES, STEP
from chat.importer import main

MAY_8 = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: object, name: str = "talk.jsonl") -> Path:
        path = tmp_path / name
        if isinstance(content, list):
            content = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in content)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
        return path

    return write_file


def only(path: Path) -> ImportedConversation:
    (conversation,) = read_conversations(path)
    return conversation


def outcome(path: Path) -> tuple[ImportedConversation, ...] | ImportRefused:
    """What was read, or the refusal; anything else raised fails the test."""
    try:
        return read_conversations(path)
    except ImportRefused as refused:
        return refused


def refusal(path: Path) -> tuple[str, str]:
    with pytest.raises(ImportRefused) as refused:
        read_conversations(path)
    assert "Nothing was imported" in str(refused.value)
    return str(refused.value.params["where"]), str(refused.value.params["reason"])


# --- messages, one a line ------------------------------------------------------------------------------------------------------------


def test_messages_keep_words_ids_sessions_and_dates(write: Write) -> None:
    found = only(
        write(
            [
                {"speaker": "Ann", "text": "Hello\nthere", "date": "1:56 pm on 8 May, 2023", "id": "a1", "session": 1},
                {"speaker": "Bo", "text": "你好", "id": 7, "session": 1, "mood": "sunny"},
                "",
                {"speaker": "Bo", "text": " ", "session": 2, "date": "2024-01-01"},
                {"speaker": "Ann", "text": "Happy new year", "session": 2},
            ]
        )
    )
    assert [(m.external_id, m.speaker, m.text, m.session, m.line, m.said_at) for m in found.messages] == [
        ("a1", "Ann", "Hello\nthere", 1, 1, MAY_8),
        ("7", "Bo", "你好", 1, 2, MAY_8 + STEP),
        ("T3", "Ann", "Happy new year", 2, 5, datetime(2024, 1, 1, tzinfo=UTC)),
    ]
    assert (found.key, found.title, found.unnamed) == ("talk", "Ann & Bo", ())
    assert set(found.notices) == {"empty messages left out: 1", "other fields not read (1): mood"}


@pytest.mark.parametrize("speaker", ["speaker", "name", "role"])
@pytest.mark.parametrize("text", ["text", "content", "message", "mes"])
def test_the_names_of_fields(write: Write, speaker: str, text: str) -> None:
    found = only(write([{speaker: "Ann", text: "hi"}, {speaker: "Bo", text: "ho"}]))
    assert [(m.speaker, m.text) for m in found.messages] == [("Ann", "hi"), ("Bo", "ho")]


@pytest.mark.parametrize(
    "stamp",
    [
        {"date": "2023-05-08 13:56"},
        {"date": "2023-05-08", "time": "13:56"},
        {"time": "2023年5月8日 下午1:56"},
        {"timestamp": "2023-05-08T13:56:00.000Z"},
        {"timestamp": "2023-05-08T13:56:00.0000000Z"},
        {"timestamp": "2023-05-08T21:56:00+08"},
        {"timestamp": "20230508T135600Z"},
        {"timestamp": 1683554160},
        {"timestamp": 1683554160000},
        {"timestamp": "1683554160000"},
        {"timestamp": 1683554160.0},
        {"send_date": "May 8, 2023 1:56pm"},
        {"send_date": "2023-5-8@13h56m00s"},
        {"send_date": "2023-5-8 @13h 56m 0s 0ms"},
        {"timestamp": None, "send_date": "", "date": "2023-05-08 13:56"},
    ],
)
def test_one_moment_in_many_shapes(write: Write, stamp: dict[str, object]) -> None:
    assert only(write([{"name": "Ann", "text": "hi"} | stamp, {"name": "Bo", "text": "ho"}])).messages[0].said_at == MAY_8


def test_a_pause_opens_a_session_where_none_is_named(write: Write) -> None:
    stamps = ["2023-05-08 13:56", "2023-05-08 14:26", None, "2023-05-08 14:57"]
    found = only(write([{"name": n, "text": "x", "date": d} for n, d in zip(("Ann", "Bo", "Ann", "Bo"), stamps, strict=True)]))
    assert [m.session for m in found.messages] == [1, 1, 1, 2]
    named = [{"name": "Ann", "text": "x", "date": f"2023-05-0{n}", "session": s} for n, s in ((1, "a"), (2, "a"), (3, "b"))]
    assert [m.session for m in only(write([*named, {"name": "Bo", "text": "y", "session": "b"}])).messages] == [1, 1, 2, 2]


def test_an_empty_id_or_session_is_none_given(write: Write) -> None:
    found = only(write([{"name": name, "text": "x", "id": "", "session": ""} for name in ("Ann", "Bo")]))
    assert [(m.external_id, m.session) for m in found.messages] == [("T1", 1), ("T2", 1)]


def test_without_dates_the_last_message_has_the_date_of_the_file(write: Write) -> None:
    path = write([{"name": "Ann", "text": "a"}, {"name": "Bo", "text": "b"}])
    os.utime(path, (MAY_8.timestamp(), MAY_8.timestamp()))
    found = only(path)
    assert [m.said_at for m in found.messages] == [MAY_8 - STEP, MAY_8]
    assert found.notices == ("no dates in the file: all messages were given the day it was last changed, 2023-05-08",)


def test_only_a_line_feed_ends_a_line_and_of_twin_fields_the_latter_counts(write: Write) -> None:
    text = "one\u2028two\u0085three\u000bfour"
    raw = f'﻿{{"name": "Zoe", "name": "Ann", "text": "x", "text": "{text.replace(chr(11), chr(92) + "u000b")}"}}\r\n{{"name": "Bo", "text": "y"}}\r\n'
    assert [(m.speaker, m.text, m.line) for m in only(write(raw)).messages] == [("Ann", text, 1), ("Bo", "y", 2)]


def test_what_a_line_says_stays_text(write: Write) -> None:
    hostile = "<script>alert(1)</script> {{user}} <|im_start|>system {0} %s \x1b[31m"
    assert only(write([{"name": "Ann", "text": hostile}, {"name": "Bo", "text": "ok"}])).messages[0].text == hostile


# --- chats of role-play programs -----------------------------------------------------------------------------------------------------

HEADER = {"user_name": "Ann", "character_name": "Bo", "create_date": "2023-5-8 @13h 56m 0s 0ms", "chat_metadata": {"note_prompt": "x"}}


def test_a_role_play_chat_leaves_hidden_lines_and_variants_out(write: Write) -> None:
    found = only(
        write(
            [
                HEADER,
                {
                    "name": "Bo",
                    "is_user": False,
                    "is_system": False,
                    "mes": "You wake.",
                    "send_date": "2023-5-8@13h56m00s",
                    "swipes": ["You wake.", "Hush."],
                },
                {"name": "Ann", "is_user": True, "mes": "Where am I?", "send_date": "May 8, 2023 1:57pm", "extra": {}},
                {"name": "System", "is_user": False, "is_system": True, "mes": "Chat cleared.", "send_date": "2023-5-8@13h58m00s"},
                {"is_user": False, "mes": "At home.", "send_date": 1683554340000},
            ]
        )
    )
    assert [(m.speaker, m.text, m.line) for m in found.messages] == [
        ("Bo", "You wake.", 2),
        ("Ann", "Where am I?", 3),
        ("Bo", "At home.", 5),
    ]
    assert [m.said_at for m in found.messages] == [MAY_8, MAY_8 + timedelta(minutes=1), MAY_8 + timedelta(minutes=3)]
    assert set(found.notices) == {"hidden system lines left out: 1", "other fields not read (2): extra, swipes"}
    assert select([found], user="Ann", character="Bo", sample=None) == found


def test_names_come_from_the_messages_whatever_the_header_says(write: Write) -> None:
    header = HEADER | {"user_name": "unused", "character_name": "unused"}
    lines = [{"name": "Cy", "is_user": True, "mes": "hi"}, {"name": "Dee", "is_user": False, "mes": "ho"}]
    assert only(write([header, *lines])).speakers == ("Cy", "Dee")
    nameless = only(write([header, *({k: v for k, v in line.items() if k != "name"} for line in lines)]))
    assert select([nameless], user="Ann", character="Bo", sample=None).speakers == ("Ann", "Bo")


# --- nobody named in the file --------------------------------------------------------------------------------------------------------


def test_roles_fit_any_names_each_on_its_side(write: Write) -> None:
    found = only(
        write(
            [
                {"role": "system", "content": "You are Bo."},
                {"role": "user", "content": "Hello"},
                {"role": "assistant", "content": "Hi"},
                {"role": "tool", "name": "clock", "content": "13:56"},
            ]
        )
    )
    assert found.unnamed == ("user", "character")
    assert "hidden system lines left out: 2" in found.notices
    chosen = select([found], user="Ann", character="Bo", sample=None)
    assert [(m.speaker, m.text) for m in chosen.messages] == [("Ann", "Hello"), ("Bo", "Hi")]
    assert (chosen.title, chosen.speakers, chosen.unnamed) == ("Ann & Bo", ("Ann", "Bo"), ())
    with pytest.raises(NoSuchConversation):
        select([found], user="Ann", character="ann", sample=None)


def test_roles_among_three_speakers_are_refused_for_want_of_names(write: Write) -> None:
    found = only(write([{"role": role, "content": "x"} for role in ("user", "assistant", "narrator")]))
    with pytest.raises(NoSuchConversation, match=r'no name for "user" and "character".*lines need a name'):
        select([found], user="Ann", character="Bo", sample=None)


def test_a_name_beside_an_unnamed_side_must_be_its_own(write: Write) -> None:
    found = only(write([{"role": "user", "content": "Hello"}, {"name": "Bo", "content": "Hi"}]))
    assert select([found], user="Ann", character="bo", sample=None).speakers == ("Ann", "Bo")
    for user, character in (("Bo", "Ann"), ("Ann", "Cy")):
        with pytest.raises(NoSuchConversation):
            select([found], user=user, character=character, sample=None)


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


DIARY = {
    "Ann ": {
        "name": "Ann",
        "summary": {},
        "history": {
            "2023-05-09": [{"query": "Back again", "response": "Welcome"}],
            "2023-05-08": [{"query": "Hello", "response": "Hi"}, {"query": "Bye", "response": " ", "mood": "low"}],
        },
    },
    "小明": {"history": {"2023年5月8日": [{"query": "你好", "response": "你好呀"}]}},
}


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
    ("diary", "where", "reason"),
    [
        ({"Ann": {"history": {}}}, "user Ann", "no message"),
        ({"Ann": {"history": {"someday": []}}}, "user Ann, someday", "bad date"),
        ({"Ann": {"history": {"2023-02-30": []}}}, "user Ann, 2023-02-30", "bad date"),
        ({"Ann": {"history": {"2023-05-08": "hi"}}}, "user Ann, 2023-05-08", "not a list"),
        ({"Ann": {"history": {"2023-05-08": ["hi"]}}}, "user Ann, 2023-05-08, pair 1", "not an object"),
        ({"Ann": {"history": {"2023-05-08": [{"query": "hi"}]}}}, "user Ann, 2023-05-08, pair 1", "no response"),
        ({"Ann": {"history": {"2023-05-08": [{"query": 3, "response": ""}]}}}, "user Ann, 2023-05-08, pair 1", "query is not text"),
        ({"Ann": {"history": {"2023-05-08": [{"query": "x" * 20_001, "response": ""}]}}}, "user Ann, 2023-05-08, pair 1", "20,000"),
        ({" ": {"history": {}}}, "user  ", "name is not"),
        ({"Ann": DIARY["小明"], " Ann": DIARY["小明"]}, "", "two conversations"),
        ({"Ann": {"history": []}}, "record 1", "unknown layout"),
        ({"Ann": {"history": {}}, "Bo": 3}, "record 1", "unknown layout"),
    ],
)
def test_a_diary_is_refused_with_its_place(write: Write, diary: object, where: str, reason: str) -> None:
    found = refusal(write(json.dumps(diary), "diary.json"))
    assert found[0] == where
    assert reason in found[1]


# --- refused -------------------------------------------------------------------------------------------------------------------------

GOOD = '{"name": "Ann", "text": "hi"}'


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


# --- telling layouts apart -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (GOOD, True),
        (f"\n\n{GOOD}\n", True),
        (f"{GOOD}\n{GOOD}", True),
        (f"{GOOD}\nnonsense", True),
        ('{"query": "a", "response": "b"}', True),
        (json.dumps(HEADER), True),
        (json.dumps(DIARY), False),
        (json.dumps(DIARY, indent=2), False),
        ('{"conversation":\n{"speaker_a": "Ann"}}', False),
        ('{"conversation": {"speaker_a": "Ann"}\n}', False),
        ("{\n}", False),
        ("[{}]", False),
        ("Ann: hi\n{}", False),
        ("", False),
    ],
)
def test_an_object_a_line_is_told_from_one_object_over_many(text: str, lines: bool) -> None:
    assert looks_like_lines(text) is lines


QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FIELDS = st.sampled_from(
    "speaker name role text content message mes date timestamp send_date time id session is_user is_system query response user_name history".split()
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["Ann", "user", "8 May 2023", "2023-05-08"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=12,
)


@QUICK
@given(
    st.lists(st.dictionaries(FIELDS, VALUES, max_size=6) | VALUES, min_size=1, max_size=4), st.sampled_from([GOOD, json.dumps(HEADER), ""])
)
def test_arbitrary_lines_are_read_or_refused(write: Write, lines: list[object], first: str) -> None:
    found = outcome(write([first, *(json.dumps(line) for line in lines)]))
    if isinstance(found, ImportRefused):
        assert found.params["reason"]
        assert str(found).encode()
    else:
        assert all(c.messages and c.speakers for c in found)


@QUICK
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r"), max_size=60).map(str.strip).filter(bool),
        ),
        min_size=1,
        max_size=8,
    ),
    st.booleans(),
)
def test_a_conversation_survives_json_lines(write: Write, said: list[tuple[bool, str]], escaped: bool) -> None:
    lines = [
        json.dumps({"name": "Ann" if first else "阿兰", "text": text, "timestamp": 1683554160 + i}, ensure_ascii=escaped)
        for i, (first, text) in enumerate(said)
    ]
    assert [(m.speaker == "Ann", m.text, m.said_at) for m in only(write(lines)).messages] == [
        (first, text, MAY_8 + timedelta(seconds=i)) for i, (first, text) in enumerate(said)
    ]


# --- through the command -------------------------------------------------------------------------------------------------------------


def test_the_command_imports_a_diary_under_the_names_given(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path / "d"))
    path = write(json.dumps(DIARY), "diary.json")
    assert main([str(path), "--user", "Ann", "--character", "Bo"]) == 0
    assert "5 new of 5 messages" in capsys.readouterr().out
    assert main([str(path), "--user", "Cy", "--character", "Bo"]) == 1
    assert "Nothing was imported" in capsys.readouterr().err
