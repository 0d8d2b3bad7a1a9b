"""How far memory has read a conversation: the last round that is final and of which no work is left that reads it."""

from __future__ import annotations

from memory.construction import EPISODE_TASK, EXTRACT_TASK, UNIT_TASK
from memory.mending import MEND_TASK
from memory.modelled import READ_TASK
from storage.records import Chat, Message
from storage.scope import Scope
from storage.store import Store

READING = (EPISODE_TASK, EXTRACT_TASK, UNIT_TASK, READ_TASK, MEND_TASK)
"""What takes from the text; chapters, topics and insights are made from what was taken, and the index of it."""


def read_to(store: Store, scope: Scope, chat: Chat, newest: Message | None) -> int:
    """Of the branch that is open; 0 where nothing is read yet. newest: its newest message. A round is final when the next begins or its session is over: until
    then another reply can be asked for."""
    if newest is None:
        return 0
    final = newest.round if store.chats.session_closed(scope, newest.id) else newest.round - 1
    if final < 1:
        return 0
    first = store.unread.first(scope, chat.branch_id, kinds=READING)
    return max(0, min(final, final if first is None else first - 1))
