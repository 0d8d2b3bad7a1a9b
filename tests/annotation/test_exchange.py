"""Projects as files: there and back without loss, as a table, and in the layout that the evaluation reads."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.dialogues import from_file
from annotation.errors import FileRefused
from annotation.exchange import export, lines
from annotation.exchange_reading import is_project, load
from annotation.workbench import Workbench
from evaluation.extraction import read_extraction
from storage.annotation_errors import AlreadyHere, NotAllowed
from storage.annotation_records import Project
from storage.folder import DataFolder
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, RENA, TOLD, adjudicated, doubled, file, house, project


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def done(bench: Workbench) -> Project:
    made = project(bench)
    doubled(bench, made)
    adjudicated(bench, made)
    return made


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workbench]:
    other = Store(DataFolder(tmp_path / "elsewhere"), durable=False)
    yield house(other)
    other.close()


def test_a_project_comes_back_as_it_was(bench: Workbench, elsewhere: Workbench, done: Project) -> None:
    whole = export(bench.exchange, ADMIN, done.id, "project").content
    assert is_project(whole)
    taken = load(elsewhere.exchange, ADMIN, whole)
    again = export(elsewhere.exchange, ADMIN, taken.id, "project").content
    assert again.splitlines()[:-3] == whole.splitlines()[:-2], "only the taking in was added to the trail"
    assert json.loads(again.splitlines()[-2])["action"] == "project_taken_in"
    assert elsewhere.agreement(ADMIN, taken.id) == bench.agreement(ADMIN, done.id)
    (item,) = elsewhere.projects.items(ADMIN, taken.id)
    assert elsewhere.work.gold(ADMIN, item.id) == bench.work.gold(ADMIN, item.id)
    with pytest.raises(AlreadyHere):
        load(elsewhere.exchange, ADMIN, whole)
    assert len(elsewhere.projects.projects(ADMIN)) == 1


def test_what_is_not_adjudicated_stays_behind_and_is_counted(bench: Workbench) -> None:
    made = project(bench)
    doubled(bench, made)
    whole = export(bench.exchange, ADMIN, made.id, "project").content.decode()
    assert json.loads(whole.splitlines()[0])["withheld"] == 2
    assert "above a bakery." not in whole
    assert TOLD[57] in whole


def test_names_of_people_are_in_no_file(bench: Workbench, done: Project) -> None:
    whole = export(bench.exchange, ADMIN, done.id, "project").content.decode()
    by = {json.loads(line)["by"] for line in whole.splitlines() if '"by"' in line}
    assert by == {"p1", "p2", "p3", "p4"}
    assert '"rena"' not in whole


def test_only_an_admin_takes_files_out_and_in(bench: Workbench, done: Project) -> None:
    for member in (ANN, RENA):
        for form in ("project", "gold", "locomo"):
            with pytest.raises(NotAllowed):
                export(bench.exchange, member, done.id, form)


def test_a_file_that_was_changed_or_cut_is_taken_in_not_at_all(bench: Workbench, elsewhere: Workbench, done: Project) -> None:
    whole = list(lines(bench.exchange.dump(ADMIN, done.id)))
    for broken in (
        whole[:-1],
        whole[:-4] + whole[-1:],
        [*whole[:3], whole[3].replace("bakery", "brewery"), *whole[4:]],
        [*whole, "{}\n"],
        whole[1:],
    ):
        with pytest.raises(FileRefused):
            load(elsewhere.exchange, ADMIN, "".join(broken).encode())
    assert elsewhere.projects.projects(ADMIN) == []


def test_the_layout_of_locomo_is_read_by_the_evaluation(bench: Workbench, done: Project, tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_bytes(export(bench.exchange, ADMIN, done.id, "locomo").content)
    data = read_extraction(path)
    (item,) = bench.projects.items(ADMIN, done.id)
    assert [label.text for label in data.labels] == [gold.text for gold in bench.work.gold(ADMIN, item.id)]
    (back,) = from_file(path)
    assert [(t.speaker, t.text) for t in back.turns] == [(t.speaker, t.text) for t in bench.projects.turns(ADMIN, item.id)]


def test_a_table_computes_nothing(bench: Workbench) -> None:
    made = project(bench, overlap=1)
    mine = bench.projects.take(ANN, made.id, "annotator")
    from tests.annotation.invented import wording

    bench.keep_point(ANN, mine.id, wording("=1+1", [3]))
    bench.work.submit(ANN, mine.id)
    (row,) = csv.DictReader(io.StringIO(export(bench.exchange, ADMIN, made.id, "gold").content.decode("utf-8-sig")))
    assert (row["text"], row["messages"], row["source"]) == ("'=1+1", "3", "single")


def test_dialogues_come_in_from_a_file_once(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "The pier.jsonl"
    path.write_bytes(file())
    items = from_file(path)
    made = project(bench, dialogues=0)
    first = bench.projects.add_items(ADMIN, made.id, items)
    assert bench.projects.add_items(ADMIN, made.id, items) == first
    (item,) = bench.projects.items(ADMIN, made.id)
    assert (item.title, item.turns, item.language) == ("The pier", 300, "en")
    turns = bench.projects.turns(ADMIN, item.id)
    assert [t.round for t in turns[:5]] == [1, 1, 2, 2, 3]
    assert {t.session for t in turns} == {1, 2, 3, 4, 5}
