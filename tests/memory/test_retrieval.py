"""Ranking: what each part of a recipe does, and that nothing is lost or doubled by it."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory.cues import Cue, meant, read_cue
from memory.keys import Place, answers
from memory.recipes import FUSED, PARTS, PLAIN, RECIPES, Recipe
from memory.retrieval import Candidate, Found, rank
from memory.stale import overtakes
from storage.records import Kind
from storage.terms import index_text, query_terms
from storage.words import KeyRow, Rarity

START = datetime(2024, 5, 1, 12, tzinfo=UTC)


def row(
    name: str, text: str, *, kind: Kind = Kind.EPISODE, by: str = "Ann", day: int = 0, event: int | None = None, subject: str = ""
) -> KeyRow:
    """name: its id; day, event: days after START that it was said, and that it tells of."""
    at = START + timedelta(days=day)
    when = START + timedelta(days=event) if event is not None else None
    return KeyRow(name, kind, text, tuple(index_text(text).split()), by, (by,), subject, at, when, when)


def fact(name: str, text: str, *, day: int = 0, event: int | None = None, by: str = "Ann") -> KeyRow:
    return row(name, text, kind=Kind.FACT, by=by, day=day, event=event, subject=by)


def found(
    cue: str, places: list[Place], *, vectors: dict[str, list[float]] | None = None, query: list[float] | None = None, **more: object
) -> Found:
    asked = read_cue(Cue(cue, 99, START + timedelta(days=30)))
    rows = [r for p in places for r in (*p.members, *([p.question] if p.question else []))]
    holding = {t: sum(t in r.words for r in rows) for t in {*asked.terms, *more.get("around", {})}}  # type: ignore[dict-item]
    return Found(
        places=places,
        asked=asked,
        meant=meant(Cue(cue, 99), {name for r in rows for name in r.knowers}),
        rarity=Rarity(50, holding),
        vectors={i: _unit(v) for i, v in (vectors or {}).items()},
        background=np.zeros((1, 3), dtype=np.float32),
        query=_unit(query) if query else None,
        **more,  # type: ignore[arg-type]
    )


def _unit(values: list[float]) -> NDArray[np.float32]:
    vector = np.array(values, dtype=np.float32)
    return np.asarray(vector / max(1e-9, float(np.linalg.norm(vector))), dtype=np.float32)


def ids(given_: Found, recipe: Recipe = FUSED) -> list[str]:
    return [c.memory_id for c in rank(given_, recipe)]


def place(number: int, episode: KeyRow, *facts: KeyRow, question: KeyRow | None = None) -> Place:
    return Place(number, episode, facts, question)


def test_agreement_of_words_and_meaning_wins() -> None:
    places = [place(1, row("meant", "a roof garden")), place(2, row("both", "bees on the roof")), place(3, row("said", "bees in a film"))]
    vectors = {"meant": [1.0, 0.1, 0.0], "both": [1.0, 0.2, 0.0], "said": [0.0, 1.0, 0.0]}
    assert ids(found("bees", places, vectors=vectors, query=[1.0, 0.0, 0.0]))[0] == "both"


def test_a_fact_brings_its_round_and_a_question_its_answer() -> None:
    asked = row("q", "Where do you keep the bees?", by="Bo")
    answer = row("a", "On the roof of the library.", by="Ann")
    other = row("o", "In the roof of my mouth.", by="Ann")
    places = [place(1, other), place(3, answer, question=asked)]
    assert ids(found("Where are the bees?", places))[0] == "a"
    assert rank(found("Where are the bees?", places), PLAIN)[0].sparse is None
    told = [place(1, other), place(3, answer, fact("f", "Ann keeps bees on the roof."))]
    assert ids(found("Where are the bees?", told))[:1] == ["f"]


def test_an_answer_is_another_persons_and_soon() -> None:
    asked = row("q", "Where do you keep them?", by="Bo")
    assert answers(asked, row("a", "On the roof.", by="Ann"))
    assert not answers(asked, row("a", "Well?", by="Bo"))
    assert not answers(asked, row("a", "Good morning.", by="Ann", day=1))
    assert not answers(row("s", "I keep bees.", by="Bo"), row("a", "On the roof?", by="Ann"))


def test_who_is_named_or_asked_is_who_is_meant() -> None:
    names = {"Ann", "Bo", "王芳"}
    assert meant(Cue("What did Bo paint?", 1), names) == {"Bo"}
    assert meant(Cue("王芳昨天去哪儿了？", 1), names) == {"王芳"}
    assert meant(Cue("What did you paint?", 1, speaker="Ann", listener="Bo"), names) == {"Bo"}
    assert meant(Cue("Where was I born?", 1, speaker="Ann", listener="Bo"), names) == {"Ann"}
    assert meant(Cue("What did you tell me?", 1, speaker="Ann", listener="Bo"), names) == frozenset()
    assert meant(Cue("I like you.", 1, speaker="Ann", listener="Bo"), names) == frozenset()
    assert meant(Cue("Is the boat new?", 1), names) == frozenset()  # "Bo" is a name, "boat" is not


def test_a_name_of_blanks_alone_means_nobody() -> None:
    assert meant(Cue("What did Bo paint?", 1), {" ", "\t", "Bo Lind"}) == {"Bo Lind"}


def test_of_a_cue_that_names_many_times_the_first_are_looked_for() -> None:
    days = [f"On {day} March 2023 I was ill." for day in range(1, 29)]
    found = read_cue(Cue(" ".join([days[0], *days]), 99, START)).ranges
    assert [r.first.day for r in found] == list(range(1, 9))


def test_the_named_time_decides_between_equals() -> None:
    early, late = row("early", "We went sailing.", day=0), row("late", "We went sailing.", day=20)
    told = fact("told", "Ann went sailing on 21 May.", day=25, event=20)
    places = [place(1, early), place(2, late), place(3, row("after", "Sailing was fun.", day=25), told)]
    assert ids(found("When did we go sailing?", places))[0] != "early"  # it says when
    asked = ids(found("What did we do on 1 May 2024? Was it sailing?", places))
    assert asked[0] == "early"
    assert set(ids(found("Did we go sailing on 21 May 2024?", places))[:2]) <= {"late", "told", "after"}


@pytest.mark.parametrize(
    ("cue", "first"), [("Where does Ann live now?", "new"), ("Where did Ann live before?", "old"), ("安现在住在哪里？", None)]
)
def test_of_two_that_differ_the_newer_comes_first_where_it_is_asked_how_it_is_now(cue: str, first: str | None) -> None:
    old, new = fact("old", "Ann lives in Porto, where she lives well.", day=0), fact("new", "Ann lives in Braga.", day=9)
    assert overtakes(new, old)
    places = [place(1, row("e1", "I live in Porto, and where I live I live well."), old), place(5, row("e2", "Braga now."), new)]
    ranked = ids(found(cue, places))
    by = {c.memory_id: c.overtaken_by for c in rank(found(cue, places), FUSED) if c.overtaken_by}
    assert bool(by) == (first != "old"), "asked how it was, both are told"
    assert set(by) <= {"old", "e1"}
    assert set(by.values()) <= {"new", "e2"}
    if first == "new":
        assert ranked.index("new") < min(ranked.index("old"), ranked.index("e1"))
    elif first == "old":
        assert {"old", "new"} <= set(ranked[:3])
    assert not overtakes(fact("x", "Ann keeps bees."), old)
    assert not overtakes(fact("x", "Bo lives in Braga.", by="Bo"), old)


@pytest.mark.parametrize(
    ("older", "newer", "whose"),
    [
        ("小梅的姐姐住在上海。", "小梅的姐姐现在住在杭州。", "小梅的姐姐"),
        ("小梅的猫叫小白。", "小梅的新猫叫阿黑。", "小梅"),
        ("Mara's sister lives in Porto.", "Mara's sister now lives in Braga.", "Mara's sister"),
    ],
)
def test_what_differs_in_one_word_is_overtaken_in_chinese_as_in_english(older: str, newer: str, whose: str) -> None:
    old, new = (row(name, text, kind=Kind.FACT, subject=whose) for name, text in (("old", older), ("new", newer)))
    assert overtakes(new, old)
    other = row("other", "小梅的姐姐会弹钢琴。" if "小梅" in older else "Mara's sister plays the piano.", kind=Kind.FACT, subject=whose)
    assert not overtakes(other, old)


def test_the_talk_before_counts_for_what_goes_on_with_it() -> None:
    places = [place(1, row("tea", "Ann drinks green tea at night.")), place(2, row("talk", "Rain and thunder over the harbour."))]
    around = dict.fromkeys(query_terms("rain thunder harbour"), 1.0)
    vectors, rain = {"tea": [1.0, 0.0, 0.0], "talk": [0.0, 1.0, 0.0]}, _unit([0.0, 1.0, 0.0])

    def first(cue: str, query: list[float]) -> str:
        return ids(found(cue, places, vectors=vectors, query=query, around=around, context=rain, on_the_whole=rain))[0]

    assert first("What kind of tea does Ann drink at night?", [1.0, 0.0, 0.0]) == "tea"
    assert first("Go on!", [0.7, 0.6, 0.0]) == "talk"
    assert first("And then?", [0.5, 0.6, 0.0]) == "talk"


_WORDS = st.lists(st.sampled_from("bees roof boat tea rain lamp? 茶馆 雨天".split()), min_size=1, max_size=6).map(" ".join)
_PLACES = st.lists(st.tuples(_WORDS, st.lists(_WORDS, max_size=2), st.booleans()), max_size=6)


@given(shapes=_PLACES, cue=_WORDS, recipe=st.sampled_from(sorted(RECIPES)), seed=st.integers(0, 99))
def test_everything_is_ranked_once_best_first_and_its_parts_add_up(
    shapes: list[tuple[str, list[str], bool]], cue: str, recipe: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    places = []
    for n, (text, facts, asked) in enumerate(shapes):
        question = row(f"q{n}", "roof?", by="Bo") if asked else None
        places.append(place(n, row(f"e{n}", text, day=n), *(fact(f"f{n}.{m}", t, day=n) for m, t in enumerate(facts)), question=question))
    every = [r.id for p in places for r in (*p.members, *([p.question] if p.question else []))]
    vectors = {i: rng.normal(size=3).tolist() for i in every if rng.random() < 0.8}
    given_ = found(cue, places, vectors=vectors, query=[1.0, 0.5, 0.0])
    ranked = rank(given_, RECIPES[recipe])
    assert sorted(c.memory_id for c in ranked) == sorted(r.id for p in places for r in p.members)
    assert [c.fused for c in ranked] == sorted((c.fused for c in ranked), reverse=True)
    assert all(np.isfinite(c.fused) and abs(sum(c.parts.values()) - c.fused) < 1e-6 for c in ranked)
    assert rank(given_, RECIPES[recipe]) == ranked


def test_every_part_of_the_recipe_can_be_left_out() -> None:
    assert set(PARTS) == {field.name for field in fields(Recipe)} - {"name"}, "each part has its row in the ablation"
    for part, nothing in PARTS.items():
        left = RECIPES[f"without-{part}"]
        assert replace(left, name=FUSED.name, **{part: getattr(FUSED, part)}) == FUSED
        assert getattr(left, part) == nothing != getattr(FUSED, part)


def test_nothing_found_is_nothing_ranked() -> None:
    empty: list[Candidate] = rank(found("bees", []), FUSED)
    assert empty == []
