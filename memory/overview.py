"""What a person is shown of a chat's memory: shelves with scores, the story, the sketch, the insights. Reads only; no model call, no embedding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np

from memory import narrative, topics
from memory.derived import Derived, derive
from memory.deriving import division_of
from memory.facts import path_order
from memory.forgetting import Score, scores
from memory.merging import merged_sketch
from memory.persona import Entry, outdated, sketch, told_as
from memory.persona_changes import Change, changes
from memory.sessions import IDLE, LONGEST, Session, sessions
from memory.story_worth import worths
from memory.tastes import Tastes
from memory.topic_headings import headings
from storage.absences import Why
from storage.records import Kind, Memory, from_ms, sha256
from storage.scope import Scope
from storage.store import Store
from storage.visible import VisibleSet

FACTS, EPISODES, FORGOTTEN = "fact", "episode", "forgotten"
SHELVES = (FACTS, EPISODES, FORGOTTEN)
LAST_ROUND = 2**31
"""After every round."""


@dataclass(frozen=True)
class ScoredMemory:
    memory: Memory
    score: Score
    forgotten: bool = False
    source_changed: bool = False
    """A person wrote it, and what it was written about reads otherwise now."""


@dataclass(frozen=True)
class Shelf:
    """One shelf of a branch's memories."""

    memories: tuple[ScoredMemory, ...]
    """The first of it in the wanted order."""
    counts: Mapping[str, int]
    """Memories on every shelf, by its name."""
    best_score: float
    """Highest on this shelf; 0 on an empty one."""


@dataclass(frozen=True)
class Line:
    """One sentence of the story."""

    text: str
    round: int
    said_at: datetime
    fact: Memory | None = None
    """The fact it is, in a span that is not closed; a closed one is a memory of its own."""
    source_changed: bool = False


@dataclass(frozen=True)
class Piece:
    """A closed or open span of the story."""

    id: str
    """Of its plot memory; empty for what is not closed."""
    span: narrative.Span
    closed: bool
    lines: tuple[Line, ...]
    memory: Memory | None = None
    source_changed: bool = False
    began: datetime | None = None
    """When its first round was said."""
    ended: datetime | None = None


@dataclass(frozen=True)
class Story:
    arcs: tuple[Piece, ...]
    chapters: tuple[Piece, ...]
    so_far: tuple[Piece, ...]
    """Units of the chapter that is open, oldest first."""
    thresholds: narrative.Thresholds
    open_rounds: int
    """Rounds of the chapter that is open."""


@dataclass(frozen=True)
class HeldInsight:
    memory: Memory
    facts: tuple[Memory, ...]
    score: Score
    forgotten: bool
    held_back: bool = False
    """It rests on a fact that a person excluded, so it is not recalled."""
    source_changed: bool = False
    untrue: bool = False
    """A person said so: it is neither recalled nor derived again."""


@dataclass(frozen=True)
class HeldTelling:
    """What one session told of a topic."""

    memory: Memory
    facts: tuple[Memory, ...]
    """What it rests on, in path order."""
    source_changed: bool = False


@dataclass(frozen=True)
class HeldTopics:
    topics: tuple[tuple[HeldTelling, ...], ...]
    """Each with its tellings, newest first; the topic that was told of last comes first."""
    headings: tuple[str, ...]
    """What each of them is about, in a few words of its own."""
    open_since: int
    """First round of the session that is not over; 0 if none is open."""


@dataclass(frozen=True)
class Profile:
    """What is known of the player, with what a person keeps out of it."""

    entries: tuple[Entry, ...]
    excluded: tuple[Memory, ...]
    """Values that do not count, in path order."""
    changed: frozenset[str]
    """Ids of values in a person's words whose source reads otherwise now."""
    derived: tuple[Derived, ...] = ()
    """What values that count have in common."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Of the other names that the player had in the chat, how many values were told under each."""
    since: int = 0
    """First round of the newest session; 0 while there was none before it."""
    over: bool = False
    """That session is over."""
    changes: tuple[Change, ...] = ()
    """What it changed."""


