"""Which entries of a lorebook what was said calls up, and which of them fit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from personas.cards.lorebook import Lorebook, read_book
from personas.cards.report import Notes
from personas.lorebook import Called, call_up, kept_within
from personas.patterns import LIMIT_S, Patterns
from tests.pace import STEADY, eightfold
from tests.personas.cards.invented import BOOK, Object, entry


def book_of(*entries: Object, **more: object) -> Lorebook:
    return read_book({"entries": [{**entry(), **one} for one in entries], "extensions": {}, **more}, "", Notes())


def called(book: Lorebook, *said: str, replies: int = 3, seed: str = "s") -> list[tuple[int, str, int]]:
    """said: newest first."""
    return [(one.n, one.by, one.through) for one in call_up(book, said, replies=replies, seed=seed)]


@pytest.mark.parametrize(
    ("one", "said", "by"),
    [
        ({"keys": ["bell", "stamp"]}, "A Stamp, please.", "stamp"),
        ({"keys": ["stamp"]}, "A letter.", ""),
        ({"keys": ["Stamp"], "case_sensitive": True}, "a stamp", ""),
        ({"keys": ["Stamp"], "case_sensitive": True}, "the Stamp", "Stamp"),
        ({"keys": ["STRASSE"]}, "In der Straße.", "STRASSE"),
        ({"keys": ["cat"]}, "concatenate", "cat"),
        ({"keys": ["cat"], "extensions": {"match_whole_words": True}}, "concatenate, cats, cat_1", ""),
        ({"keys": ["cat"], "extensions": {"match_whole_words": True}}, "my cats and one (cat)", "cat"),
        ({"keys": ["邮局"], "extensions": {"match_whole_words": True}}, "我们去老邮局寄信", "邮局"),
        ({"keys": ["邮局"]}, "信在家里", ""),
        ({"keys": ["/st.mp/i"], "use_regex": True}, "a STOMP", "/st.mp/i"),
        ({"keys": ["/st.mp/i"]}, "a stamp", "/st.mp/i"),
        ({"keys": ["/st.mp/"]}, "a STAMP", ""),
        ({"keys": ["/^bell.horn/ms"]}, "a\nbell\nhorn", "/^bell.horn/ms"),
        ({"keys": ["/龙|蛇/"]}, "一条龙", "/龙|蛇/"),
        ({"keys": ["/(?=stamp)/"]}, "stamp", ""),
        ({"keys": ["/stamp/x"]}, "stamp", ""),
        ({"keys": ["/(/", "stamp"]}, "stamp", "stamp"),
        ({"keys": ["stamp"], "use_regex": True}, "stamp", "stamp"),  # as SillyTavern writes every entry
        ({"keys": ["stamp"], "enabled": False, "constant": True}, "stamp", ""),
        ({"keys": ["stamp"], "content": " "}, "stamp", ""),
        ({"keys": [" "]}, "stamp", ""),
        ({"keys": ["stamp"], "content": "@@dont_activate\nx"}, "stamp", ""),
        ({"keys": ["stamp"], "content": "@@exclude_keys bell, horn\nx"}, "stamp and horn", ""),
        ({"keys": ["stamp"], "content": "@@additional_keys bell,horn\n@@additional_keys sea\nx"}, "stamp, horn", ""),
        ({"keys": ["stamp"], "content": "@@additional_keys bell,horn\n@@additional_keys sea\nx"}, "stamp, horn, sea", "stamp"),
        ({"keys": ["stamp"], "content": "@@unheard of\n@@@exclude_keys horn\nx"}, "stamp, horn", ""),
        ({"keys": ["stamp"], "content": "@@activate_only_after 4\nx"}, "stamp", ""),
        ({"keys": ["stamp"], "content": "@@activate_only_every 3\nx"}, "stamp", "stamp"),
        ({"keys": ["stamp"], "content": "@@activate_only_every 2\nx"}, "stamp", ""),
        ({"keys": ["stamp"], "content": "@@scan_depth many\nx"}, "stamp", "stamp"),
    ],
)
def test_a_key_calls_its_entry_up(one: Object, said: str, by: str) -> None:
    assert called(book_of(one), said) == ([(1, by, 0)] if by else [])


def test_what_is_constant_or_activated_always_comes() -> None:
    assert called(book_of({"keys": [], "constant": True}, {"keys": [], "content": "@@activate\n@@dont_activate\nx"})) == [
        (1, "", 0),
        (2, "", 0),
    ]


@pytest.mark.parametrize(
    ("logic", "said", "comes"),
    [
        (0, "a b", True),
        (0, "a", False),
        (1, "a b c", False),
        (1, "a b", True),
        (2, "a b", False),
        (2, "a", True),
        (3, "a b", False),
        (3, "a b c", True),
    ],
)
def test_secondary_keys_agree_by_their_logic(logic: int, said: str, comes: bool) -> None:
    one = {"keys": ["a"], "selective": True, "secondary_keys": ["b", "c"], "extensions": {"selectiveLogic": logic}}
    assert bool(called(book_of(one), said)) == comes
    assert called(book_of({**one, "selective": False}), "a")


def test_a_message_is_looked_through_as_far_back_as_is_said() -> None:
    said = ["newest", "one", "two", "three", "stamp"]
    assert called(book_of({}), *said) == []
    assert called(book_of({}, scan_depth=5), *said) == [(1, "stamp", 0)]
    assert called(book_of({"extensions": {"scan_depth": 2}}, scan_depth=5), *said) == []
    assert called(book_of({"content": "@@scan_depth 5\nx", "extensions": {"scan_depth": 2}}), *said) == [(1, "stamp", 0)]
    assert called(book_of({"content": "@@scan_depth 0\nx"}), "stamp") == []


def test_content_calls_up_others_where_the_book_says_so_and_comes_to_an_end() -> None:
    chain = [{"keys": [f"k{n}"], "content": f"k{n + 1}"} for n in range(9)]
    assert called(book_of(*chain), "k0") == [(1, "k0", 0)]
    assert called(book_of(*chain, recursive_scanning=True), "k0") == [(1, "k0", 0), (2, "k1", 1), (3, "k2", 2), (4, "k3", 3)]
    ring = [{"keys": ["a"], "content": "b"}, {"keys": ["b"], "content": "a"}]
    assert called(book_of(*ring, recursive_scanning=True), "a") == [(1, "a", 0), (2, "b", 1)]
    for flag, entries in (("prevent_recursion", 0), ("exclude_recursion", 1)):
        held = [{**one, "extensions": {flag: n == entries}} for n, one in enumerate(ring)]
        assert called(book_of(*held, recursive_scanning=True), "a") == [(1, "a", 0)]


def test_chance_follows_from_the_seed() -> None:
    book = book_of({"extensions": {"probability": 30}}, {"extensions": {"probability": 0}})
    comes = [called(book, "stamp", seed=str(n)) for n in range(400)]
    assert comes == [called(book, "stamp", seed=str(n)) for n in range(400)]
    assert 80 < sum(map(bool, comes)) < 160


def test_what_fits_is_taken_by_priority_and_stands_by_its_order() -> None:
    book = book_of(
        {"keys": ["a"], "insertion_order": 3, "priority": 1},
        {"keys": ["a"], "insertion_order": 2, "priority": 9},
        {"keys": ["a"], "insertion_order": 1, "priority": 5},
        {"keys": [], "constant": True, "insertion_order": 9, "priority": 0},
    )
    everything = call_up(book, ["a"], replies=0, seed="")

    def kept(tokens: int, weights: dict[int, int] | None = None) -> list[int]:
        def weigh(one: Called) -> int:
            return (weights or {}).get(one.n, 10)

        return [one.n for one in kept_within(everything, tokens=tokens, weigh=weigh)]

    assert kept(40) == [3, 2, 1, 4]
    assert kept(39) == [3, 2, 4]
    assert kept(20) == [2, 4]
    assert kept(10) == [4]
    assert kept(9) == []
    assert kept(30, {2: 25}) == [3, 1, 4]  # what is too large leaves its room to the next


@settings(deadline=None, max_examples=50)
@given(BOOK)
def test_any_book_can_be_asked(value: dict[str, Any]) -> None:
    book = read_book(value, "", Notes())
    first = call_up(book, ["stamp a 0"], replies=1, seed="s")
    assert first == call_up(book, ["stamp a 0"], replies=1, seed="s")
    assert len(kept_within(first, tokens=10**9, weigh=lambda one: 1)) == len(first)


def test_a_huge_book_is_asked_in_time() -> None:
    def huge(entries: int) -> Lorebook:
        return book_of(*({"keys": [f"{n} {k}" for k in range(40)], "content": "x" * 300} for n in range(entries)), recursive_scanning=True)

    books = {times: huge(375 * times) for times in (1, 8)}
    assert called(books[8], "word " * 8_000) == []
    assert eightfold(lambda times: called(books[times], "word " * 8_000), 1) < STEADY


def test_an_expression_that_is_made_to_be_slow_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = (
        "/(a+)+$/",
        "/(a|a)*c/",
        "/(?:(?:(?:a{99}){99}){99})/",
        "/(a{0,60000}){0,60000}z/",
        "/" + "(a" * 200 + ")" * 200 + "/i",
        "/(.*)(.*)(.*)(.*)z/",
    )
    for key in hostile:
        assert eightfold(lambda times, key=key: Patterns().stands(key, "a" * 2_500 * times + " b"), 1) < STEADY  # type: ignore[misc]
    searches = iter(range(10**6))
    monkeypatch.setattr("personas.patterns.time", SimpleNamespace(thread_time=lambda: next(searches) * 0.01))
    call_up(book_of(*({"keys": [key]} for key in hostile * 40)), ["a" * 200 + " b"], replies=0, seed="s")
    assert next(searches) <= 2 * (LIMIT_S / 0.01 + 2), "they have so much time together"


@pytest.mark.parametrize(
    ("content", "more", "place", "depth", "role"),
    [
        ("x", {}, "before_char", 4, ""),
        ("@@depth 2\n@@role assistant\nx", {}, "at_depth", 2, "assistant"),
        ("@@role nobody\nx", {"extensions": {"position": 4, "depth": 7, "role": 0}}, "at_depth", 7, "system"),
        ("@@depth 1\nx", {"extensions": {"position": 4, "depth": 7, "role": 1}}, "at_depth", 1, "user"),
        ("@@depth x\nx", {"extensions": {"position": 4}}, "at_depth", 4, ""),
        ("@@position after_desc\n@@depth 3\nx", {}, "after_char", 3, ""),
    ],
)
def test_an_entry_says_where_it_stands_and_as_whose(content: str, more: Object, place: str, depth: int, role: str) -> None:
    (one,) = call_up(book_of({"constant": True, "content": content, **more}), ["stamp"], replies=3, seed="s")
    assert (one.place, one.depth, one.role) == (place, depth, role)
