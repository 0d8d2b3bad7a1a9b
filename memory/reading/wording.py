"""The form of a fact: the speaker, whom it is about, the line that is answered, and the exact words; put together, and taken apart again."""

from __future__ import annotations

import re

_FORM = re.compile(
    r"(?P<who>[^“”]{1,160}?)(?: \(to [^“”]{1,80}: “(?P<line>.*?)”\)|（[^“”]{1,80}：“(?P<zh_line>.*?)”）)?(?P<colon>: |：)“(?P<words>.*)”",
    re.DOTALL,
)


def worded(speaker: str, words: str, *, of: str = "", before: tuple[str, str] | None = None, chinese: bool = False) -> str:
    """The text of a fact. of: whom it is about, where the words do not say; before: who said the line that is answered, and the line."""
    if chinese:
        asked = f"（{before[0]}：“{before[1]}”）" if before else ""
        return f"{speaker}{f'，说的是{of}' if of else ''}{asked}：“{words}”"
    asked = f" (to {before[0]}: “{before[1]}”)" if before else ""
    return f"{speaker}{f', of {of}' if of else ''}{asked}: “{words}”"


def parted(text: str) -> tuple[str, str]:
    """(who it is from and what they say, the line they answer or nothing) of a fact; of any other text (itself, nothing)."""
    found = _FORM.fullmatch(text)
    if found is None:
        return text, ""
    return f"{found['who']}{found['colon']}{found['words']}", found["line"] or found["zh_line"] or ""


def words_of(text: str) -> str:
    """The words of a fact; any other text as it stands."""
    found = _FORM.fullmatch(text)
    return text if found is None else found["words"]
