"""Of several characters each sees the memories all of whose sources it witnessed, and nobody else's own; what is kept up to date equals what is computed
from nothing."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.episodes import episode_of
from storage.errors import CannotUndo
from storage.folder import DataFolder
from storage.records import Effect, Kind, Member, Memory, Message, NewMessage, NewWording, RecallEvent, Role, sha256
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.visibility import Visibility
from storage.witnesses import MIND, WitnessMissing, owned
from tests.conftest import START

NAMES = ("Ada", "Ben", "Cleo")
LATE = "Dora"
"""Who comes when the conversation is under way, if at all."""


class Room:
    """A conversation of three, written to at the level of storage."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(DataFolder(folder), durable=False)
        self.store.chats.ensure_user(LOCAL_USER, "You")
        for name in (*NAMES, LATE):
            self.store.chats.ensure_character(name, user_id=None, name=name, language="en", card={"n": name}, persona={}, stances=[])
        members = [Member(name, name) for name in NAMES]
        chat_id = self.store.chats.create(LOCAL_USER, character_id="Ada", title="", language="en", user_name="You", members=members)
        self.scope = Scope.of(LOCAL_USER, chat_id)
        self.count = 0

    @property
    def branch_id(self) -> str:
        return self.store.chats.chat(self.scope).branch_id

    def say(self, speaker: str, *, opens: bool, room: tuple[str, ...] | None = None) -> Message:
        self.count += 1
        role = Role.NARRATOR if room is not None else Role.USER if speaker == "You" else Role.CHARACTER
        new = NewMessage(role, speaker, f"line {self.count}", START, f"m{self.count}", "user", opens, room=room)
        return self.store.chats.append(self.scope, self.branch_id, [new])[0]

    def join(self) -> Message:
        self.count += 1
        there = (*self.store.groups.room(self.scope, self.branch_id), LATE)
        line = NewMessage(Role.NARRATOR, LATE, f"line {self.count}", START, f"m{self.count}", "card", False, room=there)
        return self.store.groups.join(self.scope, self.branch_id, Member(LATE, LATE), line)

    def seen(self, name: str) -> set[str]:
        return set(self.store.memories.visible(self.scope.seen_by(name), self.branch_id).ids)

    def fresh(self, name: str) -> set[str]:
        with self.store.database.snapshot() as connection:
            return set(Visibility().of(connection, chat_id=self.scope.chat_id, branch_id=self.branch_id, witness=name).ids)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "data")


def _fact(chat_id: str, *messages: Message) -> Memory:
    bare = episode_of(chat_id, messages)
    return replace(
        bare,
        id=sha256("fact " + " ".join(m.revision.id for m in messages))[:32],
        kind=Kind.FACT,
        text="fact of " + " ".join(m.text for m in messages),
    )


def test_a_message_is_witnessed_by_whoever_is_there_and_whoever_says_it(room: Room) -> None:
    first = room.say("You", opens=True)
    gone = room.say("Ben", opens=False, room=("Ada", "Cleo"))
    told = room.say("You", opens=True)
    through_the_door = room.say("Ben", opens=False)
    back = room.say("Ben", opens=False, room=NAMES)
    assert [m.present for m in (first, gone, told, through_the_door, back)] == [NAMES, NAMES, ("Ada", "Cleo"), NAMES, NAMES]
    assert room.store.groups.room(room.scope, room.branch_id) == NAMES


