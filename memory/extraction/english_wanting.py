"""What says nothing without what was said before: progress in nothing, the best part, pictures of nowhere, a camera to bring. Such words are told together
with the fact before them, or not at all.

Kinds of words alone, looked at one by one; what "the trip" and "it" mean stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from memory.extraction.english_abroad import LOCAL, is_abroad, is_placed
from memory.extraction.english_clauses import logical_subject
from memory.extraction.english_elided import is_elided
from memory.extraction.english_phrases import is_bare
from memory.extraction.english_words import FIRST, FIRST_PLURAL, KIN, MONTHS, SEASONS, WEEKDAYS

_WANTING = frozenset("progress headway explanation feedback step solution".split())
"""What is always of something, or towards something, that has to be said with it."""
_ADVANCE = frozenset("progress headway".split())
_DOING = frozenset(
    "learn study practice practise work write read train build train develop research prepare paint draw draft code teach".split()
)
_TROUBLES = frozenset("difficulty obstacle setback".split())
"""As are these where they are single ones: not those that are overcome at any time."""
_MET = frozenset("problem trouble issue challenge mishap".split())
_MEETING = frozenset("have encounter face meet experience hit notice".split())
_SLIGHT = frozenset("small little big major minor serious real certain new recent bit tiny huge".split())
"""Says how great, not of what."""
_SKILLS = frozenset("skill technique".split())
_UNSAID = frozenset({("plan", "have"), ("inspiration", "have"), ("inspiration", "find")})
_IMPROVING = frozenset("improve hone sharpen enhance develop practice practise refine polish".split())
_TOWARDS = frozenset("in on with to towards toward for about of at from like as behind against".split())
_TIMES = (
    WEEKDAYS
    | MONTHS
    | SEASONS
    | set("today tomorrow yesterday tonight day week weekend month year morning afternoon evening night time".split())
)
_PARTS = frozenset("part point aspect scene moment chapter highlight bit".split())
_CHIEF = frozenset("key main important crucial only first last final favorite favourite".split())
_OF_WORKS = frozenset(
    "character protagonist hero heroine plot storyline ending lyric melody soundtrack cinematography author theme".split()
)
_WORKS = frozenset(
    "film movie documentary book novel story series show play song album musical game poem opera cartoon comic anime drama".split()
)
_FELT = frozenset(
    "taste flavor flavour texture smell aroma scent service scenery view atmosphere ambience ambiance vibe acting visuals sound effect".split()
)
"""What is always a thing's or a place's."""
_SEEN = frozenset("scenery landscape sight view".split())
_PICTURES = frozenset("picture photo pic photograph selfie snapshot video".split())
_TAKING = frozenset("take snap shoot get capture".split())
_COURSES = frozenset("process procedure".split())
_AHEAD = frozenset("trip journey itinerary encounter meeting conversation chat visit".split())
_TAKING_PART = frozenset("join attend participate enroll enrol register apply compete".split())
_CARRYING = frozenset("bring pack".split())
_GIVING = frozenset("offer give send hand promise do make".split())
"""Something, without a word more, that was offered or is to be done."""
_LEAVING_OFF = frozenset("withdraw stop".split())
_KNOWING = frozenset("dobj ccomp xcomp prep prt advcl acl acomp oprd nsubjpass".split())
_TAKEN_UP = frozenset("immerse engross absorb".split())
"""Where and when, if it was once."""
_SOUGHT = frozenset("find need want join get look".split())


_ALL_NOUNS = (
    _WANTING
    | _TROUBLES
    | _MET
    | _SKILLS
    | _PARTS
    | _OF_WORKS
    | _FELT
    | _PICTURES
    | _COURSES
    | _AHEAD
    | _SEEN
    | {"plan", "inspiration", "mind", "thing"}
)


def lacks(tokens: Sequence[Token]) -> bool:
    """Whether it does not say of what, and so says nothing alone: "I'm not making progress", "I want to bring my camera"."""
    return any(_is_wanting(t, tokens) or is_abroad(t, tokens) for t in tokens) or is_elided(tokens)


def is_part_of_nothing(tokens: Sequence[Token]) -> bool:
    """ "Patience is an important step": that is no view of things in general."""
    return any(
        t.dep_ == "attr" and ((t.lemma_ in _WANTING and _hangs_in_the_air(t)) or (t.lemma_ in _PARTS and _is_part(t))) for t in tokens
    )


def leans(tokens: Sequence[Token]) -> bool:
    """Whether words can stand alone and still are clearer behind what was said before them: what enough money is for, what is local where."""
    for token in tokens:
        noun = token.head
        scarce = token.lower_ == "enough" or (token.lower_ == "much" and noun.head.lemma_ == "have")
        if scarce and token.dep_ == "amod" and noun.lemma_ in _SAVED and not _is_completed(noun):
            return True
        if token.lower_ == "local" and token.dep_ == "amod" and noun.lemma_ in LOCAL and not is_placed(tokens):
            return True
    return False


def is_topical(before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether what stands before says of what these words speak, where they speak of progress: that takes a thing one does."""
    return not any(t.lemma_ in _ADVANCE for t in tokens) or any(
        t.lemma_ in _DOING or (t.dep_ == "pcomp" and t.tag_ == "VBG") for t in before
    )


