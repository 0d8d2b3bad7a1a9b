"""The bundled encoder made to fit for something else than embedding, as graphs for ONNX Runtime.

Its last layers are whole, in eight bits with one scale a row, which is how `e5_graph.Bytes` multiplies anyway; to the weights of those below a product of two
small ones is added (LoRA, Hu et al. 2022). Where the processor does not add products of bytes up exactly, weights are multiplied as what they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from models.e5_file import E5File, whole
from models.e5_graph import Graph, InBytes, in_bytes, multiplies_bytes

LINEARS = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")


class Tuned(Graph):
    """in: words float [1, length, hidden], embeddings with their places; out: float [1, length, hidden].

    tensors: of a whole layer and its linear part `l8.q.w` int8 [rows, columns], `l8.q.s` float [rows], `l8.q.b`, and of its norms `l8.aln.w`, `l8.aln.b`;
    of a layer below `l0.q.down` [rank, columns] and `l0.q.up` [rows, rank].
    """

    spreads: ClassVar[bool] = False

    def __init__(self, file: E5File, tensors: Mapping[str, NDArray[Any]]) -> None:
        self._tensors = tensors
        super().__init__(file)

    def _linear(self, names: Sequence[str], at: str, columns: int) -> str:
        read = [self._in_bytes(name, columns) for name in names]
        packed, steps = (np.concatenate(values) for values in zip(*read, strict=True))
        offsets = np.concatenate([self._floats(f"{name}.b") for name in names])
        return self._node("Add", self._product(names[0], at, packed, steps), self._weight(names[0] + ".b", offsets))

    def _in_bytes(self, name: str, columns: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        if f"{name}.w" in self._tensors:
            return self._tensors[f"{name}.w"], self._floats(f"{name}.s")
        return in_bytes(whole(self._file, name + ".w", columns) + self._floats(f"{name}.up") @ self._floats(f"{name}.down"))

    def _pair(self, name: str) -> tuple[str, str]:
        return (self._weight(name + ".w", self._floats(name + ".w")), self._weight(name + ".b", self._floats(name + ".b")))

    def _floats(self, name: str) -> NDArray[np.float32]:
        return self._tensors[name].astype(np.float32) if name in self._tensors else self._file.floats(name)

    def _product(self, name: str, at: str, packed: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        """packed: [rows, columns]; steps: what one of a row stands for [rows]."""
        full = packed.astype(np.float32) * steps[:, None]
        return self._node("MatMul", at, self._weight(name + ".w", full.T))


class TunedInBytes(Tuned, InBytes):
    """The same, multiplied as bytes."""

    def _product(self, name: str, at: str, packed: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        return self._bytes(name, at, packed, steps)


def tuned(file: E5File, tensors: Mapping[str, NDArray[Any]]) -> Graph:
    """Return the graph as this processor multiplies best."""
    return (TunedInBytes if multiplies_bytes() else Tuned)(file, tensors)
