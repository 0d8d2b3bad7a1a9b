"""Extraction without a language model: sentence by sentence, in the language of each message, every value in the words of its source.

What the bundled demo model says is kept as episodes alone: it invents, and echoes the player's words as its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.episodes import READ_CHARS, language_of
from memory.extraction.asked import wants_name
from memory.extraction.corrections import Mended, may_correct, mended, put_right, replaced, restates
from memory.extraction.draft import CORRECTED, ENDED, RESTATED, Denial, Extraction, FactDraft, Line, ValueDraft, stands_in
from memory.extraction.languages import is_read
from memory.extraction.ownership import is_anothers, own_words, passes_for, speaks_as
from memory.persona import PLAYER, UNNAMED
from memory.persona_keys import KEYS
from models.embedded import NAME as DEMO_MODEL
from storage.records import Chat, Message, Role

VERSION = "grounded-22"
MAX_FACT_CHARS = 400
MAX_VALUE_CHARS = 80
MAX_FACTS, MAX_VALUES, MAX_DENIALS = 12, 24, 6
"""Of one message; a novel pasted as one message must not crowd out everything else."""
_ASIDE = re.compile(
    r"\(\([^()]*\)\)|[(\[（【]\s*ooc\b[^()\[\]（）【】]*[)\]）】]|^[^\S\n]*ooc[^\S\n]*[:：].*$", re.IGNORECASE | re.MULTILINE
)
"""Said out of character: nothing of the story."""
_CUT = re.compile(r"@|\bwww\.|(?:n['’]t|\bnot) (?:just|only|merely)\b", re.IGNORECASE)
"""In a fact that was cut off within an address, or says the half of "not only ... but"."""
PEOPLE_KEYS = frozenset("family friends partner relationships household".split())
"""Keys whose values name people."""
STATES = frozenset("single divorced widowed separated 单身 离婚".split())
"""How one is after parting."""
NAMING_KEYS = PEOPLE_KEYS | {"name", "nickname"}
"""And those whose values name the player: nobody is who they talk with."""
SOMETHING = "…"
"""Stands for whatever was said before, where it is not looked at: a remark, as it were, that asks nothing."""


def alone(message: Message, *, listener: str, opens: bool, others: Sequence[str] = ()) -> Extraction:
    """Facts and persona values that one message tells by itself, whatever stands before it; empty where nothing is to be extracted from.

    listener: whom "you" means, empty in a group; opens: nobody else spoke before it; others: who else is there, as `others_of` gives them.
    """
    return _extract(message, "" if opens else SOMETHING, listener=listener, others=others)


def answering(message: Message, question: Message, *, listener: str, others: Sequence[str] = ()) -> Extraction:
    """What a message tells beyond that, as the answer to the message before it. It hangs on both."""
    if not asks(question, message):
        return Extraction()
    bare = alone(message, listener=listener, opens=False, others=others)
    return _beyond(bare, _extract(message, question.text[:READ_CHARS], listener=listener, others=others))


def _beyond(bare: Extraction, more: Extraction) -> Extraction:
    """What one reading tells and the other does not."""
    facts, values = {(f.text, f.subject) for f in bare.facts}, {(v.key, v.value) for v in bare.values}
    return Extraction(
        tuple(f for f in more.facts if (f.text, f.subject) not in facts),
        tuple(v for v in more.values if (v.key, v.value) not in values),
    )


def correcting(message: Message, earlier: Message, *, listener: str, others: Sequence[str] = ()) -> Extraction:
    """What a message tells beyond that by putting right a word of what its speaker said last: "no wait, it's Tuesday". It hangs on both."""
    if not corrects(earlier, message):
        return Extraction()
    language = language_of(message.text)
    line = _line(message, "", listener=listener, language=language, others=others)
    said = _line(earlier, "", listener=listener, language=language, others=others)
    facts: list[FactDraft] = []
    values: list[ValueDraft] = []
    for correction in mended(line.text, language=language).open:
        if pairs := replaced(said.text, correction, language=language):
            quote = line.text[correction.start : correction.end].strip()
            right = _drafts(replace(said, text=put_right(said.text, pairs)), language)
            told = _beyond(_drafts(said, language), right)
            facts += [replace(f, quote=quote, from_question=True) for f in told.facts]
            values += [replace(v, quote=quote, from_question=True) for v in told.values if stands_in(v.value, line.text)]
    return _sound(Extraction(tuple(facts), tuple(values)), line)


def corrects(earlier: Message, message: Message) -> bool:
    """Whether a message may put something right that its speaker said before."""
    return earlier.speaker == message.speaker and may_correct(message.text) and language_of(earlier.text) == language_of(message.text)


def asks(question: Message, message: Message) -> bool:
    """Whether somebody else's message puts a question that the next may answer, or wants a name."""
    return question.speaker != message.speaker and ("?" in question.text or "？" in question.text or wants_name(question.text))


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


def _alone_with(message: Message, chat: Chat) -> str:
    """Whom a message of a group is said to, where one character alone hears it or says it to nobody but the player."""
    if len(message.present) != 1:
        return ""
    (there,) = message.present
    if message.role is Role.USER:
        return there
    return _named(chat.said_to(message.revision), language=language_of(message.text)) if message.speaker == there else ""


def _extract(message: Message, question: str, *, listener: str, others: Sequence[str]) -> Extraction:
    if message.revision.origin == "card" or message.revision.model == DEMO_MODEL or message.role is Role.NARRATOR:
        return Extraction()
    if not is_read(message.text):
        return Extraction()
    language = language_of(message.text[:READ_CHARS])
    line = _line(message, question, listener=listener, language=language, others=others)
    right = mended(line.text, language=language) if may_correct(line.text) else Mended(line.text)
    drafts = _drafts(replace(line, text=right.text), language)
    if right.text != line.text:
        drafts = _of_mended(drafts, line, right)
    return _sound(drafts, line)


