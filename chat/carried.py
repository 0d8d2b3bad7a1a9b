"""What a conversation remembers, as things that can leave it: read from one, and made into memories of another.

A thing keeps when it was said, from which conversation and round it comes, and its distance to what comes after it: the rounds of what comes along are counted
backwards from the beginning of the conversation that it comes into, as if the other had gone before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.deriving import division_of
from memory.facts import keyed, path_order
from memory.persona import PLAYER, UNNAMED
from storage.readings_rows import READINGS
from storage.records import CARRIED, TAKEN_BACK, UNIT, Chat, Kind, Memory, from_ms, stable_id, to_ms
from storage.scope import Scope
from storage.store import Store
from storage.witnesses import MIND, own_id

KINDS = (Kind.FACT, Kind.PERSONA, Kind.INSIGHT, Kind.PLOT, Kind.TOPIC)
"""Kinds that can leave. A round as it was said stays where it was said."""
LIVING, FORMER, FORGOTTEN, LEFT_OUT = "living", "former", "forgotten", "left_out"
"""What lives comes along if nothing else is said. FORMER: a value of the player in whose place a newer one stands."""
STANCES = READINGS[0]
"""Beginning of the slots of readings through a stance of the character's: known in any conversation with the same character."""
EARLIEST_ROUND = -10_000_000
"""As a bundle takes it (`chat.portable_fields`). What came along from farther back counts as from there."""
MOST_CHARS = 20_000
"""Of a text in which a name was put in another's place: names of one letter make any text long."""
FIRST = "!"
"""Rank in a slot before every derived one."""


@dataclass(frozen=True)
class Line:
    """A sentence of a piece of the story."""

    text: str
    round: int
    said_at: datetime


@dataclass(frozen=True)
class Whence:
    """Where a thing was remembered first. rounds: of that conversation."""

    title: str
    character: str
    chat: str
    first: int
    last: int


@dataclass(frozen=True)
class Thing:
    """One thing that is remembered. own: it is the player's, told about themself and theirs, so that another character may know it as well. first, last: rounds of the
    conversation that it leaves."""

    kind: Kind
    text: str
    language: str
    subject: str
    said_by: str
    own: bool
    first: int
    last: int
    said_at: datetime
    whence: Whence
    id: str = ""
    player: bool = False
    """The player said it."""
    key: str = ""
    quote: str = ""
    slot: str = ""
    """Of a reading through a stance."""
    tier: int = 0
    lines: tuple[Line, ...] = ()
    place: int = 0
    event: tuple[datetime, datetime] | None = None
    trust: float = 1.0
    pinned: bool = False
    edited: bool = False
    state: str = LIVING
    rests_on: tuple[int, ...] = field(default=())
    """Places, in the same list, of the facts that it rests on."""


@dataclass(frozen=True)
class Belongings:
    """All that can leave a conversation, by kind and in path order. rounds: that it has; of: the one of several characters whose memory it is."""

    title: str
    chat: str
    character: str
    player: str
    language: str
    rounds: int
    things: tuple[Thing, ...]


def belongings(store: Store, scope: Scope, chat: Chat, character: str, *, outdated: Collection[str] = ()) -> Belongings:
    """What a chat remembers on its open branch. scope: as the one character sees it whose memory it is; outdated: ids of values that do not hold any more."""
    visible = store.memories.visible(scope, chat.branch_id)
    lost = store.memories.forgotten(scope, chat.branch_id).of_kinds((Kind.FACT, Kind.INSIGHT))
    slots = division_of(store, scope, chat.branch_id).slots()
    held_back = store.controls.held_back(scope)
    found = store.memories.get(scope, (*visible.of_kinds(KINDS).ids, *lost.ids))
    kept = [m for m in found.values() if m.slot != TAKEN_BACK and not m.slot.startswith(UNIT)]
    kept = [m for m in kept if m.kind is not Kind.PLOT or m.carried or m.slot in slots]
    kept.sort(key=lambda m: (KINDS.index(m.kind), path_order(m)))
    at = {m.id: place for place, m in enumerate(kept)}
    gone = set(lost.ids)
    head = store.chats.head(scope, chat.branch_id)
    whence = Whence(chat.title or chat.character_name, character, chat.id, 0, 0)

    def state(memory: Memory) -> str:
        if memory.excluded or memory.id in held_back:
            return LEFT_OUT
        return FORGOTTEN if memory.id in gone else FORMER if memory.id in outdated else LIVING

    things = tuple(
        _thing(m, whence, state=state(m), rests_on=tuple(at[g] for g in m.grounds if g in at) if m.kind is Kind.INSIGHT else ())
        for m in kept
    )
    return Belongings(whence.title, chat.id, character, chat.user_name, chat.language, head.round if head else 0, things)


