"""Facts, sketch, story, insights and forgetting as the worker makes them, on a real store, embedder and index."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat.assembly import Memory, open_memory
from chat.ending import end_session
from memory.engine import Cue, cue_of, final_tasks, mend_task, round_tasks
from memory.narrative import CHAPTER
from memory.sessions import IDLE
from settings import Settings
from storage.records import Kind, Message, NewMessage, NewWording, Role, Task
from storage.records import Memory as Record
from storage.scope import LOCAL_USER, Scope
from storage.wall import zone_of

START = datetime(2024, 5, 1, 9, tzinfo=UTC)
ROUNDS = (
    ("Hello! My name is Mara and I am thirty-four years old.", "Noted."),
    ("I live in a small flat above a bakery in Porto.", "Warm floors, then."),
    ("My sister Ida is a nurse.", "A night worker?"),
    ("I am allergic to walnuts.", "No walnut cake."),
    ("I have a grey cat called Biscuit.", "The gander will have views."),
    ("Yesterday I sailed to Heron Island.", "Was the sea kind?"),
    ("Do you ever leave the island?", "Seldom."),
    ("I used to play the cello, and I want to become a lighthouse keeper.", "A steady trade."),
)
THINGS = ("a brass compass", "a green lamp", "three jars of honey", "an old map", "a winter coat", "a tin whistle", "a set of chisels")
PLACES = ("Lisbon", "Braga", "Coimbra", "Faro", "Évora", "Aveiro")
HABITS = ("I keep a diary and write in it every evening.", "I make a packing list a week before every trip.")
"""Two facts that speak for one stance of Nell Garrow's."""
RECEIPTS = "I keep every receipt in a labelled envelope."
"""Another."""


def many(count: int) -> list[tuple[str, str]]:
    """`count` rounds, each with something to remember, no two alike."""
    return [(f"Last week I bought {THINGS[n % 7]} in {PLACES[n % 6]} and I paid {n + 3} euros for it.", "Good.") for n in range(count)]


@dataclass
class Live:
    """A chat in which every round is said, and worked through, as the app does it."""

    memory: Memory
    scope: Scope
    branch_id: str
    last: list[Message]
    number: int = 0
    player: str = "Mara"
    pace: Callable[[int], timedelta] = lambda number: timedelta(hours=number)
    """When a round is said, after START."""
    wall: Callable[[int], int] = lambda number: 0
    """How many minutes ahead of UTC the clock of whoever speaks is in a round."""

    def say(self, user: str, reply: str, *, work: bool = True) -> None:
        self.number += 1
        at = (START + self.pace(self.number)).astimezone(zone_of(self.wall(self.number)))
        cue = NewMessage(Role.USER, self.player, user, at, f"u{self.number}", "user", opens_round=True)
        answer = NewMessage(Role.CHARACTER, "Nell Garrow", reply, at + timedelta(seconds=9), f"r{self.number}", "model", opens_round=False)
        store = self.memory.store
        tasks = [*round_tasks(self.branch_id, self.last), *final_tasks(self.branch_id, self.last, next_round=self.number)]
        (said,) = store.chats.append(self.scope, self.branch_id, [cue], tasks=tasks)
        recall = self.memory.engine.recall(self.scope, self.branch_id, cue_of(said, store.chats.chat(self.scope)))
        (answered,) = store.chats.append(self.scope, self.branch_id, [answer])
        store.memories.record_events(self.scope, said.id, recall.events)
        self.last = [said, answered]
        for task in round_tasks(self.branch_id, self.last):
            store.tasks.add(self.scope, task)
        if work:
            self.memory.work_off()

    def end(self) -> None:
        end_session(self.memory.store, self.scope, self.branch_id, by="idle")
        self.memory.work_off()

    def of(self, kind: Kind) -> list[Record]:
        visible = self.memory.store.memories.visible(self.scope, self.branch_id).of_kinds((kind,))
        return list(self.memory.store.memories.get(self.scope, visible.ids).values())

    def known(self) -> dict[str, list[str]]:
        entries = self.memory.engine.overview.sketch(self.scope, self.branch_id)
        return {e.key.name: [v.text for v in e.values] for e in entries}

    def panels(self) -> tuple[object, ...]:
        """Everything a person is shown, and the top of fixed probes."""
        overview = self.memory.engine.overview
        shelves = [
            overview.shelf(self.scope, self.branch_id, name, current_round=self.number, newest_first=False, limit=500)
            for name in ("fact", "episode", "forgotten")
        ]
        probes = ["What is the sister called?", "honey in Lisbon", "Which nuts are bad?", "How much did the compass cost?"]
        top = [[c.memory_id for c in self.memory.engine.recall(self.scope, self.branch_id, Cue(p, 999)).candidates[:10]] for p in probes]
        story = overview.story(self.scope, self.branch_id, current_round=self.number)
        insights = overview.insights(self.scope, self.branch_id, current_round=self.number)
        topics = overview.topics(self.scope, self.branch_id, language="en", idle=IDLE)
        return shelves, top, story, insights, topics, overview.sketch(self.scope, self.branch_id)

    def rebuild(self) -> None:
        """Forget what was derived of the path, and make it anew from its text."""
        store = self.memory.store
        with store.database.write() as connection:
            connection.execute("UPDATE memory SET status = 'superseded' WHERE status = 'active' AND origin = 'model' AND pinned = 0")
            connection.execute("DELETE FROM extraction")
            connection.execute("DELETE FROM derivation")
            connection.execute("UPDATE chat SET structure = structure + 1")
        store.tasks.add(self.scope, mend_task(self.branch_id, first_round=0))
        self.memory.work_off()


