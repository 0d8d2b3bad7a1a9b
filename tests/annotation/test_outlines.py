"""The outline that the engine makes of a dialogue, and what it suggests: where it may, marked for good, counted apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.errors import FieldRefused
from annotation.exchange import export
from annotation.exchange_reading import load
from annotation.outlines import Outlines
from annotation.suggesting import Share
from annotation.workbench import Workbench
from storage.annotation_errors import NotThere
from storage.annotation_records import Point, Project
from storage.folder import DataFolder
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, house, project, wording
from tests.chat.conftest import house_settings

COUNT = 40


@pytest.fixture(scope="module")
def outlined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Outlines]]:
    """A store whose dialogues the real engine goes through."""
    folder = tmp_path_factory.mktemp("outlines")
    store = Store(DataFolder(folder / "data"), durable=False)
    outlines = Outlines(store, house_settings(folder / "data"))
    yield store, outlines
    outlines.close()
    store.close()


@pytest.fixture
def bench(outlined: tuple[Store, Outlines]) -> Workbench:
    store, outlines = outlined
    house(store)
    return Workbench(store, outlines=outlines)


def taken(bench: Workbench, made: Project) -> tuple[str, str]:
    mine = bench.projects.take(ANN, made.id, "annotator")
    return mine.id, mine.item_id


def gone_through(bench: Workbench, work: str) -> list[dict[str, object]]:
    bench.suggesting.offered(ANN, work)
    assert bench.outlines is not None
    bench.outlines.wait()
    found = bench.suggesting.offered(ANN, work)
    assert found.state == "done"
    return [dict(one) for one in found.suggestions]


def accept(bench: Workbench, work: str, one: dict[str, object], *, text: str = "") -> Point:
    turns = one["turns"]
    assert isinstance(turns, list)
    value = wording(text or str(one["text"]), turns)
    return bench.keep_point(ANN, work, {**value, "suggestion": one["id"]})


def test_what_the_engine_finds_is_offered_where_one_annotates_alone(bench: Workbench) -> None:
    made = project(bench, overlap=1, count=COUNT)
    work, item = taken(bench, made)
    assert bench.suggesting.offered(ANN, work).state == "off", "off until somebody says so"
    bench.suggesting.switch(ADMIN, made.id, on="yes")
    offered = gone_through(bench, work)
    bakery = next(one for one in offered if "bakery" in str(one["text"]))
    assert bakery["turns"] == [3]
    assert "Maren" in str(bakery["text"])
    assert bench.outlines is not None
    outline = bench.outlines.of(ANN, item)
    assert outline is not None
    plots = outline.told["plots"]
    assert isinstance(plots, list)
    assert any("lanterns" in line["text"] and line["turn"] == 21 for piece in plots for line in piece["lines"])
    assert all(1 <= piece["from"] <= piece["to"] <= COUNT for piece in plots)

    # Taken as it stands, worded anew, put away.
    accept(bench, work, bakery)
    lanterns = next(one for one in offered if "lanterns" in str(one["text"]))
    accept(bench, work, lanterns, text="Maren owes Oda lanterns.")
    rest = bench.suggesting.offered(ANN, work)
    bench.suggesting.dismiss(ANN, work, str(rest.suggestions[0]["id"]))
    left = bench.suggesting.offered(ANN, work)
    assert (len(left.suggestions), left.dismissed) == (len(offered) - 3, 1)
    bench.work.undo(ANN, work, "annotator")
    assert lanterns["id"] in {one["id"] for one in bench.suggesting.offered(ANN, work).suggestions}, "what is undone is offered again"
    bench.work.redo(ANN, work, "annotator")
    bench.keep_point(ANN, work, wording("I found this alone.", [5]))

    bench.work.submit(ANN, work)
    assert bench.share(ANN, made.id) == Share(points=3, as_they_stood=1, changed=1)
    file = export(bench.exchange, ADMIN, made.id, "gold").content.decode()
    assert "as it stood" in file
    assert "changed: text" in file


def test_it_stays_marked_through_a_file(bench: Workbench, store: Store) -> None:
    made = project(bench, overlap=1, count=COUNT)
    bench.suggesting.switch(ADMIN, made.id, on="yes")
    work, item = taken(bench, made)
    offered = gone_through(bench, work)
    accept(bench, work, offered[0], text="In other words.")
    bench.work.submit(ANN, work)
    bench.projects.release(ADMIN, item)
    body = export(bench.exchange, ADMIN, made.id, "project").content
    (gold,) = [json.loads(line) for line in body.splitlines() if b'"kind": "gold"' in line]
    assert gold["points"][0]["provenance"]["suggested"]["changed"] == ["text"]
    house(store)
    there = load(Workbench(store).exchange, ADMIN, body)
    (dialogue,) = Workbench(store).exchange.dump(ADMIN, there.id).dialogues
    (point,) = dialogue.works[0].points
    assert point.suggestion is not None
    assert point.suggestion["text"] == offered[0]["text"]


def test_nobody_who_works_blind_is_led(bench: Workbench) -> None:
    made = project(bench, overlap=2, count=COUNT)
    with pytest.raises(FieldRefused):
        bench.suggesting.switch(ADMIN, made.id, on="yes")
    work, _ = taken(bench, made)
    assert bench.suggesting.offered(ANN, work).state == "off"
    with pytest.raises(NotThere):
        accept(bench, work, {"id": "ab" * 16, "text": "x", "turns": [3]})
    with pytest.raises(NotThere):
        bench.suggesting.offered(BO, work)


def test_the_outline_is_for_whoever_may_read_the_dialogue(bench: Workbench) -> None:
    made = project(bench, overlap=2, count=COUNT)
    _, item = taken(bench, made)
    assert bench.outlines is not None
    with pytest.raises(NotThere):
        bench.outlines.of(BO, item)


def test_what_was_cut_off_begins_anew(outlined: tuple[Store, Outlines], bench: Workbench, tmp_path: Path) -> None:
    store, _ = outlined
    made = project(bench, overlap=1, count=COUNT)
    _, item = taken(bench, made)
    store.annotation_outlines.ask(ADMIN, item)
    with store.database.write() as connection:
        connection.execute("UPDATE annotation_outline SET state = 'running' WHERE item_id = ?", (item,))
    store.annotation_outlines.left_running()
    found = store.annotation_outlines.of(ANN, item)
    assert found is not None
    assert found.state == "waiting"
    bench.projects.remove_item(ADMIN, item)
    assert store.database.read().execute("SELECT count(*) FROM annotation_outline WHERE item_id = ?", (item,)).fetchone()[0] == 0
