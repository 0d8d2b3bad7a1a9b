"""A temporary conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chat.views.conversation import JobView


@dataclass(frozen=True)
class PassingMessageView:
    role: str
    """`user` or `character`."""
    name: str
    text: str
    status: str
    """As that of a kept message."""


@dataclass(frozen=True)
class PassingView:
    token: str
    """What it is called by; it is known nowhere else."""
    character_name: str
    language: str
    messages: tuple[PassingMessageView, ...]
    """Oldest first."""
    job: JobView | None
    """The reply on its way."""
    error_code: str
    """Why the last one failed, or empty."""
    error_params: Mapping[str, object]
