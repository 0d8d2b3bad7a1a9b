"""Our insight cases: enough of each kind, each once, about stances that exist, and none that says a cue back."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from snowballstemmer import stemmer

from evaluation.datasets import DataRefused
from evaluation.insight_cases import BUILT_IN_CASES, QUERY_TYPES, InsightCase, read_cases
from personas.cast import built_in

CASES = read_cases(BUILT_IN_CASES)
STANCES = {(c.id, s.statement): s for c in built_in() for s in c.stances}
_STEM = stemmer("english").stemWord
_SMALL = set("a an the and or of in on at to for my me i it is are was with that as by from".split())


def _words(text: str, language: str) -> set[str]:
    """What a sentence is made of: stems without small words in English, pairs of characters in Chinese."""
    text = text.replace("{{user}}", "").lower()
    if language == "zh":
        text = re.sub(r"\W", "", text)
        return {text[i : i + 2] for i in range(len(text) - 1)}
    return {_STEM(word) for word in re.findall(r"[a-z']+", text)} - _SMALL


def test_there_are_enough_and_all_kinds_are_as_many() -> None:
    assert len(CASES) >= 300
    assert sum(c.stance is None for c in CASES) / len(CASES) >= 0.2
    for language in ("en", "zh"):
        for kind in QUERY_TYPES:
            there = [c for c in CASES if c.language == language and c.query_type == kind]
            assert 38 <= len(there) <= 42
            assert sum(c.stance is None for c in there) >= 8
    assert set(Counter(c.insufficient for c in CASES if c.stance is None).values()) <= set(range(5, 25))


def test_every_stance_is_asked_for_and_every_length_is_there() -> None:
    asked = Counter((c.character, c.stance) for c in CASES if c.stance)
    assert set(asked) == set(STANCES)
    assert min(asked.values()) >= 4
    assert {len(c.messages) for c in CASES} == set(range(2, 9))


def test_the_two_parts_are_alike() -> None:
    for sufficient in (True, False):
        for character in built_in():
            parts = Counter(c.part for c in CASES if c.character == character.id and (c.stance is not None) == sufficient)
            assert abs(parts["dev"] - parts["test"]) <= 4


def test_nothing_is_said_twice() -> None:
    said = Counter(text for c in CASES for text in (*c.messages, c.query))
    assert [text for text, times in said.items() if times > 1] == []


def test_no_case_says_a_cue_back() -> None:
    echoes = []
    for case in CASES:
        if case.stance is None:
            continue
        for number in case.telling:
            said = _words(case.messages[number - 1], case.language)
            for cue in (text for wordings in STANCES[case.character, case.stance].cues for text in wordings):
                wanted = _words(cue, case.language)
                if len(wanted & said) >= 0.75 * len(wanted):
                    echoes.append((case.id, cue))
    assert echoes == []


def test_talk_that_bears_a_stance_out_does_so_in_two_rounds() -> None:
    assert all(len(set(c.telling)) >= 2 for c in CASES if c.stance)
    assert all(len(c.telling) == 1 for c in CASES if c.insufficient in ("one fact", "same round"))


def _changed(case: InsightCase, **fields: object) -> str:
    return json.dumps({**case.model_dump(mode="json"), **fields})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "JSON"),
        (_changed(CASES[0], telling=[1, 9]), "does not have"),
        (_changed(CASES[0], telling=[1]), "two telling"),
        (_changed(CASES[0], stance=None), "either a stance or a reason"),
        (_changed(CASES[0], stance="Nobody thinks this."), "none of the character's"),
        (_changed(CASES[0], character="builtin:qiu-mai"), "speaks en"),
        (_changed(CASES[0], messages=["only one"]), "messages"),
        (_changed(CASES[0]) + "\n" + _changed(CASES[0]), "twice"),
        ("", "no case"),
    ],
)
def test_a_file_at_fault_is_refused_with_its_reason(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataRefused, match=reason):
        read_cases(path)
