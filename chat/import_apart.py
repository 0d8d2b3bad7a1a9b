"""Conversations of others read in a process of their own (`chat.reading_process`), after a count of what would be made of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chat.import_formats import read_conversations
from chat.imported import ImportedConversation, ImportedMessage
from chat.reading_process import SMALL_BYTES, HeavyFile, pieces_apart

MOST_PARTS = 4_000_000
"""Of one file, lists, objects and fields of objects: each takes a hundred bytes and more. Honest files of the largest size have a tenth."""
LOOK_BYTES = 2**20
AT_ONCE = 1_000
"""Messages in one piece: it is unpacked in a few milliseconds."""


def read_apart(path: Path, *, name: str = "", modified: float | None = None) -> tuple[ImportedConversation, ...]:
    """As `read_conversations`. Raises ImportRefused or HeavyFile."""
    if _size(path) <= SMALL_BYTES:
        return read_conversations(path, name=name, modified=modified)
    check_parts(path)
    found: list[tuple[ImportedConversation, list[ImportedMessage]]] = []
    for piece in pieces_apart(_pieces, path, name, modified):
        if isinstance(piece, ImportedConversation):
            found.append((piece, []))
        else:
            found[-1][1].extend(piece)
    return tuple(replace(one, messages=tuple(messages)) for one, messages in found)


def check_parts(path: Path) -> None:
    """Raises HeavyFile. What cannot be read is left to whoever reads it."""
    left = MOST_PARTS
    try:
        with path.open("rb") as stream:
            while piece := stream.read(LOOK_BYTES):
                left -= sum(map(piece.count, (b"[", b"{", b'":')))
                if left < 0:
                    raise heavy()
    except OSError:
        return


def heavy() -> HeavyFile:
    return HeavyFile(f"This file has more than {MOST_PARTS:,} lists, objects and fields. Nothing was changed.")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _pieces(path: Path, name: str, modified: float | None) -> Iterator[ImportedConversation | tuple[ImportedMessage, ...]]:
    """Each conversation without its messages, then these."""
    for one in read_conversations(path, name=name, modified=modified):
        yield replace(one, messages=())
        for at in range(0, len(one.messages), AT_ONCE):
            yield tuple(one.messages[at : at + AT_ONCE])
