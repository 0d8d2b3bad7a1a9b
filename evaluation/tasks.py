"""What can be measured: each task with the systems it compares and how it reads its data. A task is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # libraries are imported once they have been told to be quiet
    from evaluation.items import Item
    from evaluation.receipts import Shelf
    from evaluation.records import Figure


@dataclass(frozen=True)
class Order:
    """What one run is to measure. folder: where its figures will lie; a task may keep there what a second run can use again.

    note: takes what a single question gave. shelf: where a task may keep what it has of each conversation, and find it when the run goes on.
    """

    systems: Sequence[str]
    seed: int
    folder: Path
    note: Callable[[Item], None]
    shelf: Shelf


@dataclass(frozen=True)
class Subject:
    """Data as a task has read it."""

    files: tuple[Path, ...]
    notices: tuple[str, ...]
    evaluate: Callable[[Order], Iterable[Figure]]


@dataclass(frozen=True)
class Task:
    systems: tuple[str, ...]
    read: Callable[[Path, bool], Subject]
    """(data, whether a small part of it will do). Raises KeepsakeError."""
    own_data: Path | None = None
    """What is measured on where no data is named; None where it must be."""
    usual: tuple[str, ...] = ()
    """The systems measured where none are named, if not all."""


def _of_questions(evaluate: Callable[..., Iterable[Figure]], systems: Iterable[str], *, usual: tuple[str, ...] = ()) -> Task:
    """Over the data sets of questions that a path holds. evaluate: the figures of one of them."""
    from evaluation.question_files import read_retrieval, retrieval_files

    def read(path: Path, quick: bool) -> Subject:
        sets = [data.first() if quick else data for data in read_retrieval(path)]

        def measure(order: Order) -> Iterable[Figure]:
            for data in sets:
                yield from evaluate(data, systems=order.systems, seed=order.seed, note=order.note)

        return Subject(retrieval_files(path), tuple(notice for data in sets for notice in data.notices), measure)

    return Task(tuple(systems), read, usual=usual)


def _retrieval() -> Task:
    from evaluation.question_files import read_retrieval, retrieval_files
    from evaluation.retrieval import SYSTEMS, evaluate

    def read(path: Path, quick: bool) -> Subject:
        sets = [data.first() if quick else data for data in read_retrieval(path)]

        def measure(order: Order) -> Iterable[Figure]:
            for data in sets:
                yield from evaluate(data, systems=order.systems, seed=order.seed, note=order.note, shelf=order.shelf)

        return Subject(retrieval_files(path), tuple(notice for data in sets for notice in data.notices), measure)

    return Task(tuple(SYSTEMS), read, usual=tuple(name for name in SYSTEMS if not name.startswith("without-")))


def _ablation() -> Task:
    from evaluation.ablation import ablate, read_sets, systems_of
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        sets, files, notices = read_sets(path, quick=quick)
        return Subject(files, notices, lambda order: ablate(sets, order))

    return Task(systems_of(cross=bool(Settings().cross_encoder)), read)


def _abstention() -> Task:
    from evaluation.abstention import SYSTEMS, evaluate

    return _of_questions(evaluate, SYSTEMS)


def _forgetting() -> Task:
    from evaluation.datasets import data_files, read_locomo
    from evaluation.forgetting import SYSTEMS, evaluate

    def read(path: Path, quick: bool) -> Subject:
        data = read_locomo(path).first() if quick else read_locomo(path)
        return Subject(
            data_files(path),
            data.notices,
            lambda order: evaluate(data, systems=order.systems, seed=order.seed, folder=order.folder, note=order.note),
        )

    return Task(tuple(SYSTEMS), read)


def _insights() -> Task:
    from chat.model_choice import chosen_judge
    from evaluation.asking import KeptModel
    from evaluation.insight_cases import BUILT_IN_CASES, read_cases
    from evaluation.insights import evaluate, notices_of, systems_of
    from evaluation.judging import Judge
    from settings import Settings

    settings = Settings()

    def read(path: Path, quick: bool) -> Subject:
        cases = read_cases(path)[:: 8 if quick else 1]
        model, name = chosen_judge(settings)
        judge = Judge(KeptModel(model)) if model is not None else None
        notices = notices_of(cases, judge=name)
        return Subject((path,), notices, lambda order: evaluate(path.stem, cases, systems=order.systems, seed=order.seed, judge=judge))

    return Task(systems_of(settings), read, BUILT_IN_CASES)


def _extraction() -> Task:
    from evaluation import mem_score
    from evaluation.extraction import SYSTEMS, evaluate, read_extraction
    from evaluation.judging import judge_of
    from evaluation.question_files import retrieval_files
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        data = read_extraction(path).first() if quick else read_extraction(path)
        judge = judge_of(Settings())
        said = (*data.notices, mem_score.notice(judge))
        return Subject(
            retrieval_files(path), said, lambda order: evaluate(data, systems=order.systems, seed=order.seed, note=order.note, judge=judge)
        )

    return Task(tuple(SYSTEMS), read)


def _learning() -> Task:
    from evaluation.datasets import data_files, read_locomo
    from evaluation.learning import SYSTEMS, evaluate

    def read(path: Path, quick: bool) -> Subject:
        data = read_locomo(path).first() if quick else read_locomo(path)
        return Subject(
            data_files(path), data.notices, lambda order: evaluate(data, systems=order.systems, seed=order.seed, note=order.note)
        )

    return Task(tuple(SYSTEMS), read)


def _efficiency() -> Task:
    from evaluation.datasets import data_files, read_locomo, read_talks
    from evaluation.efficiency import LENGTHS, SYSTEMS, evaluate, notices
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        # A file may be any chat; a folder of data sets is measured on where it has questions, so that `all` takes what it always took.
        data = (read_talks(path, [path]) if path.is_file() else read_locomo(path)).first()
        lengths = LENGTHS[:1] if quick else LENGTHS
        return Subject(
            data_files(path),
            (*data.notices, *notices(Settings())),
            lambda order: evaluate(data, systems=order.systems, seed=order.seed, lengths=lengths, note=order.note),
        )

    return Task(SYSTEMS, read)


def _capacity() -> Task:
    from evaluation.capacity import SYSTEMS, TIMES, USUAL, evaluate
    from evaluation.datasets import data_files, read_locomo

    def read(path: Path, quick: bool) -> Subject:
        data = read_locomo(path)
        times = TIMES[:2] if quick else TIMES
        return Subject(
            data_files(path),
            data.notices,
            lambda order: evaluate(data, systems=order.systems, seed=order.seed, times=times, note=order.note, shelf=order.shelf),
        )

    return Task(SYSTEMS, read, usual=USUAL)


def _qa() -> Task:
    from evaluation import answers
    from evaluation.asking import kept_model
    from evaluation.judging import judge_of
    from evaluation.noting import SOURCES
    from evaluation.qa import SYSTEMS, choosable, evaluate, notices, usual
    from evaluation.question_files import read_questions, retrieval_files
    from models.build import build_memory_model
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        sets = [data.first() if quick else data for data in read_questions(path)]
        judge = judge_of(Settings())
        said = (*(notice for data in sets for notice in data.notices), *notices(sets, Settings(), judge))

        def measure(order: Order) -> Iterable[Figure]:
            model = kept_model(build_memory_model(Settings()))
            sources = [name for name in order.systems if name in SOURCES]
            for data in sets:
                if choosable(data):
                    yield from evaluate(data, systems=order.systems, seed=order.seed, note=order.note, receipts=order.shelf.sink)
                if model is not None and sources and answers.answerable(data):
                    yield from answers.evaluate(
                        data, systems=sources, seed=order.seed, note=order.note, model=model, judge=judge, receipts=order.shelf.sink
                    )

        return Subject(retrieval_files(path), said, measure)

    return Task(SYSTEMS, read, usual=usual(Settings()))


def _roleplay() -> Task:
    from evaluation.insight_cases import BUILT_IN_CASES
    from evaluation.judging import judge_of
    from evaluation.role_cases import read_role_cases
    from evaluation.roleplay import SYSTEMS, evaluate, notices
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        every, files = read_role_cases(path)
        cases = every[:: 8 if quick else 1]
        judge = judge_of(Settings())
        return Subject(
            files,
            notices(cases, Settings(), judge),
            lambda order: evaluate(path.stem, cases, systems=order.systems, seed=order.seed, note=order.note, judge=judge),
        )

    return Task(SYSTEMS, read, BUILT_IN_CASES)


def _probes() -> Task:
    from evaluation import probes
    from evaluation.judging import judge_of
    from settings import Settings

    def read(path: Path, quick: bool) -> Subject:
        found, files = probes.read_probed(path, distances=probes.DISTANCES[:1] if quick else probes.DISTANCES)
        judge = judge_of(Settings())
        return Subject(files, probes.notices(found, Settings(), judge), lambda order: probes.evaluate(found, order, judge=judge))

    return Task(probes.systems_of(Settings()), read, usual=probes.usual(Settings()))


def _agreement() -> Task:
    from evaluation.rating_agreement import evaluate, raters_of, read_ratings

    def read(path: Path, quick: bool) -> Subject:
        ratings = read_ratings(path)
        said = f"{len(ratings):,} ratings by {', '.join(raters_of(ratings))}"
        return Subject((path,), (said,), lambda order: evaluate(path.stem, ratings, seed=order.seed))

    return Task(("every pair of raters",), read)


TASKS: dict[str, Callable[[], Task]] = {
    "retrieval": _retrieval,
    "ablation": _ablation,
    "abstention": _abstention,
    "extraction": _extraction,
    "forgetting": _forgetting,
    "insights": _insights,
    "learning": _learning,
    "efficiency": _efficiency,
    "qa": _qa,
    "probes": _probes,
    "capacity": _capacity,
    "roleplay": _roleplay,
    "agreement": _agreement,
}
