from __future__ import annotations

from ui.following import Followers


def test_a_newer_follower_ends_the_older_one() -> None:
    followers = Followers()
    first = followers.claim("tab")
    assert followers.holds("tab", first)
    second = followers.claim("tab")
    assert not followers.holds("tab", first)
    followers.release("tab", first)
    assert followers.holds("tab", second)


def test_leaving_a_chat_ends_its_follower_and_nothing_is_kept() -> None:
    followers = Followers()
    mark = followers.claim("tab")
    other = followers.claim("another tab")
    followers.leave("tab")
    assert not followers.holds("tab", mark)
    assert followers.holds("another tab", other)
    followers.release("tab", mark)
    followers.release("another tab", other)
    assert len(followers) == 0
