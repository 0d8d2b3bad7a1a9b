"""Lorebooks in the layouts of other programs, put into that of cards: entry by entry, since a book may hold entries of several.

What a program calls a field is in one table. Keys that no field has go into the entry's `extensions` under the program's name, so nothing of them is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType

from personas.cards import json_text
from personas.cards.fields import spelled, squashed
from personas.cards.lorebook import CONTENT_ALIASES, ENTRY_ALIASES, ENTRY_FIELDS, KEY_ALIASES, read_world
from personas.cards.report import Dropped, Form, Mended, Notes
from personas.cards.world import from_world
from personas.patterns import is_pattern

_BOOKS = ("character_book", "lorebook", "world_info", "worldinfo", "memory_book", "lore", "module", "content", "data")
"""Keys under which other files hold a lorebook."""
_BOOK_FIELDS = ("name", "description", "scan_depth", "token_budget", "recursive_scanning", "extensions", "entries")
_AND = " & "
"""Divides the parts of a key of NovelAI's that must all be there."""


@dataclass(frozen=True)
class Layout:
    program: str
    names: Mapping[str, str]
    """What it calls a field of an entry of cards, where it has the field."""
    more: Callable[[Mapping[str, object], dict[str, object]], None] = lambda came, made: None
    """Reads what one name for another does not say; `made` is changed."""


def _novelai(came: Mapping[str, object], made: dict[str, object]) -> None:
    context = came.get("contextConfig")
    if isinstance(context, dict):
        made["insertion_order"] = context.get("budgetPriority")
    keys = made.get("keys")
    if isinstance(keys, list):
        made["keys"] = [_together(key) if isinstance(key, str) and _AND in key and not is_pattern(key) else key for key in keys]


def _switched_off(book: Mapping[str, object]) -> frozenset[str]:
    """Ids of the categories of a book of NovelAI's that are switched off, and their entries with them."""
    categories = book.get("categories")
    listed = categories if isinstance(categories, list) else []
    off = (one["id"] for one in listed if isinstance(one, dict) and one.get("enabled") is False and isinstance(one.get("id"), str))
    return frozenset(id for id in off if id)


def _together(key: str) -> str:
    """A key whose parts must all be there, as a pattern: it has no other form in one key."""
    parts = [part.strip() for part in key.split(_AND) if part.strip()]
    quoted = ["".join(letter if letter.isalnum() or letter == " " else "\\" + letter for letter in part) for part in parts]
    return key if len(parts) > 3 else "/" + "|".join(r"[\s\S]*".join(order) for order in permutations(quoted)) + "/i"


def _risu(came: Mapping[str, object], made: dict[str, object]) -> None:
    pattern = came.get("useRegex") is True
    for name in ("keys", "secondary_keys"):
        text = made.get(name)
        if isinstance(text, str):
            made[name] = _pattern(text) if pattern else [part.strip() for part in text.split(",") if part.strip()]
    if came.get("mode") == "constant":
        made["constant"] = True
    extensions: dict[str, object] = {}
    chance, more = came.get("activationPercent"), came.get("extentions")
    if chance is not None:
        extensions |= {"probability": chance, "useProbability": True}
    if isinstance(more, dict) and "risu_case_sensitive" in more:
        made["case_sensitive"] = more["risu_case_sensitive"]
    made["extensions"] = extensions


def _pattern(text: str) -> list[str]:
    return [text if is_pattern(text) else f"/{text}/"] if text else []


AGNAI = Layout(
    "Agnai",
    {"keys": "keywords", "content": "entry", "name": "name", "insertion_order": "weight", "priority": "priority", "enabled": "enabled"},
)
NOVELAI = Layout(
    "NovelAI",
    {"keys": "keys", "content": "text", "name": "displayName", "enabled": "enabled", "constant": "forceActivation", "id": "id"},
    _novelai,
)
RISU = Layout(
    "RisuAI",
    {"keys": "key", "secondary_keys": "secondkey", "content": "content", "comment": "comment", "insertion_order": "insertorder"}
    | {"constant": "alwaysActive", "selective": "selective", "use_regex": "useRegex", "id": "id"},
    _risu,
)
WORLD = Layout("SillyTavern", MappingProxyType({}))
CARDS = Layout("", MappingProxyType({}))
_KEYS = frozenset({"keys", *KEY_ALIASES})
_CONTENT = frozenset(CONTENT_ALIASES)
_WORLD_MARKS = frozenset({"key", "keysecondary", "disable", "uid", "order"})
_RISU_MARKS = frozenset({"insertorder", "alwaysActive", "secondkey"})


def layout_of(entry: Mapping[str, object]) -> Layout | None:
    """Whose an entry is, by the names of its keys; None for none."""
    if "content" not in entry:
        named = _KEYS & entry.keys()
        if "keywords" in entry or ("entry" in entry and not named):
            return AGNAI
        if "text" in entry and named <= {"keys"}:
            return NOVELAI
        if named and not _CONTENT.isdisjoint(entry) and not entry.keys() <= {"key", "value"}:  # pairs of these two are anything
            return CARDS
    if _RISU_MARKS & entry.keys():
        return RISU
    if "keys" in entry:
        return CARDS
    if _WORLD_MARKS & entry.keys():
        return WORLD
    return CARDS if "content" in entry else None


def is_entries(values: Sequence[object]) -> bool:
    """Whether a list is one of entries."""
    found = [value for value in values if isinstance(value, dict)]
    return bool(found) and all(layout_of(value) is not None and not _KEYS.isdisjoint(value) for value in found)


