"""Facts and persona values of one English message, by rules over a small parser's reading of it: no language model.

What is not plainly stated is left out; an empty result is a right answer.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from spacy.tokens import Doc, Token

from memory.extraction.draft import Extraction, FactDraft, Line
from memory.extraction.english_clauses import LONGEST, Clause, clauses, is_asserted, is_quoted, subject_of
from memory.extraction.english_company import company
from memory.extraction.english_courtesies import is_courtesy
from memory.extraction.english_definites import Meant, bonds, dangling, may_name, spelt, spoken_of
from memory.extraction.english_denials import denials_of, holds
from memory.extraction.english_narration import is_narrated
from memory.extraction.english_parsing import parse
from memory.extraction.english_people import Person, people
from memory.extraction.english_person import Cast, naming, possessive, tell
from memory.extraction.english_question import asked_about
from memory.extraction.english_reading import Reading, read
from memory.extraction.english_reference import Dates, dates, resolved
from memory.extraction.english_relatives import called, named_behind
from memory.extraction.english_shorter import beginning, known_to_others, shorter, unplaced
from memory.extraction.english_statements import called_out, opening, stripped
from memory.extraction.english_values import values
from memory.extraction.english_views import VIEW, adds, is_dummy, is_judgment, is_praise, is_regard, is_view, shown
from memory.extraction.english_wanting import is_part_of_nothing, is_topical, lacks, leans
from memory.extraction.english_weight import trust
from memory.extraction.english_words import EMPTY_VERBS, FIRST, FIRST_PLURAL, REPORT, SECOND, THIRD, WEEKDAYS
from memory.extraction.english_worth import is_worth_keeping

_WORDS_MIN, _WORDS_MAX = 3, 32
_QUESTION_CHARS = 1_000
_REMEMBERED = 4
"""Messages whose reading is kept at hand: each is asked for again as an answer directly after it was read alone."""


@functools.lru_cache(_REMEMBERED)
def extract(line: Line) -> Extraction:
    """What one message tells: facts in third person, and values of the player's persona if it is the player's."""
    return _extracted(replace(line, speaker=line.speaker.strip(), listener=line.listener.strip()), line.question)


def _extracted(line: Line, heard: str) -> Extraction:
    """heard: the question, also where it adds nothing and is none of the line's."""
    reading = read(line.text, line.question, line.speaker, heard=heard, listener=line.listener)
    if not any(c.isalpha() for c in reading.text):
        return Extraction(denials=denials_of(None, line.text, line.speaker))
    doc = parse(reading)
    asked, question = [] if reading.introduced else _asked(line, doc), _naming(line, doc)
    if line.question and not (asked or question or reading.answered):
        return _extracted(replace(line, question=""), heard)  # the question adds nothing
    persons = called(people(doc, speaker=line.speaker, listener=line.listener), doc)
    cast = Cast(line.speaker, line.listener, company(doc, persons, speaker=line.speaker))
    persons = [*asked, *persons]
    said = dates(doc, said_at=line.said_at)
    told = _Telling(line, reading, cast, persons, said, frozenset(p.name for p in asked), question)
    facts: dict[str, _Told] = {}
    last: _Told | None = None
    bare = {name.start for _, name in named_behind(doc)}
    for sentence in doc.sents:
        if sentence.start in bare:
            continue  # what goes on behind a name goes on of whose it is
        for clause in clauses(sentence):
            found = told.alone(clause)
            if (found is None or leans(found.tokens)) and last is not None and (whole := told.together(last, clause)) is not None:
                facts.pop(last.fact.text.casefold(), None)
                found = whole
            found = found or told.part(clause)
            if found is not None:
                facts.setdefault(found.fact.text.casefold(), found)
            last = found or told.ground(clause)
    news, found_values = _news_or_views(list(facts.values())), values(doc, line, reading) if line.is_player else ()
    return Extraction(
        tuple(f for f in news if holds(f.quote, line.text, line.speaker)),
        tuple(v for v in found_values if holds(v.quote, line.text, line.speaker)),
        denials_of(doc, line.text, line.speaker),
    )


