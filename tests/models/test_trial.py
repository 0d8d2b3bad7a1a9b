"""Trying a model: what is said of each way in which it can fail, over real connections."""

from __future__ import annotations

import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from models.build import build_connected
from models.connection import Connection
from models.errors import FAULTS
from models.local_files import FileModels, ModelFolder
from models.trial import Trial, trial
from tests.models.openai_endpoint import Answer, OpenAIEndpoint, dead_url
from tests.waiting import PATIENCE_S

KEY = "sk-planted-55443322"
SAYS = Answer(pieces=["Good ", "evening, ", "traveller."], between_s=0.1)
JSON = Answer(pieces=['{"colour": "green", "legs": 4}'])


def tried(base: str, tmp_path: Path, *, kind: str = "url", limit_s: float = PATIENCE_S, timeout_s: float = PATIENCE_S) -> Trial:
    one = Connection.model_validate({"id": "c", "name": "Mine", "kind": kind, "model": "qwen3", "base": base, "timeout_s": timeout_s})
    model = build_connected(one, SecretStr(KEY), FileModels(ModelFolder(tmp_path)), reply_tokens=60, temperature=0.7)
    found = trial(model, limit_s=limit_s)
    assert KEY not in repr(found)
    assert found.fault in ("", *FAULTS)
    return found


@pytest.fixture(scope="module", autouse=True)
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The first request of a process loads what LiteLLM loads late, which is no time of the model's."""
    with OpenAIEndpoint() as endpoint:
        tried(endpoint.url, tmp_path_factory.mktemp("first"))


def test_one_that_answers_is_timed_and_asked_for_json(tmp_path: Path) -> None:
    with OpenAIEndpoint(SAYS, JSON) as endpoint:
        found = tried(endpoint.url, tmp_path)
    assert (found.fault, found.answer, found.json) == ("", "Good evening, traveller.", "schema")
    assert found.first_ms > 0
    assert 0 < found.tokens_per_s < 80, "a few tokens in a fifth of a second or more"
    assert [request.authorization for request in endpoint.requests] == [f"Bearer {KEY}"] * 2
    assert "response_format" in endpoint.requests[1].body


def test_what_was_thought_before_the_lone_mark_of_its_end_is_no_answer(tmp_path: Path) -> None:
    with OpenAIEndpoint(Answer(("They want a greeting. ", "Keep it short.</think>", "\n\nGood evening.")), JSON) as endpoint:
        found = tried(endpoint.url, tmp_path)
    assert (found.fault, found.answer) == ("", "Good evening.")


def test_one_that_refuses_schemas_is_asked_in_words(tmp_path: Path) -> None:
    with OpenAIEndpoint(SAYS, Answer(status=400), JSON) as endpoint:
        assert tried(endpoint.url, tmp_path).json == "text"
    with OpenAIEndpoint(SAYS, Answer(("no",)), Answer(("no",))) as endpoint:
        assert tried(endpoint.url, tmp_path).json == "no"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Answer(status=401, error=KEY), "key"),
        (Answer(status=403, error=KEY), "key"),
        (Answer(status=404, error="The model does not exist"), "model"),
        (Answer(status=404, error="This is not a chat model and thus not supported in the v1/chat/completions endpoint."), "not_chat"),
        (Answer(status=400, error="model embed does not support chat"), "not_chat"),
        (Answer(status=500), "failed"),
        (Answer(status=429), "busy"),
        (Answer(pieces=()), "empty"),
        (Answer(pieces=("Good",), breaks="cut"), "broke"),
        (Answer(before_s=1e6), "timeout"),
    ],
)
def test_each_failure_has_its_name(tmp_path: Path, answer: Answer, fault: str) -> None:
    with OpenAIEndpoint(answer, answer, answer) as endpoint:
        assert tried(endpoint.url, tmp_path, timeout_s=5 if fault == "timeout" else PATIENCE_S).fault == fault


def test_nobody_at_the_address(tmp_path: Path) -> None:
    assert tried(dead_url(), tmp_path).fault == "address"
    assert tried(dead_url().removesuffix("/v1"), tmp_path, kind="ollama").fault == "address"


def test_a_time_limit_of_its_own(tmp_path: Path) -> None:
    with OpenAIEndpoint(Answer(pieces=("a ",) * 9_999, between_s=0.1)) as endpoint:
        assert tried(endpoint.url, tmp_path, limit_s=1.0).fault == "timeout"


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    to = ""
    heard: list[tuple[str, str]]

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.heard.append((self.path, self.headers.get("Authorization", "")))
        self.send_response(307 if self.to else 200)
        if self.to:
            self.send_header("Location", self.to)
        body = b"" if self.to else b"<html><body>Welcome</body></html>"
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def elsewhere(to: str = "", context: ssl.SSLContext | None = None) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server that sends on to another address, or is none of a model."""
    handler: Any = type("Handler", (_Elsewhere,), {"to": to, "heard": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}", handler.heard
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("kind", ["url", "ollama"])
def test_a_redirect_is_not_followed_with_the_key(tmp_path: Path, kind: str) -> None:
    with elsewhere() as (target, heard), elsewhere(f"{target}/v1/taken") as (base, first):
        found = tried(base, tmp_path, kind=kind)
    assert first, "it was asked"
    assert heard == [], "and what it pointed at was not"
    assert found.fault == "redirect"


def test_a_web_page_is_no_chat_model(tmp_path: Path) -> None:
    with elsewhere() as (base, _):
        assert tried(f"{base}/v1", tmp_path).fault == "not_chat"


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    made = subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=127.0.0.1",
            "-keyout",
            "k.pem",
            "-out",
            "c.pem",
        ],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl is not there to make a certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "c.pem", tmp_path / "k.pem")
    with elsewhere(context=context) as (base, heard):
        assert tried(f"{base}/v1", tmp_path).fault == "certificate"
    assert heard == []
