"""Learning from what replies use, as the page switches, shows and moves it."""

from __future__ import annotations

import asyncio
import json

import gradio as gr
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chat.errors import LearnedRefused
from chat.learning import MODES, LearningControls
from chat.views import LearningView
from ui import values
from ui.guard import attempt, trouble
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.requests import FILE_HEADERS, pieces
from ui.users import current_user

LEARNED = "/keepsake/learned"


class Learning:
    """Handlers of the dialog about learning."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._controls = painter.service.learning

    def look(self, event: gr.EventData, request: gr.Request) -> Updates:
        """How it stands, if the page does not show that already."""
        user, payload = current_user(request), Payload.of(event)
        return attempt(self._surfaces.banner, lambda: self._painter.unknown(self._seen(user), payload.marks("marks")))

    def teach(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Choose a mode, unlearn, or ask for the file."""
        user, payload = current_user(request), Payload.of(event)

        def work() -> Updates:
            match payload.id("operation"):
                case "choose":
                    self._controls.choose(user, payload.one_of("mode", *MODES), exploring=payload.id("exploring") == "yes")
                case "reset":
                    self._controls.reset(user)
                case "export":
                    made = self._controls.export(user)
                    return {self._surfaces.portable: values.export(made.ticket, name=made.path.name, size=made.size)}
            return self._seen(user)

        return attempt(self._surfaces.banner, work)

    def _seen(self, user: str) -> Updates:
        return {self._surfaces.learning: standing(self._controls.view(user))}


def standing(view: LearningView) -> values.Value:
    return values.marked(
        {
            "mode": view.mode,
            "exploring": view.exploring,
            "updates": view.updates,
            "counted": view.counted,
            "shares": [round(share, 4) for share in view.shares],
            "over": view.newest,
            "fell": list(view.fell) if view.fell else None,
        }
    )


class TakingLearned:
    """`POST /keepsake/learned` with a file of learned weights as its body. Answered with how learning stands now, or why it was refused."""

    def __init__(self, controls: LearningControls) -> None:
        self._controls = controls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        raw = bytearray()
        try:
            user = current_user(request)
            async for piece in pieces(request):
                if len(raw) <= self._controls.most_bytes:  # a browser hears an answer once it has sent all
                    raw += piece
            if len(raw) > self._controls.most_bytes:
                raise LearnedRefused("This file is larger than anything learned. Nothing was changed.", reason="too large")
            await asyncio.to_thread(self._controls.take, user, bytes(raw))
            answer = {"learning": standing(await asyncio.to_thread(self._controls.view, user))}
        except (ClientDisconnect, TimeoutError):
            return
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            answer = {"error": trouble(error)}
        await Response(json.dumps(answer), media_type="application/json", headers=FILE_HEADERS)(scope, receive, send)
