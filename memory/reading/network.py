"""The reader's network as it runs: the encoder's lower layers as they come, the upper ones as they were made to fit, in ONNX Runtime; the heads in NumPy."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.reading.inputs import ABOUT, KINDS, MODES, Encoded, encoded, features, pair_ids
from memory.reading.segments import Segment
from models.e5_encoder import session
from models.e5_file import ZERO, E5File, bundled_file, parts
from models.e5_graph import Bytes, FourBits, multiplies_bytes
from models.tuned_layers import tuned_layers
from models.unigram import Unigram

SHIPPED = Path(__file__).parent / "reader.npz"

Floats = NDArray[np.float32]


class LowerLayers:
    """Token ids to what the encoder's first layers make of them."""

    def __init__(self, file: E5File, *, depth: int, threads: int = 1) -> None:
        self._words = file.blocks("emb.word", file.hidden)
        self._places = file.floats("emb.pos").reshape(-1, file.hidden) + file.floats("emb.type")[: file.hidden]
        graph = Bytes if multiplies_bytes() else FourBits
        self._session = session(graph(file, depth=depth), threads)

    def run(self, ids: Sequence[int]) -> Floats:
        """[t, hidden]."""
        scales, weights = parts(self._words[np.asarray(ids)])
        words = (weights.astype(np.float32) - ZERO) * scales[..., None]
        hidden = self._session.run(None, {"words": words.reshape(1, len(ids), -1) + self._places[: len(ids)]})[0]
        return np.asarray(hidden[0], dtype=np.float32)


@dataclass(frozen=True)
class Judged:
    """What the network says of a message: of each segment keep [s], mode [s, m], about [s, a], kind [s, k], key [s, g]; of each token fact, value, person [t];
    all probabilities."""

    encoded: Encoded
    keep: Floats
    mode: Floats
    about: Floats
    kind: Floats
    key: Floats
    fact: Floats
    value: Floats
    person: Floats


class Network:
    """Safe from any thread. file: made by `make train`; raises OSError, KeyError or ValueError where it is none."""

    def __init__(self, file: Path = SHIPPED) -> None:
        with np.load(file, allow_pickle=False) as stored:
            self.tensors: Mapping[str, NDArray[Any]] = {name: stored[name] for name in stored.files}
        weights = E5File.read(bundled_file())
        tuned = int(self.tensors["tuned"])
        self.tokens = Unigram(weights.vocabulary)
        self._lower = LowerLayers(weights, depth=weights.layers - tuned)
        self._upper = session(tuned_layers(weights, self.tensors, layers=tuned), 1)

    def judge(self, message: str, *, speaker: str, before: Sequence[str] | None, segments: Sequence[Segment]) -> Judged:
        """before: (speaker, words) of the line before, or None."""
        read = encoded(message, speaker=speaker, before=before, tokens=self.tokens)
        states = self._states(read.ids)
        said = np.flatnonzero(read.starts >= 0)
        whole = states[said].mean(axis=0) if len(said) else np.zeros(states.shape[1], np.float32)
        pool = np.zeros((len(segments), len(read.ids)), np.float32)
        for i, part in enumerate(segments):
            at = read.tokens_of(part.start, part.end)
            pool[i, at] = 1 / max(1, len(at))
        around = np.broadcast_to(whole, (len(segments), len(whole)))
        inputs = np.concatenate([pool @ states, around, features(message, before, segments)], axis=1)
        out = self._head("segment_heads", np.maximum(self._head("segment_in", inputs), 0))
        keep, mode, about, kind, key = np.split(out, np.cumsum([1, len(MODES), len(ABOUT), len(KINDS)]), axis=1)
        tokens = self._head("token_heads", states)
        meant = _softmax(mode)
        known = evidence(keep[:, 0], pool @ tokens[:, 0], meant[:, MODES.index("meant")])
        worth = _sigmoid(known @ self.tensors["keep.scale"] + self.tensors["keep.shift"])
        return Judged(read, worth, meant, _sigmoid(about), _sigmoid(kind), _softmax(key), *_sigmoid(tokens).T)

    def relation(self, old: tuple[str, str], new: tuple[str, str]) -> Floats:
        """Probabilities of RELATIONS [r]. old, new: (line before or empty, words)."""
        ids = pair_ids(old, new, self.tokens)
        states = self._states(ids)
        middle = ids.index(self.tokens.eos)
        pair = np.concatenate([_mean(states[1:middle]), _mean(states[middle + 1 : len(ids) - 1]), states[0]])
        return np.asarray(_softmax(self._head("pair_head", np.maximum(self._head("pair_in", pair[None]), 0)))[0], np.float32)

    def _states(self, ids: Sequence[int]) -> Floats:
        return np.asarray(self._upper.run(None, {"words": self._lower.run(ids)[None]})[0][0], np.float32)

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