def start(memory: Memory, *, player: str = "Mara") -> Live:
    chat_id = memory.store.chats.create(LOCAL_USER, character_id="builtin:nell-garrow", title="", language="en", user_name=player)
    scope = Scope.of(LOCAL_USER, chat_id)
    return Live(memory, scope, memory.store.chats.chat(scope).branch_id, [], player=player)


def opened(folder: Path, **changes: object) -> Memory:
    return open_memory(Settings(data_dir=folder, _env_file=None, **changes))  # type: ignore[arg-type, call-arg]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield start(memory)
    memory.close()


def test_what_the_player_tells_becomes_facts_and_a_sketch(live: Live) -> None:
    for user, reply in ROUNDS:
        live.say(user, reply)
    live.end()
    known = live.known()
    assert known["name"] == ["Mara"]
    assert "walnuts" in known["allergies"]
    assert known["age"][0].startswith("thirty-four")
    assert any("Porto" in value for value in known["residence"])
    assert any("Biscuit" in value for value in known["pets"])
    facts = {f.round_last: f for f in live.of(Kind.FACT) if f.said_by == live.player}
    day = (START + timedelta(hours=6) - timedelta(days=1)).date()
    assert facts[6].event_from is not None
    assert facts[6].event_from.date() == day
    assert f"Yesterday ({day.day} {day:%B} {day.year})" in facts[6].text
    assert 7 not in facts  # a question tells nothing
    assert "Ida" in facts[3].text
    for fact in facts.values():
        assert "Mara" in fact.text


def test_a_round_is_extracted_from_when_it_is_final_and_not_before(live: Live) -> None:
    live.say(*ROUNDS[3])
    assert live.known() == {}
    live.say(*ROUNDS[6])
    assert "walnuts" in live.known()["allergies"]


def test_doing_every_task_again_changes_nothing(live: Live) -> None:
    for user, reply in ROUNDS:
        live.say(user, reply)
    before = live.panels()
    with live.memory.store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'queued', attempts = 0")
    assert live.memory.work_off() > len(ROUNDS)
    assert live.panels() == before


def test_a_task_can_be_made_to_wait_between_its_steps(live: Live) -> None:
    """A reply that begins meanwhile does not wait for the rest of it."""
    stored: list[int] = []
    live.memory.engine.breathe_with(lambda: stored.append(len(live.of(Kind.FACT))))
    live.say(*ROUNDS[3])
    live.say(*ROUNDS[4])
    assert stored[0] == 0
    assert stored[-1] >= 1
    assert len(stored) >= 6


