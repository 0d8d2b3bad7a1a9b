"""Making any string a person or a file hands over one that every part can keep."""

from __future__ import annotations

import re

_UNKEEPABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def keepable(text: str) -> str:
    """The text with NUL, other control characters and lone surrogates shown as U+FFFD (SQLite, UTF-8 and C strings cannot carry them) and line ends
    as line feeds; everything else, blanks included, stays as it is."""
    return _UNKEEPABLE.sub(REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))
