"""Giving one's own conversation to a project: what is blacked out first, the consent, and taking it back (MOOM A.1).

The project gets a copy as the conversation stands: the open branch, without what is hidden from the model. What is said later does not follow it, and erasing the
conversation erases the copy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.dialogues import MAX_TURNS, language_of
from annotation.errors import FieldMissing, FieldTooLong
from storage.annotation_errors import NotThere
from storage.annotation_projects import NewItem
from storage.annotation_records import Given, Member, Turn
from storage.errors import NotFound
from storage.records import Message, to_ms
from storage.scope import Scope
from storage.store import Store

BLACKED = "[…]"
MAX_WORDS, MAX_WORD_CHARS = 300, 200
_TELLING = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+"  # mail
    r"|https?://\S+|www\.\S+"
    r"|(?<!\d)\+?\d(?:[\d ()/-]{5,}\d)"  # telephone numbers, cards, accounts
    r"|@[A-Za-z0-9_]{3,}",
    re.ASCII,
)
_GENERAL = {"you", "user", "player", "你", "我", ""}


@dataclass(frozen=True)
class OwnChat:
    chat_id: str
    title: str
    character: str
    rounds: int


@dataclass(frozen=True)
class Preview:
    """What a project would get. found: words that probably tell who somebody is."""

    turns: Sequence[Turn]
    found: Sequence[str]
    blacked: int
    """Places that were blacked out."""


class Giving:
    def __init__(self, store: Store) -> None:
        self._chats = store.chats
        self._gifts = store.annotation_gifts
        self._projects = store.annotation_projects

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
        found = dict.fromkeys(match for turn in item.turns for match in _TELLING.findall(turn.text))
        names = [name for turn in item.turns if turn.role == "user" if (name := turn.speaker).casefold() not in _GENERAL]
        turns, blacked = blacken(item.turns, words)
        return Preview(turns, [*dict.fromkeys(names), *found], blacked)

    def give(self, member: Member, project_id: str, chat_id: str, words: Sequence[str], *, consent: str) -> str:
        """consent: `yes`, said by the player. Returns the dialogue's id."""
        if consent != "yes":
            raise FieldMissing("Without your consent nothing is given.", field="consent")
        if project_id not in {one[0] for one in self.invitations()}:
            raise NotThere("This project is not there, or asks for no conversations any more. Nothing was given.")
        return self._gifts.give(member, project_id, self.item(member, chat_id, words))

    def item(self, member: Member, chat_id: str, words: Sequence[str]) -> NewItem:
        """The copy that a project gets, with these words blacked out."""
        item = self._item(member, chat_id)
        turns, _ = blacken(item.turns, words)
        title, _ = blacken([replace(turns[0], text=item.title, speaker="")], words)
        return replace(item, turns=turns, title=title[0].text)

    def withdraw(self, member: Member, item_id: str) -> None:
        """Take it out of the project, with everything that was made of it."""
        if item_id not in {one.item_id for one in self.given(member)}:
            raise NotThere("This conversation is in no project any more.")
        self._projects.remove_item(member, item_id)

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


def blacken(turns: Sequence[Turn], words: Sequence[str]) -> tuple[list[Turn], int]:
    """The turns with these words blacked out wherever they stand, in names too; and in how many places."""
    wanted = sorted({word.strip() for word in words if word.strip()}, key=len, reverse=True)
    if len(wanted) > MAX_WORDS or any(len(word) > MAX_WORD_CHARS for word in wanted):
        raise FieldTooLong("These are too many words to black out, or too long ones.", field="words", limit=MAX_WORDS)
    if not wanted:
        return list(turns), 0
    # A word in Latin letters is not taken out of the middle of another: "Ann" stays in "annoyed".
    pattern = re.compile(
        "|".join(rf"(?<![A-Za-z]){re.escape(w)}(?![A-Za-z])" if w.isascii() else re.escape(w) for w in wanted), re.IGNORECASE
    )
    count = 0
    out = []
    for turn in turns:
        text, in_text = pattern.subn(BLACKED, turn.text)
        speaker, in_name = pattern.subn(BLACKED, turn.speaker)
        count += in_text + in_name
        out.append(replace(turn, text=text, speaker=speaker))
    return out, count


def turn_of(number: int, message: Message) -> Turn:
    return Turn(number, message.round, 1, message.role.value, message.speaker, message.text, to_ms(message.said_at), f"T{number}")
