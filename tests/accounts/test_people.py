"""What an admin may do, what nobody else may, and what becomes of what somebody wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from accounts.__main__ import main
from accounts.entrance import Visitor
from accounts.errors import LastAdmin, LoginRefused, NameTaken, NoSuchAccount, NotAllowed
from storage.backup import Backups
from storage.folder import DataFolder
from storage.store import Store
from tests.accounts.conftest import ADA, BEN, HOME, Door
from tests.conftest import open_chat

DEEDS: dict[str, Callable[[Door, Visitor, str], object]] = {
    "all": lambda door, who, user: door.people.all(who),
    "add": lambda door, who, user: door.people.add(who, name="Eve", role="admin"),
    "new_password": lambda door, who, user: door.people.new_password(who, user),
    "set_role": lambda door, who, user: door.people.set_role(who, user, "admin"),
    "lock": lambda door, who, user: door.people.lock(who, user),
    "unlock": lambda door, who, user: door.people.unlock(who, user),
    "remove": lambda door, who, user: door.people.remove(who, user),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("role", ["player", "annotator", "reviewer"])
def test_whoever_is_no_admin_does_nothing_with_accounts(door: Door, deed: str, role: str) -> None:
    ada = door.ada()
    ben = door.ben(ada, role=role)
    before = door.store.accounts.all()
    for user in (ben.user_id, ada.user_id):
        with pytest.raises(NotAllowed):
            DEEDS[deed](door, ben, user)
    assert door.store.accounts.all() == before


def test_every_deed_is_in_the_table_above(door: Door) -> None:
    assert {name for name in dir(door.people) if not name.startswith("_")} == {*DEEDS, "remove_own"}


def test_an_admin_whose_password_was_made_up_chooses_one_first(door: Door) -> None:
    ada = door.ada()
    made = door.people.add(ada, name="Cai", role="admin")
    cai = door.visitor(door.entrance.log_in("Cai", made, address=HOME))
    assert cai.must_change
    with pytest.raises(NotAllowed):
        door.people.all(cai)


def test_a_name_is_one_persons_however_it_is_written(door: Door) -> None:
    ada = door.ada()
    for name in ("ada", " ADA ", "Ａｄａ"):
        with pytest.raises(NameTaken):
            door.people.add(ada, name=name, role="player")
    with pytest.raises(NotAllowed):
        door.people.add(ada, name="Eve", role="owner")


def test_a_lock_acts_at_once_and_keeps_what_was_written(door: Door) -> None:
    ada = door.ada()
    ben = door.ben(ada)
    open_chat(door.store, ben.user_id).say("I keep bees.", number=1)
    door.people.lock(ada, ben.user_id)
    assert door.entrance.still(ben.login) is None
    with pytest.raises(LoginRefused):
        door.entrance.log_in("Ben", BEN, address=HOME)
    door.people.unlock(ada, ben.user_id)
    assert len(door.store.chats.of_user(door.visitor(door.entrance.log_in("Ben", BEN, address=HOME)).user_id)) == 1


def test_a_role_and_a_new_password_hold_at_once(door: Door) -> None:
    ada = door.ada()
    ben = door.ben(ada)
    door.people.set_role(ada, ben.user_id, "reviewer")
    again = door.entrance.still(ben.login)
    assert again is not None
    assert again.role == "reviewer"
    made = door.people.new_password(ada, ben.user_id)
    assert door.entrance.still(ben.login) is None
    with pytest.raises(LoginRefused):
        door.entrance.log_in("Ben", BEN, address=HOME)
    assert door.visitor(door.entrance.log_in("Ben", made, address=HOME)).must_change


def test_the_last_admin_stays(door: Door) -> None:
    ada = door.ada()
    for deed in ("lock", "remove"):
        with pytest.raises(LastAdmin):
            DEEDS[deed](door, ada, ada.user_id)
    with pytest.raises(LastAdmin):
        door.people.set_role(ada, ada.user_id, "player")
    with pytest.raises(LastAdmin):
        door.people.remove_own(door.entrance.confirmed(ada, ADA, address=HOME))
    ben = door.ben(ada, role="admin")
    door.people.lock(ada, ben.user_id)
    with pytest.raises(LastAdmin):
        door.people.set_role(ada, ada.user_id, "player")
    door.people.unlock(ada, ben.user_id)
    door.people.set_role(ada, ada.user_id, "player")
    assert door.erased == []


def test_whoever_is_removed_is_erased_with_every_word_backups_included(tmp_path: Path, door: Door) -> None:
    ada = door.ada()
    ben = door.ben(ada)
    open_chat(door.store, ben.user_id).say("The password is heliotrope.", number=1)
    folder = door.store.folder
    backup = Backups(folder, keep=3).make()
    assert backup is not None
    assert b"heliotrope" in backup.path.read_bytes()
    door.people.remove(ada, ben.user_id)
    door.store.erasures.finish()
    assert door.erased == [ben.user_id]
    assert door.entrance.still(ben.login) is None
    assert [account.name for account in door.store.accounts.all()] == ["Ada"]
    kept = {path.name: path.read_bytes() for path in folder.root.rglob("*") if path.is_file()}
    for secret in (b"heliotrope", b"Ben", ben.login.encode()):
        assert not [name for name, raw in kept.items() if secret in raw], secret
    with pytest.raises(NoSuchAccount):
        door.people.remove(ada, ben.user_id)
    door.people.add(ada, name="Ben", role="player")


def test_a_backup_has_the_accounts_and_nobody_who_is_logged_in(door: Door, tmp_path: Path) -> None:
    ada = door.ada()
    token = door.entrance.log_in("Ada", ADA, address=HOME)
    login = door.visitor(token).login
    folder: DataFolder = door.store.folder
    made = Backups(folder, keep=3).make()
    assert made is not None
    assert login.encode() not in made.path.read_bytes()
    with closing(sqlite3.connect(made.path)) as connection:
        assert connection.execute("SELECT name FROM account").fetchall() == [("Ada",)]
        connection.execute("INSERT INTO login VALUES (?, ?, 9e12, 9e12)".replace("9e12", "9000000000000"), (login, ada.user_id))
        connection.commit()
    door.store.close()
    Backups(folder, keep=3).restore(made.path)
    again = Store(folder)
    assert [account.name for account in again.accounts.all()] == ["Ada"]
    assert again.accounts.logins(ada.user_id) == 0, "a backup, also one that was tampered with, logs nobody in"
    again.close()


def test_whoever_sits_at_the_computer_can_give_a_new_password(
    door: Door, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = door.ada()
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(door.store.folder.root))
    assert main(["list"]) == 0
    assert capsys.readouterr().out.startswith("Ada  admin  since 20")
    assert main(["password", "nobody"]) == 1
    assert main(["password", "ADA"]) == 0
    made = capsys.readouterr().out.split()[-1]
    assert door.entrance.still(ada.login) is None
    assert door.visitor(door.entrance.log_in("Ada", made, address=HOME)).must_change
