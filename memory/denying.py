"""What a later message takes back: which facts and persona values it means, and the marks that say so.

Each mark rests on the sources of what was taken back and on the message that does it, so it holds on the paths that have both and nowhere else. Whether a
message means a memory follows from the two alone, never from what else is remembered: so what grew is what is rebuilt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory.extraction.chinese_words import BEASTS, LOVE
from memory.extraction.corrections import corrections, replaced, restates
from memory.extraction.denials import is_negated
from memory.extraction.draft import (
    CALLED_OFF,
    CORRECTED,
    DONE,
    ENDED,
    KEPT_NO_MORE,
    MEATLESS,
    MOVED,
    NO_MORE,
    RESTATED,
    Denial,
    Extraction,
    stands_in,
)
from memory.extraction.english_words import PARTNERS, PETS
from memory.persona import PLAYER
from memory.reading.inputs import RELATIONS
from memory.reading.network import network
from storage.records import TAKEN_BACK, Kind, Memory, Message, Source, stable_id
from storage.terms import query_terms
from storage.wall import moment_key

DENIABLE = (Kind.FACT, Kind.PERSONA)
HOLDS_NO_LONGER = 0.7
"""Probability from which a memory is taken back: one that is hidden and holds is worse than one that is shown and does not."""
COMPARED = 40
"""Statements of a speaker, newest first, that a message is laid beside: a hundredth of a second each."""
LASTING = frozenset("name nickname gender birthday hometown nationality zodiac family languages former_work education achievements".split())
"""Keys of the persona whose values do not end."""
_WAS = re.compile(r"\b(?:was|were|had|used to|once)\b|小时候|以前|从前|曾经|过去|年轻时|[养当做学去有住]过|从[^，。]{1,12}[回过]来了")
"""What was so is not denied by what is so no longer."""
_OF_ANOTHER = re.compile(r",? \b(?:who|whose|which)\b.*")
"""What is told of somebody or something that a fact only mentions."""
_HAS = re.compile(r"\b(?:has|have|owns?|keeps?|got|gets|adopted|bought)\b|['’]s? |有|养")
_PLANNED = re.compile(
    r"\b(?:will|plans?|wants? to|hopes? to|intends?|decided to|(?:is|are) (?:\w+ )?(?:going|planning|hoping|thinking|about|flying|moving|travelling|leaving|driving))\b"
    r"|打算|计划|准备|决定|报名|将|[想要会]"
)
"""What tells that something is still to come."""
_LATELY = 3
"""Rounds back to which "the trip is off" looks for what it means; what is no journey was spoken of directly before."""
_TRAVELS = re.compile(r"\b(?:go(?:ing)?|fly(?:ing)?|travel\w*|driv(?:e|ing)|visit\w*|trip)\b|[去飞]|旅")
STATES = frozenset("partner household occupation workplace residence diet fears pets".split())
"""Keys whose values are states of things: what tells of one goes with it."""
_ANIMAL = re.compile(r"\b(?:" + "|".join(sorted(PETS)) + r")s?\b|" + "|".join(BEASTS), re.IGNORECASE)
_PARTNER = re.compile(r"\b(?:" + "|".join(sorted(PARTNERS)) + r")\b|" + "|".join(sorted(LOVE)), re.IGNORECASE)
_MEATLESS = re.compile(r"veg|plant-based|素", re.IGNORECASE)
_ALSO = {"wedding": ("wedding", "marry"), "婚礼": ("婚礼", "结婚")}
"""What else says the same."""
_CHINESE = re.compile("[\u4e00-\u9fff]")


def taken_back(denials: Iterable[Denial], message: Message, memories: Iterable[Memory]) -> list[Memory]:
    """Of memories of earlier rounds, told by whoever speaks, those that a message takes back. What a language model read of whole units is left to it."""
    held = [
        m
        for m in memories
        if m.kind in DENIABLE
        and m.said_by == message.speaker
        and m.round_last < message.round
        and m.origin == "model"
        and "model" not in m.payload
    ]
    denials = list(denials)
    over = {m.id for m in held if any(_means(denial, message, m) for denial in denials)}
    ended = [m for m in held if m.kind is Kind.PERSONA and m.id in over and m.payload.get("key") in STATES]
    return [m for m in held if m.id in over or any(_rests_on(m, value, message) for value in ended)]


def _rests_on(memory: Memory, value: Memory, message: Message) -> bool:
    """Whether a fact tells the very state that a value of the same message is: "lives with her boyfriend Tom" goes with him, "met Tom at a fair" does not. What
    happened on a day stays; "is engaged to Owen, the wedding is in September" is of a day to come."""
    if memory.kind is not Kind.FACT or memory.sources != value.sources or not _own(memory):
        return False
    if memory.event_from is not None and memory.event_from <= message.said_at:
        return False
    return not _WAS.search(memory.text) and not is_negated(memory.text) and stands_in(value.text.casefold(), memory.text.casefold())


def _means(denial: Denial, message: Message, memory: Memory) -> bool:
    if denial.act in (CORRECTED, RESTATED):
        return memory.round_last == message.round - 1 and _is_put_right(denial, memory)
    if denial.act == ENDED:
        return _is_over(denial, memory)
    if denial.act == MOVED:
        return _is_another_day(denial, message, memory)
    if denial.act == KEPT_NO_MORE and not _ANIMAL.search(str(memory.payload.get("quote", ""))):
        return False
    if denial.act in (CALLED_OFF, DONE):
        return _is_plan(memory, done=denial.act == DONE) and _is_meant(denial, message, memory)
    if not denial.about and denial.act in ("", NO_MORE):
        return memory.round_last == message.round - 1 and (not denial.act or _may_end(memory))
    value = memory.kind is Kind.PERSONA
    said = str(memory.payload.get("quote", "")) if value else memory.text.replace(memory.subject, "")
    # Of a value its own words: the same remark may have told of a brother's work as well.
    matter = memory.text if value else _OF_ANOTHER.sub("", said)
    # What says itself that something is not so is nothing that a denial means.
    if is_negated(said) or not all(_says(matter, word) for word in denial.about):
        return False
    if not denial.act:
        return True
    before = said[: said.find(memory.text) + len(memory.text)] if value and memory.text in said else _part(said, denial)
    if not _own(memory) or _WAS.search(before):
        return False  # of a value what stands before it: "I'm allergic to cats, so the fitting was mostly sneezing"
    if memory.event_from is not None or (value and memory.payload.get("key") in LASTING - {"family"}):
        return False  # what happened on a day happened, whatever is so now
    if denial.act in ("have", KEPT_NO_MORE):
        return bool(_HAS.search(said))
    # A verb that says little ("doing yoga") leaves it to the thing.
    return _says(said, denial.act) or (bool(denial.about) and not _CHINESE.search(denial.act) and not query_terms(denial.act))


def _part(said: str, denial: Denial) -> str:
    """Of a fact told together with another the one that is meant."""
    return next((part for part in said.split(";") if all(_says(part, word) for word in denial.about)), said)


def _is_over(denial: Denial, memory: Memory) -> bool:
    """Whether a value is what came to an end: of its key, and what is named there if it names anything itself."""
    key, *meant = denial.about
    if memory.kind is not Kind.PERSONA:
        return False
    of = memory.payload.get("key")
    if of != key and not (
        key == "partner" and of == "household" and _PARTNER.search(memory.text)
    ):  # with a partner goes whom one lived with
        return False
    unnamed = key == "partner" and (memory.text in LOVE if _CHINESE.search(memory.text) else memory.text.islower())
    return not meant or unnamed or any(_MEATLESS.search(memory.text) if word == MEATLESS else _says(memory.text, word) for word in meant)


def _is_another_day(denial: Denial, message: Message, memory: Memory) -> bool:
    """Whether a fact names a day still to come of what is on another day now."""
    if memory.kind is not Kind.FACT or memory.event_to is None or memory.event_to < message.said_at or is_negated(memory.text):
        return False
    return all(any(_says(memory.text, other) for other in _ALSO.get(word, (word,))) for word in denial.about)


def _is_plan(memory: Memory, *, done: bool) -> bool:
    """done: where it was done, what was said of its day stays: it was so."""
    if memory.kind is Kind.PERSONA:
        return memory.payload.get("key") in ("plans", "goals")
    if memory.event_from is not None and (done or memory.event_to is None or memory.event_to < memory.said_at):
        return False
    return _own(memory) and _PLANNED.search(memory.text) is not None and not is_negated(memory.text)


def _is_meant(denial: Denial, message: Message, memory: Memory) -> bool:
    if not denial.about:
        return memory.round_last >= message.round - (_LATELY if _TRAVELS.search(memory.text) else 1)
    return all(_says(memory.text, word) for word in denial.about)


def _is_put_right(denial: Denial, memory: Memory) -> bool:
    """Whether a memory rests on what a correction means."""
    quote, words, value = str(memory.payload.get("quote", "")), denial.about[0], memory.kind is Kind.PERSONA
    if denial.act == RESTATED:
        return restates(quote, words) and (not value or memory.payload.get("key") in denial.about[1:])
    wrong = [
        old.text
        for correction in corrections(words, language=memory.language)
        for old, _ in replaced(quote, correction, language=memory.language)
    ]
    return any(not value or text in memory.text or memory.text in text for text in wrong)


def _may_end(memory: Memory) -> bool:
    """Whether it can be so no more: not what happened, nor what one is called or where one comes from, nor what is told of others."""
    if memory.kind is Kind.PERSONA:
        return memory.payload.get("key") not in LASTING
    return memory.event_from is None and _own(memory)


def _own(memory: Memory) -> bool:
    """Whether it tells of whoever said it, and not of somebody or something of theirs."""
    mine = memory.subject == memory.said_by or memory.subject in PLAYER.values()
    return mine and re.match(rf"{re.escape(memory.subject)}(?:['’]s\b|的)", memory.text, re.IGNORECASE) is None


def _says(text: str, word: str) -> bool:
    if _CHINESE.search(word):
        return word in text
    wanted = set(query_terms(word))
    return bool(wanted) and wanted <= set(query_terms(text))


def ended(endings: Sequence[str], message: Message, memories: Iterable[Memory]) -> list[Memory]:
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
            held.setdefault(str(memory.payload.get("quote", "")), []).append(memory)
    near = [words for words, told in held.items() if any(_may_mean(ending, words, told, message) for ending in endings)]
    newest = sorted(near, key=lambda words: (-max(m.round_last for m in held[words]), words))[:COMPARED]
    return [m for words in newest if any(_ends(words, ending) for ending in endings) for m in held[words]]


def _may_mean(ending: str, words: str, told: Sequence[Memory], message: Message) -> bool:
    """Whether a statement was made in the round before, or shares a word that says something: of statements that have nothing to do with it two in a hundred
    would be taken back."""
    lately = any(m.round_last == message.round - 1 for m in told)
    return bool(words) and (lately or not _terms(words).isdisjoint(_terms(ending)))


@lru_cache(maxsize=4_096)
def _terms(words: str) -> frozenset[str]:
    return frozenset(query_terms(words))


def _ends(old: str, new: str) -> bool:
    return bool(network().relation(("", old), ("", new))[RELATIONS.index("no_longer")] >= HOLDS_NO_LONGER)


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


def standing_facts(told: Sequence[tuple[Message, Extraction, Sequence[Memory]]]) -> list[Memory]:
    """Of what the messages of a path tell, oldest first, each with what was read of it, what none of them takes back."""
    memories = [m for _, _, made in told for m in made]
    gone = {m.id for message, read, _ in told for m in taken_back(read.denials, message, memories)}
    gone |= {m.id for message, read, _ in told for m in ended(read.endings, message, memories)}
    return [m for m in memories if m.id not in gone]
