"""Which facts a story is told by: what happened, what changed and what was decided, before what somebody is like, likes or thinks.

Words alone decide, in English and Chinese. A sentence must be understood where it stands in a summary: what points at something that is not there, or says hardly
anything, is left to the round it was said in. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from memory.content import chinese_words
from storage.records import Memory
from storage.terms import query_terms

TURN, STEP, FIRST_TIME, HAPPENED, DATED = 0.7, 0.25, 0.25, 0.2, 0.1
"""A life changed or something was decided; something was done that leads on; for the first or last time; in the past; on a known day."""
STATE, PASSING, HEDGED = -0.25, -0.3, -0.3
"""What somebody is like, likes, wants or thinks; what passes in a moment; what was hedged, or is no more than a view."""
POINTING, BROKEN, SCANT = -0.35, -0.6, -0.35
"""It points at what is not there; its sentence is not whole; it says hardly anything."""
REPEATS = -0.8
"""It says nothing that a fact before it does not say."""
TALKED_OF = 0.25
"""At most, for what the other facts tell of as well."""
WEIGHT = 1.6
"""Of all that beside nearness to the centre and distance from what is chosen already (`memory.narrative.choose`)."""
LEAST_TERMS = 3
"""Terms besides whom it is about."""

_OWN = r"(?:the|an?|their|his|her)"


def _any(*wordings: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(wordings)})\b", re.IGNORECASE)


_TURN = {
    "en": _any(
        r"quit|resign(?:ed|s)|hand(?:ed|s) in (?:\w+ )?notice|retire[ds]|graduat(?:ed|es)|became",
        r"(?:was|been|is|got) (?:hired|fired|promoted|sacked|offered|accepted|elected|diagnosed|born|arrested|injured|buried|engaged)",
        rf"(?:pass(?:ed)?|fail(?:ed|s)) {_OWN} (?:\w+ )?(?:exam|test)|(?:start|began|begin)(?:ed|s)? (?:teaching|working|school|university|college)",
        rf"mov(?:ed|es) (?:to|in|out|house|back|away)|left (?:home|town|school|{_OWN} (?:\w+ )?(?:man|woman|job|husband|wife|partner|family|company|country))",
        r"ran away|escaped|marr(?:ied|ies)|getting married|propos(?:ed|es) to|divorc(?:ed|es)|(?:broke|split|breaks) (?:up|off)|call(?:ed|s) off",
        r"cancel(?:led|s) the|f[ae]ll(?:s|en)? (?:out|in love|ill)|made (?:it )?up with|died|dies|passed away|drowned|crashed|pregnant|gave birth",
        rf"lost {_OWN} (?:friend|mother|father|mum|mom|dad|brother|sister|wife|husband|son|daughter|grand\w+|dog|cat|job|house|home)",
        r"had a (?:baby|son|daughter)|(?:had|needs) an operation|decid(?:ed|es)|refus(?:ed|es)|agreed|promis(?:ed|es)|swore|vow(?:ed|s)|gave up (?:on|hope)",
        r"admit(?:ted|s)|confess(?:ed|es)|forg(?:ave|iven)|apologi[sz]ed|betray(?:ed|s)|lied to|discover(?:ed|s)|found out|adopted|rescued|saved",
        rf"stole|killed|attacked|reconciled|(?:took|sold|bought|built|opened) {_OWN} (?:job|offer|post|house|flat|cottage|farm|boat|shop|business|school)",
    ),
    "zh": re.compile(
        r"辞职|辞了|离职|入职|转正|升职|解雇|退休|毕业(?!照)|考上|考完|没考[上过]|落榜|录取|录用|签约|开业|倒闭|结婚|离婚|订婚|求婚|分手|复合|和好|闹翻"
        r"|重逢|相认|搬[到家进走出]|搬过\S{0,3}家|离开|逃[走出跑]|出走|失踪|去世|过世|走了[两几一三四五十\d]+年|死了|病逝|上坟|怀孕|出生|流产|住院|手术|生病|病了"
        r"|受伤|车祸|决定|打算好|答应|发誓|拒绝|放弃|坦白|承认|原谅|道歉|背叛|发现|找到|找着|救了|收养|领养|偷了|卖给|卖了|不[去干做来回]\S{0,4}了|再也不"
        r"|改名|改过名|是正式|当上"
    ),
}
_STEP = {
    "en": _any(
        r"signed|arrived|returned|came (?:back|home)|went (?:back|home|to)|visited|met|sent|wrote (?:to|a)|rang|swam|won(?!['’])|lost (?!count)|found|fought|finished",
        r"completed|moved|changed|replaced|bought|sold|built|opened|closed|painted|repaired|mended|taught|learned|chose|hurt|sprained|broke|fell|stood up|asked|told",
        r"said (?:yes|no|goodbye|sorry)|brought|called|spoke|started|joined|founded|created|launched|moved|reached|received|invited",
    ),
    "zh": re.compile(
        r"面试|报名|报到|签了|关门|遇[见到]|见面|见着|认识了|吵架|吵翻|吵了|回[到来]了?|来了|走了|去了|不见了|出院|摔|骗|弄丢|丢了|赢|输|得奖|买了|做完|写完|编完"
        r"|完成|打通|寄[了出]|收到|写了|带[了来]|敲了|告诉|教"
    ),
}
_UNDONE = {
    "en": re.compile(
        r"\b(?:not|never|without|n['’]t|cannot|wants?|wanted|wishes|hopes?|thinks?|thought|believes?|should"
        r"|would|could|might|may|if|almost|planned|dreamed|who(?:['’]s)?)\b|n['’]t\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"没|不|别|想|要是|如果|希望|觉得|可能|应该|怕|等|得"),
}
"""Before a turn or a step: it was not taken."""
_SUPPOSED = re.compile(r"想着|如果|要是|希望|觉得|\b[Ii]f\b")
_FIRST = {
    "en": re.compile(
        r"\b(?:for the (?:first|last) time|first time|never (?:\w+ ){1,4}before|at last|finally|no longer|not (?:\w+ ){1,4}(?:now|any ?more))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"头一[回次]|第一[回次]|最后一[回次]|终于|总算|从来没|再也|不再"),
}
_HAPPENED = {
    "en": re.compile(
        r"(?<!\bis )(?<!\bare )(?<!\bbeen )\b(?:\w{3,}ed|came|went|got|took|gave|told|said|asked|saw|heard|felt|found|lost|left|sent|wrote|read"
        r"|spoke|stood|sat|ran|swam|drove|rode|flew|fell|broke|brought|bought|sold|built"
        r"|caught|taught|thought|kept|met|paid|put|set|shook|slept|woke|wore|won|cut|let|made|did|had to|grew"
        r"|threw|drew|began|sang|held|hid|spent|stole)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[^不还都老]了(?!解|不起)|过[了]?[。，]|回来|说[，：]?"),
}
_STATE = {
    "en": re.compile(
        r"\b(?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|can['’]t stand|is (?:allergic|afraid|scared|good|bad|fond|proud)"
        r"|wants?|wishes|hopes|thinks?|believes?|knows?|feels|needs?"
        r"|(?:is|are) (?:into|passionate|overwhelmed|determined|excited|grateful)|whenever|planned"
        r"|keeps?|always|usually|often|mostly|sometimes|every (?:day|morning|night|sunday|week)|seems?|looks? like"
        r"|is easier|should|would|could|might|if)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"喜欢|爱[吃喝看听坐照玩]|不爱|最爱|讨厌|怕|想[要着]?|希望|觉得|认为|总是|老是|经常|平时|每天|每个"
        r"|一般|可能|应该|要是|如果|会不会|知道|还行|挺|比较"
    ),
}
_PASSING = {
    "en": re.compile(
        r"\b(?:was|is|were) (?:shaking|crying|laughing|smiling|tired|cold|wet|hungry|thirsty|sitting|standing)\b"
        r"|\blook(?:ed|s) (?:at|up|down|along|round)\b|\b(?:sneez|smil|nodd|laugh|sigh)(?:ed|s)\b"
        r"|\b(?:will|wo(?:n['’]t)) (?:have|be|go|ring|bring|think)\b|\bis (?:going|not going) (?:home|anywhere)\b"
        r"|\bhas (?:only )?got (?:until|to)\b|\b(?:took off|put on|wore)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"手[心]?(?:有点|现在|都)|抖|出汗|腿是软的|心都|眼睛|剥|端|坐下|站起|看了一眼|瞅|笑了|哭了|点头|吃的|打个"),
}
_POINTING = {
    "en": re.compile(
        r"\b(?:it|this|that one|they|them|those|one|ones|something|somebody|someone|anything|there|here|he|she|him)\b", re.IGNORECASE
    ),
    "zh": re.compile(r"(?<!其)[它他她](?!们?自己)|这[个些儿]|那[个些儿种会]|什么|有个|一道一道|人家"),
}
_REFLEXIVE = re.compile(r"\b(?:that it|so \w+ it|it (?:rained|snowed)|it['’]s (?:settled|over|done|snowing|raining))\b", re.IGNORECASE)
_QUOTES = (("“", "”"), ("「", "」"), ("《", "》"), ("(", ")"), ("（", "）"))
_HANGING = {
    "en": re.compile(r"\b(?:said|asked|says|asks|told(?: \w+)?|and|but|that)[.]$", re.IGNORECASE),
    "zh": re.compile(r"(?:说|问|喊|道|叫|告诉|问\S{1,4})[。]$"),
}
"""It ends before what was said is told."""
_DAYS = re.compile(r"\d{4}年\d+月\d+日")
_ENDS = re.compile(r"[.!?。！？…][\"'”’」』）)]*$")


def worths(facts: Sequence[Memory]) -> list[float]:
    """What speaks for telling each of some facts of a span, whatever stands around it."""
    terms = [_terms(f) for f in facts]
    often = Counter(t for own in terms for t in own)
    most = max(2, len(facts) // 4)  # what is in everything, as a name is, is no matter of its own
    shared = [[min(often[t] - 1, 4) for t in own if 1 < often[t] <= most] for own in terms]
    again = [REPEATS if own and any(own <= before for before in terms[:n]) else 0.0 for n, own in enumerate(terms)]
    return [
        WEIGHT * (_worth(f, own) + TALKED_OF * math.tanh(sum(s) / 4) + a) for f, own, s, a in zip(facts, terms, shared, again, strict=True)
    ]


def _worth(fact: Memory, terms: frozenset[str]) -> float:
    language, text = ("zh" if fact.language == "zh" else "en"), fact.text
    turns = _done(_TURN[language], text, language)
    steps = turns or _done(_STEP[language], text, language)
    total = TURN if turns else STEP if steps else 0.0
    total += FIRST_TIME if _FIRST[language].search(text) else 0.0
    total += HAPPENED if steps or _HAPPENED[language].search(text) else 0.0
    total += DATED if fact.event_from is not None else 0.0
    total += STATE if not steps and _STATE[language].search(text) else 0.0
    total += PASSING if not steps and _PASSING[language].search(text) else 0.0
    total += HEDGED if fact.trust < 1 else 0.0
    total += POINTING if _points(fact, language) else 0.0
    total += BROKEN if _broken(fact, language) else 0.0
    return total + (SCANT if not turns and len(terms) < LEAST_TERMS else 0.0)


def _done(kind: re.Pattern[str], text: str, language: str) -> bool:
    """Whether a sentence says that something of a kind was done, not that it was not, or is wanted or thought of."""
    for found in kind.finditer(text):
        if found[0][0] in "不没再":
            return True
        if _SUPPOSED.search(text[: found.start()]):
            continue
        clause = re.split(r"[,;，；。]", text[: found.start()])[-1]
        if not _UNDONE[language].search(clause[-8:] if language == "zh" else clause):
            return True
    return False


def _points(fact: Memory, language: str) -> bool:
    """Whether it stands for something that its own sentence does not name before."""
    found = _POINTING[language].search(fact.text if language == "zh" else _REFLEXIVE.sub("", fact.text))
    if found is None:
        return False
    before = fact.text[: found.start()]
    # "Ros's dad retired, and now he drives Ros mad" says who he is.
    return len(before) < 12 if language == "zh" else len(before.split()) < 6


def _broken(fact: Memory, language: str) -> bool:
    text = fact.text
    uneven = any(text.count(a) != text.count(b) for a, b in _QUOTES) or text.count('"') % 2 == 1
    if uneven or not _ENDS.search(text):
        return True
    if _HANGING[language].search(text) or len(_DAYS.findall(text)) > 1:
        return True
    if language == "en":
        words = text.split()
        return bool(re.search(r"(?:^|\s)'[^']*$", text)) or (
            fact.subject != "" and len(words) < 12 and len(re.findall(re.escape(fact.subject), text)) > 2
        )
    return not fact.subject or (fact.subject not in text)


def _terms(fact: Memory) -> frozenset[str]:
    """What it says besides whom it is about."""
    own = frozenset(query_terms(fact.subject)) | frozenset(query_terms(fact.said_by))
    if fact.language != "zh":
        return frozenset(query_terms(fact.text)) - own
    words = chinese_words(fact.text.replace(fact.subject, " ") if fact.subject else fact.text)
    return frozenset(w for w in words if len(w) > 1 or w not in "有是说去来看") - own
