"""What is on another day after all, which animals one has no more, and what one eats again, in Chinese: 婚礼改到三月了, 豆豆去世了, 我又吃肉了."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.draft import ENDED, KEPT_NO_MORE, MEATLESS, MOVED, Denial

_MOVED = re.compile(r"(?P<x>[\u4e00-\u9fff]{1,8}?)(?:被)?(?:又)?(?:改|推迟|延期|延|提前|挪|调)(?:到|在|至|成)[^，。]{1,14}?了?$")
_DIED = re.compile(
    r"^(?:我(?:家|们家)?的?|家里的?)?(?P<x>[\u4e00-\u9fff]{1,6}?)(?:昨[天晚夜]|今[天早晨]|前[天晚]|上周|上个?月|刚|已经|还是|也|就)*(?:去世|死|过世|走|去喵星|去汪星)了$"
)
_MEAT = re.compile(r"(?:又|重新|开始|恢复)+(?:开始)?吃(?:肉|荤|鱼)|开荤了|不(?:再)?吃素了")
_NOT = re.compile("[不没]|如果|要是|怕|梦")


def reversals_of(clause: Clause, before: Sequence[Clause]) -> Iterator[Denial]:
    """What a clause says. before: the clauses of the message that stand before it."""
    text = words.TAIL.sub("", clause.text())
    moved = _MOVED.search(text)
    if moved is not None and any(t.when is not None for t in clause.tokens):
        things = [t.text for t in words.tokens_of(moved["x"]) if t.tag in ("n", "vn", "v", "nz") and t.text not in words.KIN | words.PEOPLE]
        owner = [t.text for t in clause.tokens if t.text in words.KIN][:1]
        if things:
            yield Denial((*owner, things[-1]), MOVED)
    died = _DIED.search(text)
    if died is not None and not _NOT.search(died["x"]) and clause.owner in (Owner.NONE, Owner.THING, Owner.PERSON, Owner.ME):
        name = died["x"]
        tags = [t.tag for t in words.tokens_of(name)]
        animal = name in words.BEASTS or (len(name) > 1 and len(tags) == 1 and tags[0] in ("n", "nr", "nz", "ns", "nrt"))
        if animal and name not in words.KIN | words.PEOPLE | words.LOVE and not any(kin in name for kin in words.KIN):
            yield Denial((name,), KEPT_NO_MORE)
    if clause.owner in (Owner.ME, Owner.WE, Owner.NONE) and _MEAT.search(text) and not re.search("想|如果|要是|不想", text):
        yield Denial(("diet", MEATLESS), ENDED)
