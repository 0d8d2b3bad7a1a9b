"""Text on its way to and from a model: readable characters only, and no control token of a chat template."""

from __future__ import annotations

import re

from models.control_tokens import escape

_BROKEN = re.compile("[\x00\ud800-\udfff]")
_HELD = re.compile(r"(?:<{1,2}/?[\w:]*[|｜]?|\[/?[\w~]*|\[\|\w*\|?|\]~?!?b?|>>?[A-Z]*<?|\|[A-Z]*)\Z")
HELD_CHARS = 64
"""Longest beginning of a possible control token that waits for its end; the patterns of `models.control_tokens` match none that is longer."""


def readable(text: str) -> str:
    """The text without NUL and lone surrogates (neither survives JSON or SQLite), its control tokens escaped."""
    return escape(_whole(text))


def _whole(text: str) -> str:
    if not _BROKEN.search(text):
        return text
    # Halves of one character that came as two escapes belong together; what is still alone is unreadable.
    return text.replace("\x00", "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class ReplyText:
    """The pieces of one reply, made `readable` although a control token or a character may be split over pieces.

    `feed` and `end` give what is ready; all of it joined is `readable` of all pieces joined.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._held + piece
        half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        # Escaped before it is cut: a token that is whole already must not be split by what is held.
        text = readable(text[: len(text) - len(half)])
        opening = _HELD.search(text, max(0, len(text) - HELD_CHARS))
        end = opening.start() if opening else len(text)
        self._held = text[end:] + half
        return text[:end]

    def end(self) -> str:
        text, self._held = self._held, ""
        return readable(text)
