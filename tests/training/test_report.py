"""What is counted of what was kept."""

from typing import Any

from memory.reading.reader import Noted
from training.report import Tally, count

MESSAGE = "I'm a carpenter. If I had a boat I'd leave. My sister Ida sings."
RAW: dict[str, Any] = {
    "day": "2026-03-14 Sat",
    "before": [],
    "speaker": "Mara",
    "message": MESSAGE,
    "facts": [
        {
            "words": "I'm a carpenter.",
            "about": "Mara",
            "kind": "state",
            "key": "occupation",
            "value": "carpenter",
            "text": "Mara is a carpenter.",
        },
        {"words": "My sister Ida sings.", "about": "Ida", "kind": "state", "key": "-", "value": "", "text": "Ida sings."},
    ],
    "not": [["If I had a boat", "hypothesis"]],
}


def note(words: str, *, about: str = "Mara", key: str = "-", value: str = "") -> Noted:
    start = MESSAGE.index(words)
    return Noted("", "quoted", about, key, value, "meant", "state", 0.9, start, start + len(words), "speaker")


def figures(*notes: Noted) -> dict[str, float]:
    tally = Tally()
    count(tally, RAW, notes)
    return {name: value for name, (value, n) in tally.figures().items() if n}


def test_what_is_right_counts_as_right() -> None:
    found = figures(note("I'm a carpenter.", key="occupation", value="a carpenter"), note("My sister Ida sings.", about="Ida"))
    assert (found["messages F1"], found["facts covered"], found["memories right"], found["about right"]) == (1, 1, 1, 1)
    assert (found["persona P"], found["persona R"], found["not meant, kept"]) == (1, 1, 0)


def test_what_is_wrong_counts_as_wrong() -> None:
    found = figures(note("If I had a boat I'd leave."), note("My sister Ida sings.", key="skills", value="sings"))
    assert (found["facts covered"], found["memories right"], found["not meant, kept"]) == (0.5, 0.5, 1)
    assert (found["about right"], found["persona P"], found["persona R"]) == (0, 0, 0)
