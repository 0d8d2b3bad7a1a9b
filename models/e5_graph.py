"""BERT's encoder of multilingual-e5-small as graphs for ONNX Runtime, made of four-bit weights (Wang et al. 2024).

Two ways to multiply: in blocks of 32 as the weights were packed (`FourBits`), which every processor does; and as bytes (`Bytes`), in half the time, where the
processor adds products of bytes up exactly (AVX-512 VNNI; by their makers' word AVX-VNNI and ARM). `multiplies_bytes` tells which one it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as faults

from models.e5_file import BLOCK, ZERO, E5File, parts

_INT8 = 4
"""Accuracy level of MatMulNBits: activations in eight bits."""
_MOST = 127
"""Largest weight and activation of eight bits, in size."""
_MIDDLE = 128
"""What stands for nought in a byte without a sign."""
OPSET, CONTRIB = 20, "com.microsoft"

RUNTIME_ERRORS = (faults.Fail, faults.RuntimeException, faults.InvalidArgument, faults.InvalidGraph, faults.NotImplemented, MemoryError)
"""What ONNX Runtime raises; they have no base of their own."""


class Graph(ABC):
    """in: words float [1, length, hidden], embeddings with their places; out: float [1, length, hidden]."""

    spreads: ClassVar[bool]
    """Whether a text of ordinary length is sooner done by several cores than by one."""

    def __init__(self, file: E5File) -> None:
        from onnx import helper

        self._file, self._helper = file, helper
        self._nodes: list[Any] = []
        self._constants: dict[str, str] = {}
        self.weights: dict[str, NDArray[Any]] = {}
        self.model = self._serialized()

    def _serialized(self) -> bytes:
        from onnx import TensorProto

        shape: list[int | str | None] = [1, "length", self._file.hidden]
        at = self._node("LayerNormalization", "words", *self._pair("emb.ln"), axis=-1, epsilon=self._file.epsilon)
        for layer in range(self._file.layers):
            at = self._layer(f"l{layer}.", at)
        graph = self._helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [self._helper.make_tensor_value_info("words", TensorProto.FLOAT, shape)],
            [self._helper.make_tensor_value_info(at, TensorProto.FLOAT, shape)],
            [self._elsewhere(name, values) for name, values in self.weights.items()],
        )
        opsets = [self._helper.make_opsetid("", OPSET), self._helper.make_opsetid(CONTRIB, 1)]
        return bytes(self._helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString())

    def _layer(self, name: str, at: str) -> str:
        hidden, inner = self._file.hidden, self._file.inner
        three = self._linear([name + part for part in "qkv"], at, hidden)
        seen = self._node("MultiHeadAttention", *self._split(three, 3), domain=CONTRIB, num_heads=self._file.heads)
        at = self._added(name + "aln", self._linear([name + "ao"], seen, hidden), at)
        wide = self._node("Gelu", self._linear([name + "fi"], at, hidden), domain=CONTRIB)
        return self._added(name + "oln", self._linear([name + "fo"], wide, inner), at)

    @abstractmethod
    def _linear(self, names: Sequence[str], at: str, columns: int) -> str:
        """What several weights [rows, columns] make of the same, side by side, their offsets added: one multiplication, so what goes in is rounded once."""

    def _split(self, at: str, count: int) -> list[str]:
        """A node's output in equal parts of its last dimension."""
        outs = [f"{at}.{part}" for part in range(count)]
        self._nodes.append(self._helper.make_node("Split", [at], outs, axis=-1, num_outputs=count))
        return outs

    def _added(self, name: str, new: str, old: str) -> str:
        return self._node("LayerNormalization", self._node("Add", new, old), *self._pair(name), axis=-1, epsilon=self._file.epsilon)

    def _pair(self, name: str) -> tuple[str, str]:
        """Gain and offset of a normalisation."""
        return (self._weight(name + ".w", self._file.floats(name + ".w")), self._weight(name + ".b", self._file.floats(name + ".b")))

    def _weight(self, name: str, values: NDArray[Any]) -> str:
        self.weights[name] = np.ascontiguousarray(values)
        return name

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        if name not in self._constants:
            self._constants[name] = self._node("Constant", value=numpy_helper.from_array(values))
        return self._constants[name]

    def _elsewhere(self, name: str, values: NDArray[Any]) -> Any:
        """A weight whose values are handed over beside the graph."""
        from onnx import TensorProto

        tensor = TensorProto(name=name, dims=values.shape, data_location=TensorProto.EXTERNAL)
        tensor.data_type = self._helper.np_dtype_to_tensor_dtype(values.dtype)
        tensor.external_data.add(key="location", value="beside")
        return tensor

    def _node(self, kind: str, *inputs: str, domain: str = "", **settings: Any) -> str:
        out = f"n{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(kind, list(inputs), [out], domain=domain, **settings))
        return out


