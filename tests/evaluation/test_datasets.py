"""Question files: evidence however it is spelt, and everything left out counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.import_formats import ImportRefused
from evaluation.datasets import DataRefused, RetrievalQuestion, data_files, read_locomo, resolve_evidence, turn_index

TALK: dict[str, Any] = {
    "speaker_a": "Ann",
    "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "a"}, {"speaker": "Bo", "dia_id": "D1:2", "text": "b"}],
    "session_11_date_time": "1:56 pm on 9 May, 2023",
    "session_11": [{"speaker": "Ann", "dia_id": "D11:26", "text": "c"}],
}


def question(evidence: object, *, category: object = 1, text: object = "Who?") -> dict[str, object]:
    return {"question": text, "category": category, "evidence": evidence, "answer": "Ann"}


def write(folder: Path, qa: object, *, name: str = "five.json", key: str = "c1") -> Path:
    path = folder / name
    path.write_text(json.dumps([{"sample_id": key, "conversation": TALK, "qa": qa}]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("evidence", "found", "unresolved"),
    [
        (["D1:1", "D1:2"], ("D1:1", "D1:2"), 0),
        (["D1:2; D11:26"], ("D1:2", "D11:26"), 0),
        (["D1:1 D1:2"], ("D1:1", "D1:2"), 0),
        (["D1:1D1:2"], ("D1:1", "D1:2"), 0),
        (["D01:02", "D:11:26", "D1:2"], ("D1:2", "D11:26"), 0),
        (["D"], (), 1),
        (["D", "D1:1"], ("D1:1",), 1),
        (["D1:1; D"], ("D1:1",), 1),
        (["D1:3", "D9:9; D1:1"], ("D1:1",), 2),
        ([""], (), 1),
        ([], (), 0),
    ],
)
def test_evidence_is_read_however_it_is_spelt(tmp_path: Path, evidence: list[str], found: tuple[str, ...], unresolved: int) -> None:
    (conversation,) = read_locomo(write(tmp_path, [question(["D1:1"])])).conversations
    assert resolve_evidence(evidence, turn_index(conversation)) == (found, unresolved)


def test_questions_without_evidence_are_left_out_and_counted(tmp_path: Path) -> None:
    qa = [
        question(["D1:1; D1:2", "D9:1"], category=2),
        question(["D"]),
        question([]),
        {"question": "Why?", "category": 5},
        question(["D1:2"]),
    ]
    data = read_locomo(write(tmp_path, qa))
    assert data.name == "five"
    assert data.questions == (
        RetrievalQuestion("c1-q1", "c1", "Who?", "temporal", ("D1:1", "D1:2"), answer="Ann"),
        RetrievalQuestion("c1-q5", "c1", "Who?", "multi-hop", ("D1:2",), answer="Ann"),
    )
    assert (data.questions_without_evidence, data.evidence_unresolved, data.evidence_glued) == (3, 2, 1)
    assert data.notices[1] == "questions left out, no evidence names a turn: 3"


def test_all_five_categories_have_their_names(tmp_path: Path) -> None:
    data = read_locomo(write(tmp_path, [question(["D1:1"], category=n) for n in range(1, 6)]))
    assert [q.category for q in data.questions] == ["multi-hop", "temporal", "open-domain", "single-hop", "adversarial"]


def test_a_folder_is_its_json_files(tmp_path: Path) -> None:
    write(tmp_path, [question(["D1:1"])], name="b.json", key="c2")
    write(tmp_path, [question(["D1:1"])], name="a.json", key="c1")
    (tmp_path / "LICENSE.txt").write_text("free")
    assert [path.name for path in data_files(tmp_path)] == ["a.json", "b.json"]
    assert [q.id for q in read_locomo(tmp_path).questions] == ["c1-q1", "c2-q1"]


@pytest.mark.parametrize(
    ("qa", "reason"),
    [
        (None, "no list of questions"),
        (["Who?"], "not an object"),
        ([question(["D1:1"], category=6)], "category"),
        ([question(["D1:1"], category="1")], "category"),
        ([question("D1:1")], "evidence is not a list"),
        ([question([1])], "evidence is not a list"),
        ([question(["D1:1"], text="")], "question is no text"),
        ([question(["D7:7"])], "no question has evidence"),
        ([], "no question has evidence"),
    ],
)
def test_a_question_file_is_refused_with_its_reason(tmp_path: Path, qa: object, reason: str) -> None:
    with pytest.raises(DataRefused, match=reason) as refused:
        read_locomo(write(tmp_path, qa))
    assert refused.value.params["file"] == "five.json"


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataRefused, match=r"no \.json"):
        read_locomo(tmp_path)
    text = tmp_path / "talk.json"
    text.write_text("[2024-05-01] Ann: hello")
    with pytest.raises(DataRefused, match="no questions"):
        read_locomo(text)
    text.write_text('{"rows": []}')
    with pytest.raises(ImportRefused, match="unknown layout"):
        read_locomo(text)
    write(tmp_path, [question(["D1:1"])], name="talk.json")
    write(tmp_path, [question(["D1:1"])], name="talk2.json")
    with pytest.raises(DataRefused, match="two conversations"):
        read_locomo(tmp_path)
