"""A player who narrates their own character: what it says between quotation marks, and what lasts of what is told of it by name."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of, said, values_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ('Mara rummages in her coat. "Thanks, but I can\'t stand fennel."', ["Mara can't stand fennel."]),
        ('Mara drops the oars and swears. "I owe my uncle nine crowns," she says.', ["Mara owes their uncle nine crowns."]),
        ('Mara\'s hands shake. "I left my brother in Riga."', ["Mara left their brother in Riga."]),
        (
            'Mara has been a lamp lighter in Leith for eleven years and has fallen off them. "Hand me that."',
            ["Mara has been a lamp lighter in Leith for eleven years."],
        ),
        ('"Hand me that." Mara is allergic to mustard, and she shows him the bracelet.', ["Mara is allergic to mustard."]),
        (
            '"Hm." Mara has two brothers and a stammer. She lives in the old mill.',
            ["Mara has two brothers and a stammer.", "Mara lives in the old mill."],
        ),
        ("*Mara has been deaf in one ear since the siege.* Speak up.", ["Mara has been deaf in one ear since the siege."]),
    ],
)
def test_speech_behind_narration_and_what_lasts_of_it(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts
    assert all(fact.quote in text for fact in said(text).facts)


def test_they_are_values_too() -> None:
    assert values_of('Mara Lind is thirty-one. "Well?" Mara works as a nurse at the harbour.') == {
        ("age", "thirty-one"),
        ("occupation", "nurse"),
    }
    assert values_of('Mara rummages in her coat. "I\'m from Ghent."') == {("hometown", "Ghent")}


@pytest.mark.parametrize(
    "text",
    [
        '"Sit." Mara has a knife in her hand. She is a mess.',
        '"Sit." Mara hates this place. She has been waiting for hours.',
        '"Come in." He has been a sailor for nine years.',
        '"Come in." Mara looks at Tom. Tom has two brothers.',
        '"Come in." Mara looks up at Tom. He leans back. He has two brothers.',
    ],
)
def test_what_is_done_in_the_scene_and_others_are_not(text: str) -> None:
    assert facts_of(text) == []
    assert values_of(text) == set()


def test_words_of_others_stay_theirs() -> None:
    assert values_of('My aunt called. "I\'m from Ghent," she said.') == {("family", "aunt")}
    assert values_of('Tom rummages in his coat. "I\'m from Ghent."') == set()
