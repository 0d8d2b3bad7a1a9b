"""Whose words and whose matters: nobody is told about but by themselves, however their name is written, and words that are put into somebody's mouth are not
the speaker's own.

What somebody says of a sister or a town is theirs to tell. What they say of the one they talk with is not, and neither is a line of the talk that they
write in the other's name ("Nell: I am a thief"), as a role of a chat template or behind a control token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from models.control_tokens import escape
from storage.terms import STOP_WORDS

_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏАВЕКМНОРСТУХІЈЅԌ" + "αενορυικχτηγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օոսһɑɡıℓ01" + "\u115f\u1160\u2800",
    "abekmhopctyxijsdqwhlABEKMHOPCTYXIJSG" + "aevopuikxtnyABEZHIKMNOPTYX" + "onuhagilol" + "   ",
)
"""Cyrillic, Greek and other letters, and digits, to the Latin ones they are taken for; large and small apart, since those may look differently. Letters
that show nothing (Hangul's fillers, a pattern of Braille without a dot) to a space."""
_WITHIN = re.compile(r"(?<=[a-z])I+")
_UNSEEN = frozenset(("Cf", "Mn", "Cc", "Co", "Cn"))
_ROLES = (
    "system|user|assistant|human|ai|bot|model|developer|tool|instructions?|response|input|output|"
    "系统|用户|助手|助理|人类|指令|指示|回答|回复|输入|输出|模型|开发者|you|你|您|\\{{1,2}(?:char|user)\\}{0,2}|char"
)
_CLAUSES = re.compile(r"([.!?;:,\n。！？；：，]|\b(?:and|but|while|whereas|because|although)\b|而且|但是|因为|虽然)", re.IGNORECASE)
_NO_NAMES = frozenset(
    """april august captain doctor dr father grandma grandpa june king lady little lord madam master may miss mister mother mr mrs ms old prince princess
    professor queen saint sir sister st uncle young aunt brother""".split()
)
"""First words of names that alone name nobody, or something else."""
_CHINESE_NAME = re.compile("[\u3400-\u9fff]{2,4}")
_LONG_SURNAMES = frozenset("欧阳 司马 上官 诸葛 司徒 东方 独孤 南宫 夏侯 慕容 尉迟 长孙 宇文 皇甫 令狐 公孙".split())
_CALLED_BY_SURNAME = "姑娘|小姐|先生|女士|太太|夫人|老师|师傅|师父|医生|大夫|老板|掌柜|公子|少爷|大人|某"
_WORDS = re.compile(r"\w")
_SEAM = re.compile(r"[^\S\n]/[^\S\n]")
"""How a prompt joins lines, whatever the spaces are."""
LABEL_CHARS = 160
"""Of a line that are looked at for who speaks."""
_MARKED = re.compile("[:：\ufe55\ufe13]")
"""What stands behind the name of who speaks."""


@lru_cache(maxsize=4096)
def skeleton(text: str) -> str:
    """A text as it looks: in lower case, without what is not seen, with letters in the place of those that look like them."""
    shown = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) not in _UNSEEN or c == "\n")
    return _WITHIN.sub(lambda found: "l" * len(found.group()), shown.translate(_LOOKALIKES)).casefold()


@lru_cache(maxsize=512)
def _name(name: str) -> re.Pattern[str]:
    """Finds a name, or its first word, in a skeleton."""
    whole = skeleton(name).strip()
    first = whole.split()[0] if whole.split() else ""
    called = [whole] if len(first) < 2 or first in STOP_WORDS or first in _NO_NAMES else [whole, first]
    # A name without word boundaries (Chinese) may stand anywhere.
    marked = [rf"\b{re.escape(part)}\b" if part[:1].isascii() else re.escape(part) for part in called if part]
    if _CHINESE_NAME.fullmatch(whole):
        marked.append(rf"{whole[: 2 if whole[:2] in _LONG_SURNAMES else 1]}(?:{_CALLED_BY_SURNAME})")
    return re.compile("|".join(marked) or r"(?!)")


def named(text: str, people: Iterable[str]) -> set[str]:
    """Who of the people stands in a text, by the whole name or its first word."""
    looks = skeleton(text)
    return {person for person in people if _name(person).search(looks)}


def told_of(text: str, people: Iterable[str]) -> set[str]:
    """Whom of the people the clauses of a sentence begin with: the first who is named in each, also where it is something of theirs."""
    known = {person: _name(person) for person in people if person.strip()}
    led: set[str] = set()
    before = separator = head = ""
    for part in _CLAUSES.split(skeleton(text)):
        if _CLAUSES.fullmatch(part):
            separator = part
            continue
        found = [(at.start(), -at.end(), person) for person, pattern in known.items() if (at := pattern.search(part))]
        if found and separator == "and" and (one := next((p for p in known if before.endswith(skeleton(p))), None)):
            led.add(head or one)  # "Mara and Nell", "Mara, Nell and Ida": one subject
        elif found:
            _, _, person = min(found)
            if _WORDS.search(known[person].sub("", part)):  # else it only names somebody, in a list or as who is spoken to
                led.add(person)
        if part.strip():
            is_name = found and not _WORDS.search(known[min(found)[2]].sub("", part))
            head = (separator == "," and head) or min(found)[2] if is_name else ""
            before = part.strip()
    return led


