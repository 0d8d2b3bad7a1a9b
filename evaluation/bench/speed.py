"""Speed as ratios in one run: engine time over the time of one embedding of the same round, recall at three sizes, import rounds per second."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from evaluation.bench.conversation import made_rounds
from evaluation.records import Figure
from memory.engine import final_tasks, round_tasks
from memory.episodes import episode_of
from memory.recall import Cue
from settings import Settings
from storage.index import IndexEntry
from storage.records import Message, NewMessage, Role, to_ms
from storage.scope import LOCAL_USER, Scope

START = datetime(2024, 3, 1, tzinfo=UTC)
ROUNDS = 200
SIZES = (1_000, 10_000, 100_000)
P95_LIMITS = {10_000: 0.060, 100_000: 0.150}
"""Seconds that recall of so many memories may take on two cores, the embedding of the cue included."""
CUES = 40


def figure(
    metric: str, value: float, *, n: int, category: str | None = None, unit: str, embedder: str, memories: float | None = None
) -> Figure:
    return Figure(
        task="efficiency",
        dataset="made",
        system="keepsake",
        category=category,
        unit=unit,
        metric=metric,
        value=value,
        n=n,
        memories=memories,
        embedder=embedder,
    )


def _open_chat(memory: Memory) -> tuple[Scope, str]:
    character = character_named(memory.store, LOCAL_USER, "Bo", language="en")
    chat_id = memory.store.chats.create(LOCAL_USER, character_id=character, title="", language="en", user_name="Ann")
    scope = Scope.of(LOCAL_USER, chat_id)
    return scope, memory.store.chats.chat(scope).branch_id


def new_messages(number: int, user: str, reply: str, said_at: datetime, *, names: tuple[str, str] = ("Ann", "Bo")) -> list[NewMessage]:
    """The messages of a round. names: of player and character."""
    return [
        NewMessage(Role.USER, names[0], user, said_at, f"u{number}", "user", opens_round=True),
        NewMessage(Role.CHARACTER, names[1], reply, said_at, f"r{number}", "model", opens_round=False),
    ]


def engine_seconds(*, rounds: int = ROUNDS) -> Iterator[Figure]:
    """Every round as live: recall before the reply, commit, the worker's tasks by kind; each over one passage embedding of such a round, alternating.

    Means over the rounds, as a unit's work comes once in six; the embedding is a median.
    """
    before: list[float] = []
    commit: list[float] = []
    behind: dict[str, list[float]] = {"episode": [], "extract": [], "unit": []}
    embedding: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder)))
        name = memory.embedder.fingerprint
        scope, branch_id = _open_chat(memory)
        others = made_rounds(rounds, seed=1, start=START)
        last: list[Message] = []
        for number, (made, unlike) in enumerate(zip(made_rounds(rounds, start=START), others, strict=True), start=1):
            # Another round of the same kind, so that nothing is cached and both are timed under the same load.
            with _timing(embedding):
                memory.embedder.passages([f"Ann: {unlike.user}\nBo: {unlike.reply}"])
            with _timing(before):
                memory.engine.recall(scope, branch_id, Cue(made.user, number))
            with _timing(commit):
                messages = memory.store.chats.append(scope, branch_id, new_messages(number, made.user, made.reply, made.said_at))
                for task in [*round_tasks(branch_id, messages), *final_tasks(branch_id, last, next_round=number)]:
                    memory.store.tasks.add(scope, task)
            last = messages
            _work_off_timed(memory, behind)
        memory.close()
    one = statistics.median(embedding)
    yield figure("embedding_seconds", one, n=rounds, unit="round", embedder=name)
    parts = {"before the first token": before, "commit": commit, **{f"behind the reply: {kind}": times for kind, times in behind.items()}}
    for category, times in parts.items():
        yield figure("seconds", sum(times) / rounds, n=rounds, category=category, unit="round", embedder=name)
        yield figure("over_one_embedding", sum(times) / rounds / one, n=rounds, category=category, unit="round", embedder=name)
    whole = sum(map(sum, parts.values())) / rounds
    yield figure("over_one_embedding", whole / one, n=rounds, category="whole round", unit="round", embedder=name)


def _work_off_timed(memory: Memory, times: dict[str, list[float]]) -> None:
    while (task := memory.store.tasks.lease()) is not None:
        with _timing(times[task.kind]):
            memory.engine.run(task)
            memory.store.tasks.finish(task)


def recall_at_sizes(sizes: Sequence[int] = SIZES, *, cues: int = CUES) -> Iterator[Figure]:
    """Recall p50 and p95 with that many visible memories in one chat, with the limit on p95 where there is one, and the part of it that embeds the cue: that
    of another cue of the same length just before, so that both are timed under the same load. Vectors are random: search time does not depend on what they mean.
    """
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder)))
            try:
                yield from _recall_at(memory, size, cues=cues)
            finally:
                memory.close()


def _recall_at(memory: Memory, size: int, *, cues: int) -> Iterator[Figure]:
    scope, branch_id = _open_chat(memory)
    _fill(memory, scope, branch_id, size)
    texts, others = ([r.user for r in made_rounds(cues, seed=seed, start=START)] for seed in (99, 98))
    embedding: list[float] = []
    extending: list[float] = []
    recalling: list[float] = []
    memory.engine.recall(scope, branch_id, Cue("warm", size + 1))
    for number, (text, unlike) in enumerate(zip(texts, others, strict=True), start=size + 1):
        with _timing(embedding):
            memory.embedder.queries([unlike])
        # Each cue follows a turn that changed the chat, as in life.
        messages = memory.store.chats.append(scope, branch_id, new_messages(number, f"turn {number}", "yes", START))
        memory.store.memories.add(scope, [episode_of(scope.chat_id, messages)])
        with _timing(extending):
            memory.store.memories.visible(scope, branch_id)
        with _timing(recalling):
            memory.engine.recall(scope, branch_id, Cue(text, number + 1))
    whole = [a + b for a, b in zip(extending, recalling, strict=True)]
    for metric, value in (
        ("recall_p50_seconds", statistics.median(whole)),
        ("recall_p95_seconds", float(np.quantile(whole, 0.95))),
        *([("recall_p95_limit_seconds", P95_LIMITS[size])] if size in P95_LIMITS else []),
        ("cue_embedding_p50_seconds", statistics.median(embedding)),
        ("cue_embedding_p95_seconds", float(np.quantile(embedding, 0.95))),
        ("visible_p50_seconds", statistics.median(extending)),
        ("recall_p50_over_one_query_embedding", statistics.median(whole) / statistics.median(embedding)),
    ):
        yield figure(metric, value, n=cues, unit="cue", embedder=memory.embedder.fingerprint, memories=size)


def _fill(memory: Memory, scope: Scope, branch_id: str, size: int) -> None:
    rng = np.random.default_rng(0)
    rounds = enumerate(made_rounds(size, seed=7, start=START), start=1)
    batch = 2_000
    for _ in range(0, size, batch):
        episodes = []
        with memory.store.database.write():
            for _, (number, made) in zip(range(batch), rounds, strict=False):
                messages = memory.store.chats.append(scope, branch_id, new_messages(number, made.user, made.reply, made.said_at))
                episodes.append(episode_of(scope.chat_id, messages))
            memory.store.memories.add(scope, episodes)
            vectors = rng.normal(size=(len(episodes), memory.embedder.dimension)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            memory.store.vectors.put(
                scope.user_id, memory.embedder.fingerprint, "passage", {e.text_sha256: v for e, v in zip(episodes, vectors, strict=True)}
            )
        memory.index.upsert(
            [
                IndexEntry(e.id, scope.user_id, scope.chat_id, e.kind.value, e.round_last, to_ms(e.said_at), v)
                for e, v in zip(episodes, vectors, strict=True)
            ]
        )


def import_rounds_per_second(*, rounds: int = 300) -> Iterator[Figure]:
    """A whole import with replay of every round's recall, over the embeddings it cannot do without."""
    messages = tuple(
        ImportedMessage(f"T{number}{who}", name, text, made.said_at, 1, number)
        for number, made in enumerate(made_rounds(rounds, seed=3, start=START))
        for who, name, text in (("u", "Ann", made.user), ("r", "Bo", made.reply))
    )
    conversation = ImportedConversation("made", "Ann & Bo", ("Ann", "Bo"), messages, ())
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder)))
        character = character_named(memory.store, LOCAL_USER, "Bo", language="en")
        started = time.perf_counter()
        importer = Importer(memory.store, conversation, Cast("Ann", "Bo"), character_id=character, language="en")
        with tqdm(disable=True) as progress:
            importer.write(progress)
        memory.work_off()
        whole = time.perf_counter() - started
        needed: list[float] = []
        for made in made_rounds(50, seed=4, start=START):
            with _timing(needed):
                memory.embedder.passages([f"Ann: {made.user}\nBo: {made.reply}"])
                memory.embedder.queries([made.user])
        name = memory.embedder.fingerprint
        memory.close()
    yield figure("import_rounds_per_second", rounds / whole, n=rounds, unit="round", embedder=name)
    yield figure("import_over_its_embeddings", whole / rounds / statistics.median(needed), n=rounds, unit="round", embedder=name)


@contextmanager
def _timing(times: list[float]) -> Iterator[None]:
    started = time.perf_counter()
    yield
    times.append(time.perf_counter() - started)
