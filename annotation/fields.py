"""What comes from a page or a file, checked before it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from annotation.errors import FieldMissing, FieldRefused, FieldTooLong, NoPlace, QuoteMoved
from storage.annotation_records import Evidence, Point, Quote, Turn

MAX_TEXT, MAX_NOTE, MAX_NAME, MAX_GUIDELINE = 500, 2_000, 120, 40_000
MAX_ROUNDS = 10_000
MAX_TURNS, MAX_QUOTES, MAX_CATEGORIES, MAX_PLACE = 200, 40, 12, 1_000_000
REASONS = ("ambiguous_text", "guideline_gap", "annotator_error", "edge_case", "subjective", "other")
"""Why a difference was decided as it was."""
VERDICTS = ("agreed", "a", "b", "edited", "merged", "rejected", "added")
LANGUAGES = ("en", "zh")

_Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT)]
_Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NOTE)]
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME)]


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class QuoteFields(_Fields):
    turn: int = Field(ge=1, le=MAX_PLACE)
    start: int = Field(ge=0, le=MAX_PLACE)
    end: int = Field(ge=1, le=MAX_PLACE)
    text: str = Field(min_length=1, max_length=20_000)


class EvidenceFields(_Fields):
    turns: list[Annotated[int, Field(ge=1, le=MAX_PLACE)]] = Field(max_length=MAX_TURNS)
    quotes: list[QuoteFields] = Field(default_factory=list, max_length=MAX_QUOTES)


class GoldFields(_Fields):
    """What an adjudicated point says."""

    text: _Text
    category: str = Field(max_length=MAX_NAME)
    language: Literal["en", "zh"]
    evidence: EvidenceFields


class PointFields(GoldFields):
    id: _Id
    note: _Note = ""
    unclear: bool = False
    version: int = Field(default=0, ge=0)
    suggestion: _Id | Literal[""] = ""
    """That it is made from."""


class DecisionFields(_Fields):
    verdict: Literal["agreed", "a", "b", "edited", "merged", "rejected", "added"]
    point: GoldFields | None = None
    """As it is to be, where it is not one of the two as they are."""
    into: str = Field(default="", max_length=64)
    """Of a merged one: the part it goes into."""
    reason: Literal["", "ambiguous_text", "guideline_gap", "annotator_error", "edge_case", "subjective", "other"] = ""
    confidence: int = Field(default=0, ge=0, le=3)
    """1 unsure to 3 sure; 0 where both agreed."""
    note: _Note = ""
    flag: bool = False
    """The guideline should be changed."""


class ProjectFields(_Fields):
    name: _Name
    overlap: int = Field(ge=1, le=2)
    lease_hours: int = Field(ge=1, le=2160)
    categories: list[_Name] = Field(min_length=1, max_length=MAX_CATEGORIES)
    guideline: str = Field(max_length=MAX_GUIDELINE)
    briefing: str = Field(default="", max_length=MAX_GUIDELINE)
    target_rounds: int = Field(default=0, ge=0, le=MAX_ROUNDS)


_F = TypeVar("_F", bound=BaseModel)


def read(kind: type[_F], value: object) -> _F:
    """The fields of a request or a line of a file. Raises FieldMissing, FieldTooLong or FieldRefused, naming the field."""
    try:
        return kind.model_validate(storable(value))
    except ValidationError as error:
        first = error.errors()[0]
        field = next((str(part) for part in first["loc"] if isinstance(part, str)), "")
        limit = first.get("ctx", {}).get("max_length", 0)
        if first["type"] in ("missing", "string_too_short", "too_short"):
            raise FieldMissing(f"“{field}” is empty. Nothing was changed.", field=field) from error
        if first["type"] in ("string_too_long", "too_long"):
            raise FieldTooLong(f"“{field}” is too long; {limit} is the most. Nothing was changed.", field=field, limit=limit) from error
        raise FieldRefused(f"“{field}” is not as it should be ({first['msg']}). Nothing was changed.", field=field) from error


def evidence(fields: EvidenceFields, turns: Sequence[Turn]) -> Evidence:
    """Where something stands, held against the dialogue. Raises NoPlace, QuoteMoved."""
    texts = {turn.number: turn.text for turn in turns}
    quotes = tuple(sorted({(q.turn, q.start, q.end, q.text) for q in fields.quotes}))
    for turn, start, end, text in quotes:
        if texts.get(turn, "")[start:end] != text or start >= end:
            raise QuoteMoved("A quote does not stand in the dialogue where it says. Nothing was changed; choose the words again.")
    chosen = tuple(sorted({*fields.turns, *(turn for turn, *_ in quotes)}))
    if not chosen or any(turn not in texts for turn in chosen):
        raise NoPlace("Choose at least one message that this is told in. Nothing was changed.")
    return Evidence(chosen, tuple(Quote(*quote) for quote in quotes))


def point(fields: PointFields, turns: Sequence[Turn], categories: Sequence[str]) -> Point:
    """Raises as `evidence`, and FieldMissing for a category that the project has not."""
    _category(fields.category, categories)
    return Point(
        id=fields.id,
        number=0,
        text=fields.text,
        category=fields.category,
        language=fields.language,
        evidence=evidence(fields.evidence, turns),
        note=fields.note,
        unclear=fields.unclear,
        version=fields.version,
    )


def gold_content(fields: GoldFields, turns: Sequence[Turn], categories: Sequence[str]) -> dict[str, object]:
    _category(fields.category, categories)
    where = evidence(fields.evidence, turns)
    return {"text": fields.text, "category": fields.category, "language": fields.language, "evidence": where.value()}


def _category(category: str, categories: Sequence[str]) -> None:
    if category not in categories:
        raise FieldMissing("Choose a category. Nothing was changed.", field="category")


def storable(value: Any) -> Any:
    """Half a surrogate pair cannot be written; it becomes a mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    if isinstance(value, Mapping):
        return {storable(k): storable(v) for k, v in value.items()}
    return [storable(v) for v in value] if isinstance(value, list) else value
