"""The page of evaluation runs over raw HTTP: an admin's alone, no name leads out of its folder, every sentence in both languages."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.run_folders import GOLD, Asked, RunError, Source, State
from tests.annotation.invented import file, wording
from tests.evaluation.test_retrieval import QUESTIONS, TALK
from tests.ui.served import Person, Served, another, first_admin, served
from tests.waiting import PATIENCE_S
from ui.runs.operations import OPERATIONS
from ui.runs.reasons import chinese
from ui.runs.rendering import OWN, SCRIPTS
from ui.runs.words import WORDS

PAGE = "/keepsake/runs"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
MARKUP = "<img src=x onerror=alert(1)>"
NOBODY = "0" * 32


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def run(house: Served, ada: Person) -> str:
    """A small run that is done."""
    samples = [{"sample_id": MARKUP, "conversation": TALK, "qa": QUESTIONS}]
    added = ada.client.post(f"{PAGE}/data", params={"name": "../../we <b>.json"}, content=json.dumps(samples)).json()
    assert added["name"] == "we--b.json"
    wanted = {
        "task": "retrieval",
        "data": {"kind": "file", "name": added["name"], "title": MARKUP},
        "systems": ["sparse-turns", "dense-turns"],
        "name": MARKUP,
    }
    run_id: str = do(ada, "begin", run=wanted)["run"]
    house.measuring.wait(PATIENCE_S)
    assert do(ada, "watch", run=run_id)["run"]["state"] == "done", do(ada, "watch", run=run_id)
    return run_id


def do(who: Person, doing: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = who.client.post(f"{PAGE}/do", json={"do": doing, **fields}).raise_for_status().json()
    return answer


def test_nobody_but_an_admin_sees_or_does_anything(house: Served, ada: Person, run: str) -> None:
    before = do(ada, "runs")
    for name, role in (("Pia", "player"), ("Ann", "annotator"), ("Rena", "reviewer")):
        who = another(house, ada, name=name, role=role)
        assert who.client.get(PAGE).status_code == 403
        for doing in OPERATIONS:
            said = do(who, doing, run=run, first=run, second=run, name="we--b.json", dataset="we--b", item="x")
            assert said["error"]["code"] == "run_not_allowed", doing
        assert who.client.post(f"{PAGE}/data", params={"name": "x.json"}, content=b"[]").json()["error"]["code"] == "run_not_allowed"
        assert who.client.get(f"{PAGE}/files/{run}/report.md").status_code == 404
    assert do(ada, "runs") == before
    assert house.client().post(f"{PAGE}/do", json={"do": "runs"}).status_code == 401


def test_a_question_is_opened_down_to_its_receipt(ada: Person, run: str) -> None:
    opened = do(ada, "open", run=run)
    assert opened["run"]["head"][0]["value"] == 1.0
    assert {"report.md", "figures.csv", "tables.md"} <= set(opened["files"])
    listed = do(ada, "questions", run=run, find="BEES", order="worst")
    assert (listed["count"], listed["systems"], listed["metric"]) == (1, ["sparse-turns", "dense-turns"], "recall_fraction@10")
    (one,) = listed["some"]
    asked = do(ada, "question", run=run, dataset=one["dataset"], item=one["item"])
    assert asked["receipt"]["question"] == "Where does Clara keep bees?"
    assert asked["receipt"]["turns"]["D1:3"]["text"].startswith("My sister Clara")
    assert asked["receipt"]["systems"]["sparse-turns"][0]["right"] is True
    assert do(ada, "questions", run=run, find="no such words")["count"] == 0
    assert do(ada, "question", run=run, dataset="x", item="y")["error"]["code"] == "run_not_there"


@pytest.mark.long
def test_two_systems_of_one_run_are_compared(ada: Person, run: str) -> None:
    compared = do(ada, "compare", first=run, second=run, first_system="sparse-turns", second_system="dense-turns")
    assert {tuple(c["systems"]) for c in compared["compared"]} == {("sparse-turns", "dense-turns")}
    (plot,) = compared["plots"]
    drawn = ada.client.get(f"{PAGE}/files/{run}/{plot}", params={"with": run})
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in drawn.headers["content-security-policy"]
    assert do(ada, "compare", first=run, second=run, first_system="a", second_system="b")["error"]["code"] == "run_not_compared"


@pytest.mark.parametrize(
    "name", ["..", "../state.json", "..%2fasked.json", "asked.json", "log.txt", "%2e%2e%2f%2e%2e%2fkeepsake.db", "plots", "x"]
)
def test_no_name_of_a_file_leads_out_of_what_is_listed(ada: Person, run: str, name: str) -> None:
    for made in (run, NOBODY, "..", "%2e%2e"):
        for other in ("", NOBODY, "../..", "/etc"):
            answer = ada.client.get(f"{PAGE}/files/{made}/{name}", params={"with": other} if other else {})
            assert answer.status_code in (403, 404), (made, name, other)
    assert ada.client.get(f"{PAGE}/files/{run}/run.json").status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"task": "x"}, {"task": 7}, {"systems": ["x"]}, {"seed": -1}, {"seed": "x"}, {"quick": "maybe"}, {"more": 1},
        {"data": {"kind": "file", "name": "../keepsake.db"}},
        {"data": {"kind": "file", "name": "/etc/passwd"}}, {"data": {"kind": "own", "name": ""}}, {"data": {"kind": "gold", "name": "../x"}}, {"data": None},
        {"name": "x" * 200}, {"systems": ["sparse-turns"] * 99}, {"memory_mb": "x"},
    ],
)  # fmt: skip
def test_what_is_not_possible_is_refused_and_starts_nothing(ada: Person, run: str, changes: dict[str, object]) -> None:
    before = do(ada, "runs")["runs"]
    wanted = {"task": "retrieval", "data": {"kind": "file", "name": "we--b.json"}, "systems": ["sparse-turns"], **changes}
    assert "error" in do(ada, "begin", run=wanted)
    assert do(ada, "runs")["runs"] == before


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{", b'{"do": 7}', b'{"do": "question", "run": []}', b"[" * 100_000, b"x" * 2**18])
def test_whatever_is_sent_is_answered(ada: Person, body: bytes) -> None:
    answer = ada.client.post(f"{PAGE}/do", content=body)
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text


def test_data_is_a_json_file_and_no_name_replaces_another(ada: Person, run: str) -> None:
    assert ada.client.post(f"{PAGE}/data", params={"name": "x.exe"}, content=b"[]").json()["error"]["params"]["field"] == "file"
    assert ada.client.post(f"{PAGE}/data", params={"name": "x.json"}, content=b"").json()["error"]["code"] == "run_field"
    names = [ada.client.post(f"{PAGE}/data", params={"name": "twice.json"}, content=b"[]").json()["name"] for _ in range(2)]
    assert names == ["twice.json", "twice-2.json"]
    for name in names:
        assert name not in {one["name"] for one in do(ada, "remove_data", name=name)["data"]}
    assert do(ada, "remove_data", name="../keepsake.db")["error"]["code"] == "run_not_there"


def test_a_run_is_deleted_whole_unless_it_is_under_way(house: Served, ada: Person) -> None:
    folders = house.measuring.folders
    run_id = folders.make(Asked(task="retrieval", data=Source(kind="file", name="x.json")))
    folders.note(run_id, State(state="running"))
    assert do(ada, "remove", run=run_id)["error"]["code"] == "run_under_way"
    folders.note(run_id, State(state="stopped"))
    folder = folders.folder(run_id)
    assert run_id not in {one["id"] for one in do(ada, "remove", run=run_id)["runs"]}
    assert not folder.exists()


def test_a_run_gives_way_while_a_reply_is_made(house: Served) -> None:
    worker = house.house.memory.worker
    assert not house.measuring._replying()
    with worker.paused():
        assert house.measuring._replying()
    assert not house.measuring._replying()


def test_the_page_allows_no_other_scripts(ada: Person, run: str) -> None:
    answer = ada.client.get(PAGE)
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "onerror" not in answer.text
    assert 'data-place="/keepsake/runs"' in answer.text


@pytest.mark.parametrize("key", WORDS)
def test_a_sentence_says_the_same_in_both_languages(key: str) -> None:
    entry = WORDS[key]
    named = [set(re.findall(r"\{(\w+)\}", form)) for form in (*entry.en.split("|"), entry.zh)]
    assert all(one == named[0] for one in named)
    assert not CHINESE.search(entry.en) or key == "other_language"
    assert (
        key == "other_language"
        or CHINESE.search(entry.zh)
        or entry.en == entry.zh
        or not re.search("[A-Za-z]{4}", re.sub(r"\{\w+\}", "", entry.zh))
    )


def test_every_sentence_that_the_scripts_name_is_there_and_none_is_unused() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in OWN)
    html = "\n".join(path.read_text(encoding="utf-8") for path in (OWN[0].parent / "templates").glob("*.html"))
    named = set(re.findall(r'A\.t\("(\w+)"', code)) | set(re.findall(r"words\.(\w+)", html))
    assert named <= set(WORDS)
    families = set(re.findall(r"`(\w+_)\$\{", code)) | {"error_", "field_"}
    quoted = set(re.findall(r'"(\w+)"', code + SCRIPTS[0].read_text(encoding="utf-8"))) | named
    assert {key for key in WORDS if key not in quoted and not key.startswith(tuple(families))} == set()
    assert not CHINESE.search(code)


def test_data_that_is_refused_is_told_with_its_place_in_both_languages(house: Served, ada: Person) -> None:
    bad = [{"sample_id": "c1", "conversation": TALK, "qa": [{"question": "Why?", "category": 9}]}]
    ada.client.post(f"{PAGE}/data", params={"name": "bad.json"}, content=json.dumps(bad))
    run_id = do(ada, "begin", run={"task": "retrieval", "data": {"kind": "file", "name": "bad.json"}, "systems": ["sparse-turns"]})["run"]
    house.measuring.wait(PATIENCE_S)
    error = do(ada, "watch", run=run_id)["run"]["error"]
    assert error["code"] == "data_refused"
    assert (error["params"]["file"], error["params"]["where"]) == ("bad.json", "c1, question 1")
    assert (error["params"]["reason"], error["params"]["reason_zh"]) == ("its category is not one of 1 to 5", "类别不在 1 到 5 之间")
    assert chinese("something new") == "something new"


@pytest.mark.long
def test_a_projects_gold_is_measured_on_and_no_copy_of_it_is_kept(house: Served, ada: Person) -> None:
    def ask(doing: str, who: Person = ada, **fields: object) -> dict[str, Any]:
        said: dict[str, Any] = who.client.post("/keepsake/annotation/do", json={"do": doing, **fields}).raise_for_status().json()
        assert "error" not in said, said
        return said

    fields = {"name": "The pier", "overlap": 1, "lease_hours": 24, "categories": ["Profile"], "guideline": "Mark what lasts."}
    project = ask("make_project", project=fields)["project"]["id"]
    wanted = {"task": "extraction", "data": {"kind": "gold", "name": project, "title": "The pier"}, "systems": ["reader-half"]}
    assert do(ada, "begin", run=wanted)["error"]["code"] == "run_no_gold"
    zed = another(house, ada, name="Zed", role="annotator")
    ada.client.post("/keepsake/annotation/dialogues", params={"project": project, "name": "pier.jsonl"}, content=file(8)).raise_for_status()
    work = ask("take", zed, project=project, role="annotator")["assignment"]["id"]
    ask("keep_point", zed, assignment=work, point=wording("Maren grew up above the bakery.", [3], id="22" * 16))
    ask("submit", zed, assignment=work)
    run_id = do(ada, "begin", run=wanted)["run"]
    house.measuring.wait(PATIENCE_S)
    watched = do(ada, "watch", run=run_id)
    assert watched["run"]["state"] == "done", watched
    folder = house.measuring.folders.folder(run_id)
    assert not (folder / GOLD).exists()
    kept = b"".join(gzip.decompress(p.read_bytes()) if p.suffix == ".gz" else p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert b"bakery" not in kept, "what is erased from the project is erased"
    queue = house.measuring
    (folder / "receipts.jsonl.gz").write_bytes(gzip.compress(b"bakery"))
    (folder / "unfinished" / "x").mkdir(parents=True)
    queue.folders.note(run_id, queue.folders.state(run_id).model_copy(update={"state": "waiting"}))
    queue.stop(run_id)
    assert not (folder / "receipts.jsonl.gz").exists(), "nor are its words kept by a task that leaves receipts"
    assert not (folder / "unfinished").exists()
    assert do(ada, "begin", run={**wanted, "data": {"kind": "gold", "name": NOBODY}})["error"]["code"] == "not_there"


def test_every_refusal_and_every_task_has_a_sentence(ada: Person) -> None:
    waiting, codes = [RunError], set()
    while waiting:
        kind = waiting.pop()
        codes.add(kind.code)
        waiting += kind.__subclasses__()
    assert {f"error_{code}" for code in codes - {"run"}} <= set(WORDS)
    child = (Path(__file__).resolve().parents[2] / "evaluation" / "run_child.py").read_text(encoding="utf-8")
    assert {f"error_{code}" for code in re.findall(r'"code": "(\w+)"', child)} <= set(WORDS)
