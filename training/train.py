"""Fitting the reader's network to the examples."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from memory.reading.inputs import RELATIONS, features, pair_ids
from models.e5_file import E5File
from models.unigram import Unigram
from training.examples import Example
from training.network import TUNED, Out, ReaderNetwork, lower_states

SEED = 24
BATCH_TOKENS, PAIR_TOKENS = 1_024, 320
"""Padded tokens of a batch: more at once and two cores have more to do, fewer and there are more steps."""
RATE, HEAD_RATE, WEIGHT_DECAY = 2e-4, 1.5e-3, 0.02
WARM = 0.06
WEIGHTS = {"keep": 1.0, "mode": 0.5, "about": 0.5, "kind": 0.3, "fact": 0.5, "key": 1.0, "value": 0.5, "person": 0.3, "relation": 1.0}


@dataclass
class Pair:
    """Two statements of one speaker and how they stand to each other."""

    raw: dict[str, Any]
    ids: list[int]
    relation: int


def pair(raw: dict[str, Any], tokens: Unigram) -> Pair:
    """What a line of a file of pairs says."""
    sides = [(raw[s]["before"][-1][1] if raw[s]["before"] else "", raw[s]["words"]) for s in ("old", "new")]
    return Pair(raw, pair_ids(sides[0], sides[1], tokens), RELATIONS.index(raw["relation"]))


class Batches:
    """Examples and pairs with what the lower layers made of them, in batches of like length."""

    def __init__(self, examples: Sequence[Example], pairs: Sequence[Pair], file: E5File, tokens: Unigram, *, tuned: int = TUNED) -> None:
        self.examples, self.pairs, self._eos = examples, pairs, tokens.eos
        self.lower = lower_states([e.encoded.ids for e in examples], file, tuned=tuned)
        self.lower_pairs = lower_states([p.ids for p in pairs], file, tuned=tuned)
        self.features = [features(e.raw["message"], e.raw["before"][-1] if e.raw["before"] else None, e.segments) for e in examples]
        self.pools = [_pool(e) for e in examples]

    def batches(
        self, lengths: Sequence[int], chosen: Sequence[int], rng: random.Random | None, *, most: int = BATCH_TOKENS
    ) -> list[list[int]]:
        """Indices of batches of at most so many padded tokens."""
        order = sorted(chosen, key=lambda i: lengths[i] + (rng.random() * 8 if rng else 0))
        out: list[list[int]] = []
        for i in order:
            if out and (len(out[-1]) + 1) * max(lengths[i], *(lengths[j] for j in out[-1])) <= most:
                out[-1].append(i)
            else:
                out.append([i])
        if rng:
            rng.shuffle(out)
        return out

    def of_examples(self, net: ReaderNetwork, chosen: Sequence[int]) -> Out:
        """The network's outputs for some examples."""
        x, mask = _padded([self.lower[i] for i in chosen])
        pools, wholes = [], []
        for i in chosen:
            pool = torch.zeros(len(self.pools[i]), x.shape[1])
            pool[:, : self.pools[i].shape[1]] = torch.from_numpy(self.pools[i])
            pools.append(pool)
            said = torch.zeros(x.shape[1])
            at = np.flatnonzero(self.examples[i].encoded.starts >= 0)
            said[at] = 1 / max(1, len(at))
            wholes.append(said)
        rows = torch.from_numpy(np.concatenate([self.features[i] for i in chosen]))
        out: Out = net(x, mask, pools, torch.stack(wholes), rows)
        return out

    def of_pairs(self, net: ReaderNetwork, chosen: Sequence[int]) -> Tensor:
        """Logits of some pairs."""
        x, mask = _padded([self.lower_pairs[i] for i in chosen])
        old, new = torch.zeros(x.shape[:2]), torch.zeros(x.shape[:2])
        for row, i in enumerate(chosen):
            ids = self.pairs[i].ids
            middle = ids.index(self._eos)
            old[row, 1:middle] = 1 / max(1, middle - 1)
            new[row, middle + 1 : len(ids) - 1] = 1 / max(1, len(ids) - 2 - middle)
        return net.relation(x, mask, old, new)


