"""`python -m memory.reading FILE.jsonl --out OUT.jsonl`: what the reader keeps of each line of a file of examples."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import date
from pathlib import Path

from memory.reading.reader import KEEP, read


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m memory.reading", description=__doc__)
    parser.add_argument(
        "file", type=Path, help='JSON Lines: {"day": "2026-03-14 Sat", "before": [["Nell", "..."]], "speaker": "Mara", "message": "..."}'
    )
    parser.add_argument("--out", type=Path, required=True, help="the same lines, each with `memories`")
    parser.add_argument("--keep", type=float, default=KEEP, help=f"probability from which a stretch is kept ({KEEP})")
    asked = parser.parse_args()
    with asked.out.open("w", encoding="utf-8") as out:
        for line in asked.file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                given = json.loads(line)
                before = given.get("before") or []
                noted = read(
                    given["message"],
                    speaker=given["speaker"],
                    day=date.fromisoformat(given["day"][:10]),
                    before=before[-1] if before else None,
                    keep=asked.keep,
                )
                out.write(json.dumps({**given, "memories": [asdict(n) for n in noted]}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