def as_lorebook(value: Mapping[str, object], notes: Notes) -> tuple[Form, dict[str, object]] | None:
    """The object of a lorebook as V3, World Info or a card has it, unchanged where it is one of them already; None for what is no lorebook."""
    outer: Mapping[str, object] = {}
    book = spelled(value, ("entries", "spec", *_BOOKS), "", notes)
    book = {key: json_text.unquoted(item, key, notes) if key in _BOOKS else item for key, item in book.items()}
    made = with_entries(book, "", notes)
    assert isinstance(made, dict)
    book = made
    data = book.get("data")
    if squashed(book.get("spec")).startswith("lorebook") and isinstance(data, dict):
        data = spelled(data, ("entries",), "data", notes)
        if not has_entries(data):
            return None
        return Form.LOREBOOK, {**book, "spec": Form.LOREBOOK.value, "data": converted(data, "data", notes)}
    for _ in range(2):  # a book in a book's file, as scenarios and stories hold one
        if has_entries(book):
            break
        held = {
            name: inner for name in _BOOKS if isinstance(inner := book.get(name), dict) or (isinstance(inner, list) and is_entries(inner))
        }
        if not held:
            return None
        name, inner = next(iter(held.items()))
        if isinstance(inner, dict):
            outer, book = {**book, **outer}, spelled(inner, ("entries", *_BOOKS), name, notes)
            notes.mended(Mended.WRAPPED, name)
        else:
            book = {**{key: value for key, value in book.items() if key != name}, "entries": inner}
    if not has_entries(book):
        return None
    if "name" not in book and isinstance(title := outer.get("name") or outer.get("title"), str):
        book["name"] = title
    layouts = _layouts(book)
    if layouts == {WORLD.program} or (not layouts and isinstance(book["entries"], dict)):
        return Form.WORLD, book
    if layouts <= {CARDS.program}:
        return Form.BARE, converted(book, "", notes)
    return Form.LOREBOOK, {"spec": Form.LOREBOOK.value, "data": converted(book, "", notes)}


def with_entries(book: object, path: str, notes: Notes) -> object:
    """A list of entries, or an object of nothing but entries, as a book that has them."""
    if isinstance(book, list):
        return {"entries": book}
    if isinstance(book, dict) and all(isinstance(entry, dict) for entry in book.values()) and is_entries(tuple(book.values())):
        notes.mended(Mended.FLAT, f"{path}.entries" if path else "entries")
        return {"entries": book}
    return book


def has_entries(book: object) -> bool:
    return isinstance(book, dict) and isinstance(book.get("entries"), list | dict)


def converted(book: Mapping[str, object], path: str, notes: Notes) -> dict[str, object]:
    """A book that has entries with all of them as cards have them."""
    layouts, entries = _layouts(book), book["entries"]
    place = f"{path}.entries" if path else "entries"
    if layouts <= {CARDS.program}:
        if isinstance(entries, dict):
            return {**book, "entries": {key: _spelled(entry, place, notes) for key, entry in entries.items()}}
        assert isinstance(entries, list)
        return {**book, "entries": [_spelled(entry, place, notes) for entry in entries]}
    found: list[object] = []
    off = _switched_off(book)
    listed: list[object] = list(entries.values()) if isinstance(entries, dict) else entries if isinstance(entries, list) else []
    for n, entry in enumerate(listed, start=1):
        if isinstance(entry, dict) and entry.get("mode") == "folder":
            notes.dropped(Dropped.FOLDER, f"{place}[]", f"{n}: {entry.get('comment') or ''}")
            continue
        made = _entry(entry, place, notes)
        if isinstance(entry, dict) and isinstance(made, dict) and layout_of(entry) is NOVELAI and str(entry.get("category")) in off:
            made = {**made, "enabled": False}
        found.append(made)
    programs = ", ".join(sorted(layouts - {CARDS.program}))
    notes.mended(Mended.BOOK, place, programs)
    rest = {key: value for key, value in book.items() if key not in _BOOK_FIELDS}
    extensions = book.get("extensions")
    extensions = {**(extensions if isinstance(extensions, dict) else {}), **({programs.casefold(): rest} if rest else {})}
    return {**{key: value for key, value in book.items() if key in _BOOK_FIELDS}, "extensions": extensions, "entries": found}


def _layouts(book: Mapping[str, object]) -> set[str]:
    entries = book.get("entries")
    values = entries.values() if isinstance(entries, dict) else entries if isinstance(entries, list) else ()
    found = (layout_of(value) for value in values if isinstance(value, dict))
    return {layout.program for layout in found if layout is not None}


def _spelled(entry: object, place: str, notes: Notes) -> object:
    return spelled(entry, ENTRY_FIELDS, f"{place}[]", notes, aliases=ENTRY_ALIASES) if isinstance(entry, dict) else entry


def _entry(came: object, place: str, notes: Notes) -> object:
    layout = layout_of(came) if isinstance(came, dict) else None
    if not isinstance(came, dict) or layout is None or layout is CARDS:
        return _spelled(came, place, notes)
    if layout is WORLD:
        single: dict[str, object] = {"entries": [came]}
        made = from_world(single, read_world(single, Notes()))["entries"]
        assert isinstance(made, list)
        return made[0]
    read: dict[str, object] = {ours: came[theirs] for ours, theirs in layout.names.items() if came.get(theirs) is not None}
    layout.more(came, read)
    rest = {key: value for key, value in came.items() if key not in layout.names.values()}
    extensions = read.pop("extensions", {})
    assert isinstance(extensions, dict)
    needed: dict[str, object] = {"keys": [], "content": "", "enabled": True, "insertion_order": 100, "use_regex": False}
    read = {**needed, **{name: value for name, value in read.items() if value is not None}}
    return {**read, "extensions": {**extensions, **({layout.program.casefold(): rest} if rest else {})}}
