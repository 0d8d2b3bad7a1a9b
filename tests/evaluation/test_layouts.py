"""Files in the layouts of others: what is read of them, and what a broken one says: file, record and field."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.datasets import DataRefused, read_talks
from evaluation.extraction import read_extraction
from evaluation.msc import ASKED, REPLY
from evaluation.question_files import read_questions, read_retrieval, retrieval_files
from evaluation.tasks import TASKS

EPISODE: dict[str, Any] = {
    "previous_dialogs": [
        {"dialog": [{"text": "I restore harps in Ghent."}, {"text": "I keep bees."}], "time_num": 2, "time_unit": "days"},
        {"dialog": [{"text": "A string broke today."}, {"text": "Mine stung me."}], "time_num": 7, "time_unit": "hours"},
    ],
    "dialog": [
        {"id": "Speaker 1", "text": "How are the bees?"},
        {"id": "Speaker 2", "text": "Calm again. And the harps?"},
        {"id": "Speaker 1", "text": "Strung."},
        {"id": "Speaker 2", "text": "Play me one."},
    ],
    "self_instruct": {"B": "What do you restore?", "A": "Harps, in Ghent."},
}
DIALOGUE: dict[str, Any] = {
    "id": "d1",
    "dialogue": [
        {"speaker": "用户", "text": "我叫林雨，我养了一只叫阿橘的猫。"},
        {"speaker": "角色", "text": "阿橘一定很可爱。"},
        {"speaker": "用户", "text": "它今年三岁了。"},
        {"speaker": "角色", "text": "正是调皮的年纪。"},
    ],
    "memories": [{"content": "林雨养了一只叫阿橘的猫", "turns": [1]}, {"content": "阿橘三岁", "turn": 3}],
    "probes": [
        {"question": "我的猫叫什么？", "options": {"A": "小白", "B": "阿橘", "C": "团子", "D": "煤球"}, "answer": "B", "turns": [1]},
        {"question": "阿橘几岁？", "options": ["一岁", "两岁", "三岁", "四岁"], "answer": "三岁", "position": 3},
    ],
}


def _export(**changes: Any) -> list[dict[str, Any]]:
    turns = [
        {
            "number": n,
            "round": n,
            "session": 1,
            "role": "user",
            "speaker": who,
            "text": text,
            "said_at": 1_700_000_000_000 + n,
            "external_id": "",
        }
        for n, (who, text) in enumerate((("Mara", "I restore harps."), ("Nell", "In Ghent?"), ("Mara", "In Ghent, yes.")), start=1)
    ]
    point = {"number": 1, "text": "Mara restores harps in Ghent.", "category": "Work", "language": "en", "evidence": {"turns": [1, 3]}}
    return [
        {"kind": "keepsake-annotation", "version": 1, "withheld": 0, "project": {}},
        {"kind": "dialogue", "number": 4, "title": "A talk", "language": "en", "turns": turns},
        {"kind": "gold", "dialogue": 4, "points": [point | changes]},
        {"kind": "end", "lines": 3, "sha256": ""},
    ]


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def test_the_replies_of_a_last_session_are_what_is_asked_for(tmp_path: Path) -> None:
    (data,) = read_questions(_lines(tmp_path / "msc.jsonl", [EPISODE]))
    (talk,) = data.conversations
    assert [(m.external_id, m.speaker) for m in talk.messages] == [
        ("D1:1", "Speaker 1"), ("D1:2", "Speaker 2"), ("D2:1", "Speaker 1"), ("D2:2", "Speaker 2"),
    ]  # fmt: skip
    assert talk.messages[2].said_at - talk.messages[0].said_at == timedelta(days=2)
    first, second, asked = data.without_evidence
    assert (first.category, first.text, first.answer) == (REPLY, "How are the bees?", "Calm again. And the harps?")
    assert [m.text for m in second.talk] == ["How are the bees?", "Calm again. And the harps?"]
    assert first.asked_at is not None
    assert first.asked_at - talk.messages[2].said_at == timedelta(hours=7)
    assert (asked.category, asked.answer) == (ASKED, "Harps, in Ghent.")
    with pytest.raises(DataRefused, match="names the turns"):
        read_retrieval(tmp_path / "msc.jsonl")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dialog": [{"id": "Speaker 3", "text": "Hm."}]}, r"msc.jsonl, line 1, session 1, turn 1: its id is neither"),
        ({"previous_dialogs": [{"dialog": [{"txt": "a"}]}]}, r"msc.jsonl, line 1: its field previous_dialogs.0.dialog.0.text"),
        ({"previous_dialogs": [{"dialog": [{"text": "a"}], "time_unit": "moons"}]}, r"line 1, session 1: its time_unit 'moons'"),
        ({"previous_dialogs": [{"dialog": [{"text": " "}]}]}, r"line 1: its earlier sessions hold no words"),
        ({"self_instruct": {"B": "Who?"}}, r"line 1: its field self_instruct.A"),
        ({"dialog": [], "self_instruct": None}, r"no episode has a last session"),
    ],
)
def test_a_broken_episode_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(DataRefused, match=said):
        read_questions(_lines(tmp_path / "msc.jsonl", [EPISODE | change]))


def test_memory_points_and_probes_of_a_dialogue(tmp_path: Path) -> None:
    file = tmp_path / "zh.json"
    file.write_text(json.dumps([DIALOGUE], ensure_ascii=False), encoding="utf-8")
    (data,) = read_retrieval(file)
    assert data.language == "zh"
    assert data.conversations[0].speakers == ("用户", "角色")
    assert [(q.right, q.evidence) for q in data.questions] == [(1, ("T1",)), (2, ("T3",))]
    noted = read_extraction(file)
    assert [(la.text, la.about) for la in noted.labels] == [("林雨养了一只叫阿橘的猫", "用户"), ("阿橘三岁", "用户")]
    assert [q.id for q in noted.source.questions] == [q.id for q in data.questions]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda d: d["probes"][0].update(answer="E"), r"zh.json, dialogue 1, probe 1: its answer is none of its options"),
        (lambda d: d["probes"][1].update(position=9), r"dialogue 1, probe 2: it names turn 9 of 4"),
        (lambda d: d["memories"][1].update(turn=0), r"dialogue 1, memory 2: it names turn 0 of 4"),
        (lambda d: d["memories"][0].pop("content"), r"dialogue 1: its field memories.0.content"),
        (lambda d: d["dialogue"][2].update(text=3), r"dialogue 1: its field dialogue.2.text"),
        (lambda d: [turn.update(speaker="用户") for turn in d["dialogue"]], r"dialogue 1: one speaker alone"),
    ],
)
def test_a_broken_dialogue_is_named(tmp_path: Path, broken: Callable[[dict[str, Any]], object], said: str) -> None:
    made = json.loads(json.dumps(DIALOGUE))
    broken(made)
    (tmp_path / "zh.json").write_text(json.dumps([made], ensure_ascii=False), encoding="utf-8")
    with pytest.raises(DataRefused, match=said):
        read_questions(tmp_path / "zh.json")


@pytest.mark.long
def test_gold_of_an_export_is_what_extraction_is_compared_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _lines(tmp_path / "mine.keepsake-annotation.jsonl", _export())
    data = read_extraction(file)
    (label,) = data.labels
    assert (label.kind, label.about, label.text) == ("Work", "Mara", "Mara restores harps in Ghent.")
    assert [m.external_id for m in data.source.conversations[0].messages] == ["T1", "T2", "T3"]
    assert main(["extraction", "--data", str(file), "--out", str(tmp_path / "out"), "--systems", "reader"]) == 0
    found = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert {f["n"] for f in found if f["metric"] == "rougeL_recall"} == {1}
    assert not any(f["metric"] == "coverage" for f in found)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (_export(evidence={"turns": [9]}), r"dialogue-4, point 1: it has no turn 9"),
        (_export(text=""), r"line 3: its field points.0.text"),
        (_export()[:-1], r"it breaks off"),
        ([_export()[0], _export()[3]], r"no dialogue has gold"),
        ([_export()[0], _export()[2], _export()[3]], r"line 2: it has no dialogue 4"),
        ([_export()[0] | {"version": "one"}, *_export()[1:]], r"line 1: its field version"),
    ],
)
def test_a_broken_export_is_named(tmp_path: Path, records: list[Any], said: str) -> None:
    with pytest.raises(DataRefused, match=said):
        read_extraction(_lines(tmp_path / "mine.keepsake-annotation.jsonl", records))


def _chats(folder: Path, lines: list[Any]) -> Path:
    folder.mkdir()
    header = {"user_name": "Mara", "character_name": "Nell", "create_date": "2024-05-01@10h00m00s"}
    said = [
        {"name": "Mara", "is_user": True, "mes": "I restore harps in Ghent.", "send_date": "2024-05-01 10:00"},
        {"name": "Nell", "is_user": False, "mes": "A patient trade.", "send_date": "2024-05-01 10:01", "swipes": ["Hm.", "A patient trade."], "swipe_id": 1},
        {"name": "Mara", "is_user": True, "mes": "It is.", "send_date": "2024-05-01 10:02"},
    ]  # fmt: skip
    _lines(folder / "nell.jsonl", [header, *said])
    _lines(folder / "questions.jsonl", lines)
    return folder


def test_a_chat_of_a_role_play_program_with_questions_beside_it(tmp_path: Path) -> None:
    asked = [
        {
            "chat": "nell",
            "question": "What does Mara restore?",
            "evidence": [1],
            "answer": "Harps.",
            "options": ["harps", "boats"],
            "right": 1,
        },
        {"chat": "nell", "note": "Mara restores harps.", "about": "Mara", "evidence": [1]},
    ]
    folder = _chats(tmp_path / "chats", asked)
    (data,) = read_retrieval(folder)
    assert [m.text for m in data.conversations[0].messages][1] == "A patient trade."
    (question,) = data.questions
    assert (question.evidence, question.right, question.answer) == (("T1",), 0, "Harps.")
    assert [label.text for label in read_extraction(folder).labels] == ["Mara restores harps."]
    assert {file.name for file in retrieval_files(folder)} == {"nell.jsonl", "questions.jsonl"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"chat": "ivo", "question": "Who?"}, r"questions.jsonl, line 1: no chat beside it is called 'ivo'"),
        ({"chat": "nell"}, r"line 1: it has to have either"),
        ({"chat": "nell", "question": "Who?", "evidence": [4]}, r"line 1: it names turn 4 of 3"),
        ({"chat": "nell", "question": "Who?", "options": ["a", "b"], "right": 3}, r"line 1: its field right"),
        ({"chat": "nell", "question": ""}, r"line 1: its field question"),
        ([], r"line 1: it is no JSON object"),
    ],
)
def test_a_broken_question_is_named(tmp_path: Path, line: Any, said: str) -> None:
    with pytest.raises(DataRefused, match=said):
        read_questions(_chats(tmp_path / "chats", [line]))


def _bank(folder: Path, probing: list[Any]) -> Path:
    folder.mkdir()
    history = {"2023-04-27": [{"query": "I saw a heron today.", "response": "Where was it?"}]}
    (folder / "memory_bank_en.json").write_text(json.dumps({"Emily": {"name": "Emily", "history": history}}), encoding="utf-8")
    _lines(folder / "probing_questions_en.jsonl", probing)
    return folder


def test_probing_questions_stand_by_the_person_they_are_asked_of(tmp_path: Path) -> None:
    (data,) = read_questions(_bank(tmp_path / "bank", [{"Emily": ["What bird did I see?"]}]))
    assert (data.name, data.language) == ("bank-en", "en")
    (question,) = data.without_evidence
    assert (question.text, question.conversation_key) == ("What bird did I see?", data.conversations[0].key)
    assert {file.name for file in retrieval_files(tmp_path / "bank")} == {"probing_questions_en.jsonl", "memory_bank_en.json"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([{"Emily": []}, {"Frank": ["Who?"]}], r"probing_questions_en.jsonl, line 2, Frank: memory_bank_en.json has nobody"),
        ([{"Emily": ["Who?", 3]}], r"line 1, Emily, question 2: it is no text"),
        ([{"Emily": []}, {"Emily": "Who?"}], r"line 2: it is no object of names"),
        ([{"Emily": []}], r"it holds no question"),
    ],
)
def test_broken_probing_is_named(tmp_path: Path, lines: list[Any], said: str) -> None:
    with pytest.raises(DataRefused, match=said):
        read_questions(_bank(tmp_path / "bank", lines))


def test_a_probing_file_without_its_bank_is_refused(tmp_path: Path) -> None:
    folder = _bank(tmp_path / "bank", [{"Emily": ["Who?"]}])
    (folder / "memory_bank_en.json").unlink()
    with pytest.raises(DataRefused, match=r"memory_bank_en\.json is not beside it"):
        read_questions(folder)


def test_what_asks_no_questions_takes_any_chat_that_can_be_imported(tmp_path: Path) -> None:
    folder = _chats(tmp_path / "chats", [{"chat": "nell", "question": "Who?"}])
    data = read_talks(folder / "nell.jsonl", [folder / "nell.jsonl"])
    assert [len(c.messages) for c in data.conversations] == [3]
    assert TASKS["efficiency"]().read(folder / "nell.jsonl", True).files == (folder / "nell.jsonl",)


@pytest.mark.parametrize("arguments", [["retrieval"], ["all"], ["experiment", "granularity"]], ids=lambda a: a[0])
def test_data_that_is_not_there_is_said_to_be_missing(arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main([*arguments, "--data", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")])
    assert f"there is no {tmp_path / 'nowhere'}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
