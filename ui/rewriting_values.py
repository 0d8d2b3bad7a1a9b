"""What the dialogs of branches and of the bin are given."""

from __future__ import annotations

from collections.abc import Iterable

from chat import views
from ui.values import Value, marked, moment


def tree(chat_id: str, view: views.TreeView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "branches": [
                {
                    "id": b.id,
                    "name": b.name,
                    "parent": b.parent_id,
                    "forked": b.forked_round,
                    "rounds": b.rounds,
                    "line": b.last_line,
                    "at": moment(b.last_said_at),
                    "active": b.active,
                    "own": b.own_messages,
                }
                for b in view.branches
            ],
        }
    )


def bin_of(
    chat_id: str,
    items: Iterable[views.BinItemView],
    weight: views.BinWeightView | None,
    chats: Iterable[views.BinnedChatView],
    characters: Iterable[views.OwnCharacterView],
) -> Value:
    """chat_id: empty where no chat is open; then there are no items and no weight."""
    return marked(
        {
            "chat": chat_id,
            "items": [
                {"id": i.id, "kind": i.kind, "text": i.text, "round": i.round, "count": i.count, "at": moment(i.deleted_at)} for i in items
            ],
            "weight": {"messages": weight.messages, "branches": weight.branches, "memories": weight.memories} if weight else None,
            "chats": [
                {
                    "id": c.id,
                    "title": c.title,
                    "character": c.character_name,
                    "rounds": c.rounds,
                    "messages": c.messages,
                    "memories": c.memories,
                    "carried": c.carried,
                    "at": moment(c.deleted_at),
                }
                for c in chats
            ],
            "characters": [{"id": c.id, "name": c.name, "tagline": c.tagline, "conversations": c.conversations} for c in characters],
        }
    )
