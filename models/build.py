"""From settings to models."""

from __future__ import annotations

from pathlib import Path

from models.chat_model import ChatModel
from models.embedder import Embedder, bundled_embedder
from settings import EMBEDDED, Settings


def build_embedder(settings: Settings, cache: Path) -> Embedder:
    """cache: a folder for what the embedder remembers about this machine. Raises EmbeddingFailed."""
    return bundled_embedder(cache)


def build_chat_model(settings: Settings) -> ChatModel:
    """The configured chat model; nothing is loaded or reached yet."""
    if settings.chat_model == EMBEDDED:
        from models.embedded import EmbeddedModel

        return EmbeddedModel(settings)
    from models.gateway import LiteLLMModel

    return LiteLLMModel.from_settings(settings)
