"""The house that a story is played in, the plain model of the conversation beside it, and what must hold of the two."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hypothesis.stateful import RuleBasedStateMachine, invariant

from chat.assembly import House, open_house
from evaluation.bench.story_told import Shown, State
from memory.deriving import division_of
from memory.engine import Cue, mend_task
from memory.extracting import facts_of_path
from models.scripted import ScriptedModel
from settings import Settings
from storage.records import Kind, Memory, Message
from storage.scope import LOCAL_USER, Scope


class StoryHouse(RuleBasedStateMachine):
    """One conversation, and what each of its branches should show. What can be done to it is told by `evaluation.bench.story`."""

    steps = 0
    """Done by all machines of this process."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="story-"))
        self.model = ScriptedModel()
        self.house = self._open()
        self.chat_id = self.house.service.create(LOCAL_USER, "builtin:nell-garrow")
        self.scope = Scope.of(LOCAL_USER, self.chat_id)
        self.variants: dict[str, list[str]] = {}
        self.branches: dict[str, Shown] = {}
        self.preset = "paper"
        own = self.house.service.own_players
        self.players = {"": "", **{name: own.create(LOCAL_USER, name=name, description="Dives.", picture=None) for name in ("Ann", "Mara")}}
        self.player = ""
        """Who the player is: a name among those."""
        self.done: list[State] = []
        self.undone: list[State] = []
        self.sent = 0
        self.touched: set[str] = set()
        """Messages that a fact rests on about which a person decided something."""
        self.deleted: set[tuple[str, str]] = set()
        """(message, text) of facts that were deleted for good."""

    def _open(self) -> House:
        return open_house(Settings(data_dir=self.folder / "data", memory_capacity=6), model=self.model)

    def teardown(self) -> None:
        try:
            self._compare_with_rebuilt()
            self._no_orphans()
        finally:
            self.house.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    # The model of the conversation

    @property
    def here(self) -> Shown:
        return self.branches[self.active]

    @property
    def active(self) -> str:
        return self.house.memory.store.chats.chat(self.scope).branch_id

    @property
    def edition(self) -> int:
        return self.house.service.transcript(LOCAL_USER, self.chat_id).edition

    def _state(self, active: str) -> State:
        return State({b: s.copy() for b, s in self.branches.items()}, active, self.preset, self.player)

    def _remember_state(self, active: str) -> None:
        """What undo should bring back."""
        self.done.append(self._state(active))
        self.undone.clear()

    def _back_to(self, state: State) -> None:
        self.branches, self.preset, self.player = state.branches, state.preset, state.player
        assert self.active == state.active

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while True:
            job = self.house.service.job(LOCAL_USER, self.chat_id)
            if job is None or job.final:
                return
            assert time.monotonic() < end, job
            time.sleep(0.002)

    def _message(self, at: int) -> str:
        return self.here.ids[at % len(self.here.ids)]

    def _newest(self, branch_id: str) -> Message:
        head = self.house.memory.store.chats.head(self.scope, branch_id)
        assert head is not None
        return head

    def _reworded(self, message_id: str, text: str) -> None:
        self.variants[message_id].append(text)
        self.here.which[message_id] = len(self.variants[message_id]) - 1

    def _anchor(self, memory: Memory) -> str:
        """The last message that a memory rests on."""
        return max((s.message_id for s in memory.sources), key=lambda i: self.house.memory.store.chats.place(self.scope, i).depth)

    # What must hold

    def _shown_texts(self, shown: Shown) -> list[str]:
        return [self.variants[i][shown.which[i]] for i in shown.ids]

    @invariant()
    def page_shows_what_it_should(self) -> None:
        if not self.branches:
            return
        StoryHouse.steps += 1
        view = self.house.service.transcript(LOCAL_USER, self.chat_id, limit=600)
        assert [m.text for m in view.messages] == self._shown_texts(self.here)
        assert [m.id for m in view.messages if m.hidden] == [i for i in self.here.ids if i in self.here.hidden]
        assert all(m.variants == len(self.variants[m.id]) and m.variant == self.here.which[m.id] + 1 for m in view.messages)
        store = self.house.memory.store
        assert {b.id for b in store.branches.all(self.scope)} == set(self.branches)
        chat = store.chats.chat(self.scope)
        assert (chat.story, chat.player_id) == (self.preset, self.players[self.player])
        for branch_id, shown in self.branches.items():
            assert set(store.story.ends(self.scope, branch_id)) & set(shown.ids) == shown.ends & set(shown.ids)

    def _memory_tells_no_lies(self) -> None:
        store, engine = self.house.memory.store, self.house.memory.engine
        for branch_id, shown in self.branches.items():
            told = [self.variants[i][shown.which[i]] for i in shown.ids if i not in shown.hidden]
            visible = store.memories.on_path(self.scope, branch_id)
            for memory in store.memories.get(self.scope, visible.ids).values():
                assert {s.message_id for s in memory.sources} <= set(shown.ids) - shown.hidden
                assert memory.kind is not Kind.FACT or (self._anchor(memory), memory.text) not in self.deleted
                quote = memory.payload.get("quote") if memory.origin == "model" else None
                assert not quote or any(str(quote) in text for text in told), (memory.text, told)
                if memory.kind is Kind.EPISODE:
                    assert all(line.split(": ", 1)[-1] in "\n".join(told) for line in memory.text.split("\n"))
            found = engine.recall(self.scope, branch_id, Cue("Where does Mara live, and what of nuts?", 10_000))
            assert {c.memory_id for c in found.candidates} <= set(visible.ids)

    def _signature(self, branch_id: str) -> Counter[tuple[object, ...]]:
        """What a branch remembers of its final rounds. Of the newest nothing is read yet, unless it was final before. Of the story what its division has:
        what another made of the same rounds is kept, and shown when it comes back."""
        store = self.house.memory.store
        division = division_of(store, self.scope, branch_id)
        slots = division.slots()
        visible = store.memories.on_path(self.scope, branch_id).up_to({**dict.fromkeys(Kind, division.begun), Kind.EPISODE: sys.maxsize})
        found = store.memories.get(self.scope, visible.ids).values()
        held = [m for m in found if m.kind is not Kind.PLOT or m.slot in slots]
        return Counter((m.kind.value, m.text, m.round_first, m.round_last, m.id) for m in held)

    def _compare_with_rebuilt(self) -> None:
        store = self.house.memory.store
        self.house.memory.work_off()
        self._memory_tells_no_lies()
        self._facts_are_those_of_the_words()
        grown = {b: self._signature(b) for b in self.branches}
        with store.database.write() as connection:
            connection.execute("UPDATE memory SET status = 'superseded' WHERE status = 'active' AND origin = 'model' AND pinned = 0")
            connection.execute("DELETE FROM extraction")
            connection.execute("DELETE FROM derivation")
            connection.execute("UPDATE chat SET structure = structure + 1")
        for branch_id in self.branches:
            store.tasks.join(self.scope, mend_task(branch_id, first_round=0), least="first_round")
        self.house.memory.work_off()
        rebuilt = {b: self._signature(b) for b in self.branches}
        for branch_id in self.branches:
            assert grown[branch_id] == rebuilt[branch_id], (grown[branch_id] - rebuilt[branch_id], rebuilt[branch_id] - grown[branch_id])

    def _facts_are_those_of_the_words(self) -> None:
        """Where nobody decided anything each branch has the facts that its messages tell, read without any history: not one less, not one more."""
        store = self.house.memory.store
        chat = store.chats.chat(self.scope)
        for branch_id in self.branches:
            head = store.chats.head(self.scope, branch_id)
            newest = head.round if head is not None else 0
            over = head is not None and store.chats.session_closed(self.scope, head.id)  # then the newest round may take something back
            # A greeting tells nothing, but what is said first may answer it.
            path = [m for m in reversed(store.chats.path(self.scope, branch_id, limit=600)) if m.round < newest or over]
            tells = [f for f in facts_of_path(path, chat) if 0 < f.round_last < newest]
            visible = store.memories.on_path(self.scope, branch_id).of_kinds((Kind.FACT,)).before(newest)
            has = store.memories.get(self.scope, visible.ids).values()
            told, kept = (
                Counter((m.round_last, m.text) for m in made if not {s.message_id for s in m.sources} & self.touched)
                for made in (tells, has)
            )
            assert told == kept, (told - kept, kept - told)

    def _no_orphans(self) -> None:
        self.house.memory.engine.reconcile()
        known = {i for _, _, i in self.house.memory.store.memory_ids((Kind.EPISODE, Kind.FACT, Kind.INSIGHT))}
        assert self.house.memory.index.ids() == known
