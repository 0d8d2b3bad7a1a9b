"""Layers in bytes give what the encoder's own layers give, if their weights are the encoder's own."""

import numpy as np
import pytest

from memory.reading.network import LowerLayers
from models.e5_encoder import session
from models.e5_file import ZERO, E5File, bundled_file, parts
from models.e5_graph import in_bytes
from models.tuned_layers import LINEARS, NORMS, _Tuned, tuned_layers
from models.unigram import Unigram


@pytest.fixture(scope="module")
def file() -> E5File:
    return E5File.read(bundled_file())


def own_weights(file: E5File, *, first: int) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for number in range(first, file.layers):
        for name in LINEARS:
            scales, weights = parts(file.blocks(f"l{number}.{name}.w", file.inner if name == "fo" else file.hidden))
            packed, steps = in_bytes(((weights.astype(np.float32) - ZERO) * scales[..., None]).reshape(len(weights), -1))
            found |= {
                f"l{number - first}.{name}.w": packed,
                f"l{number - first}.{name}.s": steps,
                f"l{number - first}.{name}.b": file.floats(f"l{number}.{name}.b"),
            }
        for name in NORMS:
            found |= {f"l{number - first}.{name}.{part}": file.floats(f"l{number}.{name}.{part}") for part in "wb"}
    return found


def test_the_layers_of_the_encoder_itself_come_out_as_the_encoder(file: E5File) -> None:
    ids = [0, *Unigram(file.vocabulary).ids("query: The ferry to Kos leaves at six."), 2]
    whole = LowerLayers(file, depth=file.layers).run(ids)
    below = LowerLayers(file, depth=file.layers - 2).run(ids)
    tensors = own_weights(file, first=file.layers - 2)
    for graph in (tuned_layers(file, tensors, layers=2), _Tuned(file, tensors, layers=2)):
        above = session(graph, 1).run(None, {"words": below[None]})[0][0]
        cosine = (above * whole).sum(axis=1) / np.linalg.norm(above, axis=1) / np.linalg.norm(whole, axis=1)
        assert cosine.min() > 0.99
