"""A door before a real database, with passwords that cost next to nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest

from accounts.entrance import Entrance, Visitor
from accounts.passwords import Cost
from accounts.people import People
from storage.store import Store

CHEAP = Cost(4, 8, 1)
ADA, BEN = "correct horse ada", "ben likes rivers"
HOME = "10.0.0.1"


@dataclass
class Door:
    store: Store
    entrance: Entrance
    people: People
    erased: list[str]

    def visitor(self, token: str) -> Visitor:
        found = self.entrance.visitor(token)
        assert found is not None
        return found

    def ada(self) -> Visitor:
        """The first admin, logged in."""
        return self.visitor(self.entrance.set_up(self.entrance.code, name="Ada", password=ADA, take_over=False, address=HOME))

    def ben(self, ada: Visitor, *, role: str = "player", name: str = "Ben") -> Visitor:
        """A further account, whose password was chosen."""
        made = self.people.add(ada, name=name, role=role)
        first = self.visitor(self.entrance.log_in(name, made, address=HOME))
        return self.visitor(self.entrance.change_password(first, present=made, new=BEN, address=HOME))


def door_of(store: Store, *, idle: timedelta = timedelta(hours=1), longest: timedelta = timedelta(days=1), cost: Cost = CHEAP) -> Door:
    entrance = Entrance(store.accounts, idle=idle, longest=longest, cost=cost)
    erased: list[str] = []

    def erase(user_id: str) -> None:
        erased.append(user_id)
        store.erasures.account(user_id)

    return Door(store, entrance, People(store.accounts, entrance, erase=erase), erased)


@pytest.fixture
def door(store: Store) -> Door:
    return door_of(store)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Lets time go by."""
    from storage.records import now_ms

    gone = timedelta()

    def wait(more: timedelta) -> None:
        nonlocal gone
        gone += more

    def now() -> int:
        return now_ms() + int(gone.total_seconds() * 1000)

    for place in ("accounts.entrance", "accounts.throttle", "storage.accounts"):
        monkeypatch.setattr(f"{place}.now_ms", now)
    return wait
