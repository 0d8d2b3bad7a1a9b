"""Of what took the place of something else the newer is found first by who asks how it is, and both by who asks how it was (LongMemEval: knowledge updates);
and what is found among everyday remarks is still found where what is shown is drawn by chance. Which value is told is given: this is about what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from chat.assembly import Memory
from memory.engine import Cue
from memory.everyday import everyday
from memory.reranker import POOL, Floats, Reranker
from storage.scope import LOCAL_USER
from tests.memory.test_construction import Live, opened, start
from tests.memory.values_given import give

PAIRS = json.loads(Path(__file__).with_name("successions.json").read_text(encoding="utf-8"))
"""By language [what was, what is, a question of now, a question of before, key, the value that was, the one that is]."""
SAYS = {"en": "Good.", "zh": "好吧。"}
"""What is answered: nothing to remember."""
NAMES = {"en": ("Mara", "Ida"), "zh": ("小梅", "小雨")}
DRAWS = 40


@dataclass(frozen=True)
class Told:
    """A conversation in which the older of each pair was told, then the newer, among everyday remarks. at: the round of each."""

    memory: Memory
    live: Live
    pairs: list[tuple[str, ...]]
    """what was, what is, a question of now, a question of before."""
    at: dict[str, int] = field(default_factory=dict)

    def cue(self, question: str) -> Cue:
        live = self.live
        return Cue(question, live.number + 2, said_at=live.last[0].said_at, speaker=live.player, listener="Nell Garrow")

    def places(self, question: str, *told: str) -> list[int]:
        """Where the rounds are found in which something was told, from 0."""
        found = self.memory.engine.recall(self.live.scope, self.live.branch_id, self.cue(question)).candidates
        order = list(dict.fromkeys(self.rounds([c.memory_id for c in found])))
        return [order.index(self.at[one]) if self.at[one] in order else 99 for one in told]

    def rounds(self, ids: list[str]) -> list[int]:
        held = self.memory.store.memories.get(self.live.scope, ids)
        return [held[i].round_last for i in ids]

    def asked(self) -> list[tuple[str, set[int]]]:
        """Questions, and the rounds that answer them."""
        now = [(question, {self.at[newer]}) for _, newer, question, _ in self.pairs]
        return [*now, *((question, {self.at[older], self.at[newer]}) for older, newer, _, question in self.pairs)]


@pytest.fixture(scope="module", params=["en", "zh"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    language = request.param
    memory = opened(tmp_path_factory.mktemp(language) / "data")
    player, other = NAMES[language]
    live = start(memory, player=player)
    live.pace = lambda number: timedelta(days=number)
    made = Told(memory, live, [tuple(pair[:4]) for pair in PAIRS[language]])
    fill = cycle(everyday(language, player=other))
    with pytest.MonkeyPatch.context() as patched:
        give(patched, {pair[part]: [(pair[4], pair[5 + part])] for pair in PAIRS[language] for part in (0, 1)})
        for part in (0, 1):
            for pair in made.pairs:
                live.say(pair[part], SAYS[language], work=False)
                made.at[pair[part]] = live.number
                live.say(next(fill), SAYS[language], work=False)
            for _ in range(8):
                live.say(next(fill), SAYS[language], work=False)
        memory.work_off()
        live.end()
    yield made
    memory.close()


def test_the_newer_is_found_first_now_and_both_before(told: Told) -> None:
    now = [told.places(question, older, newer) for older, newer, question, _ in told.pairs]
    before = [told.places(question, older, newer) for older, newer, _, question in told.pairs]
    assert sum(newer < older for older, newer in now) >= 10, now
    assert sum(newer <= 2 for _, newer in now) >= 9, now
    assert sum(max(both) < 5 for both in before) >= 9, before


@dataclass(frozen=True)
class Pool:
    """What a question calls up. rounds: of each memory; answers: the rounds that answer it."""

    query: Floats
    vectors: Floats
    fused: Floats
    rounds: list[int]
    answers: set[int]

    def recall_at_5(self, noise: np.random.Generator | None) -> float:
        shown = Reranker(len(self.query)).show(self.query, self.vectors, self.fused, count=POOL, noise=noise)
        first = list(dict.fromkeys(self.rounds[place] for place in shown.order.tolist()))[:5]
        return len(self.answers.intersection(first)) / len(self.answers)


def test_exploring_before_anything_was_learned_costs_three_points_of_recall_at_most(told: Told) -> None:
    """ALGORITHMS 6: c is chosen so that untrained noise costs at most that, of recall at five."""
    engine, live = told.memory.engine, told.live
    pools = []
    for question, answers in told.asked():
        found = engine.recall(live.scope, live.branch_id, told.cue(question)).candidates
        fused = {c.memory_id: c.fused for c in found if c.dense is not None}
        ids = list(fused)[:POOL]
        vectors = told.memory.store.vectors.of_memories(LOCAL_USER, told.memory.embedder.fingerprint, ids)
        query = engine.cue_vector(live.scope, question)
        scores = np.array([fused[i] for i in ids], dtype=np.float32)
        pools.append(Pool(query, np.stack([vectors[i] for i in ids]), scores, told.rounds(ids), answers))
    rng = np.random.default_rng(0)
    still = [pool.recall_at_5(None) for pool in pools]
    drawn = [float(np.mean([pool.recall_at_5(rng) for _ in range(DRAWS)])) for pool in pools]
    assert np.mean(still) > 0.7
    assert np.mean(still) - np.mean(drawn) <= 0.03
    assert drawn != still, "chance had no hand in it"
