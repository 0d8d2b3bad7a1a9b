"""What the page of conversations asks the workbench for: marks at messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.marking import Beginning, Chosen
from annotation.workbench import Workbench
from storage.annotation_records import Member
from ui.annotation.values import Value
from ui.annotation.words import WORDS
from ui.annotation.words_marking import BEGINNING
from ui.payload import Payload


def marks(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """Those at the messages of a conversation's open branch, and the project they are in, once anything was marked."""
    return {
        "marks": [
            {
                "message": one.message_id,
                "kind": one.mark.kind,
                "id": one.mark.id,
                "version": one.mark.version,
                "work": one.mark.assignment_id,
            }
            for one in bench.marking.marks(member, said.id("chat"))
        ],
        "project": bench.marking.own_project(member),
    }


def mark(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    words = said.text("chosen")
    chosen = Chosen(words, said.number("ahead")) if words.strip() else None
    work, point = bench.marking.mark(
        member, said.id("chat"), said.id("message"), chosen, begin=_beginning(said), consent=said.text("consent")
    )
    return {**marks(bench, member, said, raw), "made": point.id, "work": work.id, "version": point.version, "text": point.text}


def mark_probe(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    made = bench.marking.mark_probe(
        member, said.id("chat"), said.id("message"), raw.get("probe"), begin=_beginning(said), consent=said.text("consent")
    )
    return {**marks(bench, member, said, raw), "made": made}


def unmark(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.marking.unmark(member, said.one_of("kind", "point", "probe"), said.id("id"), work=said.id("work"), version=said.number("version"))
    return marks(bench, member, said, raw)


def _beginning(said: Payload) -> Beginning:
    language = said.one_of("language", "en", "zh")
    name, categories, guideline = (
        getattr(entry, language) for entry in (BEGINNING["name"], WORDS["categories_default"], BEGINNING["guideline"])
    )
    return Beginning(name, categories.splitlines(), guideline)


MARKING = {"marks": marks, "mark": mark, "mark_probe": mark_probe, "unmark": unmark}
