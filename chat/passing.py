"""Temporary conversations: they are in this process's memory alone and gone when they are left. Nothing of them is written, remembered, searched or exported.

The model reads the character's card and what was said in this conversation, no memory of any other. What a hosted model's provider keeps, and what an operating
system writes of a process's memory to its disk, is beyond this program.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from chat.cast import character_of, greetings_of
from chat.checked import checked_wording
from chat.errors import NothingToAnswer, PassingGone, PassingTooMany, ReplyRunning
from chat.players import Persona, persona_with
from chat.replies import ReplyJob, ReplyJobs
from chat.turn import HISTORY_MESSAGES, Turn
from chat.views import PassingMessageView, PassingView
from errors import KeepsakeError
from models.control_tokens import as_character_name
from personas.record import Character
from storage.errors import CharacterNotFound
from storage.records import Message, Revision, Role
from storage.store import Store
from storage.wall import wall_now

MOST = 4
"""Of one user at once: a browser tab has one."""
UNSEEN_S = 600.0
"""After so long without a look from its page a conversation is gone: its tab was closed. A tab in the background looks once a minute."""
WATCH_S = 20.0
MOST_MESSAGES = 2 * HISTORY_MESSAGES


@dataclass
class _Passing:
    user_id: str
    character: Character
    persona: Persona
    messages: list[Message] = field(default_factory=list)
    error: KeepsakeError | None = None
    seen: float = field(default_factory=time.monotonic)


class PassingChats:
    """names: how the player is called by default, by language; clock: seconds, for how long ago a page looked."""

    def __init__(self, store: Store, turn: Turn, *, names: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._turn = turn
        self._names = names
        self._clock = clock
        self._jobs = ReplyJobs()
        self._chats: dict[str, _Passing] = {}
        self._lock = threading.Lock()

    def begin(self, user_id: str, character_id: str, player_id: str | None = None) -> PassingView:
        """A new one, with the character's greeting. player_id: the persona that the player has in it, "" for none, without it the one that is tied to
        the character, or the default. Raises CharacterNotFound, PlayerNotFound, PassingTooMany."""
        if self._store.characters.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        character = character_of(self._store, user_id, character_id)
        passing = _Passing(user_id, character, self._persona(user_id, player_id, character), seen=self._clock())
        for greeting in greetings_of(character, passing.persona)[:1]:
            _add(passing, Role.CHARACTER, greeting, origin="card")
        self._sweep()
        token = secrets.token_hex(16)
        with self._lock:
            if sum(other.user_id == user_id for other in self._chats.values()) >= MOST:
                raise PassingTooMany(f"There are {MOST} temporary conversations already. Leave one, and begin again.", limit=MOST)
            first = not self._chats
            self._chats[token] = passing
        if first:
            threading.Thread(target=self._watch, name="passing", daemon=True).start()
        return self._view(token, passing)

    def _persona(self, user_id: str, player_id: str | None, character: Character) -> Persona:
        nobody = Persona(self._names.get(character.language, "You"))
        if player_id is None:
            return persona_with(self._store, user_id, character.id, otherwise=nobody.name)
        if not player_id:
            return nobody
        there = self._store.players.listed(user_id, player_id)
        return Persona(there.name, there.description, there.id)

    def say(self, user_id: str, token: str, text: str) -> PassingView:
        """Say something; the reply begins. Raises PassingGone, MessageEmpty, MessageTooLong, ReplyRunning."""
        passing = self._of(user_id, token)
        clean = checked_wording(text)
        with self._lock:
            self._still(token)
            if len(passing.messages) >= MOST_MESSAGES:
                del passing.messages[: len(passing.messages) - MOST_MESSAGES + 1]
            _add(passing, Role.USER, clean, origin="user")
        self._reply(token, passing)
        return self._view(token, passing)

    def again(self, user_id: str, token: str) -> PassingView:
        """Ask for the reply that did not come. Raises PassingGone, NothingToAnswer, ReplyRunning."""
        passing = self._of(user_id, token)
        with self._lock:
            self._still(token)
            if not passing.messages or passing.messages[-1].role is not Role.USER:
                raise NothingToAnswer("There is no message waiting for a reply.")
        self._reply(token, passing)
        return self._view(token, passing)

    def look(self, user_id: str, token: str) -> PassingView:
        """Raises PassingGone."""
        return self._view(token, self._of(user_id, token))

    def stop(self, user_id: str, token: str) -> PassingView:
        """Stop the reply; what was written of it stays. Raises PassingGone."""
        passing = self._of(user_id, token)
        if job := self._jobs.get(token):
            job.stop()
        return self._view(token, passing)

    def leave(self, user_id: str, token: str) -> None:
        """It is gone. Nothing happens where it is gone already."""
        with self._lock:
            passing = self._chats.get(token)
            if passing is None or passing.user_id != user_id:
                return
            del self._chats[token]
        self._jobs.forget(token)

    def leave_all(self) -> None:
        with self._lock:
            everyone = [(passing.user_id, token) for token, passing in self._chats.items()]
        for user_id, token in everyone:
            self.leave(user_id, token)

    def _of(self, user_id: str, token: str) -> _Passing:
        self._sweep()
        with self._lock:
            passing = self._chats.get(token)
            if passing is None or passing.user_id != user_id:
                raise _gone()
            passing.seen = self._clock()
            return passing

    def _still(self, token: str) -> None:
        """Under the lock: that it was not left meanwhile, and nothing is being written in it."""
        if token not in self._chats:
            raise _gone()
        if self._jobs.running(token):
            raise ReplyRunning("A reply is still being written. Wait until it is done, or stop it.")

    def _watch(self) -> None:
        """Let go of what nobody looks at, as long as there is any: nobody may ever ask again."""
        while self._chats:
            time.sleep(WATCH_S)
            self._sweep()

    def _sweep(self) -> None:
        now = self._clock()
        with self._lock:
            unseen = [(p.user_id, token) for token, p in self._chats.items() if now - p.seen > UNSEEN_S]
        for user_id, token in unseen:
            self.leave(user_id, token)

    def _reply(self, token: str, passing: _Passing) -> None:
        job = ReplyJob(secrets.token_hex(16), token, passing.character.name)
        passing.error = None

        def make(running: ReplyJob) -> None:
            history = passing.messages[::-1][:HISTORY_MESSAGES]
            text, status, failure = self._turn.unkept(
                running, passing.character, user_id=passing.user_id, persona=passing.persona, history=history
            )
            with self._lock:
                if text and token in self._chats:
                    _add(passing, Role.CHARACTER, text, origin="model", status=status)
                passing.error = failure
            running.end(failure)

        self._jobs.start(job, make)

    def _view(self, token: str, passing: _Passing) -> PassingView:
        with self._lock:
            # A reply is among the messages or on its way: its job ends after it was added.
            job = self._jobs.get(token)
            running = job.view() if job is not None and job.active else None
            added = running is not None and bool(passing.messages) and passing.messages[-1].role is Role.CHARACTER
            return PassingView(
                token=token,
                character_name=passing.character.name,
                language=passing.character.language,
                messages=tuple(
                    PassingMessageView("user" if m.role is Role.USER else "character", m.speaker, m.text, m.revision.status)
                    for m in passing.messages
                ),
                job=None if added else running,
                error_code=passing.error.code if passing.error else "",
                error_params={**passing.error.params, "message": str(passing.error)} if passing.error else {},
            )


def _add(passing: _Passing, role: Role, text: str, *, origin: str, status: str = "complete") -> None:
    before = passing.messages[-1] if passing.messages else None
    said = role is Role.USER
    message_id = secrets.token_hex(16)
    passing.messages.append(
        Message(
            id=message_id,
            parent_id=before.id if before else None,
            depth=before.depth + 1 if before else 0,
            round=(before.round if before else 0) + said,
            role=role,
            speaker=passing.persona.name if said else as_character_name(passing.character.name, language=passing.character.language),
            said_at=wall_now(),
            revision=Revision(id=message_id, text=text, sha256="", origin=origin, status=status),
        )
    )


def _gone() -> PassingGone:
    return PassingGone("This temporary conversation is gone: it was left, or its page was closed.")
