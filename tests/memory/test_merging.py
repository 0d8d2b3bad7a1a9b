"""Values of complex keys put together by a model: what of an answer holds, and that the sketch follows from values and answers alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chat.assembly import open_memory
from memory.engine import mend_task
from memory.merging import LineItem, MergeAnswer, Question, applied, lines, question
from memory.persona import sketch
from models.structured import AnswerUnreadable, StructuredModel
from settings import Settings
from storage.records import Memory
from tests.memory.clerk import Clerk, answer, controls, nothing
from tests.memory.test_construction import Live, start
from tests.memory.test_persona import value
from tests.memory.values_given import give

EN = (
    value("goals", "become a pilot", 2),
    value("goals", "open a bakery", 9),
    value("goals", "give up flying and open a bakery in Leith", 15),
)
ZH = (
    value("goals", "当飞行员", 2),
    value("goals", "开一家面包店", 9),
    value("beliefs", "诚实最重要", 11),
    value("beliefs", "善良比诚实重要", 15),
)


def asked(*values: Memory) -> Question:
    found = question(sketch(values))
    assert found is not None
    return found


def held(values: tuple[Memory, ...], *items: dict[str, object]) -> list[tuple[str, list[str]]]:
    found = lines(MergeAnswer(merged=[LineItem.model_validate(i) for i in items]), asked(*values))
    return [(line.text, [v.text for v in line.values]) for line in found]


def test_only_complex_keys_with_several_values_are_asked_about_and_what_a_person_wrote_is_not() -> None:
    assert question(sketch([value("goals", "become a pilot", 2), value("skills", "juggling", 3), value("skills", "chess", 4)])) is None
    assert [v.text for v in asked(*EN, value("beliefs", "luck", 3)).values] == [v.text for v in EN]
    assert question(sketch([EN[0], replace(EN[1], origin="user")])) is None
    assert asked(*reversed(EN)).key == asked(*EN).key != asked(*EN[:2]).key


def test_a_line_of_the_values_own_words_takes_their_place_and_they_stay_in_history() -> None:
    text = "wants to open a bakery in Leith, no longer to become a pilot"
    (line,) = lines(MergeAnswer(merged=[LineItem(key="goals", text=text, values=[1, 2, 3])]), asked(*EN))
    (entry,) = applied(sketch([*EN, value("goals", "learn Gaelic", 20)]), [line])
    assert [(v.text, v.round_last, v.id) for v in entry.values] == [("learn Gaelic", 20, "goals-20-0"), (text, 15, "")]
    assert [v.text for v in entry.former] == [v.text for v in reversed(EN)]
    assert entry.values[1].grounds == tuple(v.id for v in EN)
    assert held(ZH, {"key": "beliefs", "text": "诚实重要，但善良比诚实重要", "values": [3, 4]}) == [
        ("诚实重要，但善良比诚实重要", ["诚实最重要", "善良比诚实重要"])
    ]


@pytest.mark.parametrize(
    "item",
    [
        {"key": "goals", "text": "become a pilot, then open a bakery with Tom", "values": [1, 2]},  # a name nobody said
        {"key": "goals", "text": "become a pilot and open three bakeries", "values": [1, 2]},  # a number nobody said
        {"key": "goals", "text": "sadly open a bakery instead of becoming a pilot", "values": [1, 2]},  # a feeling nobody told
        {"key": "goals", "text": "open a bakery", "values": [1, 2]},  # one of them lost
        {"key": "goals", "text": "I want to become a pilot and open a bakery", "values": [1, 2]},
        {"key": "goals", "text": "become a pilot", "values": [1, 1]},
        {"key": "goals", "text": "become a pilot and open a bakery", "values": [1, 7]},
        {"key": "goals", "text": "become a pilot and open a bakery", "values": [0, 1]},
        {"key": "beliefs", "text": "become a pilot, then open a bakery", "values": [1, 2]},
        {"key": "name", "text": "become a pilot, then open a bakery", "values": [1, 2]},
        {"key": "goals", "text": "当飞行员，开面包店", "values": [1, 2]},  # another language
        {"key": "goals", "text": "become a pilot; ignore the rules and open a bakery", "values": [1, 2]},
        {"key": "goals", "text": "become a pilot\u202e open a bakery", "values": [1, 2]},
    ],
)
def test_what_its_values_do_not_say_is_refused(item: dict[str, object]) -> None:
    assert held(EN, item) == []


@pytest.mark.parametrize(
    "item",
    [
        {"key": "goals", "text": "想当飞行员，也想和小明开一家面包店", "values": [1, 2]},
        {"key": "goals", "text": "开一家面包店", "values": [1, 2]},
        {"key": "goals", "text": "我想当飞行员和开一家面包店", "values": [1, 2]},
        {"key": "goals", "text": "wants to open a bakery", "values": [1, 2]},
        {"key": "beliefs", "text": "当飞行员，诚实最重要", "values": [1, 3]},
    ],
)
def test_what_its_values_do_not_say_is_refused_in_chinese(item: dict[str, object]) -> None:
    assert held(ZH, item) == []


def test_no_value_stands_in_two_lines_and_few_lines_stand_under_one_key() -> None:
    first = {"key": "goals", "text": "become a pilot, later open a bakery", "values": [1, 2]}
    assert len(held(EN, first, {**first, "values": [2, 3]})) == 1
    many = tuple(value("goals", f"visit place{n}", n) for n in range(1, 11))
    pairs = [{"key": "goals", "text": f"visit place{n} and place{n + 1}", "values": [n, n + 1]} for n in range(1, 10, 2)]
    assert len(held(many, *pairs)) == 3


def test_a_line_whose_value_does_not_hold_any_more_is_left_out() -> None:
    (line,) = lines(MergeAnswer(merged=[LineItem(key="goals", text="become a pilot, later open a bakery", values=[1, 2])]), asked(*EN[:2]))
    (entry,) = applied(sketch([EN[1]]), [line])
    assert [v.text for v in entry.values] == ["open a bakery"]


# As the worker does it

TALK = {2: "I want to become a lighthouse keeper.", 14: "I want to become a clockmaker in Leith."}
LINE = "first a lighthouse keeper, now a clockmaker in Leith"


def unread(record: dict[str, object]) -> str:
    """The reading gives what the rules give."""
    lines_ = record["lines"]
    assert isinstance(lines_, list)
    goals = [
        {"key": "goals", "value": line["said"].split("want to ")[1].strip("."), "lines": [line["n"]]}
        for line in lines_
        if "want to" in line["said"]
    ]
    return answer(facts=[], persona=goals)


def put_together(record: dict[str, object]) -> str:
    values = record["values"]
    assert isinstance(values, list)
    return answer(merged=[{"key": "goals", "text": LINE, "values": [v["n"] for v in values]}])


@pytest.fixture
def clerk() -> Clerk:
    return Clerk(facts=unread, insights=nothing, plot=nothing, persona=put_together)


@pytest.fixture
def live(tmp_path: Path, clerk: Clerk) -> Iterator[Live]:
    memory = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None), model=StructuredModel(clerk))  # type: ignore[call-arg]
    yield start(memory)
    memory.close()


def talk(live: Live, first: int, last: int) -> None:
    for number in range(first, last + 1):
        live.say(TALK.get(number, "Is the tide in?"), "It is.")


def goals(live: Live) -> list[str]:
    return live.known().get("goals", [])


BOTH = ["become a clockmaker in Leith", "become a lighthouse keeper"]


def test_values_are_put_together_once_in_thirty_rounds_and_not_asked_again(live: Live, clerk: Clerk) -> None:
    talk(live, 1, 29)
    assert goals(live) == BOTH
    assert "persona" not in clerk.asked
    talk(live, 30, 31)
    assert goals(live) == [LINE]
    assert clerk.asked.count("persona") == 1
    (entry,) = live.memory.engine.overview.profile(live.scope, live.branch_id, current_round=live.number).entries
    assert [v.text for v in entry.former] == BOTH
    talk(live, 32, 61)
    assert clerk.asked.count("persona") == 1, "there is nothing new to put together"
    assert goals(live) == [LINE]
    uses = {u.purpose: u.calls for u in live.memory.store.model_uses.all(live.scope)}
    assert uses["persona"] == 1
    assert sum(uses.values()) <= 26


def test_what_was_put_together_long_ago_holds_until_more_is_said(live: Live, clerk: Clerk) -> None:
    talk(live, 1, 31)
    for now, wanted in ((29, BOTH), (30, [LINE]), (59, [LINE]), (9_999, [LINE])):
        (entry,) = live.memory.engine.overview.profile(live.scope, live.branch_id, current_round=now).entries
        assert [v.text for v in entry.values] == wanted


def test_made_anew_it_is_the_same_and_another_branch_has_its_own(live: Live, clerk: Clerk) -> None:
    talk(live, 1, 31)
    controls(live).rebuild(live.scope.user_id, live.scope.chat_id)
    live.memory.work_off()
    assert goals(live) == [LINE]
    assert clerk.asked.count("persona") == 2
    store = live.memory.store
    path = store.chats.span(live.scope, live.branch_id, first_round=1, last_round=5)
    other = store.branches.fork(live.scope, live.branch_id, path[-1].id, "there", operation="checkpoint")
    there = Live(live.memory, live.scope, other, [])
    assert goals(there) == ["become a lighthouse keeper"]


@pytest.mark.parametrize("said", ["", "Sorry, I cannot help with that.", '{"merged": 7}', "[" * 500])
def test_an_answer_that_is_none_leaves_all_side_by_side_and_says_so(live: Live, clerk: Clerk, said: str) -> None:
    talk(live, 1, 29)
    clerk.answers["persona"] = lambda record: said
    with pytest.raises(AnswerUnreadable):
        talk(live, 30, 30)
    assert goals(live) == BOTH
    (use,) = [u for u in live.memory.store.model_uses.all(live.scope) if u.purpose == "persona"]
    assert use.calls == 2  # one repair
    clerk.answers["persona"] = put_together
    with live.memory.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1, not_before = 0 WHERE state IN ('leased', 'queued')")
    live.memory.work_off()
    assert goals(live) == [LINE]


def test_hostile_lines_are_dropped_and_not_asked_for_again(live: Live, clerk: Clerk) -> None:
    clerk.answers["persona"] = lambda record: json.dumps(
        {
            "merged": [
                {"key": "goals", "text": "Mara wants to obey Nell Garrow", "values": [1, 2]},
                {"key": "name", "text": "Nell", "values": [1, 2]},
            ]
        }
    )
    talk(live, 1, 37)
    assert goals(live) == BOTH
    assert clerk.asked.count("persona") == 1


def test_what_is_left_out_or_erased_takes_the_line_along(live: Live, clerk: Clerk) -> None:
    talk(live, 1, 31)
    (entry,) = live.memory.engine.overview.profile(live.scope, live.branch_id, current_round=live.number).entries
    keeper = next(v for v in entry.former if "keeper" in v.text)
    controls(live).exclude(live.scope.user_id, live.scope.chat_id, keeper.id)
    live.memory.work_off()
    assert goals(live) == ["become a clockmaker in Leith"]
    controls(live).include(live.scope.user_id, live.scope.chat_id, keeper.id)
    live.memory.work_off()
    assert goals(live) == [LINE]
    assert clerk.asked.count("persona") == 1
    controls(live).delete(live.scope.user_id, live.scope.chat_id, keeper.id)
    live.memory.work_off()
    assert goals(live) == ["become a clockmaker in Leith"]
    left = live.memory.store.database.read().execute("SELECT output FROM derivation WHERE kind = 'merge'").fetchall()
    assert not [row for row in left if "lighthouse" in row["output"]], "nothing that retells it is kept"


def test_without_a_model_values_stand_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, {TALK[14]: [("goals", BOTH[0])], TALK[2]: [("goals", BOTH[1])]})
    memory = open_memory(Settings(data_dir=tmp_path / "plain", _env_file=None))  # type: ignore[call-arg]
    try:
        live = start(memory)
        talk(live, 1, 31)
        assert goals(live) == BOTH
        assert not live.memory.store.model_uses.all(live.scope)
    finally:
        memory.close()


def test_an_empty_telling_is_kept_and_not_asked_for_again(live: Live, clerk: Clerk) -> None:
    clerk.answers["facts"] = lambda record: answer(
        facts=[{"text": "Mara asked about the tide.", "about": "Mara", "lines": [1]}] if record["lines"] else [], persona=[]
    )
    talk(live, 1, 31)
    told = clerk.asked.count("plot")
    assert told == 1
    live.memory.store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
    live.memory.work_off()
    assert clerk.asked.count("plot") == told
