"""The memories of other papers, and the plain ones, over a whole conversation: what each recalls for its questions.

Each reads the conversation round by round and is asked before every round what it recalls for it, as in a chat, so that what fades or is strengthened by
recall does so. Then every question is asked of a copy of the memory as it stands at the end: no question changes what another finds.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chat.imported import ImportedConversation
from evaluation.baselines.generative_agents import GenerativeAgents
from evaluation.baselines.ld_agent import LDAgent
from evaluation.baselines.mem_gpt import MemGPT
from evaluation.baselines.memo_chat import MemoChat
from evaluation.baselines.memory_bank import MemoryBank
from evaluation.baselines.plain import Ebbinghaus, Fifo, FullContext, NoMemory, RecentWindow, Rounds
from evaluation.baselines.scm import SelfControlled
from evaluation.baselines.system import MemorySystem, Recalled, Said
from evaluation.datasets import RetrievalQuestion, asked_at
from evaluation.talks import rounds_of
from models.embedder import Embedder, Vectors
from models.structured import StructuredModel

PLAIN: dict[str, type[MemorySystem]] = {s.name: s for s in (NoMemory, RecentWindow, FullContext, Rounds, Fifo, Ebbinghaus)}
"""Ask no model."""
PAPERS: dict[str, type[MemorySystem]] = {s.name: s for s in (MemoryBank, MemoChat, GenerativeAgents, MemGPT, SelfControlled, LDAgent)}
MEMORIES = PLAIN | PAPERS


class Remembered(Embedder):
    """An embedder that is asked for each text once: several memories keep the same rounds."""

    def __init__(self, inner: Embedder) -> None:
        self.fingerprint, self.dimension = inner.fingerprint, inner.dimension
        self._inner = inner
        self._known: dict[tuple[str, bool], Vectors] = {}

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if (text, is_query) not in self._known]
        if missing:
            found = (self._inner.queries if is_query else self._inner.passages)(missing)
            self._known.update(zip(((text, is_query) for text in missing), found, strict=True))
        return np.stack([self._known[text, is_query] for text in texts])


@dataclass(frozen=True)
class Found:
    """What a memory recalled for a question. read: seconds that took."""

    question: RetrievalQuestion
    recalled: tuple[Recalled, ...]
    read: float


@dataclass(frozen=True)
class Lived:
    """A memory at the end of a conversation. write: seconds that took, its own recall before each round left out."""

    system: MemorySystem
    shared: tuple[object, ...]
    write: float

    def asked(self, questions: Sequence[RetrievalQuestion], conversation: ImportedConversation) -> Iterator[Found]:
        for question in questions:
            fresh = copy.deepcopy(self.system, {id(part): part for part in self.shared})
            started = time.perf_counter()
            recalled = fresh.read(question.text, at=asked_at(question, conversation))
            yield Found(question, tuple(recalled), time.perf_counter() - started)


def lived(name: str, conversation: ImportedConversation, *, embedder: Embedder, model: StructuredModel | None) -> Lived:
    """name: of MEMORIES. Raises ValueError for one that needs a model where there is none, and what StructuredModel.ask raises."""
    if name in PAPERS and model is None:
        raise ValueError(f"{name} needs a model")
    system = MEMORIES[name](model, embedder)
    rounds = rounds_of(conversation)
    write = 0.0
    for place, messages in enumerate(rounds):
        cue = "\n".join(m.text for m in messages if m.speaker == conversation.speakers[0]) or messages[0].text
        system.read(cue, at=messages[0].said_at)
        started = time.perf_counter()
        system.write([Said(m.speaker, m.text, m.said_at, m.session, m.external_id) for m in messages])
        if place + 1 == len(rounds) or rounds[place + 1][0].session != messages[0].session:
            system.end()
        write += time.perf_counter() - started
    return Lived(system, tuple(part for part in (embedder, model) if part is not None), write)
