"""Cross-encoders: a question and a text read together, for those who set one. Slower and surer than comparing their vectors.

FlagEmbedding and torch are imported when one is loaded (about 6 s), never before.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libraries import PackageMissing, needed
from models.embedder import ENGINE_ERRORS, clean
from models.errors import CrossEncoderFailed, EmbeddingFailed
from models.transformer_embedders import label, located

Scores = NDArray[np.float64]

MAX_TOKENS = 512
"""Of question and text together; the question takes at most three quarters."""
BATCH = 8
"""Pairs read at once: between two batches a reading that takes too long is given up."""


class CrossEncoder(ABC):
    """name: as it stands in receipts. Safe from any thread."""

    name: str

    @abstractmethod
    def scores(self, question: str, texts: Sequence[str], *, may_go_on: Callable[[], bool] = lambda: True) -> Scores | None:
        """How well each text answers, 0 to 1 [n]; None if it was given up, which is asked between batches. Raises CrossEncoderFailed."""


class BgeReranker(CrossEncoder):
    """BAAI/bge-reranker-v2-m3, or another cross-encoder with one logit, by hub name or from a folder, through FlagEmbedding.

    Of FlagEmbedding the loading is used, not its `compute_score`: that answers every RuntimeError with a smaller batch, without end.
    hub: whether it may be fetched. Raises CrossEncoderFailed.
    """

    def __init__(self, model: str, *, hub: bool, device: str = "cpu") -> None:
        try:
            place = located(model, hub=hub)
        except EmbeddingFailed as error:
            raise CrossEncoderFailed(
                f"The cross-encoder {model} is not on this machine. Recall goes on without it; name a folder that holds it, or set"
                " KEEPSAKE_HUB=true to fetch it."
            ) from error
        try:
            loaded: Any = needed("FlagEmbedding").FlagReranker(place, use_fp16=False, devices=device, trust_remote_code=False)
            self._tokenizer = loaded.tokenizer
            self._model: Any = loaded.model.to(device).eval().requires_grad_(False)
        except PackageMissing as error:
            raise CrossEncoderFailed(f"{error} Recall goes on without the cross-encoder.") from error
        except Exception as error:  # a damaged file makes the libraries raise errors of their own, without a common base
            raise CrossEncoderFailed(
                f"The cross-encoder {model} could not be loaded ({type(error).__name__}). Recall goes on without it; check its name or folder."
            ) from error
        # An encoder without such a head would load with one of random weights.
        architectures = self._model.config.architectures or []
        if self._model.config.num_labels != 1 or not any(a.endswith("ForSequenceClassification") for a in architectures):
            raise CrossEncoderFailed(f"{model} is no cross-encoder: it gives no score to a pair of texts. Recall goes on without one.")
        self._device = device
        self._lock = threading.Lock()
        self.name = label(model)
        self.scores("a trial", ["a text"])

    def scores(self, question: str, texts: Sequence[str], *, may_go_on: Callable[[], bool] = lambda: True) -> Scores | None:
        import torch

        read: list[NDArray[np.float64]] = [np.zeros(0)]
        asked, passages = clean(question), [clean(text) for text in texts]
        for start in range(0, len(passages), BATCH):
            if not may_go_on():
                return None
            part = passages[start : start + BATCH]
            try:
                with self._lock, torch.no_grad():
                    logits = self._model(**self._pairs(asked, part)).logits.view(-1).float().cpu().numpy()
            except ENGINE_ERRORS as error:
                raise CrossEncoderFailed("The cross-encoder could not read a text; recall goes on without it.") from error
            if logits.shape != (len(part),) or not np.isfinite(logits).all():
                raise CrossEncoderFailed("The cross-encoder gave no usable scores; recall goes on without it.")
            read.append(1.0 / (1.0 + np.exp(-logits.astype(np.float64))))
        return np.concatenate(read)

    def _pairs(self, question: str, texts: Sequence[str]) -> Any:
        ids = self._tokenizer(question, truncation=True, max_length=MAX_TOKENS * 3 // 4, add_special_tokens=False)["input_ids"]
        short = self._tokenizer.decode(ids) if len(ids) >= MAX_TOKENS * 3 // 4 else question
        made = self._tokenizer(
            [short] * len(texts), list(texts), padding=True, truncation="only_second", max_length=MAX_TOKENS, return_tensors="pt"
        )
        return made.to(self._device)
