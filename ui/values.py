"""What the components are given: the service's views as plain JSON. Nothing here is markup, and nothing is in a language."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from chat import views
from chat.limits import MAX_MESSAGE_CHARS, MAX_NAME_CHARS, MAX_QUESTION_CHARS
from chat.portable_fields import MAX_BYTES
from chat.service import MAX_WINDOW
from errors import KeepsakeError
from personas.record import MAX_LINE_CHARS, MAX_TEXT_CHARS

Value = dict[str, Any]
UNFOLLOWED = -1
"""Beat of a frame that does not come from a follower."""


def number() -> str:
    """A value that is new each time, for what must be seen again although it says the same."""
    return secrets.token_hex(6)


def marked(value: Value) -> Value:
    """The value with a `mark` that stands for all it says: what a page shows already need not be sent or drawn again."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    return {**value, "mark": hashlib.blake2b(said, digest_size=9).hexdigest()}


def facts(characters: Iterable[views.CharacterView], status: views.StatusView, *, players: Mapping[str, str]) -> Value:
    """players: how the player is called by default, by language."""
    return {
        "characters": [{"id": c.id, "name": c.name, "tagline": c.tagline, "language": c.language, "avatar": c.avatar} for c in characters],
        "status": {
            "model": status.model_name,
            "local": status.model_local,
            "small": status.model_small,
            "memory": status.memory_model,
            "cross": status.cross_encoder,
            "cross_state": status.cross_state,
        },
        "players": dict(players),
        "limit": MAX_MESSAGE_CHARS,
        "name_limit": MAX_NAME_CHARS,
        "question_limit": MAX_QUESTION_CHARS,
        "character_limits": {"line": MAX_LINE_CHARS, "text": MAX_TEXT_CHARS},
        "most": MAX_WINDOW,
        "most_bytes": MAX_BYTES,
    }


def place(chat_id: str, *, language: str = "", push: bool = False) -> Value:
    """chat_id: the chat to be at, or empty; language: for a reader who has chosen none, empty leaves it; push: whether the address becomes
    a new entry of the browser's history."""
    return {"id": chat_id, "language": language, "push": push, "n": number()}


def shelf(chats: Iterable[views.ChatSummary], own: Iterable[views.OwnCharacterView]) -> Value:
    """own: characters of the reader's."""
    return marked(
        {
            "own": [{"id": c.id, "name": c.name, "tagline": c.tagline, "language": c.language, "tags": list(c.tags)} for c in own],
            "chats": [
                {
                    "id": c.id,
                    "title": c.title,
                    "character": c.character_name,
                    "own": c.own_character,
                    "language": c.language,
                    "rounds": c.rounds,
                    "at": moment(c.last_said_at),
                    "line": c.last_line,
                }
                for c in chats
            ],
        }
    )


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
    }


MOVING = ("version", "settled", "edition", "undo", "redo", "branch", "forked", "branches")
"""What a transcript says besides its messages."""


def same_transcript(value: Value) -> Value:
    """In place of a transcript whose messages the page has."""
    return {"chat": value["chat"], "same": True, **{name: value[name] for name in MOVING}}


