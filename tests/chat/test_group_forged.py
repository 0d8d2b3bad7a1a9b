"""Bundles of a conversation of several that were tampered with are refused whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat.cast import enrol_built_in
from chat.portable import Portable
from memory.episodes import episode_of
from storage.records import Effect, Member, NewMessage, RecallEvent, Role
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from tests.chat.company import ENGLISH, MOTH, NELL
from tests.chat.forgeries import Lines, first, last, write
from tests.chat.test_portable_forged import elsewhere, refused
from tests.conftest import START

__all__ = ["elsewhere"]


@pytest.fixture
def lines(store: Store) -> Lines:
    enrol_built_in(store)
    members = [Member(ENGLISH[0], NELL), Member(ENGLISH[1], MOTH)]
    chat_id = store.chats.create(LOCAL_USER, character_id=ENGLISH[0], title="", language="en", user_name="You", members=members)
    scope = Scope.of(LOCAL_USER, chat_id)
    branch_id = store.chats.chat(scope).branch_id
    (said,) = store.chats.append(scope, branch_id, [NewMessage(Role.USER, "You", "Hm.", START, "u1", "user", opens_round=True)])
    line = NewMessage(Role.NARRATOR, MOTH, "Gone.", START, "r1", "card", opens_round=False, room=(NELL,))
    store.groups.move(scope, branch_id, line)
    episode = episode_of(chat_id, [said])
    nell = scope.seen_by(NELL)
    store.memories.add(nell, [episode], events=[RecallEvent(episode.id, 1, Effect.REINFORCED)], cue_message_id=said.id)
    store.memories.forget(nell, said.id, [episode.id], round_number=1)
    path = Portable(store).export(LOCAL_USER, chat_id)
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def _members(*members: dict[str, Any]) -> Callable[[Lines], object]:
    return lambda lines: first(lines, "chat").update(members=list(members))


FORGED: dict[str, tuple[Callable[[Lines], object], str]] = {
    "nobody": (_members(), "members"),
    "one of two": (_members({"character": ENGLISH[0], "name": NELL}), "members"),
    "another order": (_members({"character": ENGLISH[1], "name": MOTH}, {"character": ENGLISH[0], "name": NELL}), "members"),
    "one name": (_members({"character": ENGLISH[0], "name": NELL}, {"character": ENGLISH[1], "name": NELL.upper()}), "one name"),
    "no name": (_members({"character": ENGLISH[0], "name": ""}, {"character": ENGLISH[1], "name": MOTH}), "none"),
    "one character": (lambda lines: lines.remove(last(lines, "character")), "members"),
    "a strange witness": (lambda lines: first(lines, "message").update(present=["Somebody"]), "member"),
    "a strange room": (lambda lines: last(lines, "message").update(room=["Somebody"]), "member"),
    "a recall of nobody": (lambda lines: first(lines, "recall")["events"][0].pop("witness"), "member"),
    "a strange recall": (lambda lines: first(lines, "recall")["events"][0].update(witness="x"), "member"),
    "a strange forgetting": (lambda lines: first(lines, "forgetting").update(witness="x"), "member"),
    "answers of another kind": (lambda lines: first(lines, "chat").update(settings={"group": True, "answers": "none"}), "answers"),
}


@pytest.mark.parametrize("case", FORGED)
def test_what_is_forged_is_refused(lines: Lines, elsewhere: Store, tmp_path: Path, case: str) -> None:
    forge, reason = FORGED[case]
    forge(lines)
    assert reason in str(refused(elsewhere, write(tmp_path / "forged", lines))["reason"])


def test_as_it_is_it_comes_in(lines: Lines, elsewhere: Store, tmp_path: Path) -> None:
    chat_id = Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "whole", lines))
    assert elsewhere.groups.room(Scope.of(LOCAL_USER, chat_id), elsewhere.chats.chat(Scope.of(LOCAL_USER, chat_id)).branch_id) == (NELL,)
