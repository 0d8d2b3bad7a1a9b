"""What was learned, as a file: it leaves and comes back, and whatever is no such file is refused."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from storage.scope import LOCAL_USER
from tests.conftest import OpenChat
from tests.memory.schooling import FINGERPRINT, D, School


@pytest.fixture
def school(chat: OpenChat) -> School:
    made = School(chat)
    made.learner.choose(LOCAL_USER, "learning", exploring=False)
    return made


def test_what_was_learned_leaves_as_a_file_and_comes_back(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    order = school.learner.ranked(school.chat.scope, school.recall()).order
    raw = school.learner.packed(LOCAL_USER)
    school.learner.reset(LOCAL_USER)
    school.learner.unpack(LOCAL_USER, raw)
    assert school.learner.ranked(school.chat.scope, school.recall()).order == order
    assert school.updates == 10


def archive(**arrays: object) -> bytes:
    good = {
        "weights": np.zeros((2, D), dtype="<f4"),
        "updates": np.array(3, dtype="<i8"),
        "embedder": np.frombuffer(FINGERPRINT.encode(), dtype=np.uint8),
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **{name: array for name, array in {**good, **arrays}.items() if array is not None})  # type: ignore[arg-type]
    return buffer.getvalue()


def claiming(shape: str) -> bytes:
    """An archive whose weights say that they are larger than they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made, zipfile.ZipFile(io.BytesIO(archive())) as good:
        for name in good.namelist():
            data = good.read(name)
            made.writestr(name, data.replace(b"(2, 16)", shape.encode()) if name == "weights.npy" else data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"PK\x03\x04 no archive",
        archive(weights=np.zeros((2, D + 1), dtype="<f4")),
        archive(weights=np.zeros((2, D))),
        archive(weights=np.full((2, D), np.nan, dtype="<f4")),
        archive(weights=np.full((2, D), 1e3, dtype="<f4")),
        archive(weights=np.array([{"a": 1}], dtype=object)),
        archive(weights=np.asfortranarray(np.zeros((2, D), dtype="<f4"))),
        archive(weights=None),
        archive(updates=np.array(-1, dtype="<i8")),
        archive(embedder=np.frombuffer(b"another", dtype=np.uint8)),
        archive(embedder=np.zeros(100_000, dtype=np.uint8)),
        claiming("(9, 99)"),
        archive(more=np.zeros(10_000)),
    ],
)
def test_a_file_that_is_not_what_learning_leaves_is_refused(school: School, raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        school.learner.unpack(LOCAL_USER, raw)
    assert school.updates == 0
    school.learner.unpack(LOCAL_USER, archive())
    assert school.updates == 3
