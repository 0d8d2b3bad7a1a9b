"""Projects as files: there and back without loss, as a table, and in the layout that the evaluation reads."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.dialogues import from_file, item_of
from annotation.errors import FileRefused
from annotation.exchange import FORMS, export, lines
from annotation.exchange_reading import is_project, load
from annotation.probes import default_probes
from annotation.workbench import Workbench
from chat.imported import ImportedConversation, ImportedMessage
from evaluation.extraction import read_extraction
from evaluation.qa import notices
from evaluation.question_files import read_noted, read_retrieval
from storage.annotation_errors import AlreadyHere, NotAllowed
from storage.annotation_probes import Probe
from storage.annotation_records import Member, Project
from storage.annotation_run_rows import Choice, Question, Reply, Result, Setting
from storage.folder import DataFolder
from storage.records import stable_id
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, RENA, TOLD, adjudicated, decision, doubled, file, house, project, wording
from tests.annotation.test_regular import OPTIONS, fields
from tests.chat.conftest import house_settings

START = datetime(2026, 3, 1, 18, tzinfo=UTC)


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
    standing = (("a1", "accepted"), ("a2", "rejected"), ("a3", "edited"), ("a4", ""), ("a6", "differ"), ("a7", "half"))
    for own, verdict in ((name * 16, verdict) for name, verdict in standing):
        kept = bench.regular.keep(RENA, item.id, fields(own, note=f"note {own[:2]}"))
        bench.regular.submit(RENA, item.id, own, version=1)
        deciding = {
            "": (),
            "half": ((rolf, "rejected"),),
            "differ": ((rolf, "accepted"), (ADMIN, "edited"), (rolf, ""), (ADMIN, "rejected")),
        }
        for who, found in deciding.get(verdict, ((rolf, verdict), (ADMIN, verdict))):
            if found:
                bench.regular.answer(who, own, version=1, shown=kept.order.index(1))
                probe = fields(own, line="Where was it that you grew up?") if found == "edited" else None
                told = {"verdict": found, "reason": "wording", "note": "see there", "probe": probe}
                bench.regular.decide(who, own, told, version=1)
    bench.regular.keep(RENA, item.id, fields("a5" * 16, line="A secret draft?"))
    table, runs = store.annotation_probes, store.annotation_runs
    table.take_in(ADMIN, done.id, default_probes(done.id)[:2])
    table.keep(RENA, done.id, Probe("b1" * 16, "en", "kite", "I mended the kite.", "What did I mend?", "The kite."))
    first = default_probes(done.id)[0].id
    for who in (ADMIN, RENA):
        table.review(who, done.id, first, version=1, verdict="accepted", remark="")
    table.review(rolf, done.id, "b1" * 16, version=1, verdict="objected", remark="too short")
    settings = [Setting("roomy", 300, 0, 9), Setting("", 60, 0, 9, forgetting="stored", beta=0.5, recipe="dense")]
    asked = [Question("a1" * 16, "en", "Where?", ("a", "b", "c", "d"), 5, (3,))]
    regular = runs.begin(ADMIN, done.id, item.id, settings, distances=[0, 30], questions=asked, how={"answers": "nearest"})
    runs.chosen(regular, [Choice(-1, 0, "a1" * 16, 2, "", None, 0), Choice(0, 30, "a1" * 16, None, "refused", 3, 20)])
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
    assert said[0]["version"] == 4
    assert said[0]["withheld"] == 3, "one that waits, one that one has decided about, one that was not handed in"
    assert {one["id"][:2]: len(one["reviews"]) for one in said if one["kind"] == "regular"} == {"a1": 2, "a2": 2, "a3": 2, "a6": 3}
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


def forged(values: list[dict[str, object]]) -> bytes:
    """A file of these lines, with an end that is theirs."""
    body = "".join(json.dumps(one, ensure_ascii=False, sort_keys=True) + "\n" for one in values)
    end = {"kind": "end", "lines": len(values), "sha256": hashlib.sha256(body.encode()).hexdigest()}
    return (body + json.dumps(end, sort_keys=True) + "\n").encode()


def test_in_a_file_of_the_second_version_one_reviewers_decision_stands_and_runs_asked_after_the_whole_dialogue(
    bench: Workbench, elsewhere: Workbench, probed: Project
) -> None:
    values = [json.loads(line) for line in lines(bench.exchange.dump(ADMIN, probed.id))][:-1]
    values[0]["version"] = 2
    for one in values:
        if one["kind"] == "regular":
            last = next(r for r in reversed(one["reviews"]) if r["verdict"])
            one["reviews"] = [{k: v for k, v in last.items() if k not in ("settles", "proposal")}]
        elif one["kind"] == "run" and one["of"] == "regular":
            one["distances"] = []
            one["choices"] = [{k: v for k, v in choice.items() if k != "distance"} for choice in one["choices"]]
    taken = load(elsewhere.exchange, ADMIN, forged(values))
    assert {one.id[:2] for one in elsewhere.regular.standing(ADMIN, taken.id)} == {"a1", "a3"}
    now = [json.loads(line) for line in lines(elsewhere.exchange.dump(ADMIN, taken.id))]
    run = next(one for one in now if one["kind"] == "run" and one["of"] == "regular")
    assert (run["distances"], {one["distance"] for one in run["choices"]}) == ([0], {0})
    assert all(one["reviews"][0]["settles"] for one in now if one["kind"] == "regular")


def test_what_runs_came_to_leaves_as_a_table(bench: Workbench, probed: Project) -> None:
    text = export(bench.exchange, ADMIN, probed.id, "runs").content.decode("utf-8-sig")
    found = list(csv.DictReader(io.StringIO(text)))
    told = [(one["kind"], one["distance"], one["figure"], one["value"][:5], one["n"], one["trouble"]) for one in found]
    assert told == [
        ("regular", "30", "right", "0.0", "1", "refused=1"),
        ("regular", "30", "recalled@9", "1.0", "1", ""),
        ("regular", "", "right", "0.0", "1", ""),
        ("universal", "4", "recall@1", "0.0", "1", ""),
        ("universal", "4", "recall@3", "1.0", "1", ""),
        ("universal", "4", "recall@9", "1.0", "1", ""),
        ("universal", "4", "nearness", "0.875", "1", ""),
        ("universal", "4", "judged", "4.0", "1", ""),
    ]
    assert all(one["low"] <= one["value"] <= one["high"] for one in found if one["low"])
    assert [found[0][name] for name in ("setting", "differs", "memories_kept")] == ["roomy", "", "300"]


def test_a_setting_leaves_by_what_differs_and_older_files_have_three_parts(bench: Workbench, elsewhere: Workbench, probed: Project) -> None:
    values = [json.loads(line) for line in lines(bench.exchange.dump(ADMIN, probed.id))][:-1]
    (regular,) = [one for one in values if one["kind"] == "run" and one["of"] == "regular"]
    assert regular["settings"] == [
        {"name": "roomy", "capacity": 300, "capacity_tokens": 0, "k": 9},
        {"name": "", "capacity": 60, "capacity_tokens": 0, "k": 9, "forgetting": "stored", "beta": 0.5, "recipe": "dense"},
    ]
    for change in ({"forgetting": "whim"}, {"recipe": "without-everything"}, {"beta": -1}, {"colour": "red"}):
        with pytest.raises(FileRefused):
            load(
                elsewhere.exchange,
                ADMIN,
                forged([{**one, "settings": [{**one["settings"][0], **change}]} if one["kind"] == "run" else one for one in values]),
            )
    values[0]["version"] = 3
    for one in values:
        if one["kind"] == "run":
            one["settings"] = [{name: part[name] for name in ("name", "capacity", "capacity_tokens", "k")} for part in one["settings"]]
    taken = load(elsewhere.exchange, ADMIN, forged(values))
    read = [one.run.settings for one in elsewhere.exchange.dump(ADMIN, taken.id).probes.runs]
    assert [len(one) for one in read] == [2, 2]
    assert {one.forgetting for some in read for one in some} == {"keepsake"}


def test_runs_of_one_millisecond_keep_their_order(bench: Workbench, store: Store, done: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.annotation_runs.now_ms", lambda: 7)
    (item,) = bench.projects.items(ADMIN, done.id)
    runs, probes = store.annotation_runs, default_probes(done.id)[:1]
    begun = [runs.begin(ADMIN, done.id, item.id, [Setting("roomy", 300, 0, 9)], distances=[4], probes=probes, how={}) for _ in range(8)]
    assert [run.id for run in runs.runs(ADMIN, done.id)] == begun[::-1]
    assert [runs.next_waiting() for _ in begun] == begun


def test_a_probe_that_nobody_else_decided_about_is_taken_in_from_no_file(bench: Workbench, elsewhere: Workbench, probed: Project) -> None:
    now = [json.loads(line) for line in lines(bench.exchange.dump(ADMIN, probed.id))][:-1]
    first = next(one["reviews"] for one in now if one["kind"] == "regular")
    alone, thrice = first[:1], [*first, {**first[0], "by": "p9"}]
    for change in (
        {"reviews": []},
        {"reviews": alone},
        {"reviews": [first[0]] * 2},
        {"reviews": thrice},
        {"gold": 99},
        {"dialogue": 7},
        {"options": ["a"]},
    ):
        with pytest.raises(FileRefused):
            load(elsewhere.exchange, ADMIN, forged([{**one, **change} if one["kind"] == "regular" else one for one in now]))
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


def test_the_layout_of_zh4o_is_read_by_the_evaluation_and_as_dialogues(bench: Workbench, probed: Project, tmp_path: Path) -> None:
    path = tmp_path / "pier.zh4o.json"
    path.write_bytes(export(bench.exchange, ADMIN, probed.id, "zh4o").content)
    ((data, labels),) = read_noted(path)
    (dialogue,) = bench.exchange.dump(ADMIN, probed.id).dialogues
    assert [label.text for label in labels] == [gold.text for gold in dialogue.gold]
    probes = [one.probe for one in bench.exchange.dump(ADMIN, probed.id).probes.regular if one.probe.stands]
    assert len(probes) == 2
    for asked, probe in zip(data.questions, probes, strict=True):
        assert asked.right is not None
        assert (asked.text, asked.options[asked.right], asked.options) == (probe.line, probe.options[0], probe.shown)
        assert asked.evidence == tuple(f"T{turn}" for turn in dialogue.gold[probe.gold - 1].evidence.turns)
    (item,) = from_file(path)
    assert [(turn.speaker, turn.text) for turn in item.turns] == [(turn.speaker, turn.text) for turn in dialogue.turns]
    broken = tmp_path / "broken.txt"
    broken.write_text('{"dialogue": [{"speaker": "A"}]}')  # with a text it would be a conversation
    with pytest.raises(FileRefused):
        from_file(broken)


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


@pytest.mark.parametrize("gone", [("ann",), ("rena",), ("ann", "bo"), ("ann", "bo", "rena")])
def test_gold_leaves_and_comes_back_also_when_those_who_made_it_are_gone(
    bench: Workbench, elsewhere: Workbench, store: Store, done: Project, gone: tuple[str, ...]
) -> None:
    before = {form: export(bench.exchange, ADMIN, done.id, form).content for form in ("gold", "locomo")}
    for user in gone:
        store.erasures.account(user)
    assert {form: export(bench.exchange, ADMIN, done.id, form).content for form in before} == before
    taken = load(elsewhere.exchange, ADMIN, export(bench.exchange, ADMIN, done.id, "project").content)
    assert {form: export(elsewhere.exchange, ADMIN, taken.id, form).content for form in before} == before


def test_long_quotes_and_points_of_many_messages_come_back(bench: Workbench, elsewhere: Workbench, store: Store) -> None:
    made = bench.make_project(ADMIN, {"name": "Long", "overlap": 2, "lease_hours": 24, "categories": ["A"], "guideline": ""})
    said = tuple(ImportedMessage(f"T{n}", "AB"[n % 2], "语" * 20_000 if n < 9 else "Yes.", START, 1, n) for n in range(1, 501))
    bench.projects.add_items(ADMIN, made.id, [item_of(ImportedConversation("long", "long", ("A", "B"), said, ()))])
    quotes = [{"turn": n, "start": 0, "end": 20_000, "text": "语" * 20_000} for n in range(1, 9)]
    for member, turns in ((ANN, range(1, 201)), (BO, range(201, 401))):
        mine = bench.projects.take(member, made.id, "annotator")
        bench.keep_point(member, mine.id, wording("Long.", list(turns), category="A", id=stable_id(mine.id), quotes=quotes))
        bench.work.submit(member, mine.id)
    review = bench.projects.take(RENA, made.id, "reviewer")
    one, *rest = bench.review_sheet(RENA, review.id).parts
    bench.decide(RENA, review.id, one.id, decision("a" if one.a is not None else "b"), before=None)
    for other in rest:
        bench.decide(RENA, review.id, other.id, decision("merged", into=one.id), before=None)
    (gold,) = bench.finish(RENA, review.id)
    assert len(gold.evidence.turns) >= 400
    whole = export(bench.exchange, ADMIN, made.id, "project").content
    taken = load(elsewhere.exchange, ADMIN, whole)
    assert elsewhere.work.gold(ADMIN, review.item_id) == [gold]
    assert taken.name == "Long"


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


@pytest.mark.parametrize("text", ["=1+1", "@SUM(1)", "-2", "＝1+1"])
def test_a_table_computes_nothing(bench: Workbench, text: str) -> None:
    made = project(bench, overlap=1)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording(text, [3]))
    bench.work.submit(ANN, mine.id)
    (row,) = csv.DictReader(io.StringIO(export(bench.exchange, ADMIN, made.id, "gold").content.decode("utf-8-sig")))
    assert (row["text"], row["messages"], row["source"]) == (f"'{text}", "3", "single")


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
