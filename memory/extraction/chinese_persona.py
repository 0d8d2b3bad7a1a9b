"""Persona values of one Chinese message: what its clauses say of the player, and family, friends and pets named in passing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import SURNAMES, Clause, Owner
from memory.extraction.chinese_owners import Whose
from memory.extraction.chinese_people import name_given, names_by_label
from memory.extraction.chinese_refusals import NAMED_BY
from memory.extraction.chinese_slots import SLOTS
from memory.extraction.chinese_telling import DOUBLED
from memory.extraction.chinese_values import carries_on, names_likings, split, values_of
from memory.extraction.draft import Line, ValueDraft

_KIN = "|".join(sorted(words.KIN - {"孩子", "宝宝", "家人", "双胞胎"}, key=len, reverse=True))
_LOVE = "|".join(sorted(words.LOVE, key=len, reverse=True))
_NAMED = r"(?:(?:叫|名叫)(?![我你您他她])[\u4e00-\u9fff]{2,3}(?=$|[，。！\s]))?"
_SURELY_NAMED = (
    rf"(?:(?:叫|名叫)(?:[{''.join(sorted(SURNAMES))}][\u4e00-\u9fff]{{1,2}}|[小阿](?![孩心声费菜车区时])[\u4e00-\u9fff]"
    r"|(?![爸妈爹娘哥姐弟妹爷奶叔公婆宝看听说])(?P<one>[\u4e00-\u9fff])(?P=one))(?<!车)(?=$|[，。！\s]))?"
)
"""Behind a relative at the beginning of a clause, where 叫 may be what they do: 妈妈叫吃饭了."""
_RELATIVES = (
    ("family", re.compile(rf"(?:我家?|我们)的?亲?(?P<x>(?:{_KIN}){_NAMED})(?!的?[男女]?朋友)")),
    ("partner", re.compile(rf"我的?(?P<x>(?:{_LOVE}){_NAMED})")),
    ("family", re.compile(rf"(?:^|[和跟陪带给])(?!小姑娘|姑娘|大爷|大娘)(?P<x>(?:{_KIN}){_SURELY_NAMED})")),
    ("family", re.compile(rf"有(?:[一两二三四五六几]?[个位对])?(?P<x>(?:亲|双胞胎|龙凤胎)?(?:{_KIN}){_NAMED})")),
    (
        "partner",
        re.compile(
            rf"(?:^|[和跟陪带给])(?P<x>(?:{'|'.join(sorted(words.LOVE - {'对象', '先生', '太太'}, key=len, reverse=True))}){_SURELY_NAMED})"
        ),
    ),
    (
        "pets",
        re.compile(
            r"我(?:家|养)?的?(?:那?[只条])?(?P<x>(?:猫咪?|狗狗?|兔子|仓鼠|鹦鹉|乌龟|金毛|柯基|哈士奇|小猫|小狗)(?:叫[\u4e00-\u9fff]{2,3}(?=$|[，。！\s]))?)(?!粮)"
        ),
    ),
    ("friends", re.compile(r"我的?(?P<x>(?:最好的|好)?(?:朋友|闺蜜|哥们|同事|室友|同学|邻居)(?:叫)?(?:[小阿老][\u4e00-\u9fff]))")),
)


_INTRODUCES = re.compile(
    rf"(?:有|养|认识|捡|收养|领养)[了着过]?一?[个只条位名匹头][^，。]{{0,10}}?(?:{'|'.join(sorted(words.KIN | words.LOVE, key=len, reverse=True))}|"
    rf"朋友|闺蜜|同事|同学|室友|邻居|{SLOTS['beast']})|我[^，。]{{0,8}}[里中]的[^，。]{{1,8}}(?:是|叫)"
)
"""我有个女儿叫朵朵, 我小说里的主角是个孤儿: what follows without a subject may be hers as well, so no value is taken from it."""
_CALLED = re.compile(r"[，,]\s*(?:名字?)?叫[\u4e00-\u9fff]{2,3}(?=[，。,！!？?\s]|$)")
_INSIDE = re.compile(r"(?:喜欢|爱)(?:里面|其中|那里|那儿)的")
"""Of what was said before."""
_IS_MY_LOVE = re.compile(rf"(?:也|就)?是我的?(?:现在的)?(?:{_LOVE})")
_NAME = re.compile(rf"[{''.join(sorted(SURNAMES))}][\u4e00-\u9fff]{{1,2}}")
"""程望，就是我对象."""
_BY_NOW = re.compile(r"[^，]{1,5}?我(?:也|倒|可|就)*(?:现在|如今|最近|已经|开始|变得)[^，]{0,3}(?:爱|喜欢)")
"""香菜我现在爱吃了: the speaker stands behind what it is about."""
_OTHERS = (Owner.PERSON, Owner.THEY, Owner.THING)
_LIVES = re.compile(r"(?:居住|住)(?:在|到|一起|$)")
_ASKED_KIN = re.compile(rf"[你您](?:家)?的?(?P<x>{_KIN}|{_LOVE})")
_TOLD_SOMEBODY = re.compile(
    r"(?:骗|蒙|哄|唬)(?:了)?(?:他|她|他们|人家|[\u4e00-\u9fff]{1,3})说|(?:跟|对|和)(?!你|您)[^，]{1,5}说(?:那|这|我|是|他|她)|我哪(?:里)?有"
)
"""我跟他说那是我弟的, 我哪有弟弟: what was told somebody need not be so."""
_TOLD_BACK = re.compile(r"那天|那次|那时|上次|当时|小时候")


def persona_of(clauses: Sequence[Clause], why: Sequence[str], owners: Sequence[Whose], speech: str, line: Line) -> list[ValueDraft]:
    """Every value, with the clause it stands in as quote; arguments as in `facts_of`."""
    made: list[ValueDraft] = []
    listing = -1
    """The sentence whose last clause named likings."""
    told_back = -1
    """The last sentence that tells of another day: how it felt then is not how it feels now."""
    introduced = -1
    """The last sentence that brought in somebody else."""
    names = names_by_label(clauses, [w.label if w.owner is Owner.PERSON and not r else "" for w, r in zip(owners, why, strict=True)])
    for place, (clause, refusal, whose) in enumerate(zip(clauses, why, owners, strict=True)):
        whole = speech[clause.start : clause.end]
        if whose.asked and not refusal and (name := name_given(clause)) and (kin := _ASKED_KIN.search(line.question)):
            key = "partner" if kin["x"] in words.LOVE else "family"
            made.append(ValueDraft(key, f"{kin['x']}，叫{name}", line.text[clause.start : clause.end].strip(), from_question=True))
        if name := _introduced(clause, clauses[place - 1] if place else None):
            made.append(
                ValueDraft(
                    "name", name, line.text[(clauses[place - 1] if clause.owner is not Owner.ME else clause).start : clause.end].strip()
                )
            )
        if (
            place
            and (named := clauses[place - 1]).sentence == clause.sentence
            and _IS_MY_LOVE.fullmatch(whole)
            and _NAME.fullmatch(named.text())
        ):
            made.append(ValueDraft("partner", line.text[named.start : named.end], line.text[named.start : clause.end].strip()))
        if (
            refusal == "empty"
            and clause.owner is Owner.PERSON
            and clause.tied
            and clause.tokens[clause.subject].text in words.ME
            and not _IS_MY_LOVE.search(whole)
        ):
            found = _relatives(clause, whole)  # 我弟江川，初中二年级
            made += [ValueDraft(key, value, line.text[clause.start : clause.end].strip()) for key, value in found if value in line.text]
        if (
            place
            and whose.owner is Owner.ME
            and clauses[place - 1].sentence == clause.sentence
            and _MY_ALLERGY.fullmatch(whole)
            and (borne_not := _NOT_FOR_ME.fullmatch(speech[clauses[place - 1].start : clauses[place - 1].end]))
        ):
            made.append(ValueDraft("allergies", borne_not["x"], line.text[clauses[place - 1].start : clause.end].strip()))
        if refusal or any(t.meant for t in clause.tokens) or _INSIDE.search(whole) or _TOLD_SOMEBODY.search(whole):
            continue
        another = (introduced == clause.sentence and clause.owner is not Owner.ME) or bool(words.HEDGES.search(whole))
        told = (
            whose.owner is Owner.ME
            or _BY_NOW.match(whole)
            or (NAMED_BY.search(whole) and not (clause.owner is Owner.NONE and whose.owner in _OTHERS))
        )
        pairs = values_of(clause, speech, said_at=line.said_at) if told and not another else []
        if whose.owner is Owner.ME and clause.companions and _LIVES.match(clause.text(clause.body)):
            pairs = [*pairs, ("household", re.sub("^(?:我|自己)的?", "", clause.companions))]
        if _INTRODUCES.search(whole):
            introduced = clause.sentence
        elif clause.owner is Owner.ME:
            introduced = -1
        if listing == clause.sentence and not pairs and carries_on(clause):
            pairs = [("hobbies", part) for part in split(words.TAIL.sub("", whole), many=True)]
        elif clause.says:
            listing = clause.sentence if whose.owner is Owner.ME and names_likings(clause) and "会" not in whole else -1
        if whose.owner in (Owner.ME, Owner.PERSON, Owner.WE):
            pairs = [*pairs, *_relatives(clause, whole)]
        if _TOLD_BACK.search(whole) or any(t.when is not None and t.when.last.date() < line.said_at.date() for t in clause.tokens):
            told_back = clause.sentence
        wished = place > 0 and clauses[place - 1].sentence == clause.sentence and _WISHED.search(clauses[place - 1].text()) is not None
        borne = {value for key, value in pairs if key == "allergies"}
        for key, value in pairs:
            if (key == "whereabouts" and wished) or (key == "food_disliked" and value in borne | _allergic_to(speech)):
                continue
            name = (
                names.get(f"{line.speaker}的{DOUBLED.get(value, value)}", "") if key in ("family", "partner") and "叫" not in value else ""
            )
            if name and speech.find(name) > clause.end:
                made.append(ValueDraft(key, f"{value}，叫{name}", line.text[clause.start : speech.find(name) + len(name)].strip()))
                continue
            if key == "mood" and told_back == clause.sentence:
                continue
            at = speech.find(value, clause.start)
            if at + len(value) == clause.end and key in ("family", "pets") and (called := _CALLED.match(speech, clause.end)):
                end = clause.end + len(called.group())  # 妹妹，叫阿宁
                made.append(ValueDraft(key, re.sub(r"^[，,]\s*", f"{value}，", called.group()), line.text[clause.start : end].strip()))
            elif at >= 0:
                made.append(ValueDraft(key, line.text[at : at + len(value)], line.text[clause.start : clause.end].strip()))
    return made


_SURNAME = re.compile(rf"我?姓(?P<x>[{''.join(sorted(SURNAMES))}])")


def _introduced(clause: Clause, before: Clause | None) -> str:
    """沈孤舟, of 我姓沈，沈孤舟 and 在下沈孤舟."""
    if clause.owner is Owner.ME and clause.tokens[clause.subject].text != "我":
        text = clause.text(clause.subject + 1)
        return (
            text
            if len(clause.tokens) <= clause.subject + 3 and _NAME.fullmatch(text) and any(t.tag.startswith("nr") for t in clause.tokens)
            else ""
        )
    if before is None or before.sentence != clause.sentence or before.owner is not Owner.ME:
        return ""
    said = _SURNAME.fullmatch(before.text(before.subject))
    return clause.text() if said and _NAME.fullmatch(clause.text()) and clause.text().startswith(said["x"]) else ""


_WISHED = re.compile("想|打算|希望|要是|梦想|以后")
"""我想开个医院，就在海边: not where one is."""
_MY_ALLERGY = re.compile("我(?:会|要|对它)?过敏的?")
_NOT_FOR_ME = re.compile(r"(?P<x>[\u4e00-\u9fff]{1,4}?)(?:类)?(?:的|都|也|可)*(?:不行|不要|不能[吃碰]|不吃|吃不了|碰不[得了]|别放)")
"""花生的不行，我过敏: to what stands before it."""
_ALLERGIC = re.compile(r"对([^，。对]{1,6})(?:都|也|很|会|有点|有些|严重|特别|非常)*过敏|([^，。我对]{1,4})过敏")


def _allergic_to(speech: str) -> set[str]:
    """What one is no more than allergic to is no matter of taste."""
    return {part for found in _ALLERGIC.finditer(speech) for part in found.groups() if part}


def _relatives(clause: Clause, whole: str) -> list[tuple[str, str]]:
    if re.search(r"分手|离婚|前[男女]|没有|想(?:找|要|有)", whole):
        return []
    gone = re.search(r"去世|过世|离开了我|离我而去|已故|死了", whole)
    pairs: list[tuple[str, str]] = []
    for key, pattern in _RELATIVES:
        if gone and key in ("partner", "pets"):
            continue
        for found in pattern.finditer(whole):
            value = found.group("x")
            if clause.tied and value in clause.person:
                value = clause.person[clause.person.index(value) :].partition("的")[0]
            if value in clause.companions:
                value = clause.companions[clause.companions.index(value) :]  # 和老公约纳斯住在……
            if not any(k == key and value in v for k, v in pairs):
                pairs.append((key, value))
    return pairs
