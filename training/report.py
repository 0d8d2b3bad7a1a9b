"""How well the reader reads examples it has not learned from, as it runs: what `python -m memory.reading` would keep of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from memory.persona_keys import KEYS
from memory.reading.inputs import RELATIONS
from memory.reading.network import Network
from memory.reading.reader import KEEP, Noted, read

NOT_MEANT = frozenset("joke irony hypothesis dream song read quoted lie game figure".split())


@dataclass
class Tally:
    """Counts over some examples."""

    worth: list[tuple[bool, bool]] = field(default_factory=list)
    """(is worth a memory, something was kept) of each message."""
    covered: list[bool] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    about: list[bool] = field(default_factory=list)
    about_class: list[bool] = field(default_factory=list)
    kept_not: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    persona_right: list[bool] = field(default_factory=list)
    persona_found: list[bool] = field(default_factory=list)

    def figures(self) -> dict[str, tuple[float, int]]:
        """name → (rate, n)."""
        kept, worth = [w for w, k in self.worth if k], [k for w, k in self.worth if w]
        p, r = _rate(kept)[0], _rate(worth)[0]
        never = [k for why, ks in self.kept_not.items() if why in NOT_MEANT for k in ks]
        return {
            "messages P": _rate(kept), "messages R": _rate(worth), "messages F1": (2 * p * r / (p + r) if p + r else 0.0, len(self.worth)),
            "facts covered": _rate(self.covered), "memories right": _rate(self.right), "about right": _rate(self.about), "about (class)": _rate(self.about_class),
            "not meant, kept": _rate(never), **{f"kept {why}": _rate(ks) for why, ks in sorted(self.kept_not.items())},
            "persona P": _rate(self.persona_right), "persona R": _rate(self.persona_found),
        }  # fmt: skip


def _rate(values: Sequence[bool]) -> tuple[float, int]:
    return (float(np.mean(values)) if values else 0.0), len(values)


def tally(examples: Iterable[dict[str, Any]], network: Network, *, keep: float = KEEP) -> Tally:
    """Read examples and count."""
    out = Tally()
    for raw in examples:
        before = raw["before"][-1] if raw["before"] else None
        noted = read(raw["message"], speaker=raw["speaker"], before=before, by=network, keep=keep)
        count(out, raw, noted)
    return out


def count(out: Tally, raw: dict[str, Any], noted: Sequence[Noted]) -> None:
    """Count what was kept of one example."""
    message, speaker = raw["message"], raw["speaker"]
    spans = [_span(message, f["words"]) for f in raw["facts"]]
    stretches = {(n.start, n.end): n for n in reversed(noted)}
    out.worth.append((bool(spans), bool(noted)))
    out.covered += [any(_meet(s, n) for n in stretches) for s in spans]
    for place, note in stretches.items():
        met = [f for f, s in zip(raw["facts"], spans, strict=True) if _meet(s, place)]
        out.right.append(bool(met))
        if met:
            abouts = {n.about for n in noted if (n.start, n.end) == place}
            out.about.append(any(_same_person(f["about"], a) for f in met for a in abouts))
            out.about_class.append(any((f["about"] == speaker) == (note.about == speaker) for f in met))
    for words, why in raw["not"]:
        place = _span(message, words)
        if not any(_meet(s, place) for s in spans):
            out.kept_not[why.split(":")[0]].append(any(_meet(place, n) for n in stretches))
    gold = [(f["key"], f["value"]) for f in raw["facts"] if f["key"] in KEYS and f["about"] == speaker]
    given = [(n.key, n.value) for n in noted if n.key in KEYS]
    out.persona_right += [any(k == g and _alike(v, w) for g, w in gold) for k, v in given]
    out.persona_found += [any(k == g and _alike(v, w) for k, v in given) for g, w in gold]


def _span(message: str, words: str) -> tuple[int, int]:
    at = message.find(words)
    return at, at + len(words)


def _meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two stretches share half of the shorter."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return shared > 0 and shared >= min(a[1] - a[0], b[1] - b[0]) / 2


def _same_person(gold: str, said: str) -> bool:
    return gold == said or (bool(said) and (said.casefold() in gold.casefold() or gold.casefold() in said.casefold()))


def _alike(said: str, gold: str) -> bool:
    """Whether a value says what the annotated one says: half of the words (signs) of either stand in the other."""
    a, b = (set(re.findall(r"[\u3040-\u9fff\uac00-\ud7af]|[^\W_]+", text.casefold())) for text in (said, gold))
    return bool(a and b) and 2 * len(a & b) >= min(len(a), len(b)) and len(a & b) >= 0.34 * max(len(a), len(b))


def relations(pairs: Iterable[dict[str, Any]], network: Network) -> dict[str, tuple[float, int]]:
    """Accuracy over pairs, and precision and recall of each relation."""
    told: list[tuple[str, str]] = []
    for raw in pairs:
        sides = [(raw[s]["before"][-1][1] if raw[s]["before"] else "", raw[s]["words"]) for s in ("old", "new")]
        told.append((raw["relation"], RELATIONS[int(network.relation(sides[0], sides[1]).argmax())]))
    out = {"pairs right": _rate([g == p for g, p in told])}
    for name in RELATIONS:
        out[f"{name} P"] = _rate([g == name for g, p in told if p == name])
        out[f"{name} R"] = _rate([p == name for g, p in told if g == name])
    return out
