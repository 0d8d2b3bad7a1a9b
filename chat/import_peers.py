"""Chats as other role-play programs keep them in one JSON value: RisuAI, Agnai, KoboldAI Lite, text-generation-webui, CAI Tools, Open WebUI, ChatGPT.

Each becomes the lines that `chat.import_jsonl` reads (`name`, `is_user`, `mes`, `swipes`, `send_date`), so that limits, dates and refusals are the same. Only what
was said is taken; a program's own memories, notes and settings are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from chat.import_jsonl import moment_of
from chat.import_words import told
from chat.imported import MAX_MESSAGES, Fault
from chat.portable_jsonl import MARK

Line = dict[str, object]
_BEGINS = "<|BEGIN-VISIBLE-CHAT|>"
"""Stands where the player would speak before a greeting."""
_TURNS = re.compile(r"\{\{\[(INPUT|OUTPUT)(?:_END)?\]\}\}")
_SPLIT = "||$||"
"""Between the names of several characters."""
_RISU = ("risuChat", "risuAllChats")


def peers(loaded: object) -> tuple[list[Line], ...] | None:
    """The lines of each chat of a value that one of these programs wrote; None for any other value. Raises Fault for one that is damaged."""
    first = loaded[0] if isinstance(loaded, list) and loaded else loaded
    if not isinstance(first, dict):
        return None
    for known, read in _LAYOUTS:
        if known(first):
            return tuple(read(loaded if isinstance(loaded, list) else [loaded]))
    return None


def _risu(files: Sequence[object]) -> Iterator[list[Line]]:
    chats = [chat for file in files for chat in _items(_of(file, "data"), many=isinstance(_of(file, "data"), list))]
    for n, chat in enumerate(chats, 1):
        lines: list[Line] = []
        for m in _messages(_of(chat, "message"), n):
            if m.get("isComment"):
                continue
            line = _line(m, user=m.get("role") == "user", text=m.get("data"), name=m.get("name"), at=m.get("time"))
            lines.append(line | ({"extra": {MARK: {"hidden": True}}} if m.get("disabled") else {}))
        yield lines


def _agnai(files: Sequence[object]) -> Iterator[list[Line]]:
    for n, file in enumerate(files, 1):
        lines: list[Line] = []
        for m in _messages(_of(file, "messages"), n):
            line = _line(m, user=bool(m.get("userId")), text=m.get("msg"), name=m.get("handle"), at=m.get("createdAt"))
            lines.append(line | _swipes([m.get("msg"), *_list(m.get("retries"))], 0))
        yield lines


def _cai(files: Sequence[object]) -> Iterator[list[Line]]:
    for file in files:
        info = _of(_of(file, "info"), "character")
        for n, history in enumerate(_list(_of(_of(file, "histories"), "histories")), 1):
            lines: list[Line] = []
            for m in _messages(_of(history, "msgs"), n):
                user = _of(m.get("src"), "is_human") is True
                name = _of(m.get("src"), "name") or (None if user else _of(info, "name"))
                lines.append(_line(m, user=user, text=m.get("text"), name=name, at=m.get("created")))
            yield lines


def _kobold(files: Sequence[object]) -> Iterator[list[Line]]:
    for file in files:
        settings = _of(file, "savedsettings")
        names = {True: _text(_of(settings, "chatname")), False: _text(_of(settings, "chatopponent")).split(_SPLIT)[0]}
        story = "".join(_text(piece) for piece in (_of(file, "prompt"), *_list(_of(file, "actions"))))
        head, *turns = _TURNS.split(story)
        if not turns:
            raise Fault("", told("peer_prose"))
        said = [("OUTPUT", head), *zip(turns[::2], turns[1::2], strict=True)]
        yield [_line({}, user=who == "INPUT", text=text, name=names[who == "INPUT"]) for who, text in said if text.strip()]


def _webui_pairs(files: Sequence[object]) -> Iterator[list[Line]]:
    """text-generation-webui: rows of what the player and the character said, `internal` as it was written; the wordings beside them."""
    for file in files:
        rows = _of(file, "internal") or _of(file, "data") or _of(file, "visible") or _of(file, "data_visible")
        beside = _of(file, "metadata")
        lines: list[Line] = []
        for n, row in enumerate(_list(rows)):
            for side, text in zip(("user", "assistant"), _list(row)[:2], strict=False):
                more = _of(beside, f"{side}_{n}")
                if not isinstance(text, str) or text in ("", _BEGINS):
                    continue
                line = _line({}, user=side == "user", text=text, name=None, at=_of(more, "timestamp"))
                lines.append(
                    line | _swipes([_of(one, "content") for one in _list(_of(more, "versions"))], _of(more, "current_version_index"))
                )
        yield lines


def _open_webui(files: Sequence[object]) -> Iterator[list[Line]]:
    for file in files:
        chat = _of(file, "chat") or file
        history = _of(chat, "history")
        found = _of(history, "messages")
        lines: list[Line] = []
        for m in _path(found, _of(history, "currentId"), up="parentId"):
            line = _line(m, user=m.get("role") == "user", text=m.get("content"), name=None, at=m.get("timestamp")) | {"role": m.get("role")}
            beside = [_of(_of(found, str(i)), "content") for i in _list(_of(_of(found, str(m.get("parentId"))), "childrenIds"))]
            lines.append(line | (_swipes(beside, beside.index(m.get("content"))) if m.get("content") in beside else {}))
        yield lines


def _chatgpt(files: Sequence[object]) -> Iterator[list[Line]]:
    for file in files:
        lines: list[Line] = []
        for node in _path(_of(file, "mapping"), _of(file, "current_node"), up="parent"):
            m = _of(node, "message")
            parts = [part for part in _list(_of(_of(m, "content"), "parts")) if isinstance(part, str)]
            role = _of(_of(m, "author"), "role")
            if parts and role in ("user", "assistant"):
                lines.append(_line({}, user=role == "user", text="\n".join(parts), name=None, at=_of(m, "create_time")))
        yield lines


_LAYOUTS: tuple[tuple[Callable[[Mapping[str, object]], bool], Callable[[Sequence[object]], Iterator[list[Line]]]], ...] = (
    (lambda v: v.get("type") in _RISU and "data" in v, _risu),
    (lambda v: isinstance(_of(v.get("histories"), "histories"), list), _cai),
    (lambda v: "savedsettings" in v and isinstance(v.get("actions"), list), _kobold),
    (lambda v: isinstance(v.get("data_visible"), list) or (isinstance(v.get("internal"), list) and "visible" in v), _webui_pairs),
    (
        lambda v: isinstance(_of(v.get("chat") or v, "history"), dict) and "messages" in _mapping(_of(v.get("chat") or v, "history")),
        _open_webui,
    ),
    (lambda v: isinstance(v.get("mapping"), dict) and "current_node" in v, _chatgpt),
    (lambda v: any(isinstance(m, dict) and "msg" in m for m in _list(v.get("messages"))[:1]), _agnai),
)


def _line(m: Mapping[str, object], *, user: bool, text: object, name: object, at: object = None) -> Line:
    """`is_user` with no name is whoever the reader says. A date that cannot be read is left to those around it."""
    line: Line = {"is_user": user, "mes": text if text is not None else ""}
    if isinstance(name, str) and name.strip():
        line["name"] = name
    if _is_date(at):
        line["send_date"] = at
    return line


def _is_date(at: object) -> bool:
    """Whether the reader of lines will take it. Programs write nought, or less, for a time they do not know."""
    try:
        return not (isinstance(at, int | float) and at <= 0) and moment_of(at) is not None
    except (ValueError, OverflowError, OSError):
        return False


def _swipes(wordings: Sequence[object], chosen: object) -> Line:
    said = [one for one in wordings if isinstance(one, str)]
    return {"swipes": said, "swipe_id": chosen} if len(said) == len(wordings) > 1 and isinstance(chosen, int) else {}


def _path(found: object, end: object, *, up: str) -> list[Mapping[str, object]]:
    """From the root of a tree of messages to `end`."""
    nodes = _mapping(found)
    path: list[Mapping[str, object]] = []
    seen: set[str] = set()
    at = str(end)
    while at in nodes and at not in seen:
        seen.add(at)
        path.append(_mapping(nodes[at]))
        at = str(path[-1].get(up))
    return path[::-1]


def _messages(value: object, number: int) -> list[Mapping[str, object]]:
    found = _list(value)
    if len(found) > MAX_MESSAGES:
        raise Fault(f"record {number}", told("many_messages", most=MAX_MESSAGES))
    if any(not isinstance(one, dict) for one in found):
        raise Fault(f"record {number}", told("turn_shape"))
    return [one for one in found if isinstance(one, dict)]


def _items(value: object, *, many: bool) -> list[object]:
    return _list(value) if many else [value]


def _of(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
