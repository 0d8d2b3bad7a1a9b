"""A chat as role-play programs keep theirs, one JSON object a line: the active branch with all wordings of its messages as swipes. `chat.importer` reads it back.

What those programs do not know is left out: other branches, memories, receipts. Messages hidden from the model are system lines there, with a mark of ours
by which they come back as what they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from chat.portable_pages import path_of
from storage.records import Chat, Message, Revision, Role
from storage.scope import Scope
from storage.store import Store

MARK = "keepsake"
"""Our own field inside of `extra`."""
ROLES = ("system", "user")
"""Of an author's note, by the number that stands for it there."""


def jsonl_lines(store: Store, scope: Scope) -> Iterator[bytes]:
    """Lines in UTF-8 with their line feeds, oldest message first. Raises NotFound."""
    chat = store.chats.chat(scope)
    yield _line(_header(chat, store.groups.belonging(scope, chat.branch_id)))
    for message in path_of(store.chats, scope, chat.branch_id):
        thoughts = ""
        if store.receipts.which_have(scope, [message]):
            receipt = store.receipts.of_message(scope, chat.branch_id, message.id)
            thoughts = str(receipt.body.get("thoughts", "")) if receipt is not None else ""
        yield _line(_message(message, store.wordings.offered(scope, chat.branch_id, message), thoughts))


def _header(chat: Chat, members: Sequence[str]) -> dict[str, object]:
    note = chat.note
    metadata: dict[str, object] = {}
    if note is not None:
        metadata = {
            "note_prompt": note.text,
            "note_interval": note.every,
            "note_depth": note.depth,
            "note_position": 1,
            "note_role": ROLES.index(note.role),
        }
    return {
        "user_name": chat.user_name,
        "character_name": ", ".join(members) or chat.character_name,
        "create_date": _moment(chat.created_at),
        "chat_metadata": metadata,
    }


def _message(message: Message, wordings: Sequence[Revision], thoughts: str) -> dict[str, object]:
    """thoughts: what the model thought before the wording that is shown."""
    line: dict[str, object] = {
        "name": message.speaker,
        "is_user": message.role is Role.USER,
        "is_system": message.hidden or message.room is not None,
        "send_date": _moment(message.said_at),
        "mes": message.text,
        "extra": _extra(message) | ({"reasoning": thoughts} if thoughts else {}),
    }
    if len(wordings) > 1:
        shown = next(place for place, one in enumerate(wordings) if one.id == message.revision.id)
        line |= {"swipe_id": shown, "swipes": [one.text for one in wordings]}
    return line


def _extra(message: Message) -> dict[str, object]:
    """What other programs keep and do not read. Of several characters who witnessed a line, and who is there from it on."""
    ours: dict[str, object] = {"hidden": True} if message.hidden else {}
    if message.present:
        ours |= {"present": list(message.present)}
    if message.room is not None:
        ours |= {"room": list(message.room)}
    told: dict[str, object] = {MARK: ours} if ours else {}
    return {**told, "type": "narrator"} if message.role is Role.NARRATOR else told


def _moment(at: datetime) -> str:
    """With the zone of who said it, by which an import knows the day again."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
