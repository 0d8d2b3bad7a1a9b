"""Figures of agreement against reference implementations and published examples, and where they are not defined."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotation.agreement import NO_UNITS, ONE_LABEL, Doubled, Figure, agreement, alpha_nominal, cohen_kappa
from annotation.matching import likeness, match, parts
from tests.annotation.invented import CATEGORIES, point


def by_name(figures: list[Figure]) -> dict[str, Figure]:
    return {one.name: one for one in figures}


def test_alpha_of_the_published_example_is_the_published_value() -> None:
    """Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", C: four observers, twelve units, missing values; alpha = 0.743."""
    rows = [
        (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
        (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
        (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
        (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
    ]
    units = Counter(tuple(value for value in unit if value is not None) for unit in zip(*rows, strict=True))
    assert alpha_nominal(units) == pytest.approx(0.743, abs=0.0005)


def test_alpha_of_two_observers_worked_by_hand() -> None:
    """Ten units of two labels (the same paper, A): 4 of them disagree, n = 20, n0 = 14, n1 = 6: 1 - 19 * 8 / (2 * 14 * 6)."""
    a, b = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    assert alpha_nominal(Counter(zip(a, b, strict=True))) == pytest.approx(1 - 19 * 8 / (2 * 14 * 6))
    assert alpha_nominal(Counter(zip(a, b, strict=True))) == pytest.approx(0.095, abs=0.0005)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=60))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    ours = cohen_kappa(Counter(pairs))
    if len({label for pair in pairs for label in pair}) == 1:
        assert ours is None
    else:
        assert ours == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)))


def test_points_are_paired_one_to_one_and_as_many_as_can_be() -> None:
    a = [point("one", [1, 2]), point("two", [2]), point("nine", [9, 10])]
    b = [point("a one", [2]), point("the nine", [9, 10, 11])]
    assert match(a, b) == [(1, 0), (2, 1)]
    assert match(a, b, threshold=1.0) == [(1, 0)]
    both = match([point("x", [1]), point("y", [1, 2])], [point("x", [1, 2]), point("y", [2])])
    assert len(both) == 2, "a greedy pairing would find one"


def test_a_pair_more_is_worth_more_than_better_ones() -> None:
    same = range(1, 21)
    a = [point("The boat is red.", list(same)), point("Oda waits.", [20, *range(200, 300)])]
    b = [point("The boat is red.", list(same)), point("Kim flew off.", [1, *range(100, 200)])]
    assert match(a, b, threshold=0.0) == [(0, 1), (1, 0)]
    assert match(a, b) == [(0, 0)]


def test_among_points_of_one_message_the_words_decide() -> None:
    a = [point("Oda marries in June", [21]), point("She promised Oda the lanterns", [21])]
    b = [point("She has promised the lanterns to Oda", [21]), point("Oda will marry in June", [21])]
    assert match(a, b) == [(0, 1), (1, 0)]
    assert likeness("玛伦怕梯子", "玛伦害怕梯子") > 0.5 > likeness("玛伦怕梯子", "她的船叫耐心")


def test_full_agreement_needs_the_same_thing_said() -> None:
    (same,) = parts([point("Maren fears ladders", [5])], [point("Maren fears ladders.", [5])])
    (other,) = parts([point("Maren fears ladders", [5])], [point("Her boat is called Patience", [5])])
    (category,) = parts([point("Maren fears ladders", [5])], [point("Maren fears ladders", [5], "Event")])
    assert (same.agreed, other.agreed, category.agreed) == (True, False, False)


def test_the_figures_of_a_small_case_worked_by_hand() -> None:
    a = [point("bakery", [3]), point("marzipan", [57], "Preference"), point("observatory", [143], "Event")]
    b = [point("bakery", [3]), point("marzipan", [57]), point("ladders", [255])]
    found = by_name(agreement([Doubled(a, b, 300)], CATEGORIES))
    assert (found["f1"].value, found["f1"].n) == (pytest.approx(2 * 2 / 6), 4)
    assert (found["kappa_category"].value, found["kappa_category"].n) == (pytest.approx(0.0), 2)
    assert found["alpha_turns"].value == pytest.approx(1 - 599 * 2 * 2 / (2 * 6 * 594))
    assert found["alpha_turns"].n == 300
    for figure in found.values():
        if figure.low is not None and figure.high is not None and figure.value is not None:
            assert figure.low <= figure.value <= figure.high


def test_what_is_not_defined_says_why() -> None:
    nothing = by_name(agreement([], CATEGORIES))
    assert {(one.value, one.why) for one in nothing.values()} == {(None, NO_UNITS)}
    bare = by_name(agreement([Doubled([], [], 40)], CATEGORIES))
    assert (bare["f1"].value, bare["f1"].why) == (None, NO_UNITS)
    assert (bare["alpha_turns"].value, bare["alpha_turns"].why, bare["alpha_turns"].n) == (None, ONE_LABEL, 40)
    alike = by_name(agreement([Doubled([point("x", [1])], [point("x", [1])], 40)], CATEGORIES))
    assert (alike["kappa_category"].value, alike["kappa_category"].why) == (None, ONE_LABEL)
    assert alike["alpha_turns"].value == 1


def test_the_same_seed_gives_the_same_interval() -> None:
    doubled = [Doubled([point(f"a{n}", [n]) for n in range(1, 20)], [point(f"b{n}", [n]) for n in range(8, 30)], 60)]
    assert agreement(doubled, CATEGORIES, seed=3) == agreement(doubled, CATEGORIES, seed=3)
    assert agreement(doubled, CATEGORIES, seed=3) != agreement(doubled, CATEGORIES, seed=4)
