"""The sample stories in a user's list: added through the same engine as any import, marked, and removed whole.

A story is written in batches of rounds, each with the tasks that make its memory; what builds that is the worker. Either goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from tqdm import tqdm

from chat.conversations import Conversations
from chat.errors import NoSuchSample
from chat.import_formats import read_conversations, select
from chat.imported import ImportedConversation
from chat.importer import Cast, Importer
from chat.operations import open_chat
from chat.views import SampleView
from personas.stories import STORIES, Story, story_of
from storage.errors import NotFound
from storage.samples import SampleRow, sample_key
from storage.scope import Scope
from storage.store import Store

KEYS = tuple(story.key for story in STORIES)
REMOVED, BINNED = "removed", "binned"
"""What became of a sample that was taken away."""


class Samples:
    """wake: tells the worker of new tasks; demo: whether a reader who has nothing open is brought to a sample."""

    def __init__(self, store: Store, conversations: Conversations, *, wake: Callable[[], None], demo: bool) -> None:
        self._store = store
        self._conversations = conversations
        self._wake = wake
        self._demo = demo

    def views(self, user_id: str) -> tuple[SampleView, ...]:
        """Every story there is, whether the user has it or not."""
        rows = self._store.samples.of_user(user_id, KEYS)
        return tuple(self._view(user_id, story, rows.get(story.key)) for story in STORIES)

    def _view(self, user_id: str, story: Story, found: SampleRow | None) -> SampleView:
        here = found.chat_id if found is not None and not found.binned else ""
        progress = self._store.task_list.progress(Scope.of(user_id, here)) if here else None
        working = progress is not None and progress.waiting + progress.running > 0
        # What waits for its memory to be switched on again is not being read.
        working = working and self._store.chats.chat(Scope.of(user_id, here)).remembers
        return SampleView(
            key=story.key,
            language=story.language,
            title=story.title,
            about=story.about,
            character=story.character,
            rounds=sum(m.speaker == story.player for m in _read(story).messages),
            chat_id=here,
            binned=found is not None and found.binned,
            done=progress.done if working and progress else 0,
            total=progress.total if working and progress else 0,
            failed=progress.failed if progress else 0,
        )

    def add(self, user_id: str, key: str) -> str:
        """The story's chat: written now, taken out of the bin, or the one that is there. Raises NoSuchSample, StorageFull or StorageFailed."""
        story = story_of(key)
        if story is None:
            raise NoSuchSample("There is no such sample story. Nothing was changed.")
        found = self._store.samples.of_user(user_id, KEYS).get(key)
        if found is not None:
            if found.binned:
                self._conversations.restore(user_id, found.chat_id)
            return found.chat_id
        return self._write(self._importer(user_id, story))

    def _importer(self, user_id: str, story: Story) -> Importer:
        """With the chat, which is made if it is not there."""
        return Importer(
            self._store,
            _read(story),
            Cast(story.player, story.character),
            character_id=story.character_id,
            language=story.language,
            user_id=user_id,
            known_as=sample_key(story.key),
        )

    def _write(self, importer: Importer) -> str:
        with tqdm(disable=True) as silent:
            importer.write(silent)
        self._wake()
        return importer.chat_id

    def add_all(self, user_id: str) -> bool:
        """Every story, all or none, for a user who has no conversation, in the bin or not; whether they were added."""
        with self._store.database.write():
            if self._store.chats.of_user(user_id) or self._store.chats.binned(user_id):
                return False
            importers = [self._importer(user_id, story) for story in reversed(STORIES)]  # what is written last stands on top
        for importer in importers:
            self._write(importer)
        return True

    def resume(self) -> int:
        """Write what a program that was ended in the middle had not written yet; of how many samples. In one that somebody changed nothing is missing: to
        change it, it must have been open."""
        resumed = 0
        for user_id, key, row in self._store.samples.everybodys(KEYS):
            story, scope = story_of(key), Scope.of(user_id, row.chat_id)
            if story is None or row.binned or not self._store.samples.untouched(scope):
                continue
            if len(self._store.chats.external_ids(scope)) < len(_read(story).messages):
                self._write(self._importer(user_id, story))
                resumed += 1
        return resumed

    def chats(self, user_id: str) -> frozenset[str]:
        """Which of the user's chats are samples."""
        return frozenset(row.chat_id for row in self._store.samples.of_user(user_id, KEYS).values() if not row.binned)

    def shown_first(self, user_id: str, language: str) -> str:
        """The sample that a reader of this language is brought to, else any of them; empty if there is none, or this is no demonstration."""
        if not self._demo:
            return ""
        there = [view for view in self.views(user_id) if view.chat_id]
        return next((view.chat_id for view in sorted(there, key=lambda view: view.language != language)), "")

    def remove(self, user_id: str, chat_id: str) -> str:
        """Take a sample away: REMOVED, with all that was made of it, where nothing of the user's own is in it (it can be added again); else BINNED, as any
        conversation is. Raises NotFound for what is no sample of the user's, or ErasureUnfinished."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        if chat_id not in self.chats(user_id):
            raise NotFound("This is no sample story. Nothing was changed.")
        if not self._store.samples.untouched(scope):
            self._conversations.delete(user_id, chat_id)
            return BINNED
        self._conversations.erase(user_id, chat_id)
        return REMOVED


@cache
def _read(story: Story) -> ImportedConversation:
    """The story as any file of its layout is read."""
    found = select(read_conversations(story.path), user=story.player, character=story.character, sample=None)
    return replace(found, key=story.key, title=story.title)
