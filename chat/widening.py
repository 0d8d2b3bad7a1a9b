"""A conversation with one character that goes on with several: in a copy of its own, with the same talk on it, so that the one there was stays as it is.

Memory of a conversation of several is read and kept otherwise (each has its own part, and what is its own has ids of its own), so it is made anew from the talk, as of an
import: every message was witnessed by the one character there was, and the newcomer witnessed none of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from chat.carried import LEFT_OUT, belongings, memories_of
from chat.cast import character_of
from chat.errors import CannotListen, GroupNamesAlike, GroupSize, ReplyRunning
from chat.group_words import MOST
from chat.groups import Groups
from chat.operations import open_chat
from chat.replies import ReplyJobs
from memory.construction import final_tasks, round_tasks
from memory.engine import index_task
from storage.errors import CharacterNotFound
from storage.records import Chat, Member, Message, NewMessage, Rank
from storage.scope import Scope
from storage.store import Store

WHOLE = 1_000_000
"""More messages than any path has."""


class Widening:
    """wake: tells the worker of new tasks; sending: as of `Operations`."""

    def __init__(self, store: Store, groups: Groups, jobs: ReplyJobs, *, sending: threading.Lock, wake: Callable[[], None]) -> None:
        self._store = store
        self._groups = groups
        self._jobs = jobs
        self._sending = sending
        self._wake = wake

    def widen(self, user_id: str, chat_id: str, character_id: str) -> str:
        """The id of a conversation that goes on from the open branch of one with a single character, with another who comes in now, which can be undone there.
        Raises NotFound, CharacterNotFound, GroupNamesAlike, CannotListen, and GroupSize where it has several already."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        if self._store.characters.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        newcomer = character_of(self._store, user_id, character_id)
        with self._sending:
            if self._jobs.running(chat_id):
                raise ReplyRunning(
                    "A reply is still being written in this chat. Wait until it is done, or stop it, and try again; nothing was changed."
                )
            chat = self._store.chats.chat(scope)
            if chat.members:
                raise GroupSize("This conversation has several characters already. Nothing was changed.", most=MOST)
            path = self._store.chats.path(scope, chat.branch_id, limit=WHOLE)[::-1]
            if chat.listens or any(message.heard for message in path):
                raise CannotListen("What is overheard in a conversation has no place in one with several characters. Nothing was changed.")
            if newcomer.name.strip().casefold() == chat.character_name.strip().casefold():
                raise GroupNamesAlike("Two of these characters have the same name; nobody could tell who knows what. Rename one of them.")
            wide = Scope.of(user_id, self._empty(chat))
            try:
                self._store.groups.settle_like(wide, scope)
                self._copy(path, chat.character_name, wide)
                self._bring_along(scope, chat, wide)
            except BaseException:
                self._store.chats.bin(wide)
                raise
        self._groups.join(user_id, wide.chat_id, character_id, edition=self._store.chats.chat(wide).edition)
        self._wake()
        return wide.chat_id

    def _empty(self, chat: Chat) -> str:
        return self._store.chats.create(
            chat.user_id,
            character_id=chat.character_id,
            title=chat.title,
            language=chat.language,
            user_name=chat.user_name,
            player_id=chat.player_id,
            members=[Member(chat.character_id, chat.character_name)],
        )

    def _bring_along(self, scope: Scope, chat: Chat, wide: Scope) -> None:
        """What came along to the one conversation from others goes on with the one character, but for what was left out."""
        what = belongings(self._store, scope, chat, chat.character_name)
        chosen = [place for place, thing in enumerate(what.things) if thing.last < 0 and thing.state != LEFT_OUT]
        there = self._store.chats.chat(wide)
        made = memories_of(  # as far back as they are
            replace(what, rounds=-1), chosen, chat=there, character=chat.character_name, witness=chat.character_name, earliest=0
        )
        if made:
            with self._store.database.write():
                kept = self._store.carrying.begin_with(wide, list(made.values()))
                self._store.tasks.add(wide, index_task(there.branch_id, kept))

    def _copy(self, path: Sequence[Message], name: str, wide: Scope) -> None:
        """What was said and stands on the open branch, with the tasks that an import of it would have; all of it or nothing."""
        branch_id = self._store.chats.chat(wide).branch_id
        before: list[Message] = []
        number = 0
        with self._store.database.write():
            for at, messages in groupby(path, key=lambda m: m.round):
                batch = [_again(m, name, opens=at > number and not place) for place, m in enumerate(messages)]
                number = at
                said = [m for m in self._store.chats.append(wide, branch_id, batch) if not m.hidden]
                if not said:
                    continue
                tasks = round_tasks(branch_id, said, replay=True, rank=Rank.IMPORT)
                tasks += final_tasks(branch_id, before, next_round=said[-1].round, replay=True, rank=Rank.IMPORT)
                for task in tasks:
                    self._store.tasks.add(wide, task)
                before = said


def _again(message: Message, character: str, *, opens: bool) -> NewMessage:
    """A message as it is worded now, witnessed by the one character."""
    revision = message.revision
    return NewMessage(
        role=message.role,
        speaker=message.speaker,
        text=revision.text,
        said_at=message.said_at,
        external_id=f"widened:{message.id}",
        origin=revision.origin,
        opens_round=opens,
        status=revision.status,
        model=revision.model,
        hidden=message.hidden,
        player=revision.player,
        present=(character,),
    )
