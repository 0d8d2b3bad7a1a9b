"""What a person does with memories, and with the work that makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import gradio as gr

from chat.controls import MemoryControls
from ui import control_values, values
from ui.following import wanted_by
from ui.guard import attempt, trouble
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user


@dataclass(frozen=True)
class Meant:
    """One memory or task, as the page named it."""

    user: str
    chat: str
    memory: str
    text: str
    task: int
    whose: str
    """Of several characters the one whose memory is shown."""
    former: str
    """What an edit, or bringing something back, is taken back by."""

    @classmethod
    def of(cls, user: str, payload: Payload) -> Meant:
        return cls(
            user,
            payload.id("chat"),
            payload.id("memory"),
            payload.text("text"),
            payload.number("task", most=MOST_TASKS),
            payload.id("of"),
            payload.id("former"),
        )


MOST_TASKS = 2**53
"""Largest whole number that a browser keeps exactly."""

OPERATIONS: Mapping[str, Callable[[MemoryControls, Meant], object]] = {
    "edit": lambda c, m: c.edit(m.user, m.chat, m.memory, m.text),
    "pin": lambda c, m: c.pin(m.user, m.chat, m.memory),
    "unpin": lambda c, m: c.unpin(m.user, m.chat, m.memory),
    "exclude": lambda c, m: c.exclude(m.user, m.chat, m.memory),
    "include": lambda c, m: c.include(m.user, m.chat, m.memory),
    "restore": lambda c, m: c.restore(m.user, m.chat, m.memory, m.whose),
    "take_back": lambda c, m: c.take_back(m.user, m.chat, m.former),
    "delete": lambda c, m: c.delete(m.user, m.chat, m.memory),
}
"""What a page may ask for one memory."""

TASKS: Mapping[str, Callable[[MemoryControls, Meant], object]] = {
    "retry": lambda c, m: c.retry(m.user, m.chat, m.task),
    "retry_all": lambda c, m: c.retry_all(m.user, m.chat),
    "cancel": lambda c, m: c.cancel(m.user, m.chat, m.task),
    "rebuild": lambda c, m: c.rebuild(m.user, m.chat),
}


class Controls:
    """Handlers of the menus on memories, of what came from a round, and of the queue."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service

    def control(self, event: gr.EventData, request: gr.Request) -> Updates:
        """One thing done with one memory, then the sheet on top. A receipt may have lost a text with it."""
        user, payload = current_user(request), Payload.of(event)
        token, name = payload.id("token"), payload.id("operation")
        operation = OPERATIONS.get(name)
        if operation is None:
            return {self._surfaces.actions: values.answer(token, done=False)}
        try:
            former = operation(self._service.controls, Meant.of(user, payload))
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.actions: values.answer(token, done=False), self._surfaces.banner: trouble(error)}
        answer = values.answer(token, done=True, what=former if isinstance(former, str) else "")
        done = {self._surfaces.actions: answer, self._surfaces.banner: values.no_trouble()}
        return done | attempt(self._surfaces.banner, lambda: self._seen(user, payload, receipt=name == "delete"))

    def _seen(self, user: str, payload: Payload, *, receipt: bool) -> Updates:
        chat_id = payload.id("chat")
        updates = self._painter.unknown(self._painter.sheet(user, chat_id, wanted_by(payload)), payload.marks("marks"))
        return updates | (self._painter.receipt(user, chat_id, known="", wanted=replace(wanted_by(payload), read="")) if receipt else {})

    def rederive(self, event: gr.EventData, request: gr.Request) -> Updates:
        """What a memory says beside what its messages give now. Nothing is changed."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, memory_id = payload.id("chat"), payload.id("memory")

        def work() -> Updates:
            view = self._service.controls.rederive(user, chat_id, memory_id, payload.id("of"))
            return {self._surfaces.controls: control_values.rederived(chat_id, memory_id, view)}

        return attempt(self._surfaces.banner, work)

    def round(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Everything that rests on one round."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, number = payload.id("chat"), payload.number("round")

        def work() -> Updates:
            view = self._service.controls.of_round(user, chat_id, number, payload.id("of"))
            return {self._surfaces.controls: control_values.of_round(chat_id, number, view)}

        return attempt(self._surfaces.banner, work)

    def queue(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, payload = current_user(request), Payload.of(event)
        return attempt(self._surfaces.banner, lambda: self._painter.unknown(self._queue(user, payload), payload.marks("marks")))

    def _queue(self, user: str, payload: Payload) -> Updates:
        chat_id = payload.id("chat")
        return {self._surfaces.queue: control_values.queue(chat_id, self._service.controls.queue(user, chat_id))}

    def task(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Run again, cancel, or make all anew; then the queue and the sheet on top, which counts its tasks."""
        user, payload = current_user(request), Payload.of(event)
        operation = TASKS.get(payload.id("operation"))

        def work() -> Updates:
            if operation is not None:
                operation(self._service.controls, Meant.of(user, payload))
            updates = {**self._queue(user, payload), **self._painter.sheet(user, payload.id("chat"), wanted_by(payload))}
            return self._painter.unknown(updates, payload.marks("marks"))

        return attempt(self._surfaces.banner, work)
