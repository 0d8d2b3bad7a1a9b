"""The prompt: a stable prefix (card, older rounds), then the volatile memory block just above the newest message.

The order is for llama.cpp's key-value cache: what stands before the newest message is the same from turn to turn, so only the end is read anew
(measured: first token after 1.5 s instead of 3.4 s at 2,100 tokens). History is trimmed in steps for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from chat.framing import quoted, quoted_line
from chat.prompt_words import AT, FRAME, TODAY, WORDS
from memory.persona import UNNAMED, Entry, known_name, teller
from memory.persona_keys import Merge
from models.chat_model import ChatMessage
from models.control_tokens import as_character_name, as_name, escape
from personas.record import Character, fill
from storage.records import Kind, Memory, Message, Role

CARD_SHARE = 0.5
"""Largest share of the prompt that a card may take; what is longer is cut with a mark."""
SMALL_WINDOW = 6_000
STEP_SMALL, STEP_LARGE = 4, 10
"""Rounds that leave the history at once: few where only few fit."""
EXCERPT_CHARS = 600
"""Longest part of one remembered round that is quoted; the panel has it whole."""
ANSWER_CHARS = 160
"""In a small window, of what was answered in a remembered round: the words that opened it are what it is remembered for."""
PER_MESSAGE_TOKENS = 8
"""What chat templates put around each message, at most, over those measured (SmolLM2, Qwen, Llama 3)."""

SKETCH_SHARE = 0.25
"""Largest share of the memory budget that the sketch of the player takes."""
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


@dataclass(frozen=True)
class Section:
    name: str
    tokens: int
    items: int


@dataclass(frozen=True)
class Prompt:
    messages: tuple[ChatMessage, ...]
    sections: tuple[Section, ...]
    delivered: tuple[str, ...]
    """Ids of the memories whose line is in the last message as it is sent, in rank order."""
    skipped: Mapping[str, str]
    """Memory id -> why it is not there: `in_context` or `budget`."""
    first_round: int
    """First round that is in the prompt verbatim."""
    block: tuple[tuple[str, str], ...]
    """Of each line of the memory block, in its order, the memory's id and what is told of it. Where citations are asked for, that order numbers them from 1."""


@dataclass(frozen=True)
class Budget:
    """Token limits. window: prompt and reply together; reply: kept free for it; memory: for the memory block."""

    window: int
    reply: int
    memory: int


