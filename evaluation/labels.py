"""Gold labels of extraction: what the people who made a LoCoMo-style file noted down of each session.

Beside `conversation` a sample holds `observation` (facts of a session, by whom they are about, each with the turns that say it) and `event_summary`
(what happened to whom)::

    "observation": {"session_1_observation": {"Ann": [["Ann has a cat.", "D1:3"]]}}
    "event_summary": {"events_session_1": {"Ann": ["Ann gets a cat."], "date": "8 May, 2023"}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.datasets import DataRefused, data_files, samples

OBSERVATION, EVENT = "observation", "event"
_MAX_LABEL_CHARS = 4000
_KEY = {
    "observation": re.compile(r"session_([0-9]{1,6})_observation"),
    "event_summary": re.compile(r"events_session_([0-9]{1,6})"),
}


@dataclass(frozen=True)
class Label:
    conversation_key: str
    session: int
    """The file's own number."""
    kind: str
    """`observation` or `event`."""
    text: str
    about: str = ""
    """Whom it is noted of."""


def read_labels(path: Path, keys: Sequence[str]) -> tuple[Label, ...]:
    """The labels of a file or folder, in its order. keys: of its conversations as `read_locomo` read them. Raises DataRefused; also for no label at all."""
    read = [(file, sample) for file in data_files(path) for sample in samples(file)]
    # Layouts that are read as dialogues otherwise than one by one have no labels.
    together = zip(keys, read, strict=True) if len(keys) == len(read) else ()
    found = [label for key, (file, sample) in together for label in _labels(sample, key, file.name)]
    if not found:
        raise DataRefused(file=path.name, where="", reason="it holds no observations and no events to compare with")
    return tuple(found)


def _labels(sample: Mapping[str, object], key: str, file: str) -> Iterator[Label]:
    for field, kind in (("observation", OBSERVATION), ("event_summary", EVENT)):
        sessions = sample.get(field, {})
        if not isinstance(sessions, dict):
            raise DataRefused(file=file, where=key, reason=f"{field} is not an object")
        for name, people in sessions.items():
            where = f"{key}, {name}"
            if (number := _KEY[field].fullmatch(name)) is None:
                raise DataRefused(file=file, where=where, reason="it names no session")
            if not isinstance(people, dict):
                raise DataRefused(file=file, where=where, reason="it is not an object")
            for person, entries in people.items():
                if person == "date":
                    continue
                if not isinstance(entries, list):
                    raise DataRefused(file=file, where=where, reason="what is noted of a person is not a list")
                for entry in entries:
                    if text := _text(entry, file=file, where=where):
                        yield Label(key, int(number[1]), kind, text, person)


def _text(entry: object, *, file: str, where: str) -> str:
    """What is noted; empty where nothing is."""
    text = entry[0] if isinstance(entry, list) and entry else entry
    if not isinstance(text, str) or len(text) > _MAX_LABEL_CHARS:
        raise DataRefused(file=file, where=where, reason=f"a label is no text of at most {_MAX_LABEL_CHARS:,} characters")
    return text.strip()
