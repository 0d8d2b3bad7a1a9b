"""Why data was refused is said in both languages: whatever reason stands in the code of the evaluation is known on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation import datasets
from ui.runs.reasons import REASONS, chinese

CHINESE = re.compile(r"[\u4e00-\u9fff]")
NOT_OF_A_RUN = {"truth.py", "run_queue.py"}
"""Commands of their own; what a comparison's process said."""


def _texts(node: ast.expr) -> list[str]:
    """What an expression may come to, with a number or two names for what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    if isinstance(node, ast.JoinedStr):
        found = [""]
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                filled = ["Ann nor Bo"] if "join" in ast.unparse(part.value) else ["7"]
                found = [text + more for text in found for more in filled]
            elif isinstance(part, ast.Constant):
                found = [text + str(part.value) for text in found]
        return found
    return []


def _reasons() -> Iterator[tuple[str, str]]:
    for file in sorted(Path(datasets.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            given = node.value if isinstance(node, ast.keyword) and node.arg == "reason" else None
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "reason" for t in node.targets):
                given = node.value
            if given is not None and file.name not in NOT_OF_A_RUN:
                yield from ((file.name, text) for text in _texts(given))


@pytest.mark.parametrize(("file", "reason"), sorted(set(_reasons())))
def test_a_reason_is_known_in_chinese(file: str, reason: str) -> None:
    assert CHINESE.search(chinese(reason)), file


def test_what_is_filled_in_stands_in_both() -> None:
    assert chinese("it names turn 9 of 4") == "指向第 9 句，而一共只有 4 句"
    assert chinese("its field 1.time, 'soon', is no date") == "字段 1.time 的 'soon' 不是日期"
    assert chinese("its id is neither Speaker 1 nor Speaker 2") == "id 既不是 Speaker 1 也不是 Speaker 2"


EXAMPLES = {r"(.+)": "Ann", r"(.*)": "Ann", r"(\S+)": "Ann", r"(-?\d+)": "7", r"(\d+)": "7", r"([\d,]+)": "7", r"(\d+ [MG]B)": "7 MB"}


@pytest.mark.parametrize(("pattern", "said"), REASONS)
def test_a_particular_reason_is_not_taken_by_a_general_one(pattern: str, said: str) -> None:
    example = pattern
    for group, filled in EXAMPLES.items():
        example = example.replace(group, filled)
    example = re.sub(r"\\(.)", r"\1", example)
    found = re.fullmatch(pattern, example)
    assert found is not None, "what this pattern holds is not among the examples"
    assert chinese(example) == said.format(*found.groups())
