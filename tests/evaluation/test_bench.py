"""Benches say what they must beside what they measured, and what was measured stays when one is cut short."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.bench import __main__ as bench
from evaluation.bench import players, speed
from evaluation.bench.extraction import ROUNDS, WARM
from evaluation.bench.spoken import SPOKEN
from evaluation.records import Figure
from storage.records import NewTask, Rank
from tests.conftest import OpenChat


def _figure(value: float) -> Figure:
    return Figure(task="efficiency", dataset="made", system="keepsake", metric="seconds", value=value)


def test_a_round_is_remembered_when_all_that_it_calls_for_is_done(chat: OpenChat) -> None:
    tasks, second = chat.store.tasks, 1000
    said = [chat.say(f"line {n}", "reply", number=n) for n in (1, 2, 3)]
    for number, messages in enumerate(said, start=1):
        for kind in ("episode", "extract"):
            tasks.add(chat.scope, NewTask(kind, chat.branch_id, (kind, f"{number}"), {"message_ids": [m.id for m in messages]}))
    tasks.add(chat.scope, NewTask("extract", chat.branch_id, ("imported",), {"message_ids": [said[0][0].id]}, Rank.IMPORT))
    with chat.store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'done', finished_at = created_at + ? WHERE rank = 0", (5 * second,))
        slow, lost = "key IN (SELECT key FROM task WHERE kind = 'extract' AND payload LIKE '%' || ? || '%')", said[2][0].id
        connection.execute(f"UPDATE task SET finished_at = created_at + ? WHERE {slow}", (40 * second, said[1][0].id))
        connection.execute(f"UPDATE task SET state = 'failed' WHERE {slow}", (lost,))
    found = chat.store.database.read().execute(players._READY, {"live": Rank.LIVE, "most": 30 * second}).fetchone()
    assert (found["all"], found["ready"], found["done"]) == (3, 1, 2)


def test_what_was_measured_stays_when_a_run_is_cut_and_its_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(part: str, *, quick: bool, seed: int) -> Iterator[Figure]:
        yield _figure(1.0)
        yield _figure(2.0)
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_part", cut)
    with pytest.raises(KeyboardInterrupt):
        bench.main(["--parts", "recall", "--out", str(tmp_path)])
    assert [record["value"] for record in json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))] == [1.0, 2.0]
    assert bench.UNFINISHED in (tmp_path / "report.md").read_text(encoding="utf-8")

    monkeypatch.setattr(bench, "_part", lambda part, *, quick, seed: iter([_figure(3.0)]))
    assert bench.main(["--parts", "recall", "--out", str(tmp_path)]) == 0
    assert bench.UNFINISHED not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_recall_is_measured_beside_its_limit_and_the_embedding_of_a_cue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "P95_LIMITS", {40: 0.5})
    found = {f.metric: f for f in speed.recall_at_sizes((40,), cues=3)}
    assert found["recall_p95_limit_seconds"].value == 0.5
    assert {"cue_embedding_p50_seconds", "cue_embedding_p95_seconds"} <= set(found)
    assert (found["recall_p95_seconds"].memories, found["recall_p95_seconds"].n) == (40, 3)
    assert found["recall_p95_seconds"].value >= found["recall_p50_seconds"].value


def test_the_conversation_that_reading_is_measured_on_is_as_long_as_people_write() -> None:
    assert len(SPOKEN) >= WARM + ROUNDS
    said = [text for spoken in SPOKEN for text in spoken]
    words = sorted(len(text.split()) for text in said)
    assert 22.5 < statistics.mean(words) < 24.5
    assert statistics.mean(len(re.findall(r"[.!?]+(?=\s|$)", text)) for text in said) > 2.3
    assert 0.2 < sum(text.endswith("?") for text in said) / len(said) < 0.3
