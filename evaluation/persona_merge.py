"""Merging of persona values: by rules alone, with embeddings, with a language model; all that hold, and at most fifty (MOOM App. F, Table 4).

The values are those that the engine keeps of the player, the same for all; what differs is what of them still holds. Compared with what people noted down of the
player alone. Where no more than fifty may be kept, the newest are. `retired` counts values that a strategy moved to the past, `merged` lines that a model put
together; without a memory model that strategy is left out, and said so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chat.assembly import Memory as House
from chat.assembly import open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData
from evaluation.items import Item
from evaluation.judging import Judge
from evaluation.label_scores import Kept, judged, label_scores, paired
from evaluation.labels import Label
from evaluation.measures import mean_interval, paired_difference
from evaluation.mem_score import METRIC as MEM_SCORE
from evaluation.progress import steps
from evaluation.prompt_parts import told
from evaluation.records import Figure
from evaluation.talks import Talk, written
from memory.keeping import Keeper
from memory.persona import Entry, sketch
from memory.tastes import Tastes
from settings import Settings
from storage.records import Kind
from storage.scope import LOCAL_USER

TASK = "persona-merge"
RULES, EMBEDDING, MODEL = "rules", "rules+embedding", "rules+embedding+model"
NAMES = (RULES, EMBEDDING, MODEL)
NO_MODEL = f"{MODEL} is left out: no memory model is set (KEEPSAKE_MEMORY_MODEL)"


@dataclass(frozen=True)
class Merged:
    """The sketch of one conversation by one strategy."""

    entries: tuple[Entry, ...]

    @property
    def held(self) -> int:
        return sum(len(e.values) for e in self.entries)

    @property
    def retired(self) -> int:
        return sum(len(e.former) for e in self.entries)

    def kept(self, name: str, *, most: int | None) -> list[Kept]:
        """Values as lines about the player, the newest `most` of them."""
        newest = sorted(((v.round_last, e.key.name, v) for e in self.entries for v in e.values), key=lambda one: one[:2], reverse=True)
        return [Kept(told(key, value.text, name=name), ()) for _, key, value in newest[:most]]


def merged(house: House, talk: Talk, strategy: str) -> Merged:
    seen = house.store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.PERSONA,)).recallable
    values = list(house.store.memories.get(talk.scope, seen.ids).values())
    if strategy == RULES:
        return Merged(sketch(values))
    if strategy == MODEL:
        return Merged(house.engine.overview.sketch(talk.scope, talk.branch_id))
    keeper = Keeper(house.store, house.embedder, house.index)
    tastes = Tastes(house.store, keeper.standing, fingerprint=house.embedder.fingerprint)
    return Merged(sketch(values, meets=tastes.meets(LOCAL_USER, values)))


def evaluate(
    data: RetrievalData,
    labels: Sequence[Label],
    *,
    names: Sequence[str],
    items: int | None,
    seed: int,
    note: Callable[[Item], None],
    judge: Judge | None,
) -> Iterator[Figure]:
    """The figures of the named strategies. items: most values that may be kept, None for all. Raises KeyError for an unknown name."""
    settings = Settings()
    scores: dict[str, dict[str, list[float]]] = {name: {} for name in names if name != MODEL or settings.memory_model}
    counts: dict[str, list[tuple[int, int]]] = {name: [] for name in scores}
    of_player: list[Label] = []
    with tempfile.TemporaryDirectory() as folder:
        house = open_memory(Settings(data_dir=Path(folder)))
        try:
            for conversation in steps(data.conversations, "Conversations"):
                talk = written(house, conversation, language=data.language)
                own = _about_player(labels, conversation)
                of_player += own
                for name, found in scores.items():
                    sketched = merged(house, talk, name)
                    kept = sketched.kept(conversation.speakers[0], most=items)
                    counts[name].append((len(kept), sketched.retired))
                    measured = label_scores(paired(own, kept))
                    if rated := judged(own, kept, judge, language=data.language):
                        measured[MEM_SCORE] = rated
                    for metric, values in measured.items():
                        found.setdefault(metric, []).extend(values)
        finally:
            house.close()
    for name, found in scores.items():
        memories = sum(count for count, _ in counts[name])
        for n in range(len(of_player)):
            note(
                Item(
                    task=TASK, dataset=data.name, system=name, unit="label", item=f"{of_player[n].conversation_key}:label{n}",
                    scores={metric: values[n] for metric, values in found.items()},
                )
            )  # fmt: skip
        for metric, values in found.items():
            shown = [(metric, mean_interval(values, seed=seed))]
            if name != RULES and RULES in scores:
                shown.append((f"{metric}_minus_{RULES}", paired_difference(values, scores[RULES][metric], seed=seed)))
            for label, interval in shown:
                yield Figure(
                    task=TASK, dataset=data.name, system=name, unit="label", metric=label, value=interval.value, n=interval.n,
                    ci_low=interval.low, ci_high=interval.high, memories=memories, model=settings.memory_model or None,
                )  # fmt: skip
        for metric, place in (("held", 0), ("retired", 1)):
            mean = sum(count[place] for count in counts[name]) / len(counts[name])
            yield Figure(task=TASK, dataset=data.name, system=name, unit="conversation", metric=metric, value=mean, n=len(counts[name]))


def _about_player(labels: Sequence[Label], conversation: ImportedConversation) -> list[Label]:
    player = conversation.speakers[0].casefold()
    return [la for la in labels if la.conversation_key == conversation.key and la.about.casefold() == player]
