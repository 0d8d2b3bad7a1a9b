"""What the page is given to show: plain frozen values, no records, no SQL, no markup.

Every string in here may hold anything a person, a card, a file or a model wrote; whoever renders it must treat it as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True)
class CharacterView:
    id: str
    name: str
    tagline: str
    language: str
    """BCP 47: `en` or `zh`."""
    avatar: str
    """An SVG document drawn by us, or empty."""


@dataclass(frozen=True)
class ChatSummary:
    id: str
    title: str
    character_name: str
    language: str
    rounds: int
    last_said_at: datetime | None
    last_line: str


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
    """`user` or `character`."""
    name: str
    text: str
    said_at: datetime
    status: str
    """`complete`, `stopped` (a person stopped the reply), `cut` (the token limit ended it) or `failed` (the model failed midway)."""
    has_receipt: bool


@dataclass(frozen=True)
class TranscriptView:
    """A window of consecutive messages of the active path, oldest first."""

    messages: tuple[MessageView, ...]
    has_earlier: bool
    has_later: bool
    awaiting_reply: bool
    """The newest message is the user's and no reply is on its way: offer to ask for one."""


class Phase(StrEnum):
    """Where a reply stands; the last three are final."""

    RECALLING = "recalling"
    READING = "reading"
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
    """Who is replying."""
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

    @property
    def final(self) -> bool:
        """Nothing about it will change any more. A stop shows as `stopped` at once and is final when the partial reply is kept."""
        return self.committed and self.phase in (Phase.DONE, Phase.STOPPED, Phase.FAILED)


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


@dataclass(frozen=True)
class QueueView:
    waiting: int
    failed: int
    last_error: str


@dataclass(frozen=True)
class MemoriesView:
    memories: tuple[MemoryView, ...]
    """Highest score first, or the newest first when `order` says so."""
    total: int
    current_round: int
    queue: QueueView


@dataclass(frozen=True)
class CandidateView:
    """One candidate of a recall with everything that decided its place."""

    rank: int
    memory_id: str
    text: str
    first_round: int
    last_round: int
    said_at: datetime
    dense: float | None
    sparse: float | None
    fused: float
    effect: str
    """`reinforced`, `inhibited` or empty."""
    delivered: bool
    """Whether its text stood in the prompt that was sent."""
    reason: str
    """Why it was not delivered: `rank`, `budget`, `in_context` or empty."""


@dataclass(frozen=True)
class StatusView:
    model_name: str
    model_local: bool
    """The model runs on this computer."""
    model_small: bool
    """It is the bundled demo model."""
    embedder: str
    data_dir: str


@dataclass(frozen=True)
class SectionView:
    name: str
    """`card`, `history`, `memories` or `message`."""
    tokens: int
    items: int


@dataclass(frozen=True)
class ReceiptView:
    """What one reply was made from."""

    message_id: str
    round: int
    query: str
    made_at: datetime
    model: str
    embedder: str
    degraded: str
    """Empty, or why recall fell back to recent rounds and pins: `timeout` or `error`."""
    recall_ms: float
    first_token_ms: float | None
    candidates: tuple[CandidateView, ...]
    sections: tuple[SectionView, ...]
    prompt: tuple[tuple[str, str], ...]
    """(role, text) of every message as it was sent."""
