"""How memories compare with what people noted down: pairs of a label and a memory, and every measure that is read off them (MOOM 5.2)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.bert_score import scorer
from evaluation.judging import Judge
from evaluation.labels import Label
from evaluation.mem_score import mem_scores
from evaluation.rouge import NOTHING, Overlap, common_length, rouge_l, rouge_n, words
from evaluation.sentence_model import cosines

log = logging.getLogger(__name__)

MIN_WORDS = 5
PARTS = ("precision", "recall", "f1")
MOST_TURNS = 2
"""A memory that cites more turns covers none."""


@dataclass(frozen=True)
class Kept:
    """One memory of a conversation."""

    text: str
    turns: tuple[str, ...]
    """Ids of the messages it rests on."""
    dated: bool = False
    trust: float = 1.0


@dataclass(frozen=True)
class Pair:
    """A label and the memory it picked; None where nothing shares a word."""

    label: Label
    memory: Kept | None
    rouge_2: Overlap
    rouge_l: Overlap


def paired(labels: Sequence[Label], kept: Sequence[Kept]) -> list[Pair]:
    """For each label the memory of the best ROUGE-L F1, the earliest of several; both of one conversation."""
    candidates = [(k, words(k.text)) for k in kept]
    return [_pair(label, candidates) for label in labels]


def _pair(label: Label, candidates: Sequence[tuple[Kept, tuple[str, ...]]]) -> Pair:
    wanted = words(label.text)
    best: tuple[Kept, tuple[str, ...]] | None = None
    reached = 0.0
    for memory, told in candidates:
        f1 = 2 * common_length(wanted, told) / max(1, len(wanted) + len(told))
        if f1 > reached:
            best, reached = (memory, told), f1
    if best is None or len(best[1]) < MIN_WORDS:
        return Pair(label, None if best is None else best[0], NOTHING, NOTHING)
    return Pair(label, best[0], rouge_n(best[1], wanted, n=2), rouge_l(best[1], wanted))


def covered(evidence: Sequence[str], kept: Sequence[Kept]) -> list[bool]:
    """For each evidence turn whether a kept memory cites it that cites at most two turns."""
    cited = {turn for k in kept if len(k.turns) <= MOST_TURNS for turn in k.turns}
    return [turn in cited for turn in evidence]


def label_scores(pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """By metric of each label [n] what its pair comes to; cosine and BERTScore where their models are there."""
    found = {
        f"{name}_{part}": [float(getattr(getattr(pair, attribute), part)) for pair in pairs]
        for name, attribute in (("rouge2", "rouge_2"), ("rougeL", "rouge_l"))
        for part in PARTS
    }
    texts = [(p.memory.text if p.memory and p.rouge_l is not NOTHING else "", p.label.text) for p in pairs]
    close = cosines([(label, memory) for memory, label in texts])
    if close is not None:
        found["cosine"] = close
    if (bert := scorer()) is not None:
        bert.learn([text for pair in texts for text in pair if text])
        scored = [bert(memory, label) if memory else NOTHING for memory, label in texts]
        found |= {f"bert_{part}": [float(getattr(one, part)) for one in scored] for part in PARTS}
    return found


def judged(labels: Sequence[Label], kept: Sequence[Kept], judge: Judge | None, *, language: str) -> list[float]:
    """MemScore of each label [n] of one conversation; empty without a judge or a BERTScore."""
    bert = scorer()
    if judge is None or bert is None:
        return []
    scores, lost = mem_scores([la.text for la in labels], [k.text for k in kept], scorer=bert, judge=judge, language=language)
    if lost:
        log.warning("%d of %d memories were not rated and count as none", lost, len(kept))
    return scores
