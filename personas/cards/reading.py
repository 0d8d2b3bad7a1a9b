"""A file of a card or lorebook, whatever it is in, as what the house uses, what came, and a report of the difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from personas.cards import charx, json_text, png
from personas.cards.card import Card, read_fields, read_form
from personas.cards.lorebook import Lorebook, read_book, read_world
from personas.cards.refused import CardIsLorebook, CardPictureEmpty, CardTooLarge, CardUnknown, shown
from personas.cards.report import Container, Dropped, Form, ImportReport, Kept, Notes

MAX_BYTES = charx.MAX_BYTES
"""Of any file; each container has its own limit below that."""
_PICTURES = (b"\xff\xd8\xff", b"GIF8")
"""JPEG and GIF: what is left of a card that was saved as another kind of picture."""


@dataclass(frozen=True)
class CardFile:
    card: Card
    original: Mapping[str, object]
    """The card's object as it came, unknown keys and their order included; not to be changed."""
    picture: bytes | None
    """The PNG it came in without the card, every other chunk kept."""
    members: Mapping[str, bytes] = field(repr=False)
    """The files beside the card in a CHARX, by name."""
    report: ImportReport


@dataclass(frozen=True)
class LorebookFile:
    book: Lorebook
    original: Mapping[str, object]
    report: ImportReport


def read_card(raw: bytes) -> CardFile:
    """The character of a PNG, CHARX or JSON file, told apart by content. Raises CardRefused."""
    if len(raw) > MAX_BYTES:
        raise CardTooLarge("CHARX", limit=MAX_BYTES)
    notes = Notes()
    picture: bytes | None = None
    members: Mapping[str, bytes] = {}
    if raw.startswith(png.SIGNATURE):
        container = Container.PNG
        original, picture = _from_png(raw, notes)
    elif charx.is_archive(raw):
        container = Container.CHARX
        text, members = charx.read_members(raw, notes)
        original = json_text.read_object(text, where=charx.CARD)
    else:
        container = Container.JSON
        original = _from_json(raw)
    form = read_form(original)
    if form is None:
        raise CardIsLorebook if isinstance(original.get("entries"), list | dict) or original.get("spec") == Form.LOREBOOK else CardUnknown
    card = read_fields(original, form, notes)
    if container is Container.CHARX:
        charx.check_assets(card.assets, members, notes)
    return CardFile(card, original, picture, members, notes.report(form, container))


def card_file(original: Mapping[str, object], *, picture: bytes | None = None, members: Mapping[str, bytes] | None = None) -> CardFile:
    """A card that was read before and kept in parts. Raises CardRefused."""
    container = Container.PNG if picture is not None else Container.CHARX if members else Container.JSON
    form = read_form(original)
    if form is None:
        raise CardUnknown
    notes = Notes()
    card = read_fields(original, form, notes)
    return CardFile(card, original, picture, members or {}, notes.report(form, container))


def avatar(file: CardFile) -> bytes | None:
    """The picture of the character, of whatever kind: the PNG it came in, else the main icon of its archive, else its first."""
    icons = sorted((asset for asset in file.card.assets if asset.type == "icon"), key=lambda asset: asset.name != "main")
    found = (file.members.get(asset.uri.removeprefix(charx.EMBEDDED)) for asset in icons if asset.uri.startswith(charx.EMBEDDED))
    return file.picture or next((picture for picture in found if picture is not None), None)


def read_lorebook(raw: bytes) -> LorebookFile:
    """The lorebook of a JSON file in any of its layouts. Raises CardRefused."""
    original, notes = _from_json(raw), Notes()
    data = original.get("data")
    if original.get("spec") == Form.LOREBOOK and isinstance(data, dict):
        form, book = Form.LOREBOOK, read_book(data, "data", notes)
        for key in original:
            if key not in ("spec", "data"):
                notes.kept(Kept.UNKNOWN, shown(key))
    elif isinstance(original.get("entries"), list | dict):
        form = Form.WORLD if _is_world(original) else Form.BARE
        book = read_world(original, notes) if form is Form.WORLD else read_book(original, "", notes)
    else:
        raise CardUnknown
    return LorebookFile(book, original, notes.report(form, Container.JSON))


def _is_world(value: Mapping[str, object]) -> bool:
    """Whether the entries have SillyTavern's own names: an object of them, or a list whose first has `key` where cards have `keys`."""
    entries = value["entries"]
    first = next(iter(entries.values() if isinstance(entries, dict) else entries), None) if isinstance(entries, dict | list) else None
    return "keys" not in first if isinstance(first, dict) else isinstance(entries, dict)


def _from_png(raw: bytes, notes: Notes) -> tuple[dict[str, object], bytes]:
    chunks = png.read_chunks(raw, notes)
    texts = png.read_cards(chunks, notes)
    if not texts:
        raise CardPictureEmpty
    name = next(name for name in png.CARDS if name in texts)
    if len(texts) > 1:
        notes.dropped(Dropped.OLDER_CARD, "chara")
    return json_text.read_object(texts[name], where=name), png.write_chunks(png.without_cards(chunks))


def _from_json(raw: bytes) -> dict[str, object]:
    if raw.startswith(_PICTURES) or raw[8:12] == b"WEBP":
        raise CardPictureEmpty
    if not raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise CardUnknown
    return json_text.read_object(raw, where="JSON")