def page(chat_id: str, view: views.TranscriptView, *, before: str = "") -> Value:
    """A further window that the page asked for. before: the message it ends just before, if that was what it asked."""
    return {"chat": chat_id, "before": before, "n": number(), **_window(view)}


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
    name of the operation that was taken back or done again."""
    return {"token": token, "done": done, "edition": edition, "what": what, "n": number()}


def export(ticket: str, *, name: str, size: int) -> Value:
    """A file that is ready. ticket: what the page fetches it with, once; size: bytes."""
    return {"ticket": ticket, "name": name, "size": size, "n": number()}


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


def memories(chat_id: str, view: views.MemoriesView, *, order: str) -> Value:
    value = {
        "chat": chat_id,
        "shelf": view.shelf,
        "order": order,
        "total": view.total,
        "counts": dict(view.counts),
        "capacity": view.capacity,
        "best": view.best_score,
        "queue": {"waiting": view.queue.waiting, "failed": view.queue.failed, "error": view.queue.last_error},
        "memories": [
            {
                "id": m.id,
                "kind": m.kind,
                "text": m.text,
                "first": m.first_round,
                "last": m.last_round,
                "at": moment(m.said_at),
                "score": m.score,
                "reinforced": m.reinforced,
                "inhibited": m.inhibited,
                "said_by": m.said_by,
                "trust": m.trust,
                "happened": days(m.happened),
                "forgotten": m.status == "forgotten",
                **standing(m),
            }
            for m in view.memories
        ],
    }
    return marked(value)


def standing(
    view: views.MemoryView | views.ValueView | views.InsightView | views.ChapterView | views.RoundsView | views.TellingView,
) -> Value:
    """What a person has decided about a memory."""
    pinned = isinstance(view, views.MemoryView | views.InsightView | views.RoundsView | views.TellingView) and view.pinned
    return {"pinned": pinned, "excluded": view.excluded, "mine": view.origin == "user", "changed": view.source_changed}


def story(chat_id: str, view: views.StoryView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "arcs": [_chapter(c) for c in view.arcs],
            "chapters": [_chapter(c) for c in view.chapters],
            "so_far": [_chapter(c) for c in view.so_far],
            "chapter_rounds": view.chapter_rounds,
            "preset": view.preset,
            "presets": [{"name": name, "chapter": chapter, "arc": arc} for name, (chapter, arc) in view.presets.items()],
            "open": view.open_rounds,
            "day": view.day,
            "day_runs": view.day_runs,
        }
    )


def _chapter(view: views.ChapterView) -> Value:
    lines = [_line(line) for line in view.lines]
    return {"id": view.id, "first": view.first_round, "last": view.last_round, "closed": view.closed, "lines": lines, **standing(view)}


def _line(view: views.RoundsView) -> Value:
    line = {"text": view.text, "round": view.round, "at": moment(view.said_at)}
    return {**line, "id": view.id, **standing(view)} if view.id else line


def persona(chat_id: str, view: views.PersonaView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "entries": [
                {
                    "key": e.key,
                    "group": e.group,
                    "merge": e.merge,
                    "values": [_value(v, aging=e.merge == "trajectory") for v in e.values],
                    "former": [_value(v, aging=e.merge == "trajectory") for v in e.former],
                }
                for e in view.entries
            ],
            "derived": [{"key": d.key, "kind": d.kind, "grounds": [_value(v, aging=False) for v in d.grounds]} for d in view.derived],
        }
    )


def _value(view: views.ValueView, *, aging: bool) -> Value:
    """aging: how long ago it was said is shown, so it changes with every round; else it stays as it is."""
    return {
        "id": view.id,
        "text": view.text,
        **standing(view),
        "round": view.round,
        "at": moment(view.said_at),
        "quote": view.quote,
        "merged": view.merged,
        "ago": view.rounds_ago if aging else None,
    }


def insights(chat_id: str, view: views.InsightsView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "character": view.character_name,
            "stances": view.stances,
            "insights": [
                {
                    "id": i.id,
                    "text": i.statement,
                    "trust": i.trust,
                    "forgotten": i.status == "forgotten",
                    "held_back": i.held_back,
                    "kind": "insight",
                    "first": min((f.round for f in i.facts), default=0),
                    "last": max((f.round for f in i.facts), default=0),
                    **standing(i),
                    "facts": [_line(f) for f in i.facts],
                }
                for i in view.insights
            ],
        }
    )


def topics(chat_id: str, view: views.TopicsView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "open_since": view.open_since,
            "idle": view.idle_minutes,
            "topics": [
                [
                    {
                        "id": t.id,
                        "text": t.text,
                        "who": t.who,
                        "at": moment(t.said_at),
                        "rounds": list(t.rounds),
                        "first": t.rounds[0] if t.rounds else t.first_round,
                        "last": t.rounds[-1] if t.rounds else t.last_round,
                        **standing(t),
                    }
                    for t in topic
                ]
                for topic in view.topics
            ],
        }
    )


def receipt(chat_id: str, view: views.ReceiptView | None, *, asked: bool, gone: str = "") -> Value:
    """asked: the reader chose this reply; otherwise it is the newest, for pages where none was chosen. gone: a chosen message that has none any more."""
    return {"chat": chat_id, "asked": asked, "gone": gone, "receipt": None if view is None else _receipt(view)}


def _receipt(view: views.ReceiptView) -> Value:
    return {
        "id": view.id,
        "message": view.message_id,
        "round": view.round,
        "query": view.query,
        "made": moment(view.made_at),
        "model": view.model,
        "embedder": view.embedder,
        "degraded": view.degraded,
        "cross": view.cross,
        "recall_ms": view.recall_ms,
        "first_token_ms": view.first_token_ms,
        "cited_by": view.cited_by,
        "cited": view.cited,
        "sections": [{"name": s.name, "tokens": s.tokens, "items": s.items} for s in view.sections],
        "prompt": [[role, text] for role, text in view.prompt],
        "candidates": [
            {
                "rank": c.rank,
                "id": c.memory_id,
                "kind": c.kind,
                "text": c.text,
                "first": c.first_round,
                "last": c.last_round,
                "dense": c.dense,
                "sparse": c.sparse,
                "fused": c.fused,
                "learned": c.learned,
                "parts": [[name, value] for name, value in c.parts],
                "effect": c.effect,
                "delivered": c.delivered,
                "reason": c.reason,
                "cited": c.cited,
            }
            for c in view.candidates
        ],
    }


def moment(at: datetime | None) -> str | None:
    """ISO 8601, or None for none."""
    return at.isoformat() if at else None


def _params(params: Mapping[str, object]) -> Value:
    return {name: value if isinstance(value, int | float) else str(value) for name, value in params.items() if name != "message"}
