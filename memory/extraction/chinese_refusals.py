"""Why a Chinese clause may not be taken for a fact: questions, conditions, hearsay, wishes, orders and the small change of talk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner


@dataclass(frozen=True)
class Refusal:
    """Why a clause is no fact."""

    name: str
    marks: re.Pattern[str]
    reach: str
    """`clause`: it alone; `rest`: it and what follows in its sentence; `order`: it alone, if nobody is named as its subject;
    `resolve`: it and what follows in its sentence, if no day is named."""


REFUSALS = (
    Refusal(
        "talk",
        re.compile(
            r"(?:和|跟|与|向|给|找|同)(?:你|您).{0,6}(?:聊|说|分享|谈|交流|讨论|倾诉|请教|交互|见|探讨|讲|沟通|推荐|提|听|道)|聊聊|"
            r"聊天结束|的聊天|聊点|聊些|的谈话|听听你|你聊|你说|你的(?:建议|推荐|分享|心情|感受|感觉|失落|难过|担心|陪伴|意见|话|"
            r"帮助|问题|支持|想法|看法)"
        ),
        "clause",
    ),
    Refusal(
        "run together",
        re.compile(
            r"^(?=[^，“”《》]{20,}$)(?:.*[^儿友][了的啦]我(?!的|们的|家)|(?>[^了的啦]*[了的啦].{6,}?[了的啦]).{6,}[了的啦]$)|^[^，]{1,6}是我?[^，]{1,6}的[^，]{1,4}是我的|^[\u4e00-\u9fff\d]{28,}$"
        ),
        "clause",
    ),
    Refusal("recipe", re.compile(r"^(?:先|再|然后|接着|最后)(?:将|把|用)|(?:^|我)先(?:将|把)|^(?:将|把)(?!.*了)"), "clause"),
    Refusal("belief about what comes", re.compile(r"^(?:我)?(?:真的|也|就|都)?(?:相信|希望|猜|想|觉得|保证|敢说)$"), "rest"),
    Refusal(
        "fragment",
        re.compile(
            r"(?:^|我|^当)(?:在|当|每当|随着|除了|通过|经过|对于|关于|作为|比起|为了).*(?:过程中|时候?|之后|之前|以后|后|之余|期间|"
            r"当中|中|时|上|下|以外|之外|而言|来说|看来|方面)$|^(?:对|在)?(?:我|你)?(?:来说|而言|看来)$|^(?:作为|除了|关于|对于|随着|通过)|^.{3,}(?:以后|之后)$"
        ),
        "clause",
    ),
    Refusal(
        "condition",
        re.compile(
            r"如果|要是|假如|假设|倘若|万一|除非|的话$|就好了$|早知道|要不是|想象|恨不得|巴不得|若是|^若|哪怕|即使|就算|多希望|"
            r"真希望|只要|一旦|假使|本来应该|^我?差点"
        ),
        "rest",
    ),
    Refusal(
        "hearsay",
        re.compile(r"听说|听(?:我|他|她|别|有)[^，]{0,4}[讲说]|据说|据报道|人家说|有人说|网上说|书上说|传说|俗话说|常言|古人"),
        "rest",
    ),
    Refusal("reported", re.compile(r"(?<![我来句话])(?:说|告诉|认为|觉得|问|骂|夸|嫌|提醒|表扬|批评)(?:过|了)?(?:我|自己)"), "rest"),
    Refusal(
        "question",
        re.compile(
            r"吗$|什么(?!的$|都|也)|(?<!不)怎么(?!都|也)|怎样|为何|为啥|咋|哪(?!怕)|多少|多大|多久|多长|多远|几[岁个点号天次]$|"
            r"谁(?!都|也|.*都)|(?<!没)啥(?!都|也|的)|(?<![时动对])(?P<a>[\u4e00-\u9fff])不(?P=a)(?!容易|要|了)|是否|是不是|有没有|能不能|要不要|好不好|会不会|可不可以|对不对|行不行|想不想|喜不喜欢|^何|如何"
        ),
        "clause",
    ),
    Refusal(
        "wish",
        re.compile(r"^(?:祝|愿|祝福|祝愿|但愿)|希望(?:你|您|大家|世界|我们|能帮|这)|一路顺风|加油|保重|晚安|早安|再见|拜拜|明天见|回头见"),
        "clause",
    ),
    Refusal("thanks", re.compile(r"谢谢|感谢|多谢|辛苦你|麻烦你|拜托|对不起|抱歉|不好意思|不客气|没关系|没问题|打扰|久等|原谅"), "clause"),
    Refusal(
        "exaggeration",
        re.compile(
            r"(?:饿|累|困|笑|气|冻|热|烦|吓|渴|疼|美|急|羡慕|想|开心|高兴|无聊|尴尬|难受|爱)死|死了$|要疯|疯了|一万|一百遍|爆炸|天都|崩溃|上天了|炸了"
        ),
        "clause",
    ),
    Refusal(
        "order",
        re.compile(
            r"^(?:请|先?别|不要|让我们|让我|帮我|给我|告诉我|来吧|一起来|快(?=[去来点说告看跑走吃])|记得|注意|试试|试着|尝试|可以|不妨|建议|最好|应该|要|多|"
            r"(?:再|先)?[来上](?:一|两|几)?[碗杯壶份盘斤瓶]|.{1,3}给我(?:听|看|说|讲)|保持|坚持|继续|相信|加油|放心|等等|等我(?:$|一?下|一?会|回|来|呀|啊)|等一下|听我|看我|你看|你说|别忘|千万)"
        ),
        "order",
    ),
    Refusal(
        "outcry",
        re.compile(
            r"^(?:我|真的?|这下|啊)*(?:惨|完|糟|糟糕|绝|救命|服|醉|无语|笑死|吓死|气死|急死|完蛋|坏|要命|天哪|天啊|好险|哭死|酸|破防|社死|没救)(?:我|啦|了)*$"
            r"|^(?:那)?我(?:不活|不玩|要(?:疯|哭|死|晕|吐|裂|报警|投诉|退(?![学休役租伍票货房婚])))[^，]{0,2}了?$|^几点了?$"
            r"|^(?:啊|哎|唉|快|求)*别(?:再)?(?:提|说|问|笑|骂)(?:我|它|他|她|这个|那个)?了?$|^(?P<c>[\u4e00-\u9fff]{1,2}[到了见])了?(?P=c)了?$|^(?:那|这)?(?:就)?没事(?:了|啦)?$"
        ),
        "clause",
    ),
    Refusal(
        "leaving",
        re.compile(r"^(?:那|好|行|哎)*我?(?:先|就先|得|该)(?:去)?(?:走|撤|溜|闪|下|睡|忙|挂|洗澡|吃饭)(?:一步|一会儿?)?(?:了|啦)?$"),
        "clause",
    ),
    Refusal(
        "of the talk",
        re.compile(r"^(?:对|那)?我?(?:刚|刚才|刚刚|方才|前面|上面|之前)我?说(?:的|了|过)?(?:[^，]*来着|[^，]{0,4}\d[^，]*)$"),
        "rest",
    ),
    Refusal("giving in", re.compile(r"还不[行成](?:吗|嘛|么)?$|^(?:这|那)?(?:总|就)?[行成]了吧$|不就[行好得成]了"), "clause"),
    Refusal("declining", re.compile(r"^.{0,4}(?:不必|不用|免)了$|^算了"), "clause"),
    Refusal(
        "courtesy",
        re.compile(r"^(?:我|也|很|非常|真的?|十分|太|好|感到)*(?:高兴|开心|荣幸|欣慰|乐意)(?:我)?(?:能够?|可以|有机会)[^，]*[你您]"),
        "clause",
    ),
    Refusal(
        "parting",
        re.compile(
            r"^(?=.*(?:现在|必须|得|该|不得不|需要))(?:好了?|那|现在|我|得|必须|要|需要|该|先|就|不得不|可能|也)*"
            r"(?:离开|走|下线|去(?:准备|处理|忙|做|吃|睡|上|洗).{0,8})了$"
        ),
        "rest",
    ),
    Refusal(
        "resolution",
        re.compile(
            r"^(?:那|所以|以后|今后|我|一定|也|都|肯定|就)*(?:(?:会|将会?)再?(?:努力|尽力|尽量|尽情|认真|好好|多|积极|考虑|尝试|试着|保持|注意|珍惜)|要再?(?:好好|认真|注意|珍惜))"
            r"(?!.*(?:《|妈|爸|孩子|爷|奶|老[公婆]|朋友))|^(?:我)?(?:也|还)?可以再?(?:试试?|尝试|考虑)"
        ),
        "resolve",
    ),
    Refusal("present place", re.compile(r"^(?:但|但是|可是|不过)?我?(?:现在|此刻)(?:正)?在[^，]*(?:里面?|中|外面?|上)$"), "rest"),
    Refusal("no plan", re.compile(r"^(?:我|但|不过|还|都|也|暂时|目前)*没有?(?:什么)?(?:具体)?的?(?:计划|打算)$"), "rest"),
    Refusal("cause of what was said", re.compile(r"^[^我]*(?:导致|造成|引起)的$"), "order"),
    Refusal("sympathy", re.compile(r"(?:相信|理解|懂|明白|支持|为|替|羡慕|佩服|听到|看到|知道)(?:你|您)"), "clause"),
    Refusal("greeting", re.compile(r"^(?:你好|您好|嗨|早上好|晚上好|下午好|中午好|大家好|好久不见|很?高兴认识|幸会|初次见面)"), "clause"),
    Refusal(
        "agreement",
        re.compile(
            r"^(?:能|行|会|可以|成|中|要|想|有|不|不嫌|没)(?:的|啊|呀|吧|呢|哦)?$|^(?:听起来|看起来|看来|听上去|确实|没错|有道理|说得对|同意|真不错|太棒|真棒|太好了|好主意|恭喜|原来如此|不错|当然)"
            r"|^(?:那|嗯|啊|哦|好)*(?:错了?|不对|早好[了啦]|记住了?|记下了?|知道了?|差不多|(?:说|讲)好了?|说定了?|一言为定|无妨|不碍事|没事(?:的|儿)?|正是|甚好|可不是?|是真的|真的|收到|放心|随你|也是|成交|遵命|得令"
            r"|好嘞|不是|才不是|可不是嘛?|就是嘛?|真的想了很久了?|在吗(?:在吗)*|在的(?:在的)*|对(?:对)+|哈+|传得不对|第[一二三四五六七八九十]+个了?)$"
        ),
        "clause",
    ),
    Refusal(
        "half said",
        re.compile(
            r"^[\u4e00-\u9fff]{1,2}[上里]$|^我(?!.*[是这那])[^，]{0,12}(?:放|买|送|留|捡|借|(?<!出)租|(?<!画)画|织|缝|修|寄|挑|[送交留传寄借]给[我他她][自己]*)的$|^我?(?:一直|还|都|也)*以为是"
            r"|^名字[^我]*没(?:有)?(?:想好|取好?|起好?|定)$|^(?:我|也|还|都)*(?:也|还)有$|^我?(?:这么|那么)个|^[一两二三四五六七八九十几半\d]+(?:大|小)?[筐个只条件把张本份袋箱盒瓶杯碗斤块间位]$"
            r"|^[^是，]{1,4}的(?P<b>[\u4e00-\u9fff])(?<=(?P=b)的(?P=b))$"
        ),
        "clause",
    ),
)


NAMED_BY = re.compile(r"[叫喊称]我|是我的?.{0,3}(?:朋友|闺蜜|哥们|兄弟|同事|同学|室友)$")
"""Says something of the speaker whoever its subject is: 大家都叫我阿林, 小明是我最好的朋友."""


_SPOKEN_OF = re.compile(r"“[^“”]*”")
"""Words between quotation marks are nobody's question, order or wish here."""
_INDIRECT = re.compile(r"(?:看|怕|查|漏|记|忘|知道)[^，]{0,8}哪[一家个首本里]?(?!.*[吗呢])|哪.{0,3}(?:都|也)")
"""看对面楼哪家还亮着灯, 住哪儿都行."""
_ASKED_ME = re.compile(r"问我(?:$|我)")
"""谁问我我都说没事: what was asked is not told."""


