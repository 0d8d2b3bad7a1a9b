"""A conversation of a data set, brought into a fresh data folder as the program takes it, and worked through by the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from tqdm import tqdm

from chat.assembly import Memory
from chat.cast import character_named
from chat.ending import end_session
from chat.fed_lines import FedLine
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from chat.listening import Listening
from chat.replies import ReplyJobs
from evaluation.progress import counted
from storage.records import stable_id
from storage.scope import LOCAL_USER, Scope

LISTENER = "Listener"
"""Who hears a conversation and is none of its speakers."""
TOGETHER = 200
"""Lines that are brought at once."""


@dataclass(frozen=True)
class Talk:
    """A conversation as the engine has it. after: the round in which it would go on; turn_of: (place, turn) by message id."""

    scope: Scope
    branch_id: str
    after: int
    turn_of: dict[str, tuple[int, str]]


def written(
    memory: Memory,
    conversation: ImportedConversation,
    *,
    observe: bool = False,
    language: str = "en",
    worth: int = 1,
    character_id: str = "",
) -> Talk:
    """Imported as what was talked: the first speaker is the player. observe: every turn is a round of its own. Where one alone speaks (MemBench's observation)
    nobody answers, and it is heard. character_id: who the second speaker is; by default one of that name."""
    if not observe and len({m.speaker for m in conversation.messages}) == 1:
        return heard(memory, conversation, language=language)
    user, character = conversation.speakers[:2]
    character_id = character_id or character_named(memory.store, LOCAL_USER, character, language=language)
    cast = Cast(user, character, observe=observe)
    importer = Importer(memory.store, conversation, cast, character_id=character_id, language=language, replay=False)
    with tqdm(disable=True) as progress:
        importer.write(progress)
    return _talk(memory, conversation, importer.scope, worth=worth)


def worked_off(memory: Memory, scope: Scope, *, worth: int = 1) -> None:
    """Every memory task that is due is done, in this thread; errors are raised, not recorded. A task may bring others."""
    done = 0
    with counted("Memory", memory.store.tasks.queue(scope).waiting, worth=worth) as tick:
        while (task := memory.store.tasks.lease()) is not None:
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            done += 1
            tick(done + memory.store.tasks.queue(scope).waiting if done % 20 == 0 else done)


def heard(memory: Memory, conversation: ImportedConversation, *, language: str = "en", worth: int = 1) -> Talk:
    """Brought line by line, as programs bring lines, to a character who listens; the first speaker is the player."""
    character_id = character_named(memory.store, LOCAL_USER, LISTENER, language=language)
    ear = Listening(memory.store, ReplyJobs(), names={}, sending=threading.Lock(), wake=lambda: None)
    chat_id = ear.create(LOCAL_USER, character_id, player=conversation.speakers[0])
    lines = [FedLine(n, m.speaker, m.text, m.said_at, _heard_as(m.external_id)) for n, m in enumerate(conversation.messages, start=1)]
    for start in range(0, len(lines), TOGETHER):
        ear.hear(LOCAL_USER, chat_id, lines[start : start + TOGETHER])
    scope = Scope.of(LOCAL_USER, chat_id)
    end_session(memory.store, scope, memory.store.chats.chat(scope).branch_id, by="user")
    return _talk(memory, conversation, scope, worth=worth, called=_heard_as)


def _heard_as(external_id: str) -> str:
    return f"heard:{external_id}"


def _talk(memory: Memory, conversation: ImportedConversation, scope: Scope, *, worth: int, called: Callable[[str], str] = str) -> Talk:
    """called: what a turn is known by in the conversation."""
    worked_off(memory, scope, worth=worth)
    chat = memory.store.chats.chat(scope)
    head = memory.store.chats.head(scope, chat.branch_id)
    turn_of = {stable_id("message", chat.id, called(m.external_id)): (n, m.external_id) for n, m in enumerate(conversation.messages)}
    return Talk(scope, chat.branch_id, head.round + 1 if head else 1, turn_of)


def rounds_of(conversation: ImportedConversation) -> list[list[ImportedMessage]]:
    """The first speaker's messages in a row and what answers them, within one session."""
    rounds: list[list[ImportedMessage]] = []
    first = conversation.speakers[0]
    for (_, mine), group in groupby(conversation.messages, key=lambda m: (m.session, m.speaker == first)):
        messages = list(group)
        if mine or not rounds or rounds[-1][0].session != messages[0].session:
            rounds.append(messages)
        else:
            rounds[-1] += messages
    return rounds