def is_whole(tokens: Sequence[Token]) -> bool:
    """Whether a stretch of words, told as a value by itself, says of what and where it is."""
    return not lacks(tokens) and not leans(tokens)


def is_of_a_work(name: Token) -> bool:
    """Ada, in "the film tells the story of a baker named Ada. Ada loses her shop": nobody the speaker knows."""
    first = next((t for t in name.doc[: name.i] if t.text == name.text), None)
    return first is not None and any(t.lemma_ in _WORKS and t.dep_ == "nsubj" for t in first.sent)


def is_of_a_kind(noun: Token) -> bool:
    """ "A new skill", "a company": one of a kind that everybody has, of which nothing is said."""
    said = {c.lower_ for c in noun.children if not c.is_punct}
    return (
        noun.lemma_ in _KINDS
        and noun.tag_ == "NN"
        and said <= {"a", "an", "new", "another", "some", "great", "good", "nice"}
        and bool(said)
    )


_KINDS = frozenset(
    "skill thing company firm place business organization organisation film movie book novel project hobby course class show".split()
)


def _is_wanting(token: Token, tokens: Sequence[Token]) -> bool:
    if token.pos_ == "VERB" and token.lemma_ in ("tell", "ask") and token.tag_ in ("VBD", "VBN"):
        behind = [c for c in token.children if c.i > token.i and not c.is_punct]
        return len(behind) == 1 and behind[0].dep_ in ("dobj", "dative") and behind[0].pos_ in ("PRON", "PROPN")  # "Isaac told me"
    if token.pos_ == "VERB":
        return (
            _is_undirected(token)
            or _is_taught_nothing(token)
            or _is_known_nothing(token)
            or (token.lemma_ in _TAKEN_UP and any(c.lower_ in ("was", "were") for c in token.children))
        )
    if token.lower_ == "everything":
        return token.dep_ in ("dobj", "nsubj") and not any(c.dep_ in ("relcl", "acl", "amod", "prep") for c in token.children)
    if token.lower_ == "something":
        kinds = {c.dep_ for c in token.children}
        if token.dep_ != "dobj" or not kinds <= {"amod"}:
            return False
        return token.head.lemma_ in (_MEETING | {"see", "hear", "find", "discover"} if kinds else _GIVING)  # "I saw something strange"
    if token.lower_ == "one":
        return (
            token.tag_ in ("NN", "CD")
            and token.dep_ == "dobj"
            and "a" in {c.lower_ for c in token.children}
            and any(c.dep_ == "amod" for c in token.children)
        )
    if token.lower_ == "such":
        return _is_sought(token)
    if token.pos_ != "NOUN":
        return False
    lemma = token.lemma_.lower()
    return lemma in _ALL_NOUNS and (
        (
            ((lemma in _WANTING and token.tag_ == "NN") or _is_trouble(token) or _is_unsaid_plan(token) or _is_unsaid_skill(token))
            and _hangs_in_the_air(token)
        )
        or (lemma in _PARTS and _is_part(token))
        or (lemma in _OF_WORKS and _is_of_no_work(token, tokens))
        or (
            lemma in _FELT
            and token.dep_ == "nsubj"
            and is_bare(token)
            and not any(t.pos_ in ("NOUN", "PROPN") for t in _before(token, tokens))
        )
        or (lemma in _PICTURES and _is_of_nowhere(token))
        or (lemma in _COURSES and _is_unsaid_course(token, tokens))
        or (lemma in _AHEAD and any(c.lower_ == "next" for c in token.children) and _is_own(token) and _hangs_in_the_air(token))
        or (lemma in _SEEN and _is_seen_nowhere(token, tokens))
        or (lemma == "thing" and any(c.lower_ == "another" for c in token.children))
        or (lemma == "mind" and _is_in_mind(token))
        or (lemma == "inspiration" and token.dep_ == "nsubj" and _is_own(token) and not any(c.dep_ == "prep" for c in token.children))
    )


