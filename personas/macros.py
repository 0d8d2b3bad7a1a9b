"""Macros in the texts of a card: `{{name}}` and `{{name:arguments}}`, whatever their letter case; `<user>`, and `{user}` as some write it.

One pass: what a macro becomes is not read for macros again, so a name that looks like one stays a name. What is not known stays as it stands. Chance is drawn from
a seed, so that the same seed fills a text in the same way.
"""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass
from datetime import datetime

from personas.unnamed_player import MARK, Read, neutral, told

MAX_DEPTH = 16
"""Macros inside the arguments of macros."""
MAX_DICE, MAX_SIDES = 100, 1_000_000
_MARK = re.compile(r"\{\{(?!\{)|\}\}|<(?:user|char|bot)>|(?<!\{)\{(?:user|char)\}(?!\})", re.IGNORECASE)
_DICE = re.compile(r"(\d{0,3})d(\d{1,7})(?:([+-])(\d{1,6}))?|(\d{1,7})", re.IGNORECASE | re.ASCII)
_CALL = re.compile(r"\s*([A-Za-z_]+)(?:\s*:\s*|\s+(?=\S)|\s*$)|\s*(//)", re.ASCII)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}


@dataclass(frozen=True)
class Macros:
    """What the macros of one reply stand for. seed: of the reply; chat: of the conversation, whose picks stay as they are."""

    user: str
    """The player's name; empty where it is not known (`personas.unnamed_player`)."""
    char: str
    language: str
    now: datetime
    seed: str
    chat: str
    persona: str = ""
    """What the player's persona says."""

    @property
    def player(self) -> str:
        """What the player is called within a sentence of the program's own."""
        return self.user or neutral(self.language)

    def fill(self, text: str, *, place: str, original: str | None = None, read: Read = Read.TOLD) -> str:
        """place: the field the text is of, for which chance is drawn apart; original: what {{original}} stands for, None where it stands for nothing; read: how
        the text is read, for a player without a name."""
        if "{" not in text and "<" not in text:
            return text
        if self.user:
            return _Filling(self, place, original).run(text)
        return told(_Filling(self, place, original).run(text.replace(MARK, "")), self.language, read=read)


class _Filling:
    def __init__(self, macros: Macros, place: str, original: str | None) -> None:
        self._macros = macros
        self._place = place
        self._original = original
        self._drawn = 0

    def run(self, text: str) -> str:
        # Each open macro as its pieces; of each piece, whether it stands in the text itself.
        open_: list[list[tuple[str, bool]]] = [[]]
        at = 0
        for mark in _MARK.finditer(text):
            open_[-1].append((text[at : mark.start()], True))
            at, token = mark.end(), mark.group()
            if token == "{{" and len(open_) <= MAX_DEPTH:
                open_.append([])
            elif token == "}}" and len(open_) > 1:
                pieces = open_.pop()
                inner = "".join(piece for piece, _ in pieces)
                filled = self._filled(pieces[0][0], inner) if pieces else None
                open_[-1].append((f"{{{{{inner}}}}}" if filled is None else filled, False))
            elif token[0] == "<" or (token[0] == "{" and len(token) > 2):
                open_[-1].append(((self._macros.user or MARK) if token[1:-1].lower() == "user" else self._macros.char, False))
            else:
                open_[-1].append((token, True))
        open_[-1].append((text[at:], True))
        return "{{".join("".join(piece for piece, _ in pieces) for pieces in open_)

    def _filled(self, head: str, inner: str) -> str | None:
        """head: what stands in the text itself before any macro inside; the name must stand there."""
        call = _CALL.match(head)
        if call is None or (call.end() == len(head) != len(inner) and not head.rstrip().endswith(":")):
            return None
        name, arguments = (call[1] or call[2]).lower(), inner[call.end() :]
        if call.end() == len(inner) and ":" not in call.group():
            return self._word(name)
        return self._call(name, arguments) if ":" in call.group() or name in ("roll", "//") else None

    def _word(self, name: str) -> str | None:
        macros, now, zh = self._macros, self._macros.now, self._macros.language == "zh"
        match name:
            case "user":
                return macros.user or MARK
            case "char" | "bot":
                return macros.char
            case "persona":
                return macros.persona
            case "original":
                return self._original
            case "time":
                return f"{now:%H:%M}"
            case "date":
                return f"{now.year}年{now.month}月{now.day}日" if zh else f"{now.day} {_MONTHS[now.month - 1]} {now.year}"
            case "weekday":
                return _DAYS["zh" if zh else "en"][now.weekday()]
            case "isodate":
                return f"{now:%Y-%m-%d}"
            case "isotime":
                return f"{now:%H:%M}"
            case "newline":
                return "\n"
            case "noop" | "//":
                return ""
        return None

    def _call(self, name: str, arguments: str) -> str | None:
        match name:
            case "random":
                return self._choice(arguments, self._macros.seed)
            case "pick":
                return self._choice(arguments, f"pick {self._macros.chat} {arguments}")
            case "roll":
                return self._roll(arguments.strip())
            case "reverse":
                return arguments[::-1]
            case "//" | "comment" | "hidden_key":
                return ""
        return None

    def _choice(self, arguments: str, seed: str) -> str | None:
        parts = arguments.lstrip(":").split("::") if "::" in arguments or arguments.startswith(":") else re.split(r"(?<!\\),", arguments)
        choices = [part.replace("\\,", ",").strip() for part in parts]
        return self._chance(seed).choice(choices) if any(choices) else None

    def _roll(self, dice: str) -> str | None:
        found = _DICE.fullmatch(dice)
        if found is None:
            return None
        count, sides = (1, int(found[5])) if found[5] else (int(found[1] or 1), int(found[2]))
        if not (1 <= count <= MAX_DICE and 1 <= sides <= MAX_SIDES):
            return None
        chance = self._chance(self._macros.seed)
        total = sum(chance.randint(1, sides) for _ in range(count))
        return str(total + int(f"{found[3]}{found[4]}") if found[3] else total)

    def _chance(self, seed: str) -> random.Random:
        self._drawn += 1
        return random.Random(hashlib.sha256(f"{seed}\0{self._place}\0{self._drawn}".encode("utf-8", "replace")).digest())
