"""A message of the transcript as the page shows it."""

from __future__ import annotations

from chat import views
from storage.records import Message, Role


def answerable(message: Message) -> bool:
    """Whether it is the player's and said to somebody, so that a reply may be made to it."""
    return message.role is Role.USER and not message.hidden and not message.heard


def message_view(message: Message, has_receipt: bool, variant: int, variants: int) -> views.MessageView:
    return views.MessageView(
        id=message.id,
        round=message.round,
        role="user" if message.role is Role.USER else "narrator" if message.role is Role.NARRATOR else "character",
        name=message.speaker,
        text=message.text,
        said_at=message.said_at,
        status=message.revision.status,
        has_receipt=has_receipt,
        variant=variant,
        variants=variants,
        hidden=message.hidden,
        edited=message.revision.ordinal > 0 and message.revision.origin == "user",
        present=message.present,
        heard=message.heard,
    )
