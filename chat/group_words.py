"""The program's own words in a conversation of several."""

from __future__ import annotations

MOST = 5
"""Characters of one conversation."""
MOST_EVER = 4 * MOST
"""Of all its branches, and of what was taken back."""
ANSWERS = ("one", "all")

_LINES = {
    "en": ("{name} leaves.", "{name} comes back.", "{name} joins."),
    "zh": ("{name}离开了。", "{name}回来了。", "{name}来了。"),
}


def line_of(language: str, name: str, *, leaves: bool) -> str:
    """What stands in the transcript where somebody comes or goes."""
    out, back, _ = _LINES.get(language, _LINES["en"])
    return (out if leaves else back).format(name=name)


def joining_line(language: str, name: str) -> str:
    """The same where somebody comes who never was there."""
    return _LINES.get(language, _LINES["en"])[2].format(name=name)
