"""What the page may ask for about regular probes, and what it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotation.probe_lint import Remark, SetView
from annotation.regular import RegularReviewSheet
from annotation.workbench import Workbench
from storage.annotation_records import Member
from storage.annotation_regular_records import Regular, RegularReview
from ui.annotation import values
from ui.annotation.values import Value
from ui.payload import Payload

Operation = Callable[[Workbench, Member, Payload, Mapping[str, Any]], Value]


def regular(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """All that somebody needs to write probes on a dialogue."""
    one = bench.regular.sheet(member, said.id("item"))
    return {
        "work": {"id": one.work.id, "draft": one.work.draft},
        "project": values.project(one.project),
        "item": values.item(one.item),
        "turns": [values.turn(each) for each in one.turns],
        "gold": [values.gold(each) for each in one.gold],
        **_own(one.own, one.counts, one.to_review),
    }


def regular_own(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _own(*bench.regular.own(member, said.id("item")))


def regular_lint(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"remarks": [vars(one) for one in bench.regular.remarks(member, said.id("item"), raw.get("probe"))]}


def regular_draft(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.regular.keep_draft(member, said.id("assignment"), draft=said.text("draft"))
    return {}


def regular_keep(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    kept = bench.regular.keep(member, said.id("item"), raw.get("probe"))
    return {**regular_own(bench, member, said, raw), "kept": kept.id}


def regular_submit(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.regular.submit(member, said.id("item"), said.id("id"), version=said.number("version"))
    return regular_own(bench, member, said, raw)


def regular_remove(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    bench.regular.remove(member, said.id("id"), version=said.number("version"))
    return regular_own(bench, member, said, raw)


def regular_review(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _review(bench.regular.review(member, said.id("item")))


def regular_answer(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _review(bench.regular.answer(member, said.id("id"), version=said.number("version"), shown=said.number("shown", otherwise=99)))


def regular_decide(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    kept = bench.regular.decide(member, said.id("id"), raw.get("verdict"), version=said.number("version"))
    return {"state": kept.state.value}


def regular_take_back(bench: Workbench, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return _review(bench.regular.take_back(member, said.id("id"), version=said.number("version")))


def open_items(bench: Workbench, member: Member, project_id: str) -> list[Value]:
    return [
        {**values.item(one.item), "own": one.own, "to_review": one.to_review, "undecided": one.undecided, "standing": one.standing}
        for one in bench.regular.open_items(member, project_id)
    ]


def set_view(found: SetView | None) -> Value | None:
    if found is None:
        return None
    return {
        "n": found.n,
        "longest": vars(found.longest),
        "shortest": vars(found.shortest),
        "places": list(found.places),
        "biased": list(found.biased),
        "people": vars(found.people) if found.people is not None else None,
        "verdicts": {name: found.verdicts.get(name, 0) for name in ("accepted", "edited", "rejected")},
    }


def probe(one: Regular) -> Value:
    """Of its author: options with the right one first."""
    return {
        "id": one.id,
        "version": one.version,
        "state": one.state.value,
        "order": list(one.order),
        **one.content(),
        "decisions": [_decision(each) for each in one.decisions],
    }


def _own(own: Sequence[tuple[Regular, Sequence[Remark]]], counts: Mapping[int, int], to_review: bool) -> Value:
    return {
        "probes": [{**probe(one), "remarks": [vars(remark) for remark in remarks]} for one, remarks in own],
        "counts": {str(number): count for number, count in counts.items()},
        "to_review": to_review,
    }


def _decision(one: RegularReview) -> Value:
    return {"verdict": one.verdict, "reason": one.reason, "note": one.note, "settles": one.settles}


def _review(one: RegularReviewSheet) -> Value:
    found, mine = one.shown.probe, one.shown.mine
    if mine is None:
        return {
            "id": found.id,
            "version": found.version,
            "language": found.language,
            "line": found.line,
            "shown": list(found.options),
            "chosen": False,
            "settles": one.shown.settles,
        }
    return {
        **probe(found),
        "chosen": True,
        "settles": one.shown.settles,
        "others": [
            {**_decision(each), "proposal": each.proposal, "choice": each.choice, "mine": each is mine}
            for each in ((mine, *one.shown.others) if mine.verdict else one.shown.others)
        ],
        "shown": list(found.shown),
        "choice": mine.choice,
        "point": values.gold(one.point) if one.point is not None else None,
        "remarks": [vars(remark) for remark in one.remarks],
    }


REGULAR: Mapping[str, Operation] = {
    "regular": regular,
    "regular_own": regular_own,
    "regular_lint": regular_lint,
    "regular_draft": regular_draft,
    "regular_keep": regular_keep,
    "regular_submit": regular_submit,
    "regular_remove": regular_remove,
    "regular_review": regular_review,
    "regular_answer": regular_answer,
    "regular_decide": regular_decide,
    "regular_take_back": regular_take_back,
}
