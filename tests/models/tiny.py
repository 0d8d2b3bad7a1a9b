"""Tiny models made on the spot, for the real libraries: XLM-R with random weights and a vocabulary of a few words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import XLMRobertaConfig

WORDS = "query : passage the a keeper lit lamp ship came home at dawn who when did"
TOKENS = ("<s>", "<pad>", "</s>", "<unk>", *WORDS.split())
SIZE = 32


def checkpoint(folder: Path, *, seed: int) -> Path:
    """An encoder of SIZE dimensions with the two extra heads that bge-m3 has."""
    import torch
    from transformers import XLMRobertaModel

    _tokenizer(folder)
    torch.manual_seed(seed)
    XLMRobertaModel(_config()).save_pretrained(folder)
    torch.save(torch.nn.Linear(SIZE, SIZE).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(SIZE, 1).state_dict(), folder / "sparse_linear.pt")
    return folder


def cross_checkpoint(folder: Path, *, labels: int = 1) -> Path:
    """A classifier of SIZE dimensions, as BGE's rerankers are."""
    import torch
    from transformers import XLMRobertaForSequenceClassification

    _tokenizer(folder)
    torch.manual_seed(4)
    XLMRobertaForSequenceClassification(_config(num_labels=labels, initializer_range=0.5)).save_pretrained(folder)
    return folder


def _tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, pre_tokenizers, processors
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    plain = Tokenizer(WordLevel({word: number for number, word in enumerate(TOKENS)}, unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    special = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=plain, **special).save_pretrained(folder)


def _config(**changes: object) -> XLMRobertaConfig:
    from transformers import XLMRobertaConfig

    return XLMRobertaConfig(
        vocab_size=len(TOKENS),
        hidden_size=SIZE,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=514,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        type_vocab_size=1,
        **changes,
    )
