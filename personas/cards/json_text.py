"""JSON as other programs write it. What harms nobody is mended and told: the letters it is in, slips of its grammar, keys that stand twice, numbers and
letters that cannot be kept. What would cost memory or leaves open what was meant is refused before anything looks at it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from personas.cards.refused import CardNotJson, CardRefused, CardTooDeep, CardTooLarge, CardTooLong, CardTooMany, CardUnknown, shown
from personas.cards.report import Mended, Notes
from personas.encodings import encoding_of

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
_MAX_SLIPS = 10_000
"""Of grammar in one text; what has more was made to cost time."""
_UNSAFE_KEY = "__proto__"
"""What other programs written in JavaScript would take for more than a key."""
_BLANK = " \t\r\n\0\ufeff"
_STRING = r""""(?:[^"\\]++|\\(?:.|\Z))*+(?:"|\Z)"""
"""A text of JSON, also one that is never closed: nothing is looked at twice, however it was made to be."""
_TOKEN = re.compile(
    _STRING
    + r"""|(?P<single>'(?:[^'\\]++|\\(?:.|\Z))*+(?:'|\Z))
    |(?P<curled>[“„](?:[^“”\\]++|\\(?:.|\Z))*+(?:[“”]|\Z))
    |(?P<comment>/\*(?:.*?\*/|.*)|(?://|\#)[^\r\n]*+)
    |(?P<wide>[：，｛｝［］])
    |(?P<bare>(?<![\w$])[A-Za-z_$][\w$]*+(?=\s*+:))
    |(?P<word>(?<![\w$])(?:True|False|None|undefined)\b)""",
    re.DOTALL | re.VERBOSE,
)
_PART = re.compile(_STRING + r"""|(?P<opening>[{\[])|(?P<closing>[}\]])|(?P<comma>,)|(?P<colon>:)|(?P<word>[^\s"{}\[\],:]++)""", re.DOTALL)
_KEY = re.compile(r'"(?:[^"\\]++|\\.)*+"\s*+:', re.DOTALL)
_CLOSED = {"{": "}", "[": "]"}
_WIDE = str.maketrans("：，｛｝［］", ":,{}[]")
_BEGIN = re.compile(r"^[ \t]*+(?=[{\[])", re.MULTILINE)
"""Of JSON that stands below other words, as models write it."""
_MAX_BEFORE = 2_000
"""Characters before JSON: a sentence or two, not a page."""
_WORDS = {"True": "true", "False": "false"}
_ODD_ESCAPE = re.compile(r"""\\(?:(?P<good>["\\/bfnrt]|u[0-9a-fA-F]{4})|x(?P<hex>[0-9a-fA-F]{2})|(?P<other>.|\Z))""", re.DOTALL)
_RAW = re.compile("[\x00-\x1f]")

_V = TypeVar("_V")


def read_value(raw: bytes, *, where: str, notes: Notes) -> object:
    """The object or list of a JSON text. Raises CardRefused; where: what the text is called then."""
    if len(raw) > MAX_BYTES:
        raise CardTooLarge(where, limit=MAX_BYTES)
    text = _decoded(raw, where, notes).lstrip(_BLANK)
    if text[:1] in ("{", "[", '"', "/"):
        value = _parsed(text, where, notes)
    elif begin := _BEGIN.search(text, 0, _MAX_BEFORE):
        notes.mended(Mended.BEFORE, where, str(begin.end()))
        try:
            value = _parsed(text[begin.end() :], where, notes)
        except CardNotJson as error:
            raise CardUnknown from error
    else:
        raise CardUnknown if text or where == "JSON" else CardNotJson(where)
    if isinstance(value, str) and value.lstrip(_BLANK)[:1] in ("{", "["):
        notes.mended(Mended.QUOTED, where)
        value = _parsed(value.strip(_BLANK), where, notes)
    if not isinstance(value, dict | list):
        raise CardNotJson(where)
    return carried(value, notes)


def unquoted(value: object, where: str, notes: Notes) -> object:
    """The object or list that a text says in JSON; any other value as it is. Raises CardRefused where that is dangerous."""
    if not isinstance(value, str) or value.lstrip(_BLANK)[:1] not in ("{", "["):
        return value
    told = Notes()
    try:
        found = read_value(value.encode(), where=where, notes=told)
    except CardRefused as refusal:
        if refusal.dangerous:
            raise
        return value
    notes.mended(Mended.QUOTED, where)
    notes.add(told)
    return found


def carried(value: _V, notes: Notes) -> _V:
    """The value with every text such that UTF-8 and SQLite can carry it. Raises CardRefused where it is too deep or too long."""
    if broken := check(value):
        for field in broken:
            notes.mended(Mended.LETTERS, field)
        value = _whole(value)
    return value


def _decoded(raw: bytes, where: str, notes: Notes) -> str:
    """The text of bytes: in Unicode as it is told or seen, else in the old encoding that it looks like."""
    encoding: str = json.detect_encoding(raw)
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        text = raw.decode(encoding, "replace")
        broken = text.count("\ufffd")
        if encoding.startswith("utf-8") and broken >= sum(letter > "\x7f" for letter in text) - broken:
            encoding = encoding_of(raw)
            text = raw.decode(encoding, "replace")
        notes.mended(Mended.ENCODING, where, encoding)
        return text
    if not encoding.startswith("utf-8"):
        notes.mended(Mended.ENCODING, where, encoding)
    return text


def _parsed(text: str, where: str, notes: Notes) -> object:
    strict, slips = _Reader(strict=True), Notes()
    try:
        value: object = strict.decode(text)
    except RecursionError as error:
        raise CardTooDeep(limit=MAX_DEPTH) from error
    except json.JSONDecodeError:
        plain, strict = _plain(text, where, slips), _Reader(strict=False)
        try:
            value, end = strict.raw_decode(plain.lstrip(_BLANK))
        except RecursionError as error:
            raise CardTooDeep(limit=MAX_DEPTH) from error
        except json.JSONDecodeError as error:
            raise CardNotJson(where, line=error.lineno, column=error.colno) from error
        if rest := plain.lstrip(_BLANK)[end:].strip(_BLANK):
            slips.mended(Mended.AFTER, where, str(len(rest)))
    slips.add(strict.notes)
    notes.add(slips)
    return value


def _plain(text: str, where: str, notes: Notes) -> str:
    """The text with what JSON5 and JavaScript allow in the words of JSON; as long as it was, where that can be, so that places stay."""

    left = _MAX_SLIPS

    def slip(code: Mended, detail: str = "") -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise CardNotJson(where)
        notes.mended(code, where, detail)

    def token(found: re.Match[str]) -> str:
        kind, came = found.lastgroup, found[0]
        if kind is None and "\\" not in came and not _RAW.search(came):
            return came
        if kind == "comment":
            slip(Mended.COMMENT)
            return re.sub(r"[^\r\n]", " ", came)
        if kind == "bare":
            slip(Mended.QUOTES)
            return f'"{came}"'
        if kind == "word":
            slip(Mended.WORD, came)
            return _WORDS.get(came, "null")
        if kind == "wide":
            slip(Mended.WIDE)
            return came.translate(_WIDE)
        if kind in ("single", "curled"):
            inner = came[1:-1]
            if len(came) < 2 or came[-1] not in "'“”" or re.search(r"(?<!\\)(?:\\\\)*+\\\Z", inner):
                return came  # never closed: it was cut
            slip(Mended.QUOTES)
            came = '"' + re.sub(r"""\\.|\"""", lambda m: '\\"' if m[0] == '"' else m[0], inner, flags=re.DOTALL) + '"'
        if _RAW.search(came):
            slip(Mended.CONTROL)
        return _ODD_ESCAPE.sub(escape, came)

    def escape(found: re.Match[str]) -> str:
        if found["good"] is not None:
            return found[0]
        if found["hex"] is None and not found["other"]:
            return found[0]
        slip(Mended.ESCAPE)
        if found["hex"] is not None:
            return "\\u00" + found["hex"]
        if found["other"] in "'\n":
            return "" if found["other"] == "\n" else "'"
        return "\\\\" + found["other"]

    text = _TOKEN.sub(token, text)
    return _punctuated(text, where, slip)


def _punctuated(text: str, where: str, slip: Callable[[Mended], None]) -> str:
    """The text without commas too many, with those that can only be missing, and with its end closed where nothing but brackets is missing."""
    pieces: list[str] = []
    written = end = 0  # up to where the text is in pieces; where the part before ended
    open_: list[str] = []
    before, comma, values = "", 0, 0

    def put(at: int, new: str, instead: int = 0) -> None:
        nonlocal written
        pieces.extend((text[written:at], new))
        written = at + instead

    for found in _PART.finditer(text):
        kind, at = found.lastgroup or "text", found.start()
        if kind == "comma":
            if before in ("comma", "opening"):
                slip(Mended.COMMA)
                put(at, " ", 1)
                continue
            comma = at
        elif kind == "closing":
            if before == "comma":
                slip(Mended.COMMA)
                put(comma, " ", 1)
            if not open_ or found[0] != _CLOSED[open_.pop()]:
                break
        elif kind != "colon":
            values += 1
            if values > 2 * MAX_VALUES:
                raise CardTooMany("JSON", limit=MAX_VALUES)
            if open_ and before in ("text", "word", "closing") and _divided(text, end, found, in_object=open_[-1] == "{"):
                slip(Mended.NO_COMMA)
                put(end, ",", int(at > end))
            if kind == "opening":
                open_.append(found[0])
        before, end = kind, found.end()
        if not open_:
            break
    else:
        last = text.rstrip(_BLANK)
        if open_ and (before in ("text", "closing") or last.endswith(("true", "false", "null"))):
            slip(Mended.UNCLOSED)
            put(len(last), "".join(_CLOSED[bracket] for bracket in reversed(open_)))
    return "".join((*pieces, text[written:]))


def _divided(text: str, end: int, found: re.Match[str], *, in_object: bool) -> bool:
    """Whether nothing but a comma can be missing before a part: in an object before a key, in a list before a line. A quotation mark within a text
    looks otherwise: no blank stands before it, or no colon behind."""
    gap = text[end : found.start()]
    if in_object:
        return bool((gap or text[end - 1] in "}]") and _KEY.match(text, found.start()))
    return "\n" in gap or (text[end - 1] in "}]" and found[0] in "{[")


class _Reader(json.JSONDecoder):
    """Reads JSON and notes what of it cannot be kept as it stands. strict: whether texts may not hold line breaks and other control characters."""

    def __init__(self, *, strict: bool) -> None:
        self.notes = Notes()
        super().__init__(
            object_pairs_hook=self._object,
            parse_constant=self._not_finite,
            parse_float=self._float,
            parse_int=self._integer,
            strict=strict,
        )

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.notes.mended(Mended.TWICE, shown(key))
                seen.add(key)
        if _UNSAFE_KEY in found:
            self.notes.mended(Mended.UNSAFE, _UNSAFE_KEY)
            del found[_UNSAFE_KEY]
        return found

    def _not_finite(self, name: str) -> float | None:
        self.notes.mended(Mended.NUMBER, name)
        return None

    def _float(self, digits: str) -> float | None:
        number = float(digits)
        return number if math.isfinite(number) else self._not_finite(shown(digits))

    def _integer(self, digits: str) -> int | str:
        if len(digits) <= _MAX_DIGITS:
            return int(digits)
        self.notes.mended(Mended.NUMBER, shown(digits))
        return digits


def write_object(value: dict[str, object]) -> bytes:
    """The same value as UTF-8, keys in their order, laid out for people where there is room. Raises CardRefused where it could not be read again."""
    value = carried(value, Notes())
    compact = write_compact(value)
    laid_out = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2).encode()
    return laid_out if len(laid_out) <= MAX_BYTES else compact


