"""Chinese clauses retold in third person: names for 我 and 你, dates for 昨天, particles and openings left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory import timeline
from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner, is_name
from memory.extraction.chinese_definites import spoken
from memory.extraction.chinese_words import Token
from memory.extraction.draft import Line

LONGEST = 40
"""Characters of one fact; a longer chain of clauses is told in several."""

DOUBLED = {"妈": "妈妈", "爸": "爸爸", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹", "舅": "舅舅", "姑": "姑姑", "姨": "姨妈"}
DOUBLED |= {"家父": "父亲", "家母": "母亲", "家兄": "哥哥", "家姐": "姐姐", "舍弟": "弟弟", "舍妹": "妹妹"}
"""我妈 in third person."""
_QUOTED = re.compile(r"《[^》]*》|“[^”]*”")
_FIRST_OR_SECOND = re.compile(r"[我你您咱俺]")


def tell(clause: Clause, line: Line, *, owner: Owner, label: str, opening: bool) -> str:
    """The clause in third person, without a mark at its end; empty if it cannot be told.

    label: how the subject is named; opening: it begins a fact, so the subject is named.
    """
    speaker, listener = line.speaker, line.listener
    if owner is Owner.WE and not clause.person:
        label = f"{speaker}他们"
    after = _subject_end(clause)
    lead = clause.tokens[: clause.subject]
    made = [spelled(t) for t in lead if is_time(t)]
    done_to_me = clause.owner is Owner.THING and owner is Owner.ME  # 乳娘柳婆带我逃到江南: it names who does it
    if (opening and not done_to_me) or (clause.owned and clause.owner is Owner.ME):
        made.append(
            label
            + (
                "的"
                if clause.owned and owner is Owner.ME and (clause.tokens[after].text not in ("家", "家里") or label.endswith("家"))
                else ""
            )
        )
    made += [t.text for t in lead if t.text in words.ADVERBS and not is_time(t) and t.text not in _OPENING_ADVERBS]
    for i, token in enumerate(clause.tokens):
        if i < after:
            continue
        if (
            i == after
            and opening
            and (token.text == "也" or (token.text == "还" and i + 1 < len(clause.tokens) and _STILL_MORE.match(clause.tokens[i + 1].text)))
        ):
            continue
        if token.meant:
            made.append(token.meant)
        elif token.text in words.ME:
            if i + 1 < len(clause.tokens) and clause.tokens[i + 1].text == "自己":
                continue
            after_me = clause.tokens[i + 1].text if i + 1 < len(clause.tokens) else ""
            theirs = after_me in words.KIN | words.LOVE
            made.append(_self(clause, i, owner=Owner.THING if done_to_me else owner, speaker=speaker) + ("的" if theirs else ""))
        elif token.text in DOUBLED and i and clause.tokens[i - 1].text in words.ME:
            made.append(DOUBLED[token.text])
        elif token.text in words.WE:
            made.append(f"{speaker}他们")
        elif token.text in ("你", "您"):
            made.append(listener)
            if not listener:
                return ""
        elif token.text in ("其实", "当然"):
            continue
        else:
            made.append(spelled(token) if token.when is not None else spoken(token, line.text))
    said = re.sub(r"\s+", " ", "".join(made)).strip()
    said = words.TAIL.sub("", said.rstrip("、”"))
    if said.count("“") != said.count("”") or said.count("《") != said.count("》"):
        return ""
    said = re.sub(r"(?<=[\d一二三四五六七八九十])(了?)$", r"岁\1", said) if _AGE.fullmatch(clause.text(clause.body)) else said
    said = _EMPHASIS.sub(r"\1", said)
    return "" if points_at_talk(said, line) else said


def points_at_talk(told: str, line: Line) -> bool:
    """Whether 我 or 你 is left in it, outside of names and quotation marks."""
    bare = told.replace(line.speaker, "")
    return bool(_FIRST_OR_SECOND.search(_QUOTED.sub("", bare.replace(line.listener, "") if line.listener else bare)))


_OPENING_ADVERBS = frozenset("其实 真的 也 毕竟 就 后来 随后 另外".split())
_STILL_MORE = re.compile(r"很|喜欢|会|养|在|去|看|想|非常|特别")


def is_time(token: Token) -> bool:
    return words.is_passing_time(token) or token.text in ("最近", "现在", "目前", "平时", "以前", "小时候", "近来", "之前", "曾经")


_AGE = re.compile(r"(?:才|刚|满|已经|都)*(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)了?")
_DOES = re.compile(r"(?:也|就|以前|现在)?(?:在[^，是]{1,12})?(?:学|教|开|做|养|卖|干|修|搞|跑|种|当|造)[^，是的了过得]{1,10}的")
"""我学画画的: what one is by what one does."""


def by_what_one_does(text: str, label: str) -> str:
    """A fact with 是 in 林小雨学画画的."""
    first = text.rstrip("。").split("，")[0]
    does = bool(label) and first.startswith(label) and _DOES.fullmatch(first, len(label)) is not None
    return f"{label}是{text[len(label) :]}" if does else text


_EMPHASIS = re.compile(r"((?:超级?|挺|蛮|很|非常|特别|好|最喜欢)[^是，]{1,10})的$")
"""挺开心的: the particle of conviction."""


def _subject_end(clause: Clause) -> int:
    """Index after the words that the label stands for."""
    if clause.owner in (Owner.NONE, Owner.THING, Owner.POINTING):
        return clause.subject
    if clause.owner is Owner.ME and clause.owned:
        after = clause.subject + 1
        return after + 1 if after < len(clause.tokens) and clause.tokens[after].text == "的" else after
    if clause.owner is Owner.PERSON:
        size, at = 0, clause.subject
        mine = clause.tokens[at].text in words.ME | words.WE
        at += mine
        at += mine and at < len(clause.tokens) and clause.tokens[at].text == "的"
        while size < len(clause.person):
            size += len(clause.tokens[at].text)
            at += 1
        return at
    return clause.subject + 1


def _self(clause: Clause, i: int, *, owner: Owner, speaker: str) -> str:
    """我 inside the predicate: 自己 where the speaker is the subject and nobody else stands between."""
    between = clause.tokens[clause.subject + 1 : i]
    others = any(is_name(t) or t.tag == "r" or t.text in words.KIN | words.LOVE | words.PEOPLE for t in between)
    return "自己" if owner is Owner.ME and not others else speaker


def spelled(token: Token) -> str:
    return timeline.spell(token.when, language="zh") if token.when is not None and token.relative else token.text


def joined(pieces: Sequence[str]) -> str:
    return "，".join(pieces) + "。"
