"""Gold in the layout of LoCoMo's files, as `evaluation` reads them: the dialogue with its sessions, what is worth remembering as observations, and probes as
questions (`qa`): a regular probe with its four options in the order they are shown in and the place of the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from annotation.probe_living import with_probes
from storage.annotation_dumps import Dialogue
from storage.annotation_probes import Probe
from storage.annotation_regular_records import Regular
from storage.records import from_ms

SINGLE_HOP = 4
"""LoCoMo's number for questions that one place of the dialogue answers."""
BEHIND = 30
"""Rounds that lie behind every item of the universal table, where the dialogue has as many."""


def sample(dialogue: Dialogue, probes: Sequence[Regular] | None = None) -> Mapping[str, object]:
    """One dialogue. probes: None where the file has none.

    An observation stands in the session, and with the speaker, of its first turn; `keepsake` holds what the layout has no place for."""
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
    turns_of = {gold.number: gold.evidence.turns for gold in dialogue.gold}
    asked = [
        {
            "question": one.line,
            "answer": one.options[0],
            "evidence": [names[turn] for turn in turns_of[one.gold]],
            "category": SINGLE_HOP,
            "options": list(one.shown),
            "right": one.order.index(0),
        }
        for one in probes or ()
    ]
    return {
        "sample_id": f"dialogue-{dialogue.item.number}",
        "conversation": talk,
        **({"qa": asked} if probes is not None else {}),
        "observation": noted,
        "keepsake": {"title": dialogue.item.title, "language": dialogue.item.language, "memory_points": labels},
    }


def probed(dialogue: Dialogue, probes: Sequence[Probe]) -> Mapping[str, object]:
    """One dialogue with the items of the table told in it, as a run tells them, and asked for after it; empty where there are none."""
    if not probes:
        return {}
    rounds = len({turn.round for turn in dialogue.turns})
    told = with_probes(dialogue.turns, probes, longest=min(BEHIND, rounds - 1))
    sessions = {number: place for place, number in enumerate(sorted({m.session for m in told.messages}), 1)}
    talk: dict[str, object] = {"speaker_a": told.speakers[0], "speaker_b": told.speakers[1]}
    listed: dict[int, list[dict[str, str]]] = {}
    names = {}
    for message in told.messages:
        session = sessions[message.session]
        said = listed.setdefault(session, [])
        names[message.external_id] = f"D{session}:{len(said) + 1}"
        talk.setdefault(f"session_{session}_date_time", message.said_at.strftime("%Y-%m-%d %H:%M"))
        said.append({"speaker": message.speaker, "dia_id": names[message.external_id], "text": message.text})
    talk.update({f"session_{session}": said for session, said in listed.items()})
    asked = [{"question": one.q, "answer": one.a, "evidence": [names[f"P{one.id}"]], "category": SINGLE_HOP} for one in probes]
    return {"sample_id": f"dialogue-{dialogue.item.number}-probed", "conversation": talk, "qa": asked}
