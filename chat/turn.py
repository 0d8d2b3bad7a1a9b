"""A turn: user text, recall, prompt, stream, commit.

The user's message and the tasks it causes are one transaction, done before anything slow begins. The reply, its receipt, the cue's recall events
and its tasks are another. In between nothing is held: no lock, no transaction.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime

from chat.prompt import Budget, Prompt, Remembered, build
from chat.replies import ReplyJob
from chat.views import Phase
from errors import KeepsakeError
from memory.engine import Cue, MemoryEngine, final_tasks, round_tasks
from memory.recall import Recall, degraded_recall
from models.chat_model import ChatModel
from personas.record import Character
from storage.records import Chat, Message, NewMessage, Role
from storage.scope import Scope
from storage.store import Store

log = logging.getLogger(__name__)

HISTORY_MESSAGES = 400
"""Newest messages looked at for the history; a larger window than any model's at our message lengths."""
RECALL_THREADS = 2
"""Recalls that may be stuck at once before further ones are refused at once."""


class Turn:
    """Makes replies. paused: a context in which memory work steps aside; wake: tells the worker of new tasks."""

    def __init__(
        self,
        store: Store,
        engine: MemoryEngine,
        model: ChatModel,
        *,
        memory_tokens: int,
        recall_budget_s: float,
        recall_k: int,
        paused: Callable[[], AbstractContextManager[None]],
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._engine = engine
        self._model = model
        self._memory_tokens = memory_tokens
        self._recall_budget_s = recall_budget_s
        self._k = recall_k
        self._paused = paused
        self._wake = wake
        self._recalling = threading.BoundedSemaphore(RECALL_THREADS)

    def stepping_aside(self) -> AbstractContextManager[None]:
        """Hold memory work back already while a message is committed: a step under way has ended when its recall begins."""
        return self._paused()

    def say(self, scope: Scope, chat: Chat, text: str, *, token: str) -> Message:
        """Commit the user's message; the round before it is now final."""
        before = self._store.chats.newest_round(scope, chat.branch_id)
        next_round = before[-1].round + 1 if before else None
        tasks = [*round_tasks(chat.branch_id, before), *final_tasks(chat.branch_id, before, next_round=next_round)]
        message = NewMessage(
            role=Role.USER,
            speaker=chat.user_name,
            text=text,
            said_at=datetime.now(UTC),
            external_id=f"said:{token}",
            origin="user",
            opens_round=True,
        )
        return self._store.chats.append(scope, chat.branch_id, [message], tasks=tasks)[0]

    def reply(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, to: Message) -> None:
        """Make and keep the reply to a committed user message. Raises what the model raised after keeping what came before it."""
        with self._paused():
            recall = self._recall(scope, chat, Cue(to.text, to.round))
            if job.stopped:
                return
            job.enter(Phase.READING)
            prompt = self._prompt(scope, chat, character, recall)
            job.progress(0, sum(s.tokens for s in prompt.sections))
            failure: KeepsakeError | None = None
            stream = self._model.stream(prompt.messages, cancel=job.cancel, on_progress=job.progress)
            try:
                for piece in stream:
                    job.piece(piece)
            except KeepsakeError as error:
                failure = error
            self._keep(job, scope, chat, character, to, recall=recall, prompt=prompt, finish=stream.finish_reason, failure=failure)
        self._wake()
        job.end(failure)

    # Steps of a reply

    def _recall(self, scope: Scope, chat: Chat, cue: Cue) -> Recall:
        """Recall within its time budget; a slow or broken memory never fails or delays a reply."""
        started = time.perf_counter()
        found: list[Recall] = []
        if not self._recalling.acquire(blocking=False):
            return self._without(scope, chat, cue, "timeout", started)

        def work() -> None:
            try:
                found.append(self._engine.recall(scope, chat.branch_id, cue))
            except Exception:
                log.exception("recall failed; the reply goes on with recent rounds and pins")
            finally:
                self._recalling.release()

        thread = threading.Thread(target=work, name="recall", daemon=True)
        thread.start()
        thread.join(self._recall_budget_s)
        if thread.is_alive():
            return self._without(scope, chat, cue, "timeout", started)
        return found[0] if found else self._without(scope, chat, cue, "error", started)

    def _without(self, scope: Scope, chat: Chat, cue: Cue, reason: str, started: float) -> Recall:
        try:
            pinned = self._store.memories.visible(scope, chat.branch_id).pinned
        except KeepsakeError:
            pinned = ()
        return degraded_recall(cue, pinned=pinned, reason=reason, milliseconds=(time.perf_counter() - started) * 1000)

    def _prompt(self, scope: Scope, chat: Chat, character: Character, recall: Recall) -> Prompt:
        history = self._store.chats.path(scope, chat.branch_id, limit=HISTORY_MESSAGES)
        # Twice k: rounds that are in the history anyway leave their places to the next ones.
        ranked = list(dict.fromkeys([*recall.pinned, *(c.memory_id for c in recall.candidates[: 2 * self._k])]))
        found = self._store.memories.get(scope, ranked)
        remembered = Remembered(
            memories=[found[i] for i in ranked if i in found],
            facts=self._store.memories.get(scope, [g for m in found.values() for g in m.grounds]),
            sketch=self._engine.overview.sketch(scope, chat.branch_id),
        )
        return build(
            character,
            user_name=chat.user_name,
            history=history,
            remembered=remembered,
            limit=self._k,
            budget=Budget(self._model.context_tokens, self._model.reply_tokens, self._memory_tokens),
            count=self._model.count_tokens,
        )

    def _keep(
        self,
        job: ReplyJob,
        scope: Scope,
        chat: Chat,
        character: Character,
        to: Message,
        *,
        recall: Recall,
        prompt: Prompt,
        finish: str | None,
        failure: KeepsakeError | None,
    ) -> None:
        """Commit reply, receipt, recall events and tasks together; with no text, the receipt alone, hung on the user's message."""
        text = job.text.strip()
        status = "failed" if failure else "stopped" if job.stopped else "cut" if finish == "length" else "complete"
        body = self._receipt(job, recall, prompt)
        with self._store.database.write():
            if not text:
                self._store.receipts.add(scope, message_id=to.id, revision_id=None, body=body)
                return
            reply = NewMessage(
                role=Role.CHARACTER,
                speaker=character.name,
                text=text,
                said_at=datetime.now(UTC),
                external_id=f"reply:{job.id}",
                origin="model",
                opens_round=False,
                status=status,
                model=self._model.name,
            )
            (message,) = self._store.chats.append(scope, chat.branch_id, [reply], after=to.id)
            self._store.receipts.add(scope, message_id=message.id, revision_id=message.revision.id, body=body)
            if not recall.degraded:
                self._store.memories.record_events(scope, to.id, recall.events)
            for task in round_tasks(chat.branch_id, [to, message]):
                self._store.tasks.add(scope, task)

    def _receipt(self, job: ReplyJob, recall: Recall, prompt: Prompt) -> dict[str, object]:
        effects = {e.memory_id: e.effect.value for e in recall.events}
        delivered = set(prompt.delivered)
        return {
            "query": recall.query,
            "recipe": recall.recipe,
            "model": self._model.name,
            "embedder": self._engine.embedder_name,
            "degraded": recall.degraded,
            "recall_ms": recall.milliseconds,
            "first_token_ms": job.first_token_ms,
            "candidates": [
                {
                    **asdict(c),
                    "effect": effects.get(c.memory_id, ""),
                    "delivered": c.memory_id in delivered,
                    "reason": "" if c.memory_id in delivered else prompt.skipped.get(c.memory_id, "rank"),
                }
                for c in recall.candidates
            ],
            "pinned": [i for i in recall.pinned if i in delivered],
            "sections": [asdict(s) for s in prompt.sections],
            "first_round": prompt.first_round,
            "prompt": [[m.role, m.content] for m in prompt.messages],
        }
