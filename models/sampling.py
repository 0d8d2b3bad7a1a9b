"""How a chat model draws its words: temperature and the like, under a name. Ours, and those that people make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

STANDARD = "standard"
"""The preset that says nothing: the model is asked as its connection says."""


class Sampling(BaseModel):
    """What is asked for beside the prompt; None leaves it to the connection, or to the endpoint.

    min_p and repeat_penalty are llama.cpp's and are sent to a model in a file alone; other endpoints refuse or ignore them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    presence_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    frequency_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    min_p: Annotated[float, Field(ge=0, lt=1)] | None = None
    repeat_penalty: Annotated[float, Field(ge=0.5, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=16, le=8192)] | None = None

    def over(self, other: Sampling) -> Sampling:
        """The other's values where this one says nothing."""
        return other.model_copy(update=self.model_dump(exclude_none=True))


UNCHANGED = Sampling()
"""Says nothing."""
PRESETS: Mapping[str, Sampling] = {
    STANDARD: UNCHANGED,
    "steady": Sampling(temperature=0.4, top_p=0.9),
    "lively": Sampling(temperature=0.95, top_p=0.95, presence_penalty=0.3),
    "daring": Sampling(temperature=1.2, top_p=0.98, presence_penalty=0.5, frequency_penalty=0.2),
    "brief": Sampling(max_tokens=96),
}
"""Ours, by name."""
