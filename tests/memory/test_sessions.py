"""Where sessions end on a path (RMM 5.1)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory.sessions import IDLE, LONGEST, Session, sessions
from storage.sessions import Moment

START = datetime(2024, 5, 1, 9, tzinfo=UTC)


def said(*minutes: float, first: int = 1, ended: int = 0) -> list[Moment]:
    """A message of a round each, so many minutes after START; ended: the round with which a session was ended."""
    return [Moment(n, START + timedelta(minutes=m), n == ended) for n, m in enumerate(minutes, start=first)]


def test_a_silence_of_half_an_hour_ends_a_session_and_less_does_not() -> None:
    assert sessions(said(0, 29.9, 59.9, 61), idle=IDLE) == [Session(1, 2, over=True), Session(3, 4, over=False)]
    assert sessions(said(0, 29.9, 59.9, 61), idle=timedelta(hours=1)) == [Session(1, 4, over=False)]
    assert sessions([], idle=IDLE) == []


def test_the_silence_counts_from_the_last_message_of_a_round() -> None:
    reply = Moment(1, START + timedelta(minutes=25), ended=False)
    assert sessions([*said(0), reply, *said(40, first=2)], idle=IDLE) == [Session(1, 2, over=False)]


def test_a_session_that_was_ended_is_over_whether_the_talk_goes_on_or_not() -> None:
    assert sessions(said(0, 1, ended=2), idle=IDLE) == [Session(1, 2, over=True)]
    assert sessions(said(0, 1, 2, ended=2), idle=IDLE) == [Session(1, 2, over=True), Session(3, 3, over=False)]


def test_a_session_that_never_pauses_is_cut_at_every_sixtieth_round() -> None:
    talk = said(*range(LONGEST + 5))
    assert sessions(talk, idle=IDLE) == [Session(1, LONGEST - 1, over=True), Session(LONGEST, LONGEST + 5, over=False)]
