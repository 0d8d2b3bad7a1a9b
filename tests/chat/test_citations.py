"""Citations: the trailer never shows, however it comes in pieces; what it says is taken exactly or not at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.citations import LONGEST, TrailerFilter, attributed


def passed(*pieces: str) -> tuple[str, TrailerFilter]:
    trailer = TrailerFilter()
    return "".join(trailer.feed(piece) for piece in pieces) + trailer.end(), trailer


def numbers(trailer: TrailerFilter, count: int = 9) -> set[int] | None:
    cited = trailer.cited(count)
    return None if cited is None else set(cited.numbers)


@pytest.mark.parametrize(
    ("reply", "shown", "cited"),
    [
        ("The lamp is lit.\n[[memories: 1, 3]]", "The lamp is lit.", {1, 3}),
        ("The lamp is lit. [[memories: none]]\n", "The lamp is lit.", set()),
        ("灯亮着。\n[[memories: 2]]", "灯亮着。", {2}),
        ("灯亮着。[[记忆：2、4]]", "灯亮着。", {2, 4}),
        ("灯亮着。[[memories：无]]", "灯亮着。", set()),
        ("灯亮着。\n【【memories：1、3】】", "灯亮着。", {1, 3}),
        ("灯亮着。［［记忆：无］］", "灯亮着。", set()),
        ("他说【好】，然后走了。", "他说【好】，然后走了。", None),
        ("Yes.[[MEMORIES: #2 and 5.]]", "Yes.", {2, 5}),
        ("Yes.[[Memories: #2, #5]]", "Yes.", {2, 5}),
        ("Yes.[[memories: 1]] [[memories: 4]]", "Yes.", {1, 4}),
        ("Yes.[[memories: 12]]", "Yes.", None),
        ("Yes.[[memories: 2, 12]]", "Yes.", {2}),
        ("Yes.[[memories: all of them]]", "Yes.", None),
        ("Yes.[[memories: ]]", "Yes.", None),
        ("Yes.", "Yes.", None),
        ("She said [quietly] no.", "She said [quietly] no.", None),
        ("An array a[[0]] of x.", "An array a[[0]] of x.", None),
        ("Cut off [[memor", "Cut off", None),
        ("Cut off [[memories: 1,", "Cut off", None),
        ("Ends with [", "Ends with [", None),
        ("Before [[memories: 1]] and after.", "Before and after.", {1}),
        ("Yes.\n[[memories: [1], [3]]]", "Yes.", {1, 3}),
        ("Yes.\n[[memories: [none]]]", "Yes.", set()),
        ("Yes.\n[[memories: 1, 3]]]", "Yes.", {1, 3}),
        ("Hi. [[[memories: 1, 3]]]", "Hi.", {1, 3}),
        ("好。【【【记忆：2】】】", "好。", {2}),
        ("Hi. [[[memories: [1], [3]]]] And on.", "Hi. And on.", {1, 3}),
        ("Hi. [[[memories: 1, 3]]", "Hi. [", {1, 3}),
        ("Yes. [[memories: [1]] x", "Yes.", None),
        ("Cut off [[[memories: 1,", "Cut off", None),
        ("An array a[[[0]]] of x.", "An array a[[[0]]] of x.", None),
        ("Yes.\n[[memories: 1 / 3]]", "Yes.", {1, 3}),
        ("Yes.\n[memories: 1, 3]", "Yes.", {1, 3}),
        ("Yes.\n[memories: [2], [4]]", "Yes.", {2, 4}),
        ("Yes.\n[Memories: none]", "Yes.", set()),
        ("好。\n【记忆：2】", "好。", {2}),
        ("Cut off [memories: 1,", "Cut off", None),
        ("[memories: she drifts off] Yes.", "[memories: she drifts off] Yes.", None),
        ("他【记忆：一片空白】走了。", "他【记忆：一片空白】走了。", None),
        ("Ends with [mem", "Ends with [mem", None),
    ],
)
def test_what_is_shown_and_what_is_cited(reply: str, shown: str, cited: set[int] | None) -> None:
    text, trailer = passed(reply)
    assert text == shown
    assert numbers(trailer) == cited
    one_by_one, again = passed(*reply)
    assert one_by_one == shown
    assert numbers(again) == cited


@given(
    words=st.text(st.sampled_from("ab [\n]灯:m"), max_size=30),
    trailer=st.sampled_from(
        ["[[memories: 1]]", "\n\n[[memories: none]]", " [[memories: 2, 3]]", "[[memories: [1], [3]]]", "[[[memories: 1]]]"]
    ),
    cuts=st.lists(st.integers(0, 60), max_size=8),
)
def test_no_part_of_a_trailer_is_ever_shown(words: str, trailer: str, cuts: list[int]) -> None:
    reply = words + trailer
    places = sorted({0, len(reply), *(c for c in cuts if c < len(reply))})
    stream, seen = TrailerFilter(), ""
    for start, end in pairwise(places):
        seen += stream.feed(reply[start:end])
        assert (words.rstrip() + " ").startswith(seen) or words.startswith(seen), seen
    assert (seen + stream.end()).rstrip() == words.rstrip()
    assert stream.cited(9) is not None


PIECES = (
    "[[memories:",
    "[memories: ",
    "[[",
    "[[[memories: 1]]]",
    "]]",
    "]",
    "[",
    " 1",
    ", 2",
    "none",
    "\n",
    " ",
    "ab",
    "mem",
    "ories",
    "【【",
    "】】",
    "[[记忆：",
    "[1]",
    " " * 20,
    "x" * 50,
)


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12), cuts=st.lists(st.integers(0, 400), max_size=6))
def test_every_way_of_cutting_the_stream_shows_and_cites_the_same(pieces: list[str], cuts: list[int]) -> None:
    reply = "".join(pieces)
    places = sorted({0, len(reply), *(c for c in cuts if c < len(reply))})
    whole, at_once = passed(reply)
    for cut in ([reply[a:b] for a, b in pairwise(places)], list(reply)):
        shown, trailer = passed(*cut)
        assert shown == whole
        assert trailer.cited(9) == at_once.cited(9)


@given(text=st.text(st.sampled_from("[]ab m:\n"), max_size=400), size=st.integers(1, 7))
def test_nothing_that_is_no_trailer_is_lost(text: str, size: int) -> None:
    shown, trailer = passed(*(text[i : i + size] for i in range(0, len(text), size)))
    if "[[" not in "".join(text.split()):
        assert shown == text.rstrip()
        assert trailer.cited(9) is None


def test_a_trailer_without_an_end_is_shown_as_it_came() -> None:
    reply = "Well. [[memories: " + "and so on " * (LONGEST // 5)
    shown, trailer = passed(*reply)
    assert shown == reply.rstrip()
    assert trailer.cited(9) is None


MEMORIES = (
    "Mara is allergic to walnuts.",
    "Mara's sister Ida is a nurse in Leith.",
    "Mara bought a brass compass in Braga yesterday.",
    "Mara lives in Porto.",
)


def test_used_is_what_brings_words_that_the_cue_did_not() -> None:
    assert attributed("How is Ida? Still a nurse up in Leith?", cue="Good evening.", memories=MEMORIES) == {1}
    assert attributed("Does the brass compass from Braga point north?", cue="Good evening.", memories=MEMORIES) == {2}
    assert attributed("Good evening to you.", cue="Good evening.", memories=MEMORIES) == frozenset()


def test_what_the_cue_or_the_card_brought_up_is_no_use_of_a_memory() -> None:
    cue = "My sister Ida, the nurse in Leith, says hello."
    assert attributed("Ida, the nurse from Leith!", cue=cue, memories=MEMORIES) == frozenset()
    assert attributed("The brass compass of Braga.", cue="Hm.", memories=MEMORIES, known={"brass", "braga", "compass"}) == frozenset()


def test_used_in_chinese() -> None:
    memories = ("小满对花生过敏。", "小满的姐姐李岚在杭州的医院当护士。")
    assert attributed("李岚在医院还上夜班吗？", cue="晚上好。", memories=memories) == {1}
    assert attributed("晚上好，进来坐。", cue="晚上好。", memories=memories) == frozenset()
