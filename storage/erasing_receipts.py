"""What is erased, taken out of receipts: the prompt as it was sent holds messages and tells memories.

A message is found by the wording that a receipt names for each part of its prompt; receipts of versions that named none, by its text. A memory is told: with the
player's name where it says "the player" or a round has what is no name before their words, on one line, cut when it is long. The hash of a prompt goes with the
first word taken out of it: it could confirm a guess. So does what the model thought about it.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from storage.records import from_ms, sha256
from storage.wall import MOST_OFFSET

MARK = "▇▇▇"
"""What stands in a receipt where an erased text stood."""
STAND_INS = ("the player", "The player", "玩家")
"""Words of a memory that a prompt may tell as the player's name."""
LINE_STARTS = ("- ({day}, round {n}) ", "- ({day}，第{n}轮) ")
EARLIER_STARTS = ("- ({day}, before this conversation) ", "- ({day}，这段对话之前) ")
"""How a line that tells a memory begins in a prompt, by language; the second, of one that came along from another conversation."""
HEAD_CHARS = 30
"""So much of a text tells a line that was cut."""
SENTENCE_CHARS = 12
SENTENCE_CHARS_CJK = 6
"""Shorter texts are no sentences: they are looked for in lines about the memory alone, since they may be part of any other word."""

VALUE_PARTS = 8
"""A value may hold commas: as many of its parts are looked at together."""

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LABEL = r"(?:\A|(?<=\n))[^\n:]{1,60}: "
_ESCAPED = re.compile(r"([<\[\]]) ")


@dataclass(frozen=True)
class Erased:
    """What must be known of a memory to find it in a receipt."""

    id: str
    kind: str
    texts: tuple[str, ...]
    """What it says and, by hand, said before."""
    said_at: int
    round_first: int
    elsewhere: bool
    """Whether another memory that stays says the same."""
    key: str = ""
    """Of a value of the player's persona."""
    known: str = ""
    """Of one that a person put in their own words: hex SHA-256 of what the model had made (`storage.decisions`)."""

    def said_before(self, text: str) -> bool:
        """Whether a text, of a value its words alone, is what the model had made."""
        return bool(self.known) and sha256(f"{self.key}: {text}" if self.kind == "persona" else text) == self.known

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """How its line in a prompt begins (`chat.prompt`), by language."""
        # On whose wall it was said an older backup does not know: on any, it was one of these days.
        days: dict[str, None] = {}
        for ahead in (0, MOST_OFFSET, -MOST_OFFSET):
            with suppress(OverflowError):  # no wall shows a day outside of the calendar
                days[f"{from_ms(self.said_at + ahead * 60_000):%Y-%m-%d}"] = None
        forms = LINE_STARTS if self.round_first >= 0 else EARLIER_STARTS
        return tuple(form.format(day=day, n=self.round_first) for day in days for form in forms)

    @cached_property
    def whole(self) -> list[re.Pattern[str]]:
        return [_told(text, spoken=self.kind == "episode") for text in self.texts if is_sentence(text)]

    @cached_property
    def heads(self) -> list[re.Pattern[str]]:
        return [_told(text[:HEAD_CHARS], spoken=self.kind == "episode") for text in self.texts]


def redact_receipts(connection: sqlite3.Connection, chat_id: str, memories: Sequence[Erased]) -> None:
    """Put a mark in the place of every telling of these memories in the chat's receipts; ids stay."""
    if not memories:
        return
    by_id = {m.id: m for m in memories}
    values = [m for m in memories if m.kind == "persona"]

    def redact(body: dict[str, Any]) -> None:
        told = {c["memory_id"] for c in body.get("candidates", ()) if c.get("delivered")} | set(body.get("pinned", ()))
        *history, (role, last) = body["prompt"]
        above, newest = _parted(body, last)
        lines = above.split("\n")
        for memory in (by_id[i] for i in told if i in by_id):
            lines = _without(lines, memory)
        for value in values:
            lines = [_without_value(line, value) for line in lines]
        above = "\n".join(lines)
        for memory in memories:
            if memory.kind != "persona" and not memory.elsewhere:
                for pattern in memory.whole:
                    above, newest = pattern.sub(MARK, above), pattern.sub(MARK, newest)
        _put(body, [*history, [role, above + newest]], newest)

    _rewrite(connection, chat_id, redact)


