"""What the task `roleplay` asks: cases of our own (`evaluation.insight_cases`), or RoleMemo's (`evaluation.rolememo`), as one kind of record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chat.imported import ImportedConversation
from evaluation.insight_cases import InsightCase, read_cases
from evaluation.insights import conversation_of
from evaluation.rolememo import NAMELESS, PersonaFields, RolePersona, is_rolememo, read_personas
from personas.cast import built_in
from personas.record import MAX_LINE_CHARS, Character, character_from_card
from storage.records import stable_id


@dataclass(frozen=True)
class RoleCase:
    """Cases of one conversation share it. told: what the judge is shown of it; facts, insight: what is to be recalled, by its words."""

    id: str
    language: str
    query_type: str
    character: Character
    conversation: ImportedConversation
    told: tuple[str, ...]
    facts: tuple[str, ...]
    insight: str | None
    query: str


def read_role_cases(path: Path) -> tuple[tuple[RoleCase, ...], tuple[Path, ...]]:
    """(cases, files). Raises DataRefused."""
    files = tuple(sorted(path.glob("*.json"))) if path.is_dir() else (path,)
    if files and all(f.suffix == ".json" and is_rolememo(f) for f in files):
        return tuple(case for persona in read_personas(files) for case in _of_persona(persona)), files
    characters = {c.id: c for c in built_in()}
    return tuple(_of_ours(case, characters[case.character]) for case in read_cases(path)), (path,)


def _of_ours(case: InsightCase, character: Character) -> RoleCase:
    facts = tuple(case.messages[number - 1] for number in case.telling)
    conversation = conversation_of(case, character.name)
    return RoleCase(case.id, case.language, case.query_type, character, conversation, tuple(case.messages), facts, case.stance, case.query)


def _of_persona(persona: RolePersona) -> list[RoleCase]:
    conversation = persona.conversation
    character = character_of(persona.fields, language=persona.language, key=conversation.key)
    return [
        RoleCase(
            s.question.id, persona.language, s.question.category, character, conversation, s.told or s.facts, s.facts, s.insight, s.question.text
        )
        for s in persona.samples
    ]  # fmt: skip


def character_of(fields: PersonaFields, *, language: str, key: str) -> Character:
    """A persona's record as a character. It has no stances: the set has none, and its gold insights are no part of who somebody is."""
    whole = fields.content or fields.role_description or fields.description
    record = {
        **{name: _line(getattr(fields, name)) for name in ("category", "role_name", "title", "hometown", "daily_hobby")},
        **{name: _line(getattr(fields, name)) for name in ("favorite_food", "favorite_animal", "favorite_plant", "preferred_travel_city")},
        **{name: _listed(getattr(fields, name)) for name in ("core_values", "goals", "hobbies")},
        **{name: getattr(fields, name)[:1000] for name in ("current_status", "dilemma", "expression_style")},
        "personality": _joined(fields.personality)[:1000],
        "background": fields.background,
        "content": whole,
    }
    card = {
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {
            "name": _line(fields.role_name) or NAMELESS,
            "description": whole,
            "first_mes": "",
            "extensions": {"keepsake": {"language": language, "tagline": "", "persona": record}},
        },
    }
    return character_from_card(card, id=stable_id("rolememo", key))


def _joined(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_LINE_CHARS].strip()


def _listed(value: str | Sequence[str]) -> list[str]:
    """A text is told apart at its semicolons; a part that is too long for a line is cut into lines."""
    parts = [" ".join(part.split()) for part in (value.replace("；", ";").split(";") if isinstance(value, str) else value)]
    lines = [part[n : n + MAX_LINE_CHARS].strip() for part in parts for n in range(0, len(part), MAX_LINE_CHARS)]
    return list(dict.fromkeys(line for line in lines if line))[:20]