def _whoever(clauses: Sequence[Clause], i: int) -> bool:
    """谁跟谁闹别扭，最后都是我劝好的: whoever it is."""
    return any(re.search("都|也", clauses[j].text()) and not re.search("[?？]", clauses[j].stop) for j in _rest(clauses, i))


def _goes_on(clauses: Sequence[Clause], i: int) -> bool:
    """Whether the clause before is the speaker's own in the same sentence: 我赶紧拦了，说我不好这个."""
    return clauses[i - 1].sentence == clauses[i].sentence and clauses[i - 1].owner is Owner.ME and not clauses[i - 1].owned


def refused(clauses: Sequence[Clause]) -> list[str]:
    """For each clause the name of what forbids taking it for a fact, or nothing."""
    why = ["empty" if not clause.says else "" for clause in clauses]
    for i, clause in enumerate(clauses):
        text = words.TAIL.sub("", _SPOKEN_OF.sub("“”", clause.text()))
        bare = words.TAIL.sub("", _SPOKEN_OF.sub("“”", clause.text(clause.subject)))
        asks = "？" in clause.stop or "?" in clause.stop
        for refusal in REFUSALS:
            if not (refusal.marks.search(text) or refusal.marks.search(bare)):
                continue
            if refusal.name == "sympathy" and clause.owner is Owner.ME and any(t.when for t in clause.tokens):
                continue
            if refusal.name == "question" and not asks and (_INDIRECT.search(text) or ("谁" in text and _whoever(clauses, i))):
                continue
            if refusal.name == "reported" and (_ASKED_ME.search(text) or (i and text.startswith("说") and _goes_on(clauses, i))):
                continue
            if refusal.reach == "order" and (
                (clause.owner not in (Owner.NONE, Owner.WE) and not bare.startswith(("别", "先别")))
                or any(t.when for t in clause.tokens)
                or NAMED_BY.search(text)
            ):
                continue
            if refusal.reach == "resolve" and (clause.owner not in (Owner.ME, Owner.NONE) or any(t.when for t in clause.tokens)):
                continue
            why[i] = why[i] or refusal.name
            if refusal.reach in ("rest", "resolve"):
                for j in _rest(clauses, i):
                    if refusal.name in ("reported", "of the talk") and clauses[j].text().startswith(_IN_TRUTH):
                        break
                    why[j] = why[j] or refusal.name
            break
        if asks and not why[i]:
            why[i] = "question"
        if clause.stop == "—" and _BROKEN_OFF.search(text):
            why[i] = why[i] or "broken off"
        for j in _quoted(clauses, i):
            why[j] = why[j] or "quoted"
    for i, clause in enumerate(clauses):
        if why[i] == "question" and i and clauses[i - 1].sentence == clause.sentence and not why[i - 1]:
            tag = re.fullmatch(
                r"(?:对|是|行|好|可以|怎么样|如何|是这样|不是|你说|你觉得)(?:不对|不是|不行|不好)?(?:吗|吧|呢)?", clause.text()
            )
            if tag:
                why[i - 1] = "question"
        if why[i] == "condition":
            for j in range(i - 1, -1, -1):
                if clauses[j].sentence != clause.sentence:
                    break
                if re.search(r"会|想|要|能|可以|希望", clauses[j].text()) and not re.search(r"[了过]", clauses[j].text()):
                    why[j] = why[j] or "condition"
    return why


