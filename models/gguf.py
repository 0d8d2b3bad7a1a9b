"""What a GGUF file says of itself, read from its head alone: enough to tell a model that one can talk with, and how much memory it wants.

The format: magic, version, counts, then key-value pairs of twelve types. Everything is bounded, since a file may hold anything; llama.cpp, which reads the rest,
runs in a process of its own.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_PAIRS = 4096
MOST_ITEMS = 2_000_000
MOST_KEY = 4096
MOST_TEXT = 4 * 2**20
MOST_BYTES = 256 * 2**20
"""Of the whole head: vocabularies of half a million words come to 20 MB."""
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 10: "<Q", 11: "<q", 12: "<d"}
_TEXT, _LIST = 8, 9
CACHE_BYTES = 2
"""Of a number in the cache of what was read."""


@dataclass(frozen=True)
class GgufHeader:
    """chats: it brings a template for conversations; context_length: tokens it was trained for, 0 where it does not say; cache_per_token: bytes of memory that
    each token of the window takes, 0 where it cannot be told."""

    architecture: str
    name: str
    licence: str
    context_length: int
    chats: bool
    cache_per_token: int


def read_header(path: Path) -> GgufHeader | None:
    """None for a file that is none of the format, or damaged. Never raises."""
    try:
        with path.open("rb") as file:
            return _header(_pairs(file))
    except (OSError, ValueError, struct.error, RecursionError, MemoryError):
        return None


def _header(pairs: dict[str, object]) -> GgufHeader | None:
    architecture = pairs.get("general.architecture")
    if not isinstance(architecture, str):
        return None

    def number(key: str) -> int:
        value = pairs.get(f"{architecture}.{key}")
        return value if isinstance(value, int) and 0 < value < 2**31 else 0

    def text(key: str) -> str:
        value = pairs.get(key)
        return value[:120] if isinstance(value, str) else ""

    heads = number("attention.head_count")
    width = number("attention.key_length") or (number("embedding_length") // heads if heads else 0)
    cache = 2 * CACHE_BYTES * number("block_count") * (number("attention.head_count_kv") or heads) * width
    return GgufHeader(
        architecture=architecture[:40],
        name=text("general.name"),
        licence=text("general.license"),
        context_length=number("context_length"),
        chats=bool(text("tokenizer.chat_template")),
        cache_per_token=cache,
    )


def _pairs(file: BufferedReader) -> dict[str, object]:
    """Numbers and texts by key; lists are passed over."""
    magic, version = _exactly(file, 4), struct.unpack("<I", _exactly(file, 4))[0]
    _, count = struct.unpack("<QQ", _exactly(file, 16))
    if magic != MAGIC or version not in VERSIONS or count > MOST_PAIRS:
        raise ValueError("not a GGUF file that is known here")
    found: dict[str, object] = {}
    for _ in range(count):
        key = _text(file, MOST_KEY)
        kind = struct.unpack("<I", _exactly(file, 4))[0]
        if kind == _LIST:
            _pass_list(file)
        elif kind == _TEXT:
            found[key] = _text(file, MOST_TEXT)
        elif kind in _NUMBERS:
            found[key] = struct.unpack(_NUMBERS[kind], _exactly(file, _SIZES[kind]))[0]
        else:
            _exactly(file, _SIZES.get(kind, -1))
    return found


def _pass_list(file: BufferedReader) -> None:
    kind, count = struct.unpack("<IQ", _exactly(file, 12))
    if count > MOST_ITEMS:
        raise ValueError("a list longer than any")
    if kind in _SIZES:
        file.seek(_SIZES[kind] * count, 1)
    elif kind == _TEXT:
        for _ in range(count):
            length = struct.unpack("<Q", _exactly(file, 8))[0]
            if length > MOST_TEXT:
                raise ValueError("a text longer than any")
            file.seek(length, 1)
    else:
        raise ValueError("a list of an unknown kind")


def _text(file: BufferedReader, most: int) -> str:
    length = struct.unpack("<Q", _exactly(file, 8))[0]
    if length > most:
        raise ValueError("a text longer than any")
    return _exactly(file, length).decode("utf-8", "replace")


def _exactly(file: BufferedReader, count: int) -> bytes:
    if count < 0 or file.tell() > MOST_BYTES:
        raise ValueError("not a GGUF file that is known here")
    found = file.read(count)
    if len(found) != count:
        raise ValueError("the file ends too soon")
    return found
