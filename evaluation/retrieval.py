"""Retrieval: does a question bring back the turns that hold its answer? (LongMemEval 5.1; contract of figures in docs/design.md)

Each conversation is brought into a fresh data folder as the program takes it (`evaluation.talks`) and worked through by the engine, then every question is
a cue. k counts turns delivered: a remembered round brings all its turns, in order, and takes that many places.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from chat.importer import Cast
from evaluation.datasets import RetrievalData, RetrievalQuestion, asked_at
from evaluation.items import Item, ignored, named
from evaluation.measures import mean_interval, paired_difference, retrieval_scores
from evaluation.progress import counted, steps
from evaluation.receipts import Part, Receipt, Shelf
from evaluation.records import Figure, measured
from evaluation.remembering import PLAIN, Remembered, lived
from evaluation.retrieval_receipts import Heard, Ranked, receipt_of
from evaluation.sentence_model import tokens_in
from evaluation.talks import heard as overheard
from evaluation.talks import written
from memory.engine import INDEXED, Cue, round_tasks
from memory.recipes import PARTS, RECIPES
from settings import Settings
from storage.records import Message, NewMessage, Role
from storage.scope import Scope

CUTS = (5, 10)
READING, ASKING = 4, 1
"""How long it takes to make the memory of a conversation, beside asking its questions."""
MEASURES = (("recall_any", "any"), ("recall_fraction", "fraction"), ("recall_all", "all"), ("ndcg", "ndcg"))


@dataclass(frozen=True)
class System:
    """One way to recall. unit: what a memory holds (`round`, `turn`; `heard`: a round of a conversation that listens); recipe: of `memory.recipes.RECIPES`, none of a
    memory of `evaluation.remembering`."""

    name: str
    unit: str
    recipe: str


WHOLE_ROUNDS = "whole rounds"
"""What the memories keep that are no engine of ours."""
SYSTEMS = {
    s.name: s
    for s in (
        System("keepsake", "round", "fused"),
        System("keepsake-turns", "turn", "fused"),
        System("keepsake-heard", "heard", "fused"),
        System("plain", "round", "plain"),
        System("plain-turns", "turn", "plain"),
        System("dense", "round", "dense"),
        System("dense-turns", "turn", "dense"),
        System("sparse", "round", "sparse"),
        System("sparse-turns", "turn", "sparse"),
        *(System(name, WHOLE_ROUNDS, "") for name in PLAIN if name != "dense-rounds"),
        *(System(f"without-{part}", "turn", f"without-{part}") for part in PARTS),
    )
}
BASELINE = "sparse-turns"
WHOLE = "keepsake-turns"
"""What the systems that leave a part out are compared with."""
DELIVERED = ("delivered_fraction", "delivered_tokens")
"""Of what a reply would be given: the share of the evidence in it, and its tokens."""
GIVEN = 9
"""Memories that a reply of the program is given, and most of the others give."""
OWN_WORDS = "what the character said"
"""Questions that only the character's turns answer, of whatever category."""


def evaluate(
    data: RetrievalData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored, shelf: Shelf | None = None
) -> Iterator[Figure]:
    """The figures of the named systems. shelf: where what each conversation gave is kept and found. Raises KeyError for an unknown name."""
    chosen = [SYSTEMS[name] for name in systems]
    kept = (shelf or Shelf()).inside(data.name)
    found: list[Item] = []
    for conversation in steps(data.conversations, "Conversations"):
        questions = [q for q in data.questions if q.conversation_key == conversation.key]
        units = dict.fromkeys(s.unit for s in chosen)
        with counted(conversation.title, len(units) * (READING + ASKING)) as tick:
            for unit in units:
                part = kept.found(name := f"{conversation.key}\0{unit}")
                if part is None:
                    with tempfile.TemporaryDirectory() as folder:
                        memory = open_memory(Settings(data_dir=Path(folder)))
                        try:
                            measure = _measure_rounds if unit == WHOLE_ROUNDS else _measure
                            part = measure(memory, conversation, questions, [s for s in chosen if s.unit == unit], data=data, tick=tick)
                        finally:
                            memory.close()
                    kept.keep(name, part)
                found += part.items
    items = [item for system in chosen for item in found if item.system == system.name]
    for item in items:
        note(item)
    yield from figures_of(items, seed=seed)


def _measure(
    memory: Memory,
    conversation: ImportedConversation,
    questions: list[RetrievalQuestion],
    systems: list[System],
    *,
    data: RetrievalData,
    tick: Callable[[int], None],
) -> Part:
    user, character = conversation.speakers[:2]
    unit = systems[0].unit
    cast = Cast(user, character, observe=unit == "turn")
    take = overheard if unit == "heard" else partial(written, observe=unit == "turn")
    talk = take(memory, conversation, language=data.language, worth=READING)
    for _ in range(READING):
        tick(0)
    if memory.engine.cross is not None:
        memory.engine.cross.wait()
    heard = Heard(conversation, {message_id: place for message_id, (place, _) in talk.turn_of.items()})
    indexed = len(memory.store.memories.visible(talk.scope, talk.branch_id).of_kinds(INDEXED).ids)
    items: list[Item] = []
    receipts: list[Receipt] = []
    for question in steps(questions, f"Questions, by {systems[0].unit}s", worth=ASKING):
        branch_id, cue = _asked(memory, talk.scope, talk.branch_id, question, conversation, cast)
        delivered: dict[str, list[Ranked]] = {}
        for system in systems:
            started = time.perf_counter()
            recall = memory.engine.recall(talk.scope, branch_id, cue, recipe=RECIPES[system.recipe])
            seconds = time.perf_counter() - started
            rows = memory.store.memories.get(talk.scope, [c.memory_id for c in recall.candidates])
            # The talk before the cue stands in the prompt anyway, and takes no place there.
            ranked = [Ranked(c, rows[c.memory_id], heard.turns(rows[c.memory_id])) for c in recall.candidates]
            delivered[system.name] = ranked
            texts = [rows[c.memory_id].text for c in recall.candidates[:GIVEN]]
            costs = {"seconds": seconds, "memories": indexed}
            turns = [one.turns for one in ranked]
            items.append(_item(data.name, system, question, conversation, turns, texts, costs=costs, embedder=memory.embedder.fingerprint))
        receipts.append(receipt_of(question, heard, delivered, dataset=data.name, asked_at=cue.said_at))
    tick(0)
    return Part(items, receipts)


