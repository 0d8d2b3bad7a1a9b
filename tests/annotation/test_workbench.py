"""Annotating and reviewing: who sees what, when; what is kept; how a dialogue goes from one state to the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.errors import FieldMissing, FieldRefused, MergedIntoNothing, NoPlace, QuoteMoved, Undecided
from annotation.workbench import Workbench
from storage.annotation_errors import (
    AlreadySubmitted,
    ChangedMeanwhile,
    LeaseLost,
    NotAllowed,
    NothingLeft,
    NothingToUndo,
    NotThere,
    ProjectClosed,
    ReviewBegun,
)
from storage.annotation_records import Member, Project, State
from storage.records import now_ms, stable_id
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, RENA, adjudicated, decision, doubled, house, project, wording

CAI = Member("cai", "annotator")


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench, count=300)


def state(bench: Workbench, made: Project) -> State:
    (item,) = bench.projects.items(ADMIN, made.id)
    return item.state


def test_a_dialogue_goes_from_assignment_to_released_gold(bench: Workbench, made: Project) -> None:
    assert state(bench, made) is State.UNASSIGNED
    ann = bench.projects.take(ANN, made.id, "annotator")
    assert state(bench, made) is State.IN_ANNOTATION
    with pytest.raises(NothingLeft):
        bench.projects.take(RENA, made.id, "reviewer")
    bo = bench.projects.take(BO, made.id, "annotator")
    bench.keep_point(ANN, ann.id, wording("Maren grew up above a bakery.", [3]))
    bench.work.submit(ANN, ann.id)
    assert state(bench, made) is State.IN_ANNOTATION
    bench.work.submit(BO, bo.id)
    assert state(bench, made) is State.READY
    review = bench.projects.take(RENA, made.id, "reviewer")
    assert state(bench, made) is State.IN_REVIEW
    (part,) = bench.review_sheet(RENA, review.id).parts
    bench.decide(RENA, review.id, part.id, decision("a"), before=None)
    (gold,) = bench.finish(RENA, review.id)
    assert (gold.text, gold.evidence.turns, gold.provenance["source"]) == ("Maren grew up above a bakery.", (3,), "a")
    assert state(bench, made) is State.ADJUDICATED
    with pytest.raises(NotThere):
        bench.work.gold(ANN, ann.item_id)
    bench.projects.release(ADMIN, ann.item_id)
    assert state(bench, made) is State.RELEASED
    assert [one.text for one in bench.work.gold(ANN, ann.item_id)] == [gold.text]


def test_nobody_annotates_a_dialogue_twice_or_reviews_what_they_annotated(bench: Workbench, made: Project) -> None:
    rena = bench.projects.take(RENA, made.id, "annotator")
    with pytest.raises(NothingLeft):
        bench.projects.take(RENA, made.id, "annotator")
    bo = bench.projects.take(BO, made.id, "annotator")
    for member, mine in ((RENA, rena), (BO, bo)):
        bench.work.submit(member, mine.id)
    with pytest.raises(NothingLeft):
        bench.projects.take(RENA, made.id, "reviewer")
    with pytest.raises(NotAllowed):
        bench.projects.take(ANN, made.id, "reviewer")
    with pytest.raises(NothingLeft):
        bench.projects.take(ANN, made.id, "annotator")


@pytest.mark.parametrize("member", [ANN, BO, RENA, ADMIN, CAI, Member("pia", "player"), Member("ada2", "admin")])
def test_nobody_sees_anothers_work_before_the_review(bench: Workbench, store: Store, made: Project, member: Member) -> None:
    ann, bo = bench.projects.take(ANN, made.id, "annotator"), bench.projects.take(BO, made.id, "annotator")
    secret = "Maren grew up above a bakery in Tallis Street."
    bench.keep_point(ANN, ann.id, wording(secret, [3]))
    bench.keep_draft(ANN, ann.id, draft=json.dumps({"text": secret}), place=3)
    for submitted in (False, True):
        if submitted:
            bench.work.submit(ANN, ann.id)
        seen = "".join(everything(bench, member, made, [ann.id, bo.id], ann.item_id))
        assert (secret in seen) is (member is ANN), submitted


def test_with_both_submitted_only_the_one_who_reviews_sees_them(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    review = bench.projects.take(RENA, made.id, "reviewer")
    for member in (ANN, BO, CAI, ADMIN, Member("rolf", "reviewer")):
        with pytest.raises(NotThere):
            bench.work.submissions(member, review.item_id)
        with pytest.raises(NotThere):
            bench.review_sheet(member, review.id)
    sheet = bench.review_sheet(RENA, review.id)
    assert [(part.a is not None, part.b is not None, part.agreed) for part in sheet.parts] == [
        (True, True, True), (True, True, False), (True, False, False), (False, True, False),
    ]  # fmt: skip


def everything(bench: Workbench, member: Member, made: Project, works: list[str], item: str) -> list[str]:
    """What each read of the workbench tells somebody."""
    reads: list[Callable[[], Any]] = [
        *(lambda mine=mine: bench.sheet(member, mine) for mine in works),
        *(lambda mine=mine: bench.review_sheet(member, mine) for mine in works),
        *(lambda mine=mine: bench.work.points(member, mine) for mine in works),
        lambda: bench.work.submissions(member, item),
        lambda: bench.work.gold(member, item),
        lambda: bench.projects.items(member, made.id),
        lambda: bench.projects.events(member, made.id),
        lambda: bench.projects.progress(member, made.id),
        lambda: bench.projects.assignments(member),
        lambda: bench.agreement(member, made.id),
        lambda: bench.exchange.dump(member, made.id).events,
        lambda: [one.works or one.gold for one in bench.exchange.dump(member, made.id).dialogues],
    ]
    told = []
    for read in reads:
        try:
            told.append(str(read()))
        except (NotThere, NotAllowed):
            told.append("")
    return told


def test_a_dialogue_is_read_by_those_who_work_on_it(bench: Workbench, made: Project) -> None:
    (item,) = bench.projects.items(ADMIN, made.id)
    for member in (ANN, RENA, Member("pia", "player")):
        with pytest.raises(NotThere):
            bench.projects.turns(member, item.id)
    bench.projects.take(ANN, made.id, "annotator")
    assert len(bench.projects.turns(ANN, item.id)) == len(bench.projects.turns(ADMIN, item.id)) == 300


def test_a_place_that_is_left_is_taken_by_another_and_what_was_written_is_kept(bench: Workbench, store: Store, made: Project) -> None:
    ann, bo = bench.projects.take(ANN, made.id, "annotator"), bench.projects.take(BO, made.id, "annotator")
    bench.keep_point(ANN, ann.id, wording("Bakery.", [3]))
    store.chats.ensure_user("cai", "cai")
    with pytest.raises(NothingLeft):
        bench.projects.take(CAI, made.id, "annotator")
    lapse(store, ann.id)
    bench.keep_point(ANN, ann.id, wording("Ladders.", [255]))  # her place is free still: she goes on
    lapse(store, ann.id)
    cai = bench.projects.take(CAI, made.id, "annotator")
    with pytest.raises(LeaseLost):
        bench.keep_point(ANN, ann.id, wording("Marzipan.", [57]))
    with pytest.raises(LeaseLost):
        bench.work.submit(ANN, ann.id)
    assert [one.text for one in bench.work.points(ANN, ann.id)] == ["Bakery.", "Ladders."]
    for member, mine in ((BO, bo), (CAI, cai)):
        bench.work.submit(member, mine.id)
    assert state(bench, made) is State.READY


def lapse(store: Store, assignment_id: str) -> None:
    with store.database.write() as connection:
        connection.execute("UPDATE annotation_assignment SET lease_until = ? WHERE id = ?", (now_ms() - 1, assignment_id))


def test_a_submission_is_taken_back_until_the_review_begins(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    (mine,) = bench.projects.assignments(ANN)
    with pytest.raises(AlreadySubmitted):
        bench.keep_point(ANN, mine.id, wording("More.", [9]))
    bench.work.reopen(ANN, mine.id)
    assert state(bench, made) is State.IN_ANNOTATION
    bench.work.submit(ANN, mine.id)
    bench.projects.take(RENA, made.id, "reviewer")
    with pytest.raises(ReviewBegun):
        bench.work.reopen(ANN, mine.id)


def test_half_a_sign_in_the_guidelines_becomes_a_mark(bench: Workbench, made: Project) -> None:
    bench.add_guideline(ADMIN, made.id, "Mark\ud800 it.")
    assert bench.projects.guidelines(ADMIN, made.id)[-1][1] == "Mark? it."


def test_a_point_sent_twice_is_there_once_and_a_stale_tab_changes_nothing(bench: Workbench, made: Project) -> None:
    mine = bench.projects.take(ANN, made.id, "annotator")
    value = wording("Bakery.", [3])
    first = bench.keep_point(ANN, mine.id, value)
    assert bench.keep_point(ANN, mine.id, value) == first
    changed = bench.keep_point(ANN, mine.id, {**value, "text": "A bakery.", "version": first.version})
    again = bench.keep_point(ANN, mine.id, {**value, "text": "A bakery.", "version": first.version})
    assert again == changed, "a change whose answer was lost, sent again"
    with pytest.raises(ChangedMeanwhile):
        bench.keep_point(ANN, mine.id, {**value, "text": "Bread.", "version": first.version})
    with pytest.raises(ChangedMeanwhile):
        bench.work.remove_point(ANN, mine.id, first.id, version=first.version)
    assert [one.text for one in bench.work.points(ANN, mine.id)] == ["A bakery."]
    assert changed.version == 2
    other = bench.projects.take(BO, made.id, "annotator")
    with pytest.raises(ChangedMeanwhile):
        bench.keep_point(BO, other.id, value)
    assert bench.work.points(BO, other.id) == []


def test_quotes_are_words_of_the_dialogue(bench: Workbench, made: Project) -> None:
    mine = bench.projects.take(ANN, made.id, "annotator")
    good = {"turn": 3, "start": 18, "end": 24, "text": "bakery"}
    kept = bench.keep_point(ANN, mine.id, wording("Bakery.", [], quotes=[good]))
    assert kept.evidence.turns == (3,)
    for bad in ({**good, "start": 17}, {**good, "text": "Bakery"}, {**good, "turn": 4}, {**good, "turn": 900}):
        with pytest.raises(QuoteMoved):
            bench.keep_point(ANN, mine.id, wording("x", [3], quotes=[bad]))
    for turns in ([], [301]):
        with pytest.raises(NoPlace):
            bench.keep_point(ANN, mine.id, wording("x", turns))
    with pytest.raises(FieldMissing):
        bench.keep_point(ANN, mine.id, wording("x", [3], category="Weather"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["add", "change", "remove", "undo", "redo"]), st.integers(0, 3)), max_size=14))
def test_undo_and_redo_lead_back_and_forth_through_every_state(store: Store, steps: list[tuple[str, int]]) -> None:
    bench = house(store)
    mine = bench.projects.take(ANN, project(bench, count=20).id, "annotator")
    states, at = [snapshot(bench, mine.id)], 0
    for number, (what, which) in enumerate(steps):
        points = bench.work.points(ANN, mine.id)
        one = points[which % len(points)] if points else None
        if what == "add":
            bench.keep_point(ANN, mine.id, wording(f"Point {number}", [number + 1], id=stable_id(mine.id, number)))
        elif what == "change" and one is not None:
            bench.keep_point(ANN, mine.id, wording(f"Changed {number}", [2], id=one.id, version=one.version))
        elif what == "remove" and one is not None:
            bench.work.remove_point(ANN, mine.id, one.id, version=one.version)
        elif what in ("undo", "redo"):
            by = -1 if what == "undo" else 1
            if 0 <= at + by < len(states):
                getattr(bench.work, what)(ANN, mine.id, "annotator")
                at += by
            else:
                with pytest.raises(NothingToUndo):
                    getattr(bench.work, what)(ANN, mine.id, "annotator")
            assert snapshot(bench, mine.id) == states[at]
            continue
        else:
            continue
        states = [*states[: at + 1], snapshot(bench, mine.id)]
        at += 1


def snapshot(bench: Workbench, mine: str) -> list[tuple[str, dict[str, object]]]:
    return [(one.id, one.content()) for one in bench.work.points(ANN, mine)]


def test_the_review_asks_for_a_reason_and_for_every_difference(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    review = bench.projects.take(RENA, made.id, "reviewer")
    agreed, both, only_a, only_b = bench.review_sheet(RENA, review.id).parts
    for value, error in (
        (decision("a", reason=""), FieldMissing),
        (decision("a", confidence=0), FieldMissing),
        (decision("rejected"), FieldMissing),
        (decision("edited"), FieldMissing),
        (decision("merged"), FieldMissing),
        (decision("agreed"), FieldRefused),
        (decision("a", confidence=9), FieldRefused),
    ):
        with pytest.raises(error):
            bench.decide(RENA, review.id, both.id, value, before=None)
    with pytest.raises(FieldRefused):
        bench.decide(RENA, review.id, only_b.id, decision("a"), before=None)
    with pytest.raises(Undecided):
        bench.finish(RENA, review.id)
    text = {"text": "Maren cannot stand marzipan.", "category": "Preference", "language": "en", "evidence": {"turns": [57], "quotes": []}}
    bench.decide(RENA, review.id, both.id, decision("edited", point=text), before=None)
    bench.decide(RENA, review.id, only_a.id, decision("rejected", note="Said in jest."), before=None)
    bench.decide(RENA, review.id, only_b.id, decision("merged", into=only_a.id), before=None)
    with pytest.raises(MergedIntoNothing):
        bench.finish(RENA, review.id)
    held = bench.review_sheet(RENA, review.id).decisions[only_b.id].content
    bench.decide(RENA, review.id, only_b.id, decision("merged", into=agreed.id), before=held)
    added = {"text": "Her boat is called Patience.", "category": "Profile", "language": "en", "evidence": {"turns": [89], "quotes": []}}
    bench.decide(RENA, review.id, "added-1", decision("added", point=added), before=None)
    gold = bench.finish(RENA, review.id)
    assert [(one.text, one.evidence.turns, one.provenance["source"]) for one in gold] == [
        ("Maren grew up above a bakery.", (3, 255), "agreed"),
        ("Maren cannot stand marzipan.", (57,), "edited"),
        ("Her boat is called Patience.", (89,), "added"),
    ]


def test_decisions_are_undone_and_a_stale_tab_is_told(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    review = bench.projects.take(RENA, made.id, "reviewer")
    _, both, *_ = bench.review_sheet(RENA, review.id).parts
    bench.decide(RENA, review.id, both.id, decision("a"), before=None)
    with pytest.raises(ChangedMeanwhile):
        bench.decide(RENA, review.id, both.id, decision("b"), before=None)
    assert bench.work.undo(RENA, review.id, "reviewer") == both.id
    assert both.id not in bench.review_sheet(RENA, review.id).decisions
    bench.work.redo(RENA, review.id, "reviewer")
    assert bench.review_sheet(RENA, review.id).decisions[both.id].content["verdict"] == "a"


def test_one_annotator_alone_makes_gold_that_says_so(bench: Workbench) -> None:
    made = project(bench, overlap=1)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("Bakery.", [3]))
    bench.work.submit(ANN, mine.id)
    (gold,) = bench.work.gold(ADMIN, mine.item_id)
    assert (gold.text, gold.provenance["source"]) == ("Bakery.", "single")


def test_figures_are_of_what_is_adjudicated_and_for_admins(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    assert bench.agreement(ADMIN, made.id).dialogues == 0
    adjudicated(bench, made)
    view = bench.agreement(ADMIN, made.id)
    assert (view.dialogues, view.points) == (1, (3, 3))
    assert view.figures[0].value == pytest.approx(4 / 6)
    for member in (ANN, RENA):
        with pytest.raises(NotAllowed):
            bench.agreement(member, made.id)


def test_only_admins_make_projects_and_a_closed_one_is_not_taken_from(bench: Workbench, made: Project) -> None:
    value = {"name": "x", "overlap": 2, "lease_hours": 1, "categories": ["A"], "guideline": ""}
    for member in (ANN, RENA):
        with pytest.raises(NotAllowed):
            bench.make_project(member, value)
        with pytest.raises(NotAllowed):
            bench.add_guideline(member, made.id, "x")
    ann = bench.projects.take(ANN, made.id, "annotator")
    bench.close_project(ADMIN, made.id, closed="yes")
    with pytest.raises((ProjectClosed, NotThere)):
        bench.projects.take(BO, made.id, "annotator")
    bench.keep_point(ANN, ann.id, wording("Bakery.", [3]))


def test_guidelines_keep_their_versions(bench: Workbench, made: Project) -> None:
    mine = bench.projects.take(ANN, made.id, "annotator")
    assert bench.sheet(ANN, mine.id).assignment.guideline == 0
    bench.work.read_guideline(ANN, mine.id, 1)
    assert bench.add_guideline(ADMIN, made.id, "Mark promises, too.") == 2
    assert bench.sheet(ANN, mine.id).assignment.guideline == 1
    assert [(v, text) for v, text, _ in bench.projects.guidelines(ANN, made.id)] == [(1, "Mark what lasts."), (2, "Mark promises, too.")]


def test_gold_outlives_the_accounts_that_made_it_and_their_own_work_goes(bench: Workbench, store: Store, made: Project) -> None:
    doubled(bench, made)
    item = adjudicated(bench, made)
    before = bench.work.gold(ADMIN, item)
    for user in ("ann", "rena"):
        store.erasures.account(user)
    assert bench.work.gold(ADMIN, item) == before
    connection = store.database.read()
    for table in ("assignment", "event"):
        assert not connection.execute(f"SELECT 1 FROM annotation_{table} WHERE user_id IN ('ann', 'rena')").fetchone()
    assert connection.execute("SELECT count(*) FROM annotation_point").fetchone()[0] == 3
    assert bench.agreement(ADMIN, made.id).dialogues == 0


def test_the_trail_tells_who_did_what_and_is_only_added_to(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    before = bench.projects.events(ADMIN, made.id)
    assert all(not one.before and not one.after for one in before if one.assignment_id), "what was written is not told before there is gold"
    adjudicated(bench, made)
    after = bench.projects.events(ADMIN, made.id)
    assert [one.id for one in after[: len(before)]] == [one.id for one in before]
    assert [one.action for one in after if one.user_id == "rena"] == ["taken_to_reviewer", "decision", "decision", "decision", "reviewed"]
    assert json.loads(next(one.after for one in after if one.action == "point"))["text"] == "Maren grew up above a bakery."
