"""Efficiency: what remembering a conversation costs, side by side: calls, tokens, and seconds of each engine without the model (contract of figures in docs/design.md)

Every system reads the same first 20 and 200 rounds of a conversation; before each round the player's words are a cue, as in a chat. All ask one
OpenAI-compatible endpoint, which counts: the one that `memory_model` and `memory_api_base` name, else canned answers (`evaluation.endpoint`), which are
valid and say nothing about quality. The reply itself is nobody's cost.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from chat.assembly import open_memory
from chat.imported import ImportedConversation, ImportedMessage
from evaluation.baselines.system import Said
from evaluation.bench.spoken import SPOKEN
from evaluation.datasets import RetrievalData
from evaluation.endpoint import MODEL, Counted, CountingEndpoint, Real
from evaluation.items import Item, ignored
from evaluation.mem0_side import PYTHON, mem0_python, remember
from evaluation.progress import steps
from evaluation.records import Figure
from evaluation.remembering import MEMORIES
from evaluation.talks import rounds_of, written
from memory.engine import Cue
from models.build import build_memory_model
from settings import Settings

LENGTHS = (20, 200)
"""Rounds."""
WARM = 4
"""Rounds of another conversation before them."""
OURS, OURS_MODELLED, MEM0 = "keepsake-grounded", "keepsake-llm", "mem0"
SYSTEMS = (OURS, OURS_MODELLED, MEM0, *MEMORIES)
READ_SPEED, WRITE_SPEED = 2000, 50
"""Tokens a second, of prompts and of answers, at which a model's seconds are told for orientation."""


@dataclass(frozen=True)
class Cost:
    """Of all rounds. read, write: seconds of the engine, the endpoint's time taken off."""

    asked: Counted
    read: float
    write: float
    memories: int


def notices(settings: Settings) -> tuple[str, ...]:
    asked = (
        f"model: {settings.memory_model} at {settings.memory_api_base}"
        if settings.memory_model and settings.memory_api_base
        else "model: canned answers of a local endpoint; calls and prompt tokens hold for any model, answer tokens are of the order of one, quality is not measured"
    )
    speed = f"model seconds: tokens at {READ_SPEED:,} a second read and {WRITE_SPEED} written, for orientation only"
    missing = () if mem0_python() else (f"mem0 is left out: {PYTHON} names no Python that has it (docs/results.md)",)
    return (asked, speed, "tokens: cl100k_base, counted at the endpoint, the same for all", *missing)


def evaluate(
    data: RetrievalData, *, systems: Sequence[str], seed: int, lengths: Sequence[int] = LENGTHS, note: Callable[[Item], None] = ignored
) -> Iterator[Figure]:
    """The figures of the named systems on the first conversation. Nothing is by chance; seed is not used."""
    conversation = data.conversations[0]
    for length in lengths:
        rounds = rounds_of(conversation)[:length]
        if len(rounds) < length:
            continue
        costs: dict[str, Cost] = {}
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
            embedder = memory.embedder
            memory.close()
        with CountingEndpoint(embedder, real=_real(Settings())) as endpoint:
            for name in steps([s for s in systems if s != MEM0 or mem0_python()], f"{length} rounds"):
                endpoint.counted()
                costs[name] = _COSTS.get(name, _baseline(name))(conversation, rounds, endpoint)
        items = list(_items(data.name, conversation.key, length, costs, embedder.fingerprint))
        for item in items:
            note(item)
        yield from figures_of(items)


def _real(settings: Settings) -> Real | None:
    if not settings.memory_model or not settings.memory_api_base:
        return None
    return Real(
        settings.memory_api_base.rstrip("/"), settings.memory_model.split("/", 1)[-1], settings.memory_api_key, settings.memory_timeout_s
    )


def _keepsake(modelled: bool) -> Callable[[ImportedConversation, list[list[ImportedMessage]], CountingEndpoint], Cost]:
    def cost(conversation: ImportedConversation, rounds: list[list[ImportedMessage]], endpoint: CountingEndpoint) -> Cost:
        part = replace(conversation, messages=tuple(m for messages in rounds for m in messages))
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(_settings(Path(folder), endpoint if modelled else None))
            try:
                # A fresh folder reads its tables of cues and loads its grammar once, at the first rounds; what a round costs is the matter here.
                written(memory, _warm(conversation))
                endpoint.counted()
                began = time.perf_counter()
                talk = written(memory, part)
                wrote = time.perf_counter() - began
                asked = endpoint.counted()
                user, character = conversation.speakers[:2]
                began = time.perf_counter()
                for number, messages in enumerate(rounds, start=1):
                    cue = Cue(_cue(messages, user), number, messages[0].said_at, speaker=user, listener=character)
                    memory.engine.recall(talk.scope, talk.branch_id, cue)
                read = time.perf_counter() - began
                memories = len(memory.store.memories.visible(talk.scope, talk.branch_id).recallable.ids)
            finally:
                memory.close()
        return Cost(asked, read, wrote - asked.seconds, memories)

    return cost


