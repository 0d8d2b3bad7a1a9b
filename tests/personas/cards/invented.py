"""Invented cards, pictures and archives, and what any card may hold."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib
from typing import Any

from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

Object = dict[str, Any]
EVEN = {"spec": "chara_card_v3", "spec_version": "3.0"}


def v1() -> Object:
    fields = {"name": "Odile", "description": "Keeps the {{user}}'s letters.", "personality": "dry", "scenario": "A post office."}
    return {**fields, "first_mes": "Next!", "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Stamp?"}


def v2() -> Object:
    data = {**v1(), "creator_notes": "Slow talker.", "system_prompt": "", "post_history_instructions": "{{original}}"}
    data |= {"alternate_greetings": ["Closed."], "tags": ["post"], "creator": "us", "character_version": "1"}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**data, "extensions": {}}}


def data(**changed: Any) -> Object:
    """A card of the second version with some fields changed."""
    return {**v2(), "data": {**v2()["data"], **changed}}


def v3() -> Object:
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**v2()["data"], "group_only_greetings": []}}


def entry() -> Object:
    return {"keys": ["stamp"], "content": "Stamps cost two.", "extensions": {}, "enabled": True, "insertion_order": 100, "use_regex": False}


def book(*entries: Object) -> Object:
    return {"name": "Town", "extensions": {}, "entries": list(entries)}


def raw(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def picture(*, colour: int = 90, text: str = "") -> bytes:
    """A small PNG, with a text chunk of another program's."""
    info = PngInfo()
    info.add_text("parameters", text or "a drawing, 20 steps")
    info.add(b"prVt", b"\0\1 not ours")
    written = io.BytesIO()
    Image.new("RGBA", (3, 2), (colour, 10, 20, 128)).save(written, "PNG", pnginfo=info)
    return written.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def png(*chunks: bytes) -> bytes:
    """The picture with chunks before its end."""
    whole = picture()
    return whole[:-12] + b"".join(chunks) + whole[-12:]


def card_chunk(value: object, *, keyword: bytes = b"chara") -> bytes:
    return chunk(b"tEXt", keyword + b"\0" + base64.b64encode(raw(value)))


def archive(members: dict[str, bytes], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", packing) as opened:
        for name, data in members.items():
            opened.writestr(name, data)
    return written.getvalue()


# --- what any card may hold ----------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
NUMBER = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
KEY = TEXT.filter(lambda key: key != "__proto__")
"""That one is taken out of a card, and told."""
VALUE = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=6,
)
MORE = st.dictionaries(TEXT.map(lambda key: "x_" + key), VALUE, max_size=3)
"""Keys that no form knows."""
NAME = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)
TEXTS = st.lists(TEXT, max_size=3)

V1 = st.builds(lambda fields, name, more: {**fields, "name": name, **more}, st.fixed_dictionaries(dict.fromkeys(v1(), TEXT)), NAME, MORE)
ENTRY = st.builds(
    lambda needed, optional, more: {**needed, **optional, **more},
    st.fixed_dictionaries(
        {"keys": TEXTS, "content": TEXT, "extensions": MORE, "enabled": st.booleans(), "insertion_order": st.integers(-9, 999)}
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.integers(0, 99),
            "name": TEXT,
            "comment": TEXT,
            "secondary_keys": TEXTS,
            "selective": st.booleans(),
            "constant": st.booleans(),
            "case_sensitive": st.booleans(),
            "priority": st.integers(0, 9),
            "position": st.sampled_from(["before_char", "after_char"]),
        },
    ),
    MORE,
)
BOOK = st.builds(
    lambda entries, extensions, optional, more: {"entries": entries, "extensions": extensions, **optional, **more},
    st.lists(ENTRY, max_size=3),
    MORE,
    st.fixed_dictionaries({}, optional={"name": TEXT, "scan_depth": st.integers(0, 99), "recursive_scanning": st.booleans()}),
    MORE,
)
_DATA_2 = {"creator_notes": TEXT, "system_prompt": TEXT, "post_history_instructions": TEXT, "alternate_greetings": TEXTS, "tags": TEXTS}
_DATA_2 |= {"creator": TEXT, "character_version": TEXT, "extensions": MORE}
V2 = st.builds(
    lambda first, second, books, more: {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**first, **second, **books}, **more},
    V1,
    st.fixed_dictionaries(_DATA_2),
    st.fixed_dictionaries({}, optional={"character_book": BOOK}),
    MORE,
)
_DATA_3 = {"nickname": TEXT, "source": TEXTS, "creation_date": st.integers(0, 2**33), "modification_date": st.integers(0, 2**33)}
_DATA_3 |= {"creator_notes_multilingual": st.dictionaries(st.sampled_from(["en", "zh", "fr"]), TEXT)}
_DATA_3 |= {"assets": st.lists(st.fixed_dictionaries({"type": TEXT, "uri": TEXT, "name": TEXT, "ext": TEXT}), max_size=2)}
V3 = st.builds(
    lambda second, third, greetings: {**second, **EVEN, "data": {**second["data"], **third, "group_only_greetings": greetings}},
    V2,
    st.fixed_dictionaries({}, optional=_DATA_3),
    TEXTS,
)
_KNOWN = [*v3()["data"], *_DATA_3, "character_book"]
WILD = st.builds(
    lambda name, fields, spec: {**spec, "data": {**fields, "name": name}} if spec else {**fields, "name": name, "first_mes": "x"},
    NAME,
    st.dictionaries(st.sampled_from(_KNOWN) | KEY, VALUE | BOOK, max_size=8),
    st.sampled_from([{}, EVEN, {"spec": "chara_card_v2"}]),
)
"""Cards whose fields hold anything."""
