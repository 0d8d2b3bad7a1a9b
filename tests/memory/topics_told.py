"""Topics as they are shown, and a fact to make them of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory.overview import HeldTopics
from memory.sessions import IDLE
from storage.records import Kind, Memory
from tests.memory.test_construction import Live


def shown(live: Live) -> HeldTopics:
    return live.memory.engine.overview.topics(live.scope, live.branch_id, language="en", idle=IDLE)


def told(live: Live) -> list[list[tuple[str, int, int]]]:
    """Topics with their tellings, oldest first."""
    return [[(t.memory.text, t.memory.round_first, t.memory.round_last) for t in reversed(topic)] for topic in reversed(shown(live).topics)]


def fact(number: int, text: str, *, round_: int, who: str = "Mara", language: str = "en") -> Memory:
    said_at = datetime(2024, 5, 1, 9, tzinfo=UTC) + timedelta(minutes=round_)
    return Memory(
        id=f"f{number}", chat_id="c", kind=Kind.FACT, text=text, language=language, round_first=round_, round_last=round_, said_at=said_at, sources=(),
        derivation_key=f"{number:04d}", subject=who, said_by=who, knowers=("Mara", "Nell"),
    )  # fmt: skip