class Overview:
    def __init__(self, store: Store, tastes: Tastes, *, fingerprint: str) -> None:
        self._store = store
        self._tastes = tastes
        self._fingerprint = fingerprint

    def shelf(self, scope: Scope, branch_id: str, name: str, *, current_round: int, newest_first: bool, limit: int) -> Shelf:
        """Ties show the youngest first."""
        visible = self._store.memories.visible(scope, branch_id)
        sets = {
            FACTS: visible.of_kinds((Kind.FACT,)),
            EPISODES: visible.of_kinds((Kind.EPISODE,)),
            FORGOTTEN: self._store.memories.forgotten(scope, branch_id),
        }
        by_id = self._scores(scope, branch_id, sets[name], current_round)
        order = list(by_id)
        order.reverse()  # youngest first; the sort below is stable
        if not newest_first:
            order.sort(key=lambda i: -by_id[i].value)
        found = self._store.memories.get(scope, order[:limit])
        changed = self._changed(scope, branch_id, found.values())
        return Shelf(
            memories=tuple(ScoredMemory(found[i], by_id[i], name == FORGOTTEN, i in changed) for i in order[:limit] if i in found),
            counts={shelf: len(members.ids) for shelf, members in sets.items()},
            best_score=max((s.value for s in by_id.values()), default=0.0),
        )

    def story(self, scope: Scope, branch_id: str, *, current_round: int) -> Story:
        """Arcs and chapters as they were closed, and the open chapter so far: its units' most telling facts."""
        visible = self._store.memories.visible(scope, branch_id)
        division = division_of(self._store, scope, branch_id)
        slots = division.slots()
        found = self._store.memories.get(scope, visible.of_kinds((Kind.PLOT,)).ids)
        # What another preset, or an end that was taken back, makes of the same rounds is there as well.
        plots = [plot for plot in found.values() if plot.slot in slots]
        changed = self._changed(scope, branch_id, plots)
        pieces = sorted((_piece(plot, plot.id in changed) for plot in plots), key=lambda p: p.span.first)
        start = division.open_from
        facts = self._store.memories.get(scope, visible.of_kinds((Kind.FACT,)).recallable.within(start, current_round).ids)
        so_far = []
        for span in division.open_units(current_round):
            inside = sorted((f for f in facts.values() if span.first <= f.round_last <= span.last), key=path_order)
            if inside:
                lines = self._chosen(scope, inside)
                changed = self._changed(scope, branch_id, lines)
                so_far.append(Piece("", span, current_round > span.last, tuple(_line(f, f.id in changed) for f in lines)))
        dates = self._store.sessions.dates(scope, branch_id)
        pieces, so_far = [_dated(p, dates) for p in pieces], [_dated(p, dates) for p in so_far]
        return Story(
            arcs=tuple(p for p in pieces if p.span.tier == narrative.ARC),
            chapters=tuple(p for p in pieces if p.span.tier == narrative.CHAPTER),
            so_far=tuple(so_far),
            thresholds=division.thresholds,
            open_rounds=max(0, current_round + 1 - max(start, 1)),
        )

    def sketch(self, scope: Scope, branch_id: str) -> tuple[Entry, ...]:
        """What counts as known of the player."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds((Kind.PERSONA,)).recallable
        head = self._store.chats.head(scope, branch_id)
        values, _ = self._mine(scope, self._store.memories.get(scope, visible.ids).values())
        meets = self._tastes.meets(scope.user_id, values)
        return merged_sketch(self._store, scope, values, now=head.round if head else 0, meets=meets)

    def outdated(self, scope: Scope, branch_id: str) -> frozenset[str]:
        """Ids of the values of the player that counted once and do not hold now."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds((Kind.PERSONA,)).recallable
        values, _ = self._mine(scope, self._store.memories.get(scope, visible.ids).values())
        return outdated(values, meets=self._tastes.meets(scope.user_id, values))

    def profile(self, scope: Scope, branch_id: str, *, current_round: int, idle: timedelta = IDLE) -> Profile:
        """The sketch as a person looks after it. idle: silence that ends a session."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds((Kind.PERSONA,))
        found = self._store.memories.get(scope, visible.ids)
        values, others = self._mine(scope, [found[i] for i in visible.ids if i in found])
        counting = [v for v in values if not v.excluded]
        meets = self._tastes.meets(scope.user_id, counting)
        newest = self._newest_session(scope, branch_id, idle=idle)
        since = newest.first if newest is not None and newest.first > 1 else 0
        before = self._told_before(scope, branch_id, counting, since) if since else []
        return Profile(
            entries=merged_sketch(self._store, scope, counting, now=current_round, meets=meets),
            excluded=tuple(v for v in values if v.excluded),
            changed=self._changed(scope, branch_id, values),
            derived=derive(counting, now=current_round, meets=meets),
            others=dict(Counter(v.said_by for v in others if not v.excluded)),
            since=since,
            over=newest is not None and newest.over,
            changes=changes(sketch(before, meets=self._tastes.meets(scope.user_id, before)), sketch(counting, meets=meets))
            if since
            else (),
        )

    def _mine(self, scope: Scope, values: Iterable[Memory]) -> tuple[list[Memory], list[Memory]]:
        """The values told by who the player is in the chat now, under whichever name that persona had in it; and those told as somebody else. All are the
        player's where the chat never had a persona."""
        had = self._store.players.names(scope)
        if not had:
            return list(values), []
        chat = self._store.chats.chat(scope)
        everything = list(values)
        mine = told_as(everything, {chat.user_name, *had.get(chat.player_id, ())})
        own = {v.id for v in mine}
        return mine, [v for v in everything if v.id not in own]

    def _told_before(self, scope: Scope, branch_id: str, counting: Sequence[Memory], since: int) -> list[Memory]:
        """The values that counted before a round: those of today, and what was taken back from then on."""
        visible = self._store.memories.visible(scope, branch_id)
        denied = [memory_id for _, memory_id, last, kind in visible.denied if kind is Kind.PERSONA and last < since]
        why = self._store.memories.absences(scope, branch_id, denied, held_back=()) if denied else {}
        back = [i for i, absence in why.items() if absence.why is Why.TAKEN_BACK and (absence.round or 0) >= since]
        return [*(v for v in counting if v.round_last < since), *self._mine(scope, self._store.memories.get(scope, back).values())[0]]

    def _newest_session(self, scope: Scope, branch_id: str, *, idle: timedelta) -> Session | None:
        head = self._store.chats.head(scope, branch_id)
        path = self._store.sessions.moments(scope, branch_id, first_round=head.round // LONGEST * LONGEST) if head is not None else []
        return next(reversed(sessions(path, idle=idle)), None)

    def of_round(self, scope: Scope, branch_id: str, round_number: int, *, current_round: int) -> tuple[ScoredMemory, ...]:
        """Everything that rests on what was said in a round, in order of birth, forgotten or not."""
        said = self._store.chats.span(scope, branch_id, first_round=round_number, last_round=round_number)
        here = self._store.controls.of_messages(scope, [m.id for m in said])
        kept = self._store.memories.visible(scope, branch_id)
        lost = self._store.memories.forgotten(scope, branch_id)
        everything = kept.joined(lost)
        # A topic hangs on its whole session, but rests on some rounds of it.
        told = self._store.memories.get(scope, kept.of_kinds((Kind.TOPIC,)).ids)
        elsewhere = {i for i, topic in told.items() if round_number not in topics.rounds_of(topic)}
        members = everything.without([i for i in everything.ids if i not in here or i in elsewhere])
        scored = self._scores(scope, branch_id, members, current_round)
        slots = division_of(self._store, scope, branch_id).slots()
        held = self._store.memories.get(scope, members.ids)
        found = {i: m for i, m in held.items() if m.kind is not Kind.PLOT or m.slot in slots}
        changed = self._changed(scope, branch_id, found.values())
        gone = set(lost.ids)
        return tuple(ScoredMemory(found[i], scored[i], i in gone, i in changed) for i in members.ids if i in found)

    def _changed(self, scope: Scope, branch_id: str, memories: Iterable[Memory]) -> frozenset[str]:
        """Of memories on the path those in a person's words whose sources the branch now words otherwise than when they were derived."""
        first = self._store.controls.first_wordings(scope, [m.id for m in memories if m.origin == "user"])
        messages = self._store.chats.messages(scope, branch_id, list({message_id for _, message_id in first}))
        now = {m.id: m.revision.sha256 for m in messages}
        return frozenset(memory_id for (memory_id, message_id), was in first.items() if now.get(message_id) != was)

    def insights(self, scope: Scope, branch_id: str, *, current_round: int) -> tuple[HeldInsight, ...]:
        """Newest first, those that were forgotten among them."""
        held = self._store.memories.visible(scope, branch_id).of_kinds((Kind.INSIGHT,))
        lost = self._store.memories.forgotten(scope, branch_id).of_kinds((Kind.INSIGHT,))
        scored = {**self._scores(scope, branch_id, held, current_round), **self._scores(scope, branch_id, lost, current_round)}
        found = self._store.memories.get(scope, scored)
        facts = self._store.memories.get(scope, [g for insight in found.values() for g in insight.grounds])
        gone, back = set(lost.ids), self._store.controls.held_back(scope)
        changed = self._changed(scope, branch_id, found.values())
        untrue = self._store.readings.untrue(scope)
        return tuple(
            HeldInsight(
                insight,
                tuple(facts[g] for g in insight.grounds if g in facts),
                scored[i],
                i in gone,
                i in back,
                i in changed,
                insight.excluded and sha256(insight.slot) in untrue,
            )
            for i, insight in sorted(found.items(), key=lambda pair: (-pair[1].round_last, pair[0]))
        )

    def topics(self, scope: Scope, branch_id: str, *, language: str, idle: timedelta, called: str = "") -> HeldTopics:
        """What the sessions of a path were about, later tellings with the earlier ones that they go on with (`memory.topics.threads`). language: of the chat;
        called: what the player is told as."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds((Kind.TOPIC,)).within(0, LAST_ROUND)
        held = sorted(self._store.memories.get(scope, visible.ids).values(), key=_telling_order)
        facts = self._store.memories.get(scope, [g for m in held for g in m.grounds])
        vectors = self._store.vectors.of_memories(scope.user_id, self._fingerprint, list(facts))
        changed = self._changed(scope, branch_id, held)
        grounds = {m.id: tuple(sorted((facts[g] for g in m.grounds if g in facts), key=path_order)) for m in held}
        tellings = []
        for memory in held:
            ready = [f for f in grounds[memory.id] if f.id in vectors]
            if ready:  # else its facts are being embedded anew, and it stands alone until the next look
                stacked = np.stack([vectors[f.id] for f in ready])
                tellings.append(
                    topics.Telling(memory, stacked, tuple(topics.terms_of_facts(ready, people=[*memory.knowers, memory.said_by])))
                )
        found = topics.threads(tellings, language=language)
        alone = {m.id for m in held} - {t.memory.id for t in tellings}
        threads = [*found, *((m,) for m in held if m.id in alone)]
        threads.sort(key=lambda thread: _telling_order(thread[-1]), reverse=True)
        newest = self._newest_session(scope, branch_id, idle=idle)
        return HeldTopics(
            topics=tuple(tuple(HeldTelling(m, grounds[m.id], m.id in changed) for m in reversed(thread)) for thread in threads),
            headings=headings(threads, grounds, language=language, called=called),
            open_since=newest.first if newest is not None and not newest.over else 0,
        )

    def brought(self, scope: Scope, branch_id: str, kind: Kind) -> tuple[Memory, ...]:
        """What came along from other conversations of a kind that has no place among what is told here: plots and topics, oldest first."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds((kind,)).before(0)
        found = self._store.memories.get(scope, visible.ids).values()
        return tuple(sorted(found, key=lambda m: (m.round_first, -m.round_last, m.id)))

    def _scores(self, scope: Scope, branch_id: str, members: VisibleSet, current_round: int) -> dict[str, Score]:
        if not members.ids:
            return {}
        return scores(members.round_of, self._store.memories.events(scope, branch_id), current_round=current_round)

    def _chosen(self, scope: Scope, facts: Sequence[Memory]) -> list[Memory]:
        """The most telling facts of a unit; one whose vector is not there yet waits for the next look."""
        vectors = self._store.vectors.of_memories(scope.user_id, self._fingerprint, [f.id for f in facts])
        ready = [f for f in facts if f.id in vectors]
        if not ready:
            return []
        chosen = narrative.choose(np.stack([vectors[f.id] for f in ready]), most=narrative.LINES[1], weights=worths(ready))
        return [ready[i] for i in chosen]


def _telling_order(memory: Memory) -> tuple[int, str, int, str]:
    """Sorts topics along a path: by session, and of one session as they were told in it."""
    rounds = topics.rounds_of(memory)
    return memory.round_last, memory.slot, min(rounds, default=0), str(memory.payload.get("anchor", ""))


def _line(fact: Memory, source_changed: bool) -> Line:
    return Line(fact.text, fact.round_last, fact.said_at, fact, source_changed)


def _dated(piece: Piece, dates: Mapping[int, tuple[datetime, datetime]]) -> Piece:
    """With the days of the first and last of its rounds that are there."""
    rounds = list(dates)
    inside = rounds[bisect_left(rounds, piece.span.first) : bisect_right(rounds, piece.span.last)]
    return replace(piece, began=dates[inside[0]][0], ended=dates[inside[-1]][1]) if inside else piece


def _piece(plot: Memory, source_changed: bool) -> Piece:
    """A plot memory as it is told; its payload is this program's own."""
    tier, lines = plot.payload["tier"], plot.payload["lines"]
    if not isinstance(tier, int) or not isinstance(lines, list):
        raise TypeError(f"plot {plot.id} is not as it was written")
    return Piece(
        id=plot.id,
        span=narrative.Span(tier, plot.round_first, plot.round_last),
        closed=True,
        lines=tuple(Line(str(line["text"]), int(line["round"]), from_ms(line["said_at"])) for line in lines),
        memory=plot,
        source_changed=source_changed,
    )
