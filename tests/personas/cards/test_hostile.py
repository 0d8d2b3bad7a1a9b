"""Files that are broken or mean harm are refused with a reason, and with nothing but a reason."""

from __future__ import annotations

import base64
import io
import json
import random
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.cards import charx, fields, json_text, png
from personas.cards.reading import read_card, read_lorebook
from personas.cards.refused import (
    CardArchiveEmpty,
    CardArchiveLocked,
    CardArchiveUnsafe,
    CardDamaged,
    CardFieldWrong,
    CardNameless,
    CardNotJson,
    CardPictureEmpty,
    CardPictureUnusable,
    CardRefused,
    CardSeveral,
    CardTooDeep,
    CardTooLarge,
    CardTooLong,
    CardTooMany,
    CardUnknown,
)
from personas.cards.writing import write_png
from tests.personas.cards.invented import archive, book, card_chunk, chunk, entry, picture, raw, v1, v2, v3
from tests.personas.cards.invented import png as a_png


def data(**changed: object) -> bytes:
    return raw({**v3(), "data": {**v3()["data"], **changed}})


def text(inside: str) -> bytes:
    """A card with JSON of one's own in an extension."""
    return raw(v3()).replace(b'"extensions": {}', b'"extensions": {"x": ' + inside.encode() + b"}")


JSON: list[tuple[bytes, type[CardRefused]]] = [
    (b"", CardUnknown),
    (b"hello", CardUnknown),
    (b"[]", CardUnknown),
    (b"\xff\xd8\xff\xe0 a photograph", CardPictureEmpty),
    (b"RIFF\0\0\0\0WEBPVP8 ", CardPictureEmpty),
    (b"{}", CardUnknown),
    (raw([v1(), v2()]), CardSeveral),
    (raw(v1())[:-30], CardNotJson),
    (raw(v1()).replace(b"Next!", b'"Next!"'), CardNotJson),
    (b'{"name": "Odile"}', CardUnknown),
    (b"{", CardNotJson),
    (b'{"a":' * 100_000, CardTooDeep),
    (text("[" * 70 + "]" * 70), CardTooDeep),
    (text(json.dumps("x" * (json_text.MAX_CHARS + 1))), CardTooLong),
    (text(json.dumps([0] * (json_text.MAX_ITEMS + 1))), CardTooMany),
    (text(json.dumps([[0] * 5_000] * 41)), CardTooMany),
    (b'{"name": "' + b"x" * json_text.MAX_BYTES + b'"}', CardTooLarge),
    (data(description="x" * (fields.MAX_TEXT + 1)), CardTooLong),
    (data(alternate_greetings=["x"] * (fields.MAX_LIST + 1)), CardTooMany),
    (data(character_book=book(*[entry()] * 5_001)), CardTooMany),
    (data(name=""), CardNameless),
    (data(name=" \u202e\n"), CardNameless),
    (data(name=None), CardNameless),
    (raw({**v3(), "data": "Odile"}), CardFieldWrong),
    (raw({"spec": "chara_card_v2"}), CardFieldWrong),
]


@pytest.mark.parametrize(("hostile", "reason"), JSON, ids=range(len(JSON)))
def test_json_is_refused(hostile: bytes, reason: type[CardRefused]) -> None:
    with pytest.raises(reason) as refused:
        read_card(hostile)
    assert type(refused.value) is reason
    assert len(str(refused.value)) < 300
    str(refused.value).encode()


def packed(inside: bytes) -> bytes:
    return chunk(b"zTXt", b"chara\0\0" + zlib.compress(inside))


HEADER = (60_000).to_bytes(4, "big") * 2 + b"\x08\x06\0\0\0"
PNG: list[tuple[bytes, type[CardRefused]]] = [
    (picture(), CardPictureEmpty),
    (png.SIGNATURE, CardDamaged),
    (a_png()[:-1], CardDamaged),
    (a_png(card_chunk(v2()))[:-13], CardDamaged),
    (a_png(b"\xff\xff\xff\xfftEXtchara\0"), CardDamaged),
    (a_png(chunk(b"t\0Xt", b"")), CardDamaged),
    (a_png(chunk(b"IHDR", HEADER)), CardDamaged),
    (png.SIGNATURE + card_chunk(v2()) + chunk(b"IEND", b""), CardDamaged),
    (a_png(card_chunk([]))[:-12], CardUnknown),
    (png.SIGNATURE + chunk(b"IHDR", HEADER) + card_chunk(v2()) + chunk(b"IDAT", b"\0" * png.MAX_BYTES), CardTooLarge),
    (png.SIGNATURE + chunk(b"IHDR", HEADER) + chunk(b"IDAT", b"") + card_chunk(v2()) + chunk(b"IEND", b""), CardPictureUnusable),
    (a_png(*[chunk(b"prVt", b"")] * (png.MAX_CHUNKS + 1)), CardTooMany),
    (a_png(chunk(b"prVt", b"\0" * png.MAX_BYTES)), CardTooLarge),
    (a_png(chunk(b"tEXt", b"chara\0" + b"A" * (png.MAX_TEXT + 1))), CardTooLarge),
    (a_png(packed(b"A" * (png.MAX_TEXT + 1))), CardTooLarge),
    (a_png(packed(base64.b64encode(raw(v2())))[:-20] + b"\0" * 20), CardDamaged),
    (a_png(chunk(b"zTXt", b"chara\0\0not zlib")), CardDamaged),
    (a_png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(base64.b64encode(raw(v2())))[:-9])), CardDamaged),
    (a_png(chunk(b"tEXt", b"chara\0!!!!")), CardDamaged),
    (a_png(chunk(b"tEXt", b"chara\0A")), CardDamaged),
    (a_png(chunk(b"tEXt", b"chara\0")), CardNotJson),
    (a_png(card_chunk([])), CardUnknown),
    (a_png(card_chunk({}), card_chunk({}, keyword=b"ccv3")), CardUnknown),
    (a_png(card_chunk(v2()), chunk(b"tEXt", b"ccv3\0" + base64.b64encode(b'{"a":' * 100_000))), CardTooDeep),
]


