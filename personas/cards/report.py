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
    PICTURE = "picture"
    """JPEG, WebP and AVIF, with the card in what is said about the picture."""


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
    OBJECT = "object_as_text"
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


class Mended(StrEnum):
    """A fault that harms nobody, and was put right in the object: what came is another than what is kept of it."""

    ENCODING = "encoding"
    CONTROL = "raw_line_break"
    COMMA = "trailing_comma"
    NO_COMMA = "comma_missing"
    WIDE = "wide_punctuation"
    """Colons, commas and brackets as wide as Chinese letters."""
    COMMENT = "comment"
    QUOTES = "quotes"
    WORD = "word"
    """`True`, `None` and the like, as Python writes them."""
    ESCAPE = "escape"
    BEFORE = "before_the_beginning"
    AFTER = "after_the_end"
    UNCLOSED = "unclosed"
    """Nothing but the last brackets was missing."""
    TWICE = "key_twice"
    UNSAFE = "unsafe_key"
    NUMBER = "number_broken"
    LETTERS = "letters_broken"
    QUOTED = "json_in_text"
    LISTED = "in_a_list"
    WRAPPED = "wrapped"
    KEY = "key_spelled"
    SPEC = "spec_spelled"
    FLAT = "no_data"
    BESIDE = "from_beside"
    NAME = "named_after_file"
    BOOK = "book_converted"
    CHECKSUM = "checksum"
    DAMAGED = "damaged_card"
    """A card of the file that cannot be read, beside one that can."""
    FOLDER = "in_a_folder"
    PICTURE = "picture_anew"
    PICTURE_LOST = "picture_lost"
    """A picture that is damaged or cut off behind its card."""


class Dropped(StrEnum):
    """Why something is not in what is used, though its field is."""

    TYPE = "wrong_type"
    EMPTY = "empty_item"
    ENTRY = "entry_unread"
    """An entry of a lorebook that says nothing; told with its number."""
    FOLDER = "entry_folder"
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
    """Of `Kept`, `Coerced`, `Mended` or `Dropped`."""
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
    mended: tuple[Note, ...]
    dropped: tuple[Note, ...]
    unlisted: int
    """Notes beyond MAX_NOTES of a kind, left out."""


class Notes:
    """Gathers what a reading does, the same thing once with its number."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[tuple[str, str, str], int]] = {kind: {} for kind in ("used", "kept", "coerced", "mended", "dropped")}
        self._unlisted = 0

    def used(self, field: str) -> None:
        self._add("used", "used", field, "")

    def kept(self, code: Kept, field: str, detail: str = "") -> None:
        self._add("kept", code, field, detail)

    def coerced(self, code: Coerced, field: str, detail: str = "") -> None:
        self._add("coerced", code, field, detail)

    def mended(self, code: Mended, field: str, detail: str = "") -> None:
        self._add("mended", code, field, detail)

    def dropped(self, code: Dropped, field: str, detail: str = "") -> None:
        self._add("dropped", code, field, detail)

    def report(self, form: Form, container: Container) -> ImportReport:
        listed = {kind: tuple(Note(*key[:2], n, key[2]) for key, n in notes.items()) for kind, notes in self._kinds.items()}
        return ImportReport(form, container, **listed, unlisted=self._unlisted)

    def has(self, code: Mended) -> bool:
        return any(told == code for told, _, _ in self._kinds["mended"])

    def add(self, others: Notes) -> None:
        """Take over what others gathered."""
        for kind, notes in others._kinds.items():
            for key, n in notes.items():
                self._add(kind, *key, n=n)
        self._unlisted += others._unlisted

    def _add(self, kind: str, code: str, field: str, detail: str, *, n: int = 1) -> None:
        notes, key = self._kinds[kind], (str(code), field, shown(detail))
        if key not in notes and len(notes) == MAX_NOTES:
            self._unlisted += n
        else:
            notes[key] = notes.get(key, 0) + n
