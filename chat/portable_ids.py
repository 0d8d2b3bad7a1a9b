"""Ids of a bundle in the folder it comes into: as they are where its chat is not there yet, else those of a copy.

The ids of a copy are made by the formulas that made the old ones, so that deriving again on the copy finds what is there and doubles nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from pydantic import JsonValue

from chat.portable_memory_records import MemoryRecord
from chat.portable_records import (
    MessageRecord,
    TaskRecord,
    known_clock,
    known_listening,
    known_memory,
    known_note,
    known_player,
    known_preset,
)
from storage.readings_rows import READINGS, STATES
from storage.records import stable_id
from storage.witnesses import MIND, own_id

MAX_PLACES = 64
"""Memories of one kind that one message can tell; extraction draws 24 at most."""
_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])")


class Ids:
    """old, new: chat ids, equal where nothing is a copy. Records are given in the order of the bundle."""

    def __init__(self, old: str, new: str) -> None:
        self.old_chat = old
        self.chat = new
        self._copy = old != new
        self.players: Mapping[str, str] = {}
        """The persona here of each in the bundle."""
        self._new: dict[str, str] = {}
        self._place: dict[str, tuple[int, int, str]] = {}
        """(depth, round, message) of each revision."""

    def add_message(self, record: MessageRecord) -> str:
        made = stable_id("message", self.chat, record.external_id) if record.external_id is not None else self._other(record.id)
        for revision in record.revisions:
            self._place[revision.id] = (record.depth, record.round, record.id)
            if self._copy:
                self._new[revision.id] = stable_id("revision", made, revision.ordinal)
        return self._set(record.id, made)

    def add_memory(self, record: MemoryRecord) -> str:
        if not self._copy:
            return record.id
        mind = record.payload.get(MIND)
        for parts in self._formulas(record):
            for place in ((), *((n,) for n in range(MAX_PLACES))):
                if self._owned(mind, stable_id("memory", self.old_chat, record.derivation_key, *parts, *place)) == record.id:
                    new = stable_id("memory", self.chat, record.derivation_key, *map(self.of, parts), *place)
                    return self._set(record.id, self._owned(mind, new))
        return self._set(record.id, self._other(record.id))

    @staticmethod
    def _owned(mind: JsonValue, memory_id: str) -> str:
        """mind: of several characters the one whose own the memory is."""
        return own_id(mind, memory_id) if isinstance(mind, str) else memory_id

    def add(self, old: str) -> str:
        """Of a branch, a receipt or a thing in the bin: ids that follow no formula."""
        return self._set(old, self._other(old))

    def of(self, old: str) -> str:
        """The new id of what was added."""
        return self._new[old] if self._copy else old

    def maybe(self, old: str | None) -> str | None:
        return None if old is None else self.of(old)

    def loose(self, old: str) -> str:
        """The new id of what may have been erased since it was referred to."""
        return self._new.get(old) or self._other(old)

    def message_of(self, revision_id: str) -> str:
        """The old id of a revision's message."""
        return self._place[revision_id][2]

    def within(self, text: str) -> str:
        """A text in which ids stand among other things (the rank of a memory in its slot)."""
        return _ID.sub(lambda found: self._new.get(found[0], found[0]), text) if self._copy else text

    def json(self, value: JsonValue) -> JsonValue:
        """JSON with every text that is a known id replaced."""
        if not self._copy:
            return value
        if isinstance(value, str):
            return self._new.get(value, value)
        if isinstance(value, list):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {self._new.get(key, key): self.json(item) for key, item in value.items()}
        return value

    def output(self, text: str) -> str:
        """A stored output of a derivation: JSON, whose ids are replaced, or whatever it is."""
        if not self._copy or not _ID.search(text):
            return text
        try:
            return json.dumps(self.json(json.loads(text)), ensure_ascii=False)
        except (ValueError, RecursionError):
            return text

    def task_key(self, record: TaskRecord) -> str:
        """A key is an id of its chat alone whatever the bundle says, so that none can stand in the way of another chat's work."""
        if record.on:
            return stable_id("task", self.chat, record.kind, *record.parts(map(self.of, record.on)))
        return stable_id("copy", self.chat, record.key)

    # As the `References` of the undo log, whose values were checked

    def own_chat(self, value: object) -> str:
        return self.chat

    def branch(self, value: object) -> str:
        return self.of(str(value))

    def message(self, value: object) -> str:
        return self.of(str(value))

    def revision(self, value: object, *, message: object = None) -> str:
        return self.of(str(value))

    def item(self, value: object) -> str:
        return self.loose(str(value))

    def player(self, value: object) -> str:
        return self.players[str(value)]

    def _formulas(self, record: MemoryRecord) -> Iterator[list[str]]:
        """What the id may have been made from: an insight's grounds; the messages it rests on, in the order of the path; of a plot those of its span,
        since it rests on what its facts rest on as well."""
        if record.grounds:
            yield list(record.grounds)
        placed = sorted(self._place[source.revision] for source in record.sources)
        yield [message for _, _, message in placed]
        yield [message for _, round_number, message in placed if record.round_first <= round_number <= record.round_last]

    def _other(self, old: str) -> str:
        return stable_id("copy", self.chat, old) if self._copy else old

    def _set(self, old: str, new: str) -> str:
        if self._copy:
            self._new[old] = new
            return new
        return old


