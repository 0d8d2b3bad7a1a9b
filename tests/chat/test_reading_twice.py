"""A cross-encoder in a turn: what it puts first stands in the prompt, memory stays what it was, and a missing one is said and missed by nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from chat.assembly import open_house
from memory.cross_reading import CrossReader
from memory.engine import Cue
from models.cross_encoder import CrossEncoder, Scores
from models.scripted import ScriptedModel
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings
from tests.waiting import PATIENCE_S


class Likes(CrossEncoder):
    """Thinks that a text answers if it holds a word."""

    name = "likes"

    def __init__(self, word: str) -> None:
        self._word = word

    def scores(self, question: str, texts: Sequence[str], *, may_go_on: Callable[[], bool] = lambda: True) -> Scores | None:
        return np.array([float(self._word in text) for text in texts])


def test_it_changes_the_order_and_not_what_is_reinforced(talk: Talk) -> None:
    talk.say("The rope hangs in the boathouse.", "Good.")
    talk.say("My aunt Ottilie mends kites.", "Does she?")
    talk.say("Let us eat.", "Soup it is.")
    talk.remembered()
    engine, cue = talk.house.memory.engine, Cue("What of ropes and kites?", 9)
    plain = engine.recall(talk.scope, talk.branch_id, cue)
    found = talk.house.memory.store.memories.get(talk.scope, [c.memory_id for c in plain.candidates])
    last = [c.memory_id for c in plain.candidates if "Ottilie" in found[c.memory_id].text or "rope" in found[c.memory_id].text][-1]
    word = "Ottilie" if "Ottilie" in found[last].text else "rope"
    engine.cross = CrossReader(lambda: Likes(word), budget_s=PATIENCE_S)
    engine.cross.wait()
    read = engine.recall(talk.scope, talk.branch_id, cue)
    ranks = [[c.memory_id for c in recall.candidates].index(last) for recall in (plain, read)]
    assert ranks[1] < ranks[0]
    assert {c.parts["cross"] for c in read.candidates if word in found[c.memory_id].text} == {1.0}
    assert sorted(c.memory_id for c in read.candidates) == sorted(c.memory_id for c in plain.candidates)
    assert read.events == plain.events
    talk.say("What of ropes and kites?", "Both fly.")
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert receipt.cross == "ready"
    assert any(word in c.text and dict(c.parts)["cross"] == 1.0 for c in receipt.candidates)


def test_a_missing_one_is_said_in_the_receipt_and_beside_the_box(tmp_path: Path) -> None:
    model = ScriptedModel()
    house = open_house(house_settings(tmp_path / "data", cross_encoder=str(tmp_path / "nowhere")), model=model)
    house.start(worker=True)
    try:
        assert house.memory.engine.cross is not None
        house.memory.engine.cross.wait()
        talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
        talk.say("The rope hangs in the boathouse.", "Good.")
        talk.remembered()
        talk.say("Where does the rope hang?", "In the boathouse.")
        receipt = house.service.receipt(LOCAL_USER, talk.chat_id)
        assert receipt is not None
        assert (receipt.cross, receipt.degraded) == ("failed", "")
        assert receipt.candidates
        status = house.service.status(LOCAL_USER)
        assert (status.cross_encoder, status.cross_state) == ("nowhere", "failed")
    finally:
        house.close()
