"""A lorebook as the house knows it, from a card's `character_book`, a `lorebook_v3` file or SillyTavern's World Info. Reading alone: what matches is told
elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from personas.cards.decorators import Decorator, split_content
from personas.cards.fields import Fields
from personas.cards.refused import CardFieldWrong
from personas.cards.report import Dropped, Kept, Notes

MAX_ENTRIES = 5_000
ENTRY_FIELDS: tuple[str, ...] = (
    *("keys", "secondary_keys", "content", "comment", "name", "id", "enabled", "constant", "selective", "insertion_order"),
    *("priority", "position", "case_sensitive", "use_regex", "extensions"),
)
"""What cards call an entry's fields."""
KEY_ALIASES = ("key", "keyword", "keywords", "trigger", "triggers")
CONTENT_ALIASES = ("value", "text", "entry")
ENTRY_ALIASES = {
    **dict.fromkeys(KEY_ALIASES, "keys"),
    **dict.fromkeys(CONTENT_ALIASES, "content"),
    **dict.fromkeys(("keysecondary", "secondkey"), "secondary_keys"),
    **dict.fromkeys(("order", "insertorder"), "insertion_order"),
    **dict.fromkeys(("title", "displayname"), "name"),
}
"""Other programs' words for them, squashed, in entries whose layout is that of no program here."""


class Place(StrEnum):
    """Where in the prompt an entry stands; the author's note and the examples are SillyTavern's."""

    BEFORE_CHAR = "before_char"
    AFTER_CHAR = "after_char"
    NOTE_TOP = "note_top"
    NOTE_BOTTOM = "note_bottom"
    AT_DEPTH = "at_depth"
    EXAMPLES_TOP = "examples_top"
    EXAMPLES_BOTTOM = "examples_bottom"


PLACES = tuple(Place)
"""By SillyTavern's numbers."""


class Logic(StrEnum):
    """What the secondary keys of a selective entry must do, in the order of SillyTavern's numbers."""

    ANY = "any"
    NOT_ALL = "not_all"
    NOT_ANY = "not_any"
    ALL = "all"


LOGICS = tuple(Logic)
_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)
ROLES = ("system", "user", "assistant")
"""By SillyTavern's numbers."""

WORLD_NAMES = {
    "id": "uid",
    "keys": "key",
    "secondary_keys": "keysecondary",
    "insertion_order": "order",
    "case_sensitive": "caseSensitive",
    "match_whole_words": "matchWholeWords",
    "scan_depth": "scanDepth",
    "prevent_recursion": "preventRecursion",
    "exclude_recursion": "excludeRecursion",
}
"""What SillyTavern's World Info calls an entry's fields."""


@dataclass(frozen=True)
class Entry:
    """Texts as they came, macros unfilled."""

    id: str | float | None
    """A number in V2, a number or a text in V3."""
    name: str
    comment: str
    keys: tuple[str, ...]
    secondary_keys: tuple[str, ...]
    content: str
    """Without its decorators."""
    decorators: tuple[Decorator, ...]
    enabled: bool
    constant: bool
    selective: bool
    logic: Logic
    use_regex: bool
    """As it came; of World Info whether a key has the shape `/…/flags`. SillyTavern writes true for every entry of a card and means such keys alone."""
    case_sensitive: bool | None
    whole_words: bool | None
    insertion_order: float
    """Lower stands higher in the prompt."""
    priority: float | None
    """Lower goes first when the budget is used up."""
    probability: float
    """Percent, of entering the prompt once it matches."""
    place: Place
    depth: int | None
    """Messages from the end, for AT_DEPTH."""
    role: str
    """Of ROLES, for AT_DEPTH; empty where it is not told."""
    scan_depth: int | None
    recurses: bool
    """Whether its content may call up others."""
    recursed_into: bool
    """Whether the content of others may call it up."""

    @property
    def says_something(self) -> bool:
        return bool(self.content.strip() or self.decorators)


@dataclass(frozen=True)
class Lorebook:
    name: str
    description: str
    scan_depth: int | None
    token_budget: int | None
    recursive_scanning: bool
    entries: tuple[Entry, ...]


