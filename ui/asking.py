"""Questions to the memory, as the page asks them and shows what came of them."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr

from chat.views import AskedView
from ui import values
from ui.guard import attempt, trouble
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user


class Asking:
    """Handlers of the dialog that asks the memory."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._questions = painter.service.questions

    def ask(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Begin to answer. What is refused is said where it was asked."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, token = payload.id("chat"), payload.id("token")
        try:
            return {
                self._surfaces.asking: asked(
                    chat_id, self._questions.ask(user, chat_id, payload.text("text"), token=token, of=payload.id("of"))
                )
            }
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.asking: {"chat": chat_id, "token": token, "refused": trouble(error)}}

    def look(self, event: gr.EventData, request: gr.Request) -> Updates:
        """A question as it stands, if the page does not show that already."""
        return self._shown(event, request, self._questions.look)

    def stop(self, event: gr.EventData, request: gr.Request) -> Updates:
        return self._shown(event, request, self._questions.stop)

    def _shown(self, event: gr.EventData, request: gr.Request, act: Callable[[str, str, str], AskedView]) -> Updates:
        user, payload = current_user(request), Payload.of(event)
        chat_id, token = payload.id("chat"), payload.id("token")
        try:
            updates = {self._surfaces.asking: asked(chat_id, act(user, chat_id, token))}
        except Exception as error:  # noqa: BLE001  # as above
            return {self._surfaces.asking: {"chat": chat_id, "token": token, "refused": trouble(error)}}
        return attempt(self._surfaces.banner, lambda: self._painter.unknown(updates, payload.marks("marks")))


def asked(chat_id: str, view: AskedView) -> values.Value:
    answer = view.answer
    return values.marked(
        {
            "chat": chat_id,
            "token": view.token,
            "question": view.question,
            "of": view.of,
            "phase": view.phase.value,
            "final": view.final,
            "outdated": view.outdated,
            "error": values.error(view.error_code, view.error_params) if view.error_code else None,
            "answer": None
            if answer is None
            else {
                "found": answer.found,
                "missing": answer.missing,
                "by": answer.by,
                "model": answer.model,
                "dated": answer.dated,
                "waiting": answer.waiting > 0,
                "parts": [
                    {
                        "text": p.text,
                        "rounds": list(p.rounds),
                        "said_by": p.said_by,
                        "at": values.moment(p.said_at),
                        "happened": values.days(p.happened),
                        "quote": p.quote,
                    }
                    for p in answer.parts
                ],
                "notes": [
                    {
                        "text": n.text,
                        "kind": n.kind,
                        "round": n.round,
                        "said_by": n.said_by,
                        "at": values.moment(n.said_at),
                        "happened": values.days(n.happened),
                        "quote": n.quote,
                        "cited": n.cited,
                    }
                    for n in answer.notes
                ],
            },
        }
    )
