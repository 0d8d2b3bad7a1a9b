"""What says nothing new: a reply that says an earlier one over again, or reads out lines of memory. Words and characters alone decide, in any language.

A reply is laid beside each of the last ones of its speaker, word by word (sign by sign where a script has no spaces): letter case, width, marks and spaces do not count.
It repeats one that shares runs with it over most of its length, or one long run over half. What has few different words ("Yes.") never does, nor does what quotes in new
words: a song sung again on request. What is asked is asked of texts on one path, so a branch, another wording and a memory built anew give the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

REPLIES = 20
"""Replies of a speaker, the last before one, that it is laid beside. Loops come back within a handful."""
LEAST = 8.0
"""Different words from which on a text says something that can be repeated; of signs without spaces three are two words."""
RUN, RECITED = 4, 6
"""Words of the shortest run that two replies share, and of the shortest that one shares with what is remembered, whose words it is to use."""
MOST = 0.8
LONG, HALF = 16, 0.5
"""Share of a reply in such runs that makes it a repetition; words of one run that do where it is half of the reply."""
NEW = 4
"""Words beside a quotation that introduce it."""
TEXTS = 1024
"""Texts whose words are kept in mind: what one recall lays side by side is some hundreds."""

_NO_SPACES = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_NO_SPACES}]|(?:(?![{_NO_SPACES}])[^\W_])+")
_ALONE = re.compile(f"[{_NO_SPACES}]")
_GESTURE = re.compile(r"\*[^*\n]*\*")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|«[^»]*»|„[^“”]*[“”]|\"[^\"]*\"|♪[^♪]*♪|(?:^[ \t]*>.*$\n?)+", re.MULTILINE)
_MEMORY_LINE = re.compile(r"[\W_]{0,6}[(（]\s*\d{4}-\d{1,2}-\d{1,2}\s*[,，、]\s*\S")
"""How a line of the memory block begins, in whatever language."""

Words = tuple[str, ...]


@lru_cache(maxsize=TEXTS)
def words_of(text: str) -> Words:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def repeats(reply: str, earlier: Iterable[str]) -> bool:
    """Whether a reply says one of the earlier ones over again."""
    own, bare = words_of(reply), words_of(_bare(reply))
    if _weight(own) < LEAST:
        return False

    def same(said: str) -> bool:
        return _same(own, words_of(said)) or (_weight(bare) >= LEAST and _same(bare, words_of(_bare(said))))

    return any(same(said) and not _quotes(reply, said) for said in earlier)


def recites(reply: str, lines: Sequence[str] = ()) -> bool:
    """Whether a reply is made of lines of memory: in their form, or word for word what stands in `lines`."""
    own = words_of(reply)
    written = [line for line in reply.splitlines() if line.strip()]
    if written and 2 * sum(_MEMORY_LINE.match(line) is not None for line in written) >= len(written):
        return True
    if _weight(own) < LEAST:
        return False
    runs = {run for line in lines for run in _runs(words_of(line), RECITED)}
    return sum(_covered(own, runs, RECITED)) >= MOST * len(own)


def _weight(words: Words) -> float:
    return sum(2 / 3 if _ALONE.match(word) else 1.0 for word in set(words))


def _bare(text: str) -> str:
    """Without gestures between asterisks: the same words with another nod are the same words."""
    return _GESTURE.sub(" ", text)


def _same(own: Words, said: Words) -> bool:
    if own == said:
        return True
    shared = _different(said)
    if sum(word in shared for word in own) < HALF * len(own):  # most pairs: too few words in common for any run to matter
        return False
    covered = _covered(own, _runs(said, RUN), RUN)
    share = sum(covered) / len(own)
    return share >= MOST or (share >= HALF and _longest(covered) >= max(LONG, HALF * len(own)))


def _quotes(reply: str, said: str) -> bool:
    """Whether a reply gives what was said before as a quotation, in words that are new. What a gesture between asterisks says does not count."""
    if not _QUOTED.search(reply):
        return False
    beside = words_of(_QUOTED.sub(" ", _bare(reply)))
    before = set(words_of(_QUOTED.sub(" ", said)))
    return len(beside) >= NEW and 2 * sum(word in before for word in beside) <= len(beside)


@lru_cache(maxsize=TEXTS)
def _different(words: Words) -> frozenset[str]:
    return frozenset(words)


@lru_cache(maxsize=TEXTS)
def _runs(words: Words, length: int) -> frozenset[Words]:
    return frozenset(words[n : n + length] for n in range(len(words) - length + 1))


def _covered(own: Words, runs: Collection[Words], length: int) -> list[bool]:
    there = [False] * len(own)
    for n in range(len(own) - length + 1):
        if own[n : n + length] in runs:
            there[n : n + length] = [True] * length
    return there


def _longest(covered: Sequence[bool]) -> int:
    longest = run = 0
    for one in covered:
        run = run + 1 if one else 0
        longest = max(longest, run)
    return longest