def _thing(memory: Memory, whence: Whence, *, state: str, rests_on: tuple[int, ...]) -> Thing:
    payload = memory.payload
    before = payload.get(CARRIED)
    kept, place = payload.get("lines"), payload.get("place", 0)
    lines = tuple(
        Line(str(line["text"]), int(line["round"]), _moment(line["said_at"]))
        for line in (kept if isinstance(kept, list) else ())
        if isinstance(line, dict)
    )
    return Thing(
        id=memory.id,
        kind=memory.kind,
        text=memory.text,
        language=memory.language,
        subject=memory.subject,
        said_by=memory.said_by,
        own=_own(memory),
        first=memory.round_first,
        last=memory.round_last,
        said_at=memory.said_at,
        whence=_whence(before) if isinstance(before, dict) else replace(whence, first=memory.round_first, last=memory.round_last),
        player=memory.kind is Kind.PERSONA or bool(payload.get("player")),
        key=str(payload.get("key", "")),
        quote=str(payload.get("quote", "")),
        slot=memory.slot if memory.kind is Kind.INSIGHT and memory.slot.startswith(STANCES) else "",
        tier=_number(payload.get("tier")) if memory.kind is Kind.PLOT else 0,
        lines=lines,
        place=_number(place),
        event=(memory.event_from, memory.event_to) if memory.event_from and memory.event_to else None,
        trust=memory.trust,
        pinned=memory.pinned,
        edited=memory.origin == "user",
        state=state,
        rests_on=rests_on,
    )


def _own(memory: Memory) -> bool:
    """Whether the player told it about themself, or about somebody or something of theirs."""
    if memory.kind is Kind.PERSONA:
        return True
    names = [name for name in (memory.said_by, *PLAYER.values()) if name]
    mine = any(memory.subject == name or memory.subject.startswith((f"{name}'s ", f"{name}’s ", f"{name}的")) for name in names)
    return memory.kind is Kind.FACT and bool(memory.payload.get("player")) and (mine or _is_of_theirs(memory))


def _is_of_theirs(memory: Memory) -> bool:
    """Whether the words bring in whom they are about as the speaker's: "my sister Ida is a nurse" is about Ida."""
    brought_in = rf"\b(?:my|our)\s+(?:[\w-]+,?\s+){{1,3}}{re.escape(memory.subject)}\b"
    return bool(memory.subject) and re.search(brought_in, str(memory.payload.get("quote", "")), re.IGNORECASE) is not None


def _whence(kept: Mapping[str, object]) -> Whence:
    """Of what came along before: where it was remembered first."""
    return Whence(str(kept["title"]), str(kept["character"]), str(kept["chat"]), _number(kept["first"]), _number(kept["last"]))


def _moment(milliseconds: object) -> datetime:
    return from_ms(_number(milliseconds))


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def with_grounds(things: Sequence[Thing], chosen: Iterable[int]) -> list[int]:
    """The places of what was chosen and of what that rests on: a reading comes with its facts."""
    wanted = set(chosen)
    wanted |= {ground for place in wanted for ground in things[place].rests_on}
    return sorted(wanted)


