"""Units, chapters and arcs: when they close, and which sentences tell them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.narrative import ARC, ARC_ROUNDS, CHAPTER, CHAPTER_ROUNDS, PRESETS, THETA_1, Division, Span, choose, ends_unit, slot_of

PAPER = Division()
SHORT = Division(PRESETS["short"])


def closed(rounds: int, division: Division = PAPER) -> Counter[int]:
    """Tiers closed by a path of rounds 0 .. rounds."""
    return Counter(span.tier for last in range(rounds) for span in division.closed_by(last, last + 1))


def test_six_hundred_rounds_make_a_hundred_units_twenty_chapters_and_four_arcs() -> None:
    assert closed(600) == {1: 100, CHAPTER: 20, ARC: 4}


def test_thirty_rounds_make_one_chapter() -> None:
    assert closed(29)[CHAPTER] == 0
    assert closed(30)[CHAPTER] == 1
    assert PAPER.closed_by(29, 30) == [Span(1, 24, 29), Span(CHAPTER, 0, 29)]


def test_a_short_story_of_forty_rounds_has_three_chapters_and_one_arc() -> None:
    assert closed(40, SHORT) == {1: 6, CHAPTER: 3, ARC: 1}
    assert [s for s in SHORT.closed(40) if s.tier == CHAPTER] == [Span(CHAPTER, 0, 11), Span(CHAPTER, 12, 23), Span(CHAPTER, 24, 35)]


def test_a_chapter_closed_early_cuts_its_unit_and_the_rest_of_it_begins_the_next() -> None:
    division = Division(ends=frozenset({20}))
    assert division.closed_by(20, 21) == [Span(1, 18, 20), Span(CHAPTER, 0, 20)]
    assert division.closed_by(23, 24) == [Span(1, 21, 23)]
    # 21-23, 24-29, 30-35, 36-41, 42-47 are the five units of the second chapter; from there on chapters have thirty rounds again.
    assert [s for s in division.closed(78) if s.tier == CHAPTER] == [Span(CHAPTER, 0, 20), Span(CHAPTER, 21, 47), Span(CHAPTER, 48, 77)]


def test_five_chapters_are_an_arc_however_long_they_are() -> None:
    division = Division(ends=frozenset({4, 20, 21}))
    (arc,) = [s for s in division.closed(120) if s.tier == ARC]
    assert (arc.first, arc.last) == (0, 77)
    assert [(c.first, c.last) for c in arc.chapters] == [(0, 4), (5, 20), (21, 21), (22, 47), (48, 77)]


def test_what_is_open_follows_from_what_is_closed() -> None:
    division = Division(ends=frozenset({20}), begun=21)
    assert division.open_from == 21
    assert division.open_units(20) == []
    later = Division(ends=frozenset({20}), begun=31)
    assert later.open_units(31) == [Span(1, 21, 23), Span(1, 24, 29), Span(1, 30, 31)]
    assert Division(begun=0).open_units(0) == [Span(1, 0, 0)]


ENDS = st.frozensets(st.integers(1, 400), max_size=12)


@given(ENDS, st.sampled_from(sorted(PRESETS)), st.integers(0, 400))
def test_chapters_follow_each_other_without_a_gap_and_what_comes_later_moves_none(ends: frozenset[int], preset: str, before: int) -> None:
    division = Division(PRESETS[preset], ends)
    now, later = division.closed(before), Division(PRESETS[preset], ends | {before + 3}).closed(before + 40)
    assert later[: len(now)] == now
    for tier in (1, CHAPTER, ARC):
        spans = [s for s in now if s.tier == tier]
        assert [s.first for s in spans] == [0, *(s.last + 1 for s in spans)][: len(spans)]
        assert all(s.first <= s.last < before for s in spans)
    # A task stands at the end of every full unit and at every early end: no piece closes anywhere else.
    assert all(s.last in ends or ends_unit(s.last, s.last + 1) for s in now)


@given(ENDS, ENDS)
def test_pieces_that_are_told_from_something_else_have_places_of_their_own(ends: frozenset[int], others: frozenset[int]) -> None:
    both = [Division(PRESETS[p], e).closed(400) for p in PRESETS for e in (ends, others)]
    spans = {s for found in both for s in found if s.tier >= CHAPTER}
    assert len({slot_of(s) for s in spans}) == len(spans)


def test_the_places_of_the_papers_pieces_are_named_by_where_they_begin() -> None:
    """Folders of earlier versions know them by these names."""
    assert {slot_of(s) for s in PAPER.closed(151) if s.tier >= CHAPTER} == {f"plot:2:{n}" for n in (0, 30, 60, 90, 120)} | {"plot:3:0"}
    assert (THETA_1, CHAPTER_ROUNDS, ARC_ROUNDS) == (6, 30, 150)


def test_a_hole_at_the_border_closes_the_piece_all_the_same() -> None:
    assert PAPER.closed_by(27, 31) == [Span(1, 24, 29), Span(CHAPTER, 0, 29)]


@given(st.lists(st.integers(0, 900), min_size=2, max_size=40, unique=True))
def test_every_piece_is_closed_once_however_the_rounds_lie(rounds: list[int]) -> None:
    path = sorted(rounds)
    spans = [span for last, following in pairwise(path) for span in PAPER.closed_by(last, following)]
    assert len(spans) == len(set(spans))
    for span in spans:
        assert span.first <= max(r for r in path if r <= span.last)


def unit(rows: list[list[float]]) -> np.ndarray:
    made = np.asarray(rows, dtype=np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_few_sentences_are_all_told() -> None:
    assert choose(unit([[1, 0], [0, 1]]), most=4) == [0, 1]
    assert choose(np.zeros((0, 2), dtype=np.float32), most=4) == []


def test_of_look_alikes_one_is_told() -> None:
    rows = [[1, 0, 0.01], [1, 0, 0], [1, 0.01, 0], [0, 1, 0], [0, 1, 0.01], [0, 0.01, 1]]
    chosen = choose(unit(rows), most=3)
    assert {0 if i < 3 else 1 if i < 5 else 2 for i in chosen} == {0, 1, 2}


def test_what_happened_on_a_day_is_told_before_its_like() -> None:
    rows = [[1, 0.1, 0], [1, 0, 0.1], [0, 1, 0], [0, 0, 1]]
    assert 0 in choose(unit(rows), most=2)
    assert 1 in choose(unit(rows), most=2, weights=[0, 0.3, 0, 0])
    assert 0 not in choose(unit(rows), most=2, weights=[0, 0.3, 0, 0])


@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 1000))
def test_the_choice_is_in_order_without_repeats_and_the_same_each_time(n: int, most: int, seed: int) -> None:
    vectors = unit(np.random.default_rng(seed).normal(size=(n, 8)).tolist())
    chosen = choose(vectors, most=most)
    assert chosen == sorted(set(chosen)) == choose(vectors, most=most)
    assert len(chosen) == min(n, most)