def _before(token: Token, tokens: Sequence[Token]) -> list[Token]:
    return [t for t in tokens if t.i < token.i]


def _is_own(noun: Token) -> bool:
    return any(c.lower_ in ("my", "our") for c in noun.children)


def _is_trouble(noun: Token) -> bool:
    """ "I have some difficulties", "I met a big problem": not "a problem at work", nor what is no more than weighed ("it is a challenge")."""
    some = any(c.lower_ in ("some", "a", "an", "few", "several") for c in noun.children)
    if noun.lemma_ in _TROUBLES:
        return some
    said = {c.lower_ for c in noun.children if c.dep_ in ("amod", "compound", "nmod", "poss")}
    return noun.lemma_ in _MET and some and noun.dep_ == "dobj" and noun.head.lemma_ in _MEETING and said <= _SLIGHT | {"few", "several"}


def _is_unsaid_plan(noun: Token) -> bool:
    """ "I don't have any plans yet", "I found no inspiration": for what was said before."""
    return bool(noun.dep_ == "dobj" and (noun.lemma_, noun.head.lemma_) in _UNSAID) and {c.lower_ for c in noun.children} <= {
        "any",
        "no",
    }


def _is_unsaid_skill(noun: Token) -> bool:
    """ "I want to improve my skills": at what was said before."""
    bare = {c.dep_ for c in noun.children} <= {"poss", "cc", "conj"}
    return bool(noun.lemma_ in _SKILLS and noun.dep_ == "dobj" and noun.head.lemma_ in _IMPROVING) and bare


def _hangs_in_the_air(noun: Token) -> bool:
    """Progress, in "I'm not making a lot of progress": in what was said before. Not "progress with the novel", nor "my flute teacher's feedback"."""
    if any(c.dep_ in ("compound", "relcl", "acl", "appos") or (c.dep_ == "poss" and c.pos_ in ("NOUN", "PROPN")) for c in noun.children):
        return False
    ends = (noun, noun.head)
    return not any(
        (t.dep_ in ("prep", "dative") and t.i > noun.i and t.lower_ in _TOWARDS and not _is_time(t))
        or (t.dep_ == "advcl" and t.tag_ == "VBG")
        for t in noun.sent
        if t.head in ends
    )


def _is_time(preposition: Token) -> bool:
    return any(c.lower_ in _TIMES or c.like_num for c in preposition.children if c.dep_ == "pobj")


def _is_part(noun: Token) -> bool:
    """ "The best part was the swim", "the key point is patience": of what was said before. Not "the best part of the day"."""
    chief = any(
        c.dep_ == "amod" and (c.tag_ == "JJS" or c.lower_ in _CHIEF or any(g.tag_ == "RBS" for g in c.children)) for c in noun.children
    )
    if not chief or not any(c.lower_ in ("the", "my", "a", "an") for c in noun.children):
        return False
    return not any(
        c.dep_ in ("relcl", "acl", "compound") or (c.dep_ == "prep" and not any(g.lower_ in FIRST for g in c.children))
        for c in noun.children
    )


def _is_of_no_work(noun: Token, tokens: Sequence[Token]) -> bool:
    """ "I cried for the main character": of what, if no book or film stands before it."""
    if not any(c.lower_ == "the" for c in noun.children) or any(c.dep_ in ("prep", "relcl", "acl", "poss", "appos") for c in noun.children):
        return False
    if any(c.dep_ == "amod" and c.lower_ not in ("main", "central", "leading", "whole") for c in noun.children):
        return False
    return not any(t.pos_ == "PROPN" or t.text == '"' or t.lemma_ in _WORKS for t in tokens[1:])


def _is_of_nowhere(noun: Token) -> bool:
    """ "I took a lot of pictures": not "pictures of the bay", "wedding photos", nor "I took some pictures at the fair"."""
    whole = noun
    while whole.dep_ in ("pobj", "prep", "conj") and whole.head.pos_ in ("NOUN", "ADP", "PRON"):
        whole = whole.head
    verb = whole.head
    if (
        whole.dep_ != "dobj"
        or verb.lemma_ not in _TAKING
        or verb.tag_ not in ("VBD", "VBN")
        or any(c.dep_ in ("compound", "relcl", "acl", "poss", "nmod") for c in noun.children)
    ):
        return False
    told = [c for end in {noun, whole} for c in end.children if c.dep_ == "prep" and not noun.is_ancestor(c) and c.lower_ != "of"]
    of_what = any(c.dep_ == "prep" for c in noun.children)
    placed = any(c.dep_ in ("prep", "advcl", "dative") and not _is_time(c) for c in verb.children)
    return not (told or of_what or placed)


