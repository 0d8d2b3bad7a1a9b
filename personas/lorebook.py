"""Which entries of a lorebook are called up by what was said: a function of the book, the newest messages and a seed.

Keys are looked for as plain text, those of the shape `/…/flags` as regular expressions (`personas.patterns`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from personas.cards.decorators import Decorator
from personas.cards.lorebook import ROLES, Entry, Logic, Lorebook, Place, read_book
from personas.cards.report import Notes
from personas.patterns import Patterns, is_pattern
from personas.record import Character

SCAN_DEPTH = 4
"""Newest messages that are looked through where neither entry nor book says how many."""
DEPTH = 4
"""Messages above the end, of an entry that stands at a depth and does not say which."""
MAX_SCAN_DEPTH = 50
MAX_SCANNED_CHARS = 40_000
"""Of those messages, the newest first."""
MAX_KEYS = 20_000
"""Keys that are looked for at one time; so many, in as much text as may be, take a second."""
MAX_PASSES = 3
"""Looks through what was called up, for what that calls up."""
_CHINESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
"""Letters of scripts whose words are not divided, or end in what belongs to them."""
_KNOWN = {"activate", "dont_activate", "depth", "scan_depth", "position", "role", "additional_keys", "exclude_keys"}
_KNOWN |= {"activate_only_after", "activate_only_every"}
_POSITIONS = {
    "before_desc": Place.BEFORE_CHAR,
    "after_desc": Place.AFTER_CHAR,
    "personality": Place.AFTER_CHAR,
    "scenario": Place.AFTER_CHAR,
}


@dataclass(frozen=True)
class Called:
    """An entry that belongs into the prompt."""

    n: int
    """Its place in the book, from 1."""
    entry: Entry
    by: str
    """The key that called it up; empty for one that always stands there."""
    through: int
    """The entry in whose content that key stood; 0 where it was said."""
    place: Place
    depth: int = 0
    """Messages from the end, where its place is AT_DEPTH."""
    role: str = ""
    """Of ROLES, for AT_DEPTH; empty where it is not told."""
    book: str = ""
    """The name of its book; empty for the one in the character's card."""

    @property
    def name(self) -> str:
        """What a reader knows it by."""
        return self.entry.name.strip() or self.entry.comment.strip() or next(iter(self.entry.keys), "")


def lorebook_of(character: Character) -> Lorebook | None:
    """The lorebook that stands in a character's card; it was checked when the card came in."""
    data = character.card["data"]
    book = data.get("character_book") if isinstance(data, Mapping) else None
    return read_book(book, "character_book", Notes()) if isinstance(book, dict) else None


def call_up(
    book: Lorebook,
    said: Sequence[str],
    *,
    replies: int,
    seed: str,
    fill: Callable[[str], str] = lambda text: text,
    named: str = "",
    keys: int = MAX_KEYS,
    patterns: Patterns | None = None,
) -> tuple[Called, ...]:
    """The entries that are called up, in the book's order. said: newest first; replies: of the character so far; seed: of this reply, for entries that come by
    chance; fill: fills the macros of a key; named: what the book is called in a receipt; keys: as many as are looked for; patterns: what is left for them,
    where several books share one prompt."""
    scanner = _Scanner(book, said, fill, keys, patterns or Patterns())
    rules = {n: _Rules.of(entry) for n, entry in enumerate(book.entries, start=1) if entry.enabled and entry.content.strip()}
    found: dict[int, Called] = {}

    def take(n: int, by: str, through: int) -> None:
        rule = rules[n]
        found[n] = Called(n, book.entries[n - 1], by, through, rule.place, rule.depth, rule.role, named)

    due = [n for n in rules if rules[n].may_come(replies) and _by_chance(book.entries[n - 1], n, seed)]
    for n in due:
        entry = book.entries[n - 1]
        if rules[n].always or entry.constant:
            take(n, "", 0)
        elif by := scanner.key_of(entry, rules[n]):
            take(n, by, 0)
    fresh = list(found)
    for _ in range(MAX_PASSES if book.recursive_scanning else 0):
        calling = [(n, book.entries[n - 1].content) for n in fresh if book.entries[n - 1].recurses]
        fresh = []
        for n in due:
            entry = book.entries[n - 1]
            if n in found or not entry.recursed_into:
                continue
            hit = next(((by, through) for through, content in calling if (by := scanner.key_of(entry, rules[n], within=content))), None)
            if hit is not None:
                take(n, *hit)
                fresh.append(n)
        if not fresh:
            break
    return tuple(found[n] for n in sorted(found))


def kept_within(called: Sequence[Called], *, tokens: int, weigh: Callable[[Called], int]) -> tuple[Called, ...]:
    """Those that fit, in the order in which they stand in the prompt: what always stands there is taken first, then by priority, and where none is told by their
    order, the highest first."""

    def rank(one: Called) -> tuple[bool, float, int]:
        entry = one.entry
        return bool(one.by), -(entry.insertion_order if entry.priority is None else entry.priority), one.n

    kept = []
    for one in sorted(called, key=rank):
        weight = weigh(one)
        if weight <= tokens:
            tokens -= weight
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: (one.entry.insertion_order, one.n)))


