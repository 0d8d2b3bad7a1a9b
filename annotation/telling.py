"""What probably tells who somebody is, in English and Chinese: mail, links, numbers, handles, names that somebody says of themselves. And blacking words out. Pure.

Full-width letters and digits, which Chinese keyboards write, count as the plain ones; words are blacked out in any case, with and without accents, and numbers
however they are grouped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

BLACKED = "[…]"
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_MARK = r"\s\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65“”‘’…"
"""Where a link ends in any language: spaces, and the signs of Chinese texts."""
_LETTER = rf"(?:(?![{_HAN}\u3040-\u30ff\uac00-\ud7af])\w)"
"""A letter of a script that is written with spaces."""
_TAIL = rf"(?:(?:/[{_HAN}]+)|[!-~])*(?<![.,;:!?)\]'\"])"
# Every part is of a bounded length, so that no text takes long.
_TELLING = re.compile(
    rf"(?<![A-Za-z0-9.+-])(?:{_LETTER}|[.+-]){{1,64}}@(?:{_LETTER}|-){{1,63}}(?:\.(?:{_LETTER}|-){{1,63}}){{1,8}}"  # mail
    rf"|(?i:https?://|www\.)(?:[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,10}}|[^/{_MARK}]{{1,253}}){_TAIL}"
    rf"|(?<![A-Za-z0-9.-])(?:[A-Za-z0-9-]{{1,63}}\.){{1,10}}[A-Za-z]{{2,24}}/[!-~]{_TAIL}"  # a link without its beginning
    r"|(?<![A-Za-z])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"  # IBAN
    r"|(?<!\d)\d{17}[\dXx](?!\d)"  # Chinese identity card
    r"|(?<![\d.])[+(]?\d(?:[\d ()/.-]{5,60}\d)"  # telephone numbers, cards, accounts, dates
    r"|[〇零一二三四五六七八九幺]{7,}"
    rf"|@{_LETTER}{{3,40}}"
)
_HANDLE = re.compile(
    r"(?:微信号?|企鹅号?|扣扣|小红书号?|抖音号?|(?<![A-Za-z])(?:QQ|WeChat|wx|vx|Telegram|Discord|Instagram|Snapchat|Skype)(?![A-Za-z])号?)"
    r"\s*(?:is|是|为|：|:|号)*\s*([A-Za-z0-9_.-]{4,30}[A-Za-z0-9_-])",
    re.IGNORECASE,
)
_NAME_EN = re.compile(
    r"\b(?:(?i:my (?:full |real |first |last )?name is|my name['’]s|i am called|i['’]m called|call me)|I['’]m|I am)"
    r"\s+([A-Z][\w'’-]{0,40}\w(?:\s+[A-Z][\w'’-]{0,40}\w){0,3})"
)
_NAME_ZH = re.compile(
    rf"(?:我叫做?|我的(?:名字|本名|全名)(?:是|叫)?|名字叫做?|叫我|我姓名是?|本名)(?![怎什如谁啥哪去来做别不])([{_HAN}·]{{2,4}}?)"
    r"(?=[，。！？、；：,.!?;:…~～\s]|$|吧|就|好|呀|啊|呢|哦|啦|今年|来自|住|在|是|的)"
)


_BESIDE_NAMES = frozenset(
    "the an of and or von van der den de del della di da du la le el al bin ibn mr mrs ms miss dr prof sir lady lord captain doctor king queen old young little".split()
)
"""Words of a name that are said of everything else too."""
_LEAST_DIGITS = 7
"""From which on a number is the same one however it is grouped."""
_GROUPING = r"[\s()/.-]*"


def telling(texts: Iterable[str], own: Iterable[str]) -> list[str]:
    """Words to black out, each once. own: what the person says themselves, in which they may tell their name."""
    found: dict[str, None] = {}
    for text in own:
        for pattern in (_NAME_EN, _NAME_ZH):
            for match in pattern.finditer(text):
                found |= dict.fromkeys(names(match.group(1)))
    for text in texts:
        plain = "".join(map(_narrow, text))  # a letter for a letter: places are the same
        for pattern, group in ((_TELLING, 0), (_HANDLE, 1)):
            found |= dict.fromkeys(text[slice(*match.span(group))] for match in pattern.finditer(plain))
    return list(found)


def names(name: str) -> list[str]:
    """A name, and what people are called of it: each of its words; of a Chinese one what follows the surname."""
    words = [word for word in re.split(r"[\s·]+", name) if len(word) > 1 and word.casefold().rstrip(".") not in _BESIDE_NAMES]
    given = [name[-2:]] if re.fullmatch(f"[{_HAN}]{{3,4}}", name) else []
    return list(dict.fromkeys([name, *words, *given]))


def blacken(text: str, pattern: re.Pattern[str]) -> tuple[str, int]:
    """The text with what the pattern finds blacked out, and in how many places."""
    letters = [(place, letter) for place, sign in enumerate(text) for letter in _plain(sign)]
    out, at, count = [], 0, 0
    for match in pattern.finditer("".join(letter for _, letter in letters)):
        start, end = letters[match.start()][0], letters[match.end() - 1][0] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        if start < at:  # one sign that stands for several letters
            continue
        out += [text[at:start], BLACKED]
        at, count = end, count + 1
    return "".join([*out, text[at:]]), count


def pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds these words, the longest first; None for none. A word in Latin letters is not taken out of the middle of another: "Ann" stays in "annoyed"."""
    plain = {"".join(map(_plain, word.strip())) for word in words} - {""}
    if not plain:
        return None
    first = "".join(sorted({re.escape(c) for word in plain for c in (*_digits(word)[:1], *"+" * bool(_digits(word)), word[0])}))
    return re.compile(f"(?=[{first}])(?:{'|'.join(map(_of_word, sorted(plain, key=len, reverse=True)))})")


def _of_word(word: str) -> str:
    if digits := _digits(word):
        return rf"\+?{_GROUPING.join(digits)}"
    spaced = r"\s+".join(map(re.escape, word.split()))
    return f"(?<![a-z]){spaced}(?![a-z])" if word.isascii() else spaced


def _digits(word: str) -> str:
    """Of a word that is a number: its digits, where they are many."""
    digits = re.sub(r"[\s()/.+-]", "", word)
    return digits if digits.isdigit() and digits.isascii() and len(digits) >= _LEAST_DIGITS else ""


@lru_cache(4096)
def _narrow(sign: str) -> str:
    """A full-width letter, digit or sign of an address as the plain one."""
    plain = unicodedata.normalize("NFKC", sign) if "\uff01" <= sign <= "\uff5e" else sign
    return plain if plain.isalnum() or plain in "@.-_+()" else sign


@lru_cache(4096)
def _plain(sign: str) -> str:
    """As letters are compared: none, one or several."""
    apart = unicodedata.normalize("NFKD", sign)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f")).casefold()
