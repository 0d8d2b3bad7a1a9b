"""Files that are one JSON value, and their LoCoMo-style layout (described in `chat.import_formats`)."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime

from chat.import_dates import parse_date
from chat.import_pairs import is_diary, read_diary
from chat.imported import LISTED, MAX_MESSAGES, Fault, ImportedConversation, ImportedMessage, clean, conversation, later, short, word


def load(text: str, *, line: int | None = None, refuse_twins: bool = True) -> object:
    """One JSON value. line: its number, where each line is a value; refuse_twins: of two fields of one name, else the latter counts. Raises Fault."""
    where = "" if line is None else f"line {line}"
    try:
        return json.loads(text, object_pairs_hook=_object if refuse_twins else None, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        # An open string is reported where it begins.
        open_end = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - 1
        cut = "it breaks off before its end, or " if open_end else ""
        raise Fault(where or f"line {error.lineno}", f"{cut}it is not valid JSON ({error.msg})") from error
    except RecursionError as error:
        raise Fault(where, "its JSON is nested too deeply") from error
    except ValueError as error:
        # Python's own words for a number it will not read tell how to lift the limit, which is nothing to a reader of a file.
        reason = "a number of too many digits" if "digits" in str(error) else str(error)
        raise Fault(where, f"it is not valid JSON ({reason})") from error


def read_json(text: str, *, stem: str) -> tuple[ImportedConversation, ...]:
    loaded = load(text)
    if isinstance(loaded, dict) and is_diary(loaded):
        return read_diary(loaded, stem=stem)
    samples = loaded if isinstance(loaded, list) else [loaded]
    if not samples:
        raise Fault("", "it holds no conversation")
    conversations: list[ImportedConversation] = []
    room = MAX_MESSAGES
    for number, sample in enumerate(samples, 1):
        conversations.append(_sample(sample, where=f"record {number}", key=stem if len(samples) == 1 else f"{stem}-{number}", room=room))
        room -= len(conversations[-1].messages)
    if repeated := [key for key, n in Counter(c.key for c in conversations).items() if n > 1]:
        raise Fault("", f"two conversations are called {short(repeated[0])}")
    return tuple(conversations)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise Fault("", f"one object has two fields {short(twice)}")
    return made


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _sample(sample: object, *, where: str, key: str, room: int) -> ImportedConversation:
    talk = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(talk, dict):
        raise Fault(
            where,
            'an unknown layout: expected an object with a "conversation", people with a "history" each, one object a line, or lines "Name: text"',
        )
    given = sample.get("sample_id")
    if given is not None:
        key = word(str(given) if isinstance(given, int) else given, where, "sample_id")
    where = f"{where} ({short(key)})"
    speakers = [word(talk.get(side), where, side) for side in ("speaker_a", "speaker_b")]
    if speakers[0].casefold() == speakers[1].casefold():
        raise Fault(where, "both speakers have one name")
    numbers = sorted(int(m[1]) for name in talk if (m := re.fullmatch(r"session_([1-9][0-9]{0,5})", name)))
    messages: list[ImportedMessage] = []
    left: Counter[str] = Counter()
    for number in numbers:
        turns, place = talk[f"session_{number}"], f"{where}, session {number}"
        if not isinstance(turns, list):
            raise Fault(place, "a session is not a list of turns")
        if not turns:
            left["sessions without messages"] += 1
            continue
        start = _session_start(talk.get(f"session_{number}_date_time"), place)
        for index, turn in enumerate(turns, 1):
            said = _turn(turn, f"{place}, turn {index}", left)
            if not said[1]:
                continue
            if len(messages) >= room:
                raise Fault(place, f"more than {MAX_MESSAGES:,} messages")
            at = later(start, index - 1, place)
            messages.append(ImportedMessage(said[2] or f"T{len(messages) + 1}", said[0], said[1], at, number, index))
    left["sessions without messages"] += sum(
        1 for name in talk if (m := re.fullmatch(r"(session_[0-9]+)_date_time", name)) and m[1] not in talk
    )
    known = {"speaker_a", "speaker_b", *(f"session_{n}" for n in numbers)}
    other = sorted(
        {k for k in talk if k not in known and not re.fullmatch(r"session_[0-9]+_date_time", k)}
        | (set(sample) - {"conversation", "sample_id"})
    )
    notices = [f"{what} left out: {n:,}" for what, n in left.items() if n]
    if other:
        notices.append(f"other fields not read ({len(other):,}): {', '.join(map(short, other[:LISTED]))}")
    return conversation(key, speakers, messages, notices, where)


def _turn(turn: object, where: str, left: Counter[str]) -> tuple[str, str, str]:
    """speaker, text (empty: leave it out), id (empty: none given)."""
    if not isinstance(turn, dict):
        raise Fault(where, "a turn is not an object")
    speaker = word(turn.get("speaker"), where, "speaker")
    given = turn.get("dia_id")
    external_id = "" if given is None else word(given, where, "dia_id")
    text, caption = turn.get("text"), turn.get("blip_caption")
    for name, value in (("text", text), ("blip_caption", caption)):
        if value is not None and not isinstance(value, str):
            raise Fault(where, f"{name} is not text")
    if text is None and caption is None:
        raise Fault(where, "it has no text")
    said = clean(text or "", where)
    if caption and said:
        left["picture captions beside words"] += 1
    elif caption and caption.strip():
        said = clean(f"[{caption.strip()}]", where)
    if not said:
        left["empty messages"] += 1
    return speaker, said, external_id


def _session_start(value: object, where: str) -> datetime:
    try:
        found = parse_date(value) if isinstance(value, str) else None
    except ValueError as error:
        raise Fault(where, f"a bad date {short(value)} ({error})") from error
    if found is None:
        raise Fault(where, "it has no date" if value is None else f"a bad date {short(value)}")
    return found
