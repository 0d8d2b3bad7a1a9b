"""`python -m evaluation experiment NAME --data DIR --out OUT [--seed N] [--quick]`: the papers' experiments as named recipes.

A recipe is data: what it asks, where that was asked first, and its steps, each a measure with its values. Each step leaves its figures in OUT/NAME/STEP as if it had been
run alone; what is there already of the same data, code, settings and seed is not measured again, so a run that was cut goes on where it was. OUT itself holds one report
over all steps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from chat.imported import ImportRefused
from errors import KeepsakeError
from evaluation.datasets import DataRefused
from evaluation.figure_files import read_figures
from evaluation.plots import write_plots
from evaluation.records import Figure, describe_run, write_run
from evaluation.running import Wanted, already, measured
from evaluation.seeds import seed

Values = Mapping[str, int | str | None]


@dataclass(frozen=True)
class Experiment:
    """asks: its question; after: paper and place; data: what it suits; measure: of `evaluation.experiment_tasks.MEASURES`; quick: steps of a quick run, all if none."""

    asks: str
    after: str
    data: str
    measure: str
    steps: Mapping[str, Values]
    quick: tuple[str, ...] = ()
    names: tuple[str, ...] = field(default=())
    """Systems that are compared, all of the measure's if none."""


_LOCOMO = "conversations with evidence (LoCoMo, LongMemEval, MSC with probes)"
EXPERIMENTS: Mapping[str, Experiment] = {
    "forgetting-alpha-beta": Experiment(
        "How much should age weigh against recall in what is forgotten?",
        "MOOM App. D, Fig. 6",
        _LOCOMO,
        "forgetting-sweep",
        {"turns": {"parameter": "alpha:beta", "unit": "turn"}, "facts": {"parameter": "alpha:beta", "unit": "fact"}},
        quick=("turns",),
    ),
    "forgetting-gamma": Experiment(
        "How fast should age tell?",
        "MOOM App. D, Fig. 6",
        _LOCOMO,
        "forgetting-sweep",
        {"turns": {"parameter": "gamma", "unit": "turn"}, "facts": {"parameter": "gamma", "unit": "fact"}},
        quick=("turns",),
    ),
    "forgetting-k": Experiment(
        "How many recalled memories should be reinforced, and as many inhibited?",
        "MOOM App. D, Fig. 6",
        _LOCOMO,
        "forgetting-sweep",
        {"turns": {"parameter": "k", "unit": "turn"}, "facts": {"parameter": "k", "unit": "fact"}},
        quick=("turns",),
    ),
    "persona-merge": Experiment(
        "What do rules, embeddings and a model each add to the sketch of the player?",
        "MOOM App. F, Table 4",
        "conversations with notes by person (LoCoMo observations and events)",
        "persona-merge",
        {"unlimited": {"items": None}, "50 items": {"items": 50}},
    ),
    "k-m": Experiment(
        "How many memories should be called up, and how many shown?",
        "RMM 8.7, Table 6",
        _LOCOMO,
        "reranking",
        {"5 of 20": {"pool": 20, "shown": 5}, "10 of 50": {"pool": 50, "shown": 10}},
    ),
    "granularity": Experiment(
        "Turn, session, both or topic: what should a memory hold?", "RMM 8.5, Fig. 4", _LOCOMO, "granularity", {"all sizes": {}}
    ),
    "key-expansion": Experiment(
        "Facts beside a turn's key, merged into it, or not at all: what finds the turn?",
        "LongMemEval 5.3, Table 3",
        _LOCOMO,
        "key-expansion",
        {"all keys": {}},
    ),
    "history-length": Experiment(
        "What is lost as the history grows from 32k to 256k tokens?",
        "DualMem 6, Fig. 3",
        _LOCOMO,
        "size",
        {
            name: {"tokens": tokens, "most": None}
            for name, tokens in (("32k", 32_000), ("64k", 64_000), ("128k", 128_000), ("256k", 256_000))
        },
        quick=("32k",),
    ),
    "membench-participation": Experiment(
        "MemBench where the person talks with an assistant, at 10k and 100k tokens",
        "MemBench 4.1",
        "MemBench, participation (FirstAgent)",
        "size",
        {"10k": {"tokens": 10_000, "most": 60}, "100k": {"tokens": 100_000, "most": 30}},
        quick=("10k",),
    ),
    "membench-observation": Experiment(
        "MemBench where messages are only observed, at 1k, 10k and 100k tokens",
        "MemBench 4.1",
        "MemBench, observation (ThirdAgent)",
        "size",
        {"1k": {"tokens": 1_000, "most": 60}, "10k": {"tokens": 10_000, "most": 60}, "100k": {"tokens": 100_000, "most": 30}},
        quick=("1k", "10k"),
    ),
    "engine-ablation": Experiment(
        "Which branch knows what: story alone, persona alone, without insights, without facts?",
        "MOOM 5.6, Table 2; DualMem 6, Table 3",
        "LoCoMo (evidence, notes) or MemBench (options)",
        "engine-ablation",
        {"all parts": {}},
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 measured, 1 the data was refused or a step failed (the others are measured all the same), 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation experiment",
        description="A named experiment of the papers, on a data set you have.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:24}{e.asks} ({e.after})" for name, e in EXPERIMENTS.items()),
    )
    parser.add_argument("name", choices=EXPERIMENTS)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--seed", type=seed, default=0)
    parser.add_argument("--quick", action="store_true", help="fewer steps, on the first conversation (sizes: the first four)")
    options = parser.parse_args(list(arguments))
    if not options.data.exists():
        parser.error(f"there is no {options.data}")
    command = ["python", "-m", "evaluation", "experiment", *arguments]
    return conducted(options.name, options.data, options.out, seed=options.seed, quick=options.quick, command=command)