class References(Protocol):
    """What a change of the undo log may name. Each gives the new id, or raises ValueError."""

    def own_chat(self, value: object) -> str: ...
    def branch(self, value: object) -> str: ...
    def message(self, value: object) -> str: ...
    def revision(self, value: object, *, message: object = None) -> str: ...
    def item(self, value: object) -> str: ...
    def player(self, value: object) -> str: ...


def changes(steps: Sequence[JsonValue], refs: References) -> list[JsonValue]:
    """The changes of an undo step (`storage.undo.Change`) with their ids replaced. Raises ValueError for any that this program does not make."""
    return [_change(step, refs) for step in steps]


def _change(step: JsonValue, refs: References) -> JsonValue:
    match step:
        case ["head", [branch], before, after]:
            return ["head", [refs.branch(branch)], _head(before, refs), _head(after, refs)]
        case ["branch", [branch], int() | None as before, int() | None as after]:
            return ["branch", [refs.branch(branch)], before, after]
        case ["name", [branch], str() as before, str() as after]:
            return ["name", [refs.branch(branch)], before, after]
        case ["active", [chat], before, after]:
            return ["active", [refs.own_chat(chat)], refs.branch(before), refs.branch(after)]
        case ["selection", [branch, message], before, after]:
            target: list[JsonValue] = [refs.branch(branch), refs.message(message)]
            return ["selection", target, _selection(before, message, refs), _selection(after, message, refs)]
        case ["bin", [item], before, after]:
            return ["bin", [refs.item(item)], _item(before, refs), _item(after, refs)]
        case ["end", [branch, message], None | True as before, None | True as after]:
            return ["end", [refs.branch(branch), refs.message(message)], before, after]
        case ["wording", [branch, revision], int() | None as before, int() | None as after]:
            return ["wording", [refs.branch(branch), refs.revision(revision)], before, after]
        case ["preset", [chat], before, after]:
            return ["preset", [refs.own_chat(chat)], _preset(before), _preset(after)]
        case ["clock", [chat], before, after]:
            return ["clock", [refs.own_chat(chat)], known_clock(before), known_clock(after)]
        case ["player", [chat], before, after]:
            return ["player", [refs.own_chat(chat)], known_persona(before, refs), known_persona(after, refs)]
        case ["note", [chat], before, after]:
            return ["note", [refs.own_chat(chat)], known_note(before), known_note(after)]
        case ["listens", [chat], before, after]:
            return ["listens", [refs.own_chat(chat)], known_listening(before), known_listening(after)]
        case ["memory", [chat], before, after]:
            return ["memory", [refs.own_chat(chat)], known_memory(before), known_memory(after)]
        case ["carried", [str() as batch], None | True as before, None | True as after] if _ID.fullmatch(batch):
            return ["carried", [batch], before, after]
        case ["reading", [str() as slot], before, after] if slot.startswith(READINGS) and before in STATES and after in STATES:
            return ["reading", [slot], before, after]
    raise ValueError("a change that this version does not know")


def known_persona(value: JsonValue, refs: References) -> JsonValue:
    """Who the player is in a chat, by the persona's id as the references give it. Raises ValueError."""
    match known_player(value):
        case [str(player), name] if player:
            return [refs.player(player), name]
    return value


def _preset(value: JsonValue) -> JsonValue:
    return value if value is None else known_preset(value)


def _head(value: JsonValue, refs: References) -> JsonValue:
    return None if value is None else refs.message(value)


def _selection(value: JsonValue, message: JsonValue, refs: References) -> JsonValue:
    match value:
        case None:
            return None
        case [revision, "active" | "hidden" | "deleted" as state]:
            return [None if revision is None else refs.revision(revision, message=message), state]
    raise ValueError("a selection that is none")


def _item(value: JsonValue, refs: References) -> JsonValue:
    match value:
        case None:
            return None
        case [branch, "message" | "tail" as kind, message, head, int() as created_at]:
            return [refs.branch(branch), kind, refs.message(message), _head(head, refs), created_at]
    raise ValueError("a thing in the bin that is none")
