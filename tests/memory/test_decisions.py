"""What follows from memories that a person changed: story, insights, forgetting. Real store, embedder and index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chat.assembly import House, open_house
from chat.controls import MemoryControls
from memory.engine import Cue
from memory.reading import messages as reading
from memory.reading.drafts import Extraction
from models.scripted import ScriptedModel
from settings import Settings
from storage.records import Kind, Message
from storage.scope import LOCAL_USER
from tests.memory.test_construction import HABITS, RECEIPTS, ROUNDS, Live, many, start


def house_in(folder: Path, **changes: object) -> House:
    return open_house(Settings(data_dir=folder, _env_file=None, **changes), model=ScriptedModel())  # type: ignore[arg-type, call-arg]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = house_in(tmp_path / "data", worker=False)
    yield opened
    opened.close()


def controls(house: House) -> MemoryControls:
    return house.service.controls


def story(live: Live) -> list[str]:
    told = live.memory.engine.overview.story(live.scope, live.branch_id, current_round=live.number)
    return [line.text for piece in (*told.arcs, *told.chapters, *told.so_far) for line in piece.lines]


def test_an_edited_fact_is_told_anew_and_its_old_words_nowhere(house: House) -> None:
    live = start(house.memory)
    for user, reply in many(31):
        live.say(user, reply)
    (plot,) = live.of(Kind.PLOT)
    old = house.memory.store.memories.get(live.scope, plot.grounds)[plot.grounds[0]]
    controls(house).edit(LOCAL_USER, live.scope.chat_id, old.id, "Mara sold the whole collection and sailed away.")
    assert old.text not in story(live)
    assert live.of(Kind.PLOT) == []
    live.memory.work_off()
    (again,) = live.of(Kind.PLOT)
    assert old.text not in story(live)
    assert again.id != plot.id
    controls(house).edit(LOCAL_USER, live.scope.chat_id, old.id, old.text)
    live.memory.work_off()
    assert [p.text for p in live.of(Kind.PLOT)] == [plot.text]


def test_an_excluded_fact_is_not_told(house: House) -> None:
    live = start(house.memory)
    for user, reply in many(31):
        live.say(user, reply)
    (plot,) = live.of(Kind.PLOT)
    for ground in plot.grounds:
        controls(house).exclude(LOCAL_USER, live.scope.chat_id, ground)
    out = {f.text for f in live.of(Kind.FACT) if f.excluded}
    assert len(out) == len(plot.grounds)
    live.memory.work_off()
    assert live.of(Kind.PLOT)
    assert not out & set(story(live))
    for ground in plot.grounds:
        controls(house).include(LOCAL_USER, live.scope.chat_id, ground)
    live.memory.work_off()
    assert [p.id for p in live.of(Kind.PLOT)] == [plot.id]


def test_a_chapter_in_a_persons_words_stays(house: House) -> None:
    live = start(house.memory)
    for user, reply in many(31):
        live.say(user, reply)
    (plot,) = live.of(Kind.PLOT)
    shown = controls(house).rederive(LOCAL_USER, live.scope.chat_id, plot.id)
    first, *rest = shown.old.split("\n")
    controls(house).edit(LOCAL_USER, live.scope.chat_id, plot.id, "\n".join(["It began in a shop.", *rest]))
    for again in (lambda: None, lambda: controls(house).rebuild(LOCAL_USER, live.scope.chat_id)):
        again()
        live.memory.work_off()
        told = live.memory.engine.overview.story(live.scope, live.branch_id, current_round=live.number)
        (chapter,) = told.chapters
        assert [line.text for line in chapter.lines] == ["It began in a shop.", *rest]
        assert chapter.id == plot.id
    before = [line["round"] for line in plot.payload["lines"]]  # type: ignore[attr-defined]
    assert [line.round for line in chapter.lines] == before
    assert controls(house).rederive(LOCAL_USER, live.scope.chat_id, plot.id).new == ("\n".join([first, *rest]),)


def test_an_insight_on_an_excluded_fact_is_not_recalled_and_comes_back_with_it(house: House) -> None:
    live = start(house.memory, player="You")
    for line in HABITS:
        live.say(line, "Noted.")
    for _ in range(3):
        live.say("What is for supper?", "Broth.")
    (insight,) = live.of(Kind.INSIGHT)
    controls(house).pin(LOCAL_USER, live.scope.chat_id, insight.id)  # a pinned one is not taken away with its ground
    for cue in ("a diary", "packing list"):
        assert insight.id in live.memory.engine.recall(live.scope, live.branch_id, Cue(cue, 99)).pinned
    controls(house).exclude(LOCAL_USER, live.scope.chat_id, insight.grounds[0])
    for _ in range(2):
        found = live.memory.engine.recall(live.scope, live.branch_id, Cue("packing list", 99))
        assert insight.id not in {*found.pinned, *(c.memory_id for c in found.candidates)}
        (held,) = live.memory.engine.overview.insights(live.scope, live.branch_id, current_round=live.number)
        assert (held.memory.pinned, held.held_back) == (True, True)
        live.memory.work_off()
    controls(house).unpin(LOCAL_USER, live.scope.chat_id, insight.id)
    controls(house).include(LOCAL_USER, live.scope.chat_id, insight.grounds[0])
    controls(house).exclude(LOCAL_USER, live.scope.chat_id, insight.grounds[1])
    live.memory.work_off()
    assert live.of(Kind.INSIGHT) == []
    controls(house).include(LOCAL_USER, live.scope.chat_id, insight.grounds[1])
    live.memory.work_off()
    assert [i.id for i in live.of(Kind.INSIGHT)] == [insight.id]


def test_a_deleted_insight_is_not_concluded_again_from_other_facts(house: House) -> None:
    live = start(house.memory, player="You")
    for line in HABITS:
        live.say(line, "Noted.")
    live.say(RECEIPTS, "Noted.")
    live.say("What is for supper?", "Broth.")
    (insight,) = live.of(Kind.INSIGHT)
    chat_id = live.scope.chat_id
    controls(house).delete(LOCAL_USER, chat_id, insight.id)
    controls(house).exclude(LOCAL_USER, chat_id, insight.grounds[0])  # others would give ground for it now
    controls(house).rebuild(LOCAL_USER, chat_id)
    live.memory.work_off()
    assert live.of(Kind.INSIGHT) == []
    assert insight.id not in live.memory.index.ids()


def test_an_insight_in_a_persons_words_is_the_only_one_of_its_kind(house: House) -> None:
    live = start(house.memory, player="You")
    for line in HABITS:
        live.say(line, "Noted.")
    live.say("What is for supper?", "Broth.")
    (insight,) = live.of(Kind.INSIGHT)
    controls(house).edit(LOCAL_USER, live.scope.chat_id, insight.id, "They trust paper more than people.")
    controls(house).rebuild(LOCAL_USER, live.scope.chat_id)
    live.say(RECEIPTS, "Noted.")
    live.end()
    assert [(i.id, i.text) for i in live.of(Kind.INSIGHT)] == [(insight.id, "They trust paper more than people.")]


@pytest.mark.parametrize("spared", [True, False])
def test_what_was_brought_back_is_spared_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spared: bool) -> None:
    if not spared:
        monkeypatch.setattr("memory.competing.RESTORED_ROUNDS", 0)
    house = house_in(tmp_path / "small", worker=False, memory_capacity=4)
    try:
        live = start(house.memory)
        for user, reply in many(13):
            live.say(user, reply)
        memories = house.memory.store.memories
        back = memories.forgotten(live.scope, live.branch_id).ids[0]
        controls(house).restore(LOCAL_USER, live.scope.chat_id, back)
        for user, reply in many(20)[13:]:
            assert back in memories.visible(live.scope, live.branch_id).ids or not spared
            live.say(user, reply)
        kept = memories.visible(live.scope, live.branch_id)
        assert (back in kept.ids) == spared
        assert len([r for r in kept.of_kinds((Kind.FACT,)).rounds if r < 12]) <= 4
    finally:
        house.close()


_STEPS = st.lists(
    st.tuples(st.sampled_from(["edit", "pin", "exclude", "include", "delete", "replay", "rebuild"]), st.integers(0, 30)),
    min_size=2,
    max_size=7,
)


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=_STEPS)
def test_panels_and_recall_follow_every_decision(house: House, steps: list[tuple[str, int]]) -> None:
    """Real extraction: what a person last decided is what the shelf, the sketch and recall have, in whatever order tasks run again."""
    live = start(house.memory)
    for user, reply in ROUNDS:
        live.say(user, reply)
    live.say("Hm.", "Quite.")  # the newest round is not read yet
    chat_id, store = live.scope.chat_id, house.memory.store
    first = {m.id: m.text for kind in (Kind.FACT, Kind.PERSONA) for m in live.of(kind)}
    text, pinned, excluded, deleted = dict(first), set[str](), set[str](), set[str]()
    for step, at in steps:
        here = list(first)[at % len(first)]
        kind = store.memories.get(live.scope, [here])[here].kind
        if step == "replay":
            with store.database.write() as connection:
                connection.execute("DELETE FROM extraction WHERE chat_id = ?", (chat_id,))
                connection.execute("UPDATE task SET state = 'queued', attempts = 0 WHERE chat_id = ?", (chat_id,))
        elif step == "rebuild":
            controls(house).rebuild(LOCAL_USER, chat_id)
        elif here not in deleted:
            if step == "edit":
                text[here] = f"words of a person, {len(text[here])}"
                controls(house).edit(LOCAL_USER, chat_id, here, text[here])
            elif step == "pin" and kind is Kind.FACT:
                pinned.add(here)
                controls(house).pin(LOCAL_USER, chat_id, here)
            elif step in ("exclude", "include"):
                (excluded.add if step == "exclude" else excluded.discard)(here)
                (controls(house).exclude if step == "exclude" else controls(house).include)(LOCAL_USER, chat_id, here)
            elif step == "delete":
                deleted.add(here)
                controls(house).delete(LOCAL_USER, chat_id, here)
        live.memory.work_off()
        now = {m.id: m for kind in (Kind.FACT, Kind.PERSONA) for m in live.of(kind)}
        assert {i: m.text for i, m in now.items()} == {i: t for i, t in text.items() if i not in deleted}
        assert {i for i, m in now.items() if m.pinned} == pinned - deleted
        assert {i for i, m in now.items() if m.excluded} == excluded - deleted
        found = live.memory.engine.recall(live.scope, live.branch_id, Cue("sister Ida, walnuts, Porto, words of a person", 99))
        reached = {*found.pinned, *(c.memory_id for c in found.candidates)}
        assert not reached & (excluded | deleted)
        assert reached >= pinned - excluded - deleted
        counted = {v.id for e in live.memory.engine.overview.sketch(live.scope, live.branch_id) for v in (*e.values, *e.former)}
        assert not counted & (excluded | deleted)
        assert live.memory.index.ids() >= {i for i, m in now.items() if m.kind is Kind.FACT}
        assert not live.memory.index.ids() & deleted


def test_a_round_that_cannot_be_read_keeps_no_other_from_a_rebuild(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    live = start(house.memory)
    for user, reply in ROUNDS[:5]:
        live.say(user, reply)
    live.say("Hm.", "Quite.")
    before = {m.text for m in live.of(Kind.FACT)}
    alone = reading.alone

    def poisoned(message: Message, *, listener: str, opens: bool, others: Sequence[str]) -> Extraction:
        if "Ida" in message.text:
            raise ValueError("poison")
        return alone(message, listener=listener, opens=opens, others=others)

    monkeypatch.setattr(reading, "alone", poisoned)
    controls(house).rebuild(LOCAL_USER, live.scope.chat_id)
    with pytest.raises(ValueError, match="poison"):
        live.memory.work_off()
    assert {m.text for m in live.of(Kind.FACT)} == {t for t in before if "Ida" not in t} != before
    monkeypatch.undo()
    with house.memory.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1 WHERE state = 'leased'")
    live.memory.work_off()
    assert {m.text for m in live.of(Kind.FACT)} == before
