"""Following a reply on its way, and noticing what other tabs and the worker have changed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import gradio as gr

from ui import values
from ui.guard import attempt, trouble
from ui.painter import MEMORIES, SHEETS, Painter, Updates, Wanted
from ui.payload import Payload
from ui.users import current_user

FRAME_S = 0.16
"""About six frames a second: faster is not read faster, and each one costs the page a layout."""
BEAT_FRAMES = 12
"""A follower shows a sign of life at least every so many frames (about two seconds), so that the page notices when it is gone."""


NEXT_FRAMES = 12
"""Of several characters who answer in turn, how long the next is waited for."""


HEARKEN_S = 12.0
"""How long a tab at a conversation that listens is kept waiting for the next line; it asks again before that (`place.js`)."""
HEARKEN_EVERY_S, GATHER_S = 0.25, 0.3
"""Between two looks; and how long what comes together is gathered: lines come in rows, and memory follows them in many small steps."""


class Followers:
    """Which follower of a tab is the current one. A newer follower, or leaving the chat, ends the older within one frame."""

    def __init__(self) -> None:
        self._current: dict[str, object] = {}
        self._lock = threading.Lock()

    def claim(self, tab: str | None) -> object:
        mark = object()
        with self._lock:
            self._current[tab or ""] = mark
        return mark

    def holds(self, tab: str | None, mark: object) -> bool:
        with self._lock:
            return self._current.get(tab or "") is mark

    def leave(self, tab: str | None) -> None:
        with self._lock:
            self._current.pop(tab or "", None)

    def release(self, tab: str | None, mark: object) -> None:
        with self._lock:
            if self._current.get(tab or "") is mark:
                del self._current[tab or ""]

    def __len__(self) -> int:
        return len(self._current)


def wanted_by(payload: Payload, *, most: int = 600) -> Wanted:
    return Wanted(
        tab=payload.one_of("tab", *SHEETS),
        shelf=payload.one_of("shelf", "fact", "episode", "forgotten"),
        order=payload.one_of("order", "score", "newest"),
        limit=payload.number("limit", least=1, most=most, otherwise=MEMORIES),
        chosen=payload.id("chosen"),
        of=payload.id("of"),
        reading=payload.id("reading"),
        read=payload.id("read"),
    )


def news_of(painter: Painter, user: str, payload: Payload) -> Updates:
    """Everything about the chat of a page that the page does not show already."""
    updates = painter.chat(user, payload.id("chat"), wanted=wanted_by(payload), receipt=payload.id("receipt"))
    return painter.unknown(updates, payload.marks("marks"))


class Following:
    """Handlers that keep a tab up to date."""

    def __init__(self, painter: Painter, followers: Followers) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service
        self._followers = followers
        self._hearers = Followers()

    async def hearken(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Everything that changed in a conversation that listens, as soon as it changed; nothing after a while without news, or when the tab asks again."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, tab, known = payload.id("chat"), request.session_hash, payload.number("version", otherwise=-1)
        mark = self._hearers.claim(tab)
        try:
            for _ in range(int(HEARKEN_S / HEARKEN_EVERY_S)):
                if not self._hearers.holds(tab, mark):
                    break
                if await asyncio.to_thread(self._service.version, user, chat_id) != known:
                    await asyncio.sleep(GATHER_S)
                    return await asyncio.to_thread(news_of, self._painter, user, payload)
                await asyncio.sleep(HEARKEN_EVERY_S)
            return {}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.banner: trouble(error)}
        finally:
            self._hearers.release(tab, mark)

    async def follow(self, event: gr.EventData, request: gr.Request) -> AsyncIterator[Updates]:
        """Frames of the running reply, then everything it changed. Ends with the reply, with the tab, or when the tab turns to another chat."""
        user, payload = current_user(request), Payload.of(event)
        chat_id, tab = payload.id("chat"), request.session_hash
        mark = self._followers.claim(tab)
        try:
            shown: object = None
            count = awaited = 0
            while True:
                job = await asyncio.to_thread(self._service.job, user, chat_id)
                if job is None or job.final:
                    if job is None or not job.following or awaited > NEXT_FRAMES:
                        break
                    if not awaited:
                        yield await asyncio.to_thread(self._painter.transcript, user, chat_id)
                    awaited += 1
                    await asyncio.sleep(FRAME_S)
                    continue
                awaited = 0
                if not self._followers.holds(tab, mark):
                    return
                state = (job.phase, len(job.text), job.read_tokens, job.prompt_tokens)
                if state != shown or count % BEAT_FRAMES == 0:
                    shown = state
                    yield {self._surfaces.live: values.live(job, beat=count)}
                count += 1
                await asyncio.sleep(FRAME_S)
            if self._followers.holds(tab, mark):
                updates = await asyncio.to_thread(
                    self._painter.chat, user, chat_id, wanted=wanted_by(payload), receipt=payload.id("receipt")
                )
                yield updates | (self._painter.ended(job) if job else {})
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            yield {self._surfaces.banner: trouble(error)}
        finally:
            self._followers.release(tab, mark)

    def tick(self, event: gr.EventData, request: gr.Request) -> Updates:
        """An idle tab asks whether its chat has changed since the version it shows; nearly always it has not, and nothing is sent."""
        user, payload = current_user(request), Payload.of(event)
        chat_id = payload.id("chat")

        def work() -> Updates:
            job = self._service.job(user, chat_id)
            replying = job is not None and not job.final
            same = self._service.version(user, chat_id) == payload.number("version", otherwise=-1)
            if not replying and same and payload.text("storage") == self._service.unwritable():
                return {}
            return news_of(self._painter, user, payload)

        return attempt(self._surfaces.banner, work)
