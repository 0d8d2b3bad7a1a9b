"""The built-in characters: our own invention, one card a file in the folder `cast/` beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from personas.record import Character, read_character

_FOLDER = Path(__file__).parent / "cast"


@cache
def built_in() -> tuple[Character, ...]:
    """The built-in characters in order of id, `builtin:` and the file's name. Raises CharacterRefused or OSError on a damaged installation."""
    return tuple(read_character(path.read_bytes(), id=f"builtin:{path.stem}") for path in sorted(_FOLDER.glob("*.json")))
