"""A player's own personas: what the page shows of them and does with them. Every method takes the user; another user's ids raise PlayerNotFound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chat import views
from chat.errors import PlayerPictureUnusable, PlayersTooMany, PlayerTextTooLong, PlayerUnnamed
from chat.limits import MAX_PLAYER_CHARS, MAX_PLAYER_NAME_CHARS, MOST_PLAYERS
from chat.reading_process import apart
from memory.persona import PLAYER, UNNAMED, Entry, known_name
from models.control_tokens import as_name
from personas.cast import built_in
from personas.pictures import face
from personas.written import cleaned, one_line
from storage.players import Player
from storage.records import Chat
from storage.store import Store

_NUMBERED = re.compile(r"(?<=\S) \(\d+\)$")
_NO_NAMES = (
    UNNAMED | set(PLAYER.values()) | frozenset("player i me my myself we us yourself your 我 您 我们 你们 本人 自己 用户 对方".split())
)
"""What stands in the place of a player's name and is none, in lower case: a sentence that takes it for one is about somebody else, or no sentence."""


@dataclass(frozen=True)
class Persona:
    """Who the player is where a reply is made: how they are called, and what may be known of them from the start."""

    name: str
    description: str = ""
    id: str = ""


class OwnPlayers:
    """count: tokens of a text as prompts are measured; room: most tokens of a description that a prompt takes; finish_erasures: makes the files follow what was
    erased."""

    def __init__(self, store: Store, *, count: Callable[[str], int], room: int, finish_erasures: Callable[[], object]) -> None:
        self._store = store
        self._players = store.players
        self._count = count
        self._room = room
        self._finish_erasures = finish_erasures

    def all(self, user_id: str) -> views.PlayersView:
        default = self._players.default(user_id)
        return views.PlayersView(
            listed=tuple(map(_view, self._players.all(user_id))),
            removed=tuple(map(_view, self._players.removed(user_id))),
            default=default.id if default else "",
            ties=self._store.player_ties.all(user_id),
            room=self._room,
        )

    def create(self, user_id: str, *, name: str, description: str, picture: bytes | None) -> str:
        """The id of a new one. picture: a file of any kind that `personas.pictures` reads. Raises an error of `chat.errors` that begins with Player."""
        self._has_room(user_id)
        return self._players.add(user_id, name=_name(name), description=_description(description), face=_face(picture) if picture else None)

    def change(
        self, user_id: str, player_id: str, *, name: str, description: str, picture: bytes | None, keep_picture: bool, stamp: int
    ) -> None:
        """The next reply reads the description so, in every conversation that has the persona; each keeps the name it has there. keep_picture: let the
        picture be the one there is. stamp: of the form; PlayerChanged if another page was faster."""
        there = self._players.get(user_id, player_id)
        kept = self._players.face(user_id, player_id) if keep_picture and there.face else None
        drawn = kept if keep_picture else _face(picture) if picture else None
        self._players.change(user_id, player_id, name=_name(name), description=_description(description), face=drawn, stamp=stamp)

    def duplicate(self, user_id: str, player_id: str) -> str:
        """The id of a second one like it under the first free name: `Name (2)` and so on."""
        self._has_room(user_id)
        there = self._players.listed(user_id, player_id)
        taken = {one.name for one in self._players.all(user_id)}
        stem, number = _NUMBERED.sub("", there.name)[: MAX_PLAYER_NAME_CHARS - 8], 2
        while (name := f"{stem} ({number})") in taken:
            number += 1
        picture = self._players.face(user_id, player_id) if there.face else None
        return self._players.add(user_id, name=name, description=there.description, face=picture)

    def make_default(self, user_id: str, player_id: str) -> None:
        """Let new conversations, and those that follow the default, have this persona; "" for none."""
        self._players.make_default(user_id, player_id)

    def tie(self, user_id: str, player_id: str, character_id: str) -> None:
        """Let new conversations with a character begin as this persona, whichever is the default. Raises PlayerNotFound, CharacterNotFound."""
        self._players.listed(user_id, player_id)
        if all(character_id != one.id for one in built_in()):
            self._store.characters.card(user_id, character_id)
        self._store.player_ties.tie(user_id, character_id, player_id)

    def untie(self, user_id: str, character_id: str) -> None:
        """Let them begin as the default again; nothing happens where they did."""
        self._store.player_ties.untie(user_id, character_id)

    def remove(self, user_id: str, player_id: str) -> None:
        """Take one out of the list; conversations that have it go on with it, and it can be restored."""
        self._players.remove(user_id, player_id)

    def restore(self, user_id: str, player_id: str) -> None:
        self._has_room(user_id)
        self._players.restore(user_id, player_id)

    def erase(self, user_id: str, player_id: str) -> None:
        """Erase a removed one that no conversation has or had, copies in backups included. Raises ErasureUnfinished if it takes another start."""
        self._store.erasures.player(user_id, player_id)
        self._finish_erasures()

    def weigh(self, text: str) -> int:
        """Tokens of a description as prompts are measured. Raises what the model raises."""
        return self._count(text[:MAX_PLAYER_CHARS])

    def face(self, user_id: str, player_id: str) -> bytes:
        """The picture: a PNG of our own making. Raises PlayerNotFound."""
        return self._players.face(user_id, player_id)

    def _has_room(self, user_id: str) -> None:
        if len(self._players.all(user_id)) >= MOST_PLAYERS:
            raise PlayersTooMany(f"You have {MOST_PLAYERS} personas; more are not kept. Remove one first.", limit=MOST_PLAYERS)


