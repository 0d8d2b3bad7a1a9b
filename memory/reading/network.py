"""The reader's network as it runs: the bundled encoder as it was made to fit in ONNX Runtime, the heads in NumPy."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.reading.inputs import ABOUT, MODES, Encoded, encoded, features, pair_ids, runs
from memory.reading.segments import Segment
from models.e5_encoder import session
from models.e5_file import E5File, Embedding, bundled_file
from models.tuned_encoder import tuned
from models.unigram import Unigram

SHIPPED = Path(__file__).parent / "reader.npz"

Floats = NDArray[np.float32]


VALUE = 0.3
"""Probability from which a token belongs to what may be a value."""


@dataclass(frozen=True)
class Value:
    """A stretch that may be a persona value of the speaker: its segment, its tokens [v], and the probability of each key of KEY_NAMES [g]."""

    segment: int
    tokens: NDArray[np.int64]
    key: Floats


@dataclass(frozen=True)
class Judged:
    """What the network says of a message: of each segment keep [s], mode [s, m], about [s, a], kind [s, k], ends [s] (that it takes something back that was so);
    of each token fact, value [t]; all probabilities."""

    encoded: Encoded
    keep: Floats
    mode: Floats
    about: Floats
    kind: Floats
    ends: Floats
    fact: Floats
    value: Floats
    values: list[Value]


class Network:
    """Safe from any thread. file: made by `make train`; raises OSError, KeyError or ValueError where it is none."""

    def __init__(self, file: Path = SHIPPED) -> None:
        with np.load(file, allow_pickle=False) as stored:
            self.tensors: Mapping[str, NDArray[Any]] = {name: stored[name] for name in stored.files}
        weights = E5File.read(bundled_file())
        self.tokens = Unigram(weights.vocabulary)
        self._embedding = Embedding(weights)
        self._encoder = session(tuned(weights, self.tensors), 1)

    def judge(self, message: str, *, speaker: str, before: Sequence[str] | None, segments: Sequence[Segment]) -> Judged:
        """before: (speaker, words) of the line before it, or None."""
        read = encoded(message, speaker=speaker, before=before, tokens=self.tokens)
        states = self._states(read.ids)
        pool, inputs = self._inputs(message, read, states, before=before, segments=segments)
        ends = _sigmoid(self._head("ends", inputs)[:, 0])
        out = self._head("segment_heads", np.maximum(self._head("segment_in", inputs), 0))
        keep, mode, about, kind = np.split(out, np.cumsum([1, len(MODES), len(ABOUT)]), axis=1)
        tokens = self._head("token_heads", states)
        meant = _softmax(mode)
        known = evidence(keep[:, 0], pool @ tokens[:, 0], meant[:, MODES.index("meant")])
        worth = _sigmoid(known @ self.tensors["keep.scale"] + self.tensors["keep.shift"])
        fact, value = _sigmoid(tokens).T[:2]
        values = self._values(states, value >= VALUE, pool)
        return Judged(read, worth, meant, _sigmoid(about), _sigmoid(kind), ends, fact, value, values)

    def segment_inputs(self, message: str, *, speaker: str, before: Sequence[str] | None, segments: Sequence[Segment]) -> Floats:
        """What the heads of segments are given [s, 2 hidden + FEATURES]."""
        read = encoded(message, speaker=speaker, before=before, tokens=self.tokens)
        return self._inputs(message, read, self._states(read.ids), before=before, segments=segments)[1]

    def _inputs(
        self, message: str, read: Encoded, states: Floats, *, before: Sequence[str] | None, segments: Sequence[Segment]
    ) -> tuple[Floats, Floats]:
        """(the share each token has in a segment's mean [s, t], the inputs)."""
        said = np.flatnonzero(read.starts >= 0)
        whole = states[said].mean(axis=0) if len(said) else np.zeros(states.shape[1], np.float32)
        pool = np.zeros((len(segments), len(read.ids)), np.float32)
        for i, part in enumerate(segments):
            at = read.tokens_of(part.start, part.end)
            pool[i, at] = 1 / max(1, len(at))
        around = np.broadcast_to(whole, (len(segments), len(whole)))
        return pool, np.concatenate([pool @ states, around, features(message, before, segments)], axis=1)

    def _values(self, states: Floats, likely: NDArray[np.bool_], pool: Floats) -> list[Value]:
        found = [(i, run) for i, row in enumerate(pool) for run in runs(likely, np.flatnonzero(row))]
        if not found:
            return []
        inputs = np.stack([np.concatenate([_mean(states[run]), pool[i] @ states]) for i, run in found])
        keys = _softmax(self._head("value_head", np.maximum(self._head("value_in", inputs), 0)))
        return [Value(i, run, key) for (i, run), key in zip(found, keys, strict=True)]

    def relation(self, old: tuple[str, str], new: tuple[str, str]) -> Floats:
        """Probabilities of RELATIONS [r]. old, new: (line before or empty, words)."""
        inner = np.maximum(self._head("pair_in", self.pair_inputs(old, new)[None]), 0)
        return np.asarray(_softmax(self._head("pair_head", inner))[0], np.float32)

    def pair_inputs(self, old: tuple[str, str], new: tuple[str, str]) -> Floats:
        """What the head of pairs is given [3 hidden]."""
        ids = pair_ids(old, new, self.tokens)
        states = self._states(ids)
        middle = ids.index(self.tokens.eos)
        return np.concatenate([_mean(states[1:middle]), _mean(states[middle + 1 : len(ids) - 1]), states[0]])

    def _states(self, ids: Sequence[int]) -> Floats:
        return np.asarray(self._encoder.run(None, {"words": self._embedding.of(ids)[None]})[0][0], np.float32)

    def _head(self, name: str, inputs: Floats) -> Floats:
        return np.asarray(inputs @ self.tensors[f"{name}.weight"].astype(np.float32).T + self.tensors[f"{name}.bias"].astype(np.float32))


def evidence(keep: Floats, token: Floats, meant: Floats) -> Floats:
    """What says that a segment is worth keeping [s, 3]: the logit of its head, the mean of its tokens', and how it is meant."""
    return np.stack([keep, token, np.log(np.clip(meant, 1e-4, 1))], axis=1).astype(np.float32)


def _mean(states: Floats) -> Floats:
    return np.asarray(states.mean(axis=0) if len(states) else np.zeros(states.shape[1], np.float32))


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def _softmax(x: Floats) -> Floats:
    if not x.size:
        return x
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)


_loaded: dict[Path, Network] = {}
_loading = threading.Lock()


def network(file: Path = SHIPPED) -> Network:
    """The network, loaded once per process."""
    with _loading:
        if file not in _loaded:
            _loaded[file] = Network(file)
        return _loaded[file]
