"""PNG as a list of chunks, and the cards in its text chunks.

Pillow reads pixels and a few chunks and writes a new picture; what is wanted here is the same picture with every chunk it does not know, so the chunks are
walked: length, type, data, CRC-32 of type and data, big-endian.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from personas.cards import json_text
from personas.cards.refused import CardDamaged, CardPictureUnusable, CardTooLarge, CardTooMany, shown
from personas.cards.report import Coerced, Dropped, Mended, Notes

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_BYTES = 32 * 2**20
MAX_CHUNKS = 20_000
"""Encoders cut a picture into pieces of 8 KiB and more, animations into frames."""
MAX_PIXELS = 50_000_000
MAX_TEXT = json_text.MAX_BYTES * 4 // 3 + 1024
"""Bytes of a card's text chunk: the JSON in base64, some line ends."""
CARDS = ("ccv3", "chara")
"""Keywords of cards, the first that can be read counts."""
LOREBOOK = "naidata"
"""Keyword of a lorebook of NovelAI's in a picture of its own."""
_MAX_KEYWORD = 79
_ADDRESS = re.compile(rb"\Adata:[^,]{0,100};base64,")
_ESCAPED = (b"%7B", b"%5B")
"""What JSON begins with when it is escaped for addresses."""
_TWICE = (b"ey", b"ew", b"Ww", b"W3")
"""What JSON begins with in base64."""


@dataclass(frozen=True)
class Chunk:
    type: bytes
    data: bytes


def read_chunks(raw: bytes, notes: Notes) -> tuple[Chunk, ...]:
    """Every chunk, IHDR to IEND; one whose CRC is wrong is told. Raises CardRefused."""
    found = tuple(_chunks(raw, notes))
    if len(found[0].data) != 13 or all(chunk.type != b"IDAT" for chunk in found):
        raise CardDamaged("PNG")
    width, height = int.from_bytes(found[0].data[:4]), int.from_bytes(found[0].data[4:8])
    if not 0 < width * height <= MAX_PIXELS:
        raise CardPictureUnusable(pixels=MAX_PIXELS)
    return found


def read_sound_chunks(raw: bytes, notes: Notes) -> tuple[Chunk, ...]:
    """The chunks of a damaged picture up to its first fault. Raises CardRefused where they are too many or too large."""
    found: list[Chunk] = []
    with suppress(CardDamaged):
        for chunk in _chunks(raw, notes):
            found.append(chunk)
    return tuple(found)


def _chunks(raw: bytes, notes: Notes) -> Iterator[Chunk]:
    if len(raw) > MAX_BYTES:
        raise CardTooLarge("PNG", limit=MAX_BYTES)
    if not raw.startswith(SIGNATURE):
        raise CardDamaged("PNG")
    at, n, kind = len(SIGNATURE), 0, b""
    while kind != b"IEND":
        length, kind = int.from_bytes(raw[at : at + 4]), raw[at + 4 : at + 8]
        name = shown(kind.decode("latin-1")) or "PNG"
        end = at + 8 + length
        if len(raw) < end + 4 or not (len(kind) == 4 and kind.isalpha()) or (kind == b"IHDR") == bool(n):
            raise CardDamaged(name)
        if zlib.crc32(raw[at + 4 : end]) != int.from_bytes(raw[end : end + 4]):
            notes.mended(Mended.CHECKSUM, name)
        n += 1
        if n > MAX_CHUNKS:
            raise CardTooMany("PNG", limit=MAX_CHUNKS)
        yield Chunk(kind, raw[at + 8 : end])
        at = end + 4
    if at < len(raw):
        notes.dropped(Dropped.TRAILING, "PNG", str(len(raw) - at))


