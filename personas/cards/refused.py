"""Why a card or lorebook is not taken in. Each reason has a code of its own, so that the page can say it in the reader's language.

Params name places in the file as the file names them (a path such as `data.name`, a chunk, a member), shortened and made printable by `shown`.
"""

from __future__ import annotations

from errors import KeepsakeError

_SHOWN_CHARS = 80


def shown(name: object) -> str:
    """A name out of a file, fit to stand in a sentence: printable, at most 80 characters."""
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(name)[: _SHOWN_CHARS + 1])
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


class CardRefused(KeepsakeError):
    """A file that was not taken in; never raised as such, only as one of those below."""

    dangerous = False
    """Whether what it is about may do harm: then nothing else in the file is read in its place."""


class CardUnknown(CardRefused):
    code = "card_unknown"

    def __init__(self) -> None:
        super().__init__("The file was not taken in: it is neither a character card nor a lorebook.")


class CardSeveral(CardRefused):
    """n: characters that one file holds."""

    code = "card_several"

    def __init__(self, n: int) -> None:
        super().__init__(f"The file was not taken in: it holds {n} characters, and one file is one. Save each in a file of its own.", n=n)


class CardIsLorebook(CardRefused):
    """A lorebook in a file of its own, where a character was looked for."""

    code = "card_is_lorebook"

    def __init__(self) -> None:
        super().__init__("The file was not taken in: it is a lorebook without a character.")


class CardPictureEmpty(CardRefused):
    code = "card_picture_empty"

    def __init__(self) -> None:
        super().__init__(
            "The picture was not taken in: it holds no character. It may have been saved anew on its way; look for the original file."
        )


class CardPictureUnusable(CardRefused):
    """Of a picture that a card is to be written into, or that is too large to be shown. pixels: the most there may be."""

    code = "card_picture_unusable"

    def __init__(self, *, pixels: int) -> None:
        super().__init__(f"The picture cannot be used: it must be a whole PNG of at most {pixels} pixels.", pixels=pixels)


class CardDamaged(CardRefused):
    """where: the chunk, member or field that is broken or cut off."""

    code = "card_damaged"

    def __init__(self, where: str) -> None:
        super().__init__(f"The file was not taken in: it is damaged or not whole ({where}).", where=where)


class CardTooLarge(CardRefused):
    """where: the file's kind or the part of it that is too large; limit: bytes, said in whole MB."""

    code = "card_too_large"
    dangerous = True

    def __init__(self, where: str, *, limit: int) -> None:
        megabytes = limit // 2**20
        super().__init__(f"The file was not taken in: {where} is larger than {megabytes} MB.", where=where, limit=megabytes)


class CardTooLong(CardRefused):
    """limit: characters of a text."""

    code = "card_too_long"
    dangerous = True

    def __init__(self, field: str, *, limit: int) -> None:
        super().__init__(f"The file was not taken in: {field} is longer than {limit} characters.", field=field, limit=limit)


class CardTooMany(CardRefused):
    """A list, object or container with more than `limit` items, keys, members or chunks."""

    code = "card_too_many"
    dangerous = True

    def __init__(self, field: str, *, limit: int) -> None:
        super().__init__(f"The file was not taken in: {field} has more than {limit} parts.", field=field, limit=limit)


class CardTooDeep(CardRefused):
    code = "card_too_deep"
    dangerous = True

    def __init__(self, *, limit: int) -> None:
        super().__init__(f"The file was not taken in: its data is nested more than {limit} levels deep.", limit=limit)


class CardNotJson(CardRefused):
    """where: what should hold an object as JSON; line and column of the first fault, from 1."""

    code = "card_not_json"

    def __init__(self, where: str, *, line: int = 1, column: int = 1) -> None:
        message = f"The file was not taken in: {where} cannot be read as JSON (line {line}, column {column})."
        super().__init__(message, where=where, line=line, column=column)


class CardFieldWrong(CardRefused):
    """A field whose type leaves nothing to read: a card's `data` that is no object, a lorebook's `entries` that are none."""

    code = "card_field_wrong"

    def __init__(self, field: str) -> None:
        super().__init__(f"The file was not taken in: {field} is not what it must be.", field=field)


class CardNameless(CardRefused):
    code = "card_nameless"

    def __init__(self) -> None:
        super().__init__("The card was not taken in: its character has no name.")


class LorebookEmpty(CardRefused):
    """n: things among the entries of a lorebook, none of which is one that can be read."""

    code = "lorebook_empty"

    def __init__(self, n: int) -> None:
        super().__init__(f"The lorebook was not taken in: it holds no entry that can be read ({n} were looked at).", n=n)


class CardArchiveEmpty(CardRefused):
    """An archive without a card that can be told; names: some of what it holds instead."""

    code = "card_archive_empty"

    def __init__(self, names: str) -> None:
        super().__init__(f"The archive was not taken in: it holds no card.json, but {names}.", names=names)


class CardArchiveUnsafe(CardRefused):
    """An archive with a member that leads out of it, is no plain file, is packed in an odd way, is a program, or pretends to be what it is not."""

    code = "card_archive_unsafe"
    dangerous = True

    def __init__(self, member: str) -> None:
        super().__init__(f"The archive was not taken in: {member} is not safe to read.", member=member)


class CardArchiveLocked(CardRefused):
    code = "card_archive_locked"

    def __init__(self) -> None:
        super().__init__("The archive was not taken in: it is encrypted.")
