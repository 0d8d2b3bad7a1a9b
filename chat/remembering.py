"""Whether a conversation remembers. While it does not, nothing is recalled into its prompts and nothing is derived from what is said in it; the memory work of its
rounds waits in the outbox and is done, in its order, once it remembers again: so memory is the same function of the path, however often it was switched."""

from __future__ import annotations

from chat.operations import Operations


class Remembering(Operations):
    def switch(self, user_id: str, chat_id: str, *, on: bool, edition: int) -> int:
        """Let a conversation remember from now on, what was said meanwhile included, or not. A step that can be undone. Raises ReplyRunning."""
        with self._operation(user_id, chat_id, edition) as op:
            self._store.carrying.switch(op.scope, op.chat.branch_id, on=on)
            return op.edition
