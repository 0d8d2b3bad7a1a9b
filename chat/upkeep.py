"""Timed upkeep, by APScheduler: sessions that ended by silence are closed, the write-ahead log is folded in, backups are made,
exports that nobody fetched are removed, room on a full disk is looked for, memory that is free is given back."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from apscheduler.events import EVENT_JOB_ERROR, JobExecutionEvent
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

import machine
from chat.ending import end_session
from chat.portable import KEPT_S
from errors import KeepsakeError
from memory.engine import EXTRACTION, mend_task
from storage.backup import Backups
from storage.database import left_for_later
from storage.scope import Scope
from storage.store import Store

log = logging.getLogger(__name__)

SESSION_EVERY_S = 60
ROOM_EVERY_S = 20
CHECKPOINT_EVERY_S = 300
TRIM_EVERY_S = 120
"""What is free in the C library's arenas, one for each few threads, stays resident for ever otherwise: 30 of 1,175 MB after 780 replies."""
BACKUP_LOOK_EVERY_S = 600
"""How often it is looked whether a backup is due: a program that runs for an hour a day must come to it too."""


def catch_up(store: Store) -> int:
    """Queue the reading of chats that this version of extraction has not read (a data folder of an older program); how many chats."""
    unread = store.derivations.chats_unread(version=EXTRACTION)
    for user_id, chat_id in unread:
        scope = Scope.of(user_id, chat_id)
        with store.database.write():
            for branch in store.branches.all(scope):
                store.tasks.join(scope, mend_task(branch.id, first_round=0), least="first_round")
    return len(unread)


class Upkeep:
    """idle_minutes: silence that ends a session; backup_hours: between two backups, 0 for none."""

    def __init__(self, store: Store, *, idle_minutes: int, backups: Backups, backup_hours: float) -> None:
        self._store = store
        self._backups = backups
        self._backup_every = timedelta(hours=backup_hours)
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
        self._scheduler.add_job(machine.give_back_memory, "interval", seconds=TRIM_EVERY_S, id="memory", replace_existing=True)
        self._scheduler.add_job(self.look_for_room, "interval", seconds=ROOM_EVERY_S, id="room", replace_existing=True)
        self._scheduler.add_job(self.clear_exports, "interval", seconds=KEPT_S, id="exports", replace_existing=True)
        if self._backup_every:
            soon = datetime.now(UTC) + timedelta(seconds=SESSION_EVERY_S)
            self._scheduler.add_job(
                self.back_up, "interval", seconds=BACKUP_LOOK_EVERY_S, next_run_time=soon, id="backup", replace_existing=True
            )
        self._scheduler.start()

    def stop(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)

    def close_idle_sessions(self) -> int:
        """Close the session of every chat whose newest message is older than the idle time; how many were newly closed.

        Its last round is final with that, so it is extracted from, and its topics are told.
        """
        closed = self._store.chats.idle(before=datetime.now(UTC) - self._idle)
        for user_id, chat_id in closed:
            scope = Scope.of(user_id, chat_id)
            with self._store.database.write():
                end_session(self._store, scope, self._store.chats.chat(scope).branch_id, by="idle")
        return len(closed)

    def look_for_room(self) -> None:
        """Where nothing could be written, find out whether it can be now, so that the page need not say so for longer than that."""
        if self._store.database.trouble is not None:
            with left_for_later():
                self._store.database.try_to_write()
                log.info("the data folder can be written again")

    def clear_exports(self) -> None:
        """Remove exported chats that nobody fetched."""
        self._store.folder.clear_exports(older_than_s=KEPT_S)

    def back_up(self) -> bool:
        """Make a backup if one is due; whether one was made. Too little room or a damaged database is logged, and tried again."""
        if not self._backups.due(self._backup_every):
            return False
        try:
            made = self._backups.make()
        except KeepsakeError as error:
            log.warning("%s", error)
            return False
        if made:
            log.info("backup %s: %.1f MB", made.path.name, made.bytes / 1e6)
        return made is not None


def _log_error(event: JobExecutionEvent) -> None:
    log.error("upkeep %s failed: %s", event.job_id, event.exception)
