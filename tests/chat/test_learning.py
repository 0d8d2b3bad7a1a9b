"""Learning from end to end: a model that says what it used, the real store, worker and embedder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from chat.assembly import open_house
from chat.errors import LearnedRefused
from chat.learning import running, thinned
from chat.portable import Portable
from chat.views import ReceiptView
from memory.learned_file import packed
from memory.reranker import BATCH, POOL, Reranker
from models.scripted import Script, ScriptedModel
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings

TOLD = (
    "My sister Ida is a nurse in Leith.",
    "I am allergic to walnuts.",
    "I bought a brass compass in Braga.",
    "My brother Tom keeps bees in Kent.",
    "I broke my wrist on the ice last winter.",
    "My boat is called Marigold.",
)
ASKED = "What do you remember of my sister Ida and of me?"


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    model = ScriptedModel(context_tokens=800)
    house = open_house(house_settings(tmp_path / "data", citations="on"), model=model)
    house.start(worker=True)
    talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    for line in TOLD:
        talk.say(line)
    for number in range(5):
        talk.say(f"Day {number}. " + "The nets hung in the rain. " * 18, "Yes. " * 20)
    talk.remembered()
    yield talk
    house.close()


def receipt(talk: Talk) -> ReceiptView:
    view = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert view is not None
    return view


def ask(talk: Talk, *, uses: str) -> ReceiptView:
    """A reply that says it used the memories which say something."""
    talk.model.enqueue(Script(("Oh, much.",), hangs=False))
    talk.send(ASKED)
    talk.wait()
    last = talk.model.prompts[-1][-1].content
    numbers = [found[1] for found in re.finditer(r"^- \([^)]*\) \[(\d+)\] (.*)$", last, re.MULTILINE) if uses in found[2]]
    newest = talk.house.service.transcript(LOCAL_USER, talk.chat_id)
    trailer = f"[[memories: {', '.join(numbers) or 'none'}]]"
    talk.model.enqueue(Script(("Much ", "indeed.\n", trailer[:7], trailer[7:])))
    talk.house.service.rewriting.regenerate(LOCAL_USER, talk.chat_id, newest.messages[-1].id, edition=newest.edition)
    talk.wait()
    talk.remembered()
    return receipt(talk)


def test_replies_teach_and_receipts_show_what_was_learned(talk: Talk) -> None:
    learning = talk.house.service.learning
    assert all(c.learned is None for c in ask(talk, uses="compass").candidates)
    assert learning.view(LOCAL_USER).mode == "off"
    assert learning.view(LOCAL_USER).counted == 0
    learning.choose(LOCAL_USER, "learning", exploring=False)
    for _ in range(BATCH):
        shown = ask(talk, uses="compass")
    scored = [c.learned for c in shown.candidates]
    assert any(score is not None for score in scored[:20])
    assert all(score is None for score in scored[20:])
    view = learning.view(LOCAL_USER)
    assert (view.mode, view.counted >= BATCH, view.updates >= 1) == ("learning", True, True)
    assert view.mean == view.shares[-1]
    assert 0 < view.shares[-1] < 1
    tasks = talk.house.memory.store.database.read().execute("SELECT state, count(*) FROM task WHERE kind = 'learn' GROUP BY state")
    assert [row[0] for row in tasks] == ["done"]


def lifting(talk: Talk, memory_id: str = "") -> bytes:
    """Weights under which one memory comes before all others for the question."""
    memory = talk.house.memory
    dimension, fingerprint = memory.embedder.dimension, memory.embedder.fingerprint
    weights = np.zeros((2, dimension), dtype=np.float32)
    if memory_id:
        pool = receipt(talk).candidates[:POOL]
        vectors = memory.store.vectors.of_memories(LOCAL_USER, fingerprint, [c.memory_id for c in pool])
        fused = np.array([c.fused for c in pool], dtype=np.float32)
        query = memory.engine.cue_vector(talk.scope, ASKED)
        seen = Reranker(dimension).show(query, np.stack([vectors[c.memory_id] for c in pool]), fused, count=0)
        place = [c.memory_id for c in pool].index(memory_id)
        weights[1] = 5 * np.sign(seen.query * seen.memories[place])
    return packed(Reranker(dimension, weights=weights, updates=7), fingerprint=fingerprint)


def test_what_was_learned_orders_the_prompt_and_leaves_scores_alone(talk: Talk) -> None:
    learning = talk.house.service.learning
    talk.say(ASKED, "Much.")
    before = [c.memory_id for c in receipt(talk).candidates if c.delivered]
    effects = {c.memory_id: c.effect for c in receipt(talk).candidates}
    assert "reinforced" in effects.values()
    lifted = next(c.memory_id for c in receipt(talk).candidates[:POOL] if c.reason == "rank")
    rewriting, service = talk.house.service.rewriting, talk.house.service
    learning.take(LOCAL_USER, lifting(talk, lifted))
    learning.choose(LOCAL_USER, "frozen", exploring=False)
    scored = {i: s.value for i, s in talk.house.memory.engine.scored(talk.scope, talk.branch_id, current_round=12).items()}
    newest = service.transcript(LOCAL_USER, talk.chat_id)
    talk.model.enqueue(Script(("Something else.",)))
    rewriting.regenerate(LOCAL_USER, talk.chat_id, newest.messages[-1].id, edition=newest.edition)
    talk.wait()
    view = receipt(talk)
    assert lifted in [c.memory_id for c in view.candidates if c.delivered]
    assert max((c.learned, c.memory_id) for c in view.candidates if c.learned is not None)[1] == lifted
    assert {c.memory_id: c.effect for c in view.candidates} == effects  # what was learned decides nothing about what is reinforced
    assert scored == {i: s.value for i, s in talk.house.memory.engine.scored(talk.scope, talk.branch_id, current_round=12).items()}
    learning.choose(LOCAL_USER, "off", exploring=False)
    newest = service.transcript(LOCAL_USER, talk.chat_id)
    talk.model.enqueue(Script(("As before.",)))
    rewriting.regenerate(LOCAL_USER, talk.chat_id, newest.messages[-1].id, edition=newest.edition)
    talk.wait()
    assert [c.memory_id for c in receipt(talk).candidates if c.delivered] == before


def test_a_bundle_carries_no_lesson_and_teaches_nobody(talk: Talk, tmp_path: Path) -> None:
    learning = talk.house.service.learning
    learning.choose(LOCAL_USER, "learning", exploring=False)
    ask(talk, uses="compass")
    counted = learning.view(LOCAL_USER).counted
    assert counted
    portable = Portable(talk.house.memory.store, wake=talk.house.memory.worker.wake)
    lines = list(portable.lines(LOCAL_USER, talk.chat_id))
    assert not any(b'"kind":"learn"' in line.replace(b" ", b"") for line in lines)
    path = tmp_path / "one.keepsake.jsonl"
    path.write_bytes(b"".join(lines))
    copy = portable.load(LOCAL_USER, path)
    talk.chat_id = copy
    talk.remembered()
    assert receipt(talk).cited_by == "model"
    assert any(c.cited for c in receipt(talk).candidates)
    assert learning.view(LOCAL_USER).counted == counted


def test_what_was_learned_leaves_by_a_ticket_and_what_is_no_file_of_it_is_refused(talk: Talk) -> None:
    service = talk.house.service
    service.learning.take(LOCAL_USER, lifting(talk))
    made = service.learning.export(LOCAL_USER)
    assert service.transfers.fetch(LOCAL_USER, made.ticket).path.read_bytes() == made.path.read_bytes()
    service.learning.reset(LOCAL_USER)
    service.learning.take(LOCAL_USER, made.path.read_bytes())
    assert service.learning.view(LOCAL_USER).updates == 7
    with pytest.raises(LearnedRefused, match="Nothing was changed"):
        service.learning.take(LOCAL_USER, b"x" * (service.learning.most_bytes + 1))
    made.discard()


def test_a_running_mean_is_of_the_newest_and_a_long_curve_is_thinned() -> None:
    assert running([1, 0, 1, 1], over=2) == [1.0, 0.5, 0.5, 1.0]
    assert running([], over=2) == []
    assert thinned([1, 2, 3], most=3) == [1, 2, 3]
    assert thinned(list(range(1000)), most=5)[-1] == 999
    assert len(thinned(list(range(1000)), most=5)) == 5
