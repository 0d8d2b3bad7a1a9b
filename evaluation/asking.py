"""What a run asks of models: several questions at once, and none twice, also after it was cut.

Answers are kept beside the run until it is whole (`evaluation.running`), so going on pays for nothing again. A prompt that is asked several times, as a judge's three
calls are, is that often asked. What a model did not answer is not kept.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from evaluation.datasets import EvaluationFailed
from evaluation.progress import steps
from models.chat_model import ChatMessage
from models.errors import ModelError
from models.structured import AnswerUnreadable, OnCall, StructuredModel
from settings import Settings

ANSWERS = "answers.jsonl"
MOST_FAILURES = 5
"""In a row: by then it is not the question's fault, and a run over a dead endpoint would say that nothing was answered."""

T = TypeVar("T", bound=BaseModel)
Thing = TypeVar("Thing")
Found = TypeVar("Found")


class _Kept:
    """folder: made when there is something to keep."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / ANSWERS
        self._lock = threading.Lock()
        self._times: Counter[str] = Counter()
        self._torn = False
        """Whether the last line is one that a run which was cut left half written."""
        self._found = dict(self._read())

    def _read(self) -> Iterator[tuple[str, str]]:
        try:
            text = self._file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        self._torn = text != "" and not text.endswith("\n")
        for line in text.split("\n"):  # nothing else parts them: answers may hold U+2028
            try:
                key, answer = json.loads(line)
            except (ValueError, TypeError):
                continue  # one may be torn
            if isinstance(key, str) and isinstance(answer, str):
                yield key, answer

    def place(self, prompt: str) -> str:
        """The name of this asking of a prompt: which one it is of the same."""
        with self._lock:
            self._times[prompt] += 1
            return f"{prompt} {self._times[prompt]}"

    def found(self, place: str) -> str | None:
        return self._found.get(place)

    def keep(self, place: str, answer: str) -> None:
        """Raises OSError."""
        with self._lock:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8", newline="\n") as stream:
                stream.write("\n" * self._torn + json.dumps([place, answer], ensure_ascii=False) + "\n")
            self._torn = False


_kept: ContextVar[_Kept | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Inside, what a `KeptModel` is answered is kept in a folder, and what was kept there is not asked again."""
    token = _kept.set(_Kept(folder))
    try:
        yield
    finally:
        _kept.reset(token)


class KeptModel(StructuredModel):
    """A model whose answers are kept for the run (`keeping`). Raises EvaluationFailed where it fails again and again. From any thread."""

    def __init__(self, inner: StructuredModel) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._failures = 0

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def prompt_tokens(self) -> int:
        return self._inner.prompt_tokens

    @property
    def takes_schemas(self) -> bool:
        return self._inner.takes_schemas

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def close(self) -> None:
        self._inner.close()

    def lent(self) -> StructuredModel:
        return self._inner.lent()

    def ask(
        self,
        messages: Sequence[ChatMessage],
        kind: type[T],
        *,
        purpose: str,
        on_call: OnCall,
        on_piece: Callable[[], object] = lambda: None,
        cancel: threading.Event | None = None,
    ) -> T:
        kept = _kept.get()
        place = kept.place(_named(self.name, messages, kind)) if kept is not None else ""
        if kept is not None and (found := kept.found(place)) is not None:
            try:
                return kind.model_validate_json(found)
            except ValidationError:
                pass  # somebody wrote into the file: it is asked again
        try:
            answer = self._inner.ask(messages, kind, purpose=purpose, on_call=on_call, on_piece=on_piece, cancel=cancel)
        except AnswerUnreadable:
            with self._lock:
                self._failures = 0  # it answered
            raise
        except ModelError as error:
            with self._lock:
                self._failures += 1
                failures = self._failures
            if failures >= MOST_FAILURES:
                raise EvaluationFailed(
                    f"{self.name} failed {failures} times in a row: {error} What it answered before is kept; the same run goes on from there."
                ) from error
            raise
        with self._lock:
            self._failures = 0
        if kept is not None:
            kept.keep(place, answer.model_dump_json())
        return answer


def kept_model(model: StructuredModel | None) -> StructuredModel | None:
    return KeptModel(model) if model is not None else None


def each(things: Sequence[Thing], ask: Callable[[Thing], Found], label: str) -> list[Found]:
    """What is asked of a model about each thing, in their order; as many at once as `evaluation_parallel` says. Raises the first error, and asks no more then."""
    with ThreadPoolExecutor(Settings().evaluation_parallel, thread_name_prefix="asking") as pool:
        asked = [pool.submit(copy_context().run, ask, thing) for thing in things]
        try:
            return [one.result() for one in steps(asked, label)]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _named(model: str, messages: Sequence[ChatMessage], kind: type[BaseModel]) -> str:
    parts = [model, kind.model_json_schema(), [(m.role, m.content) for m in messages]]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
