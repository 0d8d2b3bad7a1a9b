"""The torch embedders on tiny models: random weights, a vocabulary of a few words, the real libraries."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.embedder import Embedder, Vectors
from models.errors import EmbeddingFailed
from models.transformer_embedders import BgeM3Embedder, SentenceTransformerEmbedder, located
from tests.models.tiny import SIZE, checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("one") / "tiny", seed=1)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("two") / "tiny", seed=2)


@pytest.fixture(scope="module", params=[SentenceTransformerEmbedder, BgeM3Embedder])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def embedder(kind: Any, tiny: Path) -> Embedder:
    return kind(str(tiny), hub=False)


def is_unit(vectors: Vectors, count: int) -> bool:
    return vectors.shape == (count, SIZE) and vectors.dtype == np.float32 and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_texts_of_every_sort_have_unit_vectors(embedder: Embedder) -> None:
    texts = ["the keeper lit the lamp", "", "\x00\ud800", "好" * 9_000, "the " * 9_000, *[f"ship {n}" for n in range(70)]]
    assert embedder.dimension == SIZE
    assert is_unit(embedder.passages(texts), len(texts))
    assert is_unit(embedder.queries(texts), len(texts))
    assert embedder.passages([]).shape == (0, SIZE)


def test_a_batch_gives_what_single_texts_give_in_their_order(embedder: Embedder) -> None:
    texts = ["the keeper lit the lamp at dawn", "ship", "who came home", "a lamp"]
    alone = np.concatenate([embedder.passages([text]) for text in texts])
    np.testing.assert_allclose(embedder.passages(texts), alone, atol=1e-5)
    assert not np.allclose(alone[0], alone[1], atol=1e-4)


def test_threads_get_what_one_gets(embedder: Embedder) -> None:
    texts = [f"the ship {'came ' * n} home" for n in range(12)]
    expected = embedder.passages(texts)
    got: list[Vectors] = []
    threads = [threading.Thread(target=lambda: got.append(embedder.passages(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 4
    for vectors in got:
        np.testing.assert_allclose(vectors, expected, atol=1e-5)


def test_the_fingerprint_names_the_weights_and_not_their_place(
    kind: Any, embedder: Embedder, tiny: Path, other: Path, tmp_path: Path
) -> None:
    copied = shutil.copytree(tiny, tmp_path / "tiny")
    assert kind(str(copied), hub=False).fingerprint == embedder.fingerprint
    assert kind(str(other), hub=False).fingerprint != embedder.fingerprint
    assert embedder.fingerprint.endswith(f"/{SIZE}")
    assert str(tiny.parent) not in embedder.fingerprint


def test_the_two_libraries_never_share_a_fingerprint(tiny: Path) -> None:
    assert SentenceTransformerEmbedder(str(tiny), hub=False).fingerprint != BgeM3Embedder(str(tiny), hub=False).fingerprint


def test_an_e5_model_gets_its_prompts_and_others_none(tiny: Path, tmp_path: Path) -> None:
    plain = SentenceTransformerEmbedder(str(tiny), hub=False)
    e5 = SentenceTransformerEmbedder(str(shutil.copytree(tiny, tmp_path / "multilingual-e5-tiny")), hub=False)
    text = "the ship came home"
    np.testing.assert_allclose(e5.queries([text]), plain.queries([f"query: {text}"]), atol=1e-5)
    np.testing.assert_allclose(e5.passages([text]), plain.queries([f"passage: {text}"]), atol=1e-5)
    np.testing.assert_allclose(plain.queries([text]), plain.passages([text]), atol=1e-6)
    assert e5.fingerprint.rpartition("@")[2] != plain.fingerprint.rpartition("@")[2]


def test_prompts_that_a_model_brings_are_used(tiny: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = tmp_path / "prompted"
    SentenceTransformer(str(tiny), device="cpu", prompts={"query": "who ", "document": "a "}).save(str(folder))
    plain, prompted = SentenceTransformerEmbedder(str(tiny), hub=False), SentenceTransformerEmbedder(str(folder), hub=False)
    text = "lit the lamp"
    np.testing.assert_allclose(prompted.queries([text]), plain.queries([f"who {text}"]), atol=1e-5)
    np.testing.assert_allclose(prompted.passages([text]), plain.queries([f"a {text}"]), atol=1e-5)


def test_a_fault_of_torch_is_an_error_of_ours_and_ends(kind: Any, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FlagEmbedding's own `encode` would try for ever."""
    broken = kind(str(tiny), hub=False)

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(broken._model, "forward", fail)
    with pytest.raises(EmbeddingFailed, match="found by its words"):
        broken.passages(["the lamp", "the ship"])


def test_a_hub_name_without_the_hub_says_what_to_do(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbeddingFailed, match=r"not on this machine.*KEEPSAKE_HUB"):
        kind("intfloat/multilingual-e5-base", hub=False)


@pytest.mark.parametrize("name", ["/nowhere/model", "./model", "../../nowhere", "a/b/c", "", "~/no such folder"])
def test_what_is_neither_folder_nor_name_is_refused_even_with_the_hub(name: str) -> None:
    with pytest.raises(EmbeddingFailed, match="no folder"):
        located(name, hub=True)


def test_a_folder_without_a_model_is_refused(kind: Any, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match="could not be loaded"):
        kind(str(tmp_path), hub=False)
