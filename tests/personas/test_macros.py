"""Macros of cards: known ones are filled once, by chance that follows from a seed; everything else stays text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.macros import Macros
from tests.pace import STEADY, eightfold

NOW = datetime(2026, 11, 22, 8, 5, tzinfo=UTC)


def macros(*, language: str = "en", seed: str = "s", chat: str = "c", user: str = "Sam", char: str = "Odile") -> Macros:
    return Macros(user=user, char=char, language=language, now=NOW, seed=seed, chat=chat)


def filled(text: str, **changes: str) -> str:
    return macros(**changes).fill(text, place="description")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{user}} {{Char}} {{ BOT }} <USER> <bot>", "Sam Odile Odile Sam Odile"),
        ("{{{user}}} { {user} } {{us er}}", "{Sam} { Sam } {{us er}}"),
        ("{{time}}, {{DATE}}, {{weekday}}, {{isodate}} {{isotime}}", "08:05, 22 November 2026, Sunday, 2026-11-22 08:05"),
        ("a{{newline}}b{{noop}}c{{// a note}}{{comment: x}}{{hidden_key:y}}", "a\nbc"),
        ("{{reverse:abc}} {{reverse:{{user}}}}", "cba maS"),
        ("{{random:{{user}}}} {{pick: only }} {{random::a, b}}", "Sam only a, b"),
        ("{{random:a\\,b}}", "a,b"),
        ("{{unknown}} {{setvar::x::1}} {{random}} {{roll:many}} {{roll:0}} {{original}}", None),
        ("{{roll:101d6}} {{roll:d9999999}} {{user:x}} {{}} }} {{", None),
        (
            "{{random:}} {{pick::}} {{random a,b}} {{comment on it}} {{user {{char}}}}",
            "{{random:}} {{pick::}} {{random a,b}} {{comment on it}} {{user Odile}}",
        ),
        ("{{roll:1}} {{roll d1}} {{roll:3d1+4}} {{roll:2d1-5}}", "1 1 7 -3"),
    ],
)
def test_what_is_known_is_filled_and_the_rest_stays(text: str, said: str | None) -> None:
    assert filled(text) == (text if said is None else said)


def test_dates_are_said_in_the_language_of_the_character() -> None:
    assert filled("{{date}}，{{weekday}}", language="zh") == "2026年11月22日，星期日"


def test_original_stands_for_something_where_it_is_told() -> None:
    assert macros().fill("{{Original}} Be brief.", place="system_prompt", original="Stay {{char}}.") == "Stay {{char}}. Be brief."


def test_chance_follows_from_the_seed_and_picks_from_the_conversation() -> None:
    text = "{{random:a,b,c,d,e,f,g,h}}{{random:a,b,c,d,e,f,g,h}} {{roll:d1000}} {{pick:a,b,c,d,e,f,g,h}}{{pick:1,2,3,4,5,6}}"
    assert filled(text) == filled(text)
    replies = [filled(text, seed=str(n)) for n in range(40)]
    assert len({reply.split()[0] for reply in replies}) > 20
    assert len({reply.split()[1] for reply in replies}) > 30
    assert len({reply.split()[2] for reply in replies}) == 1
    assert len({filled(text, chat=str(n)).split()[2] for n in range(40)}) > 10
    assert {filled("{{roll:3d6}}", seed=str(n)) for n in range(300)} <= {str(n) for n in range(3, 19)}


def test_what_a_macro_becomes_is_no_macro() -> None:
    assert filled("{{user}}", user="{{char}}") == "{{char}}"
    assert filled("{{ {{user}} }}", user="roll:1") == "{{ roll:1 }}"
    assert filled("{{{{user}}:1}}", user="roll") == "{{roll:1}}"
    assert filled("{{random:{{user}}}}", user="{{roll:1}}") == "{{roll:1}}"


@given(st.text("{}:,ab </usercharollpick0123456789\\", max_size=200))
def test_any_text_can_be_filled_and_a_text_without_macros_is_itself(text: str) -> None:
    filled(text)
    plain = text.replace("{", "").replace("<", "")
    if "{{" not in plain:
        assert filled(plain) == plain


def test_many_open_braces_take_no_time() -> None:
    def filling(times: int) -> None:
        for text in ("{{" * times, "{{random:" * times + "}}" * times, "{{a " * times, "}}" * times):
            assert filled(text) is not None

    assert eightfold(filling, 10_000) < STEADY
