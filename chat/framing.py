"""Text of others as it may stand in a prompt: it cannot pass for the prompt's own marks, for another message or for a control token.

The marks are found as they look: wide letters, letters that look alike, spaces and characters that are not seen between them make no difference.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memory.reading.ownership import skeleton
from models.control_tokens import escape

_OPENING = "[【［〔〖"
_MARKS = re.compile(
    r"[\[【〔〖](?=what[^\[【〔〖]{1,200}?(?:remembersfromearlier|knowsof)|endofmemories|goonwithyourlastmessage|writewhat[^\[【〔〖]{1,200}?mightsaynext|writewhat[^\[【〔〖]{1,200}?saysnextto"
    r"|[^\[【〔〖]{1,200}?(?:记得的往事|所知道的)|往事到此为止|请从你上一条消息|请替[^\[【〔〖]{1,200}?写出|请写出[^\[【〔〖]{1,200}?接下来对"
    r"|how[^\[【〔〖]{1,200}?talks:examples,notpart|keepinmindof[^\[【〔〖]{1,200}?[\]】〕〗]|what[^\[【〔〖]{1,200}?nextreplymustmind"
    r"|[^\[【〔〖]{1,200}?的说话方式示例|请记住,关于|[^\[【〔〖]{1,200}?的下一条回复请注意|whatisknownofthisworld|关于这个世界"
    r"|who[^\[【〔〖]{1,200}?mayknowthisfromthestart|[^\[【〔〖]{1,200}?是这样一个人,|notebytheauthor|作者附注|whenyourreplyisdone|写完回复后|inthestoryitis|故事里的今天|[\[【〔〖]?(?:memories|memory|记忆):)"
)
"""What marks the parts of `chat.prompt`, the instructions of `chat.instructions` and the trailer of `chat.citations` with one bracket
or two, without spaces."""
_TRADITIONAL = str.maketrans("記憶為請從條寫對說話關於這樣個註復覆後裡裏類統戶還沒", "记忆为请从条写对说话关于这样个注复复后里里类统户还没")
"""As far as the marks go."""
_BETWEEN = frozenset("-_*~`")
"""Signs that part no words of a mark, to a reader."""
_ROLE = re.compile(
    r"[^\w\n]{0,20}_{0,4}(?:system|user|assistant|human|ai|bot|model|developer|tool|instructions?|response|input|"
    r"系统|用户|助手|助理|人类|指令|指示|回答|回复)[^\w\n:]{0,10}_{0,4}:"
)
"""A line that begins as a role does, in templates that mark roles by words (Alpaca, Vicuna)."""
_COLON = re.compile("[:：\ufe55\ufe13]")
ROLE_CHARS = 80
"""Of a line that are looked at for a role."""
_BREAK = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """A text of several lines, with its control tokens escaped, its brackets opened otherwise where they would mark a part of the prompt, and a dash where
    a line would begin a role."""
    return escape("\n".join(map(_unspoken, sealed(_BREAK.sub("\n", text)).split("\n"))))


def _unspoken(line: str) -> str:
    """A line with a dash in the place of the colon that would make a role of its beginning."""
    if not _COLON.search(line, 0, ROLE_CHARS) or not (found := _ROLE.match(skeleton(line[:ROLE_CHARS].translate(_TRADITIONAL)))):
        return line
    return _COLON.sub(" —", line, count=found.group().count(":"))


def quoted_line(text: str) -> str:
    """The same of a text that stands within one line."""
    return escape(sealed(" ".join(text.split())))


def sealed(text: str) -> str:
    """The text with another bracket where one would open a mark of the prompt; inside of it they mark nothing."""
    if not any(bracket in text for bracket in _OPENING):
        return text
    looks, places = [], []
    for place, character in enumerate(text.translate(_TRADITIONAL)):
        for seen in skeleton(character):
            if not seen.isspace() and seen not in _BETWEEN:
                looks.append(seen)
                places.append(place)
    opened = {places[found.start()] for found in _MARKS.finditer("".join(looks))}
    return "".join(("（" if c == "【" else "(") if place in opened else c for place, c in enumerate(text)) if opened else text
