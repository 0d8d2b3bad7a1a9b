"""Whom each clause of a Chinese message is about: dropped subjects and plain pronouns found in what stands before them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.extraction import chinese_answers as answers
from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import SURNAMES, Clause, Owner
from memory.extraction.chinese_people import NOMINAL, People, asked_of, introduced_by, is_bare_name, name_given
from memory.extraction.chinese_slots import SLOTS
from memory.extraction.chinese_telling import DOUBLED
from memory.extraction.draft import Line


@dataclass(frozen=True, slots=True)
class Whose:
    owner: Owner
    label: str = ""
    asked: bool = False
    """Only the question says who it is."""


_OPENERS = re.compile(
    r"^(?:前前后后|前后|一连|连着|从小|打小)*(?:换|梦见|梦到|搬|跟着|去|看|吃|喝|买|做|学|参加|收到|遇到|见|跑|玩|写|下班|上班|起床|开会|加班|回|打|搬|找|考|拿|和|跟|陪|带|养|住|在|喜欢|"
    r"不喜欢|爱|讨厌|想|打算|准备|计划|怕|有点|有些|睡|听|读|失眠|感冒|发烧|辞职|结婚|毕业|到|来|被|把|要去|得去)"
)
_EMBEDS = re.compile(
    r"(?:觉得|认为|相信|建议|推荐|希望|感觉|知道|了解到|发现|记得|想起|看到|听到|看见|听见|瞧见|瞅见|理解|懂)(?!很|非常|特别|有点|有些|自己|我|到)[^，]{2,}"
)
"""Says something of somebody else: what follows without a subject is no longer about the speaker."""
_OF_WHO_ANSWERS = re.compile(r"[你您]|家里|家中|可曾|客官|少侠|姑娘|公子")
_OF_YOU_UNSAID = re.compile(
    r"^(?:那|平时|平常|现在|以前|最近|还)*(?:住(?:在)?哪(?:儿|里|边)?|(?:从|打)哪(?:儿|里)?来的?|来自哪里?|做什么(?:工作|的)|干什么(?:工作|的)|怕什么|(?:喜欢|爱)吃(?:些)?什么"
    r"|对什么过敏)(?:呀|啊|呢|吗)?$"
)
"""住哪儿: asks whoever is talked with, without a 你."""
_HAVE_YOU = re.compile(
    r"^(?:那|现在|家里|还)*(?:有(?:没有)?|养(?:了|过)?)(?:兄弟姐妹|兄弟|姐妹|孩子|小孩|儿子|女儿|宠物|猫|狗)(?:吗|呢|么|没有|没)?$"
)
_I_HAVE = re.compile(r"^(?:还|只|就)?(?:有|养)(?:了|过)?(?:[一两二三四五六七八九十几\d]+|个)")
"""有兄弟姐妹吗, and what answers it; what goes on behind that is of those one has."""
_HAS = re.compile(r"(?:家里?)?(?:还|也|只)?有(?:[个一两二三四五几只条位]|了)")
_FEELING = re.compile(rf"^(?:有点儿?|有些|好|超|特别|非常|很){SLOTS['mood']}了?$")
_IS_THERE = re.compile(r"(?:就|只|还|光|只是)*(?:剩|传来|冒出|飘来|挂着|摆着|堆着|贴着)(?!我)")
"""就剩一个大门垛子了: of what is there, and of nobody."""
_TO_ME = re.compile(
    r"^(?![这那它此该])[^，我你您他她它是有]{2,8}(?:带|教|救|收养|收留|抱|背|拉扯|供|养|送|给|骗|抛弃|拒绝|录取|开除|辞退|诊断|咬|派|调|放)(?:着|了|过)?我(?!的|们|家|说|讲)[^，？?吗呢]{2,}$"
)
"""乳娘柳婆带我逃到江南: what somebody does to the speaker is told of the speaker."""
_BRINGS_IN = re.compile(r"(?:找[着到]|遇[到见上]|碰[到见上]|看[到见]|认识|来|有)[了着过]?一?[个位名](?!人(?:在家|住|过))[^，]{1,12}$")
"""我们找着一个老太太: whose 牙 and 家 follow, if nobody says."""
_DONE = re.compile(r"[了过]|在(?:学|看|读|写|准备|忙|做)|喜欢|讨厌|打算|准备|计划|有点|有些")


def owners_of(clauses: Sequence[Clause], line: Line) -> list[Whose]:
    """Who each clause is about, dropped subjects and plain pronouns found in what stands before them."""
    made: list[Whose] = []
    people = People(line.speaker, frozenset((line.speaker, line.listener, *line.others)))
    asked = answers.last_question(line.question)
    last = Whose(Owner.ME, line.speaker) if asked and (_OF_WHO_ANSWERS.search(asked) or _OF_YOU_UNSAID.match(asked)) else Whose(Owner.NONE)
    if asked and (relative := asked_of(asked, speaker=line.speaker)):
        people.add(relative, relative)
        people.asked = relative
        last = Whose(Owner.NONE)
    have = bool(asked and line.is_player and _HAVE_YOU.match(asked))
    awaits = ""
    """Who was brought in by the clause before, and may be named by this one."""
    previous, before, brought_in = -1, None, -1
    for clause in clauses:
        if not clause.says:
            of_me = clause.tokens[clause.subject].text in words.ME | words.WE
            if clause.owner is Owner.PERSON and clause.tied and (line.is_player or of_me):
                label = _bound(clause.person, line.speaker)
                people.add(label, clause.person)  # 我先生呢？他……
                if of_me and clause.stop in "，,—" and not clause.owned:
                    last, previous, before = Whose(Owner.PERSON, label), clause.sentence, clause  # 我姐，在老家开裁缝铺的
            elif awaits and is_bare_name(clause):
                people.name(awaits, clause.text())
            made.append(Whose(Owner.NONE))
            continue
        follows = clause.sentence == previous
        whose = Whose(clause.owner, line.speaker)
        if clause.owner is Owner.PERSON:
            label = _bound(clause.person, line.speaker) if clause.tied else clause.person
            whose = Whose(Owner.PERSON, label)
            people.add(label, clause.person)
            if not line.is_player and clause.tokens[clause.subject].text not in words.ME | words.WE:
                whose = Whose(Owner.THING)  # whose mother the character means, and whom it praises, stays open
        elif clause.owner is Owner.WE and clause.person:
            whose = Whose(Owner.WE, f"{line.speaker}和{clause.person}")
        elif clause.owner is Owner.THEY:
            pronoun = clause.tokens[clause.subject].text
            label = people.meant(pronoun) if pronoun in ("他", "她") else ""
            whose = Whose(Owner.PERSON, label, asked=_is_of(label, people.asked)) if label else Whose(Owner.THEY)
        elif clause.owner is Owner.NONE:
            whose = _dropped(clause, last, before=before, follows=follows, line=line)
            if have:
                whose = Whose(Owner.ME, line.speaker) if not made and _I_HAVE.match(clause.text()) else Whose(Owner.THING)
            if (clause.owned and brought_in == clause.sentence) or (_IS_THERE.match(clause.text(clause.body)) and not clause.owned):
                whose = Whose(Owner.THING)
            if people.asked and previous == -1 and name_given(clause):
                whose = Whose(Owner.PERSON, people.asked, asked=True)
            elif whose.owner is Owner.NONE and name_given(clause):
                whose = Whose(Owner.THING)  # 嗯，叫豆包，十二岁了: whoever was asked about
        elif (
            clause.owner is Owner.THING and follows and last.owner is Owner.PERSON and NOMINAL.fullmatch(words.TAIL.sub("", clause.text()))
        ):
            whose = last  # 我弟江川，初中二年级
        elif clause.owner is Owner.THING and _TO_ME.match(words.TAIL.sub("", clause.text())):
            whose = Whose(Owner.ME, line.speaker)
        if whose.owner is Owner.PERSON and (name := name_given(clause)):
            people.name(whose.label, name)
        people.mention(clause)
        awaits = ""
        if line.is_player and (relative := introduced_by(clause)):
            awaits = _bound(relative, line.speaker)
            people.add(awaits, relative)
        if clause.owner in (Owner.ME, Owner.WE, Owner.NONE) and _BRINGS_IN.search(clause.text()):
            brought_in = clause.sentence
        made.append(whose)
        last, previous = (whose if whose.owner is not Owner.NONE else last), clause.sentence
        before = clause
        if whose.owner is Owner.ME and _EMBEDS.search(clause.text()):
            last = Whose(Owner.THING)
    return made


def _is_of(label: str, asked: str) -> bool:
    return bool(asked) and label.startswith(asked)


def _bound(person: str, speaker: str) -> str:
    """林小雨的妹妹, but 林小雨家的猫."""
    if speaker.endswith("家"):
        person = re.sub(r"^家里?的?", "", person)
    person = DOUBLED.get(person, person)
    kin = person[:2] if person[0] in "家舍" else person[:1]
    if kin in DOUBLED and len(person) - len(kin) in (2, 3) and (person[len(kin)] in SURNAMES | frozenset("小阿") or len(kin) == 2):
        person = DOUBLED[kin] + person[len(kin) :]
    joins = person.startswith(("最", "家"))
    return f"{speaker}{'' if joins else '的'}{person}"


def _dropped(clause: Clause, last: Whose, *, before: Clause | None, follows: bool, line: Line) -> Whose:
    body = clause.text(clause.body)
    if not line.is_player:
        return last if follows and before is not None and before.owner is Owner.ME and last.owner is Owner.ME else Whose(Owner.NONE)
    if clause.owned:
        return (
            last
            if follows and last.owner is Owner.PERSON
            else Whose(Owner.ME, line.speaker)
            if last.owner is not Owner.YOU
            else Whose(Owner.NONE)
        )
    if follows and last.owner is not Owner.NONE:
        return last
    if last.owner is Owner.ME and (_OPENERS.match(body) or (before is None and _HAS.match(body))):
        return last
    if (
        last.owner in (Owner.NONE, Owner.ME)
        and _FEELING.match(words.TAIL.sub("", body))
        and (line.question == "" or "今天" in clause.text() or body.startswith("有"))
    ):
        return Whose(Owner.ME, line.speaker)
    timed = any(t.when is not None or t.text in ("最近", "刚", "刚刚", "刚才", "从小", "打小") for t in clause.tokens[: clause.body])
    if last.owner in (Owner.NONE, Owner.ME) and _OPENERS.match(body) and (_DONE.search(body) or timed):
        return Whose(Owner.ME, line.speaker)
    return Whose(Owner.NONE)
