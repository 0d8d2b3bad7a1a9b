"""What a Chinese message says is to come, and on what it hangs: 等我攒够了钱，我带你去, 明早八点，车在门口等, 我周五有课; and the calendar of a story of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from memory import timeline
from memory.extraction import chinese_words as words
from memory.extraction.chinese_words import Token

_AWAITS = re.compile(r"^(?:那|就)?等(?!于|级|到底|等)[^，]{1,14}$")
_PART = r"(?:早上|上午|中午|下午|傍晚|晚上|夜里)?"
_HAS_ON = re.compile(
    rf"(?<![每逢上到至])(?P<day>(?:周|星期|礼拜)[一二三四五六日天])(?={_PART}(?:还|也|都|就|我|[\d一二三四五六七八九十]{{1,3}}点半?)*有(?![了过时])(?:[^，。！？!?了过]{{1,10}})(?:[，。！？!?\n]|$))"
)
"""我周五晚上有钢琴课: the next one, unless it is every week's."""
_FALLS_DUE = re.compile(
    r"(?<![年每逢去上至到旬\d一二三四五六七八九十])(?P<day>(?:1[0-2]|[1-9]|十[一二]|[一二三四五六七八九十])月(?:[\d一二三四五六七八九十]{1,3}[号日])?)"
    r"(?=(?:就|才|又|底)?(?:到期|截止|交稿|交房|开学|开业|开张|出发|动身|启程|开庭|开始比|要(?!求|是|不|么)))"
)
"""七月到期, 八月要去: the next one."""
_EVERY = re.compile(r"每|一直|总|平时|通常|一般|固定|那[天周次]|上[周个]|当时|以前")
_LASTED = re.compile(r"(?:记|等|留|活|用|住|穿|养|欠|拖|撑|熬|干|戴|放|存|保留|坚持|延续)(?:着|了)?到$")
"""我记到今天: up to now, and no day."""
_ERA = re.compile(
    r"(?:民国|光绪|康熙|乾隆|雍正|嘉庆|道光|咸丰|同治|宣统|贞观|开元|天宝|洪武|永乐|嘉靖|万历|崇祯|建安|庆历|元丰|昭和|明治)(?:初|末|[元一二三四五六七八九十廿]{1,4})(?:年|载)"
    r"|灵根|御剑|筑基|筑了基|金丹期|元婴|渡劫|宗门|师尊|巡捕|黄包车|银元|大洋|虹口|青帮|(?:子|丑|寅|卯|辰|巳|午|未|申|酉|戌|亥)时(?![候间常])|两个时辰|星历|纪元"
)
"""Of a story with its own calendar: today's dates are none of it."""
MEETS = re.compile(
    r"(?:就|再|亲自|开车|骑车)*(?:来|去|过来|过去)?(?:接|送|陪|带|看|找|教|请|等)(?:你|您)|去[^，。]{1,6}(?:替|帮|给|为)(?:你|您)|约(?:好|定)"
)
"""Of a day to come, with whoever listens."""


def has_own_calendar(speech: str) -> bool:
    return _ERA.search(speech) is not None


def to_come(speech: str, *, said_at: datetime) -> Iterator[timeline.DateMention]:
    """Days of the week on which somebody has something, and months in which something falls due."""
    for found in (*_FALLS_DUE.finditer(speech), *_HAS_ON.finditer(speech)):
        before = re.split(r"[，。！？!?；;\n]", speech[: found.start()])[-1]
        if not _EVERY.search(before):
            for mention in timeline.mentions(found["day"], said_at=said_at, language="zh", ahead=True):
                yield replace(mention, start=found.start(), end=found.end())


def is_up_to_now(speech: str, start: int, end: int) -> bool:
    return speech[start:end] in ("今天", "今日", "现在") and _LASTED.search(speech[:start]) is not None


def awaits(text: str) -> bool:
    """等我攒够了钱: what follows is not yet so."""
    return _AWAITS.match(text) is not None


def with_times(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without the comma behind a time alone: 明早八点，车在门口等."""
    made: list[Token] = []
    for i, token in enumerate(tokens):
        if token.text in "，," and made and _is_time_alone(made):
            follows = tokens[i + 1] if i + 1 < len(tokens) else None
            if follows is not None and (follows.text in words.ME | words.WE):
                continue
        if made and token.when is not None and made[-1].when is not None and token.text.startswith(("周", "星期", "礼拜")):
            continue  # 明天周末
        made.append(token)
    return made


_CLOCK = re.compile(r"[\d一二三四五六七八九十两]{1,3}点(?:半|钟|整)?")


def _is_time_alone(before: Sequence[Token]) -> bool:
    """Whether nothing but a day and perhaps an hour stands since the last mark."""
    at = len(before)
    while at and (before[at - 1].when is not None or before[at - 1].text in words.TIMES or _CLOCK.fullmatch(before[at - 1].text)):
        at -= 1
    days = [t for t in before[at:] if t.when is not None]
    return bool(days) and at < len(before) and (at == 0 or before[at - 1].text in "。！？!?；;\n…")
