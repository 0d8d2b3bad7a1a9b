"""The right column: what is remembered, and receipts."""

from __future__ import annotations

import gradio as gr

from ui import memory_values, story_values
from ui.following import wanted_by
from ui.guard import attempt
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user


class Panels:
    """Handlers of the right column."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service

    def show(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Another sheet on top, another shelf or order, or more of a list."""
        user, payload = current_user(request), Payload.of(event)

        def work() -> Updates:
            return self._painter.unknown(self._painter.sheet(user, payload.id("chat"), wanted_by(payload)), payload.marks("marks"))

        return attempt(self._surfaces.banner, work)

    def retry(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Run failed memory tasks again."""
        user, payload = current_user(request), Payload.of(event)
        chat_id = payload.id("chat")

        def work() -> Updates:
            self._service.retry_failed(user, chat_id)
            return self._painter.sheet(user, chat_id, wanted_by(payload))

        return attempt(self._surfaces.banner, work)

    def end_session(self, event: gr.EventData, request: gr.Request) -> Updates:
        """End the session that is open, so that its topics are told."""
        user, payload = current_user(request), Payload.of(event)
        chat_id = payload.id("chat")

        def work() -> Updates:
            self._service.end_session(user, chat_id)
            return self._painter.sheet(user, chat_id, wanted_by(payload))

        return attempt(self._surfaces.banner, work)

    def span(self, event: gr.EventData, request: gr.Request) -> Updates:
        """A stretch of the story as it was spoken."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, first, last = payload.id("chat"), payload.number("first"), payload.number("last")

        def work() -> Updates:
            view = self._service.story_rounds.look(user, chat_id, first=first, last=last)
            return {self._surfaces.spans: story_values.span(chat_id, view, first=first, last=last)}

        return attempt(self._surfaces.banner, work)

    def receipt(self, event: gr.EventData, request: gr.Request) -> Updates:
        """The receipt of one reply; without a message, of the newest."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, message_id = payload.id("chat"), payload.id("message")

        def work() -> Updates:
            view = self._service.receipt(user, chat_id, message_id or None)
            return {self._surfaces.receipt: memory_values.receipt(chat_id, view, asked=bool(message_id))}

        return attempt(self._surfaces.banner, work)
