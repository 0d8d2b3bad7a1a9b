"""Whom words are about that are not about their speaker."""

from __future__ import annotations

import pytest

from memory.reading.people import introduced, whom


def _whom(message: str, words: str, before: str = "", *, speaker: str = "Mara", listener: str = "Nell") -> tuple[str, int]:
    start = message.index(words)
    found = whom(message, start, start + len(words), speaker=speaker, listener=listener, before=before)
    return (found.who, found.start) if found else ("", 0)


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("My sister plays the harp.", "Mara's sister"),
        ("my little brother Otto sails", "Otto"),
        ("Mum's got a new hip.", "Mara's mum"),
        ("Your cousin owes me a boat.", "Nell's cousin"),
        ("Odette is packing.", "Odette"),
        ("Odette's brother is a vet.", "Odette's brother"),
        ("Uncle Des broke his wrist.", "Uncle Des"),
        ("the new ferryman takes eggs", "the new ferryman"),
        ("A miller's widow is charging a penny.", "the miller's widow"),
        ("He is at sea.", ""),
        ("It rains in Bergen.", ""),
    ],
)
def test_the_one_that_words_bring_in(words: str, who: str) -> None:
    assert _whom(words, words)[0] == who


@pytest.mark.parametrize(
    ("words", "who"),
    [("我姐姐弹竖琴。", "小雨的姐姐"), ("妈妈住院了。", "小雨的妈妈"), ("你表哥欠我一条船。", "阿邱的表哥"), ("那个仵作靠得住。", "仵作")],
)
def test_the_one_that_words_bring_in_in_chinese(words: str, who: str) -> None:
    assert _whom(words, words, speaker="小雨", listener="阿邱")[0] == who


def test_a_pronoun_means_who_was_brought_in_last_and_can_be_meant() -> None:
    message = "My sister Ida married Tom. She hates boats. He builds them."
    assert _whom(message, "She hates boats.") == ("Ida", 0)
    assert _whom("My aunt has a ferry. His is bigger.", "His is bigger.") == ("", 0)
    assert _whom("Tom came. His brother did not.", "His brother did not.")[0] == "Tom's brother"
    assert _whom("我姐姐去了卑尔根。她在那里修船。", "她在那里修船。", speaker="小雨")[0] == "小雨的姐姐"


def test_who_was_asked_for_is_found_in_the_line_before() -> None:
    assert _whom("She learned it in Perm.", "She learned it in Perm.", "Does your wife still drive trams?") == ("Mara's wife", -1)
    assert _whom("He has a court date.", "He has a court date.", "Ask my dad.") == ("Nell's dad", -1)
    assert _whom("她好多了。", "她好多了。", "你奶奶怎么样了？", speaker="小雨", listener="阿邱") == ("小雨的奶奶", -1)


def test_those_who_speak_are_not_brought_in() -> None:
    assert _whom("Nell left the door open.", "Nell left the door open.") == ("", 0)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("My name is Mara and I'm 34.", "Mara"),
        ("my name's Mara de Vries", "Mara de Vries"),
        ("Call me Mara.", "Mara"),
        ("Call me Monday.", ""),
        ("Call me a cab.", ""),
        ("My name is not important.", ""),
        ("Her name is Ida.", ""),
    ],
)
def test_a_name_that_is_given_in_plain_words(words: str, name: str) -> None:
    assert introduced(words) == name
