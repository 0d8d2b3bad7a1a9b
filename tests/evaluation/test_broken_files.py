"""Every layout with one thing in it changed or gone: refused with a message that names file, record and field, or read; never a crash."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from errors import KeepsakeError
from evaluation.__main__ import main
from evaluation.datasets import DataRefused
from evaluation.extraction import read_extraction
from evaluation.question_files import read_questions
from tests.evaluation import test_datasets, test_longmemeval, test_membench
from tests.evaluation.test_layouts import DIALOGUE, EPISODE, _export

OTHERS: tuple[Any, ...] = (None, 0, -1, "", "x", [], {}, [None], {"a": None}, True, "9" * 5000, "\u202e<b>")
SAID = ["<BOD>\n", '<Ann>: "I ride."\n', '<Assistant>: "Where?"\n', '<Ann>: "In Ghent."\n', '<Assistant>: "Nice."\n']
EVIDENCE = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "Where?",
    "question_date": "2023/06/01",
    "answer": "Ghent",
    "evidence_sessions": [{"date": "2023/05/30", "turns": [{"role": "user", "content": "In Ghent."}]}],
}
MADIAL = {
    "en-memory.jsonl": [{"1": {"time": "2023-12-25", "event": "Ann met Ines."}, "2": {"time": "2023.12.26", "event": "Leo sails."}}],
    "en-dialogue.jsonl": [
        {"dialogue": SAID, "test-turn": [2, 4], "relevant-id": [1], "user-id": 7},
        {"dialogue": ['<Leo>: "Windy?"\n', '<Assistant>: "So."\n'], "test-turn": [1], "relevant-id": [2], "user-id": 8},
    ],
}
MEMORY_BANK = {
    "memory_bank_en.json": {"Emily": {"name": "Emily", "history": {"2023-05-01": [{"query": "Hi, I read.", "response": "Nice."}]}}},
    "probing_questions_en.jsonl": [{"Emily": ["What do I do?"]}],
}
CHATS = {
    "one.jsonl": [
        {"user_name": "Ann", "character_name": "Bo"},
        {"name": "Ann", "is_user": True, "mes": "Hi there.", "send_date": "2024-01-01"},
        {"name": "Bo", "is_user": False, "mes": "Yes."},
    ],
    "questions.jsonl": [
        {"chat": "one", "question": "Who?", "evidence": [1], "answer": "Ann", "options": ["a", "b"], "right": 1},
        {"chat": "one", "note": "Ann says hi.", "about": "Ann", "evidence": [1]},
    ],
}
LOCOMO = {
    "sample_id": "c1",
    "conversation": test_datasets.TALK,
    "qa": [test_datasets.question(["D1:1"])],
    "observation": {"session_1_observation": {"Ann": [["Ann sails to Ghent.", "D1:1"]]}},
    "event_summary": {"events_session_1": {"Ann": ["Ann sails."], "date": "8 May"}},
}
ROLE_MEMO = {
    "persona": {"role_name": "Zoe", "core_values": "Nobody is left behind.", "background": "A ferry pilot."},
    "samples": [
        {
            "insight": "The player pays for a brother's ease.",
            "fragments": ["works late to pay for evening school", "the parents gave the brother a flat"],
            "test_question": {"text": "Why am I so tired?", "type": "Interpretive Attribution"},
            "dialogue": {
                "dialogue": [
                    {"role": "User", "content": "Soup again, as I work late to pay for the evening school."},
                    {"role": "Assistant", "content": "Soup keeps."},
                    {"role": "User", "content": "My brother cooks in the flat that the parents gave him."},
                    {"role": "Assistant", "content": "What does he cook?"},
                ],
                "fragment_positions": {"fragment_2": "My brother cooks in the flat that the parents gave him."},
            },
        },
        {
            "insight": "The player tidies what cannot be mended.",
            "fragments": ["sorted the whole cellar on Sunday"],
            "test_question": {"text": "Should I sort the attic too?", "type": "Decision Guidance"},
            "dialogue": {
                "dialogue": [
                    {"role": "User", "content": "Before the film I sorted the whole cellar on Sunday."},
                    {"role": "Assistant", "content": "Which film?"},
                ]
            },
        },
    ],
}
LAYOUTS: dict[str, dict[str, Any]] = {
    "msc": {"msc.jsonl": [EPISODE]},
    "zh4o": {"zh.json": [DIALOGUE]},
    "export": {"made.keepsake-annotation.jsonl": _export()},
    "longmemeval": {"oracle.json": [test_longmemeval._question()]},
    "longmemeval evidence": {"evidence.jsonl": [EVIDENCE]},
    "membench": {
        "First.json": {"simple": [test_membench._item(test_membench.FLAT, [0]), test_membench._item(test_membench.SESSIONS, [[4, 0]])]}
    },
    "madial": MADIAL,
    "memorybank": MEMORY_BANK,
    "chats": CHATS,
    "locomo": {"made.json": [LOCOMO]},
    "rolememo": {"zoe.json": ROLE_MEMO},
}


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*place, key)
        yield from _places(part, (*place, key))


def _changed(value: Any, place: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for key in place[:-1]:
        inner = inner[key]
    change(inner, place[-1])
    return value


def _written(folder: Path, files: dict[str, Any]) -> Path:
    """The folder, or the file where there is one alone."""
    folder.mkdir(exist_ok=True)
    for name, value in files.items():
        text = (
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in value)
            if name.endswith(".jsonl")
            else json.dumps(value, ensure_ascii=False)
        )
        (folder / name).write_text(text, encoding="utf-8")
    return folder if len(files) > 1 else folder / next(iter(files))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_whatever_is_changed_is_read_or_refused_by_file_record_and_field(tmp_path: Path, layout: str) -> None:
    files = LAYOUTS[layout]
    read_questions(_written(tmp_path / "data", files))
    refused: list[KeepsakeError] = []
    for name, value in files.items():
        for place in _places(value):

            def remove(inner: Any, key: Any) -> None:
                del inner[key]

            changes: list[Callable[[Any, Any], None]] = [remove]
            changes += [lambda inner, key, other=other: inner.__setitem__(key, other) for other in OTHERS]  # type: ignore[misc]
            for change in changes:
                path = _written(tmp_path / "data", files | {name: _changed(value, place, change)})
                for read in (read_questions, read_extraction):
                    try:
                        read(path)
                    except KeepsakeError as error:
                        refused.append(error)
    assert len(refused) > 30
    assert {error.params["file"] for error in refused} <= {*files, "data"}
    assert max(len(str(error)) for error in refused) < 1000


@pytest.mark.parametrize(
    ("layout", "file", "place", "said"),
    [
        ("madial", "en-dialogue.jsonl", (0, "dialogue"), "en-dialogue.jsonl, line 1: in its field dialogue nobody"),
        ("madial", "en-memory.jsonl", (0, "1", "time"), "en-memory.jsonl, line 1: its field 1.time, '', is no date"),
        ("madial", "en-memory.jsonl", (0, "1", "event"), "en-memory.jsonl, line 1: its field 1.event is missing"),
        ("madial", "en-dialogue.jsonl", (0, "relevant-id"), "line 1: its field relevant-id is missing"),
        ("longmemeval", "oracle.json", (0, "haystack_dates", 0), "oracle.json, q1: its field haystack_dates.0, '', is no date"),
        ("longmemeval evidence", "evidence.jsonl", (0, "evidence_sessions", 0, "date"), "line 1: its field evidence_sessions.0.date, ''"),
        ("longmemeval evidence", "evidence.jsonl", (0, "evidence_sessions", 0, "turns"), "line 1: its field evidence_sessions.0.turns"),
        ("memorybank", "probing_questions_en.jsonl", (0, "Emily", 0), "line 1, Emily, question 1: it is no text"),
        ("rolememo", "zoe.json", ("samples", 1, "test_question", "text"), "zoe.json: its field samples.1.test_question.text is missing"),
        ("chats", "questions.jsonl", (0, "evidence"), "questions.jsonl, line 1: its field evidence"),
    ],
)
def test_a_fault_is_named_where_it_is(tmp_path: Path, layout: str, file: str, place: tuple[Any, ...], said: str) -> None:
    empty: Any = {"dialogue": [], "event": None}.get(str(place[-1]), "")
    broken = _changed(LAYOUTS[layout][file], place, lambda inner, key: inner.__setitem__(key, empty))
    with pytest.raises(DataRefused, match=said.replace(".", r"\.")):
        read_questions(_written(tmp_path / "data", LAYOUTS[layout] | {file: broken}))


def test_two_questions_of_one_id_are_refused(tmp_path: Path) -> None:
    for layout in ("longmemeval", "longmemeval evidence"):
        ((name, value),) = LAYOUTS[layout].items()
        with pytest.raises(DataRefused, match="q1: two questions have this question_id"):
            read_questions(_written(tmp_path / "data", {name: value * 2}))


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.json", ""),
        ("a.jsonl", ""),
        ("a.json", '{"message_list":'),
        ("a.json", '{"dialogue":'),
        ("probing_questions_en.jsonl", '{"a":'),
        ("a.jsonl", '{"kind":"keepsake-annotation","x":'),
    ],
)
def test_what_is_nested_without_end_is_refused(tmp_path: Path, name: str, head: str) -> None:
    (tmp_path / name).write_text(head + "[" * 100_000, encoding="utf-8")
    for read in (read_questions, read_extraction):
        with pytest.raises(KeepsakeError):
            read(tmp_path / name)


def test_lines_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = _written(tmp_path / "data", LAYOUTS["msc"])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read_questions(path)[0].conversations) == 1


def test_what_cannot_be_written_or_seeded_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = tmp_path / "ratings.jsonl"
    lines = [{"item": f"q{n}", "rater": who, "label": "right"} for n in (1, 2) for who in ("Ann", "Bo")]
    ratings.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for wrong in (
        ["--out", str(ratings)],
        ["--out", str(tmp_path / "out"), "--seed", "-1"],
        ["--out", str(tmp_path / "out"), "--seed", "x"],
    ):
        with pytest.raises(SystemExit) as caught:
            main(["agreement", "--data", str(ratings), *wrong])
        assert caught.value.code == 2
    assert main(["agreement", "--data", str(ratings), "--out", str(ratings / "inside")]) == 1
    assert "Not a directory. What was measured before is kept" in capsys.readouterr().err
