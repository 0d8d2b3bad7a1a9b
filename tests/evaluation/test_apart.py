"""Tasks in processes of their own: whatever a library writes between their lines, somebody listens to the end."""

from __future__ import annotations

import json
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


def test_a_link_is_read_under_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "blob").write_text("[]", encoding="utf-8")
    (tmp_path / "talks.json").symlink_to(tmp_path / "blob")
    (tmp_path / "kept").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "kept")
    process = tmp_path / "process"
    process.write_text(f'#!/bin/sh\nprintf "%s" "$3" > "{tmp_path / "order"}"\nprintf \'{{"notices": []}}\\n\'\n', encoding="utf-8")
    process.chmod(0o700)
    monkeypatch.setattr(apart.sys, "executable", str(process))
    monkeypatch.chdir(tmp_path)
    wanted = Wanted("retrieval", TASKS["retrieval"](), Path("talks.json"), [], 0, True, [])
    (outcome,) = apart.apart([(wanted, Path("out"))], jobs=1)
    assert outcome.failed == ""
    order = json.loads((tmp_path / "order").read_text(encoding="utf-8"))
    assert (order["path"], order["folder"]) == (str(tmp_path / "talks.json"), str(tmp_path / "out"))
