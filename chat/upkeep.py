"""Timed upkeep, by APScheduler: sessions that ended by silence are closed, the write-ahead log is folded in."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from apscheduler.events import EVENT_JOB_ERROR, JobExecutionEvent
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from storage.store import Store

log = logging.getLogger(__name__)

SESSION_EVERY_S = 60
CHECKPOINT_EVERY_S = 300


class Upkeep:
    """idle_minutes: silence that ends a session."""

    def __init__(self, store: Store, *, idle_minutes: int) -> None:
        self._store = store
        self._idle = timedelta(minutes=idle_minutes)
        self._scheduler = BackgroundScheduler(
            timezone="UTC",
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": 300},
        )

    def start(self) -> None:
        self._scheduler.add_listener(_log_error, EVENT_JOB_ERROR)
        self._scheduler.add_job(self.close_idle_sessions, "interval", seconds=SESSION_EVERY_S, id="sessions", replace_existing=True)
        self._scheduler.add_job(
            self._store.database.checkpoint, "interval", seconds=CHECKPOINT_EVERY_S, id="checkpoint", replace_existing=True
        )
        self._scheduler.start()

    def stop(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)

    def close_idle_sessions(self) -> int:
        """Close the session of every chat whose newest message is older than the idle time; how many were newly closed."""
        before = datetime.now(UTC) - self._idle
        return self._store.chats.close_idle_sessions(before=before)


def _log_error(event: JobExecutionEvent) -> None:
    log.error("upkeep %s failed: %s", event.job_id, event.exception)
