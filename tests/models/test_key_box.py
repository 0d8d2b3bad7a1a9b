"""Keys at rest: sealed, bound to their place, and behind a secret that its owner alone may read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from models.errors import KeyUnreadable
from models.key_box import FILE, KeyBox

KEY = "sk-planted-90817263"
SECRET = SecretStr("an environment's secret of more than 32 letters")


def test_a_key_comes_back_for_its_place_alone(tmp_path: Path) -> None:
    box = KeyBox(tmp_path)
    sealed = box.seal(KEY, bound_to="a|url|http://one")
    assert KEY not in sealed
    assert box.open(sealed, bound_to="a|url|http://one").get_secret_value() == KEY
    assert KeyBox(tmp_path).open(sealed, bound_to="a|url|http://one").get_secret_value() == KEY, "after a restart"
    with pytest.raises(KeyUnreadable) as refused:
        box.open(sealed, bound_to="a|url|http://two")
    assert KEY not in f"{refused.value!r} {refused.value} {refused.value.params}"
    assert box.seal(KEY, bound_to="a") != box.seal(KEY, bound_to="a")


def test_the_secret_is_its_owners_alone(tmp_path: Path) -> None:
    KeyBox(tmp_path).seal(KEY, bound_to="a")
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert KEY.encode() not in (tmp_path / FILE).read_bytes()


def test_without_its_secret_a_key_is_unreadable_and_nothing_is_made_up(tmp_path: Path) -> None:
    sealed = KeyBox(tmp_path).seal(KEY, bound_to="a")
    (tmp_path / FILE).unlink()
    with pytest.raises(KeyUnreadable):
        KeyBox(tmp_path).open(sealed, bound_to="a")
    assert not (tmp_path / FILE).exists()
    (tmp_path / FILE).write_bytes(b"short")
    with pytest.raises(KeyUnreadable):
        KeyBox(tmp_path).seal(KEY, bound_to="a")


def test_a_secret_of_the_environment_stands_before_the_file_and_leaves_none(tmp_path: Path) -> None:
    sealed = KeyBox(tmp_path, SECRET).seal(KEY, bound_to="a")
    assert not (tmp_path / FILE).exists()
    assert KeyBox(tmp_path, SECRET).open(sealed, bound_to="a").get_secret_value() == KEY
    with pytest.raises(KeyUnreadable):
        KeyBox(tmp_path, SecretStr("another secret that is long enough for it")).open(sealed, bound_to="a")


@pytest.mark.parametrize("sealed", ["", "1:", "1:!!!", "nonsense", "1:" + "A" * 40, "1:é"])
def test_what_was_never_sealed_is_unreadable(tmp_path: Path, sealed: str) -> None:
    box = KeyBox(tmp_path)
    box.seal(KEY, bound_to="a")
    with pytest.raises(KeyUnreadable):
        box.open(sealed, bound_to="a")
