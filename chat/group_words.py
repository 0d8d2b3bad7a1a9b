"""The program's own words in a conversation of several."""

from __future__ import annotations

MOST = 5
"""Characters of one conversation."""
ANSWERS = ("one", "all")

_LINES = {
    "en": ("{name} leaves.", "{name} comes back."),
    "zh": ("{name}离开了。", "{name}回来了。"),
}


def line_of(language: str, name: str, *, leaves: bool) -> str:
    """What stands in the transcript where somebody comes or goes."""
    out, back = _LINES.get(language, _LINES["en"])
    return (out if leaves else back).format(name=name)
