"""What people type in haste in English, written out for the parser: "my nan n my brother", "3 yrs ago", "they moved me to nights"."""

from __future__ import annotations

import re

_PASSIVES = {
    "moved": "moved",
    "promoted": "promoted",
    "demoted": "demoted",
    "transferred": "transferred",
    "fired": "fired",
    "sacked": "sacked",
    "hired": "hired",
    "laid": "laid",
    "let": "let",
    "diagnosed": "diagnosed",
    "drafted": "drafted",
    "evacuated": "evacuated",
    "arrested": "arrested",
    "discharged": "discharged",
    "suspended": "suspended",
    "expelled": "expelled",
    "assigned": "assigned",
    "posted": "posted",
    "put": "put",
    "sent": "sent",
    "gave": "given",
    "offered": "offered",
}
"""What one's office, school or hospital does with one, and its participle: who "they" are goes without saying."""

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
    (rf"\bthey(?= (?:{'|'.join(_PASSIVES)}) me\b)", "I"),
    *((rf"(?<=\bthey )(?={verb} me\b)", "was ") for verb in _PASSIVES),
    *((rf"(?<=\bthey ){verb}(?= me\b)", participle) for verb, participle in _PASSIVES.items() if verb != participle),
    *((rf"(?<=\bthey {verb}) me\b", "") for verb in _PASSIVES),
)
"""Patterns and what is put for them; of one with a group what stands behind the group."""

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
