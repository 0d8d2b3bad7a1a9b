"""How much a sentence that recall brought bears on a question: the words they share, likeness in meaning, whom it is about and what form it has. Pure.

A sentence that only says what the question says is no answer to it, and one that answers often shares no word with it: what it replies to does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.content import FRAMING, chinese_words, terms_with_characters, without_times
from memory.cues import Asked, Cue, Tense, ends_asking
from memory.episodes import language_of
from memory.reading.drafts import DateRange
from memory.reading.ownership import named
from memory.reading.wording import parted
from storage.records import Kind
from storage.terms import query_terms
from storage.words import Rarity

COVERED, NEAR, RANKED = 0.45, 0.4, 0.15
"""What bearing is made of: the question's terms by rarity, likeness in meaning, and the place in recall."""
ASKED, BESIDE, EARLIER = 0.8, 0.5, 0.4
"""What a term of the question counts that does not stand in the sentence, but in the question its message answers, beside it, or in what was said before."""
LIKE_ASKED = 0.9
"""What likeness of that question counts beside that of the sentence."""
NEAR_SPAN = 0.12
"""How far above the ground likeness is full."""
ANOTHERS = 0.25
"""Taken away from what is of another person than the question names."""
UNDATED, DATED = 0.1, 0.1
"""Taken away from what says no time, and added to what says one, where the question asks when."""
WITHIN = 0.15
"""Added to what was said, or tells of something, in the time that the question names."""
EMPTY, SCANT = 0.25, 0.1
"""Taken away from what says nothing that the question does not say, and from what adds one term to it."""
FITS = 0.08
"""Added to what has the form of what is asked for: a number, a reason, a place, a name."""
PLAIN = 0.05
"""Added to a fact: it can be understood alone, and its dates are worked out."""
KNOWN = 0.3
"""Added to what tells the very thing of the player that the question asks for, as the sketch holds it; taken away from what tells it as it was."""
GONE = 0.25
"""Taken away from what its speaker took back later, unless it is asked how it was."""

MOST_CHARS = 400
"""Of one sentence; a longer one is cut with a mark."""

