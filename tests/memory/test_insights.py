"""No insight without two facts of different rounds on two different cues."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory.everyday import everyday
from memory.facts import path_order
from memory.insights import (
    EARLY,
    EVENLY,
    FIRM,
    LATER,
    LEAST,
    LEAST_FIRMNESS,
    TOGETHER,
    Lens,
    Match,
    cue_texts,
    evidence,
    firmness,
    insight_of,
    matches,
    needed,
    unnamed,
)
from memory.persona import PLAYER
from models.embedder import Embedder, bundled_embedder
from personas.cast import built_in
from storage.records import Kind, Memory, Source, stable_id
from tests.memory.stance_table import HERE, cast, false_insights, lens_of, measure

NELL = next(c for c in built_in() if c.id == "builtin:nell-garrow")


def fact(at: int, text: str = "The player stayed.", trust: float = 1.0) -> Memory:
    return Memory(
        id=f"f{at}{text}",
        chat_id="c",
        kind=Kind.FACT,
        text=text,
        language="en",
        round_first=at,
        round_last=at,
        said_at=datetime(2024, 5, 1, tzinfo=UTC) + timedelta(minutes=at),
        sources=(Source(f"m{at}", f"r{at}", "0" * 64),),
        derivation_key=f"k{at}",
        trust=trust,
    )


def lens(*rows: list[float], everyday: tuple[list[float], ...] = ([0, 0, 0, 1],)) -> Lens:
    """Two cues a stance; everyday: what facts are that mean nothing."""
    vectors = np.asarray(rows, dtype=np.float32)
    return Lens(NELL, "en", tuple((row // 2, row % 2) for row in range(len(rows))), vectors, np.asarray(everyday, dtype=np.float32))


def test_a_fact_matches_the_cue_it_is_nearest_to_and_one_cue_of_a_stance() -> None:
    cues = lens([1, 0, 0, 0], [0.9, 0.436, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0])
    ((found,),) = matches(np.asarray([[1, 0, 0, 0]], dtype=np.float32), cues)
    assert (found.stance, found.cue) == (0, 0)


def test_a_fact_speaks_for_every_stance_that_it_is_as_near_to() -> None:
    row, other = [1, 0, 0, 0], [0, 1, 0, 0]
    nearly, less = [0.9999, 0.01414, 0, 0], [0.9, 0.43589, 0, 0]
    (found,) = matches(np.asarray([row], dtype=np.float32), lens(nearly, nearly, row, row, less, less, other, other))
    assert [m.stance for m in found] == [1, 0]


def test_the_nearest_wording_says_which_cue_a_fact_matches() -> None:
    wordings = np.asarray([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]], dtype=np.float32)
    seen = Lens(NELL, "en", ((0, 0), (0, 1), (0, 1)), wordings, np.asarray([[0, 0, 0, 1]], dtype=np.float32))
    ((found,),) = matches(wordings[2:], seen)
    assert (found.stance, found.cue) == (0, 1)


def test_the_score_is_of_the_cue_and_the_stance_less_the_nearest_everyday_facts() -> None:
    far, near = [0, 0, 0, 1], [0.6, 0, 0, 0.8]
    cues = lens([1, 0, 0, 0], [0, 1, 0, 0], everyday=(far, near, near, near, near, near))
    ((found,),) = matches(np.asarray([[1, 0, 0, 0]], dtype=np.float32), cues)
    assert found.score == pytest.approx(0.3 + 0.7 * 2**-0.5 - 0.6)


def test_a_fact_as_near_to_everyday_facts_as_to_a_cue_matches_nothing() -> None:
    cue, other = [1, 0, 0, 0], [0, 1, 0, 0]
    assert matches(np.asarray([cue], dtype=np.float32), lens(cue, cue, other, other, everyday=(cue,) * 5)) == [()]


def test_no_facts_no_cues_or_nothing_to_compare_with_match_nothing() -> None:
    assert matches(np.zeros((0, 4), dtype=np.float32), lens([1, 0, 0, 0])) == []
    none = np.zeros((0, 4), dtype=np.float32)
    fact_ = np.asarray([[1, 0, 0, 0]], dtype=np.float32)
    assert matches(fact_, Lens(NELL, "en", (), none, fact_)) == [()]
    assert matches(fact_, Lens(NELL, "fr", ((0, 0),), fact_, none)) == [()]


def test_what_a_fact_matches_does_not_hang_on_the_facts_beside_it() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 4)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cues = lens(*rows[:8].tolist(), everyday=tuple(rows[8:20].tolist()))
    together = matches(rows[20:], cues)
    alone = [matches(rows[i : i + 1], cues)[0] for i in range(20, 60)]
    assert [[(m.stance, m.cue) for m in found] for found in together] == [[(m.stance, m.cue) for m in found] for found in alone]


@pytest.mark.parametrize(("language", "player"), [("en", "Mara"), ("zh", "小雨"), ("en", "the player")])
def test_everyday_facts_read_as_stored_facts_do(language: str, player: str) -> None:
    facts = everyday(language, player=player)
    assert len(facts) == len(set(facts)) == 180
    for text in facts:
        assert player.lower() in text.lower()
        assert "{" not in text
        assert text[-1] in ".。"
        assert text[:1] == text[:1].upper()
    assert everyday("fr", player=player) == ()


def test_evidence_needs_two_rounds_and_two_cues() -> None:
    one, same_round, same_cue, second = (
        (fact(1), Match(0, 0, 0.2)),
        (fact(1, "b"), Match(0, 1, 0.2)),
        (fact(2), Match(0, 0, 0.3)),
        (fact(5), Match(0, 1, 0.1)),
    )
    assert evidence([one], language="en") == ()
    assert evidence([one, same_round], language="en") == ()
    assert evidence([one, same_cue], language="en") == ()
    assert [f.round_last for f in evidence([second, same_cue, one], language="en")] == [1, 5]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_weak_fact_needs_a_strong_one(language: str) -> None:
    least, together = LEAST[language], TOGETHER[language]
    weak, weak_too, strong = (fact(1), Match(0, 0, least)), (fact(2), Match(0, 1, least)), (fact(3), Match(0, 1, together))
    assert 2 * least < together
    assert evidence([weak, weak_too], language=language) == ()
    assert [f.round_last for f in evidence([weak, weak_too, strong], language=language)] == [1, 3]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_later_in_a_story_the_more_two_facts_must_say_together(language: str) -> None:
    assert needed(1, language=language) == needed(EARLY, language=language) == TOGETHER[language]
    assert needed(4 * EARLY, language=language) == pytest.approx(TOGETHER[language] + 2 * LATER[language], abs=1e-12)
    half = Match(0, 0, TOGETHER[language] / 2 + 1e-6), Match(0, 1, TOGETHER[language] / 2 + 1e-6)
    early = [(fact(2), half[0]), (fact(EARLY), half[1])]
    late = [(fact(2), half[0]), (fact(2 * EARLY), half[1])]
    assert [f.round_last for f in evidence(early, language=language)] == [2, EARLY]
    assert evidence(late, language=language) == ()
    assert evidence([*early, *late], language=language) == evidence(early, language=language)


def test_evidence_is_the_first_there_was_whatever_comes_later() -> None:
    early = [(fact(1), Match(0, 0, 0.2)), (fact(4), Match(0, 1, 0.2))]
    assert evidence([*early, (fact(9), Match(0, 2, 0.9))], language="en") == evidence(early, language="en")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_a_long_story_a_strong_fact_takes_no_passer_by_along(language: str) -> None:
    strong, passing = needed(8 * EARLY, language=language), LEAST[language]
    assert passing / strong < EVENLY[language]
    early = [(fact(2), Match(0, 0, strong)), (fact(EARLY), Match(0, 1, passing))]
    late = [(fact(2), Match(0, 0, strong)), (fact(EARLY + 1), Match(0, 1, passing))]
    fitting = (fact(8 * EARLY), Match(0, 1, EVENLY[language] * strong))
    assert [f.round_last for f in evidence(early, language=language)] == [2, EARLY]
    assert evidence(late, language=language) == ()
    assert [f.round_last for f in evidence([*late, fitting], language=language)] == [2, 8 * EARLY]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_insight_is_as_sure_as_the_fact_that_bears_on_it_least(language: str) -> None:
    firm = FIRM[language]
    told = [(fact(1), Match(0, 0, 2 * firm)), (fact(2), Match(0, 1, 0.8 * firm)), (fact(3), Match(0, 2, 0.1 * firm))]
    facts = [f for f, _ in told]
    assert firmness(facts[:2], told, language=language) == pytest.approx(0.8)
    assert firmness(facts[:1], told, language=language) == 1
    assert firmness(facts, told, language=language) == LEAST_FIRMNESS


def test_an_insight_has_its_facts_their_sources_and_the_lowest_trust() -> None:
    facts = (fact(1), fact(4, trust=0.6))
    made = insight_of("c", NELL, 0, facts, player="Mara", firm=1)
    assert made.grounds == tuple(f.id for f in facts)
    assert made.sources == facts[0].sources + facts[1].sources
    assert made.trust == 0.6
    assert insight_of("c", NELL, 0, facts, player="Mara", firm=0.75).trust == 0.45
    assert "{{" not in made.text
    assert (made.round_first, made.round_last, made.subject, made.said_by) == (1, 4, "Mara", "Nell Garrow")
    assert insight_of("c", NELL, 0, facts, player="Mara", firm=1) == made
    assert insight_of("c", NELL, 1, facts, player="Mara", firm=1).id != made.id
    assert insight_of("c", NELL, 0, (facts[0], replace(facts[1], id="x", derivation_key="y")), player="Mara", firm=1).id != made.id


@pytest.mark.parametrize(
    ("language", "subject", "text", "told"),
    [
        ("en", "Rosalind", "Rosalind keeps Rosalind's receipts.", "The player keeps the player's receipts."),
        ("en", "Al (the bold)", "Al (the bold) keeps all receipts.", "The player keeps all receipts."),
        ("en", "Al", "Al keeps all of Alma's receipts.", "The player keeps all of Alma's receipts."),
        ("en", "the player", "The player keeps receipts.", "The player keeps receipts."),
        ("zh", "林小雨", "林小雨留着林小雨的票据。", "玩家留着玩家的票据。"),
        ("zh", "玩家", "玩家留着票据。", "玩家留着票据。"),
    ],
)
def test_a_fact_is_compared_without_its_players_name(language: str, subject: str, text: str, told: str) -> None:
    assert unnamed(replace(fact(1), text=text, language=language, subject=subject)) == told


def test_cues_have_the_players_name_and_a_place_each() -> None:
    places, texts = cue_texts(NELL, player="Mara")
    assert len(places) == len(texts) == sum(len(cue) for s in NELL.stances for cue in s.cues)
    assert not any("{{" in text for text in texts)
    assert set(LEAST) == set(TOGETHER) == {"en", "zh"}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return bundled_embedder()


@pytest.mark.parametrize("character_id", ["builtin:nell-garrow", "builtin:qiu-mai"])
def test_facts_close_to_the_cues_call_up_their_stance_and_everyday_facts_none(character_id: str, embedder: Embedder) -> None:
    character = next(c for c in built_in() if c.id == character_id)
    pairs = json.loads((HERE / "stance_pairs.json").read_text(encoding="utf-8"))[character_id]
    seen = lens_of(character, embedder, player=PLAYER[character.language])
    matching = matches(embedder.passages([text for _, text in pairs["matching"]]), seen)
    right = [stance in {m.stance for m in found} for found, (stance, _) in zip(matching, pairs["matching"], strict=True)]
    assert sum(right) >= 0.88 * len(right)
    false = [text for text, found in zip(pairs["others"], matches(embedder.passages(pairs["others"]), seen), strict=True) if found]
    assert len(false) <= 0.05 * len(pairs["others"]), false


def test_facts_of_one_round_stand_in_an_order_that_a_copy_of_the_chat_has_too() -> None:
    told = [
        Memory("", "c", Kind.FACT, f"fact {place}", "en", 3, 3, datetime(2024, 5, 1, tzinfo=UTC), (), key, payload={"place": place})
        for key in ("k1", "k2")
        for place in (0, 1)
    ]
    orders = {
        tuple(f.text + f.derivation_key for f in sorted((replace(f, id=stable_id(chat, i)) for i, f in enumerate(told)), key=path_order))
        for chat in range(20)
    }
    assert len(orders) == 1


@pytest.mark.long
@pytest.mark.parametrize(("language", "found"), [("en", 0.8), ("zh", 0.78)])
def test_freely_worded_facts_call_up_their_stance_and_seldom_another(language: str, found: float, embedder: Embedder) -> None:
    """Neither rule, cues nor thresholds were fitted to these facts. Floors by measurement (tests/memory/stance_table.py); with one wording a cue it was .47 and .60."""
    measured = measure("fresh", embedder)
    counts = [measured[c.id] for c in cast(language)]
    total = sum(counts[1:], counts[0])
    assert total.right >= found * total.belonging, total
    assert total.wrong <= 0.02 * total.pairs, total
    assert total.called_up >= 0.75 * total.stances, total


@pytest.mark.parametrize(("language", "most"), [("en", 0.3), ("zh", 0.25)])
def test_a_chat_of_everyday_facts_seldom_calls_up_an_insight(language: str, most: float, embedder: Embedder) -> None:
    assert false_insights(language, embedder) <= most


def test_a_fact_that_is_near_to_every_stance_speaks_for_none() -> None:
    """A long odd sentence lies near to everything; what it says of one stance is how much nearer it comes to that one."""
    three = ([1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0])
    cues = lens(*three)
    everywhere = np.asarray([[1, 1, 1, 0]], dtype=np.float32) / np.float32(3**0.5)
    ((one, *_),) = matches(np.asarray([[1, 0, 0, 0]], dtype=np.float32), cues)
    (spread,) = matches(everywhere, cues)
    assert one.score == pytest.approx(1.0)
    assert all(match.score == pytest.approx(0.5 * 3**-0.5) for match in spread)
