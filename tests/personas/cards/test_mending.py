"""Harmless faults of cards: each is put right and told; of two cards in a file the sound one counts; whoever has no name gets that of the file."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from personas.cards.reading import CardFile, avatar, read_card, read_lorebook
from personas.cards.refused import CardNameless, CardNotJson, CardPictureEmpty, CardRefused, CardUnknown
from personas.cards.report import Container, Form
from personas.cards.writing import write_json
from tests.personas.cards.invented import Object, archive, book, card_chunk, chunk, data, entry, png, raw, v1, v2, v3


def mended(file: CardFile) -> dict[str, str]:
    """Codes and places of what was put right."""
    return {note.code: note.field for note in file.report.mended}


def text(inside: str) -> bytes:
    """A card with JSON of one's own in an extension."""
    return raw(v2()).replace(b'"extensions": {}', b'"extensions": {"x": ' + inside.encode() + b"}")


JSON: list[tuple[bytes, str]] = [
    (raw(v2()).replace(b'"scenario": "', b'"scenario": "a", "scenario": "'), "key_twice"),
    (raw(v2()).replace(b"A post office.", b"A post\n\toffice."), "raw_line_break"),
    (raw(v2())[:-2] + b", } ,\r\n}", "trailing_comma"),
    (raw(v2()).replace(b", ", b",, ").replace(b'["Closed."]', b'[, "Closed."]'), "trailing_comma"),
    (json.dumps(v2(), indent=1).replace(",\n", "\n").encode(), "comma_missing"),
    (raw(v2()).replace(b'"dry", "', b'"dry" "').replace(b'], "', b']"'), "comma_missing"),
    (b"# saved by hand\n" + raw(v2()), "before_the_beginning"),
    (b"{ # saved by hand\n" + raw(v2())[1:], "comment"),
    (raw(v2()).decode().replace('"name"', "“name”").replace('"dry"', "“dry”").encode(), "quotes"),
    (raw(v2()).decode().replace(": ", "：").replace(", ", "，").encode(), "wide_punctuation"),
    (raw(v2())[:-1], "unclosed"),
    (raw(v2())[:-2] + b"\n", "unclosed"),
    (b"Of course, here she is:\n\n```json\n" + raw(v2()) + b"\n```\nHave fun!", "before_the_beginning"),
    (b"// saved by hand\n" + raw(v2())[:-1] + b'/* "x": 1, */}', "comment"),
    (raw(v2()).replace(b'"data"', b"data"), "quotes"),
    (repr(v2()).encode(), "quotes"),
    (raw(v2())[:-1] + b', "fav": True, "x": None}', "word"),
    (raw(v2()).replace(b"A post office.", b"It\\'s a post\\x20office in C:\\Dorf"), "escape"),
    (raw(v2()) + b"\n</html>", "after_the_end"),
    (text("NaN"), "number_broken"),
    (text("[1, -Infinity, 1e999]"), "number_broken"),
    (text("9" * 5_000), "number_broken"),
    (text('"half \\ud83d"'), "letters_broken"),
    (text('{"\\udc00": "a\\u0000b"}'), "letters_broken"),
    (text('{"__proto__": {"admin": true}}'), "unsafe_key"),
    (json.dumps(raw(v2()).decode()).encode(), "json_in_text"),
    (raw({**v2(), "data": json.dumps(v2()["data"])}), "json_in_text"),
    (raw([v2()]), "in_a_list"),
    (raw({**v2(), "data": [v2()["data"]]}), "in_a_list"),
    (raw({"character": v2()}), "wrapped"),
    (raw(v2()).decode().encode("utf-16"), "encoding"),
    (raw(v2()).decode().encode("utf-16-le"), "encoding"),
    (raw({**v2(), "spec": "Chara_Card_V2"}), "spec_spelled"),
    (raw({**v2(), "spec": "chara-card-v2"}), "spec_spelled"),
    (raw({**v2(), "spec": 2}), "spec_spelled"),
    (raw({**v2(), "spec": "chara_card_v2.0"}), "spec_spelled"),
    (raw({**v2(), "spec": " "}), "spec_spelled"),
    (raw({"spec": "chara_card_v3", "data": v3()}), "wrapped"),
    (raw({"node": {"id": 9, "definition": v2()}}), "wrapped"),
    (raw({"json": raw(v3()).decode()}), "json_in_text"),
    (raw({"spec": "chara_card_v2", **v1()}), "no_data"),
    (raw({"spec": "chara_card_v2", "data": None, **v1()}), "no_data"),
    (raw({"spec": "chara_card_v2", "data": {}, **v1()}), "from_beside"),
    (raw({**data(name=None), "name": "Odile"}), "from_beside"),
    (raw({**data(name="  "), "name": "Odile"}), "from_beside"),
    (
        raw({" Spec ": "chara_card_v2", "DATA": {key.replace("_", " ").title(): value for key, value in v2()["data"].items()}}),
        "key_spelled",
    ),
    (raw({"spec": "chara_card_v2", "data": {"name": "Odile", "firstMes": "Next!", "personality": "dry"}}), "key_spelled"),
]


