"""Accounts, who is logged in, and failed logins: rows only. What is allowed is decided in `accounts`."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, get_args

from storage.database import Database
from storage.records import now_ms

Role = Literal["player", "annotator", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)

_ACCOUNT = """SELECT a.*, u.role, (SELECT max(l.seen_at) FROM login l WHERE l.user_id = a.user_id) AS seen_at
    FROM account a JOIN user u ON u.id = a.user_id"""
_ADMINS_LEFT = (
    "SELECT count(*) FROM account a JOIN user u ON u.id = a.user_id WHERE u.role = 'admin' AND a.locked_at IS NULL AND a.user_id <> ?"
)


@dataclass(frozen=True)
class Account:
    user_id: str
    name: str
    role: Role
    password: str
    """As `accounts.passwords` hashed it."""
    must_change: bool
    locked: bool
    created_at: int
    """Milliseconds since 1970 UTC."""
    seen_at: int | None
    """The same; of the logins that still stand."""


@dataclass(frozen=True)
class Login:
    """A browser that is logged in."""

    token_sha256: str
    account: Account
    created_at: int
    seen_at: int


@dataclass(frozen=True)
class Left:
    """What a user would leave to whoever takes their place: how many of each."""

    chats: int
    characters: int

    def __bool__(self) -> bool:
        return bool(self.chats or self.characters)


class Accounts:
    """What must hold together is one transaction here: the first admin, the last admin, a password and the logins it ends."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # Accounts

    def has_admin(self) -> bool:
        """Whether anybody was ever set up to see to accounts."""
        return self._one("SELECT 1 FROM account a JOIN user u ON u.id = a.user_id WHERE u.role = 'admin' LIMIT 1") is not None

    def by_name(self, name_key: str) -> Account | None:
        return _account(self._one(f"{_ACCOUNT} WHERE a.name_key = ?", name_key))

    def of_user(self, user_id: str) -> Account | None:
        return _account(self._one(f"{_ACCOUNT} WHERE a.user_id = ?", user_id))

    def all(self) -> list[Account]:
        """By name."""
        rows = self._db.read().execute(f"{_ACCOUNT} ORDER BY a.name_key").fetchall()
        return [account for row in rows if (account := _account(row)) is not None]

    def add(self, user_id: str, *, name: str, name_key: str, role: Role, password: str, must_change: bool, first: bool = False) -> bool:
        """False if the name is taken, or, for the `first` admin, if there is one. A user who is there already is given the account."""
        with self._db.write() as connection:
            if first and connection.execute("SELECT 1 FROM account a JOIN user u ON u.id = a.user_id WHERE u.role = 'admin'").fetchone():
                return False
            if connection.execute("SELECT 1 FROM account WHERE name_key = ? OR user_id = ?", (name_key, user_id)).fetchone():
                return False
            now = now_ms()
            connection.execute(
                "INSERT INTO user (id, name, role, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role",
                (user_id, name, role, now),
            )
            connection.execute(
                "INSERT INTO account (user_id, name, name_key, password, must_change, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (user_id, name, name_key, password, int(must_change), now),
            )
        return True

    def set_password(self, user_id: str, password: str, *, must_change: bool) -> None:
        """Every login of the account ends with its password."""
        with self._db.write() as connection:
            connection.execute("UPDATE account SET password = ?, must_change = ? WHERE user_id = ?", (password, int(must_change), user_id))
            connection.execute("DELETE FROM login WHERE user_id = ?", (user_id,))

    def rehash(self, user_id: str, *, old: str, new: str) -> None:
        """The same password at today's cost, unless it was changed meanwhile."""
        with self._db.write() as connection:
            connection.execute("UPDATE account SET password = ? WHERE user_id = ? AND password = ?", (new, user_id, old))

    def set_role(self, user_id: str, role: Role) -> bool:
        """False if it would leave no admin."""
        with self._db.write() as connection:
            if role != "admin" and _is_last_admin(connection, user_id):
                return False
            connection.execute("UPDATE user SET role = ? WHERE id = ? AND id IN (SELECT user_id FROM account)", (role, user_id))
        return True

    def lock(self, user_id: str) -> bool:
        """No login from now on, and none that stands; False if it would leave no admin."""
        with self._db.write() as connection:
            if _is_last_admin(connection, user_id):
                return False
            connection.execute("UPDATE account SET locked_at = coalesce(locked_at, ?) WHERE user_id = ?", (now_ms(), user_id))
            connection.execute("DELETE FROM login WHERE user_id = ?", (user_id,))
        return True

    def unlock(self, user_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE account SET locked_at = NULL WHERE user_id = ?", (user_id,))

    def drop(self, user_id: str) -> bool:
        """The account without its user's data, before these are erased; False if it would leave no admin."""
        with self._db.write() as connection:
            if _is_last_admin(connection, user_id):
                return False
            connection.execute("DELETE FROM login WHERE user_id = ?", (user_id,))
            connection.execute("DELETE FROM account WHERE user_id = ?", (user_id,))
        return True

    def left_by(self, user_id: str) -> Left:
        """What a user has, in the bin or not."""
        row = self._one(
            "SELECT (SELECT count(*) FROM chat WHERE user_id = ?1) AS chats, (SELECT count(*) FROM character WHERE user_id = ?1) AS characters",
            user_id,
        )
        return Left(row["chats"], row["characters"]) if row is not None else Left(0, 0)

    # Logins

    def log_in(self, user_id: str, token_sha256: str, *, password: str) -> bool:
        """False if the account is locked, gone, or has another password than the one that was checked."""
        with self._db.write() as connection:
            allowed = connection.execute(
                "SELECT 1 FROM account WHERE user_id = ? AND password = ? AND locked_at IS NULL", (user_id, password)
            ).fetchone()
            if allowed is None:
                return False
            now = now_ms()
            connection.execute(
                "INSERT INTO login (token_sha256, user_id, created_at, seen_at) VALUES (?, ?, ?, ?)", (token_sha256, user_id, now, now)
            )
        return True

    def login(self, token_sha256: str, *, begun_after: int, seen_after: int) -> Login | None:
        """Who is behind a token; None for one that is unknown, ended or expired, or of a locked account. Moments in milliseconds since 1970 UTC."""
        found = self._one(
            """SELECT l.user_id, l.created_at, l.seen_at FROM login l JOIN account a ON a.user_id = l.user_id
            WHERE l.token_sha256 = ? AND l.created_at > ? AND l.seen_at > ? AND a.locked_at IS NULL""",
            token_sha256,
            begun_after,
            seen_after,
        )
        account = self.of_user(found["user_id"]) if found is not None else None
        return Login(token_sha256, account, found["created_at"], found["seen_at"]) if found is not None and account is not None else None

    def seen(self, token_sha256: str) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE login SET seen_at = ? WHERE token_sha256 = ?", (now_ms(), token_sha256))

    def logins(self, user_id: str) -> int:
        row = self._one("SELECT count(*) FROM login WHERE user_id = ?", user_id)
        return int(row[0]) if row is not None else 0

    def log_out(self, token_sha256: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM login WHERE token_sha256 = ?", (token_sha256,))

    def log_out_everywhere(self, user_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM login WHERE user_id = ?", (user_id,))

    def sweep(self, *, begun_after: int, seen_after: int, failed_after: int) -> None:
        """Remove expired logins, and failures that count no more."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM login WHERE created_at <= ? OR seen_at <= ?", (begun_after, seen_after))
            connection.execute("DELETE FROM login_failure WHERE last_at <= ?", (failed_after,))

    # Failures

    def together(self) -> AbstractContextManager[object]:
        """Nobody else's write comes between the calls made within."""
        return self._db.write()

    def failures(self, key: str) -> tuple[int, int]:
        """How many, and when the last one was (milliseconds since 1970 UTC)."""
        row = self._one("SELECT count, last_at FROM login_failure WHERE key = ?", key)
        return (row["count"], row["last_at"]) if row is not None else (0, 0)

    def count_failure(self, key: str, *, most: int) -> None:
        """One more. most: rows that are kept; the oldest give way."""
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO login_failure (key, count, last_at) VALUES (?, 1, ?) ON CONFLICT (key) DO UPDATE SET count = count + 1, last_at = excluded.last_at",
                (key, now_ms()),
            )
            connection.execute(
                "DELETE FROM login_failure WHERE key IN (SELECT key FROM login_failure ORDER BY last_at DESC, key LIMIT -1 OFFSET ?)",
                (most,),
            )

    def uncount_failure(self, key: str) -> None:
        """One less: it was none."""
        with self._db.write() as connection:
            connection.execute("UPDATE login_failure SET count = count - 1 WHERE key = ? AND count > 0", (key,))

    def forgive(self, key: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM login_failure WHERE key = ?", (key,))

    def _one(self, sql: str, *values: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._db.read().execute(sql, values).fetchone()
        return row


def without_logins(connection: sqlite3.Connection) -> None:
    """Take out of a copy of the database who was logged in, and what programs may bring lines with: neither must come back with a backup. `secure_delete` is the
    caller's."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in ("login", "login_failure", "listen_token"):
        if table in tables:
            connection.execute(f"DELETE FROM {table}")


def _is_last_admin(connection: sqlite3.Connection, user_id: str) -> bool:
    """Whether an account is the only admin who is not locked."""
    role = connection.execute(
        "SELECT u.role FROM account a JOIN user u ON u.id = a.user_id WHERE a.user_id = ? AND a.locked_at IS NULL", (user_id,)
    ).fetchone()
    (others,) = connection.execute(_ADMINS_LEFT, (user_id,)).fetchone()
    return role is not None and role[0] == "admin" and not others


def _account(row: sqlite3.Row | None) -> Account | None:
    if row is None:
        return None
    return Account(
        user_id=row["user_id"],
        name=row["name"],
        role=row["role"],
        password=row["password"],
        must_change=bool(row["must_change"]),
        locked=row["locked_at"] is not None,
        created_at=row["created_at"],
        seen_at=row["seen_at"],
    )