def read_book(value: Mapping[str, object], path: str, notes: Notes) -> Lorebook:
    """The lorebook of an object in the shape of cards. Raises CardRefused."""
    fields = Fields(value, path, notes)
    book = _book(fields, [(entry, _extensions(entry)) for entry in _entries(fields, {})])
    _extensions(fields).rest(Kept.EXTENSION)
    fields.rest()
    return book


def read_world(value: Mapping[str, object], notes: Notes) -> Lorebook:
    """The lorebook of SillyTavern's World Info, whose entries have no `extensions` but all keys beside each other. Raises CardRefused."""
    fields = Fields(value, "", notes)
    book = _book(fields, [(entry, entry) for entry in _entries(fields, WORLD_NAMES)])
    fields.rest()
    return book


def _entries(fields: Fields, names: Mapping[str, str]) -> list[Fields]:
    if not isinstance(fields.value.get("entries"), list | dict):
        raise CardFieldWrong(fields.at("entries"))
    return list(fields.objects("entries", limit=MAX_ENTRIES, names=names))


def _extensions(fields: Fields) -> Fields:
    return Fields(fields.inner("extensions", needed=True), fields.at("extensions"), fields.notes)


def _book(fields: Fields, entries: list[tuple[Fields, Fields]]) -> Lorebook:
    return Lorebook(
        name=fields.text("name", line=True),
        description=fields.text("description"),
        scan_depth=fields.whole("scan_depth"),
        token_budget=fields.whole("token_budget"),
        recursive_scanning=fields.flag("recursive_scanning", False),
        entries=tuple(_entry(entry, more) for entry, more in entries),
    )


def _entry(fields: Fields, more: Fields) -> Entry:
    """more: where the keys are that only SillyTavern has."""
    world = fields is more
    decorators, content = split_content(fields.text("content", needed=True))
    for decorator in decorators:
        fields.notes.kept(Kept.DECORATOR, fields.at("content"), "@@" + decorator.name)
    keys = fields.texts("keys", needed=True, commas=True)
    case_sensitive = fields.optional_flag("case_sensitive")
    probability = more.number("probability") if more.flag("useProbability", True) else None
    entry = Entry(
        id=fields.text("id") if isinstance(fields.raw("id"), str) else fields.number("id"),
        name=fields.text("name"),
        comment=fields.text("comment"),
        keys=keys,
        secondary_keys=fields.texts("secondary_keys", commas=True),
        content=content,
        decorators=decorators,
        enabled=not fields.flag("disable", False) if world else fields.flag("enabled", True, needed=True),
        constant=fields.flag("constant", False),
        selective=fields.flag("selective", False),
        logic=more.chosen("selectiveLogic", LOGICS) or Logic.ANY,
        use_regex=fields.flag("use_regex", world and any(_PATTERN.fullmatch(key) for key in keys)),
        case_sensitive=more.optional_flag("case_sensitive") if case_sensitive is None else case_sensitive,
        whole_words=more.optional_flag("match_whole_words"),
        insertion_order=fields.number("insertion_order", needed=True) or 0,
        priority=fields.number("priority"),
        probability=100 if probability is None else probability,
        place=_place(fields, more),
        depth=more.whole("depth"),
        role=more.chosen("role", ROLES) or "",
        scan_depth=more.whole("scan_depth"),
        recurses=not more.flag("prevent_recursion", False),
        recursed_into=not more.flag("exclude_recursion", False),
    )
    if not entry.says_something:
        fields.notes.dropped(Dropped.ENTRY, fields.path, str(fields.nth))
    if not world:
        more.rest(Kept.EXTENSION)
    fields.rest()
    return entry


def _place(fields: Fields, more: Fields) -> Place:
    """Where an entry stands, by SillyTavern's number or the specification's word. The number says more, so one in `more` counts before the word beside it."""
    if fields is not more and (stated := more.chosen("position", PLACES)) is not None:
        return stated
    told = fields.raw("position")
    if not isinstance(told, str) or told.strip().isdigit():
        return fields.chosen("position", PLACES) or Place.BEFORE_CHAR
    word = fields.text("position")
    if word not in ("", Place.BEFORE_CHAR, Place.AFTER_CHAR):
        fields.notes.dropped(Dropped.VALUE, fields.at("position"), word)
        word = ""
    return Place(word) if word else Place.BEFORE_CHAR
