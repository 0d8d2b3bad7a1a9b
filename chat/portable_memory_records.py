"""The records of a bundle that are about memory: what is remembered, what called it up, what a reply was made from, what a person decided."""

# ruff: noqa: RUF012 - Pydantic copies defaults
from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator

from chat.portable_fields import (
    MAX_TEXT_CHARS,
    SEEN,
    Count,
    Day,
    Hash,
    Id,
    Line,
    Object,
    Offset,
    Part,
    Round,
    Text,
    Time,
    Word,
    on_the_calendar,
)
from storage.readings_rows import READINGS
from storage.receipts import prompt_hash
from storage.records import CARRIED, TAKEN_BACK, UNIT


class Source(Part):
    revision: Id
    sha256: Hash


class _PlotLine(BaseModel):
    model_config = ConfigDict(strict=True)
    text: Text
    round: Round
    said_at: Time


class _Carried(BaseModel):
    """Where what came along was remembered first, and what came at once."""

    model_config = ConfigDict(strict=True, extra="forbid")
    title: Line
    character: Line
    chat: Id | Literal[""]
    first: Round
    last: Round
    edited: bool
    batch: Id


class _Payload(BaseModel):
    """The fields of a payload that this program reads; others pass."""

    model_config = ConfigDict(strict=True)
    tier: Annotated[int, Field(ge=1, le=9)] = 1
    lines: Annotated[list[_PlotLine], Field(max_length=1_000)] = []
    key: Line = ""
    quote: Text = ""
    place: Count = 0
    player: bool = False
    stance: Line = ""
    cites: Annotated[list[Id], Field(max_length=1_000)] = []
    model: Line = ""
    lens: Count = 0
    anchor: Line = ""
    rounds: Annotated[list[Count], Field(max_length=1_000)] = []
    continues: Annotated[list[Id], Field(max_length=1_000)] = []
    carried: _Carried | None = None


class MemoryRecord(Part):
    type: Literal["memory"]
    id: Id
    kind: Literal["episode", "fact", "insight", "plot", "persona", "topic"]
    text: Text
    sha256: Hash
    language: Word
    subject: Line = ""
    said_by: Line = ""
    knowers: Annotated[list[Line], Field(max_length=1_000)] = []
    payload: Object = {}
    round_first: Round
    round_last: Round
    said_at: Day
    utc_offset: Offset = 0
    """Of `said_at`, and of the days below: midnight of the one and the last second of the other by that wall."""
    event_from: Day | None = None
    event_to: Day | None = None
    trust: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0
    pinned: bool = False
    excluded: bool = False
    status: Literal["active", "forgotten", "superseded", "deleted"] = "active"
    origin: Literal["model", "user"] = "model"
    slot: Line = ""
    slot_rank: Line = ""
    derivation_key: Line
    source_count: Count
    """How many messages it was derived from; with sources for fewer it is shown nowhere."""
    sources: Annotated[list[Source], Field(max_length=10_000)] = []
    grounds: Annotated[list[Id], Field(max_length=10_000)] = []
    created_at: Time

    @model_validator(mode="after")
    def _sound(self) -> MemoryRecord:
        payload = _Payload.model_validate(self.payload)
        told = payload.lines or self.slot.startswith(UNIT) or self.slot == TAKEN_BACK
        if self.kind == "plot" and self.status != "deleted" and not (told and "tier" in self.payload):
            raise ValueError("a plot without a tier or lines")
        if self.status == "deleted" and (self.text or self.payload):
            raise ValueError("it was deleted for good, but its words are there")
        for moment in (self.said_at, self.event_from, self.event_to):
            on_the_calendar(moment, self.utc_offset)
        if self.round_last < self.round_first:
            raise ValueError("its last round comes before its first")
        if self.status != "deleted":
            self._rests_where_it_says(payload)
        return self

    def _rests_where_it_says(self, payload: _Payload) -> None:
        """What rests on no message is on every path: only what came along does, in no place that anything said later would have. Raises ValueError."""
        nowhere = self.source_count == 0 and not self.sources
        if (payload.carried is not None) != nowhere or (payload.carried is None and CARRIED in self.payload):
            raise ValueError("it rests on no message and came along from nowhere, or it did both")
        if payload.carried is None:
            if self.round_first < 0:
                raise ValueError("its rounds come before the beginning")
        elif self.kind == "episode" or self.origin != "user" or self.sources or self.round_last >= 0:
            raise ValueError("it came along from another conversation, and says that it was made here")
        elif self.slot and not (self.kind == "insight" and self.slot.startswith(READINGS[0])):
            raise ValueError("it came along from another conversation, and has a place in this one")