@dataclass(frozen=True)
class _Rules:
    """What the decorators of an entry say."""

    always: bool
    never: bool
    scan_depth: int | None
    place: Place
    depth: int
    role: str
    also: tuple[tuple[str, ...], ...]
    """Keys of which one of each must be there as well."""
    without: tuple[str, ...]
    after: int
    every: int

    @classmethod
    def of(cls, entry: Entry) -> _Rules:
        told: dict[str, list[str]] = {}
        for decorator in entry.decorators:
            name, value = _known(decorator)
            told.setdefault(name, []).append(value)

        def whole(name: str) -> int | None:
            value = told.get(name, [""])[0]
            return int(value) if value.isascii() and value.isdigit() and len(value) <= 9 else None

        position = _POSITIONS.get(told.get("position", [""])[0])
        depth, role = whole("depth"), told.get("role", [""])[0].casefold()
        place = position or (Place.AT_DEPTH if depth is not None else entry.place)
        return cls(
            always="activate" in told,
            never="dont_activate" in told and "activate" not in told,
            scan_depth=whole("scan_depth"),
            place=place,
            depth=next((given for given in (depth, entry.depth) if given is not None), DEPTH),
            role=role if role in ROLES else entry.role,
            also=tuple(_listed(value) for value in told.get("additional_keys", ()) if _listed(value)),
            without=tuple(key for value in told.get("exclude_keys", ()) for key in _listed(value)),
            after=whole("activate_only_after") or 0,
            every=whole("activate_only_every") or 1,
        )

    def may_come(self, replies: int) -> bool:
        return not self.never and replies >= self.after and replies % self.every == 0


class _Scanner:
    def __init__(self, book: Lorebook, said: Sequence[str], fill: Callable[[str], str], keys: int, patterns: Patterns) -> None:
        self._book = book
        self._said = said
        self._fill = fill
        self._left = keys
        self._patterns = patterns
        self._texts: dict[tuple[int, bool], str] = {}
        self._folded: dict[str, str] = {}

    def key_of(self, entry: Entry, rules: _Rules, *, within: str | None = None) -> str:
        """The first key of an entry that stands in what was said, or within a text, if everything else it asks for does as well; else empty."""
        by = next((key for key in entry.keys if self._stands(key, entry, rules, within)), "")
        if not by:
            return ""
        if any(self._stands(key, entry, rules, within) for key in rules.without):
            return ""
        if not all(any(self._stands(key, entry, rules, within) for key in keys) for keys in rules.also):
            return ""
        if entry.selective and entry.secondary_keys:
            hits = [self._stands(key, entry, rules, within) for key in entry.secondary_keys]
            agreed = {Logic.ANY: any(hits), Logic.ALL: all(hits), Logic.NOT_ANY: not any(hits), Logic.NOT_ALL: not all(hits)}[entry.logic]
            return by if agreed else ""
        return by

    def _stands(self, key: str, entry: Entry, rules: _Rules, within: str | None) -> bool:
        self._left -= 1
        if self._left < 0:
            return False
        if is_pattern(key):
            text = self._text(entry, rules, True) if within is None else within[:MAX_SCANNED_CHARS]
            return self._patterns.stands(key, text)
        exact = bool(entry.case_sensitive)
        wanted = self._fill(key).strip()
        wanted = wanted if exact else wanted.casefold()
        if not wanted:
            return False
        text = self._text(entry, rules, exact) if within is None else within[:MAX_SCANNED_CHARS] if exact else self._fold(within)
        if not entry.whole_words or _CHINESE.search(wanted):
            return wanted in text
        at = text.find(wanted)
        while at >= 0:
            if not _in_word(text[at - 1 : at]) and not _in_word(text[at + len(wanted) : at + len(wanted) + 1]):
                return True
            at = text.find(wanted, at + 1)
        return False

    def _text(self, entry: Entry, rules: _Rules, exact: bool) -> str:
        """What was said, as far back as an entry looks."""
        depths = (rules.scan_depth, entry.scan_depth, self._book.scan_depth)
        depth = min(next((depth for depth in depths if depth is not None), SCAN_DEPTH), MAX_SCAN_DEPTH)
        if (depth, exact) not in self._texts:
            text = "\n".join(self._said[: max(depth, 0)])[:MAX_SCANNED_CHARS]
            self._texts[depth, exact] = text if exact else text.casefold()
        return self._texts[depth, exact]

    def _fold(self, text: str) -> str:
        if text not in self._folded:
            self._folded[text] = text[:MAX_SCANNED_CHARS].casefold()
        return self._folded[text]


def _in_word(letter: str) -> bool:
    return bool(letter) and (letter.isalnum() or letter == "_")


def _known(decorator: Decorator) -> tuple[str, str]:
    """Name and value of a decorator, or of the first of its fallbacks that is known; what is not known does nothing."""
    told = [(decorator.name, decorator.value), *decorator.fallbacks]
    return next(((name.casefold(), value) for name, value in told if name.casefold() in _KNOWN), ("", ""))


def _listed(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split("[,，]", value) if part.strip())


def _by_chance(entry: Entry, n: int, seed: str) -> bool:
    if entry.probability >= 100:
        return True
    drawn = int.from_bytes(hashlib.sha256(f"{seed}\0lore {n}".encode("utf-8", "replace")).digest()[:6]) / 2**48
    return drawn * 100 < entry.probability
