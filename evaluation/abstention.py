"""Abstention: does the support of what recall finds tell questions that memory can answer from those it cannot? (contract of figures in docs/design.md)

Three kinds of question have no answer. *Adversarial*: LoCoMo's fifth category, which asks of one person what another did. *Foreign*: answerable questions of
the next conversation of the data set, asked of this one with its people's names. *Abstained*: LongMemEval's, whose ids end in `_abs`. Each kind is set
against the answerable questions of the same conversation.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import CATEGORIES, DataRefused, RetrievalData, RetrievalQuestion, asked_at
from evaluation.items import Item, ignored
from evaluation.measures import Interval, proportion_interval
from evaluation.progress import steps
from evaluation.records import Figure
from evaluation.separation import Group, auroc_difference, auroc_interval
from evaluation.surface import left_out, looks
from evaluation.talks import written
from memory.engine import Cue
from memory.support import ENOUGH, WEIGHTS, Support, weighed
from settings import Settings

KINDS = ADVERSARIAL, FOREIGN, ABSTAINED = "adversarial", "foreign", "abstained"
CALIBRATED = frozenset({"conv-26", "conv-41"})
"""Conversations that the weights of support come from; what is told of the others is told of data it has not seen."""
HELD_OUT = "held out"
ANSWERABLE = "answerable"
SURFACE = "surface"
WHOLE = ("keepsake", "keepsake-turns")
"""Systems whose score is support as the program has it, so that its threshold means something."""


@dataclass(frozen=True)
class System:
    """unit: what a memory holds; score: of what was found."""

    unit: str
    score: Callable[[Support], float]


def _term(name: str) -> Callable[[Support], float]:
    return lambda support: support.terms[name]


def _without(name: str) -> Callable[[Support], float]:
    return lambda support: weighed({**support.terms, name: 0.0})


SYSTEMS: Mapping[str, System | None] = {
    SURFACE: None,
    "keepsake": System("round", lambda support: support.value),
    "keepsake-turns": System("turn", lambda support: support.value),
    **{f"{name}-alone": System("turn", _term(name)) for name in WEIGHTS},
    **{f"without-{name}": System("turn", _without(name)) for name in WEIGHTS},
}


@dataclass(frozen=True)
class Asked:
    """One question of one conversation. kind: why it cannot be answered; empty where it can."""

    conversation: str
    question: RetrievalQuestion
    kind: str
    looks: tuple[float, ...]


@dataclass
class _Answers:
    """Of one unit: support by place of the question, and what it cost."""

    support: list[Support]
    seconds: float = 0.0
    memories: int = 0


def asked_of(data: RetrievalData) -> list[Asked]:
    """What is asked, conversation by conversation."""
    found = []
    count = len(data.conversations)
    for n, conversation in enumerate(data.conversations):
        own = [q for q in (*data.questions, *data.without_evidence) if q.conversation_key == conversation.key and not q.talk]
        items = [(q, _kind(q)) for q in own]
        following = data.conversations[(n + 1) % count]
        if following.key != conversation.key:
            theirs = [q for q in data.questions if q.conversation_key == following.key and not _kind(q) and not q.talk]
            items += [(_renamed(q, following, conversation), FOREIGN) for q in theirs]
        found += [
            Asked(conversation.key, question, kind, tuple(looks(question.text, conversation.speakers)))
            for question, kind in items
            if kind or question.evidence
        ]
    return found


def _kind(question: RetrievalQuestion) -> str:
    if question.category == CATEGORIES[5]:
        return ADVERSARIAL
    return ABSTAINED if question.id.endswith("_abs") else ""


def _renamed(question: RetrievalQuestion, theirs: ImportedConversation, ours: ImportedConversation) -> RetrievalQuestion:
    """A question of one conversation as it would be asked of another's two people."""
    names = dict(zip(theirs.speakers[:2], ours.speakers[:2], strict=True))
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name) for name in names))
    text = pattern.sub(lambda match: names[match[0]], question.text)
    return replace(question, conversation_key=ours.key, text=text, evidence=(), asked_at=None)


