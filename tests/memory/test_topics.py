"""Topics: a session decomposed, tellings that belong together, and that both follow from the path alone (RMM 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from tqdm import tqdm

from chat.ending import end_session
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from chat.portable import Portable
from memory import topics
from memory.engine import Cue, mend_task
from memory.overview import HeldTopics
from memory.sessions import IDLE
from memory.topic_words import Rarity, WordTable, background, likenesses, terms_of
from storage.records import Kind, Memory, NewWording
from storage.scope import LOCAL_USER, Scope
from tests.memory.test_construction import START, Live, opened, start
from tests.memory.test_modelled import controls

# Two sessions and the beginning of a third: a garden and a sister first, then the garden again.
TALK = (
    ("I planted tomatoes in my garden.", "Do they get sun?"),
    ("My tomatoes grow in three wooden boxes behind the house.", "A good place."),
    ("My sister Ida is a nurse in Leith.", "A night worker?"),
    ("My sister Ida works at the harbour hospital.", "Hard work."),
    ("The tomatoes in my garden were eaten by snails.", "The gander eats snails."),
    ("I bought a green lamp for the garden.", "A lamp keeps no snail away."),
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


def shown(live: Live) -> HeldTopics:
    return live.memory.engine.overview.topics(live.scope, live.branch_id, language="en", idle=IDLE)


def told(live: Live) -> list[list[tuple[str, int, int]]]:
    """Topics with their tellings, oldest first."""
    return [[(t.memory.text, t.memory.round_first, t.memory.round_last) for t in reversed(topic)] for topic in reversed(shown(live).topics)]


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


# Pure


def fact(number: int, text: str, *, round_: int, who: str = "Mara", language: str = "en") -> Memory:
    said_at = datetime(2024, 5, 1, 9, tzinfo=UTC) + timedelta(minutes=round_)
    return Memory(
        id=f"f{number}", chat_id="c", kind=Kind.FACT, text=text, language=language, round_first=round_, round_last=round_, said_at=said_at, sources=(),
        derivation_key=f"{number:04d}", subject=who, said_by=who, knowers=("Mara", "Nell"),
    )  # fmt: skip


def around(*directions: int, size: int = 8) -> topics.Vectors:
    """Unit vectors of the directions named, each a little off."""
    made = np.eye(size, dtype=np.float32)[list(directions)] + 0.02 * np.arange(len(directions), dtype=np.float32)[:, None]
    unit: topics.Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def decomposed(facts: Sequence[Memory], vectors: topics.Vectors) -> list[list[int]]:
    terms = topics.terms_of_facts(facts, people=("Mara", "Nell"))
    rarity = Rarity()
    rarity.add(background(facts[0].language))
    rarity.add(terms)
    return topics.decompose(facts, vectors, terms, rarity)


@pytest.mark.parametrize(
    "texts",
    [
        ("Mara grows tomatoes.", "Mara waters the tomatoes at dawn.", "Ida is a nurse.", "Ida works at night."),
        ("Mara在种番茄。", "Mara每天给番茄浇水。", "Ida是护士。", "Ida上夜班。"),
    ],
)
def test_facts_that_belong_together_are_one_topic_and_others_are_not(texts: tuple[str, ...]) -> None:
    language = "en" if texts[0].isascii() else "zh"
    facts = [fact(n, text, round_=1 + 3 * (n // 2), language=language) for n, text in enumerate(texts)]
    assert decomposed(facts, around(0, 0, 1, 1)) == [[0, 1], [2, 3]]


def linked_by_definition(members: Sequence[int], together: np.ndarray, least: float) -> list[list[int]]:
    """Every pair looked at in every step."""
    groups = [[i] for i in members]
    while len(groups) > 1:
        pairs = [(a, b) for a in range(len(groups)) for b in range(a)]
        wanted = {(a, b): least - topics.LOOSE * (1 in (sizes := {len(groups[a]), len(groups[b])}) and len(sizes) > 1) for a, b in pairs}
        above = {(a, b): together[np.ix_(groups[a], groups[b])].mean() - wanted[a, b] for a, b in pairs}
        a, b = max(pairs, key=lambda pair: (above[pair], -pair[0], -pair[1]))
        if above[a, b] < 0:
            break
        groups = [g for place, g in enumerate(groups) if place not in (a, b)] + [sorted(groups[a] + groups[b])]
    return groups


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_those_of_average_linkage(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=(12, 12)) / 2
    together = np.round((drawn + drawn.T) * 4) / 4 if seed % 2 else drawn + drawn.T  # with equals, and without
    members = sorted(rng.choice(12, size=9, replace=False).tolist())
    assert sorted(topics._linked(members, together, 0.25)) == sorted(linked_by_definition(members, together, 0.25))


def test_what_two_people_tell_is_two_topics_however_alike_it_is() -> None:
    facts = [fact(0, "Mara grows tomatoes.", round_=1), fact(1, "Nell grows tomatoes.", round_=1, who="Nell")]
    assert decomposed(facts, around(0, 0)) == [[0], [1]]


def test_a_summary_is_of_the_facts_own_sentences_in_order() -> None:
    facts = [fact(n, f"Mara told number {n}.", round_=n) for n in range(1, 7)]
    summary = topics.summary_of(facts, around(0, 1, 2, 3, 4, 5))
    chosen = [f.text for f in facts if f.text in summary]
    assert len(chosen) == topics.LINES
    assert summary == " ".join(chosen)
    assert topics.summary_of([replace(f, language="zh", text="她说了。") for f in facts[:2]], around(0, 1)) == "她说了。她说了。"


def test_dates_and_those_who_talk_are_not_what_a_sentence_is_about() -> None:
    assert terms_of("On 7 May 2023 Mara painted a lake.", language="en", people=("Mara",)) == terms_of("painted lake", language="en")
    assert terms_of("张曼婷2023年5月1日在学画画。", language="zh", people=("张曼婷",)) == frozenset({"画画"})
    assert terms_of("陆琳最近在收藏一些茶叶。", language="zh", people=("陆琳",)) >= {"收藏", "茶叶"}


def telling(name: str, session: int, text: str, direction: int, *, who: str = "Mara", continues: Sequence[str] = ()) -> topics.Telling:
    payload = {"continues": list(continues)} if continues else {}
    memory = replace(fact(0, text, round_=session, who=who), id=name, kind=Kind.TOPIC, slot=f"session:{session}", payload=payload)
    return topics.Telling(memory, around(direction, size=12), (terms_of(text, language="en", people=("Mara", "Nell")),))


OTHERS = [telling(f"x{n}", 1, text, 5 + n) for n, text in enumerate(("Mara sold a boat.", "Mara repaired a clock.", "Mara fears heights."))]
"""What else was told, so that there is a common direction to differ from."""


def joined(*tellings: topics.Telling) -> list[list[str]]:
    return [[m.id for m in thread] for thread in topics.threads([*OTHERS, *tellings], language="en") if not thread[0].id.startswith("x")]


def test_a_telling_goes_on_with_an_older_one_about_the_same_and_is_added_otherwise() -> None:
    garden, again = telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "Snails ate the tomatoes.", 0)
    assert joined(garden, again) == [["a", "b"]]
    assert joined(garden, telling("b", 3, "Mara plays chess.", 1)) == [["a"], ["b"]]
    assert joined(garden, telling("b", 3, "Snails ate the tomatoes.", 0, who="Nell")) == [["a"], ["b"]]  # another person's
    assert joined(garden, telling("b", 2, "Snails ate the tomatoes.", 0)) == [["a"], ["b"]]  # one session was decomposed as it is


def test_likeness_without_a_word_in_common_joins_nothing() -> None:
    assert joined(telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "Mara plays chess.", 0)) == [["a"], ["b"]]


def test_a_telling_may_go_on_with_several_and_what_a_model_named_counts_alone() -> None:
    first, second = telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 2, "Mara plays chess.", 1)
    assert joined(first, second, telling("c", 3, "Mara eats tomatoes at chess.", 2, continues=["a", "b"])) == [["a", "b", "c"]]
    assert joined(first, second, telling("c", 3, "Snails ate the tomatoes.", 0, continues=["b"])) == [["a"], ["b", "c"]]
    assert joined(first, second, telling("c", 3, "Snails ate the tomatoes.", 0, continues=["gone"])) == [["b"], ["a", "c"]]


def test_a_path_without_tellings_has_no_topics_and_one_without_words_stands_alone() -> None:
    assert topics.threads([], language="en") == []
    assert joined(telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "It was so.", 0)) == [["a"], ["b"]]


def test_words_count_by_how_rare_they_are_up_to_then() -> None:
    said = [[frozenset({"tomato", "garden"})], [frozenset({"tomato", "chess"})], [frozenset({"chess"}), frozenset({"chess", "boat"})], []]
    table, rarity = WordTable(said), Rarity()
    for end in (2, 3, 4):
        rarity.add(said[end - 1])
        weights = [rarity.weights(group) for group in said[:end]]
        assert table.likenesses(1, end, rarity) == pytest.approx(likenesses(weights)[1:])


def test_what_is_told_later_changes_no_older_topic() -> None:
    path = [
        telling("a", 2, "Mara grows tomatoes.", 0),
        telling("b", 3, "Snails ate the tomatoes.", 0),
        telling("c", 4, "Mara plays chess.", 1),
    ]
    before = joined(*path[:2])
    assert joined(*path)[: len(before)] == before


# On a real store


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
    fork.say("I have a dog called Rufus.", "A dog!")
    end_session(store, fork.scope, fork.branch_id, by="user")
    fork.memory.work_off()
    assert sorted(tellings(fork)) == sorted([*first, ("Mara has a dog called Rufus.", 5, 5)])
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
    assert any("planted tomatoes" in text for topic in told(live) for text, _, _ in topic)
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
