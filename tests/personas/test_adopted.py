"""A card of another program is used as one of ours and leaves as it came, but for what was changed here."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from errors import KeepsakeError
from personas.adopted import adopted, outgoing
from personas.cards.reading import CardFile, avatar, card_file, read_card
from personas.cards.refused import CardRefused
from personas.cards.writing import write_charx, write_json, write_png
from personas.pictures import FACE_PX, MAX_PIXELS, as_png, drawn, face, is_face
from personas.record import character_from_card
from personas.written import TEXTS, card_of, written_of
from tests.personas.cards.invented import V1, V2, V3, WILD, archive, book, card_chunk, chunk, entry, picture, png, raw, v1, v2, v3

Object = dict[str, Any]


def saved_again(used: Mapping[str, object], **changes: str) -> dict[str, object]:
    """The card after its form was opened, some fields typed into, and saved."""
    form = written_of(character_from_card(used, id=""))
    return card_of(type(form)(**{**form.__dict__, **changes}), before=used)


@settings(deadline=None, max_examples=40)
@given(V1 | V2 | V3 | WILD)
def test_a_card_is_used_kept_saved_in_the_form_and_leaves_as_it_came(value: Object) -> None:
    try:
        file = read_card(raw(value))
    except CardRefused:
        return
    used = adopted(file, language="en")
    kept = card_file(json.loads(json.dumps(file.original)))
    for now in (used, saved_again(used)):
        out = outgoing(kept, now, language="en")
        assert out.original == file.original
        version = 2 if file.report.form == "v2" else 3
        if file.report.form in ("v2", "v3") and "spec" in value:
            assert json.loads(write_json(out, version=version).raw) == value
        again = read_card(write_png(out, picture()).raw)
        assert again.card.name == file.card.name
        if file.report.form == "v3":
            assert again.original == value


@settings(deadline=None, max_examples=40)
@given(V1 | V2 | V3, st.sampled_from(TEXTS), st.text("ab {}界", min_size=1).map(str.strip).filter(bool))
def test_an_edit_in_the_form_changes_its_field_and_no_other(value: Object, field: str, text: str) -> None:
    file = read_card(raw(value))
    used = adopted(file, language="en")
    out = outgoing(file, saved_again(used, **{field: text}), language="en")
    was, now = value.get("data", value), dict(out.original.get("data", out.original))
    beside = {"creator_notes": "creatorcomment"}.get(field, field)
    changed = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    assert changed <= {field, beside}
    assert now.get(field, now.get(beside)) == text
    assert {k for k in value if k != "data" and value[k] != out.original[k]} <= {field, beside}


def test_a_language_a_line_or_tags_that_were_changed_leave_with_the_card() -> None:
    file = read_card(raw(v2()))
    used = adopted(file, language="en")
    assert "keepsake" not in outgoing(file, used, language="en").original["data"]["extensions"]  # type: ignore[index]
    new = card_of(
        type(form := written_of(character_from_card(used, id="")))(**{**form.__dict__, "tagline": "Next!", "tags": ("queue",)}), before=used
    )
    data = outgoing(file, new, language="en").original["data"]
    assert data["extensions"]["keepsake"] == {"language": "en", "tagline": "Next!"}  # type: ignore[index]
    assert data["tags"] == ["queue"]  # type: ignore[index]
    again = read_card(raw(outgoing(file, new, language="en").original))
    assert written_of(character_from_card(adopted(again, language="zh"), id="")).tagline == "Next!"


def test_odd_tags_names_and_records_are_read_and_stay_in_the_original() -> None:
    odd = v3()
    odd["data"] |= {"tags": ["a, b", "x\ny" * 300, 4], "creator": "c" * 5_000}
    odd["data"]["extensions"] = {"keepsake": {"language": "../..", "stances": "all"}, "depth_prompt": {"prompt": "Shy.", "depth": "2"}}
    file = read_card(raw(odd))
    character = character_from_card(adopted(file, language="zh"), id="")
    assert (character.language, character.stances) == ("zh", ())
    assert character.note is not None
    assert (character.note.text, character.note.depth) == ("Shy.", 2)
    assert outgoing(file, saved_again(adopted(file, language="zh")), language="zh").original == odd


def test_a_lorebook_is_there_for_conversations() -> None:
    card = v3()
    card["data"]["character_book"] = book(entry())
    used = adopted(read_card(raw(card)), language="en")
    assert used["data"]["character_book"] == card["data"]["character_book"]  # type: ignore[index]


def test_what_is_more_than_can_be_kept_is_refused() -> None:
    card = v1()
    card["x"] = ["y" * 999_999] * 3
    assert adopted(read_card(raw(card)), language="en")
    card["character_book"] = {"entries": [], "extensions": {"z": ["y" * 900_000] * 4}}
    del card["x"]
    with pytest.raises(KeepsakeError) as refused:
        adopted(read_card(raw({**card, "description": "界" * 199_999, "first_mes": "x" * 160_000})), language="en")
    assert refused.value.code in ("character_too_large", "card_too_large")


def pictured(value: object = None) -> CardFile:
    return read_card(png(card_chunk(value or v2())))


def test_an_avatar_is_a_small_square_of_pixels_alone() -> None:
    small = face(avatar(pictured()) or b"")
    assert small is not None
    assert b"prVt" not in small
    assert b"parameters" not in small
    assert is_face(small)
    wide = io.BytesIO()
    Image.new("RGB", (900, 1400), (9, 9, 9)).save(wide, "JPEG")
    cut = face(wide.getvalue())
    assert cut is not None
    assert Image.open(io.BytesIO(cut)).size == (FACE_PX, FACE_PX)
    assert face(as_png(wide.getvalue()) or b"") is not None


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        b"<html><script>alert(1)</script>",
        picture()[:-40],
        picture()[:40] + b"\0" * 60,
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", (MAX_PIXELS).to_bytes(4) + b"\0\0\0\2\x08\2\0\0\0")
        + chunk(b"IDAT", b"x")
        + chunk(b"IEND", b""),
    ],
)
def test_what_is_no_picture_that_can_be_drawn_is_none(hostile: bytes) -> None:
    assert face(hostile) is None
    assert not is_face(hostile)


def test_only_our_own_kind_of_picture_passes_for_an_avatar() -> None:
    small = face(drawn("Odile"))
    assert small is not None
    assert is_face(small)
    assert not is_face(drawn("Odile"))  # not square
    assert not is_face(picture())  # other chunks
    assert not is_face(small[:-1])
    assert not is_face(small + b"<script>")
    assert not is_face(small.replace(small[16:20], b"\0\0\x40\0", 1))


def test_a_character_without_a_picture_gets_one_that_is_always_the_same() -> None:
    assert drawn("Odile") == drawn("Odile")
    assert drawn("Odile") != drawn("绮罗")
    assert read_card(write_png(read_card(raw(v3())), drawn("Odile")).raw).original == v3()


def test_members_of_an_archive_leave_in_an_archive() -> None:
    card = v3()
    card["data"]["assets"] = [{"type": "icon", "uri": "embeded://assets/a.png", "name": "main", "ext": "png"}]
    file = read_card(archive({"card.json": raw(card), "assets/a.png": picture(), "more/x.bin": b"\0\1"}))
    kept = card_file(file.original, members=file.members)
    again = read_card(write_charx(outgoing(kept, saved_again(adopted(file, language="en")), language="en")).raw)
    assert (again.original, again.members) == (card, file.members)
