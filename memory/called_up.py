"""What a cue really calls up: of what recall ranked, that which the cue bears on (MOOM 3.3).

A ranking has a first place whatever was said, and where a cue says little the talk before it fills that. Only what the cue's own words or meaning reach firmly was
retrieved; only what they reach nearly as well competed with it. A greeting, a farewell or an "ok" reaches nothing. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.content import chinese_words, single_words, without_times
from memory.cues import Cue, sentences
from memory.episodes import language_of
from memory.forgetting import effects
from memory.retrieval import Candidate, Found
from storage.records import RecallEvent
from storage.terms import query_terms
from storage.words import KeyRow, Rarity

NEAR = 0.25
"""Of the way from what is like nothing (0) to the same (1): as near in meaning as that, and a memory is called up by its meaning alone."""
SHARED = 0.5
"""Of what a sentence of the cue says, by rarity: a memory that says as much is called up by its words, unless its meaning is half as near as that at most."""
BOTH = 0.6
"""What meaning and words count where neither is enough."""
FEW = 2
"""Words that a sentence says at least; a shorter one is taken together with the next."""
FIRM, NEARLY = 1.0, 0.75
"""Called up, and near enough to compete with what is."""
ANSWERED = 0.8
"""How much a word counts that stands only in the question which the memory answers."""
COMMON, SEVERAL = 0.25, 16
"""Words that more than this share of the memories hold tell none of them apart, once there are so many memories."""
CHARACTER = 2.0
"""What a Chinese word of one character weighs: how many memories hold it is not counted."""
LIGHTEST = 0.3
HALF = 0.5
"""What words count of their rarity that say little of what a sentence is about, and those that no memory holds: what is new does not make less of what is not."""
OUTRIGHT = ("matter", "within")
"""Parts of a question's score that say: this is what was asked for."""
_CUT = frozenset("m d s t ll ve re don didn doesn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn mustn needn".split())
"""What is left of words that are cut short."""

_PHATIC = frozenset(
    query_terms(
        "goodnight night good morning evening afternoon day bye goodbye farewell hello hi hey howdy welcome greetings see later soon tomorrow tonight again back "
        "take care sleep well sweet dreams bed go going leave tired thanks thank thx cheers please sorry pardon excuse yes yeah yep yup nope aye sure fine "
        "right true indeed exactly absolutely definitely totally agreed great nice cool lovely wonderful awesome amazing wow haha hahaha hehe lol hmm mhm alright "
        "understood course guess suppose think know mean maybe perhaps smile smiling grin nod nodding laugh laughing giggle chuckle wave waving sigh shrug blink hug "
        "bow wink dear darling love friend sir madam master happy pleasure meet congratulations congrats "
        "晚安 早安 早上好 上午好 下午好 晚上好 你好 您好 大家好 再见 拜拜 回头见 明天见 明儿见 待会儿见 一会儿见 慢走 走了 睡了 "
        "睡觉 休息 好梦 做个好梦 谢谢 多谢 感谢 麻烦 客气 "
        "不客气 没事 没事儿 没关系 对不起 不好意思 抱歉 "
        "好的 好吧 好啊 好呀 行吧 可以 是的 是啊 对啊 对呀 没错 当然 知道 明白 懂了 真的 哈哈 哈哈哈 呵呵 嘿嘿 嘻嘻 "
        "微笑 点头 点点头 笑笑 笑了 挥手 挥挥手 叹气 摇头 师傅 老师 先生 女士 太太 小姐 大哥 大姐 阿姨 叔叔 朋友 亲爱 今天 今晚 明天 晚上 早上 中午 下午 回头 "
        "高兴 认识 恭喜 祝贺 辛苦 加油 觉得 继续"
    )
)
"""Words of greetings, thanks, assent and nods, which say nothing that anything could be remembered by."""
_LIGHT = frozenset(
    query_terms(
        "buy bought get make made take took taken come came goes went look see saw seen say said tell told want like time thing day way year month week hour people put "
        "give gave given find found keep kept start stop begin began turn wait ask talk try use need feel felt last first next again never always ever little big old "
        "new lot bit something anything everything nothing someone somebody anyone nobody everybody still even much many two three "
        "东西 时候 时间 事情 事儿 看见 看到 出来 出去 回来 回去 进来 进去 过来 过去 起来 下来 一个 一下 一块 一直 现在 以前 后来 自己 别人 没有 一点 一点儿 一会儿 有点 "
        "觉得 开始 喜欢 想要 需要"
    )
)
_PHATIC_CHARACTERS = frozenset("早好嗯哦行对是走睡笑人话事见")


