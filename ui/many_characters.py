"""What is done to several characters of the gallery at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import gradio as gr

from chat.characters import MOST_CHARACTERS
from ui import sentences, values
from ui.characters import refused
from ui.heavy import exporting
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user

MOST = MOST_CHARACTERS + 100
"""Of one wish: all of one's own, and the cast."""


class ManyAtOnce:
    """Handler of what the gallery asks for those that are chosen. Each answer carries the token it was asked with."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._many = painter.service.many_characters
        self._everything = painter.service.everything

    async def many(self, event: gr.EventData, request: gr.Request) -> Updates:
        """One thing done to all of them or to none, then the list; or their cards as a file."""
        user, payload = current_user(request), Payload.of(event)
        token, ids = payload.id("token"), payload.ids("characters", most=MOST)
        try:
            if payload.id("operation") == "export":
                return await exporting(user, self._export, user, token, ids)
            return await asyncio.to_thread(self._done, user, token, ids, payload)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.characters: refused(token, error)}

    def _done(self, user: str, token: str, ids: tuple[str, ...], payload: Payload) -> Updates:
        changed: Sequence[str]
        match payload.id("operation"):
            case "tag":
                changed = self._many.tag(user, ids, payload.text("text"))
            case "untag":
                changed = self._many.untag(user, ids, payload.text("text"))
            case "favour":
                changed = self._many.favour(user, ids)
            case "unfavour":
                changed = self._many.unfavour(user, ids)
            case "remove":
                changed = self._many.remove(user, ids)
            case "restore":
                changed = self._many.restore(user, ids)
            case _:
                changed = []
        return {
            self._surfaces.characters: done(token, changed),
            **self._painter.shelf(user),
            self._surfaces.banner: values.no_trouble(),
        }

    def _export(self, user: str, token: str, ids: tuple[str, ...]) -> Updates:
        made, left_out = self._everything.export_cards(user, ids, tell=sentences.of_error)
        missing = [values.left_out(one.kind, one.name, one.why) for one in left_out]
        return {
            self._surfaces.characters: done(token, ids),
            self._surfaces.portable: values.export(made.ticket, name=made.path.name, size=made.size, left_out=missing),
        }


def done(token: str, ids: Sequence[str]) -> values.Value:
    """ids: of those that are another than before."""
    return {"token": token, "shows": "done", "id": "", "ids": list(ids), "n": values.number()}
