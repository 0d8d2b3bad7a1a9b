"""What somebody reads out to another stands between quotation marks, and its 我 is whoever wrote it: a letter, a note, a line of a book."""

from __future__ import annotations

import re

_GESTURE = re.compile(r"\*([^*\n]{1,400})\*")
_QUOTE = re.compile(r"“[^“”]{1,1500}”|「[^「」]{1,1500}」")
_READS = re.compile(
    r"(?<![惦想思纪观概悬怀默信])念(?=[。，、：:…]|$|给|出[声来]|[道着]|完|下去|起来|信|纸条|那[几一两封张行句])"
    r"|读出声|读出来|读给|朗读|大声读|小声读"
)
_NEGATED = re.compile(r"[没不别]$|听[^，。]{0,4}$|[你您他她][^，。我]{0,4}$")


def without_read_out(text: str, *, listener: str) -> str:
    """A message without what its speaker reads out, with blanks in its place: where they say that they do, and where a message that is one quotation tells
    of the one they talk with by name, whom nobody speaks to so."""
    quotes = [*_QUOTE.finditer(text)]
    if not quotes or not (_is_read(text) or _is_of_the_listener(text, quotes, listener)):
        return text
    for found in quotes:
        text = text[: found.start()] + "\n" * (found.end() - found.start()) + text[found.end() :]
    return text


def _is_read(text: str) -> bool:
    """*我清清嗓子，慢慢念。*; not 念书, nor 她念给我听."""
    return any(
        not _NEGATED.search(told.group(1)[: at.start()]) for told in _GESTURE.finditer(text) for at in _READS.finditer(told.group(1))
    )


def _is_of_the_listener(text: str, quotes: list[re.Match[str]], listener: str) -> bool:
    """“他们说玉盏已经走了。我说我就是玉盏”, said to her."""
    if len(quotes) != 1 or quotes[0].group() != text.strip() or len(listener) < 2:
        return False
    names = {listener, listener[1:]} if len(listener) == 3 else {listener}
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.search(rf"(?:说|我(?:就)?是|找|等|替)(?:{called})(?![，。！？,!?、]?[你您])", text) is not None