def test_what_rests_on_a_message_one_did_not_witness_is_not_there_for_that_one(room: Room) -> None:
    heard = room.say("You", opens=True)
    room.say("Ben", opens=False, room=("Ada", "Cleo"))
    secret = room.say("You", opens=True)
    alone, both = _fact(room.scope.chat_id, secret), _fact(room.scope.chat_id, heard, secret)
    public = _fact(room.scope.chat_id, heard)
    room.store.memories.add(room.scope, [alone, both, public])
    assert room.seen("Ada") == {alone.id, both.id, public.id}
    assert room.seen("Ben") == {public.id}
    ben = room.scope.seen_by("Ben")
    assert set(room.store.memories.get(ben, [alone.id, both.id, public.id])) == {public.id}
    assert set(room.store.memories.keys(ben, [alone.id, both.id, public.id])) == {public.id}
    ends = dict.fromkeys(Kind, 99)
    assert not room.store.memories.unseen(ben, room.store.memories.visible(ben, room.branch_id), ends).ids
    assert [m.text for m in room.store.chats.path(ben, room.branch_id, limit=9)] == ["line 2", "line 1"]
    assert [m.id for m in room.store.chats.messages(ben, room.branch_id, [heard.id, secret.id])] == [heard.id]


def test_what_is_one_characters_own_nobody_else_has(room: Room) -> None:
    heard = room.say("You", opens=True)
    insight = replace(_fact(room.scope.chat_id, heard), kind=Kind.INSIGHT, slot="stance")
    of_ada, of_ben = (owned(room.scope.seen_by(name), insight) for name in ("Ada", "Ben"))
    assert of_ada.id != of_ben.id
    assert of_ada.payload[MIND] == "Ada"
    assert owned(room.scope, insight) is insight
    room.store.memories.add(room.scope, [of_ada, of_ben])
    assert [room.seen(name) for name in NAMES] == [{of_ada.id}, {of_ben.id}, set()]


def test_each_forgets_and_recalls_for_itself(room: Room) -> None:
    heard = room.say("You", opens=True)
    fact = _fact(room.scope.chat_id, heard)
    room.store.memories.add(room.scope, [fact])
    ada, ben = (room.scope.seen_by(name) for name in ("Ada", "Ben"))
    for mind in (ada, ben):
        room.store.memories.record_events(mind, heard.id, [RecallEvent(fact.id, 1, Effect.REINFORCED)])
    room.store.memories.forget(ada, heard.id, [fact.id], round_number=2)
    assert (room.seen("Ada"), room.seen("Ben")) == (set(), {fact.id})
    assert room.store.memories.forgotten(ada, room.branch_id).ids == (fact.id,)
    assert len(room.store.memories.events(ada, room.branch_id)) == 1
    room.store.controls.restore(ada, fact.id, message_id=heard.id, round_number=2)
    assert room.seen("Ada") == {fact.id}


def test_who_comes_later_witnesses_nothing_before_and_belongs_where_it_came(room: Room) -> None:
    before = room.say("You", opens=True)
    trunk = room.branch_id
    came = room.join()
    after = room.say("You", opens=True)
    assert [m.present for m in (before, came, after)] == [NAMES, (*NAMES, LATE), (*NAMES, LATE)]
    early, late = _fact(room.scope.chat_id, before), _fact(room.scope.chat_id, after)
    room.store.memories.add(room.scope, [early, late])
    assert room.seen(LATE) == {late.id}
    room.store.branches.fork(room.scope, trunk, before.id, "", operation="branch")
    assert room.branch_id != trunk
    assert (room.store.groups.belonging(room.scope, room.branch_id), room.store.groups.room(room.scope, room.branch_id)) == (NAMES, NAMES)
    assert room.say("You", opens=True).present == NAMES
    assert room.seen(LATE) == set()
    assert room.store.groups.belonging(room.scope, trunk) == (*NAMES, LATE)


def test_nobodys_memory_is_none(room: Room) -> None:
    for scope in (room.scope, room.scope.seen_by("Dora")):
        for read in (room.store.memories.visible, room.store.memories.forgotten, room.store.memories.on_path):
            with pytest.raises(WitnessMissing):
                read(scope, room.branch_id)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(("You", *NAMES)), st.integers(0, 3)),
        st.tuples(st.just("room"), st.sampled_from(NAMES), st.integers(0, 7)),
        st.tuples(st.sampled_from(("delete", "hide", "reword", "fork")), st.just(""), st.integers(0, 20)),
        st.tuples(st.sampled_from(("undo", "redo")), st.just(""), st.just(0)),
        st.tuples(st.just("forget"), st.sampled_from(NAMES), st.integers(0, 20)),
        st.tuples(st.just("join"), st.just(LATE), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_whatever_is_said_moved_and_rewritten_nobody_sees_what_they_did_not_witness(steps: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder) / "data")
        sources: dict[str, frozenset[str]] = {}
        try:
            for step in steps:
                _do(room, step, sources)
                _check(room, sources)
        finally:
            room.store.close()