def memories_of(what: Belongings, chosen: Sequence[int], *, chat: Chat, character: str, witness: str, earliest: int) -> dict[int, Memory]:
    """What was chosen as memories of a chat, by place, facts before what rests on them. character: whose memory they become; witness: its name where there are
    several, else empty; earliest: as of `storage.carrying.Carrying.earliest`. What the player said is the player's as they are called here."""
    shift = earliest - what.rounds - 1
    named = "" if chat.user_name.strip().casefold() in UNNAMED else chat.user_name
    ids: dict[int, str] = {}
    made: dict[int, Memory] = {}
    for place in sorted(chosen, key=lambda place: (what.things[place].kind is Kind.INSIGHT, place)):
        thing = what.things[place]
        called = _called(thing, named)
        grounds = tuple(ids[ground] for ground in thing.rests_on if ground in ids)
        memory = _memory(called, chat_id=chat.id, character=character, witness=witness, shift=shift, grounds=grounds)
        ids[place] = memory.id
        made[place] = memory
    return made


def _memory(thing: Thing, *, chat_id: str, character: str, witness: str, shift: int, grounds: tuple[str, ...]) -> Memory:
    # Known by what it says alone, so that the same thing comes along once, from wherever.
    key = keyed(CARRIED, stable_id(thing.kind.value, thing.key, thing.said_by, to_ms(thing.said_at), thing.text))
    memory_id = stable_id("memory", chat_id, key)
    payload: dict[str, object] = {
        Kind.FACT: {"quote": thing.quote, "player": thing.player, "place": thing.place},
        Kind.PERSONA: {"key": thing.key, "quote": thing.quote, "place": thing.place},
        Kind.PLOT: {
            "tier": thing.tier,
            "lines": [
                {"text": line.text, "round": max(EARLIEST_ROUND, line.round + shift), "said_at": to_ms(line.said_at)}
                for line in thing.lines
            ],
        },
    }.get(thing.kind, {})
    whence = thing.whence
    payload[CARRIED] = {
        "title": whence.title,
        "character": whence.character,
        "chat": whence.chat,
        "first": whence.first,
        "last": whence.last,
        "edited": thing.edited,
    }
    if witness:
        payload[MIND] = witness
    return Memory(
        id=own_id(witness, memory_id) if witness else memory_id,
        chat_id=chat_id,
        kind=thing.kind,
        text=thing.text,
        language=thing.language,
        subject=thing.subject,
        said_by=thing.said_by,
        knowers=tuple(dict.fromkeys(name for name in (thing.said_by, character) if name)),
        payload=payload,
        round_first=max(EARLIEST_ROUND, thing.first + shift),
        round_last=max(EARLIEST_ROUND, thing.last + shift),
        said_at=thing.said_at,
        event_from=thing.event[0] if thing.event else None,
        event_to=thing.event[1] if thing.event else None,
        trust=thing.trust,
        pinned=thing.pinned,
        origin="user",
        slot=thing.slot,
        slot_rank=FIRST if thing.slot else "",
        derivation_key=key,
        sources=(),
        grounds=grounds,
    )


def _called(thing: Thing, name: str) -> Thing:
    """With the player's words as those of the player who has a name here. name: empty where they have none."""
    was = thing.said_by
    if not thing.player or not name or name == was:
        return thing
    call = _renaming(was, name) if was.casefold() not in UNNAMED and was not in PLAYER.values() else lambda text: text
    subject = name if thing.subject == was else thing.subject
    return replace(thing, said_by=name, subject=subject, text=thing.text if thing.kind is Kind.PERSONA else call(thing.text))


def _renaming(was: str, name: str) -> Callable[[str], str]:
    pattern = re.compile(rf"(?<![^\W\d_]){re.escape(was)}(?![^\W\d_])" if was.isascii() else re.escape(was))

    def renamed(text: str) -> str:
        more = len(name) - len(was)
        if more > 0 and len(text) + more * text.count(was) > MOST_CHARS:
            return text
        return pattern.sub(lambda _: name, text)

    return renamed
