"""Marking while playing, over raw HTTP: whose marks are whose, what is asked for first, and sentences for all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.ui.served import Person, Served, another, first_admin, served
from ui.annotation.marking import MARKING as OPERATIONS
from ui.catalogue_marking import MARKING

ACT = "/keepsake/annotation/do"
SECRET = "The heliotrope grows behind the boathouse."


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("marking")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def ann(house: Served, ada: Person) -> Person:
    return another(house, ada, name="Ann", role="annotator")


def ask(who: Person, doing: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = who.client.post(ACT, json={"do": doing, **fields}).raise_for_status().json()
    return answer


def begun(house: Served, who: Person) -> tuple[str, str]:
    """A conversation of somebody's, and its first message."""
    chat = house.house.service.create(who.user_id, "builtin:nell-garrow")
    return chat, house.house.service.transcript(who.user_id, chat).messages[0].id


def test_a_mark_is_made_seen_and_taken_away_by_whoever_plays(house: Served, ada: Person, ann: Person) -> None:
    chat, message = begun(house, ann)
    assert ask(ann, "marks", chat=chat) == {"marks": [], "project": ""}
    assert ask(ann, "mark", chat=chat, message=message)["error"]["code"] == "field_missing", "nothing before she has agreed"
    made = ask(ann, "mark", chat=chat, message=message, consent="yes", language="zh")
    assert [(one["message"], one["kind"]) for one in made["marks"]] == [(message, "point")]
    home = ask(ann, "home")
    assert [one["name"] for one in home["projects"]] == ["玩的时候标的"]
    assert ask(ann, "sheet", assignment=made["work"])["points"][0]["text"] == made["text"]
    gone = ask(ann, "unmark", chat=chat, kind="point", id=made["made"], work=made["work"], version=made["version"])
    assert gone["marks"] == []
    assert ask(ann, "undo", assignment=made["work"], role="annotator")["points"][0]["text"] == made["text"]


def test_an_admin_reads_and_changes_none_of_it(house: Served, ada: Person, ann: Person) -> None:
    chat, message = begun(house, ann)
    probe = {"id": "ef" * 16, "language": "en", "topic": "garden", "p": SECRET, "q": "What grows there?", "a": "Heliotrope.", "version": 0}
    made = ask(ann, "mark_probe", chat=chat, message=message, probe=probe, consent="yes")
    point = ask(ann, "mark", chat=chat, message=message, consent="yes")
    project, work = made["project"], point["work"]
    assert SECRET in str(ask(ann, "probes", project=project)), "her own table is hers to change"
    item = ask(ann, "project", project=project)["items"][-1]["id"]
    from ui.annotation.operations import OPERATIONS as EVERY

    for name in EVERY:
        said = ask(
            ada, name, project=project, assignment=work, item=item, chat=chat, message=message, id=probe["id"], consent="yes", role="annotator",
            kind="probe", work=work, version=1, closed="yes", text="x", point={}, probe=probe, run={"settings": [], "distances": []},
        )  # fmt: skip
        assert SECRET not in str(said), name
        assert point["text"] not in str(said), name
    assert [one["kind"] for one in ask(ann, "marks", chat=chat)["marks"]] == ["point", "probe"]
    assert not ask(ann, "project", project=project)["project"]["closed"]
    for form in ("project", "gold", "locomo"):
        assert ada.client.get(f"/keepsake/annotation/files/{project}/{form}").status_code == 404
        assert ann.client.get(f"/keepsake/annotation/files/{project}/{form}").status_code == 200


def test_who_only_plays_marks_nothing(house: Served, ada: Person) -> None:
    pia = another(house, ada, name="Pia")
    chat, message = begun(house, pia)
    for name in OPERATIONS:
        assert ask(pia, name, chat=chat, message=message, consent="yes")["error"]["code"] == "not_allowed"


def test_every_refusal_of_a_mark_has_a_sentence() -> None:
    for code in ("not_there", "quote_moved", "already_submitted", "changed_meanwhile", "field_missing", "field_too_long", "not_allowed"):
        assert f"mark_refused_{code}" in MARKING
