"""A chat's memory as the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from chat import views
from memory.forgetting import Score
from memory.narrative import PRESETS
from memory.overview import HeldInsight, HeldTelling, HeldTopics, Line, Piece, Profile, ScoredMemory, Shelf, Story
from memory.persona import PLAYER, UNNAMED, Entry
from memory.persona_keys import KEYS
from memory.rederiving import lines_of
from memory.topics import rounds_of
from personas.record import Character
from storage.model_uses import ModelUse
from storage.records import CARRIED, Chat, Kind, Memory
from storage.task_list import OpenTask, Progress
from storage.tasks import Queue

Tell = Callable[[str], str]
"""Puts the player's name into a sentence (`memory.persona.teller`)."""

ROUND_KINDS = (Kind.FACT, Kind.PERSONA, Kind.INSIGHT, Kind.TOPIC, Kind.PLOT, Kind.EPISODE)


def memories_view(shelf: Shelf, name: str, *, tell: Tell, capacity: int, current_round: int, queue: Queue) -> views.MemoriesView:
    return views.MemoriesView(
        memories=tuple(memory_view(item, tell) for item in shelf.memories),
        shelf=name,
        total=shelf.counts[name],
        counts=shelf.counts,
        capacity=capacity,
        best_score=shelf.best_score,
        current_round=current_round,
        queue=views.QueueView(queue.waiting, queue.failed, queue.last_error),
    )


def round_view(found: Sequence[ScoredMemory], round_number: int, *, tell: Tell, current_round: int) -> views.RoundMemoriesView:
    kinds = {kind.value: tuple(memory_view(item, tell) for item in found if item.memory.kind is kind) for kind in ROUND_KINDS}
    return views.RoundMemoriesView(round_number, {kind: shown for kind, shown in kinds.items() if shown}, current_round)


def queue_view(progress: Progress, open_tasks: Sequence[OpenTask], uses: Sequence[ModelUse]) -> views.TaskQueueView:
    return views.TaskQueueView(
        tasks=tuple(
            views.TaskView(t.id, t.kind, t.state, t.first_round, t.last_round, t.attempts, t.error, t.waiting_until) for t in open_tasks
        ),
        waiting=progress.waiting,
        running=progress.running,
        failed=progress.failed,
        done=progress.done,
        total=progress.total,
        uses=tuple(views.ModelUseView(u.purpose, u.model, u.calls, u.failed, u.prompt_tokens + u.answer_tokens, u.seconds) for u in uses),
    )


def story_view(story: Story, *, chat: Chat, tell: Tell, current_round: int, brought: Sequence[Memory] = ()) -> views.StoryView:
    return views.StoryView(
        arcs=tuple(_chapter(p, tell) for p in story.arcs),
        chapters=tuple(_chapter(p, tell) for p in story.chapters),
        so_far=tuple(_chapter(p, tell) for p in story.so_far),
        chapter_rounds=story.thresholds.chapter_rounds,
        current_round=current_round,
        preset=chat.story,
        presets={name: (t.chapter_rounds, t.arc_rounds) for name, t in PRESETS.items()},
        open_rounds=story.open_rounds,
        day=chat.now().date().isoformat() if chat.clock is not None else "",
        day_runs=chat.clock is not None and chat.clock.runs,
        carried=brought_view(brought, tell),
    )


def persona_view(profile: Profile, *, current_round: int) -> views.PersonaView:
    """Keys in the registry's order. What is excluded stands after what counts, also under a key where nothing else is."""
    known = {entry.key.name: entry for entry in profile.entries}
    excluded: dict[str, list[Memory]] = {}
    for value in reversed(profile.excluded):
        excluded.setdefault(str(value.payload.get("key", "")), []).append(value)
    entries = [known.get(name) or Entry(key, (), ()) for name, key in KEYS.items() if name in known or name in excluded]

    def value_view(value: Memory) -> views.ValueView:
        return _value(value, current_round, source_changed=value.id in profile.changed)

    return views.PersonaView(
        entries=tuple(
            views.PersonaEntryView(
                key=entry.key.name,
                group=entry.key.group.value,
                merge=entry.key.merge.value,
                values=tuple(value_view(v) for v in (*entry.values, *excluded.get(entry.key.name, ()))),
                former=tuple(value_view(v) for v in entry.former),
            )
            for entry in entries
        ),
        current_round=current_round,
        others=profile.others,
        since=profile.since,
        over=profile.over,
        changes=tuple(
            views.PersonaChangeView(
                change.key.name,
                change.turn.value,
                value_view(change.value) if change.value is not None else None,
                value_view(change.was) if change.was is not None else None,
            )
            for change in profile.changes
        ),
        derived=tuple(views.DerivedView(d.key.name, d.kind, tuple(value_view(v) for v in d.grounds)) for d in profile.derived),
    )


