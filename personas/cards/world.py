"""SillyTavern's World Info and the lorebook of V3 made from one another.

An entry's keys that V3 knows get their names there; all others become its `extensions`, under the names SillyTavern gives them in cards, and come back from
there. So a key that nobody here knows makes the way both times.
"""

from __future__ import annotations

from collections.abc import Mapping

from personas.cards.lorebook import PLACES, Entry, Lorebook, Place
from personas.cards.lorebook_writing import paired, texts

_SAME = ("content", "comment", "constant", "selective", "name", "priority")
_RENAMED = {"key": "keys", "keysecondary": "secondary_keys", "order": "insertion_order", "uid": "id"}
_EXTENSIONS = {
    "displayIndex": "display_index",
    "excludeRecursion": "exclude_recursion",
    "preventRecursion": "prevent_recursion",
    "delayUntilRecursion": "delay_until_recursion",
    "groupOverride": "group_override",
    "groupWeight": "group_weight",
    "useGroupScoring": "use_group_scoring",
    "scanDepth": "scan_depth",
    "caseSensitive": "case_sensitive",
    "matchWholeWords": "match_whole_words",
    "automationId": "automation_id",
}
_BACK = {name: ours for ours, name in _EXTENSIONS.items()}


def from_world(came: Mapping[str, object], book: Lorebook) -> dict[str, object]:
    """A lorebook of V3. came: the World Info that `book` was read from."""
    extensions = came.get("extensions")
    entries = [_from_world(value, entry) for value, entry in paired(came, book)]
    return {**came, "extensions": extensions if isinstance(extensions, dict) else {}, "entries": entries}


def to_world(came: Mapping[str, object], book: Lorebook) -> dict[str, object]:
    """World Info. came: the lorebook in the shape of cards that `book` was read from."""
    ids = [str(entry.id) for entry in book.entries]
    named = None not in (entry.id for entry in book.entries) and len(set(ids)) == len(ids)
    entries = {
        ids[n] if named else str(n): _to_world(value, entry, uid=entry.id if named else n)
        for n, (value, entry) in enumerate(paired(came, book))
    }
    return {**came, "entries": entries}


def _from_world(came: Mapping[str, object], entry: Entry) -> dict[str, object]:
    rest = {key: value for key, value in came.items() if key not in _SAME and key not in _RENAMED and key != "disable"}
    same = {key: came[key] for key in _SAME if key in came}
    return {
        **same,
        **({} if entry.id is None else {"id": entry.id}),
        "keys": texts(came.get("key"), entry.keys),
        "secondary_keys": texts(came.get("keysecondary"), entry.secondary_keys),
        "content": came["content"] if isinstance(came.get("content"), str) else entry.content,
        "comment": entry.comment,
        "constant": entry.constant,
        "selective": entry.selective,
        "enabled": entry.enabled,
        "insertion_order": entry.insertion_order,
        "use_regex": entry.use_regex,
        "position": Place.BEFORE_CHAR if entry.place is Place.BEFORE_CHAR else Place.AFTER_CHAR,
        "extensions": _renamed(rest, _EXTENSIONS),
    }


def _to_world(came: Mapping[str, object], entry: Entry, *, uid: object) -> dict[str, object]:
    extensions = came.get("extensions")
    known = (*_RENAMED.values(), "extensions", "enabled", "position", "case_sensitive", "use_regex")
    rest = {key: value for key, value in came.items() if key not in known}
    return {
        **rest,
        **_renamed(extensions if isinstance(extensions, dict) else {}, _BACK),
        "uid": uid,
        "key": texts(came.get("keys"), entry.keys),
        "keysecondary": texts(came.get("secondary_keys"), entry.secondary_keys),
        "content": came["content"] if isinstance(came.get("content"), str) else entry.content,
        "comment": entry.comment,
        "constant": entry.constant,
        "selective": entry.selective,
        "disable": not entry.enabled,
        "order": entry.insertion_order,
        "position": PLACES.index(entry.place),
        **({} if entry.case_sensitive is None else {"caseSensitive": entry.case_sensitive}),
    }


def _renamed(values: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """The same values under their other names, but where that name is taken."""
    return {names[key] if key in names and names[key] not in values else key: value for key, value in values.items()}
