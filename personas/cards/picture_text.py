"""Cards in what JPEG, WebP and AVIF say about themselves: Exif, XMP and comments, where older programs wrote them as JSON, as base64 or as a list of bytes."""

from __future__ import annotations

import html
import io
import json
import re
import struct
import warnings

from PIL import Image

from personas.cards.png import MAX_TEXT

_KINDS = ("JPEG", "WEBP", "AVIF", "GIF")
_OTHERS = (b"ftypavif", b"ftypavis", b"ftypheic", b"ftypmif1", b"JXL ")
"""AVIF, and kinds of pictures that are not looked into, by what stands from their fifth byte on."""
_USER_COMMENT, _DESCRIPTION, _XP_COMMENT, _EXIF = 0x9286, 0x010E, 0x9C9C, 0x8769
_CHARSETS = (b"ASCII\0\0\0", b"UNICODE\0", b"JIS\0\0\0\0\0", bytes(8))
"""What the comment of a user begins with."""
_BASE64 = re.compile(rb"eyJ[\w+/=\s-]{20,}")
"""Of what begins with `{"`."""
_BYTES = re.compile(rb"\s*123(?:\s*,\s*\d{1,3})+\s*")
"""The bytes of an object, each as a number."""


def is_picture(raw: bytes) -> bool:
    """Whether a file is a picture of a kind other than PNG."""
    return raw.startswith((b"\xff\xd8\xff", b"GIF8", b"BM", b"\xff\x0a")) or raw[8:12] == b"WEBP" or raw[4:12].startswith(_OTHERS)


def read_texts(raw: bytes) -> list[tuple[str, bytes]]:
    """What may be a card in a picture, with where it is; nothing of the pixels is decoded."""
    found: list[tuple[str, object]] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(raw), formats=_KINDS) as opened:
                found = [("comment", opened.info.get("comment")), ("XMP", opened.info.get("xmp"))]
                exif = opened.getexif()
                tags = {**exif, **exif.get_ifd(_EXIF)}
                found = [("Exif", tags.get(tag)) for tag in (_USER_COMMENT, _DESCRIPTION, _XP_COMMENT)] + found
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RuntimeError,
        struct.error,
    ):
        pass
    except (MemoryError, Image.DecompressionBombError, Warning):
        return []
    return [(where, text) for where, value in found if (text := _card(value))]


def _card(value: object) -> bytes:
    raw = value.encode("latin-1", "replace") if isinstance(value, str) else value if isinstance(value, bytes) else b""
    if len(raw) > MAX_TEXT:
        return b""
    for charset in _CHARSETS:
        raw = raw.removeprefix(charset)
    encoding = json.detect_encoding(raw)
    if not encoding.startswith("utf-8"):
        raw = raw.decode(encoding, "replace").encode("utf-8", "replace")
    if _BYTES.fullmatch(raw):
        return bytes(int(number) & 0xFF for number in raw.split(b","))
    if b"&quot;" in raw or b"&#" in raw:
        raw = html.unescape(raw.decode("utf-8", "replace")).encode("utf-8", "replace")
    if -1 < (begin := raw.find(b"{")) < (end := raw.rfind(b"}")):
        return raw[begin : end + 1]
    found = _BASE64.search(raw)
    return found[0] if found else b""
