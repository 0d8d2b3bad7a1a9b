"""A chat's forgetting as the page shows it."""

from __future__ import annotations

from collections.abc import Callable

from chat import views
from chat.cast import mind_of
from chat.memory_views import carried_view
from chat.operations import open_chat
from memory.engine import MemoryEngine
from memory.fading import Course
from storage.records import Chat, Kind
from storage.scope import Scope
from storage.store import Store

Tell = Callable[[str], str]


class FadingLooks:
    """teller: puts the player's name into a chat's sentences."""

    def __init__(self, store: Store, engine: MemoryEngine, *, teller: Callable[[Scope, Chat], Tell]) -> None:
        self._store = store
        self._engine = engine
        self._teller = teller

    def look(self, user_id: str, chat_id: str, *, chosen: str = "", of: str = "") -> views.FadingView:
        """chosen: id of the memory that is looked at closely, or none; of: of several characters the one whose memory it is."""
        scope, chat = open_chat(self._store, user_id, chat_id)
        scope = mind_of(scope, chat, of)
        head = self._store.chats.head(scope, chat.branch_id)
        current = head.round if head else 0
        found = self._engine.fadings.of(scope, chat.branch_id, current_round=current, chosen=chosen)
        tell = self._teller(scope, chat)
        return views.FadingView(
            capacity=found.capacity.memories,
            held=found.held,
            room=tuple(views.RoomView(step.round, step.count) for step in found.room),
            alive=tuple(_course(one, tell) for one in found.alive),
            nearly=tuple(_course(one, tell) for one in found.nearly),
            weakest=tuple(_course(one, tell) for one in found.weakest),
            lost=tuple(_course(one, tell) for one in found.lost),
            lost_all=found.lost_all,
            weighed=found.weighed,
            chosen=_course(found.chosen, tell) if found.chosen is not None else None,
            missing=bool(chosen) and found.chosen is None,
            current_round=current,
        )


def _course(one: Course, tell: Tell) -> views.CourseView:
    memory = one.memory
    return views.CourseView(
        id=memory.id,
        kind=memory.kind.value,
        text=tell(memory.text) if memory.kind is not Kind.EPISODE else memory.text,
        first_round=memory.round_first,
        last_round=memory.round_last,
        points=tuple(views.PointView(at, value) for at, value in zip(one.rounds, one.values, strict=True)),
        score=one.score.value,
        reinforced=one.score.reinforced,
        inhibited=one.score.inhibited,
        forgotten=one.forgotten,
        fates=tuple(views.FateView(f.round, f.forgotten) for f in one.fates),
        spared=one.spared,
        needs=one.needs,
        pinned=memory.pinned,
        excluded=memory.excluded,
        origin=memory.origin,
        befell=tuple(views.BefellView(b.round, b.effect.value, b.before, b.after) for b in one.befell),
        carried=carried_view(memory),
    )
