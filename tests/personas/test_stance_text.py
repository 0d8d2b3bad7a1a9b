"""Stances as they are typed into a form: read, written back, and refused with the line that is at fault."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import KeepsakeError
from personas import stance_text
from personas.cast import built_in
from personas.record import Stance
from personas.stance_text import StanceTwice
from tests.pace import STEADY, eightfold

TYPED = """
{{user}} leaves before anybody can leave {{user}}.
- {{user}} moves house again and again / {{user}} moved for the fourth time
  –  {{user}} cancels dinner with friends

{{user}}移栽得太勤。
－{{user}}今年又搬了家／{{user}}又换了住处
• {{user}}躺了一整天
"""


def test_a_judgment_stands_on_a_line_with_its_examples_under_it() -> None:
    assert stance_text.read(TYPED, field="stances") == (
        Stance(
            "{{user}} leaves before anybody can leave {{user}}.",
            (("{{user}} moves house again and again", "{{user}} moved for the fourth time"), ("{{user}} cancels dinner with friends",)),
        ),
        Stance("{{user}}移栽得太勤。", (("{{user}}今年又搬了家", "{{user}}又换了住处"), ("{{user}}躺了一整天",))),
    )
    assert stance_text.read(" \n\n", field="stances") == ()


@pytest.mark.parametrize("character", built_in(), ids=lambda c: c.id)
def test_what_the_cast_has_can_be_typed(character: object) -> None:
    stances = next(c for c in built_in() if c is character).stances
    assert stance_text.read(stance_text.as_written(stances), field="stances") == stances


LINE = st.text(st.characters(categories=("L", "N", "Zs")), min_size=1, max_size=30).map(lambda t: " ".join(t.split())).filter(bool)


@given(
    st.lists(
        st.builds(
            Stance,
            LINE,
            st.lists(st.lists(LINE, min_size=1, max_size=3, unique_by=str.casefold).map(tuple), min_size=2, max_size=3).map(tuple),
        ),
        max_size=3,
        unique_by=lambda s: s.statement.casefold(),
    ).filter(lambda stances: all(len({w.casefold() for c in s.cues for w in c}) == sum(map(len, s.cues)) for s in stances))
)
def test_what_is_written_is_read_back(stances: list[Stance]) -> None:
    assert stance_text.read(stance_text.as_written(stances), field="stances") == tuple(stances)


@pytest.mark.parametrize(
    ("typed", "code", "line"),
    [
        ("- moves house", "stance_headless", 1),
        ("Leaves first.\n- moves house", "stance_alone", 1),
        ("Leaves first.", "stance_alone", 1),
        ("Leaves first.\n-\n- moves house", "stance_alone", 2),
        ("Leaves first.\n- moves house\n- MOVES HOUSE", "stance_twice", 3),
        ("Leaves first.\n- a\n- b\n\nleaves first.\n- c\n- d", "stance_twice", 5),
        ("x" * 401 + "\n- a\n- b", "stance_too_long", 1),
        ("Leaves first.\n- a\n- " + "x" * 201, "stance_too_long", 3),
        ("Leaves first.\n- " + " / ".join(f"w{n}" for n in range(13)), "stances_too_many", 2),
        ("Leaves first.\n" + "\n".join(f"- c{n}" for n in range(21)), "stances_too_many", 1),
        ("\n".join(f"s{n}\n- a\n- b" for n in range(101)), "stances_too_many", 301),
    ],
)
def test_what_cannot_stay_is_refused_with_its_line(typed: str, code: str, line: int) -> None:
    with pytest.raises(KeepsakeError) as refused:
        stance_text.read(typed, field="stances")
    assert (refused.value.code, refused.value.params["field"], refused.value.params["line"]) == (code, "stances", line)


@given(st.text(st.sampled_from("ab-/ \n{}领会－"), max_size=60))
def test_whatever_is_typed_is_read_or_refused(typed: str) -> None:
    found: tuple[Stance, ...] = ()
    with contextlib.suppress(KeepsakeError):
        found = stance_text.read(typed, field="stances")
    assert stance_text.read(stance_text.as_written(found), field="stances") == found


ODD = (
    Stance("- Leaves before anybody can leave.", (("moves house",), ("cancels / postpones dinner", "is late"))),
    Stance("* Keeps  count", (("keeps ledgers／lists",),)),
    Stance("Plain.", (("- a dash", "•"), ("two",))),
)
"""As cards of other programs may have them."""


def test_what_stands_in_a_form_as_it_was_stays_while_something_else_is_changed() -> None:
    def changed(text: str) -> tuple[Stance, ...]:
        return stance_text.read(text, field="stances", before=ODD)

    written = stance_text.as_written(ODD)
    fresh = Stance("Fresh.", (("a",), ("b", "c")))
    assert changed(written) == ODD
    assert changed(f"{written}\n\n{stance_text.as_written([fresh])}") == (*ODD, fresh)
    assert changed(f"{stance_text.as_written([fresh])}\n\n{written}") == (fresh, *ODD)
    assert changed(stance_text.as_written(ODD[::-1])) == ODD[::-1]
    assert changed(stance_text.as_written([ODD[0], replace(ODD[2], statement="Plainer."), ODD[1]])) == (
        ODD[0],
        Stance("Plainer.", (("- a dash", "•"), ("two",))),
        ODD[1],
    )
    assert changed(written.replace("- moves house\n", "- moves house\n- sells it\n").removeprefix("- ").split("\n\n")[0]) == (
        Stance("Leaves before anybody can leave.", (("moves house",), ("sells it",), ("cancels", "postpones dinner", "is late"))),
    )
    with pytest.raises(StanceTwice):
        changed(f"{written}\n\n{written}")
    with pytest.raises(StanceTwice):
        changed(f"{written}\n\n- two")


@pytest.mark.parametrize("form", ["a{}\n", "- a{}\n", "- a / b{} /", " / a{}"])
def test_a_text_of_megabytes_is_refused_at_once(form: str) -> None:
    typed = {
        times: "Leaves first.\n" + "- " * (form[0] == " ") + "".join(form.format(n) for n in range(times * 50_000)) for times in (1, 8)
    }

    def read(times: int) -> None:
        with pytest.raises(KeepsakeError):
            stance_text.read(typed[times], field="stances")

    assert eightfold(read, 1) < STEADY
