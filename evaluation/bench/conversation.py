"""Conversations made by rule, for benches and tests: any length, the same for the same seed, no two rounds alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

_PEOPLE = (
    "my sister",
    "the ferryman",
    "old Tomas",
    "our neighbour",
    "the schoolteacher",
    "my cousin",
    "the night porter",
    "a travelling tailor",
)
_DID = ("lost", "mended", "hid", "sold", "painted", "borrowed", "buried", "found", "gave away", "carved")
_THINGS = (
    "a brass compass",
    "the green boat",
    "three jars of honey",
    "a letter without a stamp",
    "the chapel key",
    "a grey kitten",
    "a map of the marsh",
    "the winter coat",
)
_PLACES = (
    "behind the mill",
    "under the bridge",
    "in the attic",
    "at the harbour",
    "by the well",
    "on the north road",
    "in the orchard",
    "near the bakery",
)
_WHEN = ("before the rain came", "on a Tuesday", "while the bells rang", "after the fair", "as the tide went out", "early in the morning")
_REPLIES = (
    "I will remember that.",
    "Tell me what happened next.",
    "That sounds like the sort of thing this town keeps quiet.",
    "And nobody noticed?",
    "You should write that down.",
)


@dataclass(frozen=True)
class Round:
    user: str
    reply: str
    said_at: datetime


def made_rounds(count: int, *, seed: int = 0, start: datetime) -> Iterator[Round]:
    """`count` rounds of a village story, three minutes apart, about as long as people write (user 25 words, reply 20)."""
    rng = random.Random(seed)
    for number in range(count):
        happened = f"{rng.choice(_PEOPLE)} {rng.choice(_DID)} {rng.choice(_THINGS)} {rng.choice(_PLACES)} {rng.choice(_WHEN)}"
        user = f"Today I heard that {happened}, and I counted {number * 7 + 3} steps from there to the gate. What do you make of it?"
        reply = f"{rng.choice(_REPLIES)} {rng.choice(_PEOPLE).capitalize()} once {rng.choice(_DID)} something {rng.choice(_PLACES)}; that was {number + 2} summers ago."
        yield Round(user, reply, start + timedelta(minutes=3 * number))
