"""Making any string a person or a file hands over one that every part can keep."""

from __future__ import annotations

import re

_UNKEEPABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def keepable(text: str) -> str:
    """The text with NUL, other control characters and lone surrogates shown as U+FFFD (SQLite, UTF-8 and C strings cannot carry them) and line ends
    as line feeds; everything else, blanks included, stays as it is."""
    return _UNKEEPABLE.sub(REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))


_OVERLAP = 20
"""Letters at the seam from which on a repetition is no accident."""
_WORD = re.compile(r"[A-Za-z0-9,.;:!?\"'”’)\]…*]")


def joined(text: str, more: str) -> str:
    """A text and its continuation. What the continuation repeats of the end is left out; a space is put where two words of an alphabet would run together."""
    old, new = text.rstrip(), more.strip()
    for size in range(min(len(old), len(new)), _OVERLAP - 1, -1):
        if old.endswith(new[:size]):
            new = new[size:].lstrip()
            break
    if not new or not old:
        return old + new
    if text != old:
        return text + new
    return old + (" " if _WORD.match(old[-1]) and re.match(r"[A-Za-z0-9\"'“‘(\[*]", new[0]) else "") + new