_FORMS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(form))
    for asked, form in (
        (
            r"\bhow (?:many|much|old|long|often|far|tall|big)\b|多少|几[个次岁位只本年天月]|多[久大长高远]",
            r"\d|[一二两三四五六七八九十百]|\b(?:an hour|half|daily|weekly|once|twice|few|several|couple|hundred)\b"
            r"|(?i:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b)",
        ),
        (
            r"\bwhy\b|\b(?:what|the) reasons?\b|为什么|为何|怎么会",
            r"\b(?:because|since|so that|thanks to|reason)\b|['‘’]cause\b|因为|由于|为了|所以",
        ),
        (
            r"\bwhere\b|\bwhich (?:city|country|town|place)\b|哪里|哪儿|什么地方|哪个(?:国家|城市)",
            r"\b(?:in|at|to|from|near)\s+(?:the\s+)?[A-Z]|[在去到从]\S",
        ),
        (
            r"\b(?:called|named?|titled?|who|whose)\b|\b(?:which|what) (?:book|film|movie|song|band|game|show|artist|author)s?\b|名字|叫什么|谁|哪[些部本首位]",
            r"(?<=[a-z,] )[A-Z][a-z]+|[\"“‘《「]|、|叫(?!做?(?:什么|啥))",
        ),
        (
            r"\b(?:what|which) (?:kinds?|types?|sorts?|\w+(?:ies|ings|s))\b|什么(?:样|类型|东西)|哪些",
            r"\w+, (?:\w+ ){0,3}\w+,? (?:and|or) \w|\bsuch as\b|、|比如|例如",
        ),
    )
)
"""What a question asks for, and what has that form."""
_SENTENCE = re.compile(r".+?(?:[.!?…]++[\"'”’)*\]]*(?=\s|$)|[。！？…]+[”’」』）]*|\n|$)", re.DOTALL)
_POLITE = frozenset(
    query_terms(
        "thanks thank thx wow yeah yep yup cool great awesome amazing nice sure sounds glad hey hi hello bye haha absolutely definitely totally right true "
        "agreed exactly congrats congratulations welcome sorry please good 谢谢 你好 您好 再见 哈哈 是啊 好的 没错 当然 不客气 真的"
    )
)
"""Terms of what is said out of politeness."""
_UNSURE = re.compile(
    r"\W*(?:(?:well|oh|hm+|um|honestly|sorry|唉|嗯|呃)\W+)*(?:maybe|perhaps|possibly|who knows|no idea|not sure|hard to say|(?:I have )?no clue"
    r"|I(?:['’]m| am) not (?:so |really )?sure|I (?:really )?(?:don['’]t|do not|can['’]t|cannot) (?:know|remember|recall|say|tell)(?: (?:that|it|yet|anymore))?"
    r"|也许吧?|可能吧?|大概吧?|说不定|谁知道呢?|我?(?:也)?(?:不知道|不清楚|不记得了?|记不清了?|忘了|说不好))\W*",
    re.IGNORECASE,
)
"""Said of nothing known."""
_SUPPOSED = re.compile(
    r"\W*(?:(?:well|oh|and|but|so|or|那)\W+)*(?:if|what if|pretend|imagine|suppose|let['’]s (?:say|pretend|imagine)|假如|如果|要是|假装|假设|想象一下|倘若)"
    r"(?![a-z])",
    re.IGNORECASE,
)
"""What is told of is only thought of."""
_LASTING = re.compile(r"\bhow long\b(?! ago)|多久(?!以?前)", re.IGNORECASE)
_ASKING = frozenset("什么 时候 名字 哪些 哪个 怎么 为什么 多少 曾经 告诉 记得 还记得 提到 时间 地方 类型".split())
"""Words that say what kind of thing is asked for, and no word of its answer."""
_YOU, _I = re.compile(r"\byou(?:r|rs)?\b|[你您]", re.IGNORECASE), re.compile(r"\b(?:i|me|my|mine)\b|我", re.IGNORECASE)
_REMEMBERING = re.compile(
    r"^\W*(?:do you (?:still )?(?:remember|know|recall)|can you tell me|tell me|你?(?:还)?(?:记得|知道)|告诉我)\W*", re.IGNORECASE
)
_ABBREVIATED = re.compile(r"(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|etc|e\.g|i\.e|vs)\.$", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """One sentence that recall brought: what a fact or an insight says, or a part of what was said in a round."""

    text: str
    kind: Kind
    memory_id: str
    round: int
    said_by: str
    said_at: datetime
    told_of: frozenset[str] = frozenset()
    """Whose matter it is: the speaker, and whom it names."""
    beside: str = ""
    """The sentences next to it in its message."""
    asked: str = ""
    """The question that its message answers."""
    earlier: str = ""
    """What its speaker said in the message before."""
    quote: str = ""
    """The words that a fact was taken from."""
    event: DateRange | None = None
    """When what it tells of was or will be."""
    place: int = 0
    """Of its round in recall, from 0."""
    likeness: float = 0.0
    """Cosine to the question, less that of anything."""
    asked_likeness: float = 0.0
    """The same of `asked`."""
    message_id: str = ""
    """Of what was said the message; empty for a fact or an insight."""
    asked_for: float = 0.0
    """How surely it tells what the question asks of the player, as the sketch has it, 0 to 1; below 0 where it tells what held before."""
    gone: int = 0
    """The round in which its speaker took it back; 0 where it stands."""
    after: str = ""
    """A few words that were said right after it, without which it may be half of what was said."""

    @property
    def own(self) -> str:
        """Without the line it answers, which stands in a fact's text."""
        return parted(self.text)[0]


@dataclass(frozen=True)
class Question:
    """What is asked, when, and of whom. meant: people, empty where it names none; rarity: of its terms on the path."""

    text: str
    at: datetime
    asked: Asked
    meant: frozenset[str]
    rarity: Rarity

    @property
    def dated(self) -> bool:
        """It asks when something was; how long it takes is no day."""
        return self.asked.when and not _LASTING.search(self.text)

    def concerns(self, sentence: Sentence) -> bool:
        """Whether a sentence is of whom the question means."""
        return not self.meant or bool(self.meant & sentence.told_of)


@dataclass(frozen=True)
class Weighed:
    sentence: Sentence
    bearing: float
    """0 to about 1: how much it bears on the question."""


def sentences_of(text: str) -> list[str]:
    """The sentences of what was said, as they stand; what is longer than MOST_CHARS is cut with a mark."""
    found: list[str] = []
    for match in _SENTENCE.finditer(text):
        piece = match.group()
        if found and _ABBREVIATED.search(found[-1].rstrip()):
            found[-1] += piece
        elif piece.strip():
            found.append(piece)
    return [_cut(piece.strip()) for piece in found]


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 2].rstrip() + " …"


def weigh(question: Question, sentences: Iterable[Sentence]) -> list[Weighed]:
    """Best first; of equals what recall put first."""
    weights = _weights(question)
    forms = [form for asked, form in _FORMS if asked.search(question.text)]
    weighed = [Weighed(s, _bearing(question, s, weights, forms)) for s in sentences if _tells(s)]
    return sorted(weighed, key=lambda w: (-w.bearing, w.sentence.place, w.sentence.round))


def _weights(question: Question) -> dict[str, float]:
    """How rare each term of the question is on the path; names of whom it means count as any term that is everywhere."""
    names = {term for name in question.meant for term in query_terms(name)}
    size = max(1, question.rarity.memories)
    held = question.rarity.holding
    return {
        term: max(0.05, math.log((size + 0.5) / (held.get(term, 0.0) + 0.5)) / math.log(size + 1.5))
        for term in _content(question)
        if term not in names
    }


