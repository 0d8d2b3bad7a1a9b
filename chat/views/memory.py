"""What is remembered, and the work that does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chat.views.carrying import CarriedView


@dataclass(frozen=True)
class MemoryView:
    id: str
    kind: str
    text: str
    first_round: int
    last_round: int
    said_at: datetime
    score: float
    """Competition-inhibition score S_kept, MOOM eq. 3; higher is kept longer."""
    reinforced: int
    """How often this path's cues reinforced it."""
    inhibited: int
    """Inhibitions since the last reinforcement."""
    status: str
    """`active` or `forgotten`."""
    said_by: str
    trust: float
    happened: tuple[datetime, datetime] | None
    """First and last day of what it tells of, if that is known."""
    pinned: bool = False
    excluded: bool = False
    """A person keeps it out of recall."""
    origin: str = "model"
    """`model` or `user` (a person's own words)."""
    source_changed: bool = False
    """In a person's own words, and what it was written about reads otherwise now."""
    key: str = ""
    """Of a value of the player's persona: of `memory.persona_keys.KEYS`."""
    quote: str = ""
    """The words it was taken from, where they are known."""
    carried: CarriedView | None = None
    """Where it came along from, as in the others."""


@dataclass(frozen=True)
class RoundsView:
    """What something rests on: a sentence or a value, and the round to jump to."""

    text: str
    round: int
    said_at: datetime
    id: str = ""
    """The fact it is; empty where the sentence is part of a closed span."""
    pinned: bool = False
    excluded: bool = False
    origin: str = "model"
    source_changed: bool = False
    carried: CarriedView | None = None


@dataclass(frozen=True)
class QueueView:
    waiting: int
    failed: int
    last_error: str


@dataclass(frozen=True)
class MemoriesView:
    memories: tuple[MemoryView, ...]
    """Of one shelf; highest score first, or the newest first when `order` says so."""
    shelf: str
    """`fact`, `episode` or `forgotten` (facts and insights that lost their place)."""
    total: int
    """On this shelf."""
    counts: Mapping[str, int]
    """By shelf."""
    capacity: int
    """Facts and insights that are kept; the weakest beyond it are forgotten."""
    best_score: float
    """Highest score on this shelf, for bars; 0 on an empty one."""
    current_round: int
    queue: QueueView


@dataclass(frozen=True)
class RoundMemoriesView:
    """Everything that rests on what was said in one round."""

    round: int
    kinds: Mapping[str, tuple[MemoryView, ...]]
    """By kind, in the order `fact`, `persona`, `insight`, `topic`, `plot`, `episode`; kinds with nothing are left out."""
    current_round: int


@dataclass(frozen=True)
class RederivedView:
    """What was read again, laid beside what is kept; nothing was changed."""

    memory_id: str
    old: str
    new: tuple[str, ...]
    """Texts of its kind that the same source gives now; empty where it gives none. Of a piece of the story a line a sentence."""


@dataclass(frozen=True)
class TaskView:
    id: int
    kind: str
    """`episode`, `extract`, `unit`, `read`, `tell`, `insight`, `mend`, `index`."""
    state: str
    """`queued`, `leased` (it is being done) or `failed`."""
    first_round: int
    last_round: int
    """0 where it is open: from the first round on."""
    attempts: int
    error: str
    """What the last attempt ended with."""
    waiting_until: datetime | None
    """When it is tried again, while it pauses after a failure."""


@dataclass(frozen=True)
class ModelUseView:
    """What a language model was asked for a conversation's memory."""

    purpose: str
    """`facts`, `insights`, `persona`, `plot`, `topics`."""
    model: str
    calls: int
    failed: int
    tokens: int
    """Of prompts and answers, as counted here."""
    seconds: float


@dataclass(frozen=True)
class TaskQueueView:
    tasks: tuple[TaskView, ...]
    """Newest first, at most 200."""
    waiting: int
    running: int
    failed: int
    done: int
    """Since the queue was last empty."""
    total: int
    """Done, running and waiting ones since then; 0 when nothing is to be done."""
    uses: tuple[ModelUseView, ...] = ()
    """Over the conversation's life; empty where no model was ever asked."""


@dataclass(frozen=True)
class ChapterView:
    """A plot summary of a closed span, or the open span so far (MOOM 3.1)."""

    id: str
    """Empty for what is not closed."""
    tier: int
    """3: an arc of several chapters; 2: a chapter; 1: a unit of the open chapter."""
    first_round: int
    last_round: int
    closed: bool
    lines: tuple[RoundsView, ...]
    """One to four sentences, oldest first, each with the round it is taken from."""
    excluded: bool = False
    origin: str = "model"
    source_changed: bool = False
    began: datetime | None = None
    """When its first round was said."""
    ended: datetime | None = None


