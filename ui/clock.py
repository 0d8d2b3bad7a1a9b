"""Whose clock counts while an event of the page is answered: that of the browser that sent it, at the moment it sent it (`offset`, `K.offset`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import gradio as gr

from storage.wall import on_wall
from ui.payload import Payload


def by_the_clock(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler, answering on the wall of whoever asks. What goes on answering piece by piece says nothing, and is left as it is."""
    if inspect.isasyncgenfunction(handler) or inspect.isgeneratorfunction(handler):
        return handler
    if inspect.iscoroutinefunction(handler):

        @wraps(handler)
        async def awaited(*given: Any) -> Any:
            with on_wall(_offset(given)):
                return await handler(*given)

        return awaited

    @wraps(handler)
    def answer(*given: Any) -> Any:
        with on_wall(_offset(given)):
            return handler(*given)

    return answer


def _offset(given: Sequence[Any]) -> int | None:
    event = next((one for one in given if isinstance(one, gr.EventData)), None)
    return Payload.of(event).offset() if event is not None else None
