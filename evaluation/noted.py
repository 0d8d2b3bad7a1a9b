"""Dialogues with what people noted in them, and the questions they wrote: three layouts beside LoCoMo's; none is part of this project.

**ZH-4O** (MOOM 4, App. A), JSON, an object for each dialogue or a list of them. The paper describes the parts, a dialogue of a person with a role, memory points each
with its position, and questions with four options of which one is right; the names of fields are inferred, and several are taken::

    {"id": "…", "role": "…", "dialogue": [{"speaker": "user", "text": "…"}], "memories": [{"content": "…", "turns": [12]}],
        "probes": [{"question": "…", "options": {"A": "…", "B": "…", "C": "…", "D": "…"}, "answer": "A", "turns": [12]}]}

Turns count from 1, those in which nothing is said among them, which are left out. A `title` is read where there is one. `dialogue` may be called
`turns` or `messages`; `memories` `labels`, `annotations` or `memory`; `probes` `questions` or `qa`; a turn's speaker `role` or `name`, its words `content` or
`utterance`; a position `turn`, `position` or `index`. Whoever speaks first is the person, as both take turns.

**Our own export** (`docs/annotation.md`), `*.keepsake-annotation.jsonl`: dialogues with gold; what is not reviewed is in none. Version 1, and later ones as far as their
dialogues and gold read as in version 1.

**Chats**, a folder of conversations as people have them (SillyTavern's JSON lines, any layout of `chat.import_formats`) with `questions.jsonl` beside them, a line for a
question or a note; messages count from 1 as they are imported::

    {"chat": "name of the file without its ending", "question": "…", "evidence": [12], "answer": "…", "options": ["…", "…"], "right": 1}
    {"chat": "…", "note": "…", "about": "Mara", "evidence": [12]}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from chat.import_formats import read_exactly
from chat.imported import ImportedConversation, ImportedMessage
from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion, talk_files
from evaluation.labels import Label
from evaluation.layouts import START, first_line, lines_of, record_of, set_name, spoken_language, whole

ASKED, NOTED = "question", "memory point"
EXPORT, QUESTIONS = "keepsake-annotation", "questions.jsonl"
Noted = tuple[RetrievalData, tuple[Label, ...]]
_MEMORIES, _PROBES = ("memories", "labels", "annotations", "memory"), ("probes", "questions", "qa")
_Line = Annotated[str, Field(min_length=1, max_length=4000)]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Turn(_Loose):
    speaker: str = Field(min_length=1, max_length=200, validation_alias=AliasChoices("speaker", "role", "name"))
    text: str = Field(max_length=MAX_MESSAGE_CHARS, validation_alias=AliasChoices("text", "content", "utterance"))


class _Point(_Loose):
    content: _Line = Field(validation_alias=AliasChoices("content", "text", "memory"))
    turns: list[int] | int = Field(default_factory=list, validation_alias=AliasChoices("turns", "turn", "position", "index"))


class _Probe(_Loose):
    question: _Line
    options: dict[str, str] | list[str] = Field(min_length=2, max_length=8, validation_alias=AliasChoices("options", "choices"))
    answer: str
    turns: list[int] | int = Field(default_factory=list, validation_alias=AliasChoices("turns", "turn", "position", "index"))


class _Dialogue(_Loose):
    id: str | int = ""
    title: str = Field(default="", max_length=200)
    dialogue: list[_Turn] = Field(min_length=2, validation_alias=AliasChoices("dialogue", "turns", "messages"))
    memories: list[_Point] = Field(default_factory=list, validation_alias=AliasChoices(*_MEMORIES))
    probes: list[_Probe] = Field(default_factory=list, validation_alias=AliasChoices(*_PROBES))


def is_zh4o(file: Path) -> bool:
    """By its first bytes: a dialogue with probes or memory points beside it, and not LoCoMo's or MemBench's."""
    with file.open("rb") as stream:
        head = stream.read(4096)
    return (
        any(f'"{name}"'.encode() in head for name in ("dialogue", "turns", "messages"))
        and b'"message_list"' not in head
        and b"session_" not in head
    )


def names_notes(file: Path) -> bool:
    """Whether anything in a file is called as memory points or probes are."""
    held = file.read_bytes()
    return any(f'"{name}"'.encode() in held for name in (*_MEMORIES, *_PROBES))


def read_zh4o(file: Path) -> Noted:
    """Raises DataRefused."""
    loaded = whole(file)
    conversations: list[ImportedConversation] = []
    labels: list[Label] = []
    asked: list[RetrievalQuestion] = []
    for number, item in enumerate(loaded if isinstance(loaded, list) else [loaded], start=1):
        where = f"dialogue {number}"
        read = record_of(item, _Dialogue, file=file, where=where)
        key = f"{file.stem}/{read.id or number}"
        speakers = tuple(dict.fromkeys(turn.speaker for turn in read.dialogue if turn.text.strip()))
        if len(speakers) < 2:
            raise DataRefused(file=file.name, where=where, reason="one speaker alone says everything")
        said = tuple(
            ImportedMessage(f"T{n}", turn.speaker, turn.text.strip(), START + timedelta(minutes=n), 1, n)
            for n, turn in enumerate(read.dialogue, start=1)
            if turn.text.strip()
        )
        conversations.append(ImportedConversation(key, read.title.strip() or key, speakers, said, ()))
        for place, point in enumerate(read.memories, start=1):
            _places(point.turns, len(read.dialogue), file, f"{where}, memory {place}")
            labels.append(Label(key, 1, NOTED, point.content.strip(), speakers[0]))
        for place, probe in enumerate(read.probes, start=1):
            question = _probe(probe, f"{key}#q{place}", key, len(read.dialogue), file, f"{where}, probe {place}")
            there = {message.external_id for message in said}
            asked.append(replace(question, evidence=tuple(turn for turn in question.evidence if turn in there)))
    return _data(file.stem, conversations, asked), tuple(labels)


def _probe(probe: _Probe, id_: str, key: str, turns: int, file: Path, where: str) -> RetrievalQuestion:
    named = probe.options if isinstance(probe.options, dict) else dict(zip("ABCDEFGH", probe.options, strict=False))
    letters = sorted(named)
    answer = probe.answer.strip()
    right = answer if answer in named else next((letter for letter in letters if named[letter].strip() == answer), None)
    if right is None:
        raise DataRefused(file=file.name, where=where, reason="its answer is none of its options")
    evidence = _places(probe.turns, turns, file, where)
    return RetrievalQuestion(
        id_, key, probe.question.strip(), ASKED, evidence, options=tuple(named[letter] for letter in letters), right=letters.index(right)
    )


class _Header(_Loose):
    kind: Literal["keepsake-annotation"]
    version: int = Field(ge=1)


class _ExportTurn(_Loose):
    number: int = Field(ge=1)
    session: int = Field(ge=0)
    speaker: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=MAX_MESSAGE_CHARS)
    said_at: int = Field(ge=-(10**14), le=10**14)


class _ExportDialogue(_Loose):
    number: int = Field(ge=1)
    language: Literal["en", "zh"]
    turns: list[_ExportTurn] = Field(min_length=2)


class _Evidence(_Loose):
    turns: list[int] = Field(min_length=1)


class _GoldPoint(_Loose):
    text: _Line
    category: str = Field(min_length=1, max_length=200)
    evidence: _Evidence


class _Gold(_Loose):
    dialogue: int
    points: list[_GoldPoint]


class _Kind(_Loose):
    kind: str


def is_export(file: Path) -> bool:
    found = first_line(file)
    return isinstance(found, dict) and found.get("kind") == EXPORT


def read_export(file: Path) -> Noted:
    """Dialogues with gold, each point a label of its category, about who says its first message. Raises DataRefused."""
    dialogues: dict[int, _ExportDialogue] = {}
    gold: dict[int, _Gold] = {}
    ended = False
    for number, line in lines_of(file):
        where = f"line {number}"
        kind = record_of(line, _Kind, file=file, where=where).kind
        if number == 1:
            record_of(line, _Header, file=file, where=where)
        elif kind == "dialogue":
            dialogue = record_of(line, _ExportDialogue, file=file, where=where)
            dialogues[dialogue.number] = dialogue
        elif kind == "gold":
            points = record_of(line, _Gold, file=file, where=where)
            if points.dialogue not in dialogues:
                raise DataRefused(file=file.name, where=where, reason=f"it has no dialogue {points.dialogue}")
            gold[points.dialogue] = points
        ended = kind == "end"
    if not ended:
        raise DataRefused(file=file.name, where="", reason="it breaks off: its last line is not the end")
    if not gold:
        raise DataRefused(file=file.name, where="", reason="no dialogue has gold")
    made = [_exported(dialogues[number], points, file) for number, points in gold.items()]
    language = dialogues[next(iter(gold))].language
    data = RetrievalData(set_name(file).removesuffix(f".{EXPORT}"), tuple(c for c, _ in made), (), 0, 0, 0, language)
    return data, tuple(label for _, labels in made for label in labels)


def _exported(dialogue: _ExportDialogue, gold: _Gold, file: Path) -> tuple[ImportedConversation, list[Label]]:
    key = f"dialogue-{dialogue.number}"
    said = tuple(
        ImportedMessage(f"T{t.number}", t.speaker, t.text, _EPOCH + timedelta(milliseconds=t.said_at), t.session, t.number)
        for t in dialogue.turns
    )
    speakers = tuple(dict.fromkeys(m.speaker for m in said))
    if len(speakers) < 2:
        raise DataRefused(file=file.name, where=key, reason="one speaker alone says everything")
    by_number = {t.number: t for t in dialogue.turns}
    labels = []
    for place, point in enumerate(gold.points, start=1):
        first = by_number.get(point.evidence.turns[0])
        if first is None:
            raise DataRefused(file=file.name, where=f"{key}, point {place}", reason=f"it has no turn {point.evidence.turns[0]}")
        labels.append(Label(key, first.session, point.category, point.text, first.speaker))
    return ImportedConversation(key, key, speakers, said, ()), labels


class _Asked(_Loose):
    chat: str
    question: _Line | None = None
    note: _Line | None = None
    about: str = ""
    evidence: list[int] = Field(default_factory=list)
    answer: str = Field(default="", max_length=4000)
    options: list[_Line] = Field(default_factory=list, max_length=8)
    right: int | None = None


def is_chats(path: Path) -> bool:
    return path.is_dir() and (path / QUESTIONS).is_file()


def chat_files(path: Path) -> tuple[Path, ...]:
    return talk_files(path)


def read_chats(path: Path) -> Noted:
    """Raises DataRefused and ImportRefused."""
    conversations: dict[str, ImportedConversation] = {}
    file = path / QUESTIONS
    asked: list[RetrievalQuestion] = []
    labels: list[Label] = []
    stems = {p.stem: p for p in chat_files(path) if p != file}
    for number, line in lines_of(file):
        where = f"line {number}"
        one = record_of(line, _Asked, file=file, where=where)
        if one.chat not in stems:
            raise DataRefused(file=file.name, where=where, reason=f"no chat beside it is called {one.chat!r}")
        if one.chat not in conversations:
            conversations[one.chat] = read_exactly(stems[one.chat])[0]
        talk = conversations[one.chat]
        evidence = tuple(talk.messages[n - 1].external_id for n in _numbers(one.evidence, len(talk.messages), file, where))
        if (one.question is None) == (one.note is None):
            raise DataRefused(file=file.name, where=where, reason="it has to have either a question or a note")
        if one.note is not None:
            labels.append(Label(talk.key, 1, NOTED, one.note.strip(), one.about))
            continue
        if one.options and (one.right is None or not 1 <= one.right <= len(one.options)):
            raise DataRefused(file=file.name, where=where, reason="its field right is not the number of one of its options")
        asked.append(
            RetrievalQuestion(
                f"{one.chat}#{number}", talk.key, str(one.question).strip(), ASKED, evidence, options=tuple(one.options),
                right=None if one.right is None else one.right - 1, answer=one.answer.strip(),
            )
        )  # fmt: skip
    if len({c.key for c in conversations.values()}) < len(conversations):
        raise DataRefused(file=file.name, where="", reason="two chats have one name")
    if not conversations:
        raise DataRefused(file=file.name, where="", reason="it holds no question and no note")
    return _data(set_name(path), list(conversations.values()), asked), tuple(labels)


_EPOCH = START.replace(year=1970, month=1, day=1, hour=0)


def _data(name: str, conversations: Sequence[ImportedConversation], asked: Sequence[RetrievalQuestion]) -> RetrievalData:
    answered, bare = tuple(q for q in asked if q.evidence), tuple(q for q in asked if not q.evidence)
    language = spoken_language("".join(m.text for c in conversations for m in c.messages[:20]))
    return RetrievalData(name, tuple(conversations), answered, len(bare), 0, 0, language, without_evidence=bare)


def _numbers(turns: Sequence[int], most: int, file: Path, where: str) -> Sequence[int]:
    if wrong := [n for n in turns if not 1 <= n <= most]:
        raise DataRefused(file=file.name, where=where, reason=f"it names turn {wrong[0]} of {most}")
    return list(dict.fromkeys(turns))


def _places(turns: list[int] | int, most: int, file: Path, where: str) -> tuple[str, ...]:
    return tuple(f"T{n}" for n in _numbers(turns if isinstance(turns, list) else [turns], most, file, where))
