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
