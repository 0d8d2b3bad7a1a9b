"""The prompt: a stable prefix (card, older rounds), then the volatile memory block just above the newest message.

The order is for llama.cpp's key-value cache: what stands before the newest message is the same from turn to turn, so only the end is read anew
(measured: first token after 1.5 s instead of 3.4 s at 2,100 tokens). History is trimmed in steps for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from chat.card_texts import CARD_NOTES_SHARE, EXAMPLES_SHARE, HISTORY_SHARE, card_texts, examples_block
from chat.framing import quoted
from chat.lore import Book, LoreEntry, lore_of
from chat.lore_places import with_lore
from chat.memory_block import Remembered, Telling, day_of, memory_lines, oldest_first, sketch_line
from chat.players import name_told
from chat.prompt_note import framed, note_text, with_note
from chat.prompt_player import PLAYER_SHARE, player_block, stands_in, told_of_player
from chat.prompt_words import FRAME, TODAY
from models.chat_model import ChatMessage
from models.control_tokens import as_character_name, escape
from personas.macros import Macros
from personas.record import Character
from storage.records import AuthorsNote, Message, Role

CARD_SHARE = 0.5
"""Largest share of the prompt that a card may take; what is longer is cut with a mark."""
SMALL_WINDOW = 6_000
STEP_SMALL, STEP_LARGE = 4, 10
"""Rounds that leave the history at once: few where only few fit."""
PER_MESSAGE_TOKENS = 8
"""What chat templates put around each message, at most, over those measured (SmolLM2, Qwen, Llama 3)."""

NOTE_SHARE = 0.125
"""Largest share of the prompt that an author's note may take."""
SKETCH_SHARE = 0.25
"""Largest share of the memory budget that the sketch of the player takes."""


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
    sources: tuple[str, ...]
    """Of each message of the prompt, the revision whose text it holds; empty for what nobody said."""
    tail: int
    """So many characters at the end of the last text are the newest message."""
    lore: tuple[LoreEntry, ...]
    """Entries of the lorebooks that were called up."""
    block: tuple[tuple[str, str], ...]
    """Of each line of the memory block, in its order, the memory's id and what is told of it. Where citations are asked for, that order numbers them from 1."""


@dataclass(frozen=True)
class Chance:
    """What a card's macros are filled by. seed: of the reply; chat: of the conversation; now: its clock's time, where it is said."""

    seed: str
    chat: str
    now: datetime


NO_CHANCE = Chance("", "", datetime(2000, 1, 1, tzinfo=UTC))


