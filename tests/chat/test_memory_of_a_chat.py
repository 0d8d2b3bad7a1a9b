"""What a chat remembers of its player, as the page and the prompt have it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from chat.service import ChatService
from chat.upkeep import Upkeep, catch_up
from models.embedded import NAME as DEMO_MODEL
from storage.backup import Backups
from storage.records import NewMessage, Role
from storage.scope import LOCAL_USER
from tests.chat.conftest import TOLD, Talk

LINES = TOLD[:4] + TOLD[5:6]


def _service(talk: Talk) -> ChatService:
    return talk.house.service


def _known(talk: Talk) -> dict[str, list[str]]:
    return {e.key: [v.text for v in e.values] for e in _service(talk).persona(LOCAL_USER, talk.chat_id).entries}


def test_the_panels_hold_what_the_player_said_and_nothing_else(talk: Talk) -> None:
    for line in LINES:
        talk.say(line, "How nice!")
    talk.remembered()
    known = _known(talk)
    for key, word in (("name", "Mara Lind"), ("residence", "Porto"), ("allergies", "walnuts"), ("family", "sister")):
        assert any(word in value for value in known[key])
    facts = _service(talk).memories(LOCAL_USER, talk.chat_id, shelf="fact")
    assert facts.counts["episode"] == len(LINES)
    assert {m.last_round for m in facts.memories} == {1, 2, 3, 4}
    assert {m.text.split(":")[0].split(" (")[0] for m in facts.memories} == {"Mara Lind"}
    for entry in _service(talk).persona(LOCAL_USER, talk.chat_id).entries:
        for value in entry.values:
            assert value.quote == LINES[value.round - 1]
            assert value.text in value.quote
    value, *_ = next(e for e in _service(talk).persona(LOCAL_USER, talk.chat_id).entries if e.key == "allergies").values
    assert (value.round, value.rounds_ago) == (3, 2)


def test_the_prompt_has_the_sketch_and_the_facts_with_the_players_name(talk: Talk) -> None:
    for line in LINES:
        talk.say(line, "How nice! " * 300)  # long replies push what was said out of the history
        talk.remembered()
    talk.say("Can I eat the walnut cake?", "No.")
    receipt = _service(talk).receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    sent = receipt.prompt[-1][1]
    assert "[What Nell Garrow knows of Mara Lind] name: Mara Lind; " in sent
    assert f"allergies: {', '.join(_known(talk)['allergies'])}" in sent
    delivered = [c for c in receipt.candidates if c.delivered]
    assert {"fact", "episode"} >= {c.kind for c in delivered} >= {"fact"}
    for candidate in delivered:
        if candidate.kind == "fact":
            assert candidate.text in sent
            assert candidate.text.startswith("Mara Lind")
    assert next(s for s in receipt.sections if s.name == "persona").tokens > 0


def test_what_the_demo_model_says_is_no_fact(talk: Talk) -> None:
    """It invents, and echoes the player's words as its own; its replies are kept as episodes."""
    store = talk.house.memory.store
    talk.say("Tell me about yourself.", "I live in Paris and I am allergic to walnuts.")
    talk.say("And then?", "I have a brother.")
    talk.remembered()
    told = {m.said_by for m in _service(talk).memories(LOCAL_USER, talk.chat_id, shelf="fact").memories}
    assert told == {"Nell Garrow"}
    with store.database.write() as connection:
        connection.execute("UPDATE revision SET model = ? WHERE origin = 'model'", (DEMO_MODEL,))
        connection.execute("DELETE FROM memory_source")
        connection.execute("DELETE FROM memory_fts")
        connection.execute("DELETE FROM recall_event")
        connection.execute("DELETE FROM memory")
        connection.execute("UPDATE task SET state = 'queued', attempts = 0")
        connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1")
    talk.house.memory.worker.wake()
    talk.remembered()
    shelf = _service(talk).memories(LOCAL_USER, talk.chat_id, shelf="fact")
    assert (shelf.counts["fact"], shelf.counts["episode"]) == (0, 2)


def test_a_session_that_ends_by_silence_makes_its_last_round_final(talk: Talk) -> None:
    store = talk.house.memory.store
    long_ago = datetime.now(UTC) - timedelta(hours=3)
    said = NewMessage(Role.USER, "You", LINES[2], long_ago, "u", "user", opens_round=True)
    store.chats.append(talk.scope, talk.branch_id, [said])
    upkeep = Upkeep(store, idle_minutes=30, backups=Backups(store.folder, keep=1), backup_hours=0)
    assert [upkeep.close_idle_sessions() for _ in range(2)] == [1, 0]
    talk.house.memory.worker.wake()
    talk.remembered()
    assert any("walnuts" in value for value in _known(talk)["allergies"])


def test_a_folder_of_an_older_version_is_caught_up_with_once(talk: Talk) -> None:
    store = talk.house.memory.store
    for line in LINES[:3]:
        talk.say(line, "How nice!")
    talk.remembered()
    before = _known(talk)
    assert catch_up(store) == 0
    with store.database.write() as connection:
        connection.execute("DELETE FROM memory_source WHERE memory_id IN (SELECT id FROM memory WHERE kind <> 'episode')")
        connection.execute("DELETE FROM recall_event")
        connection.execute("DELETE FROM memory WHERE kind <> 'episode'")
        connection.execute("DELETE FROM extraction")
        connection.execute("DELETE FROM task WHERE kind <> 'episode'")
        connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1")
    assert _known(talk) == {}
    assert catch_up(store) == 1
    talk.house.memory.worker.wake()
    talk.remembered()
    assert _known(talk) == before
    assert {"name", "residence"} <= before.keys()


def test_insights_come_from_the_characters_stances_or_say_that_there_are_none(talk: Talk) -> None:
    view = _service(talk).insights(LOCAL_USER, talk.chat_id)
    assert view.stances >= 10
    assert view.insights == ()
    assert view.character_name == "Nell Garrow"
