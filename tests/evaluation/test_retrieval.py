"""Retrieval runs on the product's own recall: question sets in every layout, the talk before a cue, and the figures that come of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evaluation.datasets import DataRefused
from evaluation.question_files import read_retrieval
from evaluation.retrieval import OWN_WORDS, evaluate

TALK = {
    "speaker_a": "Ann",
    "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "What did you plant on the balcony?"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Tomatoes, and a fig tree in a barrel."},
        {"speaker": "Ann", "dia_id": "D1:3", "text": "My sister Clara keeps bees on a roof in Ghent."},
        {"speaker": "Bo", "dia_id": "D1:4", "text": "Honey from a roof, how grand."},
    ],
}
QUESTIONS = [
    {"question": "What grows on Bo's balcony?", "category": 1, "evidence": ["D1:2"]},
    {"question": "Where does Clara keep bees?", "category": 4, "evidence": ["D1:3"]},
]


def _lines(path: Path, items: list[object]) -> None:
    path.write_text("\n".join(json.dumps(item, ensure_ascii=False) for item in items), encoding="utf-8")


@pytest.fixture
def madial(tmp_path: Path) -> Path:
    _lines(
        tmp_path / "en-memory.jsonl",
        [
            {"1": {"time": "2024-01-05", "event": "Mia fell off her bicycle and broke an arm."}},
            {"2": {"time": "2024-02-01", "event": "Mia won the spelling prize at school, and Leo cheered."}},
            {"3": {"time": "2024-02-09", "event": "Leo lost his kite in the wood."}},
        ],
    )
    said = ["<BOD>\n", '<Mia>: "I had a fall today."\n', '<Assistant>: "Oh no, from what?"\n', '<Mia>: "My new bicycle!"\n', "<EOD>\n"]
    _lines(
        tmp_path / "en-dialogue.jsonl",
        [
            {"dialogue": said, "test-turn": [2, 4], "relevant-id": [1], "user-id": 7},
            {"dialogue": ['<Leo>: "Windy, isn\'t it?"\n', "<Assistant>: …"], "test-turn": [1], "relevant-id": [3, 99], "user-id": 8},
        ],
    )
    return tmp_path


def test_talks_and_what_should_come_to_mind_in_them(madial: Path) -> None:
    (data,) = read_retrieval(madial)
    assert [c.key for c in data.conversations] == ["en-7", "en-8"]
    assert [m.text[:8] for m in data.conversations[0].messages] == ["Mia fell", "Mia won "]  # a memory is of whom it names first
    first, second, third = data.questions
    assert (first.text, first.talk, first.evidence) == ("I had a fall today.", (), ("1",))
    assert second.text == "My new bicycle!"
    assert [m.speaker for m in second.talk] == ["Mia", "assistant"]
    assert third.evidence == ("3",)
    assert data.evidence_unresolved == 1


def test_evidence_of_all_questions_is_one_conversation_in_the_order_of_its_dates(tmp_path: Path) -> None:
    def question(name: str, *sessions: tuple[str, str]) -> dict[str, object]:
        evidence = [{"date": date, "turns": [{"role": "user", "content": text}]} for date, text in sessions]
        asked = {
            "question_id": name,
            "question_type": "one",
            "question": "Why?",
            "question_date": "2023/05/30 (Tue) 08:15" if sessions else "",
        }
        return {**asked, "evidence_sessions": evidence}

    file = tmp_path / "made.jsonl"
    _lines(
        file, [question("q1", ("2023/05/21 (Sun) 12:44", "late")), question("q2", ("2023/05/20 (Sat) 09:00", "early")), question("q3_abs")]
    )
    (data,) = read_retrieval(file)
    assert [m.text for m in data.conversations[0].messages] == ["early", "late"]
    assert [q.asked_at for q in data.questions] == [datetime(2023, 5, 30, 8, 15, tzinfo=UTC)] * 2
    assert data.questions_without_evidence == 1
    _lines(file, [{"question_id": "q1"}])
    with pytest.raises(DataRefused, match="line 1"):
        read_retrieval(file)


def test_the_figures_say_what_was_found_of_whose_words(tmp_path: Path) -> None:
    path = tmp_path / "made.json"
    path.write_text(json.dumps([{"sample_id": "c1", "conversation": TALK, "qa": QUESTIONS}]), encoding="utf-8")
    (data,) = read_retrieval(path)
    figures = list(evaluate(data, systems=["keepsake-turns", "without-answers"], seed=0))
    found = {(f.system, f.category): f for f in figures if f.metric == "recall_any" and f.k == 5}
    assert found["keepsake-turns", None].value == 1.0
    assert found["keepsake-turns", None].n == 2
    assert found["keepsake-turns", OWN_WORDS].n == 1
    assert {f.system for f in figures if f.metric == "recall_any_minus_keepsake-turns"} == {"without-answers"}


def test_the_talk_before_a_cue_is_there_and_takes_no_place(madial: Path) -> None:
    (data,) = read_retrieval(madial)
    figures = list(evaluate(data, systems=["keepsake-turns"], seed=0))
    assert [f.value for f in figures if f.metric == "recall_any" and f.k == 5 and f.category is None] == [1.0]
