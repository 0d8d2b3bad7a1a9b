"""Reply jobs: each reply is made by a thread of the server's own that owns the stream and the cancel flag.

Pages only look at it, so stop is instant, a closed tab loses nothing and a second tab can join.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from enum import StrEnum

from chat.errors import ReplyRunning
from chat.views import JobView, Phase
from errors import KeepsakeError
from metrics import FIRST_TOKEN, LAST_FAILURE, REPLIES
from personas.record import Character
from storage.records import Chat
from threads import Threads

log = logging.getLogger(__name__)
MOST_AT_ONCE = 128
"""Replies that are made at once; further ones wait their turn."""
MAX_THOUGHT_CHARS = 100_000
"""So much of what a model thought is kept with its reply."""


class JobKind(StrEnum):
    REPLY = "reply"
    VARIANT = "variant"
    CONTINUE = "continue"
    DRAFT = "draft"


class ReplyJob:
    """The state of one reply, written by its thread and read by any page. message_id: the message it rewrites; empty for a new one or a draft; after: of a new
    one the newest message when it began."""

    def __init__(
        self, job_id: str, chat_id: str, name: str, *, kind: JobKind = JobKind.REPLY, message_id: str = "", after: str = ""
    ) -> None:
        self.id = job_id
        self.chat_id = chat_id
        self.name = name
        self.kind = kind
        self.message_id = message_id
        self.after = after
        self.earlier: tuple[str, ...] = ()
        """Of several characters the jobs of those who answered before it."""
        self.following = 0
        """Of several characters, how many are to answer after this one."""
        self.cancel = threading.Event()
        self.started = time.perf_counter()
        self.first_token_ms: float | None = None
        self._lock = threading.Lock()
        self._pieces: list[str] = []
        self._thoughts: list[str] = []
        self._phase = Phase.RECALLING
        self._read = (0, 0)
        self._error: KeepsakeError | None = None
        self._committed = threading.Event()

    @classmethod
    def of(cls, chat: Chat, character: Character, *, kind: JobKind = JobKind.REPLY, message_id: str = "", after: str = "") -> ReplyJob:
        """A new one. Its name is of whoever speaks."""
        name = chat.user_name if kind is JobKind.DRAFT else character.name
        return cls(secrets.token_hex(16), chat.id, name, kind=kind, message_id=message_id, after=after)

    def enter(self, phase: Phase) -> None:
        with self._lock:
            if self._phase not in _FINAL:
                self._phase = phase

    def progress(self, read: int, total: int) -> None:
        with self._lock:
            self._read = (read, total)

    def piece(self, text: str) -> None:
        """A further piece of the reply; none is taken after a stop, so the page never shows more than it stopped at."""
        with self._lock:
            if self._phase in _FINAL:
                return
            if self.first_token_ms is None:
                self.first_token_ms = (time.perf_counter() - self.started) * 1000
            self._phase = Phase.WRITING
            self._pieces.append(text)

    def think(self, text: str) -> None:
        """A further piece of what the model thinks aloud before it writes."""
        with self._lock:
            if self._phase not in _FINAL:
                self._phase = Phase.THINKING
                self._thoughts.append(text)

    def withdraw(self) -> None:
        """What was written so far was thought: the reply begins anew."""
        with self._lock:
            if self._phase not in _FINAL:
                self._pieces.clear()

    def begin_again(self) -> None:
        """What was written and thought so far is none of the reply: another is made."""
        with self._lock:
            if self._phase not in _FINAL:
                self._pieces.clear()
                self._thoughts.clear()
                self._phase, self.first_token_ms = Phase.READING, None

    def go_back(self, text: str, thoughts: str, first_token_ms: float | None) -> None:
        """Let the reply be what was written before it was begun again."""
        with self._lock:
            self._pieces, self._thoughts, self.first_token_ms = [text], [thoughts], first_token_ms

    def stop(self) -> None:
        """Stop at once: the text as it stands is the reply."""
        with self._lock:
            if self._phase in _FINAL:
                return
            self._phase = Phase.STOPPED
        self.cancel.set()

    def end(self, error: KeepsakeError | None = None) -> None:
        with self._lock:
            self._error = error
            if self._phase is not Phase.STOPPED:
                self._phase = Phase.FAILED if error else Phase.DONE

    @property
    def stopped(self) -> bool:
        return self.cancel.is_set()

    @property
    def text(self) -> str:
        with self._lock:
            return "".join(self._pieces)

    @property
    def thoughts(self) -> str:
        with self._lock:
            return "".join(self._thoughts).strip()[:MAX_THOUGHT_CHARS]

    @property
    def active(self) -> bool:
        """Whether the thread still has something to write."""
        return not self._committed.is_set()

    def count(self) -> None:
        """Count it among the replies of this process."""
        with self._lock:
            outcome, error = "stopped" if self._phase is Phase.STOPPED else "failed" if self._error else "done", self._error
        REPLIES.labels(kind=self.kind.value, outcome=outcome).inc()
        if error is not None:
            LAST_FAILURE.note(error)
        if self.first_token_ms is not None:
            FIRST_TOKEN.observe(self.first_token_ms / 1000)

    def close(self) -> None:
        self._committed.set()

    def wait(self, timeout: float) -> bool:
        """Wait until everything about this reply is written; False on time-out."""
        return self._committed.wait(timeout)

    def view(self) -> JobView:
        with self._lock:
            return JobView(
                id=self.id,
                chat_id=self.chat_id,
                name=self.name,
                kind=self.kind.value,
                message_id=self.message_id,
                after=self.after,
                earlier=self.earlier,
                following=self.following if self._phase not in (Phase.STOPPED, Phase.FAILED) else 0,
                phase=self._phase,
                text="".join(self._pieces),
                read_tokens=self._read[0],
                prompt_tokens=self._read[1],
                error_code=self._error.code if self._error else None,
                error_params={**self._error.params, "message": str(self._error)} if self._error else {},
                committed=self._committed.is_set(),
            )


_FINAL = (Phase.STOPPED, Phase.DONE, Phase.FAILED)


class ReplyJobs:
    """At most one running reply per chat; the last one of each chat stays readable."""

    KEPT = 200
    """Ended replies kept readable, over all chats."""

    def __init__(self) -> None:
        self._jobs: dict[str, ReplyJob] = {}
        self._lock = threading.Lock()
        self._threads = Threads("reply", most=MOST_AT_ONCE)

    def start(self, job: ReplyJob, make: Callable[[ReplyJob], None], *, then: Callable[[ReplyJob], None] = lambda job: None) -> None:
        """Run `make` in a thread of the server's, and `then` when everything about the reply is written; ReplyRunning if the chat has a reply under way."""
        with self._lock:
            current = self._jobs.pop(job.chat_id, None)
            if current is not None and current.active:
                self._jobs[job.chat_id] = current
                raise ReplyRunning(
                    "A reply is still being written in this chat. Your text is kept: send it when the reply is done, or stop the reply."
                )
            self._jobs[job.chat_id] = job
            ended = [chat_id for chat_id, known in self._jobs.items() if not known.active]
            for chat_id in ended[: max(0, len(self._jobs) - self.KEPT)]:
                del self._jobs[chat_id]
        # On the wall of whoever asks for it, as is whatever follows from it (`storage.wall`).
        run = copy_context().run
        try:
            self._threads.begin(lambda: run(self._run, job, make, then))
        except RuntimeError:
            log.exception("a reply could not be begun")
            job.end(
                KeepsakeError(
                    "The reply could not be begun: the machine has no thread left. Your message is kept; ask for the reply again."
                )
            )
            job.close()

    @staticmethod
    def _run(job: ReplyJob, make: Callable[[ReplyJob], None], then: Callable[[ReplyJob], None]) -> None:
        try:
            make(job)
        except KeepsakeError as error:
            job.end(error)
        except Exception as error:
            log.exception("a reply failed unexpectedly")
            told = KeepsakeError("The reply failed unexpectedly. Your message is kept; ask for the reply again.")
            told.__cause__ = error
            job.end(told)
        finally:
            job.count()
            job.close()
        try:
            then(job)
        except Exception:
            log.exception("what was to follow a reply failed unexpectedly; the reply is kept")

    def get(self, chat_id: str) -> ReplyJob | None:
        with self._lock:
            return self._jobs.get(chat_id)

    def forget(self, chat_id: str) -> None:
        """Stop the reply of a chat, and let go of what was written of it."""
        with self._lock:
            job = self._jobs.pop(chat_id, None)
        if job is not None:
            job.stop()

    def running(self, chat_id: str) -> bool:
        job = self.get(chat_id)
        return job is not None and job.active

    def stop_all(self, *, timeout: float) -> None:
        """Stop every running reply and wait, so long in all, until what they had is kept."""
        with self._lock:
            jobs = [job for job in self._jobs.values() if job.active]
        for job in jobs:
            job.stop()
        until = time.monotonic() + timeout
        for job in jobs:
            job.wait(max(0.0, until - time.monotonic()))
