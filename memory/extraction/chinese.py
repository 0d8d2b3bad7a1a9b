"""Facts and persona values from one Chinese message without a model: clause by clause, in third person, with the right owner (DualMem 4; MOOM 3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory import timeline
from memory.extraction import chinese_answers as answers
from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import clauses_of
from memory.extraction.chinese_definites import resolved
from memory.extraction.chinese_denials import denials_of, holds
from memory.extraction.chinese_facts import facts_of
from memory.extraction.chinese_owners import owners_of
from memory.extraction.chinese_persona import persona_of
from memory.extraction.chinese_plans import has_own_calendar, is_up_to_now, to_come, with_times
from memory.extraction.chinese_reading_out import without_read_out
from memory.extraction.chinese_refusals import refused
from memory.extraction.chinese_run_on import breathed, divided
from memory.extraction.chinese_values import split
from memory.extraction.chinese_words import Token
from memory.extraction.draft import Extraction, FactDraft, Line, ValueDraft
from memory.persona_keys import KEYS, Merge


def extract(line: Line) -> Extraction:
    """What one Chinese message says of its speaker and theirs; nothing where nothing is plainly said."""
    curled = words.curled(line.text)
    if curled == line.text:
        return _extracted(line)
    found = _extracted(replace(line, text=curled))
    return Extraction(
        tuple(replace(f, quote=_as_typed(f.quote, curled, line.text)) for f in found.facts),
        tuple(replace(v, value=_as_typed(v.value, curled, line.text), quote=_as_typed(v.quote, curled, line.text)) for v in found.values),
        found.denials,
    )


def _as_typed(part: str, curled: str, text: str) -> str:
    """Words of a message whose quotation marks were read as curled ones, as they stand in it."""
    at = curled.find(part)
    return text[at : at + len(part)] if at >= 0 else part


def _extracted(line: Line) -> Extraction:
    own = without_read_out(line.text[: words.READ], listener=line.listener)
    whole = words.opened(breathed(divided(words.simplified(words.spoken(own, speaker=line.speaker)))))
    speech = words.standing(whole)
    clauses = clauses_of(_tokens(speech, line))
    why = refused(clauses)
    owners = owners_of(clauses, line)
    answered = _answered(speech, line)
    known = {draft.quote for draft in answered.facts}
    told = [draft for draft in facts_of(clauses, why, owners, speech, line) if draft.quote not in known]
    values = [*answered.values, *persona_of(clauses, why, owners, speech, line)] if line.is_player else []
    for found in _BORN.finditer(speech):
        quote = line.text[found.start() : found.end()]
        told.append(FactDraft(f"{line.speaker}的生日是{found['x']}。", line.speaker, quote))
        values += [ValueDraft("birthday", found["x"], quote)] if line.is_player else []
    return Extraction(
        _unique([*answered.facts, *(_in_years(f) for f in told if holds(f.quote, line.text, whole))]),
        tuple(dict.fromkeys(v for v in values if holds(v.quote, line.text, whole))),
        denials_of(clauses, whole),
    )


def _tokens(speech: str, line: Line) -> list[Token]:
    """Words of the message, each time expression one of them."""
    made: list[Token] = []
    at = 0
    own = has_own_calendar(speech)
    mentions = [
        *to_come(speech, said_at=line.said_at),
        *timeline.mentions(speech, said_at=line.said_at, language="zh"),
        *_of_this_day(speech, line),
    ]
    for found in sorted(mentions, key=lambda m: m.start):
        if found.start < at or _is_customary(speech, found) or is_up_to_now(speech, found.start, found.end):
            continue
        made += words.tokens_of(speech[at : found.start], offset=at)
        days = None if own and found.relative else found.range
        made.append(Token(speech[found.start : found.end], "t", found.start, found.end, days, found.relative))
        at = found.end
    return resolved(with_times(made + words.tokens_of(speech[at:], offset=at)), speech, text=line.text, speaker=line.speaker)


_AGE = re.compile(
    r"(?P<who>.+?(?:今年|现在|都|也|已经|快|才|刚)*)(?P<x>\d\d|[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九])(?P<end>了?。)"
)


def _in_years(fact: FactDraft) -> FactDraft:
    """林小雨三十四 as 林小雨三十四岁."""
    found = _AGE.fullmatch(fact.text) if len(fact.text) <= len(fact.subject) + 8 else None
    return replace(fact, text=f"{found['who']}{found['x']}岁{found['end']}") if found else fact


_BORN = re.compile(
    r"(?P<x>\d{1,2}月\d{1,2}[号日]?)(?![^。\n]{0,12}[你他她妈爸])[^。\n我0-9]{0,8}[？?，,。！! ]+"
    r"(?:那天|这天)(?:刚好|正好|就)?是?我(?:的)?生日(?![^，。！？!?\n]{0,3}[吗呢])"
)
"""7月11号怎么样，那天我生日."""


_CUSTOM = re.compile(r"(?:有时候?|经常|常常?|平时|平常|通常|一般|总是|偶尔|往往)[^。！？!?]*$")


def _is_customary(speech: str, mention: timeline.DateMention) -> bool:
    """有时周末我会去唱片店: not on one weekend."""
    return speech[mention.start : mention.end] in ("周末", "周六", "周日") and bool(_CUSTOM.search(speech, 0, mention.start))


_THIS_DAY = re.compile(
    r"(?:(?<=^)|(?<=[，,。！!？?；;\s我]))(?:(?:刚刚|刚才)(?=[去到跟和在从看吃买做完写读听学下跑逛练洗]|参加|收到|结束|回)|(?:早上|中午|下午|傍晚|晚上)(?=我?(?:打算|准备|约了|要去|就要)))"
)
"""我刚刚去了公园, 晚上打算去看电影: said of the day it is said on."""


def _of_this_day(speech: str, line: Line) -> Iterator[timeline.DateMention]:
    for found in _THIS_DAY.finditer(speech):
        (today,) = timeline.mentions("今天", said_at=line.said_at, language="zh")
        yield replace(today, start=found.start(), end=found.end())


_OTHER_SIDE = str.maketrans("你您我", "我我你")


def _answered(speech: str, line: Line) -> Extraction:
    """What a bare answer or a yes says with the question before it."""
    if not line.question:
        return Extraction()
    short = answers.short_answer(speech, question=line.question, listener=line.listener)
    if short is not None and short.quote in line.text:
        fact = FactDraft(short.fact.replace("{who}", line.speaker) + "。", line.speaker, short.quote, from_question=True)
        parts = split(short.value, many=KEYS[short.key].merge is not Merge.REPLACE) if short.key else ()
        return Extraction((fact,), tuple(ValueDraft(short.key, value, short.quote) for value in parts))
    agreed = answers.yes_to(speech, question=line.question)
    if agreed is None or agreed.quote not in line.text:
        return Extraction()
    for statement in agreed.statements:
        asked = Line(statement.translate(_OTHER_SIDE), line.speaker, line.listener, line.is_player, line.said_at)
        inner = extract(asked)
        if inner.values or (inner.facts and not line.is_player):
            return Extraction(
                tuple(FactDraft(f.text, f.subject, agreed.quote, f.event, f.trust, from_question=True) for f in inner.facts),
                tuple(ValueDraft(v.key, v.value, agreed.quote, from_question=True) for v in inner.values if v.value in line.question),
            )
    return Extraction()


def _unique(drafts: Sequence[FactDraft]) -> tuple[FactDraft, ...]:
    """Each thing once: a fact whose words another contains is left out."""
    kept: list[FactDraft] = []
    for draft in drafts:
        if not any(draft.text.rstrip("。") in other.text for other in kept):
            kept.append(draft)
    return tuple(kept)
