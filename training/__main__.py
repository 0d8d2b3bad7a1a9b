"""`make train`: the reader in the box, made anew from training/data."""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from memory.reading.inputs import MODES
from memory.reading.network import SHIPPED, Network, evidence
from models.unigram import Unigram
from training.endings import SEED, fit_endings, unrelated
from training.examples import labelled, read
from training.network import ReaderNetwork, weights_file
from training.report import relations, tally
from training.ship import ship
from training.train import Batches, fit, pair

DATA = Path(__file__).parent / "data"
EPOCHS = 3
HELD, BLOCK = 12, 20
"""Of so many blocks of neighbouring lines one is held back, to set probabilities and thresholds by."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="more examples, such as an annotation project's gold")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    file = weights_file()
    tokens = Unigram(file.vocabulary)
    lines = read([*sorted((asked.data / "train").glob("*.jsonl")), *asked.also])
    told = [raw for _, raw in lines if "message" in raw]
    examples = [labelled(raw, tokens) for raw in told]
    answers = [i for i, raw in enumerate(told) if raw["before"]]
    alone = {i: len(examples) + n for n, i in enumerate(answers)}
    examples += [labelled(told[i], tokens, alone=True) for i in answers]
    compared = [raw for _, raw in lines if "relation" in raw]
    held_pairs, chosen_pairs = _held_back(len(compared))
    # Whatever may take something back is laid beside all that its speaker told, most of which has nothing to do with it.
    rng, learned = random.Random(SEED), [compared[i] for i in chosen_pairs]
    strangers = [unrelated(learned, rng) for _ in range(asked.epochs * len(learned))]
    pairs = [pair(raw, tokens) for raw in [*compared, *({**a, "new": b["new"], "relation": "beside"} for a, b in strangers)]]
    print(f"{len(told)} examples, {len(compared)} pairs")
    batches = Batches(examples, pairs, file, tokens)
    held, chosen = _held_back(len(told))
    net = fit(batches, chosen, chosen_pairs, alone, file, epochs=asked.epochs, strangers=range(len(compared), len(pairs)))
    scale, shift = calibrated(net, batches, held + [alone[i] for i in held if i in alone])
    ship(net, asked.out, scale=scale, shift=shift)
    fit_endings(asked.out, compared, told, held_pairs)
    shipped = asked.out.read_bytes()
    print(
        f"{asked.out.name}: {len(shipped) / 1e6:.1f} MB, sha256 {hashlib.sha256(shipped).hexdigest()}, keep {np.round(scale, 2)} {shift:+.2f}"
    )
    report(asked.data, asked.out)


def _held_back(count: int) -> tuple[list[int], list[int]]:
    """Of so many lines those that are held back, and the others."""
    held = [i for i in range(count) if (i // BLOCK) % HELD == 0]
    return held, sorted(set(range(count)) - set(held))


def calibrated(net: ReaderNetwork, batches: Batches, held: Sequence[int]) -> tuple[list[float], float]:
    """Weights of what says that a segment is worth keeping, and what is added to them, by which its probability is the share that is (Platt 1999)."""
    rows, kept = [], []
    with torch.no_grad():
        for i in held:
            example, out = batches.examples[i], batches.of_examples(net, [i])
            if example.segments:
                token = (torch.from_numpy(batches.pools[i]) @ out.fact[0]).numpy()
                rows.append(evidence(out.keep.numpy(), token, torch.softmax(out.mode, 1)[:, MODES.index("meant")].numpy()))
                kept.append(example.keep)
    x, y = np.concatenate(rows), np.concatenate(kept)
    fitted = LogisticRegression(C=100).fit(x, y)
    p = fitted.predict_proba(x)[:, 1]
    for low in np.arange(0, 1, 0.1):
        inside = (p >= low) & (p < low + 0.1)
        print(f"  said {low:.1f} to {low + 0.1:.1f}: were {y[inside].mean() if inside.any() else 0:.2f}, n={inside.sum()}")
    print(f"  held back: n={len(y)}, area under the curve {roc_auc_score(y, p):.3f}")
    return fitted.coef_[0].tolist(), float(fitted.intercept_[0])


def report(data: Path, shipped: Path) -> None:
    """Print how the shipped file reads the test parts."""
    network = Network(shipped)
    for part in ("test", "test_plain"):
        print(f"\n{part}")
        report_of(read(sorted((data / part).glob("*.jsonl"))), network)


def report_of(found: Sequence[tuple[str, dict[str, Any]]], network: Network) -> None:
    """Print how messages, by language, and pairs are read."""
    by_language: dict[str, list[dict[str, Any]]] = {}
    for _, raw in found:
        if "message" in raw:
            by_language.setdefault(raw["lang"], []).append(raw)
    for language, raws in by_language.items():
        print(f"\n{language}: {len(raws)} messages")
        print("  " + "\n  ".join(f"{name:24} {value:.3f}  n={n}" for name, (value, n) in tally(raws, network).figures().items() if n))
    pairs = [raw for _, raw in found if "relation" in raw]
    if pairs:
        print("\n" + "  ".join(f"{name} {value:.3f}" for name, (value, _) in relations(pairs, network).items()))


if __name__ == "__main__":
    main()
