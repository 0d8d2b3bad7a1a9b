"""Who somebody is by their answer to "What's your name?" and "Who are you?": a name, or what they are."""

from __future__ import annotations

import re

from memory.extraction.english_words import FILLERS, ILL, MOODS, TRADES, WEEKDAYS

_WHOM = r"(?:i|they|people|we|folks?|friends|your friends|everyone|others)"
_VOCATIVE = (
    r"(?:(?>,[^,?]{1,25}"
    r"| (?:then|really|anyway|again|exactly|now|by the way|stranger|travell?er|friend|child|lad|lass|girl|boy|sir|miss|madam|little one)\b))*"
)
"""Each part of it can be read in one way alone, so that many of them take no longer than they are."""
NAME_ASKED = re.compile(
    rf"what(?:'s| is| was) your (?:full |first |real |own |given )?name|(?:^|[,;:] ?|\band |\bso )your name{_VOCATIVE}\?"
    rf"|what (?:should|can|do|may|shall|must|might|would) {_WHOM} (?:call|name) you|(?:may|can|could|might) (?:i|we) (?:ask|have|know|get|hear) your name"
    r"|what name (?:do you go by|goes|shall|should|do i|am i|is it|will)|what are you called|(?:do you have|have you(?: got)?|got) a name\b",
    re.IGNORECASE,
)
_WHO_ASKED = re.compile(
    rf"who (?:are|might|may) you(?: be)?{_VOCATIVE}(?:\?|,? and (?:what|who|where|why|how)\b)|^\W*(?:and |so )?(?:you are|who might you be){_VOCATIVE}\?"
    rf"|who(?:'s| is| goes) there{_VOCATIVE}\?"
    r"|who am i (?:speaking|talking) (?:to|with)|(?:with|to) whom (?:am|do|have) i\b|who do i have the (?:pleasure|honou?r)",
    re.IGNORECASE,
)
_TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof|St|Fr|Sr|Capt|Lt|Sgt|[A-Z])\."
PARTICLES = frozenset("de da di du del della van von der den des ten ter la le al el bin ibn af av dos das san y".split())
"""Within a name, and small."""
_WORD = rf"(?:{_TITLE}|[A-Z][\w'’-]*)"
_NAME = rf"{_WORD}(?: (?:(?:{'|'.join(sorted(PARTICLES))}) ){{0,2}}{_WORD}){{0,4}}"
_GIVEN = re.compile(rf"(?P<name>{_NAME})(?=\s*(?:[,;!…—~-]|\.+|$)|\s+(?:from|of) (?:the )?[A-Z])")
_SAID_SO = re.compile(r"(?i:(?:it|that)(?:['’]s| is| would be)|(?:the )?name(?:['’]s| is)|just|only|simply|merely)\s+(?=[A-Z])")
_OF_A_KIND = re.compile(r"(?:(?:just|only|merely|simply) )?(?P<article>an?|the) (?P<next>\S+)", re.IGNORECASE)
_NOBODY = FILLERS | frozenset(
    "dunno idk unknown secret guess forgot oh uh um hm hmm just only names none nobody noone nothing someone somebody anyone anybody everyone everybody"
    " later never maybe perhaps depends classified irrelevant unimportant private myself yours you me us waiting passing leaving looking lost alone alive"
    " dead hungry thirsty cold late early busy fine better curious new here there home human death life why who what where when how if because".split()
)
_ANYONE = frozenset("friend stranger person human man woman fool mystery secret nobody guest visitor long-story story name".split())
_SURNAMES_TOO = frozenset("mason smith baker potter shepherd cook judge hunter ranger merchant knight monk priest".split())

WHAT_NAME = "What is your name?"
CALLED = "My name is "
"""What a name is told with."""
_NAME_WANTED = re.compile(
    r"\b(?:tell|give) me (?:your (?:full |real |first )?name|who you are|what (?:you(?:['’]re| are) called|(?:they|people|your friends) call you))"
    r"|\b(?:state|say|speak|sign|write(?: down)?) your name\b|\byour name,? (?:please|if you please|first)|\bintroduce yourself\b|\bi(?:['’]d| would) (?:like|love) to "
    r"know (?:your name|who you are)",
    re.IGNORECASE,
)


def wants_name(said: str) -> bool:
    """Whether somebody is to say who they are, without a question at the end."""
    return _NAME_WANTED.search(said) is not None or NAME_ASKED.search(said) is not None


WHO_ARE_YOU = "Who are you?"
"""What a word on what one is answers that stands behind one's name."""


_GREETED = re.compile(
    r"\W*(?:(?:hi|hello|hey|yo|howdy|greetings|salutations|good (?:morning|evening|day|afternoon|night)|evening|morning|well met|(?:nice|good|pleased) to meet you|"
    r"(?:a |my )?pleasure)\b[^.!?…]{0,25}+[.!?…\s]*+)*+",
    re.IGNORECASE,
)
_MY_NAME = re.compile(rf"\s*(?i:(?:the )?name['’]s)\s+(?={_NAME}(?=\s*(?:[,;!…—~.-]|$)))")


def introduces(sentence: str, before: str) -> int:
    """How much of "Name's Kit." stands ahead of the name of its speaker; 0 if it is none: "I've a dog. Name's Rex." before: what was said ahead of it."""
    found = _MY_NAME.match(sentence)
    return found.end() if found and _GREETED.fullmatch(before) else 0


def goes_on(sentence: str) -> bool:
    """Whether a sentence behind one's name says what one is: "Mara. A carpenter." """
    return _OF_A_KIND.match(sentence) is not None


Lead = tuple[str, int]
"""What is put before an answer, and how much of the answer is left out for it."""


def asks_who(question: str) -> bool:
    """Whether it asks who one is. question: the last one, with its mark."""
    return NAME_ASKED.search(question) is not None or _WHO_ASKED.search(question) is not None


def who(question: str, answer: str) -> Lead | None:
    """What makes a statement of an answer, one sentence, to such a question; None where it does not say who, or says it by itself."""
    name = NAME_ASKED.search(question) is not None
    if said := _SAID_SO.match(answer):
        given = _GIVEN.match(answer, said.end())
        return (CALLED, said.end()) if given and _is_name(given["name"]) else None
    if re.search(r"\b(?:calls?|called) me\b", answer, re.IGNORECASE):
        return None
    if kind := _OF_A_KIND.match(answer):
        if kind["next"].rstrip(".!,;…~").lower() in _ANYONE and kind.end() == len(answer):
            return None
        return (CALLED, 0) if name and kind["article"] == "The" and kind["next"][0].isupper() else ("I am ", 0)
    bare = re.sub(r"[.!,;…~]+$", "", answer)
    if len(bare.split()) == 1 and bare.lower() in TRADES and not (bare[0].isupper() and bare.lower() in _SURNAMES_TOO):
        return ("I am an " if bare[0].lower() in "aeiou" else "I am a "), 0
    if len(bare.split()) == 1 and bare.lower() in MOODS | ILL:
        return "I am ", 0
    given = _GIVEN.match(answer)
    if given and _is_name(given["name"]):
        return CALLED, 0
    if name and re.fullmatch(r"[a-z][a-z'’-]+", bare) and _is_name(bare):
        return CALLED, 0
    return None


def _is_name(words: str) -> bool:
    first = words.split()[0].lower().rstrip(".")
    return first not in _NOBODY | MOODS | ILL | WEEKDAYS and not (len(words.split()) == 1 and re.search(r"(?<!l)(?<!k)ing$", first))
