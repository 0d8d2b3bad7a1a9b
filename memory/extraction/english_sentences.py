"""Which stretches of a message state something: its sentences, less its questions."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?\n…]*(?:[.!?…]+[\"”')]*|\n|$)")
_TAIL_QUESTION = re.compile(
    r"(?<=\w)(?:\s+[-–—]+\s*|\s*[;—]\s*|,\s+)(?:(?:and|but|so) )?"
    r"(?:do|does|did|are|is|can|could|would|will|have|has|how|what|why|where|which|who|when|want|any|right|don't|isn't|you know|u know|ya know|y'know)\b[^,.!?]*\?",
    re.IGNORECASE,
)
"""A question at the end of a statement: "I like tea, do you?"."""
_ASKS = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|hey),? )?(?:do|does|did|are|is|was|can|could|would|will|have|has|how|what|why|where|which|who|when|if)\b",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Mt|vs|e\.g|i\.e|[A-Z])\.$|\d\.$")


def statements(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a stretch, less questions and what is too short to tell anything."""
    found = []
    quoted = False
    low = start
    for match in _SENTENCE.finditer(text, start, end):
        if match.end() == match.start():
            continue
        quoted ^= sum(match.group().count(mark) for mark in '"“”') % 2 == 1
        abbreviation = _ABBREVIATED.search(match.group()) and match.end() < end
        if abbreviation and match.group()[-2].isdigit() and not (text[match.end()].isdigit() or match.group().strip(" .").isdigit()):
            abbreviation = None  # "since I was 9. hate mushrooms", and neither "3.5" nor the "1." of a list
        if (quoted or abbreviation) and match.end() - low < 600:
            continue
        if "?" not in text[match.end() - 3 : match.end()]:
            if text[low : match.end()].strip():
                found.append((low, match.end()))
        elif (tail := _TAIL_QUESTION.search(text, low, match.end())) and not _ASKS.match(text, low):
            found.append((low, tail.start()))
        low = match.end()
    if low < end and text[low:end].strip() and not text[low:end].rstrip().endswith("?"):
        found.append((low, end))
    return found
