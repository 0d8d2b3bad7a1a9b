"""What one does not take and how one's body is for good: the plainest statements, and those whom it would harm to forget."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of, values_of


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("I don't drink.", "Mara doesn't drink.", ("habits", "don't drink")),
        ("I don't smoke any more.", "Mara doesn't smoke any more.", ("habits", "don't smoke")),
        ("Not for me. I don't drink, not any more.", "Mara doesn't drink, not any more.", ("habits", "don't drink")),
        ("no thanks, i dont drink", "Mara doesn't drink.", ("habits", "dont drink")),
        ("I don't gamble, sorry.", "Mara doesn't gamble.", ("habits", "don't gamble")),
        ("I don't smoke and I don't drink, you know.", "Mara doesn't smoke.", ("habits", "don't smoke")),
        ("I don't drink or smoke.", "Mara doesn't drink or smoke.", ("habits", "don't drink or smoke")),
        ("I'm lactose intolerant.", "Mara is lactose intolerant.", ("allergies", "lactose intolerant")),
        ("I'm gluten intolerant, so no cake.", "Mara is gluten intolerant.", ("allergies", "gluten intolerant")),
        ("I'm intolerant to dairy.", "Mara is intolerant to dairy.", ("allergies", "intolerant to dairy")),
        ("I have a fructose intolerance.", "Mara has a fructose intolerance.", ("allergies", "fructose intolerance")),
        ("I can't have shellfish or milk.", "Mara can't have shellfish or milk.", ("food_disliked", "milk")),
        ("I'm coeliac.", "Mara is coeliac.", ("health", "coeliac")),
        ("I'm deaf in my left ear.", "Mara is deaf in their left ear.", ("health", "deaf in their left ear")),
        ("I've been blind in one eye since the fire.", "Mara has been blind in one eye since the fire.", ("health", "blind in one eye")),
        ("I get carsick.", "Mara gets carsick.", ("health", "get carsick")),
        ("I'm scared of deep water now, you know.", "Mara is scared of deep water now.", ("fears", "deep water")),
    ],
)
def test_what_it_would_harm_to_forget_is_a_fact_and_a_value(text: str, fact: str, value: tuple[str, str]) -> None:
    assert fact in facts_of(text)
    assert value in values_of(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I've been deaf on this side ever since.", "Mara has been deaf on one side ever since."),
        ("I lost these two toes to frost.", "Mara lost two toes to frost."),
        ("I get grumpy when I'm hungry.", "Mara gets grumpy when Mara is hungry."),
        ("Walnuts make me ill.", "Walnuts make Mara ill."),
        ("My uncle doesn't drink.", "Mara's uncle doesn't drink."),
        ("I don't drive.", "Mara doesn't drive."),
    ],
)
def test_so_is_what_has_no_key(text: str, fact: str) -> None:
    assert facts_of(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "I don't drink much.",
        "I don't really drink.",
        "I don't drink tonight.",
        "I don't drink and drive.",
        "I don't smoke in the house.",
        "I don't drink when I'm on call.",
        "If I don't drink, I sleep better.",
        "I can't have lunch today.",
        "I can't have coffee after six.",
        "I'm deaf to reason.",
        "I'm blind without my glasses.",
        "I'm deaf on this side.",
        "I'm not lactose intolerant.",
        "I'm intolerant of fools.",
        "I don't get seasick.",
        "You make me sick.",
    ],
)
def test_what_is_narrowed_or_denied_is_no_value(text: str) -> None:
    assert not {key for key, _ in values_of(text)} & {"habits", "allergies", "health", "food_disliked"}
