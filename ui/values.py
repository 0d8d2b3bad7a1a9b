"""What the components are given: the service's views as plain JSON. Nothing here is markup, and nothing is in a language."""

from __future__ import annotations

import hashlib
import itertools
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from accounts.entrance import Visitor
from chat import views
from chat.assembly import DEFAULT_NAMES
from chat.carried_file import MOST_BYTES as MOST_MEMORY_BYTES
from chat.group_words import MOST
from chat.limits import (
    MAX_MESSAGE_CHARS,
    MAX_NAME_CHARS,
    MAX_NOTE_CHARS,
    MAX_NOTE_DEPTH,
    MAX_NOTE_EVERY,
    MAX_PICTURE_BYTES,
    MAX_PLAYER_CHARS,
    MAX_PLAYER_NAME_CHARS,
    MAX_QUESTION_CHARS,
    MAX_SEARCH_CHARS,
)
from chat.portable_fields import MAX_BYTES
from chat.service import MAX_WINDOW
from errors import KeepsakeError
from personas.cards.reading import MAX_BYTES as MAX_CARD_FILE_BYTES
from personas.record import MAX_LINE_CHARS, MAX_TEXT_CHARS

Value = dict[str, Any]
UNFOLLOWED = -1
"""Beat of a frame that does not come from a follower."""


_START = secrets.token_hex(6)
_orders = itertools.count()


def number() -> str:
    """A value that is new each time, for what must be seen again although it says the same."""
    return secrets.token_hex(6)


def asked_at() -> list[str | int]:
    """When what a value says was asked for, to be taken before that is read: answers to several events at once can overtake each other, and of two the one with the
    greater number holds all that the other does. The name stands for this start of the program."""
    return [_START, next(_orders)]


def marked(value: Value) -> Value:
    """The value with a `mark` that stands for all it says: what a page shows already need not be sent or drawn again."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    return {**value, "mark": hashlib.blake2b(said, digest_size=9).hexdigest()}


def facts(
    characters: Iterable[views.CharacterView], status: views.StatusView, *, players: Mapping[str, str], visitor: Visitor | None = None
) -> Value:
    """players: how the player is called by default, by language; visitor: who is logged in, where there are accounts."""
    return {
        "account": {"id": visitor.user_id, "name": visitor.name, "admin": visitor.role == "admin", "annotates": visitor.role != "player"}
        if visitor
        else None,
        "characters": [
            {"id": c.id, "name": c.name, "tagline": c.tagline, "language": c.language, "avatar": c.avatar, "tags": list(c.tags)}
            for c in characters
        ],
        "status": model_status(status),
        "players": dict(players),
        "limit": MAX_MESSAGE_CHARS,
        "name_limit": MAX_NAME_CHARS,
        "question_limit": MAX_QUESTION_CHARS,
        "most_memory_bytes": MOST_MEMORY_BYTES,
        "note_limits": {"text": MAX_NOTE_CHARS, "depth": MAX_NOTE_DEPTH, "every": MAX_NOTE_EVERY},
        "search_limit": MAX_SEARCH_CHARS,
        "player_limits": {"name": MAX_PLAYER_NAME_CHARS, "description": MAX_PLAYER_CHARS, "picture": MAX_PICTURE_BYTES},
        "character_limits": {"line": MAX_LINE_CHARS, "text": MAX_TEXT_CHARS},
        "most_members": MOST,
        "most": MAX_WINDOW,
        "most_bytes": MAX_BYTES,
        "most_card_bytes": MAX_CARD_FILE_BYTES,
    }


def model_status(status: views.StatusView) -> Value:
    """What answers, and what reads for memory."""
    return {
        "model": status.model_name,
        "local": status.model_local,
        "small": status.model_small,
        "leaves": status.leaves_to,
        "memory": status.memory_model,
        "cross": status.cross_encoder,
        "cross_state": status.cross_state,
    }


def place(chat_id: str, *, language: str = "", push: bool = False) -> Value:
    """chat_id: the chat to be at, or empty; language: for a reader who has chosen none, empty leaves it; push: whether the address becomes
    a new entry of the browser's history."""
    return {"id": chat_id, "language": language, "push": push, "n": number()}


