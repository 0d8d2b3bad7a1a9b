"""The records, as the rest of the house sees them. Frozen; times are timezone-aware: when something was said on the wall of who said it (`storage.wall`), any other
in UTC."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import IntEnum, StrEnum

from storage.wall import at_ms, wall_zone


def now_ms() -> int:
    """The present, milliseconds since 1970 UTC."""
    return to_ms(datetime.now(UTC))


def to_ms(moment: datetime) -> int:
    """Milliseconds since 1970 UTC of an aware moment."""
    return round(moment.timestamp() * 1000)


def from_ms(milliseconds: int) -> datetime:
    """In UTC."""
    return at_ms(milliseconds)


def sha256(text: str) -> str:
    """Hex digest of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def stable_id(*parts: object) -> str:
    """A 32-digit id that depends on the parts and their order alone; parts are length-prefixed, so no two lists collide by joining."""
    digest = hashlib.sha256()
    for part in parts:
        raw = str(part).encode("utf-8")
        digest.update(f"{len(raw)}:".encode())
        digest.update(raw)
    return digest.hexdigest()[:32]


class Role(StrEnum):
    USER = "user"
    CHARACTER = "character"
    NARRATOR = "narrator"


class Kind(StrEnum):
    EPISODE = "episode"
    FACT = "fact"
    INSIGHT = "insight"
    PLOT = "plot"
    PERSONA = "persona"
    TOPIC = "topic"


class Effect(StrEnum):
    REINFORCED = "reinforced"
    INHIBITED = "inhibited"


@dataclass(frozen=True)
class StoredCharacter:
    id: str
    name: str
    language: str
    card_v3: Mapping[str, object]


@dataclass(frozen=True)
class StoryClock:
    """What day it is in a story. wall: when it was set; story: what to, as a wall in the story shows it, wherever that is; runs: whether it goes on with the wall's,
    or stands."""

    wall: datetime
    story: datetime
    runs: bool

    def at(self, wall: datetime) -> datetime:
        return self.story + (wall - self.wall) if self.runs else self.story


@dataclass(frozen=True)
class AuthorsNote:
    """What a person tells the model beside the story. depth: messages that stand below it in a prompt; every: it stands there in each round that can be divided
    by this; role: `user`, inside of a message of the player's, or `system`, a message of its own."""

    text: str
    depth: int = 4
    every: int = 1
    role: str = "user"


@dataclass(frozen=True)
class Member:
    """One of the characters of a chat with several. name: as it is called there, for good; joined: it came when the chat was under way."""

    character_id: str
    name: str
    joined: bool = False


@dataclass(frozen=True)
class Chat:
    id: str
    user_id: str
    character_id: str
    character_name: str
    title: str
    language: str
    user_name: str
    """How the player is called now."""
    branch_id: str
    version: int
    edition: int
    """Counts what people did to the conversation."""
    created_at: datetime
    updated_at: datetime
    group: bool = False
    """More than two speak in it."""
    story: str = "paper"
    """Preset that its story is divided by (`memory.narrative.PRESETS`)."""
    clock: StoryClock | None = None
    """None: its messages are said when they are written."""
    note: AuthorsNote | None = None
    folder: str = ""
    """In its user's list, as the next two."""
    favourite: bool = False
    archived: bool = False
    began_as: str | None = None
    """How the player was called when it began; None where that is how they are called now."""
    player_id: str = ""
    """The persona that the player has in it; empty where it is none."""
    follows: bool = False
    """It has whichever persona is the default."""
    sampling: str = ""
    """Preset that its replies are drawn by; empty for what is set for all."""

    members: tuple[Member, ...] = ()
    """Of a chat with several characters all of them, the one that it is listed under first; empty where there is one."""
    listens: bool = False
    """Nobody answers in it: it takes in what others say (`memory.listening`)."""
    remembers: bool = True
    """Whether anything is recalled and derived in it now; what is to be derived waits meanwhile."""
    answers: str = "one"
    """Who of several answers a message that asks nobody by name: `one`, or `all` of those who are there."""

    def member(self, name: str) -> Member | None:
        return next((m for m in self.members if m.name == name), None)

    def now(self, zone: tzinfo | None = None) -> datetime:
        """When what is written now is said: in the story, where it has a clock. On the wall of whoever asks, or of a zone: a story's clock shows the same there."""
        wall = datetime.now(zone or wall_zone())
        return self.clock.at(wall).replace(tzinfo=wall.tzinfo) if self.clock is not None else wall

    @property
    def player_mark(self) -> str:
        """What a wording made now keeps of how the player is called: nothing where that is how it began."""
        return "" if self.began_as is None or self.user_name == self.began_as else self.user_name

    def said_to(self, revision: Revision) -> str:
        """How the player was called when a wording was made: it hangs on that wording alone, whoever the player is now."""
        return revision.player or (self.user_name if self.began_as is None else self.began_as)

    def on(self, branch_id: str) -> Chat:
        """The same chat with another branch open."""
        return replace(self, branch_id=branch_id)


@dataclass(frozen=True)
class Revision:
    """One wording of a message; never changed once written."""

    id: str
    text: str
    sha256: str
    origin: str
    status: str
    model: str = ""
    ordinal: int = 0
    """Which wording of its message, from 0."""
    player: str = ""
    """How the player was called when it was made; empty for the name that the conversation began with."""


@dataclass(frozen=True)
class NewWording:
    """A further wording of a message that exists."""

    text: str
    origin: str
    """`user` (edited) or `model` (made again, or continued)."""
    status: str = "complete"
    model: str = ""
    player: str = ""
    """As of a Revision."""


