from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.errors import PasswordLong, PasswordPlain, PasswordShort
from accounts.passwords import COST, Cost, check, hashed, made_up, matches, outdated
from tests.accounts.conftest import CHEAP


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_hash_knows_its_password_and_no_other(password: str, other: str) -> None:
    kept = hashed(password, CHEAP)
    assert matches(password, kept)
    assert matches(other, kept) == (other == password) or _same(password, other)


def _same(one: str, other: str) -> bool:
    import unicodedata

    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def test_an_accent_typed_in_another_way_is_the_same_password() -> None:
    assert matches("cafe\u0301 au lait", hashed("caf\u00e9 au lait", CHEAP))


def test_two_hashes_of_one_password_differ_and_say_what_they_cost() -> None:
    one, other = hashed("a quiet river", CHEAP), hashed("a quiet river", CHEAP)
    assert one != other
    assert one.startswith("scrypt$4,8,1$")
    assert "quiet" not in one
    assert not outdated(one, CHEAP)
    assert outdated(one, COST)
    assert outdated("plain text", CHEAP)


def test_todays_cost_is_what_the_docs_say() -> None:
    assert Cost(15, 8, 3) == COST
    assert COST.memory == 32 * 2**20
    assert matches("a quiet river", hashed("a quiet river", COST))


@pytest.mark.parametrize(
    "kept",
    ["", "scrypt", "scrypt$4,8$a$b", "scrypt$40,8,1$AAAA$AAAA", "scrypt$4,8,1$!$AAAA", "md5$4,8,1$AAAA$AAAA", "scrypt$x,8,1$AAAA$AAAA"],
)
def test_a_hash_that_cannot_be_read_lets_nobody_in(kept: str) -> None:
    assert not matches("", kept)


@pytest.mark.parametrize(
    ("password", "error"),
    [
        ("short", PasswordShort),
        ("x" * 201, PasswordLong),
        ("aaaaaaaaaaaa", PasswordPlain),
        ("qwertyuiop", PasswordPlain),
        ("1234567890", PasswordPlain),
        ("password1234", PasswordPlain),
        ("Margarethe1", PasswordPlain),
    ],
)
def test_what_is_tried_first_is_refused(password: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        check(password, name="margarethe")


@pytest.mark.parametrize("password", ["four unrelated words here", "一条安静的河从城里流过", "margarethe keeps bees"])
def test_what_is_hard_to_guess_may_be(password: str) -> None:
    check(password, name="margarethe")


def test_a_password_that_is_made_up_may_be_used_and_comes_once() -> None:
    made = {made_up() for _ in range(50)}
    assert len(made) == 50
    for one in made:
        check(one, name="Ben")
