"""How much of Gradio's queue one person may have, where there are several: what one asks for takes neither the turns of the others nor the house's memory.

Gradio has one queue for all. It takes so many events and no more, works at so many at once, and keeps what a tab is told until somebody hears it, of so many tabs.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.door import DATA, JOIN, TAB, own_tab
from ui.users import NotLoggedIn, current_user

AT_ONCE = 120
"""Events that are worked at at once. Most take milliseconds; but a tab that follows a reply, or waits for what is heard, has one as long as it does so."""
MOST_UNDER_WAY = 24
"""Of one person's events, waiting ones among them. A tab has two or three."""
MOST_TABS, MOST_UNHEARD = 100, 1_000
"""Of one person, tabs that something is kept for, and what they have not heard. A reply makes six pieces of news a second."""


class Crowd:
    """ASGI middleware behind the door: refuses what is too much of one person's, and forgets what their oldest tabs never heard."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._joining: Counter[str] = Counter()
        """Events that Gradio has not taken up yet: a hundred at once are a hundred."""
        self._asking: Counter[str] = Counter()
        """Requests to this program's own addresses."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and scope["method"] == "POST" and scope["path"].startswith("/keepsake/")
        user = _user(scope) if ours or (scope["type"] == "http" and scope["path"] in (JOIN, DATA)) else ""
        if not user:
            await self._app(scope, receive, send)
            return
        if ours:
            await self._own_address(user, scope, receive, send)
            return
        queue = scope["app"].get_blocks()._queue
        if scope["path"] == DATA:
            _heard(queue, scope)
            await self._app(scope, receive, send)
        elif _under_way(queue, user) + self._joining[user] >= MOST_UNDER_WAY:
            await _too_much()(scope, receive, send)
        else:
            self._joining[user] += 1
            try:
                await _forget(queue, user)
                await self._app(scope, receive, send)
            finally:
                self._joining[user] -= 1
                if not self._joining[user]:
                    del self._joining[user]

    async def _own_address(self, user: str, scope: Scope, receive: Receive, send: Send) -> None:
        """One of this program's own addresses: each of so many requests may hold what it brings in memory."""
        if self._asking[user] >= MOST_UNDER_WAY:
            await _too_much()(scope, receive, send)
            return
        self._asking[user] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._asking[user] -= 1
            if not self._asking[user]:
                del self._asking[user]


def _too_much() -> JSONResponse:
    return JSONResponse({"detail": "Too much of yours is under way at this moment. Try again in a few seconds."}, status_code=503)


def _user(scope: Scope) -> str:
    try:
        return current_user(Request(scope))
    except NotLoggedIn:
        return ""


def _heard(queue: Any, scope: Scope) -> None:
    """A tab that listens is forgotten last."""
    for tab in parse_qs(scope["query_string"].decode("latin-1")).get(TAB, ()):
        if tab in queue.pending_messages_per_session:
            queue.pending_messages_per_session.move_to_end(tab)


def _under_way(queue: Any, user: str) -> int:
    waiting = (event for line in queue.event_queue_per_concurrency_id.values() for event in line.queue)
    running = (event for job in queue.active_jobs if job is not None for event in job)
    return sum(_is_of(user, event.session_hash) for event in chain(waiting, running))


async def _forget(queue: Any, user: str) -> None:
    """What one person's tabs never heard, beyond the bounds: of the tab that has listened least lately first."""
    news = queue.pending_messages_per_session
    left = {tab: told.qsize() for tab, told in news.items() if _is_of(user, tab)}
    unheard = sum(left.values())
    for tab, count in list(left.items()):
        if len(left) < MOST_TABS and unheard <= MOST_UNHEARD:
            return
        await queue.clean_events(session_hash=tab)
        news.pop(tab, None)
        queue.pending_event_ids_session.pop(tab, None)
        del left[tab]
        unheard -= count


def _is_of(user: str, tab: object) -> bool:
    return isinstance(tab, str) and tab.startswith(own_tab(user, ""))
