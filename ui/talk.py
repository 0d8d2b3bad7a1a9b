"""Sending, stopping, asking again, and reading further back."""

from __future__ import annotations

import gradio as gr

from storage.errors import ChangedElsewhere
from ui import values
from ui.following import news_of
from ui.guard import attempt, trouble
from ui.painter import WINDOW, Painter, Updates
from ui.payload import Payload
from ui.users import current_user


class Talk:
    """Handlers of the conversation. Ids go to the service as they came: it knows whose they are."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service

    def send(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Commit the text. Only when the composer is told that it was accepted does it let go of the text."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, token = payload.id("chat"), payload.id("token")
        try:
            if payload.one_of(
                "listens", "", "yes"
            ):  # what is written is added to what was said: nothing that the page may not show can be in its way
                self._service.listening.say(user, chat_id, payload.text("text"), speaker=payload.text("speaker"), token=token)
            else:
                self._service.send(
                    user, chat_id, payload.text("text"), token=token, edition=payload.number("edition", otherwise=-1), to=payload.id("to")
                )
        except ChangedElsewhere as error:  # shown as it is now, and the text stays in the box
            refused = {self._surfaces.composer: values.composer(chat_id, token, accepted=False)}
            return (
                refused
                | attempt(self._surfaces.banner, lambda: news_of(self._painter, user, payload))
                | {self._surfaces.banner: trouble(error)}
            )
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, shown to the reader, and the text stays in the box
            return {self._surfaces.composer: values.composer(chat_id, token, accepted=False), self._surfaces.banner: trouble(error)}
        accepted = {self._surfaces.composer: values.composer(chat_id, token, accepted=True), self._surfaces.banner: values.no_trouble()}
        return accepted | attempt(self._surfaces.banner, lambda: {**self._painter.transcript(user, chat_id), **self._painter.shelf(user)})

    def reply(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Ask for the reply that the newest message waits for."""
        user, payload = current_user(request), Payload.of(event)
        chat_id = payload.id("chat")

        def work() -> Updates:
            try:
                self._service.request_reply(user, chat_id, edition=payload.number("edition", otherwise=-1))
            except ChangedElsewhere as error:
                return {**news_of(self._painter, user, payload), self._surfaces.banner: trouble(error)}
            return {self._surfaces.banner: values.no_trouble(), **self._painter.transcript(user, chat_id)}

        return attempt(self._surfaces.banner, work)

    def stop(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, chat_id = current_user(request), Payload.of(event).id("chat")

        def work() -> Updates:
            self._service.stop(user, chat_id)
            return {}

        return attempt(self._surfaces.banner, work)

    def earlier(self, event: gr.EventData, request: gr.Request) -> Updates:
        """The window that ends just before a message."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, before = payload.id("chat"), payload.id("before")

        def work() -> Updates:
            view = self._service.transcript(user, chat_id, before=before or None, limit=WINDOW)
            return {self._surfaces.pages: values.page(chat_id, view, before=before)}

        return attempt(self._surfaces.banner, work)

    def around(self, event: gr.EventData, request: gr.Request) -> Updates:
        """The window with a round in its middle."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, number = payload.id("chat"), payload.number("round")

        def work() -> Updates:
            view = self._service.transcript(user, chat_id, around_round=number, limit=WINDOW)
            return {self._surfaces.pages: values.page(chat_id, view)}

        return attempt(self._surfaces.banner, work)
