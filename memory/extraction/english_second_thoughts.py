"""What a speaker says and takes back, or half takes back, in the same breath: "I'm vegan. Well, vegan-ish." Neither is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LEAD = r"\W*(?:(?:well|okay|ok|actually|alright|i mean|wait|sorry|hmm|um|uh|or)\b[,.]? *)*"
_BUT = re.compile(
    _LEAD
    + r"(?:(?:no,? )?(?:that|it)(?:'s|’s| is) (?:a lie|not (?:quite |really )?(?:true|right))|scratch that|i(?:'m|’m| am) exaggerating|i exaggerate"
    r"|(?:no,? )?(?:(?:half|most|part|some) of (?:it|them)|not (?:really|exactly|quite|entirely|anymore|any more)|(?:sort|kind) of|sorta|kinda|mostly|almost"
    r"|\w{3,}-ish|(?:that|it) was (?:a lie|a joke|a fib))(?=\W*$))",
    re.IGNORECASE,
)
_FILLER = re.compile(r"\W*(?:well|okay|ok|so|hm+|um+|er+|uh+|actually|sorry|wait)\W*", re.IGNORECASE)
_MOST = 9
"""Words that such a second thought has; a longer sentence that begins so goes on to something else."""


def standing(text: str, statements: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences of a stretch without those that the next one takes back, and without it."""
    kept: list[tuple[int, int]] = []
    for low, high in statements:
        said = text[low:high]
        if len(said.split()) > _MOST or _BUT.match(said) is None:
            kept.append((low, high))
            continue
        while kept and _FILLER.fullmatch(text[kept[-1][0] : kept[-1][1]]):
            kept.pop()
        if kept:
            kept.pop()
    return kept
