"""Rewriting a conversation: what a person can do to what was said. Every method checks whose chat it is and that no reply is being made in it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from chat import views
from chat.cast import character_of
from chat.errors import (
    DayNotPossible,
    MessageEmpty,
    MessageTooLong,
    NameTooLong,
    NothingToAnswer,
    NothingToContinue,
    NothingToTell,
    ReplyRunning,
)
from chat.limits import FIRST_YEAR, LAST_YEAR, MAX_MESSAGE_CHARS, MAX_NAME_CHARS
from chat.replies import JobKind, ReplyJob, ReplyJobs
from chat.text import keepable
from chat.tree_views import bin_view, binned_chats_view, tree_view
from chat.turn import Turn
from memory.deriving import division_of
from memory.engine import mend_task
from memory.narrative import PRESETS
from storage.errors import ChangedElsewhere, NotFound
from storage.records import Chat, Message, NewWording, Role, StoryClock
from storage.scope import Scope
from storage.store import Store
from storage.undo import Change

LOOK_BACK = 60
"""Messages looked through for the one that a reply answers; a group's round holds a handful."""


@dataclass
class _Operation:
    """One thing a person does. then: what is begun when it is safely written, before anything else is."""

    scope: Scope
    chat: Chat
    edition: int
    then: list[Callable[[], None]] = field(default_factory=list)


