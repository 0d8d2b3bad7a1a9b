"""How the house stands: its work, its models, its index, what leaves it, what it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ReachView:
    """Where what is asked of a model goes."""

    what: str
    """`replies` or `memory`."""
    model: str
    reach: str
    """`here`, `network` or `elsewhere`."""
    host: str
    """Empty for a model inside of this program."""


@dataclass(frozen=True)
class KeptFilesView:
    """What stands on the disk; for whoever runs the program."""

    database_bytes: int
    index_bytes: int
    backup_at: datetime | None
    """When the newest was made, or found to be true still; None if there is none."""
    backup_bytes: int
    backups: int
    backup_hours: float
    """Between two; 0: none are made."""


@dataclass(frozen=True)
class HealthView:
    waiting: int
    running: int
    failed: int
    done: int
    """Since the queue was last empty."""
    total: int
    last_error: str
    memories: int
    """That the open branch of this conversation may see."""
    models: tuple[ReachView, ...]
    """Who replies, and who reads for memory if a language model does."""
    embedder: str
    cross_encoder: str
    cross_state: str
    reindexing: tuple[int, int] | None
    """(done, total) while memories are made findable by meaning anew; total is 0 before they were counted."""
    hub: bool
    """Model hubs may be reached."""
    open_page: bool
    """Other computers can reach the page."""
    accounts: bool
    files: KeptFilesView | None
    """None for whoever does not run the program."""