@pytest.mark.parametrize(("came", "code"), JSON, ids=[f"{n}-{code}" for n, (_, code) in enumerate(JSON)])
def test_a_harmless_fault_is_put_right_and_told(came: bytes, code: str) -> None:
    file = read_card(came)
    assert code in mended(file)
    assert (file.card.name, file.card.first_mes, file.card.personality) == ("Odile", "Next!", "dry")
    again = read_card(write_json(file, version=3).raw)
    assert again.card == file.card
    assert not again.report.mended


@pytest.mark.parametrize(
    "came", [raw(v2()), b"\xef\xbb\xbf" + raw(v2()), raw(v2()) + b"\0\0", b" \r\n" + raw(v2()) + b" \n", raw({**v2(), "spec_version": 2.0})]
)
def test_what_loses_nothing_is_no_fault(came: bytes) -> None:
    assert read_card(came).card == read_card(raw(v2())).card
    assert not read_card(came).report.mended


def test_faults_lose_no_letter_of_a_text() -> None:
    file = read_card(raw(v2()).replace(b"A post office.", b"It\\'s\n\\x41 \\q 'so' // no comment, }"))
    assert file.card.scenario == "It's\nA \\q 'so' // no comment, }"
    twice = read_card(raw(v2()).replace(b'"personality": "dry"', b'"personality": "wet", "personality": "dry"'))
    assert [(note.field, note.n) for note in twice.report.mended] == [("personality", 1)]
    assert read_card(text('"\\ud83d\\ude00 \\ud83d!"')).original["data"]["extensions"] == {"x": "\U0001f600 \ufffd!"}  # type: ignore[index]
    assert read_card(text("9" * 5_000)).original["data"]["extensions"] == {"x": "9" * 5_000}  # type: ignore[index]


@pytest.mark.parametrize(
    "cut",
    [
        b'{"name": "Odile", "first_mes": "Next!", "scenario": "A post',
        b'{"name": "Odile", "first_mes": "Next!", "scenario"',
        b'{"name": "Odile", "first_mes": "Next!", "scenario":',
        b'{"name": "Odile", "first_mes": "Next!",',
        b'{"name": "Odile", "first_mes": "Next!", "talkativeness": 0.',
        b"{'name': 'Odile', 'first_mes': 'Next!', 'scenario': 'A post",
        b"{'name': 'Odile', 'first_mes': 'Next!', 'scenario': '",
        b"{'name': 'Odile', 'first_mes': 'Next!', 'scenario': 'It\\'",
        "{“name”: “Odile”, “first_mes”: “Next!”, “scenario”: “".encode(),
        b'{"name": "Odile", "first_mes": "Next!", "tags": ["a" "b"]}',
        b'{"name": "Odile", "first_mes": "Say "Next" or "2" now"}',
        b'{"name": "Odile", "first_mes": "Say ""Next"": 2", "scenario": "x"}',
        b'{"name": "Odile", "first_mes": "Next!", "tags": ["a"}',
    ],
)
def test_what_leaves_open_what_was_meant_is_refused(cut: bytes) -> None:
    with pytest.raises(CardNotJson):
        read_card(cut)


