"""A file of a card or lorebook, whatever it is in, as what the house uses, what came, and a report of the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from personas.cards import charx, json_text, picture_text, png
from personas.cards.card import Card, read_fields, read_form
from personas.cards.lorebook import Lorebook, read_book, read_world
from personas.cards.mending import mended_card, mended_lorebook
from personas.cards.refused import CardDamaged, CardNotJson, CardPictureEmpty, CardRefused, CardTooLarge, CardUnknown, LorebookEmpty, shown
from personas.cards.report import Container, Dropped, Form, ImportReport, Kept, Mended, Notes
from personas.pictures import as_png

MAX_BYTES = charx.MAX_BYTES
"""Of any file; each container has its own limit below that."""
_R = TypeVar("_R")


@dataclass(frozen=True)
class CardFile:
    card: Card
    original: Mapping[str, object]
    """The card's object as it came, unknown keys and their order included; not to be changed."""
    picture: bytes | None
    """The PNG it came in without the card, every other chunk kept; of another kind of picture, one drawn anew."""
    members: Mapping[str, bytes] = field(repr=False)
    """The files beside the card in a CHARX, by name."""
    report: ImportReport


@dataclass(frozen=True)
class LorebookFile:
    book: Lorebook
    original: Mapping[str, object]
    report: ImportReport


def read_card(raw: bytes, *, name: str = "") -> CardFile:
    """The character of a PNG, CHARX, JSON file or other picture, told apart by content. name: of the file, for a character without one. Raises CardRefused."""
    opened, notes = _opened(raw)

    def read(value: object, told: Notes, called: str) -> tuple[Form, dict[str, object], Card]:
        form, original = mended_card(value, told, name=called)
        return form, original, read_fields(original, form, told)

    form, original, card = _first(opened, notes, read, names=("", name) if name else ("",))
    if opened.container is Container.CHARX:
        charx.check_assets(card.assets, opened.members, notes)
    picture = opened.picture() if opened.picture is not None else None
    return CardFile(card, original, picture, opened.members, notes.report(form, opened.container))


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
    """The lorebook of a file in any of its layouts; never one of which no entry could be read. Raises CardRefused."""
    opened, notes = _opened(raw)

    def read(value: object, told: Notes, _: str) -> LorebookFile:
        form, original = mended_lorebook(value, told)
        if form is Form.LOREBOOK:
            data = original["data"]
            assert isinstance(data, dict)
            book = read_book(data, "data", told)
            for key in original:
                if key not in ("spec", "data"):
                    told.kept(Kept.UNKNOWN, shown(key))
        else:
            book = read_world(original, told) if form is Form.WORLD else read_book(original, "", told)
        if not any(entry.says_something for entry in book.entries):
            raise LorebookEmpty(len(book.entries))
        return LorebookFile(book, original, told.report(form, opened.container))

    return _first(opened, notes, read, names=("",))


@dataclass(frozen=True)
class _Opened:
    container: Container
    texts: Sequence[tuple[str, Callable[[Notes], bytes]]]
    """JSON texts by the part of the file they are in, what counts first first; each is asked for when its turn comes."""
    picture: Callable[[], bytes | None] | None = None
    members: Mapping[str, bytes] = field(default_factory=dict)


def _opened(raw: bytes) -> tuple[_Opened, Notes]:
    """What is in a file, and what was done to find it. Raises CardRefused."""
    if len(raw) > MAX_BYTES:
        raise CardTooLarge("CHARX", limit=MAX_BYTES)
    notes = Notes()
    if raw.startswith(png.SIGNATURE):
        lost = False
        try:
            chunks = png.read_chunks(raw, notes)
        except CardDamaged:
            notes, lost = Notes(), True
            chunks = png.read_sound_chunks(raw, notes)
            if not png.cards(chunks):
                raise
            notes.mended(Mended.PICTURE_LOST, "PNG")
        texts = [(name, partial(png.card_text, chunk)) for name, chunk in png.cards(chunks)]
        return _Opened(Container.PNG, texts, None if lost else lambda: png.write_chunks(png.without_cards(chunks))), notes
    if charx.is_archive(raw):
        text, members = charx.read_members(raw, notes)
        return _Opened(Container.CHARX, [(charx.CARD, lambda _: text)], members=members), notes
    if picture_text.is_picture(raw):
        texts = [(name, partial(png.decoded, text, name)) for name, text in picture_text.read_texts(raw)]
        notes.mended(Mended.PICTURE, "PNG")
        return _Opened(Container.PICTURE, texts, lambda: as_png(raw)), notes
    return _Opened(Container.JSON, [("JSON", lambda _: raw)]), notes


def _first(opened: _Opened, notes: Notes, read: Callable[[object, Notes, str], _R], *, names: Sequence[str]) -> _R:
    """What is read of the first text that can be, once without a name and once with that of the file. Raises CardRefused: that of the first text."""
    if not opened.texts:
        raise CardPictureEmpty
    refusals: list[CardRefused] = []
    several = len(opened.texts) > 1  # then one whose end is missing counts after those that are whole
    for name, whole in [(name, whole) for name in names for whole in ((True, False) if several else (False,))]:
        for n, (where, text) in enumerate(opened.texts):
            told = Notes()
            try:
                found = read(json_text.read_value(text(told), where=where, notes=told), told, name)
                if whole and told.has(Mended.UNCLOSED):
                    raise CardNotJson(where)
            except CardRefused as refusal:
                if refusal.dangerous:
                    raise
                refusals.append(refusal)
                continue
            notes.add(told)
            for before, _ in opened.texts[:n]:
                notes.mended(Mended.DAMAGED, before)
            for after, _ in opened.texts[n + 1 :]:
                notes.dropped(Dropped.REPEATED if after == where else Dropped.OLDER_CARD, after)
            return found
    raise refusals[-len(opened.texts)]
