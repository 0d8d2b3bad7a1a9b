"""Diaries of question and answer, `{user: {"history": {date: [{"query": …, "response": …}]}}}` (described in `chat.import_formats`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from chat.import_dates import parse_date
from chat.import_words import told
from chat.imported import (
    CHARACTER,
    LISTED,
    MAX_MESSAGES,
    PLAYER,
    Fault,
    ImportedConversation,
    ImportedMessage,
    clean,
    conversation,
    later,
    short,
    word,
)

PAIR = ("query", "response")


def is_diary(loaded: object) -> bool:
    """People by name with a history each, or one history alone."""
    if not isinstance(loaded, dict) or not loaded or "conversation" in loaded:
        return False
    return all(isinstance(v, dict) and isinstance(v.get("history"), dict) for v in loaded.values()) or _is_history(loaded)


def _is_history(loaded: Mapping[str, object]) -> bool:
    return all(isinstance(pairs, list) and pairs and all(isinstance(p, dict) and "query" in p for p in pairs) for pairs in loaded.values())


def read_diary(loaded: Mapping[str, object], *, stem: str) -> tuple[ImportedConversation, ...]:
    """One conversation for each person, each with a character that has no name in the file. Raises Fault."""
    if _is_history(loaded):
        return (_person(loaded, key=stem, player=PLAYER, other=set(), room=MAX_MESSAGES, where=""),)
    conversations: list[ImportedConversation] = []
    room = MAX_MESSAGES
    for given, record in loaded.items():
        where = f"user {short(given)}"
        player = word(given, where, "name")
        assert isinstance(record, dict)
        history = record["history"]
        conversations.append(_person(history, key=player, player=player, other=set(record) - {"history", "name"}, room=room, where=where))
        room -= len(conversations[-1].messages)
    if repeated := [key for key, n in Counter(c.key for c in conversations).items() if n > 1]:
        raise Fault("", told("two_called", name=short(repeated[0])))
    return tuple(conversations)


def _person(history: Mapping[str, object], *, key: str, player: str, other: set[str], room: int, where: str) -> ImportedConversation:
    days: list[tuple[datetime, str, object]] = []
    for given, pairs in history.items():
        place = _place(where, short(given))
        days.append((_day(given, place), place, pairs))
    messages: list[ImportedMessage] = []
    empty = 0
    for session, (day, place, pairs) in enumerate(sorted(days, key=lambda d: d[0]), 1):
        if not isinstance(pairs, list):
            raise Fault(place, told("day_shape"))
        for number, pair in enumerate(pairs, 1):
            said = pair_of(pair, f"{place}, pair {number}")
            other |= set(pair) - set(PAIR)
            for half, (speaker, text) in enumerate(zip((player, CHARACTER), said, strict=True)):
                if not text:
                    empty += 1
                    continue
                if len(messages) >= room:
                    raise Fault(place, told("many_messages", most=MAX_MESSAGES))
                at = later(day, 2 * (number - 1) + half, place)
                messages.append(ImportedMessage(f"T{len(messages) + 1}", speaker, text, at, session, number))
    notices: list[str] = [told("left_empty", n=empty)] if empty else []
    if other:
        notices.append(told("other_fields", n=len(other), names=", ".join(map(short, sorted(other)[:LISTED]))))
    unnamed = (PLAYER, CHARACTER) if player == PLAYER and not where else (CHARACTER,)
    made = conversation(key, [player, CHARACTER], messages, notices, where, unnamed=unnamed, form="diary")
    return replace(made, player=player)


def pair_of(pair: object, where: str) -> tuple[str, str]:
    """What was asked and what was answered; either may be empty."""
    if not isinstance(pair, dict):
        raise Fault(where, told("pair_shape"))
    asked, answered = (_half(pair, name, where) for name in PAIR)
    return asked, answered


def _half(pair: Mapping[str, object], name: str, where: str) -> str:
    value = pair.get(name)
    if not isinstance(value, str):
        raise Fault(where, told("missing" if value is None else "not_text", name=name))
    return clean(value, where)


def _day(given: str, where: str) -> datetime:
    try:
        found = parse_date(given)
    except ValueError as error:
        raise Fault(where, told("bad_date_why", date=short(given), why=str(error))) from error
    if found is None:
        raise Fault(where, told("bad_date", date=short(given)))
    return found


def _place(where: str, day: str) -> str:
    return f"{where}, {day}" if where else day