def asked_terms(question: Question) -> frozenset[str]:
    """What a question is about, without whom it means."""
    return frozenset(_weights(question))


def _content(question: Question) -> list[str]:
    """The terms of a question that say what it is about: not those of a time that it names, and of Chinese only those within words with a meaning."""
    text = question.text
    language = language_of(text)
    if question.asked.ranges:
        text = without_times(text, question.at)
    if language != "zh":
        terms = list(query_terms(text))
    else:
        words = [word for word in chinese_words(text) if word not in _ASKING]
        terms = list(dict.fromkeys([*query_terms(" ".join(w for w in words if len(w) > 1)), *(w for w in words if len(w) == 1)]))
    return [term for term in terms if term not in FRAMING] or terms


def _bearing(question: Question, sentence: Sentence, weights: Mapping[str, float], forms: Sequence[re.Pattern[str]]) -> float:
    whole = sum(weights.values())
    held = 0.0
    left = dict(weights)
    for words, share in (
        (f"{sentence.own} {sentence.quote}", 1.0),
        (sentence.asked, ASKED),
        (sentence.beside, BESIDE),
        (sentence.earlier, EARLIER),
    ):
        held += share * sum(left.pop(term, 0.0) for term in terms_with_characters(words))
    value = COVERED * (held / whole if whole else 0.0)
    value += NEAR * min(1.0, max(0.0, sentence.likeness, LIKE_ASKED * sentence.asked_likeness) / NEAR_SPAN)
    value += RANKED / (1 + sentence.place)
    if not question.concerns(sentence):
        value -= ANOTHERS
    fits = any(form.search(sentence.own) for form in forms)
    if question.dated:
        value += DATED if sentence.event is not None else -UNDATED
    elif not (fits and sentence.asked_for > 0):
        value -= _repeats(sentence, weights)
    if any(_within(sentence, wanted) for wanted in question.asked.ranges):
        value += WITHIN
    if fits:
        value += FITS
    if question.asked.tense is not Tense.BEFORE:
        value += KNOWN * sentence.asked_for - (GONE if sentence.gone else 0.0)
    return value + (PLAIN if sentence.kind is Kind.FACT else 0.0)


def _tells(sentence: Sentence) -> bool:
    """What only asks, names somebody, is polite, does not know or makes something up answers nothing."""
    if ends_asking(sentence.text) or _besides_names(sentence) <= _POLITE:
        return False
    return sentence.kind is not Kind.EPISODE or not (_UNSURE.fullmatch(sentence.text) or _SUPPOSED.match(sentence.text))


def _besides_names(sentence: Sentence) -> set[str]:
    """Terms of a sentence but for names of those it concerns."""
    names = {term for name in sentence.told_of for term in query_terms(name)}
    return {term for term in query_terms(sentence.own) if term not in names and (term.isascii() or len(term) > 1)}


def _repeats(sentence: Sentence, weights: Mapping[str, float]) -> float:
    """What is taken away from a sentence that shares something with the question and hardly adds to it."""
    terms = _besides_names(sentence)
    new = len(terms - set(weights))
    return (EMPTY if new == 0 else SCANT if new == 1 else 0.0) if terms & set(weights) else 0.0


def _within(sentence: Sentence, wanted: DateRange) -> bool:
    if sentence.event is not None:
        return wanted.meets(sentence.event.first, sentence.event.last)
    return wanted.holds(sentence.said_at)


def concerns(text: str, said_by: str, subject: str, people: Iterable[str]) -> frozenset[str]:
    """Whose matter a sentence is: its speaker's, its subject's, and whomever it names."""
    everyone = frozenset(people)
    return frozenset(named(f"{subject}\n{text}", everyone)) | ({said_by} & everyone)


def acting(cue: Cue, meant: frozenset[str]) -> frozenset[str]:
    """Of several people whom a question means the one it asks about: the first who is not only named as whose something is. "What did Ann think of Bo's
    idea?" asks about Ann. Of "I" and "you" the first, behind what only asks whether one remembers."""
    if len(meant) > 1:
        places = {name: _place(name, cue.text) for name in meant}
        return frozenset([min(meant, key=lambda name: (places[name], name))])
    if meant or not cue.speaker or not cue.listener:
        return meant
    text = _REMEMBERING.sub("", cue.text)
    you, i = _YOU.search(text), _I.search(text)
    if you is None and i is None:
        return meant
    first = cue.listener if i is None or (you is not None and you.start() < i.start()) else cue.speaker
    return frozenset([first])


def _place(name: str, text: str) -> tuple[bool, int]:
    """(whether it only stands as whose something is, where it stands first)."""
    found = [m for part in {name, name.split()[0]} for m in re.finditer(re.escape(part), text, re.IGNORECASE)]
    own = [m.start() for m in found if not re.match(r"['’]s\b|的", text[m.end() :])]
    return not own, min(own or [m.start() for m in found] or [len(text)])
