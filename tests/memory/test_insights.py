"""No insight without two facts of different rounds on two different cues."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from memory.facts import path_order
from memory.insights import THRESHOLD, Lens, Match, cue_texts, evidence, insight_of, matches
from memory.persona import PLAYER
from models.embedder import bundled_embedder
from personas.cast import built_in
from personas.record import fill
from storage.records import Kind, Memory, Source, stable_id

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


def lens(*rows: list[float]) -> Lens:
    vectors = np.asarray(rows, dtype=np.float32)
    return Lens(NELL, "en", tuple((row // 2, row % 2) for row in range(len(rows))), vectors)


def test_a_fact_matches_the_cue_it_is_nearest_to_and_one_cue_of_a_stance() -> None:
    cues = lens([1, 0, 0], [0.9, 0.436, 0], [0, 0, 1], [0, 1, 0])
    (found,) = matches(np.asarray([[1, 0, 0]], dtype=np.float32), cues)
    assert found is not None
    assert (found.stance, found.cue) == (0, 0)


def test_a_fact_that_is_near_to_everything_matches_nothing() -> None:
    same = [0.577, 0.577, 0.577]
    assert matches(np.asarray([same], dtype=np.float32), lens(same, same, same, same)) == [None]


def test_no_facts_or_no_cues_match_nothing() -> None:
    assert matches(np.zeros((0, 3), dtype=np.float32), lens([1, 0, 0])) == []
    empty = Lens(NELL, "en", (), np.zeros((0, 3), dtype=np.float32))
    assert matches(np.ones((1, 3), dtype=np.float32), empty) == [None]


def test_evidence_needs_two_rounds_and_two_cues() -> None:
    one, same_round, same_cue, second = (
        (fact(1), Match(0, 0, 0.2)),
        (fact(1, "b"), Match(0, 1, 0.2)),
        (fact(2), Match(0, 0, 0.3)),
        (fact(5), Match(0, 1, 0.1)),
    )
    assert evidence([one]) == ()
    assert evidence([one, same_round]) == ()
    assert evidence([one, same_cue]) == ()
    assert [f.round_last for f in evidence([second, same_cue, one])] == [1, 5]


def test_evidence_is_the_first_there_was_whatever_comes_later() -> None:
    early = [(fact(1), Match(0, 0, 0.2)), (fact(4), Match(0, 1, 0.2))]
    assert evidence([*early, (fact(9), Match(0, 2, 0.9))]) == evidence(early)


def test_an_insight_has_its_facts_their_sources_and_the_lowest_trust() -> None:
    facts = (fact(1), fact(4, trust=0.6))
    made = insight_of("c", NELL, 0, facts, player="Mara")
    assert made.grounds == tuple(f.id for f in facts)
    assert made.sources == facts[0].sources + facts[1].sources
    assert made.trust == 0.6
    assert "{{" not in made.text
    assert (made.round_first, made.round_last, made.subject, made.said_by) == (1, 4, "Mara", "Nell Garrow")
    assert insight_of("c", NELL, 0, facts, player="Mara") == made
    assert insight_of("c", NELL, 1, facts, player="Mara").id != made.id
    assert insight_of("c", NELL, 0, (facts[0], replace(facts[1], id="x", derivation_key="y")), player="Mara").id != made.id


def test_cues_have_the_players_name_and_a_place_each() -> None:
    places, texts = cue_texts(NELL, player="Mara")
    assert len(places) == len(texts) == sum(len(s.cues) for s in NELL.stances)
    assert not any("{{" in text for text in texts)
    assert set(THRESHOLD) == {"en", "zh"}


@pytest.mark.parametrize("character_id", ["builtin:nell-garrow", "builtin:qiu-mai"])
def test_facts_call_up_the_stance_they_belong_to_and_everyday_facts_none(character_id: str, tmp_path: Path) -> None:
    """The calibration of the thresholds, on pairs made for it."""
    character = next(c for c in built_in() if c.id == character_id)
    pairs = json.loads((Path(__file__).parent / "stance_pairs.json").read_text(encoding="utf-8"))[character_id]
    embedder = bundled_embedder(tmp_path)
    places, texts = cue_texts(character, player=PLAYER[character.language])
    seen = Lens(character, character.language, places, embedder.passages(texts))
    matching = matches(embedder.passages([text for _, text in pairs["matching"]]), seen)
    right = [m is not None and m.stance == stance for m, (stance, _) in zip(matching, pairs["matching"], strict=True)]
    assert sum(right) >= 0.85 * len(right)
    false = [text for text, m in zip(pairs["others"], matches(embedder.passages(pairs["others"]), seen), strict=True) if m is not None]
    assert len(false) <= 0.06 * len(pairs["others"]), false


@pytest.mark.parametrize("language", ["en", "zh"])
def test_freely_worded_facts_of_another_hand_seldom_call_up_what_they_do_not_belong_to(language: str, tmp_path: Path) -> None:
    pairs = json.loads((Path(__file__).parent / "stance_pairs_apart.json").read_text(encoding="utf-8"))[language]
    embedder = bundled_embedder(tmp_path)
    player = PLAYER[language]
    facts = embedder.passages([fill(pair["fact"], user=player, char="") for pair in pairs])
    right = wrong = possible = 0
    for character in (c for c in built_in() if c.language == language):
        places, texts = cue_texts(character, player=player)
        seen = Lens(character, language, places, embedder.passages(texts))
        for pair, match in zip(pairs, matches(facts, seen), strict=True):
            belongs = pair["character"] == character.id and match is not None and match.stance == pair["stance_index"]
            right += belongs
            wrong += match is not None and not belongs
            possible += len(character.stances)
    assert wrong <= 0.01 * possible, (wrong, possible)
    assert right >= 0.15 * sum(pair["stance_index"] is not None for pair in pairs), right


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
