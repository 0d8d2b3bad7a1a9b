"""Which clauses tell something worth keeping: news of the speaker and those near, not talk about the talk."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_negated, is_preferred, subject_of
from memory.extraction.english_conditions import is_faint, is_kept
from memory.extraction.english_courtesies import is_courtesy
from memory.extraction.english_endings import is_dismissed
from memory.extraction.english_exclaimed import is_exclaimed
from memory.extraction.english_listener import TALK, is_of_the_talk, is_own, is_to_be_seen
from memory.extraction.english_narration import is_narrated
from memory.extraction.english_passing import is_passing
from memory.extraction.english_phrases import is_bare
from memory.extraction.english_statements import is_called
from memory.extraction.english_story import is_appointed, is_somebody
from memory.extraction.english_views import is_spent
from memory.extraction.english_vows import is_vowed
from memory.extraction.english_wanting import is_of_a_work
from memory.extraction.english_weight import weight
from memory.extraction.english_words import (
    EMPTY_NOUNS,
    EMPTY_VERBS,
    FIRST,
    FRIENDS,
    ILL,
    KIN,
    LIGHT_VERBS,
    LIKING,
    MONTHS,
    MOODS,
    NEWS_VERBS,
    PARTNERS,
    PETS,
    PLEASURES,
    REACTIONS,
    SEASONS,
    SECOND,
    SKILL_VERBS,
    TRADES,
    WEEKDAYS,
)

_NOTED = frozenset("try consider remember keep search check think give note follow look do".split())
_TIDINGS = frozenset("news update question announcement favor favour surprise".split())
"""What one has to say, not what it is."""
_UNSAID = frozenset("stop begin start finish continue try agree refuse manage leave stay".split())
_LEAVING = re.compile(r"\b(?:(?:have|has|need|got) to|must|gotta|should) (?:go|run|leave|head|get|be)\b.* now\b")
_PARTING = frozenset("ttyl brb gtg bbl".split())
_MEETING = frozenset("chat talk speak meet catch see hear discuss agree".split())


def is_worth_keeping(clause: Clause, *, listener: str, known: Mapping[int, str]) -> bool:
    """Whether it is about the speaker or those near, tells something, and is not addressed to what the listener said.

    known: what pronouns stand for, by token.
    """
    subject, root = clause.subject, clause.root
    if any(c.dep_ == "mark" and c in clause.tokens for c in root.children) and root.dep_ in ("ROOT", "conj"):
        return False
    if root.tag_ in ("WP", "WRB") or any(t.tag_ in ("WP", "WRB") and t.i < root.i and t.head == root for t in clause.tokens):
        return False
    if (
        subject is not None
        and subject.i > root.i
        and root.lemma_ in ("do", "be", "have")
        and subject.dep_ == "nsubj"
        and root.tag_ != "VBG"
    ):
        return False  # "so did my sister": what she did was said before
    if is_narrated(clause) or (subject is not None and subject.lemma_ in ("favorite", "favourite")):
        return False  # "my favourite is blue" does not say of what
    if subject is not None and subject.lower_ in FIRST and _LEAVING.search(" ".join(t.lower_ for t in clause.tokens)):
        return False  # "I have to go prepare dinner now": a parting
    if is_vowed(clause):
        return True
    if is_courtesy(clause) or is_passing(clause):
        return False
    about_listener = [t for t in clause.tokens if t.lower_ in SECOND]
    if about_listener and not is_own(clause, about_listener):
        return False
    if subject is not None and subject.lower_ in FIRST | {"we"}:
        return _tells(clause, known) and (subject.lower_ != "we" or _is_ours(clause))
    if subject is None:
        return _tells(clause, known)
    return (subject.i in known or _is_near(subject, clause, listener)) and _tells(clause, known)


def _is_ours(clause: Clause) -> bool:
    """Not the "we" of maxims ("we need to help each other") nor of this very talk."""
    root = clause.root
    if any(
        t.lemma_ in _MEETING
        and t.pos_ == "VERB"
        and not is_appointed(t)
        and not any(c.dep_ == "dobj" and c.lower_ != "you" for c in t.children)
        for t in clause.tokens
    ):
        return False
    if root.lemma_ in LIKING and any(c.dep_ in ("xcomp", "dobj") and c.tag_ in ("VBG", "VB", "NN", "NNS") for c in root.children):
        return not any(t.lower_ in ("all", "each", "other") for t in clause.tokens)
    if root.lemma_ in ("have", "need", "get") and any(c.dep_ == "xcomp" for c in root.children) and root.tag_ == "VBP":
        return False  # "we have to accept it"
    if root.lemma_ == "be" and any(c.lower_ == "together" for c in root.children):
        return False  # with whom is what it would have to say
    helpers = auxiliaries(root)
    tense = root.tag_ == "VBD" or any(
        t.lemma_ in ("be", "have", "will", "go", "get") or t.lower_ in ("'ll", "'re", "'ve", "did") for t in helpers
    )
    habit = any(t.lower_ in ("always", "usually", "often", "every", "sometimes") for t in clause.tokens) or root.lemma_ in (
        "have",
        "live",
        "own",
    )
    custom = (
        root.tag_ == "VBP"
        and root.lemma_ not in EMPTY_VERBS | {"need", "want", "share", "deserve", "learn", "face"}
        and any(c.dep_ == "dobj" and c.pos_ == "NOUN" and c.lemma_ not in EMPTY_NOUNS for c in root.children)
        and not any(
            t.lower_ in ("can", "all", "if")
            or (t.lower_ in ("each", "other") and not any(c.tag_ == "POS" for c in t.children) and t.dep_ != "det")
            for t in clause.tokens
        )
    )
    return tense or custom or (habit and not any(t.lower_ == "all" for t in clause.tokens))


def _is_near(subject: Token, clause: Clause, listener: str) -> bool:
    """Whether a third party or thing is the speaker's, or has a name."""
    if is_called(subject, listener):
        return False
    if subject.pos_ == "PROPN":
        if is_of_a_work(subject):
            return False
        # what a name "is" tells of a person only if it says so; else it may be a place or a title, praised
        personal = KIN | PARTNERS | FRIENDS | TRADES | MOODS | ILL | PETS | {"allergic", "old", "mix", "mutt"}
        return clause.root.lemma_ != "be" or any(t.lemma_.lower() in personal for t in clause.tokens) or is_somebody(clause)
    if any(t.lower_ == "our" for t in subject.children) and any(
        c.dep_ == "attr" and any(g.lower_ == "our" for g in c.children) for c in clause.root.children
    ):
        return False  # "our children are our future": of people at large
    if any(t.lower_ == "my" or (t.lower_ == "our" and t.head == subject and subject.pos_ == "NOUN") for t in subject.subtree):
        return True
    if subject.lemma_.lower() in KIN | PARTNERS | FRIENDS and any(c.dep_ == "poss" and c.pos_ == "PROPN" for c in subject.children):
        return True  # "Ida's husband"
    if subject.lemma_ == "birthday" and any(c.dep_ == "poss" and c.pos_ == "PROPN" for c in subject.children):
        return True
    if any(c.dep_ == "relcl" and (own := subject_of(c)) is not None and own.lower_ in ("i", "we") for c in subject.children):
        return True  # "the figures I bought"
    if subject.tag_ == "PRP" and subject.lower_ in ("he", "she", "they"):
        return True
    if _is_everybody(subject):
        return clause.root.lemma_ not in TALK | EMPTY_VERBS and any(t.lower_ in ("me", "my") for t in clause.tokens)
    if is_kept(clause) or is_spent(clause.root):
        return True
    if subject.lower_ in ("it", "this", "that", "these", "those", "there", "which", "what") or (
        subject.lemma_ in EMPTY_NOUNS and not (subject.lemma_ == "people" and _is_described(subject))
    ):
        return False
    past = clause.root.tag_ in ("VBD", "VBN")
    if subject.lower_ == "one":
        return past and any(t.lower_ in ("me", "us") for t in clause.tokens)  # "one of the sailors taught me"
    definite = any(c.dep_ == "det" for c in subject.children) and not (past or _is_described(subject))
    if any(c.lower_ in ("each", "every", "any", "some", "no") for c in subject.children) or definite:
        return False
    return (subject.pos_ in ("NOUN", "VERB") or subject.tag_ == "VBG") and any(
        t.lower_ == "me" or (t.lower_ == "us" and not _is_in_relation(t)) or (t.lower_ == "my" and not definite) for t in clause.tokens
    )


