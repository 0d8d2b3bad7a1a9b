"""Which memories a reply used: from the trailer that the model was asked to end with, else from the words themselves (RMM 6).

The trailer is `[[memories: 1, 3]]` or `[[memories: none]]`, by the numbers of the memory block; models write it with one bracket or three as well. It is
taken out while the reply streams, so that not even a part of it is seen. A trailer that is missing or malformed says nothing, and never that nothing was
used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from storage.terms import query_terms

OPENING = "[[memories:"
_OPENINGS = (OPENING, "[[memory:", "[[记忆:")
_SINGLE = tuple(opening[1:] for opening in _OPENINGS)
"""As some models write it; it is a trailer if it holds numbers or says that there are none, else words of the reply."""
_OPENERS, _CLOSERS = "[［【", "]］】"
"""Models that write Chinese take the wide ones."""
_OPEN = re.compile(f"[{re.escape(_OPENERS)}]")
_THREE = re.compile(rf"(?:\s*{_OPEN.pattern}){{3}}")
LONGEST = 160
"""Characters of a trailer; what is longer is none, and is shown as it came."""
_NONE = frozenset({"none", "no", "nothing", "-", "无", "没有", "0"})
_NUMBERS = re.compile(r"#?(\d{1,3})(?:[\s,;、，和&/]+(?:and\s+)?#?(\d{1,3}))*")
SHARED = 2
"""Terms of its own that a memory must share with a reply to be held for used."""
SHARE = 0.2
"""And the least part of its own terms that these are."""


@dataclass(frozen=True)
class Citations:
    """What a reply used of the memories in its prompt. by: `model` as it says itself, and none of them is then none; `words` by the words it shares with
    them, a guess; empty where it is not known."""

    by: str = ""
    memories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cited:
    """numbers: of the memory block, from 1; none of them where the model said that it used none."""

    numbers: frozenset[int]


class TrailerFilter:
    """Passes a reply on piece by piece without its trailer; holds back what may turn out to be the beginning of one."""

    def __init__(self) -> None:
        self.begin_anew()

    def begin_anew(self) -> None:
        """What was fed so far was none of the reply."""
        self._held = ""
        self._found: list[str] = []
        self._malformed = False
        self._closing = False
        """A trailer has just ended; brackets too many behind it belong to it."""

    def feed(self, piece: str) -> str:
        """What of the reply so far can be shown now."""
        self._held += piece
        shown = ""
        while self._held:
            if self._closing:
                self._held = self._held.lstrip(_CLOSERS)
                self._closing = not self._held
                continue
            bracket = _OPEN.search(self._held)
            if bracket is None:
                return shown + self._without_end_space()
            before, rest = self._held[: bracket.start()], self._held[bracket.start() :]
            if not _may_open(rest):
                shown += before + rest[0]
                self._held = rest[1:]
                continue
            if _spare(rest):
                shown += before + rest[0]
                self._held = rest[1:]
                continue
            end = _end_of(rest) if _opens(rest) else None
            if end is not None:
                self._found.append(rest[:end])
                shown += before.rstrip()
                self._held, self._closing = rest[end:], True
                continue
            if len(rest) > LONGEST + 2:
                self._malformed = True
                shown += before + rest[0]
                self._held = rest[1:]
                continue
            kept = before.rstrip()
            self._held = self._held[len(kept) :]
            return shown + kept
        return shown

    def _without_end_space(self) -> str:
        """All that is held but white space at the end: what stands before a trailer goes with it."""
        kept = self._held.rstrip()
        self._held = self._held[len(kept) :]
        return kept

    def end(self) -> str:
        """What is left to show when the reply is over. A trailer that was cut off is not."""
        left, self._held = self._held, ""
        bracket = _OPEN.search(left)
        start = bracket.start() if bracket is not None else -1
        if start >= 0 and _may_open(left[start:]) and _spare(left[start:], over=True):
            self._held = left[start + 1 :]
            return left[: start + 1] + self.feed("") + self.end()
        if start >= 0 and _may_open(left[start:]) and (_opens(left[start:]) or _bare(left[start:]).startswith("[[")):
            self._malformed = True
            return left[:start].rstrip()
        return left.rstrip()

    def cited(self, count: int) -> Cited | None:
        """What the trailers say of memories numbered 1 to `count`; None if there was none that can be read."""
        if not self._found or self._malformed:
            return None
        numbers: set[int] = set()
        for trailer in self._found:
            said = _said(trailer)
            if said.casefold() in _NONE:
                continue
            if not _NUMBERS.fullmatch(said):
                return None
            inside = {int(n) for n in re.findall(r"\d+", said) if 1 <= int(n) <= count}
            if not inside:
                return None
            numbers |= inside
        return Cited(frozenset(numbers))


def _bare(text: str) -> str:
    """As the openings are written: without case, white space, full-width marks and a third bracket."""
    bare = re.sub(r"\s+", "", text).casefold().translate(str.maketrans("：［【", ":[["))
    return bare[1:] if bare.startswith("[[[") else bare


def _opens(text: str) -> bool:
    return _bare(text).startswith((*_OPENINGS, *_SINGLE))


def _may_open(text: str) -> bool:
    """Whether a text that begins with a bracket opens a trailer, or may when more of it has come."""
    bare = _bare(text)
    if bare.startswith(_OPENINGS):
        return True
    if bare.startswith(_SINGLE):
        end = _end_of(text)
        return _may_say_which(_said(text if end is None else text[:end]))
    return any(opening.startswith(bare) for opening in (*_OPENINGS, *_SINGLE))


def _end_of(text: str) -> int | None:
    """Where a trailer that a text begins with is over: where as many brackets are closed as were opened. None where that has not come, or too late."""
    depth = 0
    for place, character in enumerate(text[: LONGEST + 2], start=1):
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if depth == 0:
            return place
    return None


def _spare(text: str, *, over: bool = False) -> bool:
    """Whether the first of three brackets is the reply's own: only two of them are closed. over: nothing more comes."""
    leading = _THREE.match(text)
    depth = 3
    for place in range(leading.end() if leading is not None else len(text), min(len(text), LONGEST + 2)):
        depth += (text[place] in _OPENERS) - (text[place] in _CLOSERS)
        if depth == 1:
            return over if place + 1 == len(text) else text[place + 1] not in _CLOSERS
    return False