@pytest.mark.parametrize(
    "page", [b"# Notes\n\n[one] and {two}\n", b"<html>\n{}\n</html>", b"Ann\n[18:30] Hi.\n", b"x" * 5_000 + b"\n" + raw(v2())]
)
def test_a_page_with_brackets_is_no_card(page: bytes) -> None:
    for read in (read_card, read_lorebook):
        with pytest.raises(CardUnknown):
            read(page)


def test_a_card_whose_end_is_missing_counts_after_one_that_is_whole() -> None:
    open_ = chunk(b"tEXt", b"ccv3\0" + base64.b64encode(raw(v3())[:-2]))
    file = read_card(png(open_, card_chunk(v2())))
    assert (file.report.form, mended(file)) == (Form.V2, {"damaged_card": "ccv3"})
    assert mended(read_card(png(open_, card_chunk([])))) == {"unclosed": "ccv3"}
    assert mended(read_card(png(open_))) == {"unclosed": "ccv3"}


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("cp1252", "Le café naïf, “déjà vu” à la gare."),
        ("gb18030", "她在河边的旧书店里织锦，每天等着一位老朋友回来。"),
        ("cp1251", "Она держит старую лавку у самой реки."),
    ],
)
def test_letters_in_an_old_encoding_are_read(encoding: str, said: str) -> None:
    came = raw(data(description=said)).decode().encode(encoding)
    for whole in (came, png(chunk(b"tEXt", b"chara\0" + base64.b64encode(came)))):
        file = read_card(whole)
        assert file.card.description == said
        assert [(note.code, note.detail) for note in file.report.mended] == [("encoding", encoding)]


def test_one_broken_letter_does_not_make_others_strange() -> None:
    came = raw(data(description="她在河边织锦。", scenario="X")).replace(b'"X"', b'"\xe7\xbb"')
    assert (read_card(came).card.description, read_card(came).card.scenario) == ("她在河边织锦。", "\ufffd")


@pytest.mark.parametrize(
    "came",
    [
        {"name": "Odile", "greeting": "Next!", "context": "Sorts letters.", "example_dialogue": "Stamp?"},
        {"character": {"name": "Odile", "greeting": "Next!", "description": "Sorts letters.", "definition": "Stamp?", "votes": 7}},
        {
            "name": "Odile",
            "greeting": "Next!",
            "persona": {"kind": "text", "attributes": {"text": ["Sorts letters."]}},
            "description": "Slow.",
            "sampleChat": "Stamp?",
        },
        {
            "node": {
                "definition": {
                    "name": "Odile",
                    "first_message": "Next!",
                    "personality": "Sorts letters.",
                    "tavern_personality": "dry",
                    "description": "Slow.",
                    "example_dialogs": "Stamp?",
                }
            }
        },
    ],
    ids=["text-generation-webui", "Character.AI", "Agnai", "Chub"],
)
def test_fields_under_other_programs_names_are_read(came: Object) -> None:
    file = read_card(raw(came))
    card = file.card
    assert (card.name, card.first_mes, card.description, card.mes_example) == ("Odile", "Next!", "Sorts letters.", "Stamp?")
    assert ("key_spelled", "first_mes") in {(note.code, note.field) for note in file.report.mended}
    assert card.creator_notes == ("Slow." if "Slow." in str(came) else "")
    again = read_card(write_json(file, version=3).raw)
    assert (again.card, again.report.mended) == (card, ())


def test_a_persona_of_several_attributes_is_told_line_by_line() -> None:
    persona = {"kind": "wpp", "attributes": {"species": ["otter"], "likes": ["stamps", "tea"]}}
    card = read_card(raw({"name": "Odile", "greeting": "Next!", "persona": persona, "sampleChat": ""})).card
    assert card.description == "species: otter\nlikes: stamps, tea"