def insights_view(held: Sequence[HeldInsight], character: Character, *, tell: Tell, current_round: int) -> views.InsightsView:
    return views.InsightsView(
        insights=tuple(
            views.InsightView(
                id=item.memory.id,
                statement=tell(item.memory.text),
                trust=item.memory.trust,
                facts=tuple(views.RoundsView(tell(f.text), f.round_last, f.said_at, carried=carried_view(f)) for f in item.facts),
                score=item.score.value,
                status="forgotten" if item.forgotten else "active",
                pinned=item.memory.pinned,
                excluded=item.memory.excluded,
                origin=item.memory.origin,
                source_changed=item.source_changed,
                held_back=item.held_back,
                untrue=item.untrue,
                carried=carried_view(item.memory),
            )
            for item in held
        ),
        character_name=character.name,
        stances=len(character.stances),
        current_round=current_round,
    )


def topics_view(held: HeldTopics, *, tell: Tell, idle: timedelta, brought: Sequence[Memory] = ()) -> views.TopicsView:
    return views.TopicsView(
        topics=tuple(tuple(_telling(one, tell) for one in topic) for topic in held.topics),
        headings=tuple(map(tell, held.headings)),
        open_since=held.open_since,
        idle_minutes=round(idle.total_seconds() / 60),
        carried=brought_view(brought, tell),
    )


def _telling(one: HeldTelling, tell: Tell) -> views.TellingView:
    memory = one.memory
    return views.TellingView(
        id=memory.id,
        text=tell(memory.text),
        who=tell(PLAYER.get(memory.language, PLAYER["en"]) if memory.said_by.casefold() in UNNAMED else memory.said_by),
        first_round=memory.round_first,
        last_round=memory.round_last,
        rounds=tuple(rounds_of(memory)),
        said_at=memory.said_at,
        pinned=memory.pinned,
        excluded=memory.excluded,
        origin=memory.origin,
        source_changed=one.source_changed,
    )


def memory_view(item: ScoredMemory, tell: Tell) -> views.MemoryView:
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
        status="forgotten" if item.forgotten else "active",
        said_by=memory.said_by,
        # What the model was unsure of, and the days it read, are not said of a person's words.
        trust=1.0 if memory.origin == "user" else memory.trust,
        happened=(memory.event_from, memory.event_to) if memory.event_from and memory.event_to and memory.origin == "model" else None,
        pinned=memory.pinned,
        excluded=memory.excluded,
        origin=memory.origin,
        source_changed=item.source_changed,
        key=str(memory.payload.get("key", "")),
        quote=str(memory.payload.get("quote", "")),
        carried=carried_view(memory),
    )


def carried_view(memory: Memory) -> views.CarriedView | None:
    """Where a memory came along from; None where it was made here."""
    whence = memory.payload.get(CARRIED)
    if not isinstance(whence, dict):
        return None
    return views.CarriedView(str(whence["title"]), str(whence["chat"]), int(whence["first"]), int(whence["last"]))


def brought_view(brought: Sequence[Memory], tell: Tell) -> tuple[views.MemoryView, ...]:
    """Pieces of other stories, or topics of other conversations, a sentence a line."""
    shown = ((memory, memory_view(ScoredMemory(memory, Score(0.0, 0, 0)), tell)) for memory in brought)
    return tuple(replace(view, text="\n".join(map(tell, lines_of(memory).split("\n")))) for memory, view in shown)


def _chapter(piece: Piece, tell: Tell) -> views.ChapterView:
    return views.ChapterView(
        id=piece.id,
        tier=piece.span.tier,
        first_round=piece.span.first,
        last_round=piece.span.last,
        closed=piece.closed,
        lines=tuple(_sentence(line, tell) for line in piece.lines),
        excluded=piece.memory is not None and piece.memory.excluded,
        origin=piece.memory.origin if piece.memory is not None else "model",
        source_changed=piece.source_changed,
        began=piece.began,
        ended=piece.ended,
    )


def _sentence(line: Line, tell: Tell) -> views.RoundsView:
    shown = views.RoundsView(tell(line.text), line.round, line.said_at)
    if line.fact is None:
        return shown
    fact = line.fact
    return replace(shown, id=fact.id, pinned=fact.pinned, excluded=fact.excluded, origin=fact.origin, source_changed=line.source_changed)


def _value(value: Memory, current_round: int, *, source_changed: bool) -> views.ValueView:
    return views.ValueView(
        text=value.text,
        round=value.round_last,
        said_at=value.said_at,
        quote=str(value.payload.get("quote", "")),
        rounds_ago=max(0, current_round - value.round_last),
        id=value.id,
        excluded=value.excluded,
        origin=value.origin,
        source_changed=source_changed,
        merged=bool(value.payload.get("merged")),
        carried=carried_view(value),
    )
