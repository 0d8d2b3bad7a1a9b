"""What was said, and what is being said: chats, messages, branches, replies on their way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chat.views.players import PlayedView
from personas.written import Written


@dataclass(frozen=True)
class CharacterView:
    id: str
    name: str
    tagline: str
    language: str
    """BCP 47: `en` or `zh`."""
    avatar: str
    """An SVG document drawn by us, or empty."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnCharacterView:
    id: str
    name: str
    tagline: str
    language: str
    tags: tuple[str, ...]
    creator: str
    conversations: int
    """With it, those in the bin included."""
    face: int | None
    """Where there is an avatar, a number that grows with each change."""
    adult: str
    """By what its card says that it is for adults: `tags`, `text` or nothing."""


@dataclass(frozen=True)
class CharacterFormView:
    """What was written of an own character."""

    id: str
    stamp: int
    """Says which state of it this is."""
    written: Written
    stances: int
    greetings: int
    """First messages besides the one that is written."""
    entries: int
    """Of its lorebook."""


@dataclass(frozen=True)
class ChatSummary:
    id: str
    title: str
    character_name: str
    own_character: bool
    """With one that the user made."""
    character_id: str
    face: int | None
    """Of its character's avatar, as of OwnCharacterView."""
    language: str
    rounds: int
    last_said_at: datetime | None
    last_line: str
    folder: str = ""
    favourite: bool = False
    archived: bool = False
    sample: bool = False
    """One of the stories that came with the program."""
    members: tuple[str, ...] = ()
    """Names of its characters where it has several."""
    cast: tuple[str, ...] = ()
    """Ids of its characters."""
    listens: bool = False


@dataclass(frozen=True)
class ChatHeadView:
    """What stands around an open chat."""

    id: str
    character_name: str
    language: str
    avatar: str


@dataclass(frozen=True)
class MessageView:
    id: str
    round: int
    role: str
    """`user`, `character`, or `narrator` where nobody speaks: the story is told, or who comes and goes."""
    name: str
    text: str
    said_at: datetime
    status: str
    """`complete`, `stopped` (a person stopped the reply), `cut` (the token limit ended it) or `failed` (the model failed midway)."""
    has_receipt: bool
    variant: int = 1
    """Which of its variants this is, from 1."""
    variants: int = 1
    hidden: bool = False
    """Kept from the model."""
    edited: bool = False
    """A person's wording of what was said otherwise before."""
    present: tuple[str, ...] = ()
    """Of several characters those who witnessed it."""
    heard: bool = False
    """Said among others, to nobody in the conversation."""


@dataclass(frozen=True)
class AuthorsNoteView:
    """As `storage.records.AuthorsNote`."""

    text: str
    depth: int
    every: int
    role: str


@dataclass(frozen=True)
class KeptView:
    """What was remembered from one round: facts, values of the persona, and insights that rest on it."""

    remembered: int
    forgotten: int


@dataclass(frozen=True)
class GroupView:
    """members: of a conversation with several characters all of them; room: who of them is there; next: whose turn it is; answers: as of `Chat`."""

    members: tuple[MemberView, ...]
    room: tuple[str, ...]
    next: str
    answers: str


@dataclass(frozen=True)
class ListeningView:
    """Of a conversation in which nobody answers, or that could be one. on: whether it is; speakers: who was heard last, in the order in which they first spoke;
    feeds: tokens by which other programs bring lines."""

    on: bool
    speakers: tuple[str, ...]
    feeds: int


@dataclass(frozen=True)
class MemberView:
    character_id: str
    name: str
    own: bool
    """One that the user made."""
    face: int | None
    """As of OwnCharacterView."""


