"""Memory by itself as a file: one JSON object with everything that a conversation remembers, to be read by people and programs ([more](docs/memory_file.md))."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, JsonValue, ValidationError

from chat.carried import STANCES, Belongings, Line, Thing, Whence
from chat.carried_words import provenance
from chat.errors import MemoryFileRefused
from chat.text import keepable
from memory.persona_keys import KEYS
from settings import VERSION as PROGRAM
from storage.records import Kind, sha256, to_ms
from storage.wall import at_ms, offset_of

FORMAT, VERSION = "keepsake-memory", 1
SUFFIX = ".memory.json"
MOST_BYTES = 32 * 2**20
MOST_THINGS = 40_000
"""A thing takes some 700 bytes, and a conversation of 10,000 rounds has some 20,000."""
MOST_ROUNDS = 10_000_000
MOST_NAMES = 100
"""Of one object: a memory has some twenty."""
MOST_BRACKETS = 2_000_000
"""Of a file: the largest has a tenth, and each that opens takes fifty bytes of memory and more."""
EARLIEST_MS, LATEST_MS = -62_135_596_800_000, 253_402_300_799_000
"""The first second of the year 1 and the last of the year 9999, UTC: a millisecond that is rounded up from a later moment is in none."""


def _kept(text: str) -> str:
    return keepable(text)


def _day(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a time without a zone")
    try:
        kept = EARLIEST_MS <= to_ms(_at(text)) <= LATEST_MS
    except OverflowError:
        kept = False
    if not kept:  # nothing could read what would be kept of it
        raise ValueError("a time outside of the calendar")
    return text


def _of_few_names(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    if len(pairs) > MOST_NAMES:
        raise ValueError(f"an object has more than {MOST_NAMES} names")
    return dict(pairs)


Name = Annotated[str, Field(max_length=1_000), AfterValidator(_kept)]
Text = Annotated[str, Field(max_length=20_000), AfterValidator(_kept)]
Day = Annotated[str, Field(max_length=40), AfterValidator(_day)]
Id = Annotated[str, Field(pattern=r"^([0-9a-f]{16,64})?$")]
"""As a bundle takes it (`chat.portable_fields`), or nothing."""
Number = Annotated[int, Field(ge=-MOST_ROUNDS, le=MOST_ROUNDS)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Line(_Part):
    text: Text
    round: Number
    said_at: Day


class _From(_Part):
    title: Name
    character: Name = ""
    conversation: Id = ""
    first_round: Number
    last_round: Number


class _Thing(_Part):
    kind: Literal["fact", "persona", "insight", "plot", "topic"]
    text: Annotated[Text, Field(min_length=1)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    about: Name = ""
    said_by: Name = ""
    by_player: bool = False
    own: bool = False
    first_round: Number
    last_round: Number
    said_at: Day
    happened: Annotated[list[Day], Field(min_length=2, max_length=2)] | None = None
    sure: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0
    status: Literal["living", "former", "forgotten", "left_out"] = "living"
    pinned: bool = False
    edited: bool = False
    key: Name = ""
    quote: Text = ""
    stance: Annotated[str, Field(pattern=r"^[0-9a-z:_-]{0,200}$")] = ""
    tier: Annotated[int, Field(ge=0, le=9)] = 0
    lines: Annotated[list[_Line], FailFast(), Field(max_length=1_000)] = []
    place: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    rests_on: Annotated[list[Annotated[int, Field(ge=0, lt=MOST_THINGS)]], Field(max_length=100)] = []
    came_from: _From
    provenance: Text = ""


class _Conversation(_Part):
    title: Name
    id: Id = ""
    character: Name
    player: Name
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    rounds: Annotated[int, Field(ge=0, le=MOST_ROUNDS)]


class _File(_Part):
    format: Literal["keepsake-memory"]
    version: Literal[1]
    program: Name = ""
    made_at: Day
    conversation: _Conversation
    memories: Annotated[list[_Thing], FailFast(), Field(max_length=MOST_THINGS)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


def checksum(content: dict[str, JsonValue]) -> str:
    """SHA-256, in hex, of the file's JSON without its own `sha256`: keys sorted, no blanks, in UTF-8."""
    bare = {name: value for name, value in content.items() if name != "sha256"}
    return sha256(json.dumps(bare, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False))