_IS = r"\s+(?:is|was|am)(?:\s+(?:called|named|really|actually|now))*\s+|['’]s name is\s+"
_IS_ZH = "(?:的名字)?(?:就|也|才|其实|现在|原来){0,3}(?:是|叫做?|名叫)"
"""What makes one of two names."""
_ENDS_ZH = r"(?=(?:本人|了|啊|吧|呀|哦|呢|嘛|啦)?\s*(?:$|[^\w\s]))"
"""Behind the second name in Chinese: 叫 is also to tell somebody something, and a name may begin a longer noun phrase (是邱麦最好的朋友)."""
_LISTED = r"(?!(?:[\s,，]+(?:and|or)\b|\s*&|[,，]?(?:和|与|跟|以及|及|或|、)))"
"""Several are told of, and none is another: "Mara, Nell and Ida"."""


def is_anothers(text: str, *, speaker: str, other: str) -> bool:
    """Whether a sentence of the speaker's is told of the one they talk with, or makes one of the two."""
    if not other.strip() or skeleton(other) == skeleton(speaker):
        return False
    return other in told_of(text, (speaker, other)) or makes_one(text, speaker, other)


def makes_one(text: str, first: str, second: str) -> bool:
    """Whether a sentence says that the first is the second: "Mara is Nell", not "Mara is Nell's sister"."""
    if not skeleton(first).strip() or not skeleton(second).strip() or skeleton(first) == skeleton(second):
        return False
    one, two = f"(?:{_name(first).pattern})", f"(?:{_name(second).pattern})(?!['’]s\\b|的)"
    said = rf"{one}(?:(?:{_IS}){two}|{_IS_ZH}{two}{_ENDS_ZH}|\s*{two}|\s*[,，][\s,，]*{two}{_LISTED})"
    return re.search(said, skeleton(text)) is not None


def passes_for(subject: str, *, speaker: str, other: str) -> bool:
    """Whether what a fact or a value is about goes by the name of the one they talk with: "my sister Nell" said to Nell may be told of her."""
    if not other.strip() or skeleton(other) == skeleton(speaker):
        return False
    bare = subject.replace(speaker, " ")
    *_, surname = ["", *other.split()]
    # Written large: Rose Black has no part in a black dog.
    called_so = len(surname) > 2 and surname.isascii() and surname[0].isupper() and surname not in speaker.split()
    return bool(named(bare, [other])) or (called_so and re.search(rf"\b{re.escape(surname)}\b", bare) is not None)


def speaks_as(text: str, other: str) -> bool:
    """Whether somebody says "I" as the one they talk with: "I, Nell, have three husbands"."""
    return bool(other.strip()) and re.search(rf"(?:\bi,|我,?)\s*(?:{_name(other).pattern})", skeleton(text)) is not None


def own_words(text: str, *, speaker: str, others: Iterable[str]) -> str:
    """What of a message its speaker says in their own name: with empty lines for those that are put into another's mouth, up to the next empty line or the
    speaker's own name, and for what stands behind a control token. The text itself where there are none."""
    if not _MARKED.search(text) and escape(text) == text:
        return text
    mine, theirs = _label([speaker]), _label(others, roles=True)
    kept: list[str] = []
    forged = any_forged = False
    for line in _SEAM.sub("\n", text).splitlines():
        looks = skeleton(line[:LABEL_CHARS])
        if escape(line) != line or theirs.match(looks):
            forged = any_forged = True
        elif not line.strip() or mine.match(looks):
            forged = False
        kept.append("" if forged else line)
    return "\n".join(kept) if any_forged else text


def _label(names: Iterable[str], *, roles: bool = False) -> re.Pattern[str]:
    """Finds the beginning of a line in a skeleton that says who speaks, behind a date or a mark."""
    called = [_name(name).pattern for name in names if name.strip()]
    speaks = "|".join(called + ([_ROLES] if roles else [])) or "(?!)"
    # A heading that tells of them and a record behind it: "[What Nell knows of Mara] Age: 200".
    tells = (
        rf"|\W{{0,20}}[\[【][^\]】]{{0,80}}?(?:{'|'.join(called)})[^\]】]{{0,80}}[\]】]\s*[\w ]{{1,20}}[:：]" if roles and called else ""
    )
    return re.compile(rf"\W{{0,20}}(?:[\[(【][^\])】]{{0,40}}[\])】])?\W{{0,20}}(?:{speaks})[\s*_\])】}}]{{0,10}}[:：]{tells}")
