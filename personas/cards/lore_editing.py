"""A lorebook as a person writes it: a file of V3 made of any layout, and its entries changed without a loss of what nobody here knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from personas.cards.lorebook import LOGICS, PLACES, ROLES, Entry, Logic, Lorebook, Place, read_book
from personas.cards.lorebook_writing import book_v3, paired
from personas.cards.reading import LorebookFile
from personas.cards.report import Form, Notes
from personas.cards.world import from_world, to_world

SPEC = "lorebook_v3"


@dataclass(frozen=True)
class WrittenEntry:
    """An entry as a form has it. content: with its decorators; numbers that are None are not told."""

    comment: str = ""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    logic: Logic = Logic.ANY
    content: str = ""
    enabled: bool = True
    constant: bool = False
    insertion_order: float = 100
    probability: float = 100
    place: Place = Place.BEFORE_CHAR
    depth: int | None = None
    role: str = ""
    scan_depth: int | None = None
    case_sensitive: bool = False
    whole_words: bool = False
    recurses: bool = True
    recursed_into: bool = True


@dataclass(frozen=True)
class WrittenBook:
    name: str
    description: str = ""
    scan_depth: int | None = None
    token_budget: int | None = None
    recursive_scanning: bool = False


def as_v3(file: LorebookFile) -> dict[str, object]:
    """A lorebook file of V3 with every key that came."""
    original = file.original
    if file.report.form is Form.LOREBOOK:
        data = original["data"]
        assert isinstance(data, dict)
        return {**original, "spec": SPEC, "data": book_v3(data, file.book)}
    made = from_world(original, file.book) if file.report.form is Form.WORLD else book_v3(original, file.book)
    return {"spec": SPEC, "data": made}


def empty(name: str) -> dict[str, object]:
    return {"spec": SPEC, "data": {"name": name, "extensions": {}, "entries": []}}


def data_of(file: Mapping[str, object]) -> dict[str, object]:
    """The book in a file of V3."""
    data = file["data"]
    assert isinstance(data, dict)
    return data


def book_of(file: Mapping[str, object]) -> Lorebook:
    """Raises CardRefused."""
    return read_book(data_of(file), "data", Notes())


def as_world(file: Mapping[str, object]) -> dict[str, object]:
    """The same as SillyTavern's World Info."""
    return to_world(data_of(file), book_of(file))


def with_settings(file: Mapping[str, object], written: WrittenBook) -> dict[str, object]:
    data = {**data_of(file), "name": written.name, "description": written.description, "recursive_scanning": written.recursive_scanning}
    for name, value in (("scan_depth", written.scan_depth), ("token_budget", written.token_budget)):
        data.pop(name, None)
        if value is not None:
            data[name] = value
    return {**file, "data": data}


def entry_of(file: Mapping[str, object], n: int) -> WrittenEntry:
    """The entry in that place, from 1. Raises IndexError."""
    came, entry = _entries(file)[_index(file, n)]
    content = came.get("content")
    return WrittenEntry(
        comment=entry.comment or entry.name,
        keys=entry.keys,
        secondary_keys=entry.secondary_keys if entry.selective else (),
        logic=entry.logic,
        content=content if isinstance(content, str) else entry.content,
        enabled=entry.enabled,
        constant=entry.constant,
        insertion_order=entry.insertion_order,
        probability=entry.probability,
        place=entry.place,
        depth=entry.depth,
        role=entry.role,
        scan_depth=entry.scan_depth,
        case_sensitive=bool(entry.case_sensitive),
        whole_words=bool(entry.whole_words),
        recurses=entry.recurses,
        recursed_into=entry.recursed_into,
    )


def with_entry(file: Mapping[str, object], n: int, written: WrittenEntry) -> dict[str, object]:
    """The file with an entry written anew, or one more for n = 0. Fields that say what they said stay as they came. Raises IndexError."""
    entries = [came for came, _ in _entries(file)]
    if n == 0:
        entries.append(_written({}, written, before=None))
    else:
        at = _index(file, n)
        entries[at] = _written(entries[at], written, before=entry_of(file, n))
    return {**file, "data": {**data_of(file), "entries": entries}}


def without_entry(file: Mapping[str, object], n: int) -> dict[str, object]:
    """Raises IndexError."""
    at = _index(file, n)
    entries = [came for place, (came, _) in enumerate(_entries(file)) if place != at]
    return {**file, "data": {**data_of(file), "entries": entries}}


def _entries(file: Mapping[str, object]) -> list[tuple[dict[str, object], Entry]]:
    return paired(data_of(file), book_of(file))


def _index(file: Mapping[str, object], n: int) -> int:
    if not 1 <= n <= len(_entries(file)):
        raise IndexError(n)
    return n - 1


def _written(came: Mapping[str, object], new: WrittenEntry, *, before: WrittenEntry | None) -> dict[str, object]:
    """came with what of the fields is another than before."""
    found = came.get("extensions")
    entry, more = dict(came), dict(found) if isinstance(found, dict) else {}

    def differs(name: str) -> bool:
        return before is None or getattr(before, name) != getattr(new, name)

    def told(where: dict[str, object], name: str, value: object) -> None:
        where.pop(name, None)
        if value is not None:
            where[name] = value

    for name in ("comment", "content", "enabled", "constant", "insertion_order"):
        if differs(name):
            entry[name] = getattr(new, name)
    if differs("keys"):
        entry["keys"] = list(new.keys)
    if differs("secondary_keys"):
        entry |= {"secondary_keys": list(new.secondary_keys), "selective": bool(new.secondary_keys)}
    if differs("logic"):
        more["selectiveLogic"] = LOGICS.index(new.logic)
    if differs("probability"):
        more |= {"probability": new.probability, "useProbability": True}
    if differs("place"):
        more["position"] = PLACES.index(new.place)
        entry["position"] = Place.BEFORE_CHAR.value if new.place is Place.BEFORE_CHAR else Place.AFTER_CHAR.value
    if differs("depth"):
        told(more, "depth", new.depth)
    if differs("role"):
        told(more, "role", ROLES.index(new.role) if new.role else None)
    if differs("scan_depth"):
        told(more, "scan_depth", new.scan_depth)
    if differs("case_sensitive"):
        more.pop("case_sensitive", None)
        entry["case_sensitive"] = new.case_sensitive
    if differs("whole_words"):
        more["match_whole_words"] = new.whole_words
    if differs("recurses"):
        more["prevent_recursion"] = not new.recurses
    if differs("recursed_into"):
        more["exclude_recursion"] = not new.recursed_into
    return {"use_regex": False, **entry, "extensions": more}