def build(
    character: Character,
    *,
    user_name: str,
    history: Sequence[Message],
    remembered: Remembered,
    limit: int,
    budget: Budget,
    count: Callable[[str], int],
    cite: bool = False,
    today: datetime | None = None,
) -> Prompt:
    """today: the day in the story, where a person set it.

    history: newest first, its first the message to answer; of the remembered memories at most `limit` are delivered. cite: whether the reply is to end
    with what it used of them (`chat.citations`)."""
    user = user_name
    if user_name.strip().casefold() in UNNAMED:
        user = known_name(remembered.sketch)
    user, char = (
        as_name(user) or ("你" if character.language == "zh" else "you"),
        as_character_name(character.name, language=character.language),
    )
    frame, opening, closing, asking = (part.format(char=char, user=user) for part in FRAME.get(character.language, FRAME["en"]))
    closing = f"{closing}\n{asking}" if cite else closing
    newest, *older = history
    room = budget.window - budget.reply - PER_MESSAGE_TOKENS
    # What is not kept is an instruction of ours (`chat.instructions`).
    newest_text = _fit(quoted(newest.text) if newest.id else escape(newest.text), room // 2, count)
    newest_tokens = count(newest_text) + PER_MESSAGE_TOKENS
    card = _fit(_card(character, frame, user), min(int(room * CARD_SHARE), room - newest_tokens - budget.memory), count)
    card_tokens = count(card) + PER_MESSAGE_TOKENS
    kept = _window(
        older,
        room=room - card_tokens - newest_tokens - budget.memory,
        step=STEP_SMALL if budget.window < SMALL_WINDOW else STEP_LARGE,
        count=count,
    )
    first_round = kept[-1].round if kept else newest.round
    known = _sketch(character, user, remembered.sketch, now=newest.round, tokens=int(budget.memory * SKETCH_SHARE), count=count)
    if today is not None:
        known = "\n".join(part for part in (TODAY.get(character.language, TODAY["en"]).format(day=_date(today)), known) if part)
    known_tokens = count(known) if known else 0
    lines, skipped = _memory_lines(
        remembered.memories,
        first_round=first_round,
        limit=limit,
        tokens=budget.memory - known_tokens - count(opening + closing),
        count=count,
        tell=_Telling(character, user, remembered, brief=budget.window < SMALL_WINDOW),
        cite=cite,
    )
    told = {memory.id: line.numbered(n) if cite else line.plain for n, (memory, line) in enumerate(_oldest_first(lines), start=1)}
    block = "\n".join([opening, *told.values(), closing]) if lines else ""
    last = "\n\n".join(part for part in (known, block, newest_text) if part)
    messages = (
        ChatMessage("system", card),
        *(ChatMessage("user" if m.role is Role.USER else "assistant", quoted(m.text)) for m in reversed(kept)),
        ChatMessage("user", last),
    )
    sent = messages[-1].content
    memory_tokens = count(block) if block else 0
    return Prompt(
        messages=messages,
        sections=(
            Section("card", card_tokens, 1),
            Section("history", sum(count(quoted(m.text)) + PER_MESSAGE_TOKENS for m in kept), len(kept)),
            Section("persona", known_tokens, len(remembered.sketch) if known_tokens else 0),
            Section("memories", memory_tokens, len(lines)),
            Section("message", newest_tokens, 1),
        ),
        delivered=tuple(memory.id for memory, _ in lines if told[memory.id] in sent),
        skipped=skipped,
        first_round=first_round,
        block=tuple((memory.id, line.text) for memory, line in _oldest_first(lines)),
    )


@dataclass(frozen=True)
class _Line:
    """One line of the memory block. when: its beginning, by which what is erased later is found in receipts (`storage.erasing_memory`)."""

    when: str
    text: str

    @property
    def plain(self) -> str:
        return f"{self.when} {self.text}"

    def numbered(self, number: int) -> str:
        return f"{self.when} [{number}] {self.text}"


def _card(character: Character, frame: str, user: str) -> str:
    parts = (
        character.system_prompt or frame,
        character.description,
        character.personality,
        character.scenario,
        character.post_history_instructions,
    )
    return escape(
        "\n\n".join(
            quoted(fill(part, user=user, char=as_character_name(character.name, language=character.language)))
            for part in parts
            if part.strip()
        )
    )


def _window(older: Sequence[Message], *, room: int, step: int, count: Callable[[str], int]) -> list[Message]:
    """The newest messages, newest first, that fit in `room` tokens, beginning at a round that is a multiple of `step` where that leaves any."""
    fitting: list[Message] = []
    for message in older:
        if message.hidden:
            continue
        room -= count(quoted(message.text)) + PER_MESSAGE_TOKENS
        if room < 0:
            oldest = fitting[-1].round if fitting else 0
            boundary = -(-(oldest + 1) // step) * step  # the round that was cut into goes too
            stepped = [m for m in fitting if m.round >= boundary]
            return stepped or fitting
        fitting.append(message)
    return fitting


def _memory_lines(
    remembered: Sequence[Memory],
    *,
    first_round: int,
    limit: int,
    tokens: int,
    count: Callable[[str], int],
    tell: Callable[[Memory], _Line],
    cite: bool,
) -> tuple[list[tuple[Memory, _Line]], dict[str, str]]:
    lines: list[tuple[Memory, _Line]] = []
    skipped: dict[str, str] = {}
    for memory in remembered:
        if len(lines) >= limit:
            break
        # What a person pinned or wrote stands there even if its round does: that round may say otherwise.
        if memory.round_first >= first_round and not memory.pinned and memory.origin != "user":
            skipped[memory.id] = "in_context"
            continue
        line = tell(memory)
        cost = count(line.numbered(limit) if cite else line.plain) + 1
        if cost > tokens:
            skipped[memory.id] = "budget"
            continue
        tokens -= cost
        lines.append((memory, line))
    return lines, skipped


class _Telling:
    """One remembered thing as a line of the prompt."""

    def __init__(self, character: Character, user: str, remembered: Remembered, *, brief: bool) -> None:
        named = as_name(known_name(remembered.sketch))
        self._names = {"char": as_character_name(character.name, language=character.language), "user": named or user}
        self._reading = WORDS.get(character.language, WORDS["en"])[3]
        self._facts = remembered.facts
        self._brief = brief
        self._named = teller(named)
        self._at = AT.get(character.language, AT["en"])

    def __call__(self, memory: Memory) -> _Line:
        if memory.kind is Kind.INSIGHT:
            facts = " / ".join(self._facts[g].text for g in memory.grounds if g in self._facts)
            text = self._named(self._reading.format(**self._names, text=memory.text, facts=facts))
        else:
            text = self._named(memory.text) if memory.kind in (Kind.FACT, Kind.TOPIC) else memory.text
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
        return _Line(f"- ({self._at.format(day=_date(memory.said_at), n=memory.round_first)})", quoted_line(text))


def _sketch(character: Character, user: str, entries: Sequence[Entry], *, now: int, tokens: int, count: Callable[[str], int]) -> str:
    """What is known of the player in one line, as far as it fits; empty if nothing is known."""
    heading, between, colon, _ = WORDS.get(character.language, WORDS["en"])
    heading = heading.format(char=as_character_name(character.name, language=character.language), user=as_name(known_name(entries)) or user)
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


def _date(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _oldest_first(lines: Sequence[tuple[Memory, _Line]]) -> list[tuple[Memory, _Line]]:
    return sorted(lines, key=lambda pair: (pair[0].said_at, pair[0].round_first))


def _fit(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """The text, or as much of its beginning as fits, with a mark."""
    tokens = max(tokens, 16)
    if count(text) <= tokens:
        return text
    low, high = 0, len(text)
    while high - low > 32:
        middle = (low + high) // 2
        if count(text[:middle]) <= tokens - 4:
            low = middle
        else:
            high = middle
    return text[:low].rstrip() + " […]"
