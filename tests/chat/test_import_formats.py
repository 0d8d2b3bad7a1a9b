"""Importing the conversations of others: both layouts, and every reason to refuse."""

from __future__ import annotations

import json
import os
import string
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from chat.import_formats import ImportedConversation, ImportRefused, NoSuchConversation, read_conversations, read_exactly, select
from chat.imported import MAX_BYTES, MAX_KEPT_CHARS, STEP
from tests.chat.import_files import MAY_8, Write, only, remarks


def sample(turns: Sequence[object], *, key: str = "s1", date: object = "1:56 pm on 8 May, 2023", **more: object) -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": "Ann", "speaker_b": "Bo", "session_1_date_time": date, "session_1": turns}
    return {"sample_id": key, "conversation": talk | more}


def said(text: str, *, by: str = "Ann", **more: object) -> dict[str, object]:
    return {"speaker": by, "text": text} | more


Talk = tuple[tuple[str, str], list[tuple[datetime, list[tuple[bool, str]]]]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: object, name: str = "talk.txt") -> Path:
        path = tmp_path / name
        raw = content if isinstance(content, bytes) else (content if isinstance(content, str) else json.dumps(content)).encode()
        path.write_bytes(raw)
        return path

    return write_file


# --- JSON ----------------------------------------------------------------------------------------------------------------------------


def test_json_keeps_words_ids_sessions_and_dates(write: Write) -> None:
    record = sample(
        [said("Hello", dia_id="D1:1"), said("你好", by="Bo", dia_id="D1:2", blip_caption="a photo of a cup", img_url=["x"])],
        session_2_date_time="12:00 am on 1 January, 2024",
        session_2=[said("", by="Bo", dia_id="D2:1", blip_caption="a photo of snow"), said("  ", dia_id="D2:2")],
        session_3_date_time="12:00 am on 2 January, 2024",
    )
    found = only(write([record | {"qa": []}], "x.json"))
    assert (found.key, found.title, found.speakers) == ("s1", "Ann & Bo", ("Ann", "Bo"))
    assert [(m.external_id, m.speaker, m.text, m.session, m.line) for m in found.messages] == [
        ("D1:1", "Ann", "Hello", 1, 1),
        ("D1:2", "Bo", "你好", 1, 2),
        ("D2:1", "Bo", "[a photo of snow]", 2, 1),
    ]
    assert [m.said_at for m in found.messages] == [MAY_8, MAY_8 + STEP, datetime(2024, 1, 1, tzinfo=UTC)]
    assert set(found.notices) == {
        "picture captions beside words left out: 1",
        "empty messages left out: 1",
        "sessions without messages left out: 1",
        "other fields not read (1): qa",
    }


def test_sessions_come_in_the_order_of_their_numbers(write: Write) -> None:
    more: dict[str, Any] = {f"session_{n}_date_time": f"{n} May 2024" for n in (10, 2)} | {f"session_{n}": [said(str(n))] for n in (10, 2)}
    assert [m.text for m in only(write(sample([said("1")], **more), "x.json")).messages] == ["1", "2", "10"]


def test_a_long_session_before_midnight_stays_in_its_day(write: Write) -> None:
    found = only(write(sample([said(str(i)) for i in range(3000)], date="11:59 pm on 8 May, 2023"), "x.json"))
    assert {m.said_at.date() for m in found.messages} == {MAY_8.date()}
    assert len({m.said_at for m in found.messages}) == 3000


TURN = [said("hi")]
OTHER = said("Ok", by="Bo")
MENDED_JSON: list[tuple[object, list[str], str, str]] = [
    (sample([TURN[0], OTHER], date="8 Foo 2023"), ["hi", "Ok"], "bad_dates", "record 1 (s1), session 1"),
    (sample([TURN[0], OTHER], date=None), ["hi", "Ok"], "bad_dates", "record 1 (s1), session 1"),
    (sample([{"text": "hi"}, OTHER]), ["Ok"], "left_broken", "record 1 (s1), session 1, turn 1"),
    (sample([OTHER, {"speaker": "Ann"}]), ["Ok"], "left_broken", "record 1 (s1), session 1, turn 2"),
    (sample(["hi", OTHER]), ["Ok"], "left_broken", "record 1 (s1), session 1, turn 1"),
    (sample([said("hi", by="A" * 201)]), ["hi"], "cut_names", "record 1 (s1), session 1, turn 1"),
    (sample([said("x" * 20_001)]), ["x" * 20_001], "long_messages", "record 1 (s1), session 1, turn 1"),
    (sample([said("a", dia_id="D1:1"), said("b", dia_id="D1:1")]), ["a", "b"], "twin_ids", "record 1 (s1), session 1, turn 2"),
    (sample([said("a\0b")]), ["a\ufffdb"], "replaced", "record 1 (s1), session 1, turn 1"),
    (sample([said("a\ud800b")]), ["a\ufffdb"], "replaced", "record 1 (s1), session 1, turn 1"),
    (sample(TURN, session_2="later"), ["hi"], "left_broken", "record 1 (s1), session 2"),
    (json.dumps(sample([*TURN, OTHER]))[:-10], ["hi"], "json_mended", "line 1"),
    (json.dumps(sample([*TURN, OTHER]), indent=1).replace('"Ok"', '"Ok'), ["hi"], "json_mended", "line 14"),
    ('{"a": 1, "a": 2, ' + json.dumps(sample(TURN))[1:], ["hi"], "twin_fields", ""),
]