def test_what_was_edited_meanwhile_is_not_remembered_as_it_was(live: Live) -> None:
    live.say(*ROUNDS[3])
    (said, _) = live.last
    live.memory.store.tree.reword(live.scope, live.branch_id, said.id, NewWording("Never mind.", "user"), operation="edit")
    live.end()
    assert live.known() == {}


@pytest.mark.parametrize("player", ["You", "Rosalind"])
def test_two_facts_of_different_rounds_become_an_insight_and_one_does_not(live: Live, player: str) -> None:
    live = start(live.memory, player=player)
    live.say(HABITS[0], "Good.")
    live.say(HABITS[1], "Good.")
    live.say("What is for supper?", "Broth.")
    assert [f.round_last for f in live.of(Kind.FACT) if f.said_by == player] == [1, 2]
    (insight,) = live.of(Kind.INSIGHT)
    assert len(insight.grounds) == 2
    facts = live.memory.store.memories.get(live.scope, insight.grounds)
    assert {f.round_last for f in facts.values()} == {1, 2}
    live.say(RECEIPTS, "Good.")
    live.end()
    assert [i.id for i in live.of(Kind.INSIGHT)] == [insight.id]
    (held,) = live.memory.engine.overview.insights(live.scope, live.branch_id, current_round=live.number)
    assert [f.round_last for f in held.facts] == [1, 2]


