"""What is over in a player's life, in Chinese: 我们分手了, 我辞职了, 我搬家了, 脚好了. It leaves a key without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.draft import ENDED, Denial

_UNREAL = re.compile(
    r"想|要(?!不)|将|会(?!计)|说|梦|差点|差一点|没|不(?!干|在|得不)|别|如果|要是|万一|假如|应该|该|打算|准备|考虑|劝|让|叫|逼|怕|怎么"
)
_LONG_AGO = re.compile(r"年前|以前|从前|当年|那年|那时|去年|前年|曾经|大学时|小时候|\d{4}年|[一二]零..年")
"""Of something before what is told now: a job or a partner of those days."""
_PARTED = re.compile(
    r"(?:(?:和|跟|与)(?P<who>[^，。]{1,8}?))?(?:正式|彻底|终于|已经|也|就|刚刚|昨天)*(?:分手|离婚|掰|分开|退婚)了$|(?:把)?(?:婚约|订婚|婚)(?:取消|退)了$"
)
_LEFT_WORK = re.compile(
    r"被[^，。]{1,10}?(?:开除|辞退|裁|炒)(?:鱿鱼)?了$|(?:辞职|离职|失业|下岗|裁员|被裁|被开除|被辞退|被炒(?:鱿鱼)?|丢了工作|工作丢|不干)了$|辞(?:掉|去)?了[^，。]{0,10}(?:工作|职务|差事|活儿?)$"
    r"|把[^，。]{0,6}(?:工作|活儿?)辞了$|(?:现在)?(?:没有?|还没)工作了?$"
)
_RETIRED = re.compile(r"退休了$")
_MOVED = re.compile(r"搬(?:家|走|出来|出去)了$|搬了家$|搬家搬的$|(?:现在)住(?:在|到)?(?:您|你|这|那)")
_HEALED = re.compile(
    r"(?P<x>腿|脚|手|胳膊|脚踝|手腕|腰|膝盖|牙|胃|头|嗓子|眼睛|感冒|发烧|咳嗽|病|伤|骨折|失眠)[^，。不没]{0,4}?(?:好了|痊愈了|康复了|好利索了|不疼了|不痛了|好多了)$"
)

_NOT_AFRAID = re.compile(r"(?:现在|已经|再也|也|就|可|终于)*不(?:再)?(?:怕|害怕)(?P<x>[^，。了你您他她它这那我]{1,6})了?$")


_DARES = re.compile(r"(?:现在|已经|终于|也|就|可|总算)*敢(?!情|于|问|当)(?P<x>[^，。你您他她它这那]{1,8}?)了$")


def endings_of(clause: Clause, before: Sequence[Clause]) -> Iterator[Denial]:
    """What a clause says is over. before: the clauses of the message that stand before it."""
    text = words.TAIL.sub("", clause.text())
    mine = clause.owner in (Owner.ME, Owner.WE) or (clause.owner is Owner.NONE and _is_mine(clause, before))
    healed = _HEALED.search(text)
    if healed is not None and (mine or clause.owned or clause.owner is Owner.THING) and not _LONG_AGO.search(text):
        yield Denial(("health", healed["x"]), ENDED)
    if mine and (unafraid := _NOT_AFRAID.search(text)):
        yield Denial(("fears", unafraid["x"]), ENDED)
    if mine and (dares := _DARES.search(text)) and not re.search("[不没]|才|想|要", text[: dares.start()]):
        yield Denial(("fears", _thing(dares["x"])), ENDED)
    if (
        not mine
        or _UNREAL.search(re.sub("不在一起|不干", "", text).replace("没有工作", "").replace("没工作", ""))
        or _LONG_AGO.search(text)
    ):
        return
    if parted := _PARTED.search(text):
        yield Denial(("partner", *_names(parted["who"] or clause.companions)), ENDED)
    if _LEFT_WORK.search(text):
        yield from (Denial((key,), ENDED) for key in ("occupation", "workplace"))
    if _RETIRED.search(text):
        yield Denial(("workplace",), ENDED)
    if _MOVED.search(text):
        yield Denial(("residence",), ENDED)


def _thing(done: str) -> str:
    """What is dared by its last noun, else by its verb: 飞机, in 敢坐飞机了; 打, in 敢打了."""
    tokens = words.tokens_of(done)
    nouns = [t.text for t in tokens if t.tag[0] in "nst"]
    return nouns[-1] if nouns else tokens[-1].text


def _is_mine(clause: Clause, before: Sequence[Clause]) -> bool:
    """A dropped subject, where nobody else was spoken of in its sentence."""
    return not any(c.sentence == clause.sentence and c.owner in (Owner.PERSON, Owner.THEY, Owner.YOU, Owner.THING) for c in before)


def _names(who: str) -> tuple[str, ...]:
    """老郭, in 跟老郭; of 男朋友 and 他 none."""
    bare = re.sub(r"^(?:我的?|自己的?)", "", who)
    for word in sorted(words.LOVE | words.PEOPLE, key=len, reverse=True):
        bare = bare.removeprefix(word)
    return (bare,) if bare and bare[0] not in "他她对人" else ()