def _is_in_relation(us: Token) -> bool:
    """ "A view that helps us to grow": all of us."""
    return any(a.dep_ == "relcl" for a in us.ancestors)


def _is_everybody(subject: Token) -> bool:
    """ "Nobody", "no one", "everyone": what all of them do with the speaker is about the speaker."""
    return subject.lower_ in ("nobody", "everyone", "everybody") or (
        subject.lower_ == "one" and any(c.lower_ == "no" for c in subject.children)
    )


def _is_described(noun: Token) -> bool:
    return any(c.dep_ in ("amod", "compound", "prep", "acl") and c.i != noun.i for c in noun.children)


def _tells(clause: Clause, known: Mapping[int, str]) -> bool:
    root = clause.root
    lemma = root.lemma_.lower()
    first_person = clause.subject is None or clause.subject.lower_ in FIRST | {"we"}
    if first_person and is_dismissed(root):
        return True
    helpers = {t.lower_ for t in auxiliaries(root)}
    news = (
        lemma in NEWS_VERBS
        and root.tag_ in ("VBD", "VBN")
        and any(c.dep_ == "dobj" and (c.pos_ in ("NOUN", "PROPN") or known.get(c.i)) for c in root.children)
    )
    hopes = lemma == "hope" and any(
        c.dep_ == "xcomp" and (c.lemma_ not in TALK | LIGHT_VERBS or _tries(c) or is_to_be_seen(c)) for c in root.children
    )
    recalled = lemma == "remember" and any(c.dep_ == "xcomp" and c.tag_ == "VBG" for c in root.children) and not is_faint(root)
    skilled = lemma == "know" and any(c.lemma_ in SKILL_VERBS and any(g.lower_ == "how" for g in c.children) for c in root.children)
    wishes = lemma == "wish" and any(
        c.dep_ == "ccomp" and any(t.lower_ == "could" for t in auxiliaries(c)) and (own := subject_of(c)) is not None and own.lower_ == "i"
        for c in root.children
    )
    eager = lemma == "wait" and is_negated(root) and not is_of_the_talk(root)
    if first_person and lemma in EMPTY_VERBS and not (news or hopes or wishes or recalled or eager or skilled or is_preferred(root)):
        return False
    if (
        lemma == "be"
        and first_person
        and any(c.lower_ in ("off", "back", "here", "up") and not any(g.dep_ == "xcomp" for g in root.children) for c in root.children)
    ):
        return False
    if (
        first_person
        and {"will", "'ll"} & helpers
        and (lemma in _NOTED or (lemma == "go" and any(c.lemma_ in _NOTED for c in root.children)))
    ):
        return False
    wished = [c for c in root.children if c.dep_ == "xcomp"] if lemma in ("want", "like", "love", "have", "need", "plan") else []
    if first_person and any(c.lemma_ in TALK and not is_to_be_seen(c) for c in wished):
        return False
    if lemma in ("think", "believe", "feel") and any(c.dep_ == "dobj" for c in root.children) and root.tag_ != "VBD" and lemma == "think":
        return False
    if lemma in ("die", "starve", "freeze", "kill", "kid", "joke") and root.tag_ == "VBG" and (first_person or lemma == "kill"):
        return False  # so it is said of hunger and cold
    if (
        first_person
        and lemma in ("tell", "ask")
        and not any(c.dep_ in ("ccomp", "xcomp", "prep", "dative") or _is_told(c) for c in root.children)
    ):
        return False  # "I told Ida this morning": what she told was said before
    if lemma in _UNSAID and not any(_completes(c) for c in root.children if c.i > root.i):
        return False  # "I stopped when she was born": what she stopped was said before
    if any(c.lower_ == "mind" and c.dep_ == "dobj" and c.head.lemma_ == "lose" for c in root.subtree):
        return False
    if first_person and is_exclaimed(clause):
        return False
    if lemma in _PARTING or (first_person and lemma in LIKING and root.tag_ != "VBD" and any(_is_at_hand(c) for c in root.children)):
        return False
    if lemma == "look" and any(t.lower_ == "forward" for t in clause.tokens) and is_of_the_talk(root):
        return False
    if lemma in ("have", "get") and any(c.dep_ == "dobj" and c.lemma_ in _TIDINGS for c in root.children):
        return False  # "I have some great news to share"
    if first_person and lemma == "be" and any(_is_apology(c, root) for c in root.subtree):
        return False
    if first_person and lemma in ("be", "feel") and any(c.lower_ in REACTIONS for c in root.children) and not _has_own_matter(clause):
        return False
    if {"can", "ca"} & helpers and not is_negated(root) and not (first_person and lemma in SKILL_VERBS):
        return False
    return weight(clause, known) >= 1


