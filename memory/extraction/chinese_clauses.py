"""A Chinese message in clauses: who each is about and where what it says of them begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory.extraction import chinese_words as words
from memory.extraction.chinese_slots import OF_PET_NAMES
from memory.extraction.chinese_words import Token


class Owner(StrEnum):
    ME = "me"
    WE = "we"
    YOU = "you"
    PERSON = "person"
    """Somebody named or bound to the speaker: my sister, 小李."""
    THEY = "they"
    """A pronoun of the third person."""
    POINTING = "pointing"
    THING = "thing"
    """A noun that is nobody's."""
    NONE = "none"
    """Dropped."""


@dataclass(frozen=True, slots=True)
class Clause:
    tokens: tuple[Token, ...]
    sentence: int
    stop: str
    """The mark it ends with."""
    owner: Owner
    subject: int
    """Index of the subject's first token; of the predicate where it is dropped."""
    body: int
    """Index of the predicate's first token, after adverbs and times."""
    owned: bool = False
    """The predicate begins with something the owner has: 我的生日…, 老家…"""
    person: str = ""
    """Of PERSON: its words without the speaker: 妹妹小雪."""
    tied: bool = False
    """The person is bound to the speaker (我妹妹), so the name stands before it."""
    companions: str = ""
    """Who did it with the subject: 妈妈, from 和妈妈一起."""

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    @property
    def says(self) -> bool:
        """Whether there is a predicate: an opening or a bare name has none."""
        return (
            self.body < len(self.tokens)
            and self.tokens[-1].text not in words.LEAD
            and not (self.body == len(self.tokens) - 1 and self.tokens[-1].tag in ("y", "e"))
        )

    def text(self, first: int = 0, last: int | None = None) -> str:
        return "".join(t.text for t in self.tokens[first:last])


_OVER = re.compile(r"(?:离婚|结婚|分手|辞职|毕业|退休|下班|到家|回来|回家|住院|去世|感冒|发烧|搬家|怀孕|失业|就走)了$")
_ANEW = frozenset("我 她 他 我妈 我爸 你".split())
_LONG = 8
"""Words of a clause behind which somebody else may begin one."""
_OF_WHAT_FOLLOWS = frozenset(
    "觉得 认为 知道 希望 告诉 喜欢 讨厌 害怕 担心 记得 以为 发现 听说 看见 听见 怀疑 相信 感觉 明白 需要 提醒 答应 帮助 送给 教给".split()
)
"""What they do is what is felt or known."""
_BREAKS = frozenset("，,。．！!？?；;：:~～…\n—")
_ENDS = frozenset("。．！!？?；;…\n~～")
_OPEN, _CLOSE = frozenset("《“‘「『"), frozenset("》”’」』")


def clauses_of(tokens: Sequence[Token]) -> list[Clause]:
    """Every clause of a message in order; marks inside titles and quotation marks do not divide."""
    made: list[Clause] = []
    sentence, depth = 0, 0
    current: list[Token] = []
    for i, token in enumerate(tokens):
        if token.text in _OPEN:
            depth += 1
        elif token.text in _CLOSE:
            depth = max(0, depth - 1)
        point = token.text == "." and not (
            i and tokens[i - 1].text[-1].isascii() and i + 1 < len(tokens) and tokens[i + 1].text[0].isalnum()
        )
        if token.text == "\n" or (depth == 0 and (token.text in _BREAKS or point)):
            if current:
                made.append(_parsed(tuple(current), sentence, token.text))
                current = []
            elif made and token.text in "？?！!" and made[-1].sentence == sentence - 1 and made[-1].stop in _ENDS:
                made[-1] = replace(made[-1], stop=made[-1].stop + token.text)  # "……？" and "?!" belong to what stands before them
            if token.text in _ENDS or point:
                sentence += 1
            if token.text == "\n":
                depth = 0
        elif not token.text.isspace() or current:
            if current and depth == 0 and (_begins_anew(current, token) or _goes_on(current, token, tokens[i + 1 : i + 2])):
                made.append(_parsed(tuple(current), sentence, "，"))
                current = []
            current.append(token)
    if current:
        made.append(_parsed(tuple(current), sentence, ""))
    return made


