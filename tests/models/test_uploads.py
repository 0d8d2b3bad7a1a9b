"""A model's file that comes from a browser is in the folder when it is whole or not at all."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from models.downloads import PARTS
from models.uploads import (
    MOST_BYTES,
    UploadCut,
    UploadName,
    UploadNoChat,
    UploadNoModel,
    UploadNoRoom,
    UploadRefused,
    UploadRunning,
    Uploads,
    UploadThere,
    UploadTooLarge,
)
from tests.models.gguf_files import CHAT, head

WHOLE = head(CHAT) + b"weights" * 100


def left(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def sent(uploads: Uploads, name: str, content: bytes, *, size: int | None = None, pieces: int = 7) -> str:
    upload = uploads.begin(name, len(content) if size is None else size)
    try:
        for at in range(0, len(content), pieces):
            upload.write(content[at : at + pieces])
        return upload.finish()
    finally:
        upload.close()


@pytest.mark.parametrize("pieces", [1, 3, 7, 10_000])
def test_a_file_comes_in_whole(tmp_path: Path, pieces: int) -> None:
    folder = tmp_path / "models"
    uploads = Uploads(folder)
    assert sent(uploads, "tiny-q4.gguf", WHOLE, pieces=pieces) == "tiny-q4.gguf"
    assert (folder / "tiny-q4.gguf").read_bytes() == WHOLE
    assert left(folder) == ["tiny-q4.gguf"]
    with pytest.raises(UploadThere):
        sent(uploads, "tiny-q4.gguf", WHOLE)


@pytest.mark.parametrize(
    ("content", "size", "why"),
    [
        (b"PK\x03\x04 a zip", None, UploadNoModel),
        (b"GG", None, UploadNoModel),
        (b"GGUF\xff\xff\xff\xff and nonsense", None, UploadNoModel),
        (WHOLE[:60], None, UploadNoModel),
        (WHOLE, len(WHOLE) + 1, UploadCut),
        (WHOLE, len(WHOLE) - 1, UploadCut),
        (head({key: value for key, value in CHAT.items() if "template" not in key}), None, UploadNoChat),
    ],
)
def test_what_is_refused_leaves_nothing_and_the_next_comes_in(
    tmp_path: Path, content: bytes, size: int | None, why: type[UploadRefused]
) -> None:
    folder = tmp_path / "models"
    uploads = Uploads(folder)
    with pytest.raises(why):
        sent(uploads, "x.gguf", content, size=size)
    assert left(folder) == []
    sent(uploads, "x.gguf", WHOLE)


def test_what_is_no_model_is_refused_at_its_first_bytes(tmp_path: Path) -> None:
    upload = Uploads(tmp_path).begin("x.gguf", 2**30)
    try:
        with pytest.raises(UploadNoModel):
            upload.write(b"GGUX")
    finally:
        upload.close()


@pytest.mark.parametrize(
    "name", ["", "x", "x.gguf.exe", "../x.gguf", "a/b.gguf", "/etc/x.gguf", ".x.gguf", "x\n.gguf", "x.gguf\0", "a b.gguf"]
)
def test_a_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(UploadName):
        Uploads(tmp_path / "models").begin(name, 10)
    assert left(tmp_path) == []


def test_sizes_room_and_a_second_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads(tmp_path)
    for size in (0, -1, MOST_BYTES + 1):
        with pytest.raises(UploadTooLarge):
            uploads.begin("x.gguf", size)
    first = uploads.begin("x.gguf", 10)
    with pytest.raises(UploadRunning):
        uploads.begin("y.gguf", 10)
    first.close()
    first.close()
    usage = namedtuple("usage", "total used free")  # as shutil's own
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**12, 0, 2**30 + 100))
    uploads.check("x.gguf", 100)
    with pytest.raises(UploadNoRoom):
        uploads.begin("x.gguf", 101)
    assert left(tmp_path) == []


def test_what_a_killed_program_left_is_swept(tmp_path: Path) -> None:
    upload = Uploads(tmp_path).begin("x.gguf", 100)
    upload.write(WHOLE[:50])
    (tmp_path / PARTS / "offer.gguf.part").write_bytes(b"half a download")
    Uploads(tmp_path)
    assert left(tmp_path) == [f"{PARTS}/offer.gguf.part"], "what is being fetched is another's"


def test_a_later_part_of_a_model_brings_no_template(tmp_path: Path) -> None:
    bare = head({"general.architecture": "llama"})
    assert sent(Uploads(tmp_path), "big-00002-of-00003.gguf", bare) == "big-00002-of-00003.gguf"
