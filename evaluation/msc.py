"""Multi-session chats as MSC's files have them (Xu et al., 2022), one episode a line; none is part of this project.

    {"previous_dialogs": [{"dialog": [{"text": "…"}], "time_num": 5, "time_unit": "days"}],
        "dialog": [{"id": "Speaker 1", "text": "…"}], "self_instruct": {"B": "a question", "A": "its answer"}}

The earlier sessions are the conversation; without an `id` the two take turns, Speaker 1 first. `time_num` and `time_unit` are how long before the next session one was,
a day where the file does not say. Each reply of Speaker 2 in the last session is a question: the words before it are the cue, the session up to there its talk,
what the person really said its answer. `self_instruct`, where a file has it, is one more, asked by Speaker 2. No turn is named as evidence: there is nothing to retrieve.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chat.imported import ImportedConversation, ImportedMessage
from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion
from evaluation.layouts import START, first_line, lines_of, record_of

SPEAKERS = ("Speaker 1", "Speaker 2")
REPLY, ASKED = "reply", "self-instruct"
_UNITS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
_Words = Annotated[str, Field(max_length=MAX_MESSAGE_CHARS)]


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: _Words
    id: str = ""


class _Session(BaseModel):
    model_config = ConfigDict(extra="ignore")

    dialog: list[_Turn] = Field(min_length=1)
    time_num: float | None = Field(default=None, ge=0, le=10_000)
    time_unit: str | None = None


class _Probe(BaseModel):
    model_config = ConfigDict(extra="ignore")

    B: str
    A: str


class _Episode(BaseModel):
    model_config = ConfigDict(extra="ignore")

    previous_dialogs: list[_Session] = Field(min_length=1)
    dialog: list[_Turn] = Field(default_factory=list)
    self_instruct: _Probe | None = None


def is_msc(file: Path) -> bool:
    found = first_line(file)
    return isinstance(found, dict) and "previous_dialogs" in found


def read_msc(file: Path) -> RetrievalData:
    """Raises DataRefused."""
    conversations: list[ImportedConversation] = []
    questions: list[RetrievalQuestion] = []
    for number, line in lines_of(file):
        where = f"line {number}"
        episode = record_of(line, _Episode, file=file, where=where)
        key = f"{file.stem}/{number}"
        begins = _beginnings(episode.previous_dialogs, file, where)
        said = [
            message
            for place, (session, at) in enumerate(zip(episode.previous_dialogs, begins, strict=False), start=1)
            for message in _messages(session.dialog, at, place, file, where)
        ]
        if not said:
            raise DataRefused(file=file.name, where=where, reason="its earlier sessions hold no words")
        conversations.append(ImportedConversation(key, key, SPEAKERS, tuple(said), ()))
        questions += _questions(episode, key, begins[-1], file, where)
    if not questions:
        raise DataRefused(file=file.name, where="", reason="no episode has a last session, or a question")
    return RetrievalData(file.stem, tuple(conversations), (), len(questions), 0, 0, without_evidence=tuple(questions))


def _questions(episode: _Episode, key: str, at: datetime, file: Path, where: str) -> list[RetrievalQuestion]:
    last = _messages(episode.dialog, at, 1, file, where)
    found = []
    for place in range(1, len(last)):
        cue, reply = last[place - 1], last[place]
        if reply.speaker == SPEAKERS[1] and cue.speaker == SPEAKERS[0]:
            found.append(
                RetrievalQuestion(
                    f"{key}#{place}", key, cue.text, REPLY, (), asked_at=cue.said_at, talk=tuple(last[: place - 1]), answer=reply.text
                )
            )
    if episode.self_instruct is not None:
        probe = episode.self_instruct
        found.append(RetrievalQuestion(f"{key}#asked", key, probe.B.strip(), ASKED, (), asked_at=at, answer=probe.A.strip()))
    return found


def _beginnings(sessions: list[_Session], file: Path, where: str) -> list[datetime]:
    """When each session began and, last, when the current one does."""
    gaps = []
    for place, session in enumerate(sessions, start=1):
        unit = (session.time_unit or "day").rstrip("s")
        if unit not in _UNITS:
            raise DataRefused(
                file=file.name, where=f"{where}, session {place}", reason=f"its time_unit {session.time_unit!r} is none that is known"
            )
        gaps.append(timedelta(days=(1.0 if session.time_num is None else session.time_num) * _UNITS[unit]))
    at, found = START, [START]
    for gap in gaps:
        at += max(gap, timedelta(hours=1))
        found.append(at)
    return found


def _messages(turns: list[_Turn], at: datetime, session: int, file: Path, where: str) -> list[ImportedMessage]:
    said = []
    for place, turn in enumerate(turns):
        speaker = turn.id or SPEAKERS[place % 2]
        if speaker not in SPEAKERS:
            raise DataRefused(
                file=file.name, where=f"{where}, session {session}, turn {place + 1}", reason=f"its id is neither {' nor '.join(SPEAKERS)}"
            )
        if turn.text.strip():
            said.append(
                ImportedMessage(f"D{session}:{place + 1}", speaker, turn.text.strip(), at + timedelta(seconds=place), session, place + 1)
            )
    return said
