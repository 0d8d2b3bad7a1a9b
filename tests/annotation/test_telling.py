"""What tells who somebody is: found in both languages, and blacked out however it is written."""

from __future__ import annotations

import pytest

from annotation.giving import MAX_WORDS
from annotation.telling import BLACKED, blacken, names, pattern_of, telling
from tests.pace import STEADY, eightfold


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to pia@harbour.example.", ["pia@harbour.example"]),
        ("写信给pia＠harbour.example吧", ["pia＠harbour.example"]),
        ("Пиши на иван@почта.рф", ["иван@почта.рф"]),
        ("看https://harbour.example/a，然后我说好的。", ["https://harbour.example/a"]),
        ("看http://例子.cn/王小明 就知道", ["http://例子.cn/王小明"]),
        ("Www.anna-smith.de, Https://Harbour.example/A", ["Www.anna-smith.de", "Https://Harbour.example/A"]),
        ("It is (see harbour.example/pia).", ["harbour.example/pia"]),
        ("call 555.123.4567", ["555.123.4567"]),
        ("(555) 123-4567", ["(555) 123-4567"]),
        ("电话１３８００１３８０００", ["１３８００１３８０００"]),
        ("一三八零零一三八零零零", ["一三八零零一三八零零零"]),
        ("身份证11010519491231002X。", ["11010519491231002X"]),
        ("DE89 3704 0044 0532 0130 00", ["DE89 3704 0044 0532 0130 00"]),
        ("QQ 12345，微信号：pia_2020", ["12345", "pia_2020"]),
        ("My name is Pia Sandoval, and I'm here.", ["Pia Sandoval", "Pia", "Sandoval"]),
        ("我叫王小明，你呢？", ["王小明", "小明"]),
        ("叫我小明就好", ["小明"]),
        ("It was 3.5 at 12:30 in 1999, i.e. this/that. 叫我怎么说", []),
    ],
)
def test_it_is_found_and_nothing_around_it(text: str, found: list[str]) -> None:
    assert telling([text], [text]) == found


def test_names_are_looked_for_where_the_person_speaks() -> None:
    assert telling(["I'm Maren, and you are late."], []) == []


def test_a_name_is_also_each_of_its_words() -> None:
    assert names("Pia Sandoval") == ["Pia Sandoval", "Pia", "Sandoval"]
    assert names("王小明") == ["王小明", "小明"]
    assert names("王明") == ["王明"]
    assert names("The Captain of Tallis") == ["The Captain of Tallis", "Tallis"], "not what is said of everything else"


@pytest.mark.parametrize(
    ("word", "text", "left"),
    [
        ("Ann", "Ann was annoyed, ANN!", "# was annoyed, #!"),
        ("José", "Jose, JOSÉ and Jose\u0301 said", "#, # and # said"),
        ("Pia", "ＰＩＡ and Piaž", "# and Piaž"),
        ("pia sandoval", "Pia\n Sandoval left", "# left"),
        ("01701234567", "0170-123 45 67 or ０１７０１２３４５６７", "# or #"),
        ("王小明", "王小明说：我是王小明。", "#说：我是#。"),
        ("strasse", "Die Straße", "Die #"),
        ("가", "각가", "각#"),
        ("a.c]", "abc] a.c]", "abc] #"),
    ],
)
def test_it_is_blacked_out_however_it_is_written(word: str, text: str, left: str) -> None:
    pattern = pattern_of([word, " "])
    assert pattern is not None
    assert blacken(text, pattern) == (left.replace("#", BLACKED), left.count("#"))


@pytest.mark.parametrize("hostile", ["a.", "a-", "-", "1 ", "@", "a@", "http://", "www.", "(", "I'm A", "我叫", "微信", "//", "一"])
def test_no_text_takes_long(hostile: str) -> None:
    assert eightfold(lambda many: telling([hostile * many], ["I'm " + hostile * many]), 2_500 // len(hostile)) < STEADY


def test_as_many_words_as_are_allowed_are_blacked_out_of_a_long_conversation_at_once() -> None:
    pattern = pattern_of([f"word{n} of mine" for n in range(MAX_WORDS)])
    assert pattern is not None
    said = "Some words of nobody's, and word1999 of mine. "
    assert blacken(said * 5_000, pattern)[1] == 5_000
    assert eightfold(lambda times: blacken(said * times, pattern), 600) < STEADY
