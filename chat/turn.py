"""A turn: user text, recall, prompt, stream, commit.

The user's message and the tasks it causes are one transaction, done before anything slow begins. The reply, its receipt, the cue's recall events
and its tasks are another. In between nothing is held: no lock, no transaction.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice

from chat.citations import TrailerFilter, citations_of
from chat.ending import end_session
from chat.group_history import heard, overheard
from chat.group_turn import Part, part_of
from chat.instructions import instruction
from chat.lorebooks import books_of
from chat.made_replies import Asked, Keep, Kept, MadeReplies
from chat.memory_block import Remembered, as_delivered
from chat.one_voice import OneVoice, write
from chat.players import Persona, name_told, persona_in
from chat.prompt import CARD_SHARE, Budget, Chance, Prompt, build
from chat.prompt_player import PLAYER_SHARE
from chat.recalling import Beside, BoundedRecall, no_recall
from chat.replies import JobKind, ReplyJob
from chat.text import joined
from chat.views import Phase
from errors import KeepsakeError
from memory.engine import DUE, Cue, MemoryEngine, cue_of, final_tasks, round_tasks
from memory.recall import Recall
from memory.repeating import REPLIES, recites, repeats
from models.chat_model import ChatModel, ReplyStream
from models.gateway import estimate
from personas.record import Character
from personas.unnamed_player import neutral
from storage.model_uses import ModelUse
from storage.records import Chat, Message, NewMessage, NewWording, Role, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import as_read, wall_now

log = logging.getLogger(__name__)
HISTORY_MESSAGES = 400
"""Newest messages looked at for the history; a larger window than any model's at our message lengths."""


Voice = Callable[[str, str], AbstractContextManager[ChatModel]]
"""(user id, preset of sampling) -> the model that talks now, and stays to the end of what is done with it."""


@dataclass(frozen=True)
class _Written:
    """What a model wrote. failure: what it failed with; trailer: what came after the reply, where that was asked for."""

    text: str
    status: str
    failure: KeepsakeError | None
    trailer: TrailerFilter | None


