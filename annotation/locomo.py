"""Gold in the layout of LoCoMo's files, as `evaluation` reads them: the dialogue with its sessions, and what is worth remembering as observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from storage.annotation_dumps import Dialogue
from storage.records import from_ms


def sample(dialogue: Dialogue) -> Mapping[str, object]:
    """One dialogue. An observation stands in the session, and with the speaker, of its first turn; `keepsake` holds what the layout has no place for."""
    sessions = {number: place for place, number in enumerate(sorted({turn.session for turn in dialogue.turns}), 1)}
    speakers = list(dict.fromkeys(turn.speaker for turn in dialogue.turns))
    talk: dict[str, object] = {"speaker_a": speakers[0], "speaker_b": speakers[1] if len(speakers) > 1 else f"not {speakers[0]}"}
    counts: Counter[int] = Counter()
    names: dict[int, str] = {}
    listed: dict[int, list[dict[str, str]]] = {}
    for turn in dialogue.turns:
        session = sessions[turn.session]
        counts[session] += 1
        names[turn.number] = f"D{session}:{counts[session]}"
        talk.setdefault(f"session_{session}_date_time", from_ms(turn.said_at).strftime("%Y-%m-%d %H:%M"))
        listed.setdefault(session, []).append({"speaker": turn.speaker, "dia_id": names[turn.number], "text": turn.text})
    talk.update({f"session_{session}": said for session, said in listed.items()})
    by_number = {turn.number: turn for turn in dialogue.turns}
    noted: dict[str, dict[str, list[list[object]]]] = {f"session_{session}_observation": {} for session in listed}
    labels = []
    for gold in dialogue.gold:
        first = by_number[gold.evidence.turns[0]]
        where: object = [names[turn] for turn in gold.evidence.turns]
        noted[f"session_{sessions[first.session]}_observation"].setdefault(first.speaker, []).append(
            [gold.text, where[0] if isinstance(where, list) and len(where) == 1 else where]
        )
        labels.append(
            {
                "text": gold.text,
                "category": gold.category,
                "language": gold.language,
                "turns": where,
                "quotes": [
                    {"turn": names[quote.turn], "start": quote.start, "end": quote.end, "text": quote.text}
                    for quote in gold.evidence.quotes
                ],
                "source": gold.provenance.get("source", ""),
                **({"suggested": gold.provenance["suggested"]} if gold.provenance.get("suggested") else {}),
            }
        )
    return {
        "sample_id": f"dialogue-{dialogue.item.number}",
        "conversation": talk,
        "observation": noted,
        "keepsake": {"title": dialogue.item.title, "language": dialogue.item.language, "memory_points": labels},
    }
