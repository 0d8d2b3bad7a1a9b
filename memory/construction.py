"""The write path: what the worker does with the tasks of a turn. Each is done again without harm, and changes nothing if its sources changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memory import narrative
from memory.competing import COMPETING, contest, laid_down
from memory.cues import cue_of
from memory.deriving import Deriver
from memory.episodes import episode_of
from memory.extracting import Extractor
from memory.forgetting import Capacity
from memory.keeping import INDEX_TASK, INDEXED, Keeper
from memory.listening import receipt_of
from memory.mending import INSIGHT_TASK, MEND_TASK, Mender, insight_task, mend_task, spoken
from memory.modelled import READ_TASK, TELL_TASK, Modelled
from memory.recall import Recaller
from memory.ways import ORDINARY, Ways
from models.seat import Seat
from models.structured import StructuredModel
from storage.records import Kind, Memory, Message, NewTask, Rank, Role, Task
from storage.scope import Scope
from storage.store import Store

__all__ = ["INDEXED", "Construction", "UnknownTask", "final_tasks", "round_tasks"]

EPISODE_TASK, EXTRACT_TASK, UNIT_TASK = "episode", "extract", "unit"


class UnknownTask(ValueError):
    """A task kind this program does not know; it is shown as failed, never dropped."""


class Construction:
    """idle: silence that ends a session; reader: who reads and tells now, None for memory without a language model; a task ends with whom it began."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        recaller: Recaller,
        *,
        capacity: Capacity,
        idle: timedelta,
        reader: Seat[StructuredModel | None],
        ways: Ways = ORDINARY,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._recaller = recaller
        self._capacity = capacity
        self._forgetting = ways.forgetting
        self.deriver = Deriver(store, keeper, idle=idle, ways=ways)
        self.extractor = Extractor(store, keeper, self.deriver)
        self._reader = reader

    def run(self, task: Task) -> None:
        with self._reader.taken() as model:
            self._run(task, Modelled(self._store, self._keeper, self.deriver, model) if model is not None else None)

    def _run(self, task: Task, modelled: Modelled | None) -> None:
        """A task, once for each of several characters."""
        scope = Scope.of(task.user_id, task.chat_id)
        if task.kind == INDEX_TASK:
            self._keeper.refresh(scope, [str(i) for i in _list(task.payload["memory_ids"])])
            return
        failure: Exception | None = None
        if task.kind == EXTRACT_TASK:
            self._embed_ahead(scope, task)
        for mind in self._store.groups.minds(scope):
            try:
                self._run_as(mind, task, modelled)
            except Exception as error:  # noqa: BLE001 - what one of several characters cannot make of it must not take it from the others
                failure = failure or error
        if failure is not None:
            raise failure

    def _run_as(self, scope: Scope, task: Task, modelled: Modelled | None) -> None:
        """The task for one character: from what it witnessed."""
        if task.kind == UNIT_TASK:
            self._close_unit(scope, task, modelled)
        elif task.kind == MEND_TASK:
            self._mender(modelled).mend(scope, task.branch_id, first_round=_number(task.payload["first_round"]))
        elif task.kind == INSIGHT_TASK:
            if modelled is None:
                self._mender(None).insights(scope, task.branch_id)
        elif task.kind in (READ_TASK, TELL_TASK):
            if modelled is not None:  # else it was configured when the task was queued, and what is there without it holds
                modelled.run(scope, task)
        elif task.kind in (EPISODE_TASK, EXTRACT_TASK):
            wanted = [str(i) for i in _list(task.payload["message_ids"])]
            messages = [m for m in self._store.chats.messages(scope, task.branch_id, wanted) if not m.hidden]
            if messages and task.kind == EPISODE_TASK:
                self._episode(scope, task, messages)
            elif messages:
                last = wanted[-1] if scope.witness else messages[-1].id
                self._extract(scope, task.branch_id, messages, modelled, last=last, replay=bool(task.payload.get("replay")))
                if task.attempts > 1:  # what was read meanwhile of later rounds may take back what this one told
                    self._store.tasks.join(scope, mend_task(task.branch_id, first_round=messages[-1].round), least="first_round")
            elif task.kind == EXTRACT_TASK and scope.witness:
                self._end_session(scope, task.branch_id, wanted[-1])
        else:
            raise UnknownTask(f"unknown task {task.kind!r}")

    def _mender(self, modelled: Modelled | None) -> Mender:
        return Mender(self._store, self._keeper, self.deriver, self.extractor, modelled)

    # Episodes

    def _episode(self, scope: Scope, task: Task, messages: Sequence[Message]) -> None:
        if task.payload.get("replay"):
            self._replay(scope, task.branch_id, messages)
        self._keeper.keep(scope, [episode_of(task.chat_id, messages)])

    def _replay(self, scope: Scope, branch_id: str, messages: Sequence[Message]) -> None:
        heard = messages[0].heard
        cue = next((m for m in messages if m.role is Role.USER and not heard), messages[0])
        if self._store.memories.has_events(scope, cue.id) or (heard and self._store.receipts.which_have(scope, [cue])):
            return
        recall = self._recaller.recall(scope, branch_id, cue_of(cue, self._store.chats.chat(scope)))
        if recall.degraded:
            raise RuntimeError("the index could not be read")  # tried again later: scores must not depend on a passing fault
        with self._store.database.write():
            self._store.memories.record_events(scope, cue.id, recall.events)
            if heard and recall.candidates:  # what calls nothing up leaves nothing to look at
                body = receipt_of(recall, embedder=self._keeper.embedder_name)
                self._store.receipts.add(scope, message_id=cue.id, revision_id=cue.revision.id, body=body)

    def _embed_ahead(self, scope: Scope, task: Task) -> None:
        """Embed the round that comes next while what came before it is read: neither needs both cores."""
        following = self._store.tasks.following(task, EPISODE_TASK)
        if following is None:
            return
        wanted = [str(i) for i in _list(following.payload["message_ids"])]
        for mind in self._store.groups.minds(scope):
            messages = [m for m in self._store.chats.messages(mind, following.branch_id, wanted) if not m.hidden]
            if messages:
                self._keeper.ahead(scope.user_id, [episode_of(task.chat_id, messages).text])

    # Facts, persona values, insights

    def _extract(
        self, scope: Scope, branch_id: str, messages: Sequence[Message], modelled: Modelled | None, *, last: str, replay: bool
    ) -> None:
        """What a final round tells, and the insights that its facts, with older ones, give ground for. last: id of the round's last message, which of several
        characters not every one may have witnessed."""
        chat = self._store.chats.chat(scope)
        # Cut off after its facts were kept, or told by another branch: what they mean may not have been asked.
        again = not self.extractor.unread(scope, messages)

        def told(memories: Sequence[Memory]) -> None:
            """Embed what a message tells while the next one is read."""
            facts = [m for m in memories if m.kind is Kind.FACT]
            if not facts:
                return
            asked = self.deriver.asked_of(scope, chat, facts) if modelled is None else []
            self._keeper.ahead(scope.user_id, [*(m.text for m in facts), *asked])

        new = self.extractor.extract(scope, branch_id, chat, messages, told=told)
        denied = self.extractor.deny(scope, branch_id, chat, messages)
        self._end_session(scope, branch_id, last)
        if modelled is not None:
            if self._store.chats.session_closed(scope, last):
                modelled.queue_reading(scope, branch_id, messages[-1].round)
            return  # what the facts mean is asked when the whole unit is read
        touched = self.deriver.touched(scope, chat, [m for m in new if m.kind is Kind.FACT], wait=replay)
        if touched is None or (denied and not replay) or again:  # what rested on a thing taken back may follow from others
            self._store.tasks.join(scope, insight_task(branch_id, first_round=messages[-1].round), least="first_round")
        elif touched or denied:
            stances = None if denied else touched
            made, _ = self.deriver.insights_of_path(scope, branch_id, chat, before_round=messages[-1].round + 1, stances=stances)
            self._keeper.keep(scope, made)

    # Sessions

    def _end_session(self, scope: Scope, branch_id: str, last: str) -> None:
        """The topics of the session that ended with a message, if one did."""
        found = self._store.chats.messages(scope.seen_by(""), branch_id, [last])
        session = self.deriver.session_before(scope, branch_id, found[0]) if found else None
        if session is not None:
            self._keeper.keep(scope, self.deriver.topics_of_session(scope, branch_id, session))

    # Units

    def _close_unit(self, scope: Scope, task: Task, modelled: Modelled | None) -> None:
        """Chapters and arcs that the path has closed, then forgetting."""
        last_round, next_round = _number(task.payload["last_round"]), _number(task.payload["next_round"])
        division = self.deriver.division(scope, task.branch_id)
        for span in division.closed_by(last_round, next_round):
            if span.tier >= narrative.CHAPTER:
                made, _ = self.deriver.plot_of_path(scope, task.branch_id, span)
                self._keeper.keep(scope, [made] if made else [])
                self._keeper.breathe()
        if modelled is not None:
            modelled.queue_reading(scope, task.branch_id, last_round)
            # What ends inside the unit was told early, from what the unit's messages tell one by one.
            unit = last_round // narrative.THETA_1 * narrative.THETA_1
            for span in division.closed(next_round):
                if unit <= span.last and span.first <= last_round:
                    modelled.queue_telling(scope, task.branch_id, span)
        self._forget(scope, task.branch_id, last_round=last_round, next_round=next_round)

    def _forget(self, scope: Scope, branch_id: str, *, last_round: int, next_round: int) -> None:
        if self._forgetting is None:
            return
        competing = self._store.memories.visible(scope, branch_id).of_kinds(COMPETING).before(next_round)
        if len(competing.ids) <= self._capacity.memories and not self._capacity.tokens:
            return
        field = contest(self._store, scope, branch_id, last_round=last_round, next_round=next_round)
        path = field.path(self._store, scope)
        laid = laid_down(path, self._keeper.vectors(scope, path), of=field.kept.members)
        events = self._store.memories.events(scope, branch_id)
        lost = field.lost(laid, events, self._capacity, policy=self._forgetting, current_round=next_round)
        messages = self._store.chats.span(scope.seen_by(""), branch_id, first_round=last_round, last_round=last_round)
        if messages:
            self._store.memories.forget(scope, messages[-1].id, lost, round_number=next_round)


