"""Words without which no message takes anything back: most messages need no closer look."""

from __future__ import annotations

import re

from memory.extraction.corrections import may_correct

_MAY = re.compile(
    r"n['’]t\b|\b(?:not?|none|longer|stopped|quit|gave up|given up|forget|ignore|scratch|never ?mind|made|making|invented|lied|lying|lie|lies|kidding|joking|joke"
    r"|testing|exaggerat\w+|take (?:it|that)|character|role-?play\w*)\b|[没不别]|骗|编|瞎|乱说|胡说|胡扯|扯淡|玩笑|逗你|吹牛|假话|谎|瞎话|假的|收回|作废|戒|以前"
    r"|角色|\b(?:off|cancel\w*|postpon\w*|scrapped|abandoned|today|yesterday|finally|just|finished|did|ran|went|done|passed|attended|completed|visited|took)\b"
    r"|取消|泡汤|黄了|作罢|告吹|完|改[到在]|推迟|延期|提前|挪到|去世|死了|过世|走了|离开|吃肉|开荤"
    r"|\b(?:moved|rescheduled|delayed|pushed|brought|died|passed|put|sold|away|instead|rather|against|happening|fell|won|meat)\b"
    r"|\b(?:broke|split|divorced|left|dumped|resigned|notice|resignation|fired|sacked|laid|redundant|retired|unemployed|jobless|job|work|moved|cast"
    r"|heal\w*|mended|better|fine|recovered|cured|gone|got)\b|分手|离婚|离职|辞|失业|下岗|裁|开除|炒|丢了|退休|搬|现在住|掰|分开|退婚|好了|痊愈|康复|好利索|好多了|敢",
    re.IGNORECASE,
)


def may_deny(text: str) -> bool:
    return _MAY.search(text) is not None or may_correct(text)


_NEGATED = re.compile(r"\b(?:not|no|never|none|nothing|nobody|cannot)\b|n['’]t\b|(?<![不分])[不没](?![断错久同仅但过管])|从未|从不")


def is_negated(text: str) -> bool:
    """Whether a sentence says itself that something is not so."""
    return _NEGATED.search(text) is not None


def affirmed(text: str) -> str:
    """A sentence without the words that say so."""
    return _NEGATED.sub(" " if text.isascii() else "", text)
