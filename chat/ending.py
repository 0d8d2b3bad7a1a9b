"""The end of a session: its last round is final, and what it was about can be told."""

from __future__ import annotations

from memory.engine import final_tasks, mend_task
from storage.scope import Scope
from storage.store import Store


def end_session(store: Store, scope: Scope, branch_id: str, *, by: str) -> bool:
    """End the session that a branch's newest message stands in; False if nothing was said in it or it is ended already. by: `idle` or `user`.

    An end hangs on its message, so it holds on every branch that goes through it.
    """
    head = store.chats.head(scope, branch_id)
    if head is None or head.round == 0 or store.chats.session_closed(scope, head.id):
        return False
    with store.database.write():
        for task in final_tasks(branch_id, store.chats.newest_round(scope, branch_id), next_round=None):
            store.tasks.add(scope, task)
        store.chats.close_session(scope, head.id, closed_by=by)
        for branch in store.branches.all(scope):
            store.tasks.join(scope, mend_task(branch.id, first_round=head.round), least="first_round")
    return True
