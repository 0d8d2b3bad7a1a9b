"""The universal probe table of a project, and who has looked at its items. For reviewers and admins.

Two look at an item without knowing of each other: until it is checked, what others said of it is told to whoever has said something themselves, and to its writers.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from storage.annotation_errors import ChangedMeanwhile, NotThere, OwnWork, TableFull, TableStale
from storage.annotation_projects import note
from storage.annotation_records import Member
from storage.annotation_sight import reviewing, seen_project
from storage.database import Database
from storage.records import now_ms, stable_id

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
    blind: bool = False
    """Whether reviews were left out, as whoever asked may not see them yet."""

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


@dataclass(frozen=True)
class Taken:
    """How many items of a file were new, how many were changed by it, and how many were here as they are."""

    added: int
    changed: int
    known: int


class AnnotationProbes:
    def __init__(self, database: Database) -> None:
        self._db = database

    def probes(self, member: Member, project_id: str) -> list[Probe]:
        """As the member may see them."""
        reviewing(member)
        with self._db.snapshot() as connection:
            seen_project(connection, member, project_id)
            return [_seen(one, member) for one in probes_of(connection, project_id)]

    def verdicts(self, member: Member, project_id: str) -> list[tuple[str, ...]]:
        """Of each item that as many have reviewed, as it is now, as are asked for: what they said, without names and items."""
        reviewing(member)
        with self._db.snapshot() as connection:
            seen_project(connection, member, project_id)
            return [tuple(r.verdict for r in one.present) for one in probes_of(connection, project_id) if len(one.present) >= REVIEWERS]

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
            if before is not None and before.version == one.version and before.as_asked() == one.as_asked():
                return
            _keep(connection, member, project_id, one, before)

    def take_file(self, member: Member, project_id: str, rows: Sequence[tuple[int, Probe]], *, most: int) -> Taken:
        """Items of a file, all of them or none. One that is here by its id is changed, if it still has the version that the row names; what the table has as it
        stands then, under whatever id, is known; everything else is new, and the member its writer. Nothing is removed. rows: (number, item);
        most: items that a table may have. Raises TableStale, TableFull, NotThere."""
        reviewing(member)
        added = changed = known = 0
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            there = {one.id: one for one in probes_of(connection, project_id)}
            new = [one for _, one in rows if one.id not in there]
            for number, one in rows:
                before = there.get(one.id)
                if before is None:
                    continue
                if _said(one) == _said(before):
                    known += 1
                    continue
                if before.version != one.version:
                    raise TableStale(
                        f"Row {number}: this item was changed here since the file was written, or the row names no version. Nothing was taken in.",
                        row=number,
                    )
                _keep(connection, member, project_id, one, before)
                there[one.id] = one
                changed += 1
            # Only now: what an item said before its change is not in the table any more.
            said = {_said(one) for one in there.values()}
            for one in new:
                if _said(one) in said:
                    known += 1
                    continue
                if len(there) >= most:
                    raise TableFull(f"A table has {most} items at most. Nothing was taken in.", limit=most)
                free = _free(connection, project_id, one)
                there[free] = replace(one, id=free, version=0)
                _keep(connection, member, project_id, there[free], None)
                said.add(_said(one))
                added += 1
        return Taken(added, changed, known)

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


def _seen(one: Probe, member: Member) -> Probe:
    if one.checked or member.user_id in one.writers or any(review.reviewer == member.user_id for review in one.present):
        return one
    return replace(one, reviews=(), blind=bool(one.present))


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


def _keep(connection: sqlite3.Connection, member: Member, project_id: str, one: Probe, before: Probe | None) -> None:
    """An item in place of what is there, which must have its version; as a new one where its version is 0. Raises ChangedMeanwhile."""
    if before is None and one.version == 0:
        _add(connection, project_id, one, writers=(member.user_id,))
    elif before is None or before.version != one.version:
        raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
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


def _said(one: Probe) -> tuple[str, ...]:
    return (one.language, one.topic, one.p, one.q, one.a)


def _free(connection: sqlite3.Connection, project_id: str, one: Probe) -> str:
    """The id of a new item: its own, unless another project has that, else one that no item has, also none that said the same before it was changed."""

    def taken(probe_id: str) -> bool:
        return connection.execute("SELECT 1 FROM annotation_probe WHERE id = ?", (probe_id,)).fetchone() is not None

    if one.id and not taken(one.id):
        return one.id
    named = ("probe", project_id, one.id, *_said(one))
    return next(own for n in count() if not taken(own := stable_id(*named, *[n] * bool(n))))


def _add(connection: sqlite3.Connection, project_id: str, one: Probe, *, writers: Sequence[str]) -> None:
    connection.execute(
        """INSERT OR IGNORE INTO annotation_probe (id, project_id, language, topic, p, q, a, writers, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (one.id, project_id, one.language, one.topic, one.p, one.q, one.a, json.dumps(list(writers)), now_ms()),
    )
