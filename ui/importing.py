"""What the page says of another program's file that it sends, and what it is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chat import views
from chat.importing import ChatFile, Choice
from ui.payload import Payload

_UNTITLED = "chat"
_LATEST_MS = 32_503_680_000_000
"""The year 3000; no file was changed after it."""


def chat_file(path: Path, payload: Payload) -> ChatFile:
    """A file that came in, under its own name, which is only ever shown."""
    modified = payload.id("modified")
    changed = int(modified) if modified.isascii() and modified.isdigit() and len(modified) < 16 else None
    known = changed is not None and 0 < changed < _LATEST_MS
    return ChatFile(path, payload.id("file") or _UNTITLED, changed / 1000 if known and changed is not None else None)


def wanted(payload: Payload) -> bool:
    """Whether the page says what is wanted of the file, and does not ask what it holds."""
    return payload.one_of("take", "look", "yes") == "yes"


def choice(payload: Payload) -> Choice:
    return Choice(
        conversation=payload.id("conversation"),
        player=payload.id("player"),
        player_name=payload.text("player_name"),
        character=payload.id("speaker"),
        character_name=payload.text("character_name"),
        character_id=payload.id("character"),
        listens=payload.one_of("way", "talk", "listen") == "listen",
        beside=payload.one_of("beside", "no", "yes") == "yes",
    )


def found(view: views.ChatFileView) -> dict[str, Any]:
    return {
        "form": view.form,
        "count": view.count,
        "chats": [
            {
                "key": one.key,
                "messages": one.messages,
                "rounds": one.rounds,
                "heard": one.heard,
                "first": one.first.isoformat(),
                "last": one.last.isoformat(),
                "dated": one.dated,
                "wordings": one.wordings,
                "speakers": [{"name": s.name, "messages": s.messages, "named": s.named} for s in one.speakers],
                "player": one.player,
                "character": one.character,
                "says_player": one.says_player,
                "notices": [_told(note) for note in one.notices],
                "lines": [{"speaker": speaker, "text": text} for speaker, text in one.lines],
            }
            for one in view.found
        ],
    }


def _told(note: views.ToldView) -> dict[str, Any]:
    because = _told(note.because) if note.because is not None else None
    return {"code": note.code, "params": dict(note.params), "text": note.text, "because": because, "places": list(note.places)}