def redact_messages(connection: sqlite3.Connection, chat_id: str, wordings: Mapping[str, str]) -> None:
    """Put a mark in the place of erased wordings in the chat's receipts: as a cue, in the history, and as the message that was answered. wordings: texts by
    the ids of their revisions."""
    gone = {_plain(text) for text in wordings.values() if text}
    longest_first = sorted(gone, key=len, reverse=True)

    def redact(body: dict[str, Any]) -> None:
        *history, (role, last) = body["prompt"]
        if _plain(str(body.get("query", ""))) in gone:
            body["query"] = MARK
        sources = body.get("sources")
        if sources:
            above, newest = _parted(body, last)
            newest = MARK if sources[-1] in wordings else newest
            told = [[r, MARK if source in wordings else text] for (r, text), source in zip(history, sources, strict=False)]
            _put(body, [*told, [role, above + newest]], newest)
            return
        plain = _plain(last)
        for text in longest_first:
            if plain == text or plain.endswith("\n\n" + text):
                last = re.sub("".join(re.escape(c) + (" ?" if c in "<[]" else "") for c in text) + r"\Z", MARK, last)
                break
        body["prompt"] = [*([r, MARK if _plain(content) in gone else content] for r, content in history), [role, last]]

    if wordings:
        _rewrite(connection, chat_id, redact)


def _parted(body: Mapping[str, Any], last: str) -> tuple[str, str]:
    """The last text of a prompt as what stands above the newest message, and that message; the first has all of it where a receipt does not tell."""
    newest = len(last) - int(body.get("tail", 0))
    return last[:newest], last[newest:]


def _put(body: dict[str, Any], prompt: list[list[str]], newest: str) -> None:
    body["prompt"] = prompt
    if "tail" in body:
        body["tail"] = len(newest)


def _rewrite(connection: sqlite3.Connection, chat_id: str, redact: Callable[[dict[str, Any]], None]) -> None:
    ids = [row[0] for row in connection.execute("SELECT id FROM receipt WHERE chat_id = ?", (chat_id,))]
    for receipt_id in ids:
        (stored,) = connection.execute("SELECT body FROM receipt WHERE id = ?", (receipt_id,)).fetchone()
        body = json.loads(stored)
        if not body.get("prompt"):
            continue
        whole = body["prompt"]
        redact(body)
        if body["prompt"] != whole:
            body.pop("thoughts", None)  # a model thinks in words of its own about whatever it reads
            if "sha256" in body:
                body["sha256"] = ""
        written = json.dumps(body, ensure_ascii=False)
        if written != stored:
            connection.execute("UPDATE receipt SET body = ? WHERE id = ?", (written, receipt_id))


def _without(lines: Sequence[str], memory: Erased) -> list[str]:
    """The lines of a prompt that told a memory, without what they said of it. Where none is recognised (it was edited since), every line of its day and round."""
    starts = {place: start for place, line in enumerate(lines) for start in memory.prefixes if line.startswith(start)}
    ours = list(starts)
    known = [place for place in ours if any(head.search(lines[place]) for head in memory.heads)]
    gone = set(known or ours)
    return [starts[place] + MARK if place in gone else line for place, line in enumerate(lines)]


def _without_value(line: str, value: Erased) -> str:
    """The sketch of the player is one line in brackets' heading: a value in it stands between separators."""
    if not line.startswith(("[", "【")):
        return line
    for text in value.texts:
        line = re.sub(rf"(?<![^\s:：;；,，]){re.escape(text)}(?![^\s;；,，])", MARK, line)
    if value.known:
        parts = re.split(r"((?:[:;,]\s|[：；，\]】])\s*)", line)  # words at even places, what parts them between
        for first in range(0, len(parts), 2):
            for last in range(first, min(first + 2 * VALUE_PARTS, len(parts)), 2):
                if value.said_before(_plain("".join(parts[first : last + 1]))):
                    return "".join([*parts[:first], MARK, *parts[last + 1 :]])
    return line


def is_sentence(text: str) -> bool:
    return len(text) >= (SENTENCE_CHARS_CJK if _CJK.search(text) else SENTENCE_CHARS)


def _told(text: str, *, spoken: bool) -> re.Pattern[str]:
    """A text as a prompt may have told it: another name for the player, one line, brackets escaped. spoken: whether its lines begin with who says them."""
    parts = re.split("(" + (f"{_LABEL}|" if spoken else "") + "|".join(map(re.escape, STAND_INS)) + r"|\s+|[<\[\]])", text)
    return re.compile("".join(map(_part, parts)))


def _part(part: str) -> str:
    if part.endswith(": "):  # no other part holds a space after anything
        return r"[^\n()]{1,60}?: "
    if part in STAND_INS:
        return r"[^\n()]{1,60}?"
    if not part.strip():
        return r"\s+(?:/\s+)?" if part else ""
    return re.escape(part) + (" ?" if part in "<[]" else "")


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
