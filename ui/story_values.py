"""What the sheet of the story is given when a chapter is opened."""

from __future__ import annotations

from chat import views
from ui.values import Value, moment, number


def span(chat_id: str, view: views.SpanView, *, first: int, last: int) -> Value:
    """first, last: as the page asked, by which it knows the answer."""
    return {
        "chat": chat_id,
        "key": f"{first}-{last}",
        "n": number(),
        "rounds": [
            {
                "round": r.round,
                "at": moment(r.said_at),
                "kept": [r.kept.remembered, r.kept.forgotten],
                "lines": [{"name": line.name, "role": line.role, "text": line.text, "cut": line.cut} for line in r.lines],
            }
            for r in view.rounds
        ],
    }