def _said(trailer: str) -> str:
    """What a trailer says, without its brackets and those around single numbers."""
    said = re.split("[:：]", trailer, maxsplit=1)[1]
    return "".join(" " if c in _OPENERS or c in _CLOSERS else c for c in said).strip().strip(".。").strip()


def _may_say_which(said: str) -> bool:
    """Whether this is a list of numbers or says that there are none, or may become that."""
    letters = "".join(c for c in said.casefold() if c.isalpha())
    return (
        any(word.startswith(letters) for word in _NONE) or letters in ("a", "an", "and") or not letters.replace("and", "").replace("和", "")
    )


def attributed(reply: str, *, cue: str, memories: Sequence[str], known: Collection[str] = ()) -> frozenset[int]:
    """Places of the memories that a reply seems to have used: it shares words with them that neither the cue nor `known` (the card, other recent words)
    brought up, and that at most one other memory has. Marked as such wherever it is shown, for it is a guess."""
    said = set(query_terms(reply)) - set(query_terms(cue)) - set(known)
    terms = [set(query_terms(memory)) for memory in memories]
    found = set()
    for place, own in enumerate(terms):
        shared = {t for t in own & said if sum(t in other for other in terms) <= 2}
        if len(shared) >= SHARED and len(shared) >= SHARE * min(len(own), 12):
            found.add(place)
    return frozenset(found)


def citations_of(
    reply: str, *, trailer: TrailerFilter | None, block: Sequence[tuple[str, str]], cue: str, around: Iterable[str], whole: bool
) -> Citations:
    """What a reply says that it used, else what its words say. block: id and text of the memories, as they are numbered; around: what else the prompt said;
    whole: whether the reply came to its end: what a broken one did not use it might have."""
    cited = trailer.cited(len(block)) if trailer is not None and block else None
    if cited is not None:
        return Citations("model", tuple(memory_id for n, (memory_id, _) in enumerate(block, start=1) if n in cited.numbers))
    if not block or not whole:
        return Citations()
    known = {term for text in around for term in query_terms(text)}
    used = attributed(reply, cue=cue, memories=[text for _, text in block], known=known)
    return Citations("words", tuple(block[place][0] for place in sorted(used))) if used else Citations()
