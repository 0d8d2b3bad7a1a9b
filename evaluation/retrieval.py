"""Retrieval: does a question bring back the turns that hold its answer? (LongMemEval 5.1; contract of figures in docs/design.md)

Each conversation is written into a fresh data folder through the importer and worked through by the engine, then every question is a cue. k counts
turns delivered: a remembered round brings all its turns, in order, and takes that many places.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation
from chat.importer import Cast, Importer
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.items import Item, ignored, named
from evaluation.measures import Interval, RetrievalScores, mean_interval, paired_difference, retrieval_scores
from evaluation.records import Figure
from memory.engine import INDEXED, Cue, round_tasks
from memory.recipes import PARTS, RECIPES
from settings import Settings
from storage.records import Message, NewMessage, Role, stable_id
from storage.scope import LOCAL_USER, Scope

CUTS = (5, 10)
LATER = timedelta(days=1)
"""When a question is asked whose file does not say, after the conversation's end."""
MEASURES = (("recall_any", "any"), ("recall_fraction", "fraction"), ("recall_all", "all"), ("ndcg", "ndcg"))


@dataclass(frozen=True)
class System:
    """One way to recall. unit: what a memory holds; recipe: of `memory.recipes.RECIPES`."""

    name: str
    unit: str
    recipe: str


SYSTEMS = {
    s.name: s
    for s in (
        System("keepsake", "round", "fused"),
        System("keepsake-turns", "turn", "fused"),
        System("plain", "round", "plain"),
        System("plain-turns", "turn", "plain"),
        System("dense", "round", "dense"),
        System("dense-turns", "turn", "dense"),
        System("sparse", "round", "sparse"),
        System("sparse-turns", "turn", "sparse"),
        *(System(f"without-{part}", "turn", f"without-{part}") for part in PARTS),
    )
}
BASELINE = "sparse-turns"
WHOLE = "keepsake-turns"
"""What the systems that leave a part out are compared with."""
OWN_WORDS = "what the character said"
"""Questions that only the character's turns answer, of whatever category."""


@dataclass
class _Tally:
    """What one system did, over all conversations."""

    scores: dict[int, list[RetrievalScores]]
    kinds: list[tuple[str, ...]]
    """Of each question, first its category."""
    ids: list[str]
    seconds: float = 0.0
    memories: int = 0


def evaluate(data: RetrievalData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name."""
    chosen = [SYSTEMS[name] for name in systems]
    tallies = {s.name: _Tally({k: [] for k in CUTS}, [], []) for s in chosen}
    embedder = ""
    for conversation in tqdm(data.conversations, desc="Conversations", disable=None):
        questions = [q for q in data.questions if q.conversation_key == conversation.key]
        for unit in dict.fromkeys(s.unit for s in chosen):
            with tempfile.TemporaryDirectory() as folder:
                memory = open_memory(Settings(data_dir=Path(folder)))
                embedder = memory.embedder.fingerprint
                try:
                    _measure(memory, conversation, questions, [s for s in chosen if s.unit == unit], tallies, language=data.language)
                finally:
                    memory.close()
    for system in chosen:
        for item in _items(data.name, system, tallies[system.name]):
            note(item)
        yield from _figures(data.name, system, tallies, seed=seed, embedder=embedder)


def _measure(
    memory: Memory,
    conversation: ImportedConversation,
    questions: list[RetrievalQuestion],
    systems: list[System],
    tallies: dict[str, _Tally],
    *,
    language: str,
) -> None:
    user, character = conversation.speakers[:2]
    cast = Cast(user, character, observe=systems[0].unit == "turn")
    character_id = character_named(memory.store, LOCAL_USER, character, language=language)
    importer = Importer(memory.store, conversation, cast, character_id=character_id, language=language, replay=False)
    with tqdm(disable=True) as progress:
        importer.write(progress)
    memory.work_off()
    if memory.engine.cross is not None:
        memory.engine.cross.wait()
    chat = memory.store.chats.chat(importer.scope)
    turn_of = {stable_id("message", chat.id, m.external_id): (position, m.external_id) for position, m in enumerate(conversation.messages)}
    said_by = {m.external_id: m.speaker for m in conversation.messages}
    indexed = len(memory.store.memories.visible(importer.scope, chat.branch_id).of_kinds(INDEXED).ids)
    for system in systems:
        tallies[system.name].memories += indexed
    for question in questions:
        branch_id, cue = _asked(memory, importer.scope, chat.branch_id, question, conversation, cast)
        kinds = (question.category, *([OWN_WORDS] if {said_by[e] for e in question.evidence} == {character} else []))
        for system in systems:
            tally = tallies[system.name]
            started = time.perf_counter()
            recall = memory.engine.recall(importer.scope, branch_id, cue, recipe=RECIPES[system.recipe])
            tally.seconds += time.perf_counter() - started
            ranked = [c.memory_id for c in recall.candidates]
            found = memory.store.memories.get(importer.scope, ranked)
            # The talk before the cue stands in the prompt anyway, and takes no place there.
            sources = [[turn_of.get(s.message_id) for s in found[i].sources] for i in ranked]
            items = [[turn for _, turn in sorted(t for t in turns if t is not None)] for turns in sources]
            for k in CUTS:
                tally.scores[k].append(retrieval_scores(items, question.evidence, k=k))
            tally.kinds.append(kinds)
            tally.ids.append(question.id)


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
    asked_at = question.asked_at or conversation.messages[-1].said_at + LATER
    return branch_id, Cue(question.text, head.round + 1, asked_at, speaker=cast.user, listener=cast.character)


def _items(dataset: str, system: System, tally: _Tally) -> Iterator[Item]:
    for place, (question, kinds) in enumerate(zip(tally.ids, tally.kinds, strict=True)):
        scores = {named(metric, k): getattr(tally.scores[k][place], attribute) for k in CUTS for metric, attribute in MEASURES}
        yield Item(task="retrieval", dataset=dataset, system=system.name, unit="turn", item=question, categories=kinds, scores=scores)


def _figures(dataset: str, system: System, tallies: dict[str, _Tally], *, seed: int, embedder: str) -> Iterator[Figure]:
    tally = tallies[system.name]
    per_question = tally.seconds / max(1, len(tally.kinds))
    for category in (None, *sorted({kind for kinds in tally.kinds for kind in kinds})):
        inside = [i for i, kinds in enumerate(tally.kinds) if category is None or category in kinds]
        for k in CUTS:
            for metric, attribute in MEASURES:
                values = [getattr(tally.scores[k][i], attribute) for i in inside]
                measured = mean_interval(values, seed=seed)

                def figure(name: str, interval: Interval, category: str | None = category, k: int = k) -> Figure:
                    return Figure(
                        task="retrieval",
                        dataset=dataset,
                        system=system.name,
                        category=category,
                        unit="turn",
                        metric=name,
                        k=k,
                        value=interval.value,
                        n=interval.n,
                        ci_low=interval.low,
                        ci_high=interval.high,
                        memories=tally.memories,
                        seconds=per_question,
                        embedder=embedder,
                    )

                yield figure(metric, measured)
                # Both saw the questions in the same order, so the difference is paired.
                for other in (BASELINE, WHOLE):
                    if other in tallies and system.name != other and category is None:
                        theirs = [getattr(tallies[other].scores[k][i], attribute) for i in inside]
                        yield figure(f"{metric}_minus_{other}", paired_difference(values, theirs, seed=seed))