def _measure_rounds(
    memory: Memory,
    conversation: ImportedConversation,
    questions: list[RetrievalQuestion],
    systems: list[System],
    *,
    data: RetrievalData,
    tick: Callable[[int], None],
) -> Part:
    """memory: gives its embedder alone. What was said just before a question is no part of its cue here, and there are no receipts: nothing was weighed."""
    embedder = Remembered(memory.embedder)
    items: list[Item] = []
    for system in steps(systems, "Memories", worth=READING):
        for found in lived(system.name, conversation, embedder=embedder, model=None).asked(questions, conversation):
            turns, texts = [one.turns for one in found.recalled], [one.text for one in found.recalled]
            costs = {"seconds": found.read, "memories": 0.0}
            items.append(_item(data.name, system, found.question, conversation, turns, texts, costs=costs, embedder=embedder.fingerprint))
    for _ in range(READING + ASKING):
        tick(0)
    return Part(items, [])


def _item(
    dataset: str,
    system: System,
    question: RetrievalQuestion,
    conversation: ImportedConversation,
    turns: Sequence[Sequence[str]],
    texts: Sequence[str],
    *,
    costs: Mapping[str, float],
    embedder: str,
) -> Item:
    """turns: of each memory, best first; texts: of those that a reply would be given."""
    own = {m.external_id for m in conversation.messages if m.speaker == conversation.speakers[1]}
    given = {turn for one in turns[: len(texts)] for turn in one}
    share = sum(turn in given for turn in question.evidence) / len(question.evidence)
    scored = {k: retrieval_scores(turns, question.evidence, k=k) for k in CUTS}
    return Item(
        task="retrieval",
        dataset=dataset,
        system=system.name,
        unit="turn",
        item=question.id,
        categories=(question.category, *([OWN_WORDS] if set(question.evidence) <= own else [])),
        scores={named(metric, k): getattr(scored[k], attribute) for k in CUTS for metric, attribute in MEASURES}
        | dict(zip(DELIVERED, (share, float(sum(map(tokens_in, texts)))), strict=True)),
        conversation=conversation.key,
        costs=costs,
        embedder=embedder,
    )


def _asked(
    memory: Memory, scope: Scope, branch_id: str, question: RetrievalQuestion, conversation: ImportedConversation, cast: Cast
) -> tuple[str, Cue]:
    """The branch on which a question is asked, with the talk before it if it has one, and its cue."""
    store = memory.store
    head = store.chats.head(scope, branch_id)
    if head is None:
        raise ValueError("a conversation holds at least one message")
    if question.talk:
        branch_id = store.branches.fork(scope, branch_id, head.id, question.id, operation="checkpoint")
        said: list[Message] = []
        for n, message in enumerate(question.talk):
            role = cast.role(message.speaker)
            new = NewMessage(
                role,
                message.speaker,
                message.text,
                message.said_at,
                f"{question.id}:{n}",
                "import",
                opens_round=role is Role.USER or n == 0,
            )
            said += store.chats.append(scope, branch_id, [new])
        for number in dict.fromkeys(m.round for m in said):
            for task in round_tasks(branch_id, [m for m in said if m.round == number]):
                store.tasks.add(scope, task)
        memory.work_off()
        head = said[-1]
    at = asked_at(question, conversation)
    return branch_id, Cue(question.text, head.round + 1, at, speaker=cast.user, listener=cast.character)


def figures_of(items: Sequence[Item], *, seed: int) -> Iterator[Figure]:
    """items: of one data set, each system's together and in one order of questions."""
    by_system = {name: [i for i in items if i.system == name] for name in dict.fromkeys(i.system for i in items)}
    for name, own in by_system.items():
        memories = {i.conversation: i.costs["memories"] for i in own}
        bare = Figure(
            task=own[0].task, dataset=own[0].dataset, system=name, unit=own[0].unit, metric="", value=0.0,
            memories=sum(memories.values()), seconds=sum(i.costs["seconds"] for i in own) / len(own), embedder=own[0].embedder,
        )  # fmt: skip
        for category in (None, *sorted({kind for i in own for kind in i.categories})):
            inside = [n for n, i in enumerate(own) if category is None or category in i.categories]
            for k in CUTS:
                for metric, _ in MEASURES:
                    values = [own[n].scores[named(metric, k)] for n in inside]
                    yield measured(replace(bare, category=category, metric=metric, k=k), mean_interval(values, seed=seed))
                    # Both saw the questions in the same order, so the difference is paired.
                    for other in (BASELINE, WHOLE):
                        if other in by_system and name != other and category is None:
                            theirs = [by_system[other][n].scores[named(metric, k)] for n in inside]
                            difference = paired_difference(values, theirs, seed=seed)
                            yield measured(replace(bare, category=None, metric=f"{metric}_minus_{other}", k=k), difference)
            for metric in DELIVERED:
                values = [own[n].scores[metric] for n in inside]
                yield measured(replace(bare, category=category, metric=metric, k=None), mean_interval(values, seed=seed))
