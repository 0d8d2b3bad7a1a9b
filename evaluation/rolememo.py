"""RoleMemo (DualMem 3, App. B) as question sets and cases; none is part of this project.

The set is not published yet. What is read are the files that its authors' published construction writes, one for each persona, or a list of such records::

    {"persona": {"role_name": "…", "core_values": "…", "background": "…", …},
     "samples": [{"insight": "…", "fragments": ["…", "…"], "test_question": {"text": "…", "type": "Decision Guidance"},
                  "dialogue": {"dialogue": [{"role": "User", "content": "…"}, {"role": "Assistant", "content": "…"}],
                               "fragment_positions": {"fragment_1": "the user's words that hold it", …}}}]}

A persona's samples follow each other, a day apart, as sessions of one conversation; every question is asked after the last. Evidence are the user's turns that hold the
fragments: those that `fragment_positions` names, else the turn that has most of a fragment's words and at least half of them. `persona` has the fields of Tab. 10, all of
which may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chat.imported import ImportedConversation, ImportedMessage
from chat.limits import MAX_MESSAGE_CHARS
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion
from evaluation.labels import Label
from evaluation.layouts import START, record_of, spoken_language, whole
from evaluation.rouge import words

PLAYER, NAMELESS = "User", "Assistant"
FACT = "fact"
HELD = 0.5
"""Of a fragment's words, in the turn that holds it; their own check takes it so."""
_TYPES = {"attribution": "attribution", "contradiction": "contradiction", "value": "value judgment", "decision": "decision"}
_Line = Annotated[str, Field(min_length=1, max_length=4000)]
_Some = str | list[str]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Turn(_Loose):
    role: Annotated[str, Field(min_length=1, max_length=200)]
    content: Annotated[str, Field(max_length=MAX_MESSAGE_CHARS)]


class _Woven(_Loose):
    dialogue: Annotated[list[_Turn], Field(min_length=1)]
    fragment_positions: dict[str, str] = Field(default_factory=dict)


class _Question(_Loose):
    text: _Line
    type: str = ""


class _Sample(_Loose):
    insight: _Line
    fragments: Annotated[list[_Line], Field(min_length=1, max_length=20)]
    test_question: _Question
    dialogue: _Woven


class PersonaFields(_Loose):
    """Tab. 10, and what its construction calls the whole of it."""

    role_name: str = ""
    category: str = ""
    title: str = ""
    core_values: _Some = ""
    personality: _Some = ""
    background: str = ""
    current_status: str = ""
    goals: _Some = ""
    dilemma: str = ""
    expression_style: str = ""
    hometown: str = ""
    hobbies: _Some = ""
    daily_hobby: str = ""
    favorite_food: str = ""
    favorite_animal: str = ""
    favorite_plant: str = ""
    preferred_travel_city: str = ""
    content: str = ""
    role_description: str = ""
    description: str = ""


class _Record(_Loose):
    persona: PersonaFields
    samples: Annotated[list[_Sample], Field(min_length=1)]


@dataclass(frozen=True)
class RoleSample:
    """What one question of a persona is about. facts: the fragments; told: the user's turns that hold them, where they were found."""

    question: RetrievalQuestion
    facts: tuple[str, ...]
    insight: str
    told: tuple[str, ...]


@dataclass(frozen=True)
class RolePersona:
    """A persona, all that was said to it, and its samples."""

    fields: PersonaFields
    language: str
    conversation: ImportedConversation
    samples: tuple[RoleSample, ...]
    lost: int
    """Fragments that no turn holds."""


def is_rolememo(file: Path) -> bool:
    """By its first bytes."""
    with file.open("rb") as stream:
        head = stream.read(1 << 20)
    return b'"persona"' in head and b'"samples"' in head and b'"fragments"' in head


