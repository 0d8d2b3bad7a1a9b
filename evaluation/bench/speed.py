"""Speed as ratios in one run: engine time over the time of one embedding of the same round, recall at three sizes, import rounds per second."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from evaluation.bench.conversation import made_rounds
from evaluation.records import Figure
from memory.engine import round_tasks
from memory.episodes import episode_of
from memory.recall import Cue
from settings import Settings
from storage.index import IndexEntry
from storage.records import NewMessage, Role, to_ms
from storage.scope import LOCAL_USER, Scope

START = datetime(2024, 3, 1, tzinfo=UTC)
ROUNDS = 200
SIZES = (1_000, 10_000, 100_000)
CUES = 40


def _figure(metric: str, value: float, *, n: int, category: str | None = None, unit: str, embedder: str, memories: float | None = None) -> Figure:
    return Figure(
        task="efficiency", dataset="made", system="keepsake", category=category, unit=unit, metric=metric, value=value, n=n, memories=memories, embedder=embedder
    )


def _open_chat(memory: Memory) -> tuple[Scope, str]:
    character = character_named(memory.store, LOCAL_USER, "Bo", language="en")
    chat_id = memory.store.chats.create(LOCAL_USER, character_id=character, title="", language="en", user_name="Ann")
    scope = Scope.of(LOCAL_USER, chat_id)
    return scope, memory.store.chats.chat(scope).branch_id


def _new_messages(number: int, user: str, reply: str, said_at: datetime) -> list[NewMessage]:
    return [
        NewMessage(Role.USER, "Ann", user, said_at, f"u{number}", "user", opens_round=True),
        NewMessage(Role.CHARACTER, "Bo", reply, said_at, f"r{number}", "model", opens_round=False),
    ]


def engine_seconds(*, rounds: int = ROUNDS) -> Iterator[Figure]:
    """Every round as live: recall before the reply, commit, the worker's task; each over one passage embedding of that round, alternating."""
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder)))
        name = memory.embedder.fingerprint
        scope, branch_id = _open_chat(memory)
        before, commit, behind, embedding = [], [], [], []
        others = made_rounds(rounds, seed=1, start=START)
        for number, (made, unlike) in enumerate(zip(made_rounds(rounds, start=START), others, strict=True), start=1):
            # Another round of the same kind, so that nothing is cached and both are timed under the same load.
            other = f"Ann: {unlike.user}\nBo: {unlike.reply}"
            embedding.append(_timed(lambda text=other: memory.embedder.passages([text])))
            before.append(_timed(lambda made=made, number=number: memory.engine.recall(scope, branch_id, Cue(made.user, number))))
            started = time.perf_counter()
            messages = memory.store.chats.append(scope, branch_id, _new_messages(number, made.user, made.reply, made.said_at))
            for task in round_tasks(branch_id, messages):
                memory.store.tasks.add(scope, task)
            commit.append(time.perf_counter() - started)
            started = time.perf_counter()
            task = memory.store.tasks.lease()
            assert task is not None
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            behind.append(time.perf_counter() - started)
        memory.close()
    one = statistics.median(embedding)
    yield _figure("embedding_seconds", one, n=rounds, unit="round", embedder=name)
    for category, times in (("before the first token", before), ("commit", commit), ("behind the reply", behind)):
        yield _figure("seconds", statistics.median(times), n=rounds, category=category, unit="round", embedder=name)
        yield _figure("over_one_embedding", statistics.median(times) / one, n=rounds, category=category, unit="round", embedder=name)
    whole = [a + b + c for a, b, c in zip(before, commit, behind, strict=True)]
    yield _figure("over_one_embedding", statistics.median(whole) / one, n=rounds, category="whole round", unit="round", embedder=name)


def recall_at_sizes(sizes: Sequence[int] = SIZES, *, cues: int = CUES) -> Iterator[Figure]:
    """Recall p50 and p95 with that many visible memories in one chat. Vectors are random: search time does not depend on what they mean."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder)))
            scope, branch_id = _open_chat(memory)
            _fill(memory, scope, branch_id, size)
            name = memory.embedder.fingerprint
            texts, others = ([r.user for r in made_rounds(cues, seed=seed, start=START)] for seed in (99, 98))
            embedding = [_timed(lambda text=text: memory.embedder.queries([text])) for text in others]
            memory.engine.recall(scope, branch_id, Cue("warm", size + 1))
            cold, times = [], []
            for number, text in enumerate(texts, start=size + 1):
                # Each cue follows a turn that changed the chat, as in life.
                messages = memory.store.chats.append(scope, branch_id, _new_messages(number, f"turn {number}", "yes", START))
                memory.store.memories.add(scope, [episode_of(scope.chat_id, messages)])
                cold.append(_timed(lambda: memory.store.memories.visible(scope, branch_id)))
                times.append(_timed(lambda text=text, number=number: memory.engine.recall(scope, branch_id, Cue(text, number + 1))))
            memory.close()
        for metric, value in (
            ("recall_p50_seconds", statistics.median(times)),
            ("recall_p95_seconds", float(np.quantile(times, 0.95))),
            ("visible_p50_seconds", statistics.median(cold)),
            ("recall_p50_over_one_query_embedding", statistics.median(times) / statistics.median(embedding)),
        ):
            yield _figure(metric, value, n=cues, unit="cue", embedder=name, memories=size)


def _fill(memory: Memory, scope: Scope, branch_id: str, size: int) -> None:
    rng = np.random.default_rng(0)
    rounds = enumerate(made_rounds(size, seed=7, start=START), start=1)
    batch = 2_000
    for _ in range(0, size, batch):
        episodes = []
        with memory.store.database.write():
            for _, (number, made) in zip(range(batch), rounds, strict=False):
                messages = memory.store.chats.append(scope, branch_id, _new_messages(number, made.user, made.reply, made.said_at))
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
        from tqdm import tqdm

        memory = open_memory(Settings(data_dir=Path(folder)))
        character = character_named(memory.store, LOCAL_USER, "Bo", language="en")
        started = time.perf_counter()
        importer = Importer(memory.store, conversation, Cast("Ann", "Bo"), character_id=character, language="en")
        with tqdm(disable=True) as progress:
            importer.write(progress)
        while (task := memory.store.tasks.lease()) is not None:
            memory.engine.run(task)
            memory.store.tasks.finish(task)
        whole = time.perf_counter() - started
        pairs = [(f"Ann: {m.user}\nBo: {m.reply}", m.user) for m in made_rounds(50, seed=4, start=START)]
        needed = statistics.median(_timed(lambda p=p: (memory.embedder.passages([p[0]]), memory.embedder.queries([p[1]]))) for p in pairs)
        name = memory.embedder.fingerprint
        memory.close()
    yield _figure("import_rounds_per_second", rounds / whole, n=rounds, unit="round", embedder=name)
    yield _figure("import_over_its_embeddings", whole / rounds / needed, n=rounds, unit="round", embedder=name)


def _timed(work) -> float:  # type: ignore[no-untyped-def]
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
