"""Decorators of V3 lorebooks: leading lines `@@name value` of an entry's content, each with fallbacks `@@@name value` below it."""

from __future__ import annotations

from dataclasses import dataclass

MAX_DECORATORS = 50
"""Lines of one entry that are read as such; what follows is content."""


@dataclass(frozen=True)
class Decorator:
    name: str
    value: str
    fallbacks: tuple[tuple[str, str], ...] = ()
    """Names and values to take instead, in order, by a program that does not know the name."""


def split_content(content: str) -> tuple[tuple[Decorator, ...], str]:
    """The decorators of an entry and its content without them and without the empty lines around them."""
    lines = content.lstrip("\r\n").split("\n")
    found: list[Decorator] = []
    for n, line in enumerate(lines[:MAX_DECORATORS]):
        text = line.strip()
        if text.startswith("@@@") and found:
            last = found[-1]
            found[-1] = Decorator(last.name, last.value, (*last.fallbacks, _named(text[3:])))
        elif text.startswith("@@") and not text.startswith("@@@"):
            found.append(Decorator(*_named(text[2:])))
        elif text or not found:
            return tuple(found), "\n".join(lines[n:]).strip("\r\n") if found else content
    return (tuple(found), "\n".join(lines[MAX_DECORATORS:]).strip("\r\n")) if found else ((), content)


def _named(text: str) -> tuple[str, str]:
    name, _, value = text.strip().partition(" ")
    return name, value.strip()