def test_a_field_under_its_own_name_counts_before_another_word_for_it() -> None:
    file = read_card(raw({**v1(), "greeting": "Closed.", "context": "x", "persona": {"a": 1}}))
    assert (file.card, file.report.mended) == (read_card(raw(v1())).card, ())


def test_a_name_and_a_description_are_a_card_where_nothing_else_stands_there() -> None:
    assert read_card(raw({"name": "Odile", "description": "Sorts letters.", "tags": ["post"]})).card.description == "Sorts letters."
    with pytest.raises(CardUnknown):
        read_card(raw({"name": "Odile", "description": "Sorts letters.", "tags": ["post"], "license": "MIT"}))


def test_a_conversation_that_holds_a_card_is_none() -> None:
    with pytest.raises(CardUnknown):
        read_card(raw({"character": v2(), "messages": [{"role": "user", "content": "Hi."}]}))


# --- names ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, "", " \n", "\u202e", {"a": 1}])
@pytest.mark.parametrize(
    "make",
    [lambda name: data(name=name), lambda name: {**v1(), "name": name}, lambda name: {**v3(), "data": {**v3()["data"], "name": name}}],
)
def test_who_has_no_name_gets_that_of_the_file(name: Any, make: Any) -> None:
    file = read_card(raw(make(name)), name="oda\nferrow")
    assert file.card.name == "oda ferrow"
    assert [(note.code, note.detail) for note in file.report.mended] == [("named_after_file", "oda ferrow")]
    with pytest.raises(CardNameless):
        read_card(raw(make(name)))


def test_a_name_that_is_missing_altogether_is_the_files_too() -> None:
    for value in (
        {"spec": "chara_card_v2", "data": {"description": "x", "first_mes": "Hm."}},
        {"description": "x", "first_mes": "Hm."},
        {"char_name": "", "char_greeting": "Hm."},
    ):
        assert read_card(raw(value), name="Odile").card.name == "Odile"
    assert read_card(raw(v2()), name="other").card.name == "Odile"


# --- pictures ------------------------------------------------------------------------------------------------------------------------

BROKEN = [
    b"",
    base64.b64encode(raw(v3())[:120]),
    b"!!!!",
    base64.b64encode(b"{}"),
    base64.b64encode(b'{"spec": "chara_card_v3", "data": {}}'),
    base64.b64encode(raw({**v3(), "data": {**v3()["data"], "name": ""}})),
]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_a_sound_card_stands_in_for_a_damaged_one(broken: bytes) -> None:
    for cards in ((chunk(b"tEXt", b"ccv3\0" + broken), card_chunk(v2())), (card_chunk(v2()), chunk(b"tEXt", b"ccv3\0" + broken))):
        file = read_card(png(*cards), name="file")
        assert (file.card.name, file.report.form) == ("Odile", Form.V2)
        assert mended(file) == {"damaged_card": "ccv3"}
    file = read_card(png(chunk(b"tEXt", b"chara\0" + broken), card_chunk(v2())))
    assert mended(file) == {"damaged_card": "chara"}


def test_a_wrong_checksum_is_told_and_right_again_on_the_way_out() -> None:
    file = read_card(png(card_chunk(v2())[:-4] + b"\0\0\0\0"))
    assert (file.card.name, mended(file)) == ("Odile", {"checksum": "tEXt"})
    assert file.picture is not None
    Image.open(io.BytesIO(file.picture)).load()


@pytest.mark.parametrize(
    "damaged",
    [
        png(card_chunk(v2()))[:-1],
        png(card_chunk(v2()))[:-12],
        png(card_chunk(v2()), chunk(b"tEXt", b"ccv3\0" + base64.b64encode(raw(v3()))))[:-40],
        png(card_chunk(v2()), chunk(b"t\0Xt", b"")),
        png()[:33] + card_chunk(v2()) + png()[33:90],
        png()[:33] + card_chunk(v2()) + chunk(b"IEND", b""),
    ],
    ids=range(6),
)
def test_a_whole_card_of_a_damaged_picture_comes_in_without_the_picture(damaged: bytes) -> None:
    file = read_card(damaged)
    assert (file.original, file.picture, file.report.container) == (v2(), None, Container.PNG)
    assert mended(file) == {"picture_lost": "PNG"}


