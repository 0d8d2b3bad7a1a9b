"""What a message takes back, and what only sounds like it; in both languages."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction.chinese import extract as chinese
from memory.extraction.denials import may_deny
from memory.extraction.draft import CALLED_OFF, DONE, NO_MORE, Denial, Extraction, Line
from memory.extraction.english import extract as english


def _read(text: str) -> Extraction:
    if text.isascii():
        return english(Line(text, "Mara", "Aurel", True, datetime(2024, 6, 12, 10)))
    return chinese(Line(text, "林小雨", "阿忆", True, datetime(2024, 6, 12, 10)))


@pytest.mark.parametrize(
    "text",
    [
        "I made that up.",
        "Okay, the truth is, I made it all up.",
        "Haha, only kidding!",
        "Sorry, I lied to you.",
        "Aurel, I was joking.",
        "What I said was a lie.",
        "That was my character speaking.",
        "Forget what I said.",
        "Scratch that.",
        "骗你的啦。",
        "哈哈，我瞎说的！",
        "开玩笑的。",
        "其实刚才那都是假话。",
        "就当我没说。",
    ],
)
def test_what_was_said_directly_before_is_taken_back(text: str) -> None:
    assert _read(text) == Extraction(denials=(Denial(),))
    assert may_deny(text)


@pytest.mark.parametrize("text", ["Well, not any more.", "Not anymore, sadly.", "现在没了。", "那是以前的事了。"])
def test_what_was_said_directly_before_is_so_no_more(text: str) -> None:
    assert _read(text) == Extraction(denials=(Denial(act=NO_MORE),))
    assert may_deny(text)


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("Forget what I said about my boat.", [Denial(("boat",))]),
        ("What I told you about the parrot was a lie.", [Denial(("parrot",))]),
        ("I lied about having a twin.", [Denial(("twin",))]),
        ("No, I own no kite and I fly no drone. I made that up.", [Denial(("kite",)), Denial(("drone",))]),
        ("My hats do match. I was testing you.", [Denial(("hat",))]),
        ("I don't play the harp any more.", [Denial(("harp",), "play")]),
        ("I no longer live with my aunt.", [Denial(("aunt",), "live")]),
        ("I don't write anything down anymore.", [Denial((), "write")]),
        ("I'm not a nurse any more.", [Denial(("nurse",), "be")]),
        ("I stopped collecting stamps.", [Denial(("stamp",), "collect")]),
        ("I don't have a car.", [Denial(("car",), "have")]),
        ("I have no brothers.", [Denial(("brother",), "have")]),
        ("我说我养鹦鹉是骗你的。", [Denial(("鹦鹉",))]),
        ("前面是我编的，我没养狗。", [Denial(("狗",))]),
        ("那都是瞎话，酒我天天喝。", [Denial(("酒",))]),
        ("我现在不弹钢琴了。", [Denial(("钢琴",), "弹")]),
        ("我不再写日记了。", [Denial(("日记",), "写")]),
        ("我没有猫。", [Denial(("猫",), "have")]),
        ("我的狗去年没了。", [Denial(("狗",), "have")]),
    ],
)
def test_what_is_taken_back_by_name(text: str, denials: list[Denial]) -> None:
    assert list(_read(text).denials) == denials
    assert may_deny(text)


@pytest.mark.parametrize(
    "text",
    [
        "I made it up to my aunt with flowers.",
        "I made it up the hill before noon.",
        "I lied to my boss yesterday.",
        "I'm lying in bed with a cold.",
        "I'm not kidding.",
        "That's not true!",
        "That was a lie!",
        "None of that is true.",
        "你骗我的吧。",
        "那都是假的！",
        "你刚才说的都是假话。",
        "I can't take it anymore.",
        "I don't have time for the garden.",
        "I don't live there any more.",
        "I won't play chess tonight any more.",
        "Do you not play any more?",
        "If I didn't play the harp any more, I'd weep.",
        'She said "I made that up" and left.',
        "我被人骗了。",
        "我骗了我妈。",
        "这可不是开玩笑的。",
        "没有了，明天再聊。",
        "今天不吃辣了。",
        "太晚了，不弹吉他了，睡觉。",
        "下周不学法语了。",
        "我没有时间。",
        "我昨天没去公司。",
        "他说他不弹钢琴了。",
        "你不弹钢琴了吗？",
    ],
)
def test_what_takes_nothing_back(text: str) -> None:
    assert _read(text).denials == ()


@pytest.mark.parametrize(
    "text",
    [
        "I have a goat, which isn't true.",
        "I have a goat called Ada. No, I made that up.",
        "我养了一只羊。其实是我编的。",
        "我家有只羊，骗你的。",
    ],
)
def test_what_a_message_takes_back_itself_is_not_told_by_it_nor_anything_before_it_touched(text: str) -> None:
    assert _read(text) == Extraction()


def test_what_is_said_after_it_or_denies_it_stands() -> None:
    assert [f.text for f in _read("I made that up. I live in Oslo with my aunt.").facts] == ["Mara lives in Oslo with their aunt."]
    assert [f.text for f in _read("I have no goat. I made that up.").facts] == ["Mara has no goat."]


def test_out_of_character_it_is_the_player_who_speaks_and_their_character_is_not_they() -> None:
    assert [(v.key, v.value) for v in _read("((OOC: I'm a nurse in real life))").values] == [("occupation", "nurse")]
    assert _read("My character is a vampire.").values == ()
    assert _read("I was only role-playing, I'm no knight.").values == ()
    assert _read("我的角色是个医生。").values == ()


def test_denials_are_kept_with_what_was_derived() -> None:
    read = _read("I don't play the harp any more.")
    assert Extraction.of_json(read.as_json()) == read


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("The trip is off.", [Denial((), CALLED_OFF)]),
        ("The trip to Leith got cancelled.", [Denial(("leith",), CALLED_OFF)]),
        ("I'm not going to sell the boat after all.", [Denial(("boat", "sell"), CALLED_OFF)]),
        ("I ran the race yesterday.", [Denial(("race",), DONE)]),
        ("I painted the fence today.", [Denial(("fence", "paint"), DONE)]),
        ("I ran the race once, years ago.", []),
        ("I bought a kite.", []),
        ("日本不去了。", [Denial(("日本",), CALLED_OFF)]),
        ("比赛取消了。", [Denial(("比赛",), CALLED_OFF)]),
        ("昨天我跑完了马拉松。", [Denial(("马拉松",), DONE)]),
    ],
)
def test_plans_come_to_nothing_or_are_done(text: str, denials: list[Denial]) -> None:
    assert list(_read(text).denials) == denials
    assert may_deny(text) or not denials
