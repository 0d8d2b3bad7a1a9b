"""MemoryBank's chats with their probing questions (Zhong et al., 2024); none is part of this project.

A folder with `memory_bank_LANGUAGE.json`, diaries as `chat.import_formats` reads them, and `probing_questions_LANGUAGE.jsonl`, a person a line::

    {"Emily": ["What film did I recommend?", "…"]}

The file has no answers and names no turns: answers can only be judged against the person's whole history (`evaluation.answers`).
"""

from __future__ import annotations

import json
from pathlib import Path

from chat.import_formats import read_exactly
from chat.imported import ImportedConversation
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion
from evaluation.layouts import first_line, lines_of, set_name

PROBING = "probing"
_BANK, _QUESTIONS = "memory_bank_", "probing_questions_"


def is_probing(file: Path) -> bool:
    found = first_line(file)
    return file.name.startswith(_QUESTIONS) and isinstance(found, dict) and all(isinstance(value, list) for value in found.values())


def read_memory_bank(path: Path) -> list[RetrievalData]:
    """One set for each language of a folder. Raises DataRefused and ImportRefused."""
    return [_read(file, path) for file in sorted(path.glob(f"{_QUESTIONS}*.jsonl"))]


def _read(file: Path, path: Path) -> RetrievalData:
    language = file.stem.removeprefix(_QUESTIONS)
    bank = path / f"{_BANK}{language}.json"
    if not bank.is_file():
        raise DataRefused(file=file.name, where="", reason=f"{bank.name} is not beside it")
    conversations = {c.key: c for c in read_exactly(bank)}
    asked: list[RetrievalQuestion] = []
    for number, line in lines_of(file):
        for who, questions in _line(line, file, number).items():
            where = f"line {number}, {who}"
            key = _found(conversations, who)
            if key is None:
                raise DataRefused(file=file.name, where=where, reason=f"{bank.name} has nobody of that name")
            for place, text in enumerate(questions, start=1):
                if not isinstance(text, str) or not text.strip():
                    raise DataRefused(file=file.name, where=f"{where}, question {place}", reason="it is no text")
                asked.append(RetrievalQuestion(f"{who}-q{place}", key, text.strip().strip('"').strip(), PROBING, ()))
    if not asked:
        raise DataRefused(file=file.name, where="", reason="it holds no question")
    return RetrievalData(
        f"{set_name(path)}-{language}", tuple(conversations.values()), (), len(asked), 0, 0, language, without_evidence=tuple(asked)
    )


def _line(line: bytes, file: Path, number: int) -> dict[str, list[object]]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataRefused(file=file.name, where=f"line {number}", reason="it is no JSON") from error
    if not isinstance(found, dict) or not all(isinstance(value, list) for value in found.values()):
        raise DataRefused(file=file.name, where=f"line {number}", reason="it is no object of names with their questions")
    return found


def _found(conversations: dict[str, ImportedConversation], who: str) -> str | None:
    return next((key for key, c in conversations.items() if who in (key, c.title, *c.speakers)), None)
