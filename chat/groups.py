"""Conversations with several characters: begun, who answers whom, who comes and goes. Every method checks whose the conversation is."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chat.cast import character_as, character_of, greetings_of
from chat.checked import checked_name
from chat.errors import GroupNamesAlike, GroupSize, NobodyThere, NotOfGroup, ReplyRunning
from chat.group_order import TALKATIVE, answering, in_turn
from chat.group_words import ANSWERS, MOST, MOST_EVER, joining_line, line_of
from chat.operations import Operation, Operations
from chat.players import default_persona
from chat.replies import ReplyJob, ReplyJobs
from chat.turn import Turn
from chat.views import GroupView, MemberView, Phase
from personas.record import Character
from storage.errors import CharacterNotFound
from storage.records import Chat, Member, Message, NewMessage, Role
from storage.scope import Scope
from storage.store import Store
from storage.wall import wall_now

LOOK_BACK = 60
"""Messages looked through for who spoke last."""


class Groups(Operations):
    """names: how the player is called by default, by language."""

    def __init__(
        self, store: Store, turn: Turn, jobs: ReplyJobs, *, names: Mapping[str, str], sending: threading.Lock, wake: Callable[[], None]
    ) -> None:
        super().__init__(store, jobs, sending=sending, wake=wake)
        self._turn = turn
        self._names = names

    def create(self, user_id: str, character_ids: Sequence[str], title: str = "") -> str:
        """A new conversation's id. It is in the language of the first character. Those that have greetings for groups begin with them, else the first with its
        own. Raises GroupSize, GroupNamesAlike, NameTooLong and CharacterNotFound."""
        clean, ids = checked_name(title), list(dict.fromkeys(character_ids))
        if not 2 <= len(ids) <= MOST:
            raise GroupSize(f"A conversation of several has two to {MOST} characters.", most=MOST)
        if any(self._store.characters.is_removed(user_id, i) for i in ids):
            raise CharacterNotFound("There is no such character.")
        cast = [character_of(self._store, user_id, i) for i in ids]
        if len({c.name.strip().casefold() for c in cast}) < len(cast):
            raise GroupNamesAlike("Two of these characters have the same name; nobody could tell who knows what. Rename one of them.")
        language = cast[0].language
        persona = default_persona(self._store, user_id, otherwise=self._names.get(language, "You"))
        members = [Member(c.id, c.name) for c in cast]
        greetings = {c.name: greetings_of(replace(c, greeting="", alternate_greetings=group_greetings(c)), persona) for c in cast}
        if not any(greetings.values()):
            greetings = {cast[0].name: greetings_of(cast[0], persona)}
        return self._store.chats.create(
            user_id,
            character_id=cast[0].id,
            title=clean,
            language=language,
            user_name=persona.name,
            player_id=persona.id,
            members=members,
            greetings=[_greeting(name, texts) for name, texts in greetings.items() if texts],
        )

    # Who answers

    def answer(self, scope: Scope, chat: Chat, message: Message, *, asked: str = "") -> None:
        """Have a message of the player's answered: by the one who was asked, by those it names, else by whoever's turn it is. Nobody answers where nobody is
        there. The caller holds what two messages must not interleave by."""
        self._begin(scope, chat, self._order(scope, chat, message.text, asked=asked), message, step=False)

    def _order(self, scope: Scope, chat: Chat, text: str, *, asked: str = "") -> list[str]:
        room = self._store.groups.room(scope, chat.branch_id)
        return answering(text, room, self._spoken(scope, chat), self._talkative(chat), answers=chat.answers, asked=asked)

    def next_speaker(self, scope: Scope, chat: Chat) -> str:
        """Whoever should speak next; empty where nobody is there."""
        room = self._store.groups.room(scope, chat.branch_id)
        return next(iter(in_turn(room, self._spoken(scope, chat), self._talkative(chat))), "")

    def _spoken(self, scope: Scope, chat: Chat) -> list[str]:
        path = self._store.chats.path(scope, chat.branch_id, limit=LOOK_BACK)
        return [m.speaker for m in path if m.role is Role.CHARACTER and m.revision.origin != "card"]

    def _talkative(self, chat: Chat) -> dict[str, float]:
        return {m.name: talkativeness(character_of(self._store, chat.user_id, m.character_id)) for m in chat.members}

    def speak(self, user_id: str, chat_id: str, name: str, *, edition: int) -> int:
        """Let a character speak who is there, whether something was said to it or not; a step that can be undone. Raises NotOfGroup and NobodyThere."""
        with self._operation(user_id, chat_id, edition) as op:
            scope, chat = op.scope, op.chat
            if chat.member(name) is None:
                raise NotOfGroup("This character does not belong to this conversation. Nothing was changed.")
            if name not in self._store.groups.room(scope, chat.branch_id):
                raise NobodyThere(f"{name} is not there. Bring {name} back first.", name=name)
            head = self._store.chats.head(scope, chat.branch_id)
            if head is None:
                raise NobodyThere("There is nothing yet to answer to.", name=name)
            # The answer to a message of the player's is a part of that step.
            step = head.role is not Role.USER
            op.then.append(lambda: self._begin(scope, chat, [name], head, step=step))
            return op.edition

    def _begin(self, scope: Scope, chat: Chat, names: Sequence[str], after: Message, *, step: bool, earlier: tuple[str, ...] = ()) -> None:
        """Have the first of these speak, then the others in turn. after: the newest message; step: whether it is a step of its own."""
        if not names:
            return
        name, *others = names
        character = character_as(self._store, chat, name)
        job = ReplyJob.of(chat, character, after=after.id)
        job.following, job.earlier = len(others), earlier
        seen = scope.seen_by(name)

        def kept(message: Message) -> None:
            if step:
                self._store.groups.spoke(scope, chat.branch_id, message)

        def then(ended: ReplyJob) -> None:
            if others and ended.view().phase is Phase.DONE:
                self._go_on(scope, chat, others, after=after, earlier=(*earlier, ended.id))

        self._jobs.start(job, lambda running: self._turn.speak(running, seen, chat, character, after, then=kept), then=then)

    def _go_on(self, scope: Scope, begun: Chat, names: Sequence[str], *, after: Message, earlier: tuple[str, ...]) -> None:
        """The next of several who answer, unless the conversation is not where it was. after: what the one before answered."""
        with self._sending:
            chat = self._store.chats.chat(scope)
            head = self._store.chats.head(scope, chat.branch_id)
            if chat.edition != begun.edition or chat.branch_id != begun.branch_id or head is None or head.parent_id != after.id:
                return
            room = self._store.groups.room(scope, chat.branch_id)
            try:
                self._begin(scope, chat, [name for name in names if name in room], head, step=False, earlier=earlier)
            except ReplyRunning:  # somebody was faster, and is answered first
                return

    def view(self, scope: Scope, chat: Chat) -> GroupView:
        belonging = self._store.groups.belonging(scope, chat.branch_id)
        own, faces = self._store.characters.ids(chat.user_id), self._store.characters.faces(chat.user_id)
        return GroupView(
            members=tuple(
                MemberView(m.character_id, m.name, m.character_id in own, faces.get(m.character_id))
                for m in chat.members
                if m.name in belonging
            ),
            room=self._store.groups.room(scope, chat.branch_id),
            next=self.next_speaker(scope, chat),
            answers=chat.answers,
        )

    # Who is there

    def send_out(self, user_id: str, chat_id: str, name: str, *, edition: int) -> int:
        """Let a character not be there from now on: what is said then it does not witness. Raises NotOfGroup."""
        return self._move(user_id, chat_id, name, edition, leaves=True)

    def bring_back(self, user_id: str, chat_id: str, name: str, *, edition: int) -> int:
        """Let a character be there again. Raises NotOfGroup."""
        return self._move(user_id, chat_id, name, edition, leaves=False)

    def _move(self, user_id: str, chat_id: str, name: str, edition: int, *, leaves: bool) -> int:
        with self._operation(user_id, chat_id, edition) as op:
            scope, chat = op.scope, op.chat
            if chat.member(name) is None:
                raise NotOfGroup("This character does not belong to this conversation. Nothing was changed.")
            room = self._store.groups.room(scope, chat.branch_id)
            if (name in room) is not leaves:
                return op.edition
            there = tuple(m.name for m in chat.members if (m.name in room) is not (m.name == name))
            self._store.groups.move(scope, chat.branch_id, self._line(op, name, line_of(chat.language, name, leaves=leaves), there))
            return op.edition

    def _line(self, op: Operation, name: str, text: str, there: tuple[str, ...]) -> NewMessage:
        """What stands in the transcript where somebody comes or goes. there: who is there from then on."""
        head = self._store.chats.head(op.scope, op.chat.branch_id)
        return NewMessage(
            role=Role.NARRATOR,
            speaker=name,
            text=text,
            said_at=op.chat.now() if head is None else max(op.chat.now(), head.said_at),
            external_id=f"room:{secrets.token_hex(16)}",
            origin="card",
            opens_round=False,
            room=there,
        )

    def join(self, user_id: str, chat_id: str, character_id: str, *, edition: int) -> int:
        """Let another character come into a conversation of several that is under way; a step that can be undone. It has witnessed nothing of what was said before.
        Raises CharacterNotFound, GroupSize, GroupNamesAlike, and NotOfGroup where the conversation is with one character."""
        with self._operation(user_id, chat_id, edition) as op:
            scope, chat = op.scope, op.chat
            if not chat.members:
                raise NotOfGroup("This conversation is with one character. Nothing was changed.")
            belonging = self._store.groups.belonging(scope, chat.branch_id)
            member = self._newcomer(chat, character_id)
            if member.name in belonging:
                raise GroupNamesAlike("Two of these characters have the same name; nobody could tell who knows what. Rename one of them.")
            if len(belonging) >= MOST or (chat.member(member.name) is None and len(chat.members) >= MOST_EVER):
                raise GroupSize(f"A conversation of several has two to {MOST} characters.", most=MOST)
            there = (*self._store.groups.room(scope, chat.branch_id), member.name)
            self._store.groups.join(
                scope, chat.branch_id, member, self._line(op, member.name, joining_line(chat.language, member.name), there)
            )
            return op.edition

    def _newcomer(self, chat: Chat, character_id: str) -> Member:
        """Under the name that it has in the conversation already, where its coming was taken back."""
        if self._store.characters.is_removed(chat.user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        character = character_of(self._store, chat.user_id, character_id)
        known = next((m for m in chat.members if m.character_id == character_id), Member(character_id, character.name, joined=True))
        if known.name.strip().casefold() in {m.name.strip().casefold() for m in chat.members if m.character_id != character_id}:
            raise GroupNamesAlike("Two of these characters have the same name; nobody could tell who knows what. Rename one of them.")
        return known

    def set_answers(self, user_id: str, chat_id: str, answers: str, *, edition: int) -> int:
        """Who answers what asks nobody by name: `one`, or `all` who are there; anything else is the first."""
        with self._operation(user_id, chat_id, edition) as op:
            if op.chat.members:
                self._store.groups.set_answers(op.scope, answers if answers in ANSWERS else ANSWERS[0])
            return op.edition


def group_greetings(character: Character) -> tuple[str, ...]:
    """What a card has a character say first beside others (V3)."""
    data = character.card.get("data")
    told = data.get("group_only_greetings") if isinstance(data, Mapping) else None
    return tuple(text for text in told if isinstance(text, str) and text.strip()) if isinstance(told, list) else ()


def talkativeness(character: Character) -> float:
    """How readily a card has its character speak, 0 to 1."""
    data = character.card.get("data")
    told = data.get("extensions") if isinstance(data, Mapping) else None
    value = told.get("talkativeness") if isinstance(told, Mapping) else None
    try:
        number = float(str(value)) if value is not None else TALKATIVE
    except ValueError:
        return TALKATIVE
    return min(1.0, max(0.0, number)) if number == number else TALKATIVE


def _greeting(name: str, texts: tuple[str, ...]) -> NewMessage:
    return NewMessage(
        role=Role.CHARACTER,
        speaker=name,
        text=texts[0],
        said_at=wall_now(),
        external_id=f"greeting:{name}",
        origin="card",
        opens_round=False,
        wordings=texts,
    )
