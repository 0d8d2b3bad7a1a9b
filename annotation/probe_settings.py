"""Settings of memory that probe runs compare: what each may be, what of it acts in a run, what it is called, and the engine's ways that it comes to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields
from annotation.errors import (
    FieldRefused,
    SettingIdle,
    SettingNoCrossEncoder,
    SettingNoInsights,
    SettingNoReader,
    SettingNoReplies,
    SettingRange,
    SettingRefused,
    SettingsAlike,
    SettingsNamedAlike,
)
from memory.forgetting_policies import KEEPSAKE, NO_INHIBITION, ONE_ROUND, STORED, CompetitionInhibition, Ebbinghaus, Fifo, Policy
from memory.narrative import PRESETS
from memory.recipes import RECIPES
from memory.ways import Ways
from storage.annotation_run_rows import Setting

ORDINARY = Setting("", 300, 0, 9)
"""As the program comes."""
MOST_SETTINGS = 8
NOTHING = "none"
"""In place of a policy: nothing is forgotten."""
POLICIES: Mapping[str, Policy | None] = MappingProxyType(
    {policy.name: policy for policy in (KEEPSAKE, STORED, ONE_ROUND, NO_INHIBITION, Ebbinghaus(), Fifo())} | {NOTHING: None}
)
_EQUATION = ("alpha", "beta", "gamma")
PARAMETERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        KEEPSAKE.name: (*_EQUATION, "factor"),
        STORED.name: (*_EQUATION, "factor"),
        ONE_ROUND.name: (*_EQUATION, "factor"),
        NO_INHIBITION.name: _EQUATION,
        Ebbinghaus.name: (),
        Fifo.name: (),
        NOTHING: (),
    }
)
"""What of each policy is set besides. Ebbinghaus' step is not: a curve stretched for all leaves the order in which they are forgotten."""
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "capacity": (1, 100_000),
        "capacity_tokens": (0, 10_000_000),
        "k": (1, 20),
        "alpha": (0, 10),
        "beta": (0, 10),
        "gamma": (0, 10),
        "factor": (0, 1),
    }
)
"""Least and most of each number."""
CHOICES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "forgetting": tuple(POLICIES),
        "recipe": tuple(RECIPES),
        "insights": ("on", "off"),
        "story": tuple(PRESETS),
        "reading": ("", "grounded", "llm"),
    }
)
SHOWN = ("capacity", "capacity_tokens", "k", "forgetting", *_EQUATION, "factor", "recipe", "insights", "story", "reading")
"""Every part of a setting but its name, in the order in which they are told."""
_CROSS = "without-cross"
_NUMBERS_ALONE = re.compile(r"[\d\s,，、]*|\d+ kept")
"""What older pages and the command line called a setting by themselves."""


class SettingFields(BaseModel):
    """What is left out is as the program comes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] = ORDINARY.name
    capacity: int = ORDINARY.capacity
    capacity_tokens: int = ORDINARY.capacity_tokens
    k: int = ORDINARY.k
    forgetting: str = ORDINARY.forgetting
    alpha: float = ORDINARY.alpha
    beta: float = ORDINARY.beta
    gamma: float = ORDINARY.gamma
    factor: float = ORDINARY.factor
    recipe: str = ORDINARY.recipe
    insights: str = ORDINARY.insights
    story: str = ORDINARY.story
    reading: Annotated[str, Field(max_length=20)] = ORDINARY.reading


@dataclass(frozen=True)
class Place:
    """Where a setting is to be lived: what of it can act there. reader: name of the language model that reads for memory, empty for none; concludes: whether the
    dialogue's character has what insights are drawn through; replies: whether the run makes some; cross: whether a cross-encoder is set."""

    reader: str
    concludes: bool
    replies: bool
    cross: bool


def read(values: object) -> list[Setting]:
    """The settings that somebody asks for. Raises FieldRefused, SettingRefused, SettingRange, SettingIdle, SettingsAlike, SettingsNamedAlike
    and what `fields.read` does."""
    if not isinstance(values, Sequence) or isinstance(values, str) or not 1 <= len(values) <= MOST_SETTINGS:
        raise FieldRefused(f"There are 1 to {MOST_SETTINGS} settings.", field="settings")
    found = [_one(number, value) for number, value in enumerate(values, 1)]
    for number, one in enumerate(found, 1):
        for other, earlier in enumerate(found[: number - 1], 1):
            if replace(one, name="") == replace(earlier, name=""):
                raise SettingsAlike(f"Settings {other} and {number} are the same. Nothing was begun.", n=number, other=other)
            if called(one) == called(earlier) or one.name == earlier.name != "":
                name = one.name or called(one)
                raise SettingsNamedAlike(
                    f"Settings {other} and {number} differ, and both are called “{name}”. Call one of them otherwise. Nothing was begun.",
                    n=number, other=other, name=name,
                )  # fmt: skip
    return found


def _one(number: int, value: object) -> Setting:
    if not isinstance(value, Mapping) or not set(value) <= set(SettingFields.model_fields):
        unknown = next((str(key) for key in value if key not in SettingFields.model_fields), "") if isinstance(value, Mapping) else ""
        raise _refused(number, unknown[:40])
    for name, raw in value.items():
        if name in RANGES and (isinstance(raw, bool) or not isinstance(raw, int | float) or not RANGES[name][0] <= raw <= RANGES[name][1]):
            least, most = RANGES[name]
            raise SettingRange(
                f"Setting {number}: “{name}” is a number from {least:g} to {most:g}. Nothing was begun.",
                n=number, field=name, least=f"{least:g}", most=f"{most:g}",
            )  # fmt: skip
        if name in CHOICES and raw not in CHOICES[name]:
            raise _refused(number, name)
    asked = fields.read(SettingFields, value)
    for name in dict.fromkeys(part for parts in PARAMETERS.values() for part in parts):
        if name not in PARAMETERS[asked.forgetting] and getattr(asked, name) != getattr(ORDINARY, name):
            raise _idle(number, name)
    if asked.forgetting == NOTHING:
        for name in ("capacity", "capacity_tokens"):
            if getattr(asked, name) != getattr(ORDINARY, name):
                raise _idle(number, name)
    return Setting(**asked.model_dump())


