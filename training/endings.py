"""What is fitted on what the shipped encoder makes: whether a stretch takes something back; and how surely pairs held back are told apart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from memory.reading.inputs import RELATIONS, message_segments
from memory.reading.network import Network
from training.ship import write

SEED = 24
ENDS = RELATIONS.index("no_longer")
MESSAGES = 5_000
"""Ordinary messages that stand for what takes nothing back; a few of them do."""
RECALLS = (0.9, 0.95, 0.97)


def fit_endings(path: Path, pairs: Sequence[dict[str, Any]], messages: Sequence[dict[str, Any]], held: Sequence[int]) -> None:
    """Put the head of endings into a shipped file, and print how it and the head of pairs do on pairs held back. held: indices of pairs."""
    network, rng = Network(path), random.Random(SEED)
    kept = sorted(set(range(len(pairs))) - set(held))
    compared(network, [pairs[i] for i in held], rng)
    chosen = rng.sample(list(messages), min(MESSAGES, len(messages)))
    write(dict(network.tensors) | _ends(network, pairs, kept, held, chosen), path)


def compared(network: Network, pairs: Sequence[dict[str, Any]], rng: random.Random) -> None:
    """Print how surely pairs are told to hold no longer, and how often two statements that have nothing to do with each other are."""
    told = np.stack([network.relation(*sides(p["old"], p["new"])) for p in pairs])
    strangers = [unrelated(pairs, rng) for _ in range(4 * len(pairs))]
    apart = np.array([network.relation(*sides(a["old"], b["new"]))[ENDS] for a, b in strangers])
    true = np.array([RELATIONS.index(p["relation"]) for p in pairs])
    print(f"  pairs held back: {np.mean(told.argmax(1) == true):.3f} right, n={len(true)}; {len(apart)} of strangers")
    for least in (0.5, 0.7, 0.8, 0.9, 0.95):
        said = told[:, ENDS] >= least
        right = np.mean(true[said] == ENDS) if said.any() else 0.0
        print(f"  no longer from {least}: P {right:.3f} R {np.mean(said[true == ENDS]):.3f}; of strangers {np.mean(apart >= least):.4f}")


def sides(old: dict[str, Any], new: dict[str, Any]) -> tuple[tuple[str, str], tuple[str, str]]:
    a, b = ((side["before"][-1][1] if side["before"] else "", side["words"]) for side in (old, new))
    return a, b


def unrelated(pairs: Sequence[dict[str, Any]], rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two pairs of one language by different speakers: what one said and what the other did hold beside each other."""
    while True:
        a, b = rng.sample(pairs, 2)
        if a["lang"] == b["lang"] and a["speaker"] != b["speaker"] and a["old"]["words"] != b["old"]["words"]:
            return a, b


def _ends(
    network: Network, pairs: Sequence[dict[str, Any]], kept: Sequence[int], held: Sequence[int], messages: Sequence[dict[str, Any]]
) -> dict[str, NDArray[Any]]:
    """A logistic regression: the newer of two statements that takes the older back, beside all other newer ones and ordinary messages."""

    def inputs(words: str, speaker: str, before: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        parts = message_segments(words, speaker=speaker)
        return network.segment_inputs(words, speaker=speaker, before=before[-1] if before else None, segments=parts)

    def of_pairs(chosen: Sequence[int]) -> tuple[list[NDArray[np.float32]], list[bool]]:
        rows = [inputs(pairs[i]["new"]["words"], pairs[i]["speaker"], pairs[i]["new"]["before"]) for i in chosen]
        return rows, [pairs[i]["relation"] == "no_longer" for i in chosen]

    rows, ends = of_pairs(kept)
    x = [*rows, *(inputs(m["message"], m["speaker"], m["before"]) for m in messages)]
    y = np.concatenate([np.full(len(r), e) for r, e in zip(rows, ends, strict=True)] + [np.zeros(len(r), bool) for r in x[len(rows) :]])
    flat = np.concatenate(x)
    deviation = flat.std(axis=0) + 1e-3
    fitted = LogisticRegression(C=0.02, max_iter=400, class_weight={0: 1.0, 1: 3.0}).fit(flat / deviation, y)
    weight = (fitted.coef_[0] / deviation).astype(np.float32)
    bias = np.float32(fitted.intercept_[0])

    def likely(row: NDArray[np.float32]) -> float:
        return float((1 / (1 + np.exp(-(row @ weight + bias)))).max(initial=0.0))

    rows, ends = of_pairs(held)
    true = sorted(likely(r) for r, e in zip(rows, ends, strict=True) if e)
    ordinary = np.array([likely(r) for r in x[len(kept) :]])
    for recall in RECALLS:
        least = true[int((1 - recall) * len(true))]
        print(f"  takes something back from {least:.3f}: R {recall}, of ordinary messages {np.mean(ordinary >= least):.3f}")
    return {"ends.weight": weight[None].astype(np.float16), "ends.bias": np.array([bias], np.float32)}
