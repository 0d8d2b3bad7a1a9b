"""What the sheet about the house's health is given."""

from __future__ import annotations

from chat import views
from ui.values import Value, marked, moment


def health(chat_id: str, view: views.HealthView) -> Value:
    files = view.files
    return marked(
        {
            "chat": chat_id,
            "waiting": view.waiting,
            "running": view.running,
            "failed": view.failed,
            "done": view.done,
            "total": view.total,
            "error": view.last_error,
            "memories": view.memories,
            "models": [{"what": m.what, "model": m.model, "reach": m.reach, "host": m.host} for m in view.models],
            "embedder": view.embedder,
            "cross": view.cross_encoder,
            "cross_state": view.cross_state,
            "reindexing": list(view.reindexing) if view.reindexing is not None else None,
            "hub": view.hub,
            "open_page": view.open_page,
            "accounts": view.accounts,
            "files": None
            if files is None
            else {
                "database": _rounded(files.database_bytes),
                "index": _rounded(files.index_bytes),
                "backup": moment(files.backup_at),
                "backup_size": _rounded(files.backup_bytes),
                "backups": files.backups,
                "hours": files.backup_hours,
            },
        }
    )


def _rounded(size: int) -> float:
    """Megabytes with one digit: a page is not to be drawn anew for every kilobyte."""
    return round(size / 1e6, 1)