def _do(room: Room, step: tuple[str, str, int], sources: dict[str, frozenset[str]]) -> None:
    store, (what, who, number) = room.store, step
    path = store.chats.path(room.scope, room.branch_id, limit=99)
    target = path[number % len(path)] if path else None
    match what:
        case "say":
            said = room.say(who, opens=who == "You")
            earlier = path[number % len(path)] if path and number else None
            for made in (_fact(room.scope.chat_id, *([earlier, said] if earlier else [said])), episode_of(room.scope.chat_id, [said])):
                sources[made.id] = frozenset(s.message_id for s in made.sources)
                store.memories.add(room.scope, [made])
        case "room":
            room_now = tuple(name for at, name in enumerate(NAMES) if number >> at & 1)
            room.count += 1
            line = NewMessage(Role.NARRATOR, who, f"line {room.count}", START, f"m{room.count}", "card", False, room=room_now)
            store.groups.move(room.scope, room.branch_id, line)
        case "join" if LATE not in store.groups.belonging(room.scope, room.branch_id):
            room.join()
        case "delete" if target:
            store.tree.delete(room.scope, room.branch_id, target.id)
        case "hide" if target:
            store.tree.hide(room.scope, room.branch_id, target.id)
        case "reword" if target:
            store.tree.reword(room.scope, room.branch_id, target.id, NewWording(f"again {room.count}", "model"), operation="edit")
        case "fork" if target:
            store.branches.fork(room.scope, room.branch_id, target.id, "", operation="branch")
        case "undo" if store.tree.undoable(room.scope)[0]:
            with suppress(CannotUndo):  # what was said since is no step here
                store.tree.undo(room.scope)
        case "redo" if store.tree.undoable(room.scope)[1]:
            with suppress(CannotUndo):
                store.tree.redo(room.scope)
        case "forget" if target:
            seen = sorted(room.seen(who))
            store.memories.forget(room.scope.seen_by(who), target.id, seen[:1], round_number=number)


def _check(room: Room, sources: dict[str, frozenset[str]]) -> None:
    rows = {row["id"]: row for row in room.store.database.read().execute("SELECT id, parent_id, present, room FROM message")}
    present = {message_id: row["present"] for message_id, row in rows.items()}
    for message_id in (one for one, names in present.items() if f'"{LATE}"' in names):
        above: str | None = message_id
        while above and f'"{LATE}"' not in (rows[above]["room"] or ""):
            above = rows[above]["parent_id"]
        assert above is not None, "nobody witnesses anything before they came"
    belonging = room.store.groups.belonging(room.scope, room.branch_id)
    assert {*NAMES} <= {*belonging}
    assert {*room.store.groups.room(room.scope, room.branch_id)} <= {*belonging}
    for name in room.store.groups.names(room.scope):
        mind = room.scope.seen_by(name)
        assert room.seen(name) == room.fresh(name)
        whole = room.store.memories.on_path(mind, room.branch_id)
        visible = room.store.memories.visible(mind, room.branch_id)
        behind = room.store.memories.unseen(mind, visible, dict.fromkeys(Kind, 99)).ids
        for memory_id in (*whole.ids, *behind, *room.store.memories.get(mind, sources)):
            assert all(f'"{name}"' in present[message] for message in sources[memory_id])
        for message in room.store.chats.path(mind, room.branch_id, limit=99):
            assert name in message.present
