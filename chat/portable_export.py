"""A chat's rows as the lines of a bundle. Every line passes the same models that read it, so that what is written can be read again."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby, islice, product
from typing import Any

from pydantic import BaseModel, ValidationError

from chat import portable_memory_records as memories
from chat import portable_records as records
from chat.portable_fields import FORMAT, MAX_LINE_BYTES, VERSION
from chat.portable_records import End, Header, Record
from errors import KeepsakeError
from memory.engine import INDEX_TASK, LEARN_TASK
from memory.modelled import ANSWERS
from settings import VERSION as PROGRAM
from storage.bundle import Bundles, ChatRows
from storage.chats import LISTED
from storage.records import now_ms, sha256, stable_id
from storage.scope import Scope

LOCAL_TASKS = (INDEX_TASK, LEARN_TASK)
"""Work that makes what a bundle does not carry."""
MOST_WORDINGS = 256
"""Combinations of wordings that are tried for what a task was made from."""
_TABLES = {"session": "session", "memory": "memory", "derivation": "derivation", "forgetting": "forgetting_event", "receipt": "receipt"}
_TABLES |= {"message": "message", "branch": "branch", "edit": "user_edit", "undo": "undo_log", "bin": "bin_item"}


class ExportFailed(KeepsakeError):
    """A chat, card, lorebook or memory that could not be exported; param `reason`. Nothing was changed."""

    code = "export_failed"


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Around what reads rows for an export. Raises ExportFailed where the own JSON of one is cut or says something else. what: begins the sentence."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ExportFailed(
            f"{what} could not be exported: a row of it cannot be read ({error}). Nothing was changed.", reason=str(error)
        ) from error


def bundle_lines(bundles: Bundles, scope: Scope) -> Iterator[bytes]:
    """The lines of a chat's bundle, each with its line feed. They show one moment, and must be taken in one thread. Raises ExportFailed."""
    digest = hashlib.sha256()
    count = 0
    with bundles.reading(scope) as rows, readable("The chat"):
        exporter = _Exporter(rows)
        try:
            for record in chain([exporter.header(scope.chat_id)], exporter.stream()):
                line = _line(record)
                digest.update(line)
                count += 1
                yield line
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[0]
            reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise ExportFailed(f"The chat could not be exported: record {count}, {reason}. Nothing was changed.", reason=reason) from error
        yield _line(End(type="end", records=count, sha256=digest.hexdigest()))


def _line(record: BaseModel) -> bytes:
    line = record.model_dump_json(exclude_defaults=True).encode("utf-8") + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise ExportFailed("The chat could not be exported: one record of it is too large. Nothing was changed.", reason="size")
    return line


