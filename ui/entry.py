"""One sentence in every language."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    en: str
    zh: str
