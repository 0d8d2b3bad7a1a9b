"""Whose data a query may touch. There is no unscoped query."""

from __future__ import annotations

from dataclasses import dataclass, replace

LOCAL_USER = "local"
"""The one user of single-user mode."""


@dataclass(frozen=True)
class Scope:
    """One user and a non-empty set of that user's chats.

    Ownership is checked by the repository on every call (`storage.chats.Chats.check`), so a forged chat id reaches nothing.
    """

    user_id: str
    chat_ids: frozenset[str]
    witness: str = ""
    """Of a chat with several characters the one, by its name there, whose part is read: messages it did not witness are not there, and of memories only what it
    knows. Empty: the person who plays, who sees every message; what is remembered of such a chat is always somebody's (`storage.witnesses`)."""

    def __post_init__(self) -> None:
        if not self.user_id or not self.chat_ids:
            raise ValueError("a scope names a user and at least one chat")

    @classmethod
    def of(cls, user_id: str, *chat_ids: str) -> Scope:
        return cls(user_id, frozenset(chat_ids))

    def seen_by(self, witness: str) -> Scope:
        """The same for one of the characters of its chat; empty: for the person who plays."""
        return replace(self, witness=witness) if witness != self.witness else self

    @property
    def chat_id(self) -> str:
        """The one chat of a single-chat scope; ValueError if it holds several."""
        (only,) = self.chat_ids
        return only
