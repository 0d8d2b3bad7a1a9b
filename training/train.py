"""Fitting the reader's network to the examples."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from memory.reading.inputs import RELATIONS, features, pair_ids, runs
from memory.reading.network import VALUE
from models.e5_file import E5File, Embedding
from models.unigram import Unigram
from training.examples import Example
from training.network import Out, ReaderNetwork

SEED = 24
BATCH_TOKENS, PAIR_TOKENS = 1_024, 640
"""Padded tokens of a batch: more at once and two cores have more to do, fewer and there are more steps."""
RATE, ADDED_RATE, HEAD_RATE, WEIGHT_DECAY = 2e-4, 5e-4, 1.5e-3, 0.02
ALONE = 0.35
"""Share of messages that are learned from without the line before them: each is read without it as well."""
FALSE_COST = 2.0
"""What it costs to keep a joke or a quotation, in missed facts."""
WARM = 0.06
CENTRED = 100
"""Messages by which states are centred."""
TOLD = 100
"""Batches between two lines of progress."""
WEIGHTS = {"keep": 1.0, "mode": 1.0, "about": 1.0, "kind": 0.3, "fact": 0.5, "key": 1.0, "value": 2.0, "relation": 1.0}


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
    """Examples and pairs as what the encoder is given, in batches of like length."""

    def __init__(self, examples: Sequence[Example], pairs: Sequence[Pair], file: E5File, tokens: Unigram) -> None:
        self.examples, self.pairs, self._eos = examples, pairs, tokens.eos
        self._embedding = Embedding(file)
        self.lengths = [len(e.encoded.ids) for e in examples]
        self.pair_lengths = [len(p.ids) for p in pairs]
        self.features = [features(e.raw["message"], e.before, e.segments) for e in examples]
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

    def inputs(self, chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Embeddings [n, t, hidden] of some examples, and which tokens are there [n, t]."""
        return _padded([self._embedding.of(self.examples[i].encoded.ids) for i in chosen])

    def of_examples(self, net: ReaderNetwork, chosen: Sequence[int]) -> Out:
        """The network's outputs for some examples."""
        x, mask = self.inputs(chosen)
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
        x, mask = _padded([self._embedding.of(self.pairs[i].ids) for i in chosen])
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


def _padded(states: Sequence[NDArray[np.float32]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, states))
    x = torch.zeros(len(states), longest, states[0].shape[1])
    mask = torch.zeros(len(states), longest, dtype=torch.bool)
    for i, s in enumerate(states):
        x[i, : len(s)] = torch.from_numpy(s)
        mask[i, : len(s)] = True
    return x, mask


def losses(net: ReaderNetwork, out: Out, examples: Sequence[Example]) -> dict[str, Tensor]:
    """What a batch's outputs are off by, by head."""

    def cat(name: str) -> Tensor:
        return torch.from_numpy(np.concatenate([getattr(e, name) for e in examples]))

    out = Out(*(values.float() for values in vars(out).values()))
    keep, mode, about, kind = cat("keep"), cat("mode"), cat("about"), cat("kind")
    costs = torch.where((keep == 0) & (mode > 0), FALSE_COST, 1.0)
    found = {"keep": F.binary_cross_entropy_with_logits(out.keep, keep, costs)}
    if (mode >= 0).any():
        found["mode"] = F.cross_entropy(out.mode[mode >= 0], mode[mode >= 0])
    kept = keep > 0
    if kept.any():
        found["about"] = F.binary_cross_entropy_with_logits(out.about[kept], about[kept])
        found["kind"] = F.binary_cross_entropy_with_logits(out.kind[kept], kind[kept])
    tokens: dict[str, list[Tensor]] = {"fact": [], "value": []}
    said = []
    for i, e in enumerate(examples):
        at = torch.from_numpy(np.flatnonzero(e.encoded.starts >= 0))
        said.append(i * out.fact.shape[1] + at)
        for name, marks in tokens.items():
            marks.append(torch.from_numpy(getattr(e, name))[at])
    where = torch.cat(said)
    for name, marks in tokens.items():
        logits = getattr(out, name).reshape(-1)[where]
        found[name] = F.binary_cross_entropy_with_logits(logits, torch.cat(marks))
    return found | _key_loss(net, out, examples)


