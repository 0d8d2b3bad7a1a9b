"""Cases that ask whether a character draws the right insight from a chat, or rightly none; ours stand in `cases/insights.jsonl`, one a line.

A case is what a player says to a built-in character, a message a round, and the question they might ask afterwards::

    {"id": "nell-01", "part": "dev", "character": "builtin:nell-garrow", "language": "en", "query_type": "attribution",
     "stance": "the statement of the stance that this talk bears out, word for word; null where there is none",
     "insufficient": "why there is none (only where there is none)", "tempting": "the stance it nearly bears out, or null (only there)",
     "messages": ["…"], "telling": [1, 3], "beside_cues": [3], "query": "…"}

`telling` numbers the messages, from 1, that bear the stance out or seem to; `beside_cues` those of them that bear it out without being what one
of its cues describes. Whoever writes a case looks at the character alone, never at the engine. Thresholds and rules may be fitted to the
part `dev` only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evaluation.datasets import DataRefused
from personas.cast import built_in

BUILT_IN_CASES = Path(__file__).parent / "cases" / "insights.jsonl"
QUERY_TYPES = ("attribution", "contradiction", "value judgment", "decision")
"""The four that DualMem 4 serves with insights."""

_Line = Annotated[str, Field(min_length=1, max_length=400)]


class InsightCase(BaseModel):
    """One case, as the file has it. Raises pydantic.ValidationError for a case that contradicts itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
    part: Literal["dev", "test"]
    character: str
    language: Literal["en", "zh"]
    query_type: Literal["attribution", "contradiction", "value judgment", "decision"]
    stance: str | None
    insufficient: Literal["one fact", "same round", "third party", "hypothetical", "near miss", "contradicted", "everyday"] | None = None
    tempting: str | None = None
    messages: Annotated[tuple[_Line, ...], Field(min_length=2, max_length=8)]
    telling: tuple[int, ...]
    beside_cues: tuple[int, ...] = ()
    query: _Line

    @model_validator(mode="after")
    def _consistent(self) -> InsightCase:
        if (self.stance is None) == (self.insufficient is None):
            raise ValueError("it has either a stance or a reason why there is none")
        if self.stance is not None and (self.tempting is not None or len(self.telling) < 2):
            raise ValueError("a stance needs two telling messages, and nothing else is tempting")
        if not set(self.telling) <= set(range(1, len(self.messages) + 1)) or not set(self.beside_cues) <= set(self.telling):
            raise ValueError("it numbers a message that it does not have")
        return self


def read_cases(path: Path) -> tuple[InsightCase, ...]:
    """The cases of a file, checked against the built-in characters. Raises DataRefused with the first line at fault."""
    stances: Mapping[str, set[str]] = {c.id: {s.statement for s in c.stances} for c in built_in()}
    languages = {c.id: c.language for c in built_in()}
    cases: dict[str, InsightCase] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataRefused(file=path.name, where="", reason=f"it cannot be read as a text ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue

        def refuse(reason: str, number: int = number) -> DataRefused:
            return DataRefused(file=path.name, where=f"line {number}", reason=reason)

        case = _case(line, refuse)
        if case.id in cases:
            raise refuse(f"the id {case.id} is there twice")
        if languages.get(case.character) != case.language:
            raise refuse(f"no built-in character {case.character} speaks {case.language}")
        if not {case.stance, case.tempting} - {None} <= stances[case.character]:
            raise refuse("its stance is none of the character's")
        cases[case.id] = case
    if not cases:
        raise DataRefused(file=path.name, where="", reason="it holds no case")
    return tuple(cases.values())


def _case(line: str, refuse: Callable[[str], DataRefused]) -> InsightCase:
    try:
        return InsightCase.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise refuse(": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))) from error