def test_the_letters_of_addresses_are_read_as_base64() -> None:
    said = "ÿþ>>>???" * 9
    packed = base64.urlsafe_b64encode(raw(data(description=said)))
    assert b"-" in packed or b"_" in packed
    for card in (packed, packed.rstrip(b"="), b"\n".join(packed[n : n + 60] for n in range(0, len(packed), 60))):
        assert read_card(png(chunk(b"tEXt", b"chara\0" + card))).card.description == said


@pytest.mark.parametrize(
    "said",
    [
        base64.b64encode(base64.b64encode(raw(v2()))),
        b"data:application/json;charset=utf-8;base64," + base64.b64encode(raw(v2())),
        quote(raw(v2())).encode(),
    ],
)
def test_a_card_that_was_packed_once_too_often_is_unpacked(said: bytes) -> None:
    file = read_card(png(chunk(b"tEXt", b"chara\0" + said)))
    assert file.original == v2()
    assert {note.code for note in file.report.coerced} & {"base64_mended", "not_base64"}


def other_picture(kind: str, said: bytes, *, tag: int = 0x9286, **options: Any) -> bytes:
    """A small picture that holds some words in its Exif."""
    exif, written = Image.Exif(), io.BytesIO()
    exif[tag] = said
    Image.new("RGB", (40, 60), (90, 10, 20)).save(written, kind, exif=exif, **options)
    return written.getvalue()


SAID = [
    b"ASCII\0\0\0" + raw(v2()),
    raw(v2()),
    b"ASCII\0\0\0" + ",".join(map(str, raw(v2()))).encode(),
    base64.b64encode(raw(v2())),
    b"UNICODE\0" + raw(v2()).decode().encode("utf-16-le"),
]


@pytest.mark.parametrize("kind", ["WEBP", "JPEG", "AVIF"])
@pytest.mark.parametrize("said", SAID, ids=range(len(SAID)))
def test_a_card_in_another_picture_is_read_and_its_picture_drawn_anew(kind: str, said: bytes) -> None:
    file = read_card(other_picture(kind, said))
    assert (file.original, file.report.container) == (v2(), Container.PICTURE)
    assert mended(file) == {"picture_anew": "PNG"}
    assert file.picture is not None
    assert Image.open(io.BytesIO(file.picture)).size == (40, 60)


def test_a_card_in_an_avif_comes_in_without_a_picture_that_cannot_be_decoded() -> None:
    whole = other_picture("AVIF", SAID[0])
    pixels = whole.index(SAID[0]) + len(SAID[0])
    file = read_card(whole[:pixels] + bytes(len(whole) - pixels))
    assert (file.original, file.picture) == (v2(), None)


