"""`python -m evaluation TASK --data PATH --out DIR [--systems a,b] [--seed N] [--quick]`; leaves metrics.json, run.json and report.md in DIR."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from errors import KeepsakeError
from evaluation.tasks import TASKS, Order
from settings import Settings, quiet_libraries


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 measured, 1 the data was refused, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description="Measure the memory engine on a data set you have.")
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--data", type=Path, help="a LoCoMo-style file, or a folder of them; insights: a file of cases, by default our own")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--systems", default="", help="comma-separated; default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="the first conversation, or every eighth case, only")
    options = parser.parse_args(arguments)
    quiet_libraries(Settings())

    from evaluation.records import describe_run, write_run

    task = TASKS[options.task]()
    path = options.data or task.own_data
    if path is None:
        parser.error("the following arguments are required: --data")
    systems = [name for name in options.systems.split(",") if name] or list(task.usual or task.systems)
    if unknown := [name for name in systems if name not in task.systems]:
        parser.error(f"no such system: {', '.join(unknown)}; there are {', '.join(task.systems)}")
    try:
        subject = task.read(path, options.quick)
        run = describe_run(
            command=["python", "-m", "evaluation", *(arguments if arguments is not None else sys.argv[1:])],
            seed=options.seed,
            quick=options.quick,
            settings={"systems": systems},
            data=subject.files,
            notices=subject.notices,
        )
        figures = list(subject.evaluate(Order(systems, options.seed, options.out)))
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    write_run(options.out, figures, run)
    print(f"{len(figures)} figures in {options.out}; read {options.out / 'report.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
