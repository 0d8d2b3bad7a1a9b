"""What an import did with a file, as codes and places; the page says it in the reader's language.

Places are paths as the file names them (`data.tags`), with `[]` for whichever item of a list, so that the same thing in five hundred entries is one line
with its number. Nothing of a card's texts stands here but names of keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from personas.cards.refused import shown

MAX_NOTES = 500
"""Of each kind; a card in use has some thirty."""


class Form(StrEnum):
    V1 = "v1"
    V2 = "v2"
    V3 = "v3"
    PYGMALION = "pygmalion"
    """V1 with other names for its fields, as text-generation programs wrote them."""
    WORLD = "world"
    """SillyTavern's World Info."""
    LOREBOOK = "lorebook_v3"
    BARE = "lorebook_bare"
    """A `character_book` as a file of its own."""


class Container(StrEnum):
    JSON = "json"
    PNG = "png"
    CHARX = "charx"


class Kept(StrEnum):
    """Why something is in the original only: written again, used by nothing here."""

    UNKNOWN = "unknown_key"
    EXTENSION = "extension"
    BESIDE = "beside_data"
    """A field of V1 repeated beside `data`, which alone counts."""
    MEMBER = "member"
    """A file of the archive beside its card."""
    DECORATOR = "decorator"


class Coerced(StrEnum):
    """How a value of another type than its field's was read."""

    MISSING = "missing"
    NULL = "null"
    NUMBER = "number_as_text"
    FLAG = "flag_as_text"
    LINES = "list_as_text"
    ONE = "text_as_list"
    COMMAS = "commas_as_list"
    NUMBERED = "object_as_list"
    TEXT_NUMBER = "text_as_number"
    TEXT_FLAG = "text_as_flag"
    NUMBER_FLAG = "number_as_flag"
    MILLISECONDS = "milliseconds"
    DATE = "date_as_seconds"
    ONE_LINE = "one_line"
    SHORTENED = "shortened"
    PLAIN = "not_base64"
    PADDING = "base64_mended"
    COMPRESSED = "compressed_chunk"


class Dropped(StrEnum):
    """Why something is not in what is used, though its field is."""

    TYPE = "wrong_type"
    EMPTY = "empty_item"
    VALUE = "value_unknown"
    VERSION = "version_unknown"
    OLDER_CARD = "older_card"
    """A `chara` chunk beside the `ccv3` that counts."""
    REPEATED = "repeated_chunk"
    TRAILING = "trailing_bytes"
    PICTURE = "picture_before"
    """The JPEG that an archive hangs on."""
    UNREACHABLE = "asset_missing"
    REMOTE = "asset_remote"


@dataclass(frozen=True)
class Note:
    code: str
    """Of `Kept`, `Coerced` or `Dropped`."""
    field: str
    n: int = 1
    """How many places it is true of."""
    detail: str = ""
    """What stood there where that is short and says something: a version, a scheme, a value that is not known."""


@dataclass(frozen=True)
class ImportReport:
    form: Form
    container: Container
    used: tuple[Note, ...]
    """Fields that say something and are read; code `used`."""
    kept: tuple[Note, ...]
    coerced: tuple[Note, ...]
    dropped: tuple[Note, ...]
    unlisted: int
    """Notes beyond MAX_NOTES of a kind, left out."""


class Notes:
    """Gathers what a reading does, the same thing once with its number."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[tuple[str, str, str], int]] = {"used": {}, "kept": {}, "coerced": {}, "dropped": {}}
        self._unlisted = 0

    def used(self, field: str) -> None:
        self._add("used", "used", field, "")

    def kept(self, code: Kept, field: str, detail: str = "") -> None:
        self._add("kept", code, field, detail)

    def coerced(self, code: Coerced, field: str, detail: str = "") -> None:
        self._add("coerced", code, field, detail)

    def dropped(self, code: Dropped, field: str, detail: str = "") -> None:
        self._add("dropped", code, field, detail)

    def report(self, form: Form, container: Container) -> ImportReport:
        used, kept, coerced, dropped = (
            tuple(Note(code, field, n, detail) for (code, field, detail), n in kind.items()) for kind in self._kinds.values()
        )
        return ImportReport(form, container, used, kept, coerced, dropped, self._unlisted)

    def _add(self, kind: str, code: str, field: str, detail: str) -> None:
        notes, key = self._kinds[kind], (str(code), field, shown(detail))
        if key not in notes and len(notes) == MAX_NOTES:
            self._unlisted += 1
        else:
            notes[key] = notes.get(key, 0) + 1
