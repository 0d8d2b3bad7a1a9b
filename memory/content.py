"""The words of a question or a text that say what it is about, as terms: Chinese has words of one character, which bigrams leave out. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from itertools import pairwise

from memory.cue_times import times_of
from memory.words import PEOPLE_ZH, tokens_of
from storage.terms import query_terms

_MEANING = ("n", "v", "a", "i", "l", "j", "t", "m", "eng")
"""Tags of Chinese words that name a thing, a doing or a kind begin so."""


TENSE = frozenset(
    query_terms("before earlier formerly previously once now currently nowadays still anymore 以前 之前 过去 从前 原来 现在 目前 如今")
)
"""Terms that say whether it is asked how it was or how it is."""
ALONE = "|"
"""Behind a character that is a word by itself."""
FRAMING = frozenset(query_terms("name named call called kind sort type")) | {"叫", "叫" + ALONE, "名字", "叫做"}
"""Terms that only say what is asked for: what is called so is not said to be called so."""
_ASKS_NAME = re.compile(r"\b(?:names?|named|called)\b|叫(?:做)?(?:什么|啥)|名字|\bwho(?:['’]s| is| are| was) my\b", re.IGNORECASE)
_NAMES = re.compile(r"\b(?:named|called|names?(?: is| are| was|['’]s))\s+\S|名?叫(?!做?(?:什么|啥|我|你|他|她|人))|名字是")
_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
NAMED = "by name"
"""Stands among the terms of a question that asks what somebody or something is called, and among those of what says a name."""


def chinese_words(text: str) -> list[str]:
    """Of a Chinese text the words with a meaning, in order."""
    return [token.text for token in tokens_of(text) if token.tag.startswith(_MEANING)]


def without_times(text: str, said_at: datetime) -> str:
    """A question without the words that name a time, which is answered by what was then and not by those words."""
    return times_of(text, said_at).rest


def single_words(text: str) -> list[str]:
    """Of a Chinese text the words of one character that say something, as terms: a thing as it stands, which longer words name as well; what else it is
    with a mark, for within longer words such a character means something else."""
    tokens = [t for t in tokens_of(text) if t.tag.startswith(_MEANING) and is_character(t.text) and query_terms(t.text)]
    return list(dict.fromkeys(t.text if t.tag.startswith("n") else t.text + ALONE for t in tokens))


def terms_with_characters(text: str) -> set[str]:
    """Of a text, with its single Chinese characters, and those that are words with a mark."""
    characters = set(filter(is_character, text))
    alone = {t.text + ALONE for t in tokens_of(text) if is_character(t.text)} if characters else set()
    return {*query_terms(text), *characters, *alone}


def asks_name(question: str) -> bool:
    """Whether it is asked what somebody or something is called."""
    return _ASKS_NAME.search(question) is not None


def says_name(text: str, *, but: Collection[str]) -> bool:
    """Whether a text says what somebody or something is called. but: names that say nothing, of those who talk."""
    known = {part for name in but for part in name.split()}
    if _NAMES.search(text) or any(found.group() not in known for found in _CAPITALISED.finditer(text)):
        return True
    if text.isascii():
        return False
    tokens = [t for t in tokens_of(text) if t.text not in ("是", "老", "小")]
    return any(
        a.text in PEOPLE_ZH and b.tag == "nr" and not any(b.text in name or name in b.text for name in known) for a, b in pairwise(tokens)
    )


def is_character(term: str) -> bool:
    """Whether a term is one Chinese character, or a word of one: how many memories hold it is not counted."""
    return len(term.removesuffix(ALONE)) == 1 and "\u3400" <= term[0] <= "\u9fff"
