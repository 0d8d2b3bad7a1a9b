"""Who somebody is by their answer to "What's your name?" and "Who are you?": a name, or what they are. Where that is not plain nothing is told."""

from __future__ import annotations

import re

from memory.extraction.english_dictionary import kinds
from memory.extraction.english_names import is_given_name
from memory.extraction.english_words import ANIMALS, FILLERS, ILL, KIN, MOODS, NO_TRADES, NUMBERS, TRADE_ENDINGS, TRADES, WEEKDAYS

_WHOM = r"(?:i|they|people|we|folks?|everyone|others)"
_VOCATIVE = (
    r"(?:(?>,[^,?]{1,25}"
    r"| (?:then|really|anyway|again|exactly|now|by the way|stranger|travell?er|friend|child|lad|lass|girl|boy|sir|miss|madam|little one)\b))*"
)
"""Each part of it can be read in one way alone, so that many of them take no longer than they are."""
NAME_ASKED = re.compile(
    rf"what(?:'s| is| was) your (?:full |first |real |own |given )?name\b(?! (?:of|day|tag|badge)\b)|^\W*(?:and |so )?your name{_VOCATIVE}\?"
    rf"|what (?:should|can|do|may|shall|must|might) {_WHOM} call you\b|(?:may|can|could|might) (?:i|we) (?:ask|have|know|get|hear) your name\b"
    r"|what name (?:do you go by|goes (?:in|on|with)|(?:shall|should|do|may|can) i (?:call you|write down|put down))\b|what are you called(?= *[,?])"
    rf"|do you have a name{_VOCATIVE}\?",
    re.IGNORECASE,
)
_WHO_ASKED = re.compile(
    rf"who (?:are|might|may) you(?: be)?{_VOCATIVE}(?:\?|,? and (?:what|who|where|why|how)\b)|^\W*(?:and you are|(?:and |so )?who might you be){_VOCATIVE}\?"
    r"|who am i (?:speaking|talking) (?:to|with)\W*\?|(?:with|to) whom (?:do|am) i (?:speak|speaking|talking|have the (?:pleasure|honou?r))"
    r"|who do i have the (?:pleasure|honou?r)",
    re.IGNORECASE,
)
_TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof|St|Fr|Sr|Capt|Lt|Sgt|[A-Z])\."
PARTICLES = frozenset("de da di du del della van von der den des ten ter la le al el bin ibn af av dos das san y".split())
"""Within a name, and small."""
_LARGE = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶĹĻŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽ"
_WORD = rf"(?:{_TITLE}|(?:[dlDLO]['’]|al-|el-)?[{_LARGE}][\w'’-]*)"
_SMALL = rf"(?:(?:{'|'.join(sorted(PARTICLES))}) )"
_NAME = rf"{_SMALL}?{_WORD}(?: {_SMALL}{{0,2}}{_WORD}){{0,4}}"
_GIVEN = re.compile(rf"(?P<name>{_NAME})(?=\s*(?:[,;!…—~-]|\.+|$)|\s+(?:from|of) (?:the )?\w)")
_SAID_SO = re.compile(rf"(?i:it(?:['’]s| is)|that would be|(?:the )?name(?:['’]s| is)|just|only|simply|merely)\s+(?=[{_LARGE}])")
_CALLS_ME = re.compile(r"[^,]*\b(?:calls?|called) me\b", re.IGNORECASE)
_OF_A_KIND = re.compile(
    r"(?:(?:just|only|merely|simply) )?(?:an?|the) (?:[a-z'’-]+ ){0,3}?(?P<head>[a-z'’-]+)"
    r"(?:(?: (?:from|of|with|in|at|by|on the|looking for|passing through) [^.!?]*)?(?:, [^.!?]*)?)[.…]*$",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:or|used to|once|formerly|not|was|please|quick(?:ly)?|help|first|now)\b", re.IGNORECASE)
_ROLES = frozenset(
    "girl boy widow widower orphan traveller traveler wanderer pilgrim prince princess king queen duke duchess witch wizard sorcerer sorceress thief liar fool ghost"
    " vampire werewolf elf dwarf demon angel runaway exile refugee prisoner student neighbour neighbor mercenary assassin spy pirate bandit rogue hermit scholar"
    " keeper innkeeper watchman messenger servant maid butler squire page bard minstrel druid paladin adventurer deserter outlaw beggar"
    " mother father daughter son sister brother twin cousin aunt uncle teacher cleaner driver painter writer baker miller weaver hunter trapper ferryman boatman"
    " fisher porter foreman cabbie busker cyclist climber swimmer runner skater gamer streamer".split()
)
_NOBODY = (
    FILLERS
    | NUMBERS
    | frozenset(
        "dunno idk unknown secret guess forgot oh uh um hm hmm just only names none nobody noone nothing someone somebody anyone anybody everyone everybody"
        " later never maybe perhaps depends classified irrelevant unimportant private myself yours you me us waiting passing leaving looking lost alone alive"
        " dead hungry thirsty cold late early busy fine better curious new here there home human death life why who what where when how if because cheers bye"
        " goodbye tomorrow yesterday today tonight water help fire christmas easter mum mom dad mummy daddy grandma grandpa granny gran granddad police boo"
        " shh eh ouch goodnight howdy yo namaste bonjour hola jesus christ whoa truce peace friend coffee tea beer ale whisky wine food money pizza"
        " delivery santa".split()
    )
)
_SURNAMES_TOO = frozenset("mason smith baker potter shepherd cook judge hunter ranger merchant knight monk priest".split())

