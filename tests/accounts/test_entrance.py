"""Coming in: the first admin, logging in, how long it holds, what it leaves in the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.entrance import digest
from accounts.errors import (
    AlreadySetUp,
    CodeWrong,
    LoginRefused,
    NameRefused,
    PasswordPlain,
    PasswordSame,
    PasswordWrong,
    TooManyAttempts,
)
from accounts.passwords import Cost
from accounts.throttle import ACCOUNT, ADDRESS
from storage.accounts import Left
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.accounts.conftest import ADA, BEN, HOME, Door, door_of

Wait = Callable[[timedelta], None]


def test_the_first_admin_needs_the_code_of_the_terminal(door: Door) -> None:
    assert door.entrance.waits_for_admin()
    with pytest.raises(CodeWrong):
        door.entrance.set_up("b2my-487m-r4n8-5bpu", name="Eve", password=ADA, take_over=True, address=HOME)
    with pytest.raises(CodeWrong):
        door.entrance.set_up("", name="Eve", password=ADA, take_over=True, address=HOME)
    spoken = door.entrance.code.replace("-", " ").upper()
    assert door.entrance.check_code(spoken, address=HOME) == Left(0, 0)
    ada = door.ada()
    assert (ada.name, ada.role, ada.must_change) == ("Ada", "admin", False)
    assert ada.user_id != LOCAL_USER
    assert not door.entrance.waits_for_admin()


def test_there_is_one_first_admin_however_many_come_at_once(door: Door) -> None:
    code, won, lost = door.entrance.code, [], []

    def come(name: str) -> None:
        try:
            won.append(door.entrance.set_up(code, name=name, password=ADA, take_over=False, address=HOME))
        except AlreadySetUp:
            lost.append(name)

    threads = [threading.Thread(target=come, args=(f"Ada {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(lost)) == (1, 3)
    assert len(door.store.accounts.all()) == 1
    assert not door_of(door.store).entrance.code, "a restart makes no new one"


def test_a_code_is_made_anew_at_each_start_until_it_was_used(store: Store) -> None:
    one, other = door_of(store).entrance, door_of(store).entrance
    assert one.code != other.code
    with pytest.raises(CodeWrong):
        other.check_code(one.code, address=HOME)


def test_what_the_local_user_wrote_is_the_first_admins_if_they_say_so(store: Store) -> None:
    store.chats.create(LOCAL_USER, character_id="c1", title="", language="en", user_name="You")
    door = door_of(store)
    assert door.entrance.check_code(door.entrance.code, address=HOME) == Left(1, 0)
    token = door.entrance.set_up(door.entrance.code, name="Ada", password=ADA, take_over=True, address=HOME)
    ada = door.visitor(token)
    assert ada.user_id == LOCAL_USER
    assert len(store.chats.of_user(ada.user_id)) == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u0000b", "\u202e\u202d", "!!!", "\u3164", "Ada\ufe0f", "Ada\u034f", "Ada\u2800"])
def test_a_name_can_be_seen(door: Door, name: str) -> None:
    with pytest.raises(NameRefused):
        door.entrance.set_up(door.entrance.code, name=name, password=ADA, take_over=False, address=HOME)
    assert door.entrance.waits_for_admin()


def test_a_picture_may_stand_in_a_name(door: Door) -> None:
    door.entrance.set_up(door.entrance.code, name="Ada \u2764\ufe0f", password=ADA, take_over=False, address=HOME)
    assert not door.entrance.waits_for_admin()


def test_a_token_is_in_the_database_as_a_hash_alone(door: Door) -> None:
    token = door.entrance.set_up(door.entrance.code, name="Ada", password=ADA, take_over=False, address=HOME)
    assert len(token) == 43, "256 bits"
    rows = str([tuple(row) for row in door.store.database.read().execute("SELECT * FROM login JOIN account USING (user_id)")])
    assert token not in rows
    assert ADA not in rows
    assert digest(token) in rows
    assert door.entrance.visitor(digest(token)) is None, "the hash is no token"


def test_a_login_is_new_each_time_and_ends_alone(door: Door) -> None:
    ada = door.ada()
    one, other = (door.entrance.log_in(" ADA ", ADA, address=HOME) for _ in range(2))
    assert one != other
    door.entrance.log_out(door.visitor(one))
    assert door.entrance.visitor(one) is None
    assert door.visitor(other).user_id == ada.user_id
    assert door.entrance.logins(ada) == 2
    door.entrance.log_out_everywhere(ada)
    assert door.entrance.visitor(other) is None
    assert door.entrance.logins(ada) == 0


def test_wrong_name_wrong_password_and_locked_are_refused_in_the_same_words(door: Door) -> None:
    ada = door.ada()
    ben = door.ben(ada)
    door.people.lock(ada, ben.user_id)
    said = set()
    for name, password in (("nobody", BEN), ("Ada", BEN), ("Ben", BEN), ("Ben", "x"), ("", ""), ("\udc80", "\udc80")):
        with pytest.raises(LoginRefused) as refused:
            door.entrance.log_in(name, password, address=HOME)
        said.add((str(refused.value), refused.value.code, str(refused.value.params)))
    assert len(said) == 1


def test_a_name_that_does_not_exist_costs_a_whole_comparison(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    door.ada()
    import accounts.entrance as module

    compared = []
    real = module.matches
    monkeypatch.setattr(module, "matches", lambda password, kept: compared.append(kept) or real(password, kept))
    for name in ("Ada", "nobody"):
        with pytest.raises(LoginRefused):
            door.entrance.log_in(name, "not it at all", address=HOME)
    assert len(compared) == 2
    assert {kept.split("$")[1] for kept in compared} == {"4,8,1"}


def test_a_login_ends_unused_and_ends_however_used(store: Store, later: Wait) -> None:
    door = door_of(store, idle=timedelta(hours=2), longest=timedelta(hours=5))
    door.ada()
    token = door.entrance.log_in("Ada", ADA, address=HOME)
    for _ in range(4):
        later(timedelta(hours=1))
        assert door.entrance.visitor(token) is not None
    later(timedelta(hours=1, seconds=1))
    assert door.entrance.visitor(token) is None, "five hours are the most"
    token = door.entrance.log_in("Ada", ADA, address=HOME)
    later(timedelta(hours=2, seconds=1))
    assert door.entrance.visitor(token) is None, "two hours unused"
    door.entrance.log_in("Ada", ADA, address=HOME)
    assert store.database.read().execute("SELECT count(*) FROM login").fetchone()[0] == 1, "the expired ones are gone"


def test_a_password_is_hashed_anew_at_todays_cost_when_its_owner_comes(store: Store) -> None:
    door_of(store).ada()
    dearer = door_of(store, cost=Cost(5, 8, 1))
    before = store.accounts.all()[0].password
    with pytest.raises(LoginRefused):
        dearer.entrance.log_in("Ada", "not it at all", address=HOME)
    assert store.accounts.all()[0].password == before
    dearer.entrance.log_in("Ada", ADA, address=HOME)
    assert store.accounts.all()[0].password.startswith("scrypt$5,8,1$")
    dearer.entrance.log_in("Ada", ADA, address=HOME)


def test_a_new_password_ends_every_login_but_the_one_it_gives(door: Door) -> None:
    ada = door.ada()
    other = door.entrance.log_in("Ada", ADA, address=HOME)
    with pytest.raises(PasswordWrong):
        door.entrance.change_password(ada, present="not it at all", new=BEN, address=HOME)
    with pytest.raises(PasswordSame):
        door.entrance.change_password(ada, present=ADA, new=ADA, address=HOME)
    with pytest.raises(PasswordPlain):
        door.entrance.change_password(ada, present=ADA, new="ada ada ada", address=HOME)
    token = door.entrance.change_password(ada, present=ADA, new=BEN, address=HOME)
    assert door.visitor(token).user_id == ada.user_id
    assert door.entrance.visitor(other) is None
    assert door.entrance.still(ada.login) is None
    with pytest.raises(LoginRefused):
        door.entrance.log_in("Ada", ADA, address=HOME)


def test_an_account_is_guessed_at_slowly_whether_it_exists_or_not(door: Door, later: Wait) -> None:
    door.ada()
    told = {}
    for name in ("Ada", "nobody"):
        for number in range(ACCOUNT.free):
            with pytest.raises(LoginRefused):
                door.entrance.log_in(name, "not it at all", address=f"10.1.{number}.{len(told)}")
        with pytest.raises(TooManyAttempts) as refused:
            door.entrance.log_in(name, ADA, address="10.9.9.9")
        told[name] = refused.value.params["seconds"]
    assert told["Ada"] == told["nobody"]
    later(timedelta(seconds=ACCOUNT.first_s + 1))
    door.entrance.log_in("Ada", ADA, address="10.9.9.9")
    door.entrance.log_in("Ada", ADA, address="10.9.9.9")


def test_waits_grow_to_a_quarter_of_an_hour_and_not_by_knocking(door: Door, later: Wait) -> None:
    door.ada()
    waits = []
    for number in range(ACCOUNT.free + 9):
        with pytest.raises(LoginRefused):
            door.entrance.log_in("Ada", "not it at all", address=f"10.2.0.{number}")
        for _ in range(3):
            if number + 1 >= ACCOUNT.free:
                with pytest.raises(TooManyAttempts) as refused:
                    door.entrance.log_in("Ada", ADA, address="10.9.9.9")
        if number + 1 >= ACCOUNT.free:
            waits.append(refused.value.params["seconds"])
            later(timedelta(seconds=int(str(waits[-1])) + 1))
    # However slow this machine is, the first of the knocks comes within a second or two.
    expected = [15, 30, 60, 120, 240, 480, 900, 900, 900, 900]
    assert len(waits) == len(expected)
    assert all(most - 5 <= int(str(told)) <= most for told, most in zip(waits, expected, strict=True)), waits
    door.entrance.log_in("Ada", ADA, address="10.9.9.9")


def test_an_address_is_throttled_and_an_own_account_does_not_help(door: Door) -> None:
    ada = door.ada()
    door.ben(ada)
    for number in range(ADDRESS.free):
        with pytest.raises(LoginRefused):
            door.entrance.log_in(f"guess {number}", "not it at all", address="2001:db8::1")
        if number % 5 == 0:
            door.entrance.log_in("Ben", BEN, address="2001:db8::1")
    for address in ("2001:db8::1", "2001:db8::ffff:2"):
        with pytest.raises(TooManyAttempts):
            door.entrance.log_in("Ada", ADA, address=address)
    door.entrance.log_in("Ada", ADA, address="2001:db8:0:1::1")


def test_a_hundred_at_once_are_a_hundred(door: Door) -> None:
    door.ada()
    looked_at = []

    def guess(number: int) -> None:
        try:
            door.entrance.log_in("Ada", f"guess number {number}", address=f"10.3.0.{number}")
        except TooManyAttempts:
            return
        except LoginRefused:
            looked_at.append(number)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(looked_at) == ACCOUNT.free


def test_what_was_typed_as_a_name_is_not_kept(door: Door) -> None:
    door.ada()
    with pytest.raises(LoginRefused):
        door.entrance.log_in("my secret password", "x", address="192.0.2.77")
    rows = str([tuple(row) for row in door.store.database.read().execute("SELECT * FROM login_failure")])
    assert "secret" not in rows
    assert "192.0.2.77" not in rows


def test_failures_are_bounded_and_forgotten(door: Door, later: Wait, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.throttle.MOST_KEYS", 10)
    door.ada()
    for number in range(20):
        with pytest.raises(LoginRefused):
            door.entrance.log_in(f"guess {number}", "x", address=f"10.4.0.{number}")
    assert door.store.database.read().execute("SELECT count(*) FROM login_failure").fetchone()[0] <= 10
    later(timedelta(days=1, seconds=1))
    door.entrance.log_in("Ada", ADA, address="10.9.9.9")
    left = door.store.database.read().execute("SELECT sum(count) FROM login_failure").fetchone()[0]
    assert not left
