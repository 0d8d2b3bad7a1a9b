"""Collection over raw HTTP: a task with an assigned character, from the briefing to what is handed in and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.ui.served import Person, Served, another, first_admin, served
from tests.waiting import until

ACT = "/keepsake/annotation/do"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("collecting")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def pia(house: Served, ada: Person) -> Person:
    return another(house, ada, name="Pia")


def ask(who: Person, doing: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = who.client.post(ACT, json={"do": doing, **fields}).raise_for_status().json()
    return answer


def project(ada: Person, name: str, *, characters: str = "builtin:nell-garrow", rounds: int = 2) -> str:
    fields = {
        "name": name, "overlap": 2, "lease_hours": 24, "categories": ["Profile"], "guideline": "", "briefing": "Read by two.", "target_rounds": rounds,
    }  # fmt: skip
    made = str(ask(ada, "make_project", project=fields)["project"]["id"])
    asked = ask(ada, "ask_characters", project=made, characters=characters)
    assert [one["id"] for one in asked["characters"] if one["asked"]] == characters.split(",")
    return made


def talk(house: Served, who: Person, chat: str, text: str) -> None:
    house.house.service.send(who.user_id, chat, text, token=text)
    until(lambda: (job := house.house.service.job(who.user_id, chat)) is not None and job.final)


def items(ada: Person, made: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(ada, "project", project=made)["items"]
    return found


def test_a_task_goes_from_the_briefing_to_what_is_handed_in_and_taken_back(house: Served, ada: Person, pia: Person) -> None:
    made = project(ada, "The lamp study")
    task = next(one for one in ask(pia, "tasks")["tasks"] if one["id"] == made)
    assert (task["briefing"], task["rounds"], task["characters"]) == (
        "Read by two.",
        2,
        [{"id": "builtin:nell-garrow", "name": "Nell Garrow"}],
    )
    assert made not in {one["id"] for one in ask(pia, "giving")["invitations"]}, "it asks for no other conversation"
    assert ask(pia, "begin", project=made, character="builtin:nell-garrow")["error"]["code"] == "field_missing", "not without consent"
    assert ask(pia, "begin", project=made, character="builtin:rafferty-moth", consent="yes")["error"]["code"] == "not_there", "not assigned"
    chat = ask(pia, "begin", project=made, character="builtin:nell-garrow", consent="yes")["chat"]
    taking = ask(pia, "taking", chat=chat)["taking"]
    assert (taking["rounds"], taking["target"], taking["handed"]) == (0, 2, False)
    talk(house, pia, chat, "My name is Pia Sandoval.")
    assert ask(pia, "taking", chat=chat)["taking"]["rounds"] == 1
    assert items(ada, made) == [], "nobody but her sees it before"
    assert ask(ada, "cast", project=made)["begun"] == 1

    refused = ask(pia, "hand_in", taking=taking["id"], consent="yes", words="Sandoval")
    assert refused["error"] == {**refused["error"], "code": "field_missing", "params": {"field": "reason"}}
    shown = ask(pia, "hand_preview", taking=taking["id"], words="Sandoval")
    assert "Sandoval" not in str(shown["turns"])
    handed = {"taking": taking["id"], "consent": "yes", "words": "Sandoval", "reason": "I move house tomorrow."}
    assert ask(pia, "hand_in", **handed)["error"]["code"] == "shown_otherwise", "consent is to what was shown"
    given = ask(pia, "hand_in", **handed, seal=shown["seal"])
    assert [one["id"] for one in items(ada, made)] == [given["item"]]
    assert ask(ada, "cast", project=made)["reasons"] == ["I move house tomorrow."]
    assert "Sandoval" not in ada.client.get(f"/keepsake/annotation/files/{made}/project").text
    assert "My name is Pia" in ada.client.get(f"/keepsake/annotation/files/{made}/project").text
    assert (
        ask(pia, "hand_in", taking=taking["id"], consent="yes", words="Sandoval", reason="x", seal=shown["seal"])["error"]["code"]
        == "already_submitted"
    )

    assert ask(pia, "leave", taking=taking["id"]) == {}
    assert items(ada, made) == []
    assert "My name is Pia" not in ada.client.get(f"/keepsake/annotation/files/{made}/project").text
    assert ask(pia, "taking", chat=chat)["taking"] is None
    assert house.house.service.transcript(pia.user_id, chat).messages, "the conversation stays hers"


def test_as_long_as_was_asked_for_needs_no_reason(house: Served, ada: Person, pia: Person) -> None:
    made = project(ada, "A short one", rounds=1)
    chat = ask(pia, "begin", project=made, character="builtin:nell-garrow", consent="yes")["chat"]
    talk(house, pia, chat, "Good evening.")
    taking = ask(pia, "taking", chat=chat)["taking"]
    seal = ask(pia, "hand_preview", taking=taking["id"])["seal"]
    assert "item" in ask(pia, "hand_in", taking=taking["id"], consent="yes", seal=seal)
    withdrawn = ask(pia, "giving")["given"][0]["item_id"]
    ask(pia, "withdraw", item=withdrawn)
    assert ask(pia, "taking", chat=chat)["taking"]["handed"] is False, "what is taken back can be handed in again"
    house.house.service.conversations.delete(pia.user_id, chat)
    assert chat not in str(ask(pia, "tasks")["takings"])


def test_an_admins_own_character_is_lent_with_its_card(house: Served, ada: Person, pia: Person) -> None:
    asked = {
        "operation": "create",
        "token": "t",
        "name": "Vesper",
        "language": "en",
        "description": "Keeps a boathouse.",
        "first_mes": "You came.",
    }
    ada.event(ada.number("Characters.keep"), asked)
    (own,) = [one.id for one in house.house.service.own_characters.all(ada.user_id)]
    made = project(ada, "With Vesper", characters=own)
    chats = [ask(pia, "begin", project=made, character=own, consent="yes")["chat"] for _ in range(2)]
    mine = house.house.service.own_characters.all(pia.user_id)
    assert [one.name for one in mine] == ["Vesper"], "one copy for both conversations"
    assert house.house.service.transcript(pia.user_id, chats[0]).messages[0].text == "You came."
    house.house.service.own_characters.remove(ada.user_id, own)
    ben = another(house, ada, name="Ben")
    assert "error" in ask(ben, "begin", project=made, character=own, consent="yes")


def test_a_task_is_nobody_elses(house: Served, ada: Person, pia: Person) -> None:
    made = project(ada, "Hers alone")
    chat = ask(pia, "begin", project=made, character="builtin:nell-garrow", consent="yes")["chat"]
    taking = ask(pia, "taking", chat=chat)["taking"]["id"]
    eve = another(house, ada, name="Eve")
    for who in (eve, ada):
        assert ask(who, "taking", chat=chat)["taking"] is None
        for doing in ("hand_preview", "hand_in", "leave"):
            assert ask(who, doing, taking=taking, consent="yes", reason="x")["error"]["code"] == "not_there"
    assert ask(eve, "ask_characters", project=made, characters="")["error"]["code"] == "not_allowed"
    assert ask(eve, "cast", project=made)["error"]["code"] == "not_allowed"
    assert ask(pia, "taking", chat=chat)["taking"]["id"] == taking
