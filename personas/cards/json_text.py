"""JSON as other programs write it, read strictly: what cannot be kept and written again as it came is refused before anything looks at it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from personas.cards.refused import (
    CardKeyTwice,
    CardNotJson,
    CardNumberBroken,
    CardTextBroken,
    CardTooDeep,
    CardTooLarge,
    CardTooLong,
    CardTooMany,
    shown,
)

MAX_BYTES = 4 * 2**20
"""Of one JSON text, ten times the largest lorebooks in use; read, the worst of them take 150 MB for a moment."""
MAX_DEPTH = 64
"""Cards nest six levels, the data of extensions a few more."""
MAX_VALUES = 200_000
"""In one text, keys not counted."""
MAX_ITEMS = 10_000
"""In one list or object."""
MAX_CHARS = 1_000_000
"""Of one text."""
_MAX_DIGITS = 64


def read_object(raw: bytes, *, where: str) -> dict[str, object]:
    """The object of a JSON text. Raises CardRefused; where: what the text is called then."""
    if len(raw) > MAX_BYTES:
        raise CardTooLarge(where, limit=MAX_BYTES)
    try:
        value = json.loads(
            raw.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_float, parse_int=_integer
        )
    except RecursionError as error:
        raise CardTooDeep(limit=MAX_DEPTH) from error
    except json.JSONDecodeError as error:
        raise CardNotJson(where, line=error.lineno, column=error.colno) from error
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        raise CardNotJson(where, line=before.count(b"\n") + 1, column=error.start - before.rfind(b"\n")) from error
    if not isinstance(value, dict):
        raise CardNotJson(where)
    check(value)
    return value


def write_object(value: dict[str, object]) -> bytes:
    """The same value as UTF-8, keys in their order, laid out for people where there is room. Raises CardRefused where it could not be read again."""
    compact = write_compact(value)
    laid_out = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2).encode()
    return laid_out if len(laid_out) <= MAX_BYTES else compact


def write_compact(value: dict[str, object]) -> bytes:
    """The same for programs alone."""
    check(value)
    compact = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(compact) > MAX_BYTES:
        raise CardTooLarge("JSON", limit=MAX_BYTES)
    return compact


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise CardKeyTwice(shown(next(key for key, _ in pairs if key in seen or seen.add(key))))  # type: ignore[func-returns-value]
    return found


def _no_constant(name: str) -> object:
    raise CardNumberBroken(name)


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise CardNumberBroken(shown(digits))
    return number


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise CardNumberBroken(shown(digits))
    return int(digits)


def check(value: object) -> None:
    """Raises CardRefused where a value is too deep, too long, or has texts that neither UTF-8 nor SQLite can carry."""
    waiting: list[tuple[object, str, int]] = [(value, "", 0)]
    left = MAX_VALUES
    while waiting:
        value, field, depth = waiting.pop()
        left -= 1
        if left < 0:
            raise CardTooMany("JSON", limit=MAX_VALUES)
        if isinstance(value, str):
            _check_text(value, field)
        elif isinstance(value, dict | list):
            if depth == MAX_DEPTH:
                raise CardTooDeep(limit=MAX_DEPTH)
            if len(value) > MAX_ITEMS:
                raise CardTooMany(field or "JSON", limit=MAX_ITEMS)
            waiting.extend((child, step, depth + 1) for child, step in _children(value, field))


def _children(value: dict[str, object] | list[object], field: str) -> Iterator[tuple[object, str]]:
    before = f"{field}." if field else ""
    if isinstance(value, list):
        yield from ((child, f"{before}{n}") for n, child in enumerate(value))
        return
    for key, child in value.items():
        _check_text(key, field or "JSON")
        yield child, before + shown(key)


def _check_text(text: str, field: str) -> None:
    if len(text) > MAX_CHARS:
        raise CardTooLong(field, limit=MAX_CHARS)
    try:
        broken = b"\0" in text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        broken = True
    if broken:
        raise CardTextBroken(field)
