"""Dialogues from files: what becomes of ZH-4O's layout, and which reason a file is refused with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.dialogues import from_file
from annotation.errors import FileRefused
from chat.import_formats import ImportRefused, read_conversations
from evaluation.datasets import DataRefused
from evaluation.noted import read_zh4o


def _turns(*texts: str) -> list[dict[str, str]]:
    return [{"speaker": ("Mara", "Nell")[n % 2], "text": text} for n, text in enumerate(texts)]


def _file(folder: Path, value: Any, name: str = "z.json") -> Path:
    (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder / name


TALK = {
    "dialogue": _turns("I keep bees.", "   ", "In a shed.", "How many?"),
    "memories": [{"content": "Mara keeps bees.", "turns": [1, 2]}],
    "probes": [{"question": "What does she keep?", "options": ["Bees", "Cats"], "answer": "Bees", "turns": [2, 3]}],
}


def test_messages_in_which_nothing_is_said_are_left_out_and_points_keep_their_turns(tmp_path: Path) -> None:
    file = _file(tmp_path, TALK)
    (item,) = from_file(file)
    assert [(turn.number, turn.text) for turn in item.turns] == [(1, "I keep bees."), (2, "In a shed."), (3, "How many?")]
    data, labels = read_zh4o(file)
    assert [m.external_id for m in data.conversations[0].messages] == ["T1", "T3", "T4"]
    assert data.questions[0].evidence == ("T3",)
    assert len(labels) == 1
    with pytest.raises(DataRefused, match="one speaker alone"):
        read_zh4o(_file(tmp_path, {**TALK, "dialogue": _turns("I keep bees.", "", "In a shed.", " ")}))
    with pytest.raises(DataRefused, match="it names turn 5 of 4"):
        read_zh4o(_file(tmp_path, {**TALK, "memories": [{"content": "x", "turns": [5]}]}))


def test_dialogues_are_called_as_the_file_calls_them_and_never_twice(tmp_path: Path) -> None:
    file = _file(tmp_path, [{**TALK, "id": "a", "title": "Bees"}, {**TALK, "id": "b"}])
    assert [item.title for item in from_file(file)] == ["z/a: Bees", "z/b"]


def test_a_file_is_refused_with_the_import_s_reason_unless_it_has_points_or_probes(tmp_path: Path) -> None:
    broken = {"messages": [{"speaker": "Mara"}]}
    with pytest.raises(ImportRefused) as imported:
        read_conversations(_file(tmp_path, broken))
    with pytest.raises(FileRefused) as refused:
        from_file(_file(tmp_path, broken))
    assert refused.value.params["reason"] == imported.value.params["reason"]
    with pytest.raises(FileRefused) as noted:
        from_file(_file(tmp_path, {**broken, "memories": []}))
    assert noted.value.params["where"] == "dialogue 1"
