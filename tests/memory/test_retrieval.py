"""Fusion: what was found by either search is ranked on one scale."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval import DENSE, FUSED, SPARSE, fuse


def _ids(**parts: dict[str, float]) -> list[str]:
    dense, sparse, context = (parts.get(name, {}) for name in ("dense", "sparse", "context"))
    births = {i: n for n, i in enumerate(sorted({*dense, *sparse}))}
    return [c.memory_id for c in fuse(dense=dense, sparse=sparse, context=context, births=births, recipe=FUSED)]


def test_agreement_of_both_searches_wins() -> None:
    assert _ids(dense={"a": 0.90, "b": 0.89, "c": 0.80}, sparse={"b": 5.0, "c": 1.0})[0] == "b"


def test_the_context_decides_only_between_equals() -> None:
    assert _ids(dense={"a": 0.8, "b": 0.8}, context={"a": 0.1, "b": 0.9}) == ["b", "a"]
    assert _ids(dense={"a": 0.9, "b": 0.8}, context={"a": 0.1, "b": 0.9}) == ["a", "b"]


def test_ties_go_to_the_older() -> None:
    assert _ids(dense={"b": 0.5, "a": 0.5}) == ["a", "b"]


def test_nothing_found_is_nothing_ranked() -> None:
    assert fuse(dense={}, sparse={}, context={}, births={}, recipe=FUSED) == []


_SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 30, allow_nan=False), max_size=8)


@given(dense=_SCORES, sparse=_SCORES)
def test_every_finding_is_ranked_once_and_best_first(dense: dict[str, float], sparse: dict[str, float]) -> None:
    births = {i: n for n, i in enumerate("abcdefgh")}
    for recipe in (FUSED, DENSE, SPARSE):
        ranked = fuse(dense=dense, sparse=sparse, context={}, births=births, recipe=recipe)
        assert sorted(c.memory_id for c in ranked) == sorted({*dense, *sparse})
        assert [c.fused for c in ranked] == sorted((c.fused for c in ranked), reverse=True)
