"""The list of a user's conversations."""

from __future__ import annotations

from collections.abc import Collection

from chat import views
from storage.records import Chat
from storage.scope import Scope
from storage.store import Store

LAST_LINE_CHARS = 90


def summaries(store: Store, user_id: str, *, samples: Collection[str]) -> tuple[views.ChatSummary, ...]:
    """The user's chats, last touched first. samples: ids of those that are sample stories."""
    own, faces = store.characters.ids(user_id), store.characters.faces(user_id)
    return tuple(
        _summary(store, chat, own_character=chat.character_id in own, face=faces.get(chat.character_id), sample=chat.id in samples)
        for chat in store.chats.of_user(user_id)
    )


def _summary(store: Store, chat: Chat, *, own_character: bool, face: int | None, sample: bool) -> views.ChatSummary:
    scope = Scope.of(chat.user_id, chat.id)
    head = store.chats.head(scope, chat.branch_id)
    members = chat.members
    if any(m.joined for m in members):
        belonging = store.groups.belonging(scope, chat.branch_id)
        members = tuple(m for m in members if m.name in belonging)
    return views.ChatSummary(
        id=chat.id,
        title=chat.title,
        character_name=chat.character_name,
        own_character=own_character,
        character_id=chat.character_id,
        face=face,
        language=chat.language,
        rounds=head.round if head else 0,
        last_said_at=head.said_at if head else None,
        last_line=" ".join(head.text.split())[:LAST_LINE_CHARS] if head else "",
        folder=chat.folder,
        favourite=chat.favourite,
        archived=chat.archived,
        sample=sample,
        members=tuple(m.name for m in members),
        cast=tuple(m.character_id for m in members) or (chat.character_id,),
        listens=chat.listens,
    )
