"""What a card says of itself: for adults by a tag, by its words, or nothing."""

from __future__ import annotations

import pytest

from personas.adult import BY_TAGS, BY_TEXT, adult_by
from tests.pace import STEADY, eightfold


def card(*tags: str, **texts: str) -> dict[str, object]:
    return {"data": {"name": "Ivo", "tags": list(tags), "extensions": {}, **texts}}


@pytest.mark.parametrize(
    "tag", ["NSFW", "nsfw", " #NSFW ", "ＮＳＦＷ", "18+", "R-18", "NSFW / kink", "Adult", "成人向", "18禁", "R18,催眠"]
)
def test_a_tag_says_it(tag: str) -> None:
    assert adult_by(card("fantasy", tag)) == BY_TAGS


@pytest.mark.parametrize(
    "tag", ["SFW", "non-NSFW", "No NSFW", "adult siblings", "young adult fiction", "explicit knowledge", "18 years", "成年", "fantasy", ""]
)
def test_other_tags_do_not(tag: str) -> None:
    assert adult_by(card(tag)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "This bot is NSFW.",
        "18+ only!",
        "Adults only, please.",
        "Minors do not interact.",
        "She will not shy away from NSFW content.",
        "Contains sexually explicit scenes.",
        "含成人内容，未成年人请勿使用。",
        "R18 角色",
        "这是NSFW角色卡",
        "本卡为R18内容",
        "含有R-18情节",
        "包含18+内容",
        "１８＋ only",
        "非常色情内容",
        "If you don't like NSFW, leave.",
        "If you do not like NSFW, leave.",
    ],
)
def test_words_say_it(text: str) -> None:
    assert adult_by(card(creator_notes=text)) == BY_TEXT
    assert adult_by({"data": {"tags": [], "extensions": {"keepsake": {"tagline": text}}}}) == BY_TEXT


@pytest.mark.parametrize(
    "text",
    [
        "No NSFW, please.",
        "This is a non-NSFW card.",
        "Avoid NSFW content.",
        "An NSFW-free story.",
        "It does not include any NSFW.",
        "She is 18+ years old and an adult.",
        "An adult woman who mends clocks; her price is £18+.",
        "无成人内容。",
        "不涉及色情内容",
        "他已经成年。",
        "这不是NSFW角色卡",
        "不含R-18情节",
        "非NSFW",
        "没有18+内容",
        "她18+岁",
        "We don't have any NSFW here.",
        "This card doesn’t contain NSFW.",
        "I do not write NSFW.",
        "ADNSFWX and PR18 are names.",
    ],
)
def test_words_that_deny_it_or_mean_something_else_do_not(text: str) -> None:
    assert adult_by(card(description=text)) == ""


def test_the_owner_overrules_words_and_not_a_tag() -> None:
    assert adult_by(card("SFW", description="Written when NSFW was a new word.")) == ""
    assert adult_by(card("SFW", "NSFW")) == BY_TAGS


def test_the_story_itself_is_not_read_for_it() -> None:
    assert adult_by(card(first_mes="The sign said: adults only.")) == ""


def test_a_hostile_card_is_read_in_no_time() -> None:
    def read(eighths: int) -> None:
        assert adult_by(card(description="not nsfw " * (2_500 * eighths), personality="18+ " * (6_000 * eighths))) == ""

    assert eightfold(read, 1) < STEADY
