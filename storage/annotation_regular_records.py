"""Records of regular probes (MOOM A.3.1): a line of the character that calls for an adjudicated memory point, and four replies of the user, one of them right."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from storage.annotation_records import Item

OPTIONS = 4
ACCEPTED, EDITED, REJECTED = "accepted", "edited", "rejected"
REVIEWERS = 2
"""People beside its author who decide about a probe."""


class RegularState(StrEnum):
    """Where a probe stands. It follows from its rows and is written nowhere."""

    DRAFT = "draft"
    WAITING = "waiting"
    DISPUTED = "disputed"
    """Two have decided, and not the same."""
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SINGLE = "single"
    """Handed in where one person annotates and nothing is reviewed."""


@dataclass(frozen=True)
class RegularReview:
    """What one reviewer made of one version of a probe.

    choice: the place of the option they chose before they were shown which is right; verdict: empty until they decide; proposal: what they would have in place of the
    author's words; edited: what the author had written, where that was followed; settles: whether it stands whatever others decided.
    """

    version: int
    reviewer: str
    choice: int
    answered_at: int
    verdict: str = ""
    reason: str = ""
    note: str = ""
    proposal: Mapping[str, object] | None = None
    edited: Mapping[str, object] | None = None
    decided_at: int | None = None
    settles: bool = False


@dataclass(frozen=True)
class Regular:
    """gold: number of its point in the dialogue's gold; options: the right one first; seed: of the order in which they are shown."""

    id: str
    gold: int
    language: str
    line: str
    options: tuple[str, ...]
    note: str = ""
    version: int = 0
    item_id: str = ""
    author: str = ""
    seed: int = 0
    created_at: int = 0
    updated_at: int = 0
    submitted_at: int | None = None
    reviews: tuple[RegularReview, ...] = ()
    reviewed: bool = True
    """Whether its project has reviewers."""

    @property
    def present(self) -> tuple[RegularReview, ...]:
        """Reviews of it as it is now."""
        return tuple(one for one in self.reviews if one.version == self.version)

    @property
    def pair(self) -> tuple[RegularReview, ...]:
        """What has been decided about it as it is now by those who did not know of each other's decision, first come first."""
        found = [one for one in self.present if one.verdict and not one.settles]
        return tuple(sorted(found, key=lambda one: one.decided_at or 0))

    @property
    def decisions(self) -> tuple[RegularReview, ...]:
        """What it stands or falls by: the decision that settles, or two that agree; empty as long as there is neither."""
        settled = tuple(one for one in self.present if one.verdict and one.settles)
        return settled or (self.pair if len(self.pair) >= REVIEWERS and agree(*self.pair[:REVIEWERS]) else ())

    @property
    def state(self) -> RegularState:
        if self.submitted_at is None:
            return RegularState.DRAFT
        if not self.reviewed:
            return RegularState.SINGLE
        if not self.decisions:
            return RegularState.DISPUTED if len(self.pair) >= REVIEWERS else RegularState.WAITING
        return RegularState.REJECTED if self.decisions[0].verdict == REJECTED else RegularState.ACCEPTED

    @property
    def stands(self) -> bool:
        """Whether it may be run, and leaves with files."""
        return self.state in (RegularState.ACCEPTED, RegularState.SINGLE)

    @property
    def order(self) -> tuple[int, ...]:
        return order_of(self.seed)

    @property
    def shown(self) -> tuple[str, ...]:
        """The options as they are shown."""
        return tuple(self.options[place] for place in self.order)

    def content(self) -> dict[str, object]:
        """What a person wrote, as the audit trail and files keep it."""
        return {"gold": self.gold, "language": self.language, "line": self.line, "options": list(self.options), "note": self.note}


@dataclass(frozen=True)
class ToReview:
    """A probe as one reviewer may see it. Before they have chosen: `probe` has line and options alone, as they are shown. settles: whether theirs is the decision that
    settles what two others decided, who stand in `others`, without names, once they have chosen."""

    probe: Regular
    mine: RegularReview | None
    settles: bool
    others: tuple[RegularReview, ...] = ()


@dataclass(frozen=True)
class ProbeWork:
    """One person's work on the probes of a dialogue. draft: JSON of the form they have open; empty without one."""

    id: str
    item_id: str
    project_id: str
    draft: str


@dataclass(frozen=True)
class OpenItem:
    """A dialogue that is open for probes, with counts of them: for whoever asks."""

    item: Item
    own: int
    to_review: int
    undecided: int
    """Handed in by anybody, and not decided about."""
    standing: int


def agree(one: RegularReview, other: RegularReview) -> bool:
    """Whether two decisions come to the same: two changes do where they are the same words."""
    return one.verdict == other.verdict and one.proposal == other.proposal


def order_of(seed: int) -> tuple[int, ...]:
    """Of each shown option its place among the kept ones; the same for the same seed, always."""
    places = list(range(OPTIONS))
    random.Random(seed).shuffle(places)
    return tuple(places)


def seed_of(probe_id: str) -> int:
    """probe_id: 32 hexadecimal digits."""
    return int(probe_id[:8], 16)


def spread(probes: Sequence[Regular]) -> tuple[int, ...]:
    """How often the right option is shown at each place."""
    counts = [0] * OPTIONS
    for one in probes:
        counts[one.order.index(0)] += 1
    return tuple(counts)
