"""LongMemEval as question sets, in two layouts; none is part of this project.

The benchmark's own files (S, M, oracle), a JSON list: each question has a history of its own, sessions with dates, the turns that answer marked::

    [{"question_id": "…", "question_type": "…", "question": "…", "question_date": "2023/05/30 (Tue) 08:15", "haystack_dates": ["2023/05/21 (Sun) 12:44"],
        "haystack_session_ids": ["…"], "haystack_sessions": [[{"role": "user", "content": "…", "has_answer": true}]]}]

and JSON lines of questions with the turns that answer them alone (`evidence_sessions`: `[{"date": "…", "turns": [{"role": "…", "content": "…"}]}]`); the turns
of all questions then make one conversation, in the order of their dates. Questions without evidence are kept apart; those whose id ends in `_abs` are to be
abstained from.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from chat.imported import MAX_BYTES, ImportedConversation, ImportedMessage
from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion
from evaluation.layouts import CHARACTER, PLAYER, date_of, lines_of, record_of


class _Turn(BaseModel):
    role: str
    content: str
    has_answer: bool = False


class _Session(BaseModel):
    date: str
    turns: list[_Turn]


class _Evidence(BaseModel):
    question_id: str
    question_type: str
    question: str
    question_date: str
    answer: str | int | float = ""
    evidence_sessions: list[_Session]


class _History(BaseModel):
    question_id: str
    question_type: str
    question: str
    question_date: str
    answer: str | int | float = ""
    haystack_dates: list[str]
    haystack_sessions: list[list[_Turn]]


_HISTORIES = TypeAdapter(list[_History])
ABSTAIN = "_abs"
_LARGEST = 64 * MAX_BYTES
"""Four gigabytes: the file of the longest histories holds some two and a half."""


def is_longmemeval(file: Path) -> bool:
    """By its first bytes: whether reading it as the benchmark's own file is worth a try."""
    with file.open("rb") as stream:
        return b'"haystack_' in stream.read(1 << 20)


def read_longmemeval(file: Path, *, name: str) -> RetrievalData:
    """Raises DataRefused."""
    return _histories(file, name) if file.suffix == ".json" else _evidence(file, name)


def _histories(file: Path, name: str) -> RetrievalData:
    if file.stat().st_size > _LARGEST:
        raise DataRefused(file=file.name, where="", reason=f"it is larger than {_LARGEST // 2**30} GB")
    try:
        asked = _HISTORIES.validate_json(file.read_bytes())
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        where = f"question {int(place[0]) + 1}" if place and isinstance(place[0], int) else ""
        raise DataRefused(
            file=file.name, where=where, reason=f"its {'.'.join(map(str, place[1:])) or 'form'} is missing or of another form"
        ) from error
    _once([item.question_id for item in asked], file)
    conversations: list[ImportedConversation] = []
    questions: list[RetrievalQuestion] = []
    bare: list[RetrievalQuestion] = []
    for item in asked:
        if len(item.haystack_dates) != len(item.haystack_sessions):
            raise DataRefused(file=file.name, where=item.question_id, reason="it has not one date for each session")
        messages, evidence = _history(item, file)
        conversations.append(ImportedConversation(item.question_id, item.question_id, (PLAYER, CHARACTER), messages, ()))
        at = date_of(item.question_date, file, where=item.question_id, field="question_date") if item.question_date else None
        question = _question(item, item.question_id, evidence, at)
        (questions if evidence else bare).append(question)
    if not questions:
        raise DataRefused(file=file.name, where="", reason="no question has evidence")
    return RetrievalData(name, tuple(conversations), tuple(questions), len(bare), 0, 0, without_evidence=tuple(bare))


def _once(ids: list[str], file: Path) -> None:
    if len(set(ids)) < len(ids):
        twice = next(name for place, name in enumerate(ids) if name in ids[:place])
        raise DataRefused(file=file.name, where=twice, reason="two questions have this question_id")


def _question(item: _History | _Evidence, key: str, evidence: tuple[str, ...], at: datetime | None) -> RetrievalQuestion:
    return RetrievalQuestion(
        item.question_id,
        key,
        item.question,
        item.question_type,
        evidence,
        asked_at=at,
        answer=str(item.answer).strip(),
        abstain=item.question_id.endswith(ABSTAIN),
    )


def _history(item: _History, file: Path) -> tuple[tuple[ImportedMessage, ...], tuple[str, ...]]:
    """(messages in the order of their dates, ids of those that answer)."""
    dated = sorted(
        (
            (date_of(date, file, where=item.question_id, field=f"haystack_dates.{place}"), place, turns)
            for place, (date, turns) in enumerate(zip(item.haystack_dates, item.haystack_sessions, strict=True))
        ),
        key=lambda session: session[:2],
    )
    said: list[ImportedMessage] = []
    evidence: list[str] = []
    at = datetime.min.replace(tzinfo=UTC)
    for number, (date, place, turns) in enumerate(dated, start=1):
        for t, turn in enumerate(turns):
            text = turn.content.strip()
            if not text:
                continue
            at = max(date + timedelta(seconds=t), at + timedelta(milliseconds=10))
            # Some answers of assistants run to tens of thousands of characters; what is past the limit of a message is cut.
            speaker = PLAYER if turn.role == "user" else CHARACTER
            said.append(ImportedMessage(f"{place}:{t}", speaker, text[:MAX_MESSAGE_CHARS], at, number, len(said) + 1))
            if turn.has_answer:
                evidence.append(f"{place}:{t}")
    if not said:
        raise DataRefused(file=file.name, where=item.question_id, reason="its sessions are empty")
    return tuple(said), tuple(evidence)


def _evidence(file: Path, name: str) -> RetrievalData:
    asked = []
    for number, line in lines_of(file):
        asked.append((f"line {number}", record_of(line, _Evidence, file=file, where=f"line {number}")))
    _once([item.question_id for _, item in asked], file)
    turns: list[tuple[datetime, str, _Turn, str]] = []
    questions: list[RetrievalQuestion] = []
    bare: list[RetrievalQuestion] = []
    for where, item in asked:
        ids = []
        for s, session in enumerate(item.evidence_sessions):
            for t, turn in enumerate(session.turns):
                ids.append(f"{item.question_id}:{s}:{t}")
                told = date_of(session.date, file, where=where, field=f"evidence_sessions.{s}.date")
                turns.append((told, ids[-1], turn, f"{item.question_id}:{s}"))
        at = date_of(item.question_date, file, where=where, field="question_date") if item.question_date else None
        question = _question(item, file.stem, tuple(ids), at)
        (questions if ids else bare).append(question)
    if not questions:
        raise DataRefused(file=file.name, where="", reason="no question has evidence")
    turns.sort(key=lambda turn: turn[:2])
    sessions = {key: n for n, key in enumerate(dict.fromkeys(turn[3] for turn in turns), start=1)}
    said = [
        ImportedMessage(id_, PLAYER if turn.role == "user" else CHARACTER, turn.content, at, sessions[key], n)
        for n, (at, id_, turn, key) in enumerate(turns, start=1)
    ]
    conversation = ImportedConversation(file.stem, file.stem, (PLAYER, CHARACTER), tuple(said), ())
    return RetrievalData(name, (conversation,), tuple(questions), len(bare), 0, 0, without_evidence=tuple(bare))
