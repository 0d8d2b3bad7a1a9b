"""What each part of recall is worth: the program's recall without it, less the whole, on every question set (docs/retrieval.md).

Both answer the same questions over the same memory, so the differences are paired. Beside the figures a run leaves `table.md`: parts as rows, sets as columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from chat.imported import ImportRefused
from evaluation.datasets import DataRefused, RetrievalData
from evaluation.question_files import read_retrieval, retrieval_files
from evaluation.records import Figure
from evaluation.retrieval import SYSTEMS, WHOLE, evaluate
from evaluation.tasks import Order
from memory.recipes import PARTS

K = 10
TABLE = "table.md"
METRIC = f"recall_fraction_minus_{WHOLE}"
ROWS = {
    **{f"without-{part}": part for part in PARTS},
    "sparse-turns": "words alone, nothing else",
    "dense-turns": "meaning alone, nothing else",
}
"""System → what its row is called."""


def systems_of(*, cross: bool) -> tuple[str, ...]:
    """cross: whether a cross-encoder is set; without one that part has nothing to say."""
    return (WHOLE, *(name for name in ROWS if name in SYSTEMS and (cross or name != "without-cross")))


def read_sets(path: Path, *, quick: bool) -> tuple[list[RetrievalData], tuple[Path, ...], tuple[str, ...]]:
    """(question sets, their files, notices) of a set or a folder of sets; what holds no questions is passed over and named. Raises
    DataRefused and ImportRefused."""
    folders = sorted(p for p in path.iterdir() if p.is_dir()) if path.is_dir() else []
    sets: list[RetrievalData] = []
    files: list[Path] = []
    passed: list[str] = []
    for place in folders or [path]:
        try:
            found = read_retrieval(place)
            files += retrieval_files(place)
        except (DataRefused, ImportRefused):
            if not folders:
                raise
            passed.append(place.name)
        else:
            sets += [data.first() if quick else data for data in found]
    if not sets:
        raise DataRefused(file=path.name, where="", reason="none of its folders holds a question set")
    notices = tuple(notice for data in sets for notice in data.notices)
    return sets, tuple(files), (*notices, *([f"no questions in: {', '.join(passed)}"] if passed else []))


def ablate(sets: Iterable[RetrievalData], order: Order) -> Iterator[Figure]:
    """The figures of the named systems and of the whole on every set. The table is written anew after each set, so that what was measured is there if the run is cut."""
    differences: list[Figure] = []
    for data in sets:
        for figure in evaluate(
            data, systems=list(dict.fromkeys([WHOLE, *order.systems])), seed=order.seed, note=order.note, shelf=order.shelf
        ):
            if figure.metric == METRIC and figure.k == K and figure.category is None:
                differences.append(figure)
            yield figure
        order.folder.mkdir(parents=True, exist_ok=True)
        (order.folder / TABLE).write_text(table(differences), encoding="utf-8")


def table(differences: Sequence[Figure]) -> str:
    """Markdown; bold where the 95 % interval lies on one side of nothing."""
    sets = {f.dataset: f.n for f in differences}
    found = {(f.system, f.dataset): f for f in differences}
    rows = [["without", *(f"{name} ({n})" for name, n in sets.items())], ["---"] * (len(sets) + 1)]
    for system, called in ROWS.items():
        if any((system, name) in found for name in sets):
            rows.append([called, *(_cell(found.get((system, name))) for name in sets)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def _cell(figure: Figure | None) -> str:
    if figure is None or figure.ci_low is None or figure.ci_high is None:
        return ""
    value = _signed(figure.value)
    shown = f"**{value}**" if figure.ci_low > 0 or figure.ci_high < 0 else value
    return f"{shown} [{_signed(figure.ci_low)}, {_signed(figure.ci_high)}]" if figure.ci_low or figure.ci_high else shown


def _signed(value: float) -> str:
    """Three digits; nothing is 0 without a sign."""
    rounded = round(value, 3)
    return "0" if rounded == 0 else f"{rounded:+.3f}".replace("0.", ".", 1).replace("-", "−")
