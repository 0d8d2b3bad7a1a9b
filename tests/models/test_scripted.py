from __future__ import annotations

import threading

import pytest

from models.chat_model import ChatMessage
from models.errors import ModelFailed, ModelUnavailable
from models.scripted import Script, ScriptedModel

HI = [ChatMessage("system", "You are Mara."), ChatMessage("user", "Hi")]


def test_scripts_play_in_order_and_prompts_are_recorded() -> None:
    model = ScriptedModel(Script(["Hel", "lo"]), Script(["cut"], finish_reason="length"))
    first = model.stream(HI, cancel=threading.Event())
    assert first.finish_reason is None
    assert list(first) == ["Hel", "lo"]
    assert first.finish_reason == "stop"
    second = model.stream(HI[1:], cancel=threading.Event())
    assert (list(second), second.finish_reason) == (["cut"], "length")
    assert model.prompts == [tuple(HI), tuple(HI[1:])]
    with pytest.raises(AssertionError, match="end"):
        model.stream(HI, cancel=threading.Event())


@pytest.mark.parametrize(
    ("script", "before"), [(Script(error=ModelUnavailable("dead")), []), (Script(["one"], error=ModelFailed("broke")), ["one"])]
)
def test_an_error_comes_after_its_pieces(script: Script, before: list[str]) -> None:
    stream = ScriptedModel(script).stream(HI, cancel=threading.Event())
    assert [next(stream) for _ in before] == before
    with pytest.raises((ModelUnavailable, ModelFailed)):
        next(stream)
    assert stream.finish_reason is None


@pytest.mark.parametrize("script", [Script(before_s=1e6), Script(["a"], between_s=1e6), Script(["a"], hangs=True)])
def test_a_cancel_ends_every_wait(script: Script) -> None:
    cancel = threading.Event()
    stream = ScriptedModel(script).stream(HI, cancel=cancel)
    threading.Timer(0.1, cancel.set).start()
    list(stream)
    assert stream.finish_reason == "cancelled", "each of them would go on for ever"


def test_progress_is_told_before_the_first_piece() -> None:
    told: list[tuple[int, int]] = []
    stream = ScriptedModel(Script(["a"])).stream(HI, cancel=threading.Event(), on_progress=lambda read, total: told.append((read, total)))
    assert told == []
    assert next(stream) == "a"
    assert told == [(0, 100), (100, 100)]


def test_an_endless_model_never_runs_out() -> None:
    model = ScriptedModel.endless(["again"])
    assert [list(model.stream(HI, cancel=threading.Event())) for _ in range(3)] == [["again"]] * 3