_IN_TRUTH = ("其实", "但其实", "实际上", "事实上")
"""我之前说我27，其实我29了: it is so."""
_BROKEN_OFF = re.compile(r"(?:没|是|就|在|要|会|想|把|被|因为|给|跟|和|的)$")
"""我真是没——: cut off before it said anything."""
_KIN = "|".join(sorted(words.KIN | words.LOVE, key=len, reverse=True))
_SAYS = re.compile(rf"(?:说|写|喊|嚷|问|答|念叨)(?:了|着|道|过)?$|说(?:{_KIN})(?:啊|呀)?$")
_SAYS_TO = re.compile(rf"^我(?:(?:跟|对|和)[^，]{{1,6}})?说(?:{_KIN}|[\u4e00-\u9fff]{{2,3}})$|^我(?:跟|对|和)[^，]{{1,6}}说$")


def _quoted(clauses: Sequence[Clause], i: int) -> Iterator[int]:
    """What somebody else said in their own words, behind 主任说 and 作文里写: 我 is then not the speaker; and what the speaker said to somebody else, behind
    我说爸: 你 is then not the listener."""
    clause = clauses[i]
    text = words.TAIL.sub("", clause.text())
    theirs = clause.owner in (Owner.THEY, Owner.PERSON, Owner.THING) or (
        clause.owner is Owner.NONE and i > 0 and clauses[i - 1].sentence == clause.sentence and _is_anothers(clauses, i - 1)
    )
    theirs = theirs or (clause.owner is Owner.NONE and len(clause.tokens) > 1 and clause.tokens[0].tag in ("b", "n", "nr"))
    if theirs and _SAYS.search(text) and "我说" not in text and not text.startswith(("我说", "咱")) and any(_rest(clauses, i)):
        said = [j for j in _rest(clauses, i) if clauses[j].owner is not Owner.THEY]
        yield from (i, *said) if any(t.text in words.ME | words.YOU for j in said for t in clauses[j].tokens) else ()
    elif clause.owner is Owner.ME and _SAYS_TO.match(text):
        yield from (
            j for j in _rest(clauses, i) if any(t.text in words.YOU for t in clauses[j].tokens) or clauses[j].tokens[0].text in words.KIN
        )


def _is_anothers(clauses: Sequence[Clause], i: int) -> bool:
    """Whether the nearest subject at or before a clause of its sentence is somebody else's."""
    for j in range(i, -1, -1):
        if clauses[j].sentence != clauses[i].sentence:
            return False
        if clauses[j].owner is not Owner.NONE:
            return clauses[j].owner in (Owner.THEY, Owner.PERSON)
    return False


def _rest(clauses: Sequence[Clause], i: int) -> Iterator[int]:
    for j in range(i + 1, len(clauses)):
        if clauses[j].sentence != clauses[i].sentence:
            return
        yield j
