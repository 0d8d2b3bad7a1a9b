"""Collection as the pages ask for it: tasks, a conversation that is held for one, handing in, stopping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.collecting import MOST_CHARACTERS, Standing
from annotation.workbench import Workbench
from storage.annotation_records import Member
from ui.annotation import values
from ui.annotation.values import Value
from ui.payload import Payload


def tasks(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """What is asked for, and what the player has begun."""
    return {
        "tasks": [
            {"id": one.project_id, "name": one.name, "briefing": one.briefing, "rounds": one.rounds,
             "characters": [{"id": each.id, "name": each.name} for each in one.characters]}
            for one in bench.collecting.tasks()
        ],
        "takings": [_taking(one) for one in bench.collecting.own(member)],
    }  # fmt: skip


def begin(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"chat": bench.collecting.begin(member, said.id("project"), said.id("character"), consent=said.text("consent"))}


def taking(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """The task that a conversation is held for, if it is."""
    found = bench.collecting.of_chat(member, said.id("chat"))
    return {"taking": _taking(found) if found is not None else None}


def hand_preview(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    found = bench.collecting.preview(member, said.id("taking"), said.text("words").splitlines())
    return values.preview(found)


def hand_in(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    words = said.text("words").splitlines()
    made = bench.collecting.hand_in(
        member, said.id("taking"), words, consent=said.text("consent"), reason=said.text("reason"), seal=said.id("seal")
    )
    return {"item": made}


def leave(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.collecting.leave(member, said.id("taking"))
    return {}


def cast(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """With whom a project may ask for conversations, and does; how many were begun and handed in."""
    project = bench.projects.project(member, said.id("project"))
    begun, handed, reasons = bench.collecting.counts(member, project.id)
    asked = {one.id: one for one in project.characters}
    known = {one.id: one for one in bench.collecting.cast(member)} if member.manages else {}
    return {
        "characters": [
            {"id": one.id, "name": one.name, "shared": bool(one.by), "asked": one.id in asked} for one in {**asked, **known}.values()
        ],
        "begun": begun,
        "handed": handed,
        "reasons": reasons,
    }


def ask_characters(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.collecting.ask(member, said.id("project"), [one for one in said.ids("characters", most=MOST_CHARACTERS + 1) if one])
    return cast(bench, member, said, raw)


def _taking(one: Standing) -> Value:
    found = one.taking
    return {
        "id": found.id, "project_name": found.project_name, "briefing": found.briefing, "target": found.target, "chat": found.chat_id,
        "rounds": one.rounds, "open": found.open, "handed": bool(found.item_id),
    }  # fmt: skip


COLLECTING_OF_PLAYERS = {
    "tasks": tasks,
    "begin": begin,
    "taking": taking,
    "hand_preview": hand_preview,
    "hand_in": hand_in,
    "leave": leave,
}
COLLECTING = {"cast": cast, "ask_characters": ask_characters}
