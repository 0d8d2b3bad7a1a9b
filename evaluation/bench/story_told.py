"""What the player of the story machine says, and what they should see: a plain model of the conversation."""

from __future__ import annotations

from dataclasses import dataclass, field

SAID = (
    "My name is Mara and I live in Porto.",
    "I am allergic to walnuts.",
    "I have a grey cat called Biscuit.",
    "My sister Ida is a nurse in Leith.",
    "Yesterday I bought a brass compass in Braga.",
    "I can't stand being late.",
    "I take a picture of every bill.",
    "I make a packing list a week before every trip.",
    "A carpenter.",
    "Yes.",
    "我叫林小雨，我住在杭州。",
    "我对花生过敏。",
    "Good evening to you.",
    "Well, not any more.",
    "I have no cat. I made that up.",
    "那是骗你的。",
    "I love kittens.",
    "I hate cats.",
    "I turned thirty-six yesterday.",
    "Sorry, I meant thirty-eight.",
    "I'm going to sail to Heron Island next week.",
    "The trip is off.",
    "不对，我住在苏州。",
)
REPLIES = (
    "Noted, and kept.",
    "What do you do for a living?",
    "Do you have a dog?",
    "The kettle is on. My gander sleeps by the stove.",
    "你喜欢喝茶吗？",
)


@dataclass
class Shown:
    """One branch, as the player should see it: (message id, variants, which, hidden) in order; deleted ones are gone."""

    ids: list[str] = field(default_factory=list)
    which: dict[str, int] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    """Messages with whose round the player closed a chapter."""

    def copy(self, upto: str | None = None) -> Shown:
        ids = list(self.ids) if upto is None else self.ids[: self.ids.index(upto) + 1]
        return Shown(ids, dict(self.which), set(self.hidden), set(self.ends))


@dataclass(frozen=True)
class State:
    """What undo brings back."""

    branches: dict[str, Shown]
    active: str
    preset: str
    player: str = ""
