"""Pictures of characters: the small one beside a name, and one that is drawn where there is none.

What comes in is decoded and drawn anew, so that a browser is never given a byte that somebody else wrote.
"""

from __future__ import annotations

import hashlib
import io
import math
import struct
import warnings
import zlib

from PIL import AvifImagePlugin, Image, ImageDraw, ImageOps

from personas.cards.png import SIGNATURE

FACE_PX = 256
"""Side of an avatar; twice the largest that the page shows."""
MAX_FACE_BYTES = FACE_PX * FACE_PX * 4 + 4096
"""Of pixels that cannot be packed."""
MAX_PIXELS = 25_000_000
"""Of a picture that is decoded, which takes four bytes each."""
KINDS = ("PNG", "JPEG", "WEBP", "AVIF", "GIF")
HEAD = 0.15
"""Of what is too high for a square, the part that is cut off above: faces are in the upper half."""
_COVER = (400, 600)
_FACE_CHUNKS = (b"IHDR", b"IDAT", b"IEND")
AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # with one for each processor their stacks alone fill the memory that reading a file may take


def face(raw: bytes) -> bytes | None:
    """The picture as an avatar: a square PNG, at most FACE_PX wide, of pixels alone. None for what cannot be decoded."""
    picture = _decoded(raw)
    if picture is None:
        return None
    side = min(picture.size)
    left, top = (picture.width - side) // 2, round((picture.height - side) * HEAD)
    square = picture.crop((left, top, left + side, top + side))
    if side > FACE_PX:
        square = square.resize((FACE_PX, FACE_PX), Image.Resampling.LANCZOS)
    return _png(square)


def is_face(raw: bytes) -> bool:
    """Whether a file is a square PNG as `face` makes them: 8 bits a channel, three chunks of known kinds and nothing else."""
    if len(raw) > MAX_FACE_BYTES or not raw.startswith(SIGNATURE):
        return False
    at, kinds = len(SIGNATURE), []
    while at + 12 <= len(raw):
        length, kind = int.from_bytes(raw[at : at + 4]), raw[at + 4 : at + 8]
        end = at + 8 + length
        if kind not in _FACE_CHUNKS or zlib.crc32(raw[at + 4 : end]) != int.from_bytes(raw[end : end + 4]):
            return False
        kinds.append(kind)
        at = end + 4
    if at != len(raw) or len(kinds) < 3 or (kinds[0], kinds[-1]) != (b"IHDR", b"IEND") or set(kinds[1:-1]) != {b"IDAT"}:
        return False
    if raw[8:12] != b"\0\0\0\x0d":
        return False
    width, height, depth, colour = struct.unpack(">IIBB", raw[16:26])
    return width == height and 1 <= width <= FACE_PX and depth == 8 and colour in (2, 6)


def as_png(raw: bytes) -> bytes | None:
    """A picture of another kind as a PNG. None for what cannot be decoded."""
    picture = _decoded(raw)
    return None if picture is None else _png(picture)


def drawn(name: str) -> bytes:
    """A PNG for a character without a picture: rings in colours that follow from the name, always the same."""
    seed = hashlib.sha256(name.encode("utf-8", "replace")).digest()
    hue = seed[0] / 255
    width, height = _COVER
    picture = Image.new("RGB", _COVER, _colour(hue, 0.32, 0.24))
    draw = ImageDraw.Draw(picture)
    for row in range(height):
        draw.line([(0, row), (width, row)], fill=_colour(hue + 0.08 * row / height, 0.34, 0.24 + 0.22 * row / height))
    turn = seed[1] / 255 * math.tau
    for ring in range(7):
        radius = 250 - ring * 34
        shift = 26 * math.sin(turn + ring * (0.5 + seed[2] / 255))
        x, y = width / 2 + shift, height * 0.46 + 18 * math.cos(turn + ring)
        shade = _colour(hue + (seed[3 + ring] / 255 - 0.5) * 0.22, 0.42, 0.36 + 0.07 * ring)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=shade, width=9)
    return _png(picture)


def _decoded(raw: bytes) -> Image.Image | None:
    """The first frame, upright, as RGB or RGBA."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(raw), formats=KINDS) as opened:
                if opened.width * opened.height > MAX_PIXELS:
                    return None
                upright = ImageOps.exif_transpose(opened)
                see_through = upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info
                return upright.convert("RGBA" if see_through else "RGB")
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        RuntimeError,
        struct.error,
        zlib.error,
        MemoryError,
        Image.DecompressionBombError,
        Warning,
    ):
        return None


def _png(picture: Image.Image) -> bytes:
    picture.info.clear()
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _colour(hue: float, saturation: float, lightness: float) -> tuple[int, int, int]:
    chroma = saturation * (1 - abs(2 * lightness - 1))

    def channel(shift: float) -> int:
        place = ((hue % 1) * 6 + shift) % 6
        return round(255 * (lightness + chroma * (max(0.0, min(abs(place - 3) - 1, 1.0)) - 0.5)))

    return channel(0), channel(4), channel(2)
