"""What the sheet about forgetting tells is what the engine does, and a round's mark counts what its list holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat import views
from chat.assembly import open_house
from models.scripted import ScriptedModel
from storage.errors import CannotUndo, NotFound
from storage.records import Effect, Kind, RecallEvent
from storage.scope import LOCAL_USER
from tests.chat.conftest import TOLD, Talk, house_settings

CAPACITY = 3
LINES = (*TOLD[:5], "I live in Porto, you know.", "Do you remember my cat Biscuit?", "Tell me of the fog.", *("Go on.",) * 4, "Good night.")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """A talk in which more was told than there is room for."""
    folder: Path = tmp_path_factory.mktemp("small")
    model = ScriptedModel()
    house = open_house(house_settings(folder / "data", memory_capacity=CAPACITY), model=model)
    house.start(worker=True)
    talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    for line in LINES:
        talk.say(line, "Noted.")
    talk.remembered()
    # All of it stands in the prompt still, so nothing was recalled: as if talk had come back to it, and passed it over once.
    memories, said = house.memory.store.memories, service_messages(talk)
    recalled = [*of_shelf(talk, "episode")][-1:] + [*of_shelf(talk, "fact")][:2]
    for number, effect in ((7, Effect.REINFORCED), (9, Effect.REINFORCED), (11, Effect.INHIBITED)):
        memories.record_events(talk.scope, said[number], [RecallEvent(i, number, effect) for i in recalled])
    yield talk
    house.close()


def service_messages(talk: Talk) -> dict[int, str]:
    """The player's messages by round."""
    return {m.round: m.id for m in talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages if m.role == "user"}


def looked(talk: Talk, chosen: str = "") -> views.FadingView:
    return talk.house.service.fading.look(LOCAL_USER, talk.chat_id, chosen=chosen)


def of_shelf(talk: Talk, shelf: str) -> dict[str, views.MemoryView]:
    return {m.id: m for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, shelf=shelf).memories}


def test_every_course_ends_at_the_score_that_the_engine_gives(small: Talk) -> None:
    engine, view = small.house.memory.engine, looked(small)
    now = engine.scored(small.scope, small.branch_id, current_round=view.current_round)
    shown = [*view.alive, *view.nearly]
    assert shown
    for one in shown:
        assert one.points[-1].round == view.current_round
        assert abs(one.points[-1].score - now[one.id].value) <= 1e-9
        for point in one.points:
            then = engine.scored(small.scope, small.branch_id, current_round=point.round)
            assert abs(point.score - then[one.id].value) <= 1e-9
    assert [one.id for one in view.alive] == sorted((o.id for o in view.alive), key=lambda i: -now[i].value)


def test_who_was_forgotten_is_told_with_the_round(small: Talk) -> None:
    view, lost, kept = looked(small), of_shelf(small, "forgotten"), of_shelf(small, "fact")
    assert view.lost_all == len(lost) > 0
    assert {one.id for one in view.lost} <= set(lost)
    assert view.held == len(kept) == view.room[-1].count
    assert view.capacity == CAPACITY
    for one in view.lost:
        assert one.forgotten
        assert [(fate.round, fate.forgotten) for fate in one.fates] == [(12, True)]
        assert one.needs is None
    assert max(step.count for step in view.room) > CAPACITY
    assert {o.id for o in (*view.alive, *view.nearly)} <= set(kept)


def test_the_weakest_are_those_of_the_lowest_scores_the_lowest_first(small: Talk) -> None:
    engine, view = small.house.memory.engine, looked(small)
    now = engine.scored(small.scope, small.branch_id, current_round=view.current_round)
    lowest = sorted(now[i].value for i in of_shelf(small, "fact"))[: len(view.weakest)]
    assert len(view.weakest) == view.held
    assert [one.score for one in view.weakest] == lowest


def test_one_that_is_chosen_tells_what_befell_it(small: Talk) -> None:
    store = small.house.memory.store
    events = store.memories.events(small.scope, small.branch_id)
    episodes = of_shelf(small, "episode")
    recalled = next(e.memory_id for e in events if e.memory_id in episodes)
    view = looked(small, recalled)
    assert view.chosen is not None
    assert view.chosen.kind == "episode"
    assert (view.chosen.needs, view.missing) == (None, False)
    mine = sorted((e.round, e.effect.value) for e in events if e.memory_id == recalled)
    assert [(b.round, b.effect) for b in view.chosen.befell] == mine
    for befell in view.chosen.befell:
        if befell.effect == "reinforced" and befell.round < view.current_round:
            assert befell.after > befell.before
    assert looked(small, "nothing").missing
    topics = store.memories.visible(small.scope, small.branch_id).of_kinds((Kind.PERSONA,)).ids
    assert looked(small, topics[0]).missing, "a value of the persona has no score"
    with pytest.raises(NotFound):
        small.house.service.fading.look("stranger", small.chat_id)


