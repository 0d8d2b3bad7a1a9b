"""The dialog about the sample stories, short of a browser: what it is given, and what becomes of the page."""

from __future__ import annotations

from typing import Any

import gradio as gr

from chat.samples import REMOVED
from personas.stories import STORIES
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.following import Followers
from ui.painter import Painter
from ui.samples import SampleStories

__all__ = ["talk"]


def said(paint: Painter, **given: object) -> dict[Any, Any]:
    return SampleStories(paint, Followers()).sample(gr.EventData(None, {"token": "t", **given}), asked_by())


def test_every_story_is_listed_and_what_the_page_shows_is_not_sent_again(talk: Talk) -> None:
    paint = painter(talk)
    look = SampleStories(paint, Followers()).look
    value = look(gr.EventData(None, {}), asked_by())[paint.surfaces.samples]
    assert [(one["key"], one["chat_id"], one["building"]) for one in value["stories"]] == [(story.key, "", False) for story in STORIES]
    shelf = look(gr.EventData(None, {}), asked_by())[paint.surfaces.shelf]
    again = look(gr.EventData(None, {"marks": {"samples": value["mark"], "shelf": shelf["mark"]}}), asked_by())
    assert not isinstance(again, dict) or paint.surfaces.samples not in again


def test_what_is_added_is_opened_and_what_is_removed_while_it_is_open_leaves_the_page(talk: Talk) -> None:
    paint = painter(talk)
    s = paint.surfaces
    added = said(paint, operation="add", name="letter", chat=talk.chat_id)
    chat_id = added[s.place]["id"]
    assert (added[s.actions]["done"], added[s.prefs], added[s.transcript]["chat"]) == (True, {"chat": chat_id}, chat_id)
    assert [chat["id"] for chat in added[s.shelf]["chats"] if chat["sample"]] == [chat_id]
    removed = said(paint, operation="remove", of=chat_id, chat=talk.chat_id)
    assert (removed[s.actions]["what"], s.place in removed) == (REMOVED, False), "the tab is at another conversation"
    chat_id = said(paint, operation="add", name="letter")[s.place]["id"]
    assert said(paint, operation="remove", of=chat_id, chat=chat_id)[s.place]["id"] == ""
    assert [chat.id for chat in talk.house.service.chats(LOCAL_USER)] == [talk.chat_id]


def test_what_is_asked_wrong_is_told_and_does_nothing(talk: Talk) -> None:
    paint = painter(talk)
    s = paint.surfaces
    for given, code in (
        ({"operation": "add", "name": "x"}, "no_such_sample"),
        ({"operation": "remove", "of": talk.chat_id}, "chat_not_found"),
    ):
        answer = said(paint, **given)
        assert (answer[s.actions]["done"], answer[s.banner]["code"]) == (False, code)
    assert said(paint, operation="strange", of=talk.chat_id)[s.actions]["done"]
    assert [chat.id for chat in talk.house.service.chats(LOCAL_USER)] == [talk.chat_id]
