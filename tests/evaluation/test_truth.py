"""The truth sheet: a seeded sample with what was said around it, and agreement by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.truth import Item, SheetRefused, agreement, main, read_sheet


def diary(name: str, *queries: str) -> dict[str, object]:
    days = {f"2024-05-{day:02d}": [{"query": query, "response": "Hm."}] for day, query in enumerate(queries, 1)}
    return {name: {"name": name, "history": days}}


@pytest.fixture
def data(tmp_path: Path) -> list[Path]:
    english, chinese = tmp_path / "en.json", tmp_path / "zh.json"
    lines = ("My name is Mara.", "I am allergic to walnuts.", "I live in Porto. It rains there.", "My sister Ida is a nurse.")
    english.write_text(json.dumps(diary("Mara", *lines)), encoding="utf-8")
    chinese.write_text(
        json.dumps(diary("小满", "我叫小满，我住在杭州。", "我对花生过敏。", "我姐姐李岚是护士。"), ensure_ascii=False), encoding="utf-8"
    )
    return [english, chinese]


def test_a_sample_has_as_many_of_each_file_and_shows_what_was_said(data: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "sheet.jsonl"
    assert main(["sheet", "--data", *map(str, data), "--out", str(out), "--n", "6", "--seed", "1"]) == 0
    items = [Item.model_validate_json(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [item.language for item in items] == ["en"] * 3 + ["zh"] * 3
    assert {item.kind for item in items} <= {"fact", "persona"}
    for item in items:
        sources = [line for line in item.said if line.startswith(">")]
        assert 1 <= len(sources) <= 2, "what it was read in, and the line that answers"
        assert all(source.split(": ", 1)[1] for source in sources)
        assert item.true is None
    again = tmp_path / "again.jsonl"
    main(["sheet", "--data", *map(str, data), "--out", str(again), "--n", "6", "--seed", "1"])
    texts = [[(i["kind"], i["key"], i["text"]) for i in map(json.loads, f.read_text(encoding="utf-8").splitlines())] for f in (out, again)]
    assert texts[0] == texts[1]


def sheet(path: Path, *verdicts: tuple[bool, bool, bool] | None, language: str = "en") -> Path:
    lines = []
    for number, verdict in enumerate(verdicts):
        item = Item(id=f"m{number}", conversation="c", language=language, kind="fact", key="", about="Mara", text="x", said=["> Mara: x"])
        if verdict is not None:
            item = item.model_copy(update=dict(zip(("true", "owner", "alone"), verdict, strict=True)))
        lines.append(item.model_dump_json())
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


GOOD, FALSE, OTHERS, TORN = (True, True, True), (False, True, True), (True, False, True), (True, True, False)


def test_agreement_by_hand(tmp_path: Path) -> None:
    one = sheet(tmp_path / "1", GOOD, GOOD, FALSE, TORN)
    other = sheet(tmp_path / "2", GOOD, FALSE, FALSE, GOOD)
    rows = {line.split(" | ")[0].removeprefix("| "): [cell.strip() for cell in line.split("|")[2:-1]] for line in agreement(one, other)[2:]}
    # true: reader 1 has 3 of 4, reader 2 2 of 4; they agree on 3; by chance 3/4 * 2/4 + 1/4 * 2/4 = 1/2; kappa (3/4 - 1/2) / (1/2)
    assert rows["all: true"][:3] + rows["all: true"][4:] == ["4", "3", "2", "0.750", "0.50"]
    assert rows["all: owner"][4:] == ["1.000", "–"]
    assert rows["en: good"][:3] == ["4", "2", "2"]
    assert rows["all: good"][3].startswith("0.250")


@pytest.mark.parametrize("second", ["other items", "empty", "torn", "none", "nothing"])
def test_sheets_that_cannot_be_compared_are_refused(tmp_path: Path, second: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = sheet(tmp_path / "1", GOOD, GOOD)
    other = tmp_path / "2"
    if second == "other items":
        sheet(other, GOOD)
    elif second == "empty":
        sheet(other, GOOD, None)
        with pytest.raises(SheetRefused, match="1 items have no verdict"):
            read_sheet(other)
    elif second == "nothing":
        one = sheet(tmp_path / "1")
        sheet(other)
    elif second == "torn":
        other.write_text('{"id": ', encoding="utf-8")
    assert main(["agree", str(one), str(other)]) == 1
    assert capsys.readouterr().err
