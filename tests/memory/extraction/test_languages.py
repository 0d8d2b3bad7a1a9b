"""What is neither English nor Chinese is not read as if it were."""

from __future__ import annotations

import pytest

from memory.extraction.languages import is_read


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
