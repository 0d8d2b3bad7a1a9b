"""What every test of the evaluation begins with."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _one_question_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripted models answer in the order they are asked; that several are asked at once is a test of its own."""
    monkeypatch.setenv("KEEPSAKE_EVALUATION_PARALLEL", "1")