@dataclass(frozen=True)
class Budget:
    """Token limits. window: prompt and reply together; reply: kept free for it; memory: kept free for the memory block,
    which also takes what the rest leaves over; with none there is no block."""

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
    note: AuthorsNote | None = None,
    chance: Chance = NO_CHANCE,
    as_player: bool = False,
    description: str = "",
    books: Sequence[Book] = (),
) -> Prompt:
    """today: the day in the story, where a person set it; note: of the author, where one stands in this round; chance: what the card's macros are filled by;
    as_player: whether the player's words are asked for, to which the card's instructions for a reply do not apply; description: what the player's persona says;
    books: lorebooks beside the card's.

    history: newest first, its first the message to answer; of the remembered memories at most `limit` are delivered. cite: whether the reply is to end
    with what it used of them (`chat.citations`)."""
    name, char = name_told(user_name, remembered.sketch), as_character_name(character.name, language=character.language)
    brief = budget.window < SMALL_WINDOW
    macros = Macros(
        user=name,
        char=as_character_name(character.nickname, language=character.language) if character.nickname else char,
        language=character.language,
        now=chance.now,
        seed=chance.seed,
        chat=chance.chat,
    )
    macros, user = replace(macros, persona=told_of_player(description, macros)), macros.player
    frame, opening, closing, asking = (part.format(char=char, user=user) for part in FRAME.get(character.language, FRAME["en"]))
    closing = f"{closing}\n{asking}" if cite else closing
    newest, *older = history
    room = budget.window - budget.reply - PER_MESSAGE_TOKENS
    # What is not kept is an instruction of ours (`chat.instructions`).
    newest_text = _fit(quoted(newest.text) if newest.id else escape(newest.text), room // 2, count)
    newest_tokens = count(newest_text) + PER_MESSAGE_TOKENS
    noted = framed(_fit(note_text(macros, note), int(room * NOTE_SHARE), count), character, note) if note is not None else ""
    note_tokens = count(noted) + PER_MESSAGE_TOKENS if noted else 0
    room -= note_tokens
    player = _fit(player_block(macros.persona, macros), int(room * PLAYER_SHARE), count)
    player_tokens = count(player) if player else 0
    lore = lore_of(character, history, macros, room=room, count=count, books=books)
    lore_tokens = (count(lore.block) if lore.block else 0) + sum(count(one.text) + PER_MESSAGE_TOKENS for one in lore.deep)
    texts = card_texts(character, macros, lore, frame=frame, brief=brief)
    most = min(int(room * CARD_NOTES_SHARE), (room - newest_tokens - budget.memory) // 3)
    card_note, ending = (_fit(text, most, count) if text else "" for text in (texts.note, "" if as_player else texts.ending))
    added = [(name, count(text)) for name, text in (("card_note", card_note), ("ending", ending)) if text]
    taken = newest_tokens + budget.memory + lore_tokens + player_tokens + sum(tokens for _, tokens in added)
    card = _fit(texts.standing, min(int(room * CARD_SHARE), room - taken), count)
    card_tokens = count(card) + PER_MESSAGE_TOKENS
    if player and stands_in(macros.persona, card):  # once is enough
        taken, player, player_tokens = taken - player_tokens, "", 0
    kept = _window(older, room=room - card_tokens - taken, step=STEP_SMALL if brief else STEP_LARGE, count=count)
    history_tokens = sum(count(quoted(m.text)) + PER_MESSAGE_TOKENS for m in kept)
    examples, talks = "", 0
    if texts.examples and history_tokens <= HISTORY_SHARE * (room - card_tokens - budget.memory) and _whole(older, kept):
        left = min(int(room * EXAMPLES_SHARE), room - card_tokens - taken - history_tokens)
        examples, talks = examples_block(texts, language=character.language, char=char, tokens=left, count=count)
    first_round = kept[-1].round if kept else newest.round
    known = sketch_line(character, user, remembered.sketch, now=newest.round, tokens=int(budget.memory * SKETCH_SHARE), count=count)
    if today is not None:
        known = "\n".join(part for part in (TODAY.get(character.language, TODAY["en"]).format(day=day_of(today)), known) if part)
    known_tokens = count(known) if known else 0
    # What nothing else needs is room for memories as well: what was recalled is not left out of a prompt that has room for it.
    spare = max(0, room - card_tokens - taken - history_tokens - (count(examples) if examples else 0)) if budget.memory else 0
    lines, skipped = memory_lines(
        remembered.memories,
        first_round=first_round,
        limit=limit,
        tokens=budget.memory + spare - known_tokens - count(opening + closing),
        count=count,
        tell=Telling(character, name, remembered, brief=brief),
        cite=cite,
    )
    told = {memory.id: line.numbered(n) if cite else line.plain for n, (memory, line) in enumerate(oldest_first(lines), start=1)}
    block = "\n".join([opening, *told.values(), closing]) if lines else ""
    told_before = [(ChatMessage("user" if m.role is Role.USER else "assistant", quoted(m.text)), m.revision.id) for m in reversed(kept)]
    told_before, deep = with_lore(told_before, lore.deep)
    above = [*deep, lore.block, known, block]
    if card_note:
        told_before, newest_card_note = with_note(told_before, card_note, depth=texts.depth)
        above.append(newest_card_note)
    if note is not None and noted:
        told_before, newest_note = with_note(told_before, noted, depth=note.depth, role=note.role)
        above.append(newest_note)
    messages = (
        ChatMessage("system", "\n\n".join(part for part in (card, player, examples) if part)),
        *(message for message, _ in told_before),
        # The newest message ends it: of a receipt it must be found again (`storage.erasing_receipts`).
        ChatMessage("user", "\n\n".join(part for part in (*above, ending, newest_text) if part)),
    )
    sent = messages[-1].content
    memory_tokens = count(block) if block else 0
    return Prompt(
        messages=messages,
        sections=(
            Section("card", card_tokens, 1),
            *([Section("player", player_tokens, 1)] if player else []),
            *([Section("examples", count(examples), talks)] if examples else []),
            Section("history", history_tokens, len(kept)),
            *(Section(name, tokens, 1) for name, tokens in added),
            *([Section("lore", lore_tokens, lore.moving)] if lore_tokens else []),
            Section("persona", known_tokens, len(remembered.sketch) if known_tokens else 0),
            Section("memories", memory_tokens, len(lines)),
            *([Section("note", note_tokens, 1)] if noted else []),
            Section("message", newest_tokens, 1),
        ),
        delivered=tuple(memory.id for memory, _ in lines if told[memory.id] in sent),
        skipped=skipped,
        first_round=first_round,
        sources=("", *(source for _, source in told_before), newest.revision.id),
        tail=len(newest_text),
        lore=lore.entries,
        block=tuple((memory.id, line.text) for memory, line in oldest_first(lines)),
    )


def _whole(older: Sequence[Message], kept: Sequence[Message]) -> bool:
    """Whether nothing that was said is left out."""
    return len(kept) == sum(not message.hidden for message in older)


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
