"""Chinese typed without marks: where a space, a picture or laughter divides clauses (我感冒了 明天不去了, 你来吗😂我到了)."""

from __future__ import annotations

import re

_PICTURE = r"[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]"
_HAN = r"[\u4e00-\u9fff]"
_LAUGHS = r"(?:h{2,}|w{3,}|2333+|xswl|qwq|QAQ|orz|lol|hiahia)"
_DIVIDES = re.compile(
    rf"(?:(?<={_HAN})|(?<=[”’》\d]))[ \t\u3000]*(?:(?:{_LAUGHS}|{_PICTURE})+[ \t\u3000]*)+(?={_HAN}|[“《\d])"
    rf"|(?<={_HAN})[ \t\u3000]+(?={_HAN}|[“《])"
    rf"|(?<=[\d][\u5ea6\u5206\u5757\u5c81\u70b9])[ \t\u3000]+(?={_HAN})"
)
_NUMBER_ALONE = re.compile(
    rf"(?<={_HAN})(?<![有是年了才到岁满得约在花要第共差近每的])[ \t\u3000]+(?=\d+(?:\.\d+)?(?:{_HAN}|[ \t\u3000。！!，,]|{_PICTURE}|$))(?!\d+[ \t\u3000]+{_HAN})"
)
"""近视 300度: not 我有 3 只猫, where spaces stand around the number."""
_BEHIND_NUMBER = re.compile(
    rf"(?<={_HAN}\d)[ \t\u3000]+(?={_HAN})|(?<={_HAN}\d\d)[ \t\u3000]+(?={_HAN})|(?<={_HAN}\d\d\d)[ \t\u3000]+(?={_HAN})"
)
"""上次考了38 惨: the number is glued to what stands before it."""
_ASKS = re.compile(
    r"(?:吗|么|呢)$|(?<![一时动对])(?P<a>[\u4e00-\u9fff])不(?P=a)(?!容易|要|了)|是否|有没有|(?<!没|不)(?:什么|怎么|哪|谁|多少|几[点岁个])(?!都|也|时候都)"
)
_TELLS_WHAT = re.compile(r"(?:不知道|忘了|记得|不管|无论|知道|想着|看看|问)[^，]{0,10}$|什么都|谁都|怎么都|哪.?都|没什么|没怎么")


_TALKED = re.compile(
    r"(?:我)?(?:跟|和)你说(?:个|一个)?(?:秘密|事儿?|件事)?(?:啊|哦)?(?=你别|我|其实)|你(?:可)?(?:千万)?别(?:告诉|跟)(?:别人|任何人)(?:说)?(?:啊|哦|呀)?(?=我|其实|就)|你知道[吧吗嘛]|你懂的"
)
"""What is said around what is told."""
_BREATH = re.compile(r"(?<=[\u4e00-\u9fff])(?:(?<![酒网水])吧|[呀啦嘛呢]|后来)(?=[我你他她咱]|就|但|所以|因为|不过|现在|对了|还有|又|才)")
"""Where whoever types without marks takes breath."""
_RUN = re.compile(r"[\u4e00-\u9fff\d]{14,}")
"""As long as nobody says without one."""


def breathed(speech: str) -> str:
    """Speech with marks in long runs that have none, in the place of a particle or of words that only keep the talk going; of the same length."""

    def marked(run: re.Match[str]) -> str:
        text = _TALKED.sub(lambda found: "，" * len(found.group()), run.group())
        return _BREATH.sub(lambda found: "，" * len(found.group()), text)

    return _RUN.sub(marked, speech)


def divided(speech: str) -> str:
    """Speech with a mark for each space, picture or laughter that stands where one would divide: of the same length, and a question closed as one."""
    found = sorted(
        (m.span() for pattern in (_DIVIDES, _NUMBER_ALONE, _BEHIND_NUMBER) for m in pattern.finditer(speech)), key=lambda span: span[0]
    )
    made = speech
    for start, end in found:
        if start < end and not _within(speech, start):
            made = made[:start] + _mark(made, start, plain=not speech[start:end].strip()) + " " * (end - start - 1) + made[end:]
    return made


def _within(speech: str, at: int) -> bool:
    """Between quotation marks, or in a title."""
    line = speech[speech.rfind("\n", 0, at) + 1 : at]
    return any(line.count(opening) > line.count(closing) for opening, closing in ("“”", "《》", "「」"))


def _mark(speech: str, at: int, *, plain: bool) -> str:
    before = re.split(r"[，。！？!?,；;\n…~～]", speech[:at])[-1].strip()
    if _ASKS.search(before) and not _TELLS_WHAT.search(before):
        return "？"
    return "，" if plain else "。"
