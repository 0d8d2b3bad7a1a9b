"""What is embedded ahead is embedded once, beside what is done meanwhile, and fails where it is asked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from chat.assembly import Memory, open_memory
from memory.ahead import HELD, Ahead
from models.embedder import UNINDEXED
from models.errors import EmbeddingFailed
from settings import Settings
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.memory.test_construction import Live, start
from tests.waiting import PATIENCE_S

ANN = "ann"


class Slow:
    """Embeds a text as its length, when it is let."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.niceness: list[int] = []
        self.go = threading.Event()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        self.niceness.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        assert self.go.wait(PATIENCE_S)
        if "bad" in texts:
            raise EmbeddingFailed(UNINDEXED)
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def test_a_text_is_embedded_beside_and_once() -> None:
    embed = Slow()
    ahead = Ahead(embed)
    ahead.begin(ANN, {"k": "one", "l": "three"})
    ahead.begin(ANN, {"k": "one"})
    threading.Timer(0.05, embed.go.set).start()
    assert {k: v.tolist() for k, v in ahead.take(ANN, ["k", "x"]).items()} == {"k": [3.0]}
    assert embed.asked == ["one", "three"]
    assert ahead.take(ANN, ["k"]) == {}, "what was taken is gone"
    assert list(ahead.take(ANN, ["l"])) == ["l"]


def test_nobody_takes_what_another_began() -> None:
    embed = Slow()
    embed.go.set()
    ahead = Ahead(embed)
    ahead.begin(ANN, {"k": "one"})
    assert ahead.take("bob", ["k"]) == {}
    assert list(ahead.take(ANN, ["k"])) == ["k"]


def test_what_fails_is_left_to_whoever_asks() -> None:
    embed = Slow()
    embed.go.set()
    ahead = Ahead(embed)
    ahead.begin(ANN, {"k": "bad"})
    ahead.begin(ANN, {"l": "good"})
    assert list(ahead.take(ANN, ["k", "l"])) == ["l"]


def test_what_nobody_comes_for_makes_room_and_what_is_under_way_does_not() -> None:
    embed = Slow()
    ahead = Ahead(embed)
    ahead.begin(ANN, {"first": "first"})
    ahead.begin(ANN, {f"many {n}": "text" for n in range(HELD)})
    ahead.begin(ANN, {"l": "last"})
    embed.go.set()
    assert list(ahead.take(ANN, ["first"])) == ["first"], "under way, it is not given up for others"
    for n in range(3 * HELD):
        ahead.begin(ANN, {str(n): str(n)})
        for thread in ahead._threads:
            thread.join()
    held = ahead.take(ANN, [*map(str, range(3 * HELD)), *(f"many {n}" for n in range(HELD)), "l"])
    assert list(held) == [str(n) for n in range(2 * HELD, 3 * HELD)]


def test_nothing_is_held_when_something_was_erased(live: Live) -> None:
    keeper = live.memory.engine._keeper
    for erased in (keeper.drop_ahead, live.memory.engine.finish_erasures):
        keeper.ahead(LOCAL_USER, ["A heron stood in the yard."])
        assert keeper._ahead._made
        erased()
        assert not keeper._ahead._made


def test_it_gives_way_as_the_thread_that_began_it() -> None:
    embed = Slow()
    embed.go.set()
    ahead = Ahead(embed)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert own <= 16, "run less niced: there is no niceness above 19 to tell by"

    def niced() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own + 3)
        ahead.begin(ANN, {"k": "one"})

    thread = threading.Thread(target=niced)
    thread.start()
    thread.join()
    ahead.take(ANN, ["k"])
    ahead.begin(ANN, {"l": "two"})
    ahead.take(ANN, ["l"])
    assert embed.niceness == [own + 3, own]


def test_what_is_under_way_ends_before_the_program_does_and_nothing_more_begins() -> None:
    embed = Slow()
    ahead = Ahead(embed)
    ahead.begin(ANN, {"k": "one"})
    threading.Timer(0.2, embed.go.set).start()
    ahead.close()
    assert embed.go.is_set(), "it was waited for"
    ahead.begin(ANN, {"l": "two"})
    assert list(ahead.take(ANN, ["k", "l"])) == ["k"]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = open_memory(Settings(data_dir=tmp_path))
    yield start(memory)
    memory.close()


SAID = (
    ("My name is Mara and I live in Porto.", "Noted."),
    ("My sister Ida is a nurse. I am allergic to walnuts.", "No cake."),
    ("I have a grey cat called Biscuit.", "Good."),
)


def spied(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """(thread, text) of every passage that is embedded from now on."""
    found: list[tuple[str, str]] = []
    embed = memory.embedder.passages

    def passages(texts: Sequence[str]) -> NDArray[np.float32]:
        found.extend((threading.current_thread().name, text) for text in texts)
        return embed(texts)

    monkeypatch.setattr(memory.embedder, "passages", passages)
    monkeypatch.setattr(memory.engine._keeper._ahead, "_embed", passages)
    return found


def test_the_next_round_is_embedded_while_the_one_before_is_read_and_no_text_twice(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded = spied(live.memory, monkeypatch)
    for user, reply in SAID:
        live.say(user, reply)
    rounds = [(thread, text.split(": ")[1]) for thread, text in embedded if text.startswith("Mara: ") and not text.startswith("Mara: “")]
    assert [text.split("\n")[0] for _, text in rounds] == [user for user, _ in SAID]
    assert [thread == "embedding-ahead" for thread, _ in rounds] == [False, True, True], "before the first nothing is read"
    texts = [text for _, text in embedded]
    assert len(set(texts)) == len(texts)
    (ida,) = (f.text for f in live.of(Kind.FACT) if f.payload["quote"] == "My sister Ida is a nurse.")
    assert ("embedding-ahead", ida) in embedded


def test_what_could_not_be_embedded_ahead_fails_the_task_that_needs_it_and_no_other(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.say(*SAID[0])
    embed = live.memory.embedder.passages
    fails = [True]

    def passages(texts: Sequence[str]) -> NDArray[np.float32]:
        if fails[0] and any("walnuts" in text for text in texts):
            raise EmbeddingFailed(UNINDEXED)
        return embed(texts)

    monkeypatch.setattr(live.memory.embedder, "passages", passages)
    monkeypatch.setattr(live.memory.engine._keeper._ahead, "_embed", passages)
    live.say(*SAID[1], work=False)
    tasks = live.memory.store.tasks
    read = tasks.lease()
    assert read is not None
    assert read.kind == "extract"
    live.memory.engine.run(read)
    tasks.finish(read)
    episode = tasks.lease()
    assert episode is not None
    assert episode.kind == "episode"
    with pytest.raises(EmbeddingFailed):
        live.memory.engine.run(episode)
    fails[0] = False
    live.memory.engine.run(episode)
    assert len(live.of(Kind.EPISODE)) == 2
