"""A stretch of the story as it was spoken: what a chapter opens down to."""

from __future__ import annotations

from itertools import groupby

from chat import views
from chat.kept import kept_of
from chat.operations import open_chat
from storage.records import Role
from storage.store import Store

MOST_ROUNDS = 60
"""Of one look; the longest chapter has thirty."""
LINE_CHARS = 400
"""Of a message; the conversation has the rest."""


class StoryRounds:
    def __init__(self, store: Store) -> None:
        self._store = store

    def look(self, user_id: str, chat_id: str, *, first: int, last: int) -> views.SpanView:
        """The rounds of the open branch from one to another, both included, as they are worded now; what is hidden from the model is not part of the story."""
        scope, chat = open_chat(self._store, user_id, chat_id)
        last = min(last, first + MOST_ROUNDS - 1)
        said = self._store.chats.span(scope, chat.branch_id, first_round=first, last_round=last) if last >= first else []
        kept = kept_of(self._store, scope, chat, said)
        rounds = []
        for number, messages in groupby(said, key=lambda m: m.round):
            lines = list(messages)
            rounds.append(
                views.SpokenRoundView(
                    round=number,
                    said_at=lines[0].said_at,
                    lines=tuple(
                        views.SpokenView(m.speaker, "user" if m.role is Role.USER else "character", _cut(m.text), len(m.text) > LINE_CHARS)
                        for m in lines
                    ),
                    kept=kept.get(number, views.KeptView(0, 0)),
                )
            )
        return views.SpanView(first, last, tuple(rounds))


def _cut(text: str) -> str:
    return text if len(text) <= LINE_CHARS else text[:LINE_CHARS].rstrip()
