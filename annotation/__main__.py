"""`python -m annotation probes --data FILE --out DIR`: the universal table asked of a dialogue from the command line, as a run on the workbench's page asks it.

DIR/house is a data folder of its own, with a project in it; the same command again goes on where it was stopped or killed, and a finished run is only told again.
The figures stand in DIR as every measuring command leaves them (`evaluation.records`).
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. What was found is kept; the same command goes on from there.")

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from errors import KeepsakeError
from settings import quiet_libraries, read_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 measured, 1 refused or failed (what was found is kept), 2 wrong usage, 130 or 143 stopped."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="python -m annotation", description="Ask the probes of the universal table of a dialogue.")
    parser.add_argument("task", choices=["probes"])
    parser.add_argument("--data", required=True, type=Path, help="a file of dialogues, in any layout that a project takes")
    parser.add_argument(
        "--dialogue", metavar="KEY", default="", help="which one, by the beginning of its name, where the file holds several"
    )
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--distances", default="30,150,300", help="rounds behind the telling, comma-separated (default: %(default)s)")
    parser.add_argument(
        "--capacity", help="memories kept: a setting for each, comma-separated (default: 300,60, where no --setting is given)"
    )
    parser.add_argument("--k", type=int, default=9, help="memories recalled for a question (default: %(default)s)")
    parser.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="SETTING",
        help="one more setting, `name: key=value, key=value`, as often as wanted; the name may be left out, and what is not said is as the program comes. Keys: "
        "capacity, capacity_tokens, k, forgetting, alpha, beta, gamma, factor, recipe, insights, reading (docs/annotation.md)",
    )
    options = parser.parse_args(given)
    if not options.data.is_file():
        parser.error(f"there is no file {options.data}")
    try:
        distances = _numbers(options.distances)
        capacities = _numbers(options.capacity if options.capacity is not None else "" if options.setting else "300,60")
    except ValueError:
        parser.error("--distances and --capacity are whole numbers, separated by commas")
    quiet_libraries(read_settings())
    from annotation import probe_settings
    from annotation.probe_command import asked

    bare = [{"name": f"{kept} kept", "capacity": kept, "k": options.k} for kept in capacities]
    try:
        wanted = probe_settings.read([*bare, *(probe_settings.parsed(text, k=options.k) for text in options.setting)])
    except (ValueError, KeepsakeError) as error:
        parser.error(f"--setting: {error}" if options.setting else str(error))
    command = ["python", "-m", "annotation", *given]
    try:
        with asked(options.data, options.dialogue, wanted, distances, out=options.out, command=command) as run:
            with tqdm(total=run.all, desc="Questions", unit="", disable=None) as bar:
                while run.goes_on:
                    time.sleep(0.2)
                    bar.set_postfix_str(run.doing)
                    bar.n = run.found
                    bar.refresh()
            problem = run.told()
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    if problem:
        print(f"The run failed ({problem}). What was found is kept; the same command goes on from there.", file=sys.stderr)
        return 1
    print((options.out / "tables.md").read_text(encoding="utf-8"))
    return 0


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",") if one.strip()]


if __name__ == "__main__":
    sys.exit(main())
