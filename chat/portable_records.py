"""The bundle: a chat with everything that belongs to it, as one JSON object a line. docs/bundle.md describes it for other programs.

A bundle is untrusted input: every record is checked on the way in, and on the way out, so that nothing is written that could not be read again.
"""

# ruff: noqa: RUF012 - Pydantic copies defaults
from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, TypeAdapter, model_validator

from chat.group_words import ANSWERS, MOST_EVER
from chat.limits import (
    FIRST_YEAR,
    LAST_YEAR,
    MAX_NOTE_CHARS,
    MAX_NOTE_DEPTH,
    MAX_NOTE_EVERY,
    MAX_PLAYER_CHARS,
    MAX_PLAYER_NAME_CHARS,
    NOTE_ROLES,
)
from chat.portable_fields import (
    CardObject,
    CharacterId,
    Count,
    Hash,
    Id,
    Json,
    Line,
    Object,
    Offset,
    Part,
    Picture,
    Text,
    Time,
    Word,
    on_the_calendar,
)
from chat.portable_memory_records import (
    DerivationRecord,
    EditRecord,
    ForgettingRecord,
    MemoryRecord,
    RecallRecord,
    ReceiptRecord,
)
from memory.narrative import PAPER, PRESETS
from storage.chats import LISTED
from storage.records import OFF, now_ms, to_ms


def known_preset(value: JsonValue) -> str:
    """The name of a division of the story; ValueError for one that this version does not have."""
    if not isinstance(value, str) or value not in PRESETS:
        raise ValueError("a division of the story that this version does not know")
    return value


def known_clock(value: JsonValue) -> JsonValue:
    """A story's clock: when it was set, to what, and whether it runs; ValueError for what is none."""
    match value:
        case None:
            return None
        case [int(wall), int(story), 0 | 1 as runs] if not {bool} & {type(wall), type(story), type(runs)} and _counts(wall, story):
            return value
    raise ValueError("a clock of the story that this version does not know")


def known_note(value: JsonValue) -> JsonValue:
    """An author's note: its text, depth, in which rounds, and role; ValueError for what is none."""
    match value:
        case None:
            return None
        case [str(text), int(depth), int(every), str(role)] if (
            0 < len(text) <= MAX_NOTE_CHARS
            and not {bool} & {type(depth), type(every)}
            and 1 <= depth <= MAX_NOTE_DEPTH
            and 1 <= every <= MAX_NOTE_EVERY
            and role in NOTE_ROLES
        ):
            return value
    raise ValueError("an author's note that this version does not know")


def known_listening(value: JsonValue) -> JsonValue:
    """Whether a chat only listens; ValueError for what says neither."""
    if value is None or value is True:
        return value
    raise ValueError("whether it only listens is yes, or not said")


def known_memory(value: JsonValue) -> JsonValue:
    """Whether a chat remembers: `off`, or not said; ValueError for what says neither."""
    if value is None or value == OFF:
        return value
    raise ValueError("whether it remembers is off, or not said")


def known_player(value: JsonValue) -> JsonValue:
    """Who the player is: a persona and its name in the conversation, or two times nothing, whichever is the default; ValueError for what is neither."""
    match value:
        case None | ["", ""]:
            return value
        case [str(player), str(name)] if player and 0 < len(name) <= MAX_PLAYER_NAME_CHARS and "\0" not in name:
            return value
    raise ValueError("a player that this version does not know")


DAY_MS = 86_400_000
"""Clocks of two machines differ by less."""


def _counts(wall: int, story: int) -> bool:
    """Whether a calendar can count with it, however long it runs."""
    first, last = (to_ms(datetime(year, 1, 1, tzinfo=UTC)) for year in (FIRST_YEAR, LAST_YEAR + 1))
    return first <= story < last and to_ms(datetime(2000, 1, 1, tzinfo=UTC)) <= wall <= now_ms() + DAY_MS


def _known_settings(settings: dict[str, JsonValue]) -> dict[str, JsonValue]:
    known_preset(settings.get("story", PAPER))
    known_clock(settings.get("clock"))
    known_note(settings.get("note"))
    known_player(settings.get("player"))
    known_listening(settings.get("listens"))
    known_memory(settings.get("memory"))
    if settings.get("answers", ANSWERS[0]) not in ANSWERS:
        raise ValueError("nobody answers in that way")
    if any(name in settings for name in LISTED):
        raise ValueError("where a chat stands in somebody's list does not travel")
    return settings


class Header(Part):
    type: Literal["header"]
    format: Literal["keepsake-chat"]
    version: Literal[1]
    program: Line
    made_at: Time
    chat: Id
    counts: dict[Word, Count]
    """Records by type, header and end not among them."""


class CharacterRecord(Part):
    type: Literal["character"]
    id: CharacterId
    built_in: bool
    name: Line
    language: Word
    card: CardObject
    """Character Card V3."""
    original: CardObject | None = None
    """The card as it came, where it came in another shape."""
    avatar: Picture | None = None
    created_at: Time
    updated_at: Time


class PlayerRecord(Part):
    """A persona that the player has or had in the conversation."""

    id: Id
    name: Annotated[Line, Field(min_length=1, max_length=MAX_PLAYER_NAME_CHARS)]
    description: Annotated[Text, Field(max_length=MAX_PLAYER_CHARS)] = ""
    face: Picture | None = None
    called: Annotated[list[Annotated[Line, Field(min_length=1, max_length=MAX_PLAYER_NAME_CHARS)]], Field(min_length=1, max_length=1_000)]
    """The names it had there."""
    created_at: Time
    updated_at: Time


