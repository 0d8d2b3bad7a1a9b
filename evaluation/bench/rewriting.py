"""Rewriting a long chat: 5,000 messages, how long it takes to open it, to swipe, to branch and to mend what a change left to do."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from tqdm import tqdm

from chat.assembly import House, open_house
from evaluation.bench.conversation import made_rounds
from evaluation.records import Figure
from memory.engine import final_tasks, round_tasks
from models.scripted import Script, ScriptedModel
from settings import Settings
from storage.records import NewMessage, Role
from storage.scope import LOCAL_USER, Scope

START = datetime(2023, 1, 1, tzinfo=UTC)
ROUNDS = 2_500
TIMES = 20


def rewriting_seconds(*, rounds: int = ROUNDS, times: int = TIMES) -> Iterator[Figure]:
    """Server time of what a page asks for, medians and worst of `times`."""
    with tempfile.TemporaryDirectory() as folder:
        model = ScriptedModel(otherwise=Script(("A further wording of it.",)))
        house = open_house(Settings(data_dir=Path(folder)), model=model)
        try:
            chat_id = _told(house, rounds)
            for name, seconds in _measured(house, chat_id, times).items():
                for metric, value in (("seconds_median", statistics.median(seconds)), ("seconds_worst", max(seconds))):
                    yield Figure(
                        task="efficiency",
                        dataset="made",
                        system="keepsake",
                        category=name,
                        unit="operation",
                        metric=metric,
                        value=value,
                        n=len(seconds),
                        memories=rounds * 2,
                        embedder=house.memory.embedder.fingerprint,
                    )
        finally:
            house.close()


def _told(house: House, rounds: int) -> str:
    """A chat of that many rounds, all of it remembered as in an import without recall."""
    store = house.memory.store
    chat_id = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    scope = Scope.of(LOCAL_USER, chat_id)
    branch_id = store.chats.chat(scope).branch_id
    last = None
    with tqdm(total=rounds, desc="Telling 5,000 messages", disable=None) as progress:
        for number, made in enumerate(made_rounds(rounds, seed=3, start=START), start=1):
            with store.database.write():
                messages = store.chats.append(
                    scope,
                    branch_id,
                    [
                        NewMessage(Role.USER, "You", made.user, made.said_at, f"u{number}", "user", opens_round=True),
                        NewMessage(Role.CHARACTER, "Nell Garrow", made.reply, made.said_at, f"r{number}", "model", opens_round=False),
                    ],
                )
                for task in [*round_tasks(branch_id, messages), *(final_tasks(branch_id, last, next_round=number) if last else [])]:
                    store.tasks.add(scope, task)
            last = messages
            house.memory.work_off()
            progress.update(1)
    return chat_id


def _measured(house: House, chat_id: str, times: int) -> dict[str, list[float]]:
    service, rewriting = house.service, house.service.rewriting
    found: dict[str, list[float]] = {}

    def edition() -> int:
        return service.transcript(LOCAL_USER, chat_id, limit=1).edition

    def timed(name: str, work: Callable[[], object]) -> None:
        started = time.perf_counter()
        work()
        found.setdefault(name, []).append(time.perf_counter() - started)

    def opened() -> None:
        service.transcript(LOCAL_USER, chat_id, limit=60)
        service.persona(LOCAL_USER, chat_id)
        service.receipt(LOCAL_USER, chat_id)
        service.chats(LOCAL_USER)

    def made_again() -> str:
        newest = service.transcript(LOCAL_USER, chat_id, limit=1).messages[-1].id
        rewriting.regenerate(LOCAL_USER, chat_id, newest, edition=edition())
        while (job := service.job(LOCAL_USER, chat_id)) is not None and not job.final:
            time.sleep(0.002)
        return newest

    newest = made_again()
    middle = service.transcript(LOCAL_USER, chat_id, around_round=ROUNDS // 2, limit=2).messages[-1].id
    house.memory.work_off()
    for number in range(times):
        timed("swipe", partial(rewriting.swipe, LOCAL_USER, chat_id, newest, to=number % 2 + 1, edition=edition()))
        timed("open", opened)
        timed("mend after a swipe", house.memory.work_off)
    for number in range(times):
        timed("edit in the middle", partial(rewriting.edit, LOCAL_USER, chat_id, middle, f"Wording {number}.", edition=edition()))
        timed("open after an edit", opened)
        timed("mend after an edit", house.memory.work_off)
        timed("undo", partial(rewriting.undo, LOCAL_USER, chat_id, edition=edition()))
    for number in range(times):
        timed("branch", partial(rewriting.branch, LOCAL_USER, chat_id, middle, f"b{number}", edition=edition()))
        first = rewriting.tree(LOCAL_USER, chat_id).branches[0].id
        timed("switch", partial(rewriting.switch, LOCAL_USER, chat_id, first, edition=edition()))
        timed("open after a switch", opened)
    timed("tree", partial(rewriting.tree, LOCAL_USER, chat_id))
    timed("mend the rest", house.memory.work_off)
    return found
