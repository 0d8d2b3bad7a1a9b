"""How an engine remembers, where that is compared: what it forgets by, what it recalls by, whether it concludes. The program has ORDINARY."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memory.forgetting_policies import KEEPSAKE, Policy
from memory.recipes import FUSED, Recipe
from personas.record import Character


@dataclass(frozen=True)
class Ways:
    forgetting: Policy | None = KEEPSAKE
    """None: nothing is ever forgotten, however much that is."""
    recipe: Recipe = FUSED
    """Of every recall that names no other: a question's, a reply's, and those whose ranks decide what is forgotten."""
    insights: Literal["on", "off"] = "on"


ORDINARY = Ways()


def seeing(character: Character, ways: Ways) -> Character:
    """A character with what it draws insights through, or, where none are to be drawn, without."""
    if ways.insights == "on":
        return character
    return replace(character, stances=(), persona=replace(character.persona, core_values=(), goals=(), dilemma=""))