def round_tasks(branch_id: str, messages: Sequence[Message], *, replay: bool = False, rank: Rank = Rank.LIVE) -> list[NewTask]:
    """The tasks of a round as it stands. messages: of one round, oldest first; a greeting from a card is scenery, not an event.

    replay: recall for the round's cue first (where there are no replies that would have done it: in an import, and of what was heard).
    """
    said = spoken(messages)
    if not said:
        return []
    payload = {"message_ids": [m.id for m in said], "replay": replay}
    return [NewTask(EPISODE_TASK, branch_id, tuple(m.revision.id for m in said), payload, rank)]


def final_tasks(
    branch_id: str,
    messages: Sequence[Message],
    *,
    next_round: int | None,
    next_message: str = "",
    replay: bool = False,
    rank: Rank = Rank.LIVE,
) -> list[NewTask]:
    """The tasks of a round that has become final. messages: of that round, oldest first; next_round: the round that follows, None if the session ended;
    next_message: tells one going on from another, for a unit that is cut back and goes on again is closed again.

    replay: nobody is waiting (an import), so insights are found in their order even if the character's cues must be embedded for the first.

    Only final rounds are extracted from; going on to the next unit closes the last one.
    """
    said = spoken(messages)
    if not said:
        return []
    revisions = tuple(m.revision.id for m in said)
    tasks = [NewTask(EXTRACT_TASK, branch_id, revisions, {"message_ids": [m.id for m in said], "replay": replay}, rank)]
    if next_round is not None and narrative.ends_unit(said[-1].round, next_round):
        payload = {"last_round": said[-1].round, "next_round": next_round}
        tasks.append(NewTask(UNIT_TASK, branch_id, (*revisions, next_message), payload, rank))
    return tasks


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("expected a number")
    return value
