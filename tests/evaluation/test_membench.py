"""MemBench's layouts, as files of our own: flat and in sessions, participation and observation, and what is broken in them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.datasets import DataRefused
from evaluation.membench import read_membench
from evaluation.question_files import read_retrieval

FLAT = [
    {
        "user": "My cousin Ines restores harps. (time: '2024-10-01 08:00' Tuesday)",
        "agent": "A patient trade. (time: '2024-10-01 08:00' Tuesday)",
    },
    {"user": "Rain all day in Bergen. (time: '2024-10-02 09:30' Wednesday)", "agent": "Stay in, then."},
    {"user": "Ines turned forty. (time: '2024-10-03 10:00' Thursday)", "agent": "Forty suits a harp restorer."},
]
SESSIONS = [
    [
        {
            "mid": 4,
            "user_message": "I keep bees.",
            "assistant_message": "How many hives?",
            "time": "'2024-03-01 10:00' Friday",
            "place": "Turin, Italy",
        }
    ],
    [{"mid": 4, "user_message": "Five hives now.", "assistant_message": "A village.", "time": "'2024-03-02 10:00' Saturday"}],
]
OBSERVED = ["My aunt Ola drives a tram. time'2024-10-01 08:00'", "The tram is number nine."]


def _item(steps: list[Any], target: Any, **more: Any) -> dict[str, Any]:
    choices = {"A": "harps", "B": "clocks", "C": "boats", "D": "chairs"}
    return {
        "tid": 1,
        "message_list": steps,
        "QA": {"qid": 0, "question": "What does she restore?", "target_step_id": target, "choices": choices, "ground_truth": "A", **more},
    }


def _file(folder: Path, value: Any) -> Path:
    file = folder / "FirstAgentDataLowLevel.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def test_a_flat_dialogue_has_its_steps_by_place_and_its_times_from_the_words(tmp_path: Path) -> None:
    data = read_membench(_file(tmp_path, {"simple": {"roles": [_item(FLAT, [0, 2], time="'2024-10-09 12:00' Wednesday")]}}))
    (question,), (conversation,) = data.questions, data.conversations
    assert (question.category, question.evidence) == ("simple", ("S0:0", "S0:1", "S2:0", "S2:1"))
    assert question.asked_at == datetime(2024, 10, 9, 12, tzinfo=UTC)
    assert [m.said_at.date().day for m in conversation.messages] == [1, 1, 2, 2, 3, 3]
    assert [m.speaker for m in conversation.messages[:2]] == ["user", "assistant"]


def test_in_sessions_a_target_is_an_id_and_a_session(tmp_path: Path) -> None:
    data = read_membench(
        _file(tmp_path, {"simple": {"roles": [_item(SESSIONS, [[4, 1]]), _item(SESSIONS, [[4, 0]]), _item(SESSIONS, [[9, 0]])]}})
    )
    assert [q.evidence for q in data.questions] == [("S1:0", "S1:1"), ("S0:0", "S0:1")]
    assert (data.questions_without_evidence, data.evidence_unresolved) == (1, 1)
    said = data.conversations[0].messages
    assert said[0].text == "I keep bees. (at Turin, Italy)"
    assert [m.session for m in said] == [1, 1, 2, 2]


def test_observation_is_texts_alone(tmp_path: Path) -> None:
    data = read_membench(_file(tmp_path, {"conditional": [_item(OBSERVED, 1)]}))
    assert data.questions[0].evidence == ("S1:0",)
    assert [m.speaker for m in data.conversations[0].messages] == ["user", "user"]
    assert data.conversations[0].messages[0].said_at.date().isoformat() == "2024-10-01"


def test_time_never_runs_back(tmp_path: Path) -> None:
    data = read_membench(_file(tmp_path, {"simple": [_item([FLAT[2], FLAT[0]], [0])]}))
    said = [m.said_at for m in data.conversations[0].messages]
    assert said == sorted(said)


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"simple": {"roles": [{"message_list": FLAT}]}}, "field QA"),
        ({"simple": {"roles": [{"message_list": [], "QA": {"question": "?"}}]}}, "field message_list"),
        ({"simple": {"roles": [_item([{"user": " "}], [0])]}}, "step 0"),
        ({"simple": {"roles": [_item([7], [0])]}}, "step 0"),
        ({"simple": {"roles": [_item(FLAT, [77])]}}, "no question names a step"),
        ({"simple": {"roles": [{**_item(FLAT, [0]), "QA": {"question": ""}}]}}, "field QA.question"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, value: Any, where: str) -> None:
    with pytest.raises(DataRefused, match=where):
        read_membench(_file(tmp_path, value))


def test_a_folder_of_files_is_known_by_its_content_and_measured(tmp_path: Path) -> None:
    _file(tmp_path, {"simple": {"roles": [_item(FLAT, [0])]}})
    (tmp_path / "ThirdAgentDataLowLevel.json").write_text(json.dumps({"simple": [_item(OBSERVED, [0])]}), encoding="utf-8")
    assert [data.name for data in read_retrieval(tmp_path)] == ["FirstAgentDataLowLevel", "ThirdAgentDataLowLevel"]
    assert main(["retrieval", "--data", str(tmp_path), "--out", str(tmp_path / "out"), "--systems", "sparse"]) == 0
    figures = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert {f["dataset"] for f in figures} == {"FirstAgentDataLowLevel", "ThirdAgentDataLowLevel"}
