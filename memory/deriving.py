"""What follows from a whole path: insights, plots and topics. Pure functions of the path's facts, whatever was recalled or forgotten meanwhile, so that what
is built up round by round equals what is rebuilt."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from memory import insights, narrative, topics
from memory.everyday import everyday
from memory.facts import path_order
from memory.keeping import Keeper
from memory.narrative import PRESETS, Division
from memory.persona import PLAYER
from memory.sessions import LONGEST, Session, ends, sessions
from memory.story_worth import worths
from memory.topic_words import Rarity, background
from memory.ways import ORDINARY, Ways, seeing
from personas.record import Character, character_from_card
from storage.records import Chat, Kind, Member, Memory, Message
from storage.scope import Scope
from storage.store import Store
from storage.visible import VisibleSet
from storage.witnesses import owned

MAX_ROUND = 2**31
"""After every round."""
REMEMBERED = 16
"""Characters whose card, and whose cues with their vectors (half a megabyte), are held ready."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Told:
    """What a span is told from, oldest first."""

    parts: tuple[Memory, ...]
    """Facts of a chapter, chapters of an arc."""
    facts: tuple[Memory, ...]
    """Facts of either."""
    messages: tuple[Message, ...]
    same: tuple[Memory, ...]
    """Plots of this very span that the path has."""

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote the piece."""
        return any(p.origin == "user" for p in self.same)


class Deriver:
    """idle: silence that ends a session."""

    def __init__(self, store: Store, keeper: Keeper, *, idle: timedelta, ways: Ways = ORDINARY) -> None:
        self._store = store
        self._ways = ways
        self._keeper = keeper
        self._idle = idle
        self._characters: OrderedDict[tuple[str, str], Character] = OrderedDict()
        """As last read, by user and id."""
        self._lenses: OrderedDict[tuple[str, tuple[str, ...]], insights.Lens] = OrderedDict()
        """By user and every text in it."""

    def facts(self, scope: Scope, branch_id: str, *, before_round: int) -> list[Memory]:
        """Every fact of the path from before a round, forgotten or not, without those a person excluded and those that came along from elsewhere, of which
        nothing new is concluded; in path order."""
        seen = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.FACT,)).recallable.within(0, before_round - 1)
        return sorted(self.standing(scope, branch_id, seen.ids), key=path_order)

    def told_by(self, scope: Scope, branch_id: str, kinds: Collection[Kind]) -> list[Memory]:
        """Everything of some kinds that the path tells, forgotten, excluded and taken back or not."""
        return self.standing(scope, branch_id, self._store.memories.on_path(scope, branch_id).told.of_kinds(kinds).ids)

    def standing(self, scope: Scope, branch_id: str, ids: Sequence[str]) -> list[Memory]:
        """Memories that the path has. Of the wordings that a source is listed in only that which the path shows: what follows from them rests on it."""
        found = self._store.memories.get(scope, ids).values()
        several = {m.id for m in found if len({s.message_id for s in m.sources}) < len(m.sources)}
        asked = {s.message_id for m in found if m.id in several for s in m.sources}
        shown = {m.revision.id for m in self._store.chats.messages(scope, branch_id, list(asked))} if asked else set()
        return [replace(m, sources=tuple(s for s in m.sources if s.revision_id in shown)) if m.id in several else m for m in found]

    # Insights

    def ready(self, scope: Scope, chat: Chat) -> bool:
        """Whether the character's cues are embedded: of ours some 500 texts, with everyday facts 9 s of one core."""
        character = self.character(scope, chat)
        _, texts = insights.cue_texts(character, player=_unnamed(character))
        return self._keeper.stand(chat.user_id, texts)

    def touched(self, scope: Scope, chat: Chat, new: Sequence[Memory], *, wait: bool) -> set[int] | None:
        """The stances that new facts of the player speak for; without `wait` None while the character's cues are not embedded."""
        mine = self._weighed(scope, chat, new)
        if not mine:
            return set()
        if not wait and not self.ready(scope, chat):
            return None
        return {m.stance for found in self._matches(scope, self.character(scope, chat), mine) for m in found}

    def asked_of(self, scope: Scope, chat: Chat, new: Sequence[Memory]) -> list[str]:
        """The texts that `touched` compares of new facts."""
        return [insights.unnamed(f) for f in self._weighed(scope, chat, new)]

    def _weighed(self, scope: Scope, chat: Chat, facts: Sequence[Memory]) -> list[Memory]:
        """Those of some facts that may speak for a stance of the character's."""
        character = self.character(scope, chat)
        return about_player([f for f in facts if f.language == insights.spoken(character)]) if character.stances else []

    def insights_of_path(
        self, scope: Scope, branch_id: str, chat: Chat, *, before_round: int, stances: Collection[int] | None = None
    ) -> tuple[list[Memory], list[str]]:
        """The insights that the path's facts give ground for, of these stances or of all; and ids of insights on the path that no longer follow."""
        character = self.character(scope, chat)
        # Before the facts: what is kept beside this has its facts kept before it, and is not taken for one that does not follow.
        there = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.INSIGHT,)).ids if stances is None else ()
        # Whether one still follows is asked of all facts: the newest round may have been final before the messages after it were deleted.
        facts = self.facts(scope, branch_id, before_round=before_round if stances is not None else MAX_ROUND)
        mine = about_player([f for f in facts if f.language == insights.spoken(character)])
        made: list[Memory] = []
        stale: list[str] = []
        language = insights.spoken(character)
        speaking: dict[int, list[tuple[Memory, insights.Match]]] = {}
        if mine and character.stances:
            for fact, found in zip(mine, self._matches(scope, character, mine), strict=True):
                for match in found:
                    speaking.setdefault(match.stance, []).append((fact, match))
        for stance in sorted(set(stances) if stances is not None else range(len(character.stances))):
            final = [pair for pair in speaking.get(stance, ()) if pair[0].round_last < before_round]
            ground = insights.evidence(final, language=language)
            if ground:
                firm = insights.firmness(ground, final, language=language)
                made.append(owned(scope, insights.insight_of(chat.id, character, stance, ground, player=ground[0].subject, firm=firm)))
        if stances is None:
            slots = {insights.stance_id(character, stance): stance for stance in range(len(character.stances))}
            for held in self._store.memories.get(scope, there).values():
                own = [pair for pair in speaking.get(slots.get(held.slot or "", -1), ()) if pair[0].id in held.grounds]
                if held.origin == "model" and "model" not in held.payload and not insights.evidence(own, language=language):
                    stale.append(held.id)
        return made, stale

    def character(self, scope: Scope, chat: Chat) -> Character:
        """The one whose memory it is: of several that which the scope names."""
        one = chat.member(scope.witness) or Member(chat.character_id, chat.character_name)
        card = self._store.chats.character(chat.user_id, one.character_id).card_v3
        there = self._characters.get((chat.user_id, one.character_id))
        if there is None or there.card != card:
            there = seeing(character_from_card(card, id=one.character_id), self._ways)
            _remember(self._characters, (chat.user_id, one.character_id), there)
        return replace(there, name=one.name)

    def _matches(self, scope: Scope, character: Character, facts: Sequence[Memory]) -> list[tuple[insights.Match, ...]]:
        """For each fact of the player's the stances that it speaks for. Only what has a name in it is embedded once more, without the name."""
        return insights.matches(
            self._keeper.passages(scope.user_id, [insights.unnamed(f) for f in facts]), self._lens(scope.user_id, character)
        )

    def _lens(self, user_id: str, character: Character) -> insights.Lens:
        player = _unnamed(character)
        places, texts = insights.cue_texts(character, player=player)
        language = insights.spoken(character)
        there = self._lenses.get((user_id, texts))
        if there is None or (there.language, there.cues) != (language, places):
            vectors = insights.cue_vectors(self._keeper.standing(user_id, texts), self._keeper.standing(user_id, texts, queries=True))
            ordinary = self._keeper.standing(user_id, everyday(language, player=player))
            there = insights.Lens(character, language, places, vectors, ordinary)
            _remember(self._lenses, (user_id, texts), there)
        return there

    # Plots

    def division(self, scope: Scope, branch_id: str) -> Division:
        """How the path makes up its story."""
        return division_of(self._store, scope, branch_id)

    def told(self, scope: Scope, branch_id: str, span: narrative.Span) -> Told:
        """What a closed span is told from."""
        seen = self._store.memories.on_path(scope, branch_id).told
        plots = self.standing(scope, branch_id, seen.of_kinds((Kind.PLOT,)).within(span.first, span.last).ids)
        same = tuple(p for p in plots if p.slot == narrative.slot_of(span))
        messages = self._store.chats.span(scope, branch_id, first_round=span.first, last_round=span.last)
        if span.tier == narrative.CHAPTER:
            inside = seen.of_kinds((Kind.FACT,)).recallable.within(span.first, span.last)
            facts = tuple(sorted(self.standing(scope, branch_id, inside.ids), key=path_order))
            return Told(facts, facts, tuple(messages), same)
        slots = {narrative.slot_of(chapter) for chapter in span.chapters}
        chapters = [p for p in plots if p.slot in slots and not p.excluded]
        grounds = self.standing(scope, branch_id, [g for c in chapters for g in c.grounds])
        parts = tuple(sorted(chapters, key=lambda c: c.round_first))
        return Told(parts, tuple(sorted(grounds, key=path_order)), tuple(messages), same)

    def plot_of_path(self, scope: Scope, branch_id: str, span: narrative.Span, *, by_hand: bool = False) -> tuple[Memory | None, list[str]]:
        """The plot of a closed span, None if nothing was told in it or a person wrote it; and ids of plots on the path that it takes the place of.

        by_hand: also where a person wrote it, to lay beside theirs.
        """
        told = self.told(scope, branch_id, span)
        if told.by_hand and not by_hand:
            return None, []
        made = None
        if told.facts and told.messages:
            vectors, weights = self._keeper.vectors(scope, told.facts), worths(told.facts)
            lines = [told.facts[i] for i in narrative.choose(vectors, most=narrative.LINES[span.tier], weights=weights)]
            grounds = lines if span.tier == narrative.CHAPTER else told.parts
            made = owned(
                scope, narrative.plot_of(scope.chat_id, span, lines, told.messages, told=told.facts, grounds=[g.id for g in grounds])
            )
        here = {m.revision.id for m in told.messages}
        # One that rests on fewer messages of the span may hold on another branch and gives way by itself; one that a model told gives way to its next.
        own = [p for p in told.same if "model" not in p.payload]
        stale = [p.id for p in own if (made is None or p.id != made.id) and here <= {s.revision_id for s in p.sources}]
        return made, stale

    # Topics

    def sessions(self, scope: Scope, branch_id: str, *, first_round: int) -> list[Session]:
        """The sessions of a path from about a round on: the first may begin some rounds before it."""
        start = max(0, first_round) // LONGEST * LONGEST
        return sessions(self._store.sessions.moments(scope, branch_id, first_round=start), idle=self._idle)

    def session_before(self, scope: Scope, branch_id: str, message: Message) -> Session | None:
        """The session that ended with a message of a path, the newest of its round; None if it went on."""
        said, *following = self._store.sessions.around(scope, message.id)
        if not said.ended and not any(ends([said], after, idle=self._idle) for after in following):
            return None
        found = self.sessions(scope, branch_id, first_round=message.round)
        return next((s for s in found if s.over and s.last == message.round), None)

    def recallable_facts(self, scope: Scope, branch_id: str) -> VisibleSet:
        """Every fact of the path, forgotten or not, taken back later or not, without those a person excluded."""
        return self._store.memories.on_path(scope, branch_id).told.of_kinds((Kind.FACT,)).recallable

    def decomposed(self, scope: Scope, branch_id: str, session: Session, *, path: VisibleSet | None = None) -> topics.Decomposed | None:
        """What the topics of a session are made from; None if nothing was told in it. path: `recallable_facts`, where it was asked for already."""
        seen = (path if path is not None else self.recallable_facts(scope, branch_id)).within(session.first, session.last)
        facts = sorted(self.standing(scope, branch_id, seen.ids), key=path_order)
        messages = self._store.chats.span(scope, branch_id, first_round=session.first, last_round=session.last)
        return topics.Decomposed(session, tuple(facts), tuple(messages)) if facts and messages else None

    def topics_of_rounds(self, scope: Scope, branch_id: str, first: int, last: int) -> list[Memory]:
        """The topics that the path has of some rounds."""
        seen = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.TOPIC,)).within(first, last)
        return list(self._store.memories.get(scope, seen.ids).values())

    def topics_of_session(
        self, scope: Scope, branch_id: str, session: Session, *, path: VisibleSet | None = None, there: Sequence[Memory] = ()
    ) -> list[Memory]:
        """The topics of a session that is over, without a language model. path: as for `decomposed`; there: topics of the path, which are not made again if
        nothing that they follow from has changed."""
        told = self.decomposed(scope, branch_id, session, path=path)
        if told is None:
            return []
        same = [t for t in there if t.derivation_key == told.key and t.origin == "model"]
        if same and len(same) == same[0].payload.get("of"):
            return same
        vectors = self._keeper.vectors(scope, told.facts)
        terms = topics.terms_of_facts(told.facts, people=[*(m.speaker for m in told.messages), *(f.said_by for f in told.facts)])
        rarity = Rarity()
        rarity.add(background(told.facts[0].language))
        rarity.add(terms)
        made = []
        groups = topics.decompose(told.facts, vectors, terms, rarity)
        for place, group in enumerate(groups):
            inside = [told.facts[i] for i in group]
            topic = told.topic(place, topics.summary_of(inside, vectors[group]), inside, key=told.key, payload={"of": len(groups)})
            made.append(owned(scope, topic))
        return made

    def stale_topics(self, scope: Scope, branch_id: str, found: Sequence[Session], made: Sequence[Memory]) -> list[str]:
        """Ids of topics of some rounds of a path that are not those of its sessions any more. found: all sessions of those rounds; made: the topics of those
        that are over. One that rests on fewer messages may hold on another branch and gives way by itself."""
        by_slot = {topics.slot_of(s): s for s in found}
        ids = {m.id for m in made}
        stale = []
        for held in self.topics_of_rounds(scope, branch_id, found[0].first, found[-1].last):
            session = by_slot.get(held.slot)
            if held.origin != "model" or held.id in ids:
                continue
            if session is None:
                stale.append(held.id)
            elif session.over and (held.payload.get("ends") != session.last or "model" not in held.payload):
                here = self._store.chats.span(scope, branch_id, first_round=session.first, last_round=session.last)
                if {m.revision.id for m in here} <= {s.revision_id for s in held.sources}:
                    stale.append(held.id)
        return stale


