"""The universal probe table of a project, and who has looked at its items. For reviewers and admins."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.annotation_errors import ChangedMeanwhile, NotThere, OwnWork
from storage.annotation_projects import note
from storage.annotation_records import Member
from storage.annotation_sight import reviewing, seen_project
from storage.database import Database
from storage.records import now_ms

REVIEWERS = 2
"""People who accept an item before it is checked (MOOM A.3.2)."""
OBJECTED = "objected"


@dataclass(frozen=True)
class ProbeReview:
    """What one person thinks of one version of an item. verdict: `accepted` or `objected`."""

    version: int
    reviewer: str
    verdict: str
    note: str
    at: int


@dataclass(frozen=True)
class Probe:
    """p: told; q: asked much later; a: the answer that shows it was remembered (MOOM App. H)."""

    id: str
    language: str
    topic: str
    p: str
    q: str
    a: str
    version: int = 0
    writers: tuple[str, ...] = ()
    """Everybody who wrote or changed it."""
    reviews: tuple[ProbeReview, ...] = ()
    """Of all versions, oldest first."""
    created_at: int = 0

    @property
    def present(self) -> tuple[ProbeReview, ...]:
        """Reviews of it as it is now."""
        return tuple(one for one in self.reviews if one.version == self.version)

    @property
    def accepted(self) -> int:
        return sum(one.verdict != OBJECTED for one in self.present)

    @property
    def checked(self) -> bool:
        """Two people who have not written it accept it, and nobody objects."""
        return self.accepted >= REVIEWERS and self.accepted == len(self.present)

    def as_asked(self) -> dict[str, object]:
        """What a run keeps of it."""
        return {name: getattr(self, name) for name in ("id", "language", "topic", "p", "q", "a", "version")}


class AnnotationProbes:
    def __init__(self, database: Database) -> None:
        self._db = database

    def probes(self, member: Member, project_id: str) -> list[Probe]:
        reviewing(member)
        with self._db.snapshot() as connection:
            seen_project(connection, member, project_id)
            return probes_of(connection, project_id)

    def take_in(self, member: Member, project_id: str, probes: Sequence[Probe]) -> None:
        """Add items that nobody here wrote; those that are there stay as they are. Raises NotThere."""
        reviewing(member)
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            for one in probes:
                _add(connection, project_id, one, writers=())
            note(connection, member, project_id=project_id, action="probes_taken_in", subject=str(len(probes)))

    def keep(self, member: Member, project_id: str, one: Probe) -> None:
        """Add an item of version 0, or change one that still has its version: then nobody has reviewed it. Raises ChangedMeanwhile, NotThere."""
        reviewing(member)
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            before = next((p for p in probes_of(connection, project_id) if p.id == one.id), None)
            if before is None and one.version == 0:
                _add(connection, project_id, one, writers=(member.user_id,))
            elif before is None or before.version != one.version:
                raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
            elif before.as_asked() == one.as_asked():
                return
            else:
                writers = tuple(dict.fromkeys((*before.writers, member.user_id)))
                connection.execute(
                    "UPDATE annotation_probe SET language = ?, topic = ?, p = ?, q = ?, a = ?, writers = ?, version = version + 1 WHERE id = ?",
                    (one.language, one.topic, one.p, one.q, one.a, json.dumps(writers), one.id),
                )
            note(
                connection, member, project_id=project_id, action="probe_kept", subject=one.id,
                before=json.dumps(before.as_asked(), ensure_ascii=False) if before is not None else "",
                after=json.dumps(one.as_asked(), ensure_ascii=False),
            )  # fmt: skip

    def review(self, member: Member, project_id: str, probe_id: str, *, version: int, verdict: str, remark: str) -> None:
        """Accept an item, object to it, or (an empty verdict) take one's review back. Raises OwnWork for who wrote it, ChangedMeanwhile, NotThere."""
        reviewing(member)
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            one = next((p for p in probes_of(connection, project_id) if p.id == probe_id), None)
            if one is None:
                raise NotThere("This item is not there any more.")
            if one.version != version:
                raise ChangedMeanwhile("It was changed meanwhile. Nothing was done here.")
            if member.user_id in one.writers:
                raise OwnWork("You wrote this, or changed it. Somebody else reviews it.")
            own = (probe_id, version, member.user_id)
            connection.execute("DELETE FROM annotation_probe_review WHERE probe_id = ? AND version = ? AND reviewer = ?", own)
            if verdict:
                connection.execute(
                    "INSERT INTO annotation_probe_review (probe_id, version, reviewer, verdict, note, at) VALUES (?, ?, ?, ?, ?, ?)",
                    (*own, verdict, remark, now_ms()),
                )
            note(connection, member, project_id=project_id, action=f"probe_{verdict or 'unreviewed'}", subject=probe_id, after=remark)

    def remove(self, member: Member, project_id: str, probe_id: str) -> None:
        reviewing(member)
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            one = next((p for p in probes_of(connection, project_id) if p.id == probe_id), None)
            if one is None:
                return
            connection.execute("DELETE FROM annotation_probe_review WHERE probe_id = ?", (probe_id,))
            connection.execute("DELETE FROM annotation_probe WHERE id = ?", (probe_id,))
            before = json.dumps(one.as_asked(), ensure_ascii=False)
            note(connection, member, project_id=project_id, action="probe_removed", subject=probe_id, before=before)


def probes_of(connection: sqlite3.Connection, project_id: str) -> list[Probe]:
    """The table with its reviews, whoever asks: for rules and files."""
    reviews: dict[str, list[ProbeReview]] = {}
    for r in connection.execute(
        """SELECT r.* FROM annotation_probe_review r JOIN annotation_probe p ON p.id = r.probe_id
        WHERE p.project_id = ? ORDER BY r.version, r.at, r.rowid""",
        (project_id,),
    ):
        reviews.setdefault(r["probe_id"], []).append(ProbeReview(r["version"], r["reviewer"], r["verdict"], r["note"], r["at"]))
    rows = connection.execute(
        "SELECT * FROM annotation_probe WHERE project_id = ? ORDER BY language, created_at, rowid", (project_id,)
    ).fetchall()
    return [
        Probe(
            r["id"], r["language"], r["topic"], r["p"], r["q"], r["a"], r["version"], tuple(json.loads(r["writers"])),
            tuple(reviews.get(r["id"], ())), r["created_at"],
        )
        for r in rows
    ]  # fmt: skip


def _add(connection: sqlite3.Connection, project_id: str, one: Probe, *, writers: Sequence[str]) -> None:
    connection.execute(
        """INSERT OR IGNORE INTO annotation_probe (id, project_id, language, topic, p, q, a, writers, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (one.id, project_id, one.language, one.topic, one.p, one.q, one.a, json.dumps(list(writers)), now_ms()),
    )
