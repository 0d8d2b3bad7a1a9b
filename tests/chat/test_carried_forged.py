"""Bundles that would bring along what nothing was: refused whole."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat.imported import ImportRefused
from chat.portable import Portable
from chat.portable_ids import Ids, changes
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.forgeries import write
from tests.chat.test_carrying import begun

FORGED: tuple[tuple[Callable[[dict[str, Any]], object], str], ...] = (
    (lambda m: m["payload"].pop("carried"), "came along from nowhere"),
    (lambda m: m.update(round_first=3, round_last=3), "says that it was made here"),
    (lambda m: m.update(origin="model"), "says that it was made here"),
    (lambda m: m.update(kind="episode"), "says that it was made here"),
    (lambda m: m.update(slot="unit:0"), "has a place in this one"),
    (lambda m: m.update(slot="taken back"), "has a place in this one"),
    (lambda m: m.update(source_count=1), "came along from nowhere"),
    (lambda m: m["payload"].update(carried={}), "carried"),
    (lambda m: m["payload"]["carried"].update(chat="../x"), "carried"),
)


def test_a_bundle_that_says_otherwise_is_refused(told: Talk, tmp_path: Path) -> None:
    portable = Portable(told.house.memory.store)
    lines = [json.loads(line) for line in b"".join(portable.lines(LOCAL_USER, begun(told).chat_id)).splitlines()]
    for number, (forge, reason) in enumerate(FORGED):
        forged = copy.deepcopy(lines)
        forge(next(line for line in forged if line["type"] == "memory" and "carried" in line["payload"]))
        with pytest.raises(ImportRefused) as caught:
            portable.load(LOCAL_USER, write(tmp_path / f"{number}.keepsake.jsonl", forged))
        assert reason in str(caught.value.params["reason"]), number
    assert portable.load(LOCAL_USER, write(tmp_path / "whole.keepsake.jsonl", lines))


def test_a_step_names_what_came_at_once_and_nothing_else() -> None:
    here = Ids("a" * 32, "a" * 32)
    assert changes([["carried", ["b" * 32], None, True]], here) == [["carried", ["b" * 32], None, True]]
    for wrong in (["carried", ["x"], None, True], ["carried", ["b" * 32], None, "yes"], ["carried", ["b" * 32, "c"], None, True]):
        with pytest.raises(ValueError, match="does not know"):
            changes([wrong], here)
