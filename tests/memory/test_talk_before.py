"""What a cue goes on with: the last messages, each for itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.cue_vectors import CueVectors
from memory.cues import Cue
from memory.keys import PAUSE, Rounds
from memory.talk_before import FADING_SAID, MESSAGES, Talk, faded, talk_before
from models.errors import EmbeddingFailed
from storage.scope import LOCAL_USER
from storage.vectors import QUERY_CHARS
from tests.conftest import START
from tests.memory.test_construction import Live, opened, start


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield start(memory)
    memory.close()


def before(live: Live, *, after: timedelta = timedelta(minutes=5)) -> Talk:
    store = live.memory.store
    visible = store.memories.visible(live.scope, live.branch_id)
    cue = Cue("Go on", live.number + 1, START + live.pace(live.number) + after)
    return talk_before(store, live.scope, live.branch_id, Rounds(visible), cue, fingerprint=live.memory.embedder.fingerprint)


def test_it_is_the_last_messages_newest_first_and_no_more_than_a_cue_of_each(live: Live) -> None:
    for number in range(5):
        live.say(f"Said {number} " + "and on " * 200, f"Answered {number}")
    said = before(live).said
    assert [text.split(" and")[0] for text in said] == ["Answered 4", "Said 4", "Answered 3", "Said 3", "Answered 2", "Said 2"]
    assert len(said) == MESSAGES
    assert max(map(len, said)) == QUERY_CHARS


def test_after_a_long_silence_there_is_none(live: Live) -> None:
    live.say("The ferry sank.", "Oh no.")
    assert before(live).said
    assert before(live, after=PAUSE).said == ()


def test_a_hidden_message_is_no_part_of_it(live: Live) -> None:
    live.say("The ferry sank.", "Oh no.")
    live.memory.store.tree.hide(live.scope, live.branch_id, live.last[1].id)
    assert "Oh no." not in before(live).said


def test_what_was_said_is_embedded_once_and_by_name_of_what_it_says(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.say("There was a storm.", "And then?")
    live.say("The ferry sank.", "Who was on it?")
    asked: list[list[str]] = []
    queries = live.memory.embedder.queries
    monkeypatch.setattr(live.memory.embedder, "queries", lambda texts: asked.append(list(texts)) or queries(texts))
    for text in ("My uncle", "My aunt"):
        live.memory.engine.recall(live.scope, live.branch_id, Cue(text, live.number + 1, START + live.pace(live.number)))
    assert asked == [["My uncle", "Who was on it?"], ["My aunt"]]


def test_talk_that_cannot_be_embedded_is_no_context_and_a_cue_is_needed(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.say("There was a storm.", "And then?")
    live.say("The ferry sank.", "Who was on it?")
    queries = live.memory.embedder.queries
    broken = "Who was on it?"

    def some(texts: Sequence[str]) -> NDArray[np.float32]:
        if broken in texts:
            raise EmbeddingFailed("It cannot.")
        return queries(texts)

    monkeypatch.setattr(live.memory.embedder, "queries", some)
    cue = Cue("The ferry", live.number + 1, START + live.pace(live.number))
    found = live.memory.engine.recall(live.scope, live.branch_id, cue)
    assert found.degraded == ""
    assert any(c.dense is not None for c in found.candidates)
    with pytest.raises(EmbeddingFailed):
        live.memory.engine.recall(live.scope, live.branch_id, replace(cue, text=(broken := "My uncle")))


def test_one_more_text_that_is_awaited_changes_no_bit_of_the_others(live: Live) -> None:
    cues = CueVectors(live.memory.store, live.memory.embedder)
    together = cues.of(LOCAL_USER, ["The ferry sank.", "Who was on it?"])
    assert together.pending
    made = together.made()
    assert not together.pending
    alone = live.memory.embedder.queries(["Who was on it?"])[0]
    assert np.array_equal(alone, made["Who was on it?"])
    assert np.array_equal(cues.one(LOCAL_USER, "Who was on it?"), alone)
    assert not cues.of(LOCAL_USER, ["Who was on it?"]).pending


def test_what_was_said_last_counts_most() -> None:
    near, far = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)
    found = faded([near, far], FADING_SAID)
    assert found is not None
    assert found.tolist() == pytest.approx([1 / 1.8, 0.8 / 1.8])
    assert faded([], FADING_SAID) is None
