"""A character as the house knows it: a Character Card V3 with our own record under `extensions.keepsake`, checked on the way in.

The card's shape is that of the public Character Card V3 specification (`spec: chara_card_v3`, fields under `data`). Ours adds `language`,
`tagline`, `avatar` (an SVG), the persona record (RoleMemo, Tab. 10, as DualMem uses it) and stances.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal
from xml.etree import ElementTree

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from errors import KeepsakeError

MAX_CARD_BYTES = 4 * 2**20
"""As much as a card may hold that comes in as a file (`personas.cards`), most of it a lorebook; fields have their own limits below."""
MAX_AVATAR_BYTES = 4096
MAX_LINE_CHARS = 200
"""Of a name, a tagline, a tag."""
MAX_TEXT_CHARS = 200_000
MAX_STANCES, MAX_STATEMENT_CHARS = 100, 400
MAX_CUES, MAX_WORDINGS, MAX_WORDING_CHARS = 20, 12, 200
"""Of one stance, of one cue."""
MAX_TAGS = 100
MAX_GREETINGS = 1_000
_SVG = "{http://www.w3.org/2000/svg}"
_SVG_ELEMENTS = {"svg", "g", "defs", "clipPath", "linearGradient", "radialGradient", "stop"}
_SVG_ELEMENTS |= {"path", "circle", "ellipse", "rect", "line", "polygon", "polyline"}
_SVG_ATTRIBUTES = {
    "id",
    "viewBox",
    "width",
    "height",
    "d",
    "points",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "offset",
}
_SVG_ATTRIBUTES |= {"fill", "fill-opacity", "fill-rule", "clip-path", "clip-rule", "opacity", "stop-color", "stop-opacity", "transform"}
_SVG_ATTRIBUTES |= {"stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "gradientUnits", "gradientTransform"}
NOT_ON_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_MACRO = re.compile(r"\{\{\s*(user|char)\s*\}\}", re.IGNORECASE)


@dataclass(frozen=True)
class Stance:
    """A judgment only this persona's history would produce, and example facts about a player that call it up (DualMem 4)."""

    statement: str
    cues: tuple[tuple[str, ...], ...]
    """Each in one or more wordings; no wording twice, macros as in the card."""


@dataclass(frozen=True)
class PersonaRecord:
    """RoleMemo, Tab. 10. Empty where nothing is known."""

    category: str
    role_name: str
    title: str
    core_values: tuple[str, ...]
    personality: str
    background: str
    current_status: str
    goals: tuple[str, ...]
    dilemma: str
    expression_style: str
    hometown: str
    hobbies: tuple[str, ...]
    daily_hobby: str
    favorite_food: str
    favorite_animal: str
    favorite_plant: str
    preferred_travel_city: str
    content: str
    """The record in one paragraph."""


@dataclass(frozen=True)
class Note:
    """What the model is told of the character `depth` messages above the end of the conversation."""

    text: str
    depth: int


@dataclass(frozen=True)
class Character:
    """Texts are as in the card, macros unfilled; `fill` fills them."""

    id: str
    name: str
    language: str
    """BCP 47: `en`, `zh` …"""
    tagline: str
    avatar: str
    """A checked SVG document (shapes only: no script, reference or text), or empty."""
    description: str
    personality: str
    scenario: str
    greeting: str
    alternate_greetings: tuple[str, ...]
    example_dialogue: str
    system_prompt: str
    post_history_instructions: str
    nickname: str
    """What {{char}} stands for, where that is not the name."""
    note: Note | None
    persona: PersonaRecord
    stances: tuple[Stance, ...]
    card: Mapping[str, object]
    """The card as it came, unknown fields included; not to be changed."""


class CharacterRefused(KeepsakeError):
    """A character that was not taken in; params: `field` (a path such as `data.name`, may be empty), `reason`."""

    code = "character_refused"

    def __init__(self, *, field: str, reason: str) -> None:
        super().__init__(f"The character was not added: {field + ': ' if field else ''}{reason}.", field=field, reason=reason)


