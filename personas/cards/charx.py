"""CHARX: a zip archive with `card.json` at its root and the card's assets beside it. Read in memory; nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence

from personas.cards import json_text
from personas.cards.card import Asset
from personas.cards.refused import (
    CardArchiveEmpty,
    CardArchiveLocked,
    CardArchiveUnsafe,
    CardDamaged,
    CardTooLarge,
    CardTooMany,
    shown,
)
from personas.cards.report import Dropped, Kept, Mended, Notes

CARD = "card.json"
EMBEDDED = "embeded://"
"""What the addresses of members begin with, spelled as the specification spells it."""
MAX_BYTES = 64 * 2**20
MAX_UNPACKED = 128 * 2**20
MAX_MEMBERS = 5_000
MAX_RATIO = 100
"""Unpacked to packed. Text packs to a tenth, pictures hardly; a bomb to a thousandth."""
_RATIO_FROM = 2**20
"""Bytes unpacked below which the ratio says nothing: a small blank picture packs as well."""
_MAX_NAME = 512
_MAX_DIRECTORY = MAX_MEMBERS * 300
"""Bytes of the central directory, 46 and a name for each member: so much is parsed before any can be counted."""
_END, _END_SIZE, _MAX_COMMENT = b"PK\x05\x06", 22, 65_535
_LOCATOR_64 = b"PK\x06\x07"
_ENCRYPTED = 0x1
_PROGRAM = re.compile(r"\.(exe|dll|scr|com|pif|msi|bat|cmd|ps1|vbs|vbe|wsf|hta|lnk|jar|sh|command|app|apk|js|jse)$", re.IGNORECASE)
_PROGRAMS = (b"MZ", b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""What the files of programs end and begin with: no card needs one, and an archive passes them on to whoever opens it."""
_LISTED = 3
_ODD = re.compile(r"[\x00-\x1f\x7f\\]|^[A-Za-z]:")


def is_archive(raw: bytes) -> bool:
    """Whether a file is a zip, bare or behind a JPEG, as some programs write it."""
    return raw.startswith((b"PK\x03\x04", _END)) or (raw.startswith(b"\xff\xd8\xff") and _end(raw) is not None)


def read_members(raw: bytes, notes: Notes) -> tuple[bytes, dict[str, bytes]]:
    """The text of the card and every other member by name. Raises CardRefused."""
    _check_directory(raw)
    if not raw.startswith(b"PK"):
        notes.dropped(Dropped.PICTURE, "JPEG")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = _checked(archive.infolist(), size=len(raw))
            found = {member.filename: _read(archive, member) for member in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as error:
        raise CardDamaged("ZIP") from error
    for name, data in found.items():
        if _PROGRAM.search(name) or data.startswith(_PROGRAMS):
            raise CardArchiveUnsafe(shown(name))
    if CARD in found:
        return found.pop(CARD), found
    nested = [name for name in found if name.casefold().rpartition("/")[2] == CARD]
    if len(nested) != 1:
        raise CardArchiveEmpty(", ".join(shown(name) for name in list(found)[:_LISTED]) + ("…" if len(found) > _LISTED else ""))
    folder = nested[0].rpartition("/")[0]
    notes.mended(Mended.FOLDER, nested[0])
    text = found.pop(nested[0])
    return text, {name.removeprefix(f"{folder}/") if folder else name: data for name, data in found.items()}


def write_members(text: bytes, members: Mapping[str, bytes]) -> bytes:
    """An archive of the card's text and members, the same bytes for the same content. Raises CardRefused where it could not be read again."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in {CARD: text, **members}.items():
            packing = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED  # assets are packed already
            archive.writestr(zipfile.ZipInfo(name), data, packing)
    if written.tell() > MAX_BYTES:
        raise CardTooLarge("CHARX", limit=MAX_BYTES)
    return written.getvalue()


def check_assets(assets: Sequence[Asset], members: Mapping[str, bytes], notes: Notes) -> None:
    """Notes which assets of the card are not in the archive, and which members are there without being read."""
    for asset in assets:
        path = asset.uri.removeprefix(EMBEDDED)
        if asset.uri.startswith(EMBEDDED) and path not in members:
            notes.dropped(Dropped.UNREACHABLE, "data.assets[]", path)
    for name in members:
        notes.kept(Kept.MEMBER, name)


def _end(raw: bytes) -> int | None:
    """Where the end record of a zip begins, as `zipfile` finds it."""
    last = len(raw) - _END_SIZE
    if last >= 0 and raw.startswith(_END, last) and raw.endswith(b"\0\0"):
        return last
    at = raw.rfind(_END, max(last - _MAX_COMMENT, 0))
    return at if 0 <= at <= last else None


def _check_directory(raw: bytes) -> None:
    """Refuses a directory that would cost memory merely to be listed. A file this small needs no 64-bit sizes."""
    end = _end(raw)
    if end is None:
        raise CardDamaged("ZIP")
    if raw[max(end - 20, 0) : end].startswith(_LOCATOR_64):
        raise CardArchiveUnsafe("ZIP64")
    if int.from_bytes(raw[end + 12 : end + 16], "little") > _MAX_DIRECTORY:
        raise CardTooMany("ZIP", limit=MAX_MEMBERS)


def _checked(members: list[zipfile.ZipInfo], *, size: int) -> list[zipfile.ZipInfo]:
    """The members that are files. Raises CardRefused where one is not what it should be."""
    if len(members) > MAX_MEMBERS:
        raise CardTooMany("ZIP", limit=MAX_MEMBERS)
    if sum(member.file_size for member in members) > MAX_UNPACKED:
        raise CardTooLarge("ZIP", limit=MAX_UNPACKED)
    if sum(member.compress_size for member in members) > size:
        raise CardArchiveUnsafe("ZIP")  # members that share their bytes
    seen: set[str] = set()
    for member in members:
        if member.flag_bits & _ENCRYPTED:
            raise CardArchiveLocked
        name = member.filename
        mode = member.external_attr >> 16
        odd = member.orig_filename != name or _ODD.search(name) or len(name.encode()) > _MAX_NAME or name in seen
        leads_out = name.startswith("/") or any(part in ("", ".", "..") for part in name.removesuffix("/").split("/"))
        special = mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR)
        packed = member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        bomb = member.file_size > max(_RATIO_FROM, member.compress_size * MAX_RATIO)
        if odd or leads_out or special or packed or bomb:
            raise CardArchiveUnsafe(shown(name))
        seen.add(name)
    return [member for member in members if not member.is_dir()]


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    limit = json_text.MAX_BYTES if member.filename.casefold().rpartition("/")[2] == CARD else MAX_UNPACKED
    if member.file_size > limit:
        raise CardTooLarge(shown(member.filename), limit=limit)
    with archive.open(member) as opened:
        return opened.read()  # never more than the size it was listed with, which the CRC then confirms
