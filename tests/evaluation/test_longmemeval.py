"""LongMemEval's own files and its evidence alone, as files of our own, and what is broken in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused
from evaluation.question_files import read_retrieval


def _turn(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def _question(**more: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where does Ines work?",
        "answer": "Ghent",
        "question_date": "2023/06/01 (Thu) 08:15",
        "haystack_dates": ["2023/05/30 (Tue) 10:00", "2023/05/20 (Sat) 12:44"],
        "haystack_session_ids": ["s2", "s1"],
        "haystack_sessions": [
            [_turn("user", "It rained."), _turn("assistant", "A pity.")],
            [_turn("user", "My cousin Ines works in Ghent.", has_answer=True), _turn("assistant", "A fine town."), _turn("user", " ")],
        ],
        **more,
    }


def _file(folder: Path, value: Any) -> Path:
    (folder / "oracle.json").write_text(json.dumps(value), encoding="utf-8")
    return folder / "oracle.json"


def test_each_question_has_its_own_history_in_the_order_of_its_dates(tmp_path: Path) -> None:
    (data,) = read_retrieval(_file(tmp_path, [_question(), _question(question_id="q2", question_type="temporal-reasoning")]))
    assert [c.key for c in data.conversations] == ["q1", "q2"]
    said = data.conversations[0].messages
    assert [m.text for m in said] == ["My cousin Ines works in Ghent.", "A fine town.", "It rained.", "A pity."]
    assert [m.session for m in said] == [1, 1, 2, 2]
    assert [m.said_at for m in said] == sorted({m.said_at for m in said})
    question = data.questions[0]
    assert question.evidence == (said[0].external_id,)
    assert (question.category, question.asked_at and question.asked_at.isoformat()) == ("single-session-user", "2023-06-01T08:15:00+00:00")


def test_what_is_to_be_abstained_from_is_kept_apart(tmp_path: Path) -> None:
    silent = [[_turn("user", "It rained.")]]
    abstain = _question(question_id="q3_abs", haystack_dates=["2023/05/20"], haystack_sessions=silent)
    (data,) = read_retrieval(_file(tmp_path, [_question(), abstain]))
    assert [q.id for q in data.without_evidence] == ["q3_abs"]


def test_a_turn_longer_than_a_message_is_cut(tmp_path: Path) -> None:
    long = [[_turn("assistant", "word " * MAX_MESSAGE_CHARS, has_answer=True)]]
    (data,) = read_retrieval(_file(tmp_path, [_question(haystack_dates=["2023/05/20"], haystack_sessions=long)]))
    assert len(data.conversations[0].messages[0].text) == MAX_MESSAGE_CHARS


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ([_question(), {**_question(), "question": 7}], "question 2: its question"),
        ([_question(haystack_dates=["2023/05/20"])], "q1: it has not one date"),
        ([_question(haystack_dates=["soon", "2023/05/20"])], "is no date"),
        ([_question(haystack_sessions=[[_turn("user", "a")], [_turn("user", "b")]])], "no question has evidence"),
        ([_question(haystack_sessions=[[], []])], "its sessions are empty"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, value: Any, where: str) -> None:
    with pytest.raises(DataRefused, match=where):
        read_retrieval(_file(tmp_path, value))


def test_evidence_alone_is_one_conversation_of_all_questions(tmp_path: Path) -> None:
    def line(number: int, day: str) -> str:
        sessions = [{"date": f"2023/05/{day} (Sat) 12:44", "turns": [_turn("user", f"Number {number} is my favourite.")]}]
        return json.dumps(
            {
                **{k: v for k, v in _question(question_id=f"q{number}").items() if not k.startswith("haystack")},
                "evidence_sessions": sessions,
            }
        )

    (tmp_path / "evidence.jsonl").write_text("\n".join([line(1, "21"), line(2, "07")]) + "\n", encoding="utf-8")
    (data,) = read_retrieval(tmp_path / "evidence.jsonl")
    assert [m.text for m in data.conversations[0].messages] == ["Number 2 is my favourite.", "Number 1 is my favourite."]
    assert [q.evidence for q in data.questions] == [("q1:0:0",), ("q2:0:0",)]
    (tmp_path / "evidence.jsonl").write_text(line(1, "21") + "\n{}\n", encoding="utf-8")
    with pytest.raises(DataRefused, match="line 2"):
        read_retrieval(tmp_path / "evidence.jsonl")
