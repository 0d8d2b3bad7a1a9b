"""The real mem0 package in a Python of its own, since its dependencies and ours exclude each other: started by `evaluation.mem0_side`, imports nothing of ours.

Reads one JSON object a line: `{"config": {…}}` first, then rounds `{"read": "…", "write": [{"role": "…", "content": "…"}]}`; answers each with one.
"""

from __future__ import annotations

import json
import os
import sys
import time

os.environ.setdefault("MEM0_TELEMETRY", "False")


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the package prints is no answer
    lines = (json.loads(line) for line in sys.stdin)
    from mem0 import Memory  # type: ignore[import-not-found]  # another Python has it

    memory = Memory.from_config(next(lines)["config"])
    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in lines:
        began = time.perf_counter()
        memory.search(line["read"], filters={"user_id": "player"})
        read = time.perf_counter() - began
        began = time.perf_counter()
        found = memory.add(line["write"], user_id="player")
        answer = {"read_s": read, "write_s": time.perf_counter() - began, "stored": len(found.get("results", []))}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
