"""Topics on a real store: sessions that end, tellings that go on with older ones, and that both follow from the path alone (RMM 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tqdm import tqdm

from chat.ending import end_session
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from chat.portable import Portable
from memory import topics
from memory.engine import Cue, mend_task
from storage.records import Kind, Memory, NewWording
from storage.scope import LOCAL_USER, Scope
from tests.memory.clerk import controls
from tests.memory.test_construction import START, Live, opened, start
from tests.memory.topics_told import shown, told

# Two sessions and the beginning of a third: a garden and a sister first, then the garden again.
TALK = (
    ("I grow tomatoes in my garden.", "Do they get sun?"),
    ("My tomatoes grow in three wooden boxes behind the house.", "A good place."),
    ("My sister Ida is a nurse in Leith.", "A night worker?"),
    ("My sister Ida works at the harbour hospital.", "Hard work."),
    ("I pick snails off the tomatoes in my garden every night.", "The gander eats snails."),
    ("I collect old lamps from the flea market.", "Lamps, then."),
    ("What shall we talk about?", "The tide tables."),
)
BREAK_AFTER = {4: 180, 6: 300}
"""Minutes of silence after a round."""


def pace(number: int) -> timedelta:
    return timedelta(minutes=2 * number + sum(minutes for last, minutes in BREAK_AFTER.items() if number > last))


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield replace(start(memory), pace=pace)
    memory.close()


def say_all(live: Live) -> None:
    for user, reply in TALK:
        live.say(user, reply)


def tellings(live: Live) -> list[tuple[str, int, int]]:
    """In path order, whatever goes on with what."""
    return sorted((telling for topic in told(live) for telling in topic), key=lambda t: (t[1:], t[0]))


def mended(live: Live, *, first_round: int = 0) -> None:
    for branch in live.memory.store.branches.all(live.scope):
        live.memory.store.tasks.add(live.scope, mend_task(branch.id, first_round=first_round))
    live.memory.work_off()


def rebuilt(live: Live) -> list[list[tuple[str, int, int]]]:
    controls(live).rebuild(LOCAL_USER, live.scope.chat_id)
    live.memory.work_off()
    return told(live)


def test_a_session_that_is_over_is_told_by_topics_and_a_later_one_goes_on_with_them(live: Live) -> None:
    for user, reply in TALK[:4]:
        live.say(user, reply)
    assert shown(live).topics == ()
    assert shown(live).open_since == 1
    for user, reply in TALK[4:]:
        live.say(user, reply)
    found = told(live)
    assert shown(live).open_since == 7
    by_words = {next(w for w in ("sister", "tomatoes", "lamp") if w in topic[0][0]): topic for topic in found}
    assert [(first, last) for _, first, last in by_words["sister"]] == [(1, 4)]
    assert [(first, last) for _, first, last in by_words["tomatoes"]] == [(1, 4), (5, 6)]
    (newest, oldest) = next(t for t in shown(live).topics if len(t) == 2)
    assert [f.round_last for f in oldest.facts] == [1, 2]
    assert topics.rounds_of(oldest.memory) == [1, 2]
    assert all(f.text in newest.memory.text for f in newest.facts)


def headings(live: Live) -> dict[str, list[str]]:
    """By the topic's newest telling."""
    held = shown(live)
    return {topic[0].memory.text: heading.casefold().split(", ") for topic, heading in zip(held.topics, held.headings, strict=True)}


def test_a_topic_is_headed_by_what_all_its_tellings_are_about_and_by_nobody_who_talks(live: Live) -> None:
    say_all(live)
    for text, words in headings(live).items():
        assert not {"mara", "nell", "nell garrow"} & set(words)
        assert any(word in text.casefold() for word in words)
    assert next(words[0] for text, words in headings(live).items() if "snails" in text) == "tomatoes"
    controls(live).edit(LOCAL_USER, live.scope.chat_id, of(live, "sister").id, "Ida, the sister, bought a kayak.")
    live.memory.work_off()
    assert "kayak" in next(words for text, words in headings(live).items() if "kayak" in text)


def test_a_session_ends_by_hand_and_no_second_time(live: Live) -> None:
    for user, reply in TALK[:4]:
        live.say(user, reply)
    store = live.memory.store
    assert end_session(store, live.scope, live.branch_id, by="user")
    assert not end_session(store, live.scope, live.branch_id, by="user")
    live.memory.work_off()
    assert shown(live).open_since == 0
    before = told(live)
    assert len(before) == 2
    assert rebuilt(live) == before
    live.say(*TALK[5])  # two minutes later, but in another session
    assert shown(live).open_since == 5
    assert told(live) == before


