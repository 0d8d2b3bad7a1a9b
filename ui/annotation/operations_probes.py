"""What the page may ask for about probes as a whole: the universal table, its reviews, runs and what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.probing import Probing, ToLabel, shown
from annotation.workbench import Workbench
from storage.annotation_errors import NotThere
from storage.annotation_probes import OBJECTED, Probe
from storage.annotation_records import Member
from ui.annotation import values
from ui.annotation.operations_regular import open_items, set_view
from ui.annotation.values import Value
from ui.payload import Payload

Operation = Callable[[Workbench, Member, Payload, Mapping[str, Any]], Value]


def probes(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """What somebody may see of a project's probes: dialogues that are open to them; for reviewers and admins the table, and the runs as they stand."""
    project_id = said.id("project")
    found: Value = {
        "project": values.project(bench.projects.project(member, project_id)),
        "open": open_items(bench, member, project_id),
        "manages": member.manages,
        "reviews": member.reviews,
        "table": None,
    }
    if member.reviews:
        found["set"] = set_view(bench.regular.set_view(member, project_id))
        found["agreement"] = [vars(one) for one in bench.regular.agreement(member, project_id)]
    if member.reviews and bench.probing is not None:
        probing = bench.probing
        found |= {
            "table": [table_row(one, member) for one in probing.table(member, project_id)],
            "table_agreement": [vars(one) for one in probing.table_agreement(member, project_id)],
            "items": [values.item(one) for one in bench.projects.items(member, project_id)] if member.manages else [],
            "runs": [shown(one) for one in probing.runs(member, project_id)],
            "models": dict(probing.models),
            "offered": dict(probing.offered) if member.manages else None,
        }
    return found


def table_row(one: Probe, member: Member) -> Value:
    """An item with how far its review is: counts, and what this person said of it; nobody's name."""
    own = next((review for review in one.present if review.reviewer == member.user_id), None)
    return {
        **one.as_asked(),
        "accepted": one.accepted,
        "checked": one.checked,
        "objections": [review.note for review in one.present if review.verdict == OBJECTED],
        "mine": own.verdict if own is not None else "",
        "wrote": member.user_id in one.writers,
        "blind": one.blind,
    }


def probe_runs(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"runs": [shown(one) for one in _probing(bench).runs(member, said.id("project"))]}


def probe_pairs(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"pairs": [vars(one) for one in _probing(bench).close_pairs(member, said.id("project"))]}


def probes_ours(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).take_ours(member, said.id("project"))
    return probes(bench, member, said, raw)


def keep_probe(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).keep(member, said.id("project"), raw.get("probe"))
    return probes(bench, member, said, raw)


def remove_probe(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).remove(member, said.id("project"), said.id("id"))
    return probes(bench, member, said, raw)


def review_probe(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).review(member, said.id("project"), said.id("id"), raw.get("review"), version=said.number("version"))
    return probes(bench, member, said, raw)


def label_next(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _to_label(_probing(bench).to_label(member, said.id("id")))


def label(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _to_label(_probing(bench).label(member, said.id("id"), said.number("score", otherwise=99)))


def run_begin(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"run": _probing(bench).begin(member, said.id("project"), said.id("item"), raw.get("run"))}


def run_stop(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).stop(member, said.id("id"))
    return {}


def run_on(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    _probing(bench).go_on(member, said.id("id"))
    return {}


def _to_label(found: ToLabel) -> Value:
    reply, probe = found.reply, found.probe
    if reply is None or probe is None:
        return {"reply": None, "done": found.done}
    return {"reply": {"id": reply.id, "text": reply.reply, "q": probe.q, "a": probe.a, "language": probe.language}, "done": found.done}


def _probing(bench: Workbench) -> Probing:
    if bench.probing is None:
        raise NotThere("There is no memory engine here to run probes with.")
    return bench.probing


PROBES: Mapping[str, Operation] = {
    "probes": probes,
    "probe_runs": probe_runs,
    "probe_pairs": probe_pairs,
    "probes_ours": probes_ours,
    "keep_probe": keep_probe,
    "remove_probe": remove_probe,
    "review_probe": review_probe,
    "label_next": label_next,
    "label": label,
    "run_begin": run_begin,
    "run_stop": run_stop,
    "run_on": run_on,
}
