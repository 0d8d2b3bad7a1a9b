"""The cross-encoder on a tiny model: random weights, a vocabulary of a few words, the real library."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from models.cross_encoder import BATCH, BgeReranker, Scores
from models.errors import CrossEncoderFailed
from tests.models.tiny import checkpoint, cross_checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cross_checkpoint(tmp_path_factory.mktemp("cross") / "tiny-reranker")


@pytest.fixture(scope="module")
def reranker(tiny: Path) -> BgeReranker:
    return BgeReranker(str(tiny), hub=False)


def scored(reranker: BgeReranker, question: str, texts: list[str]) -> Scores:
    scores = reranker.scores(question, texts)
    assert scores is not None
    return scores


def test_texts_of_every_sort_have_a_score(reranker: BgeReranker) -> None:
    texts = ["the keeper lit the lamp", "", "\x00\ud800", "好" * 9_000, "the " * 9_000, *[f"ship {n}" for n in range(2 * BATCH)]]
    scores = scored(reranker, "who lit the lamp", texts)
    assert scores.shape == (len(texts),)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scored(reranker, "who " * 5_000, ["the lamp"]).shape == (1,)
    assert scored(reranker, "who", []).shape == (0,)
    assert reranker.name == "tiny-reranker"


def test_a_batch_gives_what_single_texts_give_in_their_order(reranker: BgeReranker) -> None:
    texts = ["the keeper lit the lamp at dawn", "ship", "who came home", "a lamp"] * 5
    alone = np.concatenate([scored(reranker, "when did the ship came", [text]) for text in texts])
    np.testing.assert_allclose(scored(reranker, "when did the ship came", texts), alone, atol=1e-5)
    assert len({round(score, 6) for score in alone}) == 4


def test_threads_get_what_one_gets(reranker: BgeReranker) -> None:
    texts = [f"the ship {'came ' * n} home" for n in range(12)]
    expected = scored(reranker, "who came home", texts)
    got: list[Scores] = []
    threads = [threading.Thread(target=lambda: got.append(scored(reranker, "who came home", texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 4
    for scores in got:
        np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_between_batches_it_can_be_given_up(reranker: BgeReranker) -> None:
    asked: list[int] = []

    def may_go_on() -> bool:
        asked.append(1)
        return len(asked) < 3

    assert reranker.scores("who", ["ship"] * (9 * BATCH), may_go_on=may_go_on) is None
    assert len(asked) == 3


def test_what_is_missing_broken_or_no_cross_encoder_is_refused_in_words(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(CrossEncoderFailed, match="not on this machine"):
        BgeReranker("example/none-such", hub=False)
    with pytest.raises(CrossEncoderFailed, match="not on this machine"):
        BgeReranker(str(tmp_path / "nowhere"), hub=False)
    broken = shutil.copytree(tiny, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"\x00" * 64)
    with pytest.raises(CrossEncoderFailed, match="could not be loaded"):
        BgeReranker(str(broken), hub=False)
    with pytest.raises(CrossEncoderFailed, match="no cross-encoder"):
        BgeReranker(str(checkpoint(tmp_path / "encoder", seed=1)), hub=False)
    with pytest.raises(CrossEncoderFailed, match="no cross-encoder"):
        BgeReranker(str(cross_checkpoint(tmp_path / "classes", labels=3)), hub=False)
