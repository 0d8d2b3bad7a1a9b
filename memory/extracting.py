"""Reading what messages of a path tell: each alone, and once more as the answer to the message before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from memory.denying import DENIABLE, mark, standing_facts, taken_back
from memory.deriving import Deriver
from memory.facts import memories_of, path_order
from memory.keeping import Keeper, Read
from memory.reading import messages as reading
from memory.reading.drafts import Extraction
from storage.records import SAID, Chat, Kind, Memory, Message, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import moment_key


class Extractor:
    """What was read is marked, so nothing is read twice; wordings never change, so a mark holds for good."""

    def __init__(self, store: Store, keeper: Keeper, deriver: Deriver) -> None:
        self._store = store
        self._keeper = keeper
        self._deriver = deriver

    def unread(self, scope: Scope, path: Sequence[Message]) -> set[str]:
        """Ids of the messages of a path, oldest first, of which something is still to be read. The first stands for what comes before."""
        marked = self._store.derivations.marked(scope, [m.revision.id for m in path], version=reading.VERSION)
        open_: set[str] = set()
        before: Message | None = None
        for message in path:
            wanted = {(message.revision.id, "")}
            wanted |= {(message.revision.id, other.revision.id) for other in answered(before, message)}
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
        marked = self._store.derivations.marked(scope, [m.revision.id for m in messages], version=reading.VERSION)
        made: list[Memory] = []
        read = Read(reading.VERSION)
        for message in messages:
            listener, others = reading.listener_of(message, chat), reading.others_of(message, chat)
            known = len(made)
            if (message.revision.id, "") not in marked:
                made += memories_of(chat.id, message, None, self._alone(scope, message, chat, read))
                read.pairs.append((message.revision.id, ""))
            for other in answered(before, message):
                if (message.revision.id, other.revision.id) not in marked:
                    made += memories_of(chat.id, message, other, reading.answering(message, other, listener=listener, others=others))
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
            endings = self._alone(scope, message, chat, Read(reading.VERSION)).endings
            if endings and told is None:
                told = self._deriver.told_by(scope, branch_id, DENIABLE)
            marks += [mark(m, message) for m in taken_back(endings, message, told or ())]
            self._keeper.breathe()
        there = self._store.memories.standing(scope, marks)
        missing = [m for m in marks if m.id not in there]
        self._keeper.keep(scope, missing)
        return bool(missing)

    def _alone(self, scope: Scope, message: Message, chat: Chat, read: Read) -> Extraction:
        """The same words said by the same speaker on the same day are read once."""
        listener, others = reading.listener_of(message, chat), reading.others_of(message, chat)
        opens = message.parent_id is None or self._store.chats.speaker(scope, message.parent_id) == message.speaker
        said = (
            message.role.value,
            message.speaker,
            moment_key(message.said_at),
            message.revision.origin,
            message.revision.model,
            message.text,
        )
        key = stable_id("extract", reading.VERSION, listener, opens, *said, *others)
        stored = self._store.derivations.get(scope, key, version=reading.VERSION)
        if stored is not None:
            return Extraction.of_json(stored)
        drafts = reading.alone(message, listener=listener, opens=opens, others=others)
        read.outputs[key] = drafts.as_json()
        return drafts

    def _before(self, scope: Scope, branch_id: str, first: Message) -> Message | None:
        if first.parent_id is None:
            return None
        found = self._store.chats.messages(scope, branch_id, [first.parent_id])
        return found[0] if found and not found[0].hidden else None


def _wordings(memory: Memory) -> Iterator[frozenset[str]]:
    """The revisions that a memory may be read from, one of each message: where words came back they are listed once more."""
    listed: dict[str, list[str]] = {}
    for source in memory.sources:
        listed.setdefault(source.message_id, []).append(source.revision_id)
    return map(frozenset, product(*listed.values()))


def facts_of_path(path: Sequence[Message], chat: Chat) -> list[Memory]:
    """The facts that the messages of a path tell, oldest first, in path order: what `Extractor` makes of them one by one, without a store. Hidden ones tell
    nothing, but who spoke is known."""
    told: list[tuple[Message, Sequence[str], list[Memory]]] = []
    before: Message | None = None
    for message in path:
        if message.hidden:
            before = message
            continue
        listener, others = reading.listener_of(message, chat), reading.others_of(message, chat)
        opens = message.parent_id is None or (before is not None and before.speaker == message.speaker)
        alone = reading.alone(message, listener=listener, opens=opens, others=others)
        made = memories_of(chat.id, message, None, alone)
        for other in answered(before, message):
            made += memories_of(chat.id, message, other, reading.answering(message, other, listener=listener, others=others))
        told.append((message, alone.endings, made))
        before = message
    return sorted((m for m in standing_facts(told) if m.kind is Kind.FACT), key=path_order)


def answered(before: Message | None, message: Message) -> list[Message]:
    """The message before, if it stands directly there and this one may answer it; else none."""
    there = before is not None and before.id == message.parent_id and not before.hidden
    return [before] if before is not None and there and reading.asks(before, message) else []
