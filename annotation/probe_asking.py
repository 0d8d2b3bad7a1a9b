"""What a probe run asks of a dialogue that was lived through: items of the table, and regular probes, so many rounds later or after all of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from annotation.probe_living import STEP, Lived
from annotation.probe_models import ProbeModels
from chat.cast import character_in
from chat.replies import ReplyJob
from chat.turn import Turn
from evaluation.datasets import RetrievalQuestion
from evaluation.probe_judging import UNJUDGED, judged
from evaluation.prompt_parts import GIVEN
from evaluation.qa import by_model, nearest
from memory.engine import Cue
from models.errors import ModelError
from models.structured import AnswerUnreadable
from settings import Settings
from storage.annotation_probes import Probe
from storage.annotation_regular_records import order_of
from storage.annotation_run_rows import NO_MEMORY, TOO_SHORT, WHOLE, Choice, Question, Reply, Result, Setting
from storage.records import Message, StoryClock, stable_id

REFUSED, INVALID = "refused", "invalid"
"""Why a model has chosen nothing: it failed or would not; what it said is none of the four."""
REPLY_FAILED = "reply_failed"
_PATIENCE_S = 600.0
"""Recall is not hurried here: a run gives way to everything else."""


@dataclass(frozen=True)
class Asking:
    """One setting of a run."""

    lived: Lived
    settings: Settings
    number: int
    setting: Setting
    models: ProbeModels
    forks: dict[str, str] = field(default_factory=dict)
    """Branches that were cut, by the message they end with: regular probes share them."""

    # Items of the table

    def item(self, run_id: str, probe: Probe, distance: int) -> tuple[Result, list[Reply]]:
        """The item's question as many rounds after it was told, on a branch of its own; and the character's reply to it, where replies are judged."""
        scope, memory = self.lived.scope, self.lived.memory
        store = memory.store
        told = self.lived.message(f"P{probe.id}")
        (message,) = store.chats.messages(scope, self.lived.branch_id, [told])
        last = store.chats.span(
            scope, self.lived.branch_id, first_round=message.round + distance - 1, last_round=message.round + distance - 1
        )[-1]
        fork = store.branches.fork(scope, self.lived.branch_id, last.id, probe.topic, operation="checkpoint")
        self.lived.work_off()
        recall = memory.engine.recall(scope, fork, Cue(probe.q, message.round + distance, last.said_at + STEP, speaker=message.speaker))
        ranked = [one.memory_id for one in recall.candidates]
        rows = store.memories.get(scope, ranked)
        rank = next((n for n, i in enumerate(ranked, 1) if any(source.message_id == told for source in rows[i].sources)), None)
        texts = [rows[i].text for i in ranked[: self.setting.k]]
        near = float((memory.embedder.passages(texts) @ memory.embedder.passages([probe.a])[0]).max()) if texts else None
        result = Result(self.number, distance, probe.id, message.round, rank, len(ranked), near)
        return result, [self._reply(run_id, probe, distance, fork, last)] if self.models.judge is not None else []

    def _reply(self, run_id: str, probe: Probe, distance: int, fork: str, last: Message) -> Reply:
        """Made as every reply is, from the whole prompt; the question is said a moment after the last message, in the story's time."""
        models, store = self.models, self.lived.memory.store
        assert models.voice is not None
        assert models.judge is not None
        turn = Turn(
            store,
            self.lived.memory.engine,
            models.voice,
            memory_tokens=self.settings.memory_tokens,
            recall_budget_s=_PATIENCE_S,
            recall_k=self.setting.k,
            cites=lambda model: self.settings.citations == "on",
            paused=nullcontext,
            wake=lambda: None,
        )
        now = last.said_at + STEP
        chat = replace(store.chats.chat(self.lived.scope).on(fork), clock=StoryClock(now, now, runs=False))
        character = character_in(store, chat)
        said = turn.say(self.lived.scope, chat, probe.q, token=f"{probe.id} {distance}")
        job = ReplyJob.of(chat, character)
        turn.reply(job, self.lived.scope, chat, character, said)
        text = job.text.strip()
        own = stable_id("probe reply", run_id, str(self.number), str(distance), probe.id)
        if job.view().error_code is not None or not text:
            return Reply(own, self.number, distance, probe.id, text, None, "", REPLY_FAILED)
        found = judged(models.judge, question=probe.q, answer=probe.a, reply=text, language=probe.language)
        return Reply(own, self.number, distance, probe.id, text, found.score, found.why, found.trouble)

    # Regular probes

    def question(self, one: Question, distance: int) -> Choice:
        """From the first nine of what is recalled, with so many whole rounds behind the last one that the point is told in (or WHOLE), and no more of the dialogue."""
        memory, scope = self.lived.memory, self.lived.scope
        told = [self.lived.message(f"T{turn}") for turn in one.turns]
        last = self._last(told, distance)
        if last is None:
            return Choice(self.number, distance, one.id, None, TOO_SHORT, None, 0)
        player, other = self.lived.conversation.speakers[:2]
        branch = self.lived.branch_id if distance == WHOLE else self._cut(last)
        recall = memory.engine.recall(scope, branch, Cue(one.line, last.round + 1, last.said_at + STEP, speaker=other, listener=player))
        ranked = [each.memory_id for each in recall.candidates]
        rows = memory.store.memories.get(scope, ranked)
        rank = next((n for n, i in enumerate(ranked, 1) if any(source.message_id in told for source in rows[i].sources)), None)
        chosen, trouble = self._chosen(one, [rows[i].text for i in ranked[:GIVEN]])
        return Choice(self.number, distance, one.id, chosen, trouble, rank, len(ranked))

    def _last(self, told: Sequence[str], distance: int) -> Message | None:
        """The message that a question is asked behind; None where the dialogue ends before it."""
        chats, scope, branch = self.lived.memory.store.chats, self.lived.scope, self.lived.branch_id
        if distance == WHOLE:
            return chats.head(scope, branch)
        at = max(one.round for one in chats.messages(scope, branch, told)) + distance
        return next(reversed(chats.span(scope, branch, first_round=at, last_round=at)), None)

    def _cut(self, last: Message) -> str:
        if last.id not in self.forks:
            branches = self.lived.memory.store.branches
            self.forks[last.id] = branches.fork(self.lived.scope, self.lived.branch_id, last.id, str(last.round), operation="checkpoint")
            self.lived.work_off()
        return self.forks[last.id]

    def guess(self, one: Question) -> Choice:
        """By the same, without any memory: what can be guessed from line and options."""
        chosen, trouble = self._chosen(one, [])
        return Choice(NO_MEMORY, WHOLE, one.id, chosen, trouble, None, 0)

    def _chosen(self, one: Question, notes: list[str]) -> tuple[int | None, str]:
        """A place among the kept options, and why there is none."""
        order = order_of(one.seed)
        asked = RetrievalQuestion(one.id, "", one.line, "", (), options=tuple(one.options[place] for place in order))
        if self.models.reader is None:
            return order[nearest(self.lived.memory, asked, notes or [one.line])], ""
        try:
            shown = by_model(self.models.reader, asked, notes)
        except AnswerUnreadable:
            return None, INVALID
        except ModelError:
            return None, REFUSED
        return (order[shown], "") if shown < len(order) else (None, INVALID)


__all__ = ["INVALID", "REFUSED", "REPLY_FAILED", "UNJUDGED", "Asking"]
