from __future__ import annotations

from models.seat import Seat


def test_whoever_began_with_one_ends_with_it() -> None:
    closed: list[str] = []
    seat = Seat("old", closed.append)
    with seat.taken() as first:
        seat.put("new")
        assert closed == []
        with seat.taken() as second:
            assert (first, second) == ("old", "new")
        assert closed == []
    assert closed == ["old"]
    seat.put("newest")
    assert closed == ["old", "new"], "nobody used it"


def test_closing_is_once() -> None:
    closed: list[str] = []
    seat = Seat("one", closed.append)
    with seat.taken():
        seat.close()
    seat.close()
    assert closed == ["one"]
