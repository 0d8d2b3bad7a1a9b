"""The encoder made to fit gives what the encoder gives, if its weights are the encoder's own and what is added is nought."""

import numpy as np
import pytest

from models.e5_encoder import session
from models.e5_file import E5File, Embedding, bundled_file, whole
from models.e5_graph import Bytes, FourBits, Graph, in_bytes, multiplies_bytes
from models.tuned_encoder import LINEARS, NORMS, Tuned, tuned
from models.unigram import Unigram

RANK = 4


@pytest.fixture(scope="module")
def file() -> E5File:
    return E5File.read(bundled_file())


def own_weights(file: E5File, *, layers: int) -> dict[str, np.ndarray]:
    """The last layers whole, the others with nothing added."""
    found: dict[str, np.ndarray] = {}
    for number in range(file.layers):
        for name in LINEARS:
            full = whole(file, f"l{number}.{name}.w", file.inner if name == "fo" else file.hidden)
            if number < file.layers - layers:
                found[f"l{number}.{name}.down"] = np.ones((RANK, full.shape[1]), np.float16)
                found[f"l{number}.{name}.up"] = np.zeros((len(full), RANK), np.float16)
            else:
                packed, steps = in_bytes(full)
                found |= {
                    f"l{number}.{name}.w": packed,
                    f"l{number}.{name}.s": steps,
                    f"l{number}.{name}.b": file.floats(f"l{number}.{name}.b"),
                }
        if number >= file.layers - layers:
            found |= {f"l{number}.{name}.{part}": file.floats(f"l{number}.{name}.{part}") for name in NORMS for part in "wb"}
    return found


def outputs(graph: Graph, words: np.ndarray) -> np.ndarray:
    return np.asarray(session(graph, 1).run(None, {"words": words})[0][0])


def test_the_encoder_itself_comes_out(file: E5File) -> None:
    ids = [0, *Unigram(file.vocabulary).ids("query: The ferry to Kos leaves at six."), 2]
    words = Embedding(file).of(ids)[None]
    own = outputs((Bytes if multiplies_bytes() else FourBits)(file), words)
    tensors = own_weights(file, layers=2)
    for graph in (tuned(file, tensors), Tuned(file, tensors)):
        made = outputs(graph, words)
        cosine = (made * own).sum(axis=1) / np.linalg.norm(made, axis=1) / np.linalg.norm(own, axis=1)
        assert cosine.min() > 0.99


def test_what_is_added_to_a_layer_changes_what_comes_out(file: E5File) -> None:
    words = Embedding(file).of([0, 5, 6, 2])[None]
    tensors = own_weights(file, layers=2)
    before = outputs(tuned(file, tensors), words)
    tensors["l0.fo.up"] = np.full_like(tensors["l0.fo.up"], 0.05)
    assert np.abs(outputs(tuned(file, tensors), words) - before).max() > 0.01
