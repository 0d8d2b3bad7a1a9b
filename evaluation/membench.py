"""MemBench files as question sets: short dialogues, each with one question of four options and the steps that answer it; none is part of this project.

    {"simple": {"roles": [{"tid": 0, "message_list": [STEP, …] or [[STEP, …], …], "QA": {"qid": 0, "question": "…", "time": "'2024-10-01 08:00' Tuesday",
        "target_step_id": [3, 7] or [[3, 0]], "choices": {"A": "…"}, "ground_truth": "A"}}]}}

A step is what a user and their assistant say (`user` or `user_message`; `agent`, `assistant` or `assistant_message`), or, in observation, a text or
`message` alone; it may have an id (`mid`, `sid`), a `time` and a `place`. A target is a step's place, or its id and the number of its session. Times often
stand in the words ("… time: '2024-10-01 08:00'") and are read from there. What a target names that is not there is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chat.imported import MAX_BYTES, ImportedConversation, ImportedMessage
from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion

USER, ASSISTANT = "user", "assistant"
START = datetime(2024, 1, 1, 9, tzinfo=UTC)
"""Of a dialogue whose file says no time."""
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}:\d{2}))?")
_TOLD_TIME = re.compile(r"time['’]?\s*:?\s*['‘](\d{4}-\d{2}-\d{2}[ T]\d{1,2}:\d{2})")
_STEP_KEYS = {USER: ("user", "user_message", "message"), ASSISTANT: ("agent", "assistant", "assistant_message")}


class _QA(BaseModel):
    model_config = ConfigDict(extra="ignore")

    question: str = Field(min_length=1, max_length=4000)
    target_step_id: Any = None
    choices: dict[str, Any] = Field(default_factory=dict)
    ground_truth: str | None = None
    time: str | None = None


class _Dialogue(BaseModel):
    model_config = ConfigDict(extra="ignore")

    message_list: list[Any] = Field(min_length=1)
    qa: _QA = Field(alias="QA")


def is_membench(file: Path) -> bool:
    """By its first bytes: whether reading it as MemBench is worth a try."""
    with file.open("rb") as stream:
        return b'"message_list"' in stream.read(65_536)


def read_membench(file: Path) -> RetrievalData:
    """Every dialogue a conversation, every question with its kind as category and the words of its steps as evidence. Raises DataRefused."""
    if file.stat().st_size > 8 * MAX_BYTES:
        raise DataRefused(file=file.name, where="", reason=f"it is larger than {8 * MAX_BYTES // 2**20} MB")
    try:
        loaded = json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataRefused(file=file.name, where="", reason="it is no JSON") from error
    conversations: list[ImportedConversation] = []
    answered: list[RetrievalQuestion] = []
    bare: list[RetrievalQuestion] = []
    unresolved = 0
    for where, kind, item in _dialogues(loaded, ()):
        try:
            dialogue = _Dialogue.model_validate(item)
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise DataRefused(file=file.name, where=where, reason=f"its field {field} is missing or of another form") from error
        key = f"{file.stem}/{where}"
        messages, steps = _messages(dialogue, file.name, where)
        evidence, lost = _evidence(dialogue.qa.target_step_id, steps)
        unresolved += lost
        conversations.append(ImportedConversation(key, key, (USER, ASSISTANT), messages, ()))
        options, right = _options(dialogue.qa)
        question = RetrievalQuestion(
            f"{key}#q", key, dialogue.qa.question.strip(), kind, evidence, asked_at=_at(dialogue.qa.time), options=options, right=right
        )
        (answered if evidence else bare).append(question)
    if not answered:
        raise DataRefused(file=file.name, where="", reason="no question names a step that answers it")
    return RetrievalData(file.stem, tuple(conversations), tuple(answered), len(bare), unresolved, 0, without_evidence=tuple(bare))


def _dialogues(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(where, kind, dialogue) of all there are, at whatever depth; the kind is the outermost name."""
    if isinstance(value, dict) and "message_list" in value:
        yield "/".join(path), path[0] if path else "all", value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _dialogues(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _dialogues(inner, (*path, str(number)))


def _messages(dialogue: _Dialogue, file: str, where: str) -> tuple[tuple[ImportedMessage, ...], list[tuple[set[str], tuple[str, ...]]]]:
    """(messages, steps): of each step the names a target may have for it, and the ids of its messages."""
    said: list[ImportedMessage] = []
    steps: list[tuple[set[str], tuple[str, ...]]] = []
    at = START - timedelta(minutes=1)
    for session, block in enumerate(dialogue.message_list):
        nested = isinstance(block, list)
        for place, step in enumerate(block if nested else [block]):
            number = len(steps)
            spoken = _spoken(step)
            if not spoken or any(len(text) > MAX_MESSAGE_CHARS for _, text in spoken):
                raise DataRefused(file=file, where=f"{where}, step {number}", reason="it has no words, or too many")
            at = max(_at(step.get("time") if isinstance(step, dict) else None) or _told(spoken) or at, at) + timedelta(seconds=1)
            ids = []
            for part, (speaker, text) in enumerate(spoken):
                ids.append(f"S{number}:{part}")
                said.append(
                    ImportedMessage(
                        ids[-1], speaker, text, at + timedelta(milliseconds=10 * part), session + 1 if nested else 1, number + 1
                    )
                )
            own = next((step[name] for name in ("mid", "sid") if isinstance(step, dict) and step.get(name) is not None), None)
            # A bare number is a place in flat lists; in sessions a step is called by its id, or its place, and its session.
            names = (
                {f"{own if own is not None else place},{session}"}
                if nested
                else {str(number), f"{number if own is None else own},{session}"}
            )
            steps.append((names, tuple(ids)))
    return tuple(said), steps


def _spoken(step: Any) -> list[tuple[str, str]]:
    if isinstance(step, str):
        return [(USER, step.strip())] if step.strip() else []
    if not isinstance(step, dict):
        return []
    place = f" (at {step['place']})" if isinstance(step.get("place"), str) and step["place"].strip() else ""
    found = []
    for speaker, names in _STEP_KEYS.items():
        text = next((step[name] for name in names if isinstance(step.get(name), str) and step[name].strip()), "")
        if text:
            found.append((speaker, text.strip() + (place if speaker == USER else "")))
    return found


def _evidence(target: Any, steps: list[tuple[set[str], tuple[str, ...]]]) -> tuple[tuple[str, ...], int]:
    """(ids of the messages that answer, how many targets name no step)."""
    wanted = [] if target is None else target if isinstance(target, list) else [target]
    found: dict[str, None] = {}
    lost = 0
    for one in wanted:
        name = ",".join(str(part) for part in one[:2]) if isinstance(one, list) else str(one)
        ids = next((ids for names, ids in steps if name in names), None)
        if ids is None and name.isdecimal() and len(name) < 10 and int(name) < len(steps):
            ids = steps[int(name)][1]
        if ids is None:
            lost += 1
        else:
            found.update(dict.fromkeys(ids))
    return tuple(found), lost


def _options(qa: _QA) -> tuple[tuple[str, ...], int | None]:
    letters = sorted(qa.choices)
    texts = [", ".join(map(str, c)) if isinstance(c, list) else str(c) for c in (qa.choices[letter] for letter in letters)]
    return tuple(texts), letters.index(qa.ground_truth) if qa.ground_truth in letters else None


def _told(spoken: list[tuple[str, str]]) -> datetime | None:
    return next((_at(match[1]) for _, text in spoken if (match := _TOLD_TIME.search(text))), None)


def _at(text: object) -> datetime | None:
    match = _TIME.search(text) if isinstance(text, str) else None
    if match is None:
        return None
    try:
        return datetime.strptime(f"{match[1]} {match[2] or '09:00'}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return None
