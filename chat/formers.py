"""What memories were before a person decided about them, for as long as it is likely that the decision is taken back. In the program's memory alone."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict

from storage.errors import CannotUndo
from storage.former import Former

KEPT = 200
"""Decisions of everybody together."""


class Formers:
    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, str, Former]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, user_id: str, chat_id: str, former: Former) -> str:
        """What it is taken back by, once."""
        token = secrets.token_hex(8)
        with self._lock:
            self._kept[token] = (user_id, chat_id, former)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return token

    def take(self, user_id: str, chat_id: str, token: str) -> Former:
        """Raises CannotUndo for one that is not known, or is another's."""
        with self._lock:
            found = self._kept.get(token)
            if found is None or found[:2] != (user_id, chat_id):
                raise CannotUndo("This cannot be taken back any more. Nothing was changed.")
            del self._kept[token]
            return found[2]

    def drop(self, chat_id: str) -> None:
        """What was said of a chat's memories is kept no longer: some of it was erased."""
        with self._lock:
            for token in [token for token, (_, chat, _) in self._kept.items() if chat == chat_id]:
                del self._kept[token]
