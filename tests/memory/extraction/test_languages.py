"""What is neither English nor Chinese is not read as if it were."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory.extraction.languages import is_read
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "text",
    [
        "Ich wohne in Bremen und habe zwei Ziegen.",
        "Vivo en Toledo con mi hermana.",
        "J'habite à Lille avec mon frère.",
        "Ik woon in Gent met mijn hond.",
        "Abito a Bari con mia sorella.",
        "Я живу в Твери с братом.",
        "私は奈良に住んでいます。",
        "저는 부산에 살아요.",
        "أعيش في القاهرة مع أخي.",
    ],
)
def test_other_languages_are_left_alone(text: str) -> None:
    assert not is_read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Den Haag.",
        "José is my brother.",
        "Otto.",
        "lol ok",
        "Hola! I live in Toledo with mi familia.",
        "",
        "我喜欢看《君の名は》这部电影。",
        "c'est la vie, I said",
    ],
)
def test_a_word_of_another_language_makes_no_other_language(text: str) -> None:
    assert is_read(text)


def test_reading_english_loads_no_torch_and_leaves_it_to_others() -> None:
    script = """
import sys
from datetime import UTC, datetime
from memory.extraction.grounded import _extractor
from memory.extraction.draft import Line
line = Line("My aunt Wilma breeds blue lobsters in a quarry.", "Mara", "Aurel", True, datetime(2024, 6, 12, tzinfo=UTC))
assert [f.text for f in _extractor("en")(line).facts] == ["Mara's aunt Wilma breeds blue lobsters in a quarry."]
assert "torch" not in sys.modules
import torch
assert torch.ones(2).sum() == 2
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
