"""What a made reply becomes: a message or a wording, its receipt, the cue's recall events and the tasks it causes, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from chat.citations import Citations
from chat.players import name_told
from chat.prompt import Prompt
from chat.receipt_body import of_prompt
from chat.replies import JobKind, ReplyJob
from memory.deriving import division_of
from memory.engine import LeftOut, learn_task, mend_task, round_tasks
from memory.persona import Entry
from memory.recall import Recall
from models.chat_model import ChatModel
from personas.record import Character
from storage.model_uses import ModelUse
from storage.records import Chat, Message, NewMessage, NewWording, Role
from storage.scope import Scope
from storage.store import Store


@dataclass(frozen=True)
class Asked:
    """What is being made, and for whom."""

    job: ReplyJob
    scope: Scope
    chat: Chat
    character: Character
    to: Message | None = None
    """Of several characters what the one answers; else the newest message of the history."""
    sketch: tuple[Entry, ...] = ()
    """What the character knows of the player."""

    @property
    def player(self) -> str:
        """The player's name, in a prompt; empty where it is not known."""
        return name_told(self.chat.user_name, self.sketch)


Keep = Callable[[str, str, str], "Kept"]
"""(text, status, name of the model) -> what it became."""


@dataclass(frozen=True)
class Kept:
    """What a made text became: a message on a branch, with the player's message it answers."""

    branch_id: str
    to: Message
    message: Message


class MadeReplies:
    """embedder: what is shown of it in receipts, asked when one is made."""

    def __init__(self, store: Store, *, embedder: Callable[[], str]) -> None:
        self._store = store
        self._embedder = embedder

    def keep(
        self,
        asked: Asked,
        to: Message,
        keep: Keep,
        *,
        recall: Recall,
        body: Mapping[str, object],
        text: str,
        status: str,
        use: ModelUse,
    ) -> None:
        """Commit reply, receipt, recall events and tasks together; with no text, the receipt alone, hung on the message that was to be answered."""
        job, scope = asked.job, asked.scope
        with self._store.database.write():
            self.had(scope, asked.chat)
            self._store.model_uses.add(scope, use)
            if not text:
                if job.kind is JobKind.REPLY:
                    self._store.receipts.add(scope, message_id=to.id, revision_id=None, body=body)
                return
            kept = keep(text, status, use.model)
            message, revision = kept.message.id, kept.message.revision.id
            receipt = self._store.receipts.add(scope, message_id=message, revision_id=revision, body=body)
            if recall.order:
                self._store.tasks.add(scope, learn_task(kept.branch_id, revision_id=revision, message_id=message, receipt_id=receipt))
            if not recall.degraded and kept.to.role is Role.USER:
                self._store.memories.record_events(scope, kept.to.id, recall.events)
            # What a reply goes on from may stand in an earlier round, where the message that it answered is hidden.
            # Of several characters others may have said something in it before; what is being written is not read yet.
            there = self._store.chats.newest_round(scope, kept.branch_id) if asked.chat.members else [kept.to]
            together = list({m.id: m for m in (*there, kept.message) if m.round == kept.message.round}.values())
            for task in round_tasks(kept.branch_id, together):
                self._store.tasks.add(scope, task)
            if (
                division_of(self._store, scope, kept.branch_id).begun > kept.message.round
            ):  # its chapter was closed by hand, and is told anew
                self._store.tasks.join(scope, mend_task(kept.branch_id, first_round=kept.message.round), least="first_round")

    def append(self, asked: Asked, to: Message, text: str, status: str, model: str) -> Kept:
        """On the wall of whom it answers: a reply belongs to the day of what was said to it."""
        reply = NewMessage(
            role=Role.CHARACTER,
            speaker=asked.character.name,
            text=text,
            said_at=asked.chat.now(to.said_at.tzinfo),
            external_id=f"reply:{asked.job.id}",
            origin="model",
            opens_round=False,
            status=status,
            model=model,
            player=asked.chat.player_mark,
        )
        branch_id = asked.chat.branch_id
        (message,) = self._store.chats.append(asked.scope, branch_id, [reply], after=to.id)
        return Kept(branch_id, to, message)

    def reword(self, asked: Asked, to: Message, wording: NewWording, operation: str) -> Kept:
        branch_id = asked.chat.branch_id
        return Kept(branch_id, to, self._store.tree.reword(asked.scope, branch_id, asked.job.message_id, wording, operation=operation))

    def receipt(
        self,
        asked: Asked,
        recall: Recall,
        prompt: Prompt,
        used: Citations,
        left_out: Sequence[LeftOut] | None,
        model: ChatModel,
        again: str = "",
    ) -> dict[str, object]:
        job = asked.job
        effects = {e.memory_id: e.effect.value for e in recall.events}
        delivered = set(prompt.delivered)
        places = {memory_id: place for place, memory_id in enumerate(recall.order, start=1) if memory_id in recall.learned}
        return {
            "query": recall.query,
            **({"speaker": asked.character.name} if asked.chat.members else {}),
            "recipe": recall.recipe,
            "model": model.name,
            "embedder": self._embedder(),
            "degraded": recall.degraded,
            "cross": recall.cross,
            "recall_ms": recall.milliseconds,
            "first_token_ms": job.first_token_ms,
            "candidates": [
                {
                    **asdict(c),
                    "learned": recall.learned.get(c.memory_id),
                    "place": places.get(c.memory_id),
                    "effect": effects.get(c.memory_id, ""),
                    "delivered": c.memory_id in delivered,
                    "reason": ""
                    if c.memory_id in delivered
                    else prompt.skipped.get(
                        c.memory_id,
                        "superseded" if c.overtaken_by in delivered else "repeats" if c.memory_id in recall.unsaid else "rank",
                    ),
                    **({"unsaid": list(recall.unsaid[c.memory_id])} if c.memory_id in recall.unsaid else {}),
                }
                for c in recall.candidates
            ],
            "left_out": None
            if left_out is None
            else [
                {
                    "memory_id": one.memory_id,
                    "place": one.place,
                    "reason": one.absence.why.value,
                    "round": one.absence.round,
                    "by": one.absence.by,
                }
                for one in left_out
            ],
            "drawn": recall.drawn,
            "citations": {"by": used.by, "memories": list(used.memories)},
            "pinned": [i for i in recall.pinned if i in delivered],
            "seed": job.id,
            **({"again": again} if again else {}),
            **({"thoughts": job.thoughts} if job.thoughts else {}),
            **of_prompt(prompt, window=model.context_tokens, reply=model.reply_tokens),
        }

    def had(self, scope: Scope, chat: Chat) -> None:
        """Keep who the player was, where that is whichever persona is the default; inside the caller's transaction."""
        if chat.follows and chat.player_id:
            self._store.players.had(scope, chat.player_id, chat.user_name)
