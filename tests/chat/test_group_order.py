"""Who of several characters answers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.group_order import answering, in_turn, named_in

ROOM = ("Nell Garrow", "Rafferty Moth", "邱麦")


def test_whoever_is_called_by_name_answers_in_the_order_of_the_calls() -> None:
    assert named_in("Moth, and you, Nell: what now?", ROOM) == ["Rafferty Moth", "Nell Garrow"]
    assert named_in("邱麦，你怎么看？", ROOM) == ["邱麦"]
    assert named_in("a mothball and some nellies", ROOM) == []


def test_a_part_of_a_name_that_two_have_calls_nobody() -> None:
    assert named_in("Garrow?", ("Nell Garrow", "Tom Garrow")) == []
    assert named_in("Tom Garrow?", ("Nell Garrow", "Tom Garrow")) == ["Tom Garrow"]


def test_without_a_name_whoever_has_been_silent_longest_answers() -> None:
    assert in_turn(ROOM, ["Nell Garrow", "邱麦"], {})[0] == "Rafferty Moth"
    assert in_turn(ROOM, ["Nell Garrow", "邱麦", "Rafferty Moth"], {})[0] == "Rafferty Moth"
    assert in_turn(ROOM, [], {}) == list(ROOM)


def test_the_talkative_come_sooner_and_nobody_twice_in_a_row() -> None:
    talkative = {"Nell Garrow": 1.0, "Rafferty Moth": 0.1}
    assert in_turn(ROOM[:2], ["Rafferty Moth"], talkative)[0] == "Nell Garrow"
    assert in_turn(ROOM[:2], ["Nell Garrow"], talkative)[0] == "Rafferty Moth"


def test_one_chosen_by_hand_answers_alone_if_they_are_there() -> None:
    assert answering("Nell?", ROOM, [], {}, answers="all", asked="邱麦") == ["邱麦"]
    assert answering("Hm.", ROOM[:2], [], {}, answers="one", asked="邱麦") == ["Nell Garrow"]
    assert answering("Moth!", ROOM, [], {}, answers="all") == ["Rafferty Moth", "Nell Garrow", "邱麦"]


@given(st.lists(st.sampled_from(ROOM), max_size=12), st.lists(st.sampled_from(ROOM), unique=True), st.text(max_size=30))
def test_only_those_who_are_there_answer_each_once(spoken: list[str], room: list[str], text: str) -> None:
    for answers in ("one", "all"):
        found = answering(text, room, spoken, {}, answers=answers)
        assert set(found) <= set(room)
        assert len(set(found)) == len(found)
        assert bool(found) == bool(room)
    assert answering("", room, spoken, {}, answers="all") == in_turn(room, spoken, {})


@given(st.integers(2, 5), st.integers(1, 30))
def test_nobody_is_left_out_for_long(members: int, turns: int) -> None:
    room = [f"n{number}" for number in range(members)]
    spoken: list[str] = []
    for _ in range(turns):
        spoken.insert(0, in_turn(room, spoken, {})[0])
    for start in range(max(0, turns - members + 1)):
        assert len(set(spoken[start : start + members])) == members
