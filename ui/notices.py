"""What a reader is told once, and what they want kept out of sight."""

from __future__ import annotations

import gradio as gr

from ui.guard import attempt
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user


class Heeding:
    """Handler of the notice's buttons and of the switch for characters that are for adults."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._notices = painter.service.notices

    def heed(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Keep what the reader said, then the list."""
        user, payload = current_user(request), Payload.of(event)

        def work() -> Updates:
            match payload.id("operation"):
                case "accept":
                    self._notices.accept(user)
                case "hide_adult":
                    self._notices.hide_adult(user)
                case "show_adult":
                    self._notices.show_adult(user)
            return self._painter.shelf(user)

        return attempt(self._surfaces.banner, work)
