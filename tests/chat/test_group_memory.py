"""What several characters remember follows from what each witnessed on the path, however it came about."""

from __future__ import annotations

import pytest

from chat.views import MessageView
from memory.forgetting import scores
from storage.errors import NotFound
from storage.records import Effect, Kind, RecallEvent
from storage.scope import LOCAL_USER
from tests.chat.company import MOTH, NELL, Company, company
from tests.chat.conftest import Talk

HOME = "I live in the city of Porto."


def message(group: Company, words: str) -> MessageView:
    return next(m for m in group.house.service.transcript(LOCAL_USER, group.chat_id, limit=99).messages if words in m.text)


def remembered(group: Company) -> dict[str, set[tuple[str, str, str]]]:
    """Of each what it remembers and what is forgotten, by id."""
    group.remembered()
    store = group.house.memory.store
    found = {}
    for name in group.names:
        mind = group.mind(name)
        whole = store.memories.on_path(mind, group.branch_id)
        found[name] = {(m.id, m.kind.value, m.text) for m in store.memories.get(mind, whole.ids).values()}
    return found


def rebuilt(group: Company) -> dict[str, set[tuple[str, str, str]]]:
    group.house.service.controls.rebuild(LOCAL_USER, group.chat_id)
    return remembered(group)


def story(talk: Talk) -> Company:
    group = company(talk)
    for number, line in enumerate(("My name is Mara.", HOME, "I have a grey cat called Biscuit.", "I am allergic to walnuts.")):
        group.tell(line, f"Noted {number}.")
    group.out(MOTH)
    group.tell("I collect old harbour bells.", "Do you.")
    group.tell("I left Porto for good.", "I see.")
    group.out(NELL)
    group.back(MOTH)
    group.tell("I dislike brass music.", "Agreed.", to=MOTH)
    group.back(NELL)
    for number, line in enumerate(("I work as a baker.", "Good night.", "Good morning.")):
        group.tell(line, f"Yes {number}.")
    return group


def test_what_grew_is_what_is_made_anew_and_each_has_its_part(talk: Talk) -> None:
    group = story(talk)
    grown = remembered(group)
    assert rebuilt(group) == grown
    texts = {name: " ".join(text for _, _, text in rows) for name, rows in grown.items()}
    assert "bell" in texts[NELL]
    assert "bell" not in texts[MOTH]
    assert "brass" in texts[MOTH]
    assert "brass" not in texts[NELL]
    assert "walnuts" in texts[NELL]
    assert "walnuts" in texts[MOTH]


def test_how_alive_a_memory_is_to_one_character_does_not_hang_on_what_another_recalls(talk: Talk) -> None:
    """What both heard is one memory, with what each recalled of it and forgot of it apart."""
    group = company(talk)
    for line in ("I live in Porto.", "I have a grey cat called Biscuit.", "Good night.", "Good morning."):
        group.tell(line, "Noted.")
    group.remembered()
    memories, engine = group.house.memory.store.memories, group.house.memory.engine
    said = {m.round: m.id for m in group.house.service.transcript(LOCAL_USER, group.chat_id, limit=99).messages if m.role == "user"}
    (shared,) = {i for i, _, text in remembered(group)[NELL] if "Biscuit" in text} & {
        i for i, kind, _ in remembered(group)[MOTH] if kind == "fact"
    }
    now = group.house.memory.store.chats.head(group.mind(NELL), group.branch_id).round
    with group.house.memory.store.database.write() as connection:
        connection.execute("DELETE FROM recall_event WHERE chat_id = ?", (group.chat_id,))
    for name, effect in ((NELL, Effect.REINFORCED), (MOTH, Effect.INHIBITED)):
        memories.record_events(group.mind(name), said[3], [RecallEvent(shared, 3, effect)])
    memories.forget(group.mind(MOTH), said[4], [shared], round_number=4)
    for name, recalled, forgotten in ((NELL, 1, 0), (MOTH, 0, 1)):
        chosen = engine.fadings.of(group.mind(name), group.branch_id, current_round=now, chosen=shared).chosen
        assert chosen is not None
        events = memories.events(group.mind(name), group.branch_id)
        assert chosen.score == scores({shared: chosen.memory.round_last}, events, current_round=now)[shared]
        assert (chosen.score.reinforced, len(chosen.fates), chosen.forgotten) == (recalled, forgotten, bool(forgotten))