def write_chunks(chunks: tuple[Chunk, ...]) -> bytes:
    """Raises CardRefused where the picture could not be read again."""
    parts = [SIGNATURE]
    for chunk in chunks:
        body = chunk.type + chunk.data
        parts += [len(chunk.data).to_bytes(4), body, zlib.crc32(body).to_bytes(4)]
    raw = b"".join(parts)
    if len(raw) > MAX_BYTES:
        raise CardTooLarge("PNG", limit=MAX_BYTES)
    return raw


def keyword(chunk: Chunk) -> str:
    """The keyword of a text chunk in small letters, else empty."""
    if chunk.type not in (b"tEXt", b"zTXt", b"iTXt"):
        return ""
    return chunk.data[: _MAX_KEYWORD + 1].partition(b"\0")[0].decode("latin-1").casefold()


def without_cards(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    return tuple(chunk for chunk in chunks if keyword(chunk) not in CARDS)


def with_cards(chunks: tuple[Chunk, ...], cards: dict[str, bytes]) -> tuple[Chunk, ...]:
    """The chunks with these cards (keyword and JSON) before the end, in place of any that were there."""
    new = tuple(Chunk(b"tEXt", name.encode("latin-1") + b"\0" + base64.b64encode(raw)) for name, raw in cards.items())
    rest = without_cards(chunks)
    return (*rest[:-1], *new, rest[-1])


def cards(chunks: tuple[Chunk, ...]) -> list[tuple[str, Chunk]]:
    """The chunks that hold cards with their keywords, what counts first before what may stand in for it."""
    named = [(keyword(chunk), chunk) for chunk in chunks]
    return [(name, chunk) for wanted in (*CARDS, LOREBOOK) for name, chunk in named if name == wanted]


def card_text(chunk: Chunk, notes: Notes) -> bytes:
    """The JSON text of a card's chunk. Raises CardRefused."""
    name = keyword(chunk)
    return decoded(_text(chunk, name, notes), name, notes)


def _text(chunk: Chunk, name: str, notes: Notes) -> bytes:
    """What a text chunk says. zTXt and iTXt are no form of the specification, but tools that save a picture anew turn tEXt into them."""
    text = chunk.data.partition(b"\0")[2]
    packed = chunk.type == b"zTXt"
    if packed:
        text = text[1:]
    elif chunk.type == b"iTXt":
        packed, text = text[:1] == b"\1", text[2:].partition(b"\0")[2].partition(b"\0")[2]
    if packed:
        notes.coerced(Coerced.COMPRESSED, name)
        unpacking = zlib.decompressobj()
        try:
            text = unpacking.decompress(text, MAX_TEXT + 1)
        except zlib.error as error:
            raise CardDamaged(name) from error
        if len(text) <= MAX_TEXT and not unpacking.eof:
            raise CardDamaged(name)
    if len(text) > MAX_TEXT:
        raise CardTooLarge(name, limit=MAX_TEXT)
    return text


def decoded(text: bytes, name: str, notes: Notes) -> bytes:
    """The JSON of base64, which some programs break into lines, end with a NUL, leave without its padding, write with the letters of addresses, make twice or of an
    address, or never made."""
    if text.lstrip()[:3].upper() in _ESCAPED:
        text = unquote_to_bytes(text)
    if text.lstrip()[:1] in (b"{", b"["):
        notes.coerced(Coerced.PLAIN, name)
        return text
    found = _base64(text, name, notes)
    if not found.startswith(_TWICE):
        return found
    notes.coerced(Coerced.PADDING, name)
    return _base64(found, name, notes)


def _base64(text: bytes, name: str, notes: Notes) -> bytes:
    text = b"".join(text.split())
    bare = _ADDRESS.sub(b"", text).rstrip(b"=\0").translate(bytes.maketrans(b"-_", b"+/"))
    whole = bare + b"=" * (-len(bare) % 4)
    if whole != text:
        notes.coerced(Coerced.PADDING, name)
    try:
        return base64.b64decode(whole, validate=True)
    except binascii.Error as error:
        raise CardDamaged(name) from error
