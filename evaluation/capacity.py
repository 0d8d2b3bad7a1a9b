"""Capacity: how much recall loses as a conversation grows by talk that has nothing to do with its questions (MemBench 4.4; contract of figures in docs/design.md)

Whole sessions of the other conversations of the data set are laid between those of one, said by its own two people on the days between, so that neither
names nor dates give them away. The questions stay the same, so the difference to the conversation by itself is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import groupby

import numpy as np

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.datasets import DataRefused, RetrievalData
from evaluation.items import Item, ignored
from evaluation.measures import paired_difference
from evaluation.progress import steps
from evaluation.receipts import Shelf
from evaluation.records import Figure, measured
from evaluation.retrieval import SYSTEMS as RECALLS
from evaluation.retrieval import evaluate as retrieve
from evaluation.retrieval import figures_of as retrieval_figures
from evaluation.sentence_model import count_tokens

TIMES = (0, 1, 3, 7)
"""How many times its own turns are added as noise."""
SYSTEMS = tuple(name for name in RECALLS if not name.startswith("without-"))
USUAL = ("keepsake-turns", "dense-turns", "sparse-turns")
METRICS = ("recall_fraction@5", "recall_fraction@10", "recall_any@10")


def evaluate(
    data: RetrievalData,
    *,
    systems: Sequence[str],
    seed: int,
    times: Sequence[int] = TIMES,
    note: Callable[[Item], None] = ignored,
    shelf: Shelf | None = None,
) -> Iterator[Figure]:
    """The figures of the named systems on the first conversation, with the others as noise. Raises DataRefused where there is no other."""
    if len(data.conversations) < 2:
        raise DataRefused(file=data.name, where="", reason="noise comes from other conversations, and there is one alone")
    items: list[Item] = []
    for factor in steps(times, "Lengths"):
        grown = with_noise(data, factor=factor, seed=seed)
        tokens = count_tokens("\n".join(m.text for m in grown.conversations[0].messages))
        turns = len(grown.conversations[0].messages)
        category = f"noise of {factor} times its length: {turns:,} turns, {round(tokens, -3):,} tokens"
        found: list[Item] = []
        for _ in retrieve(
            grown, systems=systems, seed=seed, note=found.append, shelf=(shelf or Shelf()).inside(f"noise {factor}", label=f"×{factor}: ")
        ):
            pass
        items += [
            replace(
                item,
                task="capacity",
                item=f"×{factor}: {item.item}",
                categories=(category, *item.categories),
                costs={**item.costs, "tokens": tokens},
            )
            for item in found
        ]
    for item in items:
        note(item)
    yield from figures_of(items, seed=seed)


def figures_of(items: Sequence[Item], *, seed: int) -> Iterator[Figure]:
    """items: of one data set; the first of an item's categories is how much noise there was, the first of all is the conversation by itself."""
    alone = _scores([i for i in items if i.categories[0] == items[0].categories[0]])
    for category in dict.fromkeys(i.categories[0] for i in items):
        inside = [i for i in items if i.categories[0] == category]
        tokens = inside[0].costs["tokens"]
        for figure in retrieval_figures(inside, seed=seed):
            if figure.category is None and "_minus_" not in figure.metric and f"{figure.metric}@{figure.k}" in METRICS:
                yield replace(figure, category=category, tokens=tokens)
        for (system, name), scores in _scores(inside).items():
            metric, k = name.split("@")
            bare = Figure(
                task="capacity", dataset=inside[0].dataset, system=system, category=category, unit="turn", metric=f"{metric}_minus_alone",
                k=int(k), value=0.0, tokens=tokens,
            )  # fmt: skip
            order = list(scores)
            yield measured(bare, paired_difference([scores[q] for q in order], [alone[system, name][q] for q in order], seed=seed))


def _scores(items: Sequence[Item]) -> dict[tuple[str, str], dict[str, float]]:
    """By system and measure, of each question; an item's id names how much noise there was as well, as runs are compared by ids."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for item in items:
        for metric in METRICS:
            found.setdefault((item.system, metric), {})[item.item.split(": ", 1)[-1]] = item.scores[metric]
    return found


def with_noise(data: RetrievalData, *, factor: int, seed: int) -> RetrievalData:
    """The first conversation with sessions of the others between its own, until they are `factor` times its turns or there are no more."""
    own, rest = data.conversations[0], data.conversations[1:]
    foreign = [(other, list(turns)) for other in rest for _, turns in groupby(other.messages, key=lambda m: m.session)]
    rng = np.random.default_rng(seed)
    drawn = [foreign[n] for n in rng.permutation(len(foreign))]
    wanted, taken = factor * len(own.messages), 0
    gaps: dict[int, list[list[ImportedMessage]]] = {}
    sessions = [list(turns) for _, turns in groupby(own.messages, key=lambda m: m.session)]
    for number, (other, turns) in enumerate(drawn):
        if taken >= wanted:
            break
        gaps.setdefault(int(rng.integers(len(sessions))), []).append(_renamed(turns, other, own, number))
        taken += len(turns)
    said: list[ImportedMessage] = []
    for place, session in enumerate(sessions):
        said += session
        inside = gaps.get(place, [])
        until = sessions[place + 1][0].said_at if place + 1 < len(sessions) else session[-1].said_at + timedelta(days=len(inside) + 1)
        for n, turns in enumerate(inside, start=1):
            at = session[-1].said_at + (until - session[-1].said_at) * n / (len(inside) + 1)
            said += [replace(m, said_at=at + timedelta(milliseconds=10 * i)) for i, m in enumerate(turns)]
    numbers = {session: n for n, session in enumerate(dict.fromkeys(m.session for m in said), start=1)}
    messages = tuple(replace(m, session=numbers[m.session], line=n) for n, m in enumerate(said, start=1))
    grown = replace(own, messages=messages)
    return replace(
        data, conversations=(grown,), questions=tuple(q for q in data.questions if q.conversation_key == own.key), without_evidence=()
    )


def _renamed(
    turns: Sequence[ImportedMessage], other: ImportedConversation, own: ImportedConversation, number: int
) -> list[ImportedMessage]:
    """Sessions of noise have numbers of their own, below 0."""
    names = dict(zip(other.speakers, own.speakers, strict=False))
    found = []
    for m in turns:
        text = m.text
        for theirs, ours in names.items():
            text = text.replace(theirs, ours)
        found.append(
            replace(
                m,
                external_id=f"noise{number}:{m.external_id}",
                speaker=names.get(m.speaker, own.speakers[0]),
                text=text,
                session=-1 - number,
            )
        )
    return found
