"""What the readers of question files share."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chat.imported import MAX_BYTES
from evaluation.datasets import DataRefused

PLAYER, CHARACTER = "user", "assistant"
START = datetime(2024, 1, 1, 9, tzinfo=UTC)
"""Of a conversation whose file says no time."""
_CHINESE = re.compile(r"[\u3400-\u9fff]")
T = TypeVar("T", bound=BaseModel)


def lines_of(file: Path) -> Iterator[tuple[int, bytes]]:
    """(number from 1, line), those with nothing in them left out; some programs begin a file with a byte order mark."""
    with file.open("rb") as stream:
        yield from ((n, line) for n, line in enumerate((one.removeprefix(BOM_UTF8) for one in stream), start=1) if line.strip())


def first_line(file: Path) -> Any:
    """The first line of a file as JSON, None where it is none."""
    try:
        with file.open("rb") as stream:
            return json.loads(stream.readline(8 * 2**20))
    except (OSError, ValueError, RecursionError):
        return None


def record_of(line: bytes | Any, form: type[T], *, file: Path, where: str) -> T:
    """A record checked, from a line of JSON or as it was read. Raises DataRefused, which names the field at fault."""
    try:
        return form.model_validate_json(line) if isinstance(line, bytes) else form.model_validate(line)
    except ValidationError as error:
        raise DataRefused(file=file.name, where=where, reason=fault_of(error)) from error


def fault_of(error: ValidationError) -> str:
    """Which field is at fault."""
    fault = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in fault["loc"])
    return f"its field {field} is missing or of another form" if field else "it is no JSON object of this layout"


def whole(file: Path) -> Any:
    """A JSON file. Raises DataRefused."""
    if file.stat().st_size > 8 * MAX_BYTES:
        raise DataRefused(file=file.name, where="", reason=f"it is larger than {8 * MAX_BYTES // 2**20} MB")
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataRefused(file=file.name, where="", reason="it is no JSON") from error


def spoken_language(text: str) -> str:
    """`zh` where a tenth of the characters is Chinese, else `en`."""
    return "zh" if len(_CHINESE.findall(text)) > len(text) / 10 else "en"


def date_of(text: str, file: Path, *, where: str = "", field: str = "") -> datetime:
    """where, field: of the record that it stands in. Raises DataRefused."""
    bare = re.sub(r"\s*\([^)]*\)", "", text).strip().replace("-", "/").replace(".", "/")
    for form in ("%Y/%m/%d %H:%M", "%Y/%m/%d"):
        try:
            return datetime.strptime(bare, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    shown = repr(text if len(text) <= 60 else f"{text[:60]}…")
    raise DataRefused(file=file.name, where=where, reason=f"its field {field}, {shown}, is no date" if field else f"{shown} is no date")


def set_name(path: Path) -> str:
    return path.stem if path.is_file() else path.resolve().name
