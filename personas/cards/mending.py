"""What came as the object of one card or lorebook, put into the form its specification gives it, where nobody is harmed by it; each step is told.

Whatever is left as it came here is read by `read_fields` and `read_book`, or refused by them.
"""

from __future__ import annotations

from collections.abc import Mapping

from personas.cards import json_text
from personas.cards.card import FIELDS, PYGMALION_NAMES, V1_FIELDS, read_form
from personas.cards.fields import spelled, squashed
from personas.cards.layouts import as_lorebook, converted, has_entries, is_entries
from personas.cards.refused import CardIsLorebook, CardSeveral, CardUnknown
from personas.cards.report import Form, Mended, Notes
from personas.record import NOT_ON_A_LINE

_TOP = ("spec", "spec_version", "data")
_SPECS = {"2": "chara_card_v2", "3": "chara_card_v3"}
_WRAPPERS = ("card", "character", "char", "chara")


def mended_card(value: object, notes: Notes, *, name: str = "") -> tuple[Form, dict[str, object]]:
    """The form and object of a card. name: of its file, for a character without one. Raises CardRefused."""
    came = _one(value, notes)
    inner = next((came[key] for key in _WRAPPERS if isinstance(came.get(key), dict)), None)
    found = _card(came, notes)
    if found is None and isinstance(inner, dict) and (found := _card(inner, notes)) is not None:
        notes.mended(Mended.WRAPPED, next(key for key in _WRAPPERS if came.get(key) is inner))
    if found is None:
        raise CardIsLorebook if as_lorebook(came, Notes()) is not None else CardUnknown
    form, card = found
    data = card if form in (Form.V1, Form.PYGMALION) else card.get("data")
    if isinstance(data, dict):
        _name(data, PYGMALION_NAMES["name"] if form is Form.PYGMALION else "name", name, "" if data is card else "data.", notes)
        book = data.get("character_book")
        if isinstance(book, list):
            book = {"entries": book}
        if isinstance(book, dict) and has_entries(book):
            data["character_book"] = converted(book, "data.character_book" if data is not card else "character_book", notes)
    return form, card


def mended_lorebook(value: object, notes: Notes) -> tuple[Form, dict[str, object]]:
    """The form and object of a lorebook in a file of its own. Raises CardRefused."""
    came = _one(value, notes)
    found = as_lorebook(came, notes) if _card(came, Notes()) is None else None
    if found is None:
        raise CardUnknown
    return found


def _one(value: object, notes: Notes) -> dict[str, object]:
    """The one object of a file."""
    if isinstance(value, list):
        objects = [item for item in value if isinstance(item, dict)]
        if is_entries(objects):
            value = {"entries": value}
        elif len(objects) == 1:
            notes.mended(Mended.LISTED, "[]")
            value = objects[0]
        elif cards := sum(_card(item, Notes()) is not None for item in objects):
            raise CardSeveral(cards)
    if not isinstance(value, dict):
        raise CardUnknown
    return value


def _card(came: Mapping[str, object], notes: Notes) -> tuple[Form, dict[str, object]] | None:
    """Form and object where it is a card at all."""
    value = spelled(came, (*_TOP, *FIELDS), "", notes)
    version = _version(value)
    if version is not None:
        if value["spec"] != _SPECS[version]:
            notes.mended(Mended.SPEC, "spec", str(value["spec"]))
            value["spec"] = _SPECS[version]
        value = _with_data(value, notes)
    elif isinstance(data := value.get("data"), dict):
        value["data"] = spelled(data, FIELDS, "data", notes)
    form = read_form(value)
    return None if form is None or (form is Form.V1 and has_entries(value)) else (form, value)


def _version(value: Mapping[str, object]) -> str | None:
    """The version that a `spec` means, however it is spelled; None where it means no card that has one."""
    spec = squashed(value.get("spec"))
    bare = (
        spec.removeprefix("tavern")
        .removeprefix("character")
        .removeprefix("chara")
        .removeprefix("card")
        .removeprefix("spec")
        .removeprefix("v")
    )
    if not bare[:1].isdigit() or bare.strip("0123456789") or "lorebook" in spec:
        return None
    number = int(bare[0])
    return "3" if number >= 3 else "2" if number == 2 else None


def _with_data(value: dict[str, object], notes: Notes) -> dict[str, object]:
    """A card of V2 or V3 with its fields in `data`, where they may stand at the top instead, all or some of them."""
    data = value.get("data")
    if isinstance(data, str) and data.lstrip().startswith("{"):
        data = json_text.read_value(data.encode(), where="data", notes=notes)
        notes.mended(Mended.QUOTED, "data")
    if isinstance(data, list) and len(data) == 1 and isinstance(data[0], dict):
        notes.mended(Mended.LISTED, "data")
        data = data[0]
    if isinstance(data, dict):
        data = spelled(data, FIELDS, "data", notes)
        for name in V1_FIELDS:
            there, beside = data.get(name), value.get(name)
            if isinstance(beside, str) and beside.strip() and (there is None or (name == "name" and not _line(there))):
                notes.mended(Mended.BESIDE, f"data.{name}")
                data[name] = beside
        return {**value, "data": data}
    fields = {name: value[name] for name in FIELDS if name in value}
    if not any(name in fields for name in V1_FIELDS):
        return value
    notes.mended(Mended.FLAT, "data")
    return {**{key: item for key, item in value.items() if key not in fields}, "data": fields}


def _name(data: dict[str, object], key: str, name: str, before: str, notes: Notes) -> None:
    """Name a character after its file where it has no name of its own."""
    if not _line(data.get(key)) and (line := _line(name)):
        notes.mended(Mended.NAME, before + key, line)
        data[key] = line


def _line(value: object) -> str:
    texts = value if isinstance(value, list) else [value]
    told = " ".join(str(text) for text in texts if isinstance(text, str | int | float))
    return " ".join(NOT_ON_A_LINE.sub(" ", told).split())
