"""Settings of memory that runs compare: what they may be, what they are called, and that each part of one acts on what is forgotten."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import probe_settings
from annotation.errors import (
    FieldRefused,
    FieldTooLong,
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
from annotation.probe_settings import (
    CHOICES,
    MOST_SETTINGS,
    ORDINARY,
    PARAMETERS,
    POLICIES,
    RANGES,
    SHOWN,
    Place,
    called,
    differences,
    hold_against,
    own_name,
    parsed,
    read,
    told,
    ways,
)
from annotation.probing import RunFields
from memory.forgetting_policies import Held, Policy, weakest
from memory.ways import ORDINARY as ENGINE
from settings import Settings
from storage.annotation_run_rows import Setting

EVERYWHERE = Place(reader="a model", concludes=True, replies=True, cross=True)
NOWHERE = Place(reader="", concludes=False, replies=False, cross=False)
CHANGED: Mapping[str, object] = {"alpha": 5.0, "beta": 0.0, "gamma": 0.01, "factor": 0.99}


def test_the_ordinary_setting_is_the_program_as_it_comes() -> None:
    given = {name: field.default for name, field in Settings.model_fields.items()}
    assert (ORDINARY.capacity, ORDINARY.capacity_tokens, ORDINARY.k) == (
        given["memory_capacity"],
        given["memory_capacity_tokens"],
        given["recall_k"],
    )
    assert ways(ORDINARY) == ENGINE
    assert (differences(ORDINARY), called(ORDINARY)) == ({}, "ordinary")
    assert read([{}]) == [ORDINARY]
    assert set(SHOWN) == {*vars(ORDINARY)} - {"name"}
    assert set(RANGES) | set(CHOICES) == set(SHOWN)


def test_a_record_from_before_reads_as_it_ran() -> None:
    before = Setting(**json.loads('{"name": "60, 0, 9", "capacity": 60, "capacity_tokens": 0, "k": 9}'))
    assert ways(before) == ENGINE
    assert (differences(before), own_name(before), called(before)) == ({"capacity": 60}, "", "capacity=60")
    assert own_name(Setting("300 kept", 300, 0, 9)) == ""
    assert called(Setting("tight", 40, 0, 5)) == "tight"


def rivals() -> Held:
    """Five, laid down at rounds 0, 2, 4, 6 and 8, with cues that reinforced and inhibited some of them; it is round 10."""
    events = (
        (0, 5, True),
        (1, 6, True),
        (0, 7, True),
        (2, 7, True),
        (3, 8, True),
        (3, 8, False),
        (1, 8, False),
        (2, 8, False),
        (0, 10, False),
    )
    return Held(
        births=np.array([0, 2, 4, 6, 8]),
        memory=np.array([m for m, _, _ in events]),
        rounds=np.array([r for _, r, _ in events]),
        reinforced=np.array([up for _, _, up in events]),
        strengths=np.array([3.0, 1.0, 2.0, 2.5, 1.5]),
    )


def order(policy: Policy | None) -> list[int]:
    """In which they would be forgotten."""
    assert policy is not None
    held = rivals()
    values = policy.values(held, current_round=10)
    return weakest(values, births=held.births, costs=np.ones(5), capacity=0, spared=np.zeros(5, dtype=np.bool_))


def test_every_way_of_forgetting_forgets_in_an_order_of_its_own() -> None:
    found = {name: tuple(order(ways(read([{"forgetting": name}])[0]).forgetting)) for name in POLICIES if name != "none"}
    assert len(set(found.values())) == len(found), found
    assert ways(read([{"forgetting": "none"}])[0]).forgetting is None


@pytest.mark.parametrize(("forgetting", "name"), [(policy, name) for policy, some in PARAMETERS.items() for name in some])
def test_every_parameter_of_a_policy_changes_what_a_memory_is_worth(forgetting: str, name: str) -> None:
    bare, changed = (ways(one).forgetting for one in read([{"forgetting": forgetting}, {"forgetting": forgetting, name: CHANGED[name]}]))
    assert bare is not None
    assert changed is not None
    before, after = (policy.values(rivals(), current_round=10) for policy in (bare, changed))
    assert not np.allclose(before / before.sum(), after / after.sum())


@pytest.mark.parametrize("name", ["alpha", "beta", "gamma", "factor"])
def test_every_parameter_changes_who_is_forgotten(name: str) -> None:
    """Under one of the policies at least, among these five."""
    base = [policy for policy, some in PARAMETERS.items() if name in some]
    changed = {
        policy: [order(ways(one).forgetting) for one in read([{"forgetting": policy}, {"forgetting": policy, name: CHANGED[name]}])]
        for policy in base
    }
    assert any(before != after for before, after in changed.values()), changed


def test_what_does_nothing_is_refused() -> None:
    for idle in (
        {"forgetting": "fifo", "alpha": 1.0},
        {"forgetting": "ebbinghaus", "beta": 0.5},
        {"forgetting": "no-inhibition", "factor": 0.1},
        {"forgetting": "none", "capacity": 60},
    ):
        with pytest.raises(SettingIdle) as refused:
            read([{}, idle])
        assert refused.value.params["n"] == 2
    for setting, why in (
        ({"reading": "llm"}, SettingNoReader),
        ({"reading": "grounded"}, SettingNoReader),
        ({"insights": "off"}, SettingNoInsights),
        ({"story": "short"}, SettingNoReplies),
        ({"recipe": "without-cross"}, SettingNoCrossEncoder),
    ):
        hold_against(read([setting]), EVERYWHERE)
        with pytest.raises(why):
            hold_against(read([setting]), NOWHERE)
    with pytest.raises(SettingsAlike):
        read([{"name": "one"}, {"name": "other"}])
    with pytest.raises(SettingsAlike):
        hold_against(read([{}, {"reading": "llm"}]), EVERYWHERE)


@pytest.mark.parametrize(
    "names",
    [
        ({"name": "a", "capacity": 60}, {"name": "a", "capacity": 30}),
        ({"name": "40 kept", "capacity": 40}, {"name": "40 kept", "capacity": 30}),
        ({"capacity": 60}, {"name": "capacity=60", "capacity": 30}),
        ({}, {"name": "ordinary", "capacity": 30}),
    ],
)
def test_two_settings_are_not_called_the_same(names: tuple[dict[str, object], ...]) -> None:
    with pytest.raises(SettingsNamedAlike) as refused:
        read([{"name": "first", "k": 3}, *names])
    assert (refused.value.params["other"], refused.value.params["n"]) == (2, 3)
    assert len(read([{"capacity": 60}, {"capacity": 30}, {"name": "a"}])) == 3


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"capacity": 0}, SettingRange),
        ({"capacity": True}, SettingRange),
        ({"capacity": "60"}, SettingRange),
        ({"capacity": 60.5}, FieldRefused),
        ({"k": 21}, SettingRange),
        ({"alpha": float("nan")}, SettingRange),
        ({"gamma": 1e9}, SettingRange),
        ({"factor": 1.1}, SettingRange),
        ({"step": 2.0}, SettingRefused),
        ({"forgetting": "random"}, SettingRefused),
        ({"forgetting": ["fifo"]}, SettingRefused),
        ({"recipe": "without-everything"}, SettingRefused),
        ({"embedder": "x"}, SettingRefused),
        ({"name": "x" * 61}, FieldTooLong),
        ("300, 0, 9", SettingRefused),
        (None, SettingRefused),
    ],
)
def test_a_setting_that_is_none_is_refused_by_its_field(value: object, why: type[Exception]) -> None:
    with pytest.raises(why):
        read([{"name": "first"}, value])


def test_there_are_one_to_eight() -> None:
    with pytest.raises(FieldRefused):
        read([])
    with pytest.raises(FieldRefused):
        read([{"capacity": n + 1} for n in range(MOST_SETTINGS + 1)])
    with pytest.raises(FieldRefused):
        read({"capacity": 1})
    assert "settings" in RunFields.model_fields


@given(st.lists(st.sampled_from(SHOWN), unique=True), st.data())
def test_what_differs_says_all_of_a_setting(names: list[str], data: st.DataObject) -> None:
    values: dict[str, object] = {}
    for name in names:
        if name in CHOICES:
            values[name] = data.draw(st.sampled_from(CHOICES[name]))
        elif isinstance(getattr(ORDINARY, name), int):
            values[name] = data.draw(st.integers(int(RANGES[name][0]), int(RANGES[name][1])))
        else:
            values[name] = data.draw(st.floats(*RANGES[name]))
    setting = Setting(**{**vars(ORDINARY), **values})  # type: ignore[arg-type]
    assert Setting(**{**vars(ORDINARY), **differences(setting)}) == setting  # type: ignore[arg-type]
    assert len(told(setting).split()) == len(differences(setting))


def test_the_command_line_has_a_shape_for_them() -> None:
    assert parsed("old first: forgetting=fifo, capacity=60") == {"name": "old first", "k": 9, "forgetting": "fifo", "capacity": 60}
    assert parsed("recipe=dense，alpha=0.5", k=5) == {"name": "", "k": 5, "recipe": "dense", "alpha": 0.5}
    assert parsed("as it comes:") == {"name": "as it comes", "k": 9}
    assert read([parsed("k=3")])[0] == Setting("", 300, 0, 3)
    for wrong, why in (
        ("fifo", "KEY=VALUE"),
        ("colour=red", "keys are"),
        ("k=3, k=4", "twice"),
        ("k=many", "whole number"),
        ("alpha=x", "a number"),
    ):
        with pytest.raises(ValueError, match=why):
            parsed(wrong)


def test_a_page_is_offered_what_can_act() -> None:
    bare, full = (probe_settings.offered(reader=reader, cross=cross) for reader, cross in (("", False), ("m", True)))
    assert bare["choices"]["reading"] == []
    assert full["choices"]["reading"] == ["", "grounded"]
    assert "without-cross" not in bare["choices"]["recipe"]
    assert "without-cross" in full["choices"]["recipe"]
    assert bare["ordinary"] == vars(ORDINARY)
