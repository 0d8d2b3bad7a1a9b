"""Which facts a chat keeps first: news before what was told, the plain before the hedged, within count and words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.salience import Telling, chosen


def tellings(*texts: str) -> list[Telling]:
    return [Telling(text, str(place), dated=False, trust=1.0) for place, text in enumerate(texts)]


def test_what_was_told_already_comes_last() -> None:
    facts = tellings("Ann bakes rye bread on Sundays", "Ann bakes rye bread every Sunday", "Ann sails a dinghy round the bay")
    assert chosen(facts, count=2, words=99) in ([0, 2], [1, 2])


def test_several_messages_before_more_of_one() -> None:
    texts = ("Ann repaired an oak door", "Ann polished a brass lamp", "Bo planted seven cherry trees")
    facts = [Telling(text, said, dated=False, trust=1.0) for text, said in zip(texts, ("m1", "m1", "m2"), strict=True)]
    assert len({facts[i].said_in for i in chosen(facts, count=2, words=99)}) == 2


def test_a_day_and_a_plain_word_count_more() -> None:
    plain, dated = Telling("Ann won some cup", "1", dated=False, trust=1.0), Telling("Bo lost one race", "2", dated=True, trust=1.0)
    hedged = Telling("Cy sold his boat", "3", dated=False, trust=0.6)
    assert chosen([plain, dated, hedged], count=1, words=99) == [1]
    assert chosen([plain, dated, hedged], count=2, words=99) == [0, 1]


def test_names_and_rare_words_count_more_than_common_ones() -> None:
    facts = tellings("Ann has a cat", "Ann has a dog", "Ann has a cat and a dog", "Ann met Ida in Lisbon")
    assert chosen(facts, count=1, words=99) == [3]


@given(st.lists(st.text("abc ", max_size=12), max_size=12), st.integers(0, 8), st.integers(0, 20))
def test_never_more_than_the_budget_and_always_the_same(texts: list[str], count: int, words: int) -> None:
    facts = tellings(*texts)
    kept = chosen(facts, count=count, words=words)
    assert kept == sorted(set(kept)) == chosen(facts, count=count, words=words)
    assert len(kept) <= count
    assert sum(facts[i].length for i in kept) <= words
