"""What remembering costs without a language model: twenty rounds of a conversation as people write, all that is done behind their replies, embeddings included."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from chat.assembly import Memory, open_memory
from evaluation.bench.speed import START, figure, new_messages
from evaluation.bench.spoken import spoken_rounds
from evaluation.records import Figure
from memory.engine import final_tasks, round_tasks
from settings import Settings
from storage.records import Message
from storage.scope import LOCAL_USER, Scope

ROUNDS = 20
WARM = 4
"""Rounds before them: what is loaded at the first text of a language is loaded, and a later round is one of many."""
LIMIT_SECONDS = 1.6
"""For all twenty, on two cores."""
NELL = "builtin:nell-garrow"


def grounded_seconds(*, times: int = 5) -> Iterator[Figure]:
    """Median over `times` fresh folders of the seconds, and of the seconds of processor time in all threads, by kind of task and in all."""
    wall: dict[str, list[float]] = {}
    processor: dict[str, list[float]] = {}
    for _ in tqdm(range(times), desc="Folders", disable=None):
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder)))
            try:
                name = memory.embedder.fingerprint
                for kind, (seconds, busy) in _behind_the_replies(memory).items():
                    wall.setdefault(kind, []).append(seconds)
                    processor.setdefault(kind, []).append(busy)
            finally:
                memory.close()
    for kind in wall:
        category = f"{ROUNDS} rounds behind their replies" + (f": {kind}" if kind else "")
        yield figure("seconds", statistics.median(wall[kind]), n=times, category=category, unit="round", embedder=name)
        yield figure("processor_seconds", statistics.median(processor[kind]), n=times, category=category, unit="round", embedder=name)
        if not kind:
            yield figure("best_seconds", min(wall[kind]), n=times, category=category, unit="round", embedder=name)
            yield figure("limit_seconds", LIMIT_SECONDS, n=times, category=category, unit="round", embedder=name)


def _behind_the_replies(memory: Memory) -> dict[str, tuple[float, float]]:
    """(seconds, seconds of processor time) of the last ROUNDS by kind of task; under the empty name of all that was done behind each reply, looking for tasks
    included. What one task does ahead for the next counts where it is done."""
    chat_id = memory.store.chats.create(LOCAL_USER, character_id=NELL, title="", language="en", user_name="Mara")
    scope = Scope.of(LOCAL_USER, chat_id)
    branch_id = memory.store.chats.chat(scope).branch_id
    spent: dict[str, tuple[float, float]] = {"": (0.0, 0.0)}
    last: list[Message] = []
    for number, said in enumerate(spoken_rounds(start=START), start=1):
        if number > WARM + ROUNDS:
            break
        messages = memory.store.chats.append(
            scope, branch_id, new_messages(number, said.user, said.reply, said.said_at, names=("Mara", "Nell Garrow"))
        )
        # As a turn queues them: what is final when the player has said something, then the round that the reply completes.
        for due in [*final_tasks(branch_id, last, next_round=number), *round_tasks(branch_id, messages)]:
            memory.store.tasks.add(scope, due)
        last = messages
        began = (time.perf_counter(), time.process_time())
        while (task := memory.store.tasks.lease()) is not None:
            started = (time.perf_counter(), time.process_time())
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            if number > WARM:
                _add(spent, task.kind, started)
        if number > WARM:
            _add(spent, "", began)
    return spent


def _add(spent: dict[str, tuple[float, float]], kind: str, since: tuple[float, float]) -> None:
    seconds, busy = spent.get(kind, (0.0, 0.0))
    spent[kind] = (seconds + time.perf_counter() - since[0], busy + time.process_time() - since[1])
