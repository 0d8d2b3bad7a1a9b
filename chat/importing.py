"""Conversations of other programs as the page takes them: first what a file holds, then one of its conversations as a chat.

A file is read whole before anything is written, and the messages of a chat are written in one transaction: it is there with all of them or not at all.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from chat import views
from chat.cast import character_of
from chat.characters import OwnCharacters
from chat.errors import ImportNames, MemoryBehind
from chat.import_apart import read_apart
from chat.import_words import Told
from chat.imported import CHARACTER, MAX_NAME_CHARS, PLAYER, ImportedConversation, ImportedMessage, ImportRefused, clean
from chat.importer import Cast, Importer, import_key, rounds
from chat.players import default_persona
from chat.text import REPLACEMENT
from memory.episodes import language_of
from personas.written import Written
from storage.errors import CharacterNotFound
from storage.scope import Scope
from storage.store import Store

MOST_LISTED = 200
"""Conversations of one file that are shown; a data set of more is for the command."""
MOST_WAITING = 20_000
"""Tasks of memory of imported rounds, two or so each, beyond which nothing more of the same user comes in: some hours of work."""
FIRST_LINES, LINE_CHARS = 3, 160
LANGUAGE_MESSAGES = 50
NOBODY = "You"
"""How the player is called where they are none of the speakers, and have no persona."""
PLAYERS = frozenset(("user", "you", "me", "human", "player", "我", "你", "用户", "玩家"))
"""What programs and people call the player who has no name."""


@dataclass(frozen=True)
class ChatFile:
    """Where a file lies for now, and what it is called and when it was changed (seconds since 1970) where it came from."""

    path: Path
    name: str
    modified: float | None = None


@dataclass(frozen=True)
class Choice:
    """What a person chose of a file: which conversation, and who is who. Names are taken where the file has none for a side, and for a new character."""

    conversation: str = ""
    player: str = ""
    """The speaker who is the player."""
    player_name: str = ""
    character: str = ""
    """The speaker who is the character; others beside the two keep their names."""
    character_name: str = ""
    character_id: str = ""
    """One of the user's characters or of the cast; empty makes one of the name."""
    beside: bool = False
    """Whether it comes in once more where it is here already."""
    listens: bool = False
    """Nobody answers in it, and the character only listens: it need be no speaker, and the player may be nobody (empty)."""


@dataclass(frozen=True)
class Arrived:
    """there: the conversation was here already, and nothing was done."""

    chat_id: str
    there: bool = False


class ChatFiles:
    """wake: tells the worker of new tasks."""

    def __init__(self, store: Store, own: OwnCharacters, *, wake: Callable[[], None]) -> None:
        self._store = store
        self._own = own
        self._wake = wake

    def look(self, file: ChatFile) -> views.ChatFileView:
        """What a file holds; nothing is kept of it. Raises ImportRefused."""
        found = _read(file)
        return views.ChatFileView(found[0].form, tuple(_view(one) for one in found[:MOST_LISTED]), len(found))

    def take(self, user_id: str, file: ChatFile, choice: Choice, *, look: Callable[[int, int], None]) -> Arrived:
        """One conversation of a file as a chat, with its memory to be built behind it. look: told how many messages of how many are written; what it raises
        takes everything back.

        Raises ImportRefused, ImportNames, MemoryBehind, CharacterNotFound, CharacterTooLarge or CharactersTooMany, after which nothing is changed.
        """
        chosen = _chosen(file, choice)
        conversation, cast = self._listened(user_id, chosen, choice) if choice.listens else self._cast(user_id, chosen, choice)
        there = self._store.chats.imported_as(user_id, import_key(conversation, cast))
        goes_on = there is not None and not there[1] and not choice.beside
        if there is not None and goes_on and self._whole(user_id, there[0], conversation):
            return Arrived(there[0], there=True)
        if (waiting := self._store.tasks.imports_waiting(user_id)) >= MOST_WAITING:
            raise MemoryBehind("Memory is still being built of what was imported before. Nothing was imported.", waiting=waiting)
        language = language_of(" ".join(m.text for m in conversation.messages[:LANGUAGE_MESSAGES]))
        made = "" if choice.character_id else self._own.create(user_id, Written(name=cast.character, language=language))
        importer = Importer(
            self._store,
            conversation,
            cast,
            character_id=choice.character_id or made,
            language=language,
            user_id=user_id,
            beside="" if there is None or goes_on else secrets.token_hex(8),
        )
        try:
            with self._store.database.write():
                importer.write(_Progress(look, len(conversation.messages)))
        except BaseException:
            self._store.chats.drop_empty(importer.scope)
            if made:
                self._store.characters.drop_unused(user_id, made)
            raise
        self._wake()
        return Arrived(importer.chat_id)

    def _whole(self, user_id: str, chat_id: str, conversation: ImportedConversation) -> bool:
        """Whether every message came in; an import by command may have been cut off."""
        present = self._store.chats.external_ids(Scope.of(user_id, chat_id))
        return all(message.external_id in present for message in conversation.messages)

    def _cast(self, user_id: str, conversation: ImportedConversation, choice: Choice) -> tuple[ImportedConversation, Cast]:
        """The conversation with a name for everybody, and who is who. Raises ImportNames or CharacterNotFound."""
        known = self._name_of(user_id, choice.character_id)
        if choice.player == choice.character or not {choice.player, choice.character} <= set(conversation.speakers):
            raise ImportNames("Choose two of the file's speakers: one who is you, one who is the character. Nothing was imported.")
        names = {
            PLAYER: _name(choice.player_name if choice.player == PLAYER else choice.character_name or known),
            CHARACTER: _name(choice.character_name or known if choice.character == CHARACTER else choice.player_name),
        }
        named, speakers = _named(conversation, names)
        player = speakers[choice.player]
        return named, Cast(player, speakers[choice.character], also=named.also(player) - {player})

    def _listened(self, user_id: str, conversation: ImportedConversation, choice: Choice) -> tuple[ImportedConversation, Cast]:
        """The same of a conversation in which a character listens. A side that the file has no name for is the listener's own."""
        listener = self._name_of(user_id, choice.character_id) or _name(choice.character_name)
        if not listener:
            raise ImportNames("The character who listens needs a name. Nothing was imported.")
        if choice.player and choice.player not in conversation.speakers:
            raise ImportNames("Choose one of the file's speakers as yourself, or nobody. Nothing was imported.")
        named, speakers = _named(conversation, {PLAYER: _name(choice.player_name), CHARACTER: listener})
        player = speakers[choice.player] if choice.player else default_persona(self._store, user_id, otherwise=NOBODY).name
        return named, Cast(player, listener, listens=True, also=named.also(player) - {player})

    def _name_of(self, user_id: str, character_id: str) -> str:
        """Of a character that was chosen; empty where none was. Raises CharacterNotFound."""
        if not character_id:
            return ""
        if self._store.characters.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        return character_of(self._store, user_id, character_id).name