def _line(message: Message, question: str, *, listener: str, language: str, others: Sequence[str]) -> Line:
    speaker = label(message, language=language)
    return Line(
        text=_in_the_story(own_words(message.text[:READ_CHARS], speaker=speaker, others=[listener, *others])),
        speaker=speaker,
        listener=listener,
        others=tuple(others),
        is_player=message.role is Role.USER,
        said_at=message.said_at,
        question=question,
    )


def _drafts(line: Line, language: str) -> Extraction:
    return _extractor(language)(line)


def _of_mended(drafts: Extraction, line: Line, right: Mended) -> Extraction:
    """What a mended text tells, with quotes of the text as it stands and without what it says anew, and what it takes back of earlier ones."""
    said_anew = [c for c in right.made if c.whole]

    def gone(quote: str) -> bool:
        at = line.text.find(quote)
        return any(0 <= at < c.start and restates(quote, c.whole) for c in said_anew)

    denials = list(drafts.denials)
    for correction in right.open:
        if correction.whole:
            keys = (v.key for v in drafts.values if correction.whole.strip() in v.quote or v.quote in correction.whole)
            denials.append(Denial((correction.whole.strip(), *keys), RESTATED))
        else:
            denials.append(Denial((line.text[correction.start : correction.end].strip(),), CORRECTED))
    return Extraction(
        tuple(replace(f, quote=_stretch(f.quote, line, right)) for f in drafts.facts if not gone(f.quote)),
        tuple(replace(v, quote=_stretch(v.quote, line, right)) for v in drafts.values if not gone(v.quote)),
        tuple(denials),
    )


def _stretch(quote: str, line: Line, right: Mended) -> str:
    """A quote of a mended text as it was said: from where the sentence begins that was put right to where it is put right."""
    if quote in line.text:
        return quote
    meant = next((c for c in right.made if any(t.text in quote for t in c.new)), right.made[0] if right.made else None)
    if meant is None:
        return line.text.strip()
    start = max(line.text.rfind(mark, 0, max(0, meant.start - 1)) for mark in ".!?。！？\n") + 1
    return line.text[start : meant.end].strip()


def _sound(drafts: Extraction, line: Line) -> Extraction:
    """What of drafts may be kept of a line."""
    there = [name for name in (line.listener, *line.others) if name]
    parted = [d.about[1:] for d in drafts.denials if d.act == ENDED and d.about[0] == "partner"]
    return Extraction(
        facts=tuple(
            f
            for f in drafts.facts
            if _is_sound(f)
            and not any(is_anothers(f.text, speaker=line.speaker, other=other) for other in there)
            and not any(passes_for(f.subject, speaker=line.speaker, other=other) for other in there)
        )[:MAX_FACTS],
        values=tuple(
            v
            for v in drafts.values
            if line.is_player
            and not (
                v.key == "partner"
                and any(not names or any(name in v.value for name in names) for names in parted)
                and v.value not in STATES
            )
            and _is_grounded(v, line)
            and not any(speaks_as(v.quote, other) for other in there)
            and not (v.key in NAMING_KEYS and any(passes_for(v.value, speaker=line.speaker, other=other) for other in there))
        )[:MAX_VALUES],
        denials=drafts.denials[:MAX_DENIALS],
    )


def _extractor(language: str) -> Callable[[Line], Extraction]:
    """Loaded with the first text of its language: spaCy takes 125 MB and 1.4 s, jieba's dictionary 60 MB."""
    if language == "zh":
        from memory.extraction.chinese import extract as chinese

        return chinese
    from memory.extraction.spacy_alone import load_spacy

    load_spacy()
    from memory.extraction.english import extract as english

    return english


def label(message: Message, *, language: str) -> str:
    """How a message's speaker is named in third person."""
    return _named(message.speaker, language=language) if message.role is Role.USER else message.speaker


def _named(name: str, *, language: str) -> str:
    return PLAYER[language] if name.strip().casefold() in UNNAMED else name


def _in_the_story(text: str) -> str:
    """A message with blanks for what its speaker says out of character."""
    return _ASIDE.sub(lambda found: " " * len(found.group()), text)


def _is_sound(fact: FactDraft) -> bool:
    return (
        _CUT.search(fact.text) is None
        and bool(fact.text.strip())
        and len(fact.text) <= MAX_FACT_CHARS
        and fact.text.isprintable()
        and 0.0 <= fact.trust <= 1.0
    )


def _is_grounded(value: ValueDraft, line: Line) -> bool:
    source = f"{line.question}\n{line.text}" if value.from_question and not stands_in(value.value, line.text) else line.text
    return (
        value.key in KEYS
        and 0 < len(value.value.strip()) <= MAX_VALUE_CHARS
        and value.value.isprintable()
        and (stands_in(value.value, source) or _is_named_apart(value, line))
    )


def _is_named_apart(value: ValueDraft, line: Line) -> bool:
    """ "Sister Mina", of "My sister is a vet. She's called Mina": both stand in the quote, one behind the other."""
    words = value.value.split(" ")
    parts = ((" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words)))
    return (
        value.key in PEOPLE_KEYS | {"pets"}
        and value.quote in line.text
        and any(0 <= value.quote.find(kin) < value.quote.rfind(name) for kin, name in parts)
    )
