"""What a person decided about a memory holds however often, and under whatever id, it is derived anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.episodes import episode_of
from storage.errors import MemoryNotFound
from storage.records import Kind, Memory, Message, NewWording, stable_id
from storage.scope import Scope
from tests.conftest import OpenChat, open_chat

WORDS = ("walnuts", "Porto", "a grey cat", "the sea")


def derived(chat: OpenChat, messages: Sequence[Message], text: str, *, version: str = "1", kind: Kind = Kind.FACT, key: str = "") -> Memory:
    """As extraction makes it: the same under the same id in each version."""
    made = episode_of(chat.scope.chat_id, messages)
    return replace(
        made,
        id=stable_id("memory", version, *(m.revision.id for m in messages), text, key),
        kind=kind,
        text=text,
        payload={"key": key} if key else {},
        derivation_key=version,
    )


def shown(chat: OpenChat) -> list[Memory]:
    found = chat.store.memories.get(chat.scope, chat.store.memories.visible(chat.scope, chat.branch_id).ids)
    return [m for m in found.values() if m.kind is not Kind.EPISODE]


def erase(connection, user_id: str, chat_id: str, memory_id: str) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
    from storage.erasing_memory import erase_memory_text

    return erase_memory_text(connection, chat_id, memory_id)


@dataclass
class Wanted:
    """What a person expects to see of one derived fact."""

    text: str
    pinned: bool = False
    excluded: bool = False
    deleted: bool = False


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "pin", "unpin", "exclude", "include", "delete", "replay", "rebuild", "other ids"]),
        st.integers(0, 7),
        st.integers(0, 2),
    ),
    max_size=14,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
@example(steps=[("pin", 2, 0), ("other ids", 0, 1), ("unpin", 2, 0), ("replay", 0, 0)])
def test_decisions_hold_through_every_rebuild(chat: OpenChat, steps: list[tuple[str, int, int]]) -> None:
    mine = open_chat(chat.store)
    rounds = [mine.say(f"line {n}", "reply", number=n) for n in (1, 2)]
    # The same words in two places, and a fact that rests on a question and its answer.
    places = [(r[:1], w) for r in rounds for w in WORDS[:3]] + [(rounds[0], WORDS[3]), (rounds[1], WORDS[0])]
    wanted = {at: Wanted(text) for at, (_, text) in enumerate(places)}
    version = "1"

    def add() -> None:
        mine.store.memories.add(mine.scope, [derived(mine, messages, text, version=version) for messages, text in places])

    add()
    for number, (step, at, variant) in enumerate(steps):
        here = wanted[at]
        now = [
            m
            for m in shown(mine)
            if (tuple(s.message_id for s in sorted(m.sources, key=lambda s: s.message_id)), m.text) == _key(places[at][0], here)
        ]
        if step in ("edit", "pin", "unpin", "exclude", "include", "delete") and not here.deleted:
            (memory,) = now
            if step == "edit":
                here.text = f"{places[at][1]}, said anew {variant} {number} {at}"
                mine.store.controls.edit(mine.scope, memory.id, text=here.text, language="en")
            elif step == "delete":
                here.deleted = True
                mine.store.controls.delete(mine.scope, memory.id, erase)
            elif step in ("pin", "unpin"):
                here.pinned = step == "pin"
                mine.store.controls.pin(mine.scope, memory.id, here.pinned)
            else:
                here.excluded = step == "exclude"
                mine.store.controls.exclude(mine.scope, memory.id, here.excluded)
        elif step == "replay":
            add()
        elif step in ("rebuild", "other ids"):
            version = str(variant + 1) if step == "other ids" else version
            mine.store.controls.supersede_all(mine.scope)
            add()
        have = sorted((m.text, m.pinned, m.excluded) for m in shown(mine))
        assert have == sorted((w.text, w.pinned, w.excluded) for w in wanted.values() if not w.deleted)


def _key(messages: Sequence[Message], here: Wanted) -> tuple[tuple[str, ...], str]:
    return tuple(sorted(m.id for m in messages)), here.text


def test_what_was_erased_with_the_words_of_another_comes_back_when_it_is_derived_again(chat: OpenChat) -> None:
    """Superseded words that repeat what is deleted for good go with it; the fact of another round that they were is not deleted."""
    rounds = [chat.say(f"line {n}", number=n) for n in (1, 2)]
    first, second = (derived(chat, said, "walnuts") for said in rounds)
    chat.store.memories.add(chat.scope, [first, second])
    chat.store.controls.supersede_all(chat.scope)
    chat.store.memories.add(chat.scope, [first])
    chat.store.controls.delete(chat.scope, first.id, erase)
    chat.store.memories.add(chat.scope, [first, second])
    assert [(m.id, m.text) for m in shown(chat)] == [(second.id, "walnuts")]
    visible = chat.store.memories.visible(chat.scope, chat.branch_id)
    assert [i for i, _ in chat.store.memories.search_words(chat.scope, visible, "walnuts", limit=9)] == [second.id]


def test_two_values_of_the_same_words_are_told_apart_by_their_key(chat: OpenChat) -> None:
    (said,) = chat.say("walnuts", number=1)
    allergy, like = (derived(chat, [said], "walnuts", kind=Kind.PERSONA, key=key) for key in ("allergies", "likes"))
    chat.store.memories.add(chat.scope, [allergy, like])
    chat.store.controls.delete(chat.scope, allergy.id, erase)
    other = [derived(chat, [said], "walnuts", kind=Kind.PERSONA, key=key, version="2") for key in ("allergies", "likes")]
    chat.store.controls.supersede_all(chat.scope)
    chat.store.memories.add(chat.scope, other)
    assert [m.payload["key"] for m in shown(chat)] == ["likes"]


def test_a_persons_words_are_taken_along_to_another_wording_of_the_message_and_go_with_the_message(chat: OpenChat) -> None:
    question, answer = chat.say("Which nuts?", "Walnuts.", number=1)
    fact = derived(chat, [question, answer], "walnuts")
    chat.store.memories.add(chat.scope, [fact])
    chat.store.controls.edit(chat.scope, fact.id, text="hazelnuts", language="en")
    worded = chat.store.tree.reword(chat.scope, chat.branch_id, question.id, NewWording("Which?", "user"), operation="edit")
    assert shown(chat) == []
    chat.store.controls.carry(chat.scope, question.revision, worded.revision)
    assert [m.text for m in shown(chat)] == ["hazelnuts"]
    assert chat.store.memories.search_words(
        chat.scope, chat.store.memories.visible(chat.scope, chat.branch_id), "hazelnuts walnuts", limit=9
    ) == [(fact.id, pytest.approx(0, abs=9))]
    chat.store.tree.hide(chat.scope, chat.branch_id, question.id)
    assert shown(chat) == []


def test_old_words_are_not_found_any_more(chat: OpenChat) -> None:
    (said,) = chat.say("x", number=1)
    fact = derived(chat, [said], "Mara sails to Porto")
    chat.store.memories.add(chat.scope, [fact])
    chat.store.controls.edit(chat.scope, fact.id, text="Mara rows to Braga", language="en")
    visible = chat.store.memories.visible(chat.scope, chat.branch_id)
    found = {word: chat.store.memories.search_words(chat.scope, visible, word, limit=9) for word in ("Porto", "sailing", "Braga", "rowing")}
    assert {word: len(hits) for word, hits in found.items()} == {"Porto": 0, "sailing": 0, "Braga": 1, "rowing": 1}


def test_restoring_twice_on_one_message_holds(chat: OpenChat) -> None:
    (said,) = chat.say("x", number=1)
    fact = derived(chat, [said], "walnuts")
    chat.store.memories.add(chat.scope, [fact])
    for _ in range(2):
        with chat.store.database.write() as connection:
            connection.execute("DELETE FROM forgetting_event WHERE effect = 'forgotten'")  # as on a path that was cut and went on again
        chat.store.memories.forget(chat.scope, said.id, [fact.id], round_number=2)
        assert shown(chat) == []
        chat.store.controls.restore(chat.scope, fact.id, message_id=said.id, round_number=2)
        assert [m.id for m in shown(chat)] == [fact.id]


def test_what_is_not_there_cannot_be_decided_about(chat: OpenChat) -> None:
    (said,) = chat.say("x", number=1)
    fact = derived(chat, [said], "walnuts")
    chat.store.memories.add(chat.scope, [fact])
    stranger = open_chat(chat.store, "stranger")
    for scope in (stranger.scope, open_chat(chat.store).scope):
        for decide in _decisions(chat, scope, fact.id):
            with pytest.raises(MemoryNotFound):
                decide()
    chat.store.controls.supersede_all(chat.scope)
    for decide in _decisions(chat, chat.scope, fact.id):
        with pytest.raises(MemoryNotFound):
            decide()
    with chat.store.database.snapshot() as connection:
        assert connection.execute("SELECT count(*) FROM user_edit").fetchone()[0] == 0


def _decisions(chat: OpenChat, scope: Scope, memory_id: str):  # type: ignore[no-untyped-def]
    controls = chat.store.controls
    return (
        lambda: controls.edit(scope, memory_id, text="mine", language="en"),
        lambda: controls.pin(scope, memory_id, True),
        lambda: controls.exclude(scope, memory_id, True),
        lambda: controls.delete(scope, memory_id, erase),
        lambda: controls.restore(scope, memory_id, message_id="", round_number=1),
    )
