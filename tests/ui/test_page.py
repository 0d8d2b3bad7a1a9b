"""The page over a real house, short of a browser."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import gradio as gr
from gradio.blocks import BlockFunction

from chat.views import Phase
from models.errors import ModelUnavailable
from models.scripted import Script
from settings import Settings
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings, talk
from tests.ui.asking_as import asked_by
from ui import values
from ui.page import _layout, build_page, launch_options
from ui.painter import SHEETS, Painter, Updates, Wanted
from ui.panels import Panels
from ui.rewriting import Rewrites

__all__ = ["talk"]


def painter(talk: Talk) -> Painter:
    with gr.Blocks():
        return Painter(talk.house.service, _layout())


def test_every_handler_is_private_unshown_and_unlimited(talk: Talk, tmp_path: Path) -> None:
    page = build_page(talk.house.service, house_settings(tmp_path))
    functions: list[BlockFunction] = list(page.fns.values())
    assert len(functions) > 15
    for function in functions:
        assert function.api_visibility == "private", function.name
        assert function.show_progress == "hidden", function.name
        assert function.show_progress_on == [], (
            f"{function.name}: Gradio would copy all its outputs hold whenever it begins, goes on or ends"
        )
        assert function.concurrency_limit is None, function.name


def test_the_page_is_served_closed(talk: Talk, tmp_path: Path) -> None:
    settings: Settings = house_settings(tmp_path / "data")
    options = launch_options(talk.house.service, settings)
    assert options["server_name"] == "127.0.0.1"
    assert options["blocked_paths"] == [str(settings.data_dir)]
    assert options["allowed_paths"] == []
    assert options["strict_cors"] is True
    for off in ("share", "run_history", "enable_monitoring", "mcp_server", "pwa", "ssr_mode", "show_error"):
        assert options[off] is False


def test_a_reply_is_in_the_transcript_or_on_its_way_never_both_or_neither(talk: Talk) -> None:
    paint = painter(talk)
    talk.model.enqueue(Script(("One ", "two ", "three."), between_s=0.05))
    talk.send("Count.")
    seen: set[str] = set()
    while True:
        updates = paint.transcript(LOCAL_USER, talk.chat_id)
        shown = updates[paint.surfaces.transcript]
        replies = [m for m in shown["messages"] if m["role"] == "character" and m["round"] == 1]
        on_its_way = paint.surfaces.live in updates
        assert len(replies) + on_its_way == 1
        assert bool(shown["settled"]) == bool(replies)
        seen.add("live" if on_its_way else "kept")
        if replies:
            break
    assert seen == {"live", "kept"}
    assert replies[0]["text"] == "One two three."
    assert shown["version"] <= talk.house.service.version(LOCAL_USER, talk.chat_id)


def test_everything_about_a_chat_is_plain_json(talk: Talk) -> None:
    hostile = "<script>${1+1}</script> {{x}} \u2028"
    talk.say(hostile, hostile)
    talk.remembered()
    paint = painter(talk)
    updates = paint.chat(LOCAL_USER, talk.chat_id, wanted=Wanted())
    for tab in SHEETS:
        for shelf in ("fact", "episode"):
            updates |= paint.sheet(LOCAL_USER, talk.chat_id, Wanted(tab=tab, shelf=shelf))
    again = json.loads(json.dumps({component.elem_id: value for component, value in updates.items()}, allow_nan=False))
    assert [m["text"] for m in again["k-transcript"]["messages"]][1:] == [hostile, hostile.strip()]
    assert again["k-receipt"]["receipt"]["query"].strip().endswith(hostile.strip())
    assert again["k-memories"]["total"] == 1
    assert again["k-chats"]["chats"][0]["rounds"] == 1


def marks_of(paint: Painter, updates: Updates) -> dict[str, str]:
    names = {getattr(paint.surfaces, field.name): field.name for field in fields(paint.surfaces)}
    return {names[component]: value["mark"] for component, value in updates.items() if "mark" in value}


def test_what_the_page_shows_is_not_sent_again(talk: Talk) -> None:
    talk.say("My name is Mara.", "Noted.")
    talk.remembered()
    paint = painter(talk)
    for tab in SHEETS:
        wanted = Wanted(tab=tab)
        first = paint.chat(LOCAL_USER, talk.chat_id, wanted=wanted)
        receipt = first[paint.surfaces.receipt]["receipt"]["id"]
        again = paint.chat(LOCAL_USER, talk.chat_id, wanted=wanted, receipt=receipt)
        left = paint.unknown(again, marks_of(paint, first))
        assert set(left) == {paint.surfaces.transcript}, tab
        assert left[paint.surfaces.transcript] == {
            "chat": talk.chat_id,
            "same": True,
            **{name: first[paint.surfaces.transcript][name] for name in values.MOVING},
        }
    assert paint.unknown(first, {}) == first


def test_what_changed_is_sent_and_nothing_else(talk: Talk) -> None:
    talk.say("My name is Mara.", "Noted.")
    talk.say("And you?", "Nell.")
    talk.remembered()
    paint = painter(talk)
    before = marks_of(paint, paint.chat(LOCAL_USER, talk.chat_id, wanted=Wanted(tab="persona")))
    talk.say("Is it late?", "Past nine.")
    talk.remembered()
    left = paint.unknown(paint.chat(LOCAL_USER, talk.chat_id, wanted=Wanted(tab="persona")), before)
    assert "messages" in left[paint.surfaces.transcript]
    assert paint.surfaces.shelf in left
    assert paint.surfaces.persona not in left, "a name is as true as it was a round ago"


def test_another_list_is_another_value(talk: Talk) -> None:
    talk.say("My name is Mara.", "Noted.")
    talk.say("And you?", "Nell.")
    talk.remembered()
    paint = painter(talk)
    seen = {
        paint.sheet(LOCAL_USER, talk.chat_id, Wanted(tab="memories", shelf=shelf, order=order))[paint.surfaces.memories]["mark"]
        for shelf in ("fact", "episode", "forgotten")
        for order in ("score", "newest")
    }
    assert len(seen) == 6


def test_a_receipt_the_page_has_is_not_sent_again(talk: Talk) -> None:
    talk.say("Hello.", "Hello.")
    paint = painter(talk)
    updates = paint.receipt(LOCAL_USER, talk.chat_id, known="", wanted=Wanted())
    known = updates[paint.surfaces.receipt]["receipt"]["id"]
    assert paint.receipt(LOCAL_USER, talk.chat_id, known=known, wanted=Wanted()) == {}


def test_a_failed_reply_says_why_and_a_good_one_clears_it(talk: Talk) -> None:
    paint = painter(talk)
    talk.model.enqueue(Script(error=ModelUnavailable("Nobody answers at m.", model="m")))
    talk.send("Anyone?")
    failed = talk.wait()
    assert failed.phase is Phase.FAILED
    banner = paint.ended(failed)[paint.surfaces.banner]
    assert (banner["code"], banner["params"], banner["message"]) == ("model_unavailable", {"model": "m"}, "Nobody answers at m.")
    assert paint.ended(failed) == paint.ended(failed), "the same failure is shown once"
    assert "code" not in paint.ended(talk.say("Again.", "Here."))[paint.surfaces.banner]


def test_the_same_complaint_can_come_twice() -> None:
    assert values.unexpected() != values.unexpected()


def test_an_id_that_cannot_be_stored_is_refused_in_words(talk: Talk) -> None:
    paint = painter(talk)
    shelf = json.loads('{"operation": "erase", "chats": "\\ud800", "chat": "\\ud800", "token": "\\ud800"}')
    for handler in (Rewrites(paint).arrange, Rewrites(paint).tree, Panels(paint).show):
        told = handler(gr.EventData(None, shelf), asked_by())[paint.surfaces.banner]
        assert told["code"] in ("chat_not_found", "changed_elsewhere"), "one that is not in the bin cannot be erased from it"
