"""What of a line is asked and not told: its questions, less what their speaker tells of themself before one that is put to whoever listens."""

from __future__ import annotations

import re
from collections.abc import Iterator

QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_LAST = re.compile(r"(?:[,，;；—]|\s[-–]+\s)(?=[^,，;；—]*$)")
"""Behind what the last part of a question stands."""
_TO_YOU = re.compile(r"(?!\W*(?:or\b|还是))(?:.*\byou|[^你您]*[你您])", re.IGNORECASE)
_OF_ONESELF = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|yes|no|hi|hello|actually)\b\W*)*(?:i|my|we|our)\b|\W*(?:(?:那|嗯|哦|啊|嗨|对|其实|不过|但是?)\W*)*(?:我|咱)",
    re.IGNORECASE,
)
_LEAVES_OPEN = re.compile(
    r"\b(?:you|your|yours|if|whether|unless)\b"
    r"|(?:[,;—]|\s[-–]+\s)\s*(?:(?:and|but|or) )?(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|who|what|where|why|how"
    r"|which|whose)\b"
    r"|[你您吗呢几]|什么|谁|哪|怎么|为何|多少|还是|是否|难道|如果|要是|假如|(.)[不没]\1",
    re.IGNORECASE,
)
"""What asks or supposes itself, or is of the listener."""


def asked(words: str) -> Iterator[tuple[int, int]]:
    """Where a line asks: of "I'm a nurse, and you?" the last two words."""
    for question in QUESTION.finditer(words):
        last = _LAST.search(question.group())
        yield question.start() + (last.start() if last and _is_told(question.group(), last) else 0), question.end()


def _is_told(question: str, last: re.Match[str]) -> bool:
    told = question[: last.start()]
    return _TO_YOU.match(question, last.end()) is not None and _OF_ONESELF.match(told) is not None and _LEAVES_OPEN.search(told) is None


_NAME_WANTED = re.compile(
    r"(?:^|[.!?…*\"“”]\s*|, (?:and|so|but|now) )(?:(?:please|so|now|first|come|well|and|then|but|just),? )*+"
    r"(?:(?:tell|give) me (?:your (?:full |real |first )?name|who you are|what (?:you(?:['’]re| are) called|they call you|people call you))"
    r"|(?:state|say|sign) your name|your name|introduce yourself|i(?:['’]d| would) (?:like|love) to know (?:your name|who you are))"
    r"(?=\W*$|[.!…]|,? (?:please|if you please|stranger|travell?er|friend|child)\b)",
    re.IGNORECASE,
)
_NAME_WANTED_ZH = re.compile(
    r"(?:告[诉訴]我|跟我[说說]|[说說]{2}|[报報]上|[报報]|留下|[写寫]下)(?:一下|下|一[声聲])?[你您](?:的)?(?:叫什[么麼]|叫啥|名字|姓名|大名|名[号號])(?:吧|呀|啊)?(?=[，,。！!；;]|$)"
    r"|(?:[报報]|留)(?:[个個]|下|上)?(?:名字|姓名|名[号號])(?:吧|[来來])?(?=[，,。！!；;]|$)"
)
_SENTENCES = 3
"""How many at the end of what was said before are looked through in English."""
_WANTED = 700
"""And how much of it."""


def wants_name(said: str) -> bool:
    """Whether somebody is to say who they are, without a question at the end: "Your name, please.", 报个名字."""
    if _NAME_WANTED_ZH.search(said[-2 * _WANTED :]):
        return True
    said = said[-_WANTED:]
    ends = [found.end() for found in re.finditer(r"[.!?…]+[\"”’'*)]*\s+(?=\S)", said)]
    return _NAME_WANTED.search(said[ends[-_SENTENCES] - 1 if len(ends) >= _SENTENCES else 0 :]) is not None
