"""A chat's memory as the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chat import views
from memory.overview import HeldInsight, Piece, ScoredMemory, Shelf, Story
from memory.persona import Entry
from personas.record import Character
from storage.records import Kind, Memory
from storage.tasks import Queue

Tell = Callable[[str], str]
"""Puts the player's name into a sentence (`memory.persona.teller`)."""


def memories_view(shelf: Shelf, name: str, *, tell: Tell, capacity: int, current_round: int, queue: Queue) -> views.MemoriesView:
    return views.MemoriesView(
        memories=tuple(_memory(item, tell, forgotten=name == "forgotten") for item in shelf.memories),
        shelf=name,
        total=shelf.counts[name],
        counts=shelf.counts,
        capacity=capacity,
        best_score=shelf.best_score,
        current_round=current_round,
        queue=views.QueueView(queue.waiting, queue.failed, queue.last_error),
    )


def story_view(story: Story, *, tell: Tell, chapter_rounds: int, current_round: int) -> views.StoryView:
    return views.StoryView(
        arcs=tuple(_chapter(p, tell) for p in story.arcs),
        chapters=tuple(_chapter(p, tell) for p in story.chapters),
        so_far=tuple(_chapter(p, tell) for p in story.so_far),
        chapter_rounds=chapter_rounds,
        current_round=current_round,
    )


def persona_view(entries: Sequence[Entry], *, current_round: int) -> views.PersonaView:
    return views.PersonaView(
        entries=tuple(
            views.PersonaEntryView(
                key=entry.key.name,
                group=entry.key.group.value,
                merge=entry.key.merge.value,
                values=tuple(_value(v, current_round) for v in entry.values),
                former=tuple(_value(v, current_round) for v in entry.former),
            )
            for entry in entries
        ),
        current_round=current_round,
    )


def insights_view(held: Sequence[HeldInsight], character: Character, *, tell: Tell, current_round: int) -> views.InsightsView:
    return views.InsightsView(
        insights=tuple(
            views.InsightView(
                id=item.memory.id,
                statement=tell(item.memory.text),
                trust=item.memory.trust,
                facts=tuple(views.RoundsView(tell(f.text), f.round_last, f.said_at) for f in item.facts),
                score=item.score.value,
                status="forgotten" if item.forgotten else "active",
            )
            for item in held
        ),
        character_name=character.name,
        stances=len(character.stances),
        current_round=current_round,
    )


def _memory(item: ScoredMemory, tell: Tell, *, forgotten: bool) -> views.MemoryView:
    memory = item.memory
    return views.MemoryView(
        id=memory.id,
        kind=memory.kind.value,
        text=tell(memory.text) if memory.kind is not Kind.EPISODE else memory.text,
        first_round=memory.round_first,
        last_round=memory.round_last,
        said_at=memory.said_at,
        score=item.score.value,
        reinforced=item.score.reinforced,
        inhibited=item.score.inhibited,
        status="forgotten" if forgotten else "active",
        said_by=memory.said_by,
        trust=memory.trust,
        happened=(memory.event_from, memory.event_to) if memory.event_from and memory.event_to else None,
    )


def _chapter(piece: Piece, tell: Tell) -> views.ChapterView:
    return views.ChapterView(
        id=piece.id,
        tier=piece.span.tier,
        first_round=piece.span.first,
        last_round=piece.span.last,
        closed=piece.closed,
        lines=tuple(views.RoundsView(tell(line.text), line.round, line.said_at) for line in piece.lines),
    )


def _value(value: Memory, current_round: int) -> views.ValueView:
    return views.ValueView(
        text=value.text,
        round=value.round_last,
        said_at=value.said_at,
        quote=str(value.payload.get("quote", "")),
        rounds_ago=max(0, current_round - value.round_last),
    )