def shelf(
    chats: Iterable[views.ChatSummary],
    own: Iterable[views.OwnCharacterView],
    *,
    favourites: Iterable[str] = (),
    noticed: bool = True,
    hides_adult: bool = False,
    unwritable: str = "",
) -> Value:
    """own: characters of the reader's; favourites: ids of those that the reader keeps on top; noticed: whether the reader said to have been told what
    characters are; hides_adult: whether those marked as for adults are to be out of sight; unwritable: why nothing can be saved now."""
    return marked(
        {
            "storage": unwritable,
            "noticed": noticed,
            "hides_adult": hides_adult,
            "favourites": sorted(favourites),
            "own": [
                {
                    "id": c.id,
                    "name": c.name,
                    "tagline": c.tagline,
                    "creator": c.creator,
                    "language": c.language,
                    "tags": list(c.tags),
                    "face": _face(c.id, c.face),
                    "adult": c.adult,
                }
                for c in own
            ],
            "chats": [
                {
                    "id": c.id,
                    "title": c.title,
                    "character": c.character_name,
                    "with": list(c.cast),
                    "own": c.own_character,
                    "face": _face(c.character_id, c.face),
                    "language": c.language,
                    "rounds": c.rounds,
                    "at": moment(c.last_said_at),
                    "line": c.last_line,
                    "folder": c.folder,
                    "favourite": c.favourite,
                    "archived": c.archived,
                    "sample": c.sample,
                    "members": list(c.members),
                    "listens": c.listens,
                }
                for c in chats
            ],
        }
    )


def _face(character_id: str, stamp: int | None) -> str:
    """What follows the address of avatars (`ui.cards`); empty where there is none."""
    return f"{character_id}?v={stamp}" if stamp is not None else ""


def player_face(player_id: str, stamp: int | None) -> str:
    """What follows the address of personas' pictures (`ui.players`); empty where there is none."""
    return f"{player_id}?v={stamp}" if stamp is not None else ""


def played(view: views.PlayedView) -> Value:
    """called: whether the name is one's own, and not what a player without one is called."""
    face, called = player_face(view.id, view.face), bool(view.id) or view.name not in DEFAULT_NAMES.values()
    return {"id": view.id, "name": view.name, "face": face, "follows": view.follows, "called": called}


def transcript(chat_id: str, view: views.TranscriptView, *, version: int, settled: str) -> Value:
    """The newest window. settled: id of the last reply that is in it or came to nothing, or empty. The mark leaves out what moves on alone (MOVING)."""
    return {
        **marked({"chat": chat_id, "awaiting": view.awaiting_reply, **_window(view)}),
        "version": version,
        "settled": settled,
        "edition": view.edition,
        "undo": view.undo,
        "redo": view.redo,
        "branch": view.branch,
        "forked": view.branch_forked,
        "branches": view.branches,
        "note": asdict(view.note) if view.note else None,
        "player": played(view.player) if view.player else None,
        "reads": view.read_from,
        "read_to": view.read_to,
        "kept": _kept(view),
        "group": _group(view.group) if view.group else None,
        "listening": _listening(view.listening) if view.listening else None,
        "remembers": view.remembers,
    }


def _group(view: views.GroupView) -> Value:
    return {
        "members": [{"name": m.name, "id": m.character_id, "own": m.own, "face": _face(m.character_id, m.face)} for m in view.members],
        "room": list(view.room),
        "next": view.next,
        "answers": view.answers,
    }


def _listening(view: views.ListeningView) -> Value:
    return {"on": view.on, "speakers": list(view.speakers), "feeds": view.feeds}


MOVING = (
    "version",
    "settled",
    "edition",
    "undo",
    "redo",
    "branch",
    "forked",
    "branches",
    "note",
    "player",
    "reads",
    "read_to",
    "kept",
    "group",
    "listening",
    "remembers",
)
"""What a transcript says besides its messages."""


def same_transcript(value: Value) -> Value:
    """In place of a transcript whose messages the page has."""
    return {"chat": value["chat"], "same": True, **{name: value[name] for name in MOVING}}


