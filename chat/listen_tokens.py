"""By what other programs bring lines to a conversation that listens: tokens, and how fast they may."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from chat.checked import checked_name
from chat.errors import ListenTokensMany, ListenTokenWrong, ListenTooFast
from chat.operations import open_chat
from storage.listening import Admitted, ListenToken
from storage.scope import LOCAL_USER
from storage.store import Store

TOKEN_BYTES = 32
MARK = "kl_"
"""Before each token, so that one that lies about is known for what it is."""
MOST_TOKENS = 10
"""Of one conversation."""
MOST_KEYS = 1_000
"""Conversations and addresses whose pace is remembered."""


@dataclass(frozen=True)
class Pace:
    """burst: so many at once; each_s: so many a second from then on."""

    burst: float
    each_s: float


REQUESTS, LINES = Pace(60, 10), Pace(5_000, 200)
"""Of one conversation. Memory keeps up with a line or two a second, and works off the rest behind."""
WRONG = Pace(20, 0.1)
"""Requests with a wrong token, of one address: they cost next to nothing, and no token can be guessed."""


class Buckets:
    """How much each may still do; in memory, as a start forgives. clock: seconds that only rise."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, what: str, whose: str, pace: Pace, count: float = 1) -> float:
        """Seconds until so much may be done; 0 where it may be now, and then it is counted."""
        with self._lock:
            now = self._clock()
            left, at = self._left.pop((what, whose), (pace.burst, now))
            left = min(pace.burst, left + (now - at) * pace.each_s)
            wait = max(0.0, (min(count, pace.burst) - left) / pace.each_s)
            self._left[what, whose] = (left if wait else left - count, now)
            while len(self._left) > MOST_KEYS:
                del self._left[next(iter(self._left))]
            return wait


class ListenTokens:
    def __init__(self, store: Store, *, buckets: Buckets | None = None) -> None:
        self._store = store
        self._buckets = buckets or Buckets()

    def all(self, user_id: str, chat_id: str) -> list[ListenToken]:
        return self._store.listening.tokens(open_chat(self._store, user_id, chat_id)[0])

    def make(self, user_id: str, chat_id: str, *, name: str) -> str:
        """A new token, which is shown now and never again: its hash alone is kept. Raises ListenTokensMany and NameTooLong."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        called, token = checked_name(name), MARK + secrets.token_urlsafe(TOKEN_BYTES)
        with self._store.database.write():
            if len(self._store.listening.tokens(scope)) >= MOST_TOKENS:
                raise ListenTokensMany(f"A conversation may have {MOST_TOKENS} tokens. Revoke one that is not used.", limit=MOST_TOKENS)
            self._store.listening.add_token(scope, name=called, sha256=_digest(token))
        return token

    def revoke(self, user_id: str, chat_id: str, token_id: str) -> None:
        """From now on it opens nothing; one that is gone already is no fault."""
        self._store.listening.revoke(open_chat(self._store, user_id, chat_id)[0], token_id)

    def admit(self, token: str, chat_id: str, *, address: str, accounts: bool) -> Admitted:
        """Whose conversation a program may bring lines to. accounts: whether there are any; else all that is served is the local user's. Raises ListenTokenWrong,
        also for a token of another conversation, and ListenTooFast."""
        found = self._store.listening.admitted(_digest(token))
        if found is None or found.chat_id != chat_id or not self._served(found.user_id, accounts=accounts):
            self._slow(self._buckets.take("wrong", address, WRONG))
            raise ListenTokenWrong("This token does not open this conversation: it was revoked, or belongs to another. Nothing was added.")
        self._store.listening.used(found.token_id)
        return found

    def _served(self, user_id: str, *, accounts: bool) -> bool:
        return self._store.accounts.of_user(user_id) is not None if accounts else user_id == LOCAL_USER

    def pace(self, chat_id: str, *, lines: int = 0) -> None:
        """Count a request, or its lines. Raises ListenTooFast."""
        self._slow(self._buckets.take("lines", chat_id, LINES, lines) if lines else self._buckets.take("requests", chat_id, REQUESTS))

    @staticmethod
    def _slow(wait: float) -> None:
        if wait > 0:
            seconds = ceil(wait)
            raise ListenTooFast(f"Too much at once. Nothing was added; send it again in {seconds} seconds.", seconds=seconds)


def _digest(token: str) -> str:
    """What is kept of a token. It is random: a slow hash would protect nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