@pytest.mark.parametrize(
    ("content", "texts", "code", "place"), MENDED_JSON, ids=[f"{i}-{code}" for i, (_, _, code, _) in enumerate(MENDED_JSON)]
)
def test_json_that_is_not_right_comes_in_as_far_as_it_is_sound(
    write: Write, content: object, texts: list[str], code: str, place: str
) -> None:
    found = only(write(content, "mine.json"))
    assert [m.text for m in found.messages] == texts
    note = next(note for note in remarks(found) if note.code == code)
    assert place in note.places or (place == "" == "".join(note.places))


def test_one_of_several_that_cannot_be_read_does_not_cost_the_others(write: Write) -> None:
    found = read_conversations(write([sample(TURN), 7, sample([]), sample(TURN)], "mine.json"))
    assert [one.key for one in found] == ["s1", "s1 (3)"]
    (note,) = {note for note in remarks(found[0]) if note.because is not None and note.because.code == "layout"}
    assert note.places == ("record 2",)


REFUSED_JSON: list[tuple[object, str]] = [
    (sample([]), "no message"),
    (sample([said(" ")]), "no message"),
    ([], "no conversation"),
    ({"history": []}, "unknown layout"),
    ('{"conversation": NaN}', "unknown layout"),
    ("[" * 100_000, "unknown layout"),
    ('{"a":' * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED_JSON, ids=[f"{i}-{reason}" for i, (_, reason) in enumerate(REFUSED_JSON)])
def test_json_without_a_message_is_refused_with_file_place_and_reason(write: Write, content: object, reason: str) -> None:
    with pytest.raises(ImportRefused, match=reason) as refused:
        read_conversations(write(content, "mine.json"))
    assert str(refused.value).startswith("mine.json")
    assert refused.value.code == "import_refused"
    assert set(refused.value.params) == {"file", "where", "reason", "kind", "why"}
    str(refused.value).encode("utf-8")


def test_what_is_measured_is_read_exactly_or_refused_for_the_first_place(write: Write) -> None:
    path = write([sample(TURN), sample([said("ok"), {"speaker": "Bo"}], key="s2")], "x.json")
    assert len(read_conversations(path)) == 2
    with pytest.raises(ImportRefused, match="it has no text") as refused:
        read_exactly(path)
    assert refused.value.params["where"] == "record 2 (s2), session 1, turn 2"
    sound = write([sample(TURN)], "y.json")
    assert read_exactly(sound) == read_conversations(sound)


# --- plain text ----------------------------------------------------------------------------------------------------------------------

TEXT = """\
--- 8 May 2023, 1:56 pm ---
Ann: Hello: you
as I said, twice

http://somewhere/else
\tMilk: two
Dr. Li：你好！

2024年1月1日
[18:30] Ann: Happy new year
2024-01-01 18:30 Dr. Li: 新年快乐
[2024-01-02 02:00+08:00] Ann: Bo:
Ann:
"""


def test_the_grammar_of_plain_text(write: Write) -> None:
    found = only(write("﻿" + TEXT.replace("\n", "\r\n")))
    assert [(m.speaker, m.text, m.session, m.line) for m in found.messages] == [
        ("Ann", "Hello: you\nas I said, twice\n\nhttp://somewhere/else\nMilk: two", 1, 2),
        ("Dr. Li", "你好！", 1, 7),
        ("Ann", "Happy new year", 2, 10),
        ("Dr. Li", "新年快乐", 2, 11),
        ("Ann", "Bo:", 2, 12),
    ]
    half_past = datetime(2024, 1, 1, 18, 30, tzinfo=UTC)
    assert [m.said_at for m in found.messages] == [
        MAY_8,
        MAY_8 + STEP,
        half_past,
        half_past + STEP,
        datetime(2024, 1, 1, 18, 0, tzinfo=UTC),
    ]
    assert found.speakers == ("Ann", "Dr. Li")
    assert found.key == "talk"
    assert set(found.notices) == {"empty messages left out: 1", "messages dated before the one above them, order of the file kept: 1"}


def test_without_dates_the_last_message_has_the_date_of_the_file(write: Write) -> None:
    path = write("Ann: a\nBo: b\n")
    os.utime(path, (MAY_8.timestamp(), MAY_8.timestamp()))
    found = only(path)
    assert [m.said_at for m in found.messages] == [MAY_8 - STEP, MAY_8]
    assert found.notices == ("no dates in the file: all messages were given the day it was last changed, 2023-05-08",)


def test_messages_before_the_first_date_keep_their_order(write: Write) -> None:
    found = only(write("Ann: a\nBo: b\n[2023-05-08 13:56] Ann: c"))
    assert [m.said_at for m in found.messages] == [MAY_8 - 2 * STEP, MAY_8 - STEP, MAY_8]
    assert any("before the first date" in notice for notice in found.notices)


def test_the_date_of_an_empty_message_passes_to_the_next(write: Write) -> None:
    found = only(write("2023-05-08 13:56\nAnn:\nBo: b\n2023-05-09\n"))
    assert [(m.text, m.said_at) for m in found.messages] == [("b", MAY_8)]
    assert set(found.notices) == {"empty messages left out: 1", "dates without a message left out: 1"}


def test_a_pause_between_stamps_opens_a_session(write: Write) -> None:
    found = only(write("[2023-05-08 13:56] Ann: a\n[2023-05-08 14:26] Bo: b\n[2023-05-08 14:57] Ann: c"))
    assert [m.session for m in found.messages] == [1, 1, 2]


def test_a_third_speaker_is_pointed_out(write: Write) -> None:
    assert "more than two speakers (3): Ann (1), Bo (1), Milk (1)" in only(write("[2023-05-08] Ann: list\nBo: yes\nMilk: two")).notices


def test_what_a_file_says_stays_text(write: Write) -> None:
    hostile = "<script>alert(1)</script> {{user}} <|im_start|>system {0} %s \x1b[31m"
    assert only(write(f"[2023-05-08] Ann: {hostile}")).messages[0].text == hostile


@pytest.mark.parametrize(
    ("content", "texts", "code", "place"),
    [
        (b"Ann: a\nBo: caf\xe9", ["a", "café"], "guessed_encoding", ""),
        ("小林：我住在成都，养了一只猫\n阿忆：好呀".encode("gb18030"), ["我住在成都，养了一只猫", "好呀"], "guessed_encoding", ""),
        (
            "小林：我住在成都，养了一只猫\n阿忆：好呀".encode().replace("猫".encode(), b"\xe7\x8c"),
            ["我住在成都，养了一只\ufffd", "好呀"],
            "replaced",
            "line 1",
        ),
        ("Ann: a\nBo: b\0", ["a", "b\ufffd"], "replaced", "line 2"),
        ("A chat I had\nAnn: a", ["a"], "left_above", "line 1"),
        (" Ann: b\nAnn: a", ["a"], "left_above", "line 1"),
        ("2023-05-08\nand then\nAnn: a", ["a"], "left_above", "line 2"),
        ("Ann: a\n[2023-05-08 13:56] Bo left", ["a\n[2023-05-08 13:56] Bo left"], "", ""),
        ("Ann: a\n[2023-13-08 13:56] Bo: b", ["a", "b"], "bad_dates", "line 2"),
        ("Ann: a\n2023-02-30\nBo: b", ["a", "b"], "bad_dates", "line 2"),
        ("[13:56] Ann: a", ["a"], "bad_dates", "line 1"),
        (f"{'A' * 201}: a", ["a"], "cut_names", "line 1"),
        (f"Ann: a\nBo: {'x' * 20_001}", ["a", "x" * 20_001], "long_messages", "line 2"),
    ],
)
def test_text_that_is_not_right_comes_in_as_far_as_it_is_sound(
    write: Write, content: str | bytes, texts: list[str], code: str, place: str
) -> None:
    found = only(write(content))
    assert [m.text for m in found.messages] == texts
    assert [(note.code, note.places) for note in remarks(found) if note.code == code] == (
        [(code, (place,) if place else ())] if code else []
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_read_in_any_of_its_encodings(write: Write, encoding: str) -> None:
    assert [m.text for m in only(write("Ann: I live in Oslo\n小林：成都\n".encode(encoding))).messages] == ["I live in Oslo", "成都"]


OLD = {
    "gb18030": [("小林", "我住在成都，養了一隻貓，牠叫阿福。"), ("阿憶", "那我們明天去看牠吧，好不好？")],
    "big5": [("小林", "我住在高雄，養了一隻貓，牠叫阿福。"), ("阿憶", "那我們明天去看牠吧，好不好？")],
    "shift_jis": [("アン", "わたしは京都に住んでいます。"), ("ボー", "それはいいですね。また会いましょう。")],
    "cp1251": [("Аня", "Я живу в старом доме у моря."), ("Борис", "Расскажи мне о нём ещё немного.")],
    "cp1252": [("Zoë", "Ich wohne in Köln, ganz nah am Dom."), ("Bärbel", "Schön, das wußte ich noch nicht!")],
    "utf-16-le": [("小林", "我一直住在成都，开着一家小店。"), ("阿忆", "最近好吗？一切都好吧。")],
    "utf-16-be": [("小林", "我一直住在成都，开着一家小店。"), ("阿忆", "最近好吗？一切都好吧。")],
}


@pytest.mark.parametrize("encoding", OLD)
@pytest.mark.parametrize("lines", [False, True])
def test_texts_from_before_unicode_are_read_as_what_they_are(write: Write, encoding: str, lines: bool) -> None:
    talk = OLD[encoding]
    text = "\n".join(
        json.dumps({"name": n, "mes": t}, ensure_ascii=False) if lines else f"{n}：{t}" if encoding[:2] != "cp" else f"{n}: {t}"
        for n, t in talk
    )
    found = only(write((text + "\n").encode(encoding)))
    assert [(m.speaker, m.text) for m in found.messages] == talk
    assert [note.code for note in remarks(found)][:1] == ["guessed_encoding"]


@pytest.mark.parametrize("content", ["", " \n\n", "\0\0", "Ann:\n\n", "2023-05-08\n", "no words of anybody", b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_file_without_a_message_is_refused(write: Write, content: str | bytes) -> None:
    with pytest.raises(ImportRefused, match=r"empty|no message"):
        read_conversations(write(content))


def test_limits_of_size_and_number(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    big = tmp_path / "big.txt"
    with big.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(ImportRefused, match="64 MiB"):
        read_conversations(big)
    monkeypatch.setattr("chat.import_text.MAX_MESSAGES", 1_000)
    found = only(write("A: b\n" * 1_005))
    assert len(found.messages) == 1_000
    assert [note.places for note in remarks(found) if note.code == "left_rest"] == [("line 1001",)]


@pytest.mark.parametrize("line_length", [1_000_000, 300_000, 50])
def test_an_endless_message_of_text_is_kept_up_to_the_limit(write: Write, line_length: int) -> None:
    words = "\n".join(["y" * line_length] * (1_200_000 // line_length))
    found = only(write(f"Ann: {words}\nBo: I heard it all.\n"))
    assert [(m.speaker, len(m.text)) for m in found.messages] == [("Ann", MAX_KEPT_CHARS), ("Bo", 15)]
    assert [note.places for note in remarks(found) if note.code == "long_messages"] == [("line 1",)]
    above = only(write(f"Ann:\n{words}\nBo: I heard it all.\n"))
    assert [len(m.text) for m in above.messages] == [MAX_KEPT_CHARS, 15]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(ImportRefused, match="not a file"):
            read_conversations(path)


# --- choosing ------------------------------------------------------------------------------------------------------------------------


def test_select_by_speakers_whatever_the_case_or_side(write: Write) -> None:
    found = read_conversations(write([sample(TURN), sample(TURN, key="s2", speaker_b="Cy")], "x.json"))
    assert select(found, user="bo", character="ANN", sample=None).key == "s1"
    assert select(found, user="Ann", character="Cy", sample="s2").key == "s2"


def test_select_lists_what_is_there(write: Write) -> None:
    found = read_conversations(write([sample(TURN), sample(TURN, key="s2"), sample(TURN, key="s3", speaker_b="Cy")], "x.json"))
    with pytest.raises(NoSuchConversation, match=r"^No .*s1 \(Ann, Bo\); s2 \(Ann, Bo\); s3 \(Ann, Cy\)"):
        select(found, user="Ann", character="Dan", sample=None)
    with pytest.raises(NoSuchConversation, match=r"^More than one .*s1 \(Ann, Bo\); s2 \(Ann, Bo\)\."):
        select(found, user="Ann", character="Bo", sample=None)
    with pytest.raises(NoSuchConversation):
        select(found, user="Ann", character="Bo", sample="s3")
    assert select(found, user="Ann", character="Bo", sample="s2").key == "s2"


# --- properties ----------------------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from([("Ann", "Bo"), ("小明", "阿兰"), ("J. R. Moor", "the Old Keeper"), ("Ünal", "user_2")])
CHARS = st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n:： []<>{}/|-0123456789Az年月日")
TALKS = st.tuples(
    NAMES,
    st.lists(
        st.tuples(
            st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(lambda d: d.replace(second=0, microsecond=0, tzinfo=UTC)),
            st.lists(st.tuples(st.booleans(), st.text(CHARS, max_size=60).map(str.strip).filter(bool)), min_size=1, max_size=6),
        ),
        min_size=1,
        max_size=4,
        unique_by=lambda session: session[0],
    ),
)
QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Said = list[tuple[str, str, datetime, int]]


def outcome(path: Path) -> tuple[ImportedConversation, ...] | ImportRefused:
    """What was read, or the refusal; anything else raised fails the test."""
    try:
        return read_conversations(path)
    except ImportRefused as refused:
        return refused


def expected(talk: Talk) -> Said:
    (a, b), sessions = talk
    return [
        (a if first else b, text, at + i * STEP, n) for n, (at, turns) in enumerate(sessions, 1) for i, (first, text) in enumerate(turns)
    ]


def read_back(path: Path) -> Said:
    return [(m.speaker, m.text, m.said_at, m.session) for m in only(path).messages]


@QUICK
@given(TALKS)
def test_a_conversation_survives_json(write: Write, talk: Talk) -> None:
    (a, b), sessions = talk
    conversation: dict[str, object] = {"speaker_a": a, "speaker_b": b}
    for n, (at, turns) in enumerate(sessions, 1):
        clock = f"{at:%I:%M} {'am' if at.hour < 12 else 'pm'}".lstrip("0")
        conversation[f"session_{n}_date_time"] = f"{clock} on {at.day} {at:%B}, {at.year}"
        conversation[f"session_{n}"] = [said(text, by=a if first else b) for first, text in turns]
    assert read_back(write({"conversation": conversation}, "x.json")) == expected(talk)


@QUICK
@given(TALKS)
def test_a_conversation_survives_plain_text(write: Write, talk: Talk) -> None:
    (a, b), sessions = talk
    assume(
        all(line == line.rstrip() for _, turns in sessions for _, text in turns for line in text.split("\n"))
    )  # blanks at line ends do not survive
    lines: list[str] = []
    for at, turns in sessions:
        lines.append(f"{at:%Y-%m-%d %H:%M}")
        lines += [f"{a if first else b}: " + text.replace("\n", "\n ") for first, text in turns]
    assert read_back(write("\n".join(lines))) == expected(talk)


@QUICK
@given(
    st.binary(max_size=300)
    | st.text(st.sampled_from(string.printable + "：年月日上下午\ud800"), max_size=300).map(lambda t: t.encode("utf-8", "surrogatepass"))
)
@example(b"[")
@example(b'{"conversation": {"speaker_a": "\\ud800"}}')
@example("9999年12月31日 23:59\nA: b\nA: c".encode())
def test_arbitrary_bytes_are_read_or_refused(write: Write, raw: bytes) -> None:
    found = outcome(write(raw))
    if isinstance(found, ImportRefused):
        assert str(found).encode()
    else:
        assert all(c.messages and c.speakers for c in found)


FIELDS = ["sample_id", "conversation", "speaker_a", "speaker_b", "session_1", "session_1_date_time"]
FIELDS += ["speaker", "text", "dia_id", "blip_caption"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["8 May 2023", "Ann"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=20,
)


@QUICK
@given(VALUES, VALUES)
def test_arbitrary_json_is_read_or_refused(write: Write, value: object, turns: object) -> None:
    for content in (value, sample([turns]), sample(TURN, session_1=turns), sample(TURN) | {"sample_id": value}):
        found = outcome(write(json.dumps(content), "x.json"))
        assert found.params["reason"] if isinstance(found, ImportRefused) else found
