"""What an admin does with accounts. Nothing here reads a conversation."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from accounts.entrance import Entrance, Visitor
from accounts.errors import LastAdmin, NameTaken, NoSuchAccount, NotAllowed
from accounts.names import checked_name, name_key
from accounts.passwords import hashed, made_up
from storage.accounts import ROLES, Account, Accounts, Role


class People:
    """erase: erases a user with everything of theirs. Every method but `remove_own` raises NotAllowed for whoever is no admin."""

    def __init__(self, accounts: Accounts, entrance: Entrance, *, erase: Callable[[str], None]) -> None:
        self._accounts = accounts
        self._throttle = entrance.throttle
        self._cost = entrance.cost
        self._erase = erase

    def all(self, visitor: Visitor) -> list[Account]:
        _admin(visitor)
        return self._accounts.all()

    def add(self, visitor: Visitor, *, name: str, role: str) -> str:
        """The password of the new account, told once; it must be changed at the first login. Raises NameRefused or NameTaken."""
        _admin(visitor)
        shown, password = checked_name(name), made_up()
        if not self._accounts.add(
            secrets.token_hex(16),
            name=shown,
            name_key=name_key(shown),
            role=_role(role),
            password=hashed(password, self._cost),
            must_change=True,
        ):
            raise NameTaken("There is an account of this name.", name=shown)
        return password

    def new_password(self, visitor: Visitor, user_id: str) -> str:
        """As for `add`; whoever is logged in to the account is not any more."""
        account, password = self._account(visitor, user_id), made_up()
        self._accounts.set_password(account.user_id, hashed(password, self._cost), must_change=True)
        self._throttle.forgive(name_key(account.name))
        return password

    def set_role(self, visitor: Visitor, user_id: str, role: str) -> None:
        """Raises LastAdmin."""
        if not self._accounts.set_role(self._account(visitor, user_id).user_id, _role(role)):
            raise _last_admin()

    def lock(self, visitor: Visitor, user_id: str) -> None:
        """Out at once, data kept. Raises LastAdmin."""
        if not self._accounts.lock(self._account(visitor, user_id).user_id):
            raise _last_admin()

    def unlock(self, visitor: Visitor, user_id: str) -> None:
        account = self._account(visitor, user_id)
        self._accounts.unlock(account.user_id)
        self._throttle.forgive(name_key(account.name))

    def remove(self, visitor: Visitor, user_id: str) -> None:
        """The account and, erased for good, everything its user wrote. Raises LastAdmin, or ErasureUnfinished if it takes another start."""
        self._remove(self._account(visitor, user_id))

    def remove_own(self, account: Account) -> None:
        """As `remove`, by the person themselves. account: as `Entrance.confirmed` gave it."""
        self._remove(account)

    def _remove(self, account: Account) -> None:
        if not self._accounts.drop(account.user_id):
            raise _last_admin()
        self._throttle.forgive(name_key(account.name))
        self._erase(account.user_id)

    def _account(self, visitor: Visitor, user_id: str) -> Account:
        _admin(visitor)
        account = self._accounts.of_user(user_id)
        if account is None:
            raise NoSuchAccount("There is no such account any more.")
        return account


def _admin(visitor: Visitor) -> None:
    if visitor.role != "admin" or visitor.must_change:
        raise NotAllowed("Only an admin may do this.")


def _role(role: str) -> Role:
    found = next((known for known in ROLES if known == role), None)
    if found is None:
        raise NotAllowed("There is no such role.")
    return found


def _last_admin() -> LastAdmin:
    return LastAdmin("This is the only admin. Make another account an admin first.")