def _refused(number: int, field: str) -> SettingRefused:
    known = f" It is one of: {', '.join(name or 'empty' for name in CHOICES[field])}." if field in CHOICES else ""
    return SettingRefused(f"Setting {number}: “{field}” cannot be so.{known} Nothing was begun.", n=number, field=field)


def _idle(number: int, field: str) -> SettingIdle:
    return SettingIdle(
        f"Setting {number}: with this way of forgetting “{field}” does nothing; leave it as it comes. Nothing was begun.",
        n=number, field=field,
    )  # fmt: skip


def hold_against(settings: Sequence[Setting], place: Place) -> None:
    """Whether everything that was changed acts in a run there: a difference that cannot show would be taken for a finding. Raises SettingNoReader, SettingNoInsights,
    SettingNoReplies, SettingNoCrossEncoder, SettingsAlike."""
    for number, one in enumerate(settings, 1):
        if one.reading and not place.reader:
            raise SettingNoReader(
                f"Setting {number}: no language model is configured for memory, so there is nothing to choose in who reads. Nothing was begun.",
                n=number,
            )
        if one.insights == "off" and not place.concludes:
            raise SettingNoInsights(
                f"Setting {number}: the character of this dialogue draws no insights anyway (only those that come with the program do). Nothing was begun.",
                n=number,
            )
        if one.story != ORDINARY.story and not place.replies:
            raise SettingNoReplies(
                f"Setting {number}: how the story is divided shows in replies alone, and this run makes none. Nothing was begun.", n=number
            )
        if one.recipe == _CROSS and not place.cross:
            raise SettingNoCrossEncoder(
                f"Setting {number}: no cross-encoder is set, so there is none to leave out. Nothing was begun.", n=number
            )
        for other, earlier in enumerate(settings[: number - 1], 1):
            # A model that is configured reads anyway.
            if replace(one, name="", reading=one.reading.removeprefix("llm")) == replace(
                earlier, name="", reading=earlier.reading.removeprefix("llm")
            ):
                raise SettingsAlike(f"Settings {other} and {number} are the same. Nothing was begun.", n=number, other=other)


def offered(*, reader: str, cross: bool) -> dict[str, Any]:
    """What a page may offer: each choice that can act here, the numbers with their bounds, what each policy has besides, and what is ordinary."""
    choices = {name: [one for one in some if one != _CROSS or cross] for name, some in CHOICES.items()}
    choices["reading"] = ["", "grounded"] if reader else []
    return {
        "ordinary": vars(ORDINARY),
        "most": MOST_SETTINGS,
        "choices": choices,
        "ranges": {name: list(bounds) for name, bounds in RANGES.items()},
        "parameters": {name: list(some) for name, some in PARAMETERS.items()},
    }


def ways(setting: Setting) -> Ways:
    """The engine's, of a setting."""
    policy = POLICIES[setting.forgetting]
    if isinstance(policy, CompetitionInhibition):
        policy = replace(policy, alpha=setting.alpha, beta=setting.beta, gamma=setting.gamma, factor=setting.factor)
    insights: Literal["on", "off"] = "off" if setting.insights == "off" else "on"
    return Ways(policy, RECIPES[setting.recipe], insights)


def differences(setting: Setting) -> dict[str, int | float | str]:
    """What of it is not as the program comes."""
    return {name: getattr(setting, name) for name in SHOWN if getattr(setting, name) != getattr(ORDINARY, name)}


def own_name(setting: Setting) -> str:
    """What somebody called it; empty where it is its numbers alone."""
    return "" if _NUMBERS_ALONE.fullmatch(setting.name) else setting.name


def told(setting: Setting) -> str:
    """What of it is not as the program comes, as the command line and files have it: `capacity=60 forgetting=fifo`."""
    return " ".join(f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in differences(setting).items())


def called(setting: Setting) -> str:
    """A short name: somebody's own, else what differs."""
    return own_name(setting) or told(setting) or "ordinary"


def parsed(text: str, *, k: int = ORDINARY.k) -> dict[str, object]:
    """A setting as the command line has it, `name: key=value, key=value`, with the name left out or not; to be read by `read`. k: where it says none.
    Raises ValueError, saying what is wrong."""
    head, colon, tail = text.partition(":")
    name, pairs = (head.strip(), tail) if colon and "=" not in head else ("", text)
    found: dict[str, object] = {}
    for pair in filter(None, (part.strip() for part in re.split(r"[,，]", pairs))):
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or key not in SHOWN:
            raise ValueError(f"“{pair}” is not KEY=VALUE; keys are {', '.join(SHOWN)}")
        if key in found:
            raise ValueError(f"“{key}” is said twice")
        found[key] = _number(key, value) if key in RANGES else value
    return {"name": name, "k": k, **found}


def _number(key: str, value: str) -> int | float:
    whole = isinstance(getattr(ORDINARY, key), int)
    try:
        return int(value) if whole else float(value)
    except ValueError as error:
        raise ValueError(f"“{key}” is a {'whole ' if whole else ''}number") from error
