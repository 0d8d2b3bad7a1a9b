"""What a person decides about memories holds: in the panels, in the next recall, and through every rebuild."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from chat import views
from chat.errors import MemoryIsSaid, MemoryNotPinnable, MemoryTextEmpty, MemoryTextTooLong, TaskNotWaiting
from errors import KeepsakeError
from memory.engine import Cue
from storage.errors import CannotUndo, NotFound
from storage.records import Memory, NewTask
from storage.scope import LOCAL_USER
from tests.chat.conftest import TOLD, Talk
from tests.chat.remembering import controls, derived_under_other_ids, fact, facts, known, rebuilt, recalled, replayed, service


def test_an_edited_fact_is_shown_recalled_by_its_new_words_and_survives_everything(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fact(told, "Ida")
    controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Mara's sister Ida is a   veterinarian\r\nin Braga.")
    told.remembered()
    for again in (lambda: None, lambda: replayed(told), lambda: rebuilt(told), lambda: derived_under_other_ids(told, monkeypatch)):
        again()
        after = fact(told, "Ida")
        assert (after.id, after.text, after.origin) == (before.id, "Mara's sister Ida is a veterinarian in Braga.", "user")
        assert (after.first_round, after.source_changed) == (before.first_round, False)
        assert recalled(told, "animal doctor of cattle and horses")[0] == after.text
        assert not any("nurse" in text for text in recalled(told, "a nurse"))
    found = talk_vectors(told, [before.id])
    assert set(found) == {before.id}


def talk_vectors(talk: Talk, ids: list[str]) -> dict[str, object]:
    memory = talk.house.memory
    return dict(memory.store.vectors.of_memories(LOCAL_USER, memory.embedder.fingerprint, ids))


def test_an_edit_of_the_players_persona_reaches_the_sketch(told: Talk) -> None:
    (value,) = known(told)["residence"]
    controls(told).edit(LOCAL_USER, told.chat_id, value.id, "Vila Nova de Gaia")
    rebuilt(told)
    (after,) = known(told)["residence"]
    assert (after.id, after.text, after.origin, after.quote) == (value.id, "Vila Nova de Gaia", "user", value.quote)
    assert value.quote == TOLD[1]
    told.say("Where do I live?", "There.")
    receipt = service(told).receipt(LOCAL_USER, told.chat_id)
    assert receipt is not None
    assert "Vila Nova de Gaia" in receipt.prompt[-1][1].splitlines()[0]


def test_an_edit_that_is_taken_back_leaves_everything_as_the_model_made_it(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    before, (home,) = fact(told, "Ida"), known(told)["residence"]
    first = controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida keeps heliotropes.")
    second = controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida keeps orchids.")
    moved = controls(told).edit(LOCAL_USER, told.chat_id, home.id, "Vila Nova de Gaia")
    told.remembered()
    with pytest.raises(CannotUndo):
        controls(told).take_back("somebody", told.chat_id, second)
    controls(told).take_back(LOCAL_USER, told.chat_id, second)
    assert fact(told, "heliotropes").origin == "user"
    for token in (first, moved):
        controls(told).take_back(LOCAL_USER, told.chat_id, token)
        with pytest.raises(CannotUndo):
            controls(told).take_back(LOCAL_USER, told.chat_id, token)
    told.remembered()
    for again in (lambda: None, lambda: replayed(told), lambda: rebuilt(told), lambda: derived_under_other_ids(told, monkeypatch)):
        again()
        after = fact(told, "Ida")
        assert (after.text, after.origin, after.source_changed) == (before.text, "model", False)
        assert [(v.text, v.origin) for v in known(told)["residence"]] == [(home.text, "model")]
        assert any("nurse" in text for text in recalled(told, "a nurse"))
        assert not any("heliotropes" in text or "orchids" in text for text in recalled(told, "flowers: heliotropes, orchids"))


def test_an_edit_that_another_one_followed_is_not_taken_back_over_it(told: Talk) -> None:
    before = fact(told, "Ida")
    first = controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida keeps heliotropes.")
    second = controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida keeps orchids.")
    with pytest.raises(CannotUndo):
        controls(told).take_back(LOCAL_USER, told.chat_id, first)
    assert fact(told, "orchids").id == before.id
    controls(told).delete(LOCAL_USER, told.chat_id, before.id)
    with pytest.raises(CannotUndo):
        controls(told).take_back(LOCAL_USER, told.chat_id, second)
    assert not any("Ida" in text for text in facts(told))


def test_a_pinned_fact_stands_in_every_prompt_after_any_rebuild(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = fact(told, "walnuts")
    controls(told).pin(LOCAL_USER, told.chat_id, pinned.id)
    for again in (lambda: None, lambda: replayed(told), lambda: rebuilt(told), lambda: derived_under_other_ids(told, monkeypatch)):
        again()
        assert fact(told, "walnuts").pinned
        found = told.house.memory.engine.recall(told.scope, told.branch_id, Cue("zzz", 99))
        assert len(found.pinned) == 1
    controls(told).unpin(LOCAL_USER, told.chat_id, fact(told, "walnuts").id)
    rebuilt(told)
    assert not fact(told, "walnuts").pinned
    assert told.house.memory.engine.recall(told.scope, told.branch_id, Cue("zzz", 99)).pinned == ()


def test_an_excluded_fact_is_shown_and_nothing_else(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    out = fact(told, "walnuts")
    controls(told).pin(LOCAL_USER, told.chat_id, out.id)
    controls(told).exclude(LOCAL_USER, told.chat_id, out.id)
    values = known(told)["allergies"]
    for value in values:
        controls(told).exclude(LOCAL_USER, told.chat_id, value.id)
    for again in (lambda: None, lambda: replayed(told), lambda: rebuilt(told), lambda: derived_under_other_ids(told, monkeypatch)):
        again()
        assert fact(told, "walnuts").excluded
        assert [(v.id, v.excluded) for v in known(told)["allergies"]] == [(v.id, True) for v in values]
        assert not any("walnuts" in text for text in recalled(told, "allergic to walnuts"))
        assert told.house.memory.engine.recall(told.scope, told.branch_id, Cue("walnuts", 99)).pinned == ()
        assert "allergies" not in {e.key.name for e in told.house.memory.engine.overview.sketch(told.scope, told.branch_id)}
    controls(told).include(LOCAL_USER, told.chat_id, fact(told, "walnuts").id)
    for value in values:
        controls(told).include(LOCAL_USER, told.chat_id, value.id)
    rebuilt(told)
    assert any("walnuts" in text for text in recalled(told, "allergic to walnuts"))
    assert [(v.id, v.excluded) for v in known(told)["allergies"]] == [(v.id, False) for v in values]


def test_a_deleted_memory_is_nowhere_and_never_returns(told: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = told.house.memory
    gone = fact(told, "Ida")
    values = [value.id for value in known(told)["family"]]
    controls(told).edit(LOCAL_USER, told.chat_id, gone.id, "Ida keeps heliotropes.")
    told.remembered()
    for memory_id in (gone.id, *values):
        controls(told).delete(LOCAL_USER, told.chat_id, memory_id)
    told.remembered()
    for again in (
        lambda: None,
        lambda: replayed(told),
        lambda: replayed(told),
        lambda: rebuilt(told),
        lambda: derived_under_other_ids(told, monkeypatch),
    ):
        again()
        assert not any("Ida" in text for text in facts(told))
        assert "family" not in known(told)
        assert not any("Ida" in text for text in recalled(told, "my sister Ida"))
        assert not {gone.id, *values} & memory.index.ids()
        with memory.store.database.snapshot() as connection:
            (said,) = connection.execute("SELECT count(*) FROM user_edit WHERE content LIKE '%heliotrope%'").fetchone()
            (kept,) = connection.execute(
                "SELECT count(*) FROM memory WHERE text LIKE '%heliotrope%' OR text LIKE '%Ida%' AND kind = 'fact'"
            ).fetchone()
            (read,) = connection.execute("SELECT count(*) FROM derivation WHERE output LIKE '%Ida, who is a nurse%'").fetchone()
        assert (said, kept, read) == (0, 0, 0)
    with pytest.raises(NotFound):
        controls(told).edit(LOCAL_USER, told.chat_id, gone.id, "Ida is back.")


def test_of_what_was_edited_before_it_was_deleted_the_first_words_are_gone_too(told: Talk) -> None:
    """They stand in older prompts and in what extraction gave; of the row they are known by a hash alone."""
    told.say("Where do I live, and what of nuts?", "word " * 900)
    told.say("Where do I live, and what of nuts?", "Well.")
    told.remembered()
    walnuts, (home,) = fact(told, "walnuts"), known(told)["residence"]
    before = (walnuts.text, told.house.memory.store.memories.get(told.scope, [walnuts.id])[walnuts.id].text)

    def kept() -> tuple[list[str], list[str]]:
        connection = told.house.memory.store.database.read()
        outputs = [row[0] for row in connection.execute("SELECT output FROM derivation")]
        return outputs, [json.loads(row[0])["prompt"][-1][1] for row in connection.execute("SELECT body FROM receipt")]

    assert any(words in text for text in kept()[0] for words in before)
    for memory_id, words in ((walnuts.id, "Mara must not eat hazel."), (home.id, "by the sea")):
        controls(told).edit(LOCAL_USER, told.chat_id, memory_id, words)
        controls(told).delete(LOCAL_USER, told.chat_id, memory_id)
    told.remembered()
    outputs, prompts = kept()
    assert outputs
    assert not [text for text in outputs + prompts for words in before if words in text]
    sketches = [line for text in prompts for line in text.split("\n") if line.startswith("[What Nell Garrow knows")]
    assert any("residence: ▇▇▇; " in line for line in sketches)
    assert not [line for line in sketches if "Porto" in line]


def test_an_episode_is_what_was_said(told: Talk) -> None:
    episode = service(told).memories(LOCAL_USER, told.chat_id, shelf="episode").memories[0]
    before = service(told).memories(LOCAL_USER, told.chat_id, shelf="episode")
    for refused in (
        lambda: controls(told).edit(LOCAL_USER, told.chat_id, episode.id, "something else"),
        lambda: controls(told).delete(LOCAL_USER, told.chat_id, episode.id),
        lambda: controls(told).rederive(LOCAL_USER, told.chat_id, episode.id),
    ):
        with pytest.raises(MemoryIsSaid):
            refused()
    assert service(told).memories(LOCAL_USER, told.chat_id, shelf="episode").memories == before.memories
    controls(told).pin(LOCAL_USER, told.chat_id, episode.id)
    value, *_ = known(told)["allergies"]
    with pytest.raises(MemoryNotPinnable):
        controls(told).pin(LOCAL_USER, told.chat_id, value.id)


@pytest.mark.parametrize(("text", "error"), [("", MemoryTextEmpty), (" \n\t ", MemoryTextEmpty), ("x" * 501, MemoryTextTooLong)])
def test_words_that_cannot_be_kept_are_refused(told: Talk, text: str, error: type[KeepsakeError]) -> None:
    before = fact(told, "Ida")
    with pytest.raises(error):
        controls(told).edit(LOCAL_USER, told.chat_id, before.id, text)
    assert fact(told, "Ida") == before


def test_what_no_part_can_carry_is_shown_as_such(told: Talk) -> None:
    controls(told).edit(LOCAL_USER, told.chat_id, fact(told, "Ida").id, "Ida\x00 is \ud800 tall.\x07")
    told.remembered()
    assert fact(told, "tall").text == "Ida\ufffd is \ufffd tall.\ufffd"


def test_rederiving_lays_old_and_new_side_by_side_and_changes_nothing(told: Talk) -> None:
    mine = fact(told, "Ida")
    controls(told).edit(LOCAL_USER, told.chat_id, mine.id, "Ida is tall.")
    told.remembered()
    before = facts(told)
    shown = controls(told).rederive(LOCAL_USER, told.chat_id, mine.id)
    assert (shown.old, shown.new) == ("Ida is tall.", (mine.text,))
    values = known(told)["allergies"]
    assert set(controls(told).rederive(LOCAL_USER, told.chat_id, values[0].id).new) == {v.text for v in values}
    assert facts(told) == before
    controls(told).edit(LOCAL_USER, told.chat_id, mine.id, shown.new[0])
    assert fact(told, "Ida").text == mine.text


def test_a_round_shows_everything_that_rests_on_it(told: Talk) -> None:
    view = controls(told).of_round(LOCAL_USER, told.chat_id, 3)
    assert list(view.kinds) == ["fact", "persona", "episode"]
    values = known(told)["allergies"]
    assert {(v.key, v.text, v.quote) for v in view.kinds["persona"]} == {("allergies", v.text, TOLD[2]) for v in values}
    assert view.kinds["fact"] == (fact(told, "walnuts"),)
    assert controls(told).of_round(LOCAL_USER, told.chat_id, 999).kinds == {}


def test_nobody_elses_ids_reach_anything(told: Talk) -> None:
    mine, task = fact(told, "Ida"), 1
    other = service(told).create(LOCAL_USER, "builtin:nell-garrow")
    told.house.memory.store.chats.ensure_user("stranger", "")
    theirs = service(told).create("stranger", "builtin:nell-garrow")
    before = facts(told)
    operations: tuple[Callable[[str, str], object], ...] = (
        lambda user, chat: controls(told).edit(user, chat, mine.id, "mine now"),
        lambda user, chat: controls(told).pin(user, chat, mine.id),
        lambda user, chat: controls(told).unpin(user, chat, mine.id),
        lambda user, chat: controls(told).exclude(user, chat, mine.id),
        lambda user, chat: controls(told).include(user, chat, mine.id),
        lambda user, chat: controls(told).restore(user, chat, mine.id),
        lambda user, chat: controls(told).delete(user, chat, mine.id),
        lambda user, chat: controls(told).rederive(user, chat, mine.id),
        lambda user, chat: controls(told).retry(user, chat, task),
        lambda user, chat: controls(told).cancel(user, chat, task),
    )
    for user, chat in (
        (LOCAL_USER, other),
        ("stranger", theirs),
        ("stranger", told.chat_id),
        (LOCAL_USER, "no such chat"),
        (LOCAL_USER, ""),
    ):
        for operation in operations:
            with pytest.raises((NotFound, TaskNotWaiting)):
                operation(user, chat)
    for user, chat in (("stranger", told.chat_id), (LOCAL_USER, theirs)):
        for looked in (controls(told).queue, controls(told).rebuild, controls(told).retry_all):
            with pytest.raises(NotFound):
                looked(user, chat)
        with pytest.raises(NotFound):
            controls(told).of_round(user, chat, 1)
    assert facts(told) == before
    assert controls(told).of_round(LOCAL_USER, other, 3).kinds == {}


def test_a_forgotten_fact_can_be_brought_back(told: Talk) -> None:
    store = told.house.memory.store
    lost = fact(told, "Ida")
    head = store.chats.head(told.scope, told.branch_id)
    assert head is not None
    store.memories.forget(told.scope, head.id, [lost.id], round_number=head.round)
    assert not any("Ida" in text for text in facts(told))
    for _ in range(2):
        controls(told).restore(LOCAL_USER, told.chat_id, lost.id)
        assert fact(told, "Ida").status == "active"
        assert any("Ida" in text for text in recalled(told, "my sister Ida"))
    assert store.controls.restored(told.scope, told.branch_id, after_round=head.round - 30) == {lost.id}
    assert store.controls.restored(told.scope, told.branch_id, after_round=head.round) == set()


def test_the_queue_shows_what_is_not_done_and_can_be_worked(told: Talk) -> None:
    store = told.house.memory.store
    calm = controls(told).queue(LOCAL_USER, told.chat_id)
    assert replace(calm, uses=()) == views.TaskQueueView((), 0, 0, 0, 0, 0)
    assert {use.purpose for use in calm.uses} == {"reply"}
    store.tasks.add(told.scope, NewTask("no such kind", told.branch_id, ("a",), {"message_ids": []}))
    told.house.memory.worker.wake()
    view = controls(told).queue(LOCAL_USER, told.chat_id)
    while not any(t.error for t in view.tasks):
        view = controls(told).queue(LOCAL_USER, told.chat_id)
    (task,) = view.tasks
    assert (task.kind, task.error) == ("no such kind", "UnknownTask: unknown task 'no such kind'")
    assert task.waiting_until is not None
    controls(told).cancel(LOCAL_USER, told.chat_id, task.id)
    assert controls(told).queue(LOCAL_USER, told.chat_id).tasks == ()
    with pytest.raises(TaskNotWaiting):
        controls(told).retry(LOCAL_USER, told.chat_id, task.id)


def told_of(memory: Memory) -> tuple[str, str, int]:
    return memory.kind.value, memory.text, memory.round_last


def test_a_rebuild_equals_what_was_there(told: Talk) -> None:
    store = told.house.memory.store

    def everything() -> dict[str, tuple[str, str, int]]:
        ids = store.memories.visible(told.scope, told.branch_id).ids
        return {i: told_of(m) for i, m in store.memories.get(told.scope, ids).items()}

    before = everything()
    controls(told).rebuild(LOCAL_USER, told.chat_id)
    told.remembered()
    assert everything() == before
