"""Whom a stretch of a message is about, where that is neither its speaker nor whom they talk with: a name, "my sister" or "the ferryman" in it, or whom "she" means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.episodes import language_of
from memory.reading.particulars import CALENDAR
from memory.words import ANIMALS_EN, ANIMALS_ZH, PEOPLE_EN, PEOPLE_ZH, WORDS, is_name, tagged, tokens_of


def _either(words: Sequence[str] | frozenset[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w)))


_KIN = _either(PEOPLE_EN | ANIMALS_EN)
_NAME = r"[A-Z][\w’'-]*[\w](?:\s+[A-Z][\w’'-]*\w)*"
_TITLED = re.compile(rf"\b(?:{_either(WORDS['en']['titles'].split())})\.?\s+{_NAME}")
_OWNED = re.compile(
    rf"\b(?P<whose>my|our|your|ur|his|her|their|(?-i:(?!(?:It|That|He|She|There|Here|What|Who|Where|How|Let)['’]){_NAME})['’]s)\s+(?P<what>(?:(?!(?:my|our|your|his|her|their)\b)[\w-]+\s+){{0,2}}?(?P<kin>{_KIN}))\b(?!-)(?:['’]s\b)?(?:,?\s+(?P<name>[A-Z][\w-]+))?",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?:^|(?<=[^\w\s])\s*|\b(?:and|but|so|with|for|to|from)\s+)(?P<kin>{_either(WORDS['en']['bare_kin'].split())})\b", re.IGNORECASE
)
_PRONOUN_FIRST = re.compile(
    r"[\W_]*(?:(?:and|but|so|also|still|only|just|plus|no|yes|yeah|yep|oh|well|then|now|because|cos|cause|since|when|that|which|not that|ok|okay|says?|said)\b[\W_]*)*"
    r"(?P<who>he|she|they|it|his|her|their|him|them|its)\b(?!\s+is\s+raining)",
    re.IGNORECASE,
)
_CHINESE_OWNED = re.compile(rf"(?P<whose>[我俺咱你您他她它]?)(?:们)?(?:家)?(?:的)?(?P<kin>{_either(PEOPLE_ZH | ANIMALS_ZH)})")
_CHINESE_PRONOUN_FIRST = re.compile(
    r"[\W_]*(?:可是|但是|而且|因为|所以|后来|现在|然后|那|就是|不过|但|有回|去年|今年|昨天|上次|上回|别[碰动]|对[，,])*[，,]?(?P<who>[他她它])"
)
_LEAD = re.compile(r"(?:^|[^\w\s'’-])\s*(?:(?:and|but|so|that|cos|because|then|well|oh|ok)\s+)*\Z", re.IGNORECASE)
_PLACED = frozenset("in at from to near into through around via on by since until till last next every this of".split())
"""What stands before a place or a day rather than a person who is told of."""
_NAMES = ("NNP", "NNPS")
_DESCRIBING = frozenset("JJ JJS JJR NN NNS VBN VBG POS HYPH CD".split())
_ARTICLES = frozenset("the a an this that".split())
_JOINING = frozenset("and so but ok".split())
_SHE, _HE = frozenset(WORDS["en"]["she"].split()), frozenset(WORDS["en"]["he"].split())


_CALLED = re.compile(
    r"\b(?:my name(?:['’]s| is)|name['’]s|(?:i am|i['’]m) (?:called|named)|call me)\s+"
    r"(?-i:(?P<name>[A-Z][\w’'-]*\w(?:\s+(?:(?:de|van|von|der|den|la|di|da|del|al|bin|ibn)\s+){0,2}[A-Z][\w’'-]*\w)*))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mention:
    """Somebody brought in by a text. who: how a fact names them; gender: `she`, `he` or empty; leads: whether a clause begins with it."""

    start: int
    end: int
    who: str
    gender: str = ""
    leads: bool = False


def whom(message: str, start: int, end: int, *, speaker: str, listener: str, before: str = "") -> Mention | None:
    """Whom a stretch is about: the first that it brings in itself, else whom its "she" means or who was told of before. listener: who said `before`, the line before
    it; of somebody found there the place is -1."""
    words = message[start:end]
    there = mentions(message, speaker=speaker, listener=listener)
    inside = [m for m in there if start <= m.start < end]
    pronoun = (_CHINESE_PRONOUN_FIRST if language_of(message) == "zh" else _PRONOUN_FIRST).match(words)
    # "Her brother" is brought in by the stretch, and its owner was looked up.
    if inside and (pronoun is None or inside[0].start < start + pronoun.end() + 2):
        return inside[0]
    asked = [replace(m, start=-1, end=-1) for m in mentions(before, speaker=listener, listener=speaker)]
    return _meant([*asked, *(m for m in there if m.start < start)], pronoun.group("who").casefold() if pronoun else "") or next(
        iter(inside), None
    )


def introduced(words: str) -> str:
    """The name that an English speaker gives as their own in plain words, else empty: who speaks has a name in nearly all that was learned from."""
    found = _CALLED.search(words)
    return "" if found is None or found.group("name").split()[0].casefold() in CALENDAR else found.group("name")


def mentions(text: str, *, speaker: str, listener: str) -> list[Mention]:
    """Whom a text brings in beside who speaks and who listens, in its order."""
    if not text.strip():
        return []
    found = _chinese(text, speaker, listener) if language_of(text) == "zh" else _english(text, speaker, listener)
    present = {name.casefold() for name in (speaker, listener) if name}
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if mention.who.casefold() not in present and (not kept or mention.start >= kept[-1].end):
            kept.append(replace(mention, leads=_LEAD.search(text, 0, mention.start) is not None))
    return kept


def _meant(earlier: Sequence[Mention], pronoun: str) -> Mention | None:
    """Whom a pronoun means: the last one brought in that may be meant by it."""
    gender = {"he": "he", "his": "he", "him": "he", "她": "she", "他": "he", "she": "she", "her": "she"}.get(pronoun, "")
    fits = [m for m in earlier if not gender or not m.gender or m.gender == gender]
    sure = [m for m in fits if gender and m.gender == gender]
    best = sure or fits
    return next(reversed([m for m in best if m.leads] or best), None)


def _english(text: str, speaker: str, listener: str) -> list[Mention]:
    found = [Mention(t.start(), t.end(), t.group()) for t in _TITLED.finditer(text)]
    for bare in _BARE.finditer(text):
        kin = bare.group("kin").casefold()
        found.append(Mention(bare.start("kin"), bare.end("kin"), f"{speaker}'s {kin}", _gender(kin)))
    found += _tagged(text)
    for owned in _OWNED.finditer(text):
        kin, whose, name = owned.group("kin").casefold(), owned.group("whose").casefold(), owned.group("name") or ""
        name = name if name[:1].isupper() else ""
        if whose in ("my", "our"):
            owner = speaker
        elif whose in ("your", "ur"):
            owner = listener
        elif whose in ("his", "her", "their"):
            meant = _meant(sorted((m for m in found if m.start < owned.start()), key=lambda m: m.start), whose)
            owner = meant.who if meant else ""
        else:
            owner = owned.group("whose")[:-2]
        who = name or (f"{owner}'s {' '.join(owned.group('what').split())}" if owner else kin)
        found.append(Mention(owned.start(), owned.end() if name else owned.end("kin"), who, _gender(kin)))
    return found


def _gender(kin: str) -> str:
    return "she" if kin in _SHE else "he" if kin in _HE else ""


def _tagged(text: str) -> list[Mention]:
    """Proper names, and "the new ferryman", "a miller's widow" where a clause begins with one."""
    found: list[Mention] = []
    doc = tagged(text)
    at = 0
    while at < len(doc):
        end = at + 1
        if doc[at].tag_ in _NAMES and doc[at].text[0].isupper():
            while end < len(doc) and doc[end].tag_ in _NAMES and doc[end].text[0].isupper():
                end += 1
            if doc[at].lower_ not in CALENDAR and (at == 0 or doc[at - 1].lower_ not in _PLACED):
                found.append(Mention(doc[at].idx, doc[end - 1].idx + len(doc[end - 1]), doc[at:end].text))
        elif doc[at].lower_ in _ARTICLES and (at == 0 or doc[at - 1].is_punct or doc[at - 1].lower_ in _JOINING):
            while end < len(doc) and doc[end].tag_ in _DESCRIBING:
                end += 1
            if doc[end - 1].tag_ in ("NN", "NNS"):
                found.append(Mention(doc[at].idx, doc[end - 1].idx + len(doc[end - 1]), f"the {doc[at + 1 : end].text}"))
        at = end
    return found


def _chinese(text: str, speaker: str, listener: str) -> list[Mention]:
    found: list[Mention] = []
    for owned in _CHINESE_OWNED.finditer(text):
        kin, whose = owned.group("kin"), owned.group("whose")
        gender = "she" if set(kin) & set(WORDS["zh"]["she"]) else "he" if set(kin) & set(WORDS["zh"]["he"]) else ""
        if whose and whose in "他她它":
            meant = _meant(found, whose)
            owner = meant.who if meant else ""
        else:
            owner = listener if whose and whose in "你您" else speaker
        found.append(Mention(owned.start(), owned.end(), f"{owner}的{kin}" if owner else kin, gender))
    tokens = list(tokens_of(text))
    for at, token in enumerate(tokens):
        things = [t for t in tokens[at + 1 : at + 3] if t.tag.startswith("n")]
        if is_name(token):
            found.append(Mention(token.start, token.end, token.text))
        elif token.text.endswith(("个", "位", "名")) and things[:1] == tokens[at + 1 : at + 2] != []:
            found.append(Mention(token.start, things[-1].end, text[things[0].start : things[-1].end]))
    return found
