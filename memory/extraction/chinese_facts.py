"""Facts of one Chinese message: clauses of a sentence about one subject chained into short statements in third person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.chinese_definites import since
from memory.extraction.chinese_owners import Whose
from memory.extraction.chinese_people import name_given
from memory.extraction.chinese_plans import MEETS, awaits
from memory.extraction.chinese_sentences import Whole, wholes
from memory.extraction.chinese_telling import LONGEST, by_what_one_does, joined, points_at_talk, tell
from memory.extraction.chinese_unsaid import completed
from memory.extraction.chinese_values import carries_on, names_likings, values_of
from memory.extraction.chinese_worth import DONE, dependent, is_local, trust, wants_more, worth
from memory.extraction.draft import DateRange, FactDraft, Line

_ADVICE = re.compile(
    r"^(?:那么?|所以|首先|其次|另外|此外|比如|如|或者|还|也|不妨|我|就|可以|强烈)*"
    r"(?:(?:建议|推荐)(?:你|您)(?:可以|不妨)?|(?<=我)(?:想|强烈)?(?:建议|推荐)|(?:觉得|认为)?(?:你|您)(?:也|还|就|平时|首先|其实)*(?:可以|不妨|最好|应该)(?:先|也|试试|试着)*)"
    r"(?P<x>[^？?]{4,40})$"
)
_GOES = re.compile("[去来](?![了过年])")
"""你可以约上几个好友，去尝试……: what the advice is for."""
_STEP = re.compile("最后|然后|接着|随后|接下来|之后")
_SUPPOSING = re.compile("如果|要是|假如|倘若")
_WHAT_FOR = re.compile(r"为了[^，]{2,12}")
_TOPIC = re.compile(
    r"(?:其实|确实|的确)?(?P<topic>[^，。的了过我你您他她它这那很是]{2,10}?)(?:确实|的确|真的|其实|也|都)*"
    r"(?:是(?:一[种个件项门款场样]|很|非常|十分|比较|最)|(?:能够?|可以)(?:帮助|让|提高|增强|开拓|缓解|使|改善)|是.{0,12}(?:反应|现象|过程|活动|技能|艺术|学科)$)"
)
"""时间管理是一件重要的事: what the advice of the same or the next sentence is about."""
_AT_LARGE = re.compile(r"我们|[你您]的")
_NO_TOPIC = re.compile(
    r"^(?:最|每|并且|而且|所以|因此|但是|不过|然后|今天|天气|现在|重要|关键|问题|建议|生活|大家|人们?|成功|方法|这|那|如果|例如|比如|其次|首先|最后|另外)|[吗呢吧]$"
)
_WITHOUT_TOPIC = re.compile(
    r"相应|^从.+(?:出发|开始|入手)$|^(?:去)?选择?(?:其中)?一[部本个款首种家场](?:来?[看试读听玩去]{1,2})?$|^(?:多)?进行(?:实践|练习)$"
    r"|(?:寻找|搜索|查找|参考|找|看)一?些?(?:网络|线上|在线|网上)?的?(?:教程|视频|课程|资料|信息|资源)"
)
"""选择相应的领域学习: understood with a topic alone."""
_NO_ADVICE = re.compile(
    r"[我你您他她它这那]|告诉|随时|放心|相信|做到|说说|分享|聊|选择的$|得很|自己的(?:想法|选择|决定)|^(?:通过|根据|利用|借助|运用)[^来选进以]*$|^首先|^.{0,2}[今明后]天.{0,2}$|[中时]$|^(?:考虑)?(?:尝试|试).?一下|"
    r"^(?:去)?(?:尝试|试试|采[取用]|运用|使用|寻?找|考虑|选择)?(?:一些|几种|各种|不同|任何|一[种个])?的?(?:其他|别的|合适|适合|舒适|有效|简单)?的?(?:方法|方式|办法|技巧|姿势|措施|策略)$|"
    r"^根据自己的.*(?:选择|安排|决定|调整)$|^(?:尝试|试试|去)?(?:寻?找|分析|弄清)(?:一些|其中)?(?:实用|有效|合适)?的?(?:原因|解决方案|解决办法|办法)$|"
    r"^(?:去)?(?:尝试|试试|了解|看看|考虑|选择)?一下|什么|怎么|哪|如何|吗"
)


@dataclass
class _Telling:
    """A fact under way."""

    whose: Whose
    sentence: int
    pieces: list[str]
    start: int
    end: int
    event: DateRange | None = None
    trust: float = 1.0
    listing: bool = False
    """Its last clause names likings, so bare nouns after it go on with them: 喜欢唱歌，健身，旅游."""
    trailing: bool = False
    """Its last clause hangs on a noun before it (比如……), so a dropped subject after that is anybody's."""
    advice: bool = False
    since: int = -1
    """Where what it is about was said before it."""
    asked: bool = False
    """What it is about stands in the question."""
    open: bool = True
    """Nothing has come between it and the clause that is looked at."""

    def takes(self, piece: str, event: DateRange | None) -> bool:
        """Whether a further clause fits into it."""
        return bool(piece) and (event is None or self.event in (None, event)) and len(joined([*self.pieces, piece])) <= LONGEST

    def add(self, piece: str, clause: Clause, event: DateRange | None = None) -> None:
        self.pieces.append(piece)
        self.end = clause.end
        self.event = self.event or event
        self.trust = min(self.trust, trust(clause))


