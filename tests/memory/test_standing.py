"""The vectors that come with the program are those of its texts."""

from __future__ import annotations

import random

import numpy as np

from memory.standing import made, texts
from models.e5_encoder import E5Encoder
from models.e5_file import E5File
from models.e5_graph import FourBits
from models.embedder import bundled_embedder
from storage.records import sha256
from tests.models.test_e5_encoder import weights


def test_every_text_of_the_cast_has_the_vector_that_the_embedder_gives_it() -> None:
    """By their cosine: processors round differently, by a few thousandths in a coordinate; another text is tenths away. They were made in four-bit blocks, and
    where the processor multiplies bytes those are a little farther (`models.e5_graph`)."""
    embedder = bundled_embedder()
    blocks = E5Encoder(E5File.read(weights()), FourBits)
    for role, told in texts().items():
        kept = made(embedder.fingerprint, role, map(sha256, told))
        assert len(kept) == len(told), "run `python -m memory.standing`"
        some = random.Random(7).sample(told, 12)
        there = np.stack([kept[sha256(text)] for text in some])
        alike = np.concatenate([blocks.encode([text], is_query=role == "query") for text in some])
        assert (np.einsum("nd,nd->n", there, alike) > 0.999).all()
        given = np.stack([(embedder.queries if role == "query" else embedder.passages)([text])[0] for text in some])
        assert (np.einsum("nd,nd->n", there, given) > 0.998).all()


def test_another_embedder_takes_none_of_them() -> None:
    told = texts()["query"]
    assert made("another/384", "query", map(sha256, told)) == {}
    assert made("another/384", "query", [sha256("not one of them")]) == {}
