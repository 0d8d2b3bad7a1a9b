"""Extraction: is what people noted down of a conversation among what is remembered of it? (MOOM 5.2, App. G; contract of figures in docs/design.md)

A session is the unit that is extracted from; pictures are left out. Each gold label picks one memory of its conversation, the one of the best ROUGE-L F1,
and every measure is read off that pair; a memory under five words counts 0. Beside it stands how much was kept at all: without a limit the figures say little.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tqdm import tqdm

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.budgets import BUDGETS, Budget, rarest
from evaluation.datasets import RetrievalData, read_dialogues
from evaluation.items import Item, ignored
from evaluation.labels import Label, read_labels
from evaluation.measures import mean_interval
from evaluation.records import Figure
from evaluation.rouge import NOTHING, Overlap, common_length, rouge_l, rouge_n, words
from evaluation.sentence_model import MEASURING_EMBEDDER, MISSING, cosines, count_tokens, is_installed
from memory.extraction import grounded
from memory.salience import Telling, chosen
from storage.records import Chat, Message, Revision, Role

MIN_WORDS = 5
MOST_TURNS = 2
"""A memory that cites more turns covers none."""


@dataclass(frozen=True)
class ExtractionData:
    """Conversations, their gold labels, and the questions whose evidence is to be covered."""

    source: RetrievalData
    labels: tuple[Label, ...]

    @property
    def notices(self) -> tuple[str, ...]:
        kinds = Counter(label.kind for label in self.labels)
        counted = f"{len(self.labels):,} labels ({', '.join(f'{n:,} {kind}s' for kind, n in kinds.items())})"
        return (*self.source.notices, counted, *(() if is_installed() else (MISSING,)))

    def first(self) -> ExtractionData:
        """Its first conversation alone, for a quick run."""
        source = self.source.first()
        return ExtractionData(source, tuple(label for label in self.labels if label.conversation_key == source.conversations[0].key))


def read_extraction(path: Path) -> ExtractionData:
    """A LoCoMo-style file or folder. Raises DataRefused and ImportRefused."""
    source = read_dialogues(path)
    return ExtractionData(source, read_labels(path, [c.key for c in source.conversations]))


@dataclass(frozen=True)
class Kept:
    """One memory of a conversation."""

    text: str
    turns: tuple[str, ...]
    """Ids of the messages it rests on."""
    dated: bool = False
    trust: float = 1.0


@dataclass(frozen=True)
class System:
    """name; extract: memories of a conversation in its order; limit: what of them may be kept; choose: which."""

    name: str
    extract: Callable[[ImportedConversation], list[Kept]]
    limit: Budget | None
    choose: Callable[[Sequence[Kept], int, int], list[int]]


@dataclass(frozen=True)
class Pair:
    """A label and the memory it picked; None where nothing shares a word."""

    label: Label
    memory: Kept | None
    rouge_2: Overlap
    rouge_l: Overlap


def facts_of(conversation: ImportedConversation) -> list[Kept]:
    """The facts of `grounded`: each message alone and as the answer to the one before it in its session."""
    first, second = conversation.speakers[:2]
    chat = _chat(first, second, group=len(conversation.speakers) > 2)
    kept: list[Kept] = []
    before: tuple[ImportedMessage, Message] | None = None
    for said in conversation.messages:
        message = _message(said, role=Role.USER if said.speaker == first else Role.CHARACTER)
        if before is not None and before[0].session != said.session:
            before = None
        listener = grounded.listener_of(message, chat)
        opens = before is None or before[1].speaker == message.speaker
        alone = grounded.alone(message, listener=listener, opens=opens)
        kept += [Kept(f.text, (said.external_id,), f.event is not None, f.trust) for f in alone.facts]
        if before is not None and grounded.asks(before[1], message):
            answer = grounded.answering(message, before[1], listener=listener)
            turns = (before[0].external_id, said.external_id)
            kept += [Kept(f.text, turns, f.event is not None, f.trust) for f in answer.facts]
        before = said, message
    return kept


def sentences_of(conversation: ImportedConversation) -> list[Kept]:
    """Every sentence with a first person in it, questions left out, told in third person by replacing words alone."""
    kept = []
    for said in conversation.messages:
        other = next((s for s in conversation.speakers if s != said.speaker), "")
        for sentence in re.split(r"(?<=[.!?])\s+", said.text):
            sentence = sentence.strip()
            plain = sentence.startswith("[") or sentence.endswith("?") or len(words(sentence)) < MIN_WORDS
            if not plain and re.search(r"\b(?:I|me|[Mm]y|[Ww]e|[Oo]ur)\b", sentence):
                kept.append(Kept(_renamed(sentence, said.speaker, other), (said.external_id,)))
    return kept


def by_salience(kept: Sequence[Kept], count: int, budget: int) -> list[int]:
    return chosen([Telling(k.text, k.turns[-1], k.dated, k.trust) for k in kept], count=count, words=budget)


def by_rarity(kept: Sequence[Kept], count: int, budget: int) -> list[int]:
    return rarest([k.text for k in kept], count=count, words=budget)


SYSTEMS = {
    s.name: s
    for s in (
        System("grounded", facts_of, None, by_salience),
        *(System(f"grounded-{b.name}", facts_of, b, by_salience) for b in BUDGETS),
        System("sentences", sentences_of, None, by_rarity),
        *(System(f"sentences-idf-{b.name}", sentences_of, b, by_rarity) for b in BUDGETS),
    )
}


def paired(labels: Sequence[Label], kept: Sequence[Kept]) -> list[Pair]:
    """For each label the memory of the best ROUGE-L F1, the earliest of several; both of one conversation."""
    candidates = [(k, words(k.text)) for k in kept]
    return [_pair(label, candidates) for label in labels]


def _pair(label: Label, candidates: Sequence[tuple[Kept, tuple[str, ...]]]) -> Pair:
    wanted = words(label.text)
    best: tuple[Kept, tuple[str, ...]] | None = None
    reached = 0.0
    for memory, told in candidates:
        f1 = 2 * common_length(wanted, told) / max(1, len(wanted) + len(told))
        if f1 > reached:
            best, reached = (memory, told), f1
    if best is None or len(best[1]) < MIN_WORDS:
        return Pair(label, None if best is None else best[0], NOTHING, NOTHING)
    return Pair(label, best[0], rouge_n(best[1], wanted, n=2), rouge_l(best[1], wanted))


def covered(evidence: Sequence[str], kept: Sequence[Kept]) -> list[bool]:
    """For each evidence turn whether a kept memory cites it that cites at most two turns."""
    cited = {turn for k in kept if len(k.turns) <= MOST_TURNS for turn in k.turns}
    return [turn in cited for turn in evidence]


def evaluate(data: ExtractionData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name."""
    wanted = [SYSTEMS[name] for name in systems]
    seconds: dict[str, float] = {}
    drafts: dict[tuple[str, str], list[Kept]] = {}
    for extract in dict.fromkeys(s.extract for s in wanted):
        started = time.perf_counter()
        for conversation in tqdm(data.source.conversations, desc=extract.__name__, disable=None):
            drafts[extract.__name__, conversation.key] = extract(conversation)
        seconds[extract.__name__] = time.perf_counter() - started
    for system in wanted:
        chosen_of = {c.key: _within(system, drafts[system.extract.__name__, c.key], len(c.messages)) for c in data.source.conversations}
        yield from _figures(data.source, data.labels, system, chosen_of, seconds=seconds[system.extract.__name__], seed=seed, note=note)