def write_compact(value: dict[str, object]) -> bytes:
    """The same for programs alone."""
    value = carried(value, Notes())
    compact = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(compact) > MAX_BYTES:
        raise CardTooLarge("JSON", limit=MAX_BYTES)
    return compact


def check(value: object) -> list[str]:
    """Places of texts that neither UTF-8 nor SQLite can carry. Raises CardRefused where a value is too deep or too long."""
    waiting: list[tuple[object, str, int]] = [(value, "", 0)]
    left = MAX_VALUES
    broken: list[str] = []
    while waiting:
        value, field, depth = waiting.pop()
        left -= 1
        if left < 0:
            raise CardTooMany("JSON", limit=MAX_VALUES)
        if isinstance(value, str):
            _check_text(value, field, broken)
        elif isinstance(value, dict | list):
            if depth == MAX_DEPTH:
                raise CardTooDeep(limit=MAX_DEPTH)
            if len(value) > MAX_ITEMS:
                raise CardTooMany(field or "JSON", limit=MAX_ITEMS)
            waiting.extend((child, step, depth + 1) for child, step in _children(value, field, broken))
    return broken


def _children(value: dict[str, object] | list[object], field: str, broken: list[str]) -> Iterator[tuple[object, str]]:
    before = f"{field}." if field else ""
    if isinstance(value, list):
        yield from ((child, f"{before}{n}") for n, child in enumerate(value))
        return
    for key, child in value.items():
        _check_text(key, field or "JSON", broken)
        yield child, before + shown(key)


def _check_text(text: str, field: str, broken: list[str]) -> None:
    if len(text) > MAX_CHARS:
        raise CardTooLong(field, limit=MAX_CHARS)
    if _whole(text) != text:
        broken.append(field)


def _whole(value: _V) -> _V:
    """The value without NUL, and with U+FFFD for half a surrogate pair."""
    if isinstance(value, str):
        text = value.replace("\0", "")
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # type: ignore[return-value]
    if isinstance(value, list):
        return [_whole(child) for child in value]  # type: ignore[return-value]
    if isinstance(value, dict):
        return {_whole(key): _whole(child) for key, child in value.items()}  # type: ignore[return-value]
    return value
