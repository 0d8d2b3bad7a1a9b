"""Rewriting a conversation: what a person can do to what was said. Every method checks whose chat it is and that no reply is being made in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from chat import views
from chat.cast import character_as, character_in, greeting_of
from chat.checked import checked_day, checked_name, checked_note, worded_apart
from chat.errors import NothingToAnswer, NothingToContinue, NothingToTell
from chat.operations import Operation, Operations, answered
from chat.players import Persona, default_persona
from chat.receipt_body import of_thoughts
from chat.replies import MAX_THOUGHT_CHARS, JobKind, ReplyJob, ReplyJobs
from chat.tree_views import bin_view, tree_view
from chat.turn import Turn
from memory.deriving import division_of
from memory.engine import mend_task
from memory.narrative import PRESETS
from storage.errors import MemoryNotFound, NotFound
from storage.records import Chat, Kind, Memory, Message, NewMessage, NewWording, Role, StoryClock
from storage.scope import Scope
from storage.store import Store
from storage.tree import AGAIN_IN_BRANCH

LOOK_BACK = 60
"""Messages looked through for the one that a reply answers; a group's round holds a handful."""


class Rewriting(Operations):
    def __init__(self, store: Store, turn: Turn, jobs: ReplyJobs, *, sending: threading.Lock, wake: Callable[[], None]) -> None:
        super().__init__(store, jobs, sending=sending, wake=wake)
        self._turn = turn

    # Making text: each starts a job

    def regenerate(self, user_id: str, chat_id: str, message_id: str, *, edition: int) -> int:
        """A further variant of a character's message; of one that is not the newest, on a branch that ends there: one step with its branch,
        which is taken back if the model says nothing."""
        with self._operation(user_id, chat_id, edition) as op:
            answered(op.chat)
            message = self._message(op.scope, op.chat, message_id)
            if message.role is not Role.CHARACTER or message.revision.origin == "card" or message.heard:
                raise NothingToAnswer("Only a reply can be made again.")
            history = self._answered(op.scope, op.chat, message)
            newest = self._store.chats.head(op.scope, op.chat.branch_id)
            forked = newest is None or newest.id != message.id
            if forked:
                branch_id = self._store.branches.fork(op.scope, op.chat.branch_id, message.id, "", operation=AGAIN_IN_BRANCH)
                op.chat = op.chat.on(branch_id)
            self._start(op, history, kind=JobKind.VARIANT, message=message, forked=forked)
            return op.edition

    def resume(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Continue the newest reply where it ended; the longer text is a further variant of it."""
        with self._operation(user_id, chat_id, edition) as op:
            newest = self._store.chats.head(op.scope, op.chat.branch_id)
            answered(op.chat)
            if newest is None or newest.role is not Role.CHARACTER or newest.hidden or newest.heard:
                raise NothingToContinue("There is no reply to continue.")
            seen = op.scope.seen_by(newest.speaker) if op.chat.members else op.scope
            self._start(op, [newest, *self._before(seen, op.chat, newest)], kind=JobKind.CONTINUE, message=newest)
            return op.edition

    def draft(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Write what the player might say next, for the composer; nothing is kept of it."""
        with self._operation(user_id, chat_id, edition) as op:
            answered(op.chat)
            speaker = self._beside(op)
            history = self._store.chats.path(op.scope.seen_by(speaker), op.chat.branch_id, limit=self._turn.history)
            if not history:
                raise NothingToContinue("There is nothing yet to answer to.")
            self._start(op, history, kind=JobKind.DRAFT, message=None, speaker=speaker)
            return op.edition

    def _beside(self, op: Operation) -> str:
        """Of several characters the one that the player's next words are drafted beside, from what it witnessed: whoever spoke last of those who are there."""
        if not op.chat.members:
            return ""
        room = self._store.groups.room(op.scope, op.chat.branch_id) or tuple(m.name for m in op.chat.members)
        path = self._store.chats.path(op.scope, op.chat.branch_id, limit=LOOK_BACK)
        return next((m.speaker for m in path if m.role is Role.CHARACTER and m.speaker in room), room[0])

    def _start(
        self,
        op: Operation,
        history: Sequence[Message],
        *,
        kind: JobKind,
        message: Message | None,
        forked: bool = False,
        speaker: str = "",
    ) -> None:
        """Have the reply made once the operation is written: its thread reads what others read. forked: on a branch made for it alone; speaker: of several
        characters, if it is not who said the message."""
        chat = op.chat
        character = character_as(self._store, chat, message.speaker if message else speaker)
        scope = op.scope.seen_by(character.name) if chat.members else op.scope
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
            if self._store.chats.chat(scope).branch_id == branch_id and self._store.tree.undoable(scope)[0] == AGAIN_IN_BRANCH:
                self._store.tree.claim(scope, self._store.tree.edition(scope))
                self._store.tree.undo(scope)

    # Wordings

    def swipe(self, user_id: str, chat_id: str, message_id: str, *, to: int, edition: int) -> int:
        """Show another variant that exists. to: from 1, among those that were not put away."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            offered = self._store.wordings.offered(op.scope, op.chat.branch_id, message)
            if not 1 <= to <= len(offered):
                raise NotFound("This wording does not exist.")
            self._store.tree.swipe(op.scope, op.chat.branch_id, message.id, offered[to - 1].ordinal)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def put_away(self, user_id: str, chat_id: str, message_id: str, *, place: int, edition: int) -> int:
        """Put one of several wordings of a message into the bin; place: from 1. What was remembered of it goes with it and comes back with it. Raises
        LastWording for the only one."""
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            self._store.wordings.put_away(op.scope, op.chat.branch_id, message.id, place)
            self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def edit(self, user_id: str, chat_id: str, message_id: str, text: str, *, edition: int) -> int:
        """Another wording of a message; what was said after it stays, and what the player wrote about the old wording in its memories."""
        clean, thoughts = worded_apart(text)
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            if clean != message.text or thoughts:
                worded = self._store.tree.reword(op.scope, op.chat.branch_id, message.id, _edited(message, clean), operation="edit")
                self._store.controls.carry(op.scope, message.revision, worded.revision)
                self._keep_thoughts(op.scope, worded, thoughts)
                self._mend(op.scope, op.chat.branch_id, [message])
            return op.edition

    def edit_in_branch(self, user_id: str, chat_id: str, message_id: str, text: str, *, edition: int) -> int:
        """Another wording of a message on a branch that ends with it; the branch it was on stays as it is, with what the player wrote about it."""
        clean, thoughts = worded_apart(text)
        with self._operation(user_id, chat_id, edition) as op:
            message = self._message(op.scope, op.chat, message_id)
            branch_id, worded = self._store.tree.reword_in_branch(
                op.scope, op.chat.branch_id, message.id, _edited(message, clean), operation="edit_in_branch"
            )
            self._keep_thoughts(op.scope, worded, thoughts)
            self._mend(op.scope, branch_id, [message])
            return op.edition

    def _keep_thoughts(self, scope: Scope, message: Message, thoughts: str) -> None:
        """Keep what was pasted in with a wording and was only thought where a reply's thoughts are: in its receipt, in no prompt and no memory."""
        if thoughts:
            body = of_thoughts(thoughts[:MAX_THOUGHT_CHARS])
            self._store.receipts.add(scope, message_id=message.id, revision_id=message.revision.id, body=body)

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
        clean = checked_name(name)
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
        clean = checked_name(name)
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
            waits = bool(path) and path[0].role is Role.USER and not path[0].heard
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
        clock = StoryClock(datetime.now(UTC).replace(microsecond=0), checked_day(day), runs) if day else None
        with self._operation(user_id, chat_id, edition) as op:
            self._store.story.set_clock(op.scope, op.chat.branch_id, clock)
            return op.edition

    def set_note(self, user_id: str, chat_id: str, text: str, *, depth: int, every: int, role: str, edition: int) -> int:
        """Let the author's note be this in every prompt from now on; without words, none. It is nobody's message: nothing of it is remembered. Raises NoteTooLong."""
        note = checked_note(text, depth=depth, every=every, role=role)
        with self._operation(user_id, chat_id, edition) as op:
            self._store.story.set_note(op.scope, op.chat.branch_id, note)
            return op.edition

    def play_as(self, user_id: str, chat_id: str, player_id: str, *, follows: bool, edition: int) -> int:
        """Let the player be a persona of theirs from the next message on, whichever is the default (follows), or with no id none, as where the conversation
        began without one. What was said stays as it was said, and so does what was remembered of it; only a greeting that nothing was said to yet is told anew.
        Raises PlayerNotFound."""
        with self._operation(user_id, chat_id, edition) as op:
            keeps = bool(player_id) and not follows
            name = self._store.players.get(user_id, player_id).name if keeps else ""
            if keeps and player_id != op.chat.player_id:
                self._store.players.listed(user_id, player_id)
            if follows or keeps:
                value: tuple[str, str] | None = (player_id if keeps else "", name)
            else:
                value = None
            persona = Persona(op.chat.began_as or "")
            if follows:
                persona = default_persona(self._store, user_id, otherwise=persona.name)
            elif keeps:
                persona = Persona(name, self._store.players.get(user_id, player_id).description, player_id)
            if self._store.story.play_as(op.scope, op.chat.branch_id, value, greeting=self._greeting(op, persona)) and keeps:
                self._store.players.had(op.scope, player_id, name)
            return op.edition

    def _greeting(self, op: Operation, persona: Persona) -> NewMessage | None:
        """The greeting as it is told to somebody of another name, where it is all that was said on the branch and nobody has worded it otherwise."""
        path = self._store.chats.path(op.scope, op.chat.branch_id, limit=2)
        if op.chat.members or len(path) != 1 or path[0].revision.origin != "card" or path[0].hidden or persona.name == op.chat.user_name:
            return None
        character = character_in(self._store, op.chat)
        again = greeting_of(character, persona, external_id=f"greeting:{op.edition}", chosen=path[0].revision.ordinal)
        return replace(again, player="" if persona.name == op.chat.began_as else persona.name) if again is not None else None

    # What the character reads into things

    def deny(self, user_id: str, chat_id: str, memory_id: str, *, edition: int) -> int:
        """Say that a reading of the character's is not true: it is not recalled, and does not come back when memory is made anew. Raises MemoryNotFound."""
        with self._operation(user_id, chat_id, edition) as op:
            self._store.readings.deny(op.scope, op.chat.branch_id, self._reading(op.scope, memory_id))
            return op.edition

    def allow(self, user_id: str, chat_id: str, memory_id: str, *, edition: int) -> int:
        """Let a reading that was said not to be true count again."""
        with self._operation(user_id, chat_id, edition) as op:
            self._store.readings.allow(op.scope, op.chat.branch_id, self._reading(op.scope, memory_id))
            return op.edition

    def _reading(self, scope: Scope, memory_id: str) -> Memory:
        found = self._store.memories.get(scope, [memory_id]).get(memory_id)
        if found is None or found.kind is not Kind.INSIGHT or found.status != "active":
            raise MemoryNotFound("This reading is not there any more. Nothing was changed.")
        return found

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

    def restore(self, user_id: str, chat_id: str, item_id: str, *, edition: int) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            if self._store.wordings.is_away(op.scope, op.chat.branch_id, item_id):
                message_id = self._store.wordings.take_back(op.scope, op.chat.branch_id, item_id)
                self._mend(op.scope, op.chat.branch_id, [self._message(op.scope, op.chat, message_id)])
                return op.edition
            branch_id = self._store.bin.restore(op.scope, item_id)
            self._store.tasks.join(op.scope, mend_task(branch_id, first_round=0), least="first_round")
            return op.edition

    # Parts

    def _before(self, scope: Scope, chat: Chat, message: Message) -> list[Message]:
        return self._store.chats.path(scope, chat.branch_id, limit=self._turn.history, before=message.id)

    def _answered(self, scope: Scope, chat: Chat, message: Message) -> list[Message]:
        """The history that a reply answers, newest first, its first the player's message; of several characters what the one who speaks has witnessed."""
        if chat.members:
            return self._before(scope.seen_by(message.speaker), chat, message)
        history = self._before(scope, chat, message)
        places = [place for place, m in enumerate(history[:LOOK_BACK]) if m.role is Role.USER and not m.hidden and not m.heard]
        if not places:
            raise NothingToAnswer("There is no message that this could answer.")
        return history[places[0] :]


def _edited(message: Message, text: str) -> NewWording:
    """A person's wording of a message: said to whom it was said to."""
    return NewWording(text, "user", player=message.revision.player)