def _warm(conversation: ImportedConversation) -> ImportedConversation:
    said = [text for pair in SPOKEN[:WARM] for text in pair]
    at = conversation.messages[0].said_at - timedelta(days=30)
    messages = tuple(
        ImportedMessage(f"warm{n}", conversation.speakers[n % 2], text, at + timedelta(minutes=n), 1, n + 1) for n, text in enumerate(said)
    )
    return replace(conversation, key="warm", title="warm", messages=messages)


def _settings(folder: Path, endpoint: CountingEndpoint | None) -> Settings:
    if endpoint is None:
        return Settings(data_dir=folder, memory_model="")
    return Settings(data_dir=folder, memory_model=f"openai/{MODEL}", memory_api_base=endpoint.url, memory_api_key=SecretStr("none"))


def _baseline(name: str) -> Callable[[ImportedConversation, list[list[ImportedMessage]], CountingEndpoint], Cost]:
    def cost(conversation: ImportedConversation, rounds: list[list[ImportedMessage]], endpoint: CountingEndpoint) -> Cost:
        with tempfile.TemporaryDirectory() as folder:
            model = build_memory_model(_settings(Path(folder), endpoint))
        assert model is not None
        system = MEMORIES[name](model, endpoint.embedder)
        total, read, write = Counted(), 0.0, 0.0
        for place, messages in enumerate(rounds):
            said = [Said(m.speaker, m.text, m.said_at, m.session) for m in messages]
            began = time.perf_counter()
            system.read(_cue(messages, conversation.speakers[0]), at=messages[0].said_at)
            read += time.perf_counter() - began - _add(total, endpoint.counted())
            began = time.perf_counter()
            system.write(said)
            if place + 1 == len(rounds) or rounds[place + 1][0].session != messages[0].session:
                system.end()
            write += time.perf_counter() - began - _add(total, endpoint.counted())
        return Cost(total, read, write, 0)

    return cost


def _mem0(conversation: ImportedConversation, rounds: list[list[ImportedMessage]], endpoint: CountingEndpoint) -> Cost:
    python = mem0_python()
    assert python is not None
    player = conversation.speakers[0]
    texts = [[(m.speaker == player, m.text) for m in messages] for messages in rounds]
    times = remember(texts, python=python, url=endpoint.url, dimension=endpoint.embedder.dimension)
    asked = endpoint.counted()
    return Cost(asked, times.read, times.write - asked.seconds, times.stored)


_COSTS: dict[str, Callable[[ImportedConversation, list[list[ImportedMessage]], CountingEndpoint], Cost]] = {
    OURS: _keepsake(modelled=False),
    OURS_MODELLED: _keepsake(modelled=True),
    MEM0: _mem0,
}


def _cue(messages: Sequence[ImportedMessage], player: str) -> str:
    return next((m.text for m in messages if m.speaker == player), messages[0].text)


def _add(total: Counted, more: Counted) -> float:
    """The endpoint's seconds of `more`."""
    total.calls += more.calls
    total.prompt_tokens += more.prompt_tokens
    total.answer_tokens += more.answer_tokens
    total.seconds += more.seconds
    return more.seconds


def _items(dataset: str, conversation: str, length: int, costs: dict[str, Cost], embedder: str) -> Iterator[Item]:
    for name, cost in costs.items():
        asked = cost.asked
        values: dict[str, float] = {
            "calls": asked.calls,
            "prompt_tokens": asked.prompt_tokens,
            "answer_tokens": asked.answer_tokens,
            "engine_seconds": cost.write + cost.read,
            "write_seconds": cost.write,
            "read_seconds": cost.read,
            "model_seconds_at_speed": asked.prompt_tokens / READ_SPEED + asked.answer_tokens / WRITE_SPEED,
        }
        theirs = costs.get(MEM0)
        if theirs is not None and name != MEM0:
            tokens = theirs.asked.prompt_tokens + theirs.asked.answer_tokens
            values |= {
                "calls_over_mem0": asked.calls / theirs.asked.calls,
                "tokens_over_mem0": (asked.prompt_tokens + asked.answer_tokens) / tokens,
                "engine_seconds_over_mem0": (cost.write + cost.read) / (theirs.write + theirs.read),
            }
        spent = {"tokens": asked.prompt_tokens + asked.answer_tokens, "seconds": cost.write + cost.read, "calls": asked.calls}
        yield Item(
            task="efficiency", dataset=dataset, system=name, unit="conversation", item=f"{conversation}: {length} rounds",
            categories=(f"{length} rounds",), scores=values, conversation=conversation,
            costs={**spent, "memories": cost.memories, "rounds": length}, embedder=embedder,
        )  # fmt: skip


def figures_of(items: Sequence[Item]) -> Iterator[Figure]:
    """Each measured once, on one conversation."""
    for item in items:
        costs = item.costs
        for metric, value in item.scores.items():
            yield Figure(
                task="efficiency", dataset=item.dataset, system=item.system, category=item.categories[0], unit=item.unit, metric=metric,
                value=value, n=int(costs["rounds"]), memories=costs["memories"] or None, tokens=costs["tokens"], seconds=costs["seconds"],
                calls=costs["calls"], embedder=item.embedder,
            )  # fmt: skip
