"""The messages of a chat's active branch for files that other programs read: oldest first, deleted ones left out, hidden ones marked."""

from __future__ import annotations

from collections.abc import Iterator

from storage.chats import Chats
from storage.records import Message
from storage.scope import Scope

PAGE = 500


def path_of(chats: Chats, scope: Scope, branch_id: str) -> Iterator[Message]:
    """A page is in memory at a time. Raises NotFound."""
    ids: list[str] = []
    before = None
    while page := chats.path(scope, branch_id, limit=PAGE, before=before):
        before = page[-1].id
        ids += [m.id for m in page]
    ids.reverse()
    for start in range(0, len(ids), PAGE):
        yield from chats.messages(scope, branch_id, ids[start : start + PAGE])
