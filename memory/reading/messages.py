"""What a message of a chat tells: facts in its speaker's own words, and values of the player's persona, each with the words it rests on.

A message is read twice. Alone: what says enough by itself hangs on that message and on nothing else. And with the line it answers: what is only understood with
that line hangs on both, and is gone where either is swiped, edited or deleted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.episodes import READ_CHARS, language_of
from memory.persona import PLAYER, UNNAMED
from memory.persona_keys import KEYS
from memory.reading.drafts import DateRange, Extraction, FactDraft, ValueDraft
from memory.reading.evidence import BRACKET
from memory.reading.ownership import is_anothers, own_words, passes_for, speaks_as
from memory.reading.reader import Noted, endings, meet, read, with_days
from memory.reading.wording import words_of
from memory.timeline import mentions
from models.embedded import NAME as DEMO_MODEL
from storage.records import Chat, Message, Role

VERSION = "reader-1"
MAX_FACTS, MAX_VALUES = 12, 24
"""Of one message; a novel pasted as one message must not crowd out everything else."""
SOMEBODY = {"en": "somebody", "zh": "别人"}
"""Whom a fact is about that is not about its speaker and names nobody."""
MAX_FACT_CHARS = 400
PEOPLE_KEYS = frozenset("family friends partner relationships household".split())
"""Keys whose values name people."""
NAMING_KEYS = PEOPLE_KEYS | {"name", "nickname"}
"""And those whose values name the player: nobody is who they talk with."""
ENOUGH_WORDS, ENOUGH_SIGNS = 5, 9
"""What is shorter says enough by itself only where nobody spoke before."""
_ASKS = re.compile(
    r"[?？]|(?:^|[.!,;…]\s*)(?:so |and |but |or )?(?:who|what|where|when|why|how|which|do|does|did|are|is|have|has|can|will|would|tell me|describe)\b"
    r"|告诉我|说说|讲讲|什么|谁|哪|怎么|多少|[吗呢](?:$|[，。！])",
    re.IGNORECASE,
)
_STATES = re.compile(r"\W*(?:(?:i|my|we|our)\s+[\w'’-]+\s+\w|i['’]m\s+\w|(?:我|咱)们?\w{3})", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|she|they|his|her|their|him|them)\b|[他她它]", re.IGNORECASE)
BRIEF = 40
"""Characters of a message that may say everything in a word or two."""
_SIGN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def alone(message: Message, *, listener: str, opens: bool, others: Sequence[str] = ()) -> Extraction:
    """Facts and persona values that one message tells by itself, whatever stands before it.

    listener: whom "you" means, empty in a group; opens: nobody else spoke before it; others: who else is there, as `others_of` gives them.
    """
    own, found = _noted(message, None, listener=listener, others=others)
    told = _extraction(message, own, [n for n in found if opens or _says_enough(own, n)], listener=listener, others=others)
    return replace(told, endings=tuple(endings(own, speaker=_speaker(message))))


def answering(message: Message, question: Message, *, listener: str, others: Sequence[str] = ()) -> Extraction:
    """What a message tells beyond that, as the answer to the message before it. It hangs on both."""
    if not asks(question, message):
        return Extraction()
    own, found = _noted(message, None, listener=listener, others=others)
    known = [n for n in found if _says_enough(own, n)]
    _, more = _noted(message, question, listener=listener, others=others)
    if not _ASKS.search(question.text):
        more = [
            n for n in more if _is_long(own, n) or n.key in KEYS or (n.whose == "other" and n.about)
        ]  # "Noted." and "Yes." answer nothing, "27 today" tells an age
    return _extraction(
        message, own, [n for n in more if not any(meet(n, k) for k in known)], listener=listener, others=others, answers=True
    )


def asks(question: Message, message: Message) -> bool:
    """Whether a message may be understood only with the one before it: that is somebody else's and asks something, or this one is short, or speaks of a "she"."""
    brief = len(message.text) <= BRIEF
    return question.speaker != message.speaker and bool(brief or _ASKS.search(question.text) or _OF_SOMEBODY.search(message.text))


def listener_of(message: Message, chat: Chat) -> str:
    """Whom "you" means in a chat of two, and where of several characters one alone is there; else empty in a group, where it may be anybody, and of what was
    heard, which was said to somebody else. It hangs on the chat, the message and its wording: on no other message, and not on who the player is by now."""
    if chat.group or message.heard:
        return _alone_with(message, chat)
    speaker, player = message.speaker.strip().casefold(), chat.said_to(message.revision)
    if message.role is Role.USER or (speaker == player.strip().casefold() and speaker not in UNNAMED):
        return chat.character_name
    return _named(player, language=language_of(message.text))


