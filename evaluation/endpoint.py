"""An OpenAI-compatible endpoint on 127.0.0.1 that counts what it is asked, for comparing what memories cost.

It either passes requests on to a real endpoint, or answers at once with canned answers: of the form that was asked for, valid, and made from the words of
the question, so that whoever asks goes on as with a model that works. They say nothing about quality. Embeddings come from the program's own embedder.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import httpx
from pydantic import SecretStr

from evaluation.sentence_model import count_tokens
from memory.reading.messages import alone
from models.embedder import Embedder
from storage.records import Message, Revision, Role

MODEL = "canned"
_SENTENCE = re.compile(r"[^.!?。！？\n]{12,200}[.!?。！？]?")
_MOST = 64 * 1024 * 1024


@dataclass
class Counted:
    """What was asked since the count began. seconds: between a request's last byte and its answer's, all of it outside the one who asked."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Real:
    """An endpoint that answers. base: with its `/v1`."""

    base: str
    model: str
    key: SecretStr | None
    timeout_s: float = 180.0


class CountingEndpoint:
    """real: where requests go on to; None: canned answers. Raises OSError where no port is free."""

    def __init__(self, embedder: Embedder, *, real: Real | None = None) -> None:
        self.embedder = embedder
        self.real = real
        self._lock = threading.Lock()
        self._counted = Counted()
        house = self

        class Handler(_Handler):
            endpoint = house

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> CountingEndpoint:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()

    def counted(self) -> Counted:
        """What was asked since the last time."""
        with self._lock:
            found, self._counted = self._counted, Counted()
        return found

    def answer(self, body: Mapping[str, Any]) -> str:
        """The text that answers a request for a chat completion. Raises httpx.HTTPError."""
        messages = [{"role": m["role"], "content": _text(m["content"])} for m in body["messages"]]
        began = time.perf_counter()
        text = canned(messages, body.get("response_format")) if self.real is None else _passed_on(self.real, messages, body)
        tokens = sum(count_tokens(m["content"]) for m in messages), count_tokens(text)
        with self._lock:
            self._counted.calls += 1
            self._counted.prompt_tokens += tokens[0]
            self._counted.answer_tokens += tokens[1]
            self._counted.seconds += time.perf_counter() - began
        return text

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Nothing of it is taken off: whoever embeds elsewhere does the same work."""
        return [[float(x) for x in vector] for vector in self.embedder.passages(texts)]


def canned(messages: list[dict[str, str]], form: Mapping[str, Any] | None) -> str:
    """A valid answer to a question of the program, of a baseline or of mem0."""
    schema = ((form or {}).get("json_schema") or {}).get("schema") or {}
    title, record = schema.get("title", ""), _record(messages[-1]["content"])
    if title in _OURS and record is not None:
        found: Any = _OURS[title](record)
    elif schema:
        found = _of_schema(schema, schema.get("$defs", {}), _sentences(messages[-1]["content"]))
    else:
        # mem0 asks for {"memory": [{"id", "text"}]} and names the new messages last.
        told = _sentences(messages[-1]["content"].rsplit("## New Messages", 1)[-1].split("## Observation", 1)[0])
        found = {"memory": [{"id": str(n), "text": next(told), "attributed_to": "user"} for n in range(2)]}
    return json.dumps(found, ensure_ascii=False)


def _reading(record: Mapping[str, Any]) -> dict[str, Any]:
    facts = []
    for line in record.get("lines", []):
        at = datetime.strptime(str(line["day"])[:10], "%Y-%m-%d").replace(tzinfo=UTC)
        said = Message("m", None, 1, 1, Role.USER, str(line["speaker"]), at, Revision("r", str(line["said"]), "", "import", "complete"))
        for fact in alone(said, listener="", opens=True).facts[:1]:
            facts.append({"text": fact.text, "about": str(line["speaker"]), "lines": [line["n"]], "sure": True})
    return {"facts": facts[:8], "persona": []}


def _insights(record: Mapping[str, Any]) -> dict[str, Any]:
    rounds: dict[int, int] = {}
    for fact in record.get("facts", []):
        rounds.setdefault(int(fact["round"]), int(fact["n"]))
    two = list(rounds.values())[-2:]
    if len(two) < 2 or not record.get("lenses"):
        return {"insights": []}
    return {"insights": [{"text": "They seem to look for something steady to hold on to.", "facts": two, "lens": 1}]}


def _plot(record: Mapping[str, Any]) -> dict[str, Any]:
    parts = record.get("record", [])
    return {"sentences": [{"text": str(p["text"])[:300], "parts": [p["n"]]} for p in parts[:: max(1, len(parts) // 3)][:4]]}


def _topics(record: Mapping[str, Any]) -> dict[str, Any]:
    by: dict[str, list[Mapping[str, Any]]] = {}
    for fact in record.get("facts", []):
        by.setdefault(str(fact["by"]), []).append(fact)
    return {"topics": [{"summary": str(own[0]["fact"]), "facts": [f["n"] for f in own[:4]], "continues": []} for own in by.values()]}


_OURS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "ReadingAnswer": _reading,
    "InsightsAnswer": _insights,
    "PlotAnswer": _plot,
    "TopicsAnswer": _topics,
    "MergeAnswer": lambda record: {"merged": []},
}


def _of_schema(schema: Mapping[str, Any], parts: Mapping[str, Any], words: Iterator[str]) -> Any:
    """The least that a JSON schema takes and still says something: two items a list, sentences of the question for texts."""
    if "$ref" in schema:
        return _of_schema(parts[str(schema["$ref"]).rsplit("/", 1)[-1]], parts, words)
    if "enum" in schema:
        return schema["enum"][min(1, len(schema["enum"]) - 1)]
    kind = schema.get("type")
    if kind == "object":
        return {name: _of_schema(part, parts, words) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_of_schema(schema["items"], parts, words) for _ in range(2)]
    if kind == "integer":
        return (int(schema.get("minimum", 1)) + int(schema.get("maximum", 9))) // 2 if "maximum" in schema else 1
    if kind == "boolean":
        return False
    return next(words)[: int(schema.get("maxLength", 1000))]


def _sentences(text: str) -> Iterator[str]:
    """Its sentences, the latest first, for ever."""
    found = [m[0].strip() for m in _SENTENCE.finditer(text)][::-1] or ["Nothing was said."]
    while True:
        yield from found


def _record(text: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)


def _passed_on(real: Real, messages: list[dict[str, str]], body: Mapping[str, Any]) -> str:
    kept = {name: body[name] for name in ("response_format", "temperature", "max_tokens") if name in body}
    headers = {"Authorization": f"Bearer {real.key.get_secret_value()}"} if real.key else {}
    found = httpx.post(
        f"{real.base}/chat/completions", json={"model": real.model, "messages": messages, **kept}, headers=headers, timeout=real.timeout_s
    )
    found.raise_for_status()
    return str(found.json()["choices"][0]["message"]["content"] or "")


class _Handler(BaseHTTPRequestHandler):
    endpoint: CountingEndpoint
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        if length > _MOST:
            self.send_error(413)
            return
        body = json.loads(self.rfile.read(length))
        try:
            if self.path.endswith("/embeddings"):
                given = body["input"]
                vectors = self.endpoint.embed([given] if isinstance(given, str) else given)
                data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
                self._send(json.dumps({"object": "list", "model": MODEL, "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}}))
                return
            text = self.endpoint.answer(body)
        except httpx.HTTPError as error:
            self.send_error(502, explain=str(error))
            return
        if body.get("stream"):
            pieces: list[dict[str, Any]] = [
                {"delta": {"role": "assistant", "content": text}, "finish_reason": None},
                {"delta": {}, "finish_reason": "stop"},
            ]
            lines = [
                json.dumps({"id": "1", "object": "chat.completion.chunk", "model": MODEL, "choices": [{"index": 0, **p}]}) for p in pieces
            ]
            self._send("".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]), kind="text/event-stream")
        else:
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
            self._send(json.dumps({"id": "1", "object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage}))

    def _send(self, text: str, *, kind: str = "application/json") -> None:
        raw = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: progress is the run's."""
