"""BERTScore of one sentence against another (Zhang et al., 2020), by any transformer checkpoint that lies in a folder.

Token vectors are of one layer, scaled to length 1. Precision is the mean over the candidate's tokens of the cosine with the nearest token of the reference, recall
the same the other way round. As in the authors' package: no weights by rarity, no rescaling to a baseline; the tokens that begin and end a text may be the nearest
one, and are in no mean. Which layer is best differs from checkpoint to checkpoint (the authors list them), so it is set beside it and told in the report.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.datasets import EvaluationFailed
from evaluation.rouge import NOTHING, Overlap
from libraries import needed

CHECKPOINT, LAYER = "KEEPSAKE_BERTSCORE", "KEEPSAKE_BERTSCORE_LAYER"
"""Environment: a folder with a checkpoint of transformers or sentence-transformers; the layer, counted from 1, by default the last."""
MISSING = f"no BERTScore: {CHECKPOINT} names no folder with a checkpoint"
MOST_TOKENS = 512
BATCH = 32
Vectors = NDArray[np.float32]


class BertScorer:
    """folder: holds the checkpoint, which is read from there alone; layer: from 1, None for the last. Raises EvaluationFailed."""

    def __init__(self, folder: Path, layer: int | None = None) -> None:
        torch, transformers = needed("torch"), needed("transformers")

        inner = folder / "0_Transformer"
        place = str(inner if inner.is_dir() else folder)
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(place, local_files_only=True)
            self._model: Any = transformers.AutoModel.from_pretrained(place, local_files_only=True).eval()
        except (OSError, ValueError, ImportError) as error:
            raise EvaluationFailed(f"{folder.name} holds no checkpoint that can be read: {str(error)[:200]}") from error
        self._torch = torch
        layers = int(self._model.config.num_hidden_layers)
        if layer is not None and not 1 <= layer <= layers:
            raise EvaluationFailed(f"{folder.name} has {layers} layers, and no layer {layer}")
        self.layer = layer or layers
        self.name = f"BERTScore by {folder.resolve().parent.name}/{folder.name}, layer {self.layer} of {layers}"
        self._known: dict[str, tuple[Vectors, NDArray[np.bool_]]] = {}

    def __call__(self, candidate: str, reference: str) -> Overlap:
        """All 0 where either is empty."""
        self.learn([candidate, reference])
        ours, counted = self._known[candidate]
        theirs, wanted = self._known[reference]
        if not counted.any() or not wanted.any():
            return NOTHING
        near = ours @ theirs.T
        precision, recall = float(near.max(axis=1)[counted].mean()), float(near.max(axis=0)[wanted].mean())
        return Overlap(precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0)

    def learn(self, texts: Sequence[str]) -> None:
        """Embeds what was not embedded yet, in batches."""
        missing = sorted({t for t in texts if t not in self._known}, key=len)
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            given = self._tokenizer(
                part,
                return_tensors="pt",
                padding=True,
                truncation=True,
                max_length=min(MOST_TOKENS, int(getattr(self._model.config, "max_position_embeddings", MOST_TOKENS)) - 2),
                return_special_tokens_mask=True,
            )
            special = given.pop("special_tokens_mask").numpy().astype(bool)
            with self._torch.no_grad():
                layers = self._model(**given, output_hidden_states=True).hidden_states
            hidden = layers[self.layer]
            unit = (hidden / hidden.norm(dim=-1, keepdim=True).clamp_min(1e-12)).numpy().astype(np.float32)
            there = given["attention_mask"].numpy().astype(bool)
            for place, text in enumerate(part):
                self._known[text] = unit[place][there[place]], ~special[place][there[place]]


@cache
def _scorer(folder: str, layer: str) -> BertScorer:
    if layer and not layer.isdigit():
        raise EvaluationFailed(f"{LAYER} is a number from 1 on, not {layer!r}")
    return BertScorer(Path(folder), int(layer) if layer else None)


def scorer() -> BertScorer | None:
    """The one that the environment names; None where it names none. Raises EvaluationFailed for one that cannot be read."""
    folder = os.environ.get(CHECKPOINT, "")
    return _scorer(folder, os.environ.get(LAYER, "")) if folder else None


def notice() -> str:
    found = scorer()
    return MISSING if found is None else found.name