class Turn:
    """Makes replies. voice: who talks; cites: whether a model is asked which memories it used; paused: a context in which memory work steps aside, for a model
    that computes on this machine; wake: tells the worker of new tasks."""

    def __init__(
        self,
        store: Store,
        engine: MemoryEngine,
        voice: Voice,
        *,
        memory_tokens: int,
        recall_budget_s: float,
        recall_k: int,
        cites: Callable[[ChatModel], bool],
        paused: Callable[[], AbstractContextManager[None]],
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._engine = engine
        self._voice = voice
        self._recall = BoundedRecall(engine, budget_s=recall_budget_s)
        self._memory_tokens = memory_tokens
        self._k = recall_k
        self._cites = cites
        self._paused = paused
        self._wake = wake
        self._made = MadeReplies(store, embedder=lambda: engine.embedder_name)
        self.history = HISTORY_MESSAGES

    @property
    def card_tokens(self) -> int:
        """Most tokens of a card that a prompt takes; a little less where memory and a long message leave less."""
        with self._voice("", "") as model:
            return int((model.context_tokens - model.reply_tokens) * CARD_SHARE)

    @property
    def player_tokens(self) -> int:
        """Most tokens of a persona's description that a prompt takes."""
        with self._voice("", "") as model:
            return int((model.context_tokens - model.reply_tokens) * PLAYER_SHARE)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text as the chat model's prompts are measured."""
        with self._voice("", "") as model:
            return model.count_tokens(text)

    def stepping_aside(self) -> AbstractContextManager[None]:
        """Hold memory work back already while a message is committed, if this machine's own model answers: a step under way has ended when its recall begins."""
        with self._voice("", "") as model:
            return self._aside(model)

    def _aside(self, model: ChatModel) -> AbstractContextManager[None]:
        return self._paused() if model.here else nullcontext()

    def say(self, scope: Scope, chat: Chat, text: str, *, token: str) -> Message:
        """Commit the user's message; the round before it is now final, and the session it stands in over if it was long ago."""
        now = chat.now()
        self._made.had(scope, chat)
        before = self._store.chats.newest_round(scope, chat.branch_id)
        if before and self._is_over(scope, chat, before[-1], now):
            end_session(self._store, scope, chat.branch_id, by="idle")
        next_round = before[-1].round + 1 if before else None
        message = NewMessage(
            role=Role.USER,
            speaker=chat.user_name,
            text=text,
            said_at=now,
            external_id=f"said:{token}",
            origin="user",
            opens_round=True,
        )
        tasks = [
            *round_tasks(chat.branch_id, before),
            *final_tasks(chat.branch_id, before, next_round=next_round, next_message=message.external_id),
        ]
        return self._store.tree.say(scope, chat.branch_id, message, tasks=tasks)

    def _is_over(self, scope: Scope, chat: Chat, last: Message, now: datetime) -> bool:
        """Whether the session of the newest message ended before what is said now: after a silence, or because it is another day in the story."""
        if chat.clock is None:
            return abs(now - last.said_at) >= self._engine.idle
        if abs(as_read(now) - as_read(last.said_at)) >= self._engine.idle:  # a story's clock shows the same wherever it is asked
            return True
        return datetime.now(UTC) - self._store.chats.written_at(scope, last.id) >= self._engine.idle

    def said(self, scope: Scope, chat: Chat, *, token: str) -> Message | None:
        """What was said with a token, if it was."""
        found = self._store.chats.messages(scope, chat.branch_id, [stable_id("message", chat.id, f"said:{token}")])
        return found[0] if found else None

    def reply(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, to: Message) -> None:
        """Make and keep the reply to a committed user message. Raises what the model raised after keeping what came before it."""
        asked = self._asked(job, scope, chat, character)
        path = self._store.chats.path(scope, chat.branch_id, limit=HISTORY_MESSAGES)
        history = overheard(path, character, player=asked.player)
        self._make(asked, history, cue_of(to, chat), lambda text, status, model: self._made.append(asked, to, text, status, model))

    def speak(
        self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, after: Message, *, then: Callable[[Message], None]
    ) -> None:
        """Make and keep what one of several characters says next. scope: as it sees the conversation; after: the newest message; then: called in the
        transaction that keeps what it says. Raises as `reply` does."""
        history = self._store.chats.path(scope, chat.branch_id, limit=HISTORY_MESSAGES)
        asked, part = self._among(self._asked(job, scope, chat, character), history)

        def keep(text: str, status: str, model: str) -> Kept:
            kept = self._made.append(asked, after, text, status, model)
            then(kept.message)
            return replace(kept, to=part.said)

        self._make(asked, part.history, part.cue, keep)

    def _asked(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character) -> Asked:
        sketch = self._engine.overview.sketch(scope, chat.branch_id) if chat.remembers else ()
        return Asked(job, scope, chat, character, sketch=sketch)

    def _among(self, asked: Asked, history: Sequence[Message]) -> tuple[Asked, Part]:
        """What one of several is asked for. Raises NothingToAnswer."""
        room = self._store.groups.room(asked.scope, asked.chat.branch_id)
        part = part_of(history, asked.chat, asked.character, player=asked.player, room=room)
        return replace(asked, to=part.to), part

    def variant(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, history: Sequence[Message]) -> None:
        """Make a reply again; the one there is stays as it is, beside it. history: newest first, its first the player's message that is answered."""
        asked, to = self._asked(job, scope, chat, character), history[0]
        if chat.members:
            among, part = self._among(asked, history)
            self._make(
                among,
                part.history,
                part.cue,
                lambda text, status, model: self._made.reword(
                    among, part.said, NewWording(text, "model", status, model, chat.player_mark), "regenerate"
                ),
            )
            return
        self._make(
            asked,
            overheard(history, character, player=asked.player),
            cue_of(to, chat),
            lambda text, status, model: self._made.reword(
                asked, to, NewWording(text, "model", status, model, asked.chat.player_mark), "regenerate"
            ),
        )

    def resume(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, history: Sequence[Message]) -> None:
        """Continue a reply. history: newest first, its first that reply."""
        asked, (reply, *before) = self._asked(job, scope, chat, character), history
        to = next((m for m in before if m.role is Role.USER and not m.hidden and not m.heard), reply)
        told = [instruction("continue", chat, character, player=asked.player, after=reply), *_told(history, asked)]

        def keep(text: str, status: str, model: str) -> Kept:
            wording = NewWording(joined(reply.text, text), "model", status, model, reply.revision.player)
            kept = self._made.reword(asked, to, wording, "continue")
            self._store.controls.carry(scope, reply.revision, kept.message.revision)
            return kept

        self._make(asked, told, cue_of(to, chat), keep)

    def draft(self, job: ReplyJob, scope: Scope, chat: Chat, character: Character, history: Sequence[Message]) -> None:
        """Write what the player might say next. history: newest first, at least one message."""
        asked, newest = self._asked(job, scope, chat, character), history[0]
        told = [instruction("draft", chat, character, player=asked.player, after=newest), *_told(history, asked)]
        self._make(asked, told, Cue(newest.text, newest.round + 1, newest.said_at), None)

    def unkept(
        self, job: ReplyJob, character: Character, *, user_id: str, persona: Persona, history: Sequence[Message]
    ) -> tuple[str, str, KeepsakeError | None]:
        """Make a reply from the card, the user's lorebooks and what was said alone: nothing is recalled, and nothing is written. history: newest first, its
        first the player's message. The text, its status, and what the model failed with."""
        with self._voice(user_id, "") as model, self._aside(model):
            job.enter(Phase.READING)
            prompt = build(
                character,
                user_name=persona.name,
                description=persona.description,
                chance=Chance(job.id, job.chat_id, wall_now()),
                history=history,
                remembered=Remembered([]),
                limit=0,
                budget=Budget(model.context_tokens, model.reply_tokens, 0),
                count=model.count_tokens,
                books=books_of(self._store, user_id, character_id=character.id),
            )
            job.progress(0, sum(s.tokens for s in prompt.sections))
            stream = model.stream(prompt.messages, cancel=job.cancel, on_progress=job.progress)
            failure = write(
                job, stream, voice=OneVoice([character.name], [persona.name, name_told(persona.name) or neutral(character.language)])
            )
        return job.text.strip(), _status(job, stream, failure), failure

    # Steps of a reply

    def _make(self, asked: Asked, history: Sequence[Message], cue: Cue, keep: Keep | None) -> None:
        """Recall, prompt, stream, keep. keep: writes the text with its status and says what it became; None keeps nothing."""
        job, chat = asked.job, asked.chat
        with self._voice(chat.user_id, chat.sampling) as model, self._aside(model):
            cite = self._cites(model)
            recall = self._recall(asked.scope, asked.chat.branch_id, cue) if chat.remembers else no_recall(cue)
            if job.stopped:
                return
            job.enter(Phase.READING)
            prompt = self._prompt(asked, recall, history, model)
            job.progress(0, sum(s.tokens for s in prompt.sections))
            beside = Beside(self._engine, asked.scope, asked.chat.branch_id, cue, recall)
            began = time.monotonic()
            made = self._written(asked, prompt, model, cite=cite, on_piece=beside.begin)
            use = self._use(job, prompt, model, made.failure, seconds=time.monotonic() - began)
            again = ""
            if keep is not None and made.status in ("complete", "cut") and job.kind in (JobKind.REPLY, JobKind.VARIANT):
                again = _nothing_new(made.text, asked, history, prompt)
            if again:
                made, more = self._made_again(made, asked, prompt, model, cite=cite)
                use = replace(
                    use,
                    calls=2,
                    prompt_tokens=2 * use.prompt_tokens,
                    answer_tokens=use.answer_tokens + more,
                    seconds=time.monotonic() - began,
                )
            if keep is None:
                self._store.model_uses.add(asked.scope, use)
            else:
                text, status = made.text, made.status
                used = citations_of(
                    text,
                    trailer=made.trailer,
                    block=prompt.block,
                    cue=cue.text,
                    around=[*(m.content for m in prompt.messages[:-1]), *(one.text for one in prompt.lore)],
                    whole=status in ("complete", "cut"),
                )
                body = self._made.receipt(asked, recall, prompt, used, beside.found(), model, again)
                self._made.keep(asked, asked.to or history[0], keep, recall=recall, body=body, text=text, status=status, use=use)
        self._wake()
        job.end(made.failure)

    @staticmethod
    def _written(asked: Asked, prompt: Prompt, model: ChatModel, *, cite: bool, on_piece: Callable[[], None] = lambda: None) -> _Written:
        job, trailer = asked.job, TrailerFilter() if cite else None
        stream = model.stream(prompt.messages, cancel=job.cancel, on_progress=job.progress)
        failure = write(job, stream, voice=_voice_of(asked), trailer=trailer, on_piece=on_piece)
        return _Written(job.text.strip(), _status(job, stream, failure), failure, trailer)

    def _made_again(self, first: _Written, asked: Asked, prompt: Prompt, model: ChatModel, *, cite: bool) -> tuple[_Written, int]:
        """Another reply in the place of one that says nothing new, whatever it says then; and its tokens. The first stays where nothing comes of it."""
        job, before = asked.job, (first.text, asked.job.thoughts, asked.job.first_token_ms)
        job.begin_again()
        try:
            second = self._written(asked, prompt, model.varied(), cite=cite)
            kept = second if second.text and second.failure is None else first
        except Exception:
            # Whatever happened: a reply is there, and is not lost for want of a better one.
            log.exception("a reply that repeats an earlier one could not be made again; it is kept")
            kept = first
        tokens = model.count_tokens(job.text)
        if kept is first:
            job.go_back(*before)
        return kept, tokens

    @staticmethod
    def _use(job: ReplyJob, prompt: Prompt, model: ChatModel, failure: KeepsakeError | None, *, seconds: float) -> ModelUse:
        """What was asked for, for the count of what replies cost. A model that failed may not be there to count."""
        count = model.count_tokens if failure is None else estimate
        tokens = sum(s.tokens for s in prompt.sections)
        purpose = "draft" if job.kind is JobKind.DRAFT else "reply"
        return ModelUse(purpose, model.name, 1, int(failure is not None), tokens, count(job.text), seconds)

    def _prompt(self, asked: Asked, recall: Recall, history: Sequence[Message], model: ChatModel) -> Prompt:
        scope, chat = asked.scope, asked.chat
        ranked = list(dict.fromkeys([*recall.pinned, *recall.ranking[: DUE * self._k]]))
        found = self._store.memories.get(scope, ranked)
        remembered = Remembered(
            memories=[told for i in ranked if i in found and (told := as_delivered(found[i], recall.unsaid.get(i, ()))) is not None],
            facts=self._store.memories.get(scope, [g for m in found.values() for g in m.grounds]),
            sketch=asked.sketch,
            narrators=self._store.chats.narrators(scope, found.values()),
        )
        persona = persona_in(self._store, chat)
        return build(
            asked.character,
            user_name=persona.name,
            description=persona.description,
            today=chat.now() if chat.clock is not None else None,
            note=chat.note if chat.note is not None and history[0].round % chat.note.every == 0 else None,
            history=history,
            remembered=remembered,
            limit=self._k,
            budget=Budget(model.context_tokens, model.reply_tokens, self._memory_tokens),
            count=model.count_tokens,
            cite=self._cites(model) and asked.job.kind is not JobKind.DRAFT,
            chance=Chance(asked.job.id, chat.id, chat.now()),
            as_player=asked.job.kind is JobKind.DRAFT,
            books=books_of(self._store, scope.user_id, character_id=chat.character_id, chat_id=chat.id),
        )


def _nothing_new(text: str, asked: Asked, history: Sequence[Message], prompt: Prompt) -> str:
    """Why a reply is made again: it `repeats` one of its speaker's last ones, or `recites` memory; empty where it says something of its own."""
    own = (
        m
        for m in history
        if m.id and not m.hidden and m.role is Role.CHARACTER and (m.speaker == asked.character.name or not asked.chat.members)
    )
    if repeats(text, [m.text for m in islice(own, REPLIES)]):
        return "repeats"
    return "recites" if recites(text, [line for _, line in prompt.block]) else ""


def _told(history: Sequence[Message], asked: Asked) -> list[Message]:
    """The history as it stands in a prompt."""
    tell = heard if asked.chat.members else overheard
    return tell(history, asked.character, player=asked.player)


def _voice_of(asked: Asked) -> OneVoice:
    """Who speaks in what is being made, among whom."""
    players = {asked.chat.user_name, asked.player or neutral(asked.character.language)}
    own = players if asked.job.kind is JobKind.DRAFT else {asked.character.name}
    names = {*players, asked.character.name, *(m.name for m in asked.chat.members)}
    return OneVoice(own, names - own, goes_on=asked.job.kind is JobKind.CONTINUE)


def _status(job: ReplyJob, stream: ReplyStream, failure: KeepsakeError | None) -> str:
    return "failed" if failure else "stopped" if job.stopped else "cut" if stream.finish_reason == "length" else "complete"
