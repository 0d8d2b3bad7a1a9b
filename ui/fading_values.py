"""What the sheet about forgetting is given."""

from __future__ import annotations

from chat import views
from ui.memory_values import whence
from ui.values import Value, marked

DIGITS = 10
"""Of a score: more than a screen shows, fewer than a float's last."""


def fading(chat_id: str, view: views.FadingView) -> Value:
    return marked(
        {
            "chat": chat_id,
            "capacity": view.capacity,
            "held": view.held,
            "room": [[step.round, step.count] for step in view.room],
            "alive": [_course(one) for one in view.alive],
            "nearly": [_course(one) for one in view.nearly],
            "weakest": [_course(one) for one in view.weakest],
            "lost": [_course(one) for one in view.lost],
            "lost_all": view.lost_all,
            "weighed": view.weighed,
            "chosen": _course(view.chosen) if view.chosen is not None else None,
            "missing": view.missing,
            "round": view.current_round,
        }
    )


def _course(one: views.CourseView) -> Value:
    return {
        "id": one.id,
        "kind": one.kind,
        "text": one.text,
        "first": one.first_round,
        "last": one.last_round,
        "points": [[p.round, round(p.score, DIGITS)] for p in one.points],
        "score": round(one.score, DIGITS),
        "reinforced": one.reinforced,
        "inhibited": one.inhibited,
        "forgotten": one.forgotten,
        "fates": [[f.round, f.forgotten] for f in one.fates],
        "spared": one.spared,
        "needs": None if one.needs is None else round(one.needs, DIGITS),
        "pinned": one.pinned,
        "excluded": one.excluded,
        "mine": one.origin == "user",
        "changed": False,
        "befell": [[b.round, b.effect, round(b.before, DIGITS), round(b.after, DIGITS)] for b in one.befell],
        **whence(one),
    }
