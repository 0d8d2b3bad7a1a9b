"""Import a conversation: `python -m chat.importer FILE --user NAME --character NAME`.

Messages are written first, a batch of rounds and their tasks in one transaction; then the same engine that serves live chats works through the
tasks, recalling for every round's cue as if it had been live, so imported memories have real scores. Where the app is running, it does that work
and this command follows. Stopped at any point, the same command goes on where it ended; done twice, it changes nothing.
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. What was imported is kept; the same command goes on from there.")

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Protocol

from tqdm import tqdm

from accounts.names import user_named
from chat.cast import character_named
from chat.import_words import Told
from chat.imported import ImportedConversation, ImportedMessage
from chat.portable import import_file
from chat.portable_reading import is_bundle
from chat.receipt_body import of_thoughts
from chat.replies import MAX_THOUGHT_CHARS
from errors import KeepsakeError
from memory.engine import final_tasks, round_tasks
from memory.listening import openings
from settings import Settings
from storage.records import Member, Message, NewMessage, Rank, Role, stable_id
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.tasks import Queue

ROUNDS_PER_COMMIT = 50
FOLLOW_S = 0.5


@dataclass(frozen=True)
class Cast:
    """Who is who. observe: every message is a round of its own, as evaluations by turn have it; listens: nobody answers, and rounds are those of what is heard
    (`memory.listening`): the character need not be one of the speakers."""

    user: str
    character: str
    observe: bool = False
    listens: bool = False
    also: frozenset[str] = frozenset()
    """Further names of the user's."""

    def role(self, speaker: str) -> Role:
        users = {name.casefold() for name in (self.user, *self.also)}
        return Role.USER if speaker.casefold() in users else Role.CHARACTER


def rounds(messages: Sequence[ImportedMessage], cast: Cast, *, members: Sequence[str] = ()) -> Iterator[list[NewMessage]]:
    """Messages by round: a user utterance opens one, and so does the first message of a session, which answers nobody. members: where it has several
    characters."""
    several = bool(members)
    current: list[NewMessage] = []
    session = None
    called = cast.user
    heard = openings(messages) if cast.listens else []
    for place, message in enumerate(messages):
        role = Role.NARRATOR if message.narrates or message.room is not None else cast.role(message.speaker)
        if role is Role.USER and cast.also:
            called = message.speaker
        begins = heard[place] if cast.listens else cast.observe or role is Role.USER
        opens = (begins or message.session != session) and not (several and message.room is not None)
        session = message.session
        if opens and current:
            yield current
            current = []
        current.append(
            NewMessage(
                role=role,
                speaker=message.speaker,
                text=message.text,
                said_at=message.said_at,
                external_id=message.external_id,
                origin="import" if message.room is None else "card",
                opens_round=opens,
                wordings=message.wordings,
                chosen=message.chosen,
                hidden=message.hidden,
                player=called if called != cast.user else "",
                present=message.present if several else None,
                room=message.room if several else None,
                heard=cast.listens,
            )
        )
    if current:
        yield current


def import_key(conversation: ImportedConversation, cast: Cast, *, beside: str = "") -> str:
    """What tells an imported conversation from others: the same file read with the same names is the same one. beside: sets one of its own apart from it."""
    texts = [part for m in conversation.messages for part in (m.external_id, m.speaker, m.said_at.astimezone(UTC).isoformat(), m.text)]
    texts += [part for m in conversation.messages if m.wordings or m.hidden for part in (*m.wordings, str(m.chosen), str(m.hidden))]
    way = "listens" if cast.listens else cast.observe
    return stable_id("import", conversation.key, cast.user, cast.character, way, *texts, *([beside] if beside else []))


class Counting(Protocol):
    """A bar of `tqdm`, or whoever else wants to know."""

    def update(self, n: int, /) -> object: ...