def _is_apology(word: Token, root: Token) -> bool:
    """ "I'm so sorry, little guy", "I'm late"."""
    return (word.lower_ == "sorry" and root in (word.head, word.head.head)) or (
        word.lower_ == "late" and word.dep_ == "acomp" and word.head == root
    )


def _completes(word: Token) -> bool:
    """Whether it says what was stopped or begun, or where; when is not enough."""
    if word.dep_ in ("dobj", "xcomp", "ccomp", "pcomp", "prt"):
        return True
    return word.dep_ == "prep" and not any(
        c.lower_ in SEASONS | MONTHS | WEEKDAYS or c.lemma_ in _SPELLS or c.text.isdigit() for c in word.children
    )


_SPELLS = frozenset("year month week weekend day night morning evening afternoon time moment end summer winter while".split())


def _is_told(word: Token) -> bool:
    """A story, in "I told Ida a story": what is told, not to whom."""
    return bool(word.dep_ == "dobj" and word.pos_ == "NOUN" and word.lemma_ not in ("other", "everyone"))


def _tries(verb: Token) -> bool:
    """ "I hope to try the local dishes"."""
    return verb.lemma_ == "try" and any(c.dep_ == "dobj" and c.pos_ == "NOUN" and c.lemma_ not in EMPTY_NOUNS for c in verb.children)


def _is_at_hand(noun: Token) -> bool:
    """The design, in "love the design": of what the listener just showed."""
    which = any(c.dep_ in ("prep", "relcl", "acl") for c in noun.children)
    return (
        noun.dep_ == "dobj" and not which and any(c.lower_ == "the" for c in noun.children) and not {noun.lemma_, noun.lower_} & PLEASURES
    )


def _has_own_matter(clause: Clause) -> bool:
    if any(t.lower_ in ("my", "our") or t.pos_ == "PROPN" for t in clause.tokens):
        return True
    if any(t.dep_ == "relcl" and (own := subject_of(t)) is not None and own.lower_ == "i" for t in clause.tokens):
        return True  # "grateful for the help I got from neighbours"
    ahead = [c for child in clause.root.children if child.lower_ in REACTIONS for c in child.children if c.dep_ == "xcomp"]
    return any(
        c.tag_ == "VB"
        and c.lemma_ not in TALK
        and not any(t.lower_ in ("it", "that", "this", "part") for t in c.subtree)
        and any(t.pos_ == "NOUN" and t.lemma_.lower() not in EMPTY_NOUNS and not is_bare(t) for t in c.subtree)
        for c in ahead
    )
