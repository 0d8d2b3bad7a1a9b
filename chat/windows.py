"""Windows on a path: where one ends that has a round in its middle."""

from __future__ import annotations

from storage.records import Chat
from storage.scope import Scope
from storage.store import Store


def end_around(store: Store, scope: Scope, chat: Chat, *, around_round: int, limit: int) -> str | None:
    """The message before which a window of `limit` ends that has the round in its middle; None for the newest window."""
    head = store.chats.head(scope, chat.branch_id)
    if head is None:
        return None
    rows = store.chats.path(scope, chat.branch_id, limit=max(limit, (head.round - around_round + 1) * 4 + limit))
    inside = [position for position, m in enumerate(rows) if m.round <= around_round]
    if not inside:
        return rows[-1].id
    cut = inside[0] - limit // 2
    return rows[cut - 1].id if cut > 0 else None