class Importer:
    """Writes one conversation into a chat of its own. engine work is somebody else's: the caller's worker or the running app's. beside: as `import_key` has it;
    known_as: the key of a conversation that is known by a name of its own, whatever it says."""

    def __init__(
        self,
        store: Store,
        conversation: ImportedConversation,
        cast: Cast,
        *,
        character_id: str,
        language: str,
        replay: bool = True,
        user_id: str = LOCAL_USER,
        beside: str = "",
        known_as: str = "",
    ) -> None:
        self._store = store
        self._conversation = conversation
        self._cast = cast
        self._replay = replay
        self._thinking = [message for message in conversation.messages if message.thoughts]
        self._names = () if cast.listens else conversation.members
        first = cast.character.casefold()
        began = {*(conversation.messages[0].present or ())}  # whoever witnessed the first message was there from the beginning
        members = [
            Member(
                character_id if name.casefold() == first else character_named(store, user_id, name, language=language),
                name,
                joined=name not in began,
            )
            for name in sorted(self._names, key=lambda name: name.casefold() != first)
        ]
        if members and members[0].character_id != character_id:
            self._names, members = (), []  # the character that was named is none of them
        self.chat_id = store.chats.create(
            user_id,
            character_id=character_id,
            title=conversation.title,
            language=language,
            user_name=cast.user,
            members=members,
            group=not cast.listens and len(conversation.people) > 2,
            listens=cast.listens,
            import_key=known_as or import_key(conversation, cast, beside=beside),
        )
        self.scope = Scope.of(user_id, self.chat_id)

    def write(self, progress: Counting) -> int:
        """Write every message that is not there yet, with the tasks of its round; how many were new. progress: told how many more of all messages are
        there."""
        branch_id = self._store.chats.chat(self.scope).branch_id
        present = self._store.chats.external_ids(self.scope)
        written = 0
        batch: list[list[NewMessage]] = []
        before: list[Message] = []
        for group in [*rounds(self._conversation.messages, self._cast, members=self._names), []]:
            if group:
                batch.append(group)
            if batch and (not group or len(batch) == ROUNDS_PER_COMMIT):
                with self._store.database.write():
                    for item in batch:
                        messages = [m for m in self._store.chats.append(self.scope, branch_id, item) if not m.hidden]
                        if not messages:
                            continue
                        # As in a live chat: a round is recalled for before the one before it, final by now, is worked through.
                        tasks = round_tasks(branch_id, messages, replay=self._replay, rank=Rank.IMPORT)
                        tasks += final_tasks(branch_id, before, next_round=messages[-1].round, replay=True, rank=Rank.IMPORT)
                        for task in tasks:
                            self._store.tasks.add(self.scope, task)
                        before = messages
                    new = {m.external_id for item in batch for m in item} - present
                    self._keep_thoughts(new)
                written += len(new)
                progress.update(sum(len(item) for item in batch))
                batch = []
        with self._store.database.write():
            for task in final_tasks(branch_id, before, next_round=None, replay=True, rank=Rank.IMPORT):
                self._store.tasks.add(self.scope, task)
            if before:
                self._store.chats.close_session(self.scope, before[-1].id, closed_by="import")
        return written

    def _keep_thoughts(self, new: set[str]) -> None:
        """Keep what a model thought before a wording that just came in, where the house keeps such: with its receipt, apart from every prompt and memory."""
        for message in self._thinking:
            if message.external_id in new:
                message_id = stable_id("message", self.scope.chat_id, message.external_id)
                for ordinal, thought in enumerate(message.thoughts):
                    if thought:
                        body = of_thoughts(thought[:MAX_THOUGHT_CHARS])
                        self._store.receipts.add(
                            self.scope, message_id=message_id, revision_id=stable_id("revision", message_id, ordinal), body=body
                        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 imported, 1 refused or failed in part (what was kept is said), 2 wrong usage, 130 or 143 stopped."""
    parser = argparse.ArgumentParser(prog="python -m chat.importer", description="Import a conversation into Keepsake.")
    parser.add_argument(
        "file",
        type=Path,
        help="a chat file of another program, messages as JSON lines or lists, a transcript in plain text or Markdown, LoCoMo-style JSON, a diary of queries "
        "and responses, or a Keepsake bundle",
    )
    parser.add_argument("--user", metavar="NAME", help="the speaker who is you")
    parser.add_argument("--character", metavar="NAME", help="the speaker who is the character")
    parser.add_argument("--sample", metavar="ID", help="which conversation, where a file holds several between the two")
    parser.add_argument(
        "--listen",
        action="store_true",
        help="the character only listens, whoever speaks: nothing is answered, and --character need not be one of the speakers; --user is whose portrait is drawn",
    )
    parser.add_argument("--account", metavar="NAME", help="whose it becomes, where there are accounts; without it the local user's")
    options = parser.parse_args(arguments)
    try:
        if is_bundle(options.file):
            return import_file(options.file, account=options.account)
        if options.user is None or options.character is None:
            parser.error("--user and --character are needed, except for a Keepsake bundle")
        return _import(options)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1


def _import(options: argparse.Namespace) -> int:
    from chat.assembly import open_store
    from chat.import_formats import read_conversations, select, select_one
    from memory.episodes import language_of
    from settings import quiet_libraries, read_settings

    found = read_conversations(options.file)
    if options.listen:
        conversation = select_one(found, sample=options.sample).named(user=options.user.strip(), character=options.character.strip())
    else:
        conversation = select(found, user=options.user, character=options.character, sample=options.sample)
    for notice in conversation.notices:
        print(f"Note: {notice.placed if isinstance(notice, Told) else notice}", file=sys.stderr)
    settings = read_settings()
    quiet_libraries(settings)
    store = open_store(settings)
    language = language_of(" ".join(m.text for m in conversation.messages[:50]))
    user_id = user_named(store.accounts, options.account)
    character_id = character_named(store, user_id, options.character, language=language)
    user = options.user.strip()
    cast = Cast(user, options.character.strip(), listens=options.listen, also=conversation.also(user) - {user})
    importer = Importer(store, conversation, cast, character_id=character_id, language=language, user_id=user_id)
    total = len(conversation.messages)
    with tqdm(total=total, desc="Writing ", unit=" messages", disable=None) as progress:
        written = importer.write(progress)
    queue = remember(settings, store, importer.scope)
    print(f"{written} new of {total} messages; chat {importer.chat_id}")
    if queue.failed:
        print(
            f"{queue.failed} rounds could not be remembered ({queue.last_error}); the Memories panel can try them again.", file=sys.stderr
        )
        return 1
    return 0


def remember(settings: Settings, store: Store, scope: Scope) -> Queue:
    """See the chat's tasks done, by this process or by the app if it is running; what is left of them. The store is closed."""
    from chat.assembly import open_memory

    with tqdm(total=store.tasks.queue(scope).waiting, desc="Remembering", unit=" rounds", disable=None) as progress:
        if store.folder.try_own():
            memory = open_memory(settings, store, niceness=0)
            try:
                memory.worker.start()
                _follow(store, scope, progress)
                queue = store.tasks.queue(scope)
            finally:
                memory.close()
        else:
            print("The app is running; it does the remembering. This only follows it.", file=sys.stderr)
            _follow(store, scope, progress)
            queue = store.tasks.queue(scope)
            store.close()
    return queue


def _follow(store: Store, scope: Scope, progress: tqdm[None]) -> None:
    """Wait until the chat's tasks are done or failed; not where they wait for its memory to be switched on again."""
    before = store.tasks.queue(scope).waiting
    while before and store.chats.chat(scope).remembers:
        time.sleep(FOLLOW_S)
        now = store.tasks.queue(scope).waiting
        progress.update(max(0, before - now))
        before = now


if __name__ == "__main__":
    sys.exit(main())