def written(what: Belongings) -> bytes:
    """The file, indented, so that it can be read."""
    content: dict[str, JsonValue] = {
        "format": FORMAT,
        "version": VERSION,
        "program": PROGRAM,
        "made_at": _iso(datetime.now(UTC).replace(microsecond=0)),
        "conversation": {
            "title": what.title,
            "id": what.chat,
            "character": what.character,
            "player": what.player,
            "language": what.language,
            "rounds": what.rounds,
        },
        "memories": [_written(thing, what) for thing in what.things],
    }
    return json.dumps({**content, "sha256": checksum(content)}, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _written(thing: Thing, what: Belongings) -> JsonValue:
    whence = thing.whence
    lines: list[JsonValue] = [{"text": line.text, "round": line.round, "said_at": _iso(line.said_at)} for line in thing.lines]
    rests_on: list[JsonValue] = list(thing.rests_on)
    optional: dict[str, JsonValue] = {
        "happened": [_iso(moment) for moment in thing.event] if thing.event else None,
        "key": thing.key,
        "quote": thing.quote,
        "stance": thing.slot.removeprefix(STANCES),
        "tier": thing.tier,
        "lines": lines,
        "place": thing.place,
        "rests_on": rests_on,
    }
    return {
        "kind": thing.kind.value,
        "text": thing.text,
        "language": thing.language,
        "about": thing.subject,
        "said_by": thing.said_by,
        "by_player": thing.player,
        "own": thing.own,
        "first_round": thing.first,
        "last_round": thing.last,
        "said_at": _iso(thing.said_at),
        "sure": thing.trust,
        "status": thing.state,
        "pinned": thing.pinned,
        "edited": thing.edited,
        **{name: value for name, value in optional.items() if value},
        "came_from": {
            "title": whence.title,
            "character": whence.character,
            "conversation": whence.chat,
            "first_round": whence.first,
            "last_round": whence.last,
        },
        "provenance": provenance(thing, language=what.language),
    }


def read(raw: bytes) -> Belongings:
    """What a file holds. Raises MemoryFileRefused, with what is wrong and where; nothing of a file that is not right is taken."""
    if len(raw) > MOST_BYTES:
        raise _refused("large", "", f"it has more than {MOST_BYTES // 2**20} MB")
    if raw.count(b"[") + raw.count(b"{") > MOST_BRACKETS:
        raise _refused("json", "", f"it has more than {MOST_BRACKETS:,} brackets")
    try:
        content = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_of_few_names)
    except (ValueError, RecursionError) as error:
        raise _refused("json", "", str(error)[:200]) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _refused("strange", "", "it says no format of this program's")
    if content.get("version") != VERSION:
        raise _refused("version", "", f"its version is {str(content.get('version'))[:20]}")
    try:
        if content.get("sha256") is not None and content["sha256"] != checksum(content):
            raise _refused("damaged", "", "its contents are not those that its SHA-256 was made of")
        file = _File.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise _refused("content", ".".join(map(str, first["loc"]))[:MOST_NAMES], str(first["msg"])[:200]) from error
    except (ValueError, RecursionError) as error:
        raise _refused("json", "", str(error)[:200]) from error
    return _belongings(file)


def _belongings(file: _File) -> Belongings:
    about = file.conversation
    things = []
    for number, one in enumerate(file.memories):
        if wrong := _wrong(one, file, number):
            raise _refused("content", f"memories.{number}", wrong)
        kind = Kind(one.kind)
        things.append(
            Thing(
                kind=kind,
                text=one.text,
                language=one.language,
                subject=one.about,
                said_by=one.said_by,
                own=kind is Kind.PERSONA or (kind is Kind.FACT and one.own and one.by_player),
                first=one.first_round,
                last=one.last_round,
                said_at=_at(one.said_at),
                whence=Whence(
                    one.came_from.title,
                    one.came_from.character,
                    one.came_from.conversation,
                    one.came_from.first_round,
                    one.came_from.last_round,
                ),
                player=one.by_player or kind is Kind.PERSONA,
                key=one.key,
                quote=one.quote,
                slot=STANCES + one.stance if one.stance else "",
                tier=one.tier,
                lines=tuple(Line(line.text, line.round, _at(line.said_at)) for line in one.lines),
                place=one.place,
                event=(_at(one.happened[0]), _at(one.happened[1])) if one.happened else None,
                trust=one.sure,
                pinned=one.pinned,
                edited=one.edited,
                state=one.status,
                rests_on=tuple(one.rests_on),
            )
        )
    return Belongings(about.title, about.id, about.character, about.player, about.language, about.rounds, tuple(things))


def _wrong(one: _Thing, file: _File, number: int) -> str:
    """What of a memory does not fit the rest; empty if all does."""
    if not one.first_round <= one.last_round <= file.conversation.rounds:
        return "its rounds are none of the conversation's"
    if any(not one.first_round <= line.round <= one.last_round for line in one.lines):
        return "a line of it is of another round"
    if one.happened and _at(one.happened[0]) > _at(one.happened[1]):
        return "what it tells of ended before it began"
    if any(ground >= len(file.memories) or file.memories[ground].kind != "fact" or ground == number for ground in one.rests_on):
        return "it rests on something that is no fact of the file"
    if one.kind == "persona" and one.key not in KEYS:
        return "it has no key that is known"
    if (one.kind == "plot") != bool(one.lines and one.tier) or (one.kind != "plot" and (one.lines or one.tier)):
        return "a piece of the story has a tier and lines, and nothing else has"
    if one.stance and one.kind != "insight":
        return "a stance is of an insight"
    return ""


def _refused(kind: str, where: str, reason: str) -> MemoryFileRefused:
    """where, reason: may hold what stands in the file, half a surrogate pair as well."""
    where, reason = keepable(where), keepable(reason)
    return MemoryFileRefused(f"This file was not taken in: {reason}. Nothing was changed.", kind=kind, where=where, reason=reason)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _iso(moment: datetime) -> str:
    return moment.isoformat()


def _at(text: str) -> datetime:
    """On the wall that it names: which day it was there counts."""
    moment = datetime.fromisoformat(text)
    return at_ms(to_ms(moment), offset_of(moment))