def _within(system: System, kept: list[Kept], turns: int) -> list[Kept]:
    if system.limit is None:
        return kept
    return [kept[i] for i in system.choose(kept, int(system.limit.memories * turns), int(system.limit.words * turns))]


def _figures(
    data: RetrievalData,
    labels: Sequence[Label],
    system: System,
    kept: dict[str, list[Kept]],
    *,
    seconds: float,
    seed: int,
    note: Callable[[Item], None],
) -> Iterator[Figure]:
    pairs = [p for c in data.conversations for p in paired([la for la in labels if la.conversation_key == c.key], kept[c.key])]
    close = cosines([(p.label.text, p.memory.text if p.memory and p.rouge_l is not NOTHING else "") for p in pairs])
    for n, pair in enumerate(pairs):
        scores = {
            f"{name}_{part}": float(getattr(overlap, part))
            for name, overlap in (("rouge2", pair.rouge_2), ("rougeL", pair.rouge_l))
            for part in ("precision", "recall", "f1")
        } | ({} if close is None else {"cosine": float(close[n])})
        item = f"{pair.label.conversation_key}:label{n}"
        note(
            Item(
                task="extraction",
                dataset=data.name,
                system=system.name,
                unit="label",
                item=item,
                categories=(pair.label.kind,),
                scores=scores,
            )
        )
    turns = sum(len(c.messages) for c in data.conversations)
    memories = [k for own in kept.values() for k in own]
    tokens = count_tokens("\n".join(k.text for k in memories))

    def figure(metric: str, values: Sequence[float], *, unit: str, category: str | None = None, embedder: str | None = None) -> Figure:
        mean = mean_interval(values, seed=seed)
        return Figure(
            task="extraction", dataset=data.name, system=system.name, category=category, unit=unit, metric=metric, value=mean.value, n=mean.n,
            ci_low=mean.low, ci_high=mean.high, memories=len(memories), tokens=tokens, seconds=seconds, embedder=embedder,
        )  # fmt: skip

    for kind in (None, *dict.fromkeys(p.label.kind for p in pairs)):
        inside = [i for i, p in enumerate(pairs) if kind in (None, p.label.kind)]
        for name, attribute in (("rouge2", "rouge_2"), ("rougeL", "rouge_l")):
            for part in ("precision", "recall", "f1"):
                values = [getattr(getattr(pairs[i], attribute), part) for i in inside]
                yield figure(f"{name}_{part}", values, unit="label", category=kind)
        if close is not None:
            yield figure("cosine", [close[i] for i in inside], unit="label", category=kind, embedder=MEASURING_EMBEDDER)
    evidence = {c.key: [turn for q in data.questions if q.conversation_key == c.key for turn in q.evidence] for c in data.conversations}
    yield figure(
        "coverage", [float(hit) for c in data.conversations for hit in covered(evidence[c.key], kept[c.key])], unit="evidence turn"
    )
    for metric, amount in (
        ("memories_per_turn", float(len(memories))),
        ("words_per_turn", float(sum(len(k.text.split()) for k in memories))),
        ("tokens_per_turn", float(tokens)),
    ):
        yield Figure(
            task="extraction", dataset=data.name, system=system.name, unit="turn", metric=metric, value=amount / turns, n=turns,
            memories=len(memories), tokens=tokens, seconds=seconds,
        )  # fmt: skip


