from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.language import LANGUAGES, preferred_language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("de,fr;q=0.9", "en"),
        ("de,zh-TW;q=0.5", "zh"),
        ("en;q=0.3, zh;q=0.7", "zh"),
        ("ZH-hans", "zh"),
        ("zh;q=0, en;q=0.1", "en"),
        ("*", "en"),
        ("zhx", "en"),
        ("zh;q=much, en;q=0.1", "en"),
    ],
)
def test_the_language_a_browser_likes_best(header: str, language: str) -> None:
    assert preferred_language(header) == language


@given(st.text(max_size=2000))
def test_any_header_gives_a_language_of_ours(header: str) -> None:
    assert preferred_language(header) in LANGUAGES
