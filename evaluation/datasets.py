"""Data sets of questions, read from a path the user gives and recognised by content; none is part of this project.

LoCoMo-style files hold conversations (layout: `chat.import_formats`) with questions beside them::

    {"sample_id": "…", "conversation": {…}, "qa": [{"question": "…", "evidence": ["D1:3"], "category": 1}]}

A question may have `options`, a list of answers to choose among, and `right`, the place of the right one (from 0), as the annotation workbench writes them.

`evidence` names the turns that answer. The ids are sometimes glued ("D8:6; D9:17", "D9:1 D4:4"), padded ("D30:05"), misspelt ("D:11:26")
or torn ("D"): what can be read is read, what cannot is counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from chat.import_formats import ImportedConversation, read_exactly
from chat.imported import ImportedMessage
from errors import KeepsakeError

CATEGORIES: Mapping[int, str] = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""LoCoMo's numbers for the kinds of its questions."""
_TURN_ID = re.compile(r"D\s*:?\s*([0-9]{1,6})\s*:\s*([0-9]{1,6})", re.IGNORECASE)
_MAX_QUESTION_CHARS = 4000
_MAX_SAID = 400
LATER = timedelta(days=1)
"""When a question is asked whose file does not say, after the conversation's end."""


class DataRefused(KeepsakeError):
    """A data set that cannot be measured on; params: `file`, `where`, `reason`."""

    code = "data_refused"

    def __init__(self, *, file: str, where: str, reason: str) -> None:
        # Either may hold words of the file, and a file may hold anything.
        where, reason = (text if len(text) <= _MAX_SAID else f"{text[: _MAX_SAID - 1]}…" for text in (where, reason))
        super().__init__(f"{file}{', ' + where if where else ''}: {reason}. Nothing was measured.", file=file, where=where, reason=reason)


class EvaluationFailed(KeepsakeError):
    """What was to be measured could not be brought about."""

    code = "evaluation_failed"


@dataclass(frozen=True)
class RetrievalQuestion:
    id: str
    conversation_key: str
    text: str
    category: str
    """One of `CATEGORIES`, or what its data set calls its kind."""
    evidence: tuple[str, ...]
    """Ids of turns of the conversation, at least one of a question that is retrieved for, each once, in the order of the file."""
    asked_at: datetime | None = None
    """None where the file does not say: a day after the conversation's end."""
    talk: tuple[ImportedMessage, ...] = ()
    """What was said directly before, in a talk of its own that is no part of the conversation."""
    options: tuple[str, ...] = ()
    """Answers to choose among, where its data set gives some."""
    right: int | None = None
    """The place of the right one."""
    answer: str = ""
    """What is right to say, where its data set has it; empty also where nothing can be said (`abstain`)."""
    abstain: bool = False
    """Whether the right answer is that it was never told."""


def asked_at(question: RetrievalQuestion, conversation: ImportedConversation) -> datetime:
    return question.asked_at or conversation.messages[-1].said_at + LATER


@dataclass(frozen=True)
class RetrievalData:
    """What a retrieval run measures on, and what was left out of it."""

    name: str
    conversations: tuple[ImportedConversation, ...]
    questions: tuple[RetrievalQuestion, ...]
    questions_without_evidence: int
    """Questions left out because none of their evidence names a turn."""
    evidence_unresolved: int
    """Pieces of evidence that name no turn of their conversation, over all questions."""
    evidence_glued: int
    """Evidence strings that held more than one id."""
    language: str = "en"
    without_evidence: tuple[RetrievalQuestion, ...] = ()
    """Those of the questions left out that stand by themselves; a program that knows when to abstain has something to do with them."""

    @property
    def notices(self) -> tuple[str, ...]:
        """The counts in words, for a report."""
        return (
            f"{self.name}: {len(self.questions):,} questions on {len(self.conversations):,} conversations",
            f"questions left out, no evidence names a turn: {self.questions_without_evidence:,}",
            f"evidence that names no turn: {self.evidence_unresolved:,}; evidence strings of several ids: {self.evidence_glued:,}",
        )

    def first(self) -> RetrievalData:
        """Its first conversation alone, for a quick run."""
        key = self.conversations[0].key
        return replace(
            self,
            conversations=self.conversations[:1],
            questions=tuple(q for q in self.questions if q.conversation_key == key),
            without_evidence=tuple(q for q in self.without_evidence if q.conversation_key == key),
        )


