"""What the readers of question files share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from evaluation.datasets import DataRefused

PLAYER, CHARACTER = "user", "assistant"


def lines_of(file: Path) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        yield from ((n, line) for n, line in enumerate(stream, start=1) if line.strip())


def date_of(text: str, file: Path) -> datetime:
    bare = re.sub(r"\s*\([^)]*\)", "", text).strip().replace("-", "/").replace(".", "/")
    for form in ("%Y/%m/%d %H:%M", "%Y/%m/%d"):
        try:
            return datetime.strptime(bare, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise DataRefused(file=file.name, where="", reason=f"{text!r} is no date")


def set_name(path: Path) -> str:
    return path.stem if path.is_file() else path.resolve().name