def facts_of(clauses: Sequence[Clause], why: Sequence[str], owners: Sequence[Whose], speech: str, line: Line) -> list[FactDraft]:
    """What the clauses tell. why, owners: for each clause its refusal and whom it is about; speech: the simplified text they stand in."""
    made: list[_Telling] = []
    dropped_in = -1
    """The last sentence of which a clause was not told."""
    whole = {at: run for run in wholes(clauses, why, owners, line) for at in range(run.first, run.last + 1)}
    for at, (clause, refusal, whose) in enumerate(zip(clauses, why, owners, strict=True)):
        if at in whole:
            if at == whole[at].first:
                made.append(_of_sentence(whole[at], clauses, line))
            continue
        current = made[-1] if made and made[-1].open and made[-1].sentence == clause.sentence else None
        if made and made[-1].advice and made[-1].end == clauses[at - 1].end and refusal in ("", "order") and _GOES.match(clause.text()):
            if made[-1].takes(piece := words.TAIL.sub("", line.text[clause.start : clause.end]), None) and not points_at_talk(piece, line):
                made[-1].add(piece, clause)
            continue
        special = _going_by(clause, speech, line) if not refusal else ""
        advice, start, asked = ("", -1, False) if special else _advice(clauses, why, at, line)
        if special or advice:
            mine = Whose(Owner.ME, line.speaker)
            made.append(
                _Telling(
                    mine,
                    clause.sentence,
                    [special or advice],
                    clause.start,
                    clause.end,
                    event_of(clause),
                    open=False,
                    advice=bool(advice),
                    since=start,
                    asked=asked,
                )
            )
            continue
        if not refusal and current is not None and current.listing and carries_on(clause):
            current.add(words.TAIL.sub("", line.text[clause.start : clause.end]), clause)
            continue
        valued = not refusal and bool(values_of(clause, speech, said_at=line.said_at))
        hangs = clause.owner is Owner.NONE and dropped_in == clause.sentence and current is None and not DONE.search(clause.text())
        told = (
            not refusal
            and _tellable(clause, whose)
            and not hangs
            and not (at and awaits(clauses[at - 1].text()) and clauses[at - 1].sentence == clause.sentence)
            and (valued or worth(clause, whose.owner))
            and not (wants_more(clause) and (current is None or current.whose != whose))
        )
        if not told or not _draft(made, current, clause, whose, line):
            if made:
                made[-1].open = False
            if refusal != "empty":
                dropped_in = clause.sentence
    told_all = [
        FactDraft(_told(t, line), t.whose.label, _quote(t, clauses, line), t.event, t.trust, t.asked or t.whose.asked) for t in made
    ]
    whole_ones = [replace(fact, text=by_what_one_does(completed(fact.text, line.speaker), fact.subject)) for fact in told_all]
    return [fact for fact in whole_ones if fact.text and not _ITSELF.fullmatch(fact.text)]