def _begins_anew(before: Sequence[Token], token: Token) -> bool:
    """我爸妈离婚了我妈去了成都: what begins behind what is over, without a mark."""
    return (token.text in _ANEW or token.tag == "v") and _OVER.search("".join(t.text for t in before[-3:])) is not None


def _goes_on(before: Sequence[Token], token: Token, after: Sequence[Token]) -> bool:
    """跟我表姐合租她养了只猫: somebody else behind a long clause without a mark, who does something."""
    if len(before) < _LONG or token.text not in ("她", "他", "我") or not after or after[0].tag[0] not in "vd" or after[0].text == "的":
        return False
    last = before[-1]
    return last.text in ("了", "过", "合租", "同居", "同住") or (
        last.tag[0] == "v" and len(last.text) == 2 and last.text not in _OF_WHAT_FOLLOWS
    )


def _parsed(tokens: tuple[Token, ...], sentence: int, stop: str) -> Clause:
    while len(tokens) > 1 and tokens[-1].text.isspace():
        tokens = tokens[:-1]
    at = _after_lead(tokens, 0)
    tokens = _without_own_name(tokens, at)
    owner, after, person, tied, owned = _subject(tokens, at)
    body, companions = _after_adverbs(tokens, after)
    return Clause(tokens, sentence, stop, owner, at, body, owned, person, tied, companions)


def _without_own_name(tokens: tuple[Token, ...], at: int) -> tuple[Token, ...]:
    """我何大宽亲自来: without the name that the speaker says behind 我."""
    if tokens[at].text not in words.ME or at + 2 >= len(tokens):
        return tokens
    end = at + 2 if is_name(tokens[at + 1]) and tokens[at + 1].text[0] in SURNAMES else at + 1
    if end == at + 1 and tokens[end].text in SURNAMES and tokens[end].tag[0] in "nr":
        while end < len(tokens) and end < at + 4 and len(tokens[end].text) == 1 and tokens[end].tag[0] in "nagjbr":
            end += 1
        end = end if end > at + 2 else at + 1
    follows = end < len(tokens) and tokens[end].tag[0] in "dvtp" and tokens[end].text not in words.KIN | words.PEOPLE
    return tokens[: at + 1] + tokens[end:] if end > at + 1 and follows else tokens


def _after_lead(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) - 1 and (
        tokens[at].text in words.LEAD or words.is_passing_time(tokens[at]) or tokens[at].text in words.ADVERBS or tokens[at].text.isspace()
    ):
        at += 1
    return at


def _after_adverbs(tokens: Sequence[Token], at: int) -> tuple[int, str]:
    companions = ""
    while at < len(tokens):
        token = tokens[at]
        if words.is_passing_time(token) or token.text in words.ADVERBS or token.text.isspace():
            at += 1
        elif token.text in ("和", "跟", "与", "同", "陪") and not companions:
            found = _companions(tokens, at + 1)
            if not found:
                break
            companions = "".join(t.text for t in tokens[at + 1 : found])
            if token.text == "陪":
                break
            at = found
        else:
            break
    return at, companions


def _companions(tokens: Sequence[Token], at: int) -> int:
    """The end of 妈妈, 我妹妹, 几个朋友, 同事小王; 0 if that is not who is named."""
    first = at
    while at < len(tokens) and at - first < 5:
        text = tokens[at].text
        if text in words.KIN | words.LOVE | words.PEOPLE or text.rstrip("们") in words.PEOPLE:
            return at + 2 if at + 1 < len(tokens) and is_name(tokens[at + 1]) else at + 1
        if is_name(tokens[at]) and at == first:
            return at + 1
        if text in words.YOU and at == first:
            return at + 1
        if not (text in words.ME or text in ("的", "我家") or tokens[at].tag[0] in "man"):
            return 0
        at += 1
    return 0


SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹苏潘葛范彭鲁马方袁柳鲍史唐薛雷贺倪汤罗毕郝安常于傅齐康伍余顾孟黄穆萧姚邵汪毛戴宋庞熊纪项祝董梁杜阮蓝贾江郭梅林钟徐邱骆高夏蔡田胡霍万柯卢莫房丁邓洪石崔龚程裴陆段侯曾白叶刘龙黎乔温庄苗聂关尹"
)
_NICK = re.compile(r"^[小阿老大][\u4e00-\u9fff]{1,2}$")
_NO_NAMES = frozenset(
    "过敏 安静 喝咖啡 高兴 高中 安全 小时 小说 小吃 小学 小区 小心 小朋友 老师 老板 老家 老人 老婆 老公 大学 大家 大人 大概 阿姨 "
    "小孩 小孩子 小猫 小狗 老是 老虎 小伙子 小组 方便 马上 温柔 白天 "
    "谢谢 高兴 万分 "
    "金钱 田园 高考 高级 方法 方式 方面 关系 关于 安排 周末 周围 石头 万一 项目 项链 毕业 毕竟 常常 严重 严格 康复 黄色 蓝色 白色 "
    "何必 许多 江湖 成长 程度 段落 江南 小鸟 小鱼 小镇 小店 大海 大雨 刘海".split()
)


_NO_NAME_ENDS = tuple("营卜店园山湖江市镇村街路寺馆院城菜花草口")


def is_name(token: Token) -> bool:
    """A person's name by the dictionary and by its shape."""
    text = token.text
    if text in _NO_NAMES or token.when or text.endswith(_NO_NAME_ENDS):
        return False
    if token.tag == words.NAME_FROM_ABROAD:
        return True
    if token.tag == "eng":
        return bool(re.fullmatch(r"[A-Z][a-z]{1,14}", text))
    return token.tag == "nr" and bool((2 <= len(text) <= 3 and text[0] in SURNAMES) or _NICK.match(text))


def _after_name(tokens: Sequence[Token], at: int) -> int:
    """Index after 妹妹 or 妹妹小雪."""
    if at + 1 >= len(tokens):
        return at + 1
    after = tokens[at + 1]
    pet_name = len(after.text) == 2 and after.text[0] in "小阿" and after.tag[0] in "nx" and after.text not in _NO_NAMES
    doubled = len(after.text) == 2 and after.text[0] == after.text[1] and after.text[0] in OF_PET_NAMES
    last = (
        at + 2 == len(tokens)
        and after.tag == "ns"
        and len(after.text) == 2
        and after.text[0] in SURNAMES
        and after.text[1] not in _OF_PLACES
    )
    plain = tokens[at].text[0] in "家舍" and len(after.text) == 2 and after.tag in ("a", "n", "nr", "nz") and at + 2 < len(tokens)
    return at + 2 if is_name(after) or pet_name or doubled or last or (plain and tokens[at].text in words.KIN) else at + 1


_OF_PLACES = frozenset("州京海城市省县江苏西华山阳门岛德定沙昌原宁")
"""我弟江流 has a name, 我弟江苏 a home."""


def _subject(tokens: Sequence[Token], at: int) -> tuple[Owner, int, str, bool, bool]:
    """(owner, index after the subject, person, tied, owned)."""
    token = tokens[at]
    text = token.text
    if (
        text in words.ME
        or (text in words.WE and at + 1 < len(tokens) and tokens[at + 1].text in ("家", "家里", "公司", "学校", "班", "老师", "老板"))
        or (text in words.WE and at + 1 < len(tokens) and words.POST.fullmatch(tokens[at + 1].text))
    ):
        return _mine(tokens, at)
    for owner, those in ((Owner.WE, words.WE), (Owner.YOU, words.YOU), (Owner.THEY, words.THEY)):
        if text in those:
            return owner, at + 1, "", False, False
    if text.startswith(words.POINTING) and not text.startswith(words.NOT_POINTING):
        return Owner.POINTING, at, "", False, False
    if text in words.KIN | words.LOVE and text not in ("孩子", "宝宝", "对象", "先生", "太太", "家人"):
        end = _after_name(tokens, at)
        end = _relative_of(tokens, end) or end
        return Owner.PERSON, end, "".join(t.text for t in tokens[at:end]), True, False
    if is_name(token):
        return Owner.PERSON, at + 1, text, False, False
    if text in words.PEOPLE and at + 1 < len(tokens) and is_name(tokens[at + 1]):
        return Owner.PERSON, at + 2, text + tokens[at + 1].text, True, False
    if text in words.OWN_THINGS or (text == "家里" and re.match("[还也只]*有", "".join(t.text for t in tokens[at + 1 :]))):
        return Owner.NONE, at, "", False, True
    if token.tag == "t" and at + 1 < len(tokens) and tokens[at + 1].text[0] in "到来过快":  # 夏天到了
        return Owner.THING, at, "", False, False
    if _VP_SUBJECT.match("".join(t.text for t in tokens[at:])) or _topic_before_me(tokens, at):
        return Owner.THING, at, "", False, False
    if (token.tag[0] == "n" and token.tag != "nr" and not _verbal(tokens, at)) or token.tag in ("r", "s", "eng"):
        return Owner.THING, at, "", False, False
    return Owner.NONE, at, "", False, False


