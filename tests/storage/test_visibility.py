"""A memory is seen only if every source of it is active on the branch's path with the same hash; and what is kept up to date equals what is
computed from nothing."""

from __future__ import annotations

import secrets
from dataclasses import replace

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.episodes import episode_of
from storage.records import SAID, TAKEN_BACK, UNIT, Kind, Memory, Message, NewWording, sha256, stable_id
from storage.visibility import Visibility
from storage.visible import VisibleSet
from tests.conftest import OpenChat, open_chat


def _fresh(chat: OpenChat) -> VisibleSet:
    with chat.store.database.snapshot() as connection:
        return Visibility().of(connection, chat_id=chat.scope.chat_id, branch_id=chat.branch_id)


def _visible(chat: OpenChat) -> VisibleSet:
    return chat.store.memories.visible(chat.scope, chat.branch_id)


def _fact(chat: OpenChat, *episodes: Memory) -> Memory:
    sources = tuple(dict.fromkeys(s for e in episodes for s in e.sources))
    return replace(
        episodes[-1],
        id=secrets.token_hex(8),
        kind=Kind.FACT,
        sources=sources,
        text=f"fact of {len(sources)}",
        derivation_key=secrets.token_hex(4),
    )


def _regenerate(chat: OpenChat, message: Message, text: str) -> None:
    chat.store.tree.reword(chat.scope, chat.branch_id, message.id, NewWording(text, "model"), operation="regenerate")


def _select(chat: OpenChat, message: Message, state: str, ordinal: int) -> None:
    """Set a selection whatever it was: states that a person reaches in several steps."""
    with chat.store.database.write() as connection:
        connection.execute(
            """INSERT INTO selection VALUES (?, ?, ?, ?) ON CONFLICT (branch_id, message_id) DO UPDATE SET
            revision_id = excluded.revision_id, state = excluded.state""",
            (chat.branch_id, message.id, stable_id("revision", message.id, ordinal), state),
        )
        connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (chat.scope.chat_id,))


def test_a_regenerated_or_deleted_source_hides_what_rests_on_it_and_its_return_shows_it_again(chat: OpenChat) -> None:
    first = chat.say("I have a dog", "lovely", number=1)
    second = chat.say("and a cat", "nice", number=2)
    one, two = episode_of(chat.scope.chat_id, first), episode_of(chat.scope.chat_id, second)
    both = _fact(chat, one, two)
    chat.store.memories.add(chat.scope, [one, two, both])
    assert set(_visible(chat).ids) == {one.id, two.id, both.id}
    _regenerate(chat, first[1], "how sweet")
    assert set(_visible(chat).ids) == {two.id}
    _select(chat, first[1], "active", 0)
    assert set(_visible(chat).ids) == {one.id, two.id, both.id}
    for state in ("deleted", "hidden"):
        _select(chat, second[0], state, 0)
        assert set(_visible(chat).ids) == {one.id}


def test_a_rounds_fuller_episode_takes_the_place_of_the_earlier_one(chat: OpenChat) -> None:
    messages = chat.say("hello", "hi", number=1)
    part, whole = episode_of(chat.scope.chat_id, messages[:1]), episode_of(chat.scope.chat_id, messages)
    chat.store.memories.add(chat.scope, [whole])
    chat.store.memories.add(chat.scope, [part])
    assert _visible(chat).ids == (whole.id,)


def test_a_memory_whose_source_changed_meanwhile_is_not_stored(chat: OpenChat) -> None:
    episode = episode_of(chat.scope.chat_id, chat.say("hello", "hi", number=1))
    stale = replace(episode, sources=(replace(episode.sources[0], sha256=sha256("other")),))
    assert chat.store.memories.add(chat.scope, [stale]) == []
    assert _visible(chat).ids == ()


def test_adding_twice_is_once(chat: OpenChat) -> None:
    episode = episode_of(chat.scope.chat_id, chat.say("hello", "hi", number=1))
    assert len(chat.store.memories.add(chat.scope, [episode])) == 1
    assert chat.store.memories.add(chat.scope, [episode]) == []
    assert chat.store.memories.search_words(chat.scope, _visible(chat), "hello", limit=5) == [
        (episode.id, chat.store.memories.search_words(chat.scope, _visible(chat), "hello", limit=5)[0][1])
    ]


_GROWING = ("say", "remember", "fact", "part", "told", "taken back", "unit")
_CHANGING = ("regenerate", "deleted", "hidden", "active", "pin", "exclude")
_STEPS = st.lists(
    st.tuples(st.sampled_from(4 * _GROWING + _CHANGING + ("look",)), st.integers(0, 5)),
    min_size=10,
    max_size=40,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(steps=[("say", 0), ("told", 0), ("part", 1), ("exclude", 1), ("taken back", 0), ("say", 0), ("remember", 1)])
@given(steps=_STEPS)
def test_kept_up_to_date_equals_computed_from_nothing(chat: OpenChat, steps: list[tuple[str, int]]) -> None:
    mine = open_chat(chat.store)
    rounds = [mine.say(f"text {n}", "reply", number=n + 1) for n in range(2)]
    episodes = [episode_of(mine.scope.chat_id, rounds[0])]
    mine.store.memories.add(mine.scope, episodes)
    told: list[Memory] = []
    for step, at in steps:
        if step == "say":
            rounds.append(mine.say(f"text {len(rounds)}", "reply", number=len(rounds) + 1))
        elif step == "remember" and rounds:
            episodes.append(episode_of(mine.scope.chat_id, rounds[at % len(rounds)]))
            mine.store.memories.add(mine.scope, [episodes[-1]])
        elif step == "fact" and episodes:
            mine.store.memories.add(mine.scope, [_fact(mine, episodes[at % len(episodes)], episodes[-1])])
        elif step == "part" and rounds:
            mine.store.memories.add(mine.scope, [episode_of(mine.scope.chat_id, rounds[at % len(rounds)][:1])])
        elif step in ("told", "unit") and episodes:
            slot = SAID if step == "told" else f"{UNIT}{episodes[at % len(episodes)].round_first}"
            fact = replace(_fact(mine, episodes[at % len(episodes)]), slot=slot)
            told += mine.store.memories.add(mine.scope, [fact]) if step == "told" else ()
            mine.store.memories.add(mine.scope, [fact])
        elif step == "taken back" and told and rounds:
            mark = replace(_fact(mine, episode_of(mine.scope.chat_id, rounds[-1][:1])), slot=TAKEN_BACK, grounds=(told[at % len(told)].id,))
            mine.store.memories.add(mine.scope, [mark])
        elif step in ("pin", "exclude") and told:
            getattr(mine.store.controls, step)(mine.scope, told[at % len(told)].id, bool(at % 3))
        elif step == "regenerate" and rounds:
            _select(mine, rounds[at % len(rounds)][1], "active", 0)
            _regenerate(mine, rounds[at % len(rounds)][1], f"again {at}")
        elif step in ("deleted", "hidden", "active") and rounds:
            _select(mine, rounds[at % len(rounds)][0], step, 0)
        elif step == "look":
            _visible(mine)
        now, fresh = _visible(mine), _fresh(mine)
        assert now == fresh
        assert (now.last_rounds.tolist(), now.kind_codes.tolist()) == (fresh.last_rounds.tolist(), fresh.kind_codes.tolist())
