"""How often a language model was asked for a chat's replies and its memory, with how many tokens and seconds, by purpose."""

from __future__ import annotations

from dataclasses import dataclass

from storage.chats import Chats
from storage.database import Database
from storage.scope import Scope


@dataclass(frozen=True)
class ModelUse:
    purpose: str
    """`reply`, `draft`, or what memory asked: `facts`, `insights`, `persona`, `plot` and so on."""
    model: str
    calls: int
    failed: int
    """Of the calls, those that ended with an error."""
    prompt_tokens: int
    answer_tokens: int
    seconds: float


class ModelUses:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def add(self, scope: Scope, use: ModelUse) -> None:
        """Count further calls."""
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                """INSERT INTO model_use (chat_id, purpose, model, calls, failed, prompt_tokens, answer_tokens, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (chat_id, purpose, model) DO UPDATE SET calls = calls + excluded.calls, failed = failed + excluded.failed,
                    prompt_tokens = prompt_tokens + excluded.prompt_tokens, answer_tokens = answer_tokens + excluded.answer_tokens,
                    seconds = seconds + excluded.seconds""",
                (scope.chat_id, use.purpose, use.model, use.calls, use.failed, use.prompt_tokens, use.answer_tokens, use.seconds),
            )

    def all(self, scope: Scope) -> tuple[ModelUse, ...]:
        """Of the scope's one chat, by purpose."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT purpose, model, calls, failed, prompt_tokens, answer_tokens, seconds FROM model_use WHERE chat_id = ? ORDER BY purpose, model",
            (scope.chat_id,),
        )
        return tuple(ModelUse(**dict(row)) for row in rows)

    def of_user(self, user_id: str) -> tuple[ModelUse, ...]:
        """Of all chats of a user together, those in the bin included, by purpose; what was erased is counted no more."""
        rows = self._db.read().execute(
            """SELECT u.purpose, u.model, sum(u.calls) AS calls, sum(u.failed) AS failed, sum(u.prompt_tokens) AS prompt_tokens,
                sum(u.answer_tokens) AS answer_tokens, sum(u.seconds) AS seconds
            FROM model_use u JOIN chat c ON c.id = u.chat_id WHERE c.user_id = ? GROUP BY u.purpose, u.model ORDER BY u.purpose, u.model""",
            (user_id,),
        )
        return tuple(ModelUse(**dict(row)) for row in rows)
