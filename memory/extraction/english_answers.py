"""Short answers made whole: "In Lisbon." after "Where do you live?" stands for "I live in Lisbon."."""

from __future__ import annotations

import re

from memory.extraction.asked import wants_name
from memory.extraction.english_called import WHO_ARE_YOU, asks_who, who
from memory.extraction.english_dictionary import kinds
from memory.extraction.english_words import ILL, LANGUAGES, MONTHS, MOODS, NATIONALITIES, WEEKDAYS

Piece = tuple[str, int | None]
"""Text of the statement with its index in the question, None if it is ours; "" stands for the answer, less as many of its first characters."""

_MAX_WORDS = 9
_FINITE = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|it|it's|that|that's|this|you|your|you're|we|he|she|they|is|are|was|am|not|don't|no|why|what|nothing|thanks"
    r"|thank|sorry|sure|maybe|well|depends|secret|guess|none|nobody|nowhere|never|hello|hi|hey|ok|okay|please|same|good|great|fine|wow)\b",
    re.IGNORECASE,
)
_AFFIRMATION = re.compile(r"^(?:yes|yeah|yep|sure|oh|well|u+m+|u+h+|e+rm?|a+h+|h+m+)[,!.…]+ +(?=\S)", re.IGNORECASE)
_WHO = re.compile(r",? (?:who|which)\b")
"""From here on it is said of whom or what is answered."""
_WHO_AND_MORE = re.compile(r",? (?:who|which)\b|, (?:and|but|so) (?=I\b|my friends call\b|my [a-z]+ calls\b)")
_PREPOSED = re.compile(r"(?:in|at|on|near|by|with|from|outside|inside|just|next|above|behind|under)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(
    r"\d|[a-z]+ing\b|(?:an?|the|my|as|in|at|on|near|by|with|from|outside|inside|just|next|above|behind|under|almost|nearly|turning|very|so|quite|not)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:an?|the|my|as)\b", re.IGNORECASE)

_WH: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), lead, link)
    for pattern, lead, link in (
        (r"how old are you|what(?:'s| is) your age", "I am ", ""),
        (r"where do you live|where are you (?:living|based)|where(?:'s| is) your home", "I live ", "in "),
        (r"where are you from|where do you come from|where did you grow up|what(?:'s| is) your home ?town", "I am ", "from "),
        (
            r"what(?:'s| is) your (?:job|profession|occupation|work)|what do you do(?: for (?:a living|work))?\s*\?|what do you work as",
            "I am ",
            "a ",
        ),
        (r"where do you work|who do you work for", "I work ", "at "),
        (r"where do you (?:study|go to (?:school|college|university))|which (?:school|university|college)", "I study ", "at "),
        (r"what (?:do|are) you study(?:ing)?|what(?:'s| is) your major", "I study ", ""),
        (r"when(?:'s| is) your birthday|when were you born", "My birthday is ", ""),
        (r"(?:what|which) languages? (?:do|can) you speak", "I speak ", ""),
        (r"what are your hobbies|what(?:'s| is) your hobby", "My hobby is ", ""),
        (r"what are you allergic to", "I am allergic to ", ""),
        (r"what are you (?:afraid|scared) of", "I am afraid of ", ""),
        (r"what (?:food|dish|fruit|drink)s? do you like|what do you like to (?:eat|drink)", "I like ", ""),
        (
            r"(?:(?:do|did) you (?:and \w+ )?(?:ever )?have|have you(?: got)?|got) (?:any |an? )?(?:pets?|animals?|siblings|brothers?|sisters?|kids|children"
            r"|sons?|daughters?|allergies|family|cat|dog)",
            "I have ",
            "",
        ),
        (r"what do you miss(?: (?:the )?most)?(?: about (?:home|there|it))?\s*\?", "I miss ", ""),
        (r"what are you good at|what can you do well", "I am good at ", ""),
        (
            r"what do you (?:want (?:(?:the )?most|more than anything)|wish for|hope for|dream of)(?: in (?:life|the world))?\s*\?",
            "I want ",
            "to ",
        ),
        (r"how long have you (?:two |both )?been married", "I have been married ", "for "),
        (r"how long have you (?:lived|been living|been) (?:here|in this (?:town|place|city|village|house))", "I have lived here ", "for "),
        (r"how are you(?: feeling| doing)?(?: today| now)?\s*\?|how do you feel(?: today| now)?\s*\?", "I am ", ""),
        (r"what are you (?:doing|up to)(?: right now| now)?\s*\?", "I am ", ""),
        (r"where are you(?: right now| now)?\s*\?", "I am ", ""),
    )
)
_FAVOURITE = re.compile(
    r"(?:what|which|who)(?:'s| is| are|) your (favou?rite (?:[a-z]+ )?"
    r"(?:food|dish|meal|drink|colou?r|animal|music|song|band|singer|book|author|novel|film|movie|show|series|place|city|sport|season"
    r"|sound|smell|scent|word|story|poem|poet|painter|flower|tree|game|holiday|dessert|cake|fruit|vegetable|sweet|pudding|snack|breakfast|subject|bird|instrument|dance|month))"
    r"(?=\s*(?:,[^?]*)?\?|\s+(?:of all|in the (?:whole )?world|these days|so far|at the moment|right now|and why|then|now)\b)",
    re.IGNORECASE,
)
_LONG = re.compile(
    r"(?:(?:about|almost|nearly|over|around|just|only) )?(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|a few|many|several)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))? (?:years?|months?|weeks?|days?|decades?)"
    r"(?: now| already| in (?:January|February|March|April|May|June|July|August|September|October|November|December))?[.!…]*$",
    re.IGNORECASE,
)
_TO = re.compile(r"to (?!be (?:honest|fair|frank|clear|sure)\b)[a-z]+ [^,]", re.IGNORECASE)
_COMMON = re.compile(
    r"(?:afraid of|allergic to|I like|hobby is|I study|good at|favou?rite (?:[a-z]+ )?(?:food|dish|meal|drink|colou?r|animal|music|sport|season|sound|smell|scent|word"
    r"|flower|tree|dessert|cake|fruit|vegetable|sweet|pudding|snack|breakfast|subject|bird|instrument|dance) is) $"
)
"""Behind these an answer begins with a small letter: Spiders."""
_KIN_NAME = re.compile(
    r"(?:what(?:'s| is)) (?:your ([a-z]+(?: [a-z]+)?)'s name|the name of your ([a-z]+)|your ([a-z]+) called)", re.IGNORECASE
)
INTRODUCED = "This is "
"""What a bare name is told with where somebody's was asked for."""
_NAME = re.compile(
    r"what(?:'s| is| was) (?:his|her|(?:the|that|this|their) (?:[a-z]+ )?[a-z]+(?:'s)?) (?:first |real )?(?:name|called)"
    r"|what(?:'s| is| was) (?:he|she) called|what (?:do|did) (?:you|they) call (?:him|her)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?!(?:Dunno|Idk|Unknown|Secret|Guess|Forgot|Oh|Uh+|Um+|Hm+|Just|Only)\b)(?:[A-Z][\w'’-]+\s*){1,3}[.,!;…-]*")
