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
from memory.extraction.draft import DateRange, Extraction, FactDraft, ValueDraft
from memory.extraction.evidence import BRACKET
from memory.extraction.grounded import MAX_FACT_CHARS, NAMING_KEYS, label
from memory.extraction.ownership import is_anothers, own_words, passes_for, speaks_as
from memory.persona_keys import KEYS
from memory.reading.reader import Noted, endings, meet, read, with_days
from memory.timeline import mentions
from models.embedded import NAME as DEMO_MODEL
from storage.records import Message, Role

VERSION = "reader-1"
MAX_FACTS, MAX_VALUES = 12, 24
"""Of one message; a novel pasted as one message must not crowd out everything else."""
SOMEBODY = {"en": "somebody", "zh": "别人"}
"""Whom a fact is about that is not about its speaker and names nobody."""
ENOUGH_WORDS, ENOUGH_SIGNS = 5, 9
"""What is shorter says enough by itself only where nobody spoke before."""
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
    return _extraction(
        message, own, [n for n in more if not any(meet(n, k) for k in known)], listener=listener, others=others, answers=True
    )


def asks(question: Message, message: Message) -> bool:
    """Whether a message may be an answer to the one before it: it is somebody else's."""
    return question.speaker != message.speaker and bool(question.text.strip())


def is_read(message: Message) -> bool:
    """Whether anything is to be learned from a message: not from a card's greeting, nor from the bundled model, which invents and echoes the player's words."""
    return message.revision.origin != "card" and message.revision.model != DEMO_MODEL and message.role is not Role.NARRATOR


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
    words = text[noted.start : noted.end]
    signs = len(_SIGN.findall(words))
    return signs >= ENOUGH_SIGNS or len(_WORD.findall(_SIGN.sub(" ", words))) + signs / 2 >= ENOUGH_WORDS


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
            or BRACKET.search(noted.text)
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
