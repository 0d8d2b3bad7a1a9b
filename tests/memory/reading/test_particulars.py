"""Names and numbers that a model made up: wherever they stand, however they are written, in English and Chinese."""

from __future__ import annotations

import pytest

from memory.reading.evidence import Record
from memory.reading.particulars import numerals

EN = (
    ("Mara", "I moved into a caravan by the quarry with my sister Ida. I may keep three goats and twenty-five hens."),
    ("Nell", "There were a hundred and forty boats in 1987, and a couple of gulls."),
)
ZH = (
    ("小满", "我和姐姐李岚搬到采石场旁边的拖车里住了。我可能会养三只山羊和二十五只鸡。"),
    ("邱麦", "1987年港口有一百四十条船，还有一对海鸥。"),
)
RECORDS = {
    language: Record.of(lines, others=["Mara", "Nell", "小满", "邱麦"], language=language) for language, lines in (("en", EN), ("zh", ZH))
}


def fault(language: str, text: str) -> str:
    return RECORDS[language].faults(text, (0, 1))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Zoltan moved into a caravan by the quarry with Mara."),
        ("en", "Zoltan thinks that Mara moved into a caravan."),
        ("en", "Mara moved into a caravan. Olga may keep goats there."),
        ("en", "Mara moved into a caravan by the quarry of Zoltan."),
        ("en", "Rose may keep goats by the quarry."),
        ("zh", "王建国搬到采石场旁边的拖车里住了。"),
        ("zh", "小满的姐姐王建国搬到采石场旁边的拖车里。"),
        ("zh", "小满和老王可能会养山羊。"),
        ("zh", "小满和Zoltan可能会养山羊。"),
    ],
)
def test_a_name_that_nobody_said_is_found_wherever_it_stands(language: str, text: str) -> None:
    assert fault(language, text) == "invented_name"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Mara may keep forty goats."),
        ("en", "Mara may keep 40 goats."),
        ("en", "Mara may keep a dozen goats."),
        ("en", "Mara may keep two hundred goats."),
        ("en", "There were one hundred and fifty boats."),
        ("zh", "小满可能会养四十只山羊。"),
        ("zh", "小满可能会养十二只山羊。"),
        ("zh", "小满可能会养两百只鸡。"),
        ("zh", "小满可能会养40只山羊。"),
    ],
)
def test_a_number_that_nobody_said_is_found_however_it_is_written(language: str, text: str) -> None:
    assert fault(language, text) == "invented_number"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Ida moved into a caravan by the quarry."),
        ("en", "Meanwhile Mara may keep 3 goats and 25 hens."),
        ("en", "Goats and hens may be kept by Mara."),
        ("en", "Hens may live by the quarry, and the two of them in a caravan."),
        ("en", "Harbours once had 140 boats and two gulls."),
        ("en", "One of the boats had gulls."),
        ("zh", "李岚搬到采石场旁边的拖车里住了。"),
        ("zh", "小满可能会养3只山羊和25只鸡。"),
        ("zh", "小满和李岚一起搬到拖车里，两人十分高兴。"),
        ("zh", "港口有140条船和两只海鸥。"),
        ("zh", "万一搬到采石场，小满千万不能养山羊。"),
    ],
)
def test_what_was_said_in_other_words_or_digits_is_not_taken_for_made_up(language: str, text: str) -> None:
    assert fault(language, text) == ""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-five", {"25"}),
        ("three hundred and forty", {"340"}),
        ("two thousand and six", {"2006"}),
        ("two dozen", {"24"}),
        ("1,200 boats", {"1200"}),
        ("at 8:30", {"8", "30"}),
        ("a pair of boots", {"2"}),
        ("二十五", {"25"}),
        ("两百零六", {"206"}),
        ("一万二千", {"12000"}),
        ("二〇二四年", {"2024"}),
        ("十", {"10"}),
        ("３只", {"3"}),
        ("0007", {"7"}),
        ("000", {"0"}),
    ],
)
def test_numbers_are_known_by_their_value(text: str, values: set[str]) -> None:
    assert values <= numerals(text)


@pytest.mark.parametrize(
    "text", ["9" * 5000, "3." + "14" * 2500, "９" * 5000, "亿" * 600, "九" * 5000, "hundred " * 2300, "million " * 900, "nine " * 5000]
)
def test_however_long_a_number_is_it_is_read(text: str) -> None:
    assert numerals(f"{text} and 0012") >= {"12"}
    assert Record.of([("Mara", f"I learned {text} by heart.")], others=["Mara"], language="en").numbers


@pytest.mark.parametrize(
    ("language", "said", "text", "fault"),
    [
        ("en", "I work in a coal mine near the quarry.", "Mara works in a coal mine near the quarry.", ""),
        ("en", "The goats are mine.", "The goats are mine.", "person"),
        ("en", "A friend of mine keeps goats.", "A friend of mine keeps goats.", "person"),
        ("zh", "我喜欢写日记，自我反省。", "小满喜欢写日记和自我反省。", ""),
        ("zh", "我买了一条迷你裙。", "小满买了一条迷你裙。", ""),
        ("zh", "我喜欢写日记。", "我喜欢写日记。", "person"),
        ("zh", "你喜欢写日记。", "你喜欢写日记。", "person"),
    ],
)
def test_words_that_only_look_like_somebody_speaking_are_none(language: str, said: str, text: str, fault: str) -> None:
    player = "Mara" if language == "en" else "小满"
    assert Record.of([(player, said)], others=[player], language=language).faults(text, (0,)) == fault