_VERBAL_NOUNS = frozenset(
    "毕业 有点 计划 希望 喜欢 准备 学习 工作 打算 考试 感冒 练习 报名 加班 出差 失眠 起床 下班 参加 写诗 画画 写字 做饭 打工 唱歌 跳舞 种地 养花 钓鱼".split()
)


_VP_SUBJECT = re.compile(
    r"^(?!(?:是|想|会|要|能|可以|觉得|认为|希望|最|在|说|喜欢|有|不|没|打算|发现|知道|听说))[^了过我你的]{2,12}(?:是(?!在)|可以|"
    r"能够|有助于|会让|让人|使|意味着|需要|.*过程中|.*的时候)"
)
"""学习新技能可以……: what is done is the subject, not whoever speaks."""
_CARRIES_ME = re.compile(r"[给对跟和让被把向比陪教送带找叫]$")


def _topic_before_me(tokens: Sequence[Token], at: int) -> bool:
    """那些书我很喜欢: the object stands first, so the clause cannot be retold in order."""
    if tokens[at].tag[0] in "vdp" and tokens[at].text not in words.LEAD:
        return False
    for i in range(at + 1, len(tokens) - 1):
        if tokens[i].text in words.ME:
            return tokens[i + 1].text != "的" and not _CARRIES_ME.search(tokens[i - 1].text)
    return False


def _verbal(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].text in _VERBAL_NOUNS


def _relative_of(tokens: Sequence[Token], at: int) -> int:
    """The end of 的哥哥 in 我老婆的哥哥, 0 where none stands there."""
    theirs = at + 1 < len(tokens) and tokens[at].text == "的" and tokens[at + 1].text in words.KIN | words.LOVE | words.PEOPLE
    return _after_name(tokens, at + 1) if theirs else 0


def _mine(tokens: Sequence[Token], at: int) -> tuple[Owner, int, str, bool, bool]:
    """我 alone, 我的生日, 我妹妹小雪, 我家的猫."""
    after = at + 1
    end = after
    while (
        end < len(tokens)
        and end - after < 5
        and (
            tokens[end].text in ("的", "家", "家里", "那", "那个", "那位", "最好", "好", "亲", "大学", "高中", "最", "要好")
            or tokens[end].tag in ("m", "q")
        )
    ):
        end += 1
    if end < len(tokens):
        text = tokens[end].text
        if (
            text.rstrip("们") in words.PEOPLE
            or text in words.KIN
            or text in words.LOVE
            or text.endswith(words.BEASTS)
            or words.POST.fullmatch(text)
        ):
            end = _after_name(tokens, end)
            person = "".join(t.text for t in tokens[after:end]).removeprefix("的")
            if theirs := _relative_of(tokens, end):
                return Owner.PERSON, theirs, person + "".join(t.text for t in tokens[end:theirs]), True, False
            if end < len(tokens) and tokens[end].text == "的":  # 我妹妹的学校: something of hers
                return Owner.PERSON, after, person, True, True
            if end < len(tokens) and tokens[end].text in ("和", "跟", "与") and end + 1 < len(tokens) and tokens[end + 1].text in words.ME:
                return Owner.WE, end, person, True, False
            return Owner.PERSON, end, person, True, False
        if after < len(tokens) and tokens[after].text in ("的", "家", "家里", "公司", "学校", "班"):
            head = after + 1 if tokens[after].text == "的" else after
            return Owner.ME, head, "", False, True
        if tokens[after].text in words.OWN_THINGS:
            return Owner.ME, after, "", False, True
    return Owner.ME, after, "", False, False
