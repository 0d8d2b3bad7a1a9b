"""What a later message takes back: which facts and persona values hold no longer, and the marks that say so.

What was learned tells of two statements of one speaker whether the older holds beside the newer (`memory.reading.network`). Each mark rests on the sources of
what was taken back and on the message that does it, so it holds on the paths that have both and nowhere else. Whether a message means a memory follows from the
two alone, never from what else is remembered: so what grew is what is rebuilt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory.reading.inputs import RELATIONS
from memory.reading.network import network
from memory.reading.reader import MAY_END
from memory.reading.wording import words_of
from storage.records import TAKEN_BACK, Kind, Memory, Message, Source, stable_id
from storage.terms import query_terms
from storage.wall import moment_key

DENIABLE = (Kind.FACT, Kind.PERSONA)
ENDED = 0.5
"""Probability from which a memory is taken back by a clause that speaks of an end ("quit", 分手) and names what it was about."""
NAMED, UNNAMED = 0.9, 0.95
"""And by other words, where they share a word with it, and where they share none: one that is hidden and holds is worse than one that is shown and does not, and of
statements made in one talk nearly all hold beside each other."""
_WHEN = re.compile(
    r"\b(?:last|next|this|every|days?|nights?|weeks?|months?|years?|mornings?|evenings?|times?|today|tonight|yesterday|tomorrow|spring|summer|autumn|winter)\b"
    r"|[今昨明前后][天年晚]|[上下这][周个]?月?|[去]年",
    re.IGNORECASE,
)
"""Words that two statements share without being about the same."""
_CLAUSES = re.compile(r"[,;:.!?，；：。！？、…—]+")
_NO_MORE = re.compile(
    r"\bno longer\b|\bany ?more\b|\bany longer\b|(?:\bnot|n['’]t)\b(?=.*\bafter all\b)|(?:再也|已经)?[不没](?=[^，。！？,.!?]{1,16}了)",
    re.IGNORECASE,
)
_NEITHER = re.compile(r"\b(?:after all|wants? to|plans? to|going to)\b|了|[我咱]们?", re.IGNORECASE)
"""What else such words hold that the older ones need not."""
_MINE = re.compile(r"\b(?:i|we)\b|[我咱]", re.IGNORECASE)
COMPARED = 40
"""Statements of a speaker, newest first, that a message is laid beside: a hundredth of a second each."""


def taken_back(endings: Sequence[str], message: Message, memories: Iterable[Memory]) -> list[Memory]:
    """Of memories of earlier rounds, told by whoever speaks, those that hold no longer by what was learned of pairs of statements. endings: words of the message
    that may say so. What a language model read of whole units is left to it."""
    if not endings:
        return []
    held: dict[str, list[Memory]] = {}
    for memory in memories:
        if (
            memory.kind in DENIABLE
            and memory.said_by == message.speaker
            and memory.round_last < message.round
            and memory.origin == "model"
            and "model" not in memory.payload
        ):
            quote = str(memory.payload.get("quote", ""))
            # "He hates Jonas." stands behind "I have a cat.", and goes with it.
            for words in dict.fromkeys((quote, words_of(memory.text) if memory.kind is Kind.FACT else quote)):
                held.setdefault(words, []).append(memory)
    near = [words for words, told in held.items() if any(_may_mean(ending, words, told, message) for ending in endings)]
    newest = sorted(near, key=lambda words: (-max(m.round_last for m in held[words]), words))[:COMPARED]
    gone = {m.id: m for words in newest if any(_ends(words, ending) for ending in endings) for m in held[words]}
    return list(gone.values())


def _may_mean(ending: str, words: str, told: Sequence[Memory], message: Message) -> bool:
    """Whether a statement was made in the round before, or shares a word that says something: of statements that have nothing to do with it two in a hundred
    would be taken back."""
    lately = any(m.round_last == message.round - 1 for m in told)
    return bool(words) and (lately or not _terms(words).isdisjoint(_terms(ending)))


@lru_cache(maxsize=4_096)
def _terms(words: str) -> frozenset[str]:
    return frozenset(query_terms(_WHEN.sub(" ", words)))


def _ends(old: str, new: str) -> bool:
    if _is_said_no_more(old, new):
        return True
    about = _terms(old)
    likely = network().relation(("", old), ("", new))[RELATIONS.index("no_longer")]
    over = [clause for clause in _CLAUSES.split(new) if MAY_END.search(clause)]
    if any(not about.isdisjoint(_terms(MAY_END.sub(" ", clause))) for clause in over):
        return bool(likely >= ENDED)
    return bool(likely >= (UNNAMED if about.isdisjoint(_terms(new)) else NAMED))


def _is_said_no_more(old: str, new: str) -> bool:
    """Whether the newer says of everything it is about that it is so no more, and the older that it is: "I don't work at the bakery any more", 我不搬去里斯本了."""
    about = _terms(_NEITHER.sub(" ", _NO_MORE.sub("", new)))
    mine = _MINE.search(old) is not None
    return (
        bool(about)
        and _NO_MORE.search(new) is not None
        and about <= _terms(old)
        and not _NO_MORE.search(old)
        and mine == bool(_MINE.search(new))
    )


def mark(memory: Memory, message: Message) -> Memory:
    """That a message takes a memory back."""
    key = stable_id(
        TAKEN_BACK, memory.derivation_key, message.round, message.role.value, message.speaker, moment_key(message.said_at), message.text
    )
    return Memory(
        id=stable_id("memory", memory.chat_id, key, memory.id),
        chat_id=memory.chat_id,
        kind=Kind.PLOT,
        text=str(message.round),
        language=memory.language,
        round_first=message.round,
        round_last=message.round,
        said_at=message.said_at,
        sources=(*memory.sources, Source(message.id, message.revision.id, message.revision.sha256)),
        derivation_key=key,
        grounds=(memory.id,),
        payload={"tier": 1, "lines": []},
        slot=TAKEN_BACK,
    )


def standing_facts(told: Sequence[tuple[Message, Sequence[str], Sequence[Memory]]]) -> list[Memory]:
    """Of what the messages of a path tell, oldest first, each with its endings, what none of them takes back."""
    memories = [m for _, _, made in told for m in made]
    gone = {m.id for message, endings, _ in told for m in taken_back(endings, message, memories)}
    return [m for m in memories if m.id not in gone]
