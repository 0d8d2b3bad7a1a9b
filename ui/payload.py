"""What a page sends with an event. All of it can be forged: types and sizes are checked here, and whether an id may be used by the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import gradio as gr

from storage.wall import MOST_OFFSET

MAX_ID_CHARS = 200
MAX_ROUND = 10_000_000
MAX_MARKS = 20


class Payload:
    """Typed access to one event's data; what is missing or of another type reads as empty."""

    def __init__(self, data: object) -> None:
        self._data: Mapping[object, object] = data if isinstance(data, Mapping) else {}

    @classmethod
    def of(cls, event: gr.EventData) -> Payload:
        return cls(getattr(event, "_data", None))

    def id(self, name: str) -> str:
        """A string of at most MAX_ID_CHARS that can be stored; a longer one, or one with half a surrogate pair, is no id of ours and reads as one that
        does not exist."""
        return _storable(self._string(name)[:MAX_ID_CHARS])

    def maybe(self, name: str) -> str | None:
        """As `id`; None where no string was sent."""
        return self.id(name) if isinstance(self._data.get(name), str) else None

    def ids(self, name: str, *, most: int) -> tuple[str, ...]:
        """Ids with commas between them, the first `most`."""
        return tuple(_storable(part[:MAX_ID_CHARS]) for part in self._string(name).split(",", most)[:most])

    def text(self, name: str) -> str:
        """A string of any length: the service refuses one that is too long, and tells its true length."""
        return self._string(name)

    def sends(self, name: str) -> bool:
        """Whether a string was sent, be it empty."""
        return isinstance(self._data.get(name), str)

    def marks(self, name: str) -> dict[str, str]:
        """Short strings by name, as many as a page has components."""
        value = self._data.get(name)
        if not isinstance(value, Mapping):
            return {}
        return {k: v for k, v in list(value.items())[:MAX_MARKS] if isinstance(k, str) and isinstance(v, str) and len(v) <= MAX_ID_CHARS}

    def number(self, name: str, *, least: int = 0, most: int = MAX_ROUND, otherwise: int = 0) -> int:
        """A whole number, brought into [least, most]."""
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            return otherwise
        return int(max(least, min(value, most)))

    def offset(self) -> int | None:
        """How many minutes the browser's clock is ahead of UTC; None where it does not say so, or names what no place on Earth has: then this program's own counts."""
        value = self._data.get("offset")
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if -MOST_OFFSET <= value <= MOST_OFFSET else None

    def numbers(self, name: str, known: Sequence[str]) -> dict[str, object]:
        """Of an object the numbers under known names; others are left out, and their bounds are checked by whoever keeps them."""
        value = self._data.get(name)
        found = value if isinstance(value, Mapping) else {}
        return {key: found[key] for key in known if isinstance(found.get(key), int | float) and not isinstance(found[key], bool)}

    def one_of(self, name: str, *choices: str) -> str:
        """The value if it is one of the choices, else the first of them."""
        value = self._string(name)
        return value if value in choices else choices[0]

    def _string(self, name: str) -> str:
        value = self._data.get(name)
        return value if isinstance(value, str) else ""


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
