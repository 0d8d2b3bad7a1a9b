"""Probes: what was told once is asked for so many rounds later; where items are put, what is found, and what a judge gives an answer."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from evaluation import probes
from evaluation.__main__ import main
from evaluation.bench.spoken import SPOKEN
from evaluation.datasets import DataRefused, read_talks
from evaluation.items import read_items
from evaluation.probe_judging import instruction
from evaluation.probe_table import BESIDE, TABLE, read_table
from evaluation.probes import probed, read_probed
from evaluation.receipts import read_receipt
from evaluation.records import METRICS, ROWS, TABLES
from evaluation.talks import rounds_of
from tests.evaluation.test_answers import _served
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

PET = {"p": "We took in a three-legged tortoise and named it Colonel.", "q": "Which animal did we take in?", "a": "A tortoise."}
WOOL = {"p": "My rash comes from wool.", "q": "What am I allergic to?", "a": "Wool."}
ROWS_OF_TABLE = [
    {"topic": "pet", "language": "en", **PET},
    {"topic": "wool", "en": WOOL, "zh": {"p": "我对羊毛过敏。", "q": "我对什么过敏？", "a": "羊毛。"}},
]


def _folder(path: Path, *, rounds: int = len(SPOKEN), table: bool = True) -> Path:
    """A chat of our own in two sessions, and a table beside it."""
    said = [text for pair in SPOKEN[:rounds] for text in pair]
    turns = [{"speaker": ("Ann", "Bo")[n % 2], "dia_id": f"D1:{n + 1}", "text": text} for n, text in enumerate(said)]
    half = len(turns) // 4 * 2
    sessions = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns[:half],
        "session_2_date_time": "9:10 am on 9 May, 2023",
        "session_2": [{**turn, "dia_id": turn["dia_id"].replace("D1", "D2")} for turn in turns[half:]],
    }
    path.mkdir(exist_ok=True)
    talk = [{"sample_id": "c", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo", **sessions}, "qa": []}]
    (path / "talk.json").write_text(json.dumps(talk), encoding="utf-8")
    if table:
        (path / BESIDE).write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS_OF_TABLE), encoding="utf-8")
    return path


def test_our_table_and_one_of_ones_own_are_read() -> None:
    ours = read_table(TABLE)
    assert {(item.language) for item in ours} == {"en", "zh"}
    assert len(ours) == 60


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no JSON object"),
        ('{"topic": "x"}', "neither a field language nor words"),
        ('{"language": "fr", "p": "a", "q": "b", "a": "c"}', "field language"),
        ('{"language": "en", "p": "a", "q": " ", "a": "c"}', "field q"),
        ('{"topic": "pet", "en": {"p": "a", "q": "b"}}', "field en.a"),
        ('{"topic": "pet", "language": "en", "p": "a", "q": "b", "a": "c"}', "two items have the topic pet"),
    ],
)
def test_a_broken_table_names_file_line_and_field(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / BESIDE
    file.write_text(f"{json.dumps(ROWS_OF_TABLE[0])}\n{line}\n", encoding="utf-8")
    with pytest.raises(DataRefused, match=said) as caught:
        read_table(file)
    assert caught.value.params["file"] == BESIDE
    assert caught.value.params["where"] == ("" if "two items" in said else "line 2")


def test_items_are_told_one_a_round_and_so_many_whole_rounds_lie_behind_the_last(tmp_path: Path) -> None:
    file = _folder(tmp_path) / "talk.json"
    conversation = read_talks(file, [file]).conversations[0]
    items = [item for item in read_table(TABLE) if item.language == "en"]
    for distance, some in ((1, items), (10, items), (20, items), (20, items[:2]), (len(SPOKEN) - 1, items)):
        one = probed(conversation, some, distance=distance, dataset="d", language="en")
        told = [m for m in one.conversation.messages if m.external_id.startswith("probe:")]
        assert [m.text for m in told] == [item.told for item in some]
        assert {m.speaker for m in told} == {"Ann"}
        real = [m for m in one.conversation.messages if m not in told]
        assert [m.external_id for m in real] == [m.external_id for m in conversation.messages[: len(real)]]
        assert all(a.said_at <= b.said_at and a.line < b.line for a, b in pairwise(one.conversation.messages))
        rounds = rounds_of(one.conversation)
        last = max(n for n, messages in enumerate(rounds) if told[-1] in messages)
        assert len(rounds) - 1 - last == distance
        most = max(sum(m in told for m in messages) for messages in rounds)
        assert most == max(1, -(-len(some) // min(len(some), len(SPOKEN) - distance)))


def _said() -> list[dict[str, str]]:
    """As role-play programs write chats."""
    return [{"name": ("Ann", "Bo")[n % 2], "mes": text} for n, text in enumerate(t for pair in SPOKEN for t in pair)]


def test_a_table_may_lie_beside_chats_in_any_layout_of_the_import(tmp_path: Path) -> None:
    data = _folder(tmp_path / "data")
    (data / "talk.json").unlink()
    (data / "ann.jsonl").write_text("\n".join(json.dumps(one) for one in _said()), encoding="utf-8")
    found, files = read_probed(data, distances=(12,))
    assert [len(rounds_of(one.conversation)) for one in found] == [14]
    assert [file.name for file in files] == ["ann.jsonl", BESIDE]
    (data / "ann.jsonl").rename(tmp_path / "ann.jsonl")
    (data / "bo.txt").write_text("\n".join(f"{one['name']}: {one['mes']}" for one in _said()), encoding="utf-8")
    assert [file.name for file in read_probed(data, distances=(12,))[1]] == ["bo.txt", BESIDE]


def test_all_chats_that_are_read_are_among_the_files(tmp_path: Path) -> None:
    data = _folder(tmp_path / "data", rounds=5)
    (data / "ann.jsonl").write_text("\n".join(json.dumps(one) for one in _said()), encoding="utf-8")
    found, files = read_probed(data, distances=(12,))
    assert [one.conversation.key for one in found] == ["ann"]
    assert [file.name for file in files] == ["ann.jsonl", "talk.json", BESIDE]
    (data / "ann.txt").write_text("Ann: Here.\nBo: There.", encoding="utf-8")
    with pytest.raises(DataRefused):
        read_probed(data, distances=(12,))


def test_a_conversation_that_is_too_short_is_refused_and_says_how_long_it_has_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = _folder(tmp_path / "data")
    assert main(["probes", "--data", str(data), "--out", str(tmp_path / "out")]) == 1
    assert "told 30 rounds before it is asked for, and the longest conversation has 24" in capsys.readouterr().err
    assert not (tmp_path / "out" / METRICS).exists()


def test_what_was_told_is_found_later_where_a_window_has_lost_it_and_the_tables_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "DISTANCES", (12, 22, 40))
    data, out = _folder(tmp_path / "data"), tmp_path / "out"
    assert [one.distance for one in read_probed(data, distances=probes.DISTANCES)[0]] == [12, 22]
    assert main(["probes", "--data", str(data), "--out", str(out), "--systems", "keepsake,recent-window"]) == 0
    figures = {(f["system"], f["category"], f["metric"], f["k"]): f for f in json.loads((out / METRICS).read_text(encoding="utf-8"))}
    assert figures["keepsake", "12 rounds later", "found", 9]["value"] == 1.0
    assert figures["recent-window", "22 rounds later", "found", 9]["value"] == 0.0
    assert figures["keepsake", None, "found", 9]["n"] == 4
    near = {name: figures[name, None, "nearness", None]["value"] for name in ("keepsake", "recent-window")}
    assert near["keepsake"] > near["recent-window"]
    assert not {m for _, _, m, _ in figures} - {"found", "nearness"}, "nothing is judged without a model"
    assert "no answers: no memory model is set" in (out / "report.md").read_text(encoding="utf-8")
    written = {name: (out / name).read_bytes() for name in (TABLES, ROWS)}
    assert main(["table", str(out)]) == 0
    assert {name: (out / name).read_bytes() for name in (TABLES, ROWS)} == written


def test_an_answer_from_memory_is_judged_0_to_5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "DISTANCES", (12,))
    replies = [Answer(('{"answer": "A tortoise.", "notes": [1]}',)), Answer(('{"answer": "To wool."}',))]
    verdicts = [Answer(('{"why": "all of it", "score": 5}',)), *[Answer(('{"score": 9}',))] * 2]
    data, out = _folder(tmp_path / "data"), tmp_path / "out"
    with OpenAIEndpoint(*replies) as model, OpenAIEndpoint(*verdicts) as judge:
        _served(monkeypatch, "MEMORY", model.url)
        _served(monkeypatch, "JUDGE", judge.url)
        assert main(["probes", "--data", str(data), "--out", str(out), "--systems", "full-context"]) == 0
        shown = judge.requests[0].body["messages"]
    assert shown[0]["content"] == instruction("en")
    assert json.loads(shown[1]["content"]) == {"question": "Which animal did we take in?", "answer": "A tortoise.", "reply": "A tortoise."}
    first, second = (item.scores for item in read_items(out))
    assert first["judged_0_to_5"] == 5.0
    assert second["not_judged"] == 1.0
    assert "judged_0_to_5" not in second
    receipt = read_receipt(out, dataset="data", item=next(read_items(out)).item)
    assert receipt is not None
    assert (receipt.answers["full-context"].answer, receipt.answers["full-context"].verdict) == ("A tortoise.", 5.0)
    assert receipt.turns["probe:pet"].text == PET["p"]
    assert "found@9" not in first, "all of it is no ranking"
