"""How alive memories are: courses of their scores, the room there is, who was forgotten when."""

from __future__ import annotations

from dataclasses import dataclass

from chat.views.carrying import CarriedView


@dataclass(frozen=True)
class PointView:
    round: int
    score: float
    """S_kept, MOOM eq. 3, in that round."""


@dataclass(frozen=True)
class BefellView:
    """What one round did to a memory."""

    round: int
    effect: str
    """`reinforced` or `inhibited`."""
    before: float
    """The score in that round without it."""
    after: float
    """The score in the round that follows."""


@dataclass(frozen=True)
class FateView:
    round: int
    forgotten: bool
    """False: it was brought back."""


@dataclass(frozen=True)
class CourseView:
    id: str
    kind: str
    text: str
    first_round: int
    last_round: int
    points: tuple[PointView, ...]
    """Oldest first, from its birth to now."""
    score: float
    """Now."""
    reinforced: int
    inhibited: int
    """Since the last reinforcement."""
    forgotten: bool
    fates: tuple[FateView, ...]
    """Oldest first."""
    spared: bool
    """However low it is, it is not forgotten now."""
    needs: float | None
    """The score below which it is the next to go; negative where it stays without any; None where nothing has to go."""
    pinned: bool
    excluded: bool
    origin: str
    befell: tuple[BefellView, ...] = ()
    """Of the chosen one, oldest first."""
    carried: CarriedView | None = None


@dataclass(frozen=True)
class RoomView:
    round: int
    count: int
    """Facts and insights held from that round on."""


@dataclass(frozen=True)
class FadingView:
    capacity: int
    held: int
    room: tuple[RoomView, ...]
    """Oldest first."""
    alive: tuple[CourseView, ...]
    nearly: tuple[CourseView, ...]
    """The next to go comes first."""
    weakest: tuple[CourseView, ...]
    """Of the lowest score first."""
    lost: tuple[CourseView, ...]
    """Newest first."""
    lost_all: int
    weighed: bool
    """Whether it is known who would go next; not while memories are made findable anew."""
    chosen: CourseView | None
    missing: bool
    """Another memory was asked for and is not on the open branch."""
    current_round: int
