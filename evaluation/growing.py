"""A conversation grown by sessions of others that are laid between its own, said by its own people on the days between, so that neither names nor dates give
them away (capacity, length of history)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import groupby

import numpy as np

from chat.imported import ImportedConversation, ImportedMessage

Turns = Sequence[ImportedMessage]


def laid_between(
    own: ImportedConversation, others: Sequence[ImportedConversation], *, wanted: float, size: Callable[[Turns], float], seed: int
) -> ImportedConversation:
    """`own` with whole sessions of `others`, drawn by chance, until what was laid between it comes to `wanted` or there are no more. size: of a session."""
    foreign = [(other, list(turns)) for other in others for _, turns in groupby(other.messages, key=lambda m: m.session)]
    rng = np.random.default_rng(seed)
    drawn = [foreign[n] for n in rng.permutation(len(foreign))]
    taken = 0.0
    gaps: dict[int, list[list[ImportedMessage]]] = {}
    sessions = [list(turns) for _, turns in groupby(own.messages, key=lambda m: m.session)]
    for number, (other, turns) in enumerate(drawn):
        if taken >= wanted:
            break
        gaps.setdefault(int(rng.integers(len(sessions))), []).append(_renamed(turns, other, own, number))
        taken += size(turns)
    said: list[ImportedMessage] = []
    for place, session in enumerate(sessions):
        said += session
        inside = gaps.get(place, [])
        until = sessions[place + 1][0].said_at if place + 1 < len(sessions) else session[-1].said_at + timedelta(days=len(inside) + 1)
        for n, turns in enumerate(inside, start=1):
            at = session[-1].said_at + (until - session[-1].said_at) * n / (len(inside) + 1)
            said += [replace(m, said_at=at + timedelta(milliseconds=10 * i)) for i, m in enumerate(turns)]
    numbers = {session: n for n, session in enumerate(dict.fromkeys(m.session for m in said), start=1)}
    messages = tuple(replace(m, session=numbers[m.session], line=n) for n, m in enumerate(said, start=1))
    return replace(own, messages=messages)


def _renamed(turns: Turns, other: ImportedConversation, own: ImportedConversation, number: int) -> list[ImportedMessage]:
    """Sessions of noise have numbers of their own, below 0."""
    names = dict(zip(other.speakers, own.speakers, strict=False))
    found = []
    for m in turns:
        text = m.text
        for theirs, ours in names.items():
            text = text.replace(theirs, ours)
        found.append(
            replace(
                m,
                external_id=f"noise{number}:{m.external_id}",
                speaker=names.get(m.speaker, own.speakers[0]),
                text=text,
                session=-1 - number,
            )
        )
    return found
