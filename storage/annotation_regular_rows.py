"""Rows of regular probes as records, and back: for rules and files, whoever asks. Who may see them is decided in `storage.annotation_regular`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from storage.annotation_projects import note
from storage.annotation_records import Item, Member
from storage.annotation_regular_records import Regular, RegularReview, RegularState
from storage.records import now_ms


def regular_row(connection: sqlite3.Connection, probe_id: str) -> Regular | None:
    """One that was not removed."""
    row = connection.execute("SELECT item_id FROM annotation_regular WHERE id = ? AND removed_at IS NULL", (probe_id,)).fetchone()
    return next((one for one in regulars_of(connection, row["item_id"]) if one.id == probe_id), None) if row is not None else None


def regulars_of(connection: sqlite3.Connection, item_id: str) -> list[Regular]:
    """Every probe of a dialogue with its reviews, whoever asks: for rules and files, not for showing."""
    reviews: dict[str, list[RegularReview]] = {}
    for r in connection.execute(
        """SELECT r.* FROM annotation_regular_review r JOIN annotation_regular p ON p.id = r.regular_id
        WHERE p.item_id = ? ORDER BY r.version, r.answered_at, r.rowid""",
        (item_id,),
    ):
        reviews.setdefault(r["regular_id"], []).append(
            RegularReview(
                r["version"], r["reviewer"], r["choice"], r["answered_at"], r["verdict"] or "", r["reason"], r["note"],
                json.loads(r["proposal"]) if r["proposal"] else None, json.loads(r["edited"]) if r["edited"] else None, r["decided_at"],
                bool(r["settles"]),
            )
        )  # fmt: skip
    rows = connection.execute(
        """SELECT r.*, p.overlap FROM annotation_regular r JOIN annotation_item i ON i.id = r.item_id JOIN annotation_project p ON p.id = i.project_id
        WHERE r.item_id = ? AND r.removed_at IS NULL ORDER BY r.created_at, r.rowid""",
        (item_id,),
    )
    return [
        Regular(
            id=r["id"], gold=r["gold"], language=r["language"], line=r["line"], options=tuple(json.loads(r["options"])), note=r["note"],
            version=r["version"], item_id=item_id, author=r["author"], seed=r["seed"], created_at=r["created_at"], updated_at=r["updated_at"],
            submitted_at=r["submitted_at"], reviews=tuple(reviews.get(r["id"], ())), reviewed=r["overlap"] > 1,
        )
        for r in rows
    ]  # fmt: skip


def rewrite(connection: sqlite3.Connection, probe_id: str, probe: Regular, *, submitted_at: int | None) -> None:
    """A further version, of other words."""
    connection.execute(
        """UPDATE annotation_regular SET gold = ?, language = ?, line = ?, options = ?, note = ?, version = version + 1, updated_at = ?, submitted_at = ?,
            user_id = CASE WHEN ? THEN author ELSE user_id END
        WHERE id = ?""",
        (
            probe.gold, probe.language, probe.line, json.dumps(list(probe.options), ensure_ascii=False), probe.note, now_ms(), submitted_at,
            int(submitted_at is None), probe_id,
        ),
    )  # fmt: skip


def noted(
    connection: sqlite3.Connection,
    member: Member,
    where: Item,
    action: str,
    one: Regular,
    *,
    before: Regular | None = None,
    after: Regular | None = None,
    text: str = "",
) -> None:
    """One more row of the audit trail, of the probe: files leave it out until the probe is decided about."""
    note(
        connection, member, project_id=where.project_id, item_id=where.id, assignment_id=one.id, action=action, subject=text[:60],
        before=_text(before), after=_text(after),
    )  # fmt: skip


def _text(one: Regular | None) -> str:
    return json.dumps(one.content(), ensure_ascii=False, sort_keys=True) if one is not None else ""


def waits(one: Regular, member: Member) -> bool:
    """Whether a probe waits for this member's decision: two decide, neither its author; where they differ a third settles it, or an admin, also one of the two."""
    if one.author == member.user_id or one.state not in (RegularState.WAITING, RegularState.DISPUTED):
        return False
    mine = any(each.reviewer == member.user_id for each in one.pair)
    return not mine or (one.state is RegularState.DISPUTED and member.manages)


def decided(probes: Sequence[Regular]) -> list[Regular]:
    """Those that leave with files: accepted, rejected, or of a project without reviewers."""
    return [one for one in probes if one.stands or one.state is RegularState.REJECTED]
