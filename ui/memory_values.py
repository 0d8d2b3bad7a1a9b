"""What the panels of memory are given: the service's views as plain JSON, as in `ui.values`."""

from __future__ import annotations

from chat import views
from ui.values import Value, days, marked, moment


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
    decided = {"pinned": pinned, "excluded": view.excluded, "mine": view.origin == "user", "changed": view.source_changed}
    return decided if isinstance(view, views.ChapterView | views.TellingView) else {**decided, **whence(view)}


def whence(
    view: views.MemoryView | views.ValueView | views.InsightView | views.RoundsView | views.CandidateView | views.CourseView,
) -> Value:
    """Where a memory came along from; nothing where it was made here."""
    one = view.carried
    return {"carried": {"title": one.title, "chat": one.chat, "first": one.first, "last": one.last}} if one is not None else {}


def _brought(brought: tuple[views.MemoryView, ...]) -> list[Value]:
    return [
        {"id": m.id, "kind": m.kind, "text": m.text, "first": m.first_round, "last": m.last_round, "at": moment(m.said_at), **standing(m)}
        for m in brought
    ]


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
            "carried": _brought(view.carried),
        }
    )


def _chapter(view: views.ChapterView) -> Value:
    lines = [_line(line) for line in view.lines]
    return {
        "id": view.id,
        "first": view.first_round,
        "last": view.last_round,
        "closed": view.closed,
        "lines": lines,
        "began": moment(view.began),
        "ended": moment(view.ended),
        **standing(view),
    }


def _line(view: views.RoundsView) -> Value:
    line = {"text": view.text, "round": view.round, "at": moment(view.said_at), **whence(view)}
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
            "others": [{"name": name, "n": n} for name, n in view.others.items()],
            "since": view.since,
            "over": view.over,
            "changes": [
                {
                    "key": c.key,
                    "turn": c.turn,
                    "value": _value(c.value, aging=False) if c.value is not None else None,
                    "was": _value(c.was, aging=False) if c.was is not None else None,
                }
                for c in view.changes
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
                    "untrue": i.untrue,
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
            "carried": _brought(view.carried),
            "headings": list(view.headings),
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
        "speaker": view.speaker,
        "heard": view.heard,
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
        "window": view.window,
        "reply": view.reply,
        "lore": [
            {"n": e.n, "name": e.name, "by": e.by, "through": e.through, "tokens": e.tokens, "delivered": e.delivered, "book": e.book}
            for e in view.lore
        ],
        "prompt": [[role, text] for role, text in view.prompt],
        "exact": view.exact,
        "thoughts": view.thoughts,
        "again": view.again,
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
                **whence(c),
            }
            for c in view.candidates
        ],
        "left_out": [
            {
                "id": one.memory_id,
                "kind": one.kind,
                "text": one.text,
                "first": one.first_round,
                "last": one.last_round,
                "place": one.place,
                "reason": one.reason,
                "round": one.round,
                "by": one.by,
            }
            for one in view.left_out
        ],
    }
