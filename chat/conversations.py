"""Whole conversations: their names, the bin they go to, and erasing. Every method checks whose they are."""

from __future__ import annotations

from collections.abc import Callable

from chat import views
from chat.checked import checked_name
from chat.operations import open_chat
from chat.replies import ReplyJobs
from chat.tree_views import binned_chats_view
from storage.errors import ChangedElsewhere
from storage.scope import Scope
from storage.store import Store


class Conversations:
    """finish_erasures: makes files and index follow what was erased."""

    def __init__(self, store: Store, jobs: ReplyJobs, *, finish_erasures: Callable[[], object]) -> None:
        self._store = store
        self._jobs = jobs
        self._finish_erasures = finish_erasures

    def rename(self, user_id: str, chat_id: str, title: str) -> None:
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._store.chats.rename(scope, checked_name(title))

    def file(self, user_id: str, chat_id: str, folder: str) -> None:
        """Put a chat into a folder of its user's list; "" takes it out of one. Raises NameTooLong."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._store.chats.arrange(scope, folder=checked_name(folder))

    def rename_folder(self, user_id: str, folder: str, name: str) -> None:
        """Give a folder another name, that of another folder among them; "" empties it. Raises NameTooLong."""
        clean = checked_name(name)
        with self._store.database.write():
            for chat in self._store.chats.of_user(user_id):
                if folder and chat.folder == folder:
                    self._store.chats.arrange(Scope.of(user_id, chat.id), folder=clean)

    def favour(self, user_id: str, chat_id: str, *, favourite: bool) -> None:
        """Let a chat stand on top of its user's list, or where it belongs."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._store.chats.arrange(scope, favourite=favourite)

    def archive(self, user_id: str, chat_id: str, *, archived: bool) -> None:
        """Put a chat out of sight in its user's list, or back. It goes on as it is: it is opened, searched and remembered like any other."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._store.chats.arrange(scope, archived=archived)

    def delete(self, user_id: str, chat_id: str) -> None:
        """Put a chat into the bin; a reply under way is stopped first."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._end_reply(chat_id)
        self._store.chats.bin(scope)

    def erase(self, user_id: str, chat_id: str) -> None:
        """Erase a chat, in the bin or not, with every byte of its text, copies in backups included. Raises ErasureUnfinished if it takes another start."""
        if chat_id not in {chat.id for chat in self.binned(user_id)}:
            open_chat(self._store, user_id, chat_id)  # another's reply is not to be stopped either
        self._end_reply(chat_id)
        self._store.erasures.chat(user_id, chat_id)
        self._finish_erasures()

    def erase_account(self, user_id: str) -> None:
        """Erase a user and everything of theirs, as `erase` does a chat. Raises ErasureUnfinished if it takes another start."""
        for chat_id in [*(chat.id for chat in self._store.chats.of_user(user_id)), *(chat.id for chat in self.binned(user_id))]:
            self._end_reply(chat_id)
        self._store.erasures.account(user_id)
        self._finish_erasures()

    def erase_binned(self, user_id: str, chat_id: str) -> None:
        """`erase` as a page asks for it that shows the chat in the bin; ChangedElsewhere if it is not there any more."""
        if chat_id not in {chat.id for chat in self.binned(user_id)}:
            raise ChangedElsewhere("This conversation is not in the bin any more. Nothing was erased.")
        self.erase(user_id, chat_id)

    def bin_weight(self, user_id: str, chat_id: str) -> views.BinWeightView:
        """What `empty_bin` would erase."""
        open_chat(self._store, user_id, chat_id)
        found = self._store.erasures.unshown(user_id, chat_id)
        return views.BinWeightView(found.messages, found.branches, found.memories)

    def empty_bin(self, user_id: str, chat_id: str, *, edition: int) -> int:
        """Erase what no branch of a chat shows any more; how many messages. Raises as `erase` does."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        self._store.tree.claim(scope, edition)
        self._end_reply(chat_id)
        count = self._store.erasures.empty_bin(user_id, chat_id)
        self._finish_erasures()
        return count

    def _end_reply(self, chat_id: str) -> None:
        job = self._jobs.get(chat_id)
        if job is not None and job.active:
            job.stop()
            job.wait(10.0)

    def binned(self, user_id: str) -> tuple[views.BinnedChatView, ...]:
        return binned_chats_view(self._store, user_id)

    def restore(self, user_id: str, chat_id: str) -> None:
        self._store.chats.unbin(user_id, chat_id)
