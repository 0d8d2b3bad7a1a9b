"""A character card as the house knows it: the fields of V3, whatever form they came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from personas.cards.fields import Fields
from personas.cards.lorebook import ROLES, Lorebook, read_book
from personas.cards.refused import CardFieldWrong, CardNameless
from personas.cards.report import Dropped, Form, Kept, Notes

V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
PYGMALION_NAMES = {
    "name": "char_name",
    "description": "char_persona",
    "first_mes": "char_greeting",
    "mes_example": "example_dialogue",
    "scenario": "world_scenario",
}
ALIASES = {
    **dict.fromkeys(("greeting", "firstmessage", "initialmessage", "openingmessage"), "first_mes"),
    **dict.fromkeys(("persona", "context"), "description"),
    **dict.fromkeys(("samplechat", "exampledialogs", "exampledialogue", "exampledialogues", "definition"), "mes_example"),
    **dict.fromkeys(("embeddedlorebook", "lorebook"), "character_book"),
}
"""Other programs' words for fields, squashed: text-generation-webui, Character.AI, Agnai and Chub."""
FIELDS: tuple[str, ...] = (
    *(*V1_FIELDS, "creator_notes", "system_prompt", "post_history_instructions", "alternate_greetings", "group_only_greetings", "tags"),
    *("creator", "character_version", "nickname", "creator_notes_multilingual", "source", "creation_date", "modification_date", "assets"),
    *("extensions", "character_book"),
)
"""Of V3, which has those of all versions."""
MAX_ASSETS = 5_000
_LOCAL_SCHEMES = ("embeded", "ccdefault", "data", "__asset")


@dataclass(frozen=True)
class Asset:
    type: str
    uri: str
    name: str
    ext: str


@dataclass(frozen=True)
class DepthPrompt:
    """A note on the character that stands `depth` messages above the end (SillyTavern's `extensions.depth_prompt`)."""

    prompt: str
    depth: int
    role: str


@dataclass(frozen=True)
class Card:
    """Texts are as in the card, macros and markup unread; empty where the card has none. Only name, nickname, creator, version and tags are on one line."""

    name: str
    description: str
    personality: str
    scenario: str
    first_mes: str
    mes_example: str
    creator_notes: str
    system_prompt: str
    post_history_instructions: str
    alternate_greetings: tuple[str, ...]
    group_only_greetings: tuple[str, ...]
    tags: tuple[str, ...]
    creator: str
    character_version: str
    nickname: str
    creator_notes_multilingual: tuple[tuple[str, str], ...]
    """Language and text."""
    source: tuple[str, ...]
    creation_date: int | None
    """Seconds since 1970 UTC; None where withheld."""
    modification_date: int | None
    assets: tuple[Asset, ...]
    depth_prompt: DepthPrompt | None
    book: Lorebook | None


def read_form(value: Mapping[str, object]) -> Form | None:
    """Which form of card an object is; None for none."""
    spec, data = value.get("spec"), value.get("data")
    if spec is None and isinstance(value.get("messages"), list):  # a conversation may say of its character what a card does
        return None
    if spec in ("chara_card_v2", "chara_card_v3"):
        return Form.V3 if spec == "chara_card_v3" else Form.V2
    if isinstance(data, dict) and spec is None and "name" in data and ("first_mes" in data or "description" in data):
        return Form.V2
    told = [name for name in V1_FIELDS if name in value]
    if len(told) >= 2 and (told != ["name", "description"] or value.keys() <= {*V1_FIELDS, "alternate_greetings", "tags", "creator"}):
        return Form.V1  # many things have a name and a description, and more that no card has
    return Form.PYGMALION if "char_name" in value else None


def read_fields(value: Mapping[str, object], form: Form, notes: Notes) -> Card:
    """The card of an object of that form. Raises CardRefused."""
    top = Fields(value, "", notes, names=field_names(value, form))
    if form in (Form.V1, Form.PYGMALION):
        fields, version = top, 1
    else:
        data = top.raw("data")
        if not isinstance(data, dict):
            raise CardFieldWrong("data")
        fields, version = Fields(data, "data", notes), 3 if form is Form.V3 else 2
        _version(top, form)
    card = _card(fields, version=version)
    if not card.name:
        raise CardNameless
    fields.rest()
    if fields is not top:
        for name in V1_FIELDS:
            if top.raw(name) is not None:
                notes.kept(Kept.BESIDE, name)
        top.rest()
    return card


