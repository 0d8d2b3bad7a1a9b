"""What a model thinks aloud, told apart from what it says while both stream in.

Reasoning models put it between marks, mostly before what they say, sometimes in the middle. Some templates write the opening mark into the prompt: then only the
closing one comes, and what was taken for the answer until then was thought. Which marks there are stands in one table, `_MARKS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_FLAGS = re.IGNORECASE | re.ASCII
_WORD = r"(?:[a-z]{1,20}[:_])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|monologue|cot)|reflection|analysis|scratchpad|思考过程|思考|推理过程|推理"
_TOKEN = r"(?:thought|thinking|think|reasoning)"


_END_OF_CHANNEL = r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)"


def _fixed(close: str) -> Callable[[str], str]:
    return lambda opened: close


def _name(tag: str) -> str:
    return tag[1:-1].split()[0]


_MARKS: tuple[tuple[str, Callable[[str], str]], ...] = (
    # Tags of many models, of Seed (<seed:think>), and what is written by hand: closed by their own name.
    (rf"<(?:(?:{_WORD})(?:\s[^<>]{{0,200}})?|\s(?:{_WORD})\s)>", lambda opened: rf"</\s*{re.escape(_name(opened))}\s*>"),
    (r"\[(?:THINK|THINKING|REASONING|思考)\]", lambda opened: rf"\[/\s*{re.escape(opened[1:-1])}\]"),  # Mistral
    (r"<details\b[^<>]{0,400}\btype\s*=\s*[\"']?reasoning\b[^<>]{0,400}>", _fixed(r"</details>")),  # Open WebUI
    (r"<\|channel>\s*(?:thought|thinking|analysis)\b", _fixed(r"<channel\|>")),  # Gemma
    # Harmony: everything but the final channel, up to its end or to the next channel.
    (
        r"(?:<\|start\|>\s*assistant\b[^<]{0,60})?<\|channel\|>\s*(?!final\b)[a-z]{1,20}\b[^<]{0,80}(?:<\|constrain\|>[^<]{0,20})?<\|message\|>",
        _fixed(_END_OF_CHANNEL),
    ),
    (r"\A\s*(?:analysis|commentary)<\|message\|>", _fixed(_END_OF_CHANNEL)),  # its first token taken away
    (r"\A\s*(?-i:analysis(?=[A-Z\"'“‘\u4e00-\u9fff]))", _fixed("assistantfinal")),  # all of them
    (  # OpenThinker, Command, and others that spell them as tokens
        rf"<[|｜](?:begin_of_|start_of_|start_|begin_)?{_TOKEN}(?:_start|_begin)?[|｜]>",
        _fixed(rf"<[|｜](?:/|end_of_|end_)?{_TOKEN}(?:_end)?[|｜]>|<\|end\|>"),
    ),
    (r"◁think▷", _fixed("◁/think▷")),  # Kimi
    (
        r"【(?:思考|推理)(?:过程|开始)?】",
        _fixed(r"【(?:/\s*(?:思考|推理)(?:过程)?|(?:思考|推理)(?:过程)?结束|回答|回复|正文|答案)】"),
    ),
    (r"\A\s*Here is my thought process:", _fixed(r"Here is my response:\s*")),  # Granite
    (r"\A\s*Here are my reasoning steps:", _fixed(r"\[BEGIN FINAL RESPONSE\]\s*")),  # Apriel
)
_OPEN = tuple((re.compile(mark, _FLAGS), close) for mark, close in _MARKS)
_LONE = re.compile(rf"</\s?(?:{_WORD})\s?>|\[/(?:THINK|THINKING|REASONING|思考)\]|◁/think▷|<[|｜](?:/|end_of_|end_){_TOKEN}[|｜]>", _FLAGS)
"""Closing marks that come without their opening ones."""
_FINAL = re.compile(r"(?:<\|start\|>\s*assistant\b[^<]{0,60})?<\|channel\|>\s*final\b[^<]{0,80}<\|message\|>", _FLAGS)
"""Before what is said in harmony."""
_FINAL_FIRST = re.compile(rf"\A\s*final<\|message\|>|{_FINAL.pattern}", _FLAGS)
"""The same at the head of a reply."""
_WRAP = re.compile(
    rf"\s*(?:</(?:{_WORD})>\s*)?(?:<(?:answer|response|final|final_answer|output|回答|回复)>|【(?:回答|回复|正文|答案)】"
    r"|<\|(?:begin_of_solution|START_RESPONSE)\|>|<\|begin\|>\s*assistant\s*<\|content\|>)?\s*",
    _FLAGS,
)
"""Between a thought and what is said."""
_MAYBE = re.compile(
    r"(?:<\|start\|>[^<]{0,80})?<\|channel\|?>?[^<]{0,80}(?:<\|constrain\|>[^<]{0,20})?(?:<\|?[a-z]{0,9}\|?)?\Z|<\|(?:start|begin)\|>[^<]{0,80}(?:<\|?[a-z]{0,9}\|?)?\Z"
    rf"|<(?:details|{_WORD})\s[^<>]{{0,800}}\Z|</?\s?[|｜/]{{0,2}}[\w:思考过程推理回答复]{{0,40}}\s?[|｜]?\Z|\[/?[A-Z思考 ]{{0,24}}\Z|【[^】]{{0,8}}\Z|◁/?[a-z]{{0,6}}\Z",
    _FLAGS,
)
"""At the end of what has come: what may become a mark."""
_LOOKED_BACK = 900
_SLICE = 1024
_HEADS = (
    "here is my thought process:",
    "here are my reasoning steps:",
    "analysis",
    *(f"{channel}<|message|>" for channel in ("analysis", "commentary", "final")),
)
_BEGINNINGS = "<[◁【"
"""With one of these every other mark begins."""
_PHRASE_CHARS = 24


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


class ThoughtFilter:
    """Parts one reply piece by piece, wherever the marks are cut."""

    def __init__(self) -> None:
        self._held = ""
        self._close: re.Pattern[str] | None = None
        """What ends the thought that is under way; None while something is said."""
        self._said: list[str] | None = []
        """What was said so far; None once nothing can be withdrawn any more."""
        self._gap = True
        """Whether what was said so far ends with room, or there is none yet."""
        self._after = False
        """Whether a thought has just ended."""

    def feed(self, piece: str) -> Heard:
        heard = Heard()
        for start in range(0, len(piece), _SLICE):  # so that a model that writes nothing but marks costs no time
            self._held += piece[start : start + _SLICE]
            while (step := self._step()) is not None:
                heard = heard.and_then(step)
        return heard

    def end(self) -> Heard:
        """What was held back in case it was the beginning of a mark."""
        left, self._held = self._held, ""
        return Heard(thought=left) if self._close is not None else self._saying(left)

    def _step(self) -> Heard | None:
        """What comes next of what is held; None where nothing does before more is fed."""
        if self._close is not None:
            return self._thinking(self._close)
        if self._after and not self._skip():
            return None
        opened, close = self._opened()
        lone = _LONE.search(self._held) if self._said is not None else None
        final = (_FINAL_FIRST if self._first else _FINAL).search(self._held)
        first = min((found for found in (opened, lone, final) if found is not None), key=lambda found: found.start(), default=None)
        if first is None:
            return self._ready()
        before, self._held = self._held[: first.start()], self._held[first.end() :]
        if first is lone:
            thought = "".join(self._said or ()) + before
            self._ended()
            self._gap = True
            return Heard(thought=thought, withdrawn=True)
        said = self._saying(before)
        self._said, self._after = None, True
        if first is opened:
            self._close = _compiled(close)
        return said

    @property
    def _first(self) -> bool:
        """Whether nothing came before what is held."""
        return self._said == [] and not self._after

    def _opened(self) -> tuple[re.Match[str] | None, str]:
        """The first opening mark in what is held, and the pattern of what closes it."""
        best: re.Match[str] | None = None
        close = ""
        for mark, closing in _OPEN:
            if mark.pattern.startswith(r"\A") and not self._first:
                continue
            found = mark.search(self._held)
            if found is not None and (best is None or found.start() < best.start()):
                best, close = found, closing(found.group())
        return best, close

    def _thinking(self, close: re.Pattern[str]) -> Heard | None:
        found = close.search(self._held)
        if found is None:
            phrase = 0 if close.pattern[:1] in "<[\\【◁(" else _PHRASE_CHARS
            return Heard(thought=ready) if (ready := self._taken(phrase)) else None
        thought, self._held = self._held[: found.start()], self._held[found.end() :]
        self._ended()
        return Heard(thought=thought)

    def _ended(self) -> None:
        self._close, self._said, self._after = None, None, True

    def _skip(self) -> bool:
        """Leave out what parts a thought from what is said after it. Whether that is over."""
        wrap = _WRAP.match(self._held)
        end = wrap.end() if wrap else 0
        rest = self._held[end:]
        if not rest or (_MAYBE.match(rest) is not None):
            return False
        between, self._held, self._after = self._held[:end], rest, False
        if not self._gap and between.strip() == "" and between:
            self._held = between + rest
        return True

    def _ready(self) -> Heard | None:
        if self._said == [] and any(head.startswith(self._held.strip().lower()) for head in _HEADS):
            return None
        said = self._taken(0)
        return self._saying(said) if said else None

    def _saying(self, said: str) -> Heard:
        if said:
            self._gap = said[-1].isspace()
            if self._said is not None:
                self._said.append(said)
        return Heard(said=said)

    def _taken(self, least: int) -> str:
        """All that is held but what may be the beginning of a mark. least: characters that are held in any case."""
        maybe = _MAYBE.search(self._held, max(0, len(self._held) - _LOOKED_BACK))
        end = min(maybe.start() if maybe else len(self._held), len(self._held) - least)
        ready, self._held = self._held[: max(0, end)], self._held[max(0, end) :]
        return ready


@lru_cache(64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, _FLAGS)


def without_thoughts(text: str) -> str:
    """What of a whole text is said."""
    thoughts = ThoughtFilter()
    return thoughts.feed(text).and_then(thoughts.end()).said


def thoughts_apart(text: str) -> tuple[str, str]:
    """What a model said, and what it thought before. A text without thoughts stays as it is, to the letter."""
    if not any(mark in text for mark in _BEGINNINGS) and not text.lstrip()[:_PHRASE_CHARS].lower().startswith(
        tuple(h[:_PHRASE_CHARS] for h in _HEADS)
    ):
        return text, ""
    apart = ThoughtFilter()
    heard = apart.feed(text).and_then(apart.end())
    return (heard.said.strip(), heard.thought.strip()) if heard.said != text else (text, "")
