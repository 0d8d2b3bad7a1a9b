"""What of the lorebooks stands in a prompt: what always stands there with the card, what was called up above the newest message, and what asks for a depth there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.framing import quoted
from chat.prompt_words import LORE
from personas.cards.lorebook import Lorebook, Place
from personas.lorebook import MAX_KEYS, Called, call_up, kept_within, lorebook_of
from personas.macros import Macros
from personas.patterns import Patterns
from personas.record import Character
from storage.records import Message, Role

LORE_SHARE = 0.15
"""Largest share of the prompt that entries of a lorebook take, whatever budget the book states."""


@dataclass(frozen=True)
class LoreEntry:
    """An entry that was called up. text: as it stands in the prompt; empty where it found no room."""

    n: int
    name: str
    by: str
    through: int
    tokens: int
    text: str
    book: str = ""
    """The name of its book; empty for the one in the character's card."""


@dataclass(frozen=True)
class Deep:
    """Entries that stand together so many messages above the end. role: of the lorebook's; empty where none is told."""

    depth: int
    role: str
    text: str


@dataclass(frozen=True)
class Lore:
    before: str = ""
    """Above what the card says of its character."""
    after: str = ""
    """Below that."""
    block: str = ""
    """Above the newest message: it changes with what is said."""
    deep: tuple[Deep, ...] = ()
    """Within the conversation, the deepest first."""
    moving: int = 0
    """Entries in `block` and `deep`: those whose place moves with the conversation."""
    entries: tuple[LoreEntry, ...] = ()


@dataclass(frozen=True)
class Book:
    """A lorebook beside the one in the card. id: tells the chance of its entries from that of others."""

    id: str
    name: str
    book: Lorebook


def lore_of(
    character: Character,
    history: Sequence[Message],
    macros: Macros,
    *,
    room: int,
    count: Callable[[str], int],
    books: Sequence[Book] = (),
) -> Lore:
    """history: newest first; room: tokens of the whole prompt; books: beside the card's, which comes first."""
    own = lorebook_of(character)
    shelf = [*([Book("", "", own)] if own is not None else []), *books]
    if not shelf:
        return Lore()
    said = [m for m in history if m.id and not m.hidden]
    patterns = Patterns()
    most = int(room * LORE_SHARE)
    everything: list[tuple[Called, str, int]] = []
    """With its text and what that weighs."""
    fitting: list[Called] = []
    texts: dict[int, tuple[str, int]] = {}
    for one in shelf:
        called = call_up(
            one.book,
            [m.text for m in said],
            replies=sum(m.role is Role.CHARACTER for m in said),
            seed=f"{macros.seed}\0{one.id}" if one.id else macros.seed,
            fill=lambda key: macros.fill(key, place="key"),
            named=one.name,
            keys=MAX_KEYS // len(shelf),
            patterns=patterns,
        )
        for entry in called:
            text = _told(entry, macros, one.id)
            texts[id(entry)] = (text, count(text) + 1)
            everything.append((entry, *texts[id(entry)]))
        budget = most if one.book.token_budget is None else min(most, one.book.token_budget)
        fitting += kept_within([entry for entry in called if texts[id(entry)][0]], tokens=budget, weigh=lambda entry: texts[id(entry)][1])
    kept = kept_within(fitting, tokens=most, weigh=lambda entry: texts[id(entry)][1])
    there = {id(entry) for entry in kept}

    def standing(*, before: bool) -> str:
        return "\n\n".join(
            texts[id(one)][0]
            for one in kept
            if not one.by and one.place is not Place.AT_DEPTH and (one.place is Place.BEFORE_CHAR) is before
        )

    fresh = [f"- {texts[id(one)][0]}" for one in kept if one.by and one.place is not Place.AT_DEPTH]
    heading = LORE.get(character.language, LORE["en"])
    return Lore(
        before=standing(before=True),
        after=standing(before=False),
        block="\n".join([heading, *fresh]) if fresh else "",
        moving=sum(bool(one.by) or one.place is Place.AT_DEPTH for one in kept),
        deep=_deep([(one, texts[id(one)][0]) for one in kept if one.place is Place.AT_DEPTH], heading),
        entries=tuple(
            LoreEntry(one.n, one.name, one.by, one.through, weight - 1, text if id(one) in there else "", one.book)
            for one, text, weight in everything
        ),
    )


def _deep(kept: Sequence[tuple[Called, str]], heading: str) -> tuple[Deep, ...]:
    """Those of one depth and role together, in their order. What the character is made to say stands as it is, without a heading."""
    groups: dict[tuple[int, str], list[str]] = {}
    for one, text in kept:
        groups.setdefault((one.depth, one.role), []).append(text)
    told = {
        key: "\n".join(texts) if key[1] == "assistant" else "\n".join([heading, *(f"- {text}" for text in texts)])
        for key, texts in groups.items()
    }
    return tuple(Deep(depth, role, told[depth, role]) for depth, role in sorted(groups, key=lambda key: -key[0]))


def _told(one: Called, macros: Macros, book: str) -> str:
    """An entry as it stands in the prompt: without empty lines, which divide its parts."""
    text = quoted(macros.fill(one.entry.content, place=f"lore {one.n} {book}".strip()))
    return "\n".join(line for line in text.split("\n") if line.strip())
