"""Giving one's own conversation to a project: what is blacked out first, the consent, and taking it back (MOOM A.1).

The project gets a copy as the conversation stands: the open branch, without what is hidden from the model. What is said later does not follow it, and erasing the
conversation erases the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from annotation import telling
from annotation.dialogues import MAX_TURNS, language_of
from annotation.errors import FieldMissing, FieldTooLong, ShownOtherwise
from annotation.telling import pattern_of
from storage.annotation_errors import NotThere
from storage.annotation_projects import NewItem
from storage.annotation_records import Given, Member, Turn
from storage.errors import NotFound
from storage.records import Message, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import wall_ms

MAX_WORDS = 2_000
_GENERAL = {"you", "user", "player", "你", "我", ""}


@dataclass(frozen=True)
class OwnChat:
    chat_id: str
    title: str
    character: str
    rounds: int


@dataclass(frozen=True)
class Preview:
    """What a project would get. found: words that probably tell who somebody is. seal: names this very copy; consent is given to it and to no other."""

    title: str
    turns: Sequence[Turn]
    seal: str
    found: Sequence[str]
    blacked: int
    """Places that were blacked out."""


class Giving:
    def __init__(self, store: Store, tidy: Callable[[], None]) -> None:
        self._chats = store.chats
        self._gifts = store.annotation_gifts
        self._projects = store.annotation_projects
        self._tidy = tidy

    def invitations(self) -> list[tuple[str, str, str, int]]:
        return self._gifts.invitations()

    def given(self, member: Member) -> list[Given]:
        return self._gifts.given(member)

    def conversations(self, member: Member) -> list[OwnChat]:
        found = []
        for chat in self._chats.of_user(member.user_id):
            newest = self._chats.head(Scope.of(member.user_id, chat.id), chat.branch_id)
            found.append(OwnChat(chat.id, chat.title, chat.character_name, newest.round if newest is not None else 0))
        return found

    def preview(self, member: Member, chat_id: str, words: Sequence[str]) -> Preview:
        """Raises NotThere for a chat that is not theirs."""
        item = self._item(member, chat_id)
        theirs = [turn for turn in item.turns if turn.role == "user"]
        called = {name for turn in theirs for name in telling.names(turn.speaker) if name.casefold() not in _GENERAL}
        found = telling.telling([item.title, *(turn.text for turn in item.turns)], [turn.text for turn in theirs])
        copy, blacked = _blackened(item, words)
        return Preview(copy.title, copy.turns, _seal(copy), list(dict.fromkeys([*sorted(called), *found]))[:MAX_WORDS], blacked)

    def give(self, member: Member, project_id: str, chat_id: str, words: Sequence[str], *, consent: str, seal: str) -> str:
        """consent: `yes`, said by the player. seal: of what they were shown. Returns the dialogue's id."""
        if consent != "yes":
            raise FieldMissing("Without your consent nothing is given.", field="consent")
        if project_id not in {one[0] for one in self.invitations()}:
            raise NotThere("This project is not there, or asks for no conversations any more. Nothing was given.")
        return self._gifts.give(member, project_id, self.item(member, chat_id, words, seal=seal))

    def item(self, member: Member, chat_id: str, words: Sequence[str], *, seal: str) -> NewItem:
        """The copy that a project gets, with these words blacked out. Raises ShownOtherwise where it is not the one that was shown."""
        copy, _ = _blackened(self._item(member, chat_id), words)
        if _seal(copy) != seal:
            raise ShownOtherwise("What would be given is not what was shown. Nothing was given; look at it and agree again.")
        return copy

    def withdraw(self, member: Member, item_id: str) -> None:
        """Take it out of the project, with everything that was made of it."""
        if item_id not in {one.item_id for one in self.given(member)}:
            raise NotThere("This conversation is in no project any more.")
        self._projects.remove_item(member, item_id)
        self._tidy()

    def _item(self, member: Member, chat_id: str) -> NewItem:
        scope = Scope.of(member.user_id, chat_id or "-")
        try:
            chat = self._chats.chat(scope)
            path = self._chats.path(scope, chat.branch_id, limit=MAX_TURNS + 1)[::-1]
        except NotFound as error:
            raise NotThere("This conversation does not exist or is not yours.") from error
        if len(path) > MAX_TURNS:
            raise FieldTooLong("This conversation is too long to be given.", field="text", limit=MAX_TURNS)
        said = [message for message in path if not message.hidden and message.text.strip()]
        if not said:
            raise FieldMissing("Nothing is said in this conversation yet.", field="text")
        turns = [turn_of(number, message) for number, message in enumerate(said, 1)]
        return NewItem(chat.title or chat.character_name, language_of(" ".join(t.text for t in turns[:200])), turns, chat_id=chat.id)


def _blackened(item: NewItem, words: Sequence[str]) -> tuple[NewItem, int]:
    """And in how many places."""
    (title, *turns), count = blacken([replace(item.turns[0], text=item.title, speaker=""), *item.turns], words)
    return replace(item, turns=turns, title=title.text), count


def _seal(item: NewItem) -> str:
    return stable_id("seal", item.title, *(part for turn in item.turns for part in (turn.role, turn.speaker, turn.text)))


def blacken(turns: Sequence[Turn], words: Sequence[str]) -> tuple[list[Turn], int]:
    """The turns with these words blacked out wherever they stand, in names too; and in how many places."""
    if len(set(words)) > MAX_WORDS:
        raise FieldTooLong("These are too many words to black out.", field="words", limit=MAX_WORDS)
    pattern = pattern_of(words)
    if pattern is None:
        return list(turns), 0
    count = 0
    out = []
    for turn in turns:
        text, in_text = telling.blacken(turn.text, pattern)
        speaker, in_name = telling.blacken(turn.speaker, pattern)
        count += in_text + in_name
        out.append(replace(turn, text=text, speaker=speaker))
    return out, count


def turn_of(number: int, message: Message) -> Turn:
    return Turn(number, message.round, 1, message.role.value, message.speaker, message.text, wall_ms(message.said_at), f"T{number}")