class Rewriting:
    """wake: tells the worker of new tasks; sending: held while a message or an operation is begun, so that two never interleave; finish_erasures: makes
    files and index follow what was erased."""

    def __init__(
        self,
        store: Store,
        turn: Turn,
        jobs: ReplyJobs,
        *,
        sending: threading.Lock,
        wake: Callable[[], None],
        finish_erasures: Callable[[], object],
    ) -> None:
        self._store = store
        self._turn = turn
        self._jobs = jobs
        self._sending = sending
        self._wake = wake
        self._finish_erasures = finish_erasures

    # Making text: each starts a job

    def regenerate(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        """A further variant of a character's message; of one that is not the newest, on a branch that ends there. If the model says nothing that branch is
        taken back."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            if message.role is not Role.CHARACTER or message.revision.origin == "card":
                raise NothingToAnswer("Only a reply can be made again.")
            history = self._answered(op.scope, op.chat, message)
            newest = self._store.chats.head(op.scope, op.chat.branch_id)
            forked = newest is None or newest.id != message.id
            if forked:
                branch_id = self._store.branches.fork(op.scope, op.chat.branch_id, message.id, "", operation="branch")
                op.chat = op.chat.on(branch_id)
            self._start(op, history, kind=JobKind.VARIANT, message=message, forked=forked)
            return op.edition

    def resume(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Continue the newest reply where it ended; the longer text is a further variant of it."""
        with self._operation(user_id, chat_id, edition) as op:
            newest = self._store.chats.head(op.scope, op.chat.branch_id)
            if newest is None or newest.role is not Role.CHARACTER or newest.hidden:
                raise NothingToContinue("There is no reply to continue.")
            self._start(op, [newest, *self._before(op.scope, op.chat, newest)], kind=JobKind.CONTINUE, message=newest)
            return op.edition

    def draft(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Write what the player might say next, for the composer; nothing is kept of it."""
        with self._operation(user_id, chat_id, edition) as op:
            history = self._store.chats.path(op.scope, op.chat.branch_id, limit=self._turn.history)
            if not history:
                raise NothingToContinue("There is nothing yet to answer to.")
            self._start(op, history, kind=JobKind.DRAFT, message=None)
            return op.edition

    def _start(self, op: _Operation, history: Sequence[Message], *, kind: JobKind, message: Message | None, forked: bool = False) -> None:
        """Have the reply made once the operation is written: its thread reads what others read. forked: on a branch made for it alone."""
        scope, chat = op.scope, op.chat
        character = character_of(self._store, scope.user_id, chat.character_id)
        job = ReplyJob.of(chat, character, kind=kind, message_id=message.id if message else "")
        make = {JobKind.VARIANT: self._turn.variant, JobKind.CONTINUE: self._turn.resume, JobKind.DRAFT: self._turn.draft}[kind]

        def reply(running: ReplyJob) -> None:
            try:
                make(running, scope, chat, character, history)
            finally:
                if forked and not running.text.strip():
                    self._take_back_fork(scope, chat.branch_id)

        op.then.append(lambda: self._jobs.start(job, reply))

    def _take_back_fork(self, scope: Scope, branch_id: str) -> None:
        """Go back to where a reply was asked for that did not come. Its job runs still, so nothing else was done meanwhile."""
        with self._store.database.write():
            if self._store.chats.chat(scope).branch_id == branch_id and self._store.tree.undoable(scope)[0] == "branch":
                self._store.tree.claim(scope, self._store.tree.edition(scope))
                self._store.tree.undo(scope)

    # Wordings

    def swipe(self, user_id: str, chat_id: str, message_id: str, *, to: int, edition: int) -> int:
        """Show another variant that exists. to: from 1."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.tree.swipe(op.scope, op.chat.branch_id, message.id, to - 1)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def edit(self, user_id: str, chat_id: str, message_id: str, text: str, *, edition: int) -> int:
        """Another wording of a message; what was said after it stays, and what the player wrote about the old wording in its memories."""
        clean = _checked(text)
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            if clean != message.text:
                worded = self._store.tree.reword(op.scope, op.chat.branch_id, message.id, NewWording(clean, "user"), operation="edit")
                self._store.controls.carry(op.scope, message.revision, worded.revision)
                self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def edit_in_branch(self, user_id: str, chat_id: str, message_id: str, text: str, *, edition: int) -> int:
        """Another wording of a message on a branch that ends with it; the branch it was on stays as it is, with what the player wrote about it."""
        clean = _checked(text)
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            branch_id = self._store.branches.fork(op.scope, op.chat.branch_id, message.id, "", operation="branch")
            self._store.tree.reword(op.scope, branch_id, message.id, NewWording(clean, "user"), operation="edit")
            self._mend(op.scope, branch_id, [message])
            return op.edition

    # Taking out, hiding

    def delete(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        """Take one message out; it goes to the bin."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.tree.delete(op.scope, op.chat.branch_id, message.id)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def delete_from(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        """Take out a message and everything after it; it goes to the bin as one piece."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.tree.delete_from(op.scope, op.chat.branch_id, message.id)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def hide(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        """Keep a message from the model: it is not in prompts, and nothing that rests on it is remembered while it is hidden."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.tree.hide(op.scope, op.chat.branch_id, message.id)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def show(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.tree.show(op.scope, op.chat.branch_id, message.id)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    # Branches

    def branch(self, user_id: str, chat_id: str, message_id: str, name: str, *, edition: int) -> int:
        """A new branch that ends at a message; the conversation goes on there."""
        return self._fork(user_id, chat_id, message_id, name, "branch", edition)

    def checkpoint(self, user_id: str, chat_id: str, message_id: str, name: str, *, edition: int) -> int:
        """A branch to come back to; the conversation stays where it is."""
        return self._fork(user_id, chat_id, message_id, name, "checkpoint", edition)

    def _fork(self, user_id: str, chat_id: str, message_id: str, name: str, operation: str, edition: int) -> int:
        clean = _name(name)
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            branch_id = self._store.branches.fork(op.scope, op.chat.branch_id, message.id, clean, operation=operation)
            self._mend(op.scope, branch_id, [message])
            return op.edition

    def switch(self, user_id: str, chat_id: str, branch_id: str, *, edition: int) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            self._store.branches.switch(op.scope, branch_id)
            return op.edition

    def rename_branch(self, user_id: str, chat_id: str, branch_id: str, name: str, *, edition: int) -> int:
        clean = _name(name)
        with self._operation(user_id, chat_id, edition) as op:
            self._store.branches.rename(op.scope, branch_id, clean)
            return op.edition

    def remove_branch(self, user_id: str, chat_id: str, branch_id: str, *, edition: int) -> int:
        """Put a branch into the bin."""
        with self._operation(user_id, chat_id, edition) as op:
            self._store.branches.remove(op.scope, branch_id)
            return op.edition

    def tree(self, user_id: str, chat_id: str) -> views.TreeView:
        scope, chat = self._open(user_id, chat_id)
        return tree_view(self._store, scope, chat)

    # How the story is divided

    def summarise(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Close the open chapter now. It ends with the newest round that was answered; what is said from then on begins the next. Raises NothingToTell."""
        with self._operation(user_id, chat_id, edition) as op:
            branch_id = op.chat.branch_id
            division = division_of(self._store, op.scope, branch_id)
            path = self._store.chats.path(op.scope, branch_id, limit=LOOK_BACK)
            waits = bool(path) and path[0].role is Role.USER
            last = next((m for m in path if not waits or m.round < path[0].round), None)
            if last is None or last.round < max(1, division.open_from):
                raise NothingToTell("Nothing was said since the last chapter. Nothing was changed.")
            self._store.story.end(op.scope, branch_id, last.id)
            self._store.tasks.join(op.scope, mend_task(branch_id, first_round=division.open_from), least="first_round")
            return op.edition

    def divide(self, user_id: str, chat_id: str, preset: str, *, edition: int) -> int:
        """Divide the story by another preset: it is told anew, and what was told by the one before comes back with it. Raises NotFound for none."""
        if preset not in PRESETS:
            raise NotFound("There is no such division of the story. Nothing was changed.")
        with self._operation(user_id, chat_id, edition) as op:
            if self._store.story.choose(op.scope, op.chat.branch_id, preset):
                self._mend_all(op.scope)
            return op.edition

    def set_day(self, user_id: str, chat_id: str, day: str, *, runs: bool, edition: int) -> int:
        """Let it be a day (ISO 8601) in the story from now on, going on with the days (runs) or staying; "" for the real one. What was said before keeps its
        day. Raises DayNotPossible."""
        clock = StoryClock(datetime.now(UTC).replace(microsecond=0), _day(day), runs) if day else None
        with self._operation(user_id, chat_id, edition) as op:
            self._store.story.set_clock(op.scope, op.chat.branch_id, clock)
            return op.edition

    def _mend_all(self, scope: Scope) -> None:
        for branch in self._store.branches.all(scope):
            self._store.tasks.join(scope, mend_task(branch.id, first_round=0), least="first_round")

    # Undo and the bin

    def undo(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Take the last thing done back; what was said and the reply to it count as one."""
        with self._operation(user_id, chat_id, edition) as op:
            self._mend_after(op.scope, self._store.tree.undo(op.scope))
            return op.edition

    def redo(self, user_id: str, chat_id: str, *, edition: int) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            self._mend_after(op.scope, self._store.tree.redo(op.scope))
            return op.edition

    def undoable(self, user_id: str, chat_id: str) -> tuple[str, str]:
        """Names of the operations that undo takes back and redo does again; "" where there is none."""
        return self._store.tree.undoable(self._open(user_id, chat_id)[0])

    def bin(self, user_id: str, chat_id: str) -> tuple[views.BinItemView, ...]:
        """What was taken out of the branch that is open, and removed branches; newest first."""
        scope, chat = self._open(user_id, chat_id)
        return bin_view(self._store, scope, chat)

    def bin_weight(self, user_id: str, chat_id: str) -> views.BinWeightView:
        """What `empty_bin` would erase."""
        self._open(user_id, chat_id)
        found = self._store.erasures.unshown(user_id, chat_id)
        return views.BinWeightView(found.messages, found.branches, found.memories)

    def restore(self, user_id: str, chat_id: str, item_id: str, *, edition: int) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            branch_id = self._store.bin.restore(op.scope, item_id)
            self._store.tasks.join(op.scope, mend_task(branch_id, first_round=0), least="first_round")
            return op.edition

    # Chats

    def rename_chat(self, user_id: str, chat_id: str, title: str) -> None:
        scope, _ = self._open(user_id, chat_id)
        self._store.chats.rename(scope, _name(title))

    def delete_chat(self, user_id: str, chat_id: str) -> None:
        """Put a chat into the bin; a reply under way is stopped first."""
        scope, _ = self._open(user_id, chat_id)
        self._end_reply(chat_id)
        self._store.chats.bin(scope)

    def erase_chat(self, user_id: str, chat_id: str) -> None:
        """Erase a chat, in the bin or not, with every byte of its text, copies in backups included. Raises ErasureUnfinished if it takes another start."""
        self._end_reply(chat_id)
        self._store.erasures.chat(user_id, chat_id)
        self._finish_erasures()

    def erase_binned(self, user_id: str, chat_id: str) -> None:
        """`erase_chat` as a page asks for it that shows the chat in the bin; ChangedElsewhere if it is not there any more."""
        if chat_id not in {chat.id for chat in self.binned_chats(user_id)}:
            raise ChangedElsewhere("This conversation is not in the bin any more. Nothing was erased.")
        self.erase_chat(user_id, chat_id)

    def empty_bin(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Erase what no branch of a chat shows any more; how many messages. Raises as `erase_chat` does."""
        scope, _ = self._open(user_id, chat_id)
        self._store.tree.claim(scope, edition)
        self._end_reply(chat_id)
        count = self._store.erasures.empty_bin(user_id, chat_id)
        self._finish_erasures()
        return count

    def _end_reply(self, chat_id: str) -> None:
        job = self._jobs.get(chat_id)
        if job is not None and job.active:
            job.stop()
            job.wait(10.0)

    def binned_chats(self, user_id: str) -> tuple[views.BinnedChatView, ...]:
        return binned_chats_view(self._store, user_id)

    def restore_chat(self, user_id: str, chat_id: str) -> None:
        self._store.chats.unbin(user_id, chat_id)

    # Parts

    def _open(self, user_id: str, chat_id: str) -> tuple[Scope, Chat]:
        if not isinstance(chat_id, str) or not chat_id:
            raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")
        scope = Scope.of(user_id, chat_id)
        return scope, self._store.chats.chat(scope)

    @contextlib.contextmanager
    def _operation(self, user_id: str, chat_id: str, edition: int) -> Iterator[_Operation]:
        """One transaction of a page that shows `edition`. Memory work is told when it is done."""
        scope, _ = self._open(user_id, chat_id)
        with self._sending:
            if self._jobs.running(chat_id):
                raise ReplyRunning(
                    "A reply is still being written in this chat. Wait until it is done, or stop it, and try again; nothing was changed."
                )
            with self._store.database.write():
                op = _Operation(scope, self._store.chats.chat(scope), self._store.tree.claim(scope, edition))
                yield op
            for begin in op.then:
                begin()
        self._wake()

    def _message(self, scope: Scope, chat: Chat, message_id: str) -> Message:
        found = self._store.chats.messages(scope, chat.branch_id, [message_id])
        if not found:
            raise NotFound("This message is not part of the conversation any more. Nothing was changed.")
        return found[0]

    def _before(self, scope: Scope, chat: Chat, message: Message) -> list[Message]:
        return self._store.chats.path(scope, chat.branch_id, limit=self._turn.history, before=message.id)

    def _answered(self, scope: Scope, chat: Chat, message: Message) -> list[Message]:
        """The history that a reply answers, newest first, its first the player's message."""
        history = self._before(scope, chat, message)
        places = [place for place, m in enumerate(history[:LOOK_BACK]) if m.role is Role.USER and not m.hidden]
        if not places:
            raise NothingToAnswer("There is no message that this could answer.")
        return history[places[0] :]

    def _mend(self, scope: Scope, branch_id: str, changed: Iterable[Message]) -> None:
        first = min((m.round for m in changed), default=0)
        self._store.tasks.join(scope, mend_task(branch_id, first_round=first), least="first_round")

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
            if change.thing == "preset":
                first |= {branch.id: 0 for branch in self._store.branches.all(scope)}
        for branch_id, number in first.items():
            self._store.tasks.join(scope, mend_task(branch_id, first_round=number), least="first_round")


def _day(text: str) -> datetime:
    """Noon, which is the same day nearly everywhere."""
    day = None
    with contextlib.suppress(ValueError):
        day = date.fromisoformat(text)
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise DayNotPossible(
            f"A story's day may be from the year {FIRST_YEAR} to the year {LAST_YEAR}. Nothing was changed.",
            first=FIRST_YEAR,
            last=LAST_YEAR,
        )
    return datetime.combine(day, time(12), UTC)


def _checked(text: str) -> str:
    clean = keepable(text)
    if not clean.strip():
        raise MessageEmpty("An empty message cannot be kept; delete it instead. Nothing was changed.")
    if len(clean) > MAX_MESSAGE_CHARS:
        raise MessageTooLong(
            f"This message has {len(clean):,} characters; {MAX_MESSAGE_CHARS:,} is the most. Nothing was changed.",
            length=len(clean),
            limit=MAX_MESSAGE_CHARS,
        )
    return clean


def _name(name: str) -> str:
    clean = " ".join(keepable(name).split())
    if len(clean) > MAX_NAME_CHARS:
        raise NameTooLong(f"A name may have {MAX_NAME_CHARS} characters. Nothing was changed.", limit=MAX_NAME_CHARS)
    return clean
