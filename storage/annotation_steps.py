"""Which change undo takes back next, read from the audit trail: every change adds a row, and so do undo and redo. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    id: int
    action: str
    """`point` or `decision`: a change; `undo` or `redo`: of the change whose number is the subject."""
    subject: str
    before: str
    after: str
    at: int = 0


Steps = Sequence[Step]


def next_undo(steps: Steps) -> Step | None:
    done, _ = _stacks(steps)
    return done[-1] if done else None


def next_redo(steps: Steps) -> Step | None:
    _, undone = _stacks(steps)
    return undone[-1] if undone else None


def _stacks(steps: Steps) -> tuple[list[Step], list[Step]]:
    """What can be undone and what can be redone, the next one last. A new change ends what could be redone."""
    done: list[Step] = []
    undone: list[Step] = []
    for step in steps:
        if step.action == "undo":
            undone.append(done.pop())
        elif step.action == "redo":
            done.append(undone.pop())
        else:
            done.append(step)
            undone.clear()
    return done, undone
