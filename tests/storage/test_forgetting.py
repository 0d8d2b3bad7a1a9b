"""What is forgotten belongs to a path: out of sight there, untouched elsewhere, never erased."""

from __future__ import annotations

import secrets
from dataclasses import replace

from memory.episodes import episode_of
from storage.records import Effect, Kind, Memory, Message, RecallEvent, now_ms
from tests.conftest import OpenChat, open_chat


def _fact(chat: OpenChat, messages: list[Message], text: str) -> Memory:
    made = replace(episode_of(chat.scope.chat_id, messages), id=secrets.token_hex(8), kind=Kind.FACT, text=text)
    chat.store.memories.add(chat.scope, [made])
    return made


def _fork(chat: OpenChat, at: Message) -> OpenChat:
    branch_id = secrets.token_hex(8)
    with chat.store.database.write() as connection:
        connection.execute(
            "INSERT INTO branch (id, chat_id, parent_id, forked_at, head_id, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (branch_id, chat.scope.chat_id, chat.branch_id, at.id, at.id, now_ms()),
        )
    return OpenChat(chat.store, chat.scope, branch_id)


def _shown(chat: OpenChat) -> tuple[set[str], set[str]]:
    """(kept, forgotten) ids."""
    memories = chat.store.memories
    return set(memories.visible(chat.scope, chat.branch_id).ids), set(memories.forgotten(chat.scope, chat.branch_id).ids)


def test_a_forgotten_memory_leaves_sight_and_stays_in_store(chat: OpenChat) -> None:
    first = chat.say("I have a dog", "lovely", number=1)
    dog, cat = _fact(chat, first, "The player has a dog."), _fact(chat, first, "The player has a cat.")
    assert _shown(chat) == ({dog.id, cat.id}, set())
    later = chat.say("and now?", "go on", number=2)
    for _ in range(2):
        chat.store.memories.forget(chat.scope, later[-1].id, [dog.id], round_number=3)
    assert _shown(chat) == ({cat.id}, {dog.id})
    assert chat.store.memories.get(chat.scope, [dog.id])[dog.id].text == "The player has a dog."


def test_another_branch_of_the_same_past_has_not_forgotten(chat: OpenChat) -> None:
    first = chat.say("I have a dog", "lovely", number=1)
    dog = _fact(chat, first, "The player has a dog.")
    other = _fork(chat, first[-1])
    later = chat.say("and now?", "go on", number=2)
    chat.store.memories.forget(chat.scope, later[-1].id, [dog.id], round_number=3)
    assert _shown(chat) == (set(), {dog.id})
    assert _shown(other) == ({dog.id}, set())
    after = _fork(chat, later[-1])
    assert _shown(after) == (set(), {dog.id})


def test_what_is_added_afterwards_is_seen_at_once(chat: OpenChat) -> None:
    first = chat.say("I have a dog", "lovely", number=1)
    dog = _fact(chat, first, "The player has a dog.")
    chat.store.memories.forget(chat.scope, first[-1].id, [dog.id], round_number=2)
    assert _shown(chat) == (set(), {dog.id})
    bird = _fact(chat, chat.say("and a bird", "oh", number=2), "The player has a bird.")
    assert _shown(chat) == ({bird.id}, {dog.id})


def test_foreign_scopes_reach_nothing(chat: OpenChat) -> None:
    first = chat.say("I have a dog", "lovely", number=1)
    dog = _fact(chat, first, "The player has a dog.")
    stranger = open_chat(chat.store, "stranger")
    stranger.store.memories.forget(stranger.scope, stranger.say("hi", number=1)[0].id, [dog.id], round_number=2)
    assert _shown(chat) == ({dog.id}, set())


def test_the_messages_of_some_rounds_come_in_order(chat: OpenChat) -> None:
    for number in range(1, 8):
        chat.say(f"line {number}", f"answer {number}", number=number)
    found = chat.store.chats.span(chat.scope, chat.branch_id, first_round=3, last_round=5)
    assert [m.text for m in found] == [f"{word} {n}" for n in (3, 4, 5) for word in ("line", "answer")]
    assert chat.store.chats.span(chat.scope, chat.branch_id, first_round=90, last_round=99) == []
    assert chat.store.chats.span(chat.scope, chat.branch_id, first_round=5, last_round=4) == []
    assert len(chat.store.chats.span(chat.scope, chat.branch_id, first_round=0, last_round=99)) == 14


def test_reading_the_events_of_a_talk_twice_as_long_takes_twice_the_steps(chat: OpenChat) -> None:
    def steps(rounds: int) -> int:
        mine = open_chat(chat.store)
        episodes: list[Memory] = []
        for number in range(1, rounds + 1):
            said = mine.say(f"text {number}", "yes", number=number)
            episodes.append(episode_of(mine.scope.chat_id, said))
            mine.store.memories.add(mine.scope, episodes[-1:])
            events = [RecallEvent(e.id, number, Effect.REINFORCED) for e in episodes[-5:]]
            mine.store.memories.record_events(mine.scope, said[0].id, events)
        counted = [0]
        connection = mine.store.database.read()
        connection.set_progress_handler(lambda: counted.__setitem__(0, counted[0] + 1), 100)
        try:
            assert len(mine.store.memories.events(mine.scope, mine.branch_id)) == 5 * rounds - 10
        finally:
            connection.set_progress_handler(None, 0)
        return counted[0]

    assert steps(80) < 3 * steps(40)
