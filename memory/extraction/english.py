"""Facts and persona values of one English message, by rules over a small parser's reading of it: no language model.

What is not plainly stated is left out; an empty result is a right answer.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

from spacy.tokens import Doc, Token

from memory.extraction.draft import Extraction, FactDraft, Line
from memory.extraction.english_clauses import LONGEST, Clause, clauses, is_asserted, is_quoted
from memory.extraction.english_company import company
from memory.extraction.english_denials import denials_of, holds
from memory.extraction.english_parsing import parse
from memory.extraction.english_people import Person, people
from memory.extraction.english_person import Cast, naming, possessive, tell
from memory.extraction.english_question import asked_about
from memory.extraction.english_reading import Reading, read
from memory.extraction.english_reference import Dates, dates, resolved
from memory.extraction.english_shorter import known_to_others, shorter
from memory.extraction.english_statements import opening, stripped
from memory.extraction.english_values import values
from memory.extraction.english_views import VIEW, adds, is_dummy, is_judgment, is_view, shown
from memory.extraction.english_words import FIRST, FIRST_PLURAL, SECOND, THIRD
from memory.extraction.english_worth import is_worth_keeping, trust

_WORDS_MIN, _WORDS_MAX = 3, 32
_QUESTION_CHARS = 1_000
_REMEMBERED = 4
"""Messages whose reading is kept at hand: each is asked for again as an answer directly after it was read alone."""


@functools.lru_cache(_REMEMBERED)
def extract(line: Line) -> Extraction:
    """What one message tells: facts in third person, and values of the player's persona if it is the player's."""
    line = replace(line, speaker=line.speaker.strip(), listener=line.listener.strip())
    reading = read(line.text, line.question)
    if not any(c.isalpha() for c in reading.text):
        return Extraction(denials=denials_of(None, line.text))
    doc = parse(reading)
    asked = _asked(line, doc)
    if line.question and not (asked or reading.answered):
        return extract(replace(line, question=""))  # the question adds nothing
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
            found = found or told.part(clause)
            if found is not None:
                facts.setdefault(found.fact.text.casefold(), found)
            last = found
    news, found_values = _news_or_views(list(facts.values())), values(doc, line, reading) if line.is_player else ()
    return Extraction(
        tuple(f for f in news if holds(f.quote, line.text)),
        tuple(v for v in found_values if holds(v.quote, line.text)),
        denials_of(doc, line.text),
    )


def _news_or_views(found: list[_Told]) -> tuple[FactDraft, ...]:
    """What a message tells; how its speaker sees things in general only where it tells nothing else."""
    news = [told.fact for told in found if not told.view]
    return tuple(news or (told.fact for told in found))


def _asked(line: Line, doc: Doc) -> list[Person]:
    """What the question spoke of, if the answer may mean it by a pronoun."""
    if "?" not in line.question or not any(t.lower_ in THIRD and t.dep_ != "expl" and not is_dummy(t) for t in doc):
        return []
    question = Reading()
    question.put(line.question[:_QUESTION_CHARS])
    return asked_about(parse(question), speaker=line.speaker, listener=line.listener)


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

    def part(self, clause: Clause) -> _Told | None:
        """What a clause tells without what trails behind it, if nobody can tell what that means; or what it says that others know of its speaker."""
        if resolved(clause.tokens, self.persons, self.said) is None:
            for part in shorter(clause):
                if (found := self.alone(part)) is not None:
                    return found
        known = known_to_others(clause)
        return self.alone(known) if known is not None else None

    def alone(self, clause: Clause) -> _Told | None:
        """What a clause tells by itself."""
        clause = stripped(clause, listener=self.line.listener)
        if not self._is_said(clause):
            return None
        replaced = resolved(clause.tokens, self.persons, self.said)
        begin, view = opening(clause, self.cast), False
        if (thing := shown(clause)) is not None:
            clause, begin = thing, f"{self.cast.speaker} shows"
            replaced = resolved(clause.tokens, self.persons, self.said)
        elif begin is None or (not begin and clause.tokens[0].tag_ == "VB"):
            return None  # "look at ..." is no statement, whatever the parser finds behind it
        elif not is_worth_keeping(clause, listener=self.line.listener, known=replaced or {}):
            if begin or not is_view(clause):
                return None
            begin, view = f"{self.cast.speaker} {'believes' if is_judgment(clause) else 'says'}", True
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
        cast = self.cast
        if any(p.head in clause.tokens and p.head.dep_ == "pobj" and cast.company == f"{cast.speaker} and {p.name}" for p in self.persons):
            cast = replace(cast, company=f"{cast.speaker} and others")  # "we sailed with my uncle" names him itself
        return tell(clause, cast, replaced=replaced | self.said.spelt(clause.root.doc, clause.tokens), lead=begin)

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
    if subject is None or clause.shared or any(c.dep_ == "conj" and c.lower_ in ("i", "me") for c in subject.children):
        return cast.speaker  # "my sister and I …" is the speaker's as well
    if subject.i in replaced:
        return replaced[subject.i]
    return next((p.name for p in persons if p.head == subject), cast.speaker)
