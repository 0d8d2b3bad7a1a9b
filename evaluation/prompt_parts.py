"""What a prompt holds of memory, and the engine with parts of it left out (MOOM 5.6, Table 2; DualMem 6, Table 3).

The story and the sketch stand in every prompt; episodes, facts and insights are recalled for a cue. An ablation has only memories of its kinds: nothing of the others
is in the prompt, and without facts nothing is found by them either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chat.assembly import Memory as House
from evaluation.talks import Talk
from memory.engine import Cue
from memory.recipes import RECIPES
from storage.records import Kind, Memory

GIVEN = 9
"""Recalled memories that a prompt holds."""
EVERY = frozenset({Kind.EPISODE, Kind.FACT, Kind.INSIGHT, Kind.PLOT, Kind.PERSONA})
WHOLE = "keepsake"
ABLATIONS: Mapping[str, frozenset[Kind]] = {
    WHOLE: EVERY,
    "narrative-only": frozenset({Kind.EPISODE, Kind.PLOT}),
    "persona-only": frozenset({Kind.PERSONA}),
    "without-insights": EVERY - {Kind.INSIGHT},
    "without-facts": EVERY - {Kind.FACT},
}


@dataclass(frozen=True)
class Part:
    """One memory as a prompt tells it. turns: ids of the messages it rests on."""

    text: str
    turns: tuple[str, ...]
    kind: Kind


def standing(house: House, talk: Talk, kinds: frozenset[Kind]) -> list[Part]:
    """Story and sketch, so far as they are of the kinds."""
    found: list[Part] = []
    if Kind.PLOT in kinds:
        found += [_part(talk, plot) for plot in _of(house, talk, Kind.PLOT)]
    if Kind.PERSONA in kinds:
        found += sketch_parts(house, talk)
    return found


def sketch_parts(house: House, talk: Talk, *, name: str = "") -> list[Part]:
    """What the sketch holds, a sentence a value. name: of the player, before each."""
    entries = house.engine.overview.sketch(talk.scope, talk.branch_id)
    return [_part(talk, value, text=told(entry.key.name, value.text, name=name)) for entry in entries for value in entry.values]


def told(key: str, value: str, *, name: str = "") -> str:
    """A value as a line: `Mara's likes: old maps`."""
    words = key.replace("_", " ")
    return f"{name}'s {words}: {value}" if name else f"{words}: {value}"


def everything(house: House, talk: Talk, kinds: frozenset[Kind], *, name: str) -> list[Part]:
    """All memories of the kinds, for what is compared with people's notes."""
    found = sketch_parts(house, talk, name=name) if Kind.PERSONA in kinds else []
    for kind in (Kind.EPISODE, Kind.FACT, Kind.INSIGHT, Kind.PLOT):
        if kind in kinds:
            found += [_part(talk, memory) for memory in _of(house, talk, kind)]
    return found


def recalled(house: House, talk: Talk, cue: Cue, kinds: frozenset[Kind]) -> list[Part]:
    """The first GIVEN of the kinds that a cue brings to mind."""
    recall = house.engine.recall(talk.scope, talk.branch_id, cue, recipe=RECIPES["fused" if Kind.FACT in kinds else "without-facts"])
    ids = [c.memory_id for c in recall.candidates]
    held = house.store.memories.get(talk.scope, ids)
    return [_part(talk, held[i]) for i in ids if held[i].kind in kinds][:GIVEN]


def _of(house: House, talk: Talk, kind: Kind) -> Sequence[Memory]:
    seen = house.store.memories.visible(talk.scope, talk.branch_id).of_kinds((kind,)).recallable
    found = house.store.memories.get(talk.scope, seen.ids)
    return sorted(found.values(), key=lambda m: (m.round_first, m.round_last, m.id))


def _part(talk: Talk, memory: Memory, *, text: str = "") -> Part:
    turns = sorted(talk.turn_of[s.message_id] for s in memory.sources if s.message_id in talk.turn_of)
    return Part(text or memory.text, tuple(turn for _, turn in turns), memory.kind)