def _pool(example: Example) -> NDArray[np.float32]:
    pool = np.zeros((len(example.segments), len(example.encoded.ids)), np.float32)
    for i, part in enumerate(example.segments):
        at = example.encoded.tokens_of(part.start, part.end)
        if len(at):
            pool[i, at] = 1 / len(at)
    return pool


def _padded(states: Sequence[NDArray[np.float16]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, states))
    x = torch.zeros(len(states), longest, states[0].shape[1])
    mask = torch.zeros(len(states), longest, dtype=torch.bool)
    for i, s in enumerate(states):
        x[i, : len(s)] = torch.from_numpy(s.astype(np.float32))
        mask[i, : len(s)] = True
    return x, mask


def loss_of(out: Out, examples: Sequence[Example]) -> Tensor:
    """What a batch's outputs are off by."""

    def cat(name: str) -> Tensor:
        return torch.from_numpy(np.concatenate([getattr(e, name) for e in examples]))

    out = Out(*(values.float() for values in vars(out).values()))
    keep, mode, about, kind, key = cat("keep"), cat("mode"), cat("about"), cat("kind"), cat("key")
    total = WEIGHTS["keep"] * F.binary_cross_entropy_with_logits(out.keep, keep)
    if (mode >= 0).any():
        total = total + WEIGHTS["mode"] * F.cross_entropy(out.mode[mode >= 0], mode[mode >= 0])
    kept = keep > 0
    if kept.any():
        total = total + WEIGHTS["about"] * F.binary_cross_entropy_with_logits(out.about[kept], about[kept])
        total = total + WEIGHTS["kind"] * F.binary_cross_entropy_with_logits(out.kind[kept], kind[kept])
    total = total + WEIGHTS["key"] * F.cross_entropy(out.key, key)
    tokens: dict[str, list[Tensor]] = {"fact": [], "value": [], "person": []}
    said = []
    for i, e in enumerate(examples):
        at = torch.from_numpy(np.flatnonzero(e.encoded.starts >= 0))
        said.append(i * out.fact.shape[1] + at)
        for name, marks in tokens.items():
            marks.append(torch.from_numpy(getattr(e, name))[at])
    where = torch.cat(said)
    for name, marks in tokens.items():
        logits = getattr(out, name).reshape(-1)[where]
        total = total + WEIGHTS[name] * F.binary_cross_entropy_with_logits(logits, torch.cat(marks))
    return total


def fit(
    batches: Batches,
    chosen: Sequence[int],
    chosen_pairs: Sequence[int],
    file: E5File,
    *,
    epochs: int,
    tuned: int = TUNED,
    seed: int = SEED,
    tell: Any = print,
) -> ReaderNetwork:
    """Fit a network to some of the examples and pairs."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    net = ReaderNetwork(file, tuned=tuned)
    tuned_weights = list(net.layers.parameters())
    heads = [p for n, p in net.named_parameters() if not n.startswith("layers.")]
    groups = [{"params": tuned_weights, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
    lengths, pair_lengths = [len(x) for x in batches.lower], [len(x) for x in batches.lower_pairs]
    steps = epochs * (len(batches.batches(lengths, chosen, rng)) + len(batches.batches(pair_lengths, chosen_pairs, rng, most=PAIR_TOKENS)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / max(1, WARM * steps)) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, step / steps)))
    )
    for epoch in range(epochs):
        net.train()
        began, total, count = time.monotonic(), 0.0, 0
        work = [("e", b) for b in batches.batches(lengths, chosen, rng)] + [
            ("p", b) for b in batches.batches(pair_lengths, chosen_pairs, rng, most=PAIR_TOKENS)
        ]
        rng.shuffle(work)
        for what, batch in work:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                if what == "e":
                    loss = loss_of(batches.of_examples(net, batch), [batches.examples[i] for i in batch])
                else:
                    target = torch.tensor([batches.pairs[i].relation for i in batch])
                    loss = WEIGHTS["relation"] * F.cross_entropy(batches.of_pairs(net, batch).float(), target)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, count = total + float(loss.detach()), count + 1
        tell(f"{len(work)} batches, epoch {epoch + 1}: loss {total / max(1, count):.3f}, {time.monotonic() - began:.0f} s")
    net.eval()
    return net
