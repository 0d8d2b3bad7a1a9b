"""The end of a command-line program by Ctrl-C or SIGTERM: a sentence, the signal's own exit status, no traceback."""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
from types import FrameType

LAST_S = 5.0
"""So long what is at work has for putting itself away."""


def heed(sentence: str) -> None:
    """End by SystemExit from here on where told to: at once where told a second time, or where something holds the program up. sentence: what is said then.

    To be called before whatever takes long to import.
    """
    told: list[int] = []

    def leave() -> None:
        """The last thing that is done: a thread in a library of C++ that is still at work would abort the program while Python ends."""
        if told:
            sys.stdout.flush()
            os._exit(told[0])

    atexit.register(leave)

    def end(number: int, _: FrameType | None) -> None:
        status = 128 + number
        told.append(status)
        swallowed = False

        def again(*_: object) -> None:
            nonlocal swallowed
            if not swallowed:
                os._exit(status)
            swallowed = False
            sys.exit(status)

        def unraisable(found: sys.UnraisableHookArgs) -> None:
            """What is raised while the end of an object is told of (a weak reference within an import) goes no further: it is raised once more."""
            nonlocal swallowed
            if not isinstance(found.exc_value, SystemExit):
                sys.__unraisablehook__(found)
                return
            swallowed = True
            once_more = threading.Timer(0.05, _thread.interrupt_main)  # not from here, where it would be forgotten again
            once_more.daemon = True
            once_more.start()

        sys.unraisablehook = unraisable
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, again)
        late = threading.Timer(LAST_S, os._exit, (status,))
        late.daemon = True
        late.start()
        print(f"\n{sentence}", file=sys.stderr, flush=True)
        sys.exit(status)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
