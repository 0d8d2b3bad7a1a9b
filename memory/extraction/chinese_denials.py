"""What a Chinese message takes back: 前面是我编的, 我说养猫那是骗你的, 我不弹琴了, 我没有狗."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.chinese_endings import endings_of
from memory.extraction.chinese_reversals import reversals_of
from memory.extraction.chinese_words import Token
from memory.extraction.draft import CALLED_OFF, DONE, NO_MORE, Denial

_END = r"(?=[呢啦呀啊哈吧嘛了]*(?:[，,。．！!？?；;：:…~～、\s]|$))"
_TAKES_BACK = re.compile(
    rf"(?:是|都|全|就|我|在|说|来|玩|$|^|(?<=[，,。！!；;：:\s]))(?:瞎编|胡编|乱编|编造|编|瞎说|乱说|胡说|胡扯|瞎扯|扯淡|吹牛|吹|骗你|骗人|骗大家|逗你玩|逗你|逗着玩|开玩笑|开个玩笑|闹着玩|说着玩|演戏)"
    rf"(?:出来)?(?:的|罢了|而已){_END}"
    rf"|我(?:刚才|刚刚|之前|前面|是)?(?:骗|逗|耍|唬|诓)(?:了)?你(?:的|呢|玩|玩呢|来着)?{_END}"
    rf"|(?:那|这|刚才|前面|之前|说的)[^，,。！!？?]{{0,6}}?(?:都|全|全都)?(?:是)(?:假话|瞎话|谎话|鬼话|假的|瞎话来着|气话|玩笑话|玩笑){_END}"
    rf"|(?:那|这|刚才|前面|之前|说的)[^，,。！!？?]{{0,6}}?不是真的{_END}|没有的事{_END}|我(?:撒(?:了个?|的)?谎|说谎|说了谎|撒了谎)(?:了)?{_END}"
    rf"|收回(?:我)?(?:刚才|之前|前面)?(?:说)?的?(?:那句|那些)?话|(?:就)?当我没说(?:过)?{_END}|(?:你)?别当真{_END}"
)
"""After which what the speaker said before does not hold."""
_SAID = re.compile(r"我(?:刚才|刚刚|之前|以前|上次|前面)?说(?:的|过|我)?(?P<x>[^。！？!?]{2,16}?)[，,]?[那这都全就也是]*$")
"""我说我养狗是骗你的."""
_ALL = re.compile(r"都|全|前头|前面|之前|上面|刚才")
_FILLERS = re.compile(
    r"(?:[\W_]|哈|嘿|嘻|呵|好吧|好啦|好了|唉|哎|诶|嗯|呃|不|没|其实|老实说|说实话|说真的|跟你说实话|实话跟你说|坦白说|抱歉|对不起|不好意思|得|行|算了|那个|我|跟你|和你|吧|啦|那|这|刚才|刚刚|前面|之前|上面|说|的|都|全|是|就|只|在|话)*+"
)
"""Before it, where it means what was said in the message before."""
_OWN = re.compile("我|刚才|刚刚|[骗逗]你|编|瞎|胡|乱|吹|玩笑|玩|演|当真")
"""One of these, and it is the speaker's own words that are meant: 都是假的 may answer the other's."""
_NO_MORE = re.compile(
    r"(?:[\W_]|唉|哎|嗯|不过|可惜|可|但|但是|其实)*(?:现在|如今|早就|早|已经)+(?:没了|没有了|不了|不是了|不这样了)" + _END
)
_THEN = re.compile(
    r"(?:[\W_]|唉|哎|嗯|不过|可|但|其实)*那(?:都|只)?是(?:以前|从前|过去|老早|很久以前|早先)(?:的事)?(?:儿)?(?:了|啦)?" + _END
)
_OVER = re.compile(r"了$|不再|再也[不没]|再没")
_FOR_NOW = re.compile("今[天晚早夜]|明[天晚早]|后天|[这下]周|[这下]个?星期|下个?月|[这今]次|周末|一会儿|暂时|太[晚早累困忙]|先|待会")
"""With one of these 不弹吉他了 is of this once."""
_SAID_ONCE = re.compile(r"(?:从前|以前|当初|当时|那时候?|那会儿|曾经|小时候|那[年天回次]|气头上)[^，]{0,6}说过?(?:的|了)?[^，]*$")
"""从前我说再也不回榆林了: what was said long ago is not said now."""
_NOT = frozenset("不 没 没有 从不 从没 不再 并不 并没 并没有 也没 也不 再也不 再也没 没再".split())
_HAVING = frozenset("有 养 养着 没有 养过 拥有".split())
_KEPT = (
    frozenset(words.BEASTS)
    | words.LOVE
    | frozenset("车 汽车 自行车 摩托车 电动车 房子 房 院子 菜园 钢琴 吉他 小提琴 二胡 电脑 相机 电视 游戏机 船".split())
)
_VAGUE = frozenset("家 人 事 话 时 天 年 法 力 点 东西 时间 办法 意思 问题 机会 事情 感觉 心情 别人 大家 地方 样子 大办 次 钱".split())
_SLIGHT = frozenset("法 是 去 来 到 会 想 要 能 得 可以 敢 知道 觉得 喜欢 说 做 干 用 行 需要 必 在 好意思 打算 舍得".split())


def holds(quote: str, text: str, speech: str) -> bool:
    """Whether something said in a message holds in spite of what the same message takes back: it was said after that, or is a denial itself."""
    at, start = _turn(speech), text.find(quote)
    return at is None or start > at.start() or re.search("[不没]", speech[max(0, start) : at.start()]) is not None


def _turn(speech: str) -> re.Match[str] | None:
    """Where a message takes back what was said; 这可不是开玩笑的 does not."""
    return next((found for found in _TAKES_BACK.finditer(speech) if not re.search("[不没]是?$", speech[: found.start()])), None)


def denials_of(clauses: Sequence[Clause], speech: str) -> tuple[Denial, ...]:
    """What a message takes back of earlier ones. speech: what stands in it, not blanked where it takes itself back."""
    at = _turn(speech)
    made: list[Denial] = []
    for place, clause in enumerate(clauses):
        if "？" in clause.stop or "?" in clause.stop or re.search(r"[吗么呢]$", clause.text()):
            continue
        made += endings_of(clause, clauses[:place])
        made += reversals_of(clause, clauses[:place])
        if (clause.owner in (Owner.ME, Owner.NONE, Owner.THING) or clause.tied) and not _is_of_long_ago(clauses, place):
            made += _of_clause(clause, corrects=at is not None, for_now=_FOR_NOW.search(speech) is not None)
            if at is not None and _ALL.search(at.group()) and clause.start >= at.end() and any(t.text in words.ME for t in clause.tokens):
                made += [Denial((word,)) for t in clause.tokens for word, kind in _parts(t) if kind == "n"]
    if at is not None and (said := _SAID.search(speech[: at.start()])):
        made += [Denial((word,)) for t in words.tokens_of(said["x"]) for word, kind in _parts(t) if kind == "n"]
    if not made and (_NO_MORE.match(speech) or _THEN.match(speech)):
        made = [Denial(act=NO_MORE)]
    if not made and at is not None and _OWN.search(speech[: at.end()]) and _FILLERS.fullmatch(speech[: at.start()]):
        made = [Denial()]
    return tuple(dict.fromkeys(made))


def _is_of_long_ago(clauses: Sequence[Clause], place: int) -> bool:
    """Whether a clause tells what somebody said long ago, itself or behind 我从前说过."""
    if _SAID_ONCE.search(clauses[place].text()):
        return True
    before = clauses[place - 1] if place else None
    introduces = before is not None and before.sentence == clauses[place].sentence and re.search(r"说过?$", before.text())
    return bool(introduces and before is not None and _SAID_ONCE.search(before.text()))


def _of_clause(clause: Clause, *, corrects: bool, for_now: bool) -> Iterator[Denial]:
    parts = [part for token in clause.tokens for part in _parts(token)]
    text = clause.text()
    things = [word for word, kind in parts if kind == "n"]
    if things and (_GONE.search(text) or (parts[0][0] in words.ME and _LEFT_OFF.search(text))):
        yield Denial((things[-1],), "have" if _GONE.search(text) else "be")
        return
    off = _FALLEN_THROUGH.search(text) or (None if for_now else _NOT_GOING.search(text))
    if off is not None:
        if (leaves := re.search(r"不(学|练|考)([^，]{1,6}?)了$", text)) is not None:
            yield Denial((leaves[2],), leaves[1])
            return
        before = [
            w
            for w in things or (t.text for t in clause.tokens if t.tag[0] in "nv" and t.when is None and not t.text.startswith("取消"))
            if text.find(w) + len(w) <= off.start()
        ]
        there = [w for w in things if text.find(w) >= off.start()]  # 不搬去昆明了 is of no other place
        yield Denial(tuple((before or there)[-1:]), CALLED_OFF)
        return
    if things and _FINISHED.search(text):
        yield Denial((things[-1],), DONE)
    place = next((i for i, (word, _) in enumerate(parts) if word in _NOT), None)
    if place is None or clause.owner is Owner.PERSON:
        return
    verb = next((word for word, kind in parts[place:] if kind == "v" and (word not in _NOT or word == "没有")), "")
    things = [word for word, kind in parts[place + 1 :] if kind == "n"] or [word for word, kind in parts[:place] if kind == "n"]
    if corrects:
        yield from (Denial((thing,)) for thing in things)
    elif verb in _HAVING and things and things[-1] in _KEPT:
        yield Denial((things[-1],), "have")
    elif verb and _OVER.search(text) and verb not in _SLIGHT and things and not (for_now and "再" not in text):
        yield Denial((things[-1],), verb)


_FALLEN_THROUGH = re.compile(r"(?:取消|泡汤|黄|作罢|告吹)了$")
_NOT_GOING = re.compile(r"不(?:去|参加|考|学|搬|买|办|报|报名|辞|结婚|订|换|开)[^，]{0,4}了$")
_FINISHED = re.compile(r"[^，]完了?[^，]{0,8}$")
_GONE = re.compile(r"(?:没|没有|丢|送人|卖|不在)了$")
_LEFT_OFF = re.compile(r"戒(?:掉)?了?|戒.{1,3}了")
_GLUED = re.compile(r"([养写弹抽喝吃学玩打喂骑练唱画种拉跳钓戒])[过着掉了]?(.{1,3})")
"""Verbs that the dictionary holds for one word with what is done: 弹钢琴."""


def _parts(token: Token) -> list[tuple[str, str]]:
    """A token's words, each with n for a thing, v for a verb or nothing."""
    if token.when is not None or token.text in words.KIN | words.PEOPLE | words.ADVERBS:
        return [(token.text, "")]
    if token.tag[0] in "nv" and (glued := _GLUED.fullmatch(token.text)):
        return [(glued[1], "v"), (glued[2], "n")]
    thing = (token.tag in ("n", "nz", "nr", "ns") and token.text not in _VAGUE) or token.text == "生日"
    return [(token.text, "n" if thing else "v" if token.tag[0] == "v" and token.text != "再" else "")]
