"""Extraction: is what people noted down of a conversation among what is remembered of it? (MOOM 5.2, App. G; contract of figures in docs/design.md)

A session is the unit that is extracted from; pictures are left out. Each gold label picks one memory of its conversation, the one of the best ROUGE-L F1,
and every measure is read off that pair; a memory under five words counts 0. Beside it stands how much was kept at all: without a limit the figures say little.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from chat.imported import ImportedConversation, ImportedMessage
from evaluation.bert_score import notice
from evaluation.budgets import BUDGETS, Budget, rarest
from evaluation.datasets import DataRefused, RetrievalData, read_dialogues
from evaluation.items import Item, ignored
from evaluation.judging import Judge
from evaluation.label_scores import MIN_WORDS, Kept, covered, judged, label_scores, paired
from evaluation.labels import Label, read_labels
from evaluation.layouts import set_name
from evaluation.measures import mean_interval
from evaluation.mem_score import METRIC as MEM_SCORE
from evaluation.progress import steps
from evaluation.question_files import read_noted
from evaluation.records import Figure, measured
from evaluation.rouge import words
from evaluation.sentence_model import MEASURING_EMBEDDER, MISSING, count_tokens, is_installed
from memory.reading import messages as reading
from memory.salience import Telling, chosen
from storage.records import Chat, Message, Revision, Role

LABEL, EVIDENCE, TURN = "label", "evidence turn", "turn"
"""Units that figures are of."""


@dataclass(frozen=True)
class ExtractionData:
    """Conversations, their gold labels, and the questions whose evidence is to be covered."""

    source: RetrievalData
    labels: tuple[Label, ...]

    @property
    def notices(self) -> tuple[str, ...]:
        kinds = Counter(label.kind for label in self.labels)
        counted = f"{len(self.labels):,} labels ({', '.join(f'{n:,} {kind}s' for kind, n in kinds.items())})"
        return (*self.source.notices, counted, *(() if is_installed() else (MISSING,)), notice())

    def first(self) -> ExtractionData:
        """Its first conversation alone, for a quick run."""
        source = self.source.first()
        return ExtractionData(source, tuple(label for label in self.labels if label.conversation_key == source.conversations[0].key))


def read_extraction(path: Path) -> ExtractionData:
    """Dialogues with notes: LoCoMo-style, or of `evaluation.noted`. Several files of one layout make one set. Raises DataRefused and ImportRefused."""
    if noted := read_noted(path):
        labels = tuple(label for _, found in noted for label in found)
        if not labels:
            raise DataRefused(file=path.name, where="", reason="it holds no notes to compare with")
        first = noted[0][0]
        return ExtractionData(
            replace(
                first,
                name=first.name if len(noted) == 1 else set_name(path),
                conversations=tuple(c for data, _ in noted for c in data.conversations),
                questions=tuple(q for data, _ in noted for q in data.questions),
                without_evidence=tuple(q for data, _ in noted for q in data.without_evidence),
            ),
            labels,
        )
    source = read_dialogues(path)
    return ExtractionData(source, read_labels(path, [c.key for c in source.conversations]))


@dataclass(frozen=True)
class System:
    """name; extract: memories of a conversation in its order; limit: what of them may be kept; choose: which."""

    name: str
    extract: Callable[[ImportedConversation], list[Kept]]
    limit: Budget | None
    choose: Callable[[Sequence[Kept], int, int], list[int]]


def facts_of(conversation: ImportedConversation) -> list[Kept]:
    """The facts of `memory.reading`: each message alone and as the answer to the one before it in its session; told in third person by replacing words alone."""
    first, second = conversation.speakers[:2]
    room = conversation.speakers[1:] if len(conversation.speakers) > 2 else ()
    chat = _chat(first, second, group=bool(room))
    kept: list[Kept] = []
    before: tuple[ImportedMessage, Message] | None = None
    for said in conversation.messages:
        message = _message(said, role=Role.USER if said.speaker == first else Role.CHARACTER, room=room)
        if before is not None and before[0].session != said.session:
            before = None
        listener, others = reading.listener_of(message, chat), reading.others_of(message, chat)
        opens = before is None or before[1].speaker == message.speaker
        drafts = [reading.alone(message, listener=listener, opens=opens, others=others)]
        if before is not None and reading.asks(before[1], message):
            drafts.append(reading.answering(message, before[1], listener=listener, others=others))
        for fact in (fact for draft in drafts for fact in draft.facts):
            kept.append(Kept(_renamed(fact.quote, said.speaker, listener), (said.external_id,), fact.event is not None, fact.worth))
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


def by_trust(kept: Sequence[Kept], count: int, budget: int) -> list[int]:
    """The likeliest, as many as fit."""
    chosen_: list[int] = []
    for i in sorted(range(len(kept)), key=lambda i: -kept[i].trust):
        size = len(kept[i].text.split())
        if len(chosen_) < count and size <= budget:
            chosen_.append(i)
            budget -= size
    return sorted(chosen_)


def by_salience(kept: Sequence[Kept], count: int, budget: int) -> list[int]:
    return chosen([Telling(k.text, k.turns[-1], k.dated, k.trust) for k in kept], count=count, words=budget)


def by_rarity(kept: Sequence[Kept], count: int, budget: int) -> list[int]:
    return rarest([k.text for k in kept], count=count, words=budget)


SYSTEMS = {
    s.name: s
    for s in (
        System("reader", facts_of, None, by_salience),
        *(System(f"reader-{b.name}", facts_of, b, by_salience) for b in BUDGETS),
        *(System(f"likeliest-{b.name}", facts_of, b, by_trust) for b in BUDGETS),
        System("sentences", sentences_of, None, by_rarity),
        *(System(f"sentences-idf-{b.name}", sentences_of, b, by_rarity) for b in BUDGETS),
    )
}


def evaluate(
    data: ExtractionData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored, judge: Judge | None = None
) -> Iterator[Figure]:
    """The figures of the named systems. judge: gives MemScore, with a BERTScore that picks the pairs. Raises KeyError for an unknown name."""
    wanted = [SYSTEMS[name] for name in systems]
    seconds: dict[str, float] = {}
    drafts: dict[tuple[str, str], list[Kept]] = {}
    for extract in dict.fromkeys(s.extract for s in wanted):
        started = time.perf_counter()
        for conversation in steps(data.source.conversations, extract.__name__):
            drafts[extract.__name__, conversation.key] = extract(conversation)
        seconds[extract.__name__] = time.perf_counter() - started
    for system in wanted:
        chosen_of = {c.key: _within(system, drafts[system.extract.__name__, c.key], len(c.messages)) for c in data.source.conversations}
        items = list(_items(data.source, data.labels, system, chosen_of, seconds=seconds[system.extract.__name__], judge=judge))
        for item in items:
            note(item)
        yield from figures_of(items, seed=seed)


def _within(system: System, kept: list[Kept], turns: int) -> list[Kept]:
    if system.limit is None:
        return kept
    return [kept[i] for i in system.choose(kept, int(system.limit.memories * turns), int(system.limit.words * turns))]


def _items(
    data: RetrievalData, labels: Sequence[Label], system: System, kept: dict[str, list[Kept]], *, seconds: float, judge: Judge | None
) -> Iterator[Item]:
    of = {c.key: [la for la in labels if la.conversation_key == c.key] for c in data.conversations}
    pairs = [p for c in data.conversations for p in paired(of[c.key], kept[c.key])]
    found = label_scores(pairs)
    if rated := [s for c in data.conversations for s in judged(of[c.key], kept[c.key], judge, language=data.language)]:
        found[MEM_SCORE] = rated
    turns = sum(len(c.messages) for c in data.conversations)
    memories = [k for own in kept.values() for k in own]
    tokens = count_tokens("\n".join(k.text for k in memories))
    spent = {"memories": float(len(memories)), "tokens": float(tokens), "seconds": seconds}
    bare = Item(task="extraction", dataset=data.name, system=system.name, unit=LABEL, item="", scores={}, costs=spent)
    for n, pair in enumerate(pairs):
        scores = {metric: values[n] for metric, values in found.items()}
        key = pair.label.conversation_key
        yield replace(bare, item=f"{key}:label{n}", categories=(pair.label.kind,), scores=scores, conversation=key)
    for c in data.conversations:
        evidence = [turn for q in data.questions if q.conversation_key == c.key for turn in q.evidence]
        for n, hit in enumerate(covered(evidence, kept[c.key])):
            yield replace(bare, unit=EVIDENCE, item=f"{c.key}:evidence{n}", scores={"coverage": float(hit)}, conversation=c.key)
    said = float(sum(len(k.text.split()) for k in memories))
    amounts = {"memories_per_turn": float(len(memories)), "words_per_turn": said, "tokens_per_turn": float(tokens)}
    yield replace(
        bare, unit=TURN, item="all", scores={name: amount / turns for name, amount in amounts.items()}, costs={**spent, "turns": turns}
    )


def figures_of(items: Sequence[Item], *, seed: int) -> Iterator[Figure]:
    """items: one system's, of one data set."""
    first = items[0]
    bare = Figure(
        task="extraction", dataset=first.dataset, system=first.system, metric="", value=0.0, memories=first.costs["memories"],
        tokens=first.costs["tokens"], seconds=first.costs["seconds"],
    )  # fmt: skip
    labels = [i for i in items if i.unit == LABEL]
    for kind in (None, *dict.fromkeys(i.categories[0] for i in labels)):
        inside = [i for i in labels if kind in (None, i.categories[0])]
        for metric in inside[0].scores if inside else ():
            embedder = MEASURING_EMBEDDER if metric == "cosine" else None
            figure = replace(bare, category=kind, unit=LABEL, metric=metric, embedder=embedder)
            yield measured(figure, mean_interval([i.scores[metric] for i in inside], seed=seed))
    coverage = [i.scores["coverage"] for i in items if i.unit == EVIDENCE]
    if coverage:
        yield measured(replace(bare, unit=EVIDENCE, metric="coverage"), mean_interval(coverage, seed=seed))
    for item in items:
        if item.unit == TURN:
            for metric, value in item.scores.items():
                yield replace(bare, unit=TURN, metric=metric, value=value, n=int(item.costs["turns"]))


def _chat(user: str, character: str, *, group: bool) -> Chat:
    epoch = datetime.fromtimestamp(0, UTC)
    return Chat("chat", "user", "character", character, "", "en", user, "branch", 0, 0, epoch, epoch, group)


def _message(said: ImportedMessage, *, role: Role, room: tuple[str, ...]) -> Message:
    """room: the characters of a group, all of whom are there where the file does not say who is."""
    revision = Revision(said.external_id, said.text, "", "import", "complete")
    present = room if said.present is None or not room else said.present
    return Message(said.external_id, None, said.line, said.line, role, said.speaker, said.said_at, revision, present=present)


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
