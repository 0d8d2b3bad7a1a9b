"""A card with some of its fields changed, everything else as it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from personas.cards import json_text
from personas.cards.card import V1_FIELDS, field_names, read_fields
from personas.cards.reading import CardFile
from personas.cards.report import Form, Notes

PRIVATE = ("chat", "create_date", "last_mes", "fav", "avatar", "json_data")
"""Keys at the top in which programs leave the last chat's name, dates and marks of their own."""


def amended(file: CardFile, changes: Mapping[str, object]) -> CardFile:
    """The card with fields changed: by their names in V3, with values as JSON has them; None takes a field out. Raises CardRefused as reading does."""
    original, form = dict(file.original), file.report.form
    names = field_names(original, form)
    if form in (Form.V1, Form.PYGMALION):
        _change(original, {names.get(name, name): value for name, value in changes.items()})
    else:
        data = original["data"]
        assert isinstance(data, dict)
        original["data"] = data = dict(data)
        _change(data, changes)
        beside = {name: name for name in V1_FIELDS} | {"creator_notes": "creatorcomment"}
        _change(original, {beside[name]: value for name, value in changes.items() if name in beside and beside[name] in original})
    return _reread(file, original)


def shareable(file: CardFile) -> CardFile:
    """The card without what only its owner's program had to know."""
    original = {key: value for key, value in file.original.items() if key not in PRIVATE}
    data = original.get("data")
    if isinstance(data, dict) and isinstance(extensions := data.get("extensions"), dict):
        kept = {key: value for key, value in extensions.items() if key != "fav"}
        original["data"] = {**data, "extensions": kept}
    return _reread(file, original)


def _change(value: dict[str, object], changes: Mapping[str, object]) -> None:
    for name, new in changes.items():
        if new is None:
            value.pop(name, None)
        else:
            value[name] = new


def _reread(file: CardFile, original: dict[str, object]) -> CardFile:
    notes = Notes()
    original = json_text.carried(original, notes)
    card = read_fields(original, file.report.form, notes)
    return replace(file, card=card, original=original, report=notes.report(file.report.form, file.report.container))
