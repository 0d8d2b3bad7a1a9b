"""What came as the object of one card or lorebook, put into the form its specification gives it, where nobody is harmed by it; each step is told.

Whatever is left as it came here is read by `read_fields` and `read_book`, or refused by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from personas.cards import charx, json_text
from personas.cards.card import ALIASES, FIELDS, PYGMALION_NAMES, V1_FIELDS, read_form
from personas.cards.fields import spelled, squashed
from personas.cards.layouts import as_lorebook, converted, has_entries, is_entries, with_entries
from personas.cards.refused import CardIsLorebook, CardSeveral, CardUnknown, shown
from personas.cards.report import Form, Mended, Notes
from personas.record import NOT_ON_A_LINE

_TOP = ("spec", "spec_version", "data")
_SPECS = {"2": "chara_card_v2", "3": "chara_card_v3"}
_WRAPPERS = ("card", "character", "char", "chara", "node", "definition", "json", "data")
"""Keys under which other files hold a card."""
_EMBEDDED = "embedded://"
_LEVELS = 4
"""Of objects around a card."""
_TAKEN_OVER: Sequence[tuple[Set[str], Mapping[str, str]]] = (
    ({"greeting", "persona", "sampleChat"}, {"persona": "description", "description": "creator_notes"}),
    (
        {"first_message", "tavern_personality"},
        {"personality": "description", "tavern_personality": "personality", "description": "creator_notes"},
    ),
)
"""Fields that Agnai and Chub call by the names of others, and the keys that tell these programs."""


def mended_card(value: object, notes: Notes, *, name: str = "") -> tuple[Form, dict[str, object]]:
    """The form and object of a card. name: of its file, for a character without one. Raises CardRefused."""
    came = _one(value, notes)
    found = _unwrapped(came, notes)
    if found is None:
        raise CardIsLorebook if as_lorebook(came, Notes()) is not None else CardUnknown
    form, card = found
    data = _fields(form, card)
    if isinstance(data, dict):
        _name(data, PYGMALION_NAMES["name"] if form is Form.PYGMALION else "name", name, "" if data is card else "data.", notes)
        if isinstance(assets := data.get("assets"), list):
            data["assets"] = [_embedded(asset, notes) for asset in assets]
        place = "character_book" if data is card else "data.character_book"
        book = json_text.unquoted(data.get("character_book"), place, notes)
        book = with_entries(book, place, notes)
        if isinstance(book, dict) and has_entries(book):
            data["character_book"] = converted(book, place, notes)
    _check_unpacked(card, notes)
    return form, card


def mended_lorebook(value: object, notes: Notes) -> tuple[Form, dict[str, object]]:
    """The form and object of a lorebook in a file of its own. Raises CardRefused."""
    came = _one(value, notes)
    found = as_lorebook(came, notes) if _card(came, Notes()) is None else None
    if found is None:
        raise CardUnknown
    _check_unpacked(found[1], notes)
    return found


def _check_unpacked(value: object, notes: Notes) -> None:
    """Refuses what is deeper or larger with what was unpacked from its texts than a file may be."""
    if notes.has(Mended.QUOTED):
        json_text.check(value)


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


def _unwrapped(came: Mapping[str, object], notes: Notes, levels: int = _LEVELS) -> tuple[Form, dict[str, object]] | None:
    """Form and object of the card that an object is, or else holds; what says something counts before what only has the form."""
    told = Notes()
    found = _card(came, told)
    data = None if found is None else _fields(*found)
    if (
        levels
        and not isinstance(came.get("messages"), list)
        and not (isinstance(data, dict) and any(data.get(name) for name in (*V1_FIELDS, *PYGMALION_NAMES.values())))
    ):
        for key, item in came.items():
            within = Notes()
            inner = json_text.unquoted(item, key, within) if squashed(key) in _WRAPPERS else None
            if isinstance(inner, dict) and (held := _unwrapped(inner, within, levels - 1)) is not None:
                notes.mended(Mended.WRAPPED, shown(key))
                notes.add(within)
                return held
    notes.add(told)
    return found


def _fields(form: Form, card: Mapping[str, object]) -> object:
    """The object that should hold the fields of a card."""
    return card if form in (Form.V1, Form.PYGMALION) else card.get("data")


def _named(came: Mapping[str, object], names: Iterable[str], path: str, notes: Notes) -> dict[str, object]:
    """The object with the names that cards give its keys: how they are spelled, and, of a character with a greeting, other programs' words for them."""
    told = Notes()
    taken = next((taken for marks, taken in _TAKEN_OVER if marks <= came.keys()), {})
    taken = {} if "creator_notes" in came else {key: name for key, name in taken.items() if key in came}
    for key, name in taken.items():
        told.mended(Mended.KEY, f"{path}.{name}" if path else name, key)
    value = spelled({taken.get(key, key): item for key, item in came.items()}, names, path, told, aliases=ALIASES)
    if "first_mes" not in value:
        return spelled(came, names, path, notes)
    if "description" in value:
        value["description"] = _persona(value["description"])
    notes.add(told)
    return value


def _persona(came: object) -> object:
    """What Agnai says of a character: a text, or one for each attribute."""
    attributes = came.get("attributes") if isinstance(came, dict) else None
    if not isinstance(attributes, dict):
        return came
    said = [(key, ", ".join(map(str, item)) if isinstance(item, list) else str(item)) for key, item in attributes.items()]
    return "\n".join(text if key == "text" else f"{key}: {text}" for key, text in said)


def _card(came: Mapping[str, object], notes: Notes) -> tuple[Form, dict[str, object]] | None:
    """Form and object where it is a card at all."""
    value = _named(came, (*_TOP, *FIELDS), "", notes)
    version = _version(value)
    if version is not None:
        if value["spec"] != _SPECS[version]:
            notes.mended(Mended.SPEC, "spec", str(value["spec"]))
            value["spec"] = _SPECS[version]
        value = _with_data(value, notes)
    elif isinstance(data := value.get("data"), dict):
        value["data"] = _named(data, FIELDS, "data", notes)
        if value.get("spec") is not None and not squashed(value["spec"]):
            notes.mended(Mended.SPEC, "spec", str(value.pop("spec")))
    form = read_form(value)
    return None if form is None or (form is Form.V1 and has_entries(value)) else (form, value)


def _embedded(asset: object, notes: Notes) -> object:
    """An asset with the address of a member as the specification spells it, which is not how the word is spelled."""
    uri = asset.get("uri") if isinstance(asset, dict) else None
    if not isinstance(asset, dict) or not isinstance(uri, str) or not uri.startswith(_EMBEDDED):
        return asset
    notes.mended(Mended.KEY, "data.assets[].uri", "embedded")
    return {**asset, "uri": charx.EMBEDDED + uri.removeprefix(_EMBEDDED)}


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
    data = json_text.unquoted(data, "data", notes)
    if isinstance(data, list) and len(data) == 1 and isinstance(data[0], dict):
        notes.mended(Mended.LISTED, "data")
        data = data[0]
    if isinstance(data, dict):
        data = _named(data, FIELDS, "data", notes)
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