def test_what_is_taken_back_holds_for_whoever_was_not_told(talk: Talk) -> None:
    group = story(talk)
    group.remembered()
    lived = {
        name: [m.text for m in group.house.service.memories(LOCAL_USER, group.chat_id, of=name).memories if HOME in m.text]
        for name in (NELL, MOTH)
    }
    assert (lived[NELL], len(lived[MOTH])) == ([], 1)


def test_rewriting_keeps_each_to_its_part(talk: Talk) -> None:
    group = story(talk)
    rewriting = group.house.service.rewriting
    rewriting.edit(LOCAL_USER, group.chat_id, message(group, "harbour bell").id, "I collect old church organs.", edition=group.edition)
    rewriting.hide(LOCAL_USER, group.chat_id, message(group, "walnuts").id, edition=group.edition)
    rewriting.delete(LOCAL_USER, group.chat_id, message(group, "brass").id, edition=group.edition)
    grown = remembered(group)
    assert rebuilt(group) == grown
    texts = {name: " ".join(text for _, _, text in rows) for name, rows in grown.items()}
    assert "organ" in texts[NELL]
    for gone in ("organ", "bell", "walnuts", "brass"):
        assert gone not in texts[MOTH]
    rewriting.branch(LOCAL_USER, group.chat_id, message(group, "Biscuit").id, "", edition=group.edition)
    assert group.group.room == (NELL, MOTH)
    there = remembered(group)
    assert rebuilt(group) == there
    assert all("organ" not in text for rows in there.values() for _, _, text in rows)


def test_what_a_person_decides_about_a_memory_holds_for_those_who_have_it(talk: Talk) -> None:
    group = story(talk)
    group.remembered()
    controls = group.house.service.controls
    bell = next(m for m in group.house.service.memories(LOCAL_USER, group.chat_id, of=NELL).memories if "bell" in m.text)
    controls.edit(LOCAL_USER, group.chat_id, bell.id, "The player took the harbour bell home.")
    controls.pin(LOCAL_USER, group.chat_id, bell.id)
    group.remembered()
    store = group.house.memory.store
    assert bell.id in store.memories.visible(group.mind(NELL), group.branch_id).pinned
    assert store.memories.visible(group.mind(MOTH), group.branch_id).pinned == ()
    assert "took the harbour bell" not in group.knows(MOTH)
    group.speak(MOTH, "Hm.")
    assert not any("harbour bell" in m.content for m in group.model.prompts[-1])
    controls.delete(LOCAL_USER, group.chat_id, bell.id)
    group.remembered()
    assert "bell home" not in group.knows(NELL)


def test_another_persons_conversation_is_nobodys_to_see(talk: Talk) -> None:
    group = company(talk)
    store = group.house.memory.store
    store.chats.ensure_user("other", "Other")
    for act in (group.groups.speak, group.groups.send_out, group.groups.bring_back, group.groups.set_answers):
        with pytest.raises(NotFound):
            act("other", group.chat_id, NELL, edition=group.edition)
    assert group.group.room == (NELL, MOTH)


def test_an_erased_conversation_leaves_nothing_and_its_characters_stay(talk: Talk) -> None:
    group = story(talk)
    group.remembered()
    assert group.kinds(NELL)[Kind.FACT]
    group.house.service.conversations.erase(LOCAL_USER, group.chat_id)
    read = group.house.memory.store.database.read()
    for table in ("chat_member", "message", "memory", "recall_event", "forgetting_event"):
        (left,) = read.execute(f"SELECT count(*) FROM {table} WHERE chat_id = ?", (group.chat_id,)).fetchone()
        assert left == 0, table
    assert read.execute("SELECT count(*) FROM character WHERE id = 'builtin:rafferty-moth'").fetchone()[0] == 1