def name_told(user_name: str, sketch: Iterable[Entry] = ()) -> str:
    """The player's name as a prompt may have it: what they are called in a conversation, else what they said there that they are called; empty where neither is a
    name. sketch: what is known of them by whoever reads the prompt."""
    return next((as_name(name) for name in (user_name, known_name(sketch)) if is_name(name)), "")


def is_name(text: str) -> bool:
    """Whether a player may be called so in a sentence."""
    return as_name(text).casefold() not in _NO_NAMES


def played(store: Store, chat: Chat) -> views.PlayedView:
    """Who the player is in a conversation."""
    there = store.players.get(chat.user_id, chat.player_id) if chat.player_id else None
    return views.PlayedView(chat.player_id, chat.user_name, there.stamp if there and there.face else None, chat.follows)


def persona_in(store: Store, chat: Chat) -> Persona:
    """Who the player is where a conversation's next reply is made: the persona as it is now, under the name it has there."""
    if not chat.player_id:
        return Persona(chat.user_name)
    return Persona(chat.user_name, store.players.get(chat.user_id, chat.player_id).description, chat.player_id)


def default_persona(store: Store, user_id: str, *, otherwise: str) -> Persona:
    """Who the player is where a conversation begins. otherwise: their name where they have no default persona."""
    default = store.players.default(user_id)
    return Persona(default.name, default.description, default.id) if default else Persona(otherwise)


def persona_with(store: Store, user_id: str, character_id: str, *, otherwise: str) -> Persona:
    """Who the player is where a conversation with one character begins: the persona that is tied to it, unless it was removed, else the default."""
    tied = store.player_ties.all(user_id).get(character_id)
    there = next((one for one in store.players.all(user_id) if one.id == tied), None)
    return Persona(there.name, there.description, there.id) if there else default_persona(store, user_id, otherwise=otherwise)


def _view(one: Player) -> views.PlayerView:
    return views.PlayerView(one.id, one.name, one.description, one.stamp, one.stamp if one.face else None, one.conversations)


def _name(text: str) -> str:
    name = one_line(text)
    if not name:
        raise PlayerUnnamed("A persona needs a name.", field="name")
    _within("name", name, MAX_PLAYER_NAME_CHARS)
    return name


def _description(text: str) -> str:
    # Whatever it is made of, nothing so long becomes short enough: megabytes are not looked through.
    _within("description", text, 10 * MAX_PLAYER_CHARS, told=MAX_PLAYER_CHARS)
    description = cleaned(text)
    _within("description", description, MAX_PLAYER_CHARS)
    return description


def _within(field: str, text: str, limit: int, *, told: int | None = None) -> None:
    """told: the limit that is named, where another than the one that holds."""
    if len(text) > limit:
        named = told or limit
        raise PlayerTextTooLong(
            f"This has {len(text):,} characters; {named:,} is the most. Shorten it.", field=field, length=len(text), limit=named
        )


def _face(picture: bytes) -> bytes:
    drawn = apart(face, picture)
    if drawn is None:
        raise PlayerPictureUnusable(
            "This picture could not be read. PNG, JPEG, WebP, AVIF and GIF of up to 25 million pixels can be used. Nothing was saved.",
            field="picture",
        )
    return drawn