def fill(text: str, *, user: str, char: str) -> str:
    """Text with {{user}} and {{char}} replaced, whatever their letter case; one pass, so a name that looks like a macro stays a name."""
    names = {"user": user, "char": char}
    return _MACRO.sub(lambda found: names[found[1].lower()], text)


def read_character(raw: bytes, *, id: str) -> Character:
    """The character of a card's JSON file. Raises CharacterRefused."""
    if len(raw) > MAX_CARD_BYTES:
        raise CharacterRefused(field="", reason=f"the card is larger than {MAX_CARD_BYTES // 2**20} MiB")
    try:
        card = json.loads(raw.decode("utf-8-sig"))
    except RecursionError as error:
        raise CharacterRefused(field="", reason="the card is nested too deeply") from error
    except ValueError as error:  # not UTF-8, not JSON, or a number of thousands of digits
        raise CharacterRefused(field="", reason=f"the card is not valid JSON in UTF-8 ({error})") from error
    if not isinstance(card, dict):
        raise CharacterRefused(field="", reason="the card is not an object")
    return character_from_card(card, id=id)


def character_from_card(card: Mapping[str, object], *, id: str) -> Character:
    """The character of a Character Card V3 with a `keepsake` extension. Raises CharacterRefused with the first field at fault."""
    try:
        data = _Card.model_validate(card).data
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise CharacterRefused(field=".".join(map(str, first["loc"])), reason=first["msg"]) from error
    ours, noted = data.extensions.keepsake, data.extensions.depth_prompt
    return Character(
        id=id,
        name=data.name,
        language=ours.language,
        tagline=ours.tagline,
        avatar=ours.avatar,
        description=data.description,
        personality=data.personality,
        scenario=data.scenario,
        greeting=data.first_mes,
        alternate_greetings=data.alternate_greetings,
        example_dialogue=data.mes_example,
        system_prompt=data.system_prompt,
        post_history_instructions=data.post_history_instructions,
        nickname=data.nickname,
        note=Note(noted.prompt, noted.depth) if noted is not None and noted.prompt.strip() else None,
        persona=PersonaRecord(**ours.persona.model_dump()),
        stances=tuple(Stance(stance.statement, stance.cues) for stance in ours.stances),
        card=card,
    )


def known_record(value: object) -> Mapping[str, object] | None:
    """A `keepsake` extension as it is, or None if it is not as ours are."""
    try:
        _Keepsake.model_validate(value)
    except ValidationError:
        return None
    return value if isinstance(value, dict) else None


def _printable(text: str) -> str:
    if "\0" in text:
        raise ValueError("it holds a NUL character")
    return text


def _one_line(text: str) -> str:
    if text != text.strip() or NOT_ON_A_LINE.search(text):
        raise ValueError("it must be one line without spaces at its ends, control characters or changes of direction")
    return text


def _wordings(cue: object) -> object:
    """A cue in one wording may stand in the card as a bare text."""
    return (cue,) if isinstance(cue, str) else cue


def _distinct(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len({text.strip().casefold() for text in texts}) < len(texts):
        raise ValueError("it lists the same text twice")
    return texts


def _safe_svg(text: str) -> str:
    """An SVG that draws and does nothing else: known shapes and attributes, references only within itself."""
    if not text:
        return text
    if len(text.encode("utf-8")) > MAX_AVATAR_BYTES:
        raise ValueError(f"the drawing is larger than {MAX_AVATAR_BYTES} bytes")
    if "<!" in text or "<?" in text:  # declarations, entities and comments never reach the parser
        raise ValueError("the drawing holds a declaration or a comment")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"the drawing is not valid SVG ({error})") from error
    if root.tag != _SVG + "svg":
        raise ValueError("the drawing is not an SVG")
    for element in root.iter():
        if not element.tag.startswith(_SVG) or element.tag.removeprefix(_SVG) not in _SVG_ELEMENTS:
            raise ValueError("the drawing holds an element other than shapes")
        if (element.text or "").strip() or (element.tail or "").strip():
            raise ValueError("the drawing holds text")
        for name, value in element.attrib.items():
            if name not in _SVG_ATTRIBUTES or ("url" in value.lower() and not re.fullmatch(r"url\(#[A-Za-z][\w-]*\)", value)):
                raise ValueError("the drawing refers to something or acts")
    return text


