"""Reading what messages of a path tell: each alone, once more as the answer to the message before it, and as what puts right what its speaker said last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Protocol

from memory.denying import DENIABLE, ended, mark, standing_facts, taken_back
from memory.deriving import Deriver
from memory.extraction import grounded
from memory.extraction.corrections import may_correct
from memory.extraction.denials import may_deny
from memory.extraction.draft import Extraction
from memory.facts import memories_of, path_order
from memory.keeping import Keeper, Read
from memory.reading import messages as messages_learned
from memory.ways import Ways
from storage.records import SAID, Chat, Kind, Memory, Message, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import moment_key


class Reads(Protocol):
    """How messages are read: `memory.extraction.grounded`, by rules, or `memory.reading.messages`, by what was learned."""

    VERSION: str

    def alone(self, message: Message, *, listener: str, opens: bool, others: Sequence[str] = ()) -> Extraction: ...
    def answering(self, message: Message, question: Message, *, listener: str, others: Sequence[str] = ()) -> Extraction: ...
    def asks(self, question: Message, message: Message) -> bool: ...


def reads(ways: Ways) -> Reads:
    """How an engine reads messages."""
    return messages_learned if ways.reading == "learned" else grounded


class Extractor:
    """What was read is marked, so nothing is read twice; wordings never change, so a mark holds for good."""

    def __init__(self, store: Store, keeper: Keeper, deriver: Deriver, *, by: Reads = grounded) -> None:
        self._by = by
        self._store = store
        self._keeper = keeper
        self._deriver = deriver

    def unread(self, scope: Scope, path: Sequence[Message]) -> set[str]:
        """Ids of the messages of a path, oldest first, of which something is still to be read. The first stands for what comes before."""
        marked = self._store.derivations.marked(scope, [m.revision.id for m in path], version=self._by.VERSION)
        open_: set[str] = set()
        before: Message | None = None
        for message in path:
            wanted = {(message.revision.id, "")}
            wanted |= {(message.revision.id, other.revision.id) for other, _ in readings(before, message, path, by=self._by)}
            if not wanted <= marked:
                open_.add(message.id)
            before = message
        return open_

    def extract(
        self,
        scope: Scope,
        branch_id: str,
        chat: Chat,
        messages: Sequence[Message],
        *,
        told: Callable[[Sequence[Memory]], object] = lambda _: None,
    ) -> list[Memory]:
        """Read what was not read yet of consecutive messages of a path, alone and as answers; the memories that came of it. told: is given what comes of each
        message as soon as it is read, before it is kept."""
        before = self._before(scope, branch_id, messages[0])
        marked = self._store.derivations.marked(scope, [m.revision.id for m in messages], version=self._by.VERSION)
        made: list[Memory] = []
        read = Read(self._by.VERSION)
        for message in messages:
            listener, others = grounded.listener_of(message, chat), grounded.others_of(message, chat)
            known = len(made)
            if (message.revision.id, "") not in marked:
                made += memories_of(chat.id, message, None, self._alone(scope, message, chat, read))
                read.pairs.append((message.revision.id, ""))
            for other, how in readings(before, message, self._round_before(scope, branch_id, message), by=self._by):
                if (message.revision.id, other.revision.id) not in marked:
                    made += memories_of(chat.id, message, other, how(message, other, listener=listener, others=others))
                    read.pairs.append((message.revision.id, other.revision.id))
            before = message
            self._keeper.breathe()
            told(made[known:])
        self._store.memories.supersede(scope, self._outdated(scope, read, messages, made))
        self._keeper.keep(scope, made, read=read)
        return made

    def _outdated(self, scope: Scope, read: Read, messages: Sequence[Message], made: Sequence[Memory]) -> list[str]:
        """Ids of what an older version of extraction told of the very wordings that were read now and this one does not: it would stand beside what is
        told anew. What a person pinned or wrote stays."""
        if not read.pairs:
            return []
        read_now = {frozenset(revision for revision in pair if revision) for pair in read.pairs}
        told = {m.id for m in made}
        return [
            m.id
            for m in self._store.memories.get(scope, self._store.controls.of_messages(scope, [m.id for m in messages])).values()
            if m.kind in DENIABLE
            and m.slot == SAID
            and m.id not in told
            and (m.status, m.origin, m.pinned) == ("active", "model", False)
            and any(wordings in read_now for wordings in _wordings(m))
        ]

    def deny(self, scope: Scope, branch_id: str, chat: Chat, messages: Sequence[Message]) -> bool:
        """Mark what messages of a path, that were read, take back of what was told before them on it; whether anything new was marked."""
        marks: list[Memory] = []
        told: list[Memory] | None = None
        for message in messages:
            if self._by is grounded and not may_deny(message.text):
                continue
            found = self._alone(scope, message, chat, Read(self._by.VERSION))
            if (found.denials or found.endings) and told is None:
                told = self._deriver.told_by(scope, branch_id, DENIABLE)
            gone = (*taken_back(found.denials, message, told or ()), *ended(found.endings, message, told or ()))
            marks += [mark(m, message) for m in gone]
        there = self._store.memories.standing(scope, marks)
        missing = [m for m in marks if m.id not in there]
        self._keeper.keep(scope, missing)
        return bool(missing)

    def _alone(self, scope: Scope, message: Message, chat: Chat, read: Read) -> Extraction:
        """The same words said by the same speaker on the same day are read once."""
        listener, others = grounded.listener_of(message, chat), grounded.others_of(message, chat)
        opens = message.parent_id is None or self._store.chats.speaker(scope, message.parent_id) == message.speaker
        said = (
            message.role.value,
            message.speaker,
            moment_key(message.said_at),
            message.revision.origin,
            message.revision.model,
            message.text,
        )
        key = stable_id("extract", self._by.VERSION, listener, opens, *said, *others)
        stored = self._store.derivations.get(scope, key, version=self._by.VERSION)
        if stored is not None:
            return Extraction.of_json(stored)
        drafts = self._by.alone(message, listener=listener, opens=opens, others=others)
        read.outputs[key] = drafts.as_json()
        return drafts

    def _before(self, scope: Scope, branch_id: str, first: Message) -> Message | None:
        if first.parent_id is None:
            return None
        found = self._store.chats.messages(scope, branch_id, [first.parent_id])
        return found[0] if found and not found[0].hidden else None

    def _round_before(self, scope: Scope, branch_id: str, message: Message) -> list[Message]:
        if not may_correct(message.text):
            return []
        return self._store.chats.span(scope, branch_id, first_round=message.round - 1, last_round=message.round - 1)


def _wordings(memory: Memory) -> Iterator[frozenset[str]]:
    """The revisions that a memory may be read from, one of each message: where words came back they are listed once more."""
    listed: dict[str, list[str]] = {}
    for source in memory.sources:
        listed.setdefault(source.message_id, []).append(source.revision_id)
    return map(frozenset, product(*listed.values()))


def facts_of_path(path: Sequence[Message], chat: Chat, *, by: Reads = grounded) -> list[Memory]:
    """The facts that the messages of a path tell, oldest first, in path order: what `Extractor` makes of them one by one, without a store."""
    told: list[tuple[Message, Extraction, list[Memory]]] = []
    before: Message | None = None
    for message in path:
        listener, others = grounded.listener_of(message, chat), grounded.others_of(message, chat)
        opens = message.parent_id is None or (before is not None and before.speaker == message.speaker)
        alone = by.alone(message, listener=listener, opens=opens, others=others)
        made = memories_of(chat.id, message, None, alone)
        for other, how in readings(before, message, path, by=by):
            made += memories_of(chat.id, message, other, how(message, other, listener=listener, others=others))
        told.append((message, alone, made))
        before = message
    return sorted((m for m in standing_facts(told) if m.kind is Kind.FACT), key=path_order)


class Reading(Protocol):
    """What a message tells together with another."""

    def __call__(self, message: Message, other: Message, /, *, listener: str, others: Sequence[str] = ()) -> Extraction: ...


def readings(before: Message | None, message: Message, path: Iterable[Message], *, by: Reads = grounded) -> list[tuple[Message, Reading]]:
    """What a message is read with once more, and how: the message before it, if it stands directly there and asks something; and what its speaker said in
    the round before, where it puts something right. The round alone decides that, since no change of what stands between moves it. path: at least that round."""
    found: list[tuple[Message, Reading]] = []
    if before is not None and before.id == message.parent_id and by.asks(before, message):
        found.append((before, by.answering))
    if by is grounded and may_correct(message.text):
        earlier = [m for m in path if m.round == message.round - 1 and not m.hidden and grounded.corrects(m, message)]
        found += [(m, grounded.correcting) for m in earlier]
    return found
