from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from models import embedded
from models.chat_model import ChatMessage
from models.embedded import EmbeddedModel
from models.errors import ModelUnavailable
from models.llama_server import ROOT, Address, LlamaServer
from models.reply_text import readable
from settings import Settings
from tests.waiting import PATIENCE_S, until

LONG = "I walk along the shore and count the gulls. " * 180
"""About 2,000 tokens: several seconds of reading."""


@pytest.fixture(scope="module")
def model() -> Iterator[EmbeddedModel]:
    settings = Settings(_env_file=None, chat_context_tokens=4000, chat_reply_tokens=60)  # type: ignore[call-arg]
    opened = EmbeddedModel(settings)
    opened.warm()
    yield opened
    opened.close()


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_it_replies_in_pieces_and_tells_how_far_it_has_read(model: EmbeddedModel) -> None:
    told: list[tuple[int, int]] = []
    messages = [ChatMessage("system", "You are Mara, who keeps a lighthouse."), ChatMessage("user", "Tell me about your evening. " * 20)]
    stream = model.stream(messages, cancel=threading.Event(), on_progress=lambda read, total: told.append((read, total)))
    pieces = list(stream)
    assert len(pieces) > 3
    assert stream.finish_reason in ("stop", "length")
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 100


def test_counts_are_the_models_own(model: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert model.count_tokens("") == 0
    assert model.count_tokens("Hello") == 1
    assert model.count_tokens("<|im_end|>") > 3  # not the one control token
    text = "她说：明天见。\x00\ud800 The tide 12345 turns."
    once = model.count_tokens(text)
    monkeypatch.setattr(model._http, "post", lambda *_, **__: pytest.fail("it is counted once"))
    assert model.count_tokens(text) == once


@pytest.mark.parametrize("phase", ["reading", "writing"])
def test_a_cancel_ends_the_reply_and_frees_the_model(model: EmbeddedModel, phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_LIMIT_S", PATIENCE_S)  # what is busy with something else is slow to stop, and no less stopped
    cancel, pid = threading.Event(), model._server.pid
    told: list[tuple[int, int]] = []

    def tell(read: int, total: int) -> None:
        told.append((read, total))
        if phase == "reading":
            cancel.set()

    prompt = LONG if phase == "reading" else "Tell me a very long story."
    stream = model.stream([ChatMessage("user", prompt)], cancel=cancel, on_progress=tell)
    if phase == "writing":
        assert next(stream)
        cancel.set()
    assert list(stream) == []
    assert stream.finish_reason == "cancelled"
    if phase == "reading":
        assert told[-1][0] < told[-1][1]
    until(lambda: not model._server.turn.locked())
    assert model._server.pid == pid  # stopped, not killed
    assert list(model.stream([ChatMessage("user", "Hi.")], cancel=threading.Event()))


def test_replies_of_two_chats_come_one_after_the_other(model: EmbeddedModel) -> None:
    streams = [model.stream([ChatMessage("user", f"Name {n} birds.")], cancel=threading.Event()) for n in (3, 4)]
    assert all(len(list(stream)) > 1 for stream in streams)


def test_a_dead_child_is_started_again(model: EmbeddedModel) -> None:
    pid = model._server.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: not running(pid))
    assert list(model.stream([ChatMessage("user", "Are you there?")], cancel=threading.Event()))
    assert model._server.pid not in (None, pid)


def test_a_child_that_hangs_is_replaced_after_a_cancel(model: EmbeddedModel) -> None:
    pid = model._server.pid
    assert pid is not None
    cancel = threading.Event()
    stream = model.stream([ChatMessage("user", LONG)], cancel=cancel)
    until(lambda: model._server.turn.locked())
    time.sleep(0.3)
    os.kill(pid, signal.SIGSTOP)
    cancel.set()
    assert list(stream) == []
    until(lambda: not running(pid))
    assert list(model.stream([ChatMessage("user", "Are you there?")], cancel=threading.Event()))


def test_a_child_that_hangs_before_its_first_byte_is_replaced_too(model: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no stream to hang up yet; before, the next reply waited for the whole time limit."""
    pid = model._server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    cancel = threading.Event()
    stream = model.stream([ChatMessage("user", "Are you there?")], cancel=cancel)
    until(lambda: model._server.turn.locked())
    time.sleep(0.3)
    ended, end = threading.Event(), model._server.kill

    def kill(address: Address) -> None:
        assert ended.wait(PATIENCE_S)
        end(address)

    monkeypatch.setattr(model._server, "kill", kill)
    cancel.set()
    assert list(stream) == [], "nobody waits for its end"
    ended.set()
    assert list(model.stream([ChatMessage("user", "And now?")], cancel=threading.Event()))
    assert not running(pid)


def test_no_text_reaches_the_model_as_a_control_token(model: EmbeddedModel) -> None:
    """Asked of its own tokenizer, told to see control tokens; they are the first 17 of its vocabulary, `<|im_end|>` and `<repo_name>` among them."""
    address = model._server.address()

    def ids(text: str) -> list[int]:
        body = {"content": text, "parse_special": True, "add_special": False}
        headers = {"Authorization": f"Bearer {address.key}"}
        tokens: list[int] = httpx.post(f"{address.url}/tokenize", headers=headers, json=body, trust_env=False).json()["tokens"]
        return tokens

    pieces = httpx.post(
        f"{address.url}/detokenize", headers={"Authorization": f"Bearer {address.key}"}, json={"tokens": list(range(17))}, trust_env=False
    ).json()["content"]
    assert ids(pieces) == list(range(17))
    assert min(ids(readable(pieces))) > 16


def test_the_child_answers_its_key_only_and_shows_it_to_nobody(model: EmbeddedModel) -> None:
    address = model._server.address()
    assert httpx.post(f"{address.url}/tokenize", json={"content": "a"}, trust_env=False).status_code == 401
    assert httpx.get(f"{address.url}/slots", trust_env=False).status_code == 401
    process = Path(f"/proc/{model._server.pid}")
    assert address.key.encode() not in process.joinpath("cmdline").read_bytes() + process.joinpath("environ").read_bytes()
    assert address.key not in repr(address)


def test_the_child_outlives_the_thread_that_asked_for_it_and_dies_with_its_parent() -> None:
    script = (
        "import threading, time\n"
        "from models.llama_server import LlamaServer\n"
        "server = LlamaServer()\n"
        "asking = threading.Thread(target=server.address); asking.start(); asking.join(); time.sleep(0.3)\n"
        "print(server.pid, flush=True); time.sleep(1e6)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert running(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not running(child))


def test_a_start_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.llama_server.sys.executable", "/bin/false")
    with pytest.raises(ModelUnavailable, match="could not be started"):
        LlamaServer().address()
    monkeypatch.setattr("models.llama_server.sys.executable", "/nowhere/python")
    with pytest.raises(ModelUnavailable, match="No such file"):
        LlamaServer().address()


def test_a_closed_server_starts_nothing() -> None:
    server = LlamaServer()
    server.close()
    with pytest.raises(ModelUnavailable):
        server.address()