def _quote(telling: _Telling, clauses: Sequence[Clause], line: Line) -> str:
    """The words it rests on, with those before them that say what it means or is about."""
    start = min(since(c.tokens, c.start) for c in clauses if c.start >= telling.start and c.end <= telling.end)
    return line.text[start if telling.since < 0 else min(start, telling.since) : telling.end].strip()


_ITSELF = re.compile(r"(?:[^，。]{1,2}，)?(.+)是\1。?")
"""对，我是林岚, on the telephone: a name is kept as a value, and a fact it is not."""


def _told(telling: _Telling, line: Line) -> str:
    """Without the name where that is what the speaker goes by already: 林小雨是林小雨，布店的伙计 tells what else they are."""
    text = joined(telling.pieces)
    own = re.match(
        rf"{re.escape(line.speaker)}(?:的?(?:名字)?(?:叫|是|叫做|名叫))?{re.escape(line.speaker)}，(?:{re.escape(line.speaker)})?(?P<rest>.{{3,}})",
        text,
    )
    if own is None:
        return text
    what = own["rest"]
    first = words.tokens_of(re.split("[，。]", what)[0])
    named = first[0].tag[0] not in "dp" and (first[-1].tag[0] == "n" if len(first) == 1 else first[-2].text == "的")
    return line.speaker + ("是" if named else "") + what


def _of_sentence(run: Whole, clauses: Sequence[Clause], line: Line) -> _Telling:
    inside = clauses[run.first : run.last + 1]
    days = list(dict.fromkeys(day for day in map(event_of, inside) if day is not None))
    return _Telling(
        Whose(Owner.ME, line.speaker),
        inside[0].sentence,
        [run.text],
        inside[0].start,
        inside[-1].end,
        days[0] if len(days) == 1 else None,
        min(map(trust, inside)),
        open=False,
    )


def _draft(made: list[_Telling], current: _Telling | None, clause: Clause, whose: Whose, line: Line) -> bool:
    """Tell one clause, in the fact under way where it goes on with that; False if it cannot be told."""
    follows = current is not None and current.whose == whose and clause.owner in (Owner.NONE, whose.owner)
    points = dependent(clause) and not (whose.asked and name_given(clause))
    event = event_of(clause)
    if points and not follows:
        return False
    if (
        follows
        and current is not None
        and is_local(clause.tokens)
        and is_local([*words.tokens_of("".join(current.pieces)), *clause.tokens])
    ):
        return False
    if follows and current is not None and (clause.owner is Owner.NONE or points):
        piece = tell(clause, line, owner=whose.owner, label=whose.label, opening=False)
        if current.takes(piece, event):
            current.add(piece, clause, event)
            current.trailing = points
            return True
    if points or (current is not None and current.trailing and clause.owner is Owner.NONE):
        return False
    alone = tell(clause, line, owner=whose.owner, label=whose.label, opening=True)
    if not alone or len(alone) > 2 * LONGEST or _says_own_name(alone, line):
        return False
    if event is None and follows and current is not None and DONE.search(clause.text()):
        event = current.event
    made.append(_Telling(whose, clause.sentence, [alone], clause.start, clause.end, event, trust(clause), listing=names_likings(clause)))
    return True


_TOGETHER = re.compile("在一起")
"""With whom is what it would have to say."""
_OURS = re.compile(r"(?:还|也|家里?)*(?:有|养)(?:了|着)?(?:[一两二三四五六七八九十几]|个)")


def _tellable(clause: Clause, whose: Whose) -> bool:
    """我们 is told of what was done, not of what all of us should do."""
    if whose.owner is Owner.ME and not clause.companions and _TOGETHER.match(clause.text(clause.body)):
        return False
    if whose.owner is Owner.WE and not clause.person and _TOGETHER.match(clause.text(clause.body)):
        return False
    if whose.owner is Owner.WE and not clause.person and _OURS.match(clause.text(clause.body)):
        return True
    if whose.owner is Owner.WE and not clause.person:
        body = clause.text(clause.body)
        return bool(DONE.search(body) or MEETS.match(body)) and not re.search(r"应该|可以|都|需要|必须", body)
    return whose.owner in (Owner.ME, Owner.PERSON, Owner.WE)


