"""Regular probes: who may write, see and review which. The rules are in the queries here, as in `storage.annotation_sight`.

A dialogue is open for them once it has gold: to whoever did not annotate it, to its reviewer, and to its annotators once it is released; never to who played it.
A probe is its author's alone until it is handed in; then others review it (`storage.annotation_regular_reviews`).
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from storage.annotation_errors import AlreadySubmitted, ChangedMeanwhile, NotThere
from storage.annotation_projects import note, turns_of
from storage.annotation_records import REVIEWER, Gold, Item, Member, Turn
from storage.annotation_regular_records import OpenItem, ProbeWork, Regular, RegularState, seed_of
from storage.annotation_regular_rows import noted, regular_row, regulars_of, rewrite, waits
from storage.annotation_sight import item, items_of, own_of_item, reviewing
from storage.annotation_work import gold_of
from storage.database import Database
from storage.records import now_ms

_CLOSED = "This dialogue is not open to you for probes."


class AnnotationRegular:
    def __init__(self, database: Database) -> None:
        self._db = database

    # What is open

    def open_items(self, member: Member, project_id: str) -> list[OpenItem]:
        found = []
        with self._db.snapshot() as connection:
            for one in items_of(connection, project_id, now_ms()):
                if not _is_open(connection, member, one):
                    continue
                probes = regulars_of(connection, one.id)
                mine = sum(p.author == member.user_id for p in probes)
                waiting = sum(waits(p, member) for p in probes) if member.reviews else 0
                undecided = sum(p.state in (RegularState.WAITING, RegularState.DISPUTED) for p in probes)
                found.append(OpenItem(one, mine, waiting, undecided, sum(p.stands for p in probes)))
        return found

    def take(self, member: Member, item_id: str) -> ProbeWork:
        """A member's work on a dialogue's probes, begun now if it was not. Raises NotThere."""
        with self._db.write() as connection:
            found = opened(connection, member, item_id)
            if _work(connection, member, item_id) is None:
                made = secrets.token_hex(16)
                connection.execute(
                    "INSERT INTO annotation_probe_work (id, item_id, user_id, started_at) VALUES (?, ?, ?, ?)",
                    (made, item_id, member.user_id, now_ms()),
                )
                note(connection, member, project_id=found.project_id, item_id=item_id, action="probing_begun", subject=made)
            work = _work(connection, member, item_id)
        assert work is not None
        return work

    def material(self, member: Member, item_id: str) -> tuple[Item, list[Turn], list[Gold]]:
        """The dialogue and its gold."""
        with self._db.snapshot() as connection:
            found = opened(connection, member, item_id)
            return found, turns_of(connection, item_id), gold_of(connection, item_id)

    def keep_draft(self, member: Member, work_id: str, *, draft: str) -> None:
        with self._db.write() as connection:
            if not connection.execute(
                "UPDATE annotation_probe_work SET draft = ? WHERE id = ? AND user_id = ?", (draft, work_id, member.user_id)
            ).rowcount:
                raise NotThere("This work is not there, or is not yours.")

    # Writing

    def own(self, member: Member, item_id: str) -> list[Regular]:
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            return [_authors(one) for one in regulars_of(connection, item_id) if one.author == member.user_id]

    def standing(self, member: Member, item_id: str) -> list[Regular]:
        """Those that are accepted: for admins and reviewers to whom the dialogue is open."""
        reviewing(member)
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            return [one for one in regulars_of(connection, item_id) if one.stands]

    def counts(self, member: Member, item_id: str) -> Mapping[int, int]:
        """By number of a gold point, how many probes of anybody are about it and handed in."""
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            found: dict[int, int] = {}
            for one in regulars_of(connection, item_id):
                if one.submitted_at is not None and one.state is not RegularState.REJECTED:
                    found[one.gold] = found.get(one.gold, 0) + 1
            return found

    def keep(self, member: Member, item_id: str, probe: Regular) -> Regular:
        """Add a probe (version 0), or change the author's own if it still has its version; what was handed in is taken back by that, and its review void.

        Raises ChangedMeanwhile, NotThere, and AlreadySubmitted for one that is accepted.
        """
        with self._db.write() as connection:
            found = opened(connection, member, item_id)
            if not any(one.number == probe.gold for one in gold_of(connection, item_id)):
                raise NotThere("This memory point is not there.")
            before = regular_row(connection, probe.id)
            now = now_ms()
            if before is None:
                if probe.version != 0 or connection.execute("SELECT 1 FROM annotation_regular WHERE id = ?", (probe.id,)).fetchone():
                    raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
                connection.execute(
                    """INSERT INTO annotation_regular (id, item_id, gold, user_id, author, language, line, options, note, seed, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    (
                        probe.id, item_id, probe.gold, member.user_id, member.user_id, probe.language, probe.line,
                        json.dumps(list(probe.options), ensure_ascii=False), probe.note, seed_of(probe.id), now, now,
                    ),
                )  # fmt: skip
            else:
                if before.item_id != item_id or before.author != member.user_id:
                    raise NotThere("This probe is not there, or is not yours.")
                if probe.version in (0, before.version - 1) and before.content() == probe.content():
                    return before  # sent a second time, as where the answer was lost
                if before.version != probe.version:
                    raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
                if before.state is RegularState.ACCEPTED:
                    raise AlreadySubmitted("This probe is accepted; it stays as it is.")
                rewrite(connection, before.id, probe, submitted_at=None)
            kept = regular_row(connection, probe.id)
            assert kept is not None
            connection.execute("UPDATE annotation_probe_work SET draft = '' WHERE item_id = ? AND user_id = ?", (item_id, member.user_id))
            noted(connection, member, found, "regular_probe", kept, before=before, after=kept)
        return kept

    def submit(self, member: Member, probe_id: str, *, version: int) -> Regular:
        """Hand a probe in. Raises NotThere, ChangedMeanwhile, AlreadySubmitted."""
        with self._db.write() as connection:
            before, found = _own(connection, member, probe_id, version)
            if before.submitted_at is not None:
                raise AlreadySubmitted("This is handed in already. Nothing was changed.")
            connection.execute("UPDATE annotation_regular SET submitted_at = ? WHERE id = ?", (now_ms(), probe_id))
            if not before.reviewed:  # it stands from now on, also when the account goes
                connection.execute("UPDATE annotation_regular SET user_id = NULL WHERE id = ?", (probe_id,))
            noted(connection, member, found, "regular_handed_in", before)
            kept = regular_row(connection, probe_id)
        assert kept is not None
        return kept

    def remove(self, member: Member, probe_id: str, *, version: int) -> None:
        """Raises as `submit`; one that is accepted stays."""
        with self._db.write() as connection:
            before, found = _own(connection, member, probe_id, version)
            if before.state is RegularState.ACCEPTED:
                raise AlreadySubmitted("This probe is accepted; it stays as it is.")
            connection.execute("UPDATE annotation_regular SET removed_at = ?, version = version + 1 WHERE id = ?", (now_ms(), probe_id))
            noted(connection, member, found, "regular_removed", before, before=before)


