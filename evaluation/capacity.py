"""Capacity: how much recall loses as a conversation grows by talk that has nothing to do with its questions (MemBench 4.4; contract of figures in docs/design.md)

Whole sessions of the other conversations of the data set are laid between those of one, said by its own two people on the days between, so that neither
names nor dates give them away. The questions stay the same, so the difference to the conversation by itself is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from evaluation.datasets import DataRefused, RetrievalData
from evaluation.growing import laid_between
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
BREAK = "first size at which the loss is told from none"
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
    broken: set[tuple[str, str]] = set()
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
            lost = paired_difference([scores[q] for q in order], [alone[system, name][q] for q in order], seed=seed)
            if lost.high < 0 and (system, name) not in broken:
                broken.add((system, name))
                yield replace(bare, category=BREAK, metric=f"{metric}_tokens", value=tokens, n=lost.n)
            yield measured(bare, lost)


def _scores(items: Sequence[Item]) -> dict[tuple[str, str], dict[str, float]]:
    """By system and measure, of each question; an item's id names how much noise there was as well, as runs are compared by ids."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for item in items:
        for metric in METRICS:
            found.setdefault((item.system, metric), {})[item.item.split(": ", 1)[-1]] = item.scores[metric]
    return found


def with_noise(data: RetrievalData, *, factor: int, seed: int) -> RetrievalData:
    """The first conversation with sessions of the others between its own, until they are `factor` times its turns or there are no more."""
    own = data.conversations[0]
    grown = laid_between(own, data.conversations[1:], wanted=factor * len(own.messages), size=lambda turns: len(turns), seed=seed)
    return replace(
        data, conversations=(grown,), questions=tuple(q for q in data.questions if q.conversation_key == own.key), without_evidence=()
    )