def _advice(clauses: Sequence[Clause], why: Sequence[str], at: int, line: Line) -> tuple[str, int, bool]:
    """What the speaker recommends to the listener, with what it is for where that stands before it; where that begins, -1 if nowhere; and whether the question
    says it. That it was recommended is a fact."""
    clause, nothing = clauses[at], ("", -1, False)
    if not line.listener or why[at] not in ("", "order") or "？" in clause.stop or "?" in clause.stop:
        return nothing
    found = _ADVICE.match(words.TAIL.sub("", clause.text()))
    if found is None or _NO_ADVICE.search(found.group("x")) or dependent(clause):
        return nothing
    what = found.group("x")
    if _STEP.match(clauses[_sentence_begins(clauses, at)].text()) and any(_SUPPOSING.match(c.text()) for c in clauses[:at]):
        return nothing  # a step of what is done if one wants something: without that it would be advice for everyone
    if re.match(r"《|[一几两][些本部个首款家种]", what):
        return (f"{line.speaker}向{line.listener}推荐{what}", -1, False) if "推荐" in clause.text() else nothing
    about, start = _about(clauses, at, line)
    asked = "" if about or not _WITHOUT_TOPIC.search(what) else _asked_about(line.question)
    if not (about or asked) and _WITHOUT_TOPIC.search(what):
        return nothing
    return f"{about or asked}{line.speaker}建议{line.listener}{what}", start, bool(asked)


_BUSY_WITH = re.compile(
    r"(?:在|想|准备|打算|考虑)(?P<x>(?:学习?|练习?|找|换|写|做|买|选)[^，。？！?!、的吗呢了我你您他她它这那]{2,10})(?=[，。？！?!])"
)


def _asked_about(question: str) -> str:
    """What a question is about, to begin advice with: 最近我在学做面食，总是做不好; nothing where that could be two things."""
    found = {m["x"] for m in _BUSY_WITH.finditer(question)}
    return f"关于{found.pop()}，" if len(found) == 1 else ""


def _sentence_begins(clauses: Sequence[Clause], at: int) -> int:
    return next(i for i, c in enumerate(clauses) if c.sentence == clauses[at].sentence)


def _about(clauses: Sequence[Clause], at: int, line: Line) -> tuple[str, int]:
    """What advice is for, from before it in its sentence (为了早起，你可以……), or what it is about, from that sentence or the one before; and where it begins."""
    clause, before = clauses[at], clauses[at - 1] if at else None
    of_more = {t.text for c in clauses[:at] if c.sentence == clause.sentence for t in c.tokens} | {t.text for t in clause.tokens[:3]}
    if before is None or not of_more.isdisjoint(("另外", "此外", "除此之外", "除此以外", "还")):
        return "", -1
    if before.sentence == clause.sentence and _WHAT_FOR.fullmatch(before.text()) and not points_at_talk(before.text(), line):
        return f"{line.text[before.start : before.end].replace('自己', line.listener)}，", before.start
    for earlier in reversed([c for c in clauses[:at] if clause.sentence - 1 <= c.sentence]):
        found = _TOPIC.match(earlier.text())
        if found is None or _NO_TOPIC.search(found["topic"]) or earlier.tokens[0].tag[0] in "crdp" or "？" in earlier.stop:
            continue
        if not points_at_talk(_AT_LARGE.sub("", earlier.text()), line):
            start, end = earlier.start + found.start("topic"), earlier.start + found.end("topic")
            return f"关于{line.text[start:end]}，", start
    return "", -1


def _going_by(clause: Clause, speech: str, line: Line) -> str:
    """叫我小雨就行, 大家都叫我阿林: what the speaker goes by."""
    found = next((v for key, v in values_of(clause, speech, said_at=line.said_at) if key == "nickname"), "")
    return f"{line.speaker}的昵称是{found}" if found and "叫我" in clause.text() else ""


def event_of(clause: Clause) -> DateRange | None:
    """When it happens; a birthday comes every year."""
    return None if "生日是" in clause.text() else next((t.when for t in clause.tokens if t.when is not None), None)


def _says_own_name(told: str, line: Line) -> bool:
    """The name by which the fact calls its subject is no news in it."""
    return bool(re.fullmatch(rf"{re.escape(line.speaker)}的?(?:名字)?(?:叫|是|叫做){re.escape(line.speaker)}", told))
