"""Persona values of the moment and of the future: mood, health, whereabouts, activity, habits, plans, goals, fears, beliefs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from memory.extraction.english_calendar import AHEAD, ahead_of, is_ahead
from memory.extraction.english_clauses import auxiliaries, is_negated, subject_of
from memory.extraction.english_health import FOR_LIFE, affliction, of_health
from memory.extraction.english_listener import is_to_be_seen
from memory.extraction.english_phrases import Found, after, is_definite, is_plain, items, noun_phrase, objects, verb_phrase
from memory.extraction.english_wanting import is_of_a_kind
from memory.extraction.english_words import (
    AILMENTS,
    BODY,
    DIETS,
    EMPTY_NOUNS,
    EMPTY_VERBS,
    FOODS,
    GOAL_VERBS,
    ILL,
    MOODS,
    NOT_ACTIVITY,
    NOT_PLACES,
    SECOND,
    WEEKDAYS,
)

_AFRAID = frozenset("afraid scared terrified frightened".split())
_OFTEN = frozenset("always usually often regularly normally daily weekly".split())
_UNITS = frozenset("day morning evening night week weekend month year afternoon".split()) | WEEKDAYS


_POINTING = frozenset("it that you them this him her his she he there here".split())


def of_state(verb: Token) -> Iterator[Found]:
    """Values of a verb whose subject is the player."""
    helpers = [t.lower_ for t in auxiliaries(verb)]
    present = verb.tag_ in ("VBP", "VB", "VBZ") and not helpers
    negated = is_negated(verb)
    if verb.lemma_ in ("be", "feel") and (present or (verb.tag_ == "VBG" and {"am", "'m"} & set(helpers))) and not negated:
        yield from _being(verb)
    if _lasts(verb, helpers) and not negated:
        yield from (found for found in _being(verb) if found.key in LASTING or _is_for_life(found, verb))
    if verb.tag_ == "VBG" and {"am", "'m"} & set(helpers) and not negated:
        yield from _doing(verb)
    yield from of_health(verb, helpers)
    if not negated:
        yield from _health(verb, present=present)
        yield from _habit(verb, present=present)
        yield from _future(verb, helpers)
        yield from _belief(verb, present=present)
    if verb.lemma_ in ("fear", "dread") and present and not negated:
        yield from (Found("fears", *noun_phrase(n)) for n in objects(verb) if is_plain(n))
    if verb.lemma_ == "worry" and present and not negated:
        yield from _worry(verb)


def _is_for_life(found: Found, verb: Token) -> bool:
    return found.key == "health" and any(t.lower_ in FOR_LIFE for t in verb.doc[found.start : found.end])


LASTING = frozenset({"allergies", "diet", "fears"})
"""What one has been is what one is, where nothing says that it ended: not so of moods and places."""
_ENDED = frozenset("before once previously formerly briefly".split())


def _lasts(verb: Token, helpers: Sequence[str]) -> bool:
    """ "I've been allergic to walnuts since I was a kid"."""
    if verb.lemma_ != "be" or verb.tag_ != "VBN" or not set(helpers) <= {"have", "'ve", "’ve"} or not helpers:
        return False
    return not any(c.lower_ in _ENDED for parent in (verb, *verb.children) for c in parent.children)


def _being(verb: Token) -> Iterator[Found]:
    for child in verb.children:
        if child.i < verb.i:
            continue
        predicate = child.dep_ in ("acomp", "attr", "oprd", "advmod") or (
            verb.lemma_ == "feel" and child.dep_ in ("xcomp", "ccomp") and subject_of(child) is None
        )
        for word in items(child) if predicate else ():
            lower = word.lower_
            if lower in _AFRAID and any(c.lower_ == "of" for c in word.children):
                for noun in after(word, "of"):
                    if is_plain(noun) and noun.lemma_.lower() not in EMPTY_NOUNS:
                        yield Found("fears", *(verb_phrase(noun) if noun.tag_ == "VBG" else noun_phrase(noun)))
            elif lower == "allergic":
                for noun in after(word, "to"):
                    if is_plain(noun):
                        yield Found("allergies", *noun_phrase(noun))
            elif lower in DIETS:
                yield Found("diet", word.i, word.i + 1)
            elif lower == "worried" and any(c.lower_ == "about" for c in word.children):
                yield from _worry(word)
            elif lower in ("sick", "tired") and any(c.lower_ == "of" for w in items(child) for c in w.children):
                continue  # "sick and tired of my job" is neither an illness nor a mood
            elif lower in ILL:
                yield from [Found("health", *at)] if (at := affliction(word)) else ()
            elif lower in MOODS and not _is_reaction(word) and not _is_game(word) and not _is_habit(verb, word):
                yield Found("mood", _with_degree(word), word.i + 1)
    if verb.lemma_ == "be" and not any(c.dep_ in ("acomp", "attr") for c in verb.children):
        yield from _place(verb)


_GLAD = frozenset("happy excited thrilled relieved grateful thankful hopeful joyful content peaceful relaxed".split())
_HARDLY = (("a", "bit"), ("a", "little"), ("a", "little", "bit"), ("a", "tad"), ("slightly",), ("somewhat",))


def _with_degree(word: Token) -> int:
    """Where a mood begins with what makes it less: "a bit down" is not down."""
    before = [t.lower_ for t in word.doc[max(0, word.i - 3) : word.i]]
    return int(word.i) - max((len(less) for less in _HARDLY if tuple(before[-len(less) :]) == less), default=0)


_NOW_AND_THEN = frozenset("sometimes often occasionally rarely seldom usually always never".split())
"""Of a habit and not of the moment."""


def _is_habit(verb: Token, word: Token) -> bool:
    return any(c.lower_ in _NOW_AND_THEN for parent in (verb, word) for c in parent.children)


def _is_game(word: Token) -> bool:
    """ "Down for a walk": no mood but a yes."""
    return bool(word.lower_ == "down" and word.i + 1 < len(word.doc) and word.nbor().lower_ in ("for", "with", "to"))


def _is_reaction(word: Token) -> bool:
    """ "happy for you", "excited to hear it", "with your help I feel relieved": of the moment's talk."""
    glad = word.lower_ in _GLAD
    if glad and any(t.lower_ in SECOND for t in word.sent):
        return True
    if word.lower_ in ("grateful", "thankful"):
        return True  # to whom is what it would have to say, and that it is no mood
    thanks = word.lower_ in ("grateful", "thrilled", "excited", "happy", "relieved", "thankful")
    return any(
        c.dep_ in ("prep", "xcomp", "ccomp") and (thanks or any(t.lower_ in ("you", "your", "hear", "that", "it") for t in c.subtree))
        for c in word.children
    )


