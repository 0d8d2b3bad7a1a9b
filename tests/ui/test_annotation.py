"""The workbench over raw HTTP: nobody sees another's work before the review, whatever they send; every sentence in both languages."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from annotation import probe_lint
from annotation.agreement import NO_UNITS, ONE_LABEL
from annotation.exchange import FORMS
from annotation.fields import REASONS, VERDICTS, DecisionFields, GoldFields, PointFields, ProjectFields
from annotation.probe_asking import INVALID, REFUSED, REPLY_FAILED, UNJUDGED
from annotation.probe_settings import CHOICES, SHOWN, SettingFields
from annotation.probes import ProbeFields
from annotation.probing import ReviewFields, RunFields
from annotation.regular import REASONS as PROBE_REASONS
from annotation.regular import RegularFields, VerdictFields
from storage.annotation_errors import AnnotationError
from storage.annotation_records import State
from storage.annotation_regular_records import RegularState
from tests.annotation.invented import decision, file, wording
from tests.ui.served import Person, Served, another, first_admin, served
from ui.annotation.operations import OPERATIONS
from ui.annotation.rendering import SCRIPTS
from ui.annotation.words import WORDS
from ui.heavy import MOST_EXPORTS

ACT = "/keepsake/annotation/do"
SECRET = "Maren grew up above the heliotrope bakery."
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


def ask(who: Person, doing: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = who.client.post(ACT, json={"do": doing, **fields}).raise_for_status().json()
    return answer


def everything(who: Person, ids: dict[str, str]) -> str:
    """What each operation answers somebody who names every id there is, and every file."""
    carried = {
        "project": ids["project"], "item": ids["item"], "role": "annotator", "id": ids["point"], "part": ids["part"], "version": 1, "closed": "no",
        "text": "x", "draft": "{}", "place": 1, "point": wording("x", [3], id=ids["point"], version=1), "decision": decision("a"), "before": None,
        "probe": {"id": ids.get("regular", "22" * 16), "gold": 1, "language": "en", "line": "x", "options": ["a", "b", "c", "d"], "note": "", "version": 1},
        "verdict": {"verdict": "accepted"}, "review": {"verdict": "accepted"}, "shown": 0, "score": 3, "run": {"kind": "regular", "settings": [], "distances": []},
    }  # fmt: skip
    told = []
    for name in OPERATIONS:
        for work in (ids["ann"], ids["review"]):
            for role in ("annotator", "reviewer"):
                told.append(who.client.post(ACT, json={"do": name, **carried, "assignment": work, "role": role}).text)
    told += [who.client.get(f"/keepsake/annotation/files/{ids['project']}/{form}").text for form in (*FORMS, "table")]
    return "\n".join(told)


def test_a_dialogue_is_annotated_and_reviewed_and_nobody_sees_anothers_work_early(house: Served, ada: Person) -> None:
    ann, bo, cai = (another(house, ada, name=name, role="annotator") for name in ("Ann", "Bo", "Cai"))
    rena, rolf = (another(house, ada, name=name, role="reviewer") for name in ("Rena", "Rolf"))
    pia = another(house, ada, name="Pia")
    fields = {
        "name": "The pier",
        "overlap": 2,
        "lease_hours": 24,
        "categories": ["Profile", "Preference", "Event"],
        "guideline": "Mark what lasts.",
    }
    project = ask(ada, "make_project", project=fields)["project"]["id"]
    taken = ada.client.post("/keepsake/annotation/dialogues", params={"project": project, "name": "The pier.jsonl"}, content=file())
    assert taken.json() == {"added": 1, "known": 0}
    work = ask(ann, "take", project=project, role="annotator")["assignment"]
    other = ask(bo, "take", project=project, role="annotator")["assignment"]
    ask(ann, "keep_point", assignment=work["id"], point=wording(SECRET, [3], id="11" * 16))
    ask(ann, "draft", assignment=work["id"], draft=json.dumps({"text": SECRET}), place=3)
    ids = {"project": project, "item": work["item_id"], "ann": work["id"], "review": other["id"], "point": "11" * 16, "part": "x"}
    before = ask(ann, "sheet", assignment=work["id"])
    assert SECRET in str(before), "the walk can find what it looks for"
    for who in (cai, rena, rolf, pia):
        assert SECRET not in everything(who, ids), who.user_id
    assert SECRET not in bo.client.post(ACT, json={"do": "sheet", "assignment": work["id"]}).text
    for name in ("figures", "project", "items", "gold", "review", "points", "sheet"):
        assert SECRET not in str(ask(ada, name, project=project, item=work["item_id"], assignment=work["id"])), name
    assert SECRET not in "".join(ada.client.get(f"/keepsake/annotation/files/{project}/{form}").text for form in FORMS)
    after = ask(ann, "sheet", assignment=work["id"])
    assert (after["points"], after["assignment"]["draft"]) == (before["points"], before["assignment"]["draft"])

    ask(ann, "submit", assignment=work["id"])
    for who in (bo, cai, rena, rolf, ada):
        seen = [
            str(ask(who, name, item=work["item_id"], assignment=work["id"], project=project))
            for name in ("review", "gold", "sheet", "points")
        ]
        assert SECRET not in "".join(seen)
    ask(bo, "submit", assignment=other["id"])
    review = ask(rena, "take", project=project, role="reviewer")["assignment"]
    assert SECRET in str(ask(rena, "review", assignment=review["id"]))
    for who in (bo, cai, rolf, pia, ada):
        assert SECRET not in str(ask(who, "review", assignment=review["id"]))
        refused = ask(who, "decide", assignment=review["id"], part="x", decision=decision("rejected", note="x"), before=None)
        assert refused["error"]["code"] in ("not_there", "not_allowed")
    (part,) = ask(rena, "review", assignment=review["id"])["parts"]
    ask(rena, "decide", assignment=review["id"], part=part["id"], decision=decision("a"), before=None)
    assert ask(rena, "finish", assignment=review["id"]) == {"gold": 1}
    assert SECRET not in str(ask(bo, "gold", item=work["item_id"]))
    ask(ada, "release", item=work["item_id"])
    assert SECRET in str(ask(bo, "gold", item=work["item_id"]))
    assert SECRET not in str(ask(cai, "gold", item=work["item_id"]))
    assert SECRET in ada.client.get(f"/keepsake/annotation/files/{project}/project").text


def test_a_regular_probe_is_its_authors_then_a_reviewers_without_the_right_reply(house: Served, ada: Person) -> None:
    cora, dan = (another(house, ada, name=name, role="annotator") for name in ("Cora", "Dan"))
    rhea, ruth = (another(house, ada, name=name, role="reviewer") for name in ("Rhea", "Ruth"))
    pim = another(house, ada, name="Pim")
    fields = {"name": "The quay", "overlap": 2, "lease_hours": 24, "categories": ["Profile"], "guideline": "Mark what lasts."}
    project = ask(ada, "make_project", project=fields)["project"]["id"]
    ada.client.post("/keepsake/annotation/dialogues", params={"project": project, "name": "The quay.jsonl"}, content=file(60))
    works = {}
    for who, own in ((cora, "31" * 16), (dan, "32" * 16)):
        works[own] = ask(who, "take", project=project, role="annotator")["assignment"]
        ask(who, "keep_point", assignment=works[own]["id"], point=wording("Maren grew up above a bakery.", [3], id=own))
        ask(who, "submit", assignment=works[own]["id"])
    item = works["31" * 16]["item_id"]
    for who in (rhea, ada, pim):
        assert ask(who, "regular", item=item)["error"]["code"] in ("not_there", "not_allowed"), "there is no gold yet"
    review = ask(rhea, "take", project=project, role="reviewer")["assignment"]
    ask(rhea, "finish", assignment=review["id"])

    # Rhea writes one. Nobody sees it before it is handed in; then Ruth sees line and options.
    probe = {
        "id": "41" * 16,
        "gold": 1,
        "language": "en",
        "line": SECRET,
        "options": ["KEYWORD it is.", "Hope.", "Grace.", "Faith."],
        "note": "NOTED",
        "version": 0,
    }
    ids = {
        "project": project,
        "item": item,
        "ann": works["31" * 16]["id"],
        "review": review["id"],
        "point": "41" * 16,
        "part": "x",
        "regular": "41" * 16,
    }
    ask(rhea, "regular_keep", item=item, probe=probe)
    assert SECRET in str(ask(rhea, "regular", item=item))
    for who in (cora, dan, ruth, pim):
        assert SECRET not in everything(who, ids), who.user_id
    assert SECRET not in str(
        [ask(ada, name, project=project, item=item) for name in ("regular", "regular_own", "regular_review", "probes")]
    )
    ask(rhea, "regular_submit", item=item, id="41" * 16, version=1)
    for who in (cora, dan, pim):
        assert SECRET not in everything(who, ids), who.user_id
    blind = [
        ask(who, name, project=project, item=item) for who in (ruth, ada) for name in ("regular_review", "probes", "regular", "regular_own")
    ]
    files = [ada.client.get(f"/keepsake/annotation/files/{project}/{form}").text for form in FORMS]
    assert SECRET in str(blind[0])
    assert set(blind[0]) == {"id", "version", "language", "line", "shown", "chosen", "settles"}
    assert "NOTED" not in str(blind)
    assert SECRET not in "".join(files)
    assert ask(ruth, "regular_decide", id="41" * 16, version=1, verdict={"verdict": "accepted"})["error"]["code"] == "not_ready"
    assert ask(rhea, "regular_answer", id="41" * 16, version=1, shown=0)["error"]["code"] == "not_there"
    known = ask(ruth, "regular_answer", id="41" * 16, version=1, shown=0)
    assert known["options"][0] == "KEYWORD it is."
    assert "NOTED" not in str(ask(ada, "regular_review", item=item)), "what Ruth was shown Ada is not"
    told = {"verdict": "rejected", "reason": "wording", "note": "TELLTALE"}
    assert ask(ruth, "regular_decide", id="41" * 16, version=1, verdict=told) == {"state": "waiting"}
    ask(ada, "regular_answer", id="41" * 16, version=1, shown=0)
    for who in (rhea, ada, cora, dan, pim):  # neither its author nor the other reviewer, before both have decided
        seen = [str(ask(who, name, project=project, item=item)) for name in ("regular", "regular_own", "regular_review", "probes")]
        assert "TELLTALE" not in "".join(seen), who.user_id
        assert ask(who, "regular_take_back", id="41" * 16, version=1)["error"]["code"] in ("not_there", "not_allowed")
    assert "TELLTALE" not in "".join(ada.client.get(f"/keepsake/annotation/files/{project}/{form}").text for form in FORMS)
    assert ask(ruth, "regular_take_back", id="41" * 16, version=1)["chosen"]
    assert ask(ruth, "regular_decide", id="41" * 16, version=1, verdict=told) == {"state": "waiting"}
    assert ask(ada, "regular_decide", id="41" * 16, version=1, verdict={"verdict": "accepted"}) == {"state": "disputed"}
    assert ask(ruth, "regular_take_back", id="41" * 16, version=1)["error"]["code"] == "both_decided"
    assert "TELLTALE" not in str(ask(rhea, "regular", item=item)), "why they differ its author is told once it is settled"
    assert "TELLTALE" in str(ask(ada, "regular_review", item=item)), "an admin settles it"
    assert ask(ruth, "regular_review", item=item)["error"]["code"] == "nothing_left"
    assert ask(ada, "regular_decide", id="41" * 16, version=1, verdict={"verdict": "accepted"}) == {"state": "accepted"}
    for who in (cora, dan, pim):
        assert SECRET not in everything(who, ids), who.user_id


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"7", b"{", b'{"do": 7}', b'{"do": "keep_point", "point": [], "assignment": {}}', b"[" * 100_000, b"x" * 2**21]
)
def test_whatever_is_sent_is_answered(ada: Person, body: bytes) -> None:
    answer = ada.client.post(ACT, content=body)
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text


def test_hostile_text_is_kept_and_shown_as_text(house: Served, ada: Person) -> None:
    page = ada.client.get("/keepsake/annotation").text
    assert "<script>" not in page.replace("<script nonce", "").replace('<script type="application/json"', "")
    assert "unsafe" not in ada.client.get("/keepsake/annotation").headers["content-security-policy"]


@pytest.mark.parametrize("key", WORDS)
def test_a_sentence_says_the_same_in_both_languages(key: str) -> None:
    entry = WORDS[key]
    named = [set(re.findall(r"\{(\w+)\}", form)) for form in (*entry.en.split("|"), entry.zh)]
    assert all(one == named[0] for one in named)
    assert not CHINESE.search(entry.en) or key == "other_language"
    assert CHINESE.search(entry.zh) or entry.en == entry.zh or key == "other_language"


def test_every_sentence_that_the_scripts_name_is_there_and_none_is_unused() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    html = "\n".join(path.read_text(encoding="utf-8") for path in (SCRIPTS[0].parent / "templates").glob("*.html"))
    named = set(re.findall(r'A\.t\("(\w+)"', code)) | set(re.findall(r"words\.(\w+)", html))
    assert named <= set(WORDS)
    families = set(re.findall(r"`(\w+_)\$\{", code)) | {"error_"}
    quoted = set(re.findall(r'"(\w+)"', code)) | named
    assert {key for key in WORDS if key not in quoted and not key.startswith(tuple(families))} == set()
    assert {f"state_{one.value}" for one in State} <= set(WORDS)
    assert {f"reason_{one}" for one in REASONS} | {f"verdict_{one}" for one in VERDICTS} <= set(WORDS)
    assert {f"regular_is_{one.value}" for one in RegularState} | {f"regular_reason_{one}" for one in PROBE_REASONS} <= set(WORDS)
    assert {f"trouble_{one}" for one in (INVALID, REFUSED, REPLY_FAILED, UNJUDGED)} <= set(WORDS)
    lint_codes = set(re.findall(r'Remark\("(\w+)"', inspect.getsource(probe_lint)))
    assert len(lint_codes) > 10
    assert {f"remark_{one}" for one in lint_codes} <= set(WORDS)
    assert {f"setting_{part}" for part in SHOWN} | {
        f"{part}_{one}" for part in ("forgetting", "insights", "story") for one in CHOICES[part]
    } <= set(WORDS)
    assert {
        f"recipe_part_{one.removeprefix('without-')}" if one.startswith("without-") else f"recipe_{one}" for one in CHOICES["recipe"]
    } <= set(WORDS)
    assert {f"reading_{one or 'house'}" for one in CHOICES["reading"]} | {"file_table"} <= set(WORDS)
    assert {f"why_{one}" for one in (NO_UNITS, ONE_LABEL)} | {f"file_{form}" for form in FORMS} <= set(WORDS)


def test_every_refusal_has_a_sentence() -> None:
    importlib.import_module("annotation.errors")
    waiting, codes = [AnnotationError], set()
    while waiting:
        kind = waiting.pop()
        codes.add(kind.code)
        waiting += kind.__subclasses__()
    assert {f"error_{code}" for code in codes - {"annotation"}} <= set(WORDS)


@pytest.mark.parametrize(
    "model",
    [
        PointFields,
        GoldFields,
        DecisionFields,
        ProjectFields,
        RegularFields,
        VerdictFields,
        RunFields,
        SettingFields,
        ReviewFields,
        ProbeFields,
    ],
)
def test_every_field_that_a_person_fills_in_has_a_name_to_be_refused_by(model: type[BaseModel]) -> None:
    """The others the page fills in: what it sends of them is never refused."""
    chosen = {"id", "version", "gold", "kind", "point", "probe", "suggestion", "unclear", "flag"}
    assert {f"field_{name}" for name in set(model.model_fields) - chosen} <= set(WORDS)


def test_no_sentence_stands_in_a_script() -> None:
    for path in SCRIPTS:
        assert not CHINESE.search(re.sub(r"\\u4e00-\\u9fff", "", Path(path).read_text(encoding="utf-8"))), path.name


def test_files_of_one_person_that_are_still_written_keep_the_next_waiting(
    house: Served, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.heavy._exporting", Counter({ada.user_id: MOST_EXPORTS}))
    told = ada.client.get(f"/keepsake/annotation/files/{'0' * 32}/project")
    assert (told.status_code, len(told.text.splitlines())) == (503, 2)
    assert CHINESE.search(told.text)
