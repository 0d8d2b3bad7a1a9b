"""Learned weights as a file: an .npz archive of three plain arrays, read without pickle and not before each array is known to be what it should be. Pure."""

from __future__ import annotations

import io
import math
import zipfile
import zlib

import numpy as np
from numpy.typing import NDArray

from memory.reranker import LARGEST, OURS, Reranker

SUFFIX = ".npz"
MOST_UPDATES = 10**9
FINGERPRINT_BYTES = 500


def most_bytes(dimension: int) -> int:
    """Largest file of weights, with room for the archive's own lines."""
    return math.prod(OURS.shape(dimension)) * 4 + 16_384


def packed(reranker: Reranker, *, fingerprint: str) -> bytes:
    """fingerprint: of the embedder that the weights were learned for."""
    buffer = io.BytesIO()
    np.savez(
        buffer,
        weights=np.asarray(reranker.weights, dtype="<f4"),
        updates=np.array(reranker.updates, dtype="<i8"),
        embedder=np.frombuffer(fingerprint.encode(), dtype=np.uint8),
    )
    return buffer.getvalue()


def unpacked(raw: bytes, *, fingerprint: str, dimension: int) -> Reranker:
    """Raises ValueError for a file that holds no weights, or none for this embedder, or such as learning would not have left."""
    if len(raw) > most_bytes(dimension):
        raise ValueError("larger than any file of weights for this embedder")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            embedder = _array(archive, "embedder", np.dtype(np.uint8), None)
            weights = _array(archive, "weights", np.dtype("<f4"), OURS.shape(dimension)).astype(np.float32)
            updates = int(_array(archive, "updates", np.dtype("<i8"), ()))
    except (zipfile.BadZipFile, zlib.error, KeyError, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"no archive of weights: {error}") from error
    if embedder.tobytes() != fingerprint.encode():
        raise ValueError("learned for another embedder")
    if not 0 <= updates <= MOST_UPDATES:
        raise ValueError("no number of updates")
    if not np.isfinite(weights).all() or float(np.linalg.norm(weights.reshape(2, -1), axis=1).max()) > LARGEST:
        raise ValueError("weights without bounds")
    return Reranker(dimension, OURS, weights=weights, updates=updates)


def _array(archive: zipfile.ZipFile, name: str, dtype: np.dtype[np.generic], shape: tuple[int, ...] | None) -> NDArray[np.generic]:
    """One array of the archive; its header is looked at before anything is made as large as it says. shape: None for a short row."""
    with archive.open(f"{name}.npy") as stream:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError(f"{name} is of an unknown version")
        found, by_column, kind = np.lib.format.read_array_header_1_0(stream)
        wanted = shape is None and len(found) == 1 and 0 < found[0] <= FINGERPRINT_BYTES
        if by_column or kind != dtype or not (wanted or found == shape):
            raise ValueError(f"{name} is not as it should be")
        size = int(np.prod(found, dtype=np.int64)) * dtype.itemsize
        data = stream.read(size + 1)
    if len(data) != size:
        raise ValueError(f"{name} is not as long as it says")
    return np.frombuffer(data, dtype=dtype).reshape(found)
