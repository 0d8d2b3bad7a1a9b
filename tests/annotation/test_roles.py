"""What changes when somebody's role does, or a project is closed; and what the trail keeps of it."""

from __future__ import annotations

import pytest

from annotation.probes import default_probes
from annotation.workbench import Workbench
from storage.annotation_errors import AlreadySubmitted, LeaseLost, NotAllowed, NotThere
from storage.annotation_records import Member, Project
from storage.annotation_run_rows import Setting
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, RENA, decision, doubled, house, project, wording


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench)


def test_who_reviews_no_more_neither_sees_nor_decides(bench: Workbench, made: Project) -> None:
    doubled(bench, made)
    review = bench.projects.take(RENA, made.id, "reviewer")
    part = bench.review_sheet(RENA, review.id).parts[1]
    for role in ("annotator", "player"):
        before = Member("rena", role)
        with pytest.raises(NotThere):
            bench.review_sheet(before, review.id)
        with pytest.raises((NotAllowed, NotThere)):
            bench.decide(before, review.id, part.id, decision("a"), before=None)
        for act in (bench.finish, lambda who, what: bench.work.undo(who, what, "reviewer")):
            with pytest.raises((NotAllowed, NotThere)):
                act(before, review.id)
    bench.decide(RENA, review.id, part.id, decision("a"), before=None)


def test_nobody_has_read_guidelines_that_are_not_written(bench: Workbench, made: Project) -> None:
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.work.read_guideline(ANN, mine.id, 99)
    bench.add_guideline(ADMIN, made.id, "Mark promises, too.")
    assert bench.sheet(ANN, mine.id).assignment.guideline == 1


def test_what_was_begun_in_a_project_that_is_closed_is_still_found(bench: Workbench, made: Project) -> None:
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.close_project(ADMIN, made.id, closed="yes")
    assert [one.id for one in bench.projects.projects(ANN)] == [made.id]
    assert bench.projects.projects(BO) == []
    bench.keep_point(ANN, mine.id, wording("Bakery.", [3]))
    bench.work.submit(ANN, mine.id)


def test_stopping_a_run_and_going_on_with_it_stand_in_the_trail(bench: Workbench, store: Store, made: Project) -> None:
    (item,) = bench.projects.items(ADMIN, made.id)
    runs = store.annotation_runs
    run = runs.begin(ADMIN, made.id, item.id, [Setting("s", 300, 0, 9)], distances=[30], probes=default_probes(made.id)[:1], how={})
    for state in ("waiting", "stopped", "stopped", "waiting"):
        runs.wish(ADMIN, run, state)
    told = [one.action for one in bench.projects.events(ADMIN, made.id) if one.subject == run]
    assert told == ["universal_run", "run_stopped", "run_gone_on"]


def test_what_is_given_back_is_free_for_another_and_kept(bench: Workbench, made: Project) -> None:
    ann, bo = (bench.projects.take(member, made.id, "annotator") for member in (ANN, BO))
    bench.keep_point(ANN, ann.id, wording("Bakery.", [3]))
    with pytest.raises(NotThere):
        bench.work.give_back(BO, ann.id)
    bench.work.give_back(ANN, ann.id)
    assert bench.projects.waiting(RENA, made.id, "annotator") == 1
    bench.keep_point(ANN, ann.id, wording("Lanterns.", [21]))
    assert bench.projects.waiting(RENA, made.id, "annotator") == 0, "who comes back first goes on"
    bench.work.give_back(ANN, ann.id)
    bench.work.give_back(ANN, ann.id)
    bench.projects.take(RENA, made.id, "annotator")
    with pytest.raises(LeaseLost):
        bench.keep_point(ANN, ann.id, wording("Boat.", [89]))
    assert len(bench.work.points(ANN, ann.id)) == 2
    bench.work.submit(BO, bo.id)
    with pytest.raises(AlreadySubmitted):
        bench.work.give_back(BO, bo.id)
    assert [one.action for one in bench.projects.events(ADMIN, made.id)].count("given_back") == 2
