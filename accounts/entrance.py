"""Coming in and going out: the first admin, logging in, who a token stands for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass
from datetime import timedelta

from accounts.errors import AlreadySetUp, CodeWrong, LoginRefused, PasswordSame, PasswordWrong
from accounts.names import checked_name, name_key
from accounts.passwords import COST, Cost, check, hashed, made_up, matches, outdated
from accounts.throttle import FORGOTTEN_S, Throttle
from storage.accounts import Account, Accounts, Left, Login, Role
from storage.database import left_for_later
from storage.records import now_ms
from storage.scope import LOCAL_USER

TOKEN_BYTES = 32
SEEN_EVERY_S = 300
"""A login that is in use is noted so often: each note is a write to the disk."""
AT_ONCE = 2
"""Passwords checked at the same time; each takes 32 MiB and a core."""
SET_UP = "\n"
"""Before an address: what the throttle counts guesses of the set-up code under. No account's name has a line break. Not one count for all: a stranger's
guesses would keep the owner of the house out."""


@dataclass(frozen=True)
class Visitor:
    """Who is logged in."""

    user_id: str
    name: str
    role: Role
    must_change: bool
    """Their password was made up by an admin: nothing but changing it is open to them."""
    login: str
    """The hash of their token."""


class Entrance:
    """idle, longest: how long a login lasts unused, and at most; cost: of passwords hashed from now on."""

    def __init__(self, accounts: Accounts, *, idle: timedelta, longest: timedelta, cost: Cost = COST) -> None:
        self._accounts = accounts
        self._idle_ms = int(idle.total_seconds() * 1000)
        self._longest_ms = int(longest.total_seconds() * 1000)
        self.longest = longest
        self.cost = cost
        self.throttle = Throttle(accounts)
        self._nobody = hashed(secrets.token_hex(16), cost)
        """What the password of a name that does not exist is compared with, so that it takes as long."""
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self.code = "" if accounts.has_admin() else made_up()
        """Told in the terminal alone, made anew at each start until there is an admin, from when on it opens nothing."""

    # The first admin

    def waits_for_admin(self) -> bool:
        return bool(self.code) and not self._accounts.has_admin()

    def check_code(self, code: str, *, address: str) -> Left:
        """What the local user has. Raises AlreadySetUp, CodeWrong or TooManyAttempts."""
        if not self.waits_for_admin():
            raise AlreadySetUp("There is an admin already.")
        self.throttle.admit(account=SET_UP + address, address=address)
        if not hmac.compare_digest(_plain(code), _plain(self.code)):
            raise CodeWrong("This is not the code that stands in the terminal.")
        self.throttle.passed(account=SET_UP + address, address=address)
        return self._accounts.left_by(LOCAL_USER)

    def set_up(self, code: str, *, name: str, password: str, take_over: bool, address: str) -> str:
        """Make the first admin, who is logged in with the token that is returned. take_over: whether the local user's conversations are theirs from now on.

        Raises as `check_code`, and what `checked_name` and `check` raise.
        """
        self.check_code(code, address=address)
        shown = checked_name(name)
        check(password, name=shown)
        with self._turns:
            kept = hashed(password, self.cost)
        user_id = LOCAL_USER if take_over else secrets.token_hex(16)
        if not self._accounts.add(
            user_id, name=shown, name_key=name_key(shown), role="admin", password=kept, must_change=False, first=True
        ):
            raise AlreadySetUp("There is an admin already.")
        return self._admit(user_id, kept)

    # Logging in and out

    def log_in(self, name: str, password: str, *, address: str) -> str:
        """A new token. Raises LoginRefused whatever was wrong, or TooManyAttempts."""
        key = name_key(name)
        self.throttle.admit(account=key, address=address)
        account = self._accounts.by_name(key)
        kept = account.password if account is not None else self._nobody
        with self._turns:
            right = matches(password, kept)
            if account is None or not right or account.locked:
                raise _refused()
            if outdated(kept, self.cost):
                fresh = hashed(password, self.cost)
                self._accounts.rehash(account.user_id, old=kept, new=fresh)
                kept = fresh
        token = self._admit(account.user_id, kept)
        self.throttle.passed(account=key, address=address)
        return token

    def _admit(self, user_id: str, kept: str) -> str:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        if not self._accounts.log_in(user_id, digest(token), password=kept):
            raise _refused()
        now = now_ms()
        self._accounts.sweep(begun_after=now - self._longest_ms, seen_after=now - self._idle_ms, failed_after=now - FORGOTTEN_S * 1000)
        return token

    def visitor(self, token: str) -> Visitor | None:
        """Who a token stands for; None for nobody."""
        return self.still(digest(token))

    def still(self, login: str) -> Visitor | None:
        """Whether a login holds, by its hash, and whose it is now. Notes, now and then, that it is in use."""
        now = now_ms()
        found = self._accounts.login(login, begun_after=now - self._longest_ms, seen_after=now - self._idle_ms)
        if found is None:
            return None
        if now - found.seen_at > SEEN_EVERY_S * 1000:
            with left_for_later():  # who is logged in reads on
                self._accounts.seen(login)
        return _visitor(found)

    def log_out(self, visitor: Visitor) -> None:
        self._accounts.log_out(visitor.login)

    def log_out_everywhere(self, visitor: Visitor) -> None:
        self._accounts.log_out_everywhere(visitor.user_id)

    def logins(self, visitor: Visitor) -> int:
        """In how many browsers they are logged in."""
        return self._accounts.logins(visitor.user_id)

    # One's own account

    def change_password(self, visitor: Visitor, *, present: str, new: str, address: str) -> str:
        """Ends every login of the account, and returns the token of a new one. Raises PasswordWrong, TooManyAttempts and what `check` raises."""
        account = self.confirmed(visitor, present, address=address)
        check(new, name=account.name)
        with self._turns:
            if matches(new, account.password):
                raise PasswordSame("The new password is the present one.")
            kept = hashed(new, self.cost)
        self._accounts.set_password(account.user_id, kept, must_change=False)
        return self._admit(account.user_id, kept)

    def confirmed(self, visitor: Visitor, password: str, *, address: str) -> Account:
        """The visitor's account, once they have said their password again. Raises PasswordWrong or TooManyAttempts."""
        account = self._accounts.of_user(visitor.user_id)
        if account is None:
            raise _refused()
        key = name_key(account.name)
        self.throttle.admit(account=key, address=address)
        with self._turns:
            if not matches(password, account.password):
                raise PasswordWrong("This is not your present password.")
        self.throttle.passed(account=key, address=address)
        return account


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _visitor(login: Login) -> Visitor:
    account = login.account
    return Visitor(account.user_id, account.name, account.role, account.must_change, login.token_sha256)


def _plain(code: str) -> bytes:
    return "".join(c for c in code.casefold() if c.isalnum()).encode("utf-8", "surrogatepass")


def _refused() -> LoginRefused:
    return LoginRefused("Name and password do not belong together, or the account is locked.")
