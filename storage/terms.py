"""Index terms: lower-case stems for words, bigrams for runs of Chinese, Japanese kana and Hangul characters.

A bigram shadow column finds two-character Chinese words, which FTS5's own trigram tokenizer cannot.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import snowballstemmer

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
        return str(_english.stemWord(word))


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """(term, whether it is a stop term), in reading order."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    for match in _RUN.finditer(folded):
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
