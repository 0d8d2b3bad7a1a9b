"""Branches and the bin as the page shows them."""

from __future__ import annotations

from chat import views
from storage.records import BinItem, Branch, Chat, from_ms
from storage.scope import Scope
from storage.store import Store

LINE_CHARS = 90


def tree_view(store: Store, scope: Scope, chat: Chat) -> views.TreeView:
    return views.TreeView(tuple(_branch(store, scope, chat, b) for b in store.branches.all(scope)), chat.edition)


def _branch(store: Store, scope: Scope, chat: Chat, branch: Branch) -> views.BranchView:
    head = store.chats.head(scope, branch.id)
    fork = store.chats.place(scope, branch.forked_at) if branch.forked_at else None
    end = store.chats.place(scope, branch.head_id) if branch.head_id else None
    return views.BranchView(
        id=branch.id,
        name=branch.name,
        parent_id=branch.parent_id or "",
        forked_round=fork.round if fork else 0,
        rounds=head.round if head else 0,
        last_line=line(head.text) if head else "",
        last_said_at=head.said_at if head else None,
        active=branch.id == chat.branch_id,
        own_messages=max(0, (end.depth if end else -1) - (fork.depth if fork else -1)),
    )


def bin_view(store: Store, scope: Scope, chat: Chat) -> tuple[views.BinItemView, ...]:
    """Newest first."""
    items = [_item(store, scope, i) for i in store.bin.items(scope, chat.branch_id)]
    items += [
        views.BinItemView(one.revision_id, "wording", line(one.text), one.round, 1, one.taken_at)
        for one in store.wordings.away(scope, chat.branch_id)
    ]
    for branch, removed_at in store.branches.removed(scope):
        shown = _branch(store, scope, chat, branch)
        items.append(
            views.BinItemView(
                branch.id, "branch", branch.name or shown.last_line, shown.forked_round, shown.own_messages, from_ms(removed_at)
            )
        )
    return tuple(sorted(items, key=lambda i: i.deleted_at, reverse=True))


def _item(store: Store, scope: Scope, item: BinItem) -> views.BinItemView:
    wording = store.bin.wording(scope, item)
    place = store.chats.place(scope, item.message_id)
    return views.BinItemView(item.id, item.kind, line(wording), place.round, len(store.bin.tail(scope, item)), item.created_at)


def binned_chats_view(store: Store, user_id: str) -> tuple[views.BinnedChatView, ...]:
    binned = store.chats.binned(user_id)
    carried = store.carrying.brought_from(user_id, [b.chat.id for b in binned])
    return tuple(
        views.BinnedChatView(
            b.chat.id, b.chat.title, b.chat.character_name, b.rounds, b.messages, b.memories, b.deleted_at, carried.get(b.chat.id, 0)
        )
        for b in binned
    )


def line(text: str) -> str:
    """The beginning of a text on one line."""
    return " ".join(text.split())[:LINE_CHARS]
