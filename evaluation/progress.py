"""How far a measurement is: a bar with the time left on a terminal, and the same told to whoever attends (`evaluation.run_child`).

Bars stand inside each other (conversations, within one its memory work, then its questions); how much is done of all follows from where each of them is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """label, done, all: of the innermost bar; outer: labels of those around it; share: done of everything that is known of, 0 to 1."""

    label: str
    done: int
    all: int
    outer: tuple[str, ...]
    share: float


@dataclass
class _Bar:
    label: str
    done: int
    all: int
    worth: int
    reached: float = 0.0
    """Of an outermost one: the largest share told so far."""


_bars: ContextVar[tuple[_Bar, ...]] = ContextVar("bars", default=())
_listener: ContextVar[Callable[[Progress], None] | None] = ContextVar("listener", default=None)


@contextmanager
def attended(listener: Callable[[Progress], None]) -> Iterator[None]:
    """listener: called in the measuring thread at each step inside this block; what it raises ends the measurement."""
    token = _listener.set(listener)
    bars = _bars.set(())  # a measurement that failed before may have left its own
    try:
        yield
    finally:
        _bars.reset(bars)
        _listener.reset(token)


def steps(things: Collection[T], label: str, *, worth: int = 1) -> Iterator[T]:
    """The things, one a step."""
    with counted(label, len(things), worth=worth) as tick:
        for thing in things:
            yield thing
            tick(len(things))


@contextmanager
def counted(label: str, total: int, *, worth: int = 1) -> Iterator[Callable[[int], None]]:
    """What is yielded is called after each step, with how many there are by now. worth: how many steps of the bar around it this one is."""
    bar = _Bar(label, 0, total, worth)
    bars = (*_bars.get(), bar)
    _bars.set(bars)
    _tell(bars)
    shown = tqdm(total=total, desc=label, disable=None, leave=len(bars) == 1)

    def tick(all_of: int) -> None:
        bar.done, bar.all = bar.done + 1, max(bar.all, all_of, bar.done + 1)
        shown.total = bar.all
        shown.update()
        _tell(bars)

    try:
        yield tick
    finally:
        shown.close()
        _bars.set(bars[:-1])


def _tell(bars: tuple[_Bar, ...]) -> None:
    listener = _listener.get()
    if listener is not None:
        inner = bars[-1]
        share = 0.0
        for bar in reversed(bars):
            share = min(1.0, (bar.done + share) / max(1, bar.all)) * bar.worth
        # Where two bars stand one after the other inside of one step, the second would seem to undo the first.
        share = bars[0].reached = max(bars[0].reached, share / bars[0].worth)
        listener(Progress(inner.label, inner.done, inner.all, tuple(bar.label for bar in bars[:-1]), share))
