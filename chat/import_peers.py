"""Chats as other programs keep them in one JSON value. Lists of messages are found wherever they stand (RisuAI, Agnai, CAI Tools, Claude, Discord, Telegram, what
OpenAI's protocol calls `messages`); trees of messages (Open WebUI, ChatGPT), stories (KoboldAI Lite) and rows of two (text-generation-webui) are made into such.

Each becomes the records that `chat.import_jsonl` reads, so that limits, dates and repairs are the same. Only what was said is taken; a program's own memories,
notes and settings are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chat.import_dates import moment_of
from chat.import_jsonl import DATES, is_header, is_message, unescaped, words_of
from chat.import_words import told
from chat.imported import Fault

Record = dict[str, object]
_BEGINS = "<|BEGIN-VISIBLE-CHAT|>"
"""Stands where the player would speak before a greeting."""
_TURNS = re.compile(r"\{\{\[(INPUT|OUTPUT|SYSTEM)(?:_END)?\]\}\}")
_WROTE = (("instruct_starttag", "INPUT"), ("instruct_endtag", "OUTPUT"), ("instruct_systag", "SYSTEM"))
"""The marks of a model's template that stand in stories without those above, by the setting that holds each."""
_SPLIT = "||$||"
"""Between the names of several characters."""
_LISTS = frozenset(("messages", "message", "msgs", "chat_messages", "conversation", "conversations", "contents"))
"""Fields that hold a chat, be it an empty one."""
_DEEPEST = 8
_OPENS = re.compile(r"(?m)^[ \t]*([^\W\d_][^\n:：]{0,59})[:：][ \t]*")


@dataclass
class Chat:
    records: Sequence[object]
    names: Mapping[bool, str] = field(default_factory=dict)
    """Of the player (True) and the character, for messages without one."""
    of_a_program: bool = True


def peers(loaded: object) -> tuple[Chat, ...]:
    """The chats of a value, one where a program keeps one, those in which nothing is said among them. Raises Fault for a story in which nobody speaks."""
    return tuple(_chats(loaded, {}, depth=0))


def _chats(value: object, names: Mapping[bool, str], depth: int) -> Iterator[Chat]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if any(is_message(one) for one in value):  # then a list among them is a damaged place, and not a chat of its own
            value = [*_flat(value, depth)]
        inner = [*_with_thoughts(_in_order([record for one in value for record in _line_of(_unwrapped(one))]))]
        said = [one for one in inner if isinstance(one, dict) and not is_header(one)]
        if said and 2 * sum(is_message(one) for one in said) >= len(said):
            yield Chat(inner, names, of_a_program=depth > 0)
        elif _is_row(next(iter(value), None)):
            yield Chat([*_rows({"internal": value})], names)
        else:
            for one in value:
                yield from _chats(one, names, depth + 1)
        return
    if not isinstance(value, dict) or (isinstance(value.get("data"), dict) and "card" in str(value.get("spec"))):
        return  # what a character's card keeps of a conversation is none that was had
    names = _named(value) or names
    if ("savedsettings" in value or "gamestarted" in value) and isinstance(value.get("actions"), list):
        yield _story(value)
    elif isinstance(value.get("data_visible"), list) or isinstance(value.get("internal"), list):
        yield Chat([*_rows(value)], names)
    elif isinstance(value.get("mapping"), dict):
        yield Chat([*_with_thoughts(_chatgpt(value))], names)
    elif isinstance(tree := _of(value.get("history"), "messages"), dict) and tree:
        yield Chat([*_open_webui(tree, _of(value.get("history"), "currentId"))], names)
    else:
        for key, one in value.items():
            if key in _LISTS and isinstance(one, list) and not any(isinstance(m, dict) for m in one):
                yield Chat(one, names)
            else:
                yield from _chats(one, names, depth + 1)


def _unwrapped(one: object) -> object:
    """A message without what programs wrap it in, in fields that are known."""
    if not isinstance(one, dict):
        return one
    if isinstance(one.get("message"), dict):
        return one["message"]
    candidates, versions = _list(one.get("candidates")), _list(one.get("versions"))
    if candidates:  # Character.AI
        chosen = next((n for n, each in enumerate(candidates) if _of(each, "candidate_id") == one.get("primary_candidate_id")), None)
        rest = {
            key: value for key, value in one.items() if key not in ("candidates", "primary_candidate_id", "turn_key", "last_update_time")
        }
        return rest | {"swipes": [_of(each, "raw_content") for each in candidates], "swipe_id": chosen}
    if versions and "currentlySelected" in one:  # LM Studio
        at = one["currentlySelected"]
        version = _mapping(versions[at if isinstance(at, int) and 0 <= at < len(versions) else -1])
        return {"role": version.get("role"), "content": version.get("content", version.get("steps"))}
    if str(one.get("name")).startswith("event:") and not one.get("userId") and not one.get("characterId"):  # Agnai
        return {"name": "Narrator", "extra": {"type": "narrator"}} | {key: one[key] for key in ("_id", "msg", "createdAt") if key in one}
    if "sender_name" in one:  # Messenger, which writes each byte of its letters as one
        return one | {key: _unmangled(one[key]) for key in ("sender_name", "content") if isinstance(one.get(key), str)}
    return one


