"""Dates as people write them: one moment in many shapes, and nothing guessed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chat.import_dates import parse_date, parse_date_line, split_stamp
from tests.chat.import_files import MAY_8


@pytest.mark.parametrize(
    "text",
    [
        "1:56 pm on 8 May, 2023",
        "13:56 on May 8, 2023",
        "2023-05-08 13:56",
        "2023/5/8 1:56 PM",
        "2023-05-08T13:56:00Z",
        "2023-05-08 21:56 +08:00",
        "8th May 2023, 13:56",
        "Monday, 8 May 2023 at 13:56",
        "2023年5月8日 下午1:56",
        "2023年5月8日 星期一 13：56",
    ],
)
def test_one_moment_in_many_shapes(text: str) -> None:
    assert parse_date(text) == MAY_8


@pytest.mark.parametrize("text", ["", "8 Maybe 2023", "2023-05/08", "yesterday", "12:30", "2023", "on 8 May", "May", "8 May 2023 and on"])
def test_what_is_no_date_is_not_guessed(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize("text", ["2023-02-30", "2023-05-08 25:00", "13:00 pm on 8 May, 2023", "0000-01-01", "0001-01-01 00:00 +08:00"])
def test_an_impossible_date_is_an_error_not_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_date(text)


@pytest.mark.parametrize("line", ["--- 2023-05-08 13:56 ---", "# 8 May 2023 13:56", "[2023年5月8日 13:56]", "  2023-05-08 13:56"])
def test_a_date_line_may_wear_a_rule(line: str) -> None:
    assert parse_date_line(line) == MAY_8


def test_the_letters_of_a_name_are_not_taken_for_am_or_a_zone() -> None:
    assert split_stamp("2023-05-08 13:56 Zoe: hi", today=None) == (MAY_8, "Zoe: hi")
    assert split_stamp("2023-05-08 1:56 Amy: hi", today=None) == (MAY_8 - timedelta(hours=12), "Amy: hi")
    assert split_stamp("[13:56] Amy: hi", today=MAY_8.date()) == (MAY_8, "Amy: hi")
    assert split_stamp("[sighs] Amy: hi", today=None) is None