def conducted(name: str, path: Path, out: Path, *, seed: int, quick: bool, command: Sequence[str]) -> int:
    """Every step of a recipe, and one report over them. Exit status as `main`."""
    from evaluation.experiment_tasks import MEASURES

    experiment = EXPERIMENTS[name]
    figures: list[Figure] = []
    notices: list[str] = [f"{experiment.asks} ({experiment.after})"]
    failed = False
    files: tuple[Path, ...] = ()
    for step, values in experiment.steps.items():
        if quick and experiment.quick and step not in experiment.quick:
            notices.append(f"{step}: not in a quick run")
            continue
        task = MEASURES[experiment.measure](values, name)
        wanted = Wanted(f"{name}/{step}", task, path, experiment.names or task.systems, seed, quick, command)
        folder = out / name / step.replace(" ", "-")
        try:
            subject = task.read(path, quick)
            files = files or subject.files
            if already(wanted, folder):
                notices.append(f"{step}: as measured before, by the same code on the same data")
                found = read_figures(folder)
            else:
                found, _ = measured(wanted, folder)
            notices += [f"{step}: {notice}" for notice in subject.notices]
            figures += [replace(figure, category=step if figure.category is None else f"{step}: {figure.category}") for figure in found]
        except (DataRefused, ImportRefused) as error:
            notices.append(f"{step}: left out: {error.params.get('reason', error)}")
            print(f"{step}: {error}", file=sys.stderr)
        except KeepsakeError as error:
            failed = True
            notices.append(f"{step} failed: {error}")
            print(f"{step}: {error}", file=sys.stderr)
    if not figures:
        return 1
    settings = {"experiment": name, "steps": {step: dict(values) for step, values in experiment.steps.items()}}
    run = describe_run(command=command, seed=seed, quick=quick, settings=settings, data=files, notices=notices)
    write_run(out, figures, run, plots=write_plots(out, [asdict(figure) for figure in figures]))
    print(f"{len(figures)} figures in {out}; read {out / 'report.md'}")
    return 1 if failed else 0
