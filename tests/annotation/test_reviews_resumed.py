"""A review that rests while an annotation is taken back, changed and handed in anew, or its annotator leaves the house."""

from __future__ import annotations

import pytest

from annotation.errors import Undecided
from annotation.exchange import export
from annotation.exchange_reading import load
from annotation.workbench import Workbench
from storage.annotation_records import Member, Project
from storage.folder import DataFolder
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, RENA, decision, doubled, house, project, wording

CAI = Member("cai", "annotator")


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench)


@pytest.fixture
def review(bench: Workbench, store: Store, made: Project) -> str:
    """Rena's, everything decided; then she is away for so long that her place is free."""
    doubled(bench, made)
    mine = bench.projects.take(RENA, made.id, "reviewer")
    for part in bench.review_sheet(RENA, mine.id).parts:
        if not part.agreed:
            bench.decide(RENA, mine.id, part.id, decision("a" if part.a is not None else "b"), before=None)
    with store.database.write() as connection:
        connection.execute("UPDATE annotation_assignment SET lease_until = 1 WHERE role = 'reviewer'")
    return mine.id


def work_of(bench: Workbench, member: Member) -> str:
    (mine,) = bench.projects.assignments(member)
    return mine.id


def test_who_hands_in_anew_stays_a_and_what_was_decided_holds(bench: Workbench, review: str) -> None:
    before = bench.review_sheet(RENA, review)
    bench.work.reopen(ANN, work_of(bench, ANN))
    bench.work.submit(ANN, work_of(bench, ANN))
    after = bench.review_sheet(RENA, review)
    assert [part.id for part in after.parts] == [part.id for part in before.parts]
    assert not after.standing.open
    assert len(bench.finish(RENA, review)) == 4


def test_a_point_that_was_changed_since_is_decided_about_anew(bench: Workbench, review: str) -> None:
    mine = work_of(bench, ANN)
    bench.work.reopen(ANN, mine)
    marzipan = next(one for one in bench.work.points(ANN, mine) if "marzipan" in one.text)
    bench.keep_point(ANN, mine, wording("Maren loves marzipan.", [57], category="Preference", id=marzipan.id, version=marzipan.version))
    bench.work.submit(ANN, mine)
    sheet = bench.review_sheet(RENA, review)
    (part,) = sheet.standing.open
    assert sheet.standing.outdated == (part,)
    with pytest.raises(Undecided):
        bench.finish(RENA, review)
    held = sheet.decisions[part].content
    bench.decide(RENA, review, part, decision("a"), before=held)
    assert not bench.review_sheet(RENA, review).standing.open, "the same decision, of what the point says now"
    assert "Maren loves marzipan." in [one.text for one in bench.finish(RENA, review)]


def test_a_clock_that_was_set_back_keeps_nobody_from_deciding(bench: Workbench, store: Store, review: str) -> None:
    with store.database.write() as connection:
        connection.execute("UPDATE annotation_point SET updated_at = updated_at + 3600000")
    sheet = bench.review_sheet(RENA, review)
    assert len(sheet.standing.outdated) == 3
    for part in sheet.standing.outdated:
        bench.decide(RENA, review, part, sheet.decisions[part].content, before=sheet.decisions[part].content)
    assert len(bench.finish(RENA, review)) == 4


def test_a_decision_that_undo_brings_back_is_of_its_own_moment(bench: Workbench, store: Store, review: str) -> None:
    both = bench.review_sheet(RENA, review).parts[1]
    held = bench.review_sheet(RENA, review).decisions[both.id].content
    bench.decide(RENA, review, both.id, decision("b"), before=held)
    with store.database.write() as connection:
        connection.execute("UPDATE annotation_assignment SET lease_until = 1 WHERE id = ?", (review,))
    mine = work_of(bench, ANN)
    bench.work.reopen(ANN, mine)
    assert both.a is not None
    bench.keep_point(ANN, mine, wording("Maren loves marzipan.", [57], category="Preference", id=both.a.id, version=both.a.version))
    bench.work.submit(ANN, mine)
    bench.work.undo(RENA, review, "reviewer")
    assert bench.review_sheet(RENA, review).standing.outdated == (both.id,)


def test_a_point_that_is_gone_takes_what_was_decided_along(
    bench: Workbench, made: Project, review: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mine = work_of(bench, ANN)
    bench.work.reopen(ANN, mine)
    for one in bench.work.points(ANN, mine)[1:]:
        bench.work.remove_point(ANN, mine, one.id, version=one.version)
    bench.work.submit(ANN, mine)
    sheet = bench.review_sheet(RENA, review)
    assert len(sheet.standing.open) == 1, "what was paired stands alone now"
    for part in sheet.standing.open:
        bench.decide(RENA, review, part, decision("b"), before=None)
    assert len(bench.finish(RENA, review)) == 3
    _comes_back(bench, made, tmp_path_factory)


def test_an_annotator_who_leaves_in_the_middle_is_followed_by_another(
    bench: Workbench, store: Store, made: Project, review: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store.erasures.account("bo")
    store.chats.ensure_user("cai", "cai")
    mine = bench.projects.take(CAI, made.id, "annotator")
    bench.keep_point(CAI, mine.id, wording("Maren hates marzipan.", [57], category="Preference"))
    bench.work.submit(CAI, mine.id)
    sheet = bench.review_sheet(RENA, review)
    for part in sheet.standing.open:
        bench.decide(RENA, review, part, decision("a"), before=None)
    assert [one.text for one in bench.finish(RENA, review)] == [
        "Maren grew up above a bakery.",
        "Maren hates marzipan.",
        "Maren starts at the observatory.",
    ]
    _comes_back(bench, made, tmp_path_factory)


def _comes_back(bench: Workbench, made: Project, folders: pytest.TempPathFactory) -> None:
    """Its file is taken in elsewhere."""
    other = Store(DataFolder(folders.mktemp("elsewhere") / "data"), durable=False)
    taken = load(house(other).exchange, ADMIN, export(bench.exchange, ADMIN, made.id, "project").content)
    assert taken.name == made.name
    other.close()
