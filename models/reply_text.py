"""Text on its way to and from a model: readable characters only, and no control token of a chat template."""

from __future__ import annotations

import re

from models.control_tokens import escape

_BROKEN = re.compile("[\x00\ud800-\udfff]")
_HELD = re.compile(r"(?:<{1,2}/?[\w:]*[|｜]?|\[/?[\w~]*|\[\|\w*\|?|\]~?!?b?|>>?[A-Z]*<?|\|[A-Z]*)\Z")
_CONTROL = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>|<\w{1,40}[|｜]>|<[|｜]\w{1,40}>|</?s>|<(?:start|end)_of_\w{1,40}>|<seed:\w{1,20}>|\[/?INST\]|\[\|\w{1,40}\|\]|\[e~\[|\]~!?b\[|<SPECIAL_\d{1,4}>"
    r"|</?(?:bos|eos|pad|unk|eod|eop|eo[hamctr]|answer"
    r"|response|output|final|final_answer|im_start|im_end|endoftext|回答|回复)(?:_token)?>|\[END FINAL RESPONSE\]",
    re.IGNORECASE,
)
"""What a chat template puts around a turn, whole."""
_TAIL = re.compile(
    rf"(?:\s*(?:{_CONTROL.pattern}))+\s*(?:[<\[\]][^<>\[\]\s]{{0,40}}|\w{{1,9}})?\Z|[<\[\]][^<>\[\]\n]{{0,40}}\Z|\n\s{{0,9}}#{{1,3}}\s?\w{{0,11}}\s?\Z",
    re.IGNORECASE,
)
"""At the end of what has come: control tokens, whole or begun."""
_TAIL_CHARS = 400
_BEGUN = re.compile(r"\s*<[|｜]\w{1,40}[|｜]?\Z")
"""A control token that the end of the reply has cut."""
_NEXT = re.compile(
    r"(?:\s{0,9}(?:</s>|<[|｜](?:im_end|eot_id|eom_id|end|endoftext|end_of_text|end▁of▁sentence|return|endofturn|END_OF_TURN_TOKEN)[|｜]>|<end_of_turn>|<turn\|>|<eos>)){1,9}\s{0,9}"
    r"(?:<[|｜](?:im_start|start_header_id|start|User|user|system|turn|START_OF_TURN_TOKEN)[|｜]?>|<start_of_turn>|\[INST\]|<s>|(?:user|human)\s?:)"
    r"|\n\s{0,9}###\s?(?:instruction|user|human)\s?:"
    r"|(?:<[|｜](?:im_start|start_header_id|start|turn)[|｜]?>|<start_of_turn>)\s{0,9}(?:user|system|human)\b|<[|｜](?:User|user|system)[|｜]>",
    re.IGNORECASE,
)
"""Where a model that does not stop begins somebody else's turn."""
_OPENS = re.compile(
    r"\s*(?:<s>|<bos>|<\|begin_of_box\|>|(?:<[|｜](?:im_start|start|turn)[|｜]?>|<start_of_turn>)\s*(?:assistant|model)\b|<SPECIAL_\d{1,4}>\s*Assistant\b|<[|｜](?:assistant|Assistant)[|｜]>"
    r"|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>)\s*",
)
HELD_CHARS = 64
"""Longest beginning of a possible control token that waits for its end; the patterns of `models.control_tokens` match none that is longer."""


def readable(text: str) -> str:
    """The text without NUL and lone surrogates (neither survives JSON or SQLite), its control tokens escaped."""
    return escape(_whole(text))


def _whole(text: str) -> str:
    if not _BROKEN.search(text):
        return text
    # Halves of one character that came as two escapes belong together; what is still alone is unreadable.
    return text.replace("\x00", "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Turn:
    """The pieces of one reply without the control tokens at its head and its end. over: somebody else's turn began, of which nothing is passed on."""

    def __init__(self) -> None:
        self.over = False
        self._held = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        if self.over:
            return ""
        self._held += piece
        if not self._begun:
            while (opens := _OPENS.match(self._held)) is not None:
                self._held = self._held[opens.end() :]
        following = _NEXT.search(self._held)
        if following is not None:
            self.over = True
            ready, self._held = self._held[: following.start()], ""
            return self._without_tail(ready)
        tail = _TAIL.search(self._held, max(0, len(self._held) - _TAIL_CHARS))
        end = tail.start() if tail else len(self._held)
        if not self._begun and not self._held[:end].strip():
            return ""
        self._begun = True
        ready, self._held = self._held[:end], self._held[end:]
        return ready

    def end(self) -> str:
        left, self._held = self._held, ""
        return self._without_tail(_BEGUN.sub("", left))

    @staticmethod
    def _without_tail(text: str) -> str:
        end = len(text)
        for found in reversed(list(_CONTROL.finditer(text))):
            if text[found.end() : end].strip():
                break
            end = found.start()
        return text if end == len(text) else text[:end].rstrip()


class ReplyText:
    """The pieces of one reply, made `readable` although a control token or a character may be split over pieces.

    `feed` and `end` give what is ready; all of it joined is `readable` of all pieces joined.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._held + piece
        half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        # Escaped before it is cut: a token that is whole already must not be split by what is held.
        text = readable(text[: len(text) - len(half)])
        opening = _HELD.search(text, max(0, len(text) - HELD_CHARS))
        end = opening.start() if opening else len(text)
        self._held = text[end:] + half
        return text[:end]

    def end(self) -> str:
        text, self._held = self._held, ""
        return readable(text)