class DerivationRecord(Part):
    type: Literal["derivation"]
    key: Id
    kind: Word
    version: Line
    output: Text
    created_at: Time


class RecallEvent(Part):
    memory: Id
    round: Count
    rank: Count
    effect: Literal["reinforced", "inhibited"]
    created_at: Time
    witness: Line = ""
    """Of several characters whose memory it was, as in the next but one."""


class RecallRecord(Part):
    """What a message called up."""

    type: Literal["recall"]
    message: Id
    events: Annotated[list[RecallEvent], Field(min_length=1, max_length=10_000)]


class ForgettingRecord(Part):
    type: Literal["forgetting"]
    memory: Id
    message: Id
    round: Count
    effect: Literal["forgotten", "restored"]
    created_at: Time
    witness: Line = ""


class _Candidate(BaseModel):
    model_config = ConfigDict(strict=True)
    memory_id: Id
    dense: float | None
    sparse: float | None
    fused: float
    learned: float | None = None
    parts: Annotated[dict[Word, float], Field(max_length=100)] = {}
    effect: Word
    delivered: bool
    reason: Word
    overtaken_by: Id | Literal[""] = ""


class _LeftOut(BaseModel):
    model_config = ConfigDict(strict=True)
    memory_id: Id
    place: Count
    reason: Word
    round: Count | None
    by: Id | Literal[""]


class _Citations(BaseModel):
    model_config = ConfigDict(strict=True)
    by: Literal["model", "words", ""]
    memories: Annotated[list[Id], Field(max_length=10_000)]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True)
    name: Word
    tokens: Count
    items: Count


class _LoreEntry(BaseModel):
    model_config = ConfigDict(strict=True)
    n: Count
    name: Line
    by: Line
    through: Count
    tokens: Count
    delivered: bool
    book: Line = ""


class _Body(BaseModel):
    """The fields of a receipt that this program shows; others pass."""

    model_config = ConfigDict(strict=True)
    query: Text
    model: Line
    embedder: Line
    degraded: Word
    cross: Word = ""
    recall_ms: float
    first_token_ms: float | None
    candidates: Annotated[list[_Candidate], Field(max_length=10_000)]
    sections: Annotated[list[_Section], Field(max_length=1_000)]
    prompt: Annotated[list[Annotated[list[Text], Field(min_length=2, max_length=2)]], Field(max_length=10_000)]
    pinned: Annotated[list[Id], Field(max_length=10_000)] = []
    citations: _Citations | None = None
    left_out: Annotated[list[_LeftOut], Field(max_length=1_000)] | None = None
    lore: Annotated[list[_LoreEntry], Field(max_length=10_000)] = []
    window: Count = 0
    reply: Count = 0
    sha256: Hash | Literal[""] = ""
    sources: Annotated[list[Id | Literal[""]], Field(max_length=10_000)] = []
    tail: Annotated[int, Field(ge=0, le=MAX_TEXT_CHARS)] = 0
    thoughts: Text = ""

    @model_validator(mode="after")
    def _agreeing(self) -> _Body:
        if self.sha256 and self.sha256 != prompt_hash(self.prompt):
            raise ValueError("sha256 is not that of the prompt")
        if self.sources and (len(self.sources) != len(self.prompt) or self.tail > len(self.prompt[-1][1])):
            raise ValueError("sources or tail do not fit the prompt")
        return self


class ReceiptRecord(Part):
    type: Literal["receipt"]
    id: Id
    message: Id
    revision: Id | None = None
    body: Object
    created_at: Time

    @model_validator(mode="after")
    def _sound(self, info: ValidationInfo) -> ReceiptRecord:
        if info.context is not SEEN:
            _Body.model_validate(self.body)
        return self


class EditRecord(Part):
    """What a person decided about a memory."""

    type: Literal["edit"]
    memory: Id
    action: Literal["edit", "pin", "unpin", "exclude", "include", "restore", "tombstone"]
    content: Text = ""
    content_sha256: Hash | Literal[""] = ""
    message: Id | Literal[""] = ""
    created_at: Time
