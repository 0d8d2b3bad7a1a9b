"""Conversations that listen: others speak, nobody answers, and the character remembers (MemBench's observation). Every method checks whose the conversation is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from chat.cast import character_of
from chat.checked import checked_name, checked_wording
from chat.errors import CannotListen, ListenIdTaken, NobodySpeaks, NotListening, ReplyRunning
from chat.fed_lines import FedLine
from chat.operations import Operations
from chat.players import default_persona
from chat.replies import ReplyJobs
from chat.views import ListeningView
from memory.engine import final_tasks, round_tasks
from memory.listening import openings
from storage.errors import CharacterNotFound
from storage.records import Chat, Message, NewMessage, NewTask, Role
from storage.scope import Scope
from storage.store import Store

MOST_SPEAKERS = 12
"""Who is offered as a speaker; any name may be written."""


@dataclass(frozen=True)
class Fed:
    """What came of lines that were brought: how many are new, how many were there already, and the newest round."""

    added: int
    known: int
    round: int


class Listening(Operations):
    """names: how the player is called by default, by language."""

    def __init__(
        self, store: Store, jobs: ReplyJobs, *, names: Mapping[str, str], sending: threading.Lock, wake: Callable[[], None]
    ) -> None:
        super().__init__(store, jobs, sending=sending, wake=wake)
        self._names = names

    def create(self, user_id: str, character_id: str, *, player: str = "", title: str = "") -> str:
        """A new conversation's id, in which a character listens. player: who of those who will speak is the player, whose portrait is drawn; their default
        persona without a name. Raises NameTooLong and CharacterNotFound."""
        clean, named = checked_name(title), checked_name(player)
        if self._store.characters.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        character = character_of(self._store, user_id, character_id)
        persona = default_persona(self._store, user_id, otherwise=self._names.get(character.language, "You"))
        return self._store.chats.create(
            user_id,
            character_id=character.id,
            title=clean,
            language=character.language,
            user_name=named or persona.name,
            player_id="" if named and named != persona.name else persona.id,
            listens=True,
        )

    def view(self, scope: Scope, chat: Chat) -> ListeningView | None:
        """None of a conversation with several characters."""
        if chat.members:
            return None
        speakers = self._store.listening.speakers(scope, most=MOST_SPEAKERS)
        return ListeningView(chat.listens, tuple(speakers), len(self._store.listening.tokens(scope)))

    # What is heard

    def say(self, user_id: str, chat_id: str, text: str, *, speaker: str, token: str) -> None:
        """Take in a line that a person writes, as said by a speaker now. The same token twice is one line. Raises NobodySpeaks, NameTooLong, MessageEmpty,
        MessageTooLong and NotListening."""
        clean, name = checked_wording(text).strip(), checked_name(speaker)
        if not name:
            raise NobodySpeaks("Choose who says this. Nothing was added; your text stays in the box.")
        self.hear(user_id, chat_id, [FedLine(1, name, clean, None, f"said:{str(token)[:100]}")], origin="user")

    def hear(self, user_id: str, chat_id: str, lines: Sequence[FedLine], *, origin: str = "import") -> Fed:
        """Take in lines, in their order, on the branch that is open: all of them or none. Those that are there already, by their ids, stay as they are, also where
        they were taken out since. When it returns they are on the disk. Raises NotListening, ReplyRunning and ListenIdTaken."""
        scope, _ = self._open(user_id, chat_id)
        with self._sending:
            if self._jobs.running(chat_id):  # it was taken up a moment ago
                raise ReplyRunning("A reply is still being written in this chat. Nothing was added; send it again when the reply is done.")
            with self._store.database.write():
                chat = self._store.chats.chat(scope)
                if not chat.listens:
                    raise NotListening("This conversation does not listen. Nothing was added.")
                new = self._new(scope, lines)
                heard = self._append(scope, chat, [_message(chat, line, origin=origin) for line in new]) if new else []
        if heard:
            self._wake()
        head = self._store.chats.head(scope, chat.branch_id)
        return Fed(len(heard), len(lines) - len(heard), head.round if head else 0)

    def _new(self, scope: Scope, lines: Sequence[FedLine]) -> list[FedLine]:
        """The lines that the conversation has not. Raises ListenIdTaken for one whose id stands for something else."""
        known = self._store.listening.known(scope, [line.external_id for line in lines])
        for line in lines:
            there = known.get(line.external_id)
            if there is not None and there != (line.speaker, line.text):
                raise ListenIdTaken(
                    f"line {line.number}, id: another line of this conversation has this id. Nothing was added.",
                    line=line.number,
                    field="id",
                )
        return [line for line in lines if line.external_id not in known]

    def _append(self, scope: Scope, chat: Chat, lines: Sequence[NewMessage]) -> list[Message]:
        """Write lines with the tasks of their rounds; one step of undo. Inside the caller's transaction."""
        store, branch_id = self._store, chat.branch_id
        store.tree.claim(scope, store.tree.edition(scope))
        head, before = store.chats.head(scope, branch_id), store.chats.newest_round(scope, branch_id)
        goes_on = head is not None and all(m.heard for m in before) and not store.chats.session_closed(scope, head.id)
        placed = [replace(line, opens_round=opens) for line, opens in zip(lines, openings(lines, before if goes_on else ()), strict=True)]
        messages = store.listening.hear(scope, branch_id, placed)
        external = {m.id: line.external_id for m, line in zip(messages, placed, strict=True)}
        for number, group in groupby(messages, key=lambda m: m.round):
            said = list(group)
            tasks: list[NewTask] = []
            if before and before[-1].round == number:
                said = [*before, *said]
            else:  # as in a live chat: a round is recalled for before the one before it, final by now, is worked through
                tasks = final_tasks(branch_id, before, next_round=number, next_message=external[said[0].id], replay=True)
            for task in (*round_tasks(branch_id, said, replay=True), *tasks):
                store.tasks.add(scope, task)
            before = said
        return messages

    # Listening, and talking

    def listen(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Let nobody answer in a conversation from now on. A step that can be undone. Raises CannotListen."""
        return self._choose(user_id, chat_id, edition, listens=True)

    def take_up(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Let the character answer from now on: it remembers what it heard. A step that can be undone."""
        return self._choose(user_id, chat_id, edition, listens=False)

    def _choose(self, user_id: str, chat_id: str, edition: int, *, listens: bool) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            if op.chat.members:
                raise CannotListen("A conversation with several characters does not listen. Nothing was changed.")
            self._store.listening.choose(op.scope, op.chat.branch_id, listens=listens)
            return op.edition


def role_of(player: str, speaker: str) -> Role:
    """Whose words a line's are: the player's where its speaker has their name."""
    return Role.USER if speaker.casefold() == player.casefold() else Role.CHARACTER


def _message(chat: Chat, line: FedLine, *, origin: str) -> NewMessage:
    return NewMessage(
        role=role_of(chat.user_name, line.speaker),
        speaker=line.speaker,
        text=line.text,
        said_at=line.at or chat.now(),
        external_id=line.external_id,
        origin=origin,
        opens_round=True,
        player=chat.player_mark,
        heard=True,
    )
