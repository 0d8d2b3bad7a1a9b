"""Of what a model drafts only what a form can take is put into it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from personas.record import MAX_STATEMENT_CHARS, Stance
from personas.stance_drafts import DraftedStances, usable
from personas.stance_text import read

TWO = [["{{user}} moved again", "{{user}} packs for the fourth time"], ["{{user}} cancels dinner"]]


def answered(*stances: tuple[str, object]) -> DraftedStances:
    return DraftedStances.model_validate_json(json.dumps({"stances": [{"statement": s, "examples": e} for s, e in stances]}))


def test_what_can_stand_is_written_as_a_form_is() -> None:
    drafted = usable(answered(("{{user}} leaves first.", TWO)), written=())
    assert drafted.text == "{{user}} leaves first.\n- {{user}} moved again / {{user}} packs for the fourth time\n- {{user}} cancels dinner"
    assert (drafted.kept, drafted.left_out) == (1, 0)


def test_what_is_not_about_the_player_there_already_or_alone_is_left_out() -> None:
    there = Stance("{{user}} leaves first.", (("{{user}} a",), ("{{user}} b",)))
    drafted = usable(
        answered(
            ("Everybody leaves.", TWO),
            ("{{USER}} leaves first.", TWO),
            ("{{user}} hides it.", [["{{user}} laughs"], ["She laughs"]]),
            ("{{user}} hides it.", [["{{user}} laughs"], ["{{User}}  LAUGHS"]]),
            ("{{user}} and {{random::a,b}} hide it.", TWO),
            ("{{user}} " + "x" * MAX_STATEMENT_CHARS, TWO),
            ("- {{ user }} hides\nit.", ["{{user}} laughs / {{user}} jokes", "{{user}} jokes", "• {{user}} waits"]),
            ("{{user}} hides it.", TWO),
        ),
        written=[there],
    )
    assert drafted.text == "{{user}} hides it.\n- {{user}} laughs / {{user}} jokes\n- {{user}} waits"
    assert (drafted.kept, drafted.left_out) == (1, 7)


_PIECES = st.lists(
    st.sampled_from(
        ["{{user}}", "{{ USER }}", "{{char}}", "}}", "/", "／", " / ", "-", "•", "\n", "\u2028", "\x00", " ", "a", "旅", "x" * 150]
    ),
    max_size=9,
).map("".join)


@given(st.lists(st.tuples(_PIECES, st.lists(st.lists(_PIECES, max_size=14) | _PIECES, max_size=24)), max_size=12))
def test_whatever_is_drafted_the_form_takes_and_reads_back_the_same(stances: list[tuple[str, object]]) -> None:
    written = (Stance("{{user}} a", (("{{user}} b",), ("{{user}} c",))),)
    drafted = usable(answered(*stances), written=written)
    assert (drafted.kept + drafted.left_out) == len(stances)
    kept = read(f"{{{{user}}}} a\n- {{{{user}}}} b\n- {{{{user}}}} c\n\n{drafted.text}", field="stances")
    assert len(kept) == drafted.kept + 1
    assert all("{{user}}" in wording for stance in kept for cue in stance.cues for wording in cue)
