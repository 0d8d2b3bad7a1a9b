"""Layers of the bundled encoder that were made to fit for something else than embedding, as graphs for ONNX Runtime.

A weight is kept in eight bits with one scale a row, which is how `e5_graph.Bytes` multiplies anyway; where the processor does not add products of bytes up
exactly, it is multiplied as it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from models.e5_file import E5File
from models.e5_graph import Bytes, Graph, multiplies_bytes

LINEARS = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")


class _Tuned(Graph):
    """in: words float [1, length, hidden], what the layers below made; out: float [1, length, hidden]. tensors: for each layer and linear part
    `l0.q.w` int8 [rows, columns], `l0.q.s` float [rows], `l0.q.b`; for each norm `l0.aln.w`, `l0.aln.b`. Layers count from 0."""

    spreads: ClassVar[bool] = False

    def __init__(self, file: E5File, tensors: Mapping[str, NDArray[Any]], *, layers: int) -> None:
        self._tensors = tensors
        super().__init__(file, depth=layers)

    def _entered(self) -> str:
        return "words"

    def _linear(self, names: Sequence[str], at: str, columns: int) -> str:
        packed = np.concatenate([self._tensors[f"{name}.w"] for name in names])
        steps = np.concatenate([self._floats(f"{name}.s") for name in names])
        offsets = np.concatenate([self._floats(f"{name}.b") for name in names])
        return self._node("Add", self._product(names[0], at, packed, steps), self._weight(names[0] + ".b", offsets))

    def _pair(self, name: str) -> tuple[str, str]:
        return (self._weight(name + ".w", self._floats(name + ".w")), self._weight(name + ".b", self._floats(name + ".b")))

    def _floats(self, name: str) -> NDArray[np.float32]:
        return self._tensors[name].astype(np.float32)

    def _times(self, name: str, at: str, scales: NDArray[np.float32], weights: NDArray[np.uint8]) -> str:
        raise NotImplementedError  # weights here come in bytes

    def _product(self, name: str, at: str, packed: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        """packed: [rows, columns]; steps: what one of a row stands for [rows]."""
        full = packed.astype(np.float32) * steps[:, None]
        return self._node("MatMul", at, self._weight(name + ".w", full.T))


class _TunedBytes(_Tuned, Bytes):
    def _product(self, name: str, at: str, packed: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        return self._bytes(name, at, packed, steps)


def tuned_layers(file: E5File, tensors: Mapping[str, NDArray[Any]], *, layers: int) -> Graph:
    """The graph of some layers as this processor multiplies best."""
    return (_TunedBytes if multiplies_bytes() else _Tuned)(file, tensors, layers=layers)
