"""Messages as records, one object each, in the words of whichever program wrote them (described in `chat.import_formats`)."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, zip_longest

from chat.group_words import MOST
from chat.import_dates import moment_of
from chat.import_records import line_values, numbered
from chat.import_words import told
from chat.imported import (
    CHARACTER,
    LISTED,
    MAX_MESSAGES,
    MAX_NAME_CHARS,
    MAX_WORDINGS,
    PLAYER,
    SESSION_PAUSE,
    Fault,
    ImportedConversation,
    Remarks,
    Said,
    conversation,
    short,
)
from chat.portable_jsonl import MARK
from models.thoughts import thoughts_apart

PAIR = ("query", "response")
HEADER = ("user_name", "character_name", "chat_metadata")
_SPEAKERS = ("speaker", "name", "handle", "from", "sender", "sender_name", "author")
_TEXTS = ("text", "content", "message", "mes", "msg", "data", "value", "parts")
DATES = (
    *("timestamp", "send_date", "date", "time", "createdAt", "created_at", "created", "create_time", "update_time"),
    *("sent_at", "date_unixtime", "ts", "timestamp_ms"),
)
_THOUGHTS = ("reasoning", "reasoning_content", "thinking", "thoughts", "thought")
_READ = {
    *(
        *_SPEAKERS,
        *_TEXTS,
        *DATES,
        *_THOUGHTS,
        *PAIR,
        "role",
        "src",
        "id",
        "dia_id",
        "session",
        "is_user",
        "is_system",
        "swipes",
        "swipe_id",
        "extra",
    ),
    *(
        "swipe_info",
        "force_avatar",
        "original_avatar",
        "is_name",
        "title",
        "gen_started",
        "gen_finished",
        "characterId",
        "userId",
        "retries",
    ),
    *("isComment", "disabled", "uuid", "chatId", "parentId", "childrenIds", "type", "authorName", "from_id", "content_type", "saying"),
}
_ROLES = {
    **dict.fromkeys(("user", "human", "player", "prompter", "you"), True),
    **dict.fromkeys(("assistant", "ai", "bot", "char", "character", "model", "gpt", "chatgpt", "claude"), False),
}
_HIDDEN_ROLES = frozenset(("system", "developer", "tool", "function"))
_PROGRAMS = frozenset(("system", "sillytavern system", "note"))
"""Names under which programs speak for themselves."""
_NOT_SAID = frozenset(("keys", "key", "keysecondary", "insertion_order", "identifier", "uid"))
"""Fields of entries of lorebooks and presets, which have a name and a content too."""
_THINKING = frozenset(("thinking", "think", "reasoning", "thought", "thoughts", "reasoning_recap", "redacted_thinking"))
_NOT_WORDS = frozenset(
    "image image_url input_image audio input_audio video file document tool_use tool_call tool_result function_call".split()
)
"""Types of parts that are no words of whoever speaks, whatever they hold."""
_YES, _NO = frozenset(("true", "yes", "1", "y")), frozenset(("false", "no", "0", "n", ""))


def looks_like_lines(text: str) -> bool:
    """Whether the text is an object a line and not one value over many lines."""
    head = [line.lstrip() for _, line in islice(numbered(text), _LOOKED_AT)]
    first, second = [*head, "", ""][:2]
    if not first.startswith("{"):
        return first[:1] != "[" and 2 * sum(line[:1] + line[-1:] == "{}" for line in head) > len(head)
    if second.startswith("{"):
        return not first.endswith(("{", "[", ":", ","))
    loaded = next((value for _, value in line_values(first, Remarks())), None)
    if not isinstance(loaded, dict):
        return second.startswith('"') is False and sum(line[:1] + line[-1:] == "{}" for line in head) > 1
    return bool(second) or is_header(loaded) or any(isinstance(loaded.get(key), str) for key in (*_TEXTS, *PAIR))


_LOOKED_AT = 50
"""Lines by which a file is known."""


def is_header(record: Mapping[str, object]) -> bool:
    return any(key in record for key in HEADER) and not any(key in record for key in (*_TEXTS, *PAIR))


def is_message(record: object) -> bool:
    """Whether a record says something, and whose it is."""
    if not isinstance(record, dict) or record.keys() & _NOT_SAID:
        return False
    if PAIR[0] in record or PAIR[1] in record:
        return True
    says = any(_may_be_text(record.get(key)) for key in (*_TEXTS, *_THOUGHTS, "swipes"))
    return says and any(record.get(key) is not None for key in (*_SPEAKERS, "role", "src", "is_user", "userId"))


def _may_be_text(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(part, str) or (isinstance(part, dict) and ("type" in part or "text" in part)) for part in value)
    return isinstance(value, str) or (isinstance(value, dict) and any(key in value for key in ("parts", "text", "content")))


def read_records(
    records: Iterable[tuple[int, object]],
    remarks: Remarks,
    *,
    stem: str,
    modified: float,
    day_first: bool = False,
    place: Callable[[int], str] = "line {}".format,
    names: Mapping[bool, str] | None = None,
    of_a_program: bool = False,
) -> ImportedConversation:
    """The one conversation of numbered records. place: what a number is called; names: of the player (True) and the character, for messages without one.
    Raises Wordless where nothing is said."""
    reader = _Reader(remarks, day_first=day_first, names=dict(names or {}), of_a_program=of_a_program)
    for number, record in records:
        if len(reader.said) >= MAX_MESSAGES:
            remarks.add("left_rest", place(number), most=MAX_MESSAGES)
            break
        try:
            reader.read(record, number, place(number))
        except Fault as fault:
            remarks.lose(fault)
    return reader.made(stem, modified=modified)


@dataclass(frozen=True)
class _Spoken:
    """The words of a message, or of one of its wordings, apart from what was thought before them."""

    text: str
    thought: str = ""


class _Reader:
    """The state between records."""

    def __init__(self, remarks: Remarks, *, day_first: bool, names: dict[bool, str], of_a_program: bool) -> None:
        self.said: list[Said] = []
        self._remarks = remarks
        self._day_first = day_first
        self._names = names
        """By `is_user` the header's names, for messages without one."""
        self._unnamed: set[str] = set()
        self._other: set[str] = set()
        self._of_a_program = of_a_program
        self._pairs = self._asked = self._group = False
        """_asked: the last message was the player's; _group: the file tells several characters apart."""
        self._sides: dict[str, Counter[bool]] = {}
        """Who spoke as the player (True) and as a character, by the records that say so, in order."""
        self._session = 1
        self._given = ""
        self._ids: dict[str, tuple[str, str]] = {}
        self._last: datetime | None = None
        self._passed: datetime | None = None
        """The stamp of an empty message, which the next takes over."""

    def made(self, stem: str, *, modified: float) -> ImportedConversation:
        if self._other:
            self._remarks.add("other_fields", n=len(self._other), names=", ".join(map(short, sorted(self._other)[:LISTED])))
        self._name_sides()
        cast = tuple(name for name, sides in self._sides.items() if sides[False] >= sides[True])
        players = {name: sides[True] for name, sides in self._sides.items() if name not in cast}
        called = self._names.get(True, "")
        player = max(players, key=lambda name: (name == called, players[name]), default=PLAYER if PLAYER in self._unnamed else "")
        header = self._names.get(False, "")
        alone = header in cast and not self._group
        aliases = [(name, player) for name in players if name != player]
        aliases += [(name, header) for name in cast if alone and name != header]
        said = self.said
        if not alone and 2 <= len(cast) <= MOST and all(m.present is None for m in said) and not set(cast) & set(players):
            said = [replace(m, present=cast) for m in said]  # such files know nobody who is away
        form = "program" if self._of_a_program else "pairs" if self._pairs else "lines"
        speakers = (PLAYER, CHARACTER) if self._pairs else ()
        unnamed = sorted(self._unnamed, reverse=True)
        made = conversation(stem, speakers, said, self._remarks, "", form=form, modified=modified, unnamed=unnamed, aliases=aliases)
        return replace(made, player=player)

    def _name_sides(self) -> None:
        """Where one side has a name in some records, those without one are its own."""
        for side, is_user in ((PLAYER, True), (CHARACTER, False)):
            named = [name for name, sides in self._sides.items() if name != side and sides[is_user] > sides[not is_user]]
            if side in self._unnamed and named and (is_user or len(named) == 1):
                main = max(named, key=lambda name: self._sides[name][is_user])
                self._unnamed.discard(side)
                self._sides[main] += self._sides.pop(side, Counter())
                self.said = [replace(m, speaker=main) if m.speaker == side else m for m in self.said]

    def read(self, line: object, number: int, where: str) -> None:
        """Take in one record. Raises Fault for one that is left out."""
        if not isinstance(line, dict):
            raise Fault(where, told("not_object"))
        if is_header(line) and not self.said:
            self._header(line, where)
            return
        if line.get("isComment") or line.get("type") == "service":
            self._remarks.add("left_system", where)
            return
        extra = line.get("extra")
        ours = _ours(extra)
        kind = extra.get("type") if isinstance(extra, dict) else None
        present, room = _names(ours.get("present")), _names(ours.get("room"))
        if isinstance(extra, dict) and not extra.keys() <= {MARK, "type"} | _KNOWN_EXTRA:
            self._other.add("extra")
        self._other |= {key for key in line if isinstance(key, str)} - _READ
        narrates = (kind == "narrator" and room is None) or str(line.get("role")).casefold() == "narrator"
        system = self._flag(line, "is_system", where)
        hidden = ours.get("hidden") is True or bool(line.get("disabled")) or (bool(system) and room is None)
        stamp = self._stamp(line, where)
        external_id = self._remarks.word(next((line[key] for key in ("id", "dia_id") if line.get(key) not in (None, "")), ""), where)
        if PAIR[0] in line or PAIR[1] in line:
            self._pair(line, number, where, stamp, external_id)
            return
        is_user, speaker = self._speaker(line, where)
        if system and ours.get("hidden") is not True and room is None and self._programs_own(speaker, kind, is_user):
            speaker = ""
        if not speaker:
            self._remarks.add("left_system", where)
            return
        self._of_a_program |= any(key in line for key in ("mes", "msg", "data", "src"))
        self._group |= "original_avatar" in line
        wordings, chosen = self._wordings(line, where, thinks=is_user is not True)
        spoken = wordings[chosen]
        if is_user is not None and not narrates and room is None:
            self._sides.setdefault(speaker, Counter())[is_user] += 1
        self._open(line, stamp, where, answers=is_user is False and self._asked)
        self._asked = is_user is True
        several = len(wordings) > 1
        self._say(
            Said(
                number,
                speaker,
                spoken.text,
                stamp,
                self._session,
                external_id,
                tuple(one.text for one in wordings) if several else (),
                chosen if several else 0,
                hidden,
                present,
                room,
                narrates,
                tuple(one.thought for one in wordings) if any(one.thought for one in wordings) else (),
            ),
            where,
        )

    def _programs_own(self, speaker: str, kind: object, is_user: bool | None) -> bool:
        """Whether a system line is the program's and not one that a person hid."""
        return (isinstance(kind, str) and kind not in ("", "narrator")) or (is_user is not True and speaker.casefold() in _PROGRAMS)

    def _header(self, line: Mapping[str, object], where: str) -> None:
        for is_user, key in ((True, "user_name"), (False, "character_name")):
            name = self._remarks.word(line.get(key), where)
            if name and name != "unused":
                self._names[is_user] = name
        self._other |= set(line) - set(HEADER) - {"create_date"}

    def _pair(self, line: Mapping[str, object], number: int, where: str, stamp: datetime | None, external_id: str) -> None:
        self._pairs = True
        self._unnamed |= {PLAYER, CHARACTER}
        self._open(line, stamp, where)
        for key, speaker in zip(PAIR, (PLAYER, CHARACTER), strict=True):
            text = self._text(line.get(key), where)
            own = f"{external_id}{key[0]}" if external_id else ""
            self._say(Said(number, speaker, text, stamp, self._session, own), where)

    def _speaker(self, line: Mapping[str, object], where: str) -> tuple[bool | None, str]:
        """Whether it is the player, where that is said, and the name; none for a program's word to its model. Raises Fault where nobody is named."""
        is_user, role, src = self._flag(line, "is_user", where), line.get("role"), line.get("src")
        for holder, key in ((src, "is_human"), (line.get("author"), "is_human"), (line, "isCreatedByUser")):
            if is_user is None and isinstance(holder, dict):
                is_user = self._flag(holder, key, where)
        if isinstance(role, dict):
            role = role.get("role") or role.get("name")
        name = ""
        for key in (*_SPEAKERS, "authorName"):
            value = line.get(key)
            if isinstance(value, dict):
                role = value.get("role") or role
                value = next((value[k] for k in ("nickname", "displayName", "name", "username") if value.get(k)), None)
            if name := self._remarks.word(value, where):
                if key in ("from", "sender", "author") and role is None and name.casefold() in {*_ROLES, *_HIDDEN_ROLES}:
                    role, name = name, ""
                    continue
                break
        side = role.strip().casefold() if isinstance(role, str) else ""
        if side in _HIDDEN_ROLES and is_user is None:
            return None, ""
        name = name or (self._remarks.word(src.get("name"), where) if isinstance(src, dict) else "")
        if is_user is None and ("userId" in line or "characterId" in line):
            is_user = bool(line.get("userId"))
        if is_user is None:
            is_user = _ROLES.get(side)
        if not name and side and side not in _ROLES and is_user is None:
            name = self._remarks.word(role, where)
        if not name and is_user is None:
            raise Fault(where, told("missing", name="role" if "role" in line else "speaker"))
        if not name and is_user in self._names:
            return is_user, self._names[is_user]
        if not name:
            name = PLAYER if is_user else CHARACTER
            self._unnamed.add(name)
        return is_user, name

    def _flag(self, line: Mapping[str, object], key: str, where: str) -> bool | None:
        value = line.get(key)
        if value is None or isinstance(value, bool):
            return value
        word = f"{value:g}" if isinstance(value, int | float) else value.strip().casefold() if isinstance(value, str) else "?"
        if word in _YES or word in _NO:
            return word in _YES
        self._remarks.add("other_flags", where, name=key)
        return None

    def _stamp(self, line: Mapping[str, object], where: str) -> datetime | None:
        """When it was said; None where the record does not tell."""
        extra = line.get("src")
        given = next(
            (line[key] for key in DATES if line.get(key) not in (None, "")), extra.get("created") if isinstance(extra, dict) else None
        )
        if given is None:
            return None
        found, clock = None, line.get("time")
        if given is line.get("date") and isinstance(given, str) and isinstance(clock, str):
            found = moment_of(f"{given} {clock}", day_first=self._day_first)
        found = found or moment_of(given, day_first=self._day_first)
        if found is None:
            self._remarks.add("bad_dates", where, date=short(given))
        return found

    def _open(self, line: Mapping[str, object], stamp: datetime | None, where: str, *, answers: bool = False) -> None:
        """Another name of its session, or a pause where none is named, opens a session; no pause does between a player's message and what answers it, which may
        have been made again on another day."""
        given = self._remarks.word(line.get("session"), where)
        if not given:
            paused = stamp is not None and self._last is not None and stamp - self._last > SESSION_PAUSE
            self._session += bool(self.said) and not self._given and paused and not answers
        else:
            self._session += bool(self.said) and given != self._given
            self._given = given
        self._last = stamp or self._last

    def _say(self, said: Said, where: str) -> None:
        stamp = said.stamp or self._passed
        self._passed = None if said.text else stamp
        if not said.text:
            self._remarks.add("left_empty", where)
            return
        own = said.external_id
        if own and own in self._ids:
            if self._ids[own] == (said.speaker, said.text):
                self._remarks.add("left_twice", where)
                return
            self._remarks.add("twin_ids", where, name=short(own))
            own = ""
        if own:
            self._ids[own] = (said.speaker, said.text)
        self.said.append(said if (stamp, own) == (said.stamp, said.external_id) else replace(said, stamp=stamp, external_id=own))

    # Words

    def _wordings(self, line: Mapping[str, object], where: str, *, thinks: bool) -> tuple[list[_Spoken], int]:
        """All wordings of a message, at least one, and which of them it has. The text itself counts, whatever the list has in its place; where the list has no
        such place, the text is sought in it, and is a further wording if it is not there. Of a message without a text the chosen wording is it. Raises Fault."""
        extra = line.get("extra")
        shown = _thought_of(line) or (_thought_of(extra) if isinstance(extra, dict) else "")
        value, listed, at = _said_in(line), line.get("swipes"), line.get("swipe_id")
        if not isinstance(listed, list) and isinstance(line.get("retries"), list):
            listed, at = [None, *_list(line["retries"])], 0
        said = self._text(value, where)
        listed = _list(listed)[:_MOST_SWIPES]
        read = [self._text(one, where) for one in listed]
        if value is None and not shown and not any(read):
            raise Fault(where, told("no_text"))
        chosen = int(at) if isinstance(at, int | str) and not isinstance(at, bool) and re.fullmatch(r"\s*\d{1,8}\s*", str(at)) else -1
        if not said and any(read):
            chosen = chosen if 0 <= chosen < len(read) and read[chosen] else next(n for n, one in enumerate(read) if one)
            said = read[chosen]
        elif not 0 <= chosen < len(read):
            chosen = read.index(said) if said in read else len(read)
        text = self._spoken(said, shown, where) if thinks else _Spoken(said)
        if not any(read) or not text.text:
            return [text], 0
        read += [said] * (chosen == len(read))
        about = _list(line.get("swipe_info"))
        beside = [_thought_of(_mapping(_mapping(about[n]).get("extra"))) if n < len(about) else "" for n in range(len(read))]
        beside = [thought or _thought_of(_mapping(one)) for thought, one in zip_longest(beside, listed)]
        all_of = [self._spoken(one, thought, where) if thinks else _Spoken(one) for one, thought in zip(read, beside, strict=True)]
        all_of[chosen] = text
        kept = [(place == chosen, one) for place, one in enumerate(all_of) if one.text]
        if len(kept) > MAX_WORDINGS:
            self._remarks.add("cut_wordings", where, most=MAX_WORDINGS)
            kept = [one for place, one in enumerate(kept) if place < MAX_WORDINGS - 1 or one[0]][:MAX_WORDINGS]
        return [one for _, one in kept], [is_it for is_it, _ in kept].index(True)

    def _spoken(self, text: str, shown: str, where: str) -> _Spoken:
        """A reply without what its model thought. shown: what the file keeps apart itself."""
        heard = thoughts_apart(text)
        thought = "\n".join(part for part in (shown, heard[1]) if part)
        return _Spoken(heard[0], self._remarks.clean(thought, where) if thought else "")

    def _text(self, value: object, where: str) -> str:
        """The words of a text, a number, or of a list or an object that holds them."""
        words, pictures = words_of(value)
        if pictures:
            self._remarks.add("left_pictures", where, n=pictures)
        if value is not None and not isinstance(value, str | list | dict):
            self._remarks.add("other_text", where)
        return self._remarks.clean(words, where)


