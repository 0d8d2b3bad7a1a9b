"""Which branch of the engine knows what: the whole, and with parts left out, by evidence in the prompt, by people's notes, and by questions with options.

`evidence` is the share of a question's evidence turns that something in the prompt rests on, with the tokens of that; the measures of notes are
`evaluation.extraction`'s over all memories of the kinds; `accuracy` is of the rule that needs no model (`evaluation.qa`), or of the memory model where one is set.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chat.assembly import Memory as House
from chat.assembly import open_memory
from chat.imported import ImportedConversation
from evaluation.asking import kept_model
from evaluation.datasets import RetrievalData, RetrievalQuestion, asked_at
from evaluation.items import Item
from evaluation.judging import Judge
from evaluation.label_scores import Kept, judged, label_scores, paired
from evaluation.labels import Label
from evaluation.measures import mean_interval, paired_difference
from evaluation.mem_score import METRIC as MEM_SCORE
from evaluation.progress import steps
from evaluation.prompt_parts import ABLATIONS, WHOLE, everything, recalled, standing
from evaluation.qa import chosen_by, nearest
from evaluation.records import Figure
from evaluation.sentence_model import tokens_in
from evaluation.talks import Talk, written
from memory.engine import Cue
from models.build import build_memory_model
from models.structured import StructuredModel
from settings import Settings

TASK = "engine-ablation"


@dataclass
class _Tally:
    """Of one system: by metric values in the order of questions, or of labels; ids and categories of those."""

    questions: dict[str, list[float]] = field(default_factory=dict)
    labels: dict[str, list[float]] = field(default_factory=dict)
    memories: int = 0

    def add(self, values: dict[str, list[float]], *, to: dict[str, list[float]]) -> None:
        for metric, own in values.items():
            to.setdefault(metric, []).extend(own)


def evaluate(
    data: RetrievalData,
    labels: Sequence[Label],
    *,
    names: Sequence[str],
    seed: int,
    note: Callable[[Item], None],
    judge: Judge | None,
) -> Iterator[Figure]:
    """The figures of the named ablations. labels: none where the data has no notes. Raises KeyError for an unknown name."""
    tallies = {name: _Tally() for name in names}
    asked: list[RetrievalQuestion] = []
    noted: list[Label] = []
    settings = Settings()
    model = kept_model(build_memory_model(settings))
    with tempfile.TemporaryDirectory() as folder:
        house = open_memory(Settings(data_dir=Path(folder)))
        try:
            embedder = house.embedder.fingerprint
            for conversation in steps(data.conversations, "Conversations"):
                talk = written(house, conversation, language=data.language)
                questions = [q for q in data.questions if q.conversation_key == conversation.key]
                own = [la for la in labels if la.conversation_key == conversation.key]
                for name, tally in tallies.items():
                    _asked(house, talk, conversation, questions, name, tally, model)
                    _compared(house, talk, conversation, own, name, tally, judge, language=data.language)
                asked += questions
                noted += own
        finally:
            house.close()
    for name, tally in tallies.items():
        for n, question in enumerate(asked):
            scores = {metric: values[n] for metric, values in tally.questions.items() if len(values) == len(asked)}
            note(
                Item(
                    task=TASK, dataset=data.name, system=name, unit="question", item=question.id, categories=(question.category,),
                    scores=scores,
                )
            )  # fmt: skip
        for unit, measured, base in (
            ("question", tally.questions, tallies[WHOLE].questions if WHOLE in tallies else {}),
            ("label", tally.labels, tallies[WHOLE].labels if WHOLE in tallies else {}),
        ):
            for metric, values in measured.items():
                told = [(metric, mean_interval(values, seed=seed))]
                if name != WHOLE and len(base.get(metric, ())) == len(values):
                    told.append((f"{metric}_minus_{WHOLE}", paired_difference(values, base[metric], seed=seed)))
                for label, interval in told:
                    yield Figure(
                        task=TASK, dataset=data.name, system=name, unit=unit, metric=label, value=interval.value, n=interval.n,
                        ci_low=interval.low, ci_high=interval.high, memories=tally.memories, embedder=embedder,
                        model=settings.memory_model or None,
                    )  # fmt: skip


def _asked(
    house: House,
    talk: Talk,
    conversation: ImportedConversation,
    questions: Sequence[RetrievalQuestion],
    name: str,
    tally: _Tally,
    model: StructuredModel | None,
) -> None:
    kinds = ABLATIONS[name]
    always = standing(house, talk, kinds)
    user, character = conversation.speakers[:2]
    for question in questions:
        cue = Cue(question.text, talk.after, asked_at(question, conversation), speaker=user, listener=character)
        parts = recalled(house, talk, cue, kinds) + always
        there = {turn for part in parts for turn in part.turns}
        found = {
            "evidence": [sum(turn in there for turn in question.evidence) / len(question.evidence)],
            "prompt_tokens": [float(sum(tokens_in(part.text) for part in parts))],
        }
        if question.options and question.right is not None:
            texts = [part.text for part in parts]
            chosen = chosen_by(model, question, texts) if model is not None else nearest(house, question, texts)
            found["accuracy"] = [float(chosen == question.right)]
        tally.add(found, to=tally.questions)


def _compared(
    house: House,
    talk: Talk,
    conversation: ImportedConversation,
    labels: Sequence[Label],
    name: str,
    tally: _Tally,
    judge: Judge | None,
    *,
    language: str,
) -> None:
    kept = [Kept(part.text, part.turns) for part in everything(house, talk, ABLATIONS[name], name=conversation.speakers[0])]
    tally.memories += len(kept)
    if not labels:
        return
    scores = label_scores(paired(labels, kept))
    if rated := judged(labels, kept, judge, language=language):
        scores[MEM_SCORE] = rated
    tally.add(scores, to=tally.labels)
