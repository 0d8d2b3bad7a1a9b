"""A reply is one speaker's: its own name before its words is left out, and where it begins to speak for somebody else it ends.

Small models write on as a script: `Mara: I see.` in the character's reply puts words into the player's mouth, and the next prompt would teach it to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from chat.citations import TrailerFilter
from chat.replies import ReplyJob
from errors import KeepsakeError
from models.chat_model import ReplyStream

_DRESS = re.compile(r"[ \t*_]*")
_COLON = re.compile(r"[*_]{0,3}\s*[:：][*_]{0,3}[ \t]*")
SHORTEST = 3
"""Letters of a first name alone that is taken for a label as well."""


class OneVoice:
    """Passes a reply on piece by piece. Holds back the beginning of a line as long as it may turn out to be a name with a colon. goes_on: what comes continues
    what was said before, which stands even if nothing is added to it."""

    def __init__(self, own: Collection[str], others: Collection[str], *, goes_on: bool = False) -> None:
        self._own = _labels(own)
        known = {name.casefold() for name in self._own}
        self._others = {name for name in _labels(others) if name.casefold() not in known}
        self._goes_on = goes_on
        self.begin_anew()

    def begin_anew(self) -> None:
        """What was fed so far was none of the reply."""
        self.over = False
        """Somebody else begins to speak: nothing more is passed on."""
        self._held = ""
        self._begins = True
        self._said = self._goes_on

    def feed(self, piece: str) -> str:
        """What of the reply so far can be shown now."""
        self._held += piece
        shown = ""
        while self._held and not self.over:
            if self._begins:
                label = self._label(whole=False)
                if label is None:
                    break
                self._begins = False
                if label:
                    self._held = self._held[label:]
                continue
            line, feed, rest = self._held.partition("\n")
            shown += self._pass(line + feed)
            self._held, self._begins = rest, bool(feed)
        return shown

    def end(self) -> str:
        """What is left to show when the reply is over."""
        if self.over:
            return ""
        label = self._label(whole=True) if self._begins else 0
        left, self._held = self._held[label or 0 :], ""
        return "" if self.over else self._pass(left)

    def _pass(self, text: str) -> str:
        self._said = self._said or bool(text.strip())
        return text

    def _label(self, *, whole: bool) -> int | None:
        """Letters of the speaker's own name at the head of what is held; None while it may become a name yet. Ends the reply at anybody else's."""
        dress = _DRESS.match(self._held)
        start = dress.end() if dress else 0
        head = self._held[start:]
        for name in sorted(self._own | self._others, key=len, reverse=True):
            if not _begins(head, name):
                continue
            colon = _COLON.match(self._held, start + len(name))
            if colon is None:
                continue
            if name in self._own:
                return colon.end() if whole or colon.end() < len(self._held) else None
            self.over = self._said  # of a reply that begins so, nothing would be left
            return 0
        return None if not whole and self._may_be_one(head) else 0

    def _may_be_one(self, head: str) -> bool:
        return any(_begins(head, name[: len(head)]) and not head[len(name) :].strip(" *_") for name in self._own | self._others)


def _labels(names: Collection[str]) -> set[str]:
    """Names and first names, as they are and in one case: `ß` is one letter, in capitals two."""
    whole = {spelt for name in map(str.strip, names) if name for spelt in (name, name.casefold())}
    return whole | {first for name in whole for first in name.split()[:1] if len(first) >= SHORTEST}


def _begins(text: str, name: str) -> bool:
    """In whatever case; letter by letter, so that as many letters of the text are the name as it has."""
    return re.match(re.escape(name), text, re.IGNORECASE) is not None


def write(
    job: ReplyJob,
    stream: ReplyStream,
    *,
    voice: OneVoice,
    trailer: TrailerFilter | None = None,
    on_piece: Callable[[], None] = lambda: None,
) -> KeepsakeError | None:
    """Read a model's reply to its end into a job; what it failed with."""
    failure: KeepsakeError | None = None

    def begin_anew() -> None:
        voice.begin_anew()
        if trailer:
            trailer.begin_anew()
        job.withdraw()

    def show(spoken: str) -> None:
        if shown := trailer.feed(spoken) if trailer else spoken:
            job.piece(shown)

    stream.on_thought, stream.on_withdrawn = job.think, begin_anew
    try:
        for piece in stream:
            on_piece()
            show(voice.feed(piece))
            if voice.over:
                stream.close()
                break
    except KeepsakeError as error:
        failure = error
    show(voice.end())
    if trailer and (rest := trailer.end()):
        job.piece(rest)
    return failure
