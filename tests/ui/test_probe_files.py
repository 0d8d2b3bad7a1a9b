"""Settings of probe runs and the table of probes as a file, over raw HTTP: who may, what is answered, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from annotation.table_file import MOST_BYTES
from tests.annotation.invented import file
from tests.ui.served import Person, Served, another, first_admin, served
from tests.ui.test_annotation import ask

HEAD = "language,topic,p,q,a\r\n"
KITE = 'en,kite,I mended the kite.,"What did I\nmend, again?",\'=The kite\r\n'


@dataclass(frozen=True)
class Place:
    ada: Person
    rena: Person
    ann: Person
    pia: Person
    project: str
    item: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("served")) as house:
        yield _place(house)


def _place(house: Served) -> Place:
    ada = first_admin(house)
    rena, ann, pia = (
        another(house, ada, name=name, role=role) for name, role in (("Rena", "reviewer"), ("Ann", "annotator"), ("Pia", "player"))
    )
    fields = {"name": "The pier", "overlap": 2, "lease_hours": 24, "categories": ["Profile"], "guideline": "Mark what lasts."}
    project = ask(ada, "make_project", project=fields)["project"]["id"]
    ada.client.post("/keepsake/annotation/dialogues", params={"project": project, "name": "The pier.jsonl"}, content=file(60))
    return Place(ada, rena, ann, pia, project, ask(ada, "project", project=project)["items"][0]["id"])


def give(who: Person, project: str, body: str | bytes) -> dict[str, Any]:
    answer: dict[str, Any] = (
        who.client.post("/keepsake/annotation/table", params={"project": project}, content=body).raise_for_status().json()
    )
    return answer


def take(who: Person, project: str) -> tuple[int, str]:
    answer = who.client.get(f"/keepsake/annotation/files/{project}/table")
    return answer.status_code, answer.content.decode("utf-8-sig")


def test_a_table_is_given_and_taken_by_whoever_reviews_and_by_nobody_else(place: Place) -> None:
    assert give(place.rena, place.project, HEAD + KITE) == {"added": 1, "changed": 0, "known": 0}
    assert give(place.ada, place.project, HEAD + KITE) == {"added": 0, "changed": 0, "known": 1}
    (there,) = ask(place.rena, "probes", project=place.project)["table"]
    assert (there["q"], there["a"], there["wrote"]) == ("What did I\nmend, again?", "=The kite", True)
    for who in (place.ada, place.rena):
        status, text = take(who, place.project)
        assert status == 200
        assert "'=The kite" in text
        assert give(who, place.project, text) == {"added": 0, "changed": 0, "known": 1}
    for who in (place.ann, place.pia):
        assert give(who, place.project, HEAD + KITE.replace("kite", "boat"))["error"]["code"] in ("not_allowed", "not_there")
        status, text = take(who, place.project)
        assert (status, "kite" in text) == (404, False)
    assert (
        place.ada.client.post("/keepsake/annotation/table", params={"project": "0" * 32}, content=HEAD).json()["error"]["code"]
        == "not_there"
    )
    bare = place.ada.served.client()
    assert bare.post("/keepsake/annotation/table", params={"project": place.project}, content=HEAD).status_code == 401
    assert len(ask(place.ada, "probes", project=place.project)["table"]) == 1


def test_a_row_that_was_changed_changes_its_item_unless_that_was_changed_meanwhile(place: Place) -> None:
    give(place.ada, place.project, HEAD + KITE)
    _, text = take(place.ada, place.project)
    assert give(place.ada, place.project, text.replace("I mended the kite.", "I flew the kite.")) == {"added": 0, "changed": 1, "known": 0}
    refused = give(place.rena, place.project, text.replace("I mended the kite.", "I lost the kite."))["error"]
    assert (refused["code"], refused["params"]) == ("table_stale", {"row": 2})
    (there,) = ask(place.rena, "probes", project=place.project)["table"]
    assert (there["p"], there["version"]) == ("I flew the kite.", 2)


def test_what_is_wrong_is_named_and_nothing_is_taken_in(place: Place) -> None:
    before = ask(place.ada, "probes", project=place.project)["table"]
    for body, code, params in (
        (HEAD + KITE + "en,boat,,asked,answer\r\n", "table_cell_missing", {"row": 3, "column": "p"}),
        ("language,topic,p,q\r\n", "table_columns", {"columns": "a"}),
        (b"\xff\x00\x80", "table_unreadable", {"row": 0}),
        ("x" * (MOST_BYTES + 1), "table_large", {"limit": 1}),
        (HEAD + "".join(f"en,t{n},p{n},q{n},a{n}\r\n" for n in range(101)), "table_full", {"limit": 100}),
    ):
        refused = give(place.ada, place.project, body)["error"]
        assert (refused["code"], refused["params"]) == (code, params)
    assert ask(place.ada, "probes", project=place.project)["table"] == before


def test_settings_are_offered_to_whoever_begins_runs_and_refused_by_name(place: Place) -> None:
    offered = ask(place.ada, "probes", project=place.project)["offered"]
    assert offered["ordinary"]["capacity"] == 300
    assert "fifo" in offered["choices"]["forgetting"]
    assert ask(place.rena, "probes", project=place.project)["offered"] is None

    def begin(who: Person, *settings: object) -> dict[str, Any]:
        return ask(who, "run_begin", project=place.project, item=place.item, run={"settings": list(settings), "distances": [4]})

    for settings, code, params in (
        (({}, {"alpha": 99}), "setting_range", {"n": 2, "field": "alpha", "least": "0", "most": "10"}),
        (({"forgetting": "fifo", "beta": 0.1},), "setting_idle", {"n": 1, "field": "beta"}),
        (({"forgetting": "../keepsake"},), "setting_refused", {"n": 1, "field": "forgetting"}),
        (({}, {}), "settings_alike", {"n": 2, "other": 1}),
        (({"name": "a"}, {"name": "a", "k": 3}), "settings_named_alike", {"n": 2, "other": 1, "name": "a"}),
        (({"reading": "llm"},), "setting_no_reader", {"n": 1}),
        (({"insights": "off"},), "setting_no_insights", {"n": 1}),
        (({"story": "short"},), "setting_no_replies", {"n": 1}),
        (({"recipe": "without-cross"},), "setting_no_cross_encoder", {"n": 1}),
        (({"name": "x" * 61},), "field_too_long", {"field": "name", "limit": 60}),
    ):
        refused = begin(place.ada, *settings)["error"]
        assert (refused["code"], refused["params"]) == (code, params)
    for who in (place.rena, place.ann, place.pia):
        assert begin(who, {})["error"]["code"] in ("not_allowed", "not_there")
    assert ask(place.ada, "probes", project=place.project)["runs"] == []


@pytest.mark.long
def test_a_run_is_told_by_what_differs_on_the_page_and_in_its_table(place: Place) -> None:
    give(place.rena, place.project, HEAD + KITE)
    settings = [{"name": "<b>old first</b>", "capacity": 8, "forgetting": "fifo"}, {"capacity": 8, "recipe": "dense"}]
    begun = ask(place.ada, "run_begin", project=place.project, item=place.item, run={"settings": settings, "distances": [4]})
    assert begun["run"]
    (run,) = ask(place.rena, "probe_runs", project=place.project)["runs"]
    assert run["settings"] == [
        {"name": "<b>old first</b>", "differs": {"capacity": 8, "forgetting": "fifo"}},
        {"name": "", "differs": {"capacity": 8, "recipe": "dense"}},
    ]
    ask(place.ada, "run_stop", id=run["id"])
