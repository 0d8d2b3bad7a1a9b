"""The sample stories as the page lists, adds and removes them."""

from __future__ import annotations

from dataclasses import asdict

import gradio as gr

from chat.samples import REMOVED
from ui import values
from ui.following import Followers
from ui.guard import attempt, trouble
from ui.painter import Painter, Updates, Wanted
from ui.payload import Payload
from ui.users import current_user


class SampleStories:
    """Handlers of the dialog about the sample stories."""

    def __init__(self, painter: Painter, followers: Followers) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service
        self._followers = followers

    def look(self, event: gr.EventData, request: gr.Request) -> Updates:
        """How far they are, if the page does not show that already."""
        user, payload = current_user(request), Payload.of(event)
        return attempt(self._surfaces.banner, lambda: self._painter.unknown(self._seen(user), payload.marks("marks")))

    def sample(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Add one and open it, or take one away."""
        user, payload = current_user(request), Payload.of(event)
        token = payload.id("token")
        try:
            updates, what = self._done(user, payload, request.session_hash)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {
                **attempt(self._surfaces.banner, lambda: self._seen(user)),
                self._surfaces.actions: values.answer(token, done=False),
                self._surfaces.banner: trouble(error),
            }
        return {**updates, self._surfaces.actions: values.answer(token, done=True, what=what), self._surfaces.banner: values.no_trouble()}

    def _done(self, user: str, payload: Payload, tab: str | None) -> tuple[Updates, str]:
        """What the page shows then, and what became of a sample that was taken away. Any other operation does nothing."""
        moved: Updates = {}
        what = ""
        match payload.id("operation"):
            case "add":
                chat_id = self._service.samples.add(user, payload.id("name"))
                self._followers.leave(tab)
                moved = {
                    **self._painter.chat(user, chat_id, wanted=Wanted()),
                    self._surfaces.place: values.place(chat_id, push=True),
                    self._surfaces.prefs: {"chat": chat_id},
                }
            case "remove":
                chat_id = payload.id("of")
                what = self._service.samples.remove(user, chat_id)
                if chat_id == payload.id("chat"):
                    self._followers.leave(tab)
                    moved = {self._surfaces.place: values.place("", push=what != REMOVED)}
        return {**self._seen(user), **moved}, what

    def _seen(self, user: str) -> Updates:
        stories = [asdict(view) | {"building": view.building} for view in self._service.samples.views(user)]
        return {**self._painter.shelf(user), self._surfaces.samples: values.marked({"stories": stories})}