class Packed(Graph):
    """Weights as the file has them, in blocks of four bits."""

    def _linear(self, names: Sequence[str], at: str, columns: int) -> str:
        read = [parts(self._file.blocks(name + ".w", columns)) for name in names]
        scales, weights = (np.concatenate(values) for values in zip(*read, strict=True))
        offsets = np.concatenate([self._file.floats(name + ".b") for name in names])
        return self._node("Add", self._times(names[0], at, scales, weights), self._weight(names[0] + ".b", offsets))

    @abstractmethod
    def _times(self, name: str, at: str, scales: NDArray[np.float32], weights: NDArray[np.uint8]) -> str:
        """scales: [rows, blocks]; weights: 0 to 15 [rows, blocks, BLOCK]."""


class InBytes(Graph):
    """Multiplies as bytes: each row of weights in eight bits with one scale, each token that goes in with another."""

    def _bytes(self, name: str, at: str, packed: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        """packed: [rows, columns]; steps: what one of a row stands for [rows]."""
        weights = self._weight(name + ".w", packed.T)
        scaled = self._weight(name + ".s", steps)
        rounded, step = self._rounded(at)
        one, middle = self._constant("one", np.array(1, np.float32)), self._constant("middle", np.array(_MIDDLE, np.uint8))
        product = self._node("MatMulIntegerToFloat", rounded, weights, one, scaled, middle, domain=CONTRIB)
        return self._node("Mul", product, step)

    def _rounded(self, at: str) -> tuple[str, str]:
        """(bytes [1, length, n], what one of them stands for [1, length, 1])."""
        last = self._constant("last", np.array([-1], np.int64))
        largest = self._node("ReduceMax", self._node("Abs", at), last, keepdims=1)
        step = self._node("Mul", largest, self._constant("share", np.array(1 / _MOST, np.float32)))
        return self._node("QuantizeLinear", at, self._node("Reshape", step, last), self._middles(), axis=1), step

    def _middles(self) -> str:
        """_MIDDLE for each token [length]; made once."""
        if "middles" not in self._constants:
            middle, flat = self._constant("middle", np.array(_MIDDLE, np.uint8)), self._constant("last", np.array([-1], np.int64))
            first = self._node("Gather", "words", self._constant("nought", np.array(0, np.int64)), axis=2)
            length = self._node("Shape", self._node("Reshape", first, flat))
            self._constants["middles"] = self._node("Expand", middle, length)
        return self._constants["middles"]


class FourBits(Packed):
    """Weights stay as they are and what they are multiplied with is rounded to eight bits in blocks of 32, as the package's own engine does: the same vectors
    to the fourth digit (cosine .9999)."""

    spreads = True

    def _times(self, name: str, at: str, scales: NDArray[np.float32], weights: NDArray[np.uint8]) -> str:
        rows, blocks, _ = weights.shape
        # Two neighbours share a byte here, where the file has a weight and the one sixteen after it.
        packed = self._weight(name + ".w", weights[..., 0::2] | (weights[..., 1::2] << 4))
        scaled = self._weight(name + ".s", scales.reshape(-1))
        return self._node(
            "MatMulNBits", at, packed, scaled, domain=CONTRIB, K=blocks * BLOCK, N=rows, bits=4, block_size=BLOCK, accuracy_level=_INT8
        )


class Bytes(Packed, InBytes):
    """Each row of weights in eight bits with one scale, each token that goes in with another: the same vectors to the third digit (cosine .999). With one scale
    for all tokens of a text it would be .997."""

    spreads = False

    def _times(self, name: str, at: str, scales: NDArray[np.float32], weights: NDArray[np.uint8]) -> str:
        full = ((weights.astype(np.float32) - ZERO) * scales[..., None]).reshape(len(weights), -1)
        return self._bytes(name, at, *in_bytes(full))


def in_bytes(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights [rows, columns] in eight bits, and what one of each row stands for [rows]."""
    steps = np.maximum(np.abs(weights).max(axis=1), 1e-12) / _MOST
    return np.round(weights / steps[:, None]).astype(np.int8), steps.astype(np.float32)


@cache
def multiplies_bytes() -> bool:
    """Whether this processor adds products of bytes up exactly: before VNNI, x86 cuts each sum of two off at sixteen bits, and vectors would be wrong."""
    from onnx import TensorProto, helper

    tokens, columns, rows = 8, 64, 32
    chance = np.random.default_rng(0)
    told = np.full((tokens, columns), 255, np.uint8)
    told[tokens // 2 :] = chance.integers(0, 256, (tokens - tokens // 2, columns))
    weights = np.full((columns, rows), _MOST, np.int8)
    weights[:, rows // 4 : rows // 2] = -_MOST
    weights[:, rows // 2 :] = chance.integers(-_MOST, _MOST + 1, (columns, rows - rows // 2))
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["told", "weights"], ["sums"])],
        "bytes",
        [helper.make_tensor_value_info("told", TensorProto.UINT8, [None, columns])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, [None, rows])],
        [helper.make_tensor("weights", TensorProto.INT8, weights.shape, weights.tobytes(), raw=True)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    exact = told.astype(np.int32) @ weights.astype(np.int32)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        # One token at a time takes another way through the library than several.
        return all(np.array_equal(session.run(None, {"told": part})[0], sums) for part, sums in ((told, exact), (told[:1], exact[:1])))
    except RUNTIME_ERRORS:
        return False
