"""Files that are one JSON value, and their LoCoMo-style layout (described in `chat.import_formats`)."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime

from chat.import_dates import parse_date
from chat.import_pairs import is_diary, read_diary
from chat.import_words import told
from chat.imported import LISTED, MAX_MESSAGES, Fault, ImportedConversation, ImportedMessage, clean, conversation, later, short, word


def load(text: str, *, line: int | None = None, refuse_twins: bool = True) -> object:
    """One JSON value. line: its number, where each line is a value; refuse_twins: of two fields of one name, else the latter counts. Raises Fault."""
    where = "" if line is None else f"line {line}"
    try:
        return json.loads(text, object_pairs_hook=_object if refuse_twins else None, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        # An open string is reported where it begins.
        open_end = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - 1
        raise Fault(where or f"line {error.lineno}", told("json_cut" if open_end else "json", why=error.msg)) from error
    except RecursionError as error:
        raise Fault(where, told("json_deep")) from error
    except ValueError as error:
        # Python's own words for a number it will not read tell how to lift the limit, which is nothing to a reader of a file.
        raise Fault(where, told("json_digits") if "digits" in str(error) else told("json", why=str(error))) from error


def read_json(loaded: object, *, stem: str) -> tuple[ImportedConversation, ...]:
    """loaded: as `load` gives it. Raises Fault."""
    if isinstance(loaded, dict) and is_diary(loaded):
        return read_diary(loaded, stem=stem)
    samples = loaded if isinstance(loaded, list) else [loaded]
    if not samples:
        raise Fault("", told("no_conversation"))
    conversations: list[ImportedConversation] = []
    room = MAX_MESSAGES
    for number, sample in enumerate(samples, 1):
        conversations.append(_sample(sample, where=f"record {number}", key=stem if len(samples) == 1 else f"{stem}-{number}", room=room))
        room -= len(conversations[-1].messages)
    if repeated := [key for key, n in Counter(c.key for c in conversations).items() if n > 1]:
        raise Fault("", told("two_called", name=short(repeated[0])))
    return tuple(conversations)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise Fault("", told("twin_fields", name=short(twice)))
    return made


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _sample(sample: object, *, where: str, key: str, room: int) -> ImportedConversation:
    talk = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(talk, dict):
        raise Fault(where, told("layout"))
    given = sample.get("sample_id")
    if given is not None:
        key = word(str(given) if isinstance(given, int) else given, where, "sample_id")
    where = f"{where} ({short(key)})"
    speakers = [word(talk.get(side), where, side) for side in ("speaker_a", "speaker_b")]
    if speakers[0].casefold() == speakers[1].casefold():
        raise Fault(where, told("one_name"))
    numbers = sorted(int(m[1]) for name in talk if (m := re.fullmatch(r"session_([1-9][0-9]{0,5})", name)))
    messages: list[ImportedMessage] = []
    left: Counter[str] = Counter()
    for number in numbers:
        turns, place = talk[f"session_{number}"], f"{where}, session {number}"
        if not isinstance(turns, list):
            raise Fault(place, told("session_shape"))
        if not turns:
            left["left_sessions"] += 1
            continue
        start = _session_start(talk.get(f"session_{number}_date_time"), place)
        for index, turn in enumerate(turns, 1):
            said = _turn(turn, f"{place}, turn {index}", left)
            if not said[1]:
                continue
            if len(messages) >= room:
                raise Fault(place, told("many_messages", most=MAX_MESSAGES))
            at = later(start, index - 1, place)
            messages.append(ImportedMessage(said[2] or f"T{len(messages) + 1}", said[0], said[1], at, number, index))
    left["left_sessions"] += sum(1 for name in talk if (m := re.fullmatch(r"(session_[0-9]+)_date_time", name)) and m[1] not in talk)
    known = {"speaker_a", "speaker_b", *(f"session_{n}" for n in numbers)}
    other = sorted(
        {k for k in talk if k not in known and not re.fullmatch(r"session_[0-9]+_date_time", k)}
        | (set(sample) - {"conversation", "sample_id"})
    )
    notices: list[str] = [told(what, n=n) for what, n in left.items() if n]
    if other:
        notices.append(told("other_fields", n=len(other), names=", ".join(map(short, other[:LISTED]))))
    return conversation(key, speakers, messages, notices, where, form="locomo")


def _turn(turn: object, where: str, left: Counter[str]) -> tuple[str, str, str]:
    """speaker, text (empty: leave it out), id (empty: none given)."""
    if not isinstance(turn, dict):
        raise Fault(where, told("turn_shape"))
    speaker = word(turn.get("speaker"), where, "speaker")
    given = turn.get("dia_id")
    external_id = "" if given is None else word(given, where, "dia_id")
    text, caption = turn.get("text"), turn.get("blip_caption")
    for name, value in (("text", text), ("blip_caption", caption)):
        if value is not None and not isinstance(value, str):
            raise Fault(where, told("not_text", name=name))
    if text is None and caption is None:
        raise Fault(where, told("no_text"))
    said = clean(text or "", where)
    if caption and said:
        left["left_captions"] += 1
    elif caption and caption.strip():
        said = clean(f"[{caption.strip()}]", where)
    if not said:
        left["left_empty"] += 1
    return speaker, said, external_id


def _session_start(value: object, where: str) -> datetime:
    try:
        found = parse_date(value) if isinstance(value, str) else None
    except ValueError as error:
        raise Fault(where, told("bad_date_why", date=short(value), why=str(error))) from error
    if found is None:
        raise Fault(where, told("no_date") if value is None else told("bad_date", date=short(value)))
    return found
