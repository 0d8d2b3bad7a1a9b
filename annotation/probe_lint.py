"""What is wrong with a regular probe, as far as a rule can tell, and with a set of them. Pure.

A **fault** keeps a probe from being handed in; everything else is a remark, shown to the author and to the reviewer, who know better than a rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.matching import likeness
from evaluation.measures import Interval, proportion_interval
from storage.annotation_records import Turn
from storage.annotation_regular_records import OPTIONS, Regular, RegularReview, spread
from storage.terms import query_terms

NEAR = 0.8
"""Dice's coefficient over pairs of letters from which two options say the same: “By ferry, no longer by tram” and “By ferry, not by tram any longer” reach .83."""
LONGER = 1.4
"""How many times as long as every other option one sticks out."""
CHANCE = 1 / OPTIONS
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_MEANT = "-#%&@*/+"
_CATCH_ALL = re.compile(
    r"\b(all|none|both|neither) of (the|these|them|those)\b|以上(各项|选项)?[都皆全均]|(?:全部?|上面)(?:都|均)(?:对|是|不)|都(?:不)?(?:对|是)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Remark:
    """code: of a sentence of the page. options: places among the kept options, 0 the right one. words: what it is about; turn: the message, 0 for none."""

    code: str
    options: tuple[int, ...] = ()
    words: str = ""
    turn: int = 0
    fault: bool = False


@dataclass(frozen=True)
class SetView:
    """A set of probes as a whole: how often the right option is the longest, the shortest, and shown at each place. Intervals: Wilson's."""

    n: int
    longest: Interval
    shortest: Interval
    places: tuple[int, ...]
    people: Interval | None
    """How often reviewers chose the right option before it was shown to them; None where nobody did."""
    verdicts: Mapping[str, int]

    @property
    def biased(self) -> tuple[str, ...]:
        """Which of the two are more frequent than chance would make them."""
        return tuple(name for name, found in (("longest", self.longest), ("shortest", self.shortest)) if found.low > CHANCE)


def lint(language: str, line: str, options: Sequence[str], turns: Iterable[Turn]) -> list[Remark]:
    """Remarks on a probe as it is written, faults first. options: the right one first; what is missing is an empty string."""
    found: list[Remark] = []
    if not language:
        found.append(Remark("language_missing", fault=True))
    if not line.strip():
        found.append(Remark("line_missing", fault=True))
    if empty := tuple(n for n in range(OPTIONS) if n >= len(options) or not options[n].strip()):
        found.append(Remark("option_missing", empty, fault=True))
    there = [(n, option) for n, option in enumerate(options) if option.strip()]
    for (i, one), (j, other) in combinations(there, 2):
        if _same(one) == _same(other):
            found.append(Remark("same", (i, j), fault=True))
        elif likeness(one, other) >= NEAR:
            found.append(Remark("alike", (i, j)))
    found += _given_away(language, line, options)
    found += _lengths(options)
    found += [Remark("catch_all", (n,)) for n, option in there if _CATCH_ALL.search(option)]
    if language:
        strange = tuple(n for n, option in there if _tongue(option) not in ("", language))
        if strange:
            found.append(Remark("language_other", strange))
        if line.strip() and _tongue(line) not in ("", language):
            found.append(Remark("line_language"))
    found += _verbatim(there, turns)
    return found


def together(probes: Sequence[Regular], reviews: Sequence[RegularReview] = ()) -> SetView | None:
    """None where there are none. reviews: of all that were decided about, also of those that were rejected."""
    if not probes:
        return None
    lengths = [[len(option) for option in one.options] for one in probes]
    longest = sum(own > max(rest) for own, *rest in lengths)
    shortest = sum(own < min(rest) for own, *rest in lengths)
    n = len(probes)
    people = proportion_interval(sum(one.choice == 0 for one in reviews), len(reviews)) if reviews else None
    verdicts = dict(Counter(one.verdict for one in reviews if one.verdict))
    return SetView(n, proportion_interval(longest, n), proportion_interval(shortest, n), spread(probes), people, verdicts)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _same(text: str) -> str:
    """What two options are compared by: signs that carry meaning stay, as in −5 and 5, C and C++."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(c if c in _MEANT or unicodedata.category(c)[0] not in "PZ" else " " for c in plain)
    return " ".join(kept.split())


def _tongue(text: str) -> str:
    """`zh`, `en`, or nothing where there are no letters to tell by: a name may be of any language, so one word of Latin letters is nothing either."""
    signs, words = len(_CJK.findall(text)), len(re.findall(r"[A-Za-z]{2,}", text))
    if signs:
        return "zh" if signs >= words else "en"
    return "en" if words > 2 else ""


def _given_away(language: str, line: str, options: Sequence[str]) -> list[Remark]:
    if len(options) < OPTIONS or not options[0].strip():
        return []
    right, *wrong = options
    asked = query_terms(line)
    elsewhere = {term for option in wrong for term in query_terms(option)}
    shared = [term for term in asked if term in set(query_terms(right)) - elsewhere]
    if shared:
        return [Remark("given_words", (0,), " ".join(shared))]
    least = 3 if language == "zh" else 6
    mine = _shared_run(_plain(line), _plain(right))
    if len(mine) >= least and all(len(_shared_run(_plain(line), _plain(option))) < least for option in wrong):
        return [Remark("given_run", (0,), mine)]
    return []


def _shared_run(one: str, other: str) -> str:
    """The longest run of letters that stands in both."""
    best, before = "", [0] * (len(other) + 1)
    for i, letter in enumerate(one, 1):
        row = [0] * (len(other) + 1)
        for j, against in enumerate(other, 1):
            if letter == against:
                row[j] = before[j - 1] + 1
                if row[j] > len(best):
                    best = one[i - row[j] : i]
        before = row
    return best.strip()


def _lengths(options: Sequence[str]) -> list[Remark]:
    sizes = [len(option.strip()) for option in options]
    if len(sizes) < OPTIONS or not all(sizes):
        return []
    own, *rest = sizes
    if own >= LONGER * max(rest):
        return [Remark("key_longest", (0,))]
    if own * LONGER <= min(rest):
        return [Remark("key_shortest", (0,))]
    return []


def _verbatim(options: Sequence[tuple[int, str]], turns: Iterable[Turn]) -> list[Remark]:
    """Options with a long run of the dialogue's own words: whoever has those words before them recognises, and need not remember."""
    texts = [(turn.number, _plain(turn.text)) for turn in turns]
    found = []
    for place, option in options:
        plain = _plain(option)
        run = 10 if _CJK.search(plain) else 25
        pieces = {plain[at : at + run] for at in range(len(plain) - run + 1)}
        if len(plain) >= run // 2 and (_CJK.search(plain) or plain.count(" ") >= 2):
            pieces.add(plain)
        for number, text in texts:
            if any(piece in text for piece in pieces):
                found.append(Remark("verbatim", (place,), turn=number))
                break
    return found
