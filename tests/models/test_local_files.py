"""Files of models: what is read of them, what is refused, and how many processes run them."""

from __future__ import annotations

import shutil
import struct
import threading
from pathlib import Path

import pytest

from models.build import build_connected
from models.chat_model import ChatMessage
from models.connection import Connection
from models.embedded import FileModel
from models.errors import FileUnfit, ModelUnavailable
from models.gguf import read_header
from models.llama_child import weights
from models.local_files import FileModels, ModelFolder
from models.sampling import Sampling
from models.trial import trial
from tests.models.gguf_files import CHAT, head
from tests.waiting import PATIENCE_S


def connection(name: str, **more: object) -> Connection:
    return Connection.model_validate({"id": "f", "name": "Mine", "kind": "file", "model": name, "context_tokens": 1024, **more})


def model(files: FileModels, one: Connection) -> FileModel:
    made = build_connected(one, None, files, reply_tokens=48, temperature=0.3)
    assert isinstance(made, FileModel)
    return made


def test_a_head_says_what_is_asked_of_it(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(head(CHAT))
    found = read_header(path)
    assert found is not None
    assert (found.architecture, found.name, found.licence, found.context_length, found.chats) == ("llama", "Tiny", "mit", 4096, True)
    assert found.cache_per_token == 2 * 2 * 2 * 2 * 16, "keys and values, of two bytes, two layers, two heads, sixteen wide"


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"GGUF", b"GGML" + b"\0" * 40, head(CHAT)[:-5], head(CHAT, version=99), head(CHAT, count=2**40), head(CHAT, count=50), b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
        + struct.pack("<Q", 2**60), b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<IIQ", 9, 9, 5), head({"general.name": "x"}),
    ],
)  # fmt: skip
def test_what_is_no_head_is_none(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(raw)
    assert read_header(path) is None


def test_the_folder_lists_what_lies_in_it_and_follows_no_path(tmp_path: Path) -> None:
    folder = ModelFolder(tmp_path / "models")
    assert folder.files() == ()
    folder.folder.mkdir()
    for name in ("b.gguf", "a.gguf", "notes.txt", ".x.gguf", "big-00001-of-00002.gguf", "big-00002-of-00002.gguf"):
        (folder.folder / name).write_bytes(head(CHAT))
    (folder.folder / "d.gguf").mkdir()
    assert [file.name for file in folder.files()] == ["a.gguf", "b.gguf", "big-00001-of-00002.gguf"]
    (tmp_path / "out.gguf").write_bytes(head(CHAT))
    for name in ("../out.gguf", str(tmp_path / "out.gguf"), "c.gguf", "d.gguf", ".x.gguf"):
        with pytest.raises(FileUnfit):
            folder.path(name)


def test_a_file_one_cannot_talk_with_is_refused(tmp_path: Path) -> None:
    folder = ModelFolder(tmp_path)
    (tmp_path / "embed.gguf").write_bytes(head({k: v for k, v in CHAT.items() if k != "tokenizer.chat_template"}))
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    for name in ("embed.gguf", "broken.gguf"):
        with pytest.raises(FileUnfit) as refused:
            folder.usable(name)
        assert str(tmp_path) not in str(refused.value)


def test_a_real_file_talks_and_two_models_of_it_share_a_process_that_ends_with_the_last(tmp_path: Path) -> None:
    shutil.copy(weights(), tmp_path / "own.gguf")
    files = FileModels(ModelFolder(tmp_path))
    one, two = model(files, connection("own.gguf")), model(files, connection("own.gguf"))
    assert one._server is two._server
    assert model(files, connection("own.gguf", threads=1))._server is not one._server
    found = trial(one, limit_s=PATIENCE_S)
    assert (found.fault, bool(found.answer)) == ("", True), found.detail
    assert found.first_ms > 0
    assert found.tokens_per_s > 0
    assert found.json in ("schema", "no"), "asked for by a schema, which llama.cpp holds the model to"
    pid = one._server.pid
    assert pid is not None
    one.close()
    one.close()
    assert two._server.pid == pid, "another still uses it"
    short = two.sampled(Sampling(max_tokens=16, temperature=0.0, min_p=0.1, repeat_penalty=1.2))
    stream = short.stream([ChatMessage("user", "Count to a hundred.")], cancel=threading.Event())
    said = "".join(stream)
    assert stream.finish_reason == "length"
    assert two.count_tokens(said) <= 18
    two.close()
    assert two._server.pid is None


def test_a_file_that_llama_cpp_cannot_load_says_so_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(head(CHAT))
    one = model(FileModels(ModelFolder(tmp_path)), connection("tiny.gguf"))
    found = trial(one, limit_s=PATIENCE_S)
    one.close()
    assert found.fault == "file"
    assert str(tmp_path) not in found.detail
    with pytest.raises(ModelUnavailable):
        one.count_tokens("x")