@dataclass(frozen=True)
class TranscriptView:
    """A window of consecutive messages of the active path, oldest first."""

    messages: tuple[MessageView, ...]
    has_earlier: bool
    has_later: bool
    awaiting_reply: bool
    """The newest message is the user's and no reply is on its way: offer to ask for one."""
    edition: int = 0
    """Counts what people did to the conversation; an operation carries the one its page shows."""
    undo: str = ""
    """Name of the operation that undo takes back, empty if there is none."""
    redo: str = ""
    branch: str = ""
    """Name of the open branch."""
    branch_forked: int = 0
    """Round of the message it was forked at; 0 for the first."""
    branches: int = 1
    group: GroupView | None = None
    listening: ListeningView | None = None
    remembers: bool = True
    """Whether anything is recalled and derived in it now."""
    note: AuthorsNoteView | None = None
    player: PlayedView | None = None
    read_to: int = 0
    """The last round that memory has read, on the open branch; 0: none yet."""
    read_from: str = ""
    """Of the newest window: the message from which on the newest reply had everything word for word; empty where nothing tells, or that is the first."""
    kept: Mapping[int, KeptView] = field(default_factory=dict)
    """By round of the window; rounds of which nothing was remembered are left out."""


@dataclass(frozen=True)
class BranchView:
    id: str
    name: str
    parent_id: str
    """Empty for the first."""
    forked_round: int
    """Round of the message it was forked at; 0 for the first."""
    rounds: int
    last_line: str
    last_said_at: datetime | None
    active: bool
    own_messages: int
    """Messages that came after the fork."""


@dataclass(frozen=True)
class TreeView:
    branches: tuple[BranchView, ...]
    """Oldest first."""
    edition: int


@dataclass(frozen=True)
class BinItemView:
    """What was taken out of the open branch, or a removed branch."""

    id: str
    kind: str
    """`message`, `tail` (a message and all that came after it) or `branch`."""
    text: str
    """Its first line, or the branch's name."""
    round: int
    count: int
    """Messages in it."""
    deleted_at: datetime


@dataclass(frozen=True)
class BinnedChatView:
    id: str
    title: str
    character_name: str
    rounds: int
    messages: int
    """What erasing it erases: on all its branches, with what is in its own bin."""
    memories: int
    deleted_at: datetime
    carried: int = 0
    """Memories that came along from it to other conversations: they stay."""


@dataclass(frozen=True)
class BinWeightView:
    """What emptying the bin of a chat erases: what no branch of it shows any more."""

    messages: int
    branches: int
    memories: int


class Phase(StrEnum):
    """Where a reply stands; the last three are final."""

    RECALLING = "recalling"
    READING = "reading"
    THINKING = "thinking"
    WRITING = "writing"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True)
class JobView:
    """A reply being made, readable from any tab."""

    id: str
    chat_id: str
    name: str
    """Who is replying; for a draft, the player."""
    phase: Phase
    text: str
    read_tokens: int
    """Prompt tokens the model has read, 0 while unknown."""
    prompt_tokens: int
    """Prompt tokens in all, 0 while unknown."""
    error_code: str | None
    error_params: dict[str, object]
    committed: bool
    """Whether all that came of it is in the transcript."""
    kind: str = "reply"
    """`reply`, `variant` (of a message that is there), `continue` (a longer variant) or `draft` (for the composer; nothing of it is kept)."""
    message_id: str = ""
    """The message it rewrites; empty for a new one."""
    after: str = ""
    """Of a new one in a conversation of several, the newest message when it began."""
    earlier: tuple[str, ...] = ()
    """Ids of the jobs of other characters who answered before it; all that came of them is in the transcript."""
    following: int = 0
    """How many other characters answer after it."""

    @property
    def final(self) -> bool:
        """Nothing about it will change any more. A stop shows as `stopped` at once and is final when the partial reply is kept."""
        return self.committed and self.phase in (Phase.DONE, Phase.STOPPED, Phase.FAILED)


@dataclass(frozen=True)
class StatusView:
    model_name: str
    model_local: bool
    """The model runs on this computer."""
    model_small: bool
    """It is the bundled demo model."""
    embedder: str
    data_dir: str
    memory_model: str = ""
    """What reads the conversation for memory; empty where no language model does."""
    cross_encoder: str = ""
    """What reads once more what was recalled; empty where none is set."""
    cross_state: str = ""
    """How it stands, as `memory.cross_reading` names it."""
    leaves_to: str = ""
    """The host that prompts of replies go to; empty where they stay on this computer."""
