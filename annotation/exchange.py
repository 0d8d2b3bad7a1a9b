"""Projects as files ([docs/annotation.md] describes them): everything as JSON lines, gold as a table, gold in the layout of LoCoMo.

The JSON lines are read back by `annotation.exchange_reading` without loss.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation import exchange_probes, exchange_runs
from annotation.locomo import probed, sample
from annotation.zh4o import record
from evaluation.report import guarded
from storage.annotation_dumps import AnnotationDumps, Dialogue, Dump, Work
from storage.annotation_records import AuditEvent, Gold, Member, Point

FORMAT, VERSION = "keepsake-annotation", 4
READABLE = (1, 2, 3, 4)
"""Versions that are read: in the first there were no probes; in the second one reviewer decided about a regular probe, and runs asked it after all; up to the
third a setting of a run was what is kept, and k."""
_GOLD_HEAD = (
    "dialogue", "title", "number", "text", "category", "language", "messages", "rounds", "quotes", "source", "reason", "confidence", "note", "suggested",
)  # fmt: skip


@dataclass(frozen=True)
class File:
    name: str
    kind: str
    content: bytes


def export(dumps: AnnotationDumps, member: Member, project_id: str, form: str) -> File:
    """form: of FORMS. For admins. Raises NotThere, NotAllowed."""
    dump = dumps.dump(member, project_id)
    suffix, kind, write = FORMS[form]
    stem = re.sub(r"[^A-Za-z0-9]+", "-", dump.project.name).strip("-").lower()[:40] or "annotation"
    return File(f"{stem}{suffix}", kind, write(dump))


def lines(dump: Dump) -> Iterator[str]:
    """Each with its line feed; the last one tells how many there were, and their SHA-256."""
    digest, count = hashlib.sha256(), 0
    for value in _values(dump):
        line = json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
        digest.update(line.encode())
        count += 1
        yield line
    yield json.dumps({"kind": "end", "lines": count, "sha256": digest.hexdigest()}, sort_keys=True) + "\n"


def _values(dump: Dump) -> Iterator[Mapping[str, object]]:
    project = dump.project
    yield {
        "kind": FORMAT,
        "version": VERSION,
        "withheld": dump.withheld,
        "project": {
            "id": project.id,
            "name": project.name,
            "overlap": project.overlap,
            "lease_hours": project.lease_hours,
            "categories": list(project.categories),
            "briefing": project.briefing,
            "target_rounds": project.target_rounds,
            "created_at": project.created_at,
            "closed_at": project.closed_at,
        },
    }
    for version, text, at in dump.guidelines:
        yield {"kind": "guideline", "version": version, "text": text, "at": at}
    for dialogue in dump.dialogues:
        yield _dialogue(dialogue)
        for work in dialogue.works:
            yield _work(dialogue, work)
        if dialogue.told:
            yield {"kind": "gold", "dialogue": dialogue.item.number, "points": [_gold(one) for one in dialogue.gold]}
    numbers = {one.item.id: one.item.number for one in dump.dialogues}
    yield from exchange_probes.lines(dump.probes, numbers)
    for by, event in dump.events:
        yield _event(by, event, numbers)


def _dialogue(one: Dialogue) -> Mapping[str, object]:
    return {
        "kind": "dialogue",
        "id": one.item.id,
        "number": one.item.number,
        "title": one.item.title,
        "language": one.item.language,
        "created_at": one.item.created_at,
        "gold_at": one.item.gold_at if one.told else None,
        "released_at": one.item.released_at if one.told else None,
        "turns": [vars(turn) for turn in one.turns],
    }


def _work(dialogue: Dialogue, one: Work) -> Mapping[str, object]:
    mine = one.assignment
    return {
        "kind": "work",
        "dialogue": dialogue.item.number,
        "id": mine.id,
        "by": one.by,
        "role": mine.role,
        "guideline": mine.guideline,
        "place": mine.place,
        "lease_until": mine.lease_until,
        "started_at": mine.started_at,
        "submitted_at": mine.submitted_at,
        "points": [_point(point) for point in one.points],
        "decisions": {part: dict(content) for part, content in one.decisions.items()},
    }


def _point(one: Point) -> Mapping[str, object]:
    return {"id": one.id, "version": one.version, "created_at": one.created_at, "updated_at": one.updated_at, **one.content()}


def _gold(one: Gold) -> Mapping[str, object]:
    return {
        "number": one.number,
        "text": one.text,
        "category": one.category,
        "language": one.language,
        "evidence": one.evidence.value(),
        "provenance": dict(one.provenance),
    }


def _event(by: str, one: AuditEvent, numbers: Mapping[str, int]) -> Mapping[str, object]:
    return {
        "kind": "event",
        "by": by,
        "at": one.at,
        "action": one.action,
        "dialogue": numbers.get(one.item_id or ""),
        "work": one.assignment_id,
        "subject": one.subject,
        "before": one.before,
        "after": one.after,
    }


def _table(dump: Dump) -> bytes:
    """Gold, a row each."""
    return _csv(_GOLD_HEAD, _gold_rows(dump))


def _gold_rows(dump: Dump) -> Iterator[Sequence[object]]:
    for one in dump.dialogues:
        rounds = {turn.number: turn.round for turn in one.turns}
        for gold in one.gold:
            told = gold.provenance
            yield (
                one.item.number, one.item.title, gold.number, gold.text, gold.category, gold.language, " ".join(map(str, gold.evidence.turns)),
                " ".join(map(str, sorted({rounds[turn] for turn in gold.evidence.turns}))), " | ".join(quote.text for quote in gold.evidence.quotes),
                told.get("source", ""), told.get("reason", ""), told.get("confidence", ""), told.get("note", ""), _suggested(gold),
            )  # fmt: skip


def _runs(dump: Dump) -> bytes:
    """What probe runs came to, a row for each figure."""
    return _csv(exchange_runs.HEAD, exchange_runs.rows(dump.probes.runs, {one.item.id: one.item.number for one in dump.dialogues}))


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A cell that a spreadsheet would compute begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        writer.writerow([guarded(cell) for cell in row])
    return "\ufeff".encode() + out.getvalue().encode()


def _suggested(one: Gold) -> str:
    """Whether the engine suggested it, and what a person changed; empty: a person found it."""
    told = one.provenance.get("suggested")
    if not isinstance(told, Mapping):
        return ""
    return "changed: " + " ".join(map(str, told["changed"])) if told.get("changed") else "as it stood"


def _locomo(dump: Dump) -> bytes:
    """What is there of it: where there is a probe, every dialogue has a list of questions."""
    standing = [one for one in dump.probes.regular if one.probe.stands]
    made = [
        sample(one, [each.probe for each in standing if each.dialogue == one.item.number] if standing else None)
        for one in dump.dialogues
        if one.told
    ]
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _zh4o(dump: Dump) -> bytes:
    standing = [one for one in dump.probes.regular if one.probe.stands]
    made = [record(one, [each.probe for each in standing if each.dialogue == one.item.number]) for one in dump.dialogues if one.told]
    return json.dumps([one for one in made if one], ensure_ascii=False, indent=1).encode()


def _probed(dump: Dump) -> bytes:
    """Every dialogue with the items of its language told in it; only those that two people have checked."""
    checked = [one for one in dump.probes.table if one.checked]
    made = [found for one in dump.dialogues if (found := probed(one, [each for each in checked if each.language == one.item.language]))]
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _lines(dump: Dump) -> bytes:
    return "".join(lines(dump)).encode()


FORMS: Mapping[str, tuple[str, str, Callable[[Dump], bytes]]] = {
    "project": (".keepsake-annotation.jsonl", "application/x-ndjson", _lines),
    "gold": (".gold.csv", "text/csv; charset=utf-8", _table),
    "locomo": (".locomo.json", "application/json", _locomo),
    "probed": (".probed.locomo.json", "application/json", _probed),
    "zh4o": (".zh4o.json", "application/json", _zh4o),
    "runs": (".runs.csv", "text/csv; charset=utf-8", _runs),
}
"""How a file ends, what it is, and what writes it."""
