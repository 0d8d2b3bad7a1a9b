"""`python -m memory.reading FILE.jsonl --out OUT.jsonl`: what the reader keeps of each line of a file of examples."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from memory.reading.reader import KEEP, dated, read, with_days


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
                day = datetime.fromisoformat(given["day"][:10]).replace(tzinfo=UTC)
                noted = read(given["message"], speaker=given["speaker"], before=before[-1] if before else None, keep=asked.keep)
                memories = [asdict(replace(n, text=dated(with_days(n.text, said_at=day), day.date()))) for n in noted]
                out.write(json.dumps({**given, "memories": memories}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
