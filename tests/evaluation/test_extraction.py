"""Extraction measures on a talk of a few turns: what a label picks, what is covered, what a budget keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.__main__ import main
from evaluation.budgets import rarest
from evaluation.datasets import DataRefused
from evaluation.extraction import facts_of, read_extraction, sentences_of
from evaluation.label_scores import Kept, covered, paired
from evaluation.labels import Label

TALK: dict[str, Any] = {
    "speaker_a": "Ann",
    "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a grey kitten yesterday. How are you?"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "I painted my boat and sailed to the island. Where do you live?"},
        {"speaker": "Ann", "dia_id": "D1:3", "text": "In Lisbon."},
        {"speaker": "Bo", "dia_id": "D1:4", "text": "", "blip_caption": "a photo of my castle in Spain"},
    ],
    "session_2_date_time": "1:56 pm on 9 May, 2023",
    "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "My sister Ida plays the cello in Rome."}],
}
SAMPLE: dict[str, Any] = {
    "sample_id": "c1",
    "conversation": TALK,
    "qa": [
        {"question": "Where does Ann live?", "category": 1, "evidence": ["D1:3"]},
        {"question": "Who sails?", "category": 4, "evidence": ["D1:2", "D1:4"]},
    ],
    "observation": {
        "session_1_observation": {"Ann": [["Ann adopted a kitten.", "D1:1"]], "Bo": [["Bo painted his boat.", ["D1:2", "D1:4"]]]}
    },
    "event_summary": {"events_session_1": {"Ann": ["Ann adopts a grey kitten.", ""], "Bo": [], "date": "8 May, 2023"}},
}


def write(folder: Path, **changed: object) -> Path:
    path = folder / "talk.json"
    path.write_text(json.dumps([SAMPLE | changed]), encoding="utf-8")
    return path


def label(text: str) -> Label:
    return Label("c1", 1, "observation", text)


def test_labels_are_observations_and_events(tmp_path: Path) -> None:
    data = read_extraction(write(tmp_path))
    assert [(x.session, x.kind, x.text) for x in data.labels] == [
        (1, "observation", "Ann adopted a kitten."),
        (1, "observation", "Bo painted his boat."),
        (1, "event", "Ann adopts a grey kitten."),
    ]
    assert data.first() == data


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"observation": {}, "event_summary": {}}, "no observations"),
        ({"observation": []}, "not an object"),
        ({"observation": {"monday": {}}}, "names no session"),
        ({"observation": {"session_1_observation": []}}, "not an object"),
        ({"observation": {"session_1_observation": {"Ann": "x"}}}, "not a list"),
        ({"observation": {"session_1_observation": {"Ann": [[3]]}}}, "no text"),
    ],
)
def test_other_labels_are_refused_with_their_reason(tmp_path: Path, changed: dict[str, object], reason: str) -> None:
    with pytest.raises(DataRefused, match=reason):
        read_extraction(write(tmp_path, **changed))


def test_dialogues_without_labels_are_refused_whatever_their_layout(tmp_path: Path) -> None:
    days = {"2023-05-08": [{"query": "Hello", "response": "Hi"}]}
    (tmp_path / "diaries.json").write_text(json.dumps({"Ann": {"history": days}, "Bea": {"history": days}}), encoding="utf-8")
    with pytest.raises(DataRefused, match="no observations"):
        read_extraction(tmp_path)


def test_a_label_picks_one_memory_and_every_measure_is_read_off_it() -> None:
    near, other = Kept("Ann adopted a small grey kitten", ("D1:1",)), Kept("Ann adopted the idea of a kitten for a month", ("D1:2",))
    (pair,) = paired([label("Ann adopted a kitten")], [other, near])
    assert pair.memory is near
    assert pair.rouge_l.recall == 1.0
    assert pair.rouge_l.precision == pytest.approx(4 / 6)
    assert pair.rouge_2.recall == pytest.approx(2 / 3)


def test_of_two_as_good_the_first_is_picked_and_what_shares_nothing_is_not() -> None:
    twins = [Kept("Ann has a cat at home", (turn,)) for turn in ("D1:1", "D1:2")]
    assert paired([label("Ann has a cat")], twins)[0].memory is twins[0]
    assert paired([label("Rain")], twins)[0].memory is None


def test_a_memory_under_five_words_counts_nothing() -> None:
    (pair,) = paired([label("Ann has a cat")], [Kept("Ann has a cat", ("D1:1",))])
    assert (pair.rouge_l.f1, pair.rouge_2.f1) == (0.0, 0.0)


def test_only_a_memory_of_at_most_two_turns_covers() -> None:
    kept = [Kept("a", ("D1", "D2")), Kept("b", ("D3", "D4", "D5"))]
    assert covered(["D1", "D2", "D3", "D9"], kept) == [True, True, False, False]


def test_facts_name_the_turn_they_were_said_in(tmp_path: Path) -> None:
    (conversation,) = read_extraction(write(tmp_path)).source.conversations
    facts = {k.text: k for k in facts_of(conversation)}
    kitten = facts["Ann adopted a grey kitten yesterday."]
    assert (kitten.turns, kitten.dated, 0 < kitten.trust < 1) == (("D1:1",), True, True)
    assert facts["In Lisbon."].turns == ("D1:3",)
    assert not any("castle" in text for text in facts)


def test_in_a_group_nobody_is_told_about_by_another_who_is_there() -> None:
    """As in the program."""
    said = (("Ann", "My friend Ida is a nurse in Lisbon."), ("Bo", "My sister Cleo plays the cello in Rome."), ("Ida", "I keep four bees."))
    told_at = datetime(2023, 5, 8, tzinfo=UTC)
    messages = tuple(ImportedMessage(f"D1:{n}", who, text, told_at, 1, n) for n, (who, text) in enumerate(said, start=1))
    group = ImportedConversation("c", "c", ("Ann", "Bo", "Ida"), messages, ())
    assert [k.turns for k in facts_of(group)] == [("D1:2",), ("D1:3",)]
    assert [k.turns for k in facts_of(replace(group, speakers=("Ann", "Bo"), messages=messages[:2]))] == [("D1:1",), ("D1:2",)]


def test_sentences_are_told_by_replacing_words(tmp_path: Path) -> None:
    (conversation,) = read_extraction(write(tmp_path)).source.conversations
    assert [(k.text, k.turns) for k in sentences_of(conversation)] == [
        ("Ann adopted a grey kitten yesterday.", ("D1:1",)),
        ("Bo painted Bo's boat and sailed to the island.", ("D1:2",)),
        ("Bo's sister Ida plays the cello in Rome.", ("D2:1",)),
    ]


def test_the_rarest_words_come_first_within_the_budget() -> None:
    texts = ["a b", "a c d e", "a f g", "a b"]
    assert rarest(texts, count=2, words=99) == [1, 2]
    assert rarest(texts, count=9, words=6) == [0, 1]


def test_the_command_leaves_figures_within_their_budget(tmp_path: Path) -> None:
    out = tmp_path / "out"
    systems = "reader,reader-half,sentences-idf-half"
    assert main(["extraction", "--data", str(write(tmp_path)), "--out", str(out), "--systems", systems]) == 0
    records = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    by = {(r["system"], r["metric"]): r for r in records if r["category"] is None}
    assert by["reader", "rougeL_f1"]["n"] == 3
    assert by["reader", "coverage"] | {"ci_low": 0, "ci_high": 0} == by["reader", "coverage"] | {
        "value": 2 / 3,
        "n": 3,
        "ci_low": 0,
        "ci_high": 0,
    }
    for system in ("reader-half", "sentences-idf-half"):
        assert by[system, "memories_per_turn"]["value"] <= 0.5
        assert by[system, "words_per_turn"]["value"] <= 8
    assert by["reader", "tokens_per_turn"]["value"] > by["reader", "words_per_turn"]["value"] > 0
