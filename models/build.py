"""From settings to models."""

from __future__ import annotations

from pydantic import SecretStr

from models.chat_model import ChatModel
from models.connection import Connection
from models.cross_encoder import CrossEncoder
from models.dialect import Dialects
from models.embedder import Embedder, bundled_embedder
from models.local_files import FileModels
from models.structured import StructuredModel
from settings import EMBEDDED, Settings

BUNDLED = "bundled"
"""Name of the embedder that comes with the packages."""
BGE_M3 = "BAAI/bge-m3"
BGE_M3_AT = "bge-m3:"
"""Before a folder that holds a model of its kind."""


def build_embedder(settings: Settings) -> Embedder:
    """Raises EmbeddingFailed."""
    return embedder_named(settings.embedder, hub=settings.hub)


def embedder_named(name: str, *, hub: bool) -> Embedder:
    """name: `bundled`; `BAAI/bge-m3` or `bge-m3:FOLDER`; else a SentenceTransformers model, as hub name or folder.

    hub: whether it may be fetched. Raises EmbeddingFailed; whether the bundled one then serves instead is the caller's to decide and to say.
    """
    if name == BUNDLED:
        return bundled_embedder()
    from models.transformer_embedders import BgeM3Embedder, SentenceTransformerEmbedder

    if name == BGE_M3:
        return BgeM3Embedder(hub=hub)
    if name.startswith(BGE_M3_AT):
        return BgeM3Embedder(name.removeprefix(BGE_M3_AT), hub=hub)
    return SentenceTransformerEmbedder(name, hub=hub)


def build_cross_encoder(settings: Settings) -> CrossEncoder:
    """The configured cross-encoder, loaded: seconds. Raises CrossEncoderFailed."""
    from models.cross_encoder import BgeReranker

    return BgeReranker(settings.cross_encoder, hub=settings.hub)


def build_chat_model(settings: Settings, dialects: Dialects | None = None) -> ChatModel:
    """The configured chat model; nothing is loaded or reached yet. dialects, here and below: what is known of servers, and where it is kept."""
    if settings.chat_model == EMBEDDED:
        from models.embedded import EmbeddedModel

        return EmbeddedModel(settings)
    from models.gateway import LiteLLMModel

    return LiteLLMModel.from_settings(settings, dialects)


def build_memory_model(settings: Settings, dialects: Dialects | None = None) -> StructuredModel | None:
    """The model that reads for memory; None where none is configured. Nothing is reached yet."""
    if not settings.memory_model:
        return None
    from models.gateway import Endpoint, LiteLLMModel

    return StructuredModel(LiteLLMModel(Endpoint.of_memory(settings), dialects))


def build_answer_model(settings: Settings, dialects: Dialects | None = None) -> StructuredModel | None:
    """The model that answers questions to the memory: the one that reads for it, else the chat's, asked for its likeliest words; None where that is the
    bundled one, which invents. Nothing is reached yet."""
    if settings.memory_model or settings.chat_model == EMBEDDED:
        return build_memory_model(settings, dialects)
    from models.gateway import Endpoint, LiteLLMModel

    return StructuredModel(LiteLLMModel(Endpoint.of_chat(settings, temperature=0.0), dialects))


def build_judge_model(settings: Settings, dialects: Dialects | None = None) -> StructuredModel | None:
    """The model that rates in evaluations; None where none is configured. Nothing is reached yet."""
    if not settings.judge_model:
        return None
    from models.gateway import Endpoint, LiteLLMModel

    return StructuredModel(LiteLLMModel(Endpoint.of_judge(settings), dialects))


def build_connected(
    connection: Connection,
    key: SecretStr | None,
    files: FileModels,
    *,
    reply_tokens: int,
    temperature: float,
    dialects: Dialects | None = None,
) -> ChatModel:
    """The model of a connection that was entered on the page. key: opened; None for none. Nothing is loaded or reached yet. Raises FileUnfit."""
    from models.gateway import Endpoint, LiteLLMModel

    endpoint = Endpoint(
        role="",
        model=connection.litellm_name if connection.kind != "file" else f"openai/{connection.shown}",
        name=connection.shown,
        base=connection.address,
        key=key,
        timeout_s=connection.timeout_s,
        retries=1,
        context_tokens=connection.context_tokens,
        reply_tokens=min(reply_tokens, connection.context_tokens // 2),
        temperature=temperature,
        file=connection.model if connection.kind == "file" else "",
    )
    return files.made(connection, endpoint, dialects) if connection.kind == "file" else LiteLLMModel(endpoint, dialects)