def _named(conversation: ImportedConversation, names: dict[str, str]) -> tuple[ImportedConversation, dict[str, str]]:
    """The conversation with a name for everybody, and the names of its speakers by what the file calls them. Raises ImportNames."""
    named = conversation.named(user=names[PLAYER], character=names[CHARACTER])
    if not all(named.speakers) or len({name.casefold() for name in named.speakers}) < len(named.speakers):
        raise ImportNames("Everybody in the conversation needs a name of their own. Nothing was imported.")
    return named, dict(zip(conversation.speakers, named.speakers, strict=True))


class _Progress:
    def __init__(self, look: Callable[[int, int], None], total: int) -> None:
        self._look = look
        self._total = total
        self._done = 0

    def update(self, n: int, /) -> None:
        self._done += n
        self._look(self._done, self._total)


def _read(file: ChatFile) -> tuple[ImportedConversation, ...]:
    return read_apart(file.path, name=file.name, modified=file.modified)


def _chosen(file: ChatFile, choice: Choice) -> ImportedConversation:
    chosen = next((one for one in _read(file) if one.key == choice.conversation), None)
    if chosen is None:
        raise ImportRefused(file=file.name, where="", reason="it was changed since it was looked at", kind="damaged")
    return chosen


def _name(given: str) -> str:
    """A name as imported files have them. Raises ImportNames."""
    name = " ".join(clean(given).split())
    if REPLACEMENT in name:
        raise ImportNames("This name cannot be kept. Nothing was imported.")
    if len(name) > MAX_NAME_CHARS:
        raise ImportNames(f"A name may have {MAX_NAME_CHARS} characters. Nothing was imported.")
    return name


def _view(conversation: ImportedConversation) -> views.FoundChatView:
    count = Counter(message.speaker for message in conversation.messages)
    player = _player(conversation)
    others = [name for name in conversation.people if name != player]
    cast = Cast(player, "", also=conversation.also(player) - {player})
    character = CHARACTER if CHARACTER in others else max(others, key=lambda name: count[name], default="")
    dates = [message.said_at for message in conversation.messages]
    return views.FoundChatView(
        key=conversation.key,
        messages=len(conversation.messages),
        rounds=sum(1 for _ in rounds(conversation.messages, replace(cast, character=character))),
        heard=sum(1 for _ in rounds(conversation.messages, replace(cast, character=character, listens=True))),
        first=min(dates),
        last=max(dates),
        dated=not any(isinstance(note, Told) and note.code == "no_dates" for note in conversation.notices),
        wordings=sum(len(message.wordings) > 1 for message in conversation.messages),
        speakers=tuple(views.SpeakerView(name, count[name], name not in conversation.unnamed) for name in conversation.speakers),
        player=player,
        character=character,
        says_player=bool(conversation.player),
        notices=tuple(map(_told, conversation.notices)),
        lines=tuple(_line(message) for message in conversation.messages[:FIRST_LINES]),
    )


def _player(conversation: ImportedConversation) -> str:
    """Who the player is: as the file says, by what players are called, or whoever speaks first but for a first greeting; a person may choose another."""
    if conversation.player:
        return conversation.player
    called = next((name for name in conversation.speakers if name.casefold() in PLAYERS), None)
    return called or conversation.speakers[0]


def _line(message: ImportedMessage) -> tuple[str, str]:
    text = " ".join(message.text.split())
    return message.speaker, text if len(text) <= LINE_CHARS else text[: LINE_CHARS - 1] + "…"


def _told(note: str) -> views.ToldView:
    if not isinstance(note, Told):
        return views.ToldView("", {}, note)
    because = _told(note.because) if note.because is not None else None
    return views.ToldView(note.code, note.params, str(note), because, note.places)