_MOST_SWIPES = 10_000
_KNOWN_EXTRA = frozenset(
    "api model reasoning reasoning_duration reasoning_type reasoning_signature gen_id token_count isSmallSys title display_text bias memory"
    " inline_image swipeable time_to_first_token uses_system_ui bookmark_link branches".split()
)


def words_of(value: object) -> tuple[str, int]:
    """The words of a value, and how many pictures and the like stand beside them."""
    if isinstance(value, str):
        return value, 0
    if isinstance(value, bool) or value is None:
        return "", 0
    if isinstance(value, int | float):
        return f"{value:.15g}" if isinstance(value, float) else str(value), 0
    if isinstance(value, dict):
        if _is_thought(value):
            return "", 0
        if str(value.get("type")) in _NOT_WORDS:
            return "", 1
        inner = [words_of(value[key]) for key in (*_TEXTS, "body") if value.get(key) is not None and not isinstance(value[key], bool)]
        return next((found for found in inner if found[0].strip()), inner[0] if inner else ("", int(bool(value))))
    if isinstance(value, Sequence):
        parts = [words_of(part) for part in value]
        joint = "" if any(isinstance(part, str) for part in value) and any(isinstance(part, dict) for part in value) else "\n"
        return joint.join(words for words, _ in parts if words), sum(pictures for _, pictures in parts)
    return "", 0