def evaluate(data: RetrievalData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name."""
    chosen = {name: SYSTEMS[name] for name in systems}
    asked = asked_of(data)
    if {bool(a.kind) for a in asked} != {True, False}:
        raise DataRefused(file=data.name, where="", reason="it needs questions that can be answered and others that cannot")
    answers: dict[str, _Answers] = {}
    embedder = ""
    for unit in dict.fromkeys(system.unit for system in chosen.values() if system):
        answers[unit] = _Answers([])
        for conversation in steps(data.conversations, f"Conversations by {unit}s"):
            with tempfile.TemporaryDirectory() as folder:
                memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
                embedder = memory.embedder.fingerprint
                try:
                    _ask(
                        memory, conversation, [a for a in asked if a.conversation == conversation.key], answers[unit], unit=unit, data=data
                    )
                finally:
                    memory.close()
    for name, system in chosen.items():
        if system is not None:
            for one, support in zip(asked, answers[system.unit].support, strict=True):
                item = f"{one.conversation}:{one.question.id}" + (f" ({one.kind})" if one.kind else "")
                kinds = (one.kind or ANSWERABLE,)
                note(
                    Item(
                        task="abstention",
                        dataset=data.name,
                        system=name,
                        unit="question",
                        item=item,
                        categories=kinds,
                        scores={"support": system.score(support)},
                    )
                )
    for kind in KINDS:
        yield from _figures(data.name, kind, asked, chosen, answers, seed=seed, embedder=embedder)


def _figures(
    dataset: str,
    kind: str,
    asked: Sequence[Asked],
    chosen: Mapping[str, System | None],
    answers: Mapping[str, _Answers],
    *,
    seed: int,
    embedder: str,
) -> Iterator[Figure]:
    categories = _categories(kind, asked)
    # Each foreign question is an answerable one elsewhere: its looks give nothing away.
    surface = _surface(asked, kind) if kind != FOREIGN else []
    for name, system in chosen.items():
        if not categories or (system is None and not surface):
            continue
        values = [system.score(s) for s in answers[system.unit].support] if system else surface
        cost = answers[system.unit] if system else None

        def figure(metric: str, found: Interval | float, category: str, name: str = name, cost: _Answers | None = cost) -> Figure:
            interval = found if isinstance(found, Interval) else None
            return Figure(
                task="abstention",
                dataset=dataset,
                system=name,
                category=category,
                unit="question",
                metric=metric,
                value=found.value if isinstance(found, Interval) else found,
                n=interval.n if interval else 1,
                ci_low=interval.low if interval else None,
                ci_high=interval.high if interval else None,
                memories=cost.memories if cost else None,
                seconds=cost.seconds / len(asked) if cost else None,
                embedder=embedder if cost else None,
            )

        for category, keys in categories:
            groups = _groups(asked, values, kind, keys)
            yield figure("auroc", auroc_interval(groups, seed=seed), category)
            if surface and system:
                yield figure(f"auroc_minus_{SURFACE}", auroc_difference(groups, _groups(asked, surface, kind, keys), seed=seed), category)
            if name in WHOLE:
                refused = [value < ENOUGH for group in groups for value in group.bad]
                answered = [value >= ENOUGH for group in groups for value in group.good]
                yield figure("refused", proportion_interval(sum(refused), len(refused)), category)
                yield figure("answered", proportion_interval(sum(answered), len(answered)), category)
        if name in WHOLE and kind == ABSTAINED:
            for value, one in zip(values, asked, strict=True):
                if one.kind == kind:
                    yield figure("support", value, f"{kind}: {one.question.id}")


def _ask(
    memory: Memory, conversation: ImportedConversation, asked: Sequence[Asked], answers: _Answers, *, unit: str, data: RetrievalData
) -> None:
    talk = written(memory, conversation, observe=unit == "turn", language=data.language)
    visible = memory.store.memories.visible(talk.scope, talk.branch_id)
    answers.memories += len(visible.recallable.ids)
    user, character = conversation.speakers[:2]
    for one in asked:
        at = asked_at(one.question, conversation)
        cue = Cue(one.question.text, talk.after, at, speaker=user, listener=character)
        recall = memory.engine.recall(talk.scope, talk.branch_id, cue)
        started = time.perf_counter()
        answers.support.append(memory.engine.support(talk.scope, talk.branch_id, cue, recall))
        answers.seconds += time.perf_counter() - started


def _conversations(kind: str, asked: Sequence[Asked]) -> list[str]:
    """Those with questions of a kind and answerable ones, in order."""
    kinds: dict[str, set[str]] = {}
    for one in asked:
        kinds.setdefault(one.conversation, set()).add(one.kind)
    return [key for key, found in kinds.items() if {"", kind} <= found]


def _surface(asked: Sequence[Asked], kind: str) -> list[float]:
    """By place of the question, 0 where it is of another kind; empty where there are not two conversations with both kinds."""
    both = _conversations(kind, asked)
    if len(both) < 2:
        return []
    places = {key: [n for n, a in enumerate(asked) if a.conversation == key and a.kind in ("", kind)] for key in both}
    features = {key: np.array([asked[n].looks for n in own]) for key, own in places.items()}
    answerable = {key: np.array([not asked[n].kind for n in own]) for key, own in places.items()}
    scores = [0.0] * len(asked)
    for key, values in left_out(features, answerable).items():
        for n, value in zip(places[key], values.tolist(), strict=True):
            scores[n] = value
    return scores


def _categories(kind: str, asked: Sequence[Asked]) -> list[tuple[str, frozenset[str]]]:
    """Names of what is told of, with the conversations it is told of: all that have such questions, those not calibrated on, each by itself."""
    keys = _conversations(kind, asked)
    if len(keys) < 2:
        return [(kind, frozenset(keys))] if keys else []
    rest = frozenset(keys) - CALIBRATED
    held_out = [(f"{kind}, {HELD_OUT}", rest)] if rest and len(rest) < len(keys) else []
    return [(kind, frozenset(keys)), *held_out, *((f"{kind}: {key}", frozenset({key})) for key in keys)]


def _groups(asked: Sequence[Asked], scores: Sequence[float], kind: str, keys: frozenset[str]) -> list[Group]:
    groups = []
    for key in dict.fromkeys(a.conversation for a in asked):
        if key in keys:
            own = [(a.kind, score) for a, score in zip(asked, scores, strict=True) if a.conversation == key]
            groups.append(Group(tuple(s for k, s in own if not k), tuple(s for k, s in own if k == kind)))
    return groups
