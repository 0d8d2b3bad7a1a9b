"""Of what took the place of something else the newer is found first by who asks how it is, and both by who asks how it was (LongMemEval: knowledge updates)."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import cycle
from pathlib import Path

import pytest

from memory.engine import Cue
from memory.everyday import everyday
from tests.memory.test_construction import opened, start

PAIRS = json.loads(Path(__file__).with_name("successions.json").read_text(encoding="utf-8"))
"""By language [what was, what is, a question of now, a question of before]."""
NOTED = {"en": "Noted.", "zh": "记下了。"}
NAMES = {"en": ("Mara", "Ida"), "zh": ("小梅", "小雨")}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_newer_is_found_first_now_and_both_before(tmp_path: Path, language: str) -> None:
    memory = opened(tmp_path / "data")
    player, other = NAMES[language]
    live = start(memory, player=player)
    live.pace = lambda number: timedelta(days=number)
    fill, at = cycle(everyday(language, player=other)), {}
    for part in (0, 1):
        for pair in PAIRS[language]:
            live.say(pair[part], NOTED[language], work=False)
            at[pair[part]] = live.number
            live.say(next(fill), NOTED[language], work=False)
        for _ in range(8):
            live.say(next(fill), NOTED[language], work=False)
    memory.work_off()
    live.end()

    def places(question: str, *told: str) -> list[int]:
        """Where the rounds are found in which something was told, from 0."""
        cue = Cue(question, live.number + 2, said_at=live.last[0].said_at, speaker=player, listener="Nell Garrow")
        found = memory.engine.recall(live.scope, live.branch_id, cue).candidates
        held = memory.store.memories.get(live.scope, [c.memory_id for c in found])
        order = list(dict.fromkeys(held[c.memory_id].round_last for c in found))
        return [order.index(at[one]) if at[one] in order else 99 for one in told]

    now = [places(question, older, newer) for older, newer, question, _ in PAIRS[language]]
    before = [places(question, older, newer) for older, newer, _, question in PAIRS[language]]
    memory.close()
    assert sum(newer < older for older, newer in now) >= 10, now
    assert sum(newer <= 2 for _, newer in now) >= 9, now
    assert sum(max(both) < 5 for both in before) >= 9, before
