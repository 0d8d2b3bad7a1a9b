"""The same done to several of a person's own characters at once: all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chat.characters import OwnCharacters, checked
from personas.record import character_from_card
from personas.written import card_of, tags_with, tags_without, typed_tags, written_of
from storage.store import Store

Tags = tuple[str, ...]


class ManyCharacters:
    """Each method takes the user and gives the ids of those that are changed by it; another user's ids raise CharacterNotFound, and nothing is changed."""

    def __init__(self, store: Store, own: OwnCharacters) -> None:
        self._store = store
        self._own = own

    def tag(self, user_id: str, character_ids: Sequence[str], typed: str) -> Sequence[str]:
        """Give each these tags, beside those it has. typed: as into the field of a form. Raises CharacterTagsTooMany, CharacterTextTooLong."""
        tags = typed_tags(typed)
        return self._retag(user_id, character_ids, lambda there: tags_with(there, tags))

    def untag(self, user_id: str, character_ids: Sequence[str], typed: str) -> Sequence[str]:
        """Take these tags away, whatever their letter case."""
        tags = typed_tags(typed)
        return self._retag(user_id, character_ids, lambda there: tags_without(there, tags))

    def favour(self, user_id: str, character_ids: Sequence[str]) -> Sequence[str]:
        """Keep each on top, of the cast too."""
        return self._each(user_id, [i for i in character_ids if i not in self._own.favourites(user_id)], self._own.favour)

    def unfavour(self, user_id: str, character_ids: Sequence[str]) -> Sequence[str]:
        return self._each(user_id, [i for i in character_ids if i in self._own.favourites(user_id)], self._own.unfavour)

    def remove(self, user_id: str, character_ids: Sequence[str]) -> Sequence[str]:
        """Take each out of the list; conversations with them go on, and they can be restored."""
        return self._each(user_id, character_ids, self._own.remove)

    def restore(self, user_id: str, character_ids: Sequence[str]) -> Sequence[str]:
        """Raises CharactersTooMany where they do not all find room."""
        self._own.has_room(user_id, len(set(character_ids)))
        return self._each(user_id, character_ids, self._own.restore)

    def _each(self, user_id: str, character_ids: Sequence[str], act: Callable[[str, str], None]) -> Sequence[str]:
        ids = tuple(dict.fromkeys(character_ids))
        with self._store.database.write():
            for character_id in ids:
                act(user_id, character_id)
        return ids

    def _retag(self, user_id: str, character_ids: Sequence[str], now: Callable[[Tags], Tags]) -> Sequence[str]:
        changed = []
        with self._store.database.write():
            for character_id in dict.fromkeys(character_ids):
                there = self._store.characters.card(user_id, character_id)
                written = written_of(character_from_card(there.card, id=there.id))
                if (tags := now(written.tags)) != written.tags:
                    card = checked(card_of(replace(written, tags=tags), before=there.card))
                    self._store.characters.change(user_id, character_id, card, stamp=there.stamp)
                    changed.append(character_id)
        return changed