CALLED = "My name is "
"""What a name is told with."""
WHO_ARE_YOU = "Who are you?"
"""What a word on what one is answers that stands behind one's name."""
_GREETED = re.compile(
    r"\W*(?:(?:hi|hello|hey|yo|howdy|greetings|salutations|good (?:morning|evening|day|afternoon|night)|evening|morning|well met|(?:nice|good|pleased) to meet you"
    r"|(?:a |my )?pleasure)(?:,? (?:there|all|everyone|everybody|folks|stranger|friend|sir|madam|miss|again|to you|to meet you)){0,2}+[.!?,…\s]*+)*+",
    re.IGNORECASE,
)
_MY_NAME = re.compile(rf"\s*(?i:(?:the )?name['’]s)\s+(?={_NAME}(?=\s*(?:[,;!…—~.-]|$)))")


def introduces(sentence: str, before: str, question: str) -> int:
    """How much of "Name's Kit." stands ahead of the name of its speaker; 0 if it is none: "I've a dog. Name's Rex." before: what stands ahead of it, gestures and
    all; question: what was said before, which may have asked for another's."""
    found = _MY_NAME.match(sentence)
    others = "?" in question or any(word in ANIMALS | KIN | {"baby"} for word in re.findall(r"[a-z]+", question.lower()))
    return found.end() if found and not others and _GREETED.fullmatch(before) else 0


Lead = tuple[str, int]
"""What is put before an answer, and how much of the answer is left out for it."""


def asks_who(question: str) -> bool:
    """Whether it asks who one is. question: the last one, with its mark."""
    return NAME_ASKED.search(question) is not None or _WHO_ASKED.search(question) is not None


_LISTED = re.compile(rf", [{_LARGE}][\w-]*(?:,|\.?$)")
"""Mara, Tom: more than one."""


def who(question: str, answer: str, *, listener: str = "") -> Lead | None:
    """What makes a statement of an answer, one sentence, to such a question; None where it does not say who, or says it by itself.

    listener: whose name is a call, and not the answer.
    """
    name = NAME_ASKED.search(question) is not None
    sure = not name or _NAME_LAST.search(question) is None
    if _CALLS_ME.match(answer):
        return None
    said = _SAID_SO.match(answer)
    given = _GIVEN.match(answer, said.end() if said else 0)
    called = given is not None and _LISTED.match(answer, given.end()) is None and is_name(given["name"], sure=sure and not said)
    if given and given["name"].casefold() in {listener.casefold(), listener.casefold().split(" ")[0]}:
        return None
    if said:
        return (CALLED, said.end()) if called else None
    if name and re.fullmatch(rf"The [{_LARGE}][\w'’-]+[.…]*", answer):
        return CALLED, 0
    if is_of_a_kind(answer):
        return "I am ", 0
    bare = re.sub(r"[.,;…~]+$", "", answer)
    if len(bare.split()) == 1 and bare.lower() in TRADES and not (bare[0].isupper() and bare.lower() in _SURNAMES_TOO):
        return ("I am an " if bare[0].lower() in "aeiou" else "I am a "), 0
    if len(bare.split()) == 1 and bare.lower() in MOODS | ILL:
        return "I am ", 0
    if called or (name and not sure and re.fullmatch(r"[a-z][a-z'’-]+", bare) and is_name(bare.capitalize(), sure=True)):
        return CALLED, 0
    return None


def is_of_a_kind(sentence: str) -> bool:
    """Whether it says what one is, alone or behind one's name: "Mara. A carpenter." """
    kind = _OF_A_KIND.match(sentence)
    if kind is None or _UNSURE.search(sentence):
        return False
    head = kind["head"].lower()
    return head in _ROLES or ((head in TRADES or head.endswith(TRADE_ENDINGS)) and head not in NO_TRADES)


_NAME_LAST = re.compile(rf"(?:name|call you|called|go by|name is it)\b(?:,? please)?{_VOCATIVE}\W*$", re.IGNORECASE)
_CALLED_FIRST = frozenset(
    "doctor captain sir lady lord master mistress father mother brother sister uncle aunt king queen prince princess saint officer sergeant nurse"
    " professor old young big little red black white grey".split()
)


def is_name(words: str, *, sure: bool = False) -> bool:
    """Whether what stands where a name may stand is one: no word of state or count, no call, no 's. sure: nor any other word of the language, as the question
    need not be after a name."""
    parts = words.split()
    first = re.sub(r"['’.]+", "", parts[0].lower())
    if first.split("-")[0] in _NOBODY | MOODS | ILL | WEEKDAYS | KIN or any(p.endswith(("'s", "’s")) for p in parts):
        return False
    if is_given_name(parts[0]):
        return True
    sort = kinds(first)
    if len(parts) > 1:
        return (first in _CALLED_FIRST or "verb" not in sort) and not any(p.lower() in TRADES - _SURNAMES_TOO for p in parts[1:])
    if first in TRADES:
        return first in _SURNAMES_TOO and not sure
    return not sort & ({"adj", "verb", "adv", "plural", "noun"} if sure else {"adj", "verb", "adv", "plural"}) and not re.search(
        r"(?<!l)(?<!k)ing$", first
    )