def _place(verb: Token) -> Iterator[Found]:
    for child in verb.children:
        if child.dep_ != "prep" or child.lower_ not in ("in", "at", "on", "inside", "near", "outside"):
            continue
        for noun in child.children:
            if noun.pos_ != "PROPN" and noun.text[0].isdigit():
                continue  # "off on the 23rd"
            if noun.dep_ != "pobj" or not is_plain(noun) or noun.lemma_.lower() in NOT_PLACES:
                continue
            if noun.pos_ == "PROPN" or (noun.pos_ == "NOUN" and any(c.dep_ == "det" for c in noun.children)):
                yield Found("whereabouts", child.i, noun_phrase(noun, reach=True)[1])


def _worry(word: Token) -> Iterator[Found]:
    """ "Worried about the exam", "worry about losing my job"."""
    for noun in after(word, "about"):
        if is_plain(noun) and noun.lemma_.lower() not in EMPTY_NOUNS:
            yield Found("worries", *(verb_phrase(noun) if noun.tag_ == "VBG" else noun_phrase(noun)))


def _doing(verb: Token) -> Iterator[Found]:
    lemma = verb.lemma_
    ahead = any(t.lower_ in AHEAD for t in verb.subtree)
    if lemma == "go" or lemma == "plan":
        for child in verb.children:
            leaves = lemma == "go" and not ahead and any(c.lower_ == "now" for c in verb.children)  # "now I'm going to cook": a parting
            if (
                not leaves
                and child.dep_ == "xcomp"
                and child.tag_ == "VB"
                and any(t.lower_ == "to" for t in auxiliaries(child))
                and _says(child)
                and (ahead or not _is_step(child))
            ):
                yield Found("plans", *verb_phrase(child))
        for noun in (*objects(verb), *after(verb, "on")) if lemma == "plan" else ():
            if is_plain(noun):
                yield Found("plans", *(verb_phrase(noun) if noun.tag_ == "VBG" else noun_phrase(noun)))
        bare = not any(c.dep_ == "xcomp" and c.tag_ == "VB" for c in verb.children)
        if lemma == "go" and bare and ahead and any(c.dep_ in ("prep", "xcomp", "advcl") for c in verb.children):
            yield Found("plans", *verb_phrase(verb))
    elif ahead and lemma not in EMPTY_VERBS | {"look", "feel"}:
        yield Found("plans", *verb_phrase(verb))
    elif lemma in ("sit", "stand", "stay", "wait", "lie"):
        yield from _place(verb)
    elif lemma not in NOT_ACTIVITY and _says(verb) and not any(is_of_a_kind(n) for n in objects(verb)):
        yield Found("activity", *verb_phrase(verb))