TALK_SUFFIXES = (".json", ".jsonl", ".txt")
"""Of what the import reads."""


def data_files(path: Path) -> tuple[Path, ...]:
    """The files a data path means: itself, or a folder's `*.json` in order of name. Raises DataRefused when there is none."""
    files = tuple(sorted(p for p in path.glob("*.json") if p.is_file())) if path.is_dir() else (path,)
    if not files:
        raise DataRefused(file=path.name, where="", reason="the folder holds no .json file")
    return files


def read_locomo(path: Path) -> RetrievalData:
    """Conversations and retrieval questions of a LoCoMo-style file or folder of files.

    Raises DataRefused, and ImportRefused for a file or conversation that cannot be read at all.
    """
    conversations: list[ImportedConversation] = []
    questions: list[RetrievalQuestion] = []
    count: Counter[str] = Counter()
    for file in data_files(path):
        read = read_exactly(file)
        # The file is read a second time for its questions, which are no business of an import.
        for conversation, sample in zip(read, samples(file), strict=True):
            conversations.append(conversation)
            questions += _questions(sample, conversation, file, count)
    if twice := [key for key, n in Counter(c.key for c in conversations).items() if n > 1]:
        raise DataRefused(file=path.name, where="", reason=f"two conversations are called {twice[0]}")
    answered, bare = tuple(q for q in questions if q.evidence), tuple(q for q in questions if not q.evidence)
    if not answered:
        raise DataRefused(file=path.name, where="", reason="no question has evidence that names a turn")
    name = path.stem if path.is_file() else path.resolve().name
    return RetrievalData(name, tuple(conversations), answered, len(bare), count["unresolved"], count["glued"], without_evidence=bare)


def read_dialogues(path: Path) -> RetrievalData:
    """As `read_locomo`, where files with labels alone, as the annotation workbench writes them, need no questions. Raises as `read_locomo`."""
    files = data_files(path)
    read = [(file, read_exactly(file)) for file in files]
    if any("qa" in sample for file, _ in read for sample in samples(file)):
        return read_locomo(path)
    conversations = tuple(conversation for _, found in read for conversation in found)
    if twice := [key for key, n in Counter(c.key for c in conversations).items() if n > 1]:
        raise DataRefused(file=path.name, where="", reason=f"two conversations are called {twice[0]}")
    return RetrievalData(path.stem if path.is_file() else path.resolve().name, conversations, (), 0, 0, 0)


def talk_files(path: Path, *, but: str = "") -> tuple[Path, ...]:
    """The files of chats that a path means: itself, or a folder's but one, in order of name."""
    if not path.is_dir():
        return (path,)
    return tuple(sorted(p for p in path.iterdir() if p.is_file() and p.suffix in TALK_SUFFIXES and p.name != but))


def read_talks(path: Path, files: Sequence[Path]) -> RetrievalData:
    """Conversations alone, in any layout that the import reads, for what asks no questions. files: of `talk_files`. Raises DataRefused and ImportRefused."""
    found = tuple(conversation for file in files for conversation in read_exactly(file))
    if twice := [key for key, n in Counter(c.key for c in found).items() if n > 1]:
        raise DataRefused(file=path.name, where="", reason=f"two conversations are called {twice[0]}")
    if not found:
        raise DataRefused(file=path.name, where="", reason="the folder holds no conversation")
    return RetrievalData(path.stem if path.is_file() else path.resolve().name, found, (), 0, 0, 0)


