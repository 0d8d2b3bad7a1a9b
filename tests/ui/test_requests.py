"""Bodies of requests: what a page sends with a large file is read, and what would be made of brackets by the million is not."""

from __future__ import annotations

import json
import time

import pytest

from ui.requests import SMALL_BYTES, is_plain

LARGE = 40 * 2**20


@pytest.mark.parametrize(
    "text",
    ['{"memories": [{"text": "“\\n\\\\ \\" 花 ["}]} ' * (LARGE // 40), "x" * LARGE, '\\"' * (LARGE // 2), "[{" * (LARGE // 2)],
    ids=range(4),
)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_file_as_a_text_is_read(text: str, indent: int | None) -> None:
    body = json.dumps(
        {"do": "take", "of": "", "file": text, "edition": -12, "chosen": "1,2", "on": True, "no": None}, indent=indent
    ).encode()
    began = time.process_time()
    assert is_plain(body)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"[]," * (LARGE // 3),
        b'{"file": ' + b"[" * LARGE,
        b'{"file": {' + b'"a":{},' * (LARGE // 8),
        b"{" + b'"a":1,' * (LARGE // 6) + b"}",
        b'{"file": "' + b"\\" * (LARGE + 1),
        b"{" + b" " * LARGE,
        b'{"file": "' + b'\\"' * (LARGE // 2),
    ],
    ids=range(7),
)
def test_a_large_body_of_anything_else_is_not(body: bytes) -> None:
    began = time.process_time()
    assert not is_plain(body)
    assert time.process_time() - began < 5


def test_what_is_small_is_read_whatever_it_holds() -> None:
    assert is_plain(b"[" * SMALL_BYTES)
    assert not is_plain(b"[" * (SMALL_BYTES + 1))