_YES = re.compile(
    r"(?:^|[.!?,\n] *(?:and |so |but )?)(?:so |and |but )?(?P<aux>do you|are you|can you|have you|did you|were you|is your|are your) (?P<rest>[^.!?\n]{2,90})\?\s*$",
    re.IGNORECASE,
)
_YOU = re.compile(r"\W*(?:and )?(?:you|yourself|yours)\W*", re.IGNORECASE)
_OWN_NAME = re.compile(r"\b(?i:my name(?: is|['’]s)|I(?: am|['’]m) called)(?: [A-Z][\w'’-]+){1,3}\W*$")
"""Who gives their name and asks "And you?"."""
_UNSAFE = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|it|that|this|those|these|there|they|them|he|she|him|her|or|ever|any|anything|anyone|something|want|mind"
    r"|think|know|mean|sure|okay|ok|ready|need|see|hear|remember|like to|what|how|why|else|still|too|new|agree|here|such|really)\b",
    re.IGNORECASE,
)
_AFFIRMED = {
    "do you": ("I ", "I do not "), "are you": ("I am ", "I am not "), "can you": ("I can ", "I cannot "), "have you": ("I have ", "I have not "),
    "is your": ("My ", ""), "are your": ("My ", ""),
}  # fmt: skip


def statement(question: str, answer: str, *, affirmed: bool | None, listener: str = "") -> list[Piece] | None:
    """What the answer says once the question is added; None if it needs none or the two do not fit.

    affirmed: whether the answer is a bare yes or a bare no; None if it is neither.
    """
    asked = _last_question(question)
    if affirmed is not None:
        return _confirmed(asked[1], asked[0], affirmed=affirmed) if asked else None
    answer = _AFFIRMATION.sub("", answer)
    if asked is None:
        return _called(WHO_ARE_YOU, answer, listener) if wants_name(question) else None
    if asks_who(asked[1]):
        return _called(asked[1], answer, listener)
    return _elliptical(asked[1], asked[0], answer) if _is_short(answer) else None