@dataclass(frozen=True)
class Said:
    """One sentence of a cue: what it says, as terms, and its Chinese words of one character."""

    terms: frozenset[str]
    characters: frozenset[str]

    @property
    def size(self) -> int:
        return len(self.terms) + len(self.characters)


def says(cue: Cue, *, terms: Collection[str], names: Iterable[str]) -> list[Said]:
    """The sentences of a cue that say something. terms: of the cue, of which it is known how rare they are; names: of those who talk, who are in everything."""
    text = without_times(cue.text, cue.said_at) if cue.said_at is not None else cue.text
    known, called = frozenset(terms), frozenset(term for name in names for term in query_terms(name))
    found: list[Said] = []
    for sentence in sentences(text) or [text]:
        said = _content(sentence, names, called)
        said = Said((said.terms & known) - _PHATIC, said.characters - _PHATIC_CHARACTERS)
        if not said.size:
            continue
        if found and found[-1].size < FEW:
            said = Said(said.terms | found[-1].terms, said.characters | found.pop().characters)
        found.append(said)
    return found


def _content(sentence: str, names: Iterable[str], called: frozenset[str]) -> Said:
    if language_of(sentence) != "zh":
        return Said(frozenset(query_terms(sentence)) - called - _CUT, frozenset())
    for name in sorted((n for n in names if n and not n.isascii()), key=len, reverse=True):
        sentence = sentence.replace(name, " ")
    words = frozenset(term for word in chinese_words(sentence) if len(word) > 1 for term in query_terms(word))
    return Said(words - called, frozenset(word for word in single_words(sentence) if len(word) == 1))


def reach(candidates: Sequence[Candidate], cue: Cue, found: Found) -> dict[str, float]:
    """How firmly a cue reaches each candidate by what it says itself, from FIRM on it calls it up; of a cue that says nothing no candidate. found: what they were
    ranked from."""
    rows = {row.id: (row, place) for place in found.places for row in place.members}
    names = {name for row, _ in rows.values() for name in row.knowers} | {cue.speaker, cue.listener}
    said = says(cue, terms=found.asked.terms, names=names)
    if not said:
        return {}
    ground = float((found.background @ found.query).mean()) if found.query is not None and len(found.background) else 0.0
    weights = [_weights(sentence, found.rarity) for sentence in said]
    reached = {}
    for candidate in candidates:
        row, place = rows[candidate.memory_id]
        question = place.question if row is place.episode else None
        words = max(_shared(row, question, one) for one in weights) / SHARED
        meaning = max(0.0, candidate.dense - ground) / max(1e-6, 1.0 - ground) / NEAR if candidate.dense is not None else words
        outright = found.asked.asks and any(candidate.parts.get(part, 0.0) > 0 for part in OUTRIGHT)
        reached[candidate.memory_id] = FIRM if outright else max(meaning, min(words, 2 * meaning), BOTH * (words + meaning))
    return reached


def events(candidates: Sequence[Candidate], reached: Mapping[str, float], *, current_round: int, k: int) -> list[RecallEvent]:
    """What a cue does to memories, of those that it reaches nearly or firmly. candidates: best first."""
    ranked = [c.memory_id for c in candidates if reached.get(c.memory_id, 0.0) >= NEARLY]
    return effects(ranked, firmly={i for i in ranked if reached[i] >= FIRM}, current_round=current_round, k=k)


def _weights(said: Said, rarity: Rarity) -> dict[str, float]:
    """By term what it weighs: the rarer the more; what is everywhere not at all."""
    memories, holding = rarity.memories, rarity.holding
    common = {t for t in said.terms if memories >= SEVERAL and holding.get(t, 0) > COMMON * memories}

    def weight(term: str) -> float:
        held = max(1.0, holding.get(term, 0))
        rare = max(LIGHTEST, math.log((memories - held + 0.5) / (held + 0.5))) if memories > held else LIGHTEST
        return rare * (HALF if term in _LIGHT or not holding.get(term) else 1.0)

    return {t: weight(t) for t in said.terms - common} | dict.fromkeys(said.characters, CHARACTER)


def _shared(row: KeyRow, question: KeyRow | None, weights: dict[str, float]) -> float:
    whole = sum(weights.values())
    if not whole:
        return 0.0
    words, asked = set(row.words), set(question.words) if question is not None else set()
    held = sum(w * (1.0 if t in words or (len(t) == 1 and t in row.text) else ANSWERED if t in asked else 0.0) for t, w in weights.items())
    return held / whole
