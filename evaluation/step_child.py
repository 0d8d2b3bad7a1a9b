"""`python -m evaluation.step_child JSON`: one task on one data set, measured in a process of its own beside others (`evaluation.apart`).

What it tells is a line of JSON each on standard output: `{"share": .., "label": ..}` as it goes, then one of `{"notices": [..]}`, `{"before": true}` (the folder holds
this very run), `{"refused": why}` (the data lacks what the task needs) and `{"failed": why}`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

os.environ["TQDM_DISABLE"] = "1"  # before it is imported: the bars of several would write over each other

from errors import KeepsakeError
from settings import quiet_libraries, read_settings

TICK_S = 0.5


def tell(**told: object) -> None:
    print(json.dumps(told), flush=True)


def main() -> int:
    quiet_libraries(read_settings())
    from chat.imported import ImportRefused
    from evaluation.datasets import DataRefused
    from evaluation.progress import Progress, attended
    from evaluation.running import Wanted, already, measured
    from evaluation.tasks import TASKS

    order = json.loads(sys.argv[1])
    last = 0.0

    def hear(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last > TICK_S:
            last = time.monotonic()
            tell(share=progress.share, label=progress.label)

    folder = Path(order["folder"])
    try:
        wanted = Wanted(
            order["name"], TASKS[order["name"]](), Path(order["path"]), order["systems"], order["seed"], order["quick"], order["command"]
        )
        if already(wanted, folder):
            tell(before=True)
            return 0
        with attended(hear):
            _, run = measured(wanted, folder)
    except (DataRefused, ImportRefused) as error:
        tell(refused=str(error.params.get("reason", error)))
    except KeepsakeError as error:
        tell(failed=str(error))
    else:
        tell(notices=list(run.notices))
    return 0


if __name__ == "__main__":
    sys.exit(main())
