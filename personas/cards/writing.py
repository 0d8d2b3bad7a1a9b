"""A card as JSON of V2 or V3, as a PNG that holds both, and as a CHARX; a lorebook as a file of its own.

In the version it came in a card is written as it came, odd values included, so nothing is lost. In another its known fields are given the types they must
have there and what is required is added; every other key stays where it was. Flat cards (V1) keep their keys beside `data`, where old readers look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from personas.cards import charx, json_text, png
from personas.cards.card import Card, field_names
from personas.cards.lorebook_writing import book_v2, book_v3, texts
from personas.cards.reading import CardFile, LorebookFile
from personas.cards.refused import CardPictureUnusable, CardRefused
from personas.cards.report import Form, Notes
from personas.cards.world import from_world, to_world

LISTS = ("alternate_greetings", "group_only_greetings", "tags", "source")
TEXTS = tuple(field.name for field in fields(Card) if field.type == "str")
V3_ONLY = ("group_only_greetings", "nickname", "creator_notes_multilingual", "source", "creation_date", "modification_date", "assets")
_ICON = "assets/icon/images/main.png"
_REQUIRED_V2 = tuple(name for name in (*TEXTS, *LISTS) if name not in V3_ONLY)
_REQUIRED = {2: _REQUIRED_V2, 3: (*_REQUIRED_V2, "group_only_greetings")}


@dataclass(frozen=True)
class Written:
    raw: bytes
    left_out: tuple[str, ...]
    """What the file has no room for: places in the card (of a PNG, in its `chara`) and members of an archive."""


def write_json(file: CardFile, *, version: int) -> Written:
    """version: 2 or 3. Raises CardRefused where the file would be larger than what can be read."""
    value, left_out = _form(file, version)
    return Written(json_text.write_object(value), (*left_out, *file.members))


def write_png(file: CardFile, picture: bytes, *, notice: str = "") -> Written:
    """A PNG with the card as V2 (`chara`) and V3 (`ccv3`); pixels and every other chunk are those of `picture`. Raises CardRefused.

    notice: said below the V2 form's `creator_notes` where that form leaves something out, as the specification asks.
    """
    try:
        chunks = png.read_chunks(picture, Notes())
    except CardRefused as error:
        raise CardPictureUnusable(pixels=png.MAX_PIXELS) from error
    older, left_out = _form(file, 2)
    newer, _ = _form(file, 3)
    if left_out and notice:
        data = dict(_object(older["data"]))
        data["creator_notes"] = f"{data['creator_notes']}\n\n{notice}".strip()
        older = {**older, "data": data}
    cards = {"chara": json_text.write_compact(older), "ccv3": json_text.write_compact(newer)}
    return Written(png.write_chunks(png.with_cards(chunks, cards)), (*left_out, *file.members))


def write_charx(file: CardFile, picture: bytes | None = None) -> Written:
    """A CHARX with the card as V3 and every member; picture: a PNG to be its main icon, else that in which the card came. Raises CardRefused."""
    value, _ = _form(file, 3)
    members = dict(file.members)
    picture = picture or file.picture
    if picture is not None:
        members[_ICON] = picture
        data = _object(value["data"])
        value = {**value, "data": {**data, "assets": _with_icon(data.get("assets"))}}
    return Written(charx.write_members(json_text.write_object(value), members), ())


def _with_icon(assets: object) -> list[object]:
    """The assets with our icon as the main one, in the place of the one that was."""
    icon = {"type": "icon", "uri": charx.EMBEDDED + _ICON, "name": "main", "ext": "png"}
    came = assets if isinstance(assets, list) else []
    others = [asset for asset in came if not (isinstance(asset, dict) and asset.get("type") == "icon" and asset.get("name") == "main")]
    return [icon, *others]


def write_lorebook(file: LorebookFile, *, form: Form) -> bytes:
    """form: LOREBOOK or WORLD. Raises CardRefused where the file would be larger than what can be read."""
    return json_text.write_object(dict(file.original) if file.report.form is form else _lorebook(file, form))


def embedded(file: LorebookFile) -> dict[str, object]:
    """The lorebook as the `character_book` of a card."""
    return _object(_lorebook(file, Form.LOREBOOK)["data"])


def _lorebook(file: LorebookFile, form: Form) -> dict[str, object]:
    came = _object(file.original["data"]) if file.report.form is Form.LOREBOOK else file.original
    if form is Form.WORLD:
        return to_world(came, file.book)
    inner = from_world(came, file.book) if file.report.form is Form.WORLD else book_v3(came, file.book)
    return {"spec": Form.LOREBOOK, "data": inner}


def _form(file: CardFile, version: int) -> tuple[dict[str, object], tuple[str, ...]]:
    """The card's object in a version, and the places left out of it."""
    original, form = dict(file.original), file.report.form
    if form == (Form.V2 if version == 2 else Form.V3) and "spec" in original:
        return original, ()
    flat = form in (Form.V1, Form.PYGMALION)
    names = field_names(original, form)
    came = {name: original[key] for name in _NAMES if (key := names.get(name, name)) in original} if flat else _object(original["data"])
    data, left_out = _data(came, file.card, version)
    return {**original, "spec": f"chara_card_v{version}", "spec_version": f"{version}.0", "data": data}, left_out


_NAMES = (*TEXTS, *LISTS, "creator_notes_multilingual", "creation_date", "modification_date", "assets", "extensions", "character_book")


def _data(came: Mapping[str, object], card: Card, version: int) -> tuple[dict[str, object], tuple[str, ...]]:
    left_out = [f"data.{name}" for name in V3_ONLY if version == 2 and came.get(name)]
    data = {name: _mended(name, value, card) for name, value in came.items() if version == 3 or name not in V3_ONLY}
    for name in _REQUIRED[version]:
        data.setdefault(name, _mended(name, None, card))
    data.setdefault("extensions", {})
    book = came.get("character_book")
    if card.book is None or not isinstance(book, dict):
        if book is None:
            data.pop("character_book", None)
    elif version == 3:
        data["character_book"] = book_v3(book, card.book)
    else:
        data["character_book"], lost = book_v2(book, card.book)
        left_out += [f"data.character_book.{place}" for place in lost]
    return data, tuple(left_out)


def _mended(name: str, value: object, card: Card) -> object:
    """The value of a field where its type is right, else what was read of it."""
    if name in TEXTS:
        return value if isinstance(value, str) else getattr(card, name)
    if name in LISTS:
        return texts(value, getattr(card, name))
    if name in ("creation_date", "modification_date"):
        return getattr(card, name) or 0
    if name == "extensions":
        return value if isinstance(value, dict) else {}
    return value


def _object(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value
