"""Search, as the page asks for it and shows what it found."""

from __future__ import annotations

from collections.abc import Iterable

import gradio as gr

from chat.views import FoundView, SearchView
from ui import values
from ui.guard import attempt
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user


class Searching:
    """Handler of the dialog that looks for words."""

    def __init__(self, painter: Painter) -> None:
        self._surfaces = painter.surfaces
        self._search = painter.service.search

    def find(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, payload = current_user(request), Payload.of(event)

        def work() -> Updates:
            return {
                self._surfaces.searching: found(
                    self._search.find(user, payload.text("text"), chat_id=payload.id("of")), payload.id("token")
                )
            }

        return attempt(self._surfaces.banner, work)


def found(view: SearchView, token: str) -> values.Value:
    """token: of the page's, so that a late answer is not taken for that to a later question."""
    return {
        "token": token,
        "text": view.text,
        "of": view.chat_id,
        "messages": _rows(view.messages),
        "memories": _rows(view.memories),
        "messages_in_all": view.messages_in_all,
        "memories_in_all": view.memories_in_all,
    }


def _rows(rows: Iterable[FoundView]) -> list[values.Value]:
    return [
        {
            "kind": row.kind,
            "chat_id": row.chat_id,
            "title": row.title,
            "language": row.language,
            "round": row.round,
            "speaker": row.speaker,
            "at": values.moment(row.said_at),
            "pieces": [[text, hit] for text, hit in row.pieces],
            "hidden": row.hidden,
        }
        for row in rows
    ]
