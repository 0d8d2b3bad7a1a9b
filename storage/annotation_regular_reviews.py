"""Reviews of regular probes: two people decide about each, neither its author, neither knowing of the other.

A reviewer is shown line and options as a reader would see them, without the right one, its point and its author's note, until they have chosen; what another chose and
decided is shown to nobody before both have decided. Where the two differ a third person settles it, who chooses first as well and is then shown both decisions; or an
admin, also one who was of the two, as a small house may have nobody else.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from storage.annotation_errors import BothDecided, ChangedMeanwhile, NothingLeft, NotReady, NotThere
from storage.annotation_records import Item, Member
from storage.annotation_regular import opened
from storage.annotation_regular_records import ACCEPTED, EDITED, REVIEWERS, Regular, RegularReview, RegularState, ToReview
from storage.annotation_regular_rows import decided, noted, regular_row, regulars_of, rewrite, waits
from storage.annotation_sight import reviewing
from storage.annotation_work import gold_of
from storage.database import Database
from storage.records import now_ms


class AnnotationRegularReviews:
    def __init__(self, database: Database) -> None:
        self._db = database

    # For figures

    def reviews(self, member: Member, item_id: str) -> list[RegularReview]:
        """What reviewers made of every probe of a dialogue that is decided about, whatever became of it, without names. A choice is in it once."""
        reviewing(member)
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            found: list[RegularReview] = []
            for one in decided(regulars_of(connection, item_id)):
                blind = {(r.reviewer, r.answered_at) for r in one.reviews if not r.settles}
                found += [r for r in one.reviews if not r.settles or (r.reviewer, r.answered_at) not in blind]
        return [_bare(r) for r in found]

    def pairs(self, member: Member, item_id: str) -> list[tuple[RegularReview, RegularReview]]:
        """What two people decided about the same words without knowing of each other, of every version that both have decided about; without names."""
        reviewing(member)
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            probes = regulars_of(connection, item_id)
        found = []
        for one in probes:
            for version in sorted({r.version for r in one.reviews}):
                both = replace(one, version=version).pair
                if len(both) >= REVIEWERS:
                    found.append((_bare(both[0]), _bare(both[1])))
        return found

    # Of one reviewer

    def to_review(self, member: Member, item_id: str) -> ToReview:
        """The next that waits for a member. Raises NothingLeft.

        What they have chosen about and not decided comes first, and what they have decided about themselves and may settle comes last.
        """
        reviewing(member)
        with self._db.snapshot() as connection:
            opened(connection, member, item_id)
            waiting = [one for one in regulars_of(connection, item_id) if waits(one, member)]
        if not waiting:
            raise NothingLeft("No probe of this dialogue waits for you.")

        def turn(one: Regular) -> int:
            mine = own_review(one, member)
            return 1 if mine is None else 2 if mine.verdict else 0

        return _blinded(min(waiting, key=turn), member)

    def answer(self, member: Member, probe_id: str, *, version: int, shown: int) -> ToReview:
        """What a reviewer would choose, kept once for each version; then the whole is shown. shown: a place among the options as they are shown. Raises NotThere."""
        reviewing(member)
        with self._db.write() as connection:
            one, found = _others(connection, member, probe_id, version)
            choice = one.order[shown]
            if own_review(one, member) is None:
                connection.execute(
                    "INSERT INTO annotation_regular_review (regular_id, version, reviewer, choice, answered_at) VALUES (?, ?, ?, ?, ?)",
                    (probe_id, version, member.user_id, choice, now_ms()),
                )
                noted(connection, member, found, "regular_answered", one, text=str(choice))
            kept = _there(connection, probe_id)
        return _blinded(kept, member)

    def decide(
        self, member: Member, probe_id: str, *, version: int, verdict: str, reason: str, remark: str, edited: Regular | None = None
    ) -> Regular:
        """Accept, accept as the reviewer would have it, or reject; of a disputed one that settles it. A change of nothing accepts. Sent a second time, as where the
        answer was lost, it is there already.

        Raises NotReady before the reviewer has chosen an option themselves.
        """
        reviewing(member)
        with self._db.write() as connection:
            there = regular_row(connection, probe_id)
            if there is not None and there.version == version and _is_sent(there, member, (verdict, reason, remark)):
                return there
            one, found = _others(connection, member, probe_id, version)
            mine = own_review(one, member)
            if mine is None:
                raise NotReady("Choose an option first. Nothing was changed.")
            if edited is not None:
                if not any(gold.number == edited.gold for gold in gold_of(connection, one.item_id)):
                    raise NotThere("This memory point is not there.")
                if edited.content() == one.content():
                    verdict, edited = ACCEPTED, None
            proposal = _text(edited) if edited is not None else ""
            settles = one.state is RegularState.DISPUTED
            if settles and mine.verdict:  # an admin who was one of the two
                connection.execute(
                    "INSERT INTO annotation_regular_review (regular_id, version, reviewer, settles, choice, answered_at) VALUES (?, ?, ?, 1, ?, ?)",
                    (probe_id, version, member.user_id, mine.choice, mine.answered_at),
                )
            elif settles:
                connection.execute(
                    "UPDATE annotation_regular_review SET settles = 1 WHERE regular_id = ? AND version = ? AND reviewer = ?",
                    (probe_id, version, member.user_id),
                )
            connection.execute(
                """UPDATE annotation_regular_review SET verdict = ?, reason = ?, note = ?, proposal = ?, decided_at = ?
                WHERE regular_id = ? AND version = ? AND reviewer = ? AND settles = ?""",
                (verdict, reason, remark, proposal, now_ms(), probe_id, version, member.user_id, int(settles)),
            )
            kept = _followed(connection, one)
            told = f"{reason}: {remark}" if reason else ""
            after = edited if edited is not None else kept
            noted(connection, member, found, f"regular_{'settled_' * settles}{verdict}", one, before=one, after=after, text=told)
        return kept

    def take_back(self, member: Member, probe_id: str, *, version: int) -> ToReview:
        """A member's own decision, as long as no other is there; what they chose stays. Raises NotThere, BothDecided."""
        reviewing(member)
        with self._db.write() as connection:
            one = regular_row(connection, probe_id)
            mine = next((r for r in one.pair if r.reviewer == member.user_id), None) if one is not None else None
            if one is None or mine is None or one.version != version:
                raise NotThere("There is no decision of yours about this probe as it is.")
            if one.state is not RegularState.WAITING:
                raise BothDecided("The other reviewer has decided too. Nothing was changed.")
            found = opened(connection, member, one.item_id)
            connection.execute(
                """UPDATE annotation_regular_review SET verdict = NULL, reason = '', note = '', proposal = '', decided_at = NULL
                WHERE regular_id = ? AND version = ? AND reviewer = ? AND settles = 0""",
                (probe_id, version, member.user_id),
            )
            noted(connection, member, found, "regular_taken_back", one, text=mine.verdict)
            kept = _there(connection, probe_id)
        return _blinded(kept, member)


