"""Whatever a player does to a conversation, the page shows what it should and memory tells nothing else. The long run is in `make bench`."""

from __future__ import annotations

from evaluation.bench.story import play


def test_memory_follows_whatever_a_player_does() -> None:
    assert play(5, 25, shrink=True) > 50