@pytest.mark.parametrize(("hostile", "reason"), PNG, ids=range(len(PNG)))
def test_a_picture_is_refused(hostile: bytes, reason: type[CardRefused]) -> None:
    with pytest.raises(reason) as refused:
        read_card(hostile)
    assert type(refused.value) is reason


CARD = {"card.json": raw(v3())}


def patched(old: bytes, new: bytes, members: dict[str, bytes]) -> bytes:
    whole = archive(members)
    assert old in whole
    return whole.replace(old, new)


def link() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as opened:
        opened.writestr("card.json", raw(v3()))
        member = zipfile.ZipInfo("assets/x.png")
        member.external_attr = 0o120777 << 16
        opened.writestr(member, "/etc/passwd")
    return written.getvalue()


def locked() -> bytes:
    """The flag of an encrypted member, in its own header and in the directory."""
    whole = bytearray(archive(CARD))
    whole[6] |= 1
    whole[whole.index(b"PK\x01\x02") + 8] |= 1
    return bytes(whole)


def shared() -> bytes:
    """Two members of the directory over the same bytes."""
    whole = archive({**CARD, "a.bin": random.Random(1).randbytes(1_000)})
    at, end = whole.rindex(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    listed = b"".join(whole[at:end].replace(b"a.bin", b"%c.bin" % letter) for letter in range(0x62, 0x70))
    counted = whole[end : end + 8] + (16).to_bytes(2, "little") * 2 + (end - whole.index(b"PK\x01\x02") + len(listed)).to_bytes(4, "little")
    return whole[:end] + listed + counted + whole[end + 16 :]


ZIP: list[tuple[bytes, type[CardRefused]]] = [
    (archive({}), CardArchiveEmpty),
    (archive({"other.json": raw(v3())}), CardArchiveEmpty),
    (archive({"a/card.json": raw(v3()), "b/card.json": raw(v3())}), CardArchiveEmpty),
    (archive({"odile.charx": archive({"card.json": raw(v3())})}), CardArchiveEmpty),
    (archive({"card.json": b"[]"}), CardUnknown),
    (archive({"card.json": raw(v3()), "assets/run.EXE": b"x"}), CardArchiveUnsafe),
    (archive({"card.json": raw(v3()), "assets/icon.png": b"MZ\x90\0"}), CardArchiveUnsafe),
    (archive({"card.json": b"{}"}), CardUnknown),
    (archive(CARD)[:-1], CardDamaged),
    (archive(CARD)[:40], CardDamaged),
    (archive({**CARD, "../up.png": b""}), CardArchiveUnsafe),
    (archive({**CARD, "assets/../../up.png": b""}), CardArchiveUnsafe),
    (archive({**CARD, "/etc/passwd": b""}), CardArchiveUnsafe),
    (archive({**CARD, "assets//x.png": b""}), CardArchiveUnsafe),
    (archive({**CARD, "C:x.png": b""}), CardArchiveUnsafe),
    (archive({**CARD, "assets\\x.png": b""}), CardArchiveUnsafe),
    (archive({**CARD, "a\nb": b""}), CardArchiveUnsafe),
    (archive({**CARD, "a" * 513: b""}), CardArchiveUnsafe),
    (patched(b"cArd.json", b"card.json", {**CARD, "cArd.json": b"{}"}), CardArchiveUnsafe),
    (patched(b"a.png", b"a\0png", {**CARD, "a.png": b""}), CardArchiveUnsafe),
    (link(), CardArchiveUnsafe),
    (locked(), CardArchiveLocked),
    (shared(), CardArchiveUnsafe),
    (archive(CARD, packing=zipfile.ZIP_LZMA), CardArchiveUnsafe),
    (archive({**CARD, "bomb": b"\0" * 2**22}), CardArchiveUnsafe),
    (archive({"card.json": b" " * json_text.MAX_BYTES + raw(v3())}), CardArchiveUnsafe),
    (archive({**CARD, **{f"{n}": b"" for n in range(charx.MAX_MEMBERS)}}), CardTooMany),
    (archive(CARD).replace(b"PK\x05\x06", b"PK\x06\x07" + b"\0" * 16 + b"PK\x05\x06"), CardArchiveUnsafe),
]


@pytest.mark.parametrize(("hostile", "reason"), ZIP, ids=range(len(ZIP)))
def test_an_archive_is_refused(hostile: bytes, reason: type[CardRefused]) -> None:
    with pytest.raises(reason) as refused:
        read_card(hostile)
    assert type(refused.value) is reason


def test_a_directory_of_a_million_members_is_not_even_listed() -> None:
    whole = archive(CARD)
    end = whole.index(b"PK\x05\x06")
    listed = whole[whole.index(b"PK\x01\x02") : end] * 40_000
    hostile = whole[:end] + listed + whole[end : end + 12] + len(listed).to_bytes(4, "little") + whole[end + 16 :]
    with pytest.raises(CardTooMany):
        read_card(hostile)


def test_a_file_too_large_for_any_container_is_not_looked_at() -> None:
    with pytest.raises(CardTooLarge):
        read_card(bytes(charx.MAX_BYTES + 1))


WHOLE = {
    "json": raw(v3()),
    "png": write_png(read_card(raw(v2())), picture()).raw,
    "charx": archive({**CARD, "assets/icon/images/main.png": picture()}),
}


@pytest.mark.parametrize("container", WHOLE)
@given(st.data())
def test_a_damaged_file_is_refused_or_read_and_nothing_else(container: str, draw: st.DataObject) -> None:
    damaged = bytearray(WHOLE[container])
    for at, byte in draw.draw(st.lists(st.tuples(st.integers(0, len(damaged) - 1), st.integers(0, 255)), min_size=1, max_size=4)):
        damaged[at] = byte
    cut = draw.draw(st.integers(0, len(damaged)))
    for changed in (bytes(damaged), bytes(damaged[:cut])):
        try:
            read_card(changed)
        except CardRefused:
            continue


@given(st.data())
def test_an_archive_that_breaks_off_is_refused(draw: st.DataObject) -> None:
    whole = WHOLE["charx"]
    with pytest.raises(CardRefused):
        read_card(whole[: draw.draw(st.integers(0, len(whole) - 1))])


@given(st.data())
def test_a_picture_that_breaks_off_is_refused_or_has_its_whole_card(draw: st.DataObject) -> None:
    whole = WHOLE["png"]
    at = min(whole.index(b"tEXtchara\0"), whole.index(b"tEXtccv3\0"))
    end = at + 8 + int.from_bytes(whole[at - 4 : at])
    cut = whole[: draw.draw(st.sampled_from([end - 1, end]) | st.integers(0, len(whole) - 1))]
    if len(cut) >= end:
        assert read_card(cut).card == read_card(whole).card
    else:
        with pytest.raises(CardRefused):
            read_card(cut)


@given(st.binary(max_size=100))
def test_arbitrary_bytes_are_refused(arbitrary: bytes) -> None:
    for read in (read_card, read_lorebook):
        with pytest.raises(CardRefused):
            read(arbitrary)


@pytest.mark.parametrize(("broken", "line", "column"), [(b'{"a":\n  x}', 2, 3), (b'{"a": 1, // x\n "b" 2}', 2, 6), (b"{\xff", 1, 2)])
def test_what_is_no_json_is_told_where(broken: bytes, line: int, column: int) -> None:
    with pytest.raises(CardNotJson) as refused:
        read_card(broken)
    assert refused.value.params == {"where": "JSON", "line": line, "column": column}


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)> {{user}} {{random:a,b}} ](javascript:alert(1)) ${x} {% raw %}"


