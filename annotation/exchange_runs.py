"""What a project's probe runs came to, as a table: a row for each figure, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.probe_figures import CUTS, accuracies, recalls, scores
from annotation.probe_settings import NOTHING, called, told
from evaluation.measures import Interval
from storage.annotation_probe_dumps import RunDump
from storage.annotation_run_rows import NO_MEMORY, REGULAR, WHOLE, Run

HEAD = (
    "run", "kind", "dialogue", "title", "state", "setting", "differs", "memories_kept", "tokens_kept", "k", "distance",
    "figure", "value", "low", "high", "n", "left_out", "trouble", "how",
)  # fmt: skip
Row = Sequence[object]


def rows(runs: Sequence[RunDump], numbers: dict[str, int]) -> Iterator[Row]:
    """numbers: of the dialogues, by id. distance: in rounds, or `whole`; empty without memory. Figures of a run that was not asked for whole are of what it has."""
    for one in runs:
        run = one.run
        for recalled in recalls(run, one.results):
            yield _row(run, numbers, recalled.setting, recalled.distance, f"recall@{recalled.k}", recalled.interval)
            if recalled.k == CUTS[-1] and recalled.near is not None:
                yield _row(run, numbers, recalled.setting, recalled.distance, "nearness", None, value=recalled.near, n=recalled.interval.n)
        for scored in scores(run, one.replies):
            yield _row(
                run, numbers, scored.setting, scored.distance, "judged", scored.mean,
                left_out=sum(scored.unjudged.values()), trouble=_counts(dict(scored.unjudged)),
            )  # fmt: skip
        for chosen in accuracies(run, one.choices):
            trouble = _counts(dict(chosen.trouble))
            yield _row(run, numbers, chosen.setting, chosen.distance, "right", chosen.accuracy, left_out=chosen.left_out, trouble=trouble)
            if chosen.recalled is not None:
                yield _row(run, numbers, chosen.setting, chosen.distance, "recalled@9", chosen.recalled, left_out=chosen.left_out)


def _row(
    run: Run,
    numbers: dict[str, int],
    setting: int,
    distance: int,
    figure: str,
    interval: Interval | None,
    *,
    value: float | None = None,
    n: int = 0,
    left_out: int = 0,
    trouble: str = "",
) -> Row:
    kept: Row = (
        ("", "", "", "", "")
        if setting == NO_MEMORY
        else (
            called(one := run.settings[setting]),
            told(one),
            *(("", "") if one.forgetting == NOTHING else (one.capacity, one.capacity_tokens)),
            one.k,
        )
    )
    far = "" if setting == NO_MEMORY else "whole" if run.kind == REGULAR and distance == WHOLE else distance
    figures: Row = (
        (interval.value, interval.low, interval.high, interval.n) if interval is not None else ("" if value is None else value, "", "", n)
    )
    how = " ".join(f"{name}={model}" for name, model in sorted(run.how.items()) if model)
    return (run.id, run.kind, numbers[run.item_id], run.title, run.state, *kept, far, figure, *figures, left_out, trouble, how)


def _counts(trouble: dict[str, int]) -> str:
    return " ".join(f"{why}={n}" for why, n in sorted(trouble.items()))
