"""What the shipped reader keeps of a message, and what not."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.reading.network import SHIPPED, network
from memory.reading.reader import Noted, read


def noted(message: str, *, speaker: str = "Sam", before: tuple[str, str] | None = None) -> list[Noted]:
    return read(message, speaker=speaker, before=before)


@pytest.mark.parametrize(
    ("speaker", "message", "before"),
    [
        ("Sam", "I work nights at the post office.", None),
        ("Sam", "moved here from Lagos in 2019", None),
        ("Sam", "Kenya. Nairobi.", ("Mira", "Where are you from?")),
        ("Sam", "my sister Ruth is allergic to shellfish", None),
        ("小林", "我在邮局上夜班，家里有两个孩子", None),
        ("小林", "没呢 一个人住", ("米拉", "你结婚了吗？")),
        ("Odo", 'Odo sets the lamp down. "Eleven years I kept the light on this rock," he says.', None),
    ],
)
def test_what_somebody_tells_of_their_life_is_kept_in_their_words(speaker: str, message: str, before: tuple[str, str] | None) -> None:
    found = noted(message, speaker=speaker, before=before)
    assert found
    for n in found:
        assert n.form == "quoted"
        assert message[n.start : n.end]
        assert " ".join(message[n.start : n.end].split()).strip("\"“”'*") in n.text
        assert n.text.startswith(speaker)


@pytest.mark.parametrize(
    ("speaker", "message"),
    [
        ("Sam", '"Two winters I drove the ice road," the ferryman says, coiling his rope.'),
        ("Sam", 'My boss goes, "I was married three times!"'),
        ("小林", "“我开了两个冬天的冰路。”老船夫一边收绳子一边说。"),
        ("Sam", "((ooc: my exam is on monday, might be slow))"),
        ("Sam", "<think>The user wants a character with three sons.</think>"),
        ("Sam", "*nods and pours the tea*"),
        ("Sam", "haha ok, see you"),
        ("小林", "哈哈好的 回头聊"),
        ("Sam", "do you like olives?"),
        ("Sam", ""),
        ("Sam", "…!?"),
    ],
)
def test_nothing_is_kept_of_what_is_not_theirs_or_tells_nothing(speaker: str, message: str) -> None:
    assert noted(message, speaker=speaker) == []


def test_the_line_that_is_answered_stands_in_the_memory() -> None:
    found = noted("Kenya. Nairobi.", before=("Mira", "Where are you from?"))
    assert found
    assert all("Where are you from?" in n.text for n in found)


def test_of_a_long_line_that_is_answered_its_end_stands_there_in_whole_words() -> None:
    line = (
        "We talked about the harbour and the new ferry and who would run it once the old captain has gone to his daughter's. " * 2
        + "Where are you from?"
    )
    (first, *_) = noted("Kenya. Nairobi.", before=("Mira", line))
    shown = first.text.partition("“")[2].partition("”")[0]
    assert shown.startswith("… ")
    assert line.endswith(" " + shown.removeprefix("… "))


def test_a_stretch_that_leans_on_the_one_before_it_stands_with_it() -> None:
    found = noted("My cousin Ida keeps bees. She sold the house in Leeds in May.")
    assert any("My cousin Ida keeps bees. She sold the house" in n.text for n in found)


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="aI mW我是\"'“”*()（）.?!\n{}<>\u200b\ud83d\U0001f600", max_size=60))
def test_any_text_is_read(message: str) -> None:
    for n in noted(message):
        assert 0 <= n.start < n.end <= len(message)
        assert 0 <= n.keep <= 1


def test_the_same_message_is_read_alike_again_and_beside_others() -> None:
    one = noted("moved here from Lagos in 2019")
    noted("Something else. My aunt has a boat.")
    assert noted("moved here from Lagos in 2019") == one


def test_two_statements_are_told_apart() -> None:
    relation = network().relation(("", "i work at the library"), ("", "quit the library last week, i'm at the bakery now"))
    assert relation.shape == (3,)
    assert np.isclose(relation.sum(), 1)


def test_what_is_shipped_is_small() -> None:
    assert SHIPPED.stat().st_size < 10_000_000


def test_the_command_adds_memories_to_each_line(tmp_path: Path) -> None:
    given_ = {
        "lang": "en",
        "day": "2026-03-14 Sat",
        "before": [],
        "speaker": "Sam",
        "message": "moved here from Lagos in 2019",
        "facts": [],
    }
    (tmp_path / "in.jsonl").write_text(json.dumps(given_) + "\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "memory.reading", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out.jsonl")], check=True)
    (line,) = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    out = json.loads(line)
    assert {k: out[k] for k in given_} == given_
    (memory,) = out["memories"]
    assert set(memory) >= {"text", "form", "about", "key", "value", "mode", "keep", "start", "end"}
    assert given_["message"][memory["start"] : memory["end"]] == "moved here from Lagos in 2019"
