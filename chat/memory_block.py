"""The memory block of a prompt: what was recalled, a line each, and what is known of the player in one line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from chat.framing import quoted_line
from chat.players import is_name
from chat.prompt_words import AT, EARLIER, NARRATOR, WORDS
from memory.episodes import without
from memory.persona import Entry, teller
from memory.persona_keys import Merge
from models.control_tokens import as_character_name
from personas.record import Character
from personas.unnamed_player import neutral
from storage.records import Kind, Memory

EXCERPT_CHARS = 600
"""Longest part of one remembered round that is quoted; the panel has it whole."""
ANSWER_CHARS = 160
"""In a small window, of what was answered in a remembered round: the words that opened it are what it is remembered for."""
STALE_ROUNDS = 12
"""A mood or a whereabouts of further back is not what holds now."""

SKETCH_VALUES = 4
"""Newest values of a key that the prompt names."""


@dataclass(frozen=True)
class Remembered:
    """What recall brought, in rank order, and what is known of the player."""

    memories: Sequence[Memory]
    facts: Mapping[str, Memory] = field(default_factory=dict)
    """Facts that insights among them rest on, by id: an insight brings its facts along."""
    sketch: Sequence[Entry] = ()
    narrators: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By id of a round among them the names under which it was narrated."""


@dataclass(frozen=True)
class Line:
    """One line of the memory block. when: its beginning, by which what is erased later is found in receipts (`storage.erasing_memory`)."""

    when: str
    text: str

    @property
    def plain(self) -> str:
        return f"{self.when} {self.text}"

    def numbered(self, number: int) -> str:
        return f"{self.when} [{number}] {self.text}"


def memory_lines(
    remembered: Sequence[Memory],
    *,
    first_round: int,
    limit: int,
    tokens: int,
    count: Callable[[str], int],
    tell: Callable[[Memory], Line],
    cite: bool,
) -> tuple[list[tuple[Memory, Line]], dict[str, str]]:
    """The lines, in rank order, and why others are not among them: `in_context`, or `budget` for one that stands among the first `limit` and finds no room.
    What stands below these was not due, and only fills what is left."""
    lines: list[tuple[Memory, Line]] = []
    skipped: dict[str, str] = {}
    due = limit
    for memory in remembered:
        if len(lines) >= limit:
            break
        # What a person pinned or wrote stands there even if its round does: that round may say otherwise.
        if memory.round_first >= first_round and not memory.pinned and memory.origin != "user":
            skipped[memory.id] = "in_context"
            continue
        due -= 1
        line = tell(memory)
        cost = count(line.numbered(limit) if cite else line.plain) + 1
        if cost > tokens:
            if due >= 0:
                skipped[memory.id] = "budget"
            continue
        tokens -= cost
        lines.append((memory, line))
    return lines, skipped


class Telling:
    """One remembered thing as a line of the prompt. name: the player's; empty where it is not known."""

    def __init__(self, character: Character, name: str, remembered: Remembered, *, brief: bool) -> None:
        user = name or neutral(character.language)
        self._names = {"char": as_character_name(character.name, language=character.language), "user": user}
        self._player = user
        self._reading = WORDS.get(character.language, WORDS["en"])[3]
        self._facts, self._narrators, self._language = remembered.facts, remembered.narrators, character.language
        self._brief = brief
        self._named = teller(name)
        self._at = AT.get(character.language, AT["en"])
        self._earlier = EARLIER.get(character.language, EARLIER["en"])

    def __call__(self, memory: Memory) -> Line:
        if memory.kind is Kind.INSIGHT:
            facts = " / ".join(self._facts[g].text for g in memory.grounds if g in self._facts)
            text = self._named(self._reading.format(**self._names, text=memory.text, facts=facts))
        else:
            text = self._named(memory.text) if memory.kind in (Kind.FACT, Kind.TOPIC) else memory.text
        if memory.kind is Kind.EPISODE:
            text = as_spoken(memory, player=self._player, language=self._language, narrators=self._narrators.get(memory.id, ()))
        # " / " stands between lines: inside of one it would pass for the beginning of another.
        lines = [
            part.replace(" / ", "/") if memory.kind is Kind.EPISODE else part
            for part in (" ".join(p.split()) for p in text.splitlines())
            if part
        ]
        if memory.kind is Kind.EPISODE and lines and self._brief:
            opening, answer = lines[0], " / ".join(lines[1:])
            lines = [opening, answer[:ANSWER_CHARS].rstrip() + (" […]" if len(answer) > ANSWER_CHARS else "")] if answer else [opening]
        text = " / ".join(lines)
        if len(text) > EXCERPT_CHARS:
            text = text[:EXCERPT_CHARS].rstrip() + " […]"
        at = self._earlier if memory.carried else self._at
        return Line(f"- ({at.format(day=day_of(memory.said_at), n=memory.round_first)})", quoted_line(text))


def as_delivered(memory: Memory, unsaid: Collection[str]) -> Memory | None:
    """A memory without what some of its speakers only said again; None where nothing of it is left."""
    if not unsaid:
        return memory
    text = without(memory.text, memory.knowers, unsaid) if memory.kind is Kind.EPISODE else ""
    return replace(memory, text=text) if text else None


def as_spoken(memory: Memory, *, player: str, language: str, narrators: Collection[str]) -> str:
    """A round with what the player is called before their words, where they had no name when they said them: "You: I am ill" would be the reader's own.
    narrators: names under which it was narrated, mostly "System", which would be nobody of the story; narration is told as such."""
    names = {speaker: player[:1].upper() + player[1:] for speaker in memory.knowers if not is_name(speaker)}
    names |= dict.fromkeys(narrators, NARRATOR.get(language, NARRATOR["en"]))

    def called(line: str) -> str:
        name = next((name for name in names if line.startswith(f"{name}: ")), None)
        return line if name is None else names[name] + line[len(name) :]

    return "\n".join(map(called, memory.text.split("\n")))


def sketch_line(character: Character, user: str, entries: Sequence[Entry], *, now: int, tokens: int, count: Callable[[str], int]) -> str:
    """What is known of the player in one line, as far as it fits; empty if nothing is known."""
    heading, between, colon, _ = WORDS.get(character.language, WORDS["en"])
    heading = heading.format(char=as_character_name(character.name, language=character.language), user=user)
    left = tokens - count(heading)
    pieces: list[str] = []
    for entry in entries:
        fresh = [v for v in entry.values if entry.key.merge is not Merge.TRAJECTORY or now - v.round_last <= STALE_ROUNDS]
        if not fresh:
            continue
        # A semicolon begins the next key.
        values = ", ".join(quoted_line(v.text).replace(";", ",").replace("；", "，")[:EXCERPT_CHARS] for v in fresh[:SKETCH_VALUES])
        piece = f"{entry.key.label(character.language)}{colon}{values}"
        left -= count(piece) + 1  # piece by piece: counts of what was there last turn are remembered
        if left < 0:
            break
        pieces.append(piece)
    return f"{heading} {between.join(pieces)}" if pieces else ""


def day_of(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def oldest_first(lines: Sequence[tuple[Memory, Line]]) -> list[tuple[Memory, Line]]:
    return sorted(lines, key=lambda pair: (pair[0].said_at, pair[0].round_first))