def _is_short(answer: str, *, name: bool = False) -> bool:
    said = (_WHO_AND_MORE if name else _WHO).split(answer, maxsplit=1)[0]
    return bool(said) and len(said.split()) <= _MAX_WORDS and _FINITE.search(said) is None


def _called(asked: str, answer: str, listener: str) -> list[Piece] | None:
    called = who(asked, answer, listener=listener)
    return [(called[0], None), ("", called[1])] if called and _is_short(answer[called[1] :], name=True) else None


_COUNTS = frozenset("one two three four five six seven eight nine ten no".split())
_FUNCTION_WORDS = frozenset(
    "a an the only merely simply in at on near by with from to my as just about very so pretty next outside inside usually above below beside behind between over under"
    " opposite across along around beneath through".split()
)
_PROPER = LANGUAGES | NATIONALITIES | MONTHS | WEEKDAYS


def begins_small(before: str, answer: str) -> bool:
    """Whether the first word of an answer, large where it was said, is small within a statement. before: what of the statement stands ahead of it."""
    word, *more = answer.split(maxsplit=2)
    bare = word.strip(".,!;…").lower()
    if (
        bare in _FUNCTION_WORDS | _COUNTS
        or before.endswith((" a ", " an "))
        or (before.endswith("I am ") and (bare in MOODS | ILL or kinds(bare) & {"adj", "adv"}))
    ):
        return True
    if not _COMMON.search(before) or not word[1:].islower() or bare in _PROPER or not bare.isalpha() or (more and more[0][:1].isupper()):
        return False
    return bool(kinds(bare) & {"plural", "adj"})  # what else is large may be a name


def _last_question(question: str) -> tuple[int, str] | None:
    """The question a reply is most likely to: the last sentence, if it asks."""
    text = question[-2_000:]
    base = len(question) - len(text)
    end = text.rfind("?")
    if end < 0 or len(text[end + 1 :].strip(" *\"”'")) > 40:
        return None
    last = len(text[:end].rstrip(".… "))  # "And you are...?"
    start = max(text.rfind(mark, 0, last) for mark in ".!?\n*") + 1
    if _YOU.fullmatch(text, start, last) and _OWN_NAME.search(text, 0, start):
        return base + start, WHO_ARE_YOU
    start += len(text[start:]) - len(text[start:].lstrip())
    return base + start, text[start:last].replace("’", "'") + "?"


def _elliptical(words: str, start: int, answer: str) -> list[Piece] | None:
    if favourite := _FAVOURITE.search(words):
        return [("My ", None), (favourite.group(1), start + favourite.start(1)), (" is ", None), ("", None)]
    if kin := _KIN_NAME.search(words):
        group = next(n for n in (1, 2, 3) if kin.group(n))
        return [("My ", None), (kin.group(group), start + kin.start(group)), (" is called ", None), ("", None)]
    if _NAME.search(words) and _NAMED.fullmatch(answer):
        return [(INTRODUCED, None), ("", None)]  # nothing by itself, but "he" behind it is Teo
    for pattern, lead, link in _WH:
        if not pattern.search(words):
            continue
        if link in ("to ", "for "):
            return [(lead, None), ("", None)] if link == "to " and _TO.match(answer) else _for_how_long(lead, answer)
        if link == "a ":
            link = "" if _ARTICLE.match(answer) else "an " if answer[:1].lower() in "aeiou" else "a "
        elif link and _PREPOSED.match(answer):
            link = ""
        if lead == "I am " and not link and not _OF_ONESELF.match(answer) and not kinds(re.split(r"[^\w'’-]", answer)[0]) & {"adj", "adv"}:
            return None  # "Where are you?" "Leeds."
        return [(lead + link, None), ("", None)]
    return None


def _for_how_long(lead: str, answer: str) -> list[Piece] | None:
    return [(f"{lead}for ", None), ("", None)] if _LONG.match(answer) else None


def _confirmed(words: str, start: int, *, affirmed: bool) -> list[Piece] | None:
    found = _YES.search(words)
    if found is None or _UNSAFE.search(found.group("rest")) or re.search(r"\byour?s?\b", found.group("rest"), re.IGNORECASE):
        return None
    leads = _AFFIRMED.get(found.group("aux").lower())
    lead = "" if leads is None else leads[0 if affirmed else 1]
    if not lead:
        return None
    rest = found.group("rest")
    if lead == "My ":
        head, _, tail = rest.partition(" ")
        verb = " is " if found.group("aux").lower().startswith("is") else " are "
        at = start + found.start("rest")
        return [(lead, None), (head, at), (verb, None), (tail, at + len(head) + 1), (".", None)] if tail else None
    return [(lead, None), (rest, start + found.start("rest")), (".", None)]
