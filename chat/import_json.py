"""Files that are one JSON value with days in it: LoCoMo-style conversations and diaries (described in `chat.import_formats`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from chat.import_dates import moment_of
from chat.import_jsonl import PAIR, words_of
from chat.import_words import told
from chat.imported import CHARACTER, LISTED, MAX_MESSAGES, PLAYER, Fault, ImportedConversation, Remarks, Said, Wordless, conversation, short

_FIRST = datetime(1, 1, 2, tzinfo=UTC)
_SESSION = re.compile(r"session_([1-9][0-9]{0,5})")


def is_locomo(loaded: object) -> bool:
    """Conversations of two speakers in sessions."""
    samples = loaded if isinstance(loaded, list) else [loaded]
    return any(isinstance(sample, dict) and isinstance(sample.get("conversation"), dict) for sample in samples)


def is_diary(loaded: object) -> bool:
    """People by name with a history each, or one history alone."""
    if not isinstance(loaded, dict) or not loaded or "conversation" in loaded:
        return False
    histories = [one["history"] for one in loaded.values() if isinstance(one, dict) and isinstance(one.get("history"), dict)]
    return (bool(histories) and not any("messages" in history for history in histories)) or _is_history(loaded)


def _is_history(loaded: Mapping[str, object]) -> bool:
    days = [pairs for pairs in loaded.values() if isinstance(pairs, list)]
    return bool(days) and any(isinstance(p, dict) and PAIR[0] in p for pairs in days for p in pairs)


def read_locomo(loaded: object, remarks: Remarks, *, stem: str, modified: float) -> tuple[ImportedConversation, ...]:
    """Raises Fault where nothing is said."""
    samples = loaded if isinstance(loaded, list) else [loaded]
    keys = _Keys()
    room = MAX_MESSAGES
    found: list[ImportedConversation] = []
    for number, sample in enumerate(samples, 1):
        where = f"record {number}"
        own = remarks if len(samples) == 1 else Remarks()
        try:
            talk = sample.get("conversation") if isinstance(sample, dict) else None
            if not isinstance(sample, dict) or not isinstance(talk, dict):
                raise Fault(where, told("layout"))
            given = own.word(sample.get("sample_id"), where)
            if given:
                where = f"{where} ({short(given)})"
            key = keys.free(given or (stem if len(samples) == 1 else f"{stem}-{number}"))
            found.append(_sample(sample, talk, own, where=where, key=key, room=room, modified=modified))
            room -= len(found[-1].messages)
        except Fault as fault:
            if len(samples) == 1:
                raise
            remarks.lose(fault)
    return _all(found, remarks, told_once=len(samples) > 1)


class _Keys:
    """Names of conversations, each given once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, key: str) -> str:
        own, number = key, 1
        while own in self._taken:
            own, number = f"{key} ({number + 1})", number + 1
        self._taken.add(own)
        return own


def _all(found: list[ImportedConversation], remarks: Remarks, *, told_once: bool) -> tuple[ImportedConversation, ...]:
    """The conversations of a file, each with what is told of the whole file."""
    if not found:
        raise Wordless("", told("no_conversation"))
    whole = remarks.told() if told_once else []
    return tuple(replace(one, notices=(*whole, *one.notices)) for one in found)


def _sample(
    sample: Mapping[str, object], talk: Mapping[str, object], remarks: Remarks, *, where: str, key: str, room: int, modified: float
) -> ImportedConversation:
    speakers = [name for side in ("speaker_a", "speaker_b") if (name := remarks.word(talk.get(side), where))]
    numbers = sorted(int(m[1]) for name in talk if (m := _SESSION.fullmatch(name)))
    said: list[Said] = []
    ids: set[str] = set()
    empty = sum(1 for name in talk if (m := re.fullmatch(r"(session_[0-9]+)_date_time", name)) and m[1] not in talk)
    for number in numbers:
        turns, place = talk[f"session_{number}"], f"{where}, session {number}"
        if not isinstance(turns, list):
            remarks.lose(Fault(place, told("session_shape")))
            continue
        empty += not turns
        at = _day(talk.get(f"session_{number}_date_time"), place, remarks) if turns else None
        for index, turn in enumerate(turns, 1):
            if len(said) >= room:
                remarks.add("left_rest", place, most=MAX_MESSAGES)
                break
            try:
                speaker, text, external_id = _turn(turn, f"{place}, turn {index}", remarks)
            except Fault as fault:
                remarks.lose(fault)
                continue
            if not text:
                remarks.add("left_empty", f"{place}, turn {index}")
                continue
            if external_id in ids:
                remarks.add("twin_ids", f"{place}, turn {index}", name=short(external_id))
                external_id = ""
            ids.add(external_id or f"T{len(said) + 1}")
            said.append(Said(index, speaker, text, at, number, external_id))
            at = None
    if empty:
        remarks.add("left_sessions", n=empty)
    known = {"speaker_a", "speaker_b", *(f"session_{n}" for n in numbers)}
    other = {k for k in talk if k not in known and not re.fullmatch(r"session_[0-9]+_date_time", k)} | (
        set(sample) - {"conversation", "sample_id"}
    )
    _others(other, remarks)
    return conversation(key, speakers, said, remarks, where, form="locomo", modified=modified)


