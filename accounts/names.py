"""Names of accounts: how they are written, how they are compared, whose they are."""

from __future__ import annotations

import re
import unicodedata

from accounts.errors import NameRefused, NoSuchAccount
from storage.accounts import Accounts
from storage.scope import LOCAL_USER

MAX_CHARS = 40
_MAX_LOOKED_AT = 200
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
    "|(?<![\u2100-\u2bff\u3030\u303d\U0001f000-\U0001faff])\ufe0f"  # behind a symbol it makes a picture of it
)
"""Letters and marks that show nothing, though they count as printable: with one, a name looks like another's."""


def checked_name(name: str) -> str:
    """The name as it is kept. Raises NameRefused."""
    shown = " ".join(unicodedata.normalize("NFC", name[:_MAX_LOOKED_AT]).split())
    if not 1 <= len(shown) <= MAX_CHARS or not shown.isprintable() or not any(c.isalnum() for c in shown) or _UNSEEN.search(shown):
        raise NameRefused(f"A name has 1 to {MAX_CHARS} characters that can be seen, a letter or a digit among them.", most=MAX_CHARS)
    return shown


def user_named(accounts: Accounts, name: str | None) -> str:
    """Whose a command's work is: of the account of this name, of the local user without one. Raises NoSuchAccount."""
    if name is None:
        return LOCAL_USER
    account = accounts.by_name(name_key(name))
    if account is None:
        raise NoSuchAccount(f"There is no account called {name}; `python -m accounts list` names them. Nothing was changed.")
    return account.user_id


def name_key(name: str) -> str:
    """Two names with one key are one: capitals, wide letters and spaces around make no other person."""
    storable = name[:_MAX_LOOKED_AT].encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFKC", storable).casefold().split())
