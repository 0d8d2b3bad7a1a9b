"""Short answers made whole: "In Lisbon." after "Where do you live?" stands for "I live in Lisbon."."""

from __future__ import annotations

import re

Piece = tuple[str, int | None]
"""Text of the statement with its index in the question, None if it is ours; "" stands for the answer."""

_MAX_WORDS = 9
_FINITE = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|it|it's|that|that's|this|you|your|you're|we|he|she|they|is|are|was|am|not|don't|no|why|what|nothing|thanks"
    r"|thank|sorry|sure|maybe|well|depends|secret|guess|none|nobody|nowhere|never|hello|hi|hey|ok|okay|please|same|good|great|fine|wow)\b",
    re.IGNORECASE,
)
_AFFIRMATION = re.compile(r"^(?:yes|yeah|yep|sure|oh|well|um|hmm)[,!.]+ +(?=\S)", re.IGNORECASE)
_WHO = re.compile(r",? (?:who|which)\b")
"""From here on it is said of whom or what is answered."""
_PREPOSED = re.compile(r"(?:in|at|on|near|by|with|from|outside|inside|just|next|above|behind|under)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the|my|as)\b", re.IGNORECASE)

_WH: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), lead, link)
    for pattern, lead, link in (
        (
            r"what(?:'s| is| was) your (?:full |first |real )?name|who are you|what (?:should|can|do|may|shall) (?:i|they|people) call you",
            "My name is ",
            "",
        ),
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
        (r"how are you(?: feeling| doing)?(?: today| now)?\s*\?|how do you feel(?: today| now)?\s*\?", "I am ", ""),
        (r"what are you (?:doing|up to)(?: right now| now)?\s*\?", "I am ", ""),
        (r"where are you(?: right now| now)?\s*\?", "I am ", ""),
    )
)
_FAVOURITE = re.compile(
    r"(?:what|which|who)(?:'s| is| are|) your (favou?rite (?:[a-z]+ )?"
    r"(?:food|dish|meal|drink|colou?r|animal|music|song|band|singer|book|author|novel|film|movie|show|series|place|city|sport|season))",
    re.IGNORECASE,
)
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
_UNSAFE = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|it|that|this|those|these|there|they|them|he|she|him|her|or|ever|any|anything|anyone|something|want|mind"
    r"|think|know|mean|sure|okay|ok|ready|need|see|hear|remember|like to|what|how|why|else|still|too|new|agree|here|such|really)\b",
    re.IGNORECASE,
)
_AFFIRMED = {
    "do you": ("I ", "I do not "), "are you": ("I am ", "I am not "), "can you": ("I can ", "I cannot "), "have you": ("I have ", "I have not "),
    "is your": ("My ", ""), "are your": ("My ", ""),
}  # fmt: skip


def statement(question: str, answer: str, *, affirmed: bool | None) -> list[Piece] | None:
    """What the answer says once the question is added; None if it needs none or the two do not fit.

    affirmed: whether the answer is a bare yes or a bare no; None if it is neither.
    """
    asked = _last_question(question)
    if asked is None:
        return None
    start, words = asked
    if affirmed is not None:
        return _confirmed(words, start, affirmed=affirmed)
    answer = _AFFIRMATION.sub("", answer)
    said = _WHO.split(answer, maxsplit=1)[0]
    if not answer or len(said.split()) > _MAX_WORDS or _FINITE.search(said):
        return None
    return _elliptical(words, start, answer)


def _last_question(question: str) -> tuple[int, str] | None:
    """The question a reply is most likely to: the last sentence, if it asks."""
    text = question[-2_000:]
    base = len(question) - len(text)
    end = text.rfind("?")
    if end < 0 or len(text[end + 1 :].strip(" *\"”'")) > 40:
        return None
    start = max(text.rfind(mark, 0, end) for mark in ".!?\n*") + 1
    start += len(text[start:]) - len(text[start:].lstrip())
    return base + start, text[start : end + 1].replace("’", "'")


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
        if link == "a ":
            link = "" if _ARTICLE.match(answer) else "an " if answer[:1].lower() in "aeiou" else "a "
        elif link and _PREPOSED.match(answer):
            link = ""
        return [(lead + link, None), ("", None)]
    return None


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
