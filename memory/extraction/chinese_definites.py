"""What 这部电影, 这门课 and 这次旅行 mean: told with the title or the description that stands before them in the same message, where it can be but one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import is_name
from memory.extraction.chinese_words import Token

_FILMS = "电影|影片|片子|动作片|爱情片|喜剧片|喜剧|科幻片|恐怖片|战争片|纪录片|文艺片|动画片|悬疑片|惊悚片|大片"
_BOOKS = "书|书籍|小说|传记|散文集|诗集|自传|绘本|漫画"
_SERIES = "电视剧|连续剧|剧集|剧|韩剧|美剧|日剧|国产剧"
_SONGS = "歌|歌曲|曲子|乐曲|钢琴曲|专辑"
_TRIPS = "旅行|旅程|旅游|之旅|行程"
_COURSES = "课|课程|培训班|兴趣班|网课"
_GAMES = "比赛|竞赛|赛事|联赛|锦标赛"
_PLACES = "餐厅|饭店|饭馆|餐馆|咖啡馆|咖啡店|面馆|小吃店|火锅店"
_MEANS = {
    **dict.fromkeys(_FILMS.split("|"), _FILMS),
    **dict.fromkeys(("书", "小说", "书籍"), _BOOKS),
    **dict.fromkeys(("电视剧", "连续剧", "剧"), _SERIES),
    **dict.fromkeys(("歌", "歌曲", "曲子"), _SONGS),
    **dict.fromkeys(("旅行", "旅程", "旅游"), _TRIPS),
    **dict.fromkeys(("课", "课程"), _COURSES),
    "比赛": _GAMES,
    **dict.fromkeys(("餐厅", "饭店", "饭馆", "咖啡馆", "咖啡店"), _PLACES),
    **{one: one for one in "面试 考试 演讲 演出 展览 音乐会 演唱会 讲座 聚会 项目 文章 手术 公司 课题 论文 游戏 菜 活动 公园 博物馆 城市".split()},
}  # fmt: skip
"""What each noun may mean again."""
_TITLED = frozenset("|".join((_FILMS, _BOOKS, _SERIES, _SONGS)).split("|")) | {"文章", "游戏", "专辑"}
_MEASURES = "次趟部本门场个家座首道篇幅条款份项届回支出"
_POINTED = re.compile(
    rf"(?<![在从到把跟和])(?:这|那)[{_MEASURES}](?P<noun>{'|'.join(sorted(_MEANS, key=len, reverse=True))})(?![店院名式样型品馆者家])"
)
_TITLE = re.compile(r"《[^》\n]{1,30}》")
_PLAIN = r"[^，。！？!?、；;：:\s我你您他她它咱这那哪什么怎么不没了过着吗呢吧“”《》]"
_PRAISE = re.compile(
    r"(?:(?:很|非常|特别|挺|超级?|十分|比较|最|真|好|新|大|小|老|一样|不错|有趣|有意思|精彩|难忘|好看|好听|好玩|好吃|热门|经典|著名|重要|普通|"
    r"美丽|漂亮|感人|棒|赞|难|简单|复杂|受欢迎|新上映|最近|本地|陌生|独特|特殊|美好|愉快|开心)的?)+"
)
"""Says nothing of which one it is."""


@dataclass(frozen=True)
class _Meant:
    start: int
    end: int
    since: int


def resolved(tokens: Sequence[Token], speech: str, *, text: str, speaker: str) -> list[Token]:
    """Words in which what is pointed at stands as one noun that is told by what it means; where it means nothing plain they stay. speech: the text as it
    is read, with the same places."""
    found = [(m.start(), m.end(), m["noun"]) for m in _POINTED.finditer(speech)]
    made: list[Token] = list(tokens)
    for start, end, noun in reversed(found):
        inside = [i for i, t in enumerate(made) if t.start < end and t.end > start]
        meant = _named(speech[:start], noun)
        if meant is None or not inside or made[inside[0]].start != start or made[inside[-1]].end != end:
            continue
        made[inside[0] : inside[-1] + 1] = [Token(noun, "n", start, end, meant=text[meant.start : meant.end], since=meant.since)]
    return _of_two(made, speech, speaker)


def _of_two(tokens: list[Token], speech: str, speaker: str) -> list[Token]:
    """我们 in 我们之间 and 我们的友谊 as who they are, where the message has named but one person before."""
    for i, token in enumerate(tokens):
        if token.text in words.WE and BETWEEN.match("".join(t.text for t in tokens[i + 1 : i + 4])):
            named = {t.text: t.start for t in tokens[:i] if is_name(t) or t.text in words.KIN | words.LOVE | words.PEOPLE}
            if len(named) == 1:
                ((person, at),) = named.items()
                tokens[i] = replace(token, meant=f"{speaker}和{person}", since=_sentence(speech, at))
    return tokens


BETWEEN = re.compile("之间|的(?:友谊|感情|关系|友情)")
"""Behind 我们: of two, and with whom is what it has to say."""


def _named(before: str, noun: str) -> _Meant | None:
    """The one title of such a work before it, else the one description of such a thing."""
    kinds = _MEANS[noun]
    described = re.compile(rf"[一两三几][{_MEASURES}](?P<what>{_PLAIN}{{1,12}}?(?:{kinds}))(?=[，。！？!?、；;\s的]|$)")
    if noun in _TITLED:
        titles = {m.group(): m for m in _TITLE.finditer(before)}
        if titles:
            (last,) = list(titles.values())[-1:]
            return _Meant(*last.span(), _sentence(before, last.start())) if len(titles) == 1 and _fits(before, last, kinds) else None
    plain = list(re.finditer(rf"[一两三几][{_MEASURES}]{_PLAIN}{{0,12}}?(?:{kinds})", before))
    which = {m["what"]: m for m in described.finditer(before)}
    if len(which) != 1 or len(plain) != 1:
        return None
    ((what, where),) = which.items()
    if where.group()[0] != "一" or _PRAISE.fullmatch(re.sub(rf"(?:{kinds})$", "", what)):
        return None
    return _Meant(*where.span("what"), _sentence(before, where.start()))


_OTHER_KINDS = re.compile(rf"(?P<kind>{_FILMS}|{_BOOKS}|{_SERIES}|{_SONGS}|游戏|文章)(?:叫做?|名叫|名为|是)?$")


def _fits(before: str, title: re.Match[str], kinds: str) -> bool:
    """Whether what stands in front of a title does not call it something else: 小说《边城》 is no film."""
    called = _OTHER_KINDS.search(before[: title.start()])
    return called is None or called["kind"] in kinds.split("|")


def _sentence(before: str, at: int) -> int:
    """Where the sentence begins that stands at a place."""
    start = max(before.rfind(mark, 0, at) for mark in "。！？!?；;\n…") + 1
    return start + len(before[start:at]) - len(before[start:at].lstrip())


def since(tokens: Sequence[Token], start: int) -> int:
    """Where what is told of these words begins, with what says what they mean."""
    return min([start, *(t.since for t in tokens if t.meant)])


def spoken(token: Token, text: str) -> str:
    """A word as it is told: by what it means, else as it stands in the message."""
    return token.meant or text[token.start : token.end]
