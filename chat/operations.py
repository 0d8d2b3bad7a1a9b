"""What the operations on a conversation have in common: whose it is, one transaction of a page that shows it as it is, memory that follows."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from chat.errors import OnlyListens, ReplyRunning
from chat.replies import ReplyJobs
from memory.engine import mend_task
from storage.errors import NotFound
from storage.records import Chat, Message
from storage.scope import Scope
from storage.store import Store
from storage.undo import Change


def open_chat(store: Store, user_id: str, chat_id: str) -> tuple[Scope, Chat]:
    """A chat of a user's, by an id as it came. Raises NotFound for anybody else's."""
    if not isinstance(chat_id, str) or not chat_id:
        raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")
    scope = Scope.of(user_id, chat_id)
    return scope, store.chats.chat(scope)


def answered(chat: Chat) -> None:
    """Raises OnlyListens for a conversation in which nobody answers."""
    if chat.listens:
        raise OnlyListens("This conversation only listens: nobody answers in it. Nothing was changed.")


@dataclass
class Operation:
    """One thing a person does. then: what is begun when it is safely written, before anything else is."""

    scope: Scope
    chat: Chat
    edition: int
    then: list[Callable[[], None]] = field(default_factory=list)


class Operations:
    """wake: tells the worker of new tasks; sending: held while a message or an operation is begun, so that two never interleave."""

    def __init__(self, store: Store, jobs: ReplyJobs, *, sending: threading.Lock, wake: Callable[[], None]) -> None:
        self._store = store
        self._jobs = jobs
        self._sending = sending
        self._wake = wake

    def _open(self, user_id: str, chat_id: str) -> tuple[Scope, Chat]:
        return open_chat(self._store, user_id, chat_id)

    @contextlib.contextmanager
    def _operation(self, user_id: str, chat_id: str, edition: int) -> Iterator[Operation]:
        """One transaction of a page that shows `edition`. Memory work is told when it is done."""
        scope, _ = self._open(user_id, chat_id)
        with self._sending:
            if self._jobs.running(chat_id):
                raise ReplyRunning(
                    "A reply is still being written in this chat. Wait until it is done, or stop it, and try again; nothing was changed."
                )
            with self._store.database.write():
                op = Operation(scope, self._store.chats.chat(scope), self._store.tree.claim(scope, edition))
                yield op
            for begin in op.then:
                begin()
        self._wake()

    def _message(self, scope: Scope, chat: Chat, message_id: str) -> Message:
        found = self._store.chats.messages(scope, chat.branch_id, [message_id])
        if not found:
            raise NotFound("This message is not part of the conversation any more. Nothing was changed.")
        return found[0]

    def _mend(self, scope: Scope, branch_id: str, changed: Iterable[Message]) -> None:
        first = min((m.round for m in changed), default=0)
        self._store.tasks.join(scope, mend_task(branch_id, first_round=first), least="first_round")

    def _mend_all(self, scope: Scope) -> None:
        for branch in self._store.branches.all(scope):
            self._store.tasks.join(scope, mend_task(branch.id, first_round=0), least="first_round")

    def _mend_after(self, scope: Scope, changes: Sequence[Change]) -> None:
        """Mend the branches that steps taken back or done again have changed, each from the first message that changed."""
        first: dict[str, int] = {}
        for change in changes:
            if change.thing in ("head", "selection"):
                places = [change.target[-1]] if change.thing == "selection" else [change.before, change.after]
                rounds = [self._store.chats.place(scope, i).round for i in places if isinstance(i, str)]
                first[change.target[0]] = min([*rounds, first.get(change.target[0], max(rounds, default=0))])
            if change.thing == "end":
                first[change.target[0]] = 0
            if change.thing in ("preset", "carried"):
                first |= {branch.id: 0 for branch in self._store.branches.all(scope)}
        for branch_id, number in first.items():
            self._store.tasks.join(scope, mend_task(branch_id, first_round=number), least="first_round")
