"""What an example says of the segments and tokens of its message."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.reading.inputs import ABOUT, KEY_NAMES, KINDS, MODES
from models.e5_file import E5File, bundled_file
from models.unigram import Unigram
from training.examples import Example, labelled, read

DATA = Path(__file__).resolve().parents[2] / "training" / "data"
MARA: dict[str, Any] = {
    "lang": "en",
    "day": "2026-03-14 Sat",
    "before": [["Nell", "What brings you out in this?"]],
    "speaker": "Mara",
    "message": 'Boat broke its mast off the point. I\'m a carpenter. "He owes me forty crowns," my sister Ida says. Lovely weather.',
    "facts": [
        {
            "words": "Boat broke its mast off the point.",
            "about": "Mara",
            "kind": "event",
            "key": "-",
            "value": "",
            "text": "Mara's boat broke its mast.",
        },
        {
            "words": "I'm a carpenter",
            "about": "Mara",
            "kind": "state",
            "key": "occupation",
            "value": "carpenter",
            "text": "Mara is a carpenter.",
        },
        {"words": "my sister Ida says", "about": "Ida", "kind": "state", "key": "-", "value": "", "text": "Ida is Mara's sister."},
    ],
    "not": [["He owes me forty crowns", "quoted:Ida"]],
}


@pytest.fixture(scope="module")
def tokens() -> Unigram:
    return Unigram(E5File.read(bundled_file()).vocabulary)


@pytest.fixture(scope="module")
def mara(tokens: Unigram) -> Example:
    return labelled(MARA, tokens)


def test_a_fact_marks_the_segment_it_stands_in(mara: Example) -> None:
    texts = [MARA["message"][s.start : s.end] for s in mara.segments]
    assert dict(zip(texts, mara.keep, strict=True))["Lovely weather."] == 0
    assert [t for t, keep in zip(texts, mara.keep, strict=True) if keep] == [
        "Boat broke its mast off the point.",
        "I'm a carpenter.",
        "my sister Ida says.",
    ]


def test_whose_it_is_and_what_kind(mara: Example) -> None:
    kept = np.flatnonzero(mara.keep)
    assert [ABOUT[int(mara.about[i].argmax())] for i in kept] == ["speaker", "speaker", "other"]
    assert [KINDS[int(mara.kind[i].argmax())] for i in kept] == ["event", "state", "state"]


def test_what_is_not_meant_has_its_mode_and_what_nothing_is_said_of_has_none(mara: Example) -> None:
    modes = [MODES[m] if m >= 0 else "" for m in mara.mode]
    assert modes == ["meant", "meant", "quoted", "meant", ""]


def test_a_value_marks_its_tokens_with_its_key(mara: Example) -> None:
    ((at, key),) = mara.values
    assert KEY_NAMES[key] == "occupation"
    assert at.tolist() == np.flatnonzero(mara.value).tolist()
    start, end = mara.encoded.starts[at[0]], mara.encoded.ends[at[-1]]
    assert MARA["message"][start:end] == "carpenter"


def test_words_that_are_not_in_the_message_are_refused(tokens: Unigram) -> None:
    wrong = {**MARA, "facts": [{**MARA["facts"][0], "words": "the boat broke"}]}
    with pytest.raises(ValueError, match="not in the message"):
        labelled(wrong, tokens)


def test_every_shipped_example_can_be_learned_from(tokens: Unigram) -> None:
    lines = read(sorted(DATA.glob("*/*.jsonl")))
    told = [raw for _, raw in lines if "message" in raw]
    assert len(told) >= 12_000
    for raw in told:
        example = labelled(raw, tokens)
        assert all(example.facts_at), raw["message"]


def test_the_test_part_shares_no_message_with_the_training_part() -> None:
    train = {raw["message"] for _, raw in read(sorted((DATA / "train").glob("*.jsonl"))) if "message" in raw}
    test = [raw["message"] for _, raw in read(sorted(DATA.glob("test*/*.jsonl"))) if "message" in raw]
    assert len(test) >= 600
    assert len(train & set(test)) <= 2  # "lol same" may be written twice
