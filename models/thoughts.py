"""What a model thinks aloud before it answers, told apart from the answer while both stream in.

Reasoning models put it between marks at the head of what they write. Some templates write the opening mark into the prompt: then only the closing one comes,
and what was taken for the answer until then was thought.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_MARKS = {"<think>": "</think>", "<thinking>": "</thinking>", "<reasoning>": "</reasoning>", "[think]": "[/think]"}
_LONE = "</think>"
"""The only closing mark that is known to come without its opening one."""


@dataclass(frozen=True)
class Heard:
    """withdrawn: everything said before was thought as well, and stands at the head of `thought`."""

    said: str = ""
    thought: str = ""
    withdrawn: bool = False

    def and_then(self, more: Heard) -> Heard:
        if more.withdrawn:
            return Heard(more.said, self.thought + more.thought, withdrawn=True)
        return Heard(self.said + more.said, self.thought + more.thought, withdrawn=self.withdrawn)


class _State(Enum):
    BEFORE = 0
    THINKING = 1
    SAYING = 2


class ThoughtFilter:
    """Parts one reply piece by piece, wherever the marks are cut. Marks further in than the head of the reply are the reply's own words."""

    def __init__(self) -> None:
        self._state = _State.BEFORE
        self._held = ""
        self._close = ""
        self._said: list[str] | None = []
        """What was said so far; None once nothing can be withdrawn any more."""

    def feed(self, piece: str) -> Heard:
        self._held += piece
        heard = Heard()
        while True:
            before = (self._state, len(self._held))
            heard = heard.and_then(self._step())
            if not self._held or (self._state, len(self._held)) == before:
                return heard

    def end(self) -> Heard:
        """What was held back in case it was the beginning of a mark."""
        left, self._held = self._held, ""
        return Heard(thought=left) if self._state is _State.THINKING else Heard(said=left)

    def _step(self) -> Heard:
        if self._state is _State.BEFORE:
            return self._opening()
        return self._thinking() if self._state is _State.THINKING else self._saying()

    def _opening(self) -> Heard:
        head = self._held.lstrip()
        if self._said is None:  # what parts a thought from what follows it is none of either
            self._held = head
        found = next((mark for mark in _MARKS if _place(mark, head[: len(mark)]) == 0), "")
        if found:
            self._state, self._close, self._held, self._said = _State.THINKING, _MARKS[found], head[len(found) :], None
        elif not any(len(head) < len(mark) and _place(mark[: len(head)], head) == 0 for mark in _MARKS):
            self._state = _State.SAYING
        return Heard()

    def _thinking(self) -> Heard:
        place = _place(self._close, self._held)
        if place < 0:
            return Heard(thought=self._up_to_mark(self._close))
        thought, self._held = self._held[:place], self._held[place + len(self._close) :]
        self._state = _State.BEFORE  # it may think again
        return Heard(thought=thought)

    def _saying(self) -> Heard:
        if self._said is None:
            said, self._held = self._held, ""
            return Heard(said=said)
        place = _place(_LONE, self._held)
        if place < 0:
            said = self._up_to_mark(_LONE)
            self._said.append(said)
            return Heard(said=said)
        thought = "".join(self._said) + self._held[:place]
        self._held, self._said, self._state = self._held[place + len(_LONE) :], None, _State.BEFORE
        return Heard(thought=thought, withdrawn=True)

    def _up_to_mark(self, mark: str) -> str:
        """All that is held but what may be the beginning of a mark."""
        held = self._held
        kept = next((n for n in range(min(len(mark) - 1, len(held)), 0, -1) if _place(mark[:n], held[-n:]) == 0), 0)
        ready, self._held = self._held[: len(self._held) - kept], self._held[len(self._held) - kept :]
        return ready


def _place(mark: str, text: str) -> int:
    """Where a mark stands in a text, in large or small letters; -1 if nowhere. Not in the text in small letters, which may be longer (İ)."""
    found = re.search(re.escape(mark), text, re.IGNORECASE | re.ASCII)
    return found.start() if found else -1
