"""What is taken back later holds no more: on the paths that have both, however memory came to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.denying import mark, taken_back
from memory.engine import Cue, mend_task
from memory.extracting import facts_of_path
from memory.facts import memories_of
from memory.reading.messages import alone
from storage.records import TAKEN_BACK, Kind, Memory, Message, Revision, Role, Source, sha256
from tests.memory.test_construction import HABITS, Live, opened, start

AT = datetime(2024, 5, 1, tzinfo=UTC)
REVERSALS = json.loads((Path(__file__).parent / "reversals.json").read_text(encoding="utf-8"))
"""(what was told, what was said after it): where the first holds no longer, and where it does."""


def _told(text: str, *, round_: int = 3, by: str = "Mara", **more: object) -> Memory:
    memory = Memory(
        id=f"{round_}{text}",
        chat_id="c",
        kind=Kind.FACT,
        text=f"{by}: “{text}”",
        language="en",
        round_first=round_,
        round_last=round_,
        said_at=AT,
        sources=(Source(f"m{round_}", f"r{round_}", "0" * 64),),
        derivation_key=f"k{round_}",
        subject=by,
        said_by=by,
        payload={"quote": text},
    )
    return replace(memory, **more)  # type: ignore[arg-type]


def _message(text: str = "I made up the dog, I don't have one.", *, round_: int = 9, speaker: str = "Mara") -> Message:
    return Message(
        f"msg{round_}", None, 8, round_, Role.USER, speaker, AT, Revision(f"rev{round_}", text, sha256(text), "user", "complete")
    )


def _gone(told: str, after: str) -> tuple[int, int]:
    """Of how many memories of what was told how many are taken back by what was said after it."""
    speaker = "Mara" if told.isascii() else "林夏"
    first, second = _message(told, round_=1, speaker=speaker), _message(after, round_=2, speaker=speaker)
    held = memories_of("c", first, None, alone(first, listener="Nell", opens=True))
    return len(held), len(taken_back(alone(second, listener="Nell", opens=True).endings, second, held))


def test_much_of_what_comes_otherwise_takes_back_what_was_told_of_it() -> None:
    """No gate: the bounds of this test and the next hold what the shipped file does (11 of 25, 4 of 36), so that another one is not worse unseen."""
    counts = [_gone(told, after) for told, after in REVERSALS["ends"]]
    assert sum(gone > 0 for held, gone in counts if held) >= 0.4 * sum(held > 0 for held, _ in counts)


def test_little_that_is_of_another_or_of_this_once_takes_anything_back() -> None:
    counts = [_gone(told, after) for told, after in REVERSALS["stays"]]
    assert sum(gone > 0 for _, gone in counts) <= 0.25 * len(counts)


def test_what_others_said_what_comes_later_and_what_a_model_or_a_person_wrote_stands() -> None:
    dog, message = _told("I have a dog called Biscuit."), _message()
    assert taken_back([message.text], message, [dog]) == [dog]
    assert taken_back([], message, [dog]) == []
    for other in (
        _told("I have a dog called Biscuit.", by="Nell"),
        _told("I have a dog called Biscuit.", round_=9),
        _told("I have a dog called Biscuit.", origin="user"),
        replace(dog, payload={**dog.payload, "model": "m"}),
    ):
        assert taken_back([message.text], message, [other]) == []


def test_a_mark_rests_on_what_was_taken_back_and_on_the_message_that_does_it() -> None:
    boat, message = _told("Mara has a boat."), _message()
    made = mark(boat, message)
    assert [s.message_id for s in made.sources] == ["m3", message.id]
    assert (made.slot, made.grounds, made.round_first, made.round_last) == (TAKEN_BACK, (boat.id,), 9, 9)
    assert mark(boat, message) == made
    assert mark(boat, _message("It was a lie.")).id != made.id


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield start(memory)
    memory.close()


CAT, DOG = "I have a grey cat called Biscuit.", "I have a dog called Rufus."
NO_CAT, NO_DOG = "I made up the cat, I don't have one.", "I made up the dog, I don't have one."
"""What takes it back, which may be remembered itself."""


def _facts(live: Live) -> list[str]:
    return sorted(f.text for f in live.of(Kind.FACT))


def _quoted(live: Live) -> set[object]:
    """The words of the player that facts rest on."""
    return {f.payload["quote"] for f in live.of(Kind.FACT) if f.said_by == live.player}


def _rebuilt(live: Live) -> list[str]:
    """The facts of the same path, made anew from its text."""
    live.rebuild()
    return _facts(live)


def test_what_is_taken_back_leaves_facts_sketch_and_recall_and_nothing_else_does(live: Live) -> None:
    live.say(CAT, "Good.")
    live.say("My brother Otto works in a clock shop in Ghent.", "Good.")
    live.say("I work as a baker.", "Good.")
    live.say("It rains.", "It does.")
    assert "cat called Biscuit" in live.known()["pets"]
    before = set(_facts(live))
    live.say(NO_CAT, "Good.")
    live.say("It rains again.", "It does.")
    live.end()
    grown = _facts(live)
    (cat,) = before - set(grown)
    assert CAT in cat
    assert _quoted(live) >= {"My brother Otto works in a clock shop in Ghent.", "I work as a baker."}
    assert "cat called Biscuit" not in live.known().get("pets", [])
    found = live.memory.engine.recall(live.scope, live.branch_id, Cue("Do I have a grey cat?", 99)).candidates
    recalled = live.memory.store.memories.get(live.scope, [c.memory_id for c in found]).values()
    assert cat not in {m.text for m in recalled}
    path = live.memory.store.chats.span(live.scope, live.branch_id, first_round=0, last_round=live.number)
    assert sorted(f.text for f in facts_of_path(path, live.memory.store.chats.chat(live.scope))) == grown
    assert _rebuilt(live) == grown


def test_a_branch_from_before_it_was_taken_back_still_has_it(live: Live) -> None:
    live.say(DOG, "Good.")
    live.say("It rains.", "It does.")
    at = live.last[-1]
    live.say(NO_DOG, "Good.")
    live.say("It rains again.", "It does.")
    here = _facts(live)
    assert DOG not in _quoted(live)
    other = live.memory.store.branches.fork(live.scope, live.branch_id, at.id, "there", operation="checkpoint")
    fork = replace(live, branch_id=other)
    live.memory.store.tasks.add(live.scope, mend_task(other, first_round=0))
    live.memory.work_off()
    assert _quoted(fork) == {DOG}
    assert _facts(live) == here


def test_what_a_person_pinned_stays(live: Live) -> None:
    live.say(DOG, "Good.")
    live.say("Hm.", "Yes?")
    (dog,) = (f for f in live.of(Kind.FACT) if f.said_by == live.player)
    live.memory.store.controls.pin(live.scope, dog.id, True)
    live.say(NO_DOG, "Good.")
    live.say("It rains again.", "It does.")
    assert dog.text in _facts(live)
    live.memory.store.controls.pin(live.scope, dog.id, False)
    assert dog.text not in _facts(live)


def test_an_insight_goes_with_the_fact_it_rests_on_and_another_pair_may_take_its_place(live: Live) -> None:
    live.pace = lambda number: timedelta(minutes=number)
    for line in HABITS:
        live.say(line, "Good.")
    live.say("Hm.", "Yes?")
    live.end()
    (insight,) = live.of(Kind.INSIGHT)
    assert len(insight.grounds) == 2
    live.say("I lied about the diary, I don't keep one.", "So.")
    live.say("It rains.", "It does.")
    assert HABITS[0] not in _quoted(live)
    facts = {f.id for f in live.of(Kind.FACT)}
    left = live.of(Kind.INSIGHT)
    assert insight.id not in {i.id for i in left}
    assert all(facts.issuperset(i.grounds) for i in left)


def test_a_chapter_tells_what_was_told_when_it_was_told(live: Live) -> None:
    live.say(DOG, "Good.")
    for _ in range(31):
        live.say("It rains again.", "It does.")
    (dog,) = (f for f in live.of(Kind.FACT) if f.said_by == live.player)
    plots = [p.text for p in live.of(Kind.PLOT)]
    assert len(plots) == 1
    assert dog.text in plots[0]
    live.say(NO_DOG, "Good.")
    live.say("It rains still.", "Yes.")
    after = _facts(live)
    assert dog.text not in after
    assert _rebuilt(live) == after
    assert [p.text for p in live.of(Kind.PLOT)] == plots


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        ("I work at a bakery in Leith.", "I don't work at the bakery any more.", True),
        ("I play the cello every evening.", "I no longer play the cello.", True),
        ("I keep bees.", "My brother doesn't keep bees any more.", False),
        ("I keep bees.", "I don't keep goats anymore.", False),
        ("I don't keep bees any more.", "I don't keep bees any more.", False),
        ("I'm moving to Lisbon in March.", "I'm not moving to Lisbon after all.", True),
        ("I'm moving to Lisbon in March.", "I'm moving to Lisbon after all.", False),
    ],
)
def test_what_is_said_to_be_so_no_more_is_taken_back(old: str, new: str, gone: bool) -> None:
    assert bool(taken_back([new], _message(new), [_told(old)])) == gone
