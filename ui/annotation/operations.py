"""What the page of the workbench may ask for, by name, and what it is answered. Rules are the workbench's; here are names and shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from annotation.workbench import Workbench
from storage.annotation_errors import NotAllowed, NotThere
from storage.annotation_records import ANNOTATOR, REVIEWER, Member
from ui.annotation import values
from ui.annotation.collecting import COLLECTING, COLLECTING_OF_PLAYERS
from ui.annotation.marking import MARKING
from ui.annotation.operations_probes import PROBES
from ui.annotation.operations_regular import REGULAR
from ui.annotation.values import Value
from ui.payload import Payload

Operation = Callable[[Workbench, Member, Payload, Mapping[str, Any]], Value]


def home(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    projects = bench.projects.projects(member)
    by_id = {one.id: one for one in projects}
    mine = bench.projects.assignments(member)
    items = {item.id: item for one in {a.project_id for a in mine} if one in by_id for item in bench.projects.items(member, one)}
    return {
        "role": member.role,
        "projects": [
            {
                **values.project(one),
                "to_annotate": bench.projects.waiting(member, one.id, ANNOTATOR),
                "to_review": bench.projects.waiting(member, one.id, REVIEWER) if member.reviews else 0,
            }
            for one in projects
        ],
        "mine": [
            {
                **values.assignment(one),
                "item": values.item(items[one.item_id]),
                "project_name": by_id[one.project_id].name,
                "own": bool(by_id[one.project_id].owner),
            }
            for one in mine
            if one.item_id in items
        ],
    }


def project(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    found = bench.projects.project(member, said.id("project"))
    works = {one.item_id: one.id for one in bench.projects.assignments(member) if one.role == ANNOTATOR} if found.owner else {}
    return {
        "project": values.project(found),
        "items": [{**values.item(one), "work": works.get(one.id, "")} for one in bench.projects.items(member, found.id)],
        "guidelines": [{"version": v, "text": text, "at": at} for v, text, at in bench.projects.guidelines(member, found.id)],
        "people": [dict(one) for one in bench.projects.progress(member, found.id)] if member.manages and not found.owner else [],
        "manages": bench.projects.manages(member, found.id),
        "share": vars(bench.share(member, found.id)),
        "flags": [values.flag(one) for one in bench.flags(member, found.id)],
    }


def figures(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    view = bench.agreement(member, said.id("project"))
    return {"figures": [vars(one) for one in view.figures], "dialogues": view.dialogues, "points": list(view.points)}


def make_project(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"project": values.project(bench.make_project(member, raw.get("project")))}


def close(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.close_project(member, said.id("project"), closed=said.text("closed"))
    return project(bench, member, said, raw)


def guideline(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.add_guideline(member, said.id("project"), said.text("text"))
    return project(bench, member, said, raw)


def release(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.projects.release(member, said.id("item"))
    return {}


def remove_item(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.projects.remove_item(member, said.id("item"))
    return {}


def take(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"assignment": values.assignment(bench.projects.take(member, said.id("project"), said.one_of("role", ANNOTATOR, REVIEWER)))}


def sheet(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return values.sheet(bench.sheet(member, said.id("assignment")))


def points(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """What changes while somebody works: everything but the dialogue."""
    mine = said.id("assignment")
    can_undo, can_redo = bench.work.steps(member, mine)
    return {"points": [values.point(one) for one in bench.work.points(member, mine)], "can_undo": can_undo, "can_redo": can_redo}


def keep_point(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    kept = bench.keep_point(member, said.id("assignment"), raw.get("point"))
    return {**points(bench, member, said, raw), "kept": kept.id}


def remove_point(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.work.remove_point(member, said.id("assignment"), said.id("id"), version=said.number("version"))
    return points(bench, member, said, raw)


def undo(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _step(bench, member, said, raw, bench.work.undo)


def redo(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _step(bench, member, said, raw, bench.work.redo)


def draft(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.keep_draft(member, said.id("assignment"), draft=said.text("draft"), place=said.number("place", least=1))
    return {}


def read(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.work.read_guideline(member, said.id("assignment"), said.number("version"))
    return {}


def submit(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.work.submit(member, said.id("assignment"))
    return {}


def give_back(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.work.give_back(member, said.id("assignment"))
    return {}


def reopen(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.work.reopen(member, said.id("assignment"))
    return {}


def reviewing(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return values.review(bench.review_sheet(member, said.id("assignment")))


def decide(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    mine = said.id("assignment")
    bench.decide(member, mine, said.id("part"), raw.get("decision"), before=raw.get("before"))
    return values.decided(bench.review_sheet(member, mine))


def finish(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"gold": len(bench.finish(member, said.id("assignment")))}


def gold(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    item = bench.projects.item(member, said.id("item"))
    return {
        "item": values.item(item),
        "project": values.project(bench.projects.project(member, item.project_id)),
        "turns": [values.turn(one) for one in bench.projects.turns(member, item.id)],
        "gold": [values.gold(one) for one in bench.work.gold(member, item.id)],
    }


def giving(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """What a player can give, to which projects, and has given."""
    return {
        "invitations": [
            {"id": project_id, "name": name, "briefing": briefing, "rounds": rounds}
            for project_id, name, briefing, rounds in bench.giving.invitations()
        ],
        "conversations": [vars(one) for one in bench.giving.conversations(member)],
        "given": [vars(one) for one in bench.giving.given(member)],
    }


def preview(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    found = bench.giving.preview(member, said.id("chat"), said.text("words").splitlines())
    return values.preview(found)


def give(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    words = said.text("words").splitlines()
    return {
        "item": bench.giving.give(member, said.id("project"), said.id("chat"), words, consent=said.text("consent"), seal=said.id("seal"))
    }


def withdraw(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.giving.withdraw(member, said.id("item"))
    return {}


def outline(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """The plots of a dialogue, or how far making them is. What else the engine found is not told here."""
    if bench.outlines is None:
        bench.projects.item(member, said.id("item"))
        return {"state": "none"}
    found, progress = bench.outlines.of(member, said.id("item")), bench.outlines.progress
    under_way = {"done": progress.done, "all": progress.all} if progress.item_id == said.id("item") else None
    if found is None or found.state != "done":
        return {"state": found.state if found is not None else "waiting", "progress": under_way}
    return {"state": "done", "turns": found.turns, "plots": found.told.get("plots", [])}


def suggest(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.suggesting.switch(member, said.id("project"), on=said.text("on"))
    return project(bench, member, said, raw)


def suggestions(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """What the engine suggests, where it may."""
    found = bench.suggesting.offered(member, said.id("assignment"))
    progress = {"done": found.progress.done, "all": found.progress.all} if found.progress is not None else None
    return {"state": found.state, "suggestions": list(found.suggestions), "dismissed": found.dismissed, "progress": progress}


def dismiss(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    back = said.one_of("back", "", "yes") == "yes"
    (bench.suggesting.bring_back if back else bench.suggesting.dismiss)(member, said.id("assignment"), said.id("id"))
    return suggestions(bench, member, said, raw)


OF_PLAYERS: Mapping[str, Operation] = {
    "giving": giving, "preview": preview, "give": give, "withdraw": withdraw, **COLLECTING_OF_PLAYERS,
}  # fmt: skip
"""What everybody may ask for: it is about their own conversations."""
OPERATIONS: Mapping[str, Operation] = {
    **OF_PLAYERS,
    "home": home,
    "project": project,
    "figures": figures,
    "make_project": make_project,
    "close": close,
    "guideline": guideline,
    "release": release,
    "remove_item": remove_item,
    "take": take,
    "sheet": sheet,
    "points": points,
    "keep_point": keep_point,
    "remove_point": remove_point,
    "undo": undo,
    "redo": redo,
    "draft": draft,
    "read": read,
    "submit": submit,
    "reopen": reopen,
    "give_back": give_back,
    "review": reviewing,
    "decide": decide,
    "finish": finish,
    "gold": gold,
    "suggest": suggest,
    "suggestions": suggestions,
    "dismiss": dismiss,
    "outline": outline,
    **MARKING,
    **COLLECTING,
    **PROBES,
    **REGULAR,
}
OF_OWNERS = {"probes", "probe_runs", "probe_pairs", "probes_ours", "keep_probe", "remove_probe", "run_begin"}
"""What an admin may do in the house's projects, and anybody in a project of their own."""


def answer(bench: Workbench, member: Member, raw: Mapping[str, Any]) -> Value:
    """Raises KeepsakeError."""
    said = Payload(raw)
    if not member.annotates and said.one_of("do", "", *OF_PLAYERS) not in OF_PLAYERS:
        raise NotAllowed("The workbench is for annotators, reviewers and admins.")
    name = said.one_of("do", "home", *OPERATIONS)
    if name in OF_OWNERS and bench.projects.manages(member, said.id("project")):  # raises NotThere for somebody else's own
        if said.id("item") and said.id("item") not in {one.id for one in bench.projects.items(member, said.id("project"))}:
            raise NotThere("This dialogue is not there. It may have been withdrawn.")
        member = replace(member, role="admin")
    return OPERATIONS[name](bench, member, said, raw)


def _step(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any], work: Callable[[Member, str, str], str]) -> Value:
    role = said.one_of("role", ANNOTATOR, REVIEWER)
    about = work(member, said.id("assignment"), role)
    after = points(bench, member, said, raw) if role == ANNOTATOR else values.decided(bench.review_sheet(member, said.id("assignment")))
    return {**after, "about": about}
