"""A card of another program as one of this house, and that back as what it was with what was changed here.

The object that came is kept as it is. What the house uses is made from it: the known fields in their types, the depth prompt, the lorebook, and a record of our
own. On its way out the original is changed in those fields alone that say something else by now than they said when it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from personas.cards.editing import amended
from personas.cards.reading import CardFile, avatar, read_card
from personas.pictures import face
from personas.record import MAX_LINE_CHARS, MAX_TAGS, known_record
from personas.written import TEXTS, check_size, one_line

EDITED = ("name", *TEXTS, "tags", "alternate_greetings")
"""Fields that can be changed here."""
_AS_READ = ("name", *TEXTS, "alternate_greetings", "group_only_greetings", "creator", "character_version", "nickname")


def read_with_face(raw: bytes, name: str = "") -> tuple[CardFile, bytes | None]:
    """A card's file, and its picture as an avatar. Raises CardRefused."""
    file = read_card(raw, name=name)
    picture = avatar(file)
    return file, face(picture) if picture is not None else None


def adopted(file: CardFile, *, language: str) -> dict[str, object]:
    """The Character Card V3 that the house uses of a file. language: of the character, where the card does not say it in a record of ours.

    Raises CharacterTooLarge.
    """
    card = file.card
    data: dict[str, object] = {name: value for name, value in asdict(card).items() if name in _AS_READ}
    data = {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}
    data["tags"] = _tags(card.tags)
    extensions: dict[str, object] = {"keepsake": record_of(file) or {"language": language, "tagline": ""}}
    if card.depth_prompt is not None:
        extensions["depth_prompt"] = asdict(card.depth_prompt)
    data["extensions"] = extensions
    if card.book is not None:
        data["character_book"] = _inner(file)["character_book"]
    made: dict[str, object] = {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}
    check_size(made)
    return made


def record_of(file: CardFile) -> Mapping[str, object] | None:
    """The record of ours that a card brings along, if it is one."""
    extensions = _inner(file).get("extensions")
    return known_record(extensions.get("keepsake")) if isinstance(extensions, dict) else None


def outgoing(file: CardFile, used: Mapping[str, object], *, language: str) -> CardFile:
    """The card as it came with what was changed here. used: what the house uses by now; language: as `adopted` was told. Raises CardRefused."""
    if file.original == used:
        return file
    before, now = _object(adopted(file, language=language)["data"]), _object(used["data"])
    changes = {name: now[name] for name in EDITED if name in now and now[name] != before.get(name)}
    ours = _object(now["extensions"]).get("keepsake")
    if ours != _object(before["extensions"])["keepsake"]:
        came = _inner(file).get("extensions")
        changes["extensions"] = {**(came if isinstance(came, dict) else {}), "keepsake": ours}
    return amended(file, changes) if changes else file


def _inner(file: CardFile) -> Mapping[str, object]:
    """The object that holds the card's fields."""
    data = file.original.get("data")
    return data if isinstance(data, dict) and file.report.form in ("v2", "v3") else file.original


def _tags(tags: tuple[str, ...]) -> list[str]:
    return [line for tag in tags if (line := one_line(tag)[:MAX_LINE_CHARS].strip())][:MAX_TAGS]


def _object(value: object) -> Mapping[str, object]:
    assert isinstance(value, dict)
    return value
