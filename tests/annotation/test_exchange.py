"""Projects as files: there and back without loss, as a table, and in the layout that the evaluation reads."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.dialogues import from_file
from annotation.errors import FileRefused
from annotation.exchange import FORMS, export, lines
from annotation.exchange_reading import is_project, load
from annotation.probes import default_probes
from annotation.workbench import Workbench
from evaluation.extraction import read_extraction
from evaluation.qa import notices
from evaluation.question_files import read_retrieval
from storage.annotation_errors import AlreadyHere, NotAllowed
from storage.annotation_probes import Probe
from storage.annotation_records import Member, Project
from storage.annotation_run_rows import Choice, Question, Reply, Result, Setting
from storage.folder import DataFolder
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, RENA, TOLD, adjudicated, doubled, file, house, project
from tests.annotation.test_regular import OPTIONS, fields
from tests.chat.conftest import house_settings


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


@pytest.fixture
def probed(bench: Workbench, store: Store, done: Project) -> Project:
    """With probes of both kinds, their reviews, and a run of each with what it found."""
    (item,) = bench.projects.items(ADMIN, done.id)
    rolf = Member("rolf", "reviewer")
    store.chats.ensure_user("rolf", "rolf")
    for own, verdict in (("a1" * 16, "accepted"), ("a2" * 16, "rejected"), ("a3" * 16, "edited"), ("a4" * 16, "")):
        kept = bench.regular.keep(RENA, item.id, fields(own, note=f"note {own[:2]}"))
        bench.regular.submit(RENA, item.id, own, version=1)
        if verdict:
            bench.regular.answer(rolf, own, version=1, shown=kept.order.index(1))
            probe = fields(own, line="Where was it that you grew up?") if verdict == "edited" else None
            told = {"verdict": verdict, "reason": "wording", "note": "see there", "probe": probe}
            bench.regular.decide(rolf, own, told, version=1)
    bench.regular.keep(RENA, item.id, fields("a5" * 16, line="A secret draft?"))
    table, runs = store.annotation_probes, store.annotation_runs
    table.take_in(ADMIN, done.id, default_probes(done.id)[:2])
    table.keep(RENA, done.id, Probe("b1" * 16, "en", "kite", "I mended the kite.", "What did I mend?", "The kite."))
    first = default_probes(done.id)[0].id
    for who in (ADMIN, RENA):
        table.review(who, done.id, first, version=1, verdict="accepted", remark="")
    table.review(rolf, done.id, "b1" * 16, version=1, verdict="objected", remark="too short")
    settings = [Setting("roomy", 300, 0, 9)]
    asked = [Question("a1" * 16, "en", "Where?", ("a", "b", "c", "d"), 5, (3,))]
    regular = runs.begin(ADMIN, done.id, item.id, settings, questions=asked, how={"answers": "nearest"})
    runs.chosen(regular, [Choice(-1, "a1" * 16, 2, "", None, 0), Choice(0, "a1" * 16, None, "refused", 3, 20)])
    items = runs.begin(ADMIN, done.id, item.id, settings, distances=[4], probes=default_probes(done.id)[:1], how={"judge": "m"})
    runs.found(items, [Result(0, 4, first, 1, 2, 20, 0.875)], [Reply("c1" * 16, 0, 4, first, "A cello.", 4, "Nearly.", "")])
    runs.label(RENA, "c1" * 16, 5)
    runs.next_waiting()
    runs.ended(regular, "done")
    return done


def test_probes_of_both_kinds_their_reviews_and_runs_come_back_as_they_were(
    bench: Workbench, elsewhere: Workbench, probed: Project
) -> None:
    whole = export(bench.exchange, ADMIN, probed.id, "project").content
    said = [json.loads(line) for line in whole.splitlines()]
    assert said[0]["version"] == 2
    assert said[0]["withheld"] == 2, "one that waits, one that was not handed in"
    assert {one["id"][:2] for one in said if one["kind"] == "regular"} == {"a1", "a2", "a3"}
    assert b"A secret draft?" not in whole
    assert b"note a4" not in whole
    taken = load(elsewhere.exchange, ADMIN, whole)
    again = export(elsewhere.exchange, ADMIN, taken.id, "project").content.splitlines()

    def told(lines: list[bytes]) -> list[dict[str, object]]:
        return [json.loads(line) for line in lines if b'"kind": "end"' not in line and b"project_taken_in" not in line]

    first, second = told(whole.splitlines()), told(again)
    assert second[0] == {**first[0], "withheld": 0}
    assert second[1:] == [{**one, "state": "stopped"} if one.get("state") == "waiting" else one for one in first[1:]]
    assert {one["kind"] for one in first} == {
        "keepsake-annotation",
        "guideline",
        "dialogue",
        "work",
        "gold",
        "probe",
        "regular",
        "run",
        "event",
    }
    standing = elsewhere.regular.standing(ADMIN, taken.id)
    assert {one.id[:2] for one in standing} == {"a1", "a3"}
    run = next(one for one in first if one["kind"] == "run" and one["of"] == "universal")
    assert run["labels"] == [{"reply_id": "c1" * 16, "by": "p3", "score": 5, "at": run["labels"][0]["at"]}]  # type: ignore[index]


def test_a_file_of_the_first_version_is_still_read(bench: Workbench, elsewhere: Workbench, done: Project) -> None:
    now = list(lines(bench.exchange.dump(ADMIN, done.id)))[:-1]
    header = {**json.loads(now[0]), "version": 1}
    old = [json.dumps(header, ensure_ascii=False, sort_keys=True) + "\n", *now[1:]]
    end = {"kind": "end", "lines": len(old), "sha256": hashlib.sha256("".join(old).encode()).hexdigest()}
    taken = load(elsewhere.exchange, ADMIN, ("".join(old) + json.dumps(end, sort_keys=True) + "\n").encode())
    (item,) = elsewhere.projects.items(ADMIN, taken.id)
    (before,) = bench.projects.items(ADMIN, done.id)
    assert elsewhere.work.gold(ADMIN, item.id) == bench.work.gold(ADMIN, before.id)


def test_a_probe_that_nobody_else_decided_about_is_taken_in_from_no_file(bench: Workbench, elsewhere: Workbench, probed: Project) -> None:
    now = [json.loads(line) for line in lines(bench.exchange.dump(ADMIN, probed.id))][:-1]
    for change in ({"reviews": []}, {"gold": 99}, {"dialogue": 7}, {"options": ["a", "b"]}):
        forged = [{**one, **change} if one["kind"] == "regular" else one for one in now]
        body = "".join(json.dumps(one, sort_keys=True) + "\n" for one in forged)
        end = {"kind": "end", "lines": len(forged), "sha256": hashlib.sha256(body.encode()).hexdigest()}
        with pytest.raises(FileRefused):
            load(elsewhere.exchange, ADMIN, (body + json.dumps(end, sort_keys=True) + "\n").encode())
    assert elsewhere.projects.projects(ADMIN) == []


def test_regular_probes_are_questions_that_the_evaluation_reads(bench: Workbench, probed: Project, tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_bytes(export(bench.exchange, ADMIN, probed.id, "locomo").content)
    (data,) = read_retrieval(path)
    assert [one.evidence for one in data.questions] == [("D1:3",), ("D1:3",)]
    for one in data.questions:
        assert one.right is not None
        assert one.options[one.right] == OPTIONS[0]
        assert sorted(one.options) == sorted(OPTIONS)
    assert notices([data], house_settings(tmp_path), None)[0] == "questions with options: 2"
    assert [label.text for label in read_extraction(path).labels] == [
        one["text"] for one in json.loads(path.read_text())[0]["keepsake"]["memory_points"]
    ]


def test_checked_items_of_the_table_leave_in_a_dialogue_that_tells_them(bench: Workbench, probed: Project, tmp_path: Path) -> None:
    path = tmp_path / "probed.json"
    path.write_bytes(export(bench.exchange, ADMIN, probed.id, "probed").content)
    (data,) = read_retrieval(path)
    (question,) = data.questions
    told = next(m for m in data.conversations[0].messages if m.external_id == question.evidence[0])
    first = default_probes("x")[0]
    assert (told.text, question.text, told.speaker) == (first.p, first.q, "Maren")
    assert len(data.conversations[0].messages) == 301


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
        for form in FORMS:
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
