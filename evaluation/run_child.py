"""`python -m evaluation.run_child FOLDER DATA`: the process that measures a run of the page, within its memory, telling how far it is.

It ends itself where it takes more memory than it may, and when the program that started it is gone.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import traceback
from datetime import datetime
from pathlib import Path

from machine import memory_mb
from settings import quiet_libraries, read_settings

TICK_S = 0.5
REFUSED, TOO_LARGE, ORPHANED = 1, 3, 4
"""Exit statuses beside 0."""


class Teller:
    """Writes what it was last told into a file, twice a second, from a thread of its own: a step may take long."""

    def __init__(self, folder: Path, *, memory_mb: int) -> None:
        from evaluation.progress import Progress

        self._folder = folder
        self._memory_mb = memory_mb
        self._parent = os.getppid()
        self._last: Progress | None = None
        self._began: tuple[float, float] | None = None
        """When the first step was told, and how much was done then: a run that goes on has much behind it at once."""
        self._said: tuple[str, ...] = ()
        threading.Thread(target=self._tell, name="teller", daemon=True).start()

    def hear(self, progress: object) -> None:
        from evaluation.progress import Progress

        assert isinstance(progress, Progress)
        if self._began is None:
            self._began = (time.monotonic(), progress.share)
        place = (*progress.outer, progress.label)
        if place != self._said:
            self._said = place
            say(" › ".join(place))
        self._last = progress

    def _tell(self) -> None:
        from evaluation.run_folders import FAILURE, PROGRESS, write_json

        while True:
            time.sleep(TICK_S)
            if os.getppid() != self._parent:
                os._exit(ORPHANED)
            used = memory_mb()
            if self._memory_mb and used > self._memory_mb:
                params = {"used": round(used), "limit": self._memory_mb}
                with contextlib.suppress(OSError):
                    write_json(
                        self._folder / FAILURE, {"code": "run_memory", "params": params, "message": "It took more memory than it may."}
                    )
                say(f"took {used:,.0f} MB of memory, {self._memory_mb:,} is the limit: ended")
                os._exit(TOO_LARGE)
            last = self._last
            if last is not None and self._began is not None:
                since, share = self._began
                done = last.share - share
                spent = time.monotonic() - since
                left = spent * (1 - last.share) / done if done > 0.01 else None
                told = {
                    "label": last.label, "done": last.done, "all": last.all, "outer": list(last.outer), "share": last.share, "left_s": left,
                    "memory_mb": used,
                }  # fmt: skip
                with contextlib.suppress(OSError):
                    write_json(self._folder / PROGRESS, told)


def say(text: str) -> None:
    print(f"{datetime.now():%H:%M:%S} {text}", flush=True)


def main(arguments: list[str]) -> int:
    folder, data = Path(arguments[0]), Path(arguments[1]) if arguments[1] else None
    quiet_libraries(read_settings())
    from errors import KeepsakeError
    from evaluation.progress import attended
    from evaluation.run_folders import ASKED, FAILURE, Asked, write_json
    from evaluation.running import Wanted, measured
    from evaluation.tasks import TASKS

    asked = Asked.model_validate_json((folder / ASKED).read_bytes())
    say(f"{asked.task} on {asked.data.title or asked.data.name or 'its own data'}")
    teller = Teller(folder, memory_mb=asked.memory_mb)
    try:
        task = TASKS[asked.task]()
        path = data or task.own_data
        if path is None:
            raise ValueError("no data")
        systems = asked.systems or task.usual or task.systems
        shown = ["python", "-m", "evaluation", asked.task, "--data", asked.data.name or path.name, "--systems", ",".join(systems)]
        command = [*shown, "--seed", str(asked.seed), *(["--quick"] if asked.quick else [])]
        with attended(teller.hear):
            figures, _ = measured(Wanted(asked.task, task, path, systems, asked.seed, asked.quick, command), folder)
    except KeepsakeError as error:
        params = {name: str(value) for name, value in error.params.items()}
        write_json(folder / FAILURE, {"code": error.code, "params": params, "message": str(error)})
        say(str(error))
        return REFUSED
    except Exception as error:  # noqa: BLE001  # the process's border: told on the page, with its trace in the log
        write_json(folder / FAILURE, {"code": "run_broke", "params": {"kind": type(error).__name__}, "message": str(error)})
        traceback.print_exc(file=sys.stdout)
        return REFUSED
    say(f"{len(figures)} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
