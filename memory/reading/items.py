"""Lists of items in a model's answer: those that have the form are taken, and where none of them has it the answer is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ModelWrapValidatorHandler, TypeAdapter, ValidationError, model_validator

MAX_ITEMS = 200
_NUMBERS = re.compile(r"(\d{1,4})(?:\s*[-–—~至到]\s*(\d{1,4}))?")
_WIDEST = 60
"""Numbers that a range stands for at most."""


def as_numbers(found: object) -> object:
    """Numbers as models write them: one instead of a list of one, `"3"`, `"line 3"`, `"3-5"`, and nothing for none."""
    if found is None:
        return []
    made: list[object] = []
    for item in found if isinstance(found, list) else [found]:
        if isinstance(item, str):
            for first, last in _NUMBERS.findall(item):
                made += range(int(first), min(int(last or first), int(first) + _WIDEST) + 1)
        else:
            made.append(item)
    return made


Numbers = Annotated[list[int], BeforeValidator(as_numbers)]
Text = Annotated[str, BeforeValidator(lambda found: "" if found is None else found)]
"""Empty for none."""
Day = Annotated[str | None, BeforeValidator(lambda found: str(found) if isinstance(found, int) else found)]
"""A year may come as a number."""


class Items(BaseModel):
    """An answer that is made of lists of items. One whose every item has another form than was asked for is no empty answer, which would be a right one."""

    @model_validator(mode="wrap")
    @classmethod
    def _some_have_the_form(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        made = handler(data)
        given = [name for name in cls.model_fields if isinstance(data, Mapping) and isinstance(data.get(name), list) and data[name]]
        if given and not any(getattr(made, name) for name in given):
            raise ValueError(f"no item of {', '.join(given)} has the form that was asked for")
        return made


def sound_items(kind: type[BaseModel]) -> Callable[[object], object]:
    """Keeps the items of a list that have the form: one that has not must not take the others with it. What is no list is no answer."""
    adapter = TypeAdapter(kind)

    def keep(found: object) -> object:
        if not isinstance(found, list):
            return found
        kept = []
        for item in found[:MAX_ITEMS]:
            try:
                kept.append(adapter.validate_python(item))
            except ValidationError:
                continue
        return kept

    return keep