def page(chat_id: str, view: views.TranscriptView, *, before: str = "") -> Value:
    """A further window that the page asked for. before: the message it ends just before, if that was what it asked."""
    return {"chat": chat_id, "before": before, "n": number(), "kept": _kept(view), **_window(view)}


def _kept(view: views.TranscriptView) -> dict[str, list[int]]:
    """By round, as JSON has no other keys than strings."""
    return {str(at): [kept.remembered, kept.forgotten] for at, kept in view.kept.items()}


def _window(view: views.TranscriptView) -> Value:
    return {
        "earlier": view.has_earlier,
        "later": view.has_later,
        "messages": [
            {
                "id": m.id,
                "round": m.round,
                "role": m.role,
                "name": m.name,
                "text": m.text,
                "at": moment(m.said_at),
                "status": m.status,
                "receipt": m.has_receipt,
                "variant": m.variant,
                "variants": m.variants,
                "hidden": m.hidden,
                "edited": m.edited,
                "present": list(m.present),
                "heard": m.heard,
            }
            for m in view.messages
        ],
    }


def live(job: views.JobView, *, beat: int = UNFOLLOWED) -> Value:
    """beat: grows while a follower is at work, so that the page can tell."""
    return {
        "chat": job.chat_id,
        "job": job.id,
        "kind": job.kind,
        "message": job.message_id,
        "name": job.name,
        "phase": job.phase.value,
        "text": job.text,
        "read": job.read_tokens,
        "total": job.prompt_tokens,
        "final": job.final,
        "beat": beat,
    }


def composer(chat_id: str, token: str, *, accepted: bool) -> Value:
    """The server's answer to one sending. `of`, not `chat`: it also counts for a chat the tab has just left."""
    return {"of": chat_id, "token": token, "accepted": accepted, "n": number()}


def answer(token: str, *, done: bool, edition: int = 0, what: str = "") -> Value:
    """The server's answer to one thing a person asked to be done. It counts for whichever chat the tab is at. edition: 0 where there is no new one; what:
    name of the operation that was taken back or done again; of what was decided about a memory, what it can be taken back by."""
    return {"token": token, "done": done, "edition": edition, "what": what, "n": number()}


def export(ticket: str, *, name: str, size: int, left_out: Iterable[Value] = ()) -> Value:
    """A file that is ready. ticket: what the page fetches it with, once; size: bytes; left_out: what should be in it and is not."""
    return {"ticket": ticket, "name": name, "size": size, "left_out": list(left_out), "n": number()}


def left_out(kind: str, name: str, why: KeepsakeError) -> Value:
    """Something that an archive has not. kind: of `chat.everything.KINDS`."""
    return {"kind": kind, "name": name, "why": error(why.code, {**why.params, "message": str(why)})}


def banner(error: KeepsakeError) -> Value:
    return {"code": error.code, "params": _params(error.params), "message": str(error), "n": number()}


def error(code: str, params: Mapping[str, object]) -> Value:
    """Why something failed, as the page puts it into a sentence; the English one stands under `message`."""
    return {"code": code, "params": _params(params), "message": str(params.get("message", ""))}


def days(span: tuple[datetime, datetime] | None) -> list[str | None] | None:
    """First and last day, or None."""
    return [moment(day) for day in span] if span else None


def failed_reply(job: views.JobView) -> Value | None:
    """The banner for a reply that failed, the same each time it is asked for; None for one that did not."""
    if job.error_code is None:
        return None
    return {**error(job.error_code, job.error_params), "n": job.id}


def no_trouble() -> Value:
    """Takes away what the banner says."""
    return {"n": number()}


def unexpected() -> Value:
    return {"code": "unexpected", "params": {}, "message": "", "n": number()}


def moment(at: datetime | None) -> str | None:
    """ISO 8601, or None for none."""
    return at.isoformat() if at else None


def _params(params: Mapping[str, object]) -> Value:
    return {name: _param(value) for name, value in params.items() if name != "message"}


def _param(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _param(inner) for name, inner in value.items()}
    return value if isinstance(value, int | float) else str(value)
