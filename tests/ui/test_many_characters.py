"""The gallery's wishes for several characters, short of a browser."""

from __future__ import annotations

from typing import Any

import gradio as gr

from personas.written import Written
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by, awaited
from tests.ui.test_page import painter
from ui.many_characters import ManyAtOnce

__all__ = ["talk"]


def ask(talk: Talk, **said: object) -> dict[str, Any]:
    updates = awaited(ManyAtOnce(painter(talk)).many(gr.EventData(None, {"token": "t", **said}), asked_by()))
    return {component.elem_id: value for component, value in updates.items()}


def test_what_is_asked_for_all_is_answered_with_those_that_are_another_and_the_list(talk: Talk) -> None:
    own = talk.house.service.own_characters
    ids = [own.create(LOCAL_USER, Written(name=name, language="en")) for name in ("Ivo", "Una")]
    told = ask(talk, operation="tag", characters=",".join(ids), text="sea")
    assert (told["k-characters"]["shows"], told["k-characters"]["ids"], told["k-characters"]["token"]) == ("done", ids, "t")
    assert [one["tags"] for one in told["k-chats"]["own"]] == [["sea"], ["sea"]]
    file = ask(talk, operation="export", characters=",".join(ids))["k-portable"]
    assert (file["name"].endswith(".zip"), file["left_out"]) == (True, [])
    assert ask(talk, operation="remove", characters=",".join(ids))["k-chats"]["own"] == []
    assert len(ask(talk, operation="restore", characters=",".join(ids))["k-chats"]["own"]) == 2


def test_what_is_refused_or_unknown_changes_nothing(talk: Talk) -> None:
    own = talk.house.service.own_characters
    ivo = own.create(LOCAL_USER, Written(name="Ivo", language="en"))
    for operation in ("tag", "untag", "remove", "restore", "export"):
        told = ask(talk, operation=operation, characters=f"{ivo},no-such", text="sea")
        assert told["k-characters"]["error"]["code"] == "character_not_found"
    assert ask(talk, operation="erase", characters=ivo)["k-characters"]["ids"] == []
    assert [one.tags for one in own.all(LOCAL_USER)] == [()]
