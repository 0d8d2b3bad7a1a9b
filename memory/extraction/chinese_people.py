"""Whom 她, 他 and a dropped subject mean in a Chinese message: the one person spoken of before or asked about, by relation and by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import SURNAMES, Clause, Owner, is_name
from memory.extraction.chinese_telling import DOUBLED

_RELATIVE = "|".join(sorted((words.KIN | words.LOVE | words.PEOPLE) - {"孩子", "宝宝", "家人", "双胞胎", "对象"}, key=len, reverse=True))
_ASKED_OF = re.compile(rf"[你您](?:家|们家)?的?(?P<who>{_RELATIVE})(?![的家和跟与]|[\u4e00-\u9fff]{{0,2}}[和跟与])")
_BEAST_ASKED = re.compile(r"(?:(?:你|您)(?:家)?的?|^|那(?:只|条))(?P<who>猫|狗|鸟|兔子|乌龟|马|鹦鹉)(?:子)?(?:叫|名字|起了?什么名)")
_NAMES = re.compile(
    r"(?:就|也|是)*(?:大名|全名|本名|名字)?(?:叫|名叫|叫做|叫作|名唤|唤作|名曰)(?![我你您他她它])(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][a-z]+)$"
)
_HAS_ONE = re.compile(rf"有(?:一)?[个位](?:亲)?(?P<who>{_RELATIVE})(?:，?叫(?P<name>[\u4e00-\u9fff]{{2,3}}))?$")
_AGE = r"(?:\d{1,3}|[二三四五六七八九]?十[一二三四五六七八九]?|[一两二三四五六七八九])"
NOMINAL = re.compile(
    rf"(?:今年)?(?:刚|才|都|已经|也|快|满)*(?:{_AGE}岁(?:半|多)?|(?<=今年){_AGE}|(?<=[才都])(?:\d\d|[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九]))了?"
    r"|(?:今年|现在|在读|上|读|念|才|刚|已经)*(?:(?:小学|初中|高中|大学|中学)?[一二三四五六]年级|[初高大][一二三四]|研[一二三]|博[一二三])(?:了|的|学生)?"
)
"""今年十四, 初中二年级: said of somebody without a verb."""
_HE = re.compile(r"(?:爸|父|爷|公|哥|弟|叔|舅|伯|夫|爹|兄|儿子|孙子|侄子|侄儿|男友|男朋友|先生|老头|大爷)$")
_SHE = re.compile(
    r"(?<!爸)(?<!爹)(?:妈|母|奶|婆|姐|妹|姨|姑|婶|娘|嫂子?|女儿|孙女|侄女|闺女|妻|妻子|太太|媳妇|女友|女朋友|闺蜜|妹妹|姐姐)$"
)
_SEVERAL = re.compile(r"父母|爸妈|公婆|爹[妈娘]|兄弟|姐妹|们$|家人|爷奶|夫妻")


_THERE = frozenset("那儿 那里 这儿 这里 家 家里".split())
"""在我爸那儿: a place."""


def gender(person: str) -> str:
    """他 or 她 where only one may mean somebody, both where either may, empty where several are named."""
    kin = re.match(_RELATIVE, person)
    person = kin.group() if kin else person
    if _SEVERAL.search(person):
        return ""
    return "他" if _HE.search(person) else "她" if _SHE.search(person) else "他她"


@dataclass
class People:
    """Who was spoken of so far in a message."""

    speaker: str
    apart: frozenset[str]
    """Who is no third person: the speaker, the listener."""
    labels: dict[str, str] = field(default_factory=dict)
    """How somebody was first labelled, and how by now."""
    kinds: dict[str, str] = field(default_factory=dict)
    """How somebody was first labelled, and by which words."""
    mentioned: list[str] = field(default_factory=list)
    asked: str = ""
    """Who of them the question is about."""

    def add(self, label: str, person: str) -> None:
        first = next((known for known, now in self.labels.items() if label in (known, now)), label)
        self.labels.setdefault(first, label)
        self.kinds.setdefault(first, person)

    def name(self, label: str, name: str) -> None:
        first = next((known for known, now in self.labels.items() if label in (known, now)), "")
        if first and not self.labels[first].endswith(name):
            self.labels[first] = first + name

    def mention(self, clause: Clause) -> None:
        """Those who stand in a clause and are not its subject may be meant as well: 老金那边我去, 我见了表哥."""
        for i, token in enumerate(clause.tokens):
            before = clause.tokens[i - 1] if i else None
            kin = token.text in words.KIN | words.LOVE or (token.text in words.PEOPLE and before is not None and before.text in words.ME)
            there = i + 1 < len(clause.tokens) and clause.tokens[i + 1].text in _THERE
            if (kin or is_name(token)) and token.text not in self.apart and not there and token.text not in clause.person:
                self.mentioned.append(DOUBLED.get(token.text, token.text))

    def meant(self, pronoun: str) -> str:
        """The label of the one person a pronoun can mean; empty where there are none or several."""
        fit = [first for first in self.labels if pronoun in gender(self.kinds[first])]
        others = [who for who in self.mentioned if pronoun in gender(who) and not any(who in now for now in self.labels.values())]
        return self.labels[fit[0]] if len(fit) == 1 and not others else ""


def asked_of(question: str, *, speaker: str) -> str:
    """The label of the one relative or animal that a question to the speaker is about, empty if there is none: 你妹妹多大了."""
    beasts = {m["who"] for m in _BEAST_ASKED.finditer(question)}
    found = {m["who"] for m in _ASKED_OF.finditer(question)} | beasts
    if len(found) != 1:
        return ""
    (who,) = found
    return f"{speaker}的{DOUBLED.get(who, who)}" if beasts or gender(who) else ""


def introduced_by(clause: Clause) -> str:
    """哥哥, in 我有个哥哥."""
    found = _HAS_ONE.search(words.TAIL.sub("", clause.text()))
    return found["who"] if found and clause.owner in (Owner.ME, Owner.NONE) and not re.search("[没想要]|如果|要是", clause.text()) else ""


def name_given(clause: Clause) -> str:
    """沈月娥, in 她叫沈月娥."""
    found = _NAMES.match(words.TAIL.sub("", clause.text(clause.body)))
    return found["name"] if found else ""


def is_bare_name(clause: Clause) -> bool:
    """林冬, behind 我有个哥哥."""
    text = clause.text()
    return not clause.tied and (
        (len(clause.tokens) == 1 and is_name(clause.tokens[0]))
        or bool(
            re.fullmatch(rf"[{''.join(sorted(SURNAMES))}][\u4e00-\u9fff]{{1,2}}", text)
            and len(clause.tokens) < 3
            and clause.tokens[0].tag == "nr"
        )
    )


def names_by_label(clauses: Sequence[Clause], labels: Iterable[str]) -> dict[str, str]:
    """What those who are named by a clause of their own are called, by label."""
    return {label: name for clause, label in zip(clauses, labels, strict=True) if label and (name := name_given(clause))}
