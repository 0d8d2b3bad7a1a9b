"""What an event of the page leaves as it is, in a word that Gradio makes nothing new for.

Its own (`gr.skip()`, and any component that a handler does not name) makes another component for the tab: one that has lost what ours was given here, with a
number of its own, under which the tab's state keeps the next value it is sent, for as long as the server runs.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from functools import wraps
from typing import Any

import gradio as gr

UNCHANGED = object()
"""In place of a component's value."""


def can_stay(component: Any) -> Any:
    """The component, which can now be told that it stays as it is."""
    told = component.postprocess

    def postprocess(value: Any) -> Any:
        return gr.skip() if value is UNCHANGED else told(value)

    component.postprocess = postprocess
    return component


def in_full(handler: Callable[..., Any], outputs: Sequence[Any]) -> Callable[..., Any]:
    """The handler, answering for every output: what it does not name is unchanged. outputs: components that `can_stay`."""

    def every(updates: dict[Any, Any]) -> Any:
        if unknown := [component for component in updates if component not in outputs]:
            raise ValueError(f"{handler} changes what it was not wired to: {unknown}")
        found = [updates.get(component, UNCHANGED) for component in outputs]
        return found if len(found) > 1 else found[0]

    if inspect.isasyncgenfunction(handler):

        @wraps(handler)
        async def frames(*given: Any) -> AsyncIterator[Any]:
            async with aclosing(handler(*given)) as coming:
                async for updates in coming:
                    yield every(updates)

        return frames
    if inspect.iscoroutinefunction(handler):

        @wraps(handler)
        async def awaited(*given: Any) -> Any:
            return every(await handler(*given))

        return awaited

    @wraps(handler)
    def answer(*given: Any) -> Any:
        return every(handler(*given))

    return answer
