"""What people type in haste in English, written out for the parser: "my nan n my brother", "3 yrs ago", "they moved me to nights"."""

from __future__ import annotations

import re

_DEALT = tuple(
    """moved promoted demoted transferred fired sacked hired laid diagnosed drafted evacuated arrested discharged suspended expelled assigned posted put sent
    gave offered""".split()
)
"""What one's office, school or hospital does with one: who "they" are goes without saying, where nobody is named before."""
_PARTICIPLES = {"gave": "given"}
"""Of those whose participle is another word."""
SEVERAL = re.compile(
    r"\b(?:parents|people|family|folks|children|kids|police|team|crew|they|(?:my|our|the|his|her|those|these|two|three|both|some|many|all) (?:\w+ )?\w+[^s\W]s)\b"
    r"|\b\w+ and (?:my |the |his |her )?\w+",
    re.IGNORECASE,
)
"""Whoever "they" may be, before it."""

TYPED = (
    (r"(?<=[^\W\d] )(?-i:n)(?= (?!\d))|(?<=\d )(?-i:n)(?= [a-z])", "and"),
    (r"(?<![\w'’])(?-i:u)(?![\w'’.])", "you"),
    (r"(?<![\w'’])(?-i:ur)(?![\w'’])", "your"),
    (r"(?<=s )(?-i:r)(?= [a-z])|(?<=\bu )(?-i:r)(?= )", "are"),
    (r"(?<=\d )yrs\b", "years"),
    (r"(?<=\d )yr\b", "year"),
    (r"(?<=\d )mo?ths\b", "months"),
    (r"(?<=\d )wks\b", "weeks"),
    (r"(?<=\d )hrs\b", "hours"),
    (r"\bid(?= (?:love|like|rather|never|been|kill|die|hate|prefer)\b)", "I'd"),
    (r"\b(we|you|they|would|could|should|might)ve\b", "'ve"),
    (r"\bwont\b", "won't"),
)
"""Patterns and what is put for them; of one with a group what stands behind the group."""
DEALT_WITH = (
    (rf"\bthey(?= (?:{'|'.join(_DEALT)}|let(?= me go\b)) me\b)", "I"),
    *((rf"(?<=\bthey )(?={verb} me\b)", "was ") for verb in _DEALT),
    (r"(?<=\bthey )(?=let me go\b)", "was "),
    *((rf"(?<=\bthey ){verb}(?= me\b)", participle) for verb, participle in _PARTICIPLES.items()),
    *((rf"(?<=\bthey {verb}) me\b", "") for verb in _DEALT),
    (r"(?<=\bthey let) me(?= go\b)", ""),
)
"""And what tells "they moved me to nights" as "I was moved to nights"."""

BEING = re.compile(
    r"\s*(?:(?:lol|ok|okay|well|yeah|yes|yep|hm+|uh|um|honestly|still|so),? )*(?P<bare>(?:vegetarian|vegan|pescatarian|coeliac|celiac|diabetic|asthmatic|teetotal"
    r"|dyslexic|epileptic|lactose[ -]intolerant|gluten[ -]intolerant|colou?r[ -]?blind|left[ -]handed|widowed|divorced|retired|unemployed|pregnant))"
    r"(?= ?(?:[.,;!]|$)| (?:so|since|and|but|now|for)\b)",
    re.IGNORECASE,
)
"""A state told in one word, at the beginning of what one says of oneself: "vegetarian. since i was 9"."""
_OF_ANOTHER = re.compile(
    r"\b(?:is|are|was|does|did|has) (?:he|she|it|they|your \w+|[A-Z]\w+)\b|\b(?:he|she)(?:'s|’s)? \w+|\byour (?:\w+ )?\w+ (?:like|do)\b"
)
"""A question after somebody else."""


def is_of_oneself(question: str) -> bool:
    """Whether a bare state behind a question is the speaker's."""
    return "?" in question and re.search(r"\byou\b", question) is not None and not _OF_ANOTHER.search(question)
