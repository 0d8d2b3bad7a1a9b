"""What a language model does for memory: reads closed units, reflects on their facts, puts values together, sorts sessions into topics, tells closed
spans.

Its tasks stand apart from those that need no model, so an endpoint that is down leaves memory as it is without one, and says so in the queue.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from itertools import groupby

from memory import decomposing, narrative, reflecting, telling
from memory.asking import Asker
from memory.decomposing import Decomposer
from memory.deriving import Deriver
from memory.keeping import Keeper
from memory.merging import EVERY, Merger
from memory.reading import llm
from memory.reflecting import Reflector
from memory.sessions import Session
from memory.telling import Teller
from memory.units import UnitReader, units
from models.structured import StructuredModel
from storage.records import UNIT, Chat, Kind, Message, NewTask, Rank, Task
from storage.scope import Scope
from storage.store import Store

READ_TASK, TELL_TASK = "read", "tell"
ANSWERS = frozenset({llm.VERSION, reflecting.VERSION, telling.VERSION, decomposing.VERSION})
"""Versions of what a model was asked: its answers are held against what was said whenever they are used, so they may come from elsewhere."""


class Modelled:
    """model: reads, reflects and tells."""

    def __init__(self, store: Store, keeper: Keeper, deriver: Deriver, model: StructuredModel) -> None:
        self._store = store
        self._keeper = keeper
        self._deriver = deriver
        asker = Asker(store, keeper, model)
        self._reader = UnitReader(store, keeper, asker)
        self._reflector = Reflector(keeper, deriver, asker)
        self._teller = Teller(keeper, deriver, asker)
        self._merger = Merger(store, asker)
        self._decomposer = Decomposer(store, keeper, deriver, asker)

    def run(self, scope: Scope, task: Task) -> None:
        """Do a task of one of the two kinds; what is there already is not asked for again."""
        first, last, tier = (_number(task.payload[name]) for name in ("first_round", "last_round", "tier"))
        chat = self._store.chats.chat(scope)
        if task.kind == TELL_TASK:
            span = self._span(scope, task.branch_id, tier, first, last)
            if span is not None:
                self._teller.tell(scope, task.branch_id, chat, span)
            return
        for messages in self._units(scope, task.branch_id, first, last):
            if not self._reader.is_read(scope, chat, messages):
                self._reader.read(scope, chat, messages)
            self._keeper.breathe()
            self._reflector.reflect(scope, task.branch_id, chat, first_round=messages[0].round, last_round=messages[-1].round)
        self._keeper.breathe()
        # What the unit tells may be the last of a span whose values are put together; what comes later is for later.
        closed = last // narrative.THETA_1 * narrative.THETA_1 + narrative.THETA_1
        self._merger.merge(scope, task.branch_id, before=min(closed, self._deriver.division(scope, task.branch_id).begun))
        self._sort_topics(scope, task.branch_id, chat, first, last)

    def _sort_topics(self, scope: Scope, branch_id: str, chat: Chat, first: int, last: int) -> None:
        for session in self._read_sessions(scope, branch_id, chat, first, last):
            self._decomposer.decompose(scope, branch_id, chat, session)
            self._keeper.breathe()

    def _read_sessions(self, scope: Scope, branch_id: str, chat: Chat, first: int, last: int) -> list[Session]:
        """The sessions with one of these rounds that are over and of which every round was read."""
        covered = self._store.memories.visible(scope, branch_id).covered
        found = []
        for session in self._deriver.sessions(scope, branch_id, first_round=first):
            if session.over and session.last >= first and session.first <= last:
                said = self._store.chats.span(scope, branch_id, first_round=session.first, last_round=session.last)
                left = {m.round for m in llm.readable(said)} - covered
                if not left or left <= self._read_rounds(scope, branch_id, chat, session):
                    found.append(session)
        return found

    def _read_rounds(self, scope: Scope, branch_id: str, chat: Chat, session: Session) -> set[int]:
        """The rounds of the units of a session that were read, also where nothing came of it."""
        closed = self._units(scope, branch_id, session.first, session.last)
        return {m.round for messages in closed if self._reader.is_read(scope, chat, messages) for m in messages}

    def queue_reading(self, scope: Scope, branch_id: str, last_round: int) -> None:
        """Have the closed unit read that ends with a round."""
        first = last_round // narrative.THETA_1 * narrative.THETA_1
        self._queue(scope, READ_TASK, branch_id, tier=1, first=first, last=last_round)

    def queue_telling(self, scope: Scope, branch_id: str, span: narrative.Span) -> None:
        if span.tier >= narrative.CHAPTER:
            self._queue(scope, TELL_TASK, branch_id, tier=span.tier, first=span.first, last=span.last)

    def mend(self, scope: Scope, branch_id: str, rounds: Sequence[Sequence[Message]], *, first_round: int, anew: bool) -> None:
        """Queue what is missing of a path after it was rewritten: readings of units, and tellings of the spans around them.

        rounds: of the path, oldest first. anew: all of it; else only what a model had read before, so that a model that was configured late does not
        begin with the whole past.
        """
        if not rounds:
            return
        chat = self._store.chats.chat(scope)
        known = self._store.memories.slots(scope)
        touched: set[int] = set()
        for messages in self._closed(scope, rounds):
            first, last = messages[0].round, messages[-1].round
            wanted = anew or any(f"{UNIT}{number}" in known for number in range(first // narrative.THETA_1 * narrative.THETA_1, last + 1))
            if last >= first_round - 1 and wanted and not self._reader.is_read(scope, chat, messages):
                self._queue(scope, READ_TASK, branch_id, tier=1, first=first, last=last)
                touched.update(range(first, last + 1))
        begun = self._deriver.division(scope, branch_id).begun // EVERY * EVERY
        if not touched and self._merger.wanted(scope, branch_id, before=begun) is not None:
            # Nothing is read again by it: its unit was.
            self._queue(scope, READ_TASK, branch_id, tier=1, first=begun - narrative.THETA_1, last=begun - 1)
        for session in self._read_sessions(scope, branch_id, chat, max(0, first_round - 1), rounds[-1][-1].round):
            if self._decomposer.wants(scope, branch_id, session):
                self._queue(scope, READ_TASK, branch_id, tier=1, first=session.first, last=session.last)
        read = {int(slot.removeprefix(UNIT)) for slot in known if slot.startswith(UNIT)}
        self._mend_telling(scope, branch_id, first_round=first_round, touched=touched, read=read)

    def _mend_telling(self, scope: Scope, branch_id: str, *, first_round: int, touched: Collection[int], read: Collection[int]) -> None:
        """Queue the tellings of closed spans that are read again, and of those that were read and are not told: as another preset divides them, or as a
        person has just closed them."""
        division = self._deriver.division(scope, branch_id)
        plots = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.PLOT,))
        told = {p.slot for p in self._store.memories.get(scope, plots.ids).values() if "model" in p.payload}
        for span in sorted(division.closed(), key=lambda s: (s.tier, s.first)):
            if span.last < first_round - 1:
                continue
            inside = range(span.first, span.last + 1)
            wanted = span.last in division.ends or any(number in inside for number in read)
            if any(number in inside for number in touched) or (wanted and narrative.slot_of(span) not in told):
                self.queue_telling(scope, branch_id, span)

    def _span(self, scope: Scope, branch_id: str, tier: int, first: int, last: int) -> narrative.Span | None:
        """A span of the path's story, if it still is one."""
        closed = self._deriver.division(scope, branch_id).closed()
        return next((span for span in closed if (span.tier, span.first, span.last) == (tier, first, last)), None)

    def _queue(self, scope: Scope, kind: str, branch_id: str, *, tier: int, first: int, last: int) -> None:
        # Each is a task of its own: one that was done may be wanted again after the path was rewritten and rewritten back.
        task = NewTask(kind, branch_id, (secrets.token_hex(16),), {"tier": tier, "first_round": first, "last_round": last}, Rank.LATER)
        if scope.witness and self._store.tasks.waits(scope, task):
            return  # each of several characters asks for it; one task does it for them all
        self._store.tasks.add(scope, task)

    def _units(self, scope: Scope, branch_id: str, first: int, last: int) -> list[list[Message]]:
        """The closed units with some rounds."""
        start = first // narrative.THETA_1 * narrative.THETA_1
        said = [m for m in self._store.chats.span(scope, branch_id, first_round=start, last_round=last) if m.round > 0]
        rounds = [list(messages) for _, messages in groupby(said, key=lambda m: m.round)]
        ends = self._store.chats.session_ends(scope, [m.id for m in said])
        head = self._store.chats.head(scope, branch_id)
        goes_on = head is not None and head.round // narrative.THETA_1 > last // narrative.THETA_1
        return units(rounds, ends, last_closed=goes_on)

    def _closed(self, scope: Scope, rounds: Sequence[Sequence[Message]]) -> list[list[Message]]:
        spoken = [[m for m in messages if m.round > 0 and not m.hidden] for messages in rounds]
        ends = self._store.chats.session_ends(scope, [m.id for messages in spoken for m in messages])
        return units([messages for messages in spoken if messages], ends, last_closed=False)


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("expected a number")
    return value
