"""The story told by a language model: one call for a closed chapter or arc (MOOM 3.1, eq. 2).

A chapter is told from the facts of its thirty rounds, an arc from its chapters: what a person erased or excluded is not there, so no telling brings it
back. The extractive piece (`memory.narrative`) is made first and holds until the telling is there, and whenever the model fails.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from memory import narrative
from memory.asking import Asker, most_that_fit
from memory.deriving import Deriver, players
from memory.keeping import Keeper
from memory.prompts import plot_en, plot_zh
from memory.reading.evidence import Record
from memory.reading.items import Items, Numbers, sound_items
from memory.reading.llm import player_of
from models.chat_model import ChatMessage
from models.control_tokens import escape
from storage.records import Chat, Kind, Memory, Source, stable_id
from storage.scope import Scope
from storage.visibility import MOST_SOURCES

VERSION = "plot-llm-1"
PURPOSE = "plot"
MAX_PARTS = 120
"""Facts of a chapter that are shown; of more the plainest are left out, those without a day first."""
_PROMPTS = {"en": plot_en, "zh": plot_zh}


class SentenceItem(BaseModel):
    text: str = Field(min_length=4, max_length=500)
    parts: Numbers = Field(min_length=1, max_length=40)


class PlotAnswer(Items):
    """What a model answers about a span, sentence by sentence still to be checked."""

    sentences: Annotated[list[SentenceItem], BeforeValidator(sound_items(SentenceItem))] = Field(default_factory=list)


def prompt(parts: Sequence[Memory], span: narrative.Span, *, language: str) -> list[ChatMessage]:
    """parts: facts or chapters, oldest first."""
    words = _PROMPTS[language]
    system = words.SYSTEM.format(sentences=narrative.LINES[span.tier], keep=words.KEEP[span.tier])
    shown = [{"n": n, "day": f"{p.said_at:%Y-%m-%d}", "text": p.text} for n, p in enumerate(parts, start=1)]
    return [ChatMessage("system", system), ChatMessage("user", escape(json.dumps({"record": shown}, ensure_ascii=False, indent=0)))]


def sentences(answer: PlotAnswer, parts: Sequence[Memory], *, most: int, others: Sequence[str], language: str) -> list[tuple[str, Memory]]:
    """What of an answer holds, each with the last of the parts it tells of, in order. No name or number stands there that stands in none of them."""
    record = Record.of([(p.said_by, p.text) for p in parts], others=others, language=language)
    kept: dict[str, Memory] = {}
    for item in answer.sentences:
        text = " ".join(item.text.split())
        if not all(1 <= n <= len(parts) for n in item.parts) or record.faults(text, range(len(parts))):
            continue
        # What is told of somebody rests on parts that name them: nobody is given another's deeds.
        told_of = record.told_of(text)
        own = [p.text for p in parts if told_of & record.named(p.text)]
        if told_of and record.borrowed(text, own, [p.text for p in parts if p.text not in own]):
            continue
        kept.setdefault(text, parts[max(item.parts) - 1])
    return sorted(list(kept.items())[:most], key=lambda pair: pair[1].round_last)


class Teller:
    def __init__(self, keeper: Keeper, deriver: Deriver, asker: Asker) -> None:
        self._keeper = keeper
        self._deriver = deriver
        self._asker = asker

    def tell(self, scope: Scope, branch_id: str, chat: Chat, span: narrative.Span) -> Memory | None:
        """Ask for the telling of a closed span and keep it; None if there is nothing to tell, a person wrote it, or nothing the model said holds.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then nothing is changed.
        """
        told = self._deriver.told(scope, branch_id, span)
        if not told.parts or told.by_hand or not told.messages:
            return None
        language = told.parts[0].language

        def in_order(some: Sequence[Memory]) -> list[Memory]:
            chosen = {p.id for p in some}
            return [p for p in told.parts if p.id in chosen]

        ranked = sorted(told.parts, key=narrative.salience, reverse=True)[:MAX_PARTS]
        parts = in_order(most_that_fit(ranked, lambda some: prompt(in_order(some), span, language=language), self._asker.model))
        sources = [Source(m.id, m.revision.id, m.revision.sha256) for m in told.messages]
        inside = {s.message_id for s in sources}
        sources += [s for f in parts for s in f.sources if s.message_id not in inside]
        resting = tuple(dict.fromkeys(sources))
        key = stable_id(
            "plot", VERSION, self._asker.model.name, span.tier, span.first, *(x for p in parts for x in (p.derivation_key, p.text))
        )
        answer, read = self._asker.ask(
            scope, key, lambda: prompt(parts, span, language=language), PlotAnswer, purpose=PURPOSE, version=VERSION
        )
        others = [player_of(chat, players(parts), language=language), chat.character_name]
        lines = sentences(answer, parts, most=narrative.LINES[span.tier], others=others, language=language)
        plot = Memory(
            id=stable_id("memory", scope.chat_id, key, *(m.id for m in told.messages), *sorted(s.sha256 for s in resting)),
            chat_id=scope.chat_id,
            kind=Kind.PLOT,
            text=(" " if language == "en" else "").join(text for text, _ in lines),
            language=language,
            round_first=span.first,
            round_last=span.last,
            said_at=told.messages[-1].said_at,
            sources=resting,
            derivation_key=key,
            slot=narrative.slot_of(span),
            slot_rank=f"{narrative.TOLD}{MOST_SOURCES - len(resting):06d}",
            grounds=tuple(p.id for p in parts),
            trust=min(p.trust for p in parts),
            payload={
                "tier": span.tier,
                "model": self._asker.model.name,
                "lines": [{"text": text, "round": p.round_last, "said_at": round(p.said_at.timestamp() * 1000)} for text, p in lines],
            },
        )
        self._keeper.keep(scope, [plot] if lines else [], read=read)
        return plot if lines else None
