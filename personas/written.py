"""A character as a person writes it in a form, and the card it becomes.

Texts are cleaned where nothing is lost by it (line ends, blanks at the ends of a line) and refused where something would be.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from errors import KeepsakeError
from personas import stance_text
from personas.record import MAX_CARD_BYTES, MAX_LINE_CHARS, MAX_TAGS, MAX_TEXT_CHARS, Character, character_from_card

BETWEEN_TAGS = re.compile("[,，、]")
"""In the one field of a form that all tags are typed into."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
MAX_LANGUAGE_CHARS = 35


@dataclass(frozen=True)
class Written:
    """What a person writes of a character. Lines have no blanks at their ends, no control characters and no changes of direction."""

    name: str
    language: str
    """BCP 47: `en`, `zh` …"""
    tagline: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_mes: str = ""
    mes_example: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    creator_notes: str = ""
    stances: str | None = None
    """As `personas.stance_text` reads them; None where they are left as they are, and where there are none."""
    tags: tuple[str, ...] = ()


STANCES = "stances"
TEXTS = tuple(f.name for f in fields(Written) if f.name not in ("name", "language", "tagline", "tags", STANCES))
"""The fields of several lines, as a card names them."""


class CharacterUnnamed(KeepsakeError):
    """Param: `field`."""

    code = "character_unnamed"


class CharacterTextTooLong(KeepsakeError):
    """Params: `field`, `length`, `limit`, in characters."""

    code = "character_text_too_long"


class CharacterTagsTooMany(KeepsakeError):
    """Params: `field`, `limit`."""

    code = "character_tags_too_many"


class CharacterLanguageUnknown(KeepsakeError):
    """Param: `field`."""

    code = "character_language_unknown"


class CharacterTooLarge(KeepsakeError):
    """All fields together; params: `size`, `limit`, in KiB."""

    code = "character_too_large"


def written(texts: Mapping[str, str], *, tags: Sequence[str] = ()) -> Written:
    """What was typed into the fields by name, cleaned. Raises an error of this module with the first field at fault."""
    name, tagline = one_line(texts.get("name", "")), one_line(texts.get("tagline", ""))
    if not name:
        raise CharacterUnnamed("A character needs a name.", field="name")
    language = texts.get("language", "")
    if len(language) > MAX_LANGUAGE_CHARS or not _LANGUAGE.fullmatch(language):
        raise CharacterLanguageUnknown("This is no language the character could speak: choose one from the list.", field="language")
    kept = _told_apart(tags)
    if len(kept) > MAX_TAGS:
        raise CharacterTagsTooMany(f"{MAX_TAGS} tags are the most.", field="tags", limit=MAX_TAGS)
    for field, line in (("name", name), ("tagline", tagline), *(("tags", tag) for tag in kept)):
        _within(field, line, MAX_LINE_CHARS)
    long = {field: cleaned(texts.get(field, "")) for field in TEXTS}
    for field, text in long.items():
        _within(field, text, MAX_TEXT_CHARS)
    stances = None if texts.get(STANCES) is None else cleaned(texts[STANCES])
    _within(STANCES, stances or "", MAX_TEXT_CHARS)
    return Written(name=name, language=language, tagline=tagline, tags=kept, stances=stances, **long)


def written_of(character: Character) -> Written:
    """What a form shows of a character."""
    data = character.card["data"]
    assert isinstance(data, Mapping)
    texts = {field: str(data.get(field, "")) for field in TEXTS}
    return Written(
        name=character.name,
        language=character.language,
        tagline=character.tagline,
        tags=tuple(map(str, data.get("tags", ()))),
        stances=stance_text.as_written(character.stances) or None,
        **texts,
    )


def card_of(new: Written, *, before: Mapping[str, object] | None = None) -> dict[str, object]:
    """The Character Card V3 of what was written. before: the card it changes; whatever a form does not show of that, or shows as it was, stays as it is.

    Raises CharacterTooLarge, and the errors of `personas.stance_text`.
    """
    card: dict[str, object] = json.loads(json.dumps(before or {"spec": "chara_card_v3", "spec_version": "3.0", "data": {}}))
    data = card["data"]
    assert isinstance(data, dict)
    data["name"] = new.name
    for field in TEXTS:
        if getattr(new, field) != cleaned(str(data.get(field, ""))) or field not in data:
            data[field] = getattr(new, field)
    if new.tags != _told_apart(part for tag in data.get("tags", ()) for part in BETWEEN_TAGS.split(tag)) or "tags" not in data:
        data["tags"] = list(new.tags)
    extensions = data.setdefault("extensions", {})
    ours = {**extensions.get("keepsake", {}), "language": new.language, "tagline": new.tagline}
    there = character_from_card(before, id="").stances if before else ()
    if new.stances is not None and new.stances != stance_text.as_written(there):
        ours["stances"] = [asdict(stance) for stance in stance_text.read(new.stances, field=STANCES, before=there)]
    extensions["keepsake"] = json.loads(json.dumps(ours))
    if before is None:
        data |= {"alternate_greetings": [], "creator": "", "character_version": "", "group_only_greetings": []}
    check_size(card)
    return card


def check_size(card: Mapping[str, object]) -> None:
    """Raises CharacterTooLarge."""
    size = len(json.dumps(card, ensure_ascii=False).encode("utf-8"))
    if size > MAX_CARD_BYTES:
        limit = MAX_CARD_BYTES // 1024
        raise CharacterTooLarge(
            f"All fields together come to {-(-size // 1024)} KB; {limit} KB is the most. Shorten some of them.",
            size=-(-size // 1024),
            limit=limit,
        )


def _within(field: str, text: str, limit: int) -> None:
    if len(text) > limit:
        raise CharacterTextTooLong(
            f"This has {len(text):,} characters; {limit:,} is the most. Shorten it.", field=field, length=len(text), limit=limit
        )


def typed_tags(text: str) -> tuple[str, ...]:
    """The tags that were typed into one field. Raises CharacterTextTooLong."""
    kept = _told_apart(BETWEEN_TAGS.split(text))
    for tag in kept:
        _within("tags", tag, MAX_LINE_CHARS)
    return kept


def tags_with(there: tuple[str, ...], more: Sequence[str]) -> tuple[str, ...]:
    """Those of a character and these, each once. Raises CharacterTagsTooMany."""
    known = {tag.casefold() for tag in there}
    kept = (*there, *(tag for tag in more if tag.casefold() not in known))
    if len(kept) > max(MAX_TAGS, len(there)):
        raise CharacterTagsTooMany(f"{MAX_TAGS} tags are the most.", field="tags", limit=MAX_TAGS)
    return kept


def tags_without(there: tuple[str, ...], gone: Sequence[str]) -> tuple[str, ...]:
    """Those of a character without these, whatever the letter case."""
    known = {tag.casefold() for tag in gone}
    return tuple(tag for tag in there if tag.casefold() not in known)


def _told_apart(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, whatever its letter case."""
    kept: dict[str, str] = {}
    for tag in filter(None, map(one_line, tags)):
        kept.setdefault(tag.casefold(), tag)
    return tuple(kept.values())


def one_line(text: str) -> str:
    """The text on one line, without what is not seen on one."""
    return " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs") else c for c in text if not _turns(c)).split())


def _turns(character: str) -> bool:
    """Whether it changes the direction of what follows."""
    return "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"


def cleaned(text: str) -> str:
    """Line ends as line feeds, without blanks around; what SQLite and UTF-8 cannot carry is shown as U+FFFD."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in kept)
