"""What of labelled facts finds its stance: `python -m tests.memory.stance_table` prints it for each set and character.

Sets: `fresh` was written before rule and cues; of it only the everyday facts were looked at for the thresholds of `memory.insights`. `apart` has everyday
facts alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from memory.everyday import everyday
from memory.insights import EARLY, Lens, Match, Vectors, cue_texts, cue_vectors, matches, needed
from memory.persona import PLAYER
from memory.standing import made
from models.embedder import Embedder, bundled_embedder
from personas.cast import built_in
from personas.record import Character, fill
from storage.records import sha256

HERE = Path(__file__).parent
SETS = ("apart", "fresh")


@dataclass(frozen=True)
class Tally:
    """Counts over facts: of this character's stances, of no stance at all, and of the other character's."""

    right: int
    belonging: int
    wrong: int
    """Facts that match a stance they do not belong to."""
    pairs: int
    """Pairs of a fact and a stance that do not belong together."""
    everyday_matched: int
    everyday: int
    called_up: int
    """Stances that two facts call up, if all that belong are told."""
    stances: int
    reworded: int = 0
    """Of the right ones, those that tell what a cue tells in other words; the rest tell something else that belongs to the stance."""
    reworded_of: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def cast(language: str) -> list[Character]:
    return [c for c in built_in() if c.language == language]


@cache
def _lens(character_id: str, embedder: Embedder, player: str) -> Lens:
    character = next(c for c in built_in() if c.id == character_id)
    places, texts = cue_texts(character, player=player)
    background = _standing(embedder, everyday(character.language, player=player))
    vectors = cue_vectors(_standing(embedder, texts), _standing(embedder, texts, queries=True))
    return Lens(character, character.language, places, vectors, background)


def lens_of(character: Character, embedder: Embedder, *, player: str) -> Lens:
    """Of one of the cast."""
    return _lens(character.id, embedder, player)


def _standing(embedder: Embedder, texts: Sequence[str], *, queries: bool = False) -> Vectors:
    """Vectors that are there already are not made again (tests/memory/test_standing.py says that they are right)."""
    found = made(embedder.fingerprint, "query" if queries else "passage", [sha256(text) for text in texts])
    missing = [text for text in texts if sha256(text) not in found]
    found |= zip(map(sha256, missing), (embedder.queries if queries else embedder.passages)(missing), strict=True)
    return np.stack([found[sha256(text)] for text in texts])


def sentence(text: str, *, player: str) -> str:
    """As facts are stored: the name filled in, a capital, a full stop."""
    told = fill(text, user=player, char="")
    return told[:1].upper() + told[1:] + ("" if told[-1] in ".。" else "。" if player == PLAYER["zh"] else ".")


@cache
def labelled(name: str) -> dict[str, list[dict[str, Any]]]:
    """By language: fact, character and stance_index (both null: of no stance); `unjudged`: characters to whose stances it may belong as well."""
    read: dict[str, list[dict[str, Any]]] = json.loads((HERE / f"stance_pairs_{name}.json").read_text(encoding="utf-8"))
    return read


def tally(pairs: Sequence[dict[str, Any]], facts: Vectors, lens: Lens) -> Tally:
    """facts: vectors [n, d] of the pairs' facts."""
    stances = len(lens.character.stances)
    counts = dict.fromkeys(Tally.__dataclass_fields__, 0)
    speaking: dict[int, list[Match]] = {}
    for pair, found in zip(pairs, matches(facts, lens), strict=True):
        if lens.character.id in pair.get("unjudged", ()):
            continue
        mine = pair["character"] == lens.character.id
        right = [m for m in found if mine and m.stance == pair["stance_index"]]
        counts["belonging"] += mine
        counts["right"] += len(right)
        counts["wrong"] += len(found) - len(right)
        counts["pairs"] += stances - mine
        counts["everyday"] += pair["character"] is None
        counts["everyday_matched"] += pair["character"] is None and bool(found)
        counts["reworded_of"] += mine and pair.get("reworded", False)
        counts["reworded"] += len(right) * pair.get("reworded", False)
        if mine:
            speaking.setdefault(pair["stance_index"], []).extend(right)
    counts["called_up"], counts["stances"] = (
        sum(_called_up([(EARLY, m) for m in found], lens.language) for found in speaking.values()),
        len(speaking),
    )
    return Tally(**counts)


def _called_up(speaking: Sequence[tuple[int, Match]], language: str) -> bool:
    """Whether two of them, each of a round of its own, call their stance up. speaking: (round, match), oldest first."""
    return any(a.cue != b.cue and a.score + b.score >= needed(later, language=language) for (_, a), (later, b) in combinations(speaking, 2))


@cache
def measure(name: str, embedder: Embedder) -> dict[str, Tally]:
    """By character's id."""
    made: dict[str, Tally] = {}
    for language, pairs in labelled(name).items():
        facts = embedder.passages([sentence(pair["fact"], player=PLAYER[language]) for pair in pairs])
        for character in cast(language):
            made[character.id] = tally(pairs, facts, lens_of(character, embedder, player=PLAYER[language]))
    return made


@cache
def _everyday(language: str, embedder: Embedder) -> Vectors:
    texts = [sentence(p["fact"], player=PLAYER[language]) for name in SETS for p in labelled(name)[language] if p["character"] is None]
    return embedder.passages(texts)


def false_insights(language: str, embedder: Embedder, *, size: int = 100, chats: int = 300) -> float:
    """Insights that a chat of so many everyday facts calls up, on average over chats drawn from both sets and over characters. Seeded."""
    facts = _everyday(language, embedder)
    seen: list[int] = []
    for character in cast(language):
        found = matches(facts, lens_of(character, embedder, player=PLAYER[language]))
        rng = np.random.default_rng(3)
        for _ in range(chats):
            speaking: dict[int, list[tuple[int, Match]]] = {}
            for number, at in enumerate(rng.choice(len(facts), size, replace=False), start=1):
                for match in found[at]:
                    speaking.setdefault(match.stance, []).append((number, match))
            seen.append(sum(_called_up(those, language) for those in speaking.values()))
    return float(np.mean(seen))


def main() -> None:
    embedder = bundled_embedder()
    for name in ("fresh",):
        for character, t in measure(name, embedder).items():
            print(
                f"{name:5} {character.removeprefix('builtin:'):14} found {t.right:2}/{t.belonging} (reworded {t.reworded}/{t.reworded_of}) "
                f"| wrong pairs {t.wrong:2}/{t.pairs} = {t.wrong / t.pairs:.4f} | everyday facts matched {t.everyday_matched:2}/{t.everyday} "
                f"| stances called up by their facts {t.called_up}/{t.stances}"
            )
    for language in PLAYER:
        print(f"{language}: insights that 100 everyday facts call up {false_insights(language, embedder):.2f}")


if __name__ == "__main__":
    main()
