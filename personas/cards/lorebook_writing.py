"""A lorebook in the shape of cards, V2 or V3: the object that came, with what the version requires added and its fields in the types they must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from personas.cards.lorebook import Entry, Lorebook


def book_v3(came: Mapping[str, object], book: Lorebook) -> dict[str, object]:
    """came: the object `book` was read from."""
    entries = [_entry(value, entry) for value, entry in paired(came, book)]
    return {**came, "extensions": _extensions(came), "entries": entries}


def book_v2(came: Mapping[str, object], book: Lorebook) -> tuple[dict[str, object], tuple[str, ...]]:
    """The same as V2, which has no decorators, regular expressions and names as ids; and the places of what is left out."""
    left_out: set[str] = set()
    entries = []
    for value, entry in paired(came, book):
        written = _entry(value, entry)
        if entry.decorators:
            left_out.add("entries[].content")
            written["content"] = entry.content
        if written.pop("use_regex"):
            left_out.add("entries[].use_regex")
        if isinstance(written.get("id"), str):
            left_out.add("entries[].id")
            del written["id"]
        entries.append(written)
    return {**came, "extensions": _extensions(came), "entries": entries}, tuple(sorted(left_out))


def texts(came: object, read: Sequence[str]) -> list[object]:
    """A list of texts as it came, else what was read of it."""
    return came if isinstance(came, list) and all(isinstance(item, str) for item in came) else [*read]


def paired(came: Mapping[str, object], book: Lorebook) -> list[tuple[dict[str, object], Entry]]:
    """Each entry as it came and as it was read; what was no entry is left out."""
    entries = came["entries"]
    values = entries.values() if isinstance(entries, dict) else entries if isinstance(entries, list) else ()
    return list(zip([value for value in values if isinstance(value, dict)], book.entries, strict=True))


def _entry(came: Mapping[str, object], entry: Entry) -> dict[str, object]:
    """The entry with what V3 requires."""
    content = came.get("content")
    required: dict[str, object] = {
        "keys": texts(came.get("keys"), entry.keys),
        "content": content if isinstance(content, str) else entry.content,
        "extensions": _extensions(came),
        "enabled": entry.enabled,
        "insertion_order": entry.insertion_order,
        "use_regex": entry.use_regex,
    }
    optional: dict[str, object] = {
        "constant": entry.constant,
        "selective": entry.selective,
        "secondary_keys": texts(came.get("secondary_keys"), entry.secondary_keys),
        "name": entry.name,
        "comment": entry.comment,
    }
    written = {**came, **{name: value for name, value in optional.items() if name in came}}
    return {**written, **required}


def _extensions(came: Mapping[str, object]) -> object:
    found = came.get("extensions")
    return found if isinstance(found, dict) else {}