class MemberPart(Part):
    """One of several characters. character: id of a `character` of the bundle; name: as it is called in the chat; joined: it came when the chat was under way."""

    character: CharacterId
    name: Line
    joined: bool = False


class ChatRecord(Part):
    type: Literal["chat"]
    id: Id
    title: Line
    language: Word
    user_name: Line
    """How the player was called when it began."""
    players: Annotated[list[PlayerRecord], Field(max_length=1_000)] = []
    import_key: Id | None = None
    active_branch: Id
    version: Count
    structure: Count
    edition: Count
    settings: Annotated[Object, AfterValidator(_known_settings)] = {}
    """`group`: more than two speak in it; `answers`: who of several characters answers (`one`, `all`); `story`: the preset that its story is divided by; `clock`:
    when its day was set, to what (both milliseconds), and whether it goes on (1) or stays (0); `note`: of the author, with its depth, in which rounds it stands,
    and as whose; `player`: the persona that the player has, and its name here; two times nothing where it is whichever is the default;
    `listens`: nobody answers in it."""
    members: Annotated[list[MemberPart], Field(max_length=MOST_EVER)] = []
    """Where it has several characters, all of them; that which the chat is listed under first."""
    created_at: Time
    updated_at: Time


class Revision(Part):
    """One wording of a message."""

    id: Id
    ordinal: Annotated[int, Field(ge=0, le=100_000)]
    text: Text
    sha256: Hash
    origin: Literal["user", "model", "import", "card"]
    status: Literal["complete", "stopped", "cut", "failed"]
    model: Line = ""
    player: Line = ""
    """How the player was called when it was made; empty for the chat's `user_name`."""
    created_at: Time
    read: Annotated[list[tuple[Id | Literal[""], Word]], Field(max_length=1_000)] = []
    """What extraction has read it: (revision of the question it was read as an answer to, or "", version)."""


class MessageRecord(Part):
    type: Literal["message"]
    id: Id
    parent: Id | None = None
    depth: Count
    round: Count
    role: Literal["user", "character", "narrator"]
    speaker: Line
    said_at: Time
    utc_offset: Offset = 0
    """Minutes that the wall of who said it was ahead of UTC then."""
    story_time: Time | None = None
    present: Annotated[list[Line], Field(max_length=1_000)] = []
    """In a chat with several characters those of them who witnessed it, by name."""
    room: Annotated[list[Line], Field(max_length=1_000)] | None = None
    """Who of them is there from this message on, where it says that somebody comes or goes."""
    heard: bool = False
    """Overheard: said among others, to nobody in the conversation."""
    external_id: Line | None = None
    created_at: Time
    revisions: Annotated[list[Revision], Field(min_length=1, max_length=10_000)]

    @model_validator(mode="after")
    def _was(self) -> MessageRecord:
        on_the_calendar(self.said_at, self.utc_offset)
        return self


class Selection(Part):
    message: Id
    revision: Id | None = None
    state: Literal["active", "deleted", "hidden"]


class AwayPart(Part):
    revision: Id
    at: Time


class BranchRecord(Part):
    type: Literal["branch"]
    id: Id
    parent: Id | None = None
    forked_at: Id | None = None
    name: Line = ""
    head: Id | None = None
    created_at: Time
    deleted_at: Time | None = None
    selections: list[Selection] = []
    ends: list[Id] = []
    """Messages with whose round a chapter was closed early."""
    away: list[AwayPart] = []
    """Wordings that were put away on it."""


class SessionRecord(Part):
    type: Literal["session"]
    last_message: Id
    closed_at: Time
    closed_by: Literal["idle", "user", "import"]


class UndoRecord(Part):
    type: Literal["undo"]
    branch: Id
    operation: Word
    forward: list[Json]
    backward: list[Json]
    undone: bool = False
    created_at: Time


class BinRecord(Part):
    type: Literal["bin"]
    id: Id
    branch: Id
    kind: Literal["message", "tail"]
    message: Id
    head: Id | None = None
    created_at: Time


class TaskRecord(Part):
    """Memory work of the chat: done, given up by a person, or open."""

    type: Literal["task"]
    kind: Word
    branch: Id
    key: Id
    on: Annotated[list[Id], Field(max_length=10_000)] = []
    """Revisions its key is made from; empty where it is made otherwise."""
    next: Line | None = None
    """External id of the message that made it due, where the key is made from that as well; may be empty."""
    payload: Object
    state: Literal["open", "done", "cancelled"]
    created_at: Time
    finished_at: Time | None = None

    def parts(self, revisions: Iterable[str]) -> list[str]:
        """What its key is made from, after the chat and the kind."""
        return [*revisions, *([] if self.next is None else [self.next])]


class End(Part):
    type: Literal["end"]
    records: Count
    """Lines before this one."""
    sha256: Hash
    """Of the bytes before this line."""


Record = (
    CharacterRecord
    | ChatRecord
    | MessageRecord
    | BranchRecord
    | SessionRecord
    | MemoryRecord
    | DerivationRecord
    | RecallRecord
    | ForgettingRecord
    | ReceiptRecord
    | EditRecord
    | UndoRecord
    | BinRecord
    | TaskRecord
)
TYPES = (
    *("character", "chat", "message", "branch", "session", "memory", "derivation", "recall", "forgetting", "receipt", "edit", "undo"),
    *("bin", "task"),
)
"""In the order in which they stand in a bundle."""
line_adapter: TypeAdapter[Record | End] = TypeAdapter(Annotated[Record | End, Field(discriminator="type")])
"""Any line but the first."""