@pytest.mark.long
def test_the_next_rounds_facts_do_not_wait_while_a_characters_cues_are_embedded(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.keeping.made", lambda *_: {})  # as for a character that did not come with the program
    store, run = live.memory.store, live.memory.engine.run

    def next_task(kind: str) -> Task:
        task = store.tasks.lease()
        assert task is not None
        assert task.kind == kind
        return task

    def do(kind: str) -> None:
        task = next_task(kind)
        run(task)
        store.tasks.finish(task)

    live = start(live.memory, player="You")
    live.say(HABITS[0], "Good.", work=False)
    live.say(HABITS[1], "Good.", work=False)
    for kind in ("episode", "extract", "episode"):
        do(kind)
    embedding = next_task("insight")
    live.say("What is for supper?", "Broth.", work=False)
    do("extract")
    do("episode")
    assert [f.round_last for f in live.of(Kind.FACT) if f.said_by == "You"] == [1, 2], "while the cues are being embedded"
    assert live.of(Kind.INSIGHT) == []
    run(embedding)
    store.tasks.finish(embedding)
    assert len(live.of(Kind.INSIGHT)) == 1
    do("insight")
    live.say(RECEIPTS, "Good.", work=False)
    do("extract")
    do("episode")
    assert store.tasks.lease() is None, "from then on in the order of the rounds"
    with store.database.write() as connection:
        connection.execute("DELETE FROM vector WHERE role = 'query'")
    store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
    do("mend")
    do("insight")
    assert store.tasks.lease() is None
    assert len(live.of(Kind.INSIGHT)) == 1


def test_what_a_third_party_does_calls_up_nothing(live: Live) -> None:
    live.say("My sister writes in a journal every evening.", "Ink or pencil?")
    live.say("My sister makes a packing list a week before every trip.", "Sensible.")
    live.say("My brother photographs every receipt.", "Does he.")
    live.end()
    assert live.of(Kind.INSIGHT) == []


def test_facts_in_another_language_than_the_characters_call_up_nothing(live: Live) -> None:
    """They are far from its everyday facts whatever they say, so that most would match some cue."""
    live = start(live.memory, player="You")
    for text in ("我在苏州的图书馆上班。", "我上周末搬到大连了。", "我在大学学化学。"):
        live.say(text, "Good.")
    live.end()
    assert {f.round_last for f in live.of(Kind.FACT) if f.said_by == "You"} == {1, 2, 3}
    assert live.of(Kind.INSIGHT) == []


def test_thirty_rounds_are_told_as_a_chapter_and_the_rest_so_far(live: Live) -> None:
    for user, reply in many(33):
        live.say(user, reply)
    (plot,) = live.of(Kind.PLOT)
    assert (plot.payload["tier"], plot.round_first, plot.round_last) == (CHAPTER, 0, 29)
    story = live.memory.engine.overview.story(live.scope, live.branch_id, current_round=live.number)
    (chapter,) = story.chapters
    facts = {f.text for f in live.of(Kind.FACT)}
    assert 1 <= len(chapter.lines) <= 4
    assert {line.text for line in chapter.lines} <= facts
    assert [line.round for line in chapter.lines] == sorted(line.round for line in chapter.lines)
    (so_far,) = story.so_far
    assert (so_far.span.first, so_far.closed, {line.round for line in so_far.lines} <= {30, 31, 32}) == (30, False, True)


def test_beyond_the_capacity_the_weakest_are_forgotten_and_out_of_recall(tmp_path: Path) -> None:
    memory = opened(tmp_path / "small", memory_capacity=10)
    try:
        live = start(memory)
        for user, reply in many(26):
            live.say(user, reply)
        kept = live.of(Kind.FACT)
        lost = memory.store.memories.forgotten(live.scope, live.branch_id)
        assert lost.ids
        # What came since the last unit was closed has not been weighed yet.
        assert len([f for f in kept if f.round_last < 24]) <= 10
        assert len(live.of(Kind.EPISODE)) == 26
        recalled = memory.engine.recall(live.scope, live.branch_id, Cue("a brass compass in Lisbon", 99)).candidates
        assert recalled
        assert not {c.memory_id for c in recalled} & set(lost.ids)
        shelf = memory.engine.overview.shelf(live.scope, live.branch_id, "forgotten", current_round=26, newest_first=True, limit=99)
        assert {m.memory.id for m in shelf.memories} == set(lost.ids)
    finally:
        memory.close()


def test_a_deleted_index_folder_gives_the_same_panels_and_the_same_top(tmp_path: Path) -> None:
    memory = opened(tmp_path / "data")
    live = start(memory)
    for user, reply in (*ROUNDS, *many(12)):
        live.say(user, reply)
    live.end()
    before = live.panels()
    folder = memory.store.folder.index
    memory.close()
    shutil.rmtree(folder)
    again = opened(tmp_path / "data")
    try:
        again.engine.reconcile()
        assert Live(again, live.scope, live.branch_id, [], live.number).panels() == before
    finally:
        again.close()


def test_an_import_of_the_same_talk_remembers_the_same(live: Live, tmp_path: Path) -> None:
    """In a folder of its own: how rare a word is counts over the whole folder."""
    from tqdm import tqdm

    from chat.imported import ImportedConversation, ImportedMessage
    from chat.importer import Cast, Importer

    talk = (*ROUNDS, *many(20))
    for user, reply in talk:
        live.say(user, reply)
    live.end()
    messages = []
    for number, pair in enumerate(talk, start=1):
        at = START + timedelta(hours=number)
        for offset, (name, text) in enumerate(zip(("Mara", "Nell Garrow"), pair, strict=True)):
            said_at = at + timedelta(seconds=9 * offset)
            messages.append(ImportedMessage(f"D1:{2 * number + offset}", name, text, said_at, 1, 2 * number + offset))
    told = ImportedConversation("k", "Mara & Nell Garrow", ("Mara", "Nell Garrow"), tuple(messages), ())
    memory = opened(tmp_path / "imported")
    importer = Importer(memory.store, told, Cast("Mara", "Nell Garrow"), character_id="builtin:nell-garrow", language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    memory.work_off()
    imported = Live(memory, importer.scope, memory.store.chats.chat(importer.scope).branch_id, [], live.number)

    def told_of(which: Live) -> list[tuple[str, str, int, float]]:
        scored = which.memory.engine.scored(which.scope, which.branch_id, current_round=which.number)
        return sorted((m.kind.value, m.text, m.round_last, scored[m.id].value) for kind in Kind for m in which.of(kind))

    assert told_of(imported) == told_of(live)
    assert imported.known() == live.known()
    memory.close()
