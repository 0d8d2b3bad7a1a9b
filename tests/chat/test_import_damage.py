"""Sound files of every layout, damaged in random ways: never an error but a refusal, which comes only where no message is left, and what is undamaged comes in."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.import_formats import ImportRefused, read_conversations
from tests.chat.import_files import Write, outcome
from tests.chat.test_import_cases import CHATGPT, CLAUDE, HEADER, OPEN_WEBUI, line
from tests.chat.test_import_peers import AGNAI, CAI, KOBOLD, RISU, WEBUI

SAID = [f"This is number {n}, said on the {n}th day, and {n} gulls cried." for n in range(12)]
LINES = [json.dumps(line("Ann" if n % 2 else "Bo", text, send_date=1683554160 + 60 * n)) for n, text in enumerate(SAID)]
FILES = {
    "lines": "\n".join([json.dumps(HEADER), *LINES]),
    "array": "[\n" + ",\n".join([json.dumps(HEADER), *LINES]) + "\n]",
    "text": "2023-05-08 13:56\n" + "\n".join(f"{'Ann' if n % 2 else 'Bo'}: {text}" for n, text in enumerate(SAID)),
    "markdown": "\n\n".join(f"**{'Ann' if n % 2 else 'Bo'}:** {text}" for n, text in enumerate(SAID)),
    "messenger": "\n\n".join(f"2023-05-08 13:{10 + n}:00 {'小林' if n % 2 else '阿忆'}\n{text}" for n, text in enumerate(SAID)),
}
VALUES = {
    "RisuAI": RISU,
    "Agnai": AGNAI,
    "CAI Tools": CAI,
    "KoboldAI Lite": KOBOLD,
    "text-generation-webui": WEBUI,
    "Open WebUI": OPEN_WEBUI,
    "ChatGPT": CHATGPT,
    "Claude": CLAUDE,
    "LoCoMo": {
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ann" if n % 2 else "Bo", "text": text, "dia_id": f"D1:{n}"} for n, text in enumerate(SAID)],
        }
    },
    "diary": {"Ann": {"history": {"2023-05-08": [{"query": text, "response": text} for text in SAID[:4]]}}},
}
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
DAMAGE = st.tuples(st.sampled_from(["drop", "flip", "cut", "insert", "nul"]), st.integers(0, 10**6), st.integers(0, 255))


def damaged(raw: bytes, damage: tuple[str, int, int]) -> tuple[bytes, int]:
    """The file with one place that is not right, and where."""
    how, where, byte = damage
    at = where % len(raw)
    if how == "cut":
        return raw[:at], at
    if how == "nul":
        return raw[:at] + b"\0" + raw[at + 1 :], at
    if how == "insert":
        return raw[:at] + bytes([byte]) + raw[at:], at
    return raw[:at] + (b"" if how == "drop" else bytes([byte])) + raw[at + 1 :], at


@pytest.mark.parametrize("layout", FILES)
@QUICK
@given(DAMAGE)
def test_every_line_that_is_not_damaged_comes_in(write: Write, layout: str, damage: tuple[str, int, int]) -> None:
    sound = FILES[layout].encode()
    raw, at = damaged(sound, damage)
    found = outcome(write(raw))
    if isinstance(found, ImportRefused):
        assert at < sound.index(SAID[0].encode()) + len(SAID[0]) + 4, "only a beginning without a message is refused"
        return
    heard = "\n".join(m.text for one in found for m in one.messages)
    ends = [(text, sound.index(text.encode())) for text in SAID]
    # The line where it is damaged, and one beside it that has run together with it, may be lost; after a cut, all behind it.
    near = [place for place, (_, start) in enumerate(ends) if start <= at][-1:] or [0]
    lost = {near[0] - 1, near[0], near[0] + 1} if damage[0] != "cut" else set(range(near[0], len(SAID)))
    assert [text for place, (text, _) in enumerate(ends) if place not in lost and text not in heard] == []


@pytest.mark.parametrize("layout", FILES)
@QUICK
@given(st.integers(0, 100), st.integers(0, 100))
def test_a_line_that_stands_there_twice_costs_nothing(write: Write, layout: str, which: int, where: int) -> None:
    lines = FILES[layout].split("\n")
    lines.insert(where % (len(lines) + 1), lines[which % len(lines)])
    heard = Counter(text for one in read_conversations(write("\n".join(lines))) for m in one.messages for text in SAID if text in m.text)
    assert set(heard) == set(SAID)


@pytest.mark.parametrize("layout", VALUES)
@QUICK
@given(DAMAGE, st.sampled_from([None, 1]))
def test_a_damaged_value_is_read_as_far_as_it_is_sound_or_refused(
    write: Write, layout: str, damage: tuple[str, int, int], indent: int | None
) -> None:
    whole = json.dumps(VALUES[layout], indent=indent)
    all_said = [m.text for one in read_conversations(write(whole, "x.json")) for m in one.messages]
    raw, _ = damaged(whole.encode(), damage)
    found = outcome(write(raw, "x.json"))
    if isinstance(found, ImportRefused):
        assert damage[0] == "cut" or len(all_said) <= 3, "of many messages one place costs only what stands there"
        return
    assert all(one.messages for one in found)
    if damage[0] != "cut" and len(all_said) > 8:
        heard = [m.text for one in found for m in one.messages]
        assert sum(text in heard for text in all_said) >= len(all_said) - 3
