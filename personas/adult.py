"""Whether a card says of itself that it is for adults: by a tag, or in its words. Nobody reads the story for it; what says nothing is marked as nothing.

A tag `SFW` of the owner's overrules words, as words may tell of what is not there; it does not overrule another tag.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

BY_TAGS, BY_TEXT = "tags", "text"
_MARKS = {
    "nsfw",
    "18+",
    "+18",
    "r18",
    "r-18",
    "r18g",
    "r-18g",
    "adult",
    "adults",
    "smut",
    "erotic",
    "erotica",
    "porn",
    "hentai",
    "lewd",
    "explicit",
}
_MARKS |= {"成人", "成人向", "成人内容", "限制级", "18禁", "十八禁", "色情", "情色", "仅限成人", "未成年勿入", "r18+"}
_NO = {"no", "not", "non", "never", "without", "free", "无", "非"}
_FIELDS = ("creator_notes", "description", "personality", "scenario", "system_prompt", "post_history_instructions")
_SAYS = re.compile(
    r"""\bnsfw\b | \br-?18g?\b | (?<![\d.])18\s?\+\s?(?:only|content|bot|card|character|rated|material|rp\b|role-?play|内容|情节|角色|卡|向)
    | \badults[ -]only\b | \bfor\ adults\b | \badult\ (?:content|material)\b | \bsexually\ explicit\b | \bexplicit\ sex | \bminors\ (?:dni|do\ not\ interact)\b
    | 成人内容 | 成人向 | 限制级 | (?:18|十八)禁 | 仅限成[年人] | 未成年人?(?:请?勿|禁止|不得) | 色情内容""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,  # a Chinese character beside a Latin word is no letter of it
)
_DENIES = re.compile(
    r"(?:\b(?:no|(?<!\bdo )(?<!\bdoes )not|non|never|without|avoid\w*|refus\w+|forbid\w*|exclud\w+|free of|isn[’']t"
    r"|(?:don[’']t|doesn[’']t|do(?:es)? not) (?:contain|have|include|involve|feature|allow|accept|support|do|write))\b[\s-]*(?:[\w’']+[\s-]+){0,2}"
    r"|(?:无|没有|不是|不属于|不含|不包含|不涉及|不支持|不接受|不提供|非(?!常)|禁止|拒绝|避免)[^，。；！？,.;!?\s]{0,4})$",
    re.IGNORECASE,
)
_BEFORE = 48
"""Characters ahead of such words in which they may be denied."""


def adult_by(card: Mapping[str, object]) -> str:
    """BY_TAGS, BY_TEXT or nothing. card: a checked Character Card V3."""
    data = card["data"]
    assert isinstance(data, Mapping)
    tags = [_plain(tag) for tag in data.get("tags") or ()]
    if any(_marks(tag) for tag in tags):
        return BY_TAGS
    if "sfw" in tags:
        return ""
    return BY_TEXT if any(_says(text) for text in _texts(data)) else ""


def _texts(data: Mapping[str, object]) -> Iterable[str]:
    extensions = data.get("extensions")
    ours = extensions.get("keepsake") if isinstance(extensions, Mapping) else None
    values = [data.get(name) for name in _FIELDS] + [ours.get("tagline") if isinstance(ours, Mapping) else None]
    return (value for value in values if isinstance(value, str))


def _plain(tag: object) -> str:
    return unicodedata.normalize("NFKC", str(tag)).casefold().strip().lstrip("#").strip()


def _marks(tag: str) -> bool:
    """The whole tag, or a word of it: `NSFW / 18+`, not `non-NSFW`."""
    if tag in _MARKS:
        return True
    words = [word for word in re.split(r"[\s/|,;:()\[\]_、，]+", tag) if word]
    return not _NO & {part for word in words for part in word.split("-")} and any(
        word in _MARKS - {"adult", "adults", "explicit"} for word in words
    )


def _says(text: str) -> bool:
    text = unicodedata.normalize("NFKC", text)
    for found in _SAYS.finditer(text):
        free = re.match(r"[\s-]*free\b", text[found.end() : found.end() + 8], re.IGNORECASE)
        if free is None and not _DENIES.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            return True
    return False