_POSTURES = frozenset("stand sit lie wait kneel step lean rest hide".split())
_WHITHER = frozenset("at on in by outside inside beside under near behind down back here there with over".split())


def _is_step(verb: Token) -> bool:
    """ "I'm going to stand outside with the dog": done at once, and no plan. Not "sit the exam", "stand for the council"."""
    if verb.lemma_ not in _POSTURES or any(c.dep_ in ("dobj", "prt") for c in verb.children):
        return False
    said = [c for c in verb.children if c.dep_ in ("prep", "advmod", "npadvmod", "advcl")]
    return all(c.dep_ in ("prep", "advmod") and c.lower_ in _WHITHER for c in said)


def _says(verb: Token) -> bool:
    """A verb phrase that tells what: with an object or place of its own, nothing pointing."""
    if verb.lemma_ in EMPTY_VERBS or verb.lemma_ in ("be", "do", "try", "miss", "check", "need"):
        return False
    start, end = verb_phrase(verb)
    words = verb.doc[start:end]
    if any(t.lower_ in ("it", "that", "this", "you", "your", "them", "him", "her", "those", "these", "there", "now") for t in words):
        return False
    return any((t.pos_ in ("NOUN", "PROPN") and t.lemma_.lower() not in EMPTY_NOUNS) or (t.tag_ == "VBG" and t.i > start) for t in words)


def _health(verb: Token, *, present: bool) -> Iterator[Found]:
    perfect = any(t.lower_ in ("have", "'ve") for t in auxiliaries(verb))
    if verb.lemma_ in ("have", "get", "catch") and (present or verb.lemma_ != "have" or perfect):
        for noun in objects(verb):
            lemma = noun.lemma_.lower()
            if lemma == "allergy" and verb.lemma_ == "have":
                yield from (Found("allergies", c.i, c.i + 1) for c in noun.children if c.dep_ in ("compound", "amod") and c.pos_ == "NOUN")
                yield from (Found("allergies", *noun_phrase(n)) for n in after(noun, "to"))
            elif lemma in AILMENTS or lemma == "pain":
                yield Found("health", *noun_phrase(noun))
    if verb.lemma_ in ("break", "sprain", "twist", "hurt", "injure", "fracture", "burn") and verb.tag_ in ("VBD", "VBN", "VBP"):
        for noun in objects(verb):
            if noun.lemma_.lower() in BODY:
                yield Found("health", verb.i, noun.i + 1)
    if verb.lemma_ == "sleep" and present:
        yield from (Found("health", verb.i, c.i + 1) for c in verb.children if c.lower_ in ("badly", "poorly") and c.i == verb.i + 1)
    if verb.lemma_ == "suffer" and (present or verb.tag_ == "VBG"):
        yield from (Found("health", *noun_phrase(n)) for n in after(verb, "from") if is_plain(n))


