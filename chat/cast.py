"""Characters of a data folder: the built-in cast, and those an import brings by name."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from chat.errors import NotOfGroup
from chat.players import Persona, name_told
from chat.prompt_player import told_of_player
from chat.text import keepable
from personas.cast import built_in
from personas.macros import Macros
from personas.record import Character, character_from_card
from personas.unnamed_player import Read
from storage.records import Chat, NewMessage, Role, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import wall_now


def enrol_built_in(store: Store) -> None:
    """Write the built-in cast, or bring it up to this version."""
    for character in built_in():
        enrol(store, None, character)


def character_of(store: Store, user_id: str, character_id: str) -> Character:
    """A character the user may talk with. Raises NotFound."""
    return character_from_card(store.chats.character(user_id, character_id).card_v3, id=character_id)


def character_as(store: Store, chat: Chat, name: str) -> Character:
    """The character of a conversation that has a name there; of one with a single character that. Raises NotOfGroup and NotFound."""
    if not chat.members:
        return replace(character_of(store, chat.user_id, chat.character_id), name=chat.character_name)
    member = chat.member(name)
    if member is None:
        raise NotOfGroup("This character does not belong to this conversation. Nothing was changed.")
    return replace(character_of(store, chat.user_id, member.character_id), name=member.name)


def mind_of(scope: Scope, chat: Chat, name: str = "") -> Scope:
    """The scope as the character sees it whose memory is wanted; without a name, or with one that is none of them, as the first of them."""
    if not chat.members:
        return scope
    return scope.seen_by(name if chat.member(name) is not None else chat.members[0].name)


def character_in(store: Store, chat: Chat) -> Character:
    """The character of a conversation, of several the first: its card as it is now, under the name it has there. Raises NotFound."""
    return replace(character_of(store, chat.user_id, chat.character_id), name=chat.character_name)


def greetings_of(character: Character, persona: Persona) -> tuple[str, ...]:
    """What a character may begin with, its first message first, each once; macros are filled now and for good. persona: of the player."""
    texts = [character.greeting, *character.alternate_greetings]
    told = greetings_told(texts, char=character.nickname or character.name, language=character.language, persona=persona)
    return tuple(dict.fromkeys(text for text in told if text.strip()))


def greetings_told(texts: Sequence[str], *, char: str, language: str, persona: Persona) -> Iterator[str]:
    """Greetings of a card with their macros filled. char: what the character is called."""
    macros = Macros(user=name_told(persona.name), char=char, language=language, now=wall_now(), seed=secrets.token_hex(16), chat="")
    macros = replace(macros, persona=told_of_player(persona.description, macros))
    return (keepable(macros.fill(text, place=f"greeting {n}", read=Read.GREETING)) for n, text in enumerate(texts))


def greeting_of(character: Character, persona: Persona, *, external_id: str = "greeting", chosen: int = 0) -> NewMessage | None:
    """The first message of a conversation, every greeting a wording of it; None where the character has none. chosen: which of them."""
    greetings = greetings_of(character, persona)
    if not greetings:
        return None
    chosen = min(chosen, len(greetings) - 1)
    return NewMessage(
        role=Role.CHARACTER,
        speaker=character.name,
        text=greetings[chosen],
        said_at=wall_now(),
        external_id=external_id,
        origin="card",
        opens_round=False,
        wordings=greetings,
        chosen=chosen,
    )


def begin_with(store: Store, user_id: str, character: Character, persona: Persona) -> str:
    """A new chat's id: of one character with the player as that persona, the character's greetings wordings of its first message."""
    return store.chats.create(
        user_id,
        character_id=character.id,
        title="",
        language=character.language,
        user_name=persona.name,
        player_id=persona.id,
        greeting=greeting_of(character, persona),
    )


def character_named(store: Store, user_id: str, name: str, *, language: str) -> str:
    """The id of the character of an imported conversation: a built-in one of that name, else the user's own, made of its name alone.

    A made one says so by having no description; nothing about it is invented.
    """
    wanted = name.strip()
    for character in built_in():
        if character.name.casefold() == wanted.casefold():
            return character.id
    card = {
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {"name": wanted, "description": "", "first_mes": "", "extensions": {"keepsake": {"language": language, "tagline": ""}}},
    }
    character = character_from_card(card, id=stable_id("imported-character", user_id, wanted.casefold()))
    enrol(store, user_id, character)
    return character.id


def enrol(store: Store, user_id: str | None, character: Character) -> None:
    """Write a character, or bring it up to what is given. user_id: None for the built-in cast."""
    store.chats.ensure_character(
        character.id,
        user_id=user_id,
        name=character.name,
        language=character.language,
        card=character.card,
        persona=asdict(character.persona),
        stances=[asdict(stance) for stance in character.stances],
    )
