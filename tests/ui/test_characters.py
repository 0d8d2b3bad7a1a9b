"""The dialog of an own character, short of a browser: what it is given and what it may ask for."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr
import pytest

from personas.written import Written
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.characters import Characters
from ui.painter import Painter

__all__ = ["talk"]

HOSTILE = "<img src=x onerror=alert(1)> {{x}} ${1}"


def ask(paint: Painter, what: str, **said: object) -> dict[str, Any]:
    """The values that come back, by component; as a browser gets them."""
    updates = getattr(Characters(paint), what)(gr.EventData(None, said), asked_by())
    told: dict[str, Any] = json.loads(json.dumps({component.elem_id: value for component, value in updates.items()}))
    return told


def test_a_character_is_kept_listed_and_read_into_the_form(talk: Talk) -> None:
    paint = painter(talk)
    told = ask(paint, "keep", token="t", operation="create", name=HOSTILE, language="en", description=HOSTILE, tags="sea, sky，河、sea")
    assert (told["k-characters"]["token"], told["k-characters"]["shows"]) == ("t", "done")
    (tile,) = told["k-chats"]["own"]
    assert (tile["name"], tile["tags"]) == (HOSTILE, ["sea", "sky", "河"])
    form = ask(paint, "form", token="u", character=tile["id"])["k-characters"]
    assert form["texts"] | {"name": HOSTILE, "description": HOSTILE, "tags": "sea, sky, 河", "scenario": ""} == form["texts"]
    assert (form["stances"], form["token"]) == (0, "u")


def test_judgments_are_typed_into_the_form_and_left_by_a_page_that_knows_none(talk: Talk) -> None:
    paint = painter(talk)
    typed = f"{HOSTILE} leaves first.\n- {HOSTILE} moves house\n- cancels dinner / calls off an evening"
    (tile,) = ask(paint, "keep", operation="create", name="Ivo", language="en", stances=typed)["k-chats"]["own"]
    form = ask(paint, "form", character=tile["id"])["k-characters"]
    assert (form["texts"]["stances"], form["stances"]) == (typed, 1)
    ask(paint, "keep", operation="change", character=tile["id"], stamp=form["stamp"], name="Ivo", language="en", tagline="Older page.")
    form = ask(paint, "form", character=tile["id"])["k-characters"]
    assert (form["texts"]["tagline"], form["stances"]) == ("Older page.", 1)
    told = ask(paint, "keep", operation="change", character=tile["id"], stamp=form["stamp"], name="Ivo", language="en", stances="- alone")
    assert told["k-characters"]["error"]["code"] == "stance_headless"
    assert told["k-characters"]["error"]["params"] == {"field": "stances", "line": 1}
    ask(paint, "keep", operation="change", character=tile["id"], stamp=form["stamp"], name="Ivo", language="en", stances="")
    assert ask(paint, "form", character=tile["id"])["k-characters"]["stances"] == 0


def test_what_is_refused_is_said_with_its_field_and_nothing_is_kept(talk: Talk) -> None:
    paint = painter(talk)
    told = ask(paint, "keep", token="t", operation="create", name="Ivo", language="en", scenario="x" * 200_001)
    assert told["k-characters"]["shows"] == "refused"
    assert told["k-characters"]["error"]["code"] == "character_text_too_long"
    assert told["k-characters"]["error"]["params"] == {"field": "scenario", "length": 200_001, "limit": 200_000}
    assert talk.house.service.own_characters.all(LOCAL_USER) == ()


def test_no_operation_reaches_what_is_not_in_the_list(talk: Talk) -> None:
    paint = painter(talk)
    for character in ("", "no-such", "builtin:nell-garrow", None, 7, ["a"], "\ud800" * 500):
        for operation in ("change", "duplicate", "remove", "restore", "erase"):
            told = ask(paint, "keep", operation=operation, character=character, name="Nell", language="en", stamp="x")
            assert told["k-characters"]["error"]["code"] == "character_not_found"
        assert ask(paint, "form", character=character)["k-characters"]["error"]["code"] == "character_not_found"


def test_whoever_is_kept_on_top_is_kept_on_the_server(talk: Talk) -> None:
    paint = painter(talk)
    (mine,) = ask(paint, "keep", operation="create", name="Ivo", language="en")["k-chats"]["own"]
    for character in (mine["id"], "builtin:nell-garrow"):
        told = ask(paint, "keep", token="t", operation="favour", character=character)
        assert character in told["k-chats"]["favourites"]
    assert ask(paint, "keep", operation="favour", character="builtin:nobody")["k-characters"]["error"]["code"] == "character_not_found"
    told = ask(paint, "keep", operation="unfavour", character="builtin:nell-garrow")
    assert told["k-chats"]["favourites"] == [mine["id"]]
    ask(paint, "keep", operation="remove", character=mine["id"])
    assert ask(paint, "keep", operation="restore", character=mine["id"])["k-chats"]["favourites"] == [mine["id"]]
    ask(paint, "keep", operation="remove", character=mine["id"])
    assert ask(paint, "keep", operation="erase", character=mine["id"])["k-chats"]["favourites"] == []


def test_the_list_says_who_is_in_each_conversation(talk: Talk) -> None:
    service = talk.house.service
    alone = service.create(LOCAL_USER, "builtin:nell-garrow")
    several = service.groups.create(LOCAL_USER, ["builtin:rafferty-moth", "builtin:nell-garrow"])
    told = ask(painter(talk), "keep", operation="create", name="Ivo", language="en")["k-chats"]
    cast = {chat["id"]: chat["with"] for chat in told["chats"]}
    assert cast[alone] == ["builtin:nell-garrow"]
    assert cast[several] == ["builtin:rafferty-moth", "builtin:nell-garrow"]


def test_tokens_are_counted_by_field(talk: Talk) -> None:
    told = ask(painter(talk), "weigh", token="t", description="one two three", first_mes="四五", scenario={"no": "text"}, other="x")
    assert told["k-characters"]["tokens"] == {"description": 3, "first_mes": 2}
    assert told["k-characters"]["room"] > 0


@pytest.mark.parametrize(
    ("language", "text", "unnamed", "named"),
    [
        ("en", "Come in, {{user}}. {{char}} waits.", "Come in, friend. Ivo waits.", "Come in, Mara. Ivo waits."),
        ("en", "{{user}}'s coat is wet.", "Your coat is wet.", "Mara's coat is wet."),
        ("zh", "你好，{{user}}。", "你好，朋友。", "你好，Mara。"),
    ],
)
def test_a_greeting_is_shown_as_a_conversation_begins_with_it(talk: Talk, language: str, text: str, unnamed: str, named: str) -> None:
    service, paint = talk.house.service, painter(talk)
    ivo = service.own_characters.create(LOCAL_USER, Written(name="Ivo", language=language, first_mes=text))

    def shown(**said: str) -> str:
        told = ask(paint, "weigh", token="t", first_mes=text, called="Ivo", spoken=language, **said)["k-characters"]
        return str(told["greeting"])

    def begun() -> str:
        return service.transcript(LOCAL_USER, service.create(LOCAL_USER, ivo)).messages[0].text

    assert shown() == shown(character=ivo) == begun() == unnamed
    service.own_players.create(LOCAL_USER, name="Mara", description="", picture=None)
    una = service.own_players.create(LOCAL_USER, name="Una", description="", picture=None)
    service.own_players.tie(LOCAL_USER, una, ivo)
    assert shown() == named, "the first persona is the default one"
    assert shown(character=ivo) == begun() == named.replace("Mara", "Una")
