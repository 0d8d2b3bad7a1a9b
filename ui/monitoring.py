"""`GET /health` for whoever starts and restarts the program, `GET /metrics` for whoever measures it. Numbers and words of our own: no secret, nothing of anybody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import psutil
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from chat.service import ChatService
from errors import KeepsakeError
from metrics import LAST_FAILURE, REGISTRY
from settings import VERSION
from storage.errors import StorageDamaged
from ui.door import HEALTH, METRICS

PATIENCE_S = 4.0
"""Longest wait for the database; one that does not answer for so long is not well. Who asks commonly waits five seconds."""
FRESH = {"Cache-Control": "no-store"}


class Monitoring:
    """Both addresses. metrics: whether the figures are shown."""

    def __init__(self, service: ChatService, *, metrics: bool) -> None:
        self._service = service
        self._metrics = metrics
        self._state = CollectorRegistry()
        self._state.register(_State(service))

    def routes(self) -> list[BaseRoute]:
        return [Route(HEALTH, self.health, methods=["GET"]), Route(METRICS, self.metrics, methods=["GET"])]

    async def health(self, request: Request) -> Response:
        """200 where conversations and memory can be read, 503 where not or where they are damaged. storage: why nothing can be written, which a restart does not mend."""
        told: dict[str, Any] = {"ready": True, "version": VERSION, "queue": None}
        try:
            counts = await asyncio.wait_for(asyncio.to_thread(self._service.work_of_all, "queued", "leased"), PATIENCE_S)
            told["queue"] = sum(counts.values())
        except Exception as error:  # noqa: BLE001  # whatever keeps the database from answering is what is asked here
            told["ready"] = False
            LAST_FAILURE.note(error)
        told["storage"] = self._service.unwritable() or None
        told["ready"] &= told["storage"] != StorageDamaged.code
        told["last_error"], told["last_error_seconds_ago"] = LAST_FAILURE.kind or None, LAST_FAILURE.seconds_ago
        return JSONResponse(told, status_code=200 if told["ready"] else 503, headers=FRESH)

    async def metrics(self, request: Request) -> Response:
        if not self._metrics:
            return PlainTextResponse("Figures are not shown. KEEPSAKE_METRICS=on shows them (docs/settings.md).\n", status_code=404)
        try:
            shown = await asyncio.to_thread(lambda: generate_latest(REGISTRY) + generate_latest(self._state))
        except KeepsakeError:
            return PlainTextResponse("The database does not answer.\n", status_code=503, headers=FRESH)
        return Response(shown, media_type=CONTENT_TYPE_LATEST, headers=FRESH)


class _State(Collector):
    """How things stand when they are asked for: the queue, and what the process holds."""

    def __init__(self, service: ChatService) -> None:
        self._service = service
        self._process = psutil.Process()

    def collect(self) -> Iterable[GaugeMetricFamily]:
        queue = GaugeMetricFamily("keepsake_queue", "Tasks of memory that are not done.", labels=["kind", "state"])
        for (kind, state), count in sorted(self._service.work_of_all("queued", "leased", "failed").items()):
            queue.add_metric([kind, state], count)
        yield queue
        with self._process.oneshot():
            yield GaugeMetricFamily("process_resident_memory_bytes", "Memory of this process.", value=self._process.memory_info().rss)
            files = self._process.num_handles() if psutil.WINDOWS else self._process.num_fds()
            yield GaugeMetricFamily("process_open_fds", "Files, sockets and pipes that this process has open.", value=files)
            yield GaugeMetricFamily("process_threads", "Threads of this process.", value=self._process.num_threads())
            yield GaugeMetricFamily(
                "process_start_time_seconds", "When this process began, in seconds since 1970.", value=self._process.create_time()
            )

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """None: to be registered must not ask the database."""
        return ()