def _thought_of(record: Mapping[str, object]) -> str:
    """What a record keeps apart as thought before it was said."""
    for key in _THOUGHTS:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, list):
            parts = [
                words_of({k: v for k, v in part.items() if k not in ("type", "content_type")})[0]
                for part in value
                if isinstance(part, dict)
            ]
            if any(parts):
                return "\n".join(filter(None, parts))
    thinking = [
        next((words for key in ("thinking", "reasoning", "think", *_TEXTS) if (words := words_of(part.get(key))[0].strip())), "")
        for value in map(record.get, _TEXTS)
        for part in (value if isinstance(value, list) else [value])
        if isinstance(part, dict) and _is_thought(part)
    ]
    return "\n".join(filter(None, thinking))


def _is_thought(part: Mapping[str, object]) -> bool:
    """Whether a part of a message was thought, and not said."""
    return str(part.get("type") or part.get("content_type") or "") in _THINKING or part.get("thought") is True


def _said_in(record: Mapping[str, object]) -> object:
    """Of the fields that may hold the words the first that has some, else the first that is there; true and false are no words."""
    there = [record[key] for key in _TEXTS if record.get(key) is not None and not isinstance(record[key], bool)]
    return next((value for value in there if words_of(value)[0].strip()), next(iter(there), None))


def unescaped(text: str) -> str:
    """A text as it was written, where a program kept it as HTML shows it: with entities, and none of the signs that those stand for."""
    return html.unescape(text) if "&" in text and not any(sign in text for sign in "<>\"'") else text


def _ours(extra: object) -> Mapping[str, object]:
    """What this program wrote beside a line, as far as it may be what it writes."""
    mark = extra.get(MARK) if isinstance(extra, dict) else None
    return mark if isinstance(mark, dict) and mark.keys() <= {"hidden", "present", "room"} else {}


def _names(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or len(value) > MOST:
        return None
    names = tuple(name for name in value if isinstance(name, str) and name.strip() and len(name) <= MAX_NAME_CHARS and name.isprintable())
    return names if len(names) == len(value) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
