"""How often somebody may try to log in: by account, whether there is one of that name or not, and by address."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil

from accounts.errors import TooManyAttempts
from storage.accounts import Accounts
from storage.records import now_ms

MOST_KEYS = 10_000
"""Names and addresses that are remembered."""
FORGOTTEN_S = 24 * 3600
"""After so long without a failure, those before count no more."""


@dataclass(frozen=True)
class Rule:
    """free: failures without a wait; then `first_s` seconds, twice as many each time, at most `most_s`."""

    free: int
    first_s: int
    most_s: int

    def wait(self, failures: int) -> int:
        """Seconds from the last failure to the next attempt."""
        return 0 if failures < self.free else min(self.most_s, self.first_s * 2 ** min(failures - self.free, 30))


ACCOUNT = Rule(free=5, first_s=15, most_s=900)
"""Some hundred guesses a day; whoever is kept out by another's guesses waits a quarter of an hour at most."""
ADDRESS = Rule(free=20, first_s=15, most_s=900)
"""A household or an office behind one address mistypes more often."""


class Throttle:
    """Each attempt counts as failed from its beginning, so that a hundred at once are a hundred; one that succeeds is taken back."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def admit(self, *, account: str, address: str) -> None:
        """Raises TooManyAttempts, and then counts nothing: a wait has an end, however often one knocks meanwhile."""
        rules = {_account_key(account): ACCOUNT, _address_key(address): ADDRESS}
        with self._accounts.together():
            now = now_ms()
            left = 0.0
            for key, rule in rules.items():
                count, last = self._accounts.failures(key)
                if now - last > FORGOTTEN_S * 1000:
                    self._accounts.forgive(key)
                else:
                    left = max(left, rule.wait(count) - (now - last) / 1000)
            if left <= 0:
                for key in rules:
                    self._accounts.count_failure(key, most=MOST_KEYS)
        if left > 0:
            seconds = ceil(left)
            raise TooManyAttempts(f"Too many attempts. The next one is looked at in {seconds} seconds.", seconds=seconds)

    def passed(self, *, account: str, address: str) -> None:
        """The attempt was right. The address is forgiven this one alone: whoever has an account could else go on guessing at others."""
        self._accounts.forgive(_account_key(account))
        self._accounts.uncount_failure(_address_key(address))

    def forgive(self, account: str) -> None:
        self._accounts.forgive(_account_key(account))


def _account_key(name_key: str) -> str:
    return "account " + _hashed(name_key)


def _address_key(address: str) -> str:
    """An IPv6 network of 64 bits is one household."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return "address " + _hashed(address)
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)
    return "address " + _hashed(str(found))


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
