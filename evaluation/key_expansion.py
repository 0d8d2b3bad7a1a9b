"""Key expansion: how should the facts drawn from a turn help to find it? (LongMemEval 5.3, Table 3)

*value*: not at all; *folded*: as the program does, the vector of the nearest fact beside the turn's own, its words with the turn's; *merged*: facts and turn
embedded as one text, the facts' words with the turn's, and no vector of a fact by itself. All else is the program's recall. Merged keys need a second embedding
of every turn from which a fact was drawn, since the turn is embedded when it is said and its facts are drawn later; `texts_embedded` counts that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData, RetrievalQuestion, asked_at
from evaluation.items import Item, named
from evaluation.measures import mean_interval, paired_difference, retrieval_scores
from evaluation.records import Figure, measured
from evaluation.talks import Talk, written
from memory.engine import Cue
from memory.recipes import FUSED, Recipe, without
from settings import Settings
from storage.database import Database
from storage.index import IndexEntry
from storage.records import Kind, to_ms
from storage.records import Memory as Remembered
from storage.scope import LOCAL_USER
from storage.vectors import Vector, Vectors

VALUE, FOLDED, MERGED = "value", "folded", "merged"
SYSTEMS = (VALUE, FOLDED, MERGED)
RECIPES: Mapping[str, Recipe] = {VALUE: without("facts"), FOLDED: FUSED, MERGED: FUSED}
CUTS = (5, 10)


class OtherKeys(Vectors):
    """The stored vectors, but for some memories another one, or none."""

    def __init__(self, database: Database, changed: Mapping[str, Vector | None]) -> None:
        super().__init__(database)
        self._changed = changed

    def of_memories(self, user_id: str, fingerprint: str, memory_ids: Sequence[str]) -> dict[str, Vector]:
        found = super().of_memories(user_id, fingerprint, memory_ids)
        return {i: kept for i, vector in found.items() if (kept := self._changed.get(i, vector)) is not None}


def merged_key(turn: Remembered, facts: Sequence[Remembered]) -> str:
    """Facts prepended to the value."""
    return "\n".join([*(fact.text for fact in facts), turn.text])


def merge(memory: Memory, talk: Talk) -> int:
    """Give the memory of a fresh folder merged keys; how many texts that embeds."""
    seen = memory.store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.EPISODE, Kind.FACT))
    all_of = memory.store.memories.get(talk.scope, seen.ids).values()
    facts: dict[int, list[Remembered]] = {}
    for one in all_of:
        if one.kind is Kind.FACT:
            facts.setdefault(one.round_last, []).append(one)
    turns = [one for one in all_of if one.kind is Kind.EPISODE and one.round_last in facts]
    if not turns:
        return 0
    made = memory.embedder.passages([merged_key(turn, facts[turn.round_last]) for turn in turns])
    told = [fact.id for own in facts.values() for fact in own]
    memory.store.vectors = OtherKeys(
        memory.store.database, {**dict.fromkeys(told), **{turn.id: vector for turn, vector in zip(turns, made, strict=True)}}
    )
    memory.index.delete(told)
    memory.index.upsert(
        [
            IndexEntry(turn.id, LOCAL_USER, talk.scope.chat_id, turn.kind.value, turn.round_last, to_ms(turn.said_at), vector)
            for turn, vector in zip(turns, made, strict=True)
        ]
    )
    return len(turns)


def asked(data: RetrievalData) -> list[RetrievalQuestion]:
    """Questions with a talk before them are left out: a key is compared with what is asked alone."""
    return [question for question in data.questions if not question.talk]


def notices(data: RetrievalData) -> tuple[str, ...]:
    left = len(data.questions) - len(asked(data))
    return (*data.notices, *([f"{data.name}: {left:,} questions with a talk before them were left out"] if left else []))


def evaluate(data: RetrievalData, *, names: Sequence[str], seed: int, note: Callable[[Item], None]) -> Iterator[Figure]:
    """The figures of the named keys."""
    items: list[Item] = []
    embedded = dict.fromkeys(names, 0)
    for conversation in tqdm(data.conversations, desc="Conversations", disable=None):
        questions = [q for q in asked(data) if q.conversation_key == conversation.key]
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
            try:
                talk = written(memory, conversation, observe=True, language=data.language)
                seen = memory.store.memories.visible(talk.scope, talk.branch_id)
                turns, facts = (len(seen.of_kinds((kind,)).ids) for kind in (Kind.EPISODE, Kind.FACT))
                for name in sorted(names, key=SYSTEMS.index):  # merged keys come last, as they change what is there
                    again = merge(memory, talk) if name == MERGED else 0
                    embedded[name] += turns + again + (facts if name == FOLDED else 0)
                    items += [_item(data, name, memory, talk, conversation, q) for q in questions]
            finally:
                memory.close()
    for item in items:
        note(item)
    by_name = {name: [i for i in items if i.system == name] for name in names}
    for name, own in by_name.items():
        bare = Figure(
            task="key-expansion", dataset=data.name, system=name, unit="turn", metric="", value=0.0,
            embedder=own[0].embedder if own else None,
        )  # fmt: skip
        for label in own[0].scores if own else ():
            metric, _, k = label.partition("@")
            values = [i.scores[label] for i in own]
            yield measured(replace(bare, metric=metric, k=int(k)), mean_interval(values, seed=seed))
            if name != FOLDED and by_name.get(FOLDED):
                theirs = [i.scores[label] for i in by_name[FOLDED]]
                yield measured(replace(bare, metric=f"{metric}_minus_{FOLDED}", k=int(k)), paired_difference(values, theirs, seed=seed))
        yield replace(bare, metric="texts_embedded", value=float(embedded[name]))


def _item(
    data: RetrievalData, name: str, memory: Memory, talk: Talk, conversation: ImportedConversation, question: RetrievalQuestion
) -> Item:
    user, character = conversation.speakers[:2]
    cue = Cue(question.text, talk.after, asked_at(question, conversation), speaker=user, listener=character)
    recall = memory.engine.recall(talk.scope, talk.branch_id, cue, recipe=RECIPES[name])
    found = memory.store.memories.get(talk.scope, [c.memory_id for c in recall.candidates])
    turns = [
        tuple(turn for _, turn in sorted(talk.turn_of[s.message_id] for s in found[c.memory_id].sources if s.message_id in talk.turn_of))
        for c in recall.candidates
    ]
    scored = {k: retrieval_scores(turns, question.evidence, k=k) for k in CUTS}
    return Item(
        task="key-expansion",
        dataset=data.name,
        system=name,
        unit="question",
        item=question.id,
        categories=(question.category,),
        scores={
            named(metric, k): value for k in CUTS for metric, value in (("recall_fraction", scored[k].fraction), ("ndcg", scored[k].ndcg))
        },
        conversation=conversation.key,
        embedder=memory.embedder.fingerprint,
    )