def _news_or_views(found: list[_Told]) -> tuple[FactDraft, ...]:
    """What a message tells; how its speaker sees things in general only where it tells nothing else."""
    news = [told.fact for told in found if not told.view]
    return tuple(news or (told.fact for told in found))


def _asked(line: Line, doc: Doc) -> list[Person]:
    """What the question spoke of, if the answer may mean it by a pronoun."""
    if "?" not in line.question or not any(t.lower_ in THIRD and t.dep_ != "expl" and not is_dummy(t) for t in doc):
        return []
    return asked_about(_question(line), speaker=line.speaker, listener=line.listener)


def _naming(line: Line, doc: Doc) -> Doc | None:
    """The question, if it may say what "the film" of its answer means."""
    return _question(line) if "?" in line.question and any(may_name(line.question, noun) for noun in dangling(tuple(doc))) else None


def _question(line: Line) -> Doc:
    question = Reading()
    question.put(line.question[:_QUESTION_CHARS])
    return parse(question)


_SENSED = frozenset("feeling sense smell sound sight taste thought idea joy".split())


@dataclass(frozen=True)
class _Told:
    """A fact and the words of the message that it tells."""

    fact: FactDraft
    tokens: tuple[Token, ...]
    view: bool
    """Of things in general, as the speaker sees them."""
    kept: bool = True
    """Whether it tells something by itself."""


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
    question: Doc | None
    """Where it may say which one a noun with "the" means."""

    def part(self, clause: Clause) -> _Told | None:
        """What a clause tells without what trails behind it, if nobody can tell what that means; or what it says that others know of its speaker."""
        which = spelt(nouns := dangling(clause.tokens), self.question)
        open_end = which is None or resolved(clause.tokens, self.persons, self.said) is None
        if open_end or lacks(clause.tokens) or any(t.lower_ in SECOND for t in clause.tokens):
            bare = unplaced(stripped(clause, listener=self.line.listener), nouns) if which is None else None
            for part in (*shorter(clause), *([bare] if bare else [])):
                joined = any(t.dep_ == "cc" for t in clause.tokens[len(part.tokens) : len(part.tokens) + 2])
                if (open_end or joined) and (found := self.alone(part)) is not None and (open_end or not found.view):
                    return found
        known = known_to_others(clause) or beginning(clause)
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
        elif lacks(clause.tokens) or not is_worth_keeping(clause, listener=self.line.listener, known=replaced or {}):
            if begin or is_part_of_nothing(clause.tokens):
                return None
            if self.line.listener and is_regard(clause):
                view = True
            elif is_view(clause) or (self.line.listener and is_praise(clause)):
                begin, view = f"{self.cast.speaker} {'believes' if is_judgment(clause) else 'says'}", True
            else:
                return None
        which, with_whom = spelt(dangling(clause.tokens), self.question), bonds(clause.tokens, self.persons)
        if replaced is None or which is None or with_whom is None:
            return None
        replaced |= naming(clause, speaker=self.line.speaker) | with_whom[0]
        text = self._text(clause, replaced | which[0], begin)
        if text is None or text.casefold() in _tautologies(self.cast.speaker) or not _WORDS_MIN <= len(text.split()) <= _WORDS_MAX:
            return None
        subject = _subject(clause, self.cast, self.persons, replaced) if not begin else self.cast.speaker
        sure = min(trust(clause), VIEW if view else 1.0)
        return self._told(clause.tokens, text.rstrip(".") + ".", subject, sure, replaced, view=view, meant=[*which[1], *with_whom[1]])

    def ground(self, clause: Clause) -> _Told | None:
        """What is nothing to keep by itself, but may be what the next clause speaks of: "Running is good. It clears my head"."""
        clause = stripped(clause, listener=self.line.listener)
        subject = clause.subject
        if subject is None or subject not in clause.tokens or not self._is_said(clause) or opening(clause, self.cast) != "":
            return None
        plain = subject.pos_ in ("NOUN", "PROPN") or subject.tag_ == "VBG" or subject.lower_ in FIRST
        shown = any(c.lower_ == "the" for c in subject.children) and subject.lemma_ not in _SENSED  # "the posters were great": which ones?
        loose = any(
            t.lower_ in SECOND | FIRST_PLURAL | {"our"} or t.lower_ in THIRD or t.tag_ in ("WP", "WRB", "WDT") for t in clause.tokens
        )
        if (
            not plain
            or shown
            or loose
            or clause.root.lemma_ in EMPTY_VERBS
            or is_narrated(clause)
            or is_courtesy(clause)
            or lacks(clause.tokens)
        ):
            return None
        replaced = resolved(clause.tokens, self.persons, self.said)
        if replaced is None or dangling(clause.tokens) or bonds(clause.tokens, self.persons) != ({}, []):
            return None
        text = self._text(clause, replaced | naming(clause, speaker=self.line.speaker), "")
        if text is None or not _WORDS_MIN <= len(text.split()) <= LONGEST:
            return None
        found = self._told(
            clause.tokens, text.rstrip(".") + ".", _subject(clause, self.cast, self.persons, replaced), trust(clause), replaced, view=False
        )
        return replace(found, kept=False)

    def together(self, last: _Told, clause: Clause) -> _Told | None:
        """The fact before and what a clause adds to it that cannot be understood alone: "Mara baked a pie; it was gone by noon"."""
        clause = stripped(clause, listener=self.line.listener)
        if (
            not self._is_said(clause)
            or not is_topical(last.tokens, clause.tokens)
            or not all(spoken_of(last.tokens, noun) for noun in dangling(clause.tokens))
        ):
            return None
        if not last.kept and not (any(t.lower_ in ("me", "my") for t in clause.tokens) and adds(clause, self.cast)):
            return None  # of the world, and of the world again
        if any(t.lower_ == "our" for t in clause.tokens) and bonds(clause.tokens, self.persons) is None:
            return None
        if clause.root.lemma_ in REPORT and not any(t.i > clause.root.i and not t.is_punct for t in clause.tokens):
            return None  # "..., she said"
        replaced = resolved((*last.tokens, *clause.tokens), self.persons, self.said)
        begin = "" if adds(clause, self.cast) else self._leaning(last, clause, replaced or {})
        text = None if replaced is None or begin is None else self._text(clause, replaced, begin)
        if text is None or replaced is None:
            return None
        first = clause.tokens[0]
        named = first.pos_ == "PROPN" or first.lower_ in SECOND or first.i in replaced
        if not named and (first.lower_ not in FIRST | FIRST_PLURAL or self.line.speaker[:1].islower()):
            text = text[0].lower() + text[1:]
        text = f"{last.fact.text[:-1]}; {text.rstrip('.')}."
        if len(text.split()) > (_WORDS_MAX if lacks(clause.tokens) else LONGEST):
            return None
        tokens, sure = (*last.tokens, *clause.tokens), min(last.fact.trust, trust(clause))
        return self._told(tokens, text, last.fact.subject, sure, replaced, view=last.view)

    def _leaning(self, last: _Told, clause: Clause, known: dict[int, str]) -> str | None:
        """What to begin a clause with that is worth telling, but only behind the fact before: "I love the music of the film", "I have met some difficulties"."""
        own = last.fact.subject == self.cast.speaker and (lacks(clause.tokens) or leans(clause.tokens))
        if not (own or dangling(clause.tokens)) or not is_worth_keeping(clause, listener=self.line.listener, known=known):
            return None
        return opening(clause, self.cast)

    def _is_said(self, clause: Clause) -> bool:
        if not clause.tokens or is_quoted(clause.root) or not is_asserted(clause.root) or self._is_calendar(clause):
            return False
        if _speaks_to(clause, self.line.speaker) or _is_order(clause) or _is_measured(clause) or _is_put(clause):
            return False
        return not self.said.possessive(clause.root.doc, clause.tokens)

    def _is_calendar(self, clause: Clause) -> bool:
        """ "Today is Monday" says what day it is, and of nobody anything."""
        return (
            clause.subject is not None
            and self.said.covers(clause.subject)
            and any(c.dep_ == "attr" and c.lower_ in WEEKDAYS for c in clause.root.children)
        )

    def _text(self, clause: Clause, replaced: dict[int, str], begin: str) -> str | None:
        cast = self.cast
        if any(t.lower_ == "us" and t.dep_ == "pobj" and t.i + 1 < len(t.doc) and t.nbor().lower_ == "all" for t in clause.tokens):
            return None  # of everybody
        if any(p.head in clause.tokens and p.head.dep_ == "pobj" and cast.company == f"{cast.speaker} and {p.name}" for p in self.persons):
            cast = replace(cast, company=f"{cast.speaker} and others")  # "we sailed with my uncle" names him itself
        if sum((t.text == "(") - (t.text == ")") for t in clause.tokens):
            return None  # cut off within brackets
        left_out = called_out(clause, self.line.listener)
        return tell(clause, cast, replaced=replaced | self.said.spelt(clause.root.doc, clause.tokens) | left_out, lead=begin)

    def _told(
        self,
        tokens: tuple[Token, ...],
        text: str,
        subject: str,
        trust: float,
        replaced: dict[int, str],
        *,
        view: bool,
        meant: Sequence[Meant] = (),
    ) -> _Told:
        """meant: what says which one is meant, where these words do not."""
        start, end = tokens[0].idx, tokens[-1].idx + len(tokens[-1])
        start = min([start, *(m.start for m in meant if not m.asked)])
        place = self.reading.source(start, end)
        quote = self.line.text.strip() if place is None else self.line.text[place[0] : place[1]]
        when = self.said.within(tokens)
        event = when[0][2].range if when else None
        named = {name.removesuffix("'s").removesuffix("'") for name in replaced.values()} | set(replaced.values())
        from_question = self.reading.completes(start) or not self.asked.isdisjoint(named) or any(m.asked for m in meant)
        fact = FactDraft(text, subject, quote, event, trust, from_question)
        return _Told(fact, tokens, view)


