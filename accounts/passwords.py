"""Passwords: what one may be, and how it is kept (scrypt, RFC 7914, with its parameters beside the hash)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass

from accounts.errors import PasswordLong, PasswordPlain, PasswordShort

MIN_CHARS, MAX_CHARS = 10, 200
SALT_BYTES, HASH_BYTES = 16, 32
MOST_MEMORY = 256 * 2**20
"""Bytes a stored hash may ask for when it is checked."""
_KEYBOARD = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "01234567890123456789")
_CLEAR = "abcdefghjkmnpqrstuvwxyz23456789"
_TRIED_FIRST = frozenset("password passwort passwd letmein welcome iloveyou keepsake administrator qwerty changeme secret login".split())


@dataclass(frozen=True)
class Cost:
    """n: 2 to the power of this; r, p: as in RFC 7914. Memory is 128 · 2ⁿ · r bytes."""

    n: int
    r: int
    p: int

    @property
    def memory(self) -> int:
        return (128 << self.n) * self.r


COST = Cost(15, 8, 3)
"""32 MiB and three passes, one of the equal choices of OWASP's list; some 250 ms of one core."""


def hashed(password: str, cost: Cost) -> str:
    """As it is kept: `scrypt$n,r,p$salt$hash`."""
    salt = secrets.token_bytes(SALT_BYTES)
    return f"scrypt${cost.n},{cost.r},{cost.p}${_text(salt)}${_text(_scrypt(password, salt, cost))}"


def matches(password: str, kept: str) -> bool:
    """Whether a password is the one that was hashed; False for a hash that cannot be read. Compared in constant time."""
    read = _read(kept)
    if read is None:
        return False
    cost, salt, expected = read
    return hmac.compare_digest(_scrypt(password, salt, cost), expected)


def outdated(kept: str, cost: Cost) -> bool:
    """Whether a hash was made at another cost than is asked for today."""
    read = _read(kept)
    return read is None or read[0] != cost


def check(password: str, *, name: str) -> None:
    """Raises PasswordShort, PasswordLong or PasswordPlain. name: of the account."""
    plain = _normal(password)
    if len(plain) < MIN_CHARS:
        raise PasswordShort(f"A password needs at least {MIN_CHARS} characters.", least=MIN_CHARS)
    if len(plain) > MAX_CHARS:
        raise PasswordLong(f"A password has at most {MAX_CHARS} characters.", most=MAX_CHARS)
    low = plain.casefold()
    letters = "".join(c for c in low if c.isalpha())
    rows = any(low in row * 2 or low in row[::-1] * 2 for row in _KEYBOARD)
    named = _normal(name).casefold()
    without_name = low.replace(named, "") if named else low
    if rows or len(set(low)) < 4 or letters in _TRIED_FIRST or (named and named in low and len(without_name) < MIN_CHARS // 2):
        raise PasswordPlain("This password is among the first that are tried. Choose another one, a few unrelated words for instance.")


def made_up() -> str:
    """A password or a code to be told once: 79 bits, without letters that look alike."""
    return "-".join("".join(secrets.choice(_CLEAR) for _ in range(4)) for _ in range(4))


def _normal(password: str) -> str:
    """The same characters however a keyboard composes them (RFC 8265)."""
    return unicodedata.normalize("NFC", password)


def _scrypt(password: str, salt: bytes, cost: Cost) -> bytes:
    raw = _normal(password).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(raw, salt=salt, n=1 << cost.n, r=cost.r, p=cost.p, maxmem=cost.memory + 2**20, dklen=HASH_BYTES)


def _read(kept: str) -> tuple[Cost, bytes, bytes] | None:
    try:
        kind, costs, salt, digest = kept.split("$")
        n, r, p = (int(part) for part in costs.split(","))
        cost = Cost(n, r, p)
        if kind != "scrypt" or not (1 <= n <= 24 and 1 <= r <= 64 and 1 <= p <= 16 and cost.memory <= MOST_MEMORY):
            return None
        return cost, base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True)
    except (ValueError, binascii.Error):
        return None


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
