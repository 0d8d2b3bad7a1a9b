"""Gold and regular probes in the layout of ZH-4O (MOOM App. A), as `evaluation` reads it: a dialogue, its memory points with the messages they are of, and questions
with four options. Messages count from 1; whoever speaks first is the person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storage.annotation_dumps import Dialogue
from storage.annotation_regular_records import Regular

_LETTERS = "ABCD"


def record(dialogue: Dialogue, probes: Sequence[Regular]) -> Mapping[str, object]:
    """Empty for a dialogue in which one alone speaks, which the layout has no place for."""
    speakers = list(dict.fromkeys(turn.speaker for turn in dialogue.turns))
    if len(speakers) < 2:
        return {}
    turns_of = {gold.number: list(gold.evidence.turns) for gold in dialogue.gold}
    return {
        "id": f"dialogue-{dialogue.item.number}",
        "role": speakers[1],
        "title": dialogue.item.title,
        "language": dialogue.item.language,
        "dialogue": [{"speaker": turn.speaker, "text": turn.text} for turn in dialogue.turns],
        "memories": [
            {
                "content": gold.text,
                "turns": list(gold.evidence.turns),
                "category": gold.category,
                "language": gold.language,
                "quotes": [vars(quote) for quote in gold.evidence.quotes],
                "source": gold.provenance.get("source", ""),
            }
            for gold in dialogue.gold
        ],
        "probes": [
            {
                "question": one.line,
                "options": dict(zip(_LETTERS, one.shown, strict=True)),
                "answer": _LETTERS[one.order.index(0)],
                "turns": turns_of[one.gold],
            }
            for one in probes
        ],
    }
