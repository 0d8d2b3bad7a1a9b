"""Probes: is what was told once, early, still there many rounds later? (MOOM 5.3, App. H, Table 6)

Each item of the table (`evaluation.probe_table`) is told by the player, one a round from the first round on; what was really said goes on behind them. So many
rounds after the last one all are asked. Found is an item whose own message is among what a memory gives, at 1, 3 and 9 places; how near what is given comes to the
answer stands beside it. Where a memory model is set it answers from that alone, and a judge, where one is set, gives the answer 0 to 5 against the table's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from chat.assembly import open_memory
from chat.imported import ImportedConversation, ImportedMessage, ImportRefused
from evaluation.answer_receipts import receipt_of
from evaluation.answers import UNANSWERED, UNJUDGED, answered
from evaluation.asking import each, kept_model
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion, read_talks, talk_files
from evaluation.items import Item
from evaluation.judging import NO_JUDGE, Judge
from evaluation.layouts import spoken_language
from evaluation.measures import mean_interval, proportion_interval
from evaluation.noting import ENGINE, NONE, SOURCES, SPARED, Note, Notes
from evaluation.probe_judging import ReplyRating, instruction, material
from evaluation.probe_table import BESIDE, TABLE, TableItem, read_table
from evaluation.progress import steps
from evaluation.prompt_parts import GIVEN
from evaluation.question_files import read_questions, retrieval_files
from evaluation.receipts import Answered, Part, Receipt
from evaluation.records import Figure, measured
from evaluation.talks import rounds_of
from evaluation.tasks import Order
from models.build import build_memory_model
from models.embedder import Embedder
from models.structured import StructuredModel
from settings import Settings

TASK, PROBE, JUDGED = "probes", "probe", "judged_0_to_5"
DISTANCES = (30, 100, 300)
"""Rounds behind the last item that was told."""
CUTS = (1, 3, GIVEN)
RANKED = (ENGINE, "dense-rounds", "recent-window", "fifo", "ebbinghaus")
"""Systems that say which messages they give, and give few."""
_STEP = timedelta(seconds=1)


@dataclass(frozen=True)
class Probed:
    """A conversation with the items told in it, cut so many rounds behind the last."""

    dataset: str
    language: str
    distance: int
    conversation: ImportedConversation
    questions: tuple[RetrievalQuestion, ...]


def usual(settings: Settings) -> tuple[str, ...]:
    return (ENGINE, "dense-rounds", "recent-window", *((NONE,) if settings.memory_model else ()))


def systems_of(settings: Settings) -> tuple[str, ...]:
    """Without a memory model those that say what they give."""
    return SOURCES if settings.memory_model else RANKED


def read_probed(path: Path, *, distances: Sequence[int]) -> tuple[list[Probed], tuple[Path, ...]]:
    """(the first conversation of each data set, at each distance that it is long enough for; files). Raises DataRefused and ImportRefused."""
    sets, files = _talks(path)
    table = path / BESIDE if path.is_dir() and (path / BESIDE).is_file() else TABLE
    items = read_table(table)
    found: list[Probed] = []
    longest = 0
    for data in sets:
        lengths = {c.key: len(rounds_of(c)) for c in data.conversations}
        longest = max([longest, *lengths.values()])
        fit = next((c for c in data.conversations if lengths[c.key] > min(distances)), None)
        if fit is None:
            continue
        language = spoken_language("".join(m.text for m in fit.messages[:40]))
        own = [item for item in items if item.language == language]
        if own:
            found += [
                probed(fit, own, distance=distance, dataset=data.name, language=language)
                for distance in distances
                if lengths[fit.key] > distance
            ]
    if not found:
        reason = f"an item of the table has to be told {min(distances)} rounds before it is asked for, and the longest conversation has {longest}"
        if longest > min(distances):
            reason = f"{table.name} has no item in the language of its conversations"
        raise DataRefused(file=path.name, where="", reason=reason)
    return found, (*files, table)


def _talks(path: Path) -> tuple[list[RetrievalData], tuple[Path, ...]]:
    """Question sets, and chats alone in any layout of the import: what is asked is in the table."""
    try:
        return read_questions(path), retrieval_files(path)
    except (DataRefused, ImportRefused) as refused:
        files = talk_files(path, but=BESIDE)
        try:
            return [read_talks(path, files)], files
        except (DataRefused, ImportRefused):
            raise refused from None


def probed(conversation: ImportedConversation, items: Sequence[TableItem], *, distance: int, dataset: str, language: str) -> Probed:
    """The conversation cut `distance` whole rounds behind the last item; several are told in one round where there is no room for one each."""
    rounds = rounds_of(conversation)
    room = min(len(items), len(rounds) - distance)
    player = conversation.speakers[0]
    said: list[ImportedMessage] = []
    for place, messages in enumerate(rounds[: room + distance]):
        for number in [n for n in range(len(items)) if n * room // len(items) == place]:
            at = max(messages[0].said_at - _STEP, said[-1].said_at if said else messages[0].said_at - _STEP)
            told = ImportedMessage(_id(items[number]), player, items[number].told, at, messages[0].session, len(said) + 1)
            said.append(told)
        said += [replace(message, line=len(said) + n) for n, message in enumerate(messages, start=1)]
    cut = replace(conversation, messages=tuple(said))
    questions = tuple(
        RetrievalQuestion(f"{item.topic}, {distance} rounds", conversation.key, item.question, PROBE, (_id(item),), answer=item.answer)
        for item in items
    )
    return Probed(dataset, language, distance, cut, questions)


def _id(item: TableItem) -> str:
    return f"probe:{item.topic}"


def notices(found: Sequence[Probed], settings: Settings, judge: Judge | None) -> tuple[str, ...]:
    said = [
        f"{one.dataset}: {len(one.questions)} items ({one.language}), {one.distance} rounds behind the last, {len(one.conversation.messages):,} messages"
        for one in found
    ]
    if not settings.memory_model:
        return (*said, "no answers: no memory model is set (KEEPSAKE_MEMORY_MODEL) to write them; what is found is measured alone")
    return (*said, f"answered by {settings.memory_model}", f"judged by {judge.name}" if judge else NO_JUDGE)


def evaluate(found: Sequence[Probed], order: Order, *, judge: Judge | None) -> Iterator[Figure]:
    """The figures of the named systems. Nothing is by chance but the intervals. Raises DataRefused where one needs a model and none is set."""
    model = kept_model(build_memory_model(Settings()))
    if model is None and (needing := [name for name in order.systems if name not in RANKED]):
        raise DataRefused(file=TASK, where=needing[0], reason="it needs a memory model (KEEPSAKE_MEMORY_MODEL)")
    for dataset in dict.fromkeys(one.dataset for one in found):
        items: list[Item] = []
        for one in steps([p for p in found if p.dataset == dataset], "Distances"):
            for name in steps(order.systems, f"{one.distance} rounds"):
                kept = order.shelf.inside(f"{dataset}\0{one.distance}").found(name)
                if kept is None:
                    kept = _part(one, name, model, judge)
                    order.shelf.inside(f"{dataset}\0{one.distance}").keep(name, kept)
                items += kept.items
        for item in items:
            order.note(item)
        yield from figures_of(items, seed=order.seed)


def _part(one: Probed, name: str, model: StructuredModel | None, judge: Judge | None) -> Part:
    items: list[Item] = []
    receipts: list[Receipt] = []
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
        try:
            notes = Notes(memory, one.conversation, model=model, language=one.language)
            room = model.prompt_tokens - SPARED if model is not None else None
            given = notes.of(name, one.questions, room=room)
            asked = list(zip(one.questions, given, strict=True))
            answers = each(asked, partial(_answer, one, model, judge), name) if model is not None else [None] * len(asked)
            for (question, shown), answer in zip(asked, answers, strict=True):
                scores = _found(question, shown, memory.embedder, ranked=name in RANKED)
                if answer is not None:
                    scores[UNANSWERED] = float(answer.answer is None)
                    if judge is not None and answer.answer is not None:
                        scores[UNJUDGED] = float(answer.verdict is None)
                    if answer.verdict is not None:
                        scores[JUDGED] = answer.verdict
                items.append(
                    Item(
                        task=TASK,
                        dataset=one.dataset,
                        system=name,
                        unit=PROBE,
                        item=question.id,
                        categories=(f"{one.distance} rounds later",),
                        scores=scores,
                        conversation=one.conversation.key,
                        embedder=memory.embedder.fingerprint,
                        model=model.name if model is not None else "",
                    )
                )
                said = answer if answer is not None else Answered(answer=None, expected=question.answer)
                receipts.append(receipt_of(question, one.conversation, shown, said, dataset=one.dataset, system=name))
        finally:
            memory.close()
    return Part(items, receipts)


def _found(question: RetrievalQuestion, notes: Sequence[Note], embedder: Embedder, *, ranked: bool) -> dict[str, float]:
    scores: dict[str, float] = {}
    if ranked:
        (told,) = question.evidence
        scores |= {f"found@{k}": float(any(told in note.turns for note in notes[:k])) for k in CUTS}
    if notes:
        texts = [note.text for note in notes[:GIVEN]]
        scores["nearness"] = float((embedder.passages(texts) @ embedder.passages([question.answer])[0]).max())
    return scores


def _answer(one: Probed, model: StructuredModel, judge: Judge | None, asked: tuple[RetrievalQuestion, Sequence[Note]]) -> Answered:
    question, notes = asked
    answer = answered(question, one.conversation, notes, model, language=one.language)
    if answer is None:
        return Answered(answer=None, expected=question.answer)
    rating = None
    if judge is not None:
        shown = material(question=question.text, answer=question.answer, reply=answer.answer)
        rating = judge.rated(instruction(one.language), shown, ReplyRating)
    cited = tuple(dict.fromkeys(answer.notes))
    return Answered(
        answer=answer.answer, expected=question.answer, cited=cited, verdict=float(rating.score) if rating is not None else None
    )


def figures_of(items: Sequence[Item], *, seed: int) -> Iterator[Figure]:
    """items: of one data set."""
    for name in dict.fromkeys(i.system for i in items):
        own = [i for i in items if i.system == name]
        for category in (None, *dict.fromkeys(kind for i in own for kind in i.categories)):
            inside = [i for i in own if category is None or category in i.categories]
            for metric in dict.fromkeys(m for i in inside for m in i.scores):
                values = [i.scores[metric] for i in inside if metric in i.scores]
                label, _, k = metric.partition("@")
                bare = Figure(
                    task=TASK, dataset=own[0].dataset, system=name, category=category, unit=PROBE, metric=label, k=int(k) if k else None,
                    value=0.0, embedder=own[0].embedder, model=own[0].model or None,
                )  # fmt: skip
                interval = proportion_interval(int(sum(values)), len(values)) if k else mean_interval(values, seed=seed)
                yield measured(bare, interval)