def _chat(user: str, character: str, *, group: bool) -> Chat:
    epoch = datetime.fromtimestamp(0, UTC)
    return Chat("chat", "user", "character", character, "", "en", user, "branch", 0, 0, epoch, epoch, group)


def _message(said: ImportedMessage, *, role: Role) -> Message:
    revision = Revision(said.external_id, said.text, "", "import", "complete")
    return Message(said.external_id, None, said.line, said.line, role, said.speaker, said.said_at, revision)


_NAMED = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\bI(?:'m| am)\b", "{0} is"), (r"\bI've\b", "{0} has"), (r"\bI'll\b", "{0} will"), (r"\bI'd\b", "{0} would"), (r"\bI\b", "{0}"),
        (r"\b[Mm]y\b", "{0}'s"), (r"\b[Mm]e\b", "{0}"), (r"\b[Mm]yself\b", "{0}"), (r"\b[Yy]our\b", "{1}'s"), (r"\b[Yy]ou're\b", "{1} is"),
        (r"\b[Yy]ou\b", "{1}"),
    )
)  # fmt: skip


def _renamed(sentence: str, speaker: str, listener: str) -> str:
    for pattern, put in _NAMED:
        name = put.format(speaker, listener)
        sentence = pattern.sub(lambda _, name=name: name, sentence)  # type: ignore[misc]
    return sentence