def test_markup_script_and_macros_are_text() -> None:
    value = v3()
    value["data"] |= {"description": SCRIPT, "first_mes": SCRIPT, "name": SCRIPT, "tags": [SCRIPT], "extensions": {SCRIPT: SCRIPT}}
    value["data"]["character_book"] = book({**entry(), "content": SCRIPT, "keys": [SCRIPT]})
    file = read_card(raw(value))
    assert (file.card.description, file.card.first_mes, file.card.name, file.card.tags) == (SCRIPT, SCRIPT, SCRIPT, (SCRIPT,))
    assert file.card.book is not None
    assert file.card.book.entries[0].content == SCRIPT
    assert file.original == value


def test_what_is_told_of_a_file_is_short_and_printable() -> None:
    twice = b'"\\u202e' + b"x" * 500 + b'": 1, '
    (note,) = read_card(b"{" + twice + twice + raw(v1())[1:]).report.mended
    assert note.field.isprintable()
    assert len(note.field) <= 80
    with pytest.raises(CardArchiveEmpty) as refused:
        read_card(archive({"\u202e" + "x" * 500: b""}))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_a_card_is_written_only_into_a_whole_picture() -> None:
    for broken in (b"", b"\xff\xd8\xff", picture()[:-1]):
        with pytest.raises(CardPictureUnusable):
            write_png(read_card(raw(v2())), broken)
