"""How the house stands, as the page shows it. Reads only; no model is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chat import views
from chat.operations import open_chat
from memory.engine import MemoryEngine
from models.reach import Destination
from storage.backup import Backups
from storage.store import Store


@dataclass(frozen=True)
class Household:
    """What is set for the whole house. replies, memory: where what is asked for replies, and for memory, goes now."""

    replies: Callable[[], Destination]
    memory: Callable[[], Destination | None]
    hub: bool
    open_page: bool
    accounts: bool
    backups: Backups
    backup_hours: float


class HealthLooks:
    def __init__(self, store: Store, engine: MemoryEngine, household: Household, *, status: Callable[[], views.StatusView]) -> None:
        self._store = store
        self._engine = engine
        self._household = household
        self._status = status

    def look(self, user_id: str, chat_id: str) -> views.HealthView:
        scope, chat = open_chat(self._store, user_id, chat_id)
        progress, queue = self._store.task_list.progress(scope), self._store.tasks.queue(scope)
        house, status = self._household, self._status()
        models = [_reach("replies", status.model_name, house.replies())]
        reader = house.memory()
        if reader is not None:
            models.append(_reach("memory", status.memory_model, reader))
        return views.HealthView(
            waiting=progress.waiting,
            running=progress.running,
            failed=progress.failed,
            done=progress.done,
            total=progress.total,
            last_error=queue.last_error,
            memories=len({i for mind in self._store.groups.minds(scope) for i in self._store.memories.visible(mind, chat.branch_id).ids}),
            models=tuple(models),
            embedder=status.embedder,
            cross_encoder=status.cross_encoder,
            cross_state=status.cross_state,
            reindexing=self._engine.reindexing,
            hub=house.hub,
            open_page=house.open_page,
            accounts=house.accounts,
            files=self._files() if self._runs_it(user_id) else None,
        )

    def _runs_it(self, user_id: str) -> bool:
        """Whether a user is whose computer this is: an admin, or everybody where there are no accounts."""
        if not self._household.accounts:
            return True
        account = self._store.accounts.of_user(user_id)
        return account is not None and account.role == "admin"

    def _files(self) -> views.KeptFilesView:
        folder, backups = self._store.folder, self._household.backups.all()
        newest = backups[0] if backups else None
        return views.KeptFilesView(
            database_bytes=sum(_size(path) for path in folder.root.glob(f"{folder.database.name}*")),
            index_bytes=sum(_size(path) for path in folder.index.rglob("*")),
            backup_at=datetime.fromtimestamp(newest.path.stat().st_mtime, UTC).replace(microsecond=0) if newest is not None else None,
            backup_bytes=newest.bytes if newest is not None else 0,
            backups=len(backups),
            backup_hours=self._household.backup_hours,
        )


def _reach(what: str, model: str, to: Destination) -> views.ReachView:
    return views.ReachView(what, model, to.reach.value, to.host)


def _size(path: Path) -> int:
    """Bytes of a file; of one that went meanwhile none."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
