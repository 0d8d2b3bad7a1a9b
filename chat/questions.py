"""Questions to the memory: each is answered by a thread of the server's own, so no reply waits for it, a page only looks at it, and it can be stopped.

Nothing is written of a question but what a language model cost. Answers stay in this process, the newest of each user, and are shown only while everything
they were read from still stands on the branch they were asked on.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from datetime import datetime

from chat.cast import mind_of
from chat.errors import MessageEmpty, QuestionGone, QuestionsWaiting, QuestionTooLong
from chat.limits import MAX_QUESTION_CHARS
from chat.text import keepable
from chat.views import AnswerView, AskedPhase, AskedView, NoteView, PartView
from errors import KeepsakeError
from machine import lower_thread
from memory.answering import Answer
from memory.engine import Answerer, Asking, Grounds
from memory.reading.drafts import DateRange
from models.errors import ModelError
from models.seat import Seat
from models.structured import AnswerUnreadable, StructuredModel
from storage.records import Chat, Kind
from storage.scope import Scope
from storage.store import Store

log = logging.getLogger(__name__)

THREADS = 2
"""Questions that are worked on at once; more would take the processor from replies."""
MOST_WAITING = 4
"""Of one user, not answered yet."""
KEPT = 40
"""Answers of one user that can be looked at again."""

Tell = Callable[[str], str]


class _Stopped(Exception):
    """Nobody waits for the answer any more."""


@dataclass
class _Asked:
    """One question: written by its thread, read by any page."""

    token: str
    text: str
    chat: Chat
    witness: str = ""
    """Of several characters the one whose memory is asked."""
    phase: AskedPhase = AskedPhase.WAITING
    answer: Answer | None = None
    grounds: Grounds | None = None
    model: str = ""
    error: KeepsakeError | None = None
    cancel: threading.Event = field(default_factory=threading.Event)

    @property
    def final(self) -> bool:
        return self.phase in (AskedPhase.DONE, AskedPhase.STOPPED, AskedPhase.FAILED)

    def breathe(self) -> None:
        if self.cancel.is_set():
            raise _Stopped


class Questions:
    """teller: puts the player's name into a chat's sentences; model: who answers from what is found, None for answers of chosen sentences."""

    def __init__(
        self, store: Store, answerer: Answerer, *, model: Seat[StructuredModel | None], teller: Callable[[Scope, Chat], Tell]
    ) -> None:
        self._store = store
        self._answerer = answerer
        self._model = model
        self._teller = teller
        self._asked: dict[str, OrderedDict[str, _Asked]] = {}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._free = threading.BoundedSemaphore(THREADS)

    def ask(self, user_id: str, chat_id: str, text: str, *, token: str, of: str = "") -> AskedView:
        """Begin to answer a question about the chat's open branch; of several characters from what that one knows, by name. The same
        token twice is one question. Raises MessageEmpty,
        QuestionTooLong and QuestionsWaiting."""
        scope = Scope.of(user_id, chat_id)
        chat = self._store.chats.chat(scope)
        clean = " ".join(keepable(text).split())
        if len(clean) > MAX_QUESTION_CHARS:
            raise QuestionTooLong(
                f"This question has {len(clean):,} characters; {MAX_QUESTION_CHARS:,} is the most. Shorten it.",
                length=len(clean),
                limit=MAX_QUESTION_CHARS,
            )
        if not clean or not token:
            raise MessageEmpty("There is nothing to ask yet.")
        with self._lock:
            own = self._asked.setdefault(user_id, OrderedDict())
            known = own.get(token)
            if known is None:
                if sum(not asked.final for asked in own.values()) >= MOST_WAITING:
                    raise QuestionsWaiting("Some questions are not answered yet. Wait for them or stop one, and ask again.")
                known = own[token] = _Asked(token, clean, chat, mind_of(scope, chat, of).witness)
                for old in [t for t, asked in own.items() if asked.final][: max(0, len(own) - KEPT)]:
                    del own[old]
                self._threads = [t for t in self._threads if t.is_alive()]
                if self._closed:
                    known.phase = AskedPhase.STOPPED
                else:
                    asking = scope.seen_by(known.witness)
                    run = copy_context().run  # "yesterday" is read on the wall of whoever asks (`storage.wall`)
                    self._threads.append(threading.Thread(target=run, args=(self._work, asking, known), name="question", daemon=True))
                    self._threads[-1].start()
        return self._view(scope, known)

    def look(self, user_id: str, chat_id: str, token: str) -> AskedView:
        """A question as it stands. Raises QuestionGone."""
        return self._view(*self._of(user_id, chat_id, token))

    def stop(self, user_id: str, chat_id: str, token: str) -> AskedView:
        """Stop answering at once; an answer that is there stays."""
        scope, asked = self._of(user_id, chat_id, token)
        with self._lock:
            if not asked.final:
                asked.phase = AskedPhase.STOPPED
        asked.cancel.set()
        return self._view(scope, asked)

    def stop_all(self, *, timeout: float) -> None:
        """Stop every question and wait so long for their threads: none may read a database that is closed. Further ones are stopped from the beginning."""
        with self._lock:
            self._closed = True
            threads = list(self._threads)
            for own in self._asked.values():
                for asked in own.values():
                    asked.cancel.set()
        deadline = time.monotonic() + timeout
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _of(self, user_id: str, chat_id: str, token: str) -> tuple[Scope, _Asked]:
        scope = Scope.of(user_id, chat_id)
        self._store.chats.check(scope)
        with self._lock:
            asked = self._asked.get(user_id, OrderedDict()).get(token)
        if asked is None or asked.chat.id != chat_id:
            raise QuestionGone("This question is not known any more. Ask it again.")
        return scope, asked

    # The work

    def _work(self, scope: Scope, asked: _Asked) -> None:
        # As the worker's: what embeds beside a reply at full speed takes it twice as long.
        lower_thread(19)
        try:
            while not self._free.acquire(timeout=0.2):
                asked.breathe()
            try:
                self._answer(scope, asked)
            finally:
                self._free.release()
        except _Stopped:
            self._enter(asked, AskedPhase.STOPPED)
        except KeepsakeError as error:
            asked.error = error
            self._enter(asked, AskedPhase.FAILED)
        except Exception:
            log.exception("a question to the memory failed unexpectedly")
            asked.error = KeepsakeError("The question could not be answered. Nothing was changed.")
            self._enter(asked, AskedPhase.FAILED)

    def _answer(self, scope: Scope, asked: _Asked) -> None:
        asking = Asking(asked.text, asked.chat.now(), asked.breathe, asked.cancel)
        asked.breathe()
        self._enter(asked, AskedPhase.FINDING)
        branch_id = asked.chat.branch_id
        gathered = self._answerer.gather(scope, branch_id, asked.chat, asking)
        answered: tuple[Answer, Grounds] | None = None
        with self._model.taken() as model:
            if model is not None and (gathered.rounds or gathered.memories):
                self._enter(asked, AskedPhase.READING)
                try:
                    answered = self._answerer.ask(scope, gathered, asking, model)
                    asked.model = model.name
                except (ModelError, AnswerUnreadable) as error:
                    asked.breathe()
                    asked.error = error
        if answered is None:
            self._enter(asked, AskedPhase.CHOOSING)
            answered = self._answerer.extract(scope, gathered, asking)
        asked.answer, asked.grounds = answered
        self._enter(asked, AskedPhase.DONE)

    def _enter(self, asked: _Asked, phase: AskedPhase) -> None:
        with self._lock:
            if not asked.final:
                asked.phase = phase

    # What a page is shown

    def _view(self, scope: Scope, asked: _Asked) -> AskedView:
        with self._lock:
            phase, answer, grounds = asked.phase, asked.answer, asked.grounds
        error = asked.error if phase in (AskedPhase.DONE, AskedPhase.FAILED) else None
        view = AskedView(
            asked.token,
            asked.text,
            phase,
            of=asked.witness,
            error_code=error.code if error else "",
            error_params={**error.params, "message": str(error)} if error else {},
        )
        if phase is not AskedPhase.DONE or answer is None or grounds is None:
            return view
        scope = scope.seen_by(asked.witness)
        now = self._store.chats.chat(scope)
        if now.branch_id != asked.chat.branch_id or not self._answerer.stands(scope, now.branch_id, grounds):
            return AskedView(asked.token, asked.text, phase, outdated=True, of=asked.witness)
        tell = self._teller(scope, now)
        waiting = self._store.tasks.queue(scope).waiting if now.remembers else 0
        return replace(view, answer=answer_view(answer, tell, model=asked.model, waiting=waiting))


def answer_view(answer: Answer, tell: Tell, *, model: str, waiting: int) -> AnswerView:
    """What a page is shown; notes whose words stand in a part are shown there alone.

    tell: puts the player's name into what was noted; what was said stands as it was said. waiting: memory tasks.
    """
    parts = [PartView(tell(p.text) if p.noted else p.text, p.rounds, p.said_at, _days(p.event)) for p in answer.parts]
    notes: list[NoteView] = []
    for n in answer.notes:
        text = n.text if n.kind is Kind.EPISODE and answer.by == "sentences" else tell(n.text)
        quote = "" if _within(n.quote, text) else n.quote
        note = NoteView(text, n.kind.value, n.round, n.said_by, n.said_at, _days(n.event), quote, n.cited)
        place = next((at for at, p in enumerate(parts) if n.round in p.rounds and _within(text, p.text)), None)
        if place is not None:
            part = parts[place]
            other = part.quote or ("" if _within(quote, part.text) else quote)
            parts[place] = replace(part, said_by=part.said_by or n.said_by, happened=part.happened or note.happened, quote=other)
        elif not any(n.round == other.round and _within(text, other.text) for other in notes):
            notes.append(note)
    return AnswerView(
        found=answer.found,
        missing=answer.missing,
        by=answer.by,
        model=model,
        parts=tuple(parts),
        notes=tuple(notes),
        dated=answer.dated,
        waiting=waiting,
    )


def _within(words: str, text: str) -> bool:
    """Whether a text has these words, whatever stands between and around them; no words are in none."""
    said, whole = (" ".join(re.findall(r"\w+", one.casefold())) for one in (words, text))
    return bool(said) and f" {said} " in f" {whole} "


def _days(event: DateRange | None) -> tuple[datetime, datetime] | None:
    return (event.first, event.last) if event else None
