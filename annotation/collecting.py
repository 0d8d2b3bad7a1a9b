"""Collection (MOOM A.1): a project asks for conversations with characters of its choice; a player reads the briefing, agrees, talks, hands in, and may stop at any time.

Handing in is giving (`annotation.giving`): the player sees what the project would get and blacks words out. Until then nobody but the player sees the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from annotation import fields
from annotation.errors import FieldMissing, FieldRefused, FieldTooLong
from annotation.giving import Giving, Preview
from storage.annotation_errors import NotAllowed, NotThere
from storage.annotation_records import Asked, Member
from storage.annotation_takings import Taking, Task
from storage.scope import Scope
from storage.store import Store

MOST_CHARACTERS = 20


class Cast(Protocol):
    """What collection needs of the chat service."""

    def characters(self) -> Sequence[Asked]:
        """The built-in ones."""

    def own(self, user_id: str) -> Sequence[Asked]:
        """Those in a user's list."""

    def lend(self, owner_id: str, character_id: str, user_id: str) -> str:
        """The id of a copy of somebody's character in another's list; the one that is there where there is one."""

    def create(self, user_id: str, character_id: str) -> str:
        """A new conversation's id."""


@dataclass(frozen=True)
class Standing:
    """A task of a player's own, and how many rounds its conversation has."""

    taking: Taking
    rounds: int


class Collecting:
    """cast: None where no conversations can be begun (tests, command lines)."""

    def __init__(self, store: Store, giving: Giving, cast: Cast | None) -> None:
        self._store = store.annotation_takings
        self._projects = store.annotation_projects
        self._chats = store.chats
        self._giving = giving
        self._cast = cast

    # The player's side

    def tasks(self) -> list[Task]:
        return self._store.tasks() if self._cast is not None else []

    def own(self, member: Member) -> list[Standing]:
        return [self._standing(member, one) for one in self._store.own(member)]

    def of_chat(self, member: Member, chat_id: str) -> Standing | None:
        found = self._store.of_chat(member, chat_id)
        return self._standing(member, found) if found is not None else None

    def begin(self, member: Member, project_id: str, character_id: str, *, consent: str) -> str:
        """Begin the conversation; its id. Raises FieldMissing (consent), NotThere for a task or character that is not asked for."""
        if consent != "yes":
            raise FieldMissing("Without your consent nothing is begun.", field="consent")
        task = next((one for one in self.tasks() if one.project_id == project_id), None)
        asked = next((one for one in task.characters if one.id == character_id), None) if task is not None else None
        if asked is None or self._cast is None:
            raise NotThere("This task is not there any more. Nothing was begun.")
        character = self._cast.lend(asked.by, asked.id, member.user_id) if asked.by and asked.by != member.user_id else asked.id
        chat_id = self._cast.create(member.user_id, character)
        self._store.begin(member, project_id, chat_id, character)
        return chat_id

    def preview(self, member: Member, taking_id: str, words: Sequence[str]) -> Preview:
        return self._giving.preview(member, self._store.taking(member, taking_id).chat_id, words)

    def hand_in(self, member: Member, taking_id: str, words: Sequence[str], *, consent: str, reason: str, seal: str) -> str:
        """Raises FieldMissing without consent, or without a reason where the conversation is shorter than was asked for."""
        if consent != "yes":
            raise FieldMissing("Without your consent nothing is given.", field="consent")
        if len(reason) > fields.MAX_NOTE:
            raise FieldTooLong("The reason is too long.", field="reason", limit=fields.MAX_NOTE)
        standing = self._standing(member, self._store.taking(member, taking_id))
        short = standing.rounds < standing.taking.target
        if short and not reason.strip():
            raise FieldMissing("It is shorter than was asked for: say why you hand it in now.", field="reason")
        item = self._giving.item(member, standing.taking.chat_id, words, seal=seal)
        return self._store.hand_in(member, taking_id, item, reason=reason.strip() if short else "")

    def leave(self, member: Member, taking_id: str) -> None:
        """Stop, at any time and without a reason: what was handed in goes out of the project with all that was made of it."""
        taking = self._store.taking(member, taking_id)
        if taking.item_id:
            with suppress(NotThere):  # taken out meanwhile, by an admin or from another tab
                self._giving.withdraw(member, taking.item_id)
        self._store.leave(member, taking_id)

    # The project's side

    def cast(self, member: Member) -> list[Asked]:
        """Whom an admin may assign: the built-in ones, and those of their own."""
        return [*self._cast.characters(), *self._cast.own(member.user_id)] if self._cast is not None else []

    def ask(self, member: Member, project_id: str, characters: Sequence[str]) -> None:
        project = self._projects.project(member, project_id)
        if not member.manages or project.owner:
            raise NotAllowed("Only an admin may do this.")
        known = {one.id: one for one in self.cast(member)}
        # Those that another admin shared stay as they are.
        known = {**{one.id: one for one in project.characters}, **known}
        if len(characters) > MOST_CHARACTERS or any(one not in known for one in characters):
            raise FieldRefused("A character that is not there. Nothing was changed.", field="characters")
        self._store.ask(member, project_id, [known[one] for one in dict.fromkeys(characters)])

    def counts(self, member: Member, project_id: str) -> tuple[int, int, list[str]]:
        if not member.manages:
            return 0, 0, []
        return self._store.counts(self._projects.project(member, project_id).id)

    def _standing(self, member: Member, taking: Taking) -> Standing:
        scope = Scope.of(member.user_id, taking.chat_id)
        newest = self._chats.head(scope, self._chats.chat(scope).branch_id)
        return Standing(taking, newest.round if newest is not None else 0)
