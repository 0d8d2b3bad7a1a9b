"""Names that are words as well: Will, May, Mark, Rose. A small parser takes them for the words, so it is given others in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.extraction.english_words import FRIENDS, KIN, PARTNERS, PETS

_MEN = frozenset(
    "Will Mark Bill Rob Pat Art Drew Grant Chase Frank Guy Rich Miles Don Ray Dean Wade Cliff Chip Josh Jack Skip Robin Reed Pierce Max Jay Buck"
    " Clay Dale Earl Gene Heath Hunter Nick Norm Rusty Sonny Basil Ash".split()
)
_WOMEN = frozenset(
    "May Rose Grace Hope Faith Joy Dawn Sue Summer June April Autumn Daisy Lily Ivy Ruby Pearl Penny Ginger Angel Violet Hazel Holly Sage Amber"
    " Crystal Olive Iris Melody Heather Jade Eve Willow Patience Charity".split()
)
_TIMES = frozenset("May June April Summer Autumn".split())
_STAND_INS = dict.fromkeys(_MEN, "Peter") | dict.fromkeys(_WOMEN, "Mary")
_RELATED = (
    KIN
    | PARTNERS
    | FRIENDS
    | PETS
    | {"called", "named", "name", "and", "with", "met", "meet", "saw", "ask", "asked", "told", "married", "love"}
)
_ACTS = re.compile(
    r"(?:is|was|has|had|isn't|wasn't|hasn't|does|doesn't|did|didn't|can|can't|could|would|and|'s|who"
    r"|works|lives|likes|loves|hates|says|thinks|wants|plays|goes|comes|makes|takes|knows|gets|needs|calls|keeps|studies|teaches|runs|owns|feels"
    r"|(?!need|feed|seed|indeed|speed|red|bed)\w{2,}ed|went|made|came|took|gave|got|told|said|left|met|ran|saw|sent|bought|thought|taught|brought|knew|wrote|drove|grew"
    r"|became|began|fell|felt|found|held|kept|lost|paid|read|sang|sat|slept|spent|spoke|stood|won|wore)$"
)
_BEFORE_TIMES = frozenset(
    "in on of since until till by last next this early late mid every before after during from to through around".split()
)


_ANY = re.compile(rf"\b(?:{'|'.join(sorted(_MEN | _WOMEN))})\b")


_ALSO = frozenset(
    "Kit Wren Robin Jamie Ellis Ada Tess Rex Drake Blaze Raven Rowan Aspen River Lark Finch Jasper Felix Victor Martin Carol Peter Tony Harry Tom Mara Ida"
    " Jude John James Jim Bob Dick Paul Mary Martha Sarah Ruth Rachel Rebecca Esther Anna Adam Abel Noah David Solomon Samuel Daniel Joel Amos Jonah Micah"
    " Luke Matthew Simon Thomas Philip Andrew Stephen Victoria Elizabeth Diana Helen Sophia Charlotte Florence Virginia Georgia Augusta Lee Madison Jackson"
    " Lincoln Austin Tyler Taylor Carter Marshall Chester Warren Graham Douglas Kelly Jordan Sydney Louis Charles George Henry Edward William Richard Robert"
    " Alexander Arthur Albert Alfred Oscar Oliver Hugo Leo Max Ben Sam Dan Joe Jo Meg Peg Nan Ann Anne Jane Joan Alice Clara Rosa Stella Vera Nora Cora"
    " Flora Della Bella Lola Lena Nina Tina Gina Laura Julia Emma Eva Ella Alma Irma Erika Monica Veronica Angelica Mona Lisa Hannah Leah Naomi Eve Lydia"
    " Phoebe Penelope Daphne Cassandra Cynthia Sylvia Olivia Miranda Ophelia Juliet Romeo Hamlet Julian Julius Augustus Marcus Antonio Benedict Francis"
    " Vincent Xavier Sebastian Damian Adrian Brian Ian Ivan Igor Boris Jesse Kay Kim Lou Mel Nat Ned Pete Ron Roy Ted Tim Vic Wes Zoe Mia Tara Maya Kali"
    " Rama Krishna Ishmael Isaac Jacob Joseph Joshua Moses Aaron Saul Nathan Gabriel Michael Raphael Uriel Ariel Elijah Ezra Levi Silas Titus Lucas Nicholas"
    " Ignatius Dominic Bruno Otto Karl Conrad Ludwig Wolfgang Gustav Axel Sven Thor Odin Freya".split()
)
"""Of the words that are names, those that need no stand-in."""


def is_given_name(word: str) -> bool:
    """Whether a word, by its large letter, may well be somebody's name though it is a word as well."""
    return word in _MEN or word in _WOMEN or word in _ALSO


def may_name(text: str) -> bool:
    """Whether one of them stands in a text at all."""
    return _ANY.search(text) is not None


def stand_ins(words: Sequence[str], starts: Sequence[bool]) -> dict[int, str]:
    """Names to parse in the place of words that are names here, by their place. starts: whether a sentence begins at each word."""
    return {i: _STAND_INS[word] for i, word in enumerate(words) if word in _STAND_INS and _is_name(words, i, opens=starts[i])}


def _is_name(words: Sequence[str], i: int, *, opens: bool) -> bool:
    before = words[i - 1] if i and not opens else ""
    after = words[i + 1] if i + 1 < len(words) else ""
    if before and words[i] not in ("Will", "May"):
        return False  # within a sentence a large letter tells the parser
    if before.lower() in _RELATED or (_ACTS.match(after) and before.lower() not in _BEFORE_TIMES):
        return True
    return words[i] == "Will" and before[:1].islower()
