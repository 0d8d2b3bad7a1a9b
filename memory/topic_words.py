"""Which words say what a sentence is about, and how rare they are: what speaks, beside meaning, for two tellings being about the same thing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.everyday import everyday
from memory.persona import PLAYER
from memory.timeline import MONTHS, SEASONS
from memory.words import tokens_of
from storage.terms import query_terms

Terms = frozenset[str]

_DATE = re.compile(r"\d+\s*(?:年|月|日|号|点)?")
_CALENDAR = " ".join((*MONTHS, *SEASONS, "week weekend month year day today monday tuesday wednesday thursday friday saturday sunday"))
_MANNER = frozenset(
    query_terms(
        _CALENDAR
        + " believe believes think thinks thought feel feels feeling felt love loves loved like likes liked want wants wanted make makes made go goes going "
        "went get gets getting take takes took come came see sees saw look looks show shows shared give gives help helps find finds found know try tries "
        "use used keep keeps start started finally still last first next both another each every other others way ways thing things stuff something "
        "lot lots great good nice awesome amazing special important happy glad fun cool big much many even ever never always often together around "
        "player long time times bit part kind sort people person someone everyone anyone recently lately soon already yet again away back since able ready "
        "plan plans life best better new old little real really positive different difference without within through during while believe spoke talk talked"
    )
)
"""English words that tell how, not what: they stand in facts about anything."""
_PLAIN = frozenset(
    "喜欢 觉得 感觉 感到 认为 建议 希望 想要 打算 准备 需要 可以 知道 开始 继续 进行 学习 成为 看到 看看 去看 尝试 寻找 发现 了解 相信 表示 得到 保持 "
    "最近 现在 今天 时候 时间 东西 事情 方面 问题 情况 一些 有些 自己 朋友 大家 别人 人 事 时 家 地方 生活 感受 方式 方法 一起 没有 是 有 去 来 到 看 做 说 想 要 "
    "非常 特别 好看 不错 玩家 AI".split()
)
"""The same in Chinese."""
_ABOUT = ("n", "v", "i", "l", "j", "eng")
"""Tags of words that name a thing or a doing begin so."""


def terms_of(text: str, *, language: str, people: Iterable[str] = ()) -> Terms:
    """What a sentence is about: stems in English, in Chinese words for things and doings; without dates and without the names of those who talk."""
    if language == "zh":
        for name in sorted({n for n in people if n}, key=len, reverse=True):
            text = text.replace(name, " ")
        return frozenset(t.text for t in tokens_of(_DATE.sub(" ", text)) if t.tag.startswith(_ABOUT) and _names_something(t.text, t.tag))
    return frozenset(t for t in query_terms(_DATE.sub(" ", text)) if len(t) > 1) - frozenset(query_terms(" ".join(people))) - _MANNER


def _names_something(word: str, tag: str) -> bool:
    return word not in _PLAIN and not word.isspace() and (len(word) > 1 or tag.startswith("n"))


@dataclass
class Rarity:
    """How rare words are among facts, 0 (in every one) to 1."""

    counts: Counter[str] = field(default_factory=Counter)
    facts: int = 0

    def add(self, terms: Collection[Terms]) -> None:
        for each in terms:
            self.counts.update(each)
        self.facts += len(terms)

    def of(self, term: str) -> float:
        return max(0.0, 1 - math.log(1 + self.counts[term]) / math.log(2 + self.facts))

    def weights(self, facts: Collection[Terms]) -> Mapping[str, float]:
        """What a group of facts is about, as a unit vector: a word counts by its rarity and by how many of them say it."""
        said = Counter(term for each in facts for term in each)
        weights = {term: self.of(term) * math.sqrt(count) for term, count in sorted(said.items())}
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length > 0 else {}


def likenesses(groups: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
    """Cosines of each of n groups of facts with each, by their words' weights: [n, n]."""
    places = {term: n for n, term in enumerate(dict.fromkeys(term for weights in groups for term in weights))}
    table = np.zeros((len(groups), max(1, len(places))))
    for row, weights in zip(table, groups, strict=True):
        for term, weight in weights.items():
            row[places[term]] = weight
    found: NDArray[np.float64] = table @ table.T
    return found


class WordTable:
    """How alike groups of facts are by their words while it is learned how rare those are. groups: of each the terms of its facts."""

    def __init__(self, groups: Sequence[Collection[Terms]]) -> None:
        said = [sorted(Counter(term for each in facts for term in each).items()) for facts in groups]
        self._terms = list(dict.fromkeys(term for counts in said for term, _ in counts))
        places = {term: n for n, term in enumerate(self._terms)}
        self._place = np.array([places[term] for counts in said for term, _ in counts], dtype=np.int64)
        self._often = np.sqrt(np.array([count for counts in said for _, count in counts], dtype=np.float64))
        self._group = np.repeat(np.arange(len(said)), np.array([len(counts) for counts in said], dtype=np.int64))

    def likenesses(self, start: int, end: int, rarity: Rarity) -> NDArray[np.float64]:
        """`likenesses` of the groups from `start` to before `end` with all before `end`: [end - start, end]."""
        upto = int(np.searchsorted(self._group, end))
        place, group = self._place[:upto], self._group[:upto]
        rare = np.zeros(len(self._terms))
        used = np.unique(place)
        rare[used] = [rarity.of(self._terms[n]) for n in used.tolist()]
        weights = rare[place] * self._often[:upto]
        lengths = np.sqrt(np.bincount(group, weights=weights * weights, minlength=end))
        weights = weights / np.where(lengths > 0, lengths, 1.0)[group]
        found = np.zeros((end - start, end))
        for row, new in zip(found, range(start, end), strict=True):
            own = np.zeros(len(self._terms))
            own[place[group == new]] = weights[group == new]
            row[:] = np.bincount(group, weights=weights * own[place], minlength=end)
        return found


@cache
def background(language: str) -> tuple[Terms, ...]:
    """The terms of the everyday facts of a language: how common words are where nothing in particular is told."""
    player = PLAYER.get(language, "")
    return tuple(terms_of(text, language=language, people=(player,)) for text in everyday(language, player=player))
