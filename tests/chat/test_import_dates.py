"""Dates as people write them: one moment in many shapes, and nothing guessed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chat.import_dates import moment_of, parse_date, parse_date_line, split_stamp
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


@pytest.mark.parametrize(
    "text",
    [
        *("8. Mai 2023 13:56", "Montag, 8. Mai 2023 13:56 Uhr", "8 mai 2023 à 13:56", "lundi 8 mai 2023 13h56", "8 de mayo de 2023, 13:56"),
        *("8 maggio 2023 alle 13:56", "8 de maio de 2023 às 13:56", "8 мая 2023 г., 13:56", "8 mei 2023 om 13:56", "8. mai 2023 kl. 13.56"),
        *(
            "2023. 5. 8. 오후 1:56:00",
            "2023년 5월 8일 오후 1:56",
            "2023/05/08 (月) 13:56",
            "2023年5月8日 午後1時56分",
            "２０２３年５月８日 １３：５６",
        ),
        *(
            "2023-05-08 PM 1:56",
            "2023-05-08 13.56",
            "8/5/23 13h56",
            "2023-05-08T15:56:00[Europe/Berlin]",
            "2023-05-08T15:56:00+02:00[Europe/Berlin]",
        ),
        *("May 8, 2023 at 9:56:00 AM EDT", "2023-05-08 15:56:00 CEST", "2023-05-08 22:56 JST"),
    ],
)
def test_a_field_for_a_date_is_read_in_the_languages_of_its_programs(text: str) -> None:
    assert moment_of(text, day_first=True) == MAY_8


@pytest.mark.parametrize("place", ["Mars/Base", "America/Argentina", "A/B"])
def test_a_zone_that_there_is_not_takes_nothing_from_the_date(place: str) -> None:
    assert moment_of(f"2023-05-08T13:56:00[{place}]") == MAY_8


@pytest.mark.parametrize("part", ["上午", "凌晨", "午前", "오전", "夜里"])
def test_twelve_before_noon_is_midnight(part: str) -> None:
    assert parse_date(f"2023-05-08 {part} 12:30") == MAY_8.replace(hour=0, minute=30)


@pytest.mark.parametrize("part", ["下午", "中午", "午後", "오후"])
def test_twelve_after_noon_is_noon(part: str) -> None:
    assert parse_date(f"2023-05-08 {part} 12:30") == MAY_8.replace(hour=12, minute=30)


@pytest.mark.parametrize(
    "line",
    [
        "2023. 5. 8. 오후 1:56, 미라 : 안녕",
        "[8. Mai 2023 13:56] Mira: Hallo",
        "[２０２３年５月８日 １３：５６] ミラ：２回",
        "2023-05-08 13:56 - 2024\u202f: ok",
    ],
)
def test_a_stamp_is_read_as_it_was_typed_and_what_follows_stays(line: str) -> None:
    found = split_stamp(line, today=None)
    assert found is not None
    assert found[0] == MAY_8
    assert line.endswith(found[1])
    assert found[1][:2] in ("미라", "Mi", "ミラ", "20")


@pytest.mark.parametrize("line", ["[see 2024] Ann: hi", "[1999] Ann: hi", "[May 2024] Ann: hi", "[Mai 2024] Ann: hi", "18:30 Ann: hi"])
def test_brackets_with_a_year_are_not_yet_a_date(line: str) -> None:
    assert split_stamp(line, today=MAY_8.date()) is None


@pytest.mark.parametrize("text", ["", "8 Maybe 2023", "2023-05/08", "yesterday", "12:30", "2023", "on 8 May", "May", "8 May 2023 and on"])
def test_what_is_no_date_is_not_guessed(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize("text", ["2024-06-25 22:" + 40 * "9", f"{40 * '9'} May 2024 22:01"])
def test_numbers_without_end_are_no_date(text: str) -> None:
    assert moment_of(text) is None


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
