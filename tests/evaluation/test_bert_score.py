"""BERTScore against its authors' batched formula, on a checkpoint that is made here; METEOR and MemScore against examples worked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation import bert_score
from evaluation.bert_score import CHECKPOINT, LAYER, MISSING, BertScorer, notice, scorer
from evaluation.datasets import EvaluationFailed
from evaluation.judging import Judge
from evaluation.mem_score import mem_scores
from evaluation.meteor import aligned, chunks, meteor
from models.scripted import Script, ScriptedModel
from models.structured import StructuredModel

WORDS = "mara keeps a grey cat in the old mill nell sails red boat to sea every day dog likes".split()
PAIRS = [
    ("Mara keeps a cat", "Mara keeps a grey cat in the old mill"),
    ("Nell sails every day", "every day Nell sails a red boat to sea"),
    ("the dog likes the sea", "Mara keeps a grey cat"),
    ("a cat", "a cat"),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its weights are sines, the same wherever it is made."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), encoding="utf-8")
    BertTokenizer(str(folder / "vocab.txt"), model_max_length=38).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS) + 5,
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
    )
    model = BertModel(config).eval()
    with torch.no_grad():
        for place, (name, weights) in enumerate(sorted(model.named_parameters())):
            if "LayerNorm" not in name:
                count = torch.arange(1, weights.numel() + 1, dtype=torch.float64)
                weights.copy_((count * (place + 1)).sin().reshape(weights.shape) / 4)
    model.save_pretrained(folder)
    return folder


def _reference(folder: Path, pairs: list[tuple[str, str]], *, layer: int) -> list[tuple[float, float, float]]:
    """The formula as the authors' package computes it: all pairs in one padded batch, weights 0 for the two marks and 1 for all else."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    def embedded(texts: list[str]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        given = tokenizer(texts, return_tensors="pt", padding=True)
        with torch.no_grad():
            hidden = model(**given, output_hidden_states=True).hidden_states[layer]
        mask = given["attention_mask"].float()
        marks = (given["input_ids"] == tokenizer.cls_token_id) | (given["input_ids"] == tokenizer.sep_token_id)
        weights = mask * (~marks).float()
        return torch.nn.functional.normalize(hidden, dim=-1), mask, weights / weights.sum(dim=1, keepdim=True)

    theirs, their_mask, their_weights = embedded([reference for _, reference in pairs])
    ours, our_mask, our_weights = embedded([candidate for candidate, _ in pairs])
    near = torch.bmm(ours, theirs.transpose(1, 2)) * torch.bmm(our_mask.unsqueeze(2), their_mask.unsqueeze(1))
    precision = (near.max(dim=2)[0] * our_weights).sum(dim=1)
    recall = (near.max(dim=1)[0] * their_weights).sum(dim=1)
    f1 = 2 * precision * recall / (precision + recall)
    return list(zip(precision.tolist(), recall.tolist(), f1.tolist(), strict=True))


@pytest.mark.parametrize("layer", [1, 3])
def test_scores_are_those_of_the_authors_formula(checkpoint: Path, layer: int) -> None:
    ours = BertScorer(checkpoint, layer)
    for (candidate, reference), (precision, recall, f1) in zip(PAIRS, _reference(checkpoint, PAIRS, layer=layer), strict=True):
        found = ours(candidate, reference)
        assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1), abs=1e-5)


REFERENCE = {
    1: ((0.9858844, 0.7912088, 0.8778836), (0.8338597, 0.8019004, 0.8175679), (0.6612096, 0.6853564, 0.6730666), (1.0, 1.0, 1.0)),
    2: ((0.9807925, 0.7548988, 0.8531461), (0.8218359, 0.7835786, 0.8022515), (0.6519706, 0.6528714, 0.6524206), (1.0, 1.0, 1.0)),
    3: ((0.9601855, 0.6474861, 0.7734251), (0.7860537, 0.7446294, 0.7647809), (0.4700396, 0.4615640, 0.4657633), (1.0, 1.0, 1.0)),
}
"""Layer → for each of PAIRS precision, recall, F1 as bert-score 0.3.13 gives them of this checkpoint:
`bert_score.score(candidates, references, model_type=folder, num_layers=layer)`."""


