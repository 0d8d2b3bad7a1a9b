"""A person's own characters: what the page shows of them and does with them. Every method takes the user; another user's ids raise CharacterNotFound."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from chat import views
from chat.cast import character_of, greetings_told
from chat.errors import CharactersTooMany
from chat.players import persona_with
from memory.engine import insight_task
from personas.adult import adult_by
from personas.cast import built_in
from personas.lorebook import lorebook_of
from personas.record import MAX_LINE_CHARS, MAX_TEXT_CHARS, character_from_card
from personas.written import Written, card_of, written_of
from storage.characters import CharacterFile, NewCard, OwnCharacter
from storage.scope import Scope
from storage.store import Store

_NUMBERED = re.compile(r"(?<=\S) \(\d+\)$")
MOST_CHARACTERS = 500
"""Of one user: the list is drawn whole."""
MAX_WEIGHED_CHARS = 2 * MAX_TEXT_CHARS
"""Longest text whose tokens are counted: what is longer is refused when it is saved."""


class OwnCharacters:
    """count: tokens of a text as prompts are measured; room: most tokens of a card that a prompt takes; finish_erasures: makes the files follow what was erased."""

    def __init__(self, store: Store, *, count: Callable[[str], int], room: int, finish_erasures: Callable[[], object]) -> None:
        self._store = store
        self._characters = store.characters
        self._count = count
        self.room = room
        self._finish_erasures = finish_erasures

    def all(self, user_id: str) -> tuple[views.OwnCharacterView, ...]:
        """Those in the user's list, newest first."""
        return tuple(_view(self._looked_at(user_id, one)) for one in self._characters.all(user_id))

    def removed(self, user_id: str) -> tuple[views.OwnCharacterView, ...]:
        """Those that were removed from it, newest first."""
        return tuple(map(_view, self._characters.removed(user_id)))

    def _looked_at(self, user_id: str, one: OwnCharacter) -> OwnCharacter:
        """With whether it is for adults, also where it came before that was looked for."""
        if one.adult is not None:
            return one
        found = adult_by(self._characters.card(user_id, one.id).card)
        self._characters.note_adult(user_id, one.id, found)
        return replace(one, adult=found)

    def form(self, user_id: str, character_id: str) -> views.CharacterFormView:
        """What was written of a character, to be changed."""
        there = self._characters.card(user_id, character_id)
        character = character_from_card(there.card, id=there.id)
        book = lorebook_of(character)
        return views.CharacterFormView(
            id=there.id,
            stamp=there.stamp,
            written=written_of(character),
            stances=len(character.stances),
            greetings=len(character.alternate_greetings),
            entries=len(book.entries) if book is not None else 0,
        )

    def create(self, user_id: str, new: Written) -> str:
        """The id of a new character. Raises CharacterTooLarge or CharactersTooMany."""
        return self.add(user_id, checked(card_of(new)))

    def add(self, user_id: str, new: NewCard) -> str:
        """The id of a new character. Raises CharactersTooMany."""
        self.has_room(user_id, 1)
        return self._characters.add(user_id, new)

    def change(self, user_id: str, character_id: str, new: Written, *, stamp: int) -> None:
        """Write a character anew: the next reply reads it so, and what was said stays. stamp: of the form; CharacterChanged if another page was faster."""
        before = self._characters.card(user_id, character_id)
        card = checked(card_of(new, before=before.card))
        self._characters.change(user_id, character_id, card, stamp=stamp)
        if card.stances != checked(before.card).stances:
            self.read_anew(user_id, character_id)

    def read_anew(self, user_id: str, character_id: str) -> None:
        """Let what the player told be read by the judgments that the character has now, in the branch that each of its conversations shows."""
        for chat_id, branch_id in self._characters.conversations(user_id, character_id):
            self._store.tasks.join(Scope.of(user_id, chat_id), insight_task(branch_id, first_round=0), least="first_round")

    def duplicate(self, user_id: str, character_id: str) -> str:
        """The id of a second character with the same card under the first free name: `Name (2)` and so on."""
        self.has_room(user_id, 1)
        there = self._characters.card(user_id, character_id)
        new = written_of(character_from_card(there.card, id=there.id))
        taken = {one.name for one in self._characters.all(user_id)}
        stem, number = _NUMBERED.sub("", new.name)[: MAX_LINE_CHARS - 8], 2
        while (name := f"{stem} ({number})") in taken:
            number += 1
        return self._characters.add(
            user_id,
            checked(
                card_of(replace(new, name=name), before=there.card),
                original=there.original if there.original != there.card else None,
                files=self._characters.files(user_id, character_id),
            ),
        )

    def lend(self, owner_id: str, character_id: str, user_id: str) -> str:
        """The id of a copy of somebody's character in another's list; the one that was lent before where it is there still."""
        if there := self._characters.of_origin(user_id, origin := f"lent {character_id}"):
            return there[0]
        self.has_room(user_id, 1)
        lent = self._characters.card(owner_id, character_id)
        card = checked(
            card_of(written_of(character_from_card(lent.card, id=lent.id)), before=lent.card),
            original=lent.original if lent.original != lent.card else None,
            files=self._characters.files(owner_id, character_id),
        )
        return self._characters.add(user_id, replace(card, origin=origin))

    def remove(self, user_id: str, character_id: str) -> None:
        """Take a character out of the list; conversations with it go on, and it can be restored."""
        self._characters.remove(user_id, character_id)

    def restore(self, user_id: str, character_id: str) -> None:
        self.has_room(user_id, 1)
        self._characters.restore(user_id, character_id)

    def erase(self, user_id: str, character_id: str) -> None:
        """Erase a removed character that no conversation is with, copies in backups included. Raises ErasureUnfinished if it takes another start."""
        self._store.erasures.character(user_id, character_id)
        self._finish_erasures()

    def favourites(self, user_id: str) -> frozenset[str]:
        """Ids of the characters that the user keeps on top, the cast's among them."""
        return self._store.favourites.all(user_id)

    def favour(self, user_id: str, character_id: str) -> None:
        """Keep a character of the cast or of the user's list on top."""
        if all(character_id != one.id for one in built_in()):
            self._characters.card(user_id, character_id)
        self._store.favourites.mark(user_id, character_id)

    def unfavour(self, user_id: str, character_id: str) -> None:
        """No longer; nothing happens where it was not."""
        self._store.favourites.unmark(user_id, character_id)

    def weigh(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Tokens of each text by its name, as prompts are measured. Raises what the model raises."""
        return {name: self._count(text[:MAX_WEIGHED_CHARS]) for name, text in texts.items()}

    def greeting(self, user_id: str, text: str, *, name: str, language: str, character_id: str = "") -> str:
        """A greeting as a conversation that begins now would have it. name, language: as they are typed; character_id: empty for one that is not kept yet."""
        nickname = character_of(self._store, user_id, character_id).nickname if character_id else ""
        persona = persona_with(self._store, user_id, character_id, otherwise="")
        (told,) = greetings_told([text[:MAX_WEIGHED_CHARS]], char=nickname or name, language=language, persona=persona)
        return told

    def has_room(self, user_id: str, count: int) -> None:
        """Raises CharactersTooMany where the list has no room for so many more."""
        if len(self._characters.all(user_id)) + count > MOST_CHARACTERS:
            raise CharactersTooMany(f"You have {MOST_CHARACTERS} characters; more are not kept. Remove one first.", limit=MOST_CHARACTERS)


def _view(one: OwnCharacter) -> views.OwnCharacterView:
    return views.OwnCharacterView(
        id=one.id,
        name=one.name,
        tagline=one.tagline,
        language=one.language,
        tags=one.tags,
        creator=one.creator,
        conversations=one.conversations,
        face=one.face,
        adult=one.adult or "",
    )


def checked(
    card: Mapping[str, object], *, original: Mapping[str, object] | None = None, files: Sequence[CharacterFile] = (), origin: str = ""
) -> NewCard:
    """A card as it is kept. original, files, origin: of one that came in as a file. Raises CharacterRefused."""
    character = character_from_card(card, id="")
    return NewCard(
        name=character.name,
        language=character.language,
        card=card,
        persona=asdict(character.persona),
        stances=[asdict(stance) for stance in character.stances],
        original=original,
        files=files,
        origin=origin,
        adult=adult_by(card),
    )
