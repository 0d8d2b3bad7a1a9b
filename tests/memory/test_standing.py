"""The vectors that come with the program are those of its texts."""

from __future__ import annotations

import random

import numpy as np

from memory.standing import made, texts
from models.embedder import bundled_embedder
from storage.records import sha256


def test_every_text_of_the_cast_has_the_vector_that_the_embedder_gives_it() -> None:
    embedder = bundled_embedder()
    for role, told in texts().items():
        kept = made(embedder.fingerprint, role, map(sha256, told))
        assert len(kept) == len(told), "run `python -m memory.standing`"
        some = random.Random(7).sample(told, 12)
        given = np.stack([(embedder.queries if role == "query" else embedder.passages)([text])[0] for text in some])
        # By their cosine: processors multiply and round differently (`models.e5_graph`: .9983 at least in 1,500 texts); another text is tenths away.
        assert (np.einsum("nd,nd->n", np.stack([kept[sha256(text)] for text in some]), given) > 0.998).all()


def test_another_embedder_takes_none_of_them() -> None:
    told = texts()["query"]
    assert made("another/384", "query", map(sha256, told)) == {}
    assert made("another/384", "query", [sha256("not one of them")]) == {}