def _is_seen_nowhere(noun: Token, tokens: Sequence[Token]) -> bool:
    """ "I saw so many beautiful landscapes": not "I went to the lake and saw …", "the view from the tower"."""
    if noun.dep_ != "dobj" or noun.head.lemma_ not in ("see", "admire") or noun.head.tag_ not in ("VBD", "VBN"):
        return False
    return not any(t.dep_ == "pobj" or t.pos_ == "PROPN" or t.lower_ in ("there", "here") for t in tokens[1:])


def _is_unsaid_course(noun: Token, tokens: Sequence[Token]) -> bool:
    """ "I met him during the whole process": of what was said before, where somebody tells it of themself."""
    said = any(c.lower_ == "the" for c in noun.children) and not any(c.dep_ in ("prep", "relcl", "acl", "compound") for c in noun.children)
    return said and any(t.lower_ in ("i", "we") for t in tokens)


def _is_in_mind(noun: Token) -> bool:
    """ "I have several places in mind": for what was said before."""
    if noun.head.lower_ != "in" or not any(a.lemma_ == "have" for a in noun.ancestors):
        return False
    return not any(t.lower_ == "for" for t in noun.sent)


def _is_sought(such: Token) -> bool:
    """ "I need to find such a club": like one that was spoken of. Not "such a lovely day", nor "clubs such as ours"."""
    noun = such.head
    exclaimed = any(c.dep_ == "amod" and c != such for c in noun.children)
    return (
        such.dep_ in ("predet", "amod")
        and noun.pos_ == "NOUN"
        and noun.dep_ in ("dobj", "pobj")
        and not exclaimed
        and (any(a.lemma_ in _SOUGHT for a in noun.ancestors))
    )


def _is_undirected(verb: Token) -> bool:
    """ "I want to bring my camera", "we play every week", "I finally joined": whither, what and whom was said before."""
    lemma = verb.lemma_
    if lemma not in _CARRYING | _TAKING_PART | _LEAVING_OFF | {"play", "finish"}:
        return False
    doer = logical_subject(verb)
    if verb.dep_ == "relcl" or doer is None or doer.lower_ not in ("i", "we"):
        return False
    said = {
        c.dep_ for c in verb.children if not (c.dep_ == "prep" and _is_time(c)) and not (c.dep_ == "advmod" and c.lower_ not in _SAYING)
    }
    if lemma in _CARRYING:
        return verb.tag_ == "VB" and "dobj" in said and said.isdisjoint(("prep", "prt", "dative", "advmod", "advcl", "xcomp"))
    if lemma == "finish":
        return said.isdisjoint(("dobj", "prep", "prt", "advmod", "xcomp", "ccomp", "nsubjpass", "acomp", "oprd", "npadvmod"))
    return said.isdisjoint(("dobj", "prep", "prt", "advmod", "advcl", "xcomp", "ccomp", "nsubjpass"))


def _is_taught_nothing(verb: Token) -> bool:
    """ "My gran taught me when I was ten": what was said before. Not "Mr Hale taught me for years", who is a teacher."""
    if verb.lemma_ != "teach" or verb.tag_ not in ("VBD", "VBN"):
        return False
    doer, taught = logical_subject(verb), [c for c in verb.children if c.dep_ in ("dobj", "dative")]
    if doer is None or doer.lemma_.lower() not in KIN or len(taught) != 1 or taught[0].lower_ not in FIRST | FIRST_PLURAL:
        return False
    return not any(c.dep_ in ("xcomp", "ccomp", "prt") or c.lower_ in ("about", "how") for c in verb.children)


def _is_known_nothing(verb: Token) -> bool:
    """ "I think she knows", "I swear I didn't know": what was said before."""
    if verb.lemma_ != "know" or verb.dep_ not in ("ROOT", "ccomp", "conj") or logical_subject(verb) is None:
        return False
    return not any(c.dep_ in _KNOWING and not (c.dep_ == "prep" and _is_time(c)) for c in verb.children)


_SAYING = frozenset("home there here abroad together outside outdoors alone".split())
"""Adverbs that say where or with whom."""
_SAVED = frozenset("money time budget".split())


def _is_completed(noun: Token) -> bool:
    return any(t.i > noun.i and t.dep_ in ("prep", "xcomp", "acl", "advcl", "relcl") for t in noun.sent if t.head in (noun, noun.head))
