"""What the sheets are given, from views made here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat import views
from memory.persona_keys import KEYS
from ui import control_values, memory_values, values

AT = datetime(2025, 4, 6, 12, tzinfo=UTC)


def memory(**changes: object) -> views.MemoryView:
    made = views.MemoryView(
        id="m1",
        kind="fact",
        text="Mara keeps bees.",
        first_round=4,
        last_round=4,
        said_at=AT,
        score=0.25,
        reinforced=2,
        inhibited=1,
        status="active",
        said_by="Mara",
        trust=0.6,
        happened=(AT, AT),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def memories(*rows: views.MemoryView, shelf: str = "fact") -> views.MemoriesView:
    return views.MemoriesView(
        memories=rows,
        shelf=shelf,
        total=len(rows),
        counts={"fact": len(rows), "episode": 7, "forgotten": 0},
        capacity=300,
        best_score=max((m.score for m in rows), default=0.0),
        current_round=9,
        queue=views.QueueView(waiting=2, failed=0, last_error=""),
    )


def persona(merge: str, *, rounds_ago: int, former: Sequence[views.ValueView] = ()) -> views.PersonaView:
    value = views.ValueView(text="tired", round=3, said_at=AT, quote="I am tired.", rounds_ago=rounds_ago)
    key = next(name for name, k in KEYS.items() if k.merge.value == merge)
    entry = views.PersonaEntryView(key=key, group=KEYS[key].group.value, merge=merge, values=(value,), former=tuple(former))
    return views.PersonaView(entries=(entry,), current_round=3 + rounds_ago)


def test_a_memory_says_who_when_where_and_how_surely() -> None:
    value = memory_values.memories("c", memories(memory(), memory(id="m2", happened=None, score=0.5)), order="newest")
    assert (value["shelf"], value["order"], value["best"], value["capacity"]) == ("fact", "newest", 0.5, 300)
    assert value["counts"] == {"fact": 2, "episode": 7, "forgotten": 0}
    first, second = value["memories"]
    assert (first["said_by"], first["trust"], first["first"], first["happened"]) == ("Mara", 0.6, 4, [AT.isoformat()] * 2)
    assert second["happened"] is None


@pytest.mark.parametrize("change", [{"text": "Mara kept bees."}, {"score": 0.2}, {"trust": 1.0}, {"happened": None}, {"inhibited": 0}])
def test_a_mark_changes_with_what_is_shown(change: dict[str, object]) -> None:
    before = memory_values.memories("c", memories(memory()), order="score")
    assert memory_values.memories("c", memories(memory()), order="score") == before
    assert memory_values.memories("c", memories(memory(**change)), order="score")["mark"] != before["mark"]
    assert memory_values.memories("d", memories(memory()), order="score")["mark"] != before["mark"], "another chat is another value"


def test_only_a_value_that_ages_changes_with_the_rounds() -> None:
    for merge, ages in (("replace", False), ("append", False), ("trajectory", True)):
        now, later = (memory_values.persona("c", persona(merge, rounds_ago=n)) for n in (1, 5))
        assert (now["mark"] != later["mark"]) is ages, merge
        assert now["entries"][0]["values"][0]["ago"] == (1 if ages else None)


def test_former_values_come_with_their_rounds_and_words() -> None:
    old = views.ValueView(text="Perth", round=1, said_at=AT, quote="I live in Perth.", rounds_ago=8)
    (entry,) = memory_values.persona("c", persona("replace", rounds_ago=1, former=[old]))["entries"]
    assert [(v["text"], v["round"], v["quote"]) for v in entry["former"]] == [("Perth", 1, "I live in Perth.")]


def test_a_transcript_of_known_messages_says_only_what_moved_on() -> None:
    window = views.TranscriptView(messages=(), has_earlier=False, has_later=False, awaiting_reply=False)
    one = values.transcript("c", window, version=4, settled="")
    two = values.transcript("c", window, version=9, settled="job")
    assert one["mark"] == two["mark"]
    assert values.same_transcript(two) == {"chat": "c", "same": True, **{name: two[name] for name in values.MOVING}}
    assert (two["version"], two["settled"]) == (9, "job")
    undone = values.transcript("c", replace(window, edition=7, redo="delete", branch="x", branches=2), version=9, settled="")
    assert undone["mark"] == one["mark"], "where the chat stands moves on without its messages"
    assert (undone["edition"], undone["redo"], undone["branch"], undone["branches"]) == (7, "delete", "x", 2)
    waiting = values.transcript("c", replace(window, awaiting_reply=True), version=4, settled="")
    assert waiting["mark"] != one["mark"]


def test_an_insight_says_whose_reading_it_is_and_what_it_rests_on() -> None:
    facts = (views.RoundsView("Mara is early.", 2, AT), views.RoundsView("Mara hates to be late.", 5, AT))
    held = views.InsightView("i", "Somebody waited once.", 0.6, facts, 0.1, "forgotten")
    value = memory_values.insights("c", views.InsightsView((held,), "Nell", 10, 6))
    (one,) = value["insights"]
    assert (value["character"], value["stances"], one["forgotten"], one["trust"]) == ("Nell", 10, True, 0.6)
    assert [(f["text"], f["round"]) for f in one["facts"]] == [("Mara is early.", 2), ("Mara hates to be late.", 5)]


def test_what_a_person_decided_about_a_memory_is_told() -> None:
    decided = memory(pinned=True, excluded=True, origin="user", source_changed=True)
    (told,) = memory_values.memories("c", memories(decided), order="score")["memories"]
    assert (told["pinned"], told["excluded"], told["mine"], told["changed"], told["forgotten"]) == (True, True, True, True, False)
    (plain,) = memory_values.memories("c", memories(memory(status="forgotten")), order="score")["memories"]
    assert (plain["pinned"], plain["excluded"], plain["mine"], plain["changed"], plain["forgotten"]) == (False, False, False, False, True)
    value = views.ValueView(text="Perth", round=1, said_at=AT, quote="I live in Perth.", rounds_ago=8, id="v1", excluded=True)
    (entry,) = memory_values.persona("c", persona("replace", rounds_ago=1, former=[value]))["entries"]
    assert (entry["former"][0]["id"], entry["former"][0]["excluded"], entry["former"][0]["pinned"]) == ("v1", True, False)


def test_everything_of_a_round_is_listed_kind_by_kind() -> None:
    found = {"fact": (memory(id="f"),), "persona": (memory(id="p", kind="persona", key="pets"),)}
    value = control_values.of_round("c", 4, views.RoundMemoriesView(4, found, 9))
    assert [(i["id"], i["kind"], i["key"]) for i in value["items"]] == [("f", "fact", ""), ("p", "persona", "pets")]
    assert (value["shows"], value["round"]) == ("round", 4)


def test_a_queue_says_what_waits_failed_and_is_not_shown() -> None:
    task = views.TaskView(7, "extract", "failed", 3, 4, 5, "no", AT)
    view = views.TaskQueueView((task,), waiting=300, running=1, failed=1, done=9, total=310)
    value = control_values.queue("c", view)
    assert value["tasks"] == [
        {"id": 7, "kind": "extract", "state": "failed", "first": 3, "last": 4, "attempts": 5, "error": "no", "until": AT.isoformat()}
    ]
    assert (value["failed"], value["done"], value["total"], value["more"]) == (1, 9, 310, 301)
    assert control_values.queue("c", view)["mark"] == value["mark"]
    assert value["uses"] == []
    used = replace(view, uses=(views.ModelUseView("facts", "openai/m", 3, 1, 4200, 12.6),))
    assert control_values.queue("c", used)["uses"] == [
        {"purpose": "facts", "model": "openai/m", "calls": 3, "failed": 1, "tokens": 4200, "seconds": 13}
    ]
    assert control_values.queue("c", used)["mark"] != value["mark"]


@given(st.text())
def test_any_text_at_all_goes_through_unchanged(text: str) -> None:
    """Also half a surrogate pair, which a browser can send."""
    value = memory_values.memories("c", memories(memory(text=text)), order="score")
    assert json.loads(json.dumps(value))["memories"][0]["text"] == text
    assert memory_values.memories("c", memories(memory(text="\ud83d" + text)), order="score")["mark"] != value["mark"]


def test_the_page_is_told_who_reads_the_conversation_for_memory() -> None:
    status = views.StatusView("openai/m", False, False, "e5", "/data", memory_model="openai/reader", leaves_to="api.example")
    assert values.facts([], status, players={})["status"] == {
        "model": "openai/m",
        "local": False,
        "small": False,
        "leaves": "api.example",
        "memory": "openai/reader",
        "cross": "",
        "cross_state": "",
    }


def test_a_topic_tells_its_newest_first_and_leads_to_the_rounds_it_rests_on() -> None:
    newest = views.TellingView("b", "Snails ate the tomatoes.", "Mara", 5, 9, (6, 7), AT, pinned=True)
    oldest = views.TellingView("a", "Mara grows tomatoes.", "Mara", 1, 4, (1,), AT, excluded=True)
    value = memory_values.topics("c", views.TopicsView(((newest, oldest),), ("Tomatoes, snails",), 10, 30))
    assert (value["open_since"], value["idle"], value["headings"]) == (10, 30, ["Tomatoes, snails"])
    assert [[(t["id"], t["rounds"], t["first"], t["last"]) for t in topic] for topic in value["topics"]] == [
        [("b", [6, 7], 6, 7), ("a", [1], 1, 1)]
    ]
    assert [(t["pinned"], t["excluded"]) for t in value["topics"][0]] == [(True, False), (False, True)]


@pytest.mark.parametrize(("name", "persona", "called"), [("Ros", "", True), ("You", "", False), ("你", "", False), ("You", "p" * 32, True)])
def test_a_player_without_a_name_is_not_said_to_have_one(name: str, persona: str, called: bool) -> None:
    assert values.played(views.PlayedView(persona, name, None, follows=False))["called"] is called
