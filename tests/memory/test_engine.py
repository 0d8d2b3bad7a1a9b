"""The engine on a real store, embedder and index."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from chat.assembly import Memory, open_memory
from memory.engine import UnknownTask, cue_of, round_tasks
from memory.recall import Cue
from memory.support import ENOUGH
from settings import Settings
from storage.records import Effect, NewMessage, NewTask, Role
from tests.conftest import START, OpenChat, open_chat

LINES = (
    ("My sister Clara keeps bees on the roof of the library.", "How many hives?"),
    ("I am allergic to walnuts, badly.", "No walnut cake, then."),
    ("Yesterday I sailed to Heron Island in a borrowed boat.", "Was the sea kind?"),
    ("我在杭州长大，最喜欢喝龙井茶。", "龙井确实清香。"),
    ("Work was dull, I fixed the same printer twice.", "Printers know fear."),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None))  # type: ignore[call-arg]
    opened.store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={"name": "Mara"}, persona={}, stances=[])
    yield opened
    opened.close()


@pytest.fixture
def chat(memory: Memory) -> OpenChat:
    return open_chat(memory.store)


def _live(memory: Memory, chat: OpenChat, *, start: int = 1) -> None:
    for number, (user, reply) in enumerate(LINES, start=start):
        for task in round_tasks(chat.branch_id, chat.say(user, reply, number=number)):
            memory.store.tasks.add(chat.scope, task)
    memory.work_off()


def _rounds(memory: Memory, chat: OpenChat, text: str, *, at: int = 100) -> list[int]:
    visible = memory.store.memories.visible(chat.scope, chat.branch_id)
    return [visible.round_of[c.memory_id] for c in memory.engine.recall(chat.scope, chat.branch_id, Cue(text, at)).candidates]


@pytest.mark.parametrize(
    ("question", "round_number"),
    [("Where does Clara keep her bees?", 1), ("Which nuts must I avoid?", 2), ("Where did I go by boat?", 3), ("我喜欢喝什么茶？", 4)],
)
def test_what_was_said_is_found_again(memory: Memory, chat: OpenChat, question: str, round_number: int) -> None:
    _live(memory, chat)
    assert _rounds(memory, chat, question)[0] == round_number


def test_a_cue_never_recalls_its_own_round_or_a_later_one(memory: Memory, chat: OpenChat) -> None:
    _live(memory, chat)
    assert set(_rounds(memory, chat, "bees walnuts boat printer", at=3)) == {1, 2}


@pytest.mark.parametrize(
    ("known", "unknown"),
    [("Where does Clara keep her bees?", "Which violin did Clara buy in Vienna?"), ("我喜欢喝什么茶？", "我的小提琴是在哪里买的？")],
)
def test_what_was_told_is_supported_and_what_was_not_is_not(memory: Memory, chat: OpenChat, known: str, unknown: str) -> None:
    _live(memory, chat)
    engine = memory.engine
    cues = [Cue(text, 100, speaker="Ann", listener="Mara") for text in (known, unknown)]
    recalls = [engine.recall(chat.scope, chat.branch_id, cue) for cue in cues]
    told, untold = (engine.support(chat.scope, chat.branch_id, c, r) for c, r in zip(cues, recalls, strict=True))
    assert told.value >= ENOUGH > untold.value
    assert told.best[0] in {c.memory_id for c in recalls[0].candidates}
    other = open_chat(memory.store)
    assert engine.support(other.scope, other.branch_id, cues[0], recalls[0]).value == 0.0  # another chat may see none of it


def test_chats_do_not_leak_into_one_another(memory: Memory, chat: OpenChat) -> None:
    _live(memory, chat)
    other = open_chat(memory.store)
    assert memory.engine.recall(other.scope, other.branch_id, Cue("Clara bees", 5)).candidates == ()


def test_doing_a_task_again_changes_nothing(memory: Memory, chat: OpenChat) -> None:
    messages = chat.say(*LINES[0], number=1)
    (task,) = round_tasks(chat.branch_id, messages)
    memory.store.tasks.add(chat.scope, task)
    leased = memory.store.tasks.lease()
    assert leased is not None
    for _ in range(3):
        memory.engine.run(leased)
    assert len(memory.store.memories.visible(chat.scope, chat.branch_id).ids) == 1
    assert len(memory.index.ids()) == 1


def test_a_greeting_is_not_an_episode(memory: Memory, chat: OpenChat) -> None:
    greeting = memory.store.chats.append(
        chat.scope, chat.branch_id, [NewMessage(Role.CHARACTER, "Mara", "Come in.", START, "g", "card", opens_round=False)]
    )
    assert round_tasks(chat.branch_id, greeting) == []


def test_replaying_an_import_gives_the_scores_of_a_live_chat(memory: Memory, chat: OpenChat) -> None:
    """Live, the cue is recalled before the reply and its events are written with it; an import does both in the worker."""
    imported = open_chat(memory.store)
    for number, (user, reply) in enumerate(LINES * 3, start=1):
        messages = chat.say(user, reply, number=number)
        cue = cue_of(messages[0], memory.store.chats.chat(chat.scope))
        recall = memory.engine.recall(chat.scope, chat.branch_id, cue)
        memory.store.memories.record_events(chat.scope, messages[0].id, recall.events)
        for task in round_tasks(chat.branch_id, messages):
            memory.store.tasks.add(chat.scope, task)
        memory.work_off()
    for number, (user, reply) in enumerate(LINES * 3, start=1):
        for task in round_tasks(imported.branch_id, imported.say(user, reply, number=number), replay=True):
            memory.store.tasks.add(imported.scope, task)
    memory.work_off()

    def scored(which: OpenChat) -> list[tuple[int, float]]:
        visible = memory.store.memories.visible(which.scope, which.branch_id)
        return sorted(
            (visible.round_of[i], s.value) for i, s in memory.engine.scored(which.scope, which.branch_id, current_round=16).items()
        )

    assert scored(imported) == scored(chat)
    events = memory.store.memories.events(imported.scope, imported.branch_id)
    assert Effect.REINFORCED in {e.effect for e in events}


def test_a_deleted_index_is_rebuilt_with_the_same_answers_and_no_embedding(
    memory: Memory, chat: OpenChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    _live(memory, chat)
    questions = [user for user, _ in LINES]
    before = [memory.engine.recall(chat.scope, chat.branch_id, Cue(q, 50)).candidates for q in questions]
    memory.index.delete(list(memory.index.ids()))
    monkeypatch.setattr(memory.embedder, "passages", lambda texts: pytest.fail("a rebuild embeds nothing"))
    assert memory.engine.reconcile() == (len(LINES), 0)
    assert [memory.engine.recall(chat.scope, chat.branch_id, Cue(q, 50)).candidates for q in questions] == before


def test_orphans_in_the_index_are_swept(memory: Memory, chat: OpenChat) -> None:
    _live(memory, chat)
    with memory.store.database.write() as connection:
        connection.execute("UPDATE memory SET status = 'deleted' WHERE round_last = 2")
    assert memory.engine.reconcile() == (0, 1)
    assert len(memory.index.ids()) == len(LINES) - 1


def test_a_damaged_index_folder_is_set_aside_and_rebuilt(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", _env_file=None)  # type: ignore[call-arg]
    first = open_memory(settings)
    first.store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={"name": "Mara"}, persona={}, stances=[])
    chat = open_chat(first.store)
    _live(first, chat)
    first.close()
    index = tmp_path / "data" / "index"
    shutil.rmtree(index)
    index.mkdir()
    (index / "chroma.sqlite3").write_bytes(b"not a database at all" * 1000)
    second = open_memory(settings)
    assert second.index.rebuilt
    assert second.engine.reconcile()[0] == len(LINES)
    assert _rounds(second, chat, "Where does Clara keep her bees?")[0] == 1
    second.close()


def test_a_file_where_the_index_folder_should_be_is_set_aside(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", _env_file=None)  # type: ignore[call-arg]
    open_memory(settings).close()
    shutil.rmtree(tmp_path / "data" / "index")
    (tmp_path / "data" / "index").write_text("x")
    memory = open_memory(settings)
    assert memory.index.rebuilt
    memory.close()


def test_an_unknown_task_is_an_error_not_nothing(memory: Memory, chat: OpenChat) -> None:
    memory.store.tasks.add(chat.scope, NewTask("from-the-future", chat.branch_id, ("r",)))
    task = memory.store.tasks.lease()
    assert task is not None
    with pytest.raises(UnknownTask):
        memory.engine.run(task)


def test_asking_again_embeds_nothing(memory: Memory, chat: OpenChat, monkeypatch: pytest.MonkeyPatch) -> None:
    _live(memory, chat)
    memory.engine.recall(chat.scope, chat.branch_id, Cue("Where are the bees?", 50))
    monkeypatch.setattr(memory.embedder, "queries", lambda texts: pytest.fail("one embedding per text ever"))
    memory.engine.recall(chat.scope, chat.branch_id, Cue("Where are the bees?", 50))


def test_a_time_is_named_by_what_happened_then(memory: Memory, chat: OpenChat) -> None:
    """Two rounds alike but for their day: what comes first hangs on which side of the flood is meant. Others stand between: of three rounds alone two share
    every word but the flood's, which then weighs as much as all that they say."""
    lines = (
        (1, "I rented a room above the bakery."),
        (40, "The flood took our road last night."),
        (80, "I rented a room above the bakery."),
        (81, "My sister sings in a choir."),
        (82, "The apples are late this year."),
        (83, "I lost a glove on the tram."),
    )
    for number, (day, text) in enumerate(lines, start=1):
        said = START + timedelta(days=day)
        message = NewMessage(Role.USER, "Ann", text, said, f"m{number}", "user", opens_round=True)
        answer = NewMessage(Role.CHARACTER, "Mara", "Noted.", said, f"r{number}", "model", opens_round=False)
        for task in round_tasks(chat.branch_id, memory.store.chats.append(chat.scope, chat.branch_id, [message, answer])):
            memory.store.tasks.add(chat.scope, task)
    memory.work_off()

    def first(text: str) -> tuple[int, bool]:
        cue = Cue(text, 100, START + timedelta(days=120))
        best = memory.engine.recall(chat.scope, chat.branch_id, cue).candidates[0]
        visible = memory.store.memories.visible(chat.scope, chat.branch_id)
        return visible.round_of[best.memory_id], "within" in best.parts

    assert first("Where did I rent a room before the flood?") == (1, True)
    assert first("Where did I rent a room after the flood?") == (3, True)
    assert not first("Where did I rent a room before the eclipse?")[1]
