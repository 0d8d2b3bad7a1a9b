"""Short texts from before Unicode are known for what they are, whether an accent stands in them or another script."""

from __future__ import annotations

import pytest

from personas.encodings import encoding_of

WESTERN = [
    "Ann: café",
    "Ich wohne in Köln",
    "Ça va très bien, merci",
    "Mira: Ünal über Öl",
    "£20 – “yes”",
    "Não sei, amanhã irei à praia",
    "Zoë",
]


@pytest.mark.parametrize("text", WESTERN)
def test_accents_are_no_letters_of_another_script(text: str) -> None:
    assert encoding_of(text.encode("cp1252")) == "cp1252"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *(("小林：你好", encoding) for encoding in ("gb18030", "big5")),
        *(("我用iPhone的，你呢？OK吧，Mac也行", encoding) for encoding in ("gb18030", "big5")),
        ("Anna: Да, а что? Ну и я не знаю.", "cp1251"),
        ("アン：はい、元気です", "shift_jis"),
    ],
)
def test_another_script_is_known_by_its_words(text: str, encoding: str) -> None:
    assert encoding_of(text.encode(encoding)) == encoding


def test_a_letter_far_inside_a_long_text_is_found() -> None:
    assert encoding_of(b"a word and another " * 100_000 + "Größe".encode("cp1252")) == "cp1252"
