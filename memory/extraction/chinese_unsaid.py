"""Chinese facts that say nothing without what was said before, and no pronoun shows it: 我爸一气儿吃了九个 (of what), 听老孙说 (what), 我奶奶吃剩下的 (which)."""

from __future__ import annotations

import re

from memory.extraction import chinese_words as words
from memory.extraction.chinese_words import Token

_SAYING = frozenset("说 问 告诉 心想 回答".split())
_NOTHING_SAID = re.compile("[没不别谁都少再敢会能爱肯光]|什么|[好坏瞎胡]话")
"""With one of these 说 needs nothing behind it: 谁也没说."""
_GIVEN = re.compile(r"给[^，]{1,4}(?:打|买|送|寄|带|拿|发)(?:了|过|去)?$")
_KEPT = re.compile(r"(?:不让|不许|不准|不给|不能|没法|不方便)养(?:了)?$")
_FOR_YEARS = re.compile(
    r"(?:自己|也|都|就|已经|一直|一共|足足|整整|断断续续)*(?:戒|养|学|练|写|看|等|做|找|用|吃|喝|种|修|教|读|开|卖|穿|戴|住|抽|打|画|弹|唱|干|忍|欠|攒|听|带|背)(?:[掉过着])?了?"
    r"(?:都|快|有|整整|足足|将近)*(?:[一两二三四五六七八九十百几半\d]+多?个?(?:年|月|星期|周|天|辈子|小时|钟头)半?|好几年|好久|很久|多年)了?"
)
"""戒了五年了: of what. Not 走了五年了."""
_OF_A_KIND = re.compile(r"[^，是有了过]{1,8}的那种.{0,2}")
"""我叫小满，爱哭的那种: nothing without what stands before it."""
_UP_TO_NOW = re.compile(r"(?:一直|还|都)*记(?:得)?到(?:今天|现在|如今)")
_OF_WHAT = re.compile(
    r"(?:真的?|很|非常|特别)*(?:害怕|担心|怕)(?:会)?(?:出现|发生|出)(?:意外|问题|错误?|岔子|状况)|(?:一直|也|都|就|已经)*(?:(?:使|用)不(?:惯|来)[^，]{1,3}的|(?:只)?签到了?[^，]{2,9}(?:年|月|日|号|底|初))"
)
"""使不惯铁的, 签到年底: of a thing that stands elsewhere."""
_OF_SOMETHING = re.compile(
    r"(?:[^，]{0,8}(?:后面|前面|旁边|门口|院子里|家里|屋里))?(?:就|还|也)?(?:有|各执|各有|执|剩)(?:着|了)?(?:一|两|三|几|好几|一整|一大)(?:整)?(?:片|排|堆|枚|只|条|个|块|张|盆|筐|袋|把|件|棵)"
    r"|(?:自己|一个人)*(?:算|找|查|想|等|问|背|写)了[^，]{1,4}(?:都|也|还是?)没(?:有)?(?:算|找|查|想|等|问|背|写)(?:明白|到|着|通|清楚|出来|完)?"
    r"|(?:大学|高中|初中|小学|以前|之前|小时候|曾经)*(?:辅修|选修|自学|学|练)过(?:[一两二三四五六七八九十几半]+(?:年|个月|学期|天)|一阵(?:子)?|几次)?"
    r"|(?:想|打算|要)?(?:让|叫|请)[^，]{1,4}(?:去)?(?:讲|做|负责|写|准备)(?:技术|前半|后半|第[一二三]|最后)[^，]{0,2}部分"
)
"""我外婆家后面有一整片, 大学辅修过两年: of what stands elsewhere."""
_LIVING = re.compile("|".join((*words.BEASTS, "花", "草", "菜", "树", "蒜", "多肉", "孩子", "家")))
_THAT_OLD = re.compile(r"[活长](?:了)?(?:这么|那么)大$")
_AT_ONE_GO = re.compile(r"一(?:口气|气儿?|下子|共|会儿|顿)")
_PIECES = frozenset("个 只 份 本 张 件 条 块 碗 筐 盘 颗 棵 根 箱 袋 盒 瓶".split())
_MOVING = frozenset("来 去 走 到 回来 回去 过来 过去 死 去世".split())


def completed(text: str, speaker: str) -> str:
    """A fact without clauses at its end that break off; nothing if what is left does not say of what."""
    clauses = text.rstrip("。").split("，")
    while clauses and (len(clauses[-1]) == 1 or _breaks_off(clauses[-1], speaker)):
        clauses.pop()
    if not clauses or (len(clauses) == 1 and _lacks(clauses[0], speaker)):
        return ""
    return "，".join(clauses) + "。"


def _breaks_off(clause: str, speaker: str) -> bool:
    """听老孙头说, 主任问我: what was said does not follow."""
    bare = clause.removesuffix(speaker) if clause != speaker else clause
    *_, last = words.tokens_of(bare) or [Token("", "", 0, 0)]
    verb = last.text[-1:] if last.text in ("听说", "跟说") else last.text
    if verb not in _SAYING or (bare != clause and verb == "说"):
        return False
    return not _NOTHING_SAID.search(bare.replace(speaker, ""))


def _lacks(clause: str, speaker: str) -> bool:
    bare = clause.replace(speaker, "")
    if _GIVEN.search(bare) or _THAT_OLD.search(bare) or (_KEPT.search(bare) and not _LIVING.search(bare)):
        return not any(t.tag in ("n", "nz", "vn") and not _is_somebody(t) for t in words.tokens_of(bare)) or not _GIVEN.search(bare)
    tokens = [t for t in words.tokens_of(_AT_ONE_GO.sub("", bare.removeprefix("的"))) if t.text not in words.ADVERBS]
    while tokens and _is_somebody(tokens[0]):
        tokens.pop(0)
    return (
        _UP_TO_NOW.fullmatch(bare) is not None
        or _OF_WHAT.fullmatch(bare) is not None
        or _OF_SOMETHING.fullmatch(bare.removeprefix("的")) is not None
        or _OF_A_KIND.fullmatch(bare.removeprefix("是")) is not None
        or _FOR_YEARS.fullmatch(bare) is not None
        or _counts_nothing(tokens)
        or (bare.startswith("的") and _is_what_was_done(tokens))
    )


def _is_somebody(token: Token) -> bool:
    return token.text in words.KIN | words.LOVE | words.PEOPLE | words.THEY or token.tag == "nr"


def _counts_nothing(tokens: list[Token]) -> bool:
    """吃了九个: nothing in it that is counted."""
    if len(tokens) < 2 or not re.search(rf"[一两二三四五六七八九十百几半\d](?:{'|'.join(_PIECES)})$", "".join(t.text for t in tokens)):
        return False
    return any(t.tag[0] == "v" for t in tokens) and not any(t.tag[0] in "nsfj" or t.tag in ("eng", "l", "i") for t in tokens)


def _is_what_was_done(tokens: list[Token]) -> bool:
    """我奶奶吃剩下的, 我爸挑的: of something that stands elsewhere. Not 我爸坐火车来的."""
    if len(tokens) < 2 or tokens[-1].text != "的":
        return False
    done = tokens[:-1]
    return all(t.tag[0] == "v" and t.text not in _MOVING | {"是", "会", "要", "能", "可以", "有"} for t in done)
