"""Bodies of requests: what a page sends with a large file is read, and what would be made of brackets by the million is not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from ui.requests import SMALL_BYTES, is_plain

LARGE = 16 * 2**20
SOON_S = 2.0
"""Of the processor."""


@pytest.mark.parametrize(
    "text",
    [
        lambda: '{"memories": [{"text": "“\\n\\\\ \\" 花 ["}]} ' * (LARGE // 40),
        lambda: "x" * LARGE,
        lambda: '\\"' * (LARGE // 2),
        lambda: "[{" * (LARGE // 2),
    ],
    ids=range(4),
)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_file_as_a_text_is_read(text: Callable[[], str], indent: int | None) -> None:
    body = json.dumps(
        {"do": "take", "of": "", "file": text(), "edition": -12, "chosen": "1,2", "on": True, "no": None}, indent=indent
    ).encode()
    began = time.process_time()
    assert is_plain(body)
    assert time.process_time() - began < SOON_S


@pytest.mark.parametrize(
    "body",
    [
        lambda: b"[" + b"[]," * (LARGE // 3),
        lambda: b'{"file": ' + b"[" * LARGE,
        lambda: b'{"file": {' + b'"a":{},' * (LARGE // 8),
        lambda: b"{" + b'"a":1,' * (LARGE // 6) + b"}",
        lambda: b'{"file": "' + b"\\" * (LARGE + 1),
        lambda: b"{" + b" " * LARGE,
        lambda: b'{"file": "' + b'\\"' * (LARGE // 2),
    ],
    ids=range(7),
)
def test_a_large_body_of_anything_else_is_not(body: Callable[[], bytes]) -> None:
    made = body()
    began = time.process_time()
    assert not is_plain(made)
    assert time.process_time() - began < SOON_S


def test_what_is_small_is_read_whatever_it_holds() -> None:
    assert is_plain(b"[" * SMALL_BYTES)
    assert not is_plain(b"[" * (SMALL_BYTES + 1))
