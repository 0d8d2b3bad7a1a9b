"""What each task says of itself."""

from __future__ import annotations

import pytest

from evaluation.__main__ import MEASURES, main
from evaluation.tasks import TASKS


@pytest.mark.parametrize("name", TASKS)
def test_a_task_names_its_options_and_its_systems(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("-\n", "-").split())
    assert MEASURES[name][:-1].split()[-1] in shown
    for option in ("--data", "--out", "--systems", "--seed", "--quick"):
        assert option in shown
    wanted = "".join(shown.split())
    for system in TASKS[name]().systems:
        assert "".join(system.split()) in wanted, system