def _others(names: set[str], remarks: Remarks) -> None:
    if names:
        remarks.add("other_fields", n=len(names), names=", ".join(map(short, sorted(names)[:LISTED])))


def _turn(turn: object, where: str, remarks: Remarks) -> tuple[str, str, str]:
    """speaker, text (empty: leave it out), id (empty: none given). Raises Fault."""
    if not isinstance(turn, dict):
        raise Fault(where, told("turn_shape"))
    speaker = remarks.word(turn.get("speaker"), where)
    if not speaker:
        raise Fault(where, told("missing", name="speaker"))
    text, caption = turn.get("text"), turn.get("blip_caption")
    if text is None and caption is None:
        raise Fault(where, told("no_text"))
    said, shown = (remarks.clean(words_of(value)[0], where) for value in (text, caption))
    if shown and said:
        remarks.add("left_captions", where)
    return speaker, said or (f"[{shown}]" if shown else ""), remarks.word(turn.get("dia_id"), where)


def _day(value: object, where: str, remarks: Remarks) -> datetime | None:
    """None where there is none, or it is none that can be read: then the neighbours say when it was."""
    found = moment_of(value)
    if found is None:
        remarks.add("bad_dates", where, date=short(value))
    return found


def read_diary(loaded: Mapping[str, object], remarks: Remarks, *, stem: str, modified: float) -> tuple[ImportedConversation, ...]:
    """One conversation for each person, each with a character that has no name in the file. Raises Fault where nothing is said."""
    if _is_history(loaded):
        return (_person(loaded, remarks, key=stem, player=PLAYER, other=set(), room=MAX_MESSAGES, where="", modified=modified),)
    keys = _Keys()
    found: list[ImportedConversation] = []
    room = MAX_MESSAGES
    for given, record in loaded.items():
        where = f"user {short(given)}"
        try:
            player, history = remarks.word(given, where), record.get("history") if isinstance(record, dict) else None
            if not player or not isinstance(record, dict) or not isinstance(history, dict):
                raise Fault(where, told("layout"))
            own, other = Remarks(), set(record) - {"history", "name"}
            found.append(
                _person(history, own, key=keys.free(player), player=player, other=other, room=room, where=where, modified=modified)
            )
            room -= len(found[-1].messages)
        except Fault as fault:
            if len(loaded) == 1:
                raise
            remarks.lose(fault)
    return _all(found, remarks, told_once=True)


def _person(
    history: Mapping[str, object], remarks: Remarks, *, key: str, player: str, other: set[str], room: int, where: str, modified: float
) -> ImportedConversation:
    said: list[Said] = []
    for session, (day, place, pairs) in enumerate(_days(history, where, remarks), 1):
        at = day
        for number, pair in enumerate(pairs, 1):
            spot = f"{place}, pair {number}"
            if not isinstance(pair, dict):
                remarks.lose(Fault(spot, told("pair_shape")))
                continue
            other |= set(pair) - set(PAIR)
            for name, speaker in zip(PAIR, (player, CHARACTER), strict=True):
                text = remarks.clean(words_of(pair.get(name))[0], spot)
                if not text:
                    remarks.add("left_empty", spot)
                elif len(said) >= room:
                    remarks.add("left_rest", spot, most=MAX_MESSAGES)
                    break
                else:
                    said.append(Said(number, speaker, text, at, session))
                    at = None
    _others(other, remarks)
    unnamed = (PLAYER, CHARACTER) if player == PLAYER and not where else (CHARACTER,)
    made = conversation(key, [player, CHARACTER], said, remarks, where, form="diary", modified=modified, unnamed=unnamed)
    return replace(made, player=player)


def _days(history: Mapping[str, object], where: str, remarks: Remarks) -> Iterator[tuple[datetime | None, str, list[object]]]:
    """The days of a history in the order of the calendar; one without a date stays behind the one above it."""
    days: list[tuple[datetime | None, str, list[object]]] = []
    order: list[tuple[datetime, int]] = []
    for given, pairs in history.items():
        place = f"{where}, {short(given)}" if where else short(given)
        day = _day(given, place, remarks)
        if not isinstance(pairs, list):
            remarks.lose(Fault(place, told("day_shape")))
            continue
        order.append((day or (order[-1][0] if order else _FIRST), len(days)))
        days.append((day, place, pairs))
    yield from (days[n] for _, n in sorted(order))
