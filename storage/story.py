"""What a person decides about a chat's story: how it is divided (its preset, chapters closed early), what day it is in it, what its author notes, who
the player is in it.

All are steps of the undo log.
"""

from __future__ import annotations

from storage.chat_rows import append_message
from storage.operations import Operations
from storage.paths import PATH
from storage.records import AuthorsNote, NewMessage, StoryClock, to_ms
from storage.scope import Scope
from storage.undo import Change, value_now


class StoryDivision(Operations):
    def end(self, scope: Scope, branch_id: str, message_id: str) -> None:
        """Close the branch's open chapter with the round of a message of its path. NotFound if it is not on it."""
        with self._operation(scope) as connection:
            self._on_path(connection, scope, branch_id, message_id)
            self._record(connection, scope, branch_id, "summarise", [Change("end", (branch_id, message_id), None, True)])

    def choose(self, scope: Scope, branch_id: str, preset: str) -> bool:
        """Divide the chat's story by a preset from now on; False if it is so already. branch_id: where the person was."""
        with self._operation(scope) as connection:
            change = Change("preset", (scope.chat_id,), None, preset)
            now = value_now(connection, scope.chat_id, change)
            if self._chats.chat(scope).story == preset:
                return False
            self._record(connection, scope, branch_id, "preset", [Change("preset", change.target, now, preset)])
            return True

    def set_clock(self, scope: Scope, branch_id: str, clock: StoryClock | None) -> bool:
        """Let what is written from now on be said by a clock, or when it is written (None); False if it is so already. branch_id: where the person was."""
        with self._operation(scope) as connection:
            if self._chats.chat(scope).clock == clock:
                return False
            change = Change("clock", (scope.chat_id,), None, [to_ms(clock.wall), to_ms(clock.story), int(clock.runs)] if clock else None)
            now = value_now(connection, scope.chat_id, change)
            self._record(connection, scope, branch_id, "clock", [Change("clock", change.target, now, change.after)])
            return True

    def set_note(self, scope: Scope, branch_id: str, note: AuthorsNote | None) -> bool:
        """Let the author's note be this from now on; False if it is so already. branch_id: where the person was."""
        with self._operation(scope) as connection:
            if self._chats.chat(scope).note == note:
                return False
            change = Change("note", (scope.chat_id,), None, [note.text, note.depth, note.every, note.role] if note else None)
            now = value_now(connection, scope.chat_id, change)
            self._record(connection, scope, branch_id, "note", [Change("note", change.target, now, change.after)])
            return True

    def play_as(self, scope: Scope, branch_id: str, player: tuple[str, str] | None, *, greeting: NewMessage | None = None) -> bool:
        """Let the player be a persona (its id, its name here) from now on, whichever is the default (two times nothing), or none; False if it is so already.
        greeting: put in the place of all that was said on the branch."""
        with self._operation(scope) as connection:
            value = list(player) if player else None
            change = Change("player", (scope.chat_id,), None, value)
            now = value_now(connection, scope.chat_id, change)
            if now == value:
                return False
            changes = [Change("player", change.target, now, value)]
            if greeting is not None:
                (head,) = connection.execute("SELECT head_id FROM branch WHERE id = ?", (branch_id,)).fetchone()
                connection.execute("UPDATE branch SET head_id = NULL WHERE id = ?", (branch_id,))
                message_id = append_message(connection, chat_id=scope.chat_id, branch_id=branch_id, new=greeting)
                changes.append(Change("head", (branch_id,), head, message_id))
                self._keep_undone(connection, scope, heads={branch_id: head})
            self._record(connection, scope, branch_id, "play_as", changes)
            return True

    def ends(self, scope: Scope, branch_id: str) -> dict[str, int]:
        """Messages of the branch's path with whose round a chapter was closed early, deleted and hidden ones among them: the round of each."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            if connection.execute("SELECT 1 FROM story_end WHERE branch_id = ? LIMIT 1", (branch_id,)).fetchone() is None:
                return {}
            rows = connection.execute(
                f"""WITH RECURSIVE {PATH} SELECT m.id, m.round FROM path p JOIN story_end e ON e.branch_id = :branch AND e.message_id = p.id
                JOIN message m ON m.id = p.id""",
                {"branch": branch_id},
            )
            return {row["id"]: row["round"] for row in rows}