def _unmangled(text: str) -> str:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _line_of(one: object) -> Iterator[object]:
    """A message and those that answer it, where they stand in it (LibreChat): of several answers the last is followed, and the others are its wordings."""
    beside = [one]
    while beside:
        record = beside[-1]
        answers = [each for each in _list(_of(record, "children")) if is_message(each)] if is_message(record) else []
        if isinstance(record, dict) and "children" in record:
            record = {key: value for key, value in record.items() if key != "children"}
        if isinstance(record, dict) and len(beside) > 1:
            record |= {"swipes": [{**_mapping(each), "children": None} for each in beside], "swipe_id": len(beside) - 1}
        yield record
        beside = answers


def _in_order(records: list[object]) -> list[object]:
    """Messages with the oldest first, also where a file has the newest first."""
    stamps = (next((record[key] for key in DATES if record.get(key)), None) for record in records if isinstance(record, dict))
    found = [at for at in (moment_of(stamp) for stamp in stamps if stamp is not None) if at is not None]
    return records[::-1] if len(found) > 1 and found[0] > found[-1] and all(a >= b for a, b in pairwise(found)) else records


def _with_thoughts(records: Iterable[object]) -> Iterator[object]:
    """Messages, each with what was thought before it in messages of its own."""
    thought: list[object] = []
    for record in records:
        if isinstance(record, dict) and record.get("isThought") is True:
            thought += [{"text": words_of(record)[0]}]
            continue
        answers = isinstance(record, dict) and record.get("role") != "user"
        yield {**_mapping(record), "thoughts": thought} if thought and answers else record
        thought = []


def _flat(value: list[object], depth: int) -> Iterator[object]:
    for one in value:
        if isinstance(one, list) and depth < _DEEPEST:
            yield from _flat(one, depth + 1)
        else:
            yield one


def _named(value: Mapping[str, object]) -> Mapping[bool, str]:
    """What a value says about who speaks in the chats in it."""
    character = _text(_of(_of(value.get("info"), "character"), "name")) or _text(value.get("character_name"))
    player = _text(value.get("user_name"))
    found = {True: player, False: character}
    return {side: name for side, name in found.items() if name.strip() and name != "unused"}


def _story(value: Mapping[str, object]) -> Chat:
    """KoboldAI Lite: one text, with marks or names where somebody else takes the word. Raises Fault where it has neither."""
    settings = value.get("savedsettings")
    names = {True: _text(_of(settings, "chatname")).strip(), False: _text(_of(settings, "chatopponent")).split(_SPLIT)[0].strip()}
    cast = [name.strip() for name in _text(_of(settings, "chatopponent")).split(_SPLIT)]
    story = "".join(_text(piece) for piece in (value.get("prompt"), *_list(value.get("actions"))))
    head, *turns = _TURNS.split(story if _TURNS.search(story) else _turned(story, settings))
    if turns:
        said = [("OUTPUT", head), *zip(turns[::2], turns[1::2], strict=True)]
        return Chat([_turn(who, text, names) for who, text in said if text.strip()])
    known = {name.casefold() for name in (names[True], *cast) if name}
    found = [m for m in _OPENS.finditer(story) if not known or m[1].strip().casefold() in known]
    if not found:
        if re.search(r"(?m)^> ", story):
            return Chat([*_adventure(story)])
        raise Fault("", told("peer_prose"))
    player = (names[True] or found[0][1].strip()).casefold()
    records: list[Record] = []
    if head := story[: found[0].start()].strip():
        records.append({"name": "Narrator", "mes": head, "extra": {"type": "narrator"}})
    for turn, after in zip(found, [*(m.start() for m in found[1:]), len(story)], strict=True):
        name = turn[1].strip()
        records.append(_line(user=name.casefold() == player, text=story[turn.end() : after], name=name))
    return Chat(records, {})