def _speaks_to(clause: Clause, speaker: str) -> bool:
    """Whether the speaker's own name is called out in it: "he said, Mara, we'll pay" are somebody else's words."""
    return any(
        t.text == speaker and t.nbor(-1).text == "," and t.nbor().text == "," and any(v.lemma_ in REPORT for v in t.doc[t.sent.start : t.i])
        for t in clause.tokens[1:-1]
    )


def _is_measured(clause: Clause) -> bool:
    """ "We said it so often, we can't have one, that I got to thinking so": a "that" behind a comma goes on with what was said before it."""
    return any(t.lower_ == "that" and t.dep_ == "mark" and t.nbor(-1).text == "," for t in clause.tokens[1:])


def _is_put(clause: Clause) -> bool:
    """ "I said what about Biscuit", "I thought: by heart": words as they were put, which nobody understands alone."""
    words = [t.lower_ for t in clause.tokens]
    asked = any(words[i] in ("what", "how") and words[i + 1] == "about" for i in range(1, len(words) - 1))
    colon = clause.root.i + 1 < len(clause.root.doc) and clause.root.nbor().text == ":"
    return asked or (colon and clause.root.lemma_ in ("think", "say"))


def _is_order(clause: Clause) -> bool:
    """Whether an order stands in its middle: "I held it, don't laugh, on its string"."""
    return any(
        t.lower_ == "do" and t.nbor(-1).text == "," and t.nbor().lower_ in ("n't", "n’t", "not") and subject_of(t.head) is None
        for t in clause.tokens[1:-1]
    )


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
