"""What is read and written again is what came: every key at every level, known or not, in its order; and every pixel and chunk."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import pytest
from hypothesis import given
from PIL import Image

from personas.cards.png import keyword, read_chunks, write_chunks
from personas.cards.reading import CardFile, read_card
from personas.cards.report import Container, Form, Notes
from personas.cards.writing import write_json, write_png
from tests.personas.cards.invented import V1, V2, V3, WILD, Object, book, entry, picture, raw, v2, v3


def read(value: object) -> CardFile:
    return read_card(raw(value))


def again(file: CardFile, version: int) -> CardFile:
    return read_card(write_json(file, version=version).raw)


def in_order(value: object) -> str:
    """Equal for two values only if their keys stand in the same order."""
    return json.dumps(value)


def holds(whole: Any, part: Any) -> bool:
    """Whether everything in a part is in the whole at the same place."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and holds(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(holds, whole, part))
    return bool(whole == part)


@given(V2)
def test_v2_comes_back_key_by_key(value: Object) -> None:
    file = read(value)
    assert in_order(again(file, 2).original) == in_order(value)


@given(V3)
def test_v3_comes_back_key_by_key(value: Object) -> None:
    file = read(value)
    assert in_order(again(file, 3).original) == in_order(value)


@given(V1)
def test_v1_keeps_its_keys_beside_the_data_of_a_later_version(value: Object) -> None:
    file = read(value)
    for version in (2, 3):
        written = again(file, version)
        assert holds(written.original, value)
        assert written.card == file.card
        assert in_order(again(written, version).original) == in_order(written.original)


@given(V2)
def test_v2_as_v3_loses_nothing_and_says_the_same(value: Object) -> None:
    file = read(value)
    written = again(file, 3)
    assert holds(written.original, {key: part for key, part in value.items() if not key.startswith("spec")})
    assert written.card == file.card
    assert written.report.form is Form.V3
    assert set(written.report.coerced) <= set(file.report.coerced)


@given(V3)
def test_v3_as_v2_leaves_out_what_v2_has_no_room_for_and_says_so(value: Object) -> None:
    file = read(value)
    written = write_json(file, version=2)
    found = read_card(written.raw).original
    for part in ("assets", "nickname", "source", "group_only_greetings", "creator_notes_multilingual", "creation_date"):
        assert part not in found["data"]
        assert (f"data.{part}" in written.left_out) == bool(value["data"].get(part))
    kept = {key: part for key, part in value["data"].items() if key.startswith("x_") or key == "extensions"}
    assert holds(found["data"], kept)


@given(WILD)
def test_a_card_of_wrong_types_says_the_same_when_it_is_written_rightly(value: Object) -> None:
    file = read(value)
    for version in (2, 3):
        written = again(file, version)
        if version == 3:
            assert written.card == file.card
        assert in_order(again(written, version).original) == in_order(written.original)


@pytest.mark.parametrize("date", [0, 0.5, "0", "1970-01-01", "1960-01-01", -0.5, 999])
def test_a_moment_that_is_none_is_none_when_it_is_written_again(date: object) -> None:
    file = read({"name": "Odile", "first_mes": "Next, please.", "creation_date": date})
    assert file.card.creation_date == (999 if date == 999 else None)
    assert again(file, 3).card == file.card


def chara(raw: bytes) -> Object:
    """The older of the two cards in a picture."""
    chunks = tuple(chunk for chunk in read_chunks(raw, Notes()) if keyword(chunk) != "ccv3")
    return dict(read_card(write_chunks(chunks)).original)


@given(V2)
def test_a_picture_holds_both_forms(value: Object) -> None:
    written = write_png(read(value), picture()).raw
    file = read_card(written)
    assert [keyword(chunk) for chunk in read_chunks(written, Notes()) if keyword(chunk)] == ["parameters", "chara", "ccv3"]
    assert (file.report.form, file.report.container) == (Form.V3, Container.PNG)
    assert file.card == read(value).card
    assert in_order(chara(written)) == in_order(value)
    with Image.open(io.BytesIO(written)) as opened:  # another reader finds the same
        opened.load()
        for name, original in (("chara", value), ("ccv3", file.original)):
            assert json.loads(base64.b64decode(opened.text[name])) == original  # type: ignore[attr-defined]


def test_pixels_and_other_chunks_stay_and_old_cards_go() -> None:
    first = write_png(read(v2()), picture()).raw
    second = write_png(read({**v3(), "data": {**v3()["data"], "name": "Other"}}), first).raw
    assert read_card(second).card.name == "Other"
    assert read_card(second).picture == picture()
    before, after = Image.open(io.BytesIO(picture())), Image.open(io.BytesIO(second))
    assert before.tobytes() == after.tobytes()
    assert before.mode == after.mode
    names = [chunk.type for chunk in read_chunks(second, Notes())]
    assert names == [b"IHDR", b"tEXt", b"prVt", b"IDAT", b"tEXt", b"tEXt", b"IEND"]


@pytest.mark.parametrize("notice", ["", "Made for V3."])
def test_the_older_form_says_where_it_is_the_lesser_one(notice: str) -> None:
    value = v3()
    value["data"]["nickname"] = "Od"
    value["data"]["character_book"] = book({**entry(), "content": "@@depth 2\nStamps."})
    written = write_png(read(value), picture(), notice=notice)
    assert written.left_out == ("data.nickname", "data.character_book.entries[].content")
    older = chara(written.raw)
    assert older["data"]["creator_notes"] == ("Slow talker.\n\nMade for V3." if notice else "Slow talker.")
    assert older["data"]["character_book"]["entries"][0]["content"] == "Stamps."
    assert read_card(written.raw).original == value
