"""What stands between a handler and the page: expected failures become a sentence in the banner, unexpected ones a logged trace and a plain sentence."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from errors import KeepsakeError
from metrics import LAST_FAILURE
from ui import values
from ui.painter import Updates

log = logging.getLogger(__name__)


def trouble(error: Exception) -> values.Value:
    """The banner's value for an error that ended a handler. One that nobody expected is written to the log with its trace."""
    if isinstance(error, KeepsakeError):
        return values.banner(error)
    LAST_FAILURE.note(error)
    log.error("a request of the page failed unexpectedly", exc_info=error)
    return values.unexpected()


def attempt(banner: Any, work: Callable[[], Updates]) -> Updates:
    """What `work` returns, or the banner with why it failed."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # the page's border: `trouble` logs what it does not know, and the reader is told
        return {banner: trouble(error)}
