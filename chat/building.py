"""What a terminal shows while the memory of the sample stories is built (`make demo`)."""

from __future__ import annotations

import sys
import threading
import time

from tqdm import tqdm

from chat.samples import Samples

LOOK_S = 1.0


def follow(samples: Samples, user_id: str, *, ended: threading.Event) -> None:
    """Show how far it is until it is done, or the program ends; says nothing where nothing is left to do."""
    began = time.monotonic()
    views = [view for view in samples.views(user_id) if view.building]
    if not views:
        return
    print(f"Building the memory of {len(views)} sample stories; the page can be used meanwhile.", flush=True)
    with tqdm(
        total=sum(v.total for v in views), initial=sum(v.done for v in views), desc="Remembering", unit=" steps", disable=None
    ) as progress:
        while views and not ended.wait(LOOK_S):
            now = samples.views(user_id)
            views = [view for view in now if view.building]
            open_work = sum(v.total - v.done for v in views)
            progress.total = max(progress.total, open_work)  # work makes work: the topics of a sitting come when it is over
            progress.update(progress.total - open_work - progress.n)
    failed = sum(view.failed for view in samples.views(user_id))
    if failed:
        print(f"{failed} steps failed; the page says why, in the list of memory work.", file=sys.stderr, flush=True)
    elif not views:
        print(f"The memory of the sample stories is built ({time.monotonic() - began:.0f} s).", flush=True)
    else:
        print("Stopped. The same command goes on from there.", file=sys.stderr, flush=True)
