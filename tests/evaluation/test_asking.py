"""What a run asks of models: nothing twice after a cut, equal prompts as often as they are asked, several at once, and an end where nobody answers."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from pydantic import BaseModel

from evaluation.__main__ import main
from evaluation.asking import ANSWERS, MOST_FAILURES, KeptModel, each, keeping
from evaluation.datasets import EvaluationFailed
from evaluation.items import read_items
from evaluation.records import METRICS
from models.chat_model import ChatMessage
from models.errors import ModelError, ModelUnavailable
from models.scripted import Script, ScriptedModel
from models.structured import AnswerUnreadable, StructuredModel
from tests.evaluation.test_answers import _served, _talk
from tests.evaluation.test_membench import FLAT, _item
from tests.models.openai_endpoint import Answer, OpenAIEndpoint
from tests.waiting import PATIENCE_S


class _Number(BaseModel):
    n: int


def _kept(*scripts: Script) -> tuple[KeptModel, ScriptedModel]:
    inner = ScriptedModel(*scripts, context_tokens=8192, reply_tokens=128)
    return KeptModel(StructuredModel(inner)), inner


def _ask(model: KeptModel, text: str) -> int:
    return model.ask([ChatMessage("user", text)], _Number, purpose="test", on_call=lambda call: None).n


def test_what_was_answered_is_not_asked_again_and_equal_prompts_are_asked_as_often_as_they_come(tmp_path: Path) -> None:
    model, inner = _kept(*(Script((f'{{"n": {n}}}',)) for n in range(3)))
    with keeping(tmp_path):
        assert [_ask(model, text) for text in ("a", "a", "b")] == [0, 1, 2]
    assert len(inner.prompts) == 3
    again, unasked = _kept(Script(('{"n": 9}',)))
    with keeping(tmp_path):
        assert [_ask(again, text) for text in ("a", "a", "b", "a")] == [0, 1, 2, 9]
    assert len(unasked.prompts) == 1
    outside, asked = _kept(Script(('{"n": 7}',)))
    assert _ask(outside, "a") == 7, "where nothing is kept nothing is found"
    assert len(asked.prompts) == 1


def test_a_torn_or_foreign_line_is_asked_again(tmp_path: Path) -> None:
    model, _ = _kept(Script(('{"n": 1}',)), Script(('{"n": 2}',)))
    with keeping(tmp_path):
        assert (_ask(model, "a"), _ask(model, "b")) == (1, 2)
    first, second = (tmp_path / ANSWERS).read_text(encoding="utf-8").splitlines()
    place = json.loads(second)[0]
    (tmp_path / ANSWERS).write_text(f"{first[:-9]}\n{json.dumps([place, 'no number'])}\n5\n[1, 2]\n", encoding="utf-8")
    again, inner = _kept(Script(('{"n": 3}',)), Script(('{"n": 4}',)))
    with keeping(tmp_path):
        assert (_ask(again, "a"), _ask(again, "b")) == (3, 4)
    assert len(inner.prompts) == 2


class _Words(BaseModel):
    words: str


def test_an_answer_is_kept_whatever_parts_lines_in_it(tmp_path: Path) -> None:
    said = "one\u2028two\u0085three\x0bfour\nfive\rsix"

    def ask(model: KeptModel) -> str:
        return model.ask([ChatMessage("user", "a")], _Words, purpose="test", on_call=lambda call: None).words

    model, _ = _kept(Script((json.dumps({"words": said}),)))
    with keeping(tmp_path):
        assert ask(model) == said
    again, inner = _kept()
    with keeping(tmp_path):
        assert ask(again) == said
    assert inner.prompts == []


def test_what_is_answered_after_a_torn_line_is_kept_too(tmp_path: Path) -> None:
    model, _ = _kept(Script(('{"n": 1}',)), Script(('{"n": 2}',)))
    with keeping(tmp_path):
        assert (_ask(model, "a"), _ask(model, "b")) == (1, 2)
    whole = (tmp_path / ANSWERS).read_bytes()
    (tmp_path / ANSWERS).write_bytes(whole[:-7])
    again, _ = _kept(Script(('{"n": 3}',)), Script(('{"n": 4}',)))
    with keeping(tmp_path):
        assert [_ask(again, text) for text in ("a", "b", "c")] == [1, 3, 4]
    third, inner = _kept()
    with keeping(tmp_path):
        assert [_ask(third, text) for text in ("a", "b", "c")] == [1, 3, 4]
    assert inner.prompts == []


def test_a_single_failure_is_the_questions_many_in_a_row_end_the_run() -> None:
    down = Script(error=ModelUnavailable("Nobody answers."))
    model, _ = _kept(down, Script(('{"n": 1}',)), *[down] * MOST_FAILURES)
    with pytest.raises(ModelError):
        _ask(model, "a")
    assert _ask(model, "a") == 1
    for _ in range(MOST_FAILURES - 1):
        with pytest.raises(ModelError):
            _ask(model, "a")
    with pytest.raises(EvaluationFailed, match=f"failed {MOST_FAILURES} times in a row: Nobody answers. What it answered before is kept"):
        _ask(model, "a")


def test_an_answer_that_cannot_be_read_is_no_failure_of_the_endpoint() -> None:
    down, strange = Script(error=ModelUnavailable("Nobody answers.")), Script(("no number",))
    model, _ = _kept(*[down] * (MOST_FAILURES - 1), strange, strange, *[down] * MOST_FAILURES)
    for error in (*[ModelError] * (MOST_FAILURES - 1), AnswerUnreadable, *[ModelError] * (MOST_FAILURES - 1)):
        with pytest.raises(error):
            _ask(model, "a")
    with pytest.raises(EvaluationFailed):
        _ask(model, "a")


def test_several_are_asked_at_once_and_come_back_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KEEPSAKE_EVALUATION_PARALLEL", "3")
    together = threading.Barrier(3, timeout=PATIENCE_S)

    def ask(n: int) -> int:
        together.wait()
        return n * n

    assert each(range(6), ask, "Squares") == [0, 1, 4, 9, 16, 25]

    def breaks(n: int) -> int:
        raise EvaluationFailed("It broke.")

    with pytest.raises(EvaluationFailed):
        each(range(50), breaks, "Nothing")
    model, _ = _kept(*[Script(('{"n": 4}',))] * 6)
    with keeping(tmp_path):
        assert each(range(6), lambda n: _ask(model, f"{n}"), "Kept") == [4] * 6
    assert len((tmp_path / ANSWERS).read_text(encoding="utf-8").splitlines()) == 6, "threads keep in the run's own folder"


def test_a_run_that_a_dead_endpoint_ended_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = _talk()
    talk["qa"] = [{"question": f"What does Ines do on day {n}?", "answer": "Harps", "evidence": ["D1:1"], "category": 4} for n in range(8)]
    (tmp_path / "made.json").write_text(json.dumps([talk]), encoding="utf-8")
    order = ["qa", "--data", str(tmp_path / "made.json"), "--out", str(tmp_path / "out"), "--systems", "full-context"]
    monkeypatch.delenv("KEEPSAKE_JUDGE_MODEL", raising=False)
    said = Answer(('{"answer": "Harps.", "notes": [1]}',))
    with OpenAIEndpoint(said, said, *[Answer(status=503)] * 60) as model:
        _served(monkeypatch, "MEMORY", model.url)
        assert main(order) == 1
    assert not (tmp_path / "out" / METRICS).exists()
    kept = list((tmp_path / "out" / "unfinished").rglob(ANSWERS))
    assert len(kept) == 1
    assert len(kept[0].read_text(encoding="utf-8").splitlines()) == 2
    with OpenAIEndpoint(*[said] * 6) as model:
        _served(monkeypatch, "MEMORY", model.url)
        assert main(order) == 0
        assert len(model.requests) == 6
    assert [item.scores["not_answered"] for item in read_items(tmp_path / "out")] == [0.0] * 8
    assert not (tmp_path / "out" / "unfinished").exists()


def test_a_choice_that_cannot_be_read_is_wrong_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "made.json"
    file.write_text(json.dumps({"simple": [_item(FLAT, [0]), _item(FLAT, [0])]}), encoding="utf-8")
    replies = [Answer(("no letter",)), Answer(("none at all",)), Answer(('{"answer": "A"}',))]
    with OpenAIEndpoint(*replies) as model:
        _served(monkeypatch, "MEMORY", model.url)
        assert main(["qa", "--data", str(file), "--out", str(tmp_path / "out"), "--systems", "guess"]) == 0
    figures = {(f["category"], f["metric"]): f["value"] for f in json.loads((tmp_path / "out" / METRICS).read_text(encoding="utf-8"))}
    assert figures[None, "accuracy"] == 0.5
    assert figures[None, "not_answered"] == 0.5
