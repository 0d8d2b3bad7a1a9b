"""Runs in a project's file: what was found is of what was asked, or the file is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from annotation.errors import FileRefused
from annotation.exchange import lines
from annotation.exchange_reading import load
from annotation.workbench import Workbench
from storage.annotation_records import Project
from tests.annotation.invented import ADMIN
from tests.annotation.test_exchange import bench, done, elsewhere, forged, probed  # noqa: F401  # fixtures

Values = dict[str, Any]


@pytest.mark.parametrize(
    ("of", "change"),
    [
        ("universal", lambda run: run["results"][0].update(setting=2)),
        ("universal", lambda run: run["results"][0].update(probe="0" * 32)),
        ("universal", lambda run: run["replies"][0].update(setting=7)),
        ("universal", lambda run: run["replies"][0].update(probe="0" * 32)),
        ("regular", lambda run: run["choices"][0].update(setting=2)),
        ("regular", lambda run: run["choices"][0].update(probe="0" * 32)),
        ("regular", lambda run: run["questions"][0].update(turns=[])),
        ("regular", lambda run: run["questions"][0].update(turns=[1, 9_999])),
    ],
)
def test_what_a_run_found_is_of_what_it_asked(
    bench: Workbench,  # noqa: F811
    elsewhere: Workbench,  # noqa: F811
    probed: Project,  # noqa: F811
    of: str,
    change: Callable[[Values], object],
) -> None:
    values = [json.loads(line) for line in lines(bench.exchange.dump(ADMIN, probed.id))][:-1]
    broken = copy.deepcopy(values)
    change(next(one for one in broken if one["kind"] == "run" and one["of"] == of))
    with pytest.raises(FileRefused):
        load(elsewhere.exchange, ADMIN, forged(broken))
    load(elsewhere.exchange, ADMIN, forged(values))
