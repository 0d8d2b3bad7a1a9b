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
    """(seconds, seconds of processor time) of the last ROUNDS by kind of task; of all of them under the empty name."""
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
        for due in [*round_tasks(branch_id, messages), *final_tasks(branch_id, last, next_round=number)]:
            memory.store.tasks.add(scope, due)
        last = messages
        while (task := memory.store.tasks.lease()) is not None:
            started, busy = time.perf_counter(), time.process_time()
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            if number > WARM:
                took = (time.perf_counter() - started, time.process_time() - busy)
                for kind in ("", task.kind):
                    before = spent.get(kind, (0.0, 0.0))
                    spent[kind] = (before[0] + took[0], before[1] + took[1])
    return spent
