"""What a file of another program holds, before any of it is imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ToldView:
    """A sentence by its code in `chat.import_words`, and in English."""

    code: str
    params: Mapping[str, str | int]
    text: str
    because: ToldView | None = None
    places: tuple[str, ...] = ()
    """Where in the file, the first of them."""


@dataclass(frozen=True)
class SpeakerView:
    name: str
    messages: int
    named: bool
    """Whether the file has a name for this side; else the name is ours, of the side."""


@dataclass(frozen=True)
class FoundChatView:
    key: str
    messages: int
    rounds: int
    heard: int
    """Rounds where a character only listens."""
    first: datetime
    last: datetime
    dated: bool
    """Whether the file says when it was said."""
    wordings: int
    """Messages with more than one."""
    speakers: tuple[SpeakerView, ...]
    player: str
    character: str
    """Who they seem to be; the character is empty where one speaks alone."""
    says_player: bool
    """The file itself says who the player is."""
    notices: tuple[ToldView, ...]
    lines: tuple[tuple[str, str], ...]
    """Speaker and text of the first messages."""


@dataclass(frozen=True)
class ChatFileView:
    form: str
    """Of `chat.imported.FORMS`."""
    found: tuple[FoundChatView, ...]
    count: int
    """Of all its conversations; `found` may be the first of them."""
