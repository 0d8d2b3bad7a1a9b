"""Keys of lorebooks that are regular expressions, written `/…/flags` as other programs have them.

They come from strangers, so they are run by RE2: its time grows with the text alone, whatever the expression, and its memory has a bound. What RE2 has not
(looking ahead or behind, references back) makes an expression one that calls nothing up; the page says so where it is written.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import Any

import re2

MAX_PATTERN_CHARS = 2_000
MAX_PATTERNS = 500
"""Looked for at one time."""
LIMIT_S = 0.25
"""Of the processor, for all of them together; a key takes far below a millisecond, one that is made to be slow ten."""
MEMORY_BYTES = 2**20
"""Of one expression."""
_WRITTEN = re.compile(r"/(?P<pattern>.+)/(?P<flags>[a-z]*)", re.DOTALL)
_FLAGS = frozenset("gimsuy")


class PatternUnknown(Exception):
    """What is written as a regular expression is none that can be run; says why."""


def is_pattern(key: str) -> bool:
    return _WRITTEN.fullmatch(key) is not None


def checked(key: str) -> None:
    """Raises PatternUnknown unless the key, which is a pattern by its shape, can be looked for."""
    _compiled(key)


class Patterns:
    """Looks for patterns in texts, as many and as long as one prompt may."""

    def __init__(self) -> None:
        self._left = MAX_PATTERNS
        self._spent = 0.0

    def stands(self, key: str, text: str) -> bool:
        """Whether an expression is found in a text; False for one that cannot be run, or once the limits are reached."""
        self._left -= 1
        if self._left < 0 or self._spent > LIMIT_S:
            return False
        began = time.thread_time()
        try:
            return _compiled(key).search(text) is not None
        except PatternUnknown:
            return False
        finally:
            self._spent += time.thread_time() - began


@lru_cache(maxsize=2_000)
def _written(key: str) -> Any:
    """The expression, or why there is none."""
    found = _WRITTEN.fullmatch(key)
    if found is None or len(key) > MAX_PATTERN_CHARS:
        return f"longer than {MAX_PATTERN_CHARS} characters"
    flags = found["flags"]
    if unknown := "".join(sorted(set(flags) - _FLAGS)):
        return f"unknown flags: {unknown}"
    options = re2.Options()
    options.max_mem = MEMORY_BYTES
    options.log_errors = False
    options.case_sensitive = "i" not in flags
    options.dot_nl = "s" in flags
    head = "(?m)" if "m" in flags else ""
    try:
        return re2.compile(head + found["pattern"], options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    except UnicodeError:
        return "half a character"


def _compiled(key: str) -> Any:
    made = _written(key)
    if isinstance(made, str):
        raise PatternUnknown(made)
    return made
