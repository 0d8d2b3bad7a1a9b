"""Tasks in processes of their own: whatever a library writes between their lines, somebody listens to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation import apart
from evaluation.running import Wanted
from evaluation.tasks import TASKS


def test_noise_in_any_bytes_and_of_any_length_ends_no_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = tmp_path / "process"
    process.write_bytes(
        b"#!/bin/sh\nprintf '\\377\\376 noise\\n'; printf '\\377 broken\\n' >&2\nprintf '{\"other\": 1}\\n[1]\\n\"notices\"\\n'\n"
        b"head -c 300000 /dev/zero | tr '\\0' x; printf '\\n'\nprintf '{\"notices\": [\"done\"]}\\n'\n"
    )
    process.chmod(0o700)
    monkeypatch.setattr(apart.sys, "executable", str(process))
    wanted = Wanted("retrieval", TASKS["retrieval"](), tmp_path, [], 0, True, [])
    (outcome,) = apart.apart([(wanted, tmp_path / "out")], jobs=2)
    assert (outcome.notices, outcome.failed, outcome.refused) == (["done"], "", "")