def own_review(one: Regular, member: Member) -> RegularReview | None:
    """Of the probe as it is now."""
    return next((r for r in one.present if r.reviewer == member.user_id), None)


def _is_sent(one: Regular, member: Member, said: tuple[str, str, str]) -> bool:
    """Whether this is what the member has decided; a change is told by its proposal, which is not looked at here, so that one is refused as any other."""
    mine = own_review(one, member)
    return mine is not None and mine.proposal is None and (mine.verdict, mine.reason, mine.note) == said and not waits(one, member)


def _followed(connection: sqlite3.Connection, before: Regular) -> Regular:
    """What comes of the decisions: a change that stands is written, and the decisions that it follows from are about the words it made."""
    now = _there(connection, before.id)
    first = next(iter(now.decisions), None)
    if first is None or now.state is RegularState.REJECTED:
        return now
    if first.verdict == EDITED and first.proposal is not None:
        rewrite(connection, now.id, _proposed(before, first), submitted_at=before.submitted_at)
        connection.executemany(
            """UPDATE annotation_regular_review SET version = version + 1, edited = ?
            WHERE regular_id = ? AND version = ? AND reviewer = ? AND settles = ?""",
            [(_text(before), now.id, before.version, r.reviewer, int(r.settles)) for r in now.decisions],
        )
    # It stands from now on, also when its author's account goes.
    connection.execute("UPDATE annotation_regular SET user_id = NULL WHERE id = ?", (now.id,))
    return _there(connection, now.id)


def _proposed(one: Regular, review: RegularReview) -> Regular:
    told: Mapping[str, Any] = review.proposal or {}
    return replace(one, gold=told["gold"], language=told["language"], line=told["line"], options=tuple(told["options"]), note=told["note"])


def _others(connection: sqlite3.Connection, member: Member, probe_id: str, version: int) -> tuple[Regular, Item]:
    """A probe that waits for this member's review."""
    one = regular_row(connection, probe_id)
    if one is None or not waits(one, member):
        raise NotThere("This probe does not wait for you. Others may have decided about it.")
    if one.version != version:
        raise ChangedMeanwhile("It was changed meanwhile. Nothing was done here.")
    return one, opened(connection, member, one.item_id)


def _there(connection: sqlite3.Connection, probe_id: str) -> Regular:
    found = regular_row(connection, probe_id)
    assert found is not None
    return found


def _bare(one: RegularReview) -> RegularReview:
    return replace(one, reviewer="", note="", proposal=None, edited=None)


def _text(one: Regular) -> str:
    return json.dumps(one.content(), ensure_ascii=False, sort_keys=True)


def _blinded(one: Regular, member: Member) -> ToReview:
    mine, settles = own_review(one, member), one.state is RegularState.DISPUTED
    if mine is None:
        bare = Regular(
            id=one.id, gold=0, language=one.language, line=one.line, options=one.shown, version=one.version, item_id=one.item_id,
            submitted_at=one.submitted_at,
        )  # fmt: skip
        return ToReview(bare, None, settles)
    others = tuple(replace(r, reviewer="") for r in one.pair if r.reviewer != member.user_id) if settles else ()
    return ToReview(replace(one, author="", reviews=()), mine, settles, others)
