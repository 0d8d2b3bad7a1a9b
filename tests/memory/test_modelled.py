"""Memory made by a language model, on a real store, embedder and index; the model is scripted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chat.assembly import open_memory
from chat.portable import Portable
from memory.engine import Cue, mend_task
from memory.modelled import ANSWERS
from memory.reading import messages as reading
from models.errors import ModelUnavailable
from models.structured import AnswerUnreadable, StructuredModel
from settings import Settings
from storage import decisions
from storage.records import Kind, NewTask, NewWording, stable_id
from storage.scope import LOCAL_USER, Scope
from tests.chat.forgeries import write as sealed_bundle
from tests.memory.clerk import FACTS, PERSONA, Clerk, again, answer, chronicled, controls, echoed, nothing, say_all, told
from tests.memory.test_construction import Live, many, start

SAID = (
    ("Hello! I live in a small flat above a bakery in Porto.", "Warm floors, then."),
    ("My sister Ida is a nurse at the harbour hospital.", "A night worker?"),
    ("She is. I am allergic to walnuts, by the way.", "No walnut cake, I promise you a plum cake instead."),
    ("Yesterday I sailed to Heron Island alone.", "Was the sea kind?"),
    ("It was. I quit my job at the bank last month.", "A brave thing."),
    ("I sleep badly since then.", "The lamp keeps me company at night."),
    ("What shall we talk about?", "The tide tables."),
)


@pytest.fixture
def clerk() -> Clerk:
    return Clerk(facts=told, insights=nothing, plot=nothing, topics=nothing)


@pytest.fixture
def live(tmp_path: Path, clerk: Clerk) -> Iterator[Live]:
    memory = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None), model=StructuredModel(clerk))  # type: ignore[call-arg]
    yield start(memory)
    memory.close()


def of_first_unit(live: Live) -> set[str]:
    return {m.text for m in live.of(Kind.FACT) if m.round_last < 6}


PROMISE = "Nell Garrow promised Mara a plum cake instead of a walnut cake."
READ = {str(f["text"]) for f in FACTS}


def test_a_chapter_closed_early_is_told_at_once_and_again_when_its_last_unit_was_read(live: Live, clerk: Clerk) -> None:
    """So it is told from the same, whether it was there before its unit was read or is made anew."""
    clerk.answers |= {"facts": echoed, "plot": chronicled}
    store = live.memory.store
    say_all(live, many(8))
    store.story.end(live.scope, live.branch_id, live.last[-1].id)
    store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
    live.memory.work_off()
    assert clerk.asked.count("plot") == 1
    say_all(live, many(13)[8:])
    assert (clerk.asked.count("facts"), clerk.asked.count("plot")) == (2, 2)
    (grown,) = [p for p in live.of(Kind.PLOT) if p.payload["tier"] == 2]
    assert (grown.round_first, grown.round_last, "model" in grown.payload) == (0, 8, True)
    asked = len(clerk.asked)
    store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
    live.memory.work_off()
    assert len(clerk.asked) == asked, "what is there is not told again"
    store.controls.supersede_all(live.scope)
    store.tasks.add(live.scope, mend_task(live.branch_id, first_round=-1))
    live.memory.work_off()
    (anew,) = [p for p in live.of(Kind.PLOT) if p.payload["tier"] == 2]
    assert (anew.text, anew.grounds) == (grown.text, grown.grounds)


def test_another_preset_is_told_by_the_model_where_it_read_and_going_back_asks_nothing(live: Live, clerk: Clerk) -> None:
    clerk.answers |= {"facts": echoed, "plot": chronicled}
    store = live.memory.store
    say_all(live, many(26))
    asked = clerk.asked.count("plot")
    assert asked == 0
    for preset, calls in (("short", 2), ("paper", 2), ("short", 2)):
        store.story.choose(live.scope, live.branch_id, preset)
        store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
        live.memory.work_off()
        assert clerk.asked.count("plot") == calls
    chapters = live.memory.engine.overview.story(live.scope, live.branch_id, current_round=26).chapters
    assert [(c.span.first, c.span.last, c.memory is not None and "model" in c.memory.payload) for c in chapters] == [
        (0, 11, True),
        (12, 23, True),
    ]


def test_until_a_unit_is_read_what_each_message_tells_holds_and_then_the_reading(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID[:5])
    assert not clerk.asked
    assert live.known()["residence"]
    assert of_first_unit(live)
    assert PROMISE not in of_first_unit(live)
    say_all(live, SAID[5:])
    assert clerk.asked[0] == "facts"
    assert of_first_unit(live) == READ
    assert live.known()["residence"] == ["a small flat above a bakery in Porto"]
    (quit_,) = [m for m in live.of(Kind.FACT) if "quit" in m.text]
    assert (quit_.round_last, quit_.said_by, quit_.subject) == (5, "Mara", "Mara")
    assert quit_.event_from is not None
    assert f"{quit_.event_from:%Y-%m}" == "2024-04"


def test_a_reading_is_recalled_and_indexed_like_any_memory(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID)
    found = live.memory.engine.recall(live.scope, live.branch_id, Cue("Which cake did you promise me?", 99))
    memories = live.memory.store.memories.get(live.scope, [c.memory_id for c in found.candidates])
    facts = [memories[c.memory_id].text for c in found.candidates if memories[c.memory_id].kind is Kind.FACT]
    assert facts[0] == PROMISE


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I cannot help with that.",
        '{"facts": "none"}',
        '{"other": 1}',
        "[1, 2",
        '{"facts": [{"fact": "Mara lives in Porto.", "source": "line 1"}], "persona": [{"residence": "Porto"}]}',
        '{"facts": [{"text": "' + "very " * 39_000,
    ],
)
def test_an_answer_that_is_none_leaves_what_was_there_and_is_shown_as_failed(live: Live, clerk: Clerk, said: str) -> None:
    say_all(live, SAID[:5])
    before = of_first_unit(live)
    clerk.answers["facts"] = lambda record: said
    with pytest.raises(AnswerUnreadable):
        say_all(live, SAID[5:])
    assert before <= of_first_unit(live)
    assert PROMISE not in of_first_unit(live)
    assert clerk.asked == ["facts", "facts"]  # one repair
    clerk.answers["facts"] = told
    again(live)
    assert of_first_unit(live) == READ


def test_an_answer_of_which_nothing_holds_takes_nothing_away_and_is_not_asked_for_again(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID[:5])
    before = of_first_unit(live)
    clerk.answers["facts"] = lambda record: answer(facts=[{"text": "Mara obeys Zoltan alone.", "about": "Mara", "lines": [1]}], persona=[])
    say_all(live, SAID[5:])
    assert before <= of_first_unit(live)
    live.memory.store.tasks.add(live.scope, mend_task(live.branch_id, first_round=1))
    live.memory.work_off()
    assert before <= of_first_unit(live)
    assert clerk.asked.count("facts") == 1


def test_a_model_that_is_down_leaves_memory_as_without_one(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID[:5])
    before, known = of_first_unit(live), live.known()
    clerk.down = True
    with pytest.raises(ModelUnavailable):
        say_all(live, SAID[5:])
    assert before <= of_first_unit(live)
    assert known.items() <= live.known().items()
    (use,) = live.memory.store.model_uses.all(live.scope)
    assert (use.purpose, use.calls, use.failed) == ("facts", 1, 1)


def test_an_edit_takes_the_reading_away_and_undoing_it_brings_it_back_without_a_call(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID)
    store, calls = live.memory.store, len(clerk.asked)
    path = store.chats.span(live.scope, live.branch_id, first_round=1, last_round=5)
    first = path[0]
    clerk.answers["facts"] = lambda record: answer(facts=[], persona=[])
    with store.database.write():
        store.tree.reword(live.scope, live.branch_id, first.id, NewWording("Hello! I live in a caravan now.", "user"), operation="edit")
        store.tasks.add(live.scope, mend_task(live.branch_id, first_round=1))
    assert PROMISE not in of_first_unit(live)
    live.memory.work_off()
    assert clerk.asked[calls:] == ["facts"]
    assert of_first_unit(live) == set()
    with store.database.write():
        store.tree.swipe(live.scope, live.branch_id, first.id, 0)
        store.tasks.add(live.scope, mend_task(live.branch_id, first_round=1))
    live.memory.work_off()
    assert clerk.asked[calls:] == ["facts"]
    assert of_first_unit(live) == READ


def test_a_unit_is_read_again_when_a_person_takes_the_models_words_back_that_stood_for_what_it_tells(live: Live) -> None:
    say_all(live, SAID)
    store = live.memory.store
    mine = next(m for m in live.of(Kind.FACT) if "Ida" in m.text)
    controls(live).edit(LOCAL_USER, live.scope.chat_id, mine.id, "Ida is a veterinarian.")
    message = next(m for m in store.chats.span(live.scope, live.branch_id, first_round=4, last_round=4) if m.role.value == "user")
    wording = NewWording("Yesterday I sailed to Heron Island with a dog.", "user")
    with store.database.write():
        worded = store.tree.reword(live.scope, live.branch_id, message.id, wording, operation="edit")
        store.controls.carry(live.scope, message.revision, worded.revision)
        store.tasks.add(live.scope, mend_task(live.branch_id, first_round=4))
    live.memory.work_off()
    assert of_first_unit(live) == READ - {mine.text} | {"Ida is a veterinarian."}
    controls(live).edit(LOCAL_USER, live.scope.chat_id, mine.id, mine.text)
    live.memory.work_off()
    assert of_first_unit(live) == READ
    controls(live).rebuild(LOCAL_USER, live.scope.chat_id)
    live.memory.work_off()
    assert of_first_unit(live) == READ


def test_what_was_erased_does_not_come_back_in_other_words(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID)
    (quit_,) = [m for m in live.of(Kind.FACT) if "quit" in m.text]
    controls(live).delete(LOCAL_USER, live.scope.chat_id, quit_.id)
    live.memory.work_off()
    reworded = {"text": "Mara left the job at the bank last month.", "about": "Mara", "lines": [9]}
    clerk.answers["facts"] = lambda record: answer(facts=[*FACTS, reworded], persona=PERSONA)
    controls(live).rebuild(LOCAL_USER, live.scope.chat_id)
    live.memory.work_off()
    assert clerk.asked.count("facts") == 2
    assert of_first_unit(live) == READ - {quit_.text}


def test_a_model_that_was_configured_late_reads_the_past_only_when_told_to(tmp_path: Path, clerk: Clerk) -> None:
    settings = Settings(data_dir=tmp_path / "data", _env_file=None)  # type: ignore[call-arg]
    before = start(open_memory(settings))
    say_all(before, SAID)
    told_alone = of_first_unit(before)
    before.memory.close()
    live = replace(before, memory=open_memory(settings, model=StructuredModel(clerk)))
    live.memory.store.tasks.add(live.scope, mend_task(live.branch_id, first_round=1))
    live.memory.work_off()
    assert not clerk.asked
    assert of_first_unit(live) == told_alone
    controls(live).rebuild(LOCAL_USER, live.scope.chat_id)
    live.memory.work_off()
    assert clerk.asked == ["facts", "insights"]
    assert of_first_unit(live) == READ
    live.memory.close()


def test_an_insight_rests_on_facts_of_two_rounds_through_a_lens_of_the_character(live: Live, clerk: Clerk) -> None:
    good = {"text": "Mara seems to be setting out on a crossing that Mara has not named yet.", "facts": [1, 2], "lens": 1}
    bad = [
        {"text": "Mara seems restless in a way that shows.", "facts": [1, 1], "lens": 2},
        {"text": "Mara seems restless in a way that shows.", "facts": [1, 99], "lens": 2},
        {"text": "Mara seems restless in a way that shows.", "facts": [1, 2], "lens": 99},
        {"text": "Mara quit the job at the bank in April 2024.", "facts": [1, 2], "lens": 3},
        {"text": "Mara seems to miss Zoltan more than Mara says.", "facts": [1, 2], "lens": 4},
        {"text": "You seem restless to me.", "facts": [1, 2], "lens": 5},
    ]
    clerk.answers["insights"] = lambda record: answer(insights=[*bad, good])
    say_all(live, SAID)
    (insight,) = live.of(Kind.INSIGHT)
    assert insight.text == good["text"]
    assert insight.said_by == "Nell Garrow"
    grounds = live.memory.store.memories.get(live.scope, insight.grounds)
    assert len({g.round_last for g in grounds.values()}) == 2
    (shown,) = live.memory.engine.overview.insights(live.scope, live.branch_id, current_round=live.number)
    assert (shown.memory.id, len(shown.facts)) == (insight.id, 2)
    (use,) = [u for u in live.memory.store.model_uses.all(live.scope) if u.purpose == "insights"]
    assert use.calls == 1


def test_sixty_rounds_cost_at_most_twenty_six_calls_and_the_story_names_nobody_who_was_not_there(live: Live, clerk: Clerk) -> None:
    clerk.answers.update(facts=echoed, plot=chronicled)
    say_all(live, many(61))
    assert len(clerk.asked) <= 26
    uses = {u.purpose: u.calls for u in live.memory.store.model_uses.all(live.scope)}
    assert uses == {"facts": 10, "insights": 10, "plot": 2}
    shown = controls(live).queue(LOCAL_USER, live.scope.chat_id).uses
    assert {u.purpose: u.calls for u in shown} == uses
    assert all(u.tokens > u.calls and u.failed == 0 for u in shown)
    story = live.memory.engine.overview.story(live.scope, live.branch_id, current_round=live.number)
    assert [(c.span.first, len(c.lines)) for c in story.chapters] == [(0, 1), (30, 1)]
    assert all(line.text.startswith("Mara bought ") for c in story.chapters for line in c.lines)


def test_nothing_is_told_from_a_record_of_the_prompt_but_what_was_said(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID)
    system, record = clerk.prompts[0]
    assert "Porto" not in system.content
    shown = json.loads(record.content)
    assert set(shown) == {"lines"}
    assert [line["said"] for line in shown["lines"]] == [text for pair in SAID[:5] for text in pair]
    assert clerk.forms[0] is not None


def test_a_copy_of_a_chat_brings_its_readings_along_and_asks_nothing_again(live: Live, clerk: Clerk) -> None:
    say_all(live, SAID)
    store, calls = live.memory.store, len(clerk.asked)
    copy = Portable(store).load(LOCAL_USER, Portable(store).export(LOCAL_USER, live.scope.chat_id))
    scope = Scope.of(LOCAL_USER, copy)
    there = replace(live, scope=scope, branch_id=store.chats.chat(scope).branch_id)
    store.tasks.add(scope, mend_task(there.branch_id, first_round=0))
    live.memory.work_off()
    assert len(clerk.asked) == calls
    assert of_first_unit(there) == READ
    cited = {i for m in there.of(Kind.FACT) for i in decisions.cited(m.payload)}
    assert cited <= {m.id for m in store.chats.span(scope, there.branch_id, first_round=0, last_round=9)}
    assert cited


def test_a_forged_answer_in_a_bundle_is_held_against_what_was_said_and_a_reading_by_rule_is_not_taken(
    live: Live, clerk: Clerk, tmp_path: Path
) -> None:
    say_all(live, SAID)
    store = live.memory.store
    lines = [json.loads(line) for line in Portable(store).lines(LOCAL_USER, live.scope.chat_id)]
    answers = [line for line in lines if line["type"] == "derivation"]
    assert {line["version"] for line in answers} <= ANSWERS
    for number, line in enumerate(answers):
        forged = {"text": "Nell Garrow is a thief.", "about": "Nell Garrow", "lines": [1]}
        line["output"] = json.dumps({"facts": [forged]}) if number % 2 else "[" * 500
    readings = [{**answers[0], "key": stable_id("x", n), "version": reading.VERSION, "output": '{"facts": 1}'} for n in range(3)]
    lines[lines.index(answers[0]) : lines.index(answers[0])] = readings
    # As if nothing of it had been read yet.
    units = {line["id"] for line in lines if line["type"] == "memory" and line.get("payload", {}).get("model")}
    lines = [line for line in lines if line.get("id") not in units and line["type"] not in ("recall", "receipt")]
    lines = [line for line in lines if not (line["type"] == "memory" and set(line.get("grounds", [])) & units)]
    lines[0]["counts"] = {}
    copy = Portable(store).load(LOCAL_USER, sealed_bundle(tmp_path / "forged", lines))
    scope = Scope.of(LOCAL_USER, copy)
    there = replace(live, scope=scope, branch_id=store.chats.chat(scope).branch_id)
    kept = store.database.read().execute("SELECT version FROM derivation WHERE chat_id = ?", (copy,)).fetchall()
    assert {row[0] for row in kept} <= ANSWERS
    for first in (0, 6):
        store.tasks.add(
            scope, NewTask("read", there.branch_id, (f"again {first}",), {"tier": 1, "first_round": first, "last_round": first + 5})
        )
    live.memory.work_off()
    assert not [m.text for m in there.of(Kind.FACT) if "thief" in m.text]