def _authors(one: Regular) -> Regular:
    """As its author sees it: nothing of one reviewer's before both have decided, and of two who differ no reasons."""
    if one.state is RegularState.WAITING:
        return replace(one, reviews=())
    if one.state is RegularState.DISPUTED:
        return replace(one, reviews=tuple(replace(r, reviewer="", choice=0, reason="", note="") for r in one.pair))
    return one


def _is_open(connection: sqlite3.Connection, member: Member, one: Item) -> bool:
    if not member.annotates or one.gold_at is None:
        return False
    (player,) = connection.execute("SELECT player_id FROM annotation_item WHERE id = ?", (one.id,)).fetchone()
    if player == member.user_id:
        return False
    mine = own_of_item(connection, member, one.id)
    return mine is None or mine.role == REVIEWER or one.released_at is not None or one.overlap == 1


def opened(connection: sqlite3.Connection, member: Member, item_id: str) -> Item:
    found = item(connection, item_id, now_ms())
    if not _is_open(connection, member, found):
        raise NotThere(_CLOSED)
    return found


def _work(connection: sqlite3.Connection, member: Member, item_id: str) -> ProbeWork | None:
    row = connection.execute(
        """SELECT w.*, i.project_id FROM annotation_probe_work w JOIN annotation_item i ON i.id = w.item_id
        WHERE w.item_id = ? AND w.user_id = ?""",
        (item_id, member.user_id),
    ).fetchone()
    return ProbeWork(row["id"], row["item_id"], row["project_id"], row["draft"]) if row is not None else None


def _own(connection: sqlite3.Connection, member: Member, probe_id: str, version: int) -> tuple[Regular, Item]:
    one = regular_row(connection, probe_id)
    if one is None or one.author != member.user_id:
        raise NotThere("This probe is not there, or is not yours.")
    if one.version != version:
        raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
    return one, opened(connection, member, one.item_id)