@pytest.mark.parametrize("layer", REFERENCE)
def test_values_are_those_of_the_reference_package(checkpoint: Path, layer: int) -> None:
    ours = BertScorer(checkpoint, layer)
    for (candidate, reference), expected in zip(PAIRS, REFERENCE[layer], strict=True):
        found = ours(candidate, reference)
        assert (found.precision, found.recall, found.f1) == pytest.approx(expected, abs=1e-5)


def test_the_same_words_are_one_and_nothing_is_nothing(checkpoint: Path) -> None:
    ours = BertScorer(checkpoint)
    assert ours.layer == 3
    assert ours("Mara keeps a cat", "Mara keeps a cat").f1 == pytest.approx(1.0, abs=1e-5)
    assert ours("", "Mara keeps a cat").f1 == 0.0
    shorter, longer = ours("a cat", "a cat in the old mill"), ours("a cat in the old mill", "a cat")
    assert (shorter.precision, shorter.recall) == pytest.approx((longer.recall, longer.precision), abs=1e-6)


def test_the_environment_names_it_and_what_is_wrong_is_said(checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHECKPOINT, raising=False)
    assert scorer() is None
    assert notice() == MISSING
    monkeypatch.setenv(CHECKPOINT, str(checkpoint))
    monkeypatch.setenv(LAYER, "2")
    assert notice().endswith("layer 2 of 3")
    monkeypatch.setenv(LAYER, "9")
    with pytest.raises(EvaluationFailed, match="no layer 9"):
        scorer()
    monkeypatch.setenv(LAYER, "two")
    with pytest.raises(EvaluationFailed, match="a number from 1 on"):
        scorer()
    monkeypatch.setenv(LAYER, "")
    monkeypatch.setenv(CHECKPOINT, str(tmp_path))
    with pytest.raises(EvaluationFailed, match="no checkpoint that can be read"):
        scorer()
    bert_score._scorer.cache_clear()


def test_meteor_by_hand() -> None:
    assert meteor("the cat sat on the mat", "the cat sat on the mat") == pytest.approx(1 - 0.5 * (1 / 6) ** 3)
    # P = 6/7, R = 1, two chunks.
    assert meteor("the cat was sat on the mat", "the cat sat on the mat") == pytest.approx(
        (60 / 7) / (1 + 54 / 7) * (1 - 0.5 * (2 / 6) ** 3)
    )
    assert chunks(aligned("on the mat sat the cat".split(), "the cat sat on the mat".split())) == 3
    # P = R = 1 by stems, one chunk of three.
    assert meteor("cats chased mice", "cat chases mice") == pytest.approx(1 - 0.5 * (1 / 3) ** 3)
    assert meteor("boats", "the mill") == 0.0
    assert meteor("", "the mill") == 0.0
    assert meteor("我养了一只猫", "我养了一只猫") == pytest.approx(1 - 0.5 * (1 / 6) ** 3)


def _judge(*scores: int | str) -> tuple[Judge, ScriptedModel]:
    answers = (score if isinstance(score, str) else json.dumps({"score": score}) for score in scores)
    inner = ScriptedModel(*(Script((answer,)) for answer in answers), context_tokens=8192, reply_tokens=128)
    return Judge(StructuredModel(inner)), inner


def test_mem_score_is_the_best_of_each_label_and_nothing_for_those_that_no_memory_picked(checkpoint: Path) -> None:
    labels = ["Mara keeps a grey cat", "Nell sails a red boat", "the dog likes the sea"]
    memories = ["Mara keeps a grey cat in the old mill", "Mara keeps a cat", "Nell sails a red boat every day"]
    judge, inner = _judge(3, 5, 4)
    scores, lost = mem_scores(labels, memories, scorer=BertScorer(checkpoint), judge=judge, language="en")
    assert (scores, lost) == ([5.0, 4.0, 0.0], 0)
    assert [json.loads(prompt[1].content)["note"] for prompt in inner.prompts] == [labels[0], labels[0], labels[1]]


def test_what_the_judge_does_not_rate_is_counted(checkpoint: Path) -> None:
    judge, _ = _judge('{"score": 6}', '{"score": "five"}')
    assert mem_scores(["a cat"], ["a grey cat"], scorer=BertScorer(checkpoint), judge=judge, language="zh") == ([0.0], 1)
