"""Importing JSON lines and chats of role-play programs: what is kept, and who is who."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.import_formats import ImportRefused, NoSuchConversation, select
from chat.import_jsonl import looks_like_lines
from chat.imported import STEP
from tests.chat.import_files import DIARY, GOOD, HEADER, MAY_8, Write, only, outcome

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


def test_a_reply_made_again_on_another_day_answers_as_before(write: Write) -> None:
    """Role-play programs write when a wording was made. Nobody's own second message, and nothing of the character's behind their own, is drawn near by that."""
    lines = [("Ann", True, 8), ("Bo", False, 9), ("Ann", True, 9), ("Ann", True, 11), ("Bo", False, 12), ("Bo", False, 14)]
    found = only(write([{"name": n, "is_user": u, "mes": "x", "send_date": f"2023-05-{d:02} 13:56"} for n, u, d in lines]))
    assert [m.session for m in found.messages] == [1, 1, 1, 2, 2, 3]


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


def test_a_role_play_chat_keeps_its_variants_and_leaves_hidden_lines_out(write: Write) -> None:
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
                {"name": "Ann", "is_user": True, "mes": "Where am I?", "send_date": "May 8, 2023 1:57pm", "extra": {}, "gen_id": 4},
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
    assert [(m.wordings, m.chosen, m.hidden) for m in found.messages] == [
        (("You wake.", "Hush."), 0, False),
        ((), 0, False),
        ((), 0, False),
    ]
    assert [m.said_at for m in found.messages] == [MAY_8, MAY_8 + timedelta(minutes=1), MAY_8 + timedelta(minutes=3)]
    assert set(found.notices) == {"hidden system lines left out: 1", "other fields not read (1): gen_id"}
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
    found = only(write([{"role": role, "content": "x"} for role in ("user", "assistant", "guest")]))
    with pytest.raises(NoSuchConversation, match=r'no name for "user" and "character".*lines need a name'):
        select([found], user="Ann", character="Bo", sample=None)


def test_a_name_beside_an_unnamed_side_must_be_its_own(write: Write) -> None:
    found = only(write([{"role": "user", "content": "Hello"}, {"name": "Bo", "content": "Hi"}]))
    assert select([found], user="Ann", character="bo", sample=None).speakers == ("Ann", "Bo")
    for user, character in (("Bo", "Ann"), ("Ann", "Cy")):
        with pytest.raises(NoSuchConversation):
            select([found], user=user, character=character, sample=None)


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