@dataclass(frozen=True)
class StoryView:
    arcs: tuple[ChapterView, ...]
    chapters: tuple[ChapterView, ...]
    so_far: tuple[ChapterView, ...]
    """Units of the chapter that is still open, oldest first; the last may be open itself."""
    chapter_rounds: int
    """Rounds that make a chapter."""
    current_round: int
    preset: str
    presets: Mapping[str, tuple[int, int]]
    """What may be chosen: rounds of a chapter and of an arc, by name."""
    open_rounds: int
    """Rounds that are in no chapter yet, the newest among them."""
    day: str = ""
    """The day in the story, ISO 8601, where a person set it."""
    day_runs: bool = False
    carried: tuple[MemoryView, ...] = ()
    """What came along of other stories, a sentence a line, oldest first."""


@dataclass(frozen=True)
class ValueView:
    """One value of the player's persona."""

    text: str
    round: int
    said_at: datetime
    quote: str
    """The sentence it was taken from; of one that was put together the values it was made of."""
    rounds_ago: int
    id: str = ""
    excluded: bool = False
    """It is shown and does not count."""
    origin: str = "model"
    source_changed: bool = False
    merged: bool = False
    """A model put it together from values that stand in the history."""
    carried: CarriedView | None = None


@dataclass(frozen=True)
class PersonaEntryView:
    key: str
    """Of `memory.persona_keys.KEYS`; the catalogue has its name as `key_…`."""
    group: str
    """Of `memory.persona_keys.Group`; the catalogue has its name as `group_…`."""
    merge: str
    """`replace`, `append`, `trajectory`, `contradictory` or `complex`."""
    values: tuple[ValueView, ...]
    """What holds now, newest first; after them what a person excluded."""
    former: tuple[ValueView, ...]
    """What held before, newest first."""


@dataclass(frozen=True)
class DerivedView:
    """What several values have in common: a conclusion, not something said."""

    key: str
    """Of `memory.derived.NAMES`; the catalogue has its name as `derived_…`."""
    kind: str
    """The catalogue has its name as `leans_…`."""
    grounds: tuple[ValueView, ...]
    """The values it rests on, oldest first, of at least two rounds."""


@dataclass(frozen=True)
class PersonaChangeView:
    """What one session changed."""

    key: str
    turn: str
    """`new`, `changed` or `retired`."""
    value: ValueView | None
    """What holds now."""
    was: ValueView | None
    """What held before."""


@dataclass(frozen=True)
class PersonaView:
    """The sketch of the player: a fold of what was said on this path (MOOM 3.2)."""

    entries: tuple[PersonaEntryView, ...]
    """In the registry's order, so groups come together; only keys with a value."""
    current_round: int
    derived: tuple[DerivedView, ...] = ()
    others: Mapping[str, int] = field(default_factory=dict)
    """Of the other names that the player had in the conversation, how many values were told under each."""
    since: int = 0
    """First round of the newest session, that `changes` are of; 0 while there was none before it."""
    over: bool = False
    """That session is over."""
    changes: tuple[PersonaChangeView, ...] = ()


@dataclass(frozen=True)
class InsightView:
    """What facts mean to the character, as its reading (DualMem 4)."""

    id: str
    statement: str
    trust: float
    facts: tuple[RoundsView, ...]
    """The facts it rests on, at least two of different rounds."""
    score: float
    status: str
    """`active` or `forgotten`."""
    pinned: bool = False
    excluded: bool = False
    origin: str = "model"
    source_changed: bool = False
    held_back: bool = False
    """It rests on a fact that is excluded, so it is not recalled."""
    untrue: bool = False
    """The reader said so."""
    carried: CarriedView | None = None


@dataclass(frozen=True)
class InsightsView:
    insights: tuple[InsightView, ...]
    """Newest first."""
    character_name: str
    stances: int
    """How many judgments the character can come to; without any it has no insights and the panel says so."""
    current_round: int


@dataclass(frozen=True)
class TellingView:
    """What one session told of a topic (RMM 5)."""

    id: str
    text: str
    who: str
    """Whose topic it is, as they are called."""
    first_round: int
    last_round: int
    """Of the session."""
    rounds: tuple[int, ...]
    """Those it rests on, rising."""
    said_at: datetime
    pinned: bool = False
    excluded: bool = False
    origin: str = "model"
    source_changed: bool = False


@dataclass(frozen=True)
class TopicsView:
    topics: tuple[tuple[TellingView, ...], ...]
    """The topic that was told of last comes first; each with its tellings, newest first."""
    headings: tuple[str, ...]
    """What each is about, in a few words."""
    open_since: int
    """First round of the session that may go on; 0 if none is open."""
    idle_minutes: int
    """Silence that ends a session."""
    carried: tuple[MemoryView, ...] = ()
    """What came along of other conversations, oldest first."""
