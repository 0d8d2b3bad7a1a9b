"""What a person can do to what is remembered. Every method checks whose chat it is, and that the memory or task is of that chat."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import NoReturn

from chat import views
from chat.cast import mind_of
from chat.errors import MemoryIsSaid, MemoryNotPinnable, MemoryTextEmpty, MemoryTextTooLong, ReplyRunning, TaskNotWaiting
from chat.formers import Formers
from chat.limits import MAX_MEMORY_CHARS
from chat.memory_views import queue_view, round_view
from chat.operations import open_chat
from chat.replies import ReplyJobs
from chat.text import keepable
from errors import KeepsakeError
from memory.engine import ANEW, MemoryEngine, index_task, mend_task
from memory.episodes import language_of
from memory.persona import teller, told_name
from memory.rederiving import lines_of, retold
from storage.controls import Erase
from storage.errors import MemoryNotFound
from storage.records import Chat, Kind, Memory
from storage.scope import Scope
from storage.store import Store
from storage.witnesses import MIND

log = logging.getLogger(__name__)

PINNABLE = (Kind.FACT, Kind.INSIGHT, Kind.EPISODE, Kind.TOPIC)
"""Kinds that are recalled, and topics, which stand in a prompt only so. What is known of the player stands in every prompt anyway, and the story in none."""


class MemoryControls:
    """erase: takes a memory's text out of the database, inside a transaction; tidy: has the files follow; wake: tells the worker of new tasks; sending: held
    while a reply is begun."""

    def __init__(
        self,
        store: Store,
        engine: MemoryEngine,
        jobs: ReplyJobs,
        *,
        sending: threading.Lock,
        erase: Erase,
        tidy: Callable[[], None],
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._engine = engine
        self._jobs = jobs
        self._sending = sending
        self._erase = erase
        self._tidy = tidy
        self._wake = wake
        self._formers = Formers()

    # Decisions

    def edit(self, user_id: str, chat_id: str, memory_id: str, text: str) -> str:
        """Put a person's words in the place of a memory's; what it can be taken back by, "" if nothing was changed. An episode is what was said: its messages
        can be edited instead (MemoryIsSaid).

        Of a piece of the story a line is a sentence. The new words are searched by at once and found by meaning when they are embedded, behind this.
        """
        scope, chat, memory = self._memory(user_id, chat_id, memory_id)
        if memory.kind is Kind.EPISODE:
            self._refuse_said()
        clean = _checked(memory.kind, text)
        tell = self._teller(scope, chat)
        if clean == _shown(memory, tell):
            return ""  # as it is shown, with the player's name
        payload: dict[str, object] = {}
        if memory.kind is Kind.PLOT:
            clean, payload = retold(memory, clean, tell=tell)
        with self._store.database.write():
            former = self._store.controls.edit(scope, memory_id, text=clean, language=language_of(clean), payload=payload)
            if former is not None:
                self._store.tasks.add(scope, index_task(chat.branch_id, [memory_id]))
                self._mend(scope, memory)
        self._wake()
        return self._formers.keep(user_id, chat_id, former) if former is not None else ""

    def pin(self, user_id: str, chat_id: str, memory_id: str) -> None:
        """Keep a memory in every prompt, and from being forgotten. Raises MemoryNotPinnable for what is never recalled."""
        self._pin(user_id, chat_id, memory_id, pinned=True)

    def unpin(self, user_id: str, chat_id: str, memory_id: str) -> None:
        self._pin(user_id, chat_id, memory_id, pinned=False)

    def _pin(self, user_id: str, chat_id: str, memory_id: str, *, pinned: bool) -> None:
        scope, _, memory = self._memory(user_id, chat_id, memory_id)
        if memory.kind not in PINNABLE:
            raise MemoryNotPinnable("This cannot be pinned: what is known of you stands in every prompt anyway, and the story in none.")
        self._store.controls.pin(scope, memory_id, pinned)

    def exclude(self, user_id: str, chat_id: str, memory_id: str) -> None:
        """Keep a memory out of recall, sketch and story, with what rests on it; it is shown still."""
        self._exclude(user_id, chat_id, memory_id, excluded=True)

    def include(self, user_id: str, chat_id: str, memory_id: str) -> None:
        self._exclude(user_id, chat_id, memory_id, excluded=False)

    def _exclude(self, user_id: str, chat_id: str, memory_id: str, *, excluded: bool) -> None:
        scope, _, memory = self._memory(user_id, chat_id, memory_id)
        with self._store.database.write():
            if self._store.controls.exclude(scope, memory_id, excluded):
                self._mend(scope, memory)
        self._wake()

    def restore(self, user_id: str, chat_id: str, memory_id: str, of: str = "") -> str:
        """Bring a forgotten memory back on the open branch; it is spared from being forgotten for a chapter's rounds. One that is not forgotten stays so.
        What it can be taken back by, "" if nothing was changed. of, here and below: of several characters whose memory is shown, by name."""
        scope, chat, _ = self._memory(user_id, chat_id, memory_id, of)
        with self._store.database.write():
            if memory_id not in self._store.memories.forgotten(scope, chat.branch_id).ids:
                return ""
            head = self._store.chats.head(scope, chat.branch_id)
            if head is None:
                return ""
            former = self._store.controls.restore(scope, memory_id, message_id=head.id, round_number=head.round)
        return self._formers.keep(user_id, chat_id, former) if former is not None else ""

    def take_back(self, user_id: str, chat_id: str, token: str) -> None:
        """Let a memory be what it was before it was edited or brought back. Raises CannotUndo, also if it was edited again since."""
        former = self._formers.take(user_id, chat_id, token)
        scope, chat, memory = self._memory(user_id, chat_id, former.memory_id)
        with self._store.database.write():
            self._store.controls.take_back(scope, former)
            self._store.tasks.add(scope, index_task(chat.branch_id, [memory.id]))
            self._mend(scope, memory)
        self._wake()

    def delete(self, user_id: str, chat_id: str, memory_id: str) -> None:
        """Erase a memory for good, with what rests on it. It never comes back, however often its round is read again.

        Raises MemoryIsSaid for an episode, and ReplyRunning: the reply's receipt would tell it once more.
        """
        scope, chat, memory = self._memory(user_id, chat_id, memory_id)
        if memory.kind is Kind.EPISODE:
            self._refuse_said()
        with self._sending:
            if self._jobs.running(chat_id):
                raise ReplyRunning(
                    "A reply is still being written in this chat. Wait until it is done, or stop it, and try again; nothing was changed."
                )
            with self._store.database.write():
                erased = self._store.controls.delete(scope, memory_id, self._erase)
                self._store.tasks.add(scope, index_task(chat.branch_id, erased))
                self._mend(scope, memory)
        self._formers.drop(chat_id)
        try:
            self._engine.unindex(erased)
        except KeepsakeError as error:
            log.warning("entries of an erased memory stay in the index until the worker removes them: %s", error)
        self._tidy()
        self._wake()

    # Looking

    def rederive(self, user_id: str, chat_id: str, memory_id: str, of: str = "") -> views.RederivedView:
        """Read a memory's source again and lay the result beside what is kept; nothing is changed."""
        scope, chat, memory = self._memory(user_id, chat_id, memory_id, of)
        if memory.kind is Kind.EPISODE:
            self._refuse_said()
        new = () if memory.carried else self._engine.rederived(scope, chat.branch_id, memory)  # its source is another conversation's
        tell = self._teller(scope, chat)
        return views.RederivedView(memory_id, _shown(memory, tell), tuple(_each_line(text, tell) for text in new))

    def of_round(self, user_id: str, chat_id: str, round_number: int, of: str = "") -> views.RoundMemoriesView:
        """Everything that rests on what was said in a round of the open branch."""
        scope, chat = self._open(user_id, chat_id)
        scope = mind_of(scope, chat, of)
        head = self._store.chats.head(scope, chat.branch_id)
        current = head.round if head else 0
        found = self._engine.overview.of_round(scope, chat.branch_id, round_number, current_round=current)
        return round_view(found, round_number, tell=self._teller(scope, chat), current_round=current)

    # The queue

    def queue(self, user_id: str, chat_id: str) -> views.TaskQueueView:
        scope, _ = self._open(user_id, chat_id)
        return queue_view(self._store.task_list.progress(scope), self._store.task_list.open(scope), self._store.model_uses.all(scope))

    def retry(self, user_id: str, chat_id: str, task_id: int) -> None:
        """Do a failed task again, or one that pauses after a failure now. Raises TaskNotWaiting."""
        scope, _ = self._open(user_id, chat_id)
        if not self._store.tasks.retry(scope, task_id):
            self._refuse_task()
        self._wake()

    def retry_all(self, user_id: str, chat_id: str) -> int:
        """Do every failed task of the chat again; how many."""
        scope, _ = self._open(user_id, chat_id)
        count = self._store.tasks.retry_failed(scope)
        self._wake()
        return count

    def cancel(self, user_id: str, chat_id: str, task_id: int) -> None:
        """Give up a task that waits or has failed. Raises TaskNotWaiting: one under way is done to its end."""
        scope, _ = self._open(user_id, chat_id)
        if not self._store.tasks.cancel(scope, task_id):
            self._refuse_task()
        self._wake()

    def rebuild(self, user_id: str, chat_id: str) -> None:
        """Make all memory of a chat anew from its text, on every branch. What a person wrote or pinned stays; what they deleted or excluded stays so."""
        scope, _ = self._open(user_id, chat_id)
        with self._store.database.write():
            self._store.controls.supersede_all(scope)
            self._mend_from(scope, ANEW)
        self._wake()

    # Parts

    def _open(self, user_id: str, chat_id: str) -> tuple[Scope, Chat]:
        return open_chat(self._store, user_id, chat_id)

    def _memory(self, user_id: str, chat_id: str, memory_id: str, of: str = "") -> tuple[Scope, Chat, Memory]:
        scope, chat = self._open(user_id, chat_id)
        memory = self._store.memories.get(scope, [memory_id]).get(memory_id) if isinstance(memory_id, str) else None
        if memory is None or memory.status != "active":
            raise MemoryNotFound(
                "This memory is not there any more: it was deleted, or made anew from a changed text. Nothing was changed."
            )
        return mind_of(scope, chat, str(memory.payload.get(MIND) or of)), chat, memory

    def _teller(self, scope: Scope, chat: Chat) -> Callable[[str], str]:
        return teller(told_name(self._engine.overview.sketch(scope, chat.branch_id), chat.user_name))

    def _mend(self, scope: Scope, memory: Memory) -> None:
        self._mend_from(scope, memory.round_first)

    def _mend_from(self, scope: Scope, first_round: int) -> None:
        """Derive on every branch what follows now."""
        for branch in self._store.branches.all(scope):
            self._store.tasks.join(scope, mend_task(branch.id, first_round=first_round), least="first_round")

    @staticmethod
    def _refuse_said() -> NoReturn:
        raise MemoryIsSaid("An episode is what was said. Edit, hide or delete the message itself, or keep the episode out of recall.")

    @staticmethod
    def _refuse_task() -> NoReturn:
        raise TaskNotWaiting("This task does not wait any more: it is being done, or was done. Nothing was changed.")


def _shown(memory: Memory, tell: Callable[[str], str]) -> str:
    return _each_line(lines_of(memory) if memory.kind is Kind.PLOT else memory.text, tell)


def _each_line(text: str, tell: Callable[[str], str]) -> str:
    return "\n".join(map(tell, text.split("\n")))


def _checked(kind: Kind, text: str) -> str:
    """A person's words as they are kept: one line, of a piece of the story one line a sentence."""
    lines = [" ".join(line.split()) for line in keepable(text).split("\n")]
    kept = [line for line in lines if line]
    clean = ("\n" if kind is Kind.PLOT else " ").join(kept)
    limit = MAX_MEMORY_CHARS[kind.value]
    if not clean:
        raise MemoryTextEmpty("A memory without words cannot be kept; delete it instead. Nothing was changed.")
    if len(clean) > limit:
        raise MemoryTextTooLong(
            f"This has {len(clean):,} characters; {limit:,} is the most. Nothing was changed.", length=len(clean), limit=limit
        )
    return clean
