"""Plain questions to talks of some fifteen rounds, asked of the memory without a language model: how many the sentences answer, or rightly do not.

Right is an answer that holds the expected words, or for what was never told "not in memory". The talks that are `fresh` were written after the rules, and none was made
for them since; the others are what the rules were written while looking at (docs/reading.md).
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from memory.answerer import Asking
from tests.memory.test_construction import START, opened, start

TALKS = json.loads(Path(__file__).with_name("plain_questions.json").read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "right"), [(0, 26), (1, 18), (2, 24), (3, 18)], ids=["English", "Chinese", "English, fresh", "Chinese, fresh"]
)
def test_so_many_plain_questions_are_answered_rightly(tmp_path: Path, place: int, right: int) -> None:
    """right: of 32, 24, 32 and 25."""
    talk = TALKS[place]
    memory = opened(tmp_path / "data")
    live = start(memory, player=talk["player"])
    live.pace = lambda number: timedelta(days=2 * number)
    for said, reply in talk["rounds"]:
        live.say(said, reply, work=False)
    live.end()
    found = 0
    chat = memory.store.chats.chat(live.scope)
    for question, wanted in talk["ask"]:
        asking = Asking(question, START + timedelta(days=2 * live.number + 1))
        gathered = memory.engine.answerer.gather(live.scope, live.branch_id, chat, asking)
        answer, _ = memory.engine.answerer.extract(live.scope, gathered, asking)
        told = " ".join(part.text for part in answer.parts).casefold()
        found += wanted.casefold() in told if wanted else not answer.found
    memory.close()
    assert found >= right
