"""For whoever sits at the computer: `python -m accounts list | password NAME`. The app may be running."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from accounts.names import name_key
from accounts.passwords import COST, hashed, made_up
from accounts.throttle import Throttle
from errors import KeepsakeError
from settings import read_settings
from storage.folder import DataFolder
from storage.store import Store


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0, or 1 if it could not be done."""
    parser = argparse.ArgumentParser(prog="python -m accounts", description="Accounts of Keepsake's data folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="names, roles, since when")
    renewing = commands.add_parser(
        "password", help="a new password, to be changed at the next login; unlocks the account and logs it out everywhere"
    )
    renewing.add_argument("name", metavar="NAME")
    options = parser.parse_args(arguments)
    try:
        store = Store(DataFolder(read_settings().data_dir))
        try:
            return _list(store) if options.command == "list" else _renew(store, options.name)
        finally:
            store.close()
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1


def _list(store: Store) -> int:
    for account in store.accounts.all():
        since = datetime.fromtimestamp(account.created_at / 1000, tz=UTC)
        print(f"{account.name}  {account.role}  since {since:%Y-%m-%d}{'  locked' if account.locked else ''}")
    return 0


def _renew(store: Store, name: str) -> int:
    account = store.accounts.by_name(name_key(name))
    if account is None:
        print(f"There is no account called {name}; `python -m accounts list` names them.", file=sys.stderr)
        return 1
    password = made_up()
    store.accounts.set_password(account.user_id, hashed(password, COST), must_change=True)
    store.accounts.unlock(account.user_id)
    Throttle(store.accounts).forgive(name_key(name))
    print(f"{account.name} has a new password, told this once: {password}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
