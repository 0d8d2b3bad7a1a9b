"""What the dialogs about memories and about the queue are given."""

from __future__ import annotations

from chat import views
from ui.memory_values import standing
from ui.values import Value, marked, moment, number


def rederived(chat_id: str, memory_id: str, view: views.RederivedView) -> Value:
    return {"chat": chat_id, "shows": "rederived", "memory": memory_id, "old": view.old, "texts": list(view.new), "n": number()}


def of_round(chat_id: str, round_number: int, view: views.RoundMemoriesView) -> Value:
    """Everything that rests on a round, kind by kind."""
    items = [
        {
            "id": m.id,
            "kind": m.kind,
            "key": m.key,
            "text": m.text,
            "first": m.first_round,
            "last": m.last_round,
            "forgotten": m.status == "forgotten",
            **standing(m),
        }
        for memories in view.kinds.values()
        for m in memories
    ]
    return {"chat": chat_id, "shows": "round", "round": round_number, "items": items, "n": number()}


def queue(chat_id: str, view: views.TaskQueueView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "tasks": [
                {
                    "id": t.id,
                    "kind": t.kind,
                    "state": t.state,
                    "first": t.first_round,
                    "last": t.last_round,
                    "attempts": t.attempts,
                    "error": t.error,
                    "until": moment(t.waiting_until),
                }
                for t in view.tasks
            ],
            "failed": view.failed,
            "done": view.done,
            "total": view.total,
            "uses": [
                {
                    "purpose": u.purpose,
                    "model": u.model,
                    "calls": u.calls,
                    "failed": u.failed,
                    "tokens": u.tokens,
                    "seconds": round(u.seconds),
                }
                for u in view.uses
            ],
            "more": max(0, view.waiting + view.running + view.failed - len(view.tasks)),
        }
    )
