"""`kill -9` at random moments of turns and imports, each a whole start of the program; `make bench` does the same two hundred times."""

from __future__ import annotations

from collections import Counter

import pytest

from evaluation.bench.durability import Damage, _compare, kill_import, kill_turns


@pytest.mark.crash
@pytest.mark.long
def test_killed_turns_lose_nothing_acknowledged_and_double_nothing() -> None:
    damage = kill_turns(6, seed=20)
    assert damage.none, damage
    assert damage.acknowledged > 6


@pytest.mark.crash
@pytest.mark.long
def test_killed_imports_end_like_undisturbed_ones() -> None:
    damage = kill_import(4, seed=21)
    assert damage.none, damage


def test_the_check_sees_what_is_missing_doubled_or_wrong() -> None:
    clean: dict[str, list[object]] = {"messages": [[1, "a"], [2, "b"]], "memories": [[1, "x"]], "events": [[2, 1, "reinforced"]]}
    damage = Damage()
    _compare(clean, {"messages": [[1, "a"], [1, "a"]], "memories": [], "events": [[2, 1, "inhibited"]]}, damage)
    assert (damage.lost, damage.doubled, damage.wrong_memories) == (1, 1, 3)
    assert not damage.none
    assert Counter(damage.notes) == Counter()
