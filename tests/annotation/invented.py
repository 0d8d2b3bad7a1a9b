"""A long dialogue of our own making, and people who annotate it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from annotation.dialogues import item_of
from annotation.workbench import Workbench
from chat.imported import ImportedConversation, ImportedMessage
from storage.annotation_records import Member, Point, Project, Turn
from storage.records import stable_id
from storage.store import Store

ADMIN, ANN, BO, RENA = Member("ada", "admin"), Member("ann", "annotator"), Member("bo", "annotator"), Member("rena", "reviewer")
CATEGORIES = ("Profile", "Preference", "Event")
TOLD = {
    3: "I grew up above a bakery in Tallis Street.",
    21: "My sister Oda is getting married in June. I promised to lend her the lanterns.",
    57: "I cannot stand marzipan, never could.",
    89: "The boat is called Patience. My father left it to me.",
    143: "I start at the observatory on Monday!",
    201: "I gave the lanterns to Oda yesterday. She cried.",
    255: "Since the fall I am afraid of ladders.",
}
"""What is worth remembering, by message."""
SMALL = (
    "Did you sleep?", "A little. The gulls were early again.", "They always are when the wind turns.", "Shall we walk to the pier?",
    "After tea. The kettle is on.", "You and your tea.", "It is raining on the far side of the bay.", "Then we take the long coat.",
    "There is only one long coat.", "We have shared worse.",
)  # fmt: skip


def messages(count: int = 300) -> list[tuple[str, str]]:
    """(speaker, words)"""
    return [(("Maren", "Idris")[n % 2 == 0], TOLD.get(n, SMALL[(n * 7) % len(SMALL)])) for n in range(1, count + 1)]


def file(count: int = 300) -> bytes:
    """As JSON lines, which an import reads."""
    begun = datetime(2026, 3, 1, 18, tzinfo=UTC)
    lines = [
        {"name": name, "text": text, "date": (begun + timedelta(minutes=n, days=n // 60)).isoformat(), "session": n // 60 + 1}
        for n, (name, text) in enumerate(messages(count))
    ]
    return "\n".join(json.dumps(line) for line in lines).encode()


def conversation(count: int = 300, *, key: str = "pier") -> ImportedConversation:
    begun = datetime(2026, 3, 1, 18, tzinfo=UTC)
    said = tuple(
        ImportedMessage(f"T{n}", name, text, begun + timedelta(minutes=n), n // 60 + 1, n)
        for n, (name, text) in enumerate(messages(count), 1)
    )
    return ImportedConversation(key, f"The {key}", ("Maren", "Idris"), said, ())


def house(store: Store) -> Workbench:
    """A workbench with an admin, two annotators and a reviewer."""
    for member in (ADMIN, ANN, BO, RENA):
        store.chats.ensure_user(member.user_id, member.user_id)
    return Workbench(store)


def project(bench: Workbench, *, overlap: int = 2, dialogues: int = 1, count: int = 300) -> Project:
    made = bench.make_project(
        ADMIN, {"name": "The pier", "overlap": overlap, "lease_hours": 24, "categories": list(CATEGORIES), "guideline": "Mark what lasts."}
    )
    bench.projects.add_items(ADMIN, made.id, [item_of(conversation(count, key=f"pier {n}")) for n in range(dialogues)])
    return made


def wording(
    text: str, turns: Sequence[int], *, category: str = "Profile", id: str = "", version: int = 0, quotes: Sequence[dict[str, object]] = ()
) -> dict[str, object]:
    """A point as the page sends it."""
    return {
        "id": id or stable_id(text, *turns),
        "version": version,
        "text": text,
        "category": category,
        "language": "en",
        "evidence": {"turns": list(turns), "quotes": list(quotes)},
        "note": "",
        "unclear": False,
    }


def point(text: str, turns: Sequence[int], category: str = "Profile") -> Point:
    from storage.annotation_records import Evidence

    return Point(stable_id(text, *turns), 1, text, category, "en", Evidence(tuple(turns)))


def turns(count: int = 300) -> list[Turn]:
    return list(item_of(conversation(count)).turns)


def doubled(bench: Workbench, made: Project) -> None:
    """Both annotate its next dialogue: one point they agree on, one that differs in category, one each alone."""
    ann = bench.projects.take(ANN, made.id, "annotator")
    bo = bench.projects.take(BO, made.id, "annotator")
    for value in (
        wording("Maren grew up above a bakery.", [3]),
        wording("Maren hates marzipan.", [57], category="Preference"),
        wording("Maren starts at the observatory.", [143], category="Event"),
    ):
        bench.keep_point(ANN, ann.id, {**value, "id": stable_id(ann.id, value["text"])})
    for value in (
        wording("Maren grew up over a bakery.", [3]),
        wording("Maren cannot stand marzipan.", [57], category="Profile"),
        wording("Maren is afraid of ladders.", [255]),
    ):
        bench.keep_point(BO, bo.id, {**value, "id": stable_id(bo.id, value["text"])})
    bench.work.submit(ANN, ann.id)
    bench.work.submit(BO, bo.id)


def adjudicated(bench: Workbench, made: Project) -> str:
    """Rena decides about all of it; the dialogue's id."""
    review = bench.projects.take(RENA, made.id, "reviewer")
    sheet = bench.review_sheet(RENA, review.id)
    for part in sheet.parts:
        if not part.agreed:
            verdict = "a" if part.a is not None else "b"
            bench.decide(RENA, review.id, part.id, decision(verdict), before=None)
    bench.finish(RENA, review.id)
    return review.item_id


def decision(verdict: str, **more: object) -> dict[str, object]:
    return {"verdict": verdict, "point": None, "into": "", "reason": "subjective", "confidence": 2, "note": "", "flag": False, **more}
