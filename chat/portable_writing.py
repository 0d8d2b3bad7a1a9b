"""A checked bundle as the rows of a chat: the second pass, inside one transaction."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from chat import portable_memory_records as memories
from chat import portable_records as records
from chat.portable_ids import Ids, changes, known_persona
from chat.portable_records import Record
from memory.engine import INDEXED, LEARN_TASK
from memory.modelled import ANSWERS
from personas.cast import built_in
from personas.record import character_from_card
from storage.bundle import Bundles, RowWriter
from storage.records import Kind, Rank, sha256, stable_id


class BundleWriter:
    """Writes records in the order of the bundle, each as its rows. characters: ids in this folder by those of the bundle, in its order; players: likewise."""

    def __init__(self, rows: RowWriter, ids: Ids, *, user_id: str, characters: Mapping[str, str], players: Mapping[str, str]) -> None:
        self._rows = rows
        self._ids = ids
        self._user = user_id
        self._characters = characters
        self._players = players
        ids.players = players
        self.indexed: list[str] = []
        """Memories that recall may find by meaning once they are in the index."""

    def write(self, record: Record) -> None:
        match record:
            case records.CharacterRecord():
                pass  # `enrol` has written it
            case records.ChatRecord():
                self._chat(record)
            case records.MessageRecord():
                self._message(record)
            case records.BranchRecord():
                self._branch(record)
            case records.SessionRecord():
                last = self._ids.of(record.last_message)
                session = stable_id("session", self._ids.chat, last)
                self._rows.add("session", session, self._ids.chat, last, record.closed_at, record.closed_by)
            case memories.MemoryRecord():
                self._memory(record)
            case memories.DerivationRecord():
                if record.version in ANSWERS:  # else the reading of words that nobody has said yet could lie there
                    output = self._ids.output(record.output)
                    self._rows.add("derivation", self._ids.chat, record.key, record.kind, record.version, output, record.created_at)
            case memories.RecallRecord():
                message = self._ids.of(record.message)
                for e in record.events:
                    self._rows.add(
                        "recall_event", self._ids.of(e.memory), message, self._ids.chat, e.round, e.rank, e.effect, e.created_at, e.witness
                    )
            case memories.ForgettingRecord():
                memory, message = self._ids.of(record.memory), self._ids.of(record.message)
                self._rows.add(
                    "forgetting_event", memory, message, self._ids.chat, record.round, record.effect, record.created_at, record.witness
                )
            case memories.ReceiptRecord():
                self._receipt(record)
            case memories.EditRecord():
                self._edit(record)
            case records.UndoRecord():
                self._undo(record)
            case records.BinRecord():
                self._bin(record)
            case records.TaskRecord():
                self._task(record)

    def _chat(self, record: records.ChatRecord) -> None:
        self._rows.add(
            "chat",
            self._ids.chat,
            self._user,
            next(iter(self._characters.values())),
            record.title,
            record.language,
            record.user_name,
            None,  # what an import is known by: from a file, it could lead a later import into this chat
            self._ids.add(record.active_branch),
            # One more of each: this program may have known the chat before it was erased, and what it knows is out of date.
            record.version + 1,
            record.structure + 1,
            record.edition,
            _json(self._settings(record)),
            record.created_at,
            record.updated_at,
        )
        for place, member in enumerate(record.members):
            self._rows.add("chat_member", self._ids.chat, place, self._characters[member.character], member.name, int(member.joined))
        for player in record.players:
            for name in dict.fromkeys(player.called):
                self._rows.add("chat_player", self._ids.chat, self._players[player.id], name)

    def _settings(self, record: records.ChatRecord) -> Mapping[str, object]:
        if "player" not in record.settings:
            return record.settings
        return {**record.settings, "player": known_persona(record.settings["player"], self._ids)}

    def _message(self, record: records.MessageRecord) -> None:
        message = self._ids.add_message(record)
        self._rows.add(
            "message",
            message,
            self._ids.chat,
            self._ids.maybe(record.parent),
            record.depth,
            record.round,
            record.role,
            record.speaker,
            record.said_at,
            record.utc_offset,
            record.story_time,
            _json(record.present),
            _json(record.room) if record.room is not None else None,
            int(record.heard),
            record.external_id,
            record.created_at,
        )
        for r in record.revisions:
            revision = self._ids.of(r.id)
            self._rows.add("revision", revision, message, r.ordinal, r.text, r.sha256, r.origin, r.status, r.model, r.player, r.created_at)
            self._rows.add_wording(self._ids.chat, revision, r.text)
            for question, version in r.read:
                self._rows.add("extraction", revision, self._ids.of(question) if question else "", version, self._ids.chat)

    def _branch(self, record: records.BranchRecord) -> None:
        branch = self._ids.add(record.id)
        self._rows.add(
            "branch",
            branch,
            self._ids.chat,
            self._ids.maybe(record.parent),
            self._ids.maybe(record.forked_at),
            record.name,
            self._ids.maybe(record.head),
            record.created_at,
            record.deleted_at,
        )
        for selection in record.selections:
            self._rows.add("selection", branch, self._ids.of(selection.message), self._ids.maybe(selection.revision), selection.state)
        for message in record.ends:
            self._rows.add("story_end", branch, self._ids.of(message))
        for away in record.away:
            self._rows.add("wording_out", branch, self._ids.of(away.revision), away.at)

    def _memory(self, record: memories.MemoryRecord) -> None:
        memory, ordinal = self._ids.add_memory(record), self._rows.next_ordinal()
        self._rows.add(
            "memory",
            ordinal,
            memory,
            self._ids.chat,
            record.kind,
            record.text,
            record.language,
            record.subject,
            record.said_by,
            _json(record.knowers),
            _json(self._ids.json(record.payload)),
            record.round_first,
            record.round_last,
            record.said_at,
            record.utc_offset,
            record.event_from,
            record.event_to,
            record.trust,
            record.pinned,
            record.excluded,
            record.status,
            record.origin,
            self._ids.within(record.slot),
            self._ids.within(record.slot_rank),
            record.derivation_key,
            "" if record.status == "deleted" else record.sha256,
            record.source_count,
            record.created_at,
        )
        for source in record.sources:
            message = self._ids.of(self._ids.message_of(source.revision))
            self._rows.add("memory_source", memory, message, self._ids.of(source.revision), source.sha256)
        for place, ground in enumerate(record.grounds):
            self._rows.add("memory_ground", memory, self._ids.of(ground), place)
        if record.status != "deleted":
            self._rows.add_words(ordinal, self._ids.chat, record.text)
            if Kind(record.kind) in INDEXED:
                self.indexed.append(memory)

    def _receipt(self, record: memories.ReceiptRecord) -> None:
        body = {key: value if key in ("query", "prompt") else self._ids.json(value) for key, value in record.body.items()}
        self._rows.add(
            "receipt",
            self._ids.add(record.id),
            self._ids.chat,
            self._ids.of(record.message),
            self._ids.maybe(record.revision),
            _json(body),
            record.created_at,
        )

    def _edit(self, record: memories.EditRecord) -> None:
        self._rows.add(
            "user_edit",
            self._user,
            self._ids.chat,
            self._ids.loose(record.memory),
            record.action,
            record.content,
            record.content_sha256,
            self._ids.of(record.message) if record.message else "",
            record.created_at,
        )

    def _undo(self, record: records.UndoRecord) -> None:
        self._rows.add(
            "undo_log",
            self._ids.chat,
            self._ids.of(record.branch),
            record.operation,
            _json(changes(record.forward, self._ids)),
            _json(changes(record.backward, self._ids)),
            record.undone,
            record.created_at,
        )

    def _bin(self, record: records.BinRecord) -> None:
        self._rows.add(
            "bin_item",
            self._ids.add(record.id),
            self._ids.chat,
            self._ids.of(record.branch),
            record.kind,
            self._ids.of(record.message),
            self._ids.maybe(record.head),
            record.created_at,
        )

    def _task(self, record: records.TaskRecord) -> None:
        if record.kind == LEARN_TASK:  # nobody is taught by what others were told
            return
        self._rows.add(
            "task",
            self._ids.task_key(record),
            record.kind,
            self._user,
            self._ids.chat,
            self._ids.of(record.branch),
            _json(self._ids.json(record.payload)),
            "queued" if record.state == "open" else record.state,
            record.created_at,
            record.finished_at,
            Rank.IMPORT,  # what is said meanwhile comes before work that came in with a file
        )


def enrol(bundles: Bundles, rows: RowWriter, record: records.CharacterRecord, *, user_id: str) -> str:
    """The id of a bundle's character in this folder; written if it is not there. A built-in one is this program's own, if it has it."""
    if record.built_in and record.id in {character.id for character in built_in()}:
        return record.id
    card = _json(record.card)
    # The same character of several bundles is one character; another's of the same id, or with another card, is left alone.
    scoped = stable_id("bundle-character", user_id, record.id, sha256(card))
    own = stable_id("imported-character", user_id, record.name.strip().casefold())
    may_keep = not record.built_in and (record.id == own or not bundles.other_users(user_id))
    for wanted in (record.id, scoped) if may_keep else (scoped,):
        there = bundles.character(wanted)
        if there is not None and there[0] == user_id and json.loads(there[1]) == record.card:
            return wanted
        if there is None:
            character = character_from_card(record.card, id=wanted)
            rows.add(
                "character",
                wanted,
                user_id,
                character.name,
                character.language,
                _json(record.original or record.card),
                card,
                _json(asdict(character.persona)),
                _json([asdict(stance) for stance in character.stances]),
                record.created_at,
                record.updated_at,
            )
            if record.avatar is not None:
                rows.add("character_file", wanted, "avatar", "", base64.b64decode(record.avatar))
            return wanted
    return scoped


def _json(value: Mapping[str, object] | Sequence[object] | object) -> str:
    return json.dumps(value, ensure_ascii=False)
