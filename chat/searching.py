"""Search over what was said and what is remembered: by words, in one conversation or in all of a user's, as each stands open now.

Left out: other branches, other wordings, deleted messages, conversations in the bin, and memories of rounds as they were said, which would show every message twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from chat.limits import MAX_SEARCH_CHARS
from chat.operations import open_chat
from chat.text import keepable
from chat.views import FoundView, SearchView
from storage.message_words import Noted
from storage.records import TAKEN_BACK, UNIT, Chat, Kind, Memory
from storage.scope import Scope
from storage.store import Store
from storage.terms import Sought, sought

MOST_SHOWN = 40
"""Messages, and memories, that one search shows."""
BEFORE_CHARS, SNIPPET_CHARS = 36, 150
"""Of a text: shown before the first place that was found, and in all."""
WORD_CHARS = 16
TOLD = (Kind.FACT, Kind.INSIGHT, Kind.PLOT, Kind.PERSONA, Kind.TOPIC)

Pieces = tuple[tuple[str, bool], ...]


class Search:
    """teller: by chat, puts the player's name into what is remembered."""

    def __init__(self, store: Store, *, teller: Callable[[Scope, Chat], Callable[[str], str]]) -> None:
        self._store = store
        self._teller = teller

    def find(self, user_id: str, text: str, *, chat_id: str = "") -> SearchView:
        """chat_id: empty for all of the user's. Raises NotFound."""
        clean = " ".join(keepable(text).split())[:MAX_SEARCH_CHARS]
        chats = [open_chat(self._store, user_id, chat_id)[1]] if chat_id else self._store.chats.of_user(user_id)
        wanted = sought(clean)
        if not chats or not clean:
            return SearchView(clean, chat_id, (), (), 0, 0)
        scope = Scope.of(user_id, *(chat.id for chat in chats))
        by_id = {chat.id: chat for chat in chats}
        spoken = self._store.search.spoken(scope, wanted)
        noted = self._noted(user_id, by_id, self._store.search.noted(scope, wanted))
        messages = tuple(
            _found(by_id[s.chat_id], "message", s.round, s.speaker, s.said_at, snippet(s.text, wanted), s.hidden)
            for s in spoken[:MOST_SHOWN]
        )
        return SearchView(clean, chat_id, messages, self._told(user_id, by_id, noted[:MOST_SHOWN], wanted), len(spoken), len(noted))

    def _noted(self, user_id: str, chats: dict[str, Chat], noted: Sequence[Noted]) -> list[Memory]:
        """Of the memories those that the open branch of their chat sees, forgotten ones among them."""
        found = []
        for chat_id in dict.fromkeys(n.chat_id for n in noted):
            scope = Scope.of(user_id, chat_id)
            minds = self._store.groups.minds(scope)
            seen = {i for mind in minds for i in self._store.memories.on_path(mind, chats[chat_id].branch_id).ids}
            memories = self._store.memories.get(scope, [n.memory_id for n in noted if n.chat_id == chat_id and n.memory_id in seen])
            found += [m for m in memories.values() if m.kind in TOLD and m.slot != TAKEN_BACK and not m.slot.startswith(UNIT)]
        return sorted(found, key=lambda m: (m.said_at, m.round_last), reverse=True)

    def _told(self, user_id: str, chats: dict[str, Chat], memories: Iterable[Memory], wanted: Sought) -> tuple[FoundView, ...]:
        tellers: dict[str, Callable[[str], str]] = {}
        shown = []
        for memory in memories:
            chat = chats[memory.chat_id]
            tell = tellers.get(chat.id) or tellers.setdefault(chat.id, self._teller(Scope.of(user_id, chat.id), chat))
            text = tell(memory.text) if memory.kind in (Kind.FACT, Kind.TOPIC) else memory.text
            shown.append(_found(chat, memory.kind.value, memory.round_first, "", memory.said_at, snippet(text, wanted), False))
        return tuple(shown)


def _found(chat: Chat, kind: str, round_number: int, speaker: str, said_at: datetime, pieces: Pieces, hidden: bool) -> FoundView:
    return FoundView(
        kind=kind,
        chat_id=chat.id,
        title=chat.title or chat.character_name,
        language=chat.language,
        round=round_number,
        speaker=speaker,
        said_at=said_at,
        pieces=pieces,
        hidden=hidden,
    )


def snippet(text: str, wanted: Sought) -> Pieces:
    """A part of the text around the first place that was found, in pieces: their words, and whether that is what was looked for."""
    line = " ".join(text.split())
    spans = wanted.spans(line)
    start = max(0, spans[0][0] - BEFORE_CHARS) if spans else 0
    blank = line.find(" ", start, start + WORD_CHARS) if start else -1
    if 0 <= blank < spans[0][0]:  # no word is cut, where there are words
        start = blank + 1
    end = min(len(line), start + SNIPPET_CHARS)
    pieces: list[tuple[str, bool]] = [("… ", False)] if start else []
    at = start
    for first, last in spans:
        if first >= end:
            break
        pieces += [(line[at:first], False), (line[first : min(last, end)], True)]
        at = min(last, end)
    pieces += [(line[at:end], False), (" …" if end < len(line) else "", False)]
    return tuple((piece, hit) for piece, hit in pieces if piece)