def test_the_line_is_where_the_next_to_go_stands(small: Talk) -> None:
    """Whoever has a score above what it needs is held firmer than the next to go."""
    view = looked(small)
    if view.held < CAPACITY:
        pytest.skip("there is room")
    assert view.nearly[0].needs is not None
    assert view.nearly[0].score <= view.nearly[0].needs + 1e-9


def test_bringing_one_back_can_be_taken_back(small: Talk) -> None:
    controls = small.house.service.controls
    before, lost = looked(small), of_shelf(small, "forgotten")
    one = before.lost[0].id
    first = controls.restore(LOCAL_USER, small.chat_id, one)
    assert set(of_shelf(small, "forgotten")) == set(lost) - {one}
    assert controls.restore(LOCAL_USER, small.chat_id, one) == "", "it is remembered already"
    controls.take_back(LOCAL_USER, small.chat_id, first)
    assert looked(small) == before
    assert set(of_shelf(small, "forgotten")) == set(lost)
    with pytest.raises(CannotUndo):
        controls.take_back(LOCAL_USER, small.chat_id, first)


def test_a_rounds_mark_counts_what_its_list_holds(small: Talk) -> None:
    service = small.house.service
    kept = service.transcript(LOCAL_USER, small.chat_id).kept
    assert kept
    for number in range(1, len(LINES) + 1):
        kinds = service.controls.of_round(LOCAL_USER, small.chat_id, number).kinds
        listed = [m for kind in ("fact", "persona", "insight") for m in kinds.get(kind, ())]
        lost = [m for m in listed if m.status == "forgotten"]
        shown = kept.get(number, views.KeptView(0, 0))
        assert (shown.remembered, shown.forgotten) == (len(listed) - len(lost), len(lost)), number
    assert any(view.forgotten for view in kept.values())


def test_a_round_that_was_deleted_has_no_mark_and_its_courses_go(talk: Talk) -> None:
    for line in TOLD[:3]:
        talk.say(line, "Noted.")
    talk.remembered()
    service = talk.house.service
    assert 2 in service.transcript(LOCAL_USER, talk.chat_id).kept
    (second,) = [m for m in service.transcript(LOCAL_USER, talk.chat_id).messages if m.round == 2 and m.role == "user"]
    fact = next(i for i, m in of_shelf(talk, "fact").items() if m.last_round == 2)
    assert looked(talk, fact).chosen is not None
    service.rewriting.delete(LOCAL_USER, talk.chat_id, second.id, edition=service.transcript(LOCAL_USER, talk.chat_id).edition)
    talk.remembered()
    assert 2 not in service.transcript(LOCAL_USER, talk.chat_id).kept
    assert looked(talk, fact).missing


def test_a_chapter_opens_down_to_its_rounds_as_they_were_spoken(small: Talk) -> None:
    service = small.house.service
    view = service.story_rounds.look(LOCAL_USER, small.chat_id, first=2, last=4)
    assert [r.round for r in view.rounds] == [2, 3, 4]
    assert [[(line.role, line.text) for line in r.lines] for r in view.rounds] == [
        [("user", line), ("character", "Noted.")] for line in LINES[1:4]
    ]
    kept = service.transcript(LOCAL_USER, small.chat_id).kept
    assert all(r.kept == kept.get(r.round, views.KeptView(0, 0)) for r in view.rounds)
    assert service.story_rounds.look(LOCAL_USER, small.chat_id, first=900, last=901).rounds == ()
    assert service.story_rounds.look(LOCAL_USER, small.chat_id, first=4, last=2).rounds == ()
    assert service.story_rounds.look(LOCAL_USER, small.chat_id, first=0, last=10**7).last == 59
    with pytest.raises(NotFound):
        service.story_rounds.look("stranger", small.chat_id, first=1, last=2)


def test_a_piece_of_the_story_says_from_when_to_when(small: Talk) -> None:
    service = small.house.service
    said = {m.round: m.said_at for m in service.transcript(LOCAL_USER, small.chat_id).messages}
    open_units = service.story(LOCAL_USER, small.chat_id).so_far
    assert open_units
    for unit in open_units:
        inside = [at for number, at in said.items() if unit.first_round <= number <= unit.last_round]
        assert unit.ended == max(inside)
        assert unit.began is not None
        assert unit.began <= min(inside)