class _Exporter:
    def __init__(self, rows: ChatRows) -> None:
        self._rows = rows
        self._revisions: dict[str, list[str]] = {}
        """Wordings of each message, for the keys of tasks."""
        self._worked: dict[int, dict[tuple[str, ...], str]] = {}
        """Revisions that tasks were made from, and the last message they are of, by its round."""
        self._round: dict[str, int] = {}
        self._following: dict[str, list[str]] = {}
        """External ids of the messages after a message."""
        self._erased: set[str] = set()
        """Hashes of the model's words for memories that were deleted for good."""

    def header(self, chat_id: str) -> Header:
        self._erased = {r["content_sha256"] for r in self._rows.rows("user_edit") if r["action"] == "tombstone"} - {""}
        counts = {name: self._rows.count(table) for name, table in _TABLES.items()}
        counts |= {"character": max(1, len(self._rows.members())), "chat": 1, "recall": self._rows.cues()}
        counts["task"] = sum(row["kind"] not in LOCAL_TASKS for row in self._rows.rows("task"))
        counts["derivation"] = sum(1 for row in self._rows.rows("derivation") if self._may_travel(row))
        return Header(
            type="header",
            format=FORMAT,
            version=VERSION,
            program=PROGRAM,
            made_at=now_ms(),
            chat=chat_id,
            counts={name: counts[name] for name in records.TYPES if counts[name]},
        )

    def stream(self) -> Iterator[Record]:
        yield from self._characters()
        yield self._chat()
        for page in self._rows.paged("message"):
            yield from self._messages(page)
        for page in self._rows.paged("branch"):
            yield from self._branches(page)
        for r in self._rows.rows("session"):
            yield records.SessionRecord(
                type="session", last_message=r["last_message_id"], closed_at=r["closed_at"], closed_by=r["closed_by"]
            )
        for page in self._rows.paged("memory"):
            yield from self._memories(page)
        for r in self._rows.rows("derivation"):
            if self._may_travel(r):
                yield memories.DerivationRecord(type="derivation", **_only(r, "key", "kind", "version", "output", "created_at"))
        for group in self._rows.recalls():
            events = [
                memories.RecallEvent(memory=e["memory_id"], **_only(e, "round", "rank", "effect", "created_at", "witness")) for e in group
            ]
            yield memories.RecallRecord(type="recall", message=group[0]["message_id"], events=events)
        for r in self._rows.rows("forgetting_event"):
            yield memories.ForgettingRecord(
                type="forgetting", memory=r["memory_id"], message=r["message_id"], **_only(r, "round", "effect", "created_at", "witness")
            )
        for r in self._rows.rows("receipt"):
            yield memories.ReceiptRecord(
                type="receipt",
                id=r["id"],
                message=r["message_id"],
                revision=r["revision_id"],
                body=json.loads(r["body"]),
                created_at=r["created_at"],
            )
        yield from self._decisions()
        for r in self._rows.rows("task"):
            if r["kind"] not in LOCAL_TASKS:
                yield self._task(r)

    def _characters(self) -> Iterator[records.CharacterRecord]:
        members = self._rows.members()
        if not members:
            r = self._rows.character()
            yield self._character(r, json.loads(self._rows.chat()["settings"]).get("character", r["name"]))
        for r in members:
            yield self._character(r, r["member"])

    def _character(self, r: sqlite3.Row, name: str) -> records.CharacterRecord:
        """name: as it is called in this conversation."""
        card, original = json.loads(r["card_v3"]), json.loads(r["card"])
        if name != r["name"]:  # a bundle holds one conversation: its character goes by the name it has there
            renamed = {**card, "data": {**card["data"], "name": name}}
            card, original = renamed, renamed if original == card else original
        return records.CharacterRecord(
            type="character",
            built_in=r["user_id"] is None,
            card=card,
            original=original if original != card else None,
            avatar=base64.b64encode(picture).decode("ascii") if (picture := self._rows.avatar(r["id"])) is not None else None,
            name=name,
            **_only(r, "id", "language", "created_at", "updated_at"),
        )

    def _chat(self) -> records.ChatRecord:
        r = self._rows.chat()
        return records.ChatRecord(
            type="chat",
            active_branch=r["active_branch_id"],
            players=self._players(),
            members=[records.MemberPart(character=m["id"], name=m["member"], joined=bool(m["joined"])) for m in self._rows.members()],
            settings={
                key: value for key, value in json.loads(r["settings"]).items() if key not in ("character", *LISTED)
            },  # the character's record says its name; how a list is arranged is its user's
            **_only(r, "id", "title", "language", "user_name", "import_key", "version", "structure", "edition", "created_at", "updated_at"),
        )

    def _players(self) -> list[records.PlayerRecord]:
        return [
            records.PlayerRecord(
                face=base64.b64encode(rows[0]["face"]).decode("ascii") if rows[0]["face"] is not None else None,
                called=[r["called"] for r in rows],
                **_only(rows[0], "id", "name", "description", "created_at", "updated_at"),
            )
            for rows in (list(group) for _, group in groupby(self._rows.players(), key=lambda r: r["id"]))
        ]

    def _messages(self, page: Sequence[sqlite3.Row]) -> Iterator[records.MessageRecord]:
        ids = [r["id"] for r in page]
        wordings = self._rows.parts(
            "SELECT r.* FROM json_each(?) w CROSS JOIN revision r ON r.message_id = w.value ORDER BY r.message_id, r.ordinal",
            ids,
            by="message_id",
        )
        read = self._rows.parts(
            "SELECT e.* FROM json_each(?) w CROSS JOIN extraction e ON e.revision_id = w.value ORDER BY e.question_id, e.version",
            [r["id"] for found in wordings.values() for r in found],
            by="revision_id",
        )
        for row in page:
            self._revisions[row["id"]] = [r["id"] for r in wordings[row["id"]]]
            self._round[row["id"]] = row["round"]
            self._following.setdefault(row["parent_id"] or "", []).append(row["external_id"] or "")
            yield records.MessageRecord(
                type="message",
                parent=row["parent_id"],
                present=json.loads(row["present"]),
                room=json.loads(row["room"]) if row["room"] is not None else None,
                heard=bool(row["heard"]),
                revisions=[
                    records.Revision(
                        read=[(e["question_id"], e["version"]) for e in read.get(r["id"], ())],
                        **_only(r, "id", "ordinal", "text", "sha256", "origin", "status", "model", "player", "created_at"),
                    )
                    for r in wordings[row["id"]]
                ],
                **_only(row, "id", "depth", "round", "role", "speaker", "said_at", "utc_offset", "story_time", "external_id", "created_at"),
            )

    def _branches(self, page: Sequence[sqlite3.Row]) -> Iterator[records.BranchRecord]:
        selections = self._rows.parts(
            "SELECT s.* FROM json_each(?) w CROSS JOIN selection s ON s.branch_id = w.value", [r["id"] for r in page], by="branch_id"
        )
        ends = self._rows.parts(
            "SELECT e.* FROM json_each(?) w CROSS JOIN story_end e ON e.branch_id = w.value", [r["id"] for r in page], by="branch_id"
        )
        away = self._rows.parts(
            "SELECT o.* FROM json_each(?) w CROSS JOIN wording_out o ON o.branch_id = w.value", [r["id"] for r in page], by="branch_id"
        )
        for row in page:
            yield records.BranchRecord(
                type="branch",
                parent=row["parent_id"],
                head=row["head_id"],
                selections=[
                    records.Selection(message=s["message_id"], revision=s["revision_id"], state=s["state"])
                    for s in selections.get(row["id"], ())
                ],
                ends=[e["message_id"] for e in ends.get(row["id"], ())],
                away=[records.AwayPart(revision=o["revision_id"], at=o["taken_at"]) for o in away.get(row["id"], ())],
                **_only(row, "id", "forked_at", "name", "created_at", "deleted_at"),
            )

    def _memories(self, page: Sequence[sqlite3.Row]) -> Iterator[memories.MemoryRecord]:
        ids = [r["id"] for r in page]
        sources = self._rows.parts(
            "SELECT s.* FROM json_each(?) w CROSS JOIN memory_source s ON s.memory_id = w.value ORDER BY s.memory_id, s.revision_id",
            ids,
            by="memory_id",
        )
        grounds = self._rows.parts(
            "SELECT g.* FROM json_each(?) w CROSS JOIN memory_ground g ON g.memory_id = w.value ORDER BY g.memory_id, g.ordinal",
            ids,
            by="memory_id",
        )
        for row in page:
            yield memories.MemoryRecord(
                type="memory",
                sha256=row["text_sha256"] or sha256(row["text"]),  # of what was erased not even the hash is kept
                knowers=json.loads(row["knowers"]),
                payload=json.loads(row["payload"]),
                pinned=bool(row["pinned"]),
                excluded=bool(row["excluded"]),
                sources=[memories.Source(revision=s["revision_id"], sha256=s["sha256"]) for s in sources.get(row["id"], ())],
                grounds=[g["ground_id"] for g in grounds.get(row["id"], ())],
                **_only(row, "id", "kind", "text", "language", "subject", "said_by", "round_first", "round_last", "said_at", "utc_offset"),
                **_only(row, "event_from", "event_to", "trust", "status", "origin", "slot", "slot_rank", "derivation_key", "source_count"),
                **_only(row, "created_at"),
            )

    def _decisions(self) -> Iterator[Record]:
        for r in self._rows.rows("user_edit"):
            yield memories.EditRecord(
                type="edit",
                memory=r["memory_id"],
                message=r["message_id"],
                **_only(r, "action", "content", "content_sha256", "created_at"),
            )
        for r in self._rows.rows("undo_log"):
            yield records.UndoRecord(
                type="undo",
                branch=r["branch_id"],
                operation=r["operation"],
                forward=json.loads(r["forward"]),
                backward=json.loads(r["backward"]),
                undone=bool(r["undone"]),
                created_at=r["created_at"],
            )
        for r in self._rows.rows("bin_item"):
            yield records.BinRecord(
                type="bin",
                branch=r["branch_id"],
                message=r["message_id"],
                head=r["head_id"],
                **_only(r, "id", "kind", "created_at"),
            )

    def _task(self, row: sqlite3.Row) -> records.TaskRecord:
        """A task that failed travels as open: what failed here may do there, and its error may tell of this machine."""
        payload = json.loads(row["payload"])
        return records.TaskRecord(
            type="task",
            branch=row["branch_id"],
            payload=payload,
            state=row["state"] if row["state"] in ("done", "cancelled") else "open",
            finished_at=row["finished_at"] if row["state"] in ("done", "cancelled") else None,
            **self._made_from(row, payload),
            **_only(row, "kind", "key", "created_at"),
        )

    def _made_from(self, row: sqlite3.Row, payload: dict[str, Any]) -> dict[str, Any]:
        """The revisions, and perhaps the message that followed, that a task's key was made from; empty if it was made from something else."""

        def fits(*parts: str) -> bool:
            return stable_id("task", row["chat_id"], row["kind"], *parts) == str(row["key"])

        messages = [str(m) for m in payload.get("message_ids", ())]
        if messages:
            wordings = product(*(self._revisions.get(m, ()) for m in messages))
            for revisions in islice(wordings, MOST_WORDINGS):
                if fits(*revisions):
                    self._worked.setdefault(self._round[messages[-1]], {})[revisions] = messages[-1]
                    return {"on": list(revisions)}
        for revisions, last in self._worked.get(payload.get("last_round", -1), {}).items():
            for following in ("", *self._following.get(last, ())):
                if fits(*revisions, following):
                    return {"on": list(revisions), "next": following}
        return {}

    def _may_travel(self, row: sqlite3.Row) -> bool:
        """Answers of a model, which cost something; not those that still hold the words of a memory that was deleted for good."""
        if row["version"] not in ANSWERS:
            return False
        if not self._erased:
            return True
        try:
            return not any(sha256(text) in self._erased for text in _texts(json.loads(row["output"])))
        except ValueError:
            return False


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _only(row: sqlite3.Row, *columns: str) -> dict[str, Any]:
    return {column: row[column] for column in columns}