def _turned(story: str, settings: object) -> str:
    """A story in the words of a model's template, with the marks of `_TURNS` for them."""
    for key, who in _WROTE:
        mark = _text(_of(settings, key)).replace("\\n", "\n").strip()
        before, _, opens = mark.rpartition("\n")  # the end of what is above stands in some with the beginning of what follows
        if len(opens) > 2:
            story = story.replace(opens, f"{{{{[{who}]}}}}")
            for end in (before.strip(), _text(_of(settings, f"{key}_end")).replace("\\n", "\n").strip()):
                story = story.replace(end, "") if len(end) > 2 else story
    return story


def _turn(who: str, text: str, names: Mapping[bool, str]) -> Record:
    return {"role": "system", "mes": text} if who == "SYSTEM" else _line(user=who == "INPUT", text=text, name=names[who == "INPUT"])


def _adventure(story: str) -> Iterator[Record]:
    """A story in which what the player does stands behind a mark."""
    for part in re.split(r"(?m)^(?=> )|(?<=\n)(?=[^>\n])", story):
        if part.strip():
            yield _line(user=part.startswith("> "), text=part.removeprefix("> "))


def _is_row(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


def _rows(value: Mapping[str, object]) -> Iterator[Record]:
    """text-generation-webui: rows of what the player and the character said, `internal` as it was written; the wordings beside them."""
    rows = value.get("internal") or value.get("data") or value.get("visible") or value.get("data_visible")
    beside = value.get("metadata")
    for n, row in enumerate(_list(rows)):
        for side, text in zip(("user", "assistant"), _list(row)[:2], strict=False):
            more = _of(beside, f"{side}_{n}")
            if text in ("", None, _BEGINS):
                continue
            record = _line(user=side == "user", text=_written(text), at=_of(more, "timestamp"))
            wordings = [_written(_of(one, "content")) for one in _list(_of(more, "versions"))]
            yield record | ({"swipes": wordings, "swipe_id": _of(more, "current_version_index")} if len(wordings) > 1 else {})


def _written(text: object) -> object:
    return unescaped(text) if isinstance(text, str) else text


def _open_webui(nodes: Mapping[str, object], end: object) -> Iterator[Record]:
    for m in _path(nodes, end, up="parentId"):
        beside = [
            node
            for node in (nodes.get(str(i)) for i in _list(_of(nodes.get(str(m.get("parentId"))), "childrenIds")))
            if isinstance(node, dict)
        ]
        record = dict(m)
        place = next((n for n, one in enumerate(beside) if one is m), None)
        if len(beside) > 1 and place is not None:
            record |= {"swipes": [one.get("content") for one in beside], "swipe_id": place}
        yield record


def _chatgpt(value: Mapping[str, object]) -> Iterator[Record]:
    """What was thought stands in messages of its own before the answer."""
    for node in _path(_mapping(value["mapping"]), value.get("current_node"), up="parent"):
        m = _of(node, "message")
        content, role = _of(m, "content"), _of(_of(m, "author"), "role")
        if role not in ("user", "assistant"):
            continue
        if _of(content, "content_type") in ("thoughts", "reasoning_recap"):
            yield {"role": role, "isThought": True, "parts": [_of(one, "content") for one in _list(_of(content, "thoughts"))]}
            continue
        if _of(content, "content_type") == "code" or _of(m, "recipient") not in (None, "all"):
            continue
        hidden = _of(_of(m, "metadata"), "is_visually_hidden_from_conversation") is True
        parts = _of(content, "parts") if isinstance(_of(content, "parts"), list) else [_of(content, "text")]
        said = [p for p in _list(parts) if p not in (None, "")]
        yield {"role": "system" if hidden else role, "content": said, "create_time": _of(m, "create_time")}


def _path(nodes: Mapping[str, object], end: object, *, up: str) -> list[Mapping[str, object]]:
    """From the root of a tree of messages to `end`, or to the last of them where that is not there; of a node whose parent is lost the one before it in the file is
    taken for it."""
    keys = list(nodes)
    place = {key: n for n, key in enumerate(keys)}
    path: list[Mapping[str, object]] = []
    seen: set[str] = set()
    at: str | None = str(end) if str(end) in nodes else next(reversed(keys), None)
    while at is not None and at not in seen:
        seen.add(at)
        node = _mapping(nodes[at])
        path.append(node)
        parent = node.get(up)
        if parent is None:
            break
        lost = str(parent) not in nodes
        at = (keys[place[at] - 1] if place[at] else None) if lost else str(parent)
    return path[::-1]


def _line(*, user: bool, text: object, name: str = "", at: object = None) -> Record:
    return {"is_user": user, "mes": text, **({"name": name} if name else {}), **({"send_date": at} if at else {})}


def _of(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