def _habit(verb: Token, *, present: bool) -> Iterator[Found]:
    if (
        not present
        or verb.tag_ == "VBZ"
        or verb.lemma_
        in EMPTY_VERBS | {"be", "feel", "want", "love", "like", "need", "have", "enjoy", "get", "try", "think", "consider", "choose"}
    ):
        return
    if verb.dep_ not in ("ROOT", "conj"):
        return
    start, end = verb_phrase(verb)
    every = any(t.lower_ in ("every", "each") and t.head.lemma_.lower() in _UNITS for t in verb.doc[start:end])
    often = any(
        c.lower_ in _OFTEN
        or (
            c.dep_ == "prep"
            and c.lower_ == "on"
            and any(t.tag_ == "NNPS" or (t.lower_.rstrip("s") in WEEKDAYS and t.lower_.endswith("s")) for t in c.children)
        )
        for c in verb.children
    )
    if (every or often) and end > start + 1 and not any(t.lower_ in _POINTING for t in verb.doc[start:end]):
        yield Found("habits", start, end)


def _future(verb: Token, helpers: list[str]) -> Iterator[Found]:
    if verb.lemma_ in ("have", "'ve", "’ve", "get") and verb.tag_ in ("VBP", "VBN") and not (set(helpers) - {"have", "'ve", "’ve"}):
        yield from ahead_of(verb)
    present = verb.tag_ in ("VBP", "VB") and not helpers
    wants = (verb.lemma_ in ("want", "hope", "wish") and present) or (verb.lemma_ in ("like", "love") and {"would", "'d"} & set(helpers))
    if wants or (verb.lemma_ in ("plan", "intend") and present) or (verb.lemma_ == "decide" and verb.tag_ in ("VBD", "VBN")):
        for child in verb.children:
            if child.dep_ == "xcomp" and child.tag_ == "VB" and any(t.lower_ == "to" for t in auxiliaries(child)):
                goal = verb.lemma_ not in ("plan", "intend", "decide")
                if not goal and _says(child):
                    yield Found("plans", *verb_phrase(child))
                elif (
                    goal
                    and (child.lemma_ in GOAL_VERBS or is_to_be_seen(child))
                    and (_says(child) or is_to_be_seen(child) or (child.lemma_ in ("become", "be") and any(objects(child))))
                    and not _small(child)
                ):
                    yield Found("goals", *verb_phrase(child))
    ahead = {"will", "'ll"} & set(helpers) and is_ahead(verb)
    if ahead and _says(verb) and not any(c.dep_ == "xcomp" for c in verb.children):
        yield Found("plans", *verb_phrase(verb))
    if verb.lemma_ == "dream" and verb.tag_ in ("VBP", "VBG"):
        yield from (Found("goals", *verb_phrase(n)) for n in after(verb, "of") if n.tag_ == "VBG")


def _small(verb: Token) -> bool:
    """Wishes of this very evening."""
    return any(t.lower_ in ("tonight", "now", "today", "more", "you", "it", "something") or t.lemma_.lower() in FOODS for t in verb.subtree)


def _belief(verb: Token, *, present: bool) -> Iterator[Found]:
    if verb.lemma_ != "believe" or not present:
        return
    for noun in after(verb, "in"):
        if is_plain(noun) and not is_definite(noun):
            yield Found("beliefs", *noun_phrase(noun))
    for child in verb.children:
        subject = subject_of(child)
        if child.dep_ == "ccomp" and subject is not None and (subject.lower_ in ("everyone", "everybody") or is_plain(subject)):
            start, end = child.left_edge.i, child.right_edge.i + 1
            if child.doc[start].lower_ == "that":
                start += 1
            if end - start <= 9 and not any(t.is_punct for t in child.doc[start:end]):
                yield Found("beliefs", start, end)