@dataclass(frozen=True)
class Branch:
    id: str
    name: str
    parent_id: str | None
    forked_at: str | None
    """The message it was forked at: its own messages come after."""
    head_id: str | None
    created_at: datetime


@dataclass(frozen=True)
class BinnedChat:
    chat: Chat
    rounds: int
    """Of the branch that was open."""
    messages: int
    """On all branches, with those in its own bin."""
    memories: int
    deleted_at: datetime


@dataclass(frozen=True)
class BinItem:
    """What was taken out of a branch and can come back: one message, or what stood below a cut."""

    id: str
    branch_id: str
    kind: str
    """`message` or `tail`."""
    message_id: str
    head_id: str | None
    """Newest message of a tail; of one message its own id if it was hidden from the model, else None."""
    created_at: datetime


@dataclass(frozen=True)
class Message:
    """A message on a path with its active revision."""

    id: str
    parent_id: str | None
    depth: int
    round: int
    role: Role
    speaker: str
    said_at: datetime
    """On the wall of who said it."""
    revision: Revision
    hidden: bool = False
    present: tuple[str, ...] = ()
    """In a chat with several characters, who of them witnessed it."""
    room: tuple[str, ...] | None = None
    """Who of them is there from this message on, where it says that somebody comes or goes."""
    heard: bool = False
    """Overheard: said among others, to nobody in the conversation."""

    @property
    def text(self) -> str:
        return self.revision.text

    def seen_by(self, witness: str) -> bool:
        """witness: empty for the person who plays."""
        return not witness or witness in self.present


@dataclass(frozen=True)
class NewMessage:
    """What is needed to append a message; ids are made by the repository from the chat and `external_id`, so a retry cannot double it."""

    role: Role
    speaker: str
    text: str
    said_at: datetime
    external_id: str
    origin: str
    opens_round: bool
    status: str = "complete"
    model: str = ""
    wordings: tuple[str, ...] = ()
    """All it has, the text among them, in their order; empty where the text is the only one."""
    chosen: int = 0
    """Which of them the text is."""
    hidden: bool = False
    player: str = ""
    """As of a Revision."""
    present: tuple[str, ...] | None = None
    """As of `Message`; None: who is there at the branch's head."""
    room: tuple[str, ...] | None = None
    heard: bool = False


CARRIED = "carried"
"""Entry of the payload of a memory that came along from another conversation: from where. It rests on no message of its own, so it is on every path of its chat; its
rounds are counted backwards from the beginning, from -1 on."""
OFF = "off"
"""What the settings of a chat say of its `memory` while it neither recalls nor derives anything."""
SAID = "said"
"""Slot of what one message tells by itself. Any number of those hold, but none in a round that a reading of its whole unit covers."""
UNIT = "unit:"
"""Beginning of the slot of a unit that was read as a whole, before its first round."""
TAKEN_BACK = "taken back"
"""Slot of a mark that its grounds were taken back: they hold no more on a path on which the mark's sources are final, and neither do insights that rest on
them."""
SESSION = "session:"
"""Beginning of the slot of a session's topics, before its first round. Those of the lowest rank hold, all of them: they were made together."""


@dataclass(frozen=True)
class Source:
    message_id: str
    revision_id: str
    sha256: str


@dataclass(frozen=True)
class Memory:
    id: str
    chat_id: str
    kind: Kind
    text: str
    language: str
    round_first: int
    round_last: int
    said_at: datetime
    sources: tuple[Source, ...]
    derivation_key: str
    grounds: tuple[str, ...] = ()
    """Memories it rests on, by id: an insight's facts, a plot's facts or plots, a topic's facts."""
    subject: str = ""
    said_by: str = ""
    knowers: tuple[str, ...] = ()
    payload: Mapping[str, object] = field(default_factory=dict)
    event_from: datetime | None = None
    event_to: datetime | None = None
    trust: float = 1.0
    pinned: bool = False
    status: str = "active"
    origin: str = "model"
    excluded: bool = False
    slot: str = ""
    """Of several memories of a path with the same slot one holds: that of the lowest `slot_rank`, without one that of the most sources. But see `SAID`."""
    slot_rank: str = ""

    @property
    def text_sha256(self) -> str:
        return sha256(self.text)

    @property
    def carried(self) -> bool:
        """It came along from another conversation."""
        return CARRIED in self.payload


@dataclass(frozen=True)
class RecallEvent:
    memory_id: str
    round: int
    effect: Effect


class Rank(IntEnum):
    """What of memory's work comes first."""

    LIVE = 0
    """Of what was just said, and of what a person has just decided: somebody may be waiting for it."""
    LATER = 1
    """Long work on what is there already: mending, a character's insights, what a language model reads and tells."""
    IMPORT = 2
    """Of what was said elsewhere or long ago."""


@dataclass(frozen=True)
class Task:
    id: int
    key: str
    kind: str
    user_id: str
    chat_id: str
    branch_id: str
    payload: Mapping[str, object]
    attempts: int
    rank: Rank = Rank.LIVE


@dataclass(frozen=True)
class NewTask:
    """kind + the revision ids it works on make its key: enqueuing it twice is one task."""

    kind: str
    branch_id: str
    revision_ids: tuple[str, ...]
    payload: Mapping[str, object] = field(default_factory=dict)
    rank: Rank = Rank.LIVE

    def key(self, chat_id: str) -> str:
        return stable_id("task", chat_id, self.kind, *self.revision_ids)