def others_of(message: Message, chat: Chat) -> tuple[str, ...]:
    """Who of several is there beside whoever says a message: they speak for themselves. It hangs on the chat, the message and its wording, like the listener."""
    if not message.present:
        return ()
    player = () if message.role is Role.USER else (_named(chat.said_to(message.revision), language=language_of(message.text)),)
    return tuple(name for name in (*message.present, *player) if name != message.speaker)


def label(message: Message, *, language: str) -> str:
    """How a message's speaker is named."""
    return _named(message.speaker, language=language) if message.role is Role.USER else message.speaker


def is_read(message: Message) -> bool:
    """Whether anything is to be learned from a message: not from a card's greeting, nor from the bundled model, which invents and echoes the player's words."""
    return message.revision.origin != "card" and message.revision.model != DEMO_MODEL and message.role is not Role.NARRATOR


def _alone_with(message: Message, chat: Chat) -> str:
    """Whom a message of a group is said to, where one character alone hears it or says it to nobody but the player."""
    if len(message.present) != 1:
        return ""
    (there,) = message.present
    if message.role is Role.USER:
        return there
    return _named(chat.said_to(message.revision), language=language_of(message.text)) if message.speaker == there else ""


def _named(name: str, *, language: str) -> str:
    return PLAYER[language] if name.strip().casefold() in UNNAMED else name


def _noted(message: Message, question: Message | None, *, listener: str, others: Sequence[str]) -> tuple[str, list[Noted]]:
    """What of a message its speaker says in their own name, and what is worth a memory of it."""
    if not is_read(message):
        return "", []
    speaker = _speaker(message)
    own = own_words(message.text[:READ_CHARS], speaker=speaker, others=[listener, *others])
    language = language_of(message.text[:READ_CHARS])
    before = (label(question, language=language), question.text[:READ_CHARS]) if question is not None else None
    return own, read(own, speaker=speaker, before=before, listener=listener)


def _speaker(message: Message) -> str:
    return label(message, language=language_of(message.text[:READ_CHARS]))


def _says_enough(text: str, noted: Noted) -> bool:
    """Whether a stretch is understood without the line before it: it is no short answer, and whom it is about is said."""
    return _is_long(text, noted) and not (noted.whose == "other" and not noted.about)


def _is_long(text: str, noted: Noted) -> bool:
    """Whether a stretch is a statement by itself: long, or one of its speaker's own with a verb."""
    words = text[noted.start : noted.end]
    signs = len(_SIGN.findall(words))
    return (
        signs >= ENOUGH_SIGNS or len(_WORD.findall(_SIGN.sub(" ", words))) + signs / 2 >= ENOUGH_WORDS or _STATES.match(words) is not None
    )


def _extraction(
    message: Message, own: str, found: Sequence[Noted], *, listener: str, others: Sequence[str], answers: bool = False
) -> Extraction:
    """What of what was noted may be kept: nobody is told about but by themselves."""
    speaker = _speaker(message)
    there = [name for name in (listener, *others) if name]
    facts: list[FactDraft] = []
    values: list[ValueDraft] = []
    for place in dict.fromkeys((n.start, n.end) for n in found):
        of_place = [n for n in found if (n.start, n.end) == place]
        noted, quote = of_place[0], own[place[0] : place[1]]
        about = speaker if noted.whose in ("speaker", "together") else noted.about or SOMEBODY[language_of(quote)]
        if (
            noted.whose == "listener"
            or not noted.text.isprintable()
            or BRACKET.search(words_of(noted.text))
            or any(is_anothers(quote, speaker=speaker, other=other) or speaks_as(quote, other) for other in there)
            or any(passes_for(about, speaker=speaker, other=other) for other in there)
        ):
            continue
        text = with_days(noted.text, said_at=message.said_at)[:MAX_FACT_CHARS]
        facts.append(
            FactDraft(
                text,
                about,
                quote,
                event_of(quote, said_at=message.said_at),
                quoted=True,
                worth=round(noted.keep, 2),
                from_question=answers,
            )
        )
        values += [
            ValueDraft(n.key, n.value, quote, from_question=answers)
            for n in of_place
            if n.key in KEYS
            and message.role is Role.USER
            and n.value.isprintable()
            and not (n.key in NAMING_KEYS and any(passes_for(n.value, speaker=speaker, other=other) for other in there))
        ]
    return Extraction(tuple(facts[:MAX_FACTS]), tuple(values[:MAX_VALUES]))


def event_of(words: str, *, said_at: datetime) -> DateRange | None:
    """The days that some words name, if they name any: from the first to the last of the first expression."""
    found = mentions(words, said_at=said_at, language=language_of(words))
    return found[0].range if found else None
