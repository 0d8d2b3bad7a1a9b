"""Bundles that were tampered with: each way to forge one, and what it is refused for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Lines = list[dict[str, Any]]


def write(path: Path, lines: Lines, *, seal: bool = True) -> Path:
    """The lines with counts and end mark made to fit them."""
    if seal:
        for name in {line.get("type") for line in lines[1:-1]} - {"end"}:
            if isinstance(name, str):
                lines[0]["counts"][name] = sum(line.get("type") == name for line in lines[1:-1])
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    if seal:
        lines[-1] = {"type": "end", "records": len(lines) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(body + json.dumps(lines[-1]).encode() + b"\n")
    return path


def first(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == kind)


def last(lines: Lines, kind: str) -> dict[str, Any]:
    return [line for line in lines if line["type"] == kind][-1]


def _twice(kind: str) -> Callable[[Lines], object]:
    return lambda lines: lines.insert(lines.index(first(lines, kind)) + 1, dict(first(lines, kind)))


def _set(kind: str, /, **fields: object) -> Callable[[Lines], object]:
    return lambda lines: first(lines, kind).update(fields)


def _last_set(kind: str, **fields: object) -> Callable[[Lines], object]:
    return lambda lines: last(lines, kind).update(fields)


def _undo(change: list[object]) -> Callable[[Lines], object]:
    return _set("undo", forward=[change])


def _rest_on_both(lines: Lines) -> None:
    """A memory of the message that has two wordings names the second as well."""
    message = next(line for line in lines if line["type"] == "message" and len(line["revisions"]) > 1)
    own, other = message["revisions"]
    memory = next(m for m in lines if m["type"] == "memory" and any(s["revision"] == own["id"] for s in m["sources"]))
    memory["sources"].append({"revision": other["id"], "sha256": other["sha256"]})


def _nested(depth: int) -> object:
    return [_nested(depth - 1)] if depth else 1


FOREIGN = "f" * 32
FORGED: dict[str, tuple[Callable[[Lines], object], str]] = {
    "a message of another chat": (_last_set("message", external_id="another"), "not made from its chat"),
    "a parent that is not there": (_last_set("message", parent=FOREIGN), "does not come before it"),
    "a cycle": (lambda lines: first(lines, "message").update(parent=last(lines, "message")["id"]), "does not come before it"),
    "its own parent": (lambda lines: last(lines, "message").update(parent=last(lines, "message")["id"]), "does not come before it"),
    "a wrong depth": (_last_set("message", depth=77), "depth"),
    "a wrong round": (_last_set("message", round=77), "round"),
    "words of what was deleted": (_set("memory", status="deleted"), "its words are there"),
    "a text that was changed": (lambda lines: first(lines, "message")["revisions"][0].update(text="forged"), "SHA-256"),
    "a wrong revision id": (lambda lines: first(lines, "message")["revisions"][0].update(id=FOREIGN), "not made from its message"),
    "no first wording": (lambda lines: first(lines, "message")["revisions"][0].update(ordinal=1), "no first wording"),
    "a branch that is not there": (_set("chat", active_branch=FOREIGN), "active branch"),
    "a head that is not there": (_set("branch", head=FOREIGN), "does not come before it"),
    "a selection of another's wording": (
        lambda lines: first(lines, "branch")["selections"][0].update(revision=first(lines, "message")["revisions"][0]["id"]),
        "another message",
    ),
    "a memory that was changed": (_set("memory", text="forged"), "SHA-256"),
    "a source that is not there": (lambda lines: first(lines, "memory")["sources"][0].update(revision=FOREIGN), "does not come before it"),
    "a source with another hash": (lambda lines: first(lines, "memory")["sources"][0].update(sha256="0" * 64), "SHA-256 of a source"),
    "more sources than it was made from": (_set("memory", source_count=1), "more sources than it says"),
    "a derived memory of two wordings that differ": (lambda lines: _rest_on_both(lines), "from one wording of a message"),
    "grounds that come later": (
        lambda lines: first(lines, "memory").update(grounds=[last(lines, "memory")["id"]]),
        "does not come before it",
    ),
    "a recall of another's memory": (lambda lines: first(lines, "recall")["events"][0].update(memory=FOREIGN), "does not come before it"),
    "undo of another chat's head": (_undo(["head", [FOREIGN], None, None]), "does not come before it"),
    "undo into another chat": (_undo(["active", [FOREIGN], FOREIGN, FOREIGN]), "does not come before it"),
    "undo that selects for another": (_undo(["selection", [FOREIGN, FOREIGN], None, None]), "does not come before it"),
    "undo of no known thing": (_undo(["drop", ["chat"], None, None]), "does not know"),
    "a message twice": (_twice("message"), "twice"),
    "a memory twice": (_twice("memory"), "twice"),
    "a branch twice": (_twice("branch"), "twice"),
    "two chats": (_twice("chat"), "a second chat"),
    "an id that is a path": (_set("branch", id="../../../../etc/passwd"), "branch.id"),
    "a character id that is a path": (_set("character", id="../../etc/passwd"), "character.id"),
    "NUL": (lambda lines: first(lines, "message").update(speaker="A\0"), "NUL"),
    "NUL deep inside": (_set("chat", settings={"a": [{"b": "\0"}]}), "NUL"),
    "half a surrogate pair": (lambda lines: first(lines, "message").update(speaker="\ud800"), "line 4"),
    "a script in the card's drawing": (
        lambda lines: first(lines, "character")["card"]["data"]["extensions"]["keepsake"].update(
            avatar='<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
        ),
        "avatar",
    ),
    "a date without end": (lambda lines: first(lines, "message").update(said_at=10**18), "said_at"),
    "trust that is no number": (lambda lines: first(lines, "memory").update(trust=float("nan")), "trust"),
    "an unknown field": (_set("chat", user_id="eve"), "user_id"),
    "an unknown type": (_set("bin", type="annotation"), "annotation"),
    "types out of order": (lambda lines: lines.insert(1, lines.pop(2)), "stand in the order"),
    "a newer format": (lambda lines: lines[0].update(version=2), "newer Keepsake"),
    "another header's chat": (lambda lines: lines[0].update(chat=FOREIGN), "not the one in the header"),
    "a plot that is none": (_set("memory", kind="plot", payload={"tier": "x"}), "payload|tier"),
    "an episode of rounds to come": (_set("memory", round_first=50, round_last=50), "not those of its sources"),
    "a fact of rounds to come": (_set("memory", kind="fact", round_last=50), "not those of its sources"),
    "a story of rounds to come": (
        _set(
            "memory",
            kind="plot",
            slot="plot:2:30",
            round_first=30,
            round_last=59,
            payload={"tier": 2, "lines": [{"text": "x", "round": 30, "said_at": 0}]},
        ),
        "none of its sources",
    ),
    "a mark that rounds to come were read": (
        _set("memory", kind="plot", slot="unit:6", round_first=6, round_last=11, payload={"tier": 1, "lines": []}),
        "not those of its sources",
    ),
    "a mark that is a person's": (
        _set("memory", kind="plot", slot="unit:1", origin="user", payload={"tier": 1, "lines": []}),
        "no such mark",
    ),
    "a topic without a session": (_set("memory", kind="topic", slot=""), "without a session"),
    "a fact in the place of topics": (_set("memory", kind="fact", slot="session:1"), "no topic"),
    "a topic of a session to come": (_set("memory", kind="topic", slot="session:50"), "not one of its rounds"),
    "a topic before all others": (_set("memory", kind="topic", slot="session:1", slot_rank="000000!x"), "not that of its sources"),
    "a mark that two things were taken back": (
        _set("memory", kind="plot", slot="taken back", grounds=[], payload={"tier": 1, "lines": []}),
        "no such mark",
    ),
    "a mark that is a fact": (_set("memory", kind="fact", slot="unit:1", payload={}), "no such mark"),
    "a number of a thousand digits": (_set("chat", settings={"a": 10**1000}), "chat"),
    "a negative round": (_last_set("message", round=-1), "round"),
    "a round that is a fraction": (_last_set("message", round=1.5), "round"),
    "a round that is a truth": (_last_set("message", round=True), "round"),
    "a wall that is nowhere": (_last_set("message", utc_offset=841), "utc_offset"),
    "a wall that is half a minute off": (_last_set("message", utc_offset=60.5), "utc_offset"),
    "a wall that is a truth": (_last_set("message", utc_offset=True), "utc_offset"),
    "a wall that is a text": (_last_set("message", utc_offset="480"), "utc_offset"),
    "a memory's wall that is nowhere": (_last_set("memory", utc_offset=-841), "utc_offset"),
    "a moment after the last one on its wall": (_last_set("message", said_at=253_402_300_799_000, utc_offset=1), "after the year 9999"),
    "a day before the first one on its wall": (_last_set("memory", event_from=-62_135_596_800_000, utc_offset=-1), "before the year 1"),
    "a time that is a text": (_last_set("message", said_at="2024"), "said_at"),
    "a number without end": (_set("chat", settings={"a": float("inf")}), "number"),
    "a memory that rests on itself": (
        lambda lines: first(lines, "memory").update(grounds=[first(lines, "memory")["id"]]),
        "does not come before it",
    ),
    "a branch that is its own parent": (
        lambda lines: first(lines, "branch").update(parent=first(lines, "branch")["id"]),
        "does not come before it",
    ),
    "a source twice": (lambda lines: first(lines, "memory").update(sources=first(lines, "memory")["sources"] * 2, source_count=9), "twice"),
    "more sources than it says": (_set("memory", source_count=0), "more sources"),
    "a payload of wrong types": (_set("memory", payload={"cites": "all"}), "cites"),
    "a payload nested without end": (lambda lines: first(lines, "memory").update(payload={"a": _nested(60)}), "nested"),
    "a quote of a wrong type": (_set("memory", payload={"quote": ["x"]}), "quote"),
    "a decision about a message that is not there": (
        lambda lines: lines.insert(
            next(i for i, line in enumerate(lines) if line["type"] == "undo"),
            {"type": "edit", "memory": FOREIGN, "action": "tombstone", "message": FOREIGN, "created_at": 0},
        ),
        "does not come before it",
    ),
    "a wording that was read as an answer to nothing": (
        lambda lines: first(lines, "message")["revisions"][0].update(read=[[FOREIGN, "grounded-3"]]),
        "does not come before it",
    ),
    "an active branch that is in the bin": (
        lambda lines: next(
            line for line in lines if line["type"] == "branch" and line["id"] == first(lines, "chat")["active_branch"]
        ).update(deleted_at=5),
        "in the bin",
    ),
    "no chat": (lambda lines: lines.__delitem__(2), "does not come before it|no chat|line"),
}