_Line = Annotated[str, Field(max_length=MAX_LINE_CHARS), AfterValidator(_one_line)]
_Name = Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS), AfterValidator(_one_line)]
_Short = Annotated[str, Field(max_length=1000), AfterValidator(_printable)]
_Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS), AfterValidator(_printable)]
_Wording = Annotated[str, Field(min_length=1, max_length=MAX_WORDING_CHARS), AfterValidator(_one_line)]
_Cue = Annotated[tuple[_Wording, ...], Field(min_length=1, max_length=MAX_WORDINGS), BeforeValidator(_wordings)]
_Listed = Annotated[tuple[_Line, ...], Field(max_length=20)]


def _distinct_cues(cues: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    _distinct(tuple(text for cue in cues for text in cue))
    return cues


class _Loose(BaseModel):
    """Cards carry fields of other programs; they stay in `Character.card` and are read by nobody here."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Own(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Stance(_Own):
    statement: Annotated[str, Field(min_length=1, max_length=MAX_STATEMENT_CHARS), AfterValidator(_one_line)]
    cues: Annotated[tuple[_Cue, ...], Field(min_length=1, max_length=MAX_CUES), AfterValidator(_distinct_cues)]


def _distinct_stances(stances: tuple[_Stance, ...]) -> tuple[_Stance, ...]:
    _distinct(tuple(stance.statement for stance in stances))
    return stances


class _Persona(_Own):
    category: _Line = ""
    role_name: _Line = ""
    title: _Line = ""
    core_values: _Listed = ()
    personality: _Short = ""
    background: _Text = ""
    current_status: _Short = ""
    goals: _Listed = ()
    dilemma: _Short = ""
    expression_style: _Short = ""
    hometown: _Line = ""
    hobbies: _Listed = ()
    daily_hobby: _Line = ""
    favorite_food: _Line = ""
    favorite_animal: _Line = ""
    favorite_plant: _Line = ""
    preferred_travel_city: _Line = ""
    content: _Text = ""


class _Keepsake(_Own):
    language: Annotated[str, Field(max_length=35, pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
    tagline: _Line
    avatar: Annotated[str, AfterValidator(_safe_svg)] = ""
    persona: _Persona = _Persona()
    stances: Annotated[tuple[_Stance, ...], Field(max_length=MAX_STANCES), AfterValidator(_distinct_stances)] = ()


class _DepthPrompt(_Loose):
    prompt: _Text = ""
    depth: Annotated[int, Field(ge=0)] = 4


class _Extensions(_Loose):
    keepsake: _Keepsake
    depth_prompt: _DepthPrompt | None = None


class _Data(_Loose):
    name: _Name
    description: _Text
    personality: _Text = ""
    scenario: _Text = ""
    first_mes: _Text
    alternate_greetings: Annotated[tuple[_Text, ...], Field(max_length=MAX_GREETINGS)] = ()
    mes_example: _Text = ""
    system_prompt: _Text = ""
    post_history_instructions: _Text = ""
    creator: _Short = ""
    creator_notes: _Text = ""
    character_version: _Line = ""
    nickname: _Line = ""
    tags: Annotated[tuple[_Line, ...], Field(max_length=MAX_TAGS)] = ()
    extensions: _Extensions


class _Card(_Loose):
    spec: Literal["chara_card_v3"]
    spec_version: str
    data: _Data
