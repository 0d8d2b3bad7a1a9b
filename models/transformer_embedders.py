"""Embedders on torch, for those who set one: any SentenceTransformers model, and BAAI/bge-m3 through FlagEmbedding.

Both libraries are imported when a model is made (4 to 6 s and about 500 MB), never before.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from libraries import PackageMissing, needed
from models.embedder import ENGINE_ERRORS, Embedder, Vectors
from models.errors import EmbeddingFailed

MAX_TOKENS = 512
"""What `models.embedder.MAX_CHARS` characters are at most in most vocabularies; attention costs the square."""
SAMPLES = 64
"""Values of each weight that go into the digest, evenly spread: enough to tell a fine-tuned model from its base, and instant at 2 GB."""
_E5 = re.compile(r"(?:^|[/_-])e5(?:[_-](?!.*instruct)|$)", re.IGNORECASE)
_HUB_NAME = re.compile(r"[\w][\w.-]*(?:/[\w][\w.-]*)?", re.ASCII)


class SentenceTransformerEmbedder(Embedder):
    """A SentenceTransformers model from a folder or by its hub name, with the prompts that it brings for questions and documents.

    E5 models bring none and need theirs ("query: ", "passage: "), so a name with `e5` in it gets them; those with `instruct` in it do not.
    hub: whether it may be fetched; without, it must be in a folder or in the hub's cache on this machine. Raises EmbeddingFailed.
    """

    def __init__(self, model: str, *, hub: bool, device: str = "cpu") -> None:
        place = located(model, hub=hub)
        try:
            self._model: Any = needed("sentence_transformers").SentenceTransformer(
                place, device=device, local_files_only=not hub, trust_remote_code=False
            )
        except PackageMissing as error:
            raise EmbeddingFailed(str(error)) from error
        except (ImportError, OSError, KeyError, TypeError, *ENGINE_ERRORS) as error:
            raise _not_loaded(model, error) from error
        self._model.float()
        limit = self._model.max_seq_length
        self._model.max_seq_length = min(limit or MAX_TOKENS, MAX_TOKENS)
        self._lock = threading.Lock()  # tokenizers of transformers refuse two threads at once ("Already borrowed")
        prompts: Mapping[str, str] = self._model.prompts
        bare = not any(prompts.values())
        self._query_prompt = "query: " if bare and _E5.search(model) else None
        self._passage_prompt = "passage: " if bare and _E5.search(model) else None
        self.dimension = _dimension(self._encode, model)
        # What changes the vectors though the weights stay the same.
        manner = [
            *(f"{type(part).__name__} {getattr(part, 'pooling_mode', '')}" for part in self._model),
            *sorted(prompts.items()),
            self._query_prompt,
            self._model.max_seq_length,
        ]
        self.fingerprint = _fingerprint(model, "st", self._model.state_dict(), repr(manner), self.dimension)

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        encode = self._model.encode_query if is_query else self._model.encode_document
        prompt = self._query_prompt if is_query else self._passage_prompt
        with self._lock:
            vectors = encode(texts, prompt=prompt, batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


class BgeM3Embedder(Embedder):
    """The dense vectors of BAAI/bge-m3, or of a model of its kind in a folder, through FlagEmbedding. Questions and passages are alike to it.

    Of FlagEmbedding the loading, the pooling and the forward pass are used, not its `encode`: that answers every RuntimeError with a smaller batch,
    without end. Raises EmbeddingFailed.
    """

    def __init__(self, model: str = "BAAI/bge-m3", *, hub: bool, device: str = "cpu") -> None:
        place = located(model, hub=hub)
        try:
            loaded: Any = needed("FlagEmbedding").BGEM3FlagModel(place, normalize_embeddings=True, use_fp16=False, devices=device)
        except PackageMissing as error:
            raise EmbeddingFailed(str(error)) from error
        except (ImportError, OSError, KeyError, TypeError, *ENGINE_ERRORS) as error:
            raise _not_loaded(model, error) from error
        self._tokenizer = loaded.tokenizer
        self._model: Any = loaded.model.to(device).eval().requires_grad_(False)
        self._device = device
        self._lock = threading.Lock()
        self.dimension = _dimension(self._encode, model)
        dense = {name: weight for name, weight in self._model.state_dict().items() if not name.startswith(("colbert", "sparse"))}
        self.fingerprint = _fingerprint(model, "m3", dense, f"{loaded.pooling_method} {MAX_TOKENS}", self.dimension)

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        with self._lock:
            inputs = self._tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt").to(self._device)
            vectors = self._model(inputs, return_dense=True)["dense_vecs"]
        return np.asarray(vectors.cpu().numpy(), dtype=np.float32)


def located(model: str, *, hub: bool) -> str:
    """Where to load a model from: its folder, the hub's cache, or its name where it may be fetched. Reaches no network. Raises EmbeddingFailed."""
    if model and Path(model).expanduser().is_dir():
        return str(Path(model).expanduser())
    if not _HUB_NAME.fullmatch(model):
        raise EmbeddingFailed(f"There is no folder {model} with an embedder. Nothing was changed; check the setting and start again.")
    if hub:
        return model
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return str(snapshot_download(model, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise EmbeddingFailed(
            f"The embedder {model} is not on this machine and model hubs are switched off. Nothing was changed; set KEEPSAKE_HUB=true to"
            " fetch it, name a folder that holds it, or keep the bundled embedder."
        ) from error


def _not_loaded(model: str, error: Exception) -> EmbeddingFailed:
    return EmbeddingFailed(
        f"The embedder {model} could not be loaded ({type(error).__name__}). Nothing was changed; check its name or folder and the network,"
        " or keep the bundled embedder."
    )


def _dimension(encode: Any, model: str) -> int:
    """From a trial, so that a model which loads but cannot embed is refused at the start and not at the first memory."""
    try:
        vectors = encode(["a trial"], is_query=False)
    except ENGINE_ERRORS as error:
        raise _not_loaded(model, error) from error
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise EmbeddingFailed(f"The embedder {model} gives no usable vectors. Nothing was changed; keep the bundled embedder.")
    return int(vectors.shape[1])


def label(model: str) -> str:
    """What a model is called: its hub name, or its folder's."""
    return Path(model).name if Path(model).expanduser().is_dir() else model


def _fingerprint(model: str, engine: str, weights: Mapping[str, Any], manner: str, dimension: int) -> str:
    """The same for a model in a folder, in another folder of that name, and after a restart; another for other weights, pooling or prompts."""
    digest = hashlib.sha256(manner.encode())
    for name in sorted(weights):
        values = weights[name].detach().flatten()
        step = max(1, values.numel() // SAMPLES)
        digest.update(f"{name} {tuple(weights[name].shape)}".encode())
        digest.update(values[::step].float().cpu().numpy().astype("<f4").tobytes())
    return f"{label(model)}@{digest.hexdigest()[:12]}/{engine}/{dimension}"