def test_topics_that_grew_equal_topics_made_anew_and_topics_of_an_import(live: Live, tmp_path: Path) -> None:
    say_all(live)
    before = told(live)
    assert rebuilt(live) == before
    messages = []
    for number, pair in enumerate(TALK, start=1):
        for offset, (name, text) in enumerate(zip(("Mara", "Nell Garrow"), pair, strict=True)):
            messages.append(
                ImportedMessage(f"{number}-{offset}", name, text, START + pace(number) + timedelta(seconds=9 * offset), 1, number)
            )
    conversation = ImportedConversation("k", "Mara & Nell", ("Mara", "Nell Garrow"), tuple(messages), ())
    memory = opened(tmp_path / "imported")
    importer = Importer(memory.store, conversation, Cast("Mara", "Nell Garrow"), character_id="builtin:nell-garrow", language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    memory.work_off()
    imported = Live(memory, importer.scope, memory.store.chats.chat(importer.scope).branch_id, [], 7)
    assert told(imported)[: len(before)] == before
    memory.close()


def test_a_copy_has_the_same_topics_and_deriving_again_doubles_none(live: Live) -> None:
    say_all(live)
    store = live.memory.store
    copy = Portable(store).load(LOCAL_USER, Portable(store).export(LOCAL_USER, live.scope.chat_id))
    there = replace(live, scope=Scope.of(LOCAL_USER, copy), branch_id=store.chats.chat(Scope.of(LOCAL_USER, copy)).branch_id)
    assert told(there) == told(live)
    ids = {m.id for m in there.of(Kind.TOPIC)}
    mended(there)
    assert {m.id for m in there.of(Kind.TOPIC)} == ids
    assert told(there) == told(live)


def test_an_edit_takes_a_sessions_topics_away_and_undoing_it_brings_them_back(live: Live) -> None:
    say_all(live)
    store, before = live.memory.store, told(live)
    said = next(m for m in store.chats.span(live.scope, live.branch_id, first_round=2, last_round=2) if m.role.value == "user")
    with store.database.write():
        store.tree.reword(live.scope, live.branch_id, said.id, NewWording("I like the sea.", "user"), operation="edit")
    assert all(first == 5 for topic in told(live) for _, first, _ in topic)  # at once, before anything is derived
    mended(live, first_round=2)
    assert not any("boxes" in text for topic in told(live) for text, _, _ in topic)
    assert told(live) == rebuilt(live)
    with store.database.write():
        store.tree.swipe(live.scope, live.branch_id, said.id, 0)
    mended(live, first_round=2)
    assert told(live) == before == rebuilt(live)


@pytest.mark.parametrize("how", ["delete", "hide"])
def test_what_was_taken_out_is_in_no_topic(live: Live, how: str) -> None:
    say_all(live)
    store, before = live.memory.store, told(live)
    said = next(m for m in store.chats.span(live.scope, live.branch_id, first_round=5, last_round=5) if m.role.value == "user")
    with store.database.write():
        getattr(store.tree, how)(live.scope, live.branch_id, said.id)
    mended(live, first_round=5)
    assert not any("snails" in text for topic in told(live) for text, _, _ in topic)
    assert told(live) == rebuilt(live)
    store.tree.undo(live.scope)
    mended(live, first_round=5)
    assert told(live) == before


def test_a_branch_has_the_topics_of_its_own_path(live: Live) -> None:
    say_all(live)
    store, main = live.memory.store, told(live)
    at = store.chats.span(live.scope, live.branch_id, first_round=4, last_round=4)[-1]
    other = store.branches.fork(live.scope, live.branch_id, at.id, "there", operation="branch")
    fork = replace(live, branch_id=other, number=4, pace=lambda number: pace(number) + timedelta(days=1), last=[])
    fork.last = store.chats.newest_round(live.scope, other)
    mended(live)
    first = [topic[0] for topic in main if topic[0][2] == 4]
    assert sorted(tellings(fork)) == sorted(first)
    fork.number = 20  # names of messages are made from it
    fork.say("I have a dog called Rufus.", "Good.")
    end_session(store, fork.scope, fork.branch_id, by="user")
    fork.memory.work_off()
    (dog,) = (f.text for f in fork.of(Kind.FACT) if f.payload["quote"] == "I have a dog called Rufus.")
    assert sorted(tellings(fork)) == sorted([*first, (dog, 5, 5)])
    assert told(live) == main


def test_a_silence_on_one_branch_ends_the_session_on_every_branch_through_it(live: Live) -> None:
    """Else what a branch shows would hang on whether another branch is there."""
    for user, reply in TALK[:4]:
        live.say(user, reply)
    store = live.memory.store
    at = store.chats.span(live.scope, live.branch_id, first_round=2, last_round=2)[-1]
    other = store.branches.fork(live.scope, live.branch_id, at.id, "there", operation="checkpoint")
    assert end_session(store, live.scope, other, by="idle")
    live.memory.work_off()
    assert shown(live).open_since == 3
    assert told(live) == told(replace(live, branch_id=other))
    assert told(live) == rebuilt(live)


# What a person decides


def of(live: Live, word: str) -> Memory:
    return next(m for m in live.of(Kind.TOPIC) if word in m.text)


def test_a_topic_that_was_erased_stays_away_and_its_neighbours_stay(live: Live) -> None:
    say_all(live)
    topic = of(live, "sister")
    others = [t for t in tellings(live) if "sister" not in t[0]]
    controls(live).delete(LOCAL_USER, live.scope.chat_id, topic.id)
    live.memory.work_off()
    assert tellings(live) == others
    before = told(live)
    assert rebuilt(live) == before


def test_what_rests_on_an_erased_fact_goes_and_is_told_without_it(live: Live) -> None:
    say_all(live)
    gone = next(m for m in live.of(Kind.FACT) if "boxes" in m.text)
    controls(live).delete(LOCAL_USER, live.scope.chat_id, gone.id)
    live.memory.work_off()
    assert not any("boxes" in text for topic in told(live) for text, _, _ in topic)
    assert any("grow tomatoes" in text for topic in told(live) for text, _, _ in topic)
    assert told(live) == rebuilt(live)


def test_an_excluded_fact_is_in_no_topic_and_comes_back(live: Live) -> None:
    say_all(live)
    before = told(live)
    kept = next(m for m in live.of(Kind.FACT) if "boxes" in m.text)
    controls(live).exclude(LOCAL_USER, live.scope.chat_id, kept.id)
    live.memory.work_off()
    assert not any("boxes" in text for topic in told(live) for text, _, _ in topic)
    assert told(live) == rebuilt(live)
    controls(live).include(LOCAL_USER, live.scope.chat_id, kept.id)
    live.memory.work_off()
    assert told(live) == before


@pytest.mark.parametrize("then", [rebuilt, told])
def test_a_topic_in_a_persons_words_stays_and_is_not_doubled(live: Live, then: Callable[[Live], list[list[tuple[str, int, int]]]]) -> None:
    say_all(live)
    before = told(live)
    controls(live).edit(LOCAL_USER, live.scope.chat_id, of(live, "sister").id, "Ida, the sister, is a nurse.")
    live.memory.work_off()
    after = then(live)
    assert [len(t) for t in after] == [len(t) for t in before]
    assert any("Ida, the sister, is a nurse." in text for topic in after for text, _, _ in topic)
    assert sum("Ida" in text for topic in after for text, _, _ in topic) == 1


def test_an_excluded_topic_stays_excluded_when_it_is_made_anew(live: Live) -> None:
    say_all(live)
    controls(live).exclude(LOCAL_USER, live.scope.chat_id, of(live, "sister").id)
    assert of(live, "sister").excluded
    rebuilt(live)
    assert of(live, "sister").excluded
    assert not of(live, "lamp").excluded


def test_a_topic_is_recalled_only_where_a_person_pinned_it(live: Live) -> None:
    say_all(live)
    topic, cue = of(live, "sister"), Cue("What does your sister Ida do at the hospital?", 99)
    recalled = live.memory.engine.recall(live.scope, live.branch_id, cue)
    assert recalled.pinned == ()
    assert topic.id not in {c.memory_id for c in recalled.candidates}
    controls(live).pin(LOCAL_USER, live.scope.chat_id, topic.id)
    assert live.memory.engine.recall(live.scope, live.branch_id, cue).pinned == (topic.id,)
    rebuilt(live)
    assert live.memory.engine.recall(live.scope, live.branch_id, cue).pinned == (topic.id,)
    assert len([m for m in live.of(Kind.TOPIC) if "sister" in m.text]) == 1


def test_reading_a_topic_again_gives_what_its_session_tells_now(live: Live) -> None:
    say_all(live)
    topic = of(live, "sister")
    controls(live).edit(LOCAL_USER, live.scope.chat_id, topic.id, "Something else.")
    live.memory.work_off()
    view = controls(live).rederive(LOCAL_USER, live.scope.chat_id, topic.id)
    assert (view.old, view.new) == ("Something else.", (topic.text,))
