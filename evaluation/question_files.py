"""Question sets in other layouts than LoCoMo's, told apart by content; none is part of this project.

**LongMemEval**, JSON or JSON lines: `evaluation.longmemeval`.

**MADial-Bench**, a folder with `L-memory.jsonl` and `L-dialogue….jsonl` for a language L: what two people told once, and talks in which some of it should
come to mind::

    {"1": {"time": "2023-12-25", "event": "…"}}
    {"dialogue": ["<BOD>\\n", "<Ann>: \\"…\\"\\n", "<Assistant>: \\"…\\"\\n"], "test-turn": [8], "relevant-id": [1, 7], "user-id": 1}

Each person's memories make one conversation; each turn at which something should come to mind is a question, its words the person's last before it, the
talk before that its talk.

**MemBench**, JSON files: `evaluation.membench`. **MSC**, JSON lines: `evaluation.msc`. **MemoryBank** with its probing questions: `evaluation.memory_bank_files`.
**RoleMemo**: `evaluation.rolememo`. **ZH-4O**, chats with questions beside them, and our own export of annotated dialogues: `evaluation.noted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion, data_files, read_locomo
from evaluation.layouts import CHARACTER, date_of, fault_of, lines_of, record_of, set_name
from evaluation.longmemeval import is_longmemeval, read_longmemeval
from evaluation.membench import is_membench, read_membench
from evaluation.memory_bank_files import is_probing, read_memory_bank
from evaluation.msc import is_msc, read_msc
from evaluation.noted import EXPORT, Noted, chat_files, is_chats, is_export, is_zh4o, read_chats, read_export, read_zh4o
from evaluation.probe_table import BESIDE
from evaluation.rolememo import is_rolememo, read_rolememo

_SAID = re.compile(r"\s*<?(?P<who>[^<>:：]{1,60})>?\s*[:：]\s*(?P<words>.*?)\s*$", re.DOTALL)
_LISTENER = "Assistant"


class _Event(BaseModel):
    time: str
    event: str


@dataclass(frozen=True)
class _Dated:
    at: datetime
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
    if is_chats(path):
        return chat_files(path)
    if path.is_dir() and (lines := tuple(sorted(p for p in path.glob("*.jsonl") if p.name != BESIDE))):
        return (*lines, *sorted(path.glob("memory_bank_*.json"))) if any(map(is_probing, lines)) else lines
    return data_files(path)


def read_retrieval(path: Path) -> list[RetrievalData]:
    """The question sets of a path, one for each language in it, that name the turns that answer. Raises DataRefused and ImportRefused."""
    found = [data for data in read_questions(path) if data.questions]
    if not found:
        raise DataRefused(file=path.name, where="", reason="no question names the turns that answer it")
    return found


def read_questions(path: Path) -> list[RetrievalData]:
    """All question sets of a path, also of questions that name no turn. Raises DataRefused and ImportRefused."""
    if is_chats(path):
        return [read_chats(path)[0]]
    files = retrieval_files(path)
    if files[0].suffix != ".jsonl":
        if all(map(is_membench, files)):
            return [read_membench(file) for file in files]
        if all(map(is_longmemeval, files)):
            return [read_longmemeval(file, name=file.stem) for file in files]
        if all(map(is_rolememo, files)):
            return [data for data, _ in read_rolememo(files, name=set_name(path))]
        if all(map(is_zh4o, files)):
            return [read_zh4o(file)[0] for file in files]
        return [read_locomo(path)]
    if any(map(is_probing, files)):
        return read_memory_bank(path if path.is_dir() else path.parent)
    if all(map(is_export, files)):
        return [read_export(file)[0] for file in files]
    if all(map(is_msc, files)):
        return [read_msc(file) for file in files]
    talks = {f.name.split("-")[0]: f for f in files if "dialogue" in f.name}
    if talks:
        return [_madial(language, file, path) for language, file in sorted(talks.items())]
    return [read_longmemeval(files[0], name=set_name(path))]


def read_noted(path: Path) -> list[Noted]:
    """Dialogues with people's notes, in any of the layouts that have some but LoCoMo's; none where it is none of those. Raises DataRefused and ImportRefused."""
    if is_chats(path):
        return [read_chats(path)]
    files = tuple(sorted(path.glob(f"*.{EXPORT}.jsonl"))) if path.is_dir() else (path,)
    if files and all(f.suffix == ".jsonl" and is_export(f) for f in files):
        return [read_export(file) for file in files]
    files = retrieval_files(path)
    if all(f.suffix == ".json" and is_rolememo(f) for f in files):
        return list(read_rolememo(files, name=set_name(path)))
    if all(f.suffix == ".json" and is_zh4o(f) for f in files):
        return [read_zh4o(file) for file in files]
    return []


def _madial(language: str, file: Path, path: Path) -> RetrievalData:
    events: dict[str, _Dated] = {}
    for found in path.glob(f"{language}-memory*.jsonl"):
        for number, line in lines_of(found):
            where = f"line {number}"
            try:
                told = _MEMORIES.validate_json(line)
            except ValidationError as error:
                raise DataRefused(file=found.name, where=where, reason=fault_of(error)) from error
            for id_, event in told.items():
                if not id_.isdecimal() or len(id_) > 9:
                    raise DataRefused(file=found.name, where=where, reason=f"its field {id_[:60]!r} is no number of a memory")
                events[id_] = _Dated(date_of(event.time, found, where=where, field=f"{id_}.time"), event.event)
    dialogues: list[_Dialogue] = []
    for number, line in lines_of(file):
        one = record_of(line, _Dialogue, file=file, where=f"line {number}")
        if next(_speakers(one), None) is None and one.user_id not in {d.user_id for d in dialogues}:
            raise DataRefused(file=file.name, where=f"line {number}", reason="in its field dialogue nobody but the assistant speaks")
        dialogues.append(one)
    names = {d.user_id: who for d in dialogues if (who := next(iter(_speakers(d)), None))}
    conversations = {user: _told(f"{language}-{user}", name, events, names.values(), file) for user, name in sorted(names.items())}
    questions, unresolved = [], 0
    for n, dialogue in enumerate(dialogues):
        conversation = conversations[dialogue.user_id]
        known = {m.external_id for m in conversation.messages}
        evidence = tuple(dict.fromkeys(str(i) for i in dialogue.relevant_id if str(i) in known))
        unresolved += len(set(dialogue.relevant_id)) - len(evidence)
        for turn in dict.fromkeys(dialogue.test_turn):
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
        f"{set_name(path)}-{language}", tuple(conversations.values()), tuple(questions), cases - len(questions), unresolved, 0, language
    )


def _told(key: str, name: str, events: Mapping[str, _Dated], names: Iterable[str], file: Path) -> ImportedConversation:
    """One person's memories as they would have told them; a memory is of whom it names first."""
    mine = sorted(
        (event.at, int(i), event.event)
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
