"""Attacks on memory and on prompts (`attacks.jsonl`), and how what came of them is looked at.

Each line has `place` (who or what says it: player, reply, card, name, memory, model, import), `kind`, `language` and `text`, which stands `times` over.
`never`: words of it that nobody said in their own name, so that no fact and no value may hold them.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

PLAYER = {"en": "Mara", "zh": "小满"}
CHARACTER = {"en": "Nell Garrow", "zh": "林晚"}
CALLED = {"Mara": ("mara",), "小满": ("小满",), "Nell Garrow": ("nell garrow", "nell"), "林晚": ("林晚",)}


@dataclass(frozen=True)
class Attack:
    id: str
    language: str
    place: str
    kind: str
    text: str = ""
    times: int = 1
    never: tuple[str, ...] = ()
    more: dict[str, object] = field(default_factory=dict)

    @property
    def words(self) -> str:
        return self.text * self.times

    @property
    def player(self) -> str:
        return PLAYER[self.language]

    @property
    def character(self) -> str:
        return CHARACTER[self.language]


def attacks(*places: str, language: str = "") -> list[Attack]:
    found = []
    for line in (Path(__file__).parent / "attacks.jsonl").read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        known = {name: fields.pop(name) for name in list(fields) if name in Attack.__dataclass_fields__}
        known["never"] = tuple(known.get("never", ()))
        attack = Attack(**known, more=fields)
        if (not places or attack.place in places) and language in ("", attack.language):
            found.append(attack)
    return found


def shown(text: str) -> str:
    """A text without what is not seen, in lower case, wide letters as narrow ones."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c)[0] != "C" or c == "\n").casefold()


def tells_of(text: str, other: str, *, own: str) -> bool:
    """Whether a sentence names the other before anybody else: then it is a statement about them."""

    def first(name: str) -> int:
        places = [shown(text).find(called) for called in CALLED[name]]
        return min((p for p in places if p >= 0), default=-1)

    theirs, mine = first(other), first(own)
    return theirs >= 0 and (mine < 0 or theirs < mine)