def field_names(value: Mapping[str, object], form: Form) -> Mapping[str, str]:
    """What a flat card calls its fields, where that is not what V3 calls them."""
    if form is Form.PYGMALION:
        return PYGMALION_NAMES
    return {"creator_notes": "creatorcomment"} if form is Form.V1 and "creator_notes" not in value else {}


def _version(top: Fields, form: Form) -> None:
    """A version that is not known is told and no reason to refuse."""
    top.raw("spec")
    stated = top.text("spec_version", needed=True)
    expected = "3.0" if form is Form.V3 else "2.0"
    if stated and stated not in (expected, expected[0]):
        top.notes.dropped(Dropped.VERSION, "spec_version", stated)


def _card(fields: Fields, *, version: int) -> Card:
    """version: whose fields must be there; those of later ones are read as well where a card has them."""
    second, third = version >= 2, version >= 3
    extensions = Fields(fields.inner("extensions", needed=second), fields.at("extensions"), fields.notes)
    card = Card(
        name=fields.text("name", needed=True, line=True),
        description=fields.text("description", needed=True),
        personality=fields.text("personality", needed=True),
        scenario=fields.text("scenario", needed=True),
        first_mes=fields.text("first_mes", needed=True),
        mes_example=fields.text("mes_example", needed=True),
        creator_notes=fields.text("creator_notes", needed=second),
        system_prompt=fields.text("system_prompt", needed=second),
        post_history_instructions=fields.text("post_history_instructions", needed=second),
        alternate_greetings=fields.texts("alternate_greetings", needed=second),
        group_only_greetings=fields.texts("group_only_greetings", needed=third),
        tags=fields.texts("tags", needed=second, commas=True),
        creator=fields.text("creator", needed=second, line=True),
        character_version=fields.text("character_version", needed=second, line=True),
        nickname=fields.text("nickname", line=True),
        creator_notes_multilingual=_languages(fields),
        source=fields.texts("source"),
        creation_date=fields.moment("creation_date"),
        modification_date=fields.moment("modification_date"),
        assets=_assets(fields),
        depth_prompt=_depth_prompt(extensions),
        book=_book(fields),
    )
    extensions.rest(Kept.EXTENSION)
    return card


def _book(fields: Fields) -> Lorebook | None:
    value = fields.raw("character_book")
    if value is None:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("entries"), list | dict):
        fields.notes.dropped(Dropped.TYPE, fields.at("character_book"))
        return None
    fields.notes.used(fields.at("character_book"))
    return read_book(value, fields.at("character_book"), fields.notes)


def _languages(fields: Fields) -> tuple[tuple[str, str], ...]:
    notes = Fields(fields.inner("creator_notes_multilingual"), fields.at("creator_notes_multilingual"), fields.notes)
    return tuple((language, text) for language in notes.value if (text := notes.text(language, needed=True)))


def _assets(fields: Fields) -> tuple[Asset, ...]:
    found = []
    for asset in fields.objects("assets", limit=MAX_ASSETS):
        read = Asset(*(asset.text(key, needed=True) for key in ("type", "uri", "name", "ext")))
        scheme = read.uri.partition(":")[0].casefold()
        if scheme in _LOCAL_SCHEMES:
            found.append(read)
        else:  # nothing is fetched: an address in a card is a way to see who reads it
            fields.notes.dropped(Dropped.REMOTE, asset.at("uri"), scheme)
        asset.rest()
    return tuple(found)


def _depth_prompt(extensions: Fields) -> DepthPrompt | None:
    value = extensions.inner("depth_prompt")
    fields = Fields(value, extensions.at("depth_prompt"), extensions.notes)
    prompt = fields.text("prompt")
    depth, role = fields.whole("depth"), fields.text("role")
    if role and role not in ROLES:
        fields.notes.dropped(Dropped.VALUE, fields.at("role"), role)
        role = ""
    fields.rest(Kept.EXTENSION)
    return DepthPrompt(prompt, 4 if depth is None else max(depth, 0), role or "system") if prompt.strip() else None