def read_personas(files: Sequence[Path]) -> list[RolePersona]:
    """Raises DataRefused."""
    found: dict[str, RolePersona] = {}
    for file in files:
        loaded = whole(file)
        records = loaded if isinstance(loaded, list) else [loaded]
        for number, item in enumerate(records, start=1):
            where = f"persona {number}" if len(records) > 1 else ""
            record = record_of(item, _Record, file=file, where=where)
            key = f"{file.stem}/{number}" if len(records) > 1 else file.stem
            if key in found:
                raise DataRefused(file=file.name, where=where, reason=f"two personas are called {key}; give one file another name")
            found[key] = _persona(record, key, file, where)
    if not found:
        raise DataRefused(file=files[0].name if files else "", where="", reason="it holds no persona")
    return list(found.values())


def read_rolememo(files: Sequence[Path], *, name: str) -> list[tuple[RetrievalData, tuple[Label, ...]]]:
    """For each language that is spoken: questions with the turns that hold their fragments, and the fragments as notes of the user. Raises DataRefused."""
    personas = read_personas(files)
    languages = dict.fromkeys(p.language for p in personas)
    return [
        _set([p for p in personas if p.language == language], language, f"{name}-{language}" if len(languages) > 1 else name)
        for language in languages
    ]


def _set(personas: Sequence[RolePersona], language: str, name: str) -> tuple[RetrievalData, tuple[Label, ...]]:
    questions = [sample.question for p in personas for sample in p.samples]
    answered, bare = tuple(q for q in questions if q.evidence), tuple(q for q in questions if not q.evidence)
    labels = tuple(
        Label(p.conversation.key, number, FACT, fact, PLAYER)
        for p in personas
        for number, sample in enumerate(p.samples, start=1)
        for fact in sample.facts
    )
    lost = sum(p.lost for p in personas)
    conversations = tuple(p.conversation for p in personas)
    return RetrievalData(name, conversations, answered, len(bare), lost, 0, language, without_evidence=bare), labels


def _persona(record: _Record, key: str, file: Path, where: str) -> RolePersona:
    name = record.persona.role_name.strip() or NAMELESS
    name = name if name != PLAYER else NAMELESS
    said: list[ImportedMessage] = []
    samples: list[RoleSample] = []
    lost = 0
    for number, sample in enumerate(record.samples, start=1):
        place = ", ".join(filter(None, (where, f"sample {number}")))
        own: list[ImportedMessage] = []
        for t, turn in enumerate(sample.dialogue.dialogue, start=1):
            if text := turn.content.strip():
                speaker = PLAYER if turn.role.casefold() == "user" else name
                at = START + timedelta(days=number - 1, minutes=t)
                own.append(ImportedMessage(f"D{number}:{t}", speaker, text, at, number, len(said) + len(own) + 1))
        mine = [m for m in own if m.speaker == PLAYER]
        if not mine:
            raise DataRefused(file=file.name, where=place, reason="in its field dialogue.dialogue the role User says nothing")
        held = [_holding(fragment, n, sample.dialogue.fragment_positions, mine) for n, fragment in enumerate(sample.fragments, start=1)]
        lost += held.count(None)
        evidence = tuple(dict.fromkeys(m.external_id for m in held if m is not None))
        kind = sample.test_question.type.strip()
        category = next((ours for part, ours in _TYPES.items() if part in kind.casefold()), kind or "question")
        question = RetrievalQuestion(f"{key}#q{number}", key, sample.test_question.text.strip(), category, evidence)
        told = tuple(dict.fromkeys(m.text for m in held if m is not None))
        samples.append(RoleSample(question, tuple(f.strip() for f in sample.fragments), sample.insight.strip(), told))
        said += own
    language = spoken_language("".join(m.text for m in said[:40]))
    return RolePersona(record.persona, language, ImportedConversation(key, key, (PLAYER, name), tuple(said), ()), tuple(samples), lost)


def _holding(fragment: str, number: int, positions: dict[str, str], said: Sequence[ImportedMessage]) -> ImportedMessage | None:
    named = positions.get(f"fragment_{number}", "").strip()
    if named and (found := next((m for m in said if m.text == named), None)):
        return found
    wanted = set(words(fragment))
    if not wanted:
        return None
    shares = [len(wanted & set(words(m.text))) / len(wanted) for m in said]
    best = max(range(len(said)), key=lambda n: (shares[n], -n))
    return said[best] if shares[best] >= HELD else None
