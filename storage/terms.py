"""Index terms: lower-case stems for words, bigrams for runs of Chinese, Japanese kana and Hangul characters.

A bigram shadow column finds two-character Chinese words, which FTS5's own trigram tokenizer cannot.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import snowballstemmer

from storage.irregular import BASES

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)*", re.UNICODE)
_IS_CJK = re.compile(rf"[{_CJK}]")

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be been being but by can could did do does doing don down for from get got had has have
    having he her here hers him his how i if in into is it its just ll let like me more most my no nor not now of off oh ok okay on one only or
    other our out over own re really s said same she should so some such t than that the their them then there these they this those through to
    too under until up us ve very was we well were what when where which while who whom why will with would yes you your yours""".split()
)
"""English function words: in nearly every line, so they say nothing about which line is meant."""

_STOP_CJK = frozenset("的了是我你他她它们们在有和就不也都很吗呢吧啊哦嗯这那个一上说要会着没看好么什得地过对来去还可以能")
"""Characters that form no content word among themselves; a bigram of two of them is left out of queries."""

MAX_TERM_CHARS = 40
_english = snowballstemmer.stemmer("english")
_stemming = threading.Lock()


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    if not word.isascii():
        return word
    with _stemming:  # the stemmer keeps its working state in the object
        return str(_english.stemWord(BASES.get(word, word)))


def fold(text: str) -> str:
    """As the index compares: wide and narrow, upper and lower case are one."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """(term, whether it is a stop term), in reading order."""
    for match in _RUN.finditer(fold(text)):
        run = match.group()
        if _IS_CJK.match(run):
            if len(run) == 1:
                yield run, run in _STOP_CJK
            for pair in pairwise(run):
                yield "".join(pair), pair[0] in _STOP_CJK and pair[1] in _STOP_CJK
        else:
            whole, *rest = run.split("'")
            for word in (whole, *rest):
                if word:
                    yield _stem(word[:MAX_TERM_CHARS]), word in STOP_WORDS


def index_text(text: str) -> str:
    """What the sparse index stores for a text: its terms, space separated, stop terms included (bm25 gives them no weight)."""
    return " ".join(term for term, _ in _tokens(text))


def query_terms(text: str) -> tuple[str, ...]:
    """Distinct content terms of a query in order of first appearance; empty when it holds none."""
    return tuple(dict.fromkeys(term for term, stop in _tokens(text) if not stop))


@dataclass(frozen=True)
class Sought:
    """What a person looks for: every run of their words, Chinese as it stands, other words by their stems, the last one also as the beginning of a word."""

    literal: str
    """As it was typed, without blanks around it."""
    phrases: tuple[tuple[str, ...], ...]
    """Terms that follow each other, by run; empty where nothing in it is indexed, as for a single Chinese character: then it is looked for as it stands."""
    beginning: str
    """Of the last word, as it was typed so far; empty where it is Chinese."""

    @property
    def match(self) -> str:
        """A query over the column `words` of FTS5; empty where there are no phrases."""
        parts = ['"' + " ".join(phrase) + '"' for phrase in self.phrases]
        if self.beginning:
            parts[-1] = f'({parts[-1]} OR "{self.beginning}" *)'
        return f"words : ({' AND '.join(parts)})" if parts else ""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where what is sought stands in a text: beginnings and ends, in order, apart from each other."""
        pieces = [fold(character) for character in text]
        at = [place for place, piece in enumerate(pieces) for _ in piece]
        folded = "".join(pieces)
        found: list[tuple[int, int]] = []
        if not self.phrases:
            found += [(m.start(), m.end()) for m in re.finditer(re.escape(fold(self.literal)), folded)]
        for run in (m.group() for m in _RUN.finditer(fold(self.literal)) if _IS_CJK.match(m.group())):
            found += [(m.start(), m.end()) for m in re.finditer(re.escape(run), folded)]
        wanted = {term for phrase in self.phrases for term in phrase}
        for match in _RUN.finditer(folded):
            if not _IS_CJK.match(match.group()):
                start = match.start()
                for word in match.group().split("'"):
                    if _stem(word[:MAX_TERM_CHARS]) in wanted or (self.beginning and word.startswith(self.beginning)):
                        found.append((start, start + len(word)))
                    start += len(word) + 1
        apart: list[tuple[int, int]] = []
        for start, end in sorted((at[start], at[end - 1] + 1) for start, end in found):
            if apart and start <= apart[-1][1]:
                apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
            else:
                apart.append((start, end))
        return apart


def sought(text: str) -> Sought:
    literal = text.strip()
    phrases: list[tuple[str, ...]] = []
    beginning = ""
    for run in (match.group() for match in _RUN.finditer(fold(literal))):
        cjk = _IS_CJK.match(run) is not None
        if cjk and len(run) == 1:  # it stands inside of longer runs, which are indexed by pairs
            return Sought(literal, (), "")
        phrases.append(tuple(term for term, _ in _tokens(run)))
        beginning = "" if cjk or "'" in run else run[:MAX_TERM_CHARS]
    return Sought(literal, tuple(phrases), beginning)