def resolve_evidence(evidence: Sequence[str], turns: Mapping[str, str]) -> tuple[tuple[str, ...], int]:
    """The turns that evidence strings name, each once, and how many pieces name none.

    turns: `turn_index` of the conversation. What is left of a string besides ids and separators counts as one piece.
    """
    found: dict[str, None] = {}
    unresolved = 0
    for piece in evidence:
        for match in _TURN_ID.finditer(piece):
            turn = turns.get(_canonical(match))
            if turn is None:
                unresolved += 1
            else:
                found.setdefault(turn)
        unresolved += bool(re.sub(r"[\s;,]+", "", _TURN_ID.sub("", piece))) or not piece.strip()
    return tuple(found), unresolved


def turn_index(conversation: ImportedConversation) -> dict[str, str]:
    """Canonical id → id as the file spells it, for every turn whose id has LoCoMo's form `D<session>:<turn>`."""
    ids = (message.external_id for message in conversation.messages)
    return {_canonical(match): match[0] for id_ in ids if (match := _TURN_ID.fullmatch(id_))}


def _canonical(match: re.Match[str]) -> str:
    return f"D{int(match[1])}:{int(match[2])}"


def samples(file: Path) -> list[Mapping[str, object]]:
    """The objects of a file that `read_exactly` accepted."""
    try:
        loaded = json.loads(file.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:  # accepted as plain text
        raise DataRefused(file=file.name, where="", reason="it holds a conversation but no questions") from error
    return loaded if isinstance(loaded, list) else [loaded]


def _questions(
    sample: Mapping[str, object], conversation: ImportedConversation, file: Path, count: Counter[str]
) -> list[RetrievalQuestion]:
    entries = sample.get("qa")
    if not isinstance(entries, list):
        raise DataRefused(file=file.name, where=conversation.key, reason='it has no list of questions "qa"')
    turns = turn_index(conversation)
    questions: list[RetrievalQuestion] = []
    for number, entry in enumerate(entries, 1):
        where = f"{conversation.key}, question {number}"
        text, category, evidence, answer = _checked(entry, file=file.name, where=where)
        found, unresolved = resolve_evidence(evidence, turns)
        count["unresolved"] += unresolved
        count["glued"] += sum(len(_TURN_ID.findall(piece)) > 1 for piece in evidence)
        abstain = category == CATEGORIES[5]
        options, right = _options(entry, file=file.name, where=where)
        own = f"{conversation.key}-q{number}"
        questions.append(
            RetrievalQuestion(
                own, conversation.key, text, category, found,
                answer="" if abstain else answer, abstain=abstain, options=options, right=right,
            )
        )  # fmt: skip
    return questions


def _checked(entry: object, *, file: str, where: str) -> tuple[str, str, list[str], str]:
    if not isinstance(entry, dict):
        raise DataRefused(file=file, where=where, reason="a question is not an object")
    text, number, evidence = entry.get("question"), entry.get("category"), entry.get("evidence", [])
    if not isinstance(text, str) or not text.strip() or len(text) > _MAX_QUESTION_CHARS:
        raise DataRefused(file=file, where=where, reason=f"its question is no text of 1 to {_MAX_QUESTION_CHARS:,} characters")
    if not isinstance(number, int) or number not in CATEGORIES:
        raise DataRefused(file=file, where=where, reason=f"its category is not one of {min(CATEGORIES)} to {max(CATEGORIES)}")
    if not isinstance(evidence, list) or not all(isinstance(piece, str) for piece in evidence):
        raise DataRefused(file=file, where=where, reason="its evidence is not a list of texts")
    answer = entry.get("answer", "")
    return text.strip(), CATEGORIES[number], evidence, str(answer).strip() if isinstance(answer, str | int | float) else ""


def _options(entry: Mapping[str, object], *, file: str, where: str) -> tuple[tuple[str, ...], int | None]:
    """Those of a question, and the place of the right one; none for most."""
    options, right = entry.get("options"), entry.get("right")
    if options is None and right is None:
        return (), None
    if not isinstance(options, list) or not all(isinstance(one, str) and one.strip() for one in options):
        raise DataRefused(file=file, where=where, reason="its options are not a list of texts")
    if isinstance(right, bool) or not isinstance(right, int) or not 0 <= right < len(options):
        raise DataRefused(file=file, where=where, reason="the place of its right option is not one of theirs")
    return tuple(options), right