def test_a_card_in_a_comment_or_in_xmp_is_read() -> None:
    picture, written = Image.new("RGB", (4, 4)), io.BytesIO()
    picture.save(written, "JPEG", comment=raw(v2()))
    assert read_card(written.getvalue()).original == v2()
    packed = (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:li>'
        + raw(v2()).replace(b'"', b"&quot;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
        + b"</rdf:li></x:xmpmeta>"
    )
    for kind in ("WEBP", "AVIF"):
        written = io.BytesIO()
        picture.save(written, kind, xmp=packed)
        assert read_card(written.getvalue()).original == v2()


@pytest.mark.parametrize(
    "empty", [b"\xff\xd8\xff\xe0 no picture", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8 ", b"\0\0\0\x1cftypavif\0\0", b"\0\0\0\x18ftypheic"]
)
def test_a_picture_without_a_card_says_so(empty: bytes) -> None:
    for whole in (empty, *(other_picture(kind, b"ASCII\0\0\0a photograph") for kind in ("JPEG", "AVIF"))):
        with pytest.raises(CardPictureEmpty):
            read_card(whole)


# --- archives ------------------------------------------------------------------------------------------------------------------------


def test_an_archive_of_a_folder_is_read_from_there() -> None:
    value = v3()
    value["data"]["assets"] = [{"type": "icon", "uri": "embeded://a/main.png", "name": "main", "ext": "png"}]
    file = read_card(archive({"Odile/Card.json": raw(value), "Odile/a/main.png": b"picture", "read.me": b"x"}))
    assert mended(file) == {"in_a_folder": "Odile/Card.json"}
    assert dict(file.members) == {"a/main.png": b"picture", "read.me": b"x"}
    assert not file.report.dropped


def test_an_asset_whose_address_is_spelled_as_the_word_is_found() -> None:
    value = v3()
    value["data"]["assets"] = [{"type": "icon", "uri": "embedded://a/main.png", "name": "main", "ext": "png"}]
    file = read_card(archive({"card.json": raw(value), "a/main.png": b"picture"}))
    assert (avatar(file), mended(file), file.report.dropped) == (b"picture", {"key_spelled": "data.assets[].uri"}, ())
    assert not read_card(write_json(file, version=3).raw).report.mended


# --- whatever comes ------------------------------------------------------------------------------------------------------------------

SOUND = raw(data(character_book=book(entry()), description="绮罗 keeps 'it' // so"))
PIECES = st.sampled_from(
    [
        b'"',
        b"'",
        b",",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"\\",
        b"\\u",
        b"\\ud83d",
        b"//",
        b"/*",
        b"\0",
        b"\xff",
        b"NaN",
        b"1e999",
        b"null",
        b"\n",
        b"True",
        b"#",
        "“”".encode(),
        "，".encode(),
    ]
)


@given(
    st.lists(st.tuples(st.integers(0, len(SOUND)), PIECES, st.integers(0, 3)), min_size=1, max_size=4),
    st.sampled_from(["utf-8", "utf-16", "gb18030"]),
)
def test_random_damage_is_read_or_refused_and_nothing_else(damage: list[tuple[int, bytes, int]], encoding: str) -> None:
    came = SOUND
    for at, piece, gone in damage:
        came = came[:at] + piece + came[at + gone :]
    came = came.decode("utf-8", "ignore").encode(encoding, "ignore") if encoding != "utf-8" else came
    wrapped = png(chunk(b"tEXt", b"ccv3\0" + base64.b64encode(came)), card_chunk(v2()))
    for whole in (came, wrapped, archive({"card.json": came}, packing=zipfile.ZIP_STORED), other_picture("JPEG", b"ASCII\0\0\0" + came)):
        for read in (read_card, read_lorebook):
            try:
                file = read(whole)
            except CardRefused:
                continue
            assert json.loads(json.dumps(file.original)) == file.original


@given(
    st.recursive(
        st.none() | st.text(max_size=5) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "entries",
                        "data",
                        "lorebook",
                        "keys",
                        "key",
                        "keywords",
                        "entry",
                        "text",
                        "content",
                        "mode",
                        "insertorder",
                        "contextConfig",
                        "extentions",
                        "uid",
                        "spec",
                        "kind",
                        "card",
                        "name",
                        "first_mes",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_value_is_read_or_refused(value: object) -> None:
    for read in (read_card, read_lorebook):
        try:
            read(raw(value))
        except CardRefused:
            continue


@pytest.mark.parametrize(
    "hostile",
    [
        b'{"a":"' + b'\\"' * 500_000,
        b"{" + b"'\\'" * 300_000,
        b"{" + b"/*" * 500_000,
        b"{" + b"a" * 1_000_000,
        b"{" + b",/" * 500_000,
        b"{" + b", " * 500_000,
        b'{"a": "' + b"\\x" * 500_000,
        b"{" + "“”".encode() * 300_000,
        b'{"a":[' + b'"",' * 1_000_000,
        b"[" + b"[]" * 1_000_000,
        b"[" + b'{"a":1\n' * 400_000,
    ],
)
def test_grammar_that_is_made_to_be_slow_is_read_once(hostile: bytes) -> None:
    with pytest.raises(CardRefused):
        read_card(hostile)
