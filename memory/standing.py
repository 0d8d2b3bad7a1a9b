"""Vectors of what nobody says in a chat: the cues of our own characters and everyday facts, for a player without a name, the pairs that tastes are measured by and
the questions that questions are.

They are the same everywhere, and some three thousand, so they come with the program, made by the bundled embedder; with another one, and for other characters,
they are embedded when they are needed first. `python -m memory.standing` makes the file anew after a text has changed; a test says when that was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory import matters, tastes
from memory.everyday import everyday
from memory.insights import cue_texts, spoken
from memory.persona import PLAYER
from personas.cast import built_in
from storage.records import sha256

Vector = NDArray[np.float32]
_FILE = Path(__file__).with_suffix(".npz")


def texts() -> dict[str, tuple[str, ...]]:
    """What stands, by the role it is embedded in: cues in both, questions as queries, all else as passages."""
    cues = [text for character in built_in() for text in cue_texts(character, player=PLAYER[spoken(character)])[1]]
    facts = [text for language, player in PLAYER.items() for text in everyday(language, player=player)]
    return {
        "passage": tuple(dict.fromkeys([*cues, *facts, *tastes.standing_texts()])),
        "query": tuple(dict.fromkeys([*cues, *matters.standing_texts()])),
    }


def made(fingerprint: str, role: str, hashes: Iterable[str]) -> dict[str, Vector]:
    """Of texts, by their hash, the vectors [d] that came with the program; none for another embedder."""
    if fingerprint != _fingerprint():
        return {}
    kept = _kept()
    return {key: kept[role, key] for key in hashes if (role, key) in kept}


@cache
def _fingerprint() -> str:
    with np.load(_FILE) as file:
        return str(file["fingerprint"])


@cache
def _kept() -> Mapping[tuple[str, str], Vector]:
    with np.load(_FILE) as file:
        return {
            (str(role), str(key)): vector.astype(np.float32)
            for role, key, vector in zip(file["roles"], file["keys"], file["vectors"], strict=True)
        }


def _make() -> None:
    from models.embedder import bundled_embedder

    embedder = bundled_embedder()
    rows = [(role, text) for role, told in texts().items() for text in told]
    vectors = [(embedder.queries if role == "query" else embedder.passages)([text])[0] for role, text in rows]
    # Half the digits suffice: what is compared are differences of cosines of a hundredth.
    np.savez_compressed(
        _FILE,
        fingerprint=np.array(embedder.fingerprint),
        roles=np.array([role for role, _ in rows]),
        keys=np.array([sha256(text) for _, text in rows]),
        vectors=np.stack(vectors).astype(np.float16),
    )


if __name__ == "__main__":
    from settings import Settings, quiet_libraries

    quiet_libraries(Settings())
    _make()
