"""`python -m evaluation TASK --data PATH --out DIR [--systems a,b] [--seed N] [--quick]`; leaves metrics.json, run.json, report.md and what each question gave in DIR.

`all` runs every task on a folder of data sets (`evaluation.everything`); `compare A B` sets two runs against each other (`evaluation.comparing`);
`experiment NAME` is one of the papers' (`evaluation.experiments`);
`table RUN` makes a run's tables again from what it wrote of each question (`evaluation.recomputing`).
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. The same command goes on from what is kept.")

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from errors import KeepsakeError
from evaluation.seeds import seed
from evaluation.tasks import TASKS
from settings import quiet_libraries, read_settings

MEASURES = {
    "retrieval": "Measures whether what holds the answer is recalled.",
    "ablation": "Measures recall with parts of it left out, one after the other.",
    "abstention": "Measures whether it is known what memory cannot answer.",
    "extraction": "Measures what is remembered against what people noted down.",
    "forgetting": "Measures what is kept when no more than a part can be.",
    "insights": "Measures a character's readings of what it knows.",
    "learning": "Measures whether citations teach recall.",
    "efficiency": "Measures what remembering costs, in calls, tokens and seconds.",
    "qa": "Measures answers to questions, chosen or written.",
    "probes": "Measures whether what was told once is there many rounds later.",
    "capacity": "Measures how recall holds as more is remembered.",
    "roleplay": "Measures replies in role, rated by a judge.",
    "agreement": "Measures how far raters agree.",
}
"""What each task is for, in a sentence."""
ALL, COMPARE, TABLE, EXPERIMENT = "all", "compare", "table", "experiment"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 measured, 1 the data was refused or nothing could be read or written, 2 wrong usage, 130 or 143 stopped."""
    try:
        return _done(list(sys.argv[1:] if arguments is None else arguments))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"{place}{error.strerror or error}. What was measured before is kept; the same command goes on from there.", file=sys.stderr)
        return 1


def _done(given: list[str]) -> int:
    if given[:1] == [COMPARE]:
        quiet_libraries(read_settings())
        from evaluation.comparing import main as compare

        return compare(given[1:])
    if given[:1] == [EXPERIMENT]:
        quiet_libraries(read_settings())
        from evaluation.experiments import main as experiment

        return experiment(given[1:])
    if given[:1] == [TABLE]:
        quiet_libraries(read_settings())
        from evaluation.recomputing import main as tables

        return tables(given[1:])
    if given[:1] and given[0] in TASKS and {"-h", "--help"} & {*given}:
        quiet_libraries(read_settings())
        _parser_of(given[0]).print_help()
        return 0
    parser = argparse.ArgumentParser(
        prog="python -m evaluation",
        description="Measure the memory engine on a data set you have.",
        epilog=f"`{COMPARE} A B --out DIR` sets two runs against each other, question by question; `{TABLE} RUN` makes a run's tables again from its items; "
        f"`{EXPERIMENT} --help` names the papers' experiments; `TASK --help` what a task measures, its options and systems.",
    )
    parser.add_argument("task", choices=[*TASKS, ALL])
    parser.add_argument(
        "--data",
        type=Path,
        help="a LoCoMo-style file, or a folder of them; insights: a file of cases, by default our own; all: a folder of data sets",
    )
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--systems", default="", help="comma-separated; default: all")
    parser.add_argument("--seed", type=seed, default=0)
    parser.add_argument("--quick", action="store_true", help="the first conversation, or every eighth case, only; all: ten minutes")
    parser.add_argument(
        "--jobs", type=int, default=min(4, os.cpu_count() or 1), help="all: tasks at a time, some 1 GB each (default: %(default)s)"
    )
    options = parser.parse_args(given)
    if options.out.exists() and not options.out.is_dir():
        parser.error(f"{options.out} is no folder")
    if options.data is not None and not options.data.exists():
        parser.error(f"there is no {options.data}")
    quiet_libraries(read_settings())
    command = ["python", "-m", "evaluation", *given]
    if options.task == ALL:
        if options.data is None:
            parser.error("the following arguments are required: --data")
        if options.systems:
            parser.error("all measures the systems that each task has")
        from evaluation.everything import everything

        return everything(options.data, options.out, seed=options.seed, quick=options.quick, jobs=max(1, options.jobs), command=command)
    from evaluation.running import Wanted, measured

    task = TASKS[options.task]()
    path = options.data or task.own_data
    if path is None:
        parser.error("the following arguments are required: --data")
    systems = [name for name in options.systems.split(",") if name] or list(task.usual or task.systems)
    if unknown := [name for name in systems if name not in task.systems]:
        parser.error(f"no such system: {', '.join(unknown)}; there are {', '.join(task.systems)}")
    try:
        figures, _ = measured(Wanted(options.task, task, path, systems, options.seed, options.quick, command), options.out)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(figures)} figures in {options.out}; read {options.out / 'report.md'}")
    return 0


def _parser_of(name: str) -> argparse.ArgumentParser:
    """The usage of one task, with its systems. Raises PackageMissing where the task needs a package that was left out."""
    task = TASKS[name]()
    usual = ", ".join(task.usual or task.systems)
    parser = argparse.ArgumentParser(
        prog=f"python -m evaluation {name}",
        description=f"{MEASURES[name]} DIR then holds metrics.json, run.json, report.md, tables.md and what each question gave.",
        epilog=f"Systems: {', '.join(task.systems)}. Without --systems: {usual if task.usual else 'all of them'}. More: docs/evaluation.md.",
    )
    own = f"; without it {task.own_data.name}, our own" if task.own_data is not None else ""
    parser.add_argument(
        "--data", required=task.own_data is None, type=Path, metavar="PATH", help=f"a file or a folder, known by what it holds{own}"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="where the figures are written; the same command goes on there"
    )
    parser.add_argument("--systems", metavar="A,B", help="which to measure, with commas between them")
    parser.add_argument("--seed", type=seed, metavar="N", help="of everything drawn (default: 0)")
    parser.add_argument("--quick", action="store_true", help="a small part of the data, for a first look only")
    return parser


if __name__ == "__main__":
    sys.exit(main())
