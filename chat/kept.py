"""What was remembered from each round of a window of the transcript, as numbers: a mark on the message, that opens the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chat.views import KeptView
from storage.absences import Why
from storage.records import Chat, Kind, Message
from storage.scope import Scope
from storage.store import Store

COUNTED = (Kind.FACT, Kind.PERSONA, Kind.INSIGHT)
"""Kinds that are drawn from what was said. Each round is an episode, and stands in a chapter and a topic, so these would say nothing."""


def kept_of(store: Store, scope: Scope, chat: Chat, messages: Sequence[Message]) -> Mapping[int, KeptView]:
    """By round; rounds of which nothing was remembered are left out."""
    resting = store.resting.on(scope, [m.id for m in messages], kinds=COUNTED)
    if not resting:
        return {}
    minds = store.groups.minds(scope)
    # Of several characters: what any of them remembers.
    seen = [store.memories.visible(mind, chat.branch_id).members for mind in minds]
    resting_ids = {i for ids in resting.values() for i in ids}
    here = {i for i in resting_ids if any(i in members for members in seen)}
    elsewhere = resting_ids - here
    lost: set[str] = set()
    for mind in minds if elsewhere else ():
        why = store.memories.absences(mind, chat.branch_id, elsewhere, held_back=())
        lost |= {i for i, absence in why.items() if absence.why is Why.FORGOTTEN}
    rounds: dict[int, set[str]] = {}
    for message in messages:
        rounds.setdefault(message.round, set()).update(resting.get(message.id, ()))
    counted = {at: KeptView(sum(i in here for i in ids), len(ids & lost)) for at, ids in rounds.items()}
    return {at: view for at, view in counted.items() if view.remembered or view.forgotten}