def _key_loss(net: ReaderNetwork, out: Out, examples: Sequence[Example]) -> dict[str, Tensor]:
    """Of the values that are there and of the stretches that the network takes for values now, which are what it will be asked about."""
    stretches, segments, keys = [], [], []
    first = 0
    likely = (torch.sigmoid(out.value.detach()) >= VALUE).numpy()
    for i, e in enumerate(examples):
        at_segments = [e.encoded.tokens_of(p.start, p.end) for p in e.segments]
        asked = [(tokens, key) for tokens, key in e.values if len(tokens)]
        for at in at_segments:
            asked += [(run, _key_of(run, e)) for run in runs(likely[i][: len(e.encoded.ids)], at)]
        for tokens, key in asked:
            shared = [len(np.intersect1d(tokens, at)) for at in at_segments]
            if any(shared):
                stretches.append(out.states[i, torch.from_numpy(tokens)].mean(0))
                segments.append(out.means[first + int(np.argmax(shared))])
                keys.append(key)
        first += len(e.segments)
    if not keys:
        return {}
    return {"key": F.cross_entropy(net.keys(torch.stack(stretches), torch.stack(segments)), torch.tensor(keys))}


def _key_of(run: NDArray[np.int64], example: Example) -> int:
    """The key of the value that a stretch shares half of the longer with, else none."""
    for tokens, key in example.values:
        if 2 * len(np.intersect1d(run, tokens)) >= max(len(run), len(tokens)):
            return key
    return 0


def fit(
    batches: Batches,
    chosen: Sequence[int],
    chosen_pairs: Sequence[int],
    alone: Mapping[int, int],
    file: E5File,
    *,
    epochs: int,
    strangers: Sequence[int] = (),
    seed: int = SEED,
    tell: Any = print,
) -> ReaderNetwork:
    """Fit a network to some of the examples and pairs. alone: for an example with a line before it, the same without; strangers: pairs
    of what two speakers said, an equal share of which is learned from in each epoch."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    net = ReaderNetwork(file)
    net.eval()
    net.centre(*batches.inputs(rng.sample(list(chosen), min(CENTRED, len(chosen)))))
    named = [(n, p) for n, p in net.named_parameters() if p.requires_grad]
    added = [p for n, p in named if n.endswith((".down", ".up"))]
    whole = [p for n, p in named if n.startswith("layers.") and not n.endswith((".down", ".up"))]
    heads = [p for n, p in named if not n.startswith("layers.")]
    groups = [{"params": whole, "lr": RATE}, {"params": added, "lr": ADDED_RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
    lengths, pair_lengths = batches.lengths, batches.pair_lengths
    steps = epochs * (
        len(batches.batches(lengths, chosen, rng))
        + len(batches.batches(pair_lengths, [*chosen_pairs, *strangers[::epochs]], rng, most=PAIR_TOKENS))
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / max(1, WARM * steps)) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, step / steps)))
    )
    for epoch in range(epochs):
        net.train()
        began, parts = time.monotonic(), defaultdict[str, list[float]](list)
        told = [alone[i] if i in alone and rng.random() < ALONE else i for i in chosen]
        both = [*chosen_pairs, *strangers[epoch::epochs]]
        work = [("e", b) for b in batches.batches(lengths, told, rng)] + [
            ("p", b) for b in batches.batches(pair_lengths, both, rng, most=PAIR_TOKENS)
        ]
        rng.shuffle(work)
        for n, (what, batch) in enumerate(work, 1):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                if what == "e":
                    found = losses(net, batches.of_examples(net, batch), [batches.examples[i] for i in batch])
                else:
                    target = torch.tensor([batches.pairs[i].relation for i in batch])
                    found = {"relation": F.cross_entropy(batches.of_pairs(net, batch).float(), target)}
            optimizer.zero_grad()
            torch.stack([WEIGHTS[name] * loss for name, loss in found.items()]).sum().backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            for name, loss in found.items():
                parts[name].append(float(loss.detach()))
            if n % TOLD == 0 or n == len(work):
                means = "  ".join(f"{name} {np.mean(values[-TOLD:]):.3f}" for name, values in sorted(parts.items()))
                tell(f"epoch {epoch + 1}, {n} of {len(work)} batches, {time.monotonic() - began:.0f} s: {means}")
    net.eval()
    return net