def division_of(store: Store, scope: Scope, branch_id: str) -> Division:
    """How a path makes up its story: by the chat's preset, and where a person closed chapters early."""
    ends, head = store.story.ends(scope, branch_id), store.chats.head(scope, branch_id)
    begun = 0 if head is None else head.round + 1 if head.id in ends else head.round
    return Division(PRESETS[store.chats.chat(scope).story], frozenset(ends.values()), begun)


def _remember(kept: OrderedDict[K, V], key: K, value: V) -> None:
    """The newest REMEMBERED are kept. Safe from any thread: what is gone is read again."""
    kept[key] = value
    while len(kept) > REMEMBERED:
        with contextlib.suppress(KeyError):
            kept.popitem(last=False)


def _unnamed(character: Character) -> str:
    return PLAYER.get(insights.spoken(character), PLAYER["en"])


def players(facts: Sequence[Memory]) -> list[str]:
    """The names that the player told facts under, in the order of the facts."""
    return [f.said_by for f in facts if f.payload.get("player")]


def about_player(facts: Sequence[Memory]) -> list[Memory]:
    """Of facts in path order, those that the player told of themself, under whichever name."""
    return [f for f in facts if f.payload.get("player") and (f.subject == f.said_by or f.subject in PLAYER.values())]


def of_newest(facts: Sequence[Memory]) -> list[Memory]:
    """Of those, the ones told under the name of the newest: the same player under another is somebody else in the story."""
    return [f for f in facts if f.subject == facts[-1].subject]
