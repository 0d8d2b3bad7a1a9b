"""Question sets in other layouts than LoCoMo's, told apart by content; none is part of this project.

**LongMemEval**, JSON lines: questions with the turns that answer them, from any number of sessions::

    {"question_id": "…", "question_type": "…", "question": "…", "question_date": "2023/05/30 (Tue) 08:15",
        "evidence_sessions": [{"date": "2023/05/21 (Sun) 12:44", "turns": [{"role": "user", "content": "…"}]}]}

The turns of all questions make one conversation, in the order of their dates. Questions without evidence are kept apart; those whose id ends in
`_abs` are to be abstained from.

**MADial-Bench**, a folder with `L-memory.jsonl` and `L-dialogue….jsonl` for a language L: what two people told once, and talks in which some of it should
come to mind::

    {"1": {"time": "2023-12-25", "event": "…"}}
    {"dialogue": ["<BOD>\\n", "<Ann>: \\"…\\"\\n", "<Assistant>: \\"…\\"\\n"], "test-turn": [8], "relevant-id": [1, 7], "user-id": 1}

Each person's memories make one conversation; each turn at which something should come to mind is a question, its words the person's last before it, the
talk before that its talk.

**MemBench**, JSON files: `evaluation.membench`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion, data_files, read_locomo
from evaluation.membench import is_membench, read_membench

PLAYER, CHARACTER = "user", "assistant"
_SAID = re.compile(r"\s*<?(?P<who>[^<>:：]{1,60})>?\s*[:：]\s*(?P<words>.*?)\s*$", re.DOTALL)
_LISTENER = "Assistant"


class _Turn(BaseModel):
    role: str
    content: str


class _Session(BaseModel):
    date: str
    turns: list[_Turn]


class _LongMemEval(BaseModel):
    question_id: str
    question_type: str
    question: str
    question_date: str
    evidence_sessions: list[_Session]


class _Event(BaseModel):
    time: str
    event: str


class _Dialogue(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    dialogue: list[str]
    test_turn: list[int] = Field(alias="test-turn")
    relevant_id: list[int] = Field(alias="relevant-id")
    user_id: int = Field(alias="user-id")


_MEMORIES = TypeAdapter(dict[str, _Event])


def retrieval_files(path: Path) -> tuple[Path, ...]:
    """The files that a path to a question set means. Raises DataRefused."""
    if path.is_dir() and (lines := tuple(sorted(path.glob("*.jsonl")))):
        return lines
    return data_files(path)


def read_retrieval(path: Path) -> list[RetrievalData]:
    """The question sets of a path, one for each language in it. Raises DataRefused and ImportRefused."""
    files = retrieval_files(path)
    if files[0].suffix != ".jsonl":
        return [read_membench(file) for file in files] if all(map(is_membench, files)) else [read_locomo(path)]
    talks = {f.name.split("-")[0]: f for f in files if "dialogue" in f.name}
    if talks:
        return [_madial(language, file, path) for language, file in sorted(talks.items())]
    return [_longmemeval(files[0], path)]


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        yield from ((n, line) for n, line in enumerate(stream, start=1) if line.strip())


def _longmemeval(file: Path, path: Path) -> RetrievalData:
    asked = []
    for number, line in _lines(file):
        try:
            item = _LongMemEval.model_validate_json(line)
        except ValidationError as error:
            raise DataRefused(file=file.name, where=f"line {number}", reason="it is no LongMemEval question") from error
        asked.append(item)
    turns: list[tuple[datetime, str, _Turn, str]] = []
    questions: list[RetrievalQuestion] = []
    bare: list[RetrievalQuestion] = []
    for item in asked:
        ids = []
        for s, session in enumerate(item.evidence_sessions):
            for t, turn in enumerate(session.turns):
                ids.append(f"{item.question_id}:{s}:{t}")
                turns.append((_date(session.date, file), ids[-1], turn, f"{item.question_id}:{s}"))
        at = _date(item.question_date, file) if item.question_date else None
        question = RetrievalQuestion(item.question_id, file.stem, item.question, item.question_type, tuple(ids), asked_at=at)
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
    return RetrievalData(_name(path), (conversation,), tuple(questions), len(bare), 0, 0, without_evidence=tuple(bare))


def _date(text: str, file: Path) -> datetime:
    bare = re.sub(r"\s*\([^)]*\)", "", text).strip().replace("-", "/").replace(".", "/")
    for form in ("%Y/%m/%d %H:%M", "%Y/%m/%d"):
        try:
            return datetime.strptime(bare, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise DataRefused(file=file.name, where="", reason=f"{text!r} is no date")


def _madial(language: str, file: Path, path: Path) -> RetrievalData:
    events: dict[str, _Event] = {}
    for found in path.glob(f"{language}-memory*.jsonl"):
        for number, line in _lines(found):
            try:
                events |= _MEMORIES.validate_json(line)
            except ValidationError as error:
                raise DataRefused(file=found.name, where=f"line {number}", reason="it holds no memories") from error
    dialogues = []
    for number, line in _lines(file):
        try:
            dialogues.append(_Dialogue.model_validate_json(line))
        except ValidationError as error:
            raise DataRefused(file=file.name, where=f"line {number}", reason="it is no dialogue") from error
    names = {d.user_id: who for d in dialogues if (who := next(iter(_speakers(d)), None))}
    conversations = {user: _told(f"{language}-{user}", name, events, names.values(), file) for user, name in sorted(names.items())}
    questions, unresolved = [], 0
    for n, dialogue in enumerate(dialogues):
        conversation = conversations[dialogue.user_id]
        known = {m.external_id for m in conversation.messages}
        evidence = tuple(dict.fromkeys(str(i) for i in dialogue.relevant_id if str(i) in known))
        unresolved += len(set(dialogue.relevant_id)) - len(evidence)
        for turn in dialogue.test_turn:
            talk = _talk(dialogue.dialogue[:turn], names[dialogue.user_id], conversation.messages[-1].said_at + timedelta(days=1))
            # What answers the person's words before that turn is the character's own, and no cue.
            while talk and talk[-1].speaker == CHARACTER:
                talk = talk[:-1]
            if evidence and talk:
                questions.append(
                    RetrievalQuestion(
                        f"{language}-{n}-{turn}",
                        conversation.key,
                        talk[-1].text,
                        language,
                        evidence,
                        asked_at=talk[-1].said_at,
                        talk=talk[:-1],
                    )
                )
    cases = sum(len(d.test_turn) for d in dialogues)
    return RetrievalData(
        f"{_name(path)}-{language}", tuple(conversations.values()), tuple(questions), cases - len(questions), unresolved, 0, language
    )


def _told(key: str, name: str, events: Mapping[str, _Event], names: Iterable[str], file: Path) -> ImportedConversation:
    """One person's memories as they would have told them; a memory is of whom it names first."""
    mine = sorted(
        (_date(event.time, file), int(i), event.event)
        for i, event in events.items()
        if min((n for n in names if n in event.event), key=event.event.index, default="") == name
    )
    if not mine:
        raise DataRefused(file=file.name, where=key, reason=f"no memory names {name}")
    said = tuple(
        ImportedMessage(str(i), name, text, at + timedelta(hours=12, seconds=n), n + 1, n + 1) for n, (at, i, text) in enumerate(mine)
    )
    return ImportedConversation(key, key, (name, CHARACTER), said, ())


def _speakers(dialogue: _Dialogue) -> Iterator[str]:
    for line in dialogue.dialogue:
        match = _SAID.match(line)
        if match and match["who"].strip() not in ("BOD", "EOD", _LISTENER):
            yield match["who"].strip()


def _talk(lines: Iterable[str], name: str, start: datetime) -> tuple[ImportedMessage, ...]:
    said = []
    for n, line in enumerate(lines, start=1):
        match = _SAID.match(line)
        if match:
            who = CHARACTER if match["who"].strip() == _LISTENER else name
            said.append(ImportedMessage(f"talk{n}", who, match["words"].strip('"“”'), start + timedelta(minutes=n), 1, n))
    return tuple(said)


def _name(path: Path) -> str:
    return path.stem if path.is_file() else path.resolve().name
