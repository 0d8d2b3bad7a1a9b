"""A conversation of a data set, written into a fresh data folder through the importer and worked through by the engine."""

from __future__ import annotations

from dataclasses import dataclass

from tqdm import tqdm

from chat.assembly import Memory
from chat.cast import character_named
from chat.imported import ImportedConversation
from chat.importer import Cast, Importer
from evaluation.progress import counted
from storage.records import stable_id
from storage.scope import LOCAL_USER, Scope


@dataclass(frozen=True)
class Talk:
    """A conversation as the engine has it. after: the round in which it would go on; turn_of: (place, turn) by message id."""

    scope: Scope
    branch_id: str
    after: int
    turn_of: dict[str, tuple[int, str]]


def written(memory: Memory, conversation: ImportedConversation, *, observe: bool = False, language: str = "en") -> Talk:
    """observe: nobody is the player, every turn is a round of its own. The first speaker is the player else."""
    user, character = conversation.speakers[:2]
    character_id = character_named(memory.store, LOCAL_USER, character, language=language)
    cast = Cast(user, character, observe=observe)
    importer = Importer(memory.store, conversation, cast, character_id=character_id, language=language, replay=False)
    with tqdm(disable=True) as progress:
        importer.write(progress)
    worked_off(memory, importer.scope)
    chat = memory.store.chats.chat(importer.scope)
    head = memory.store.chats.head(importer.scope, chat.branch_id)
    turn_of = {stable_id("message", chat.id, m.external_id): (place, m.external_id) for place, m in enumerate(conversation.messages)}
    return Talk(importer.scope, chat.branch_id, head.round + 1 if head else 1, turn_of)


def worked_off(memory: Memory, scope: Scope, *, worth: int = 1) -> None:
    """Every memory task that is due is done, in this thread; errors are raised, not recorded. A task may bring others."""
    done = 0
    with counted("Memory", memory.store.tasks.queue(scope).waiting, worth=worth) as tick:
        while (task := memory.store.tasks.lease()) is not None:
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            done += 1
            tick(done + memory.store.tasks.queue(scope).waiting if done % 20 == 0 else done)
