"""A player who does everything that can be done to a conversation, and what must hold whatever they did.

Beside the real house stands a plain model of the conversation: what each branch should show. After every step the page must show just that; after every
look at the memory nothing in it may rest on words that the branch does not show; and memory as it grew must equal memory made anew from the text.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from chat.assembly import House, open_house
from chat.errors import NothingToTell
from evaluation.bench.story_told import REPLIES, SAID, Shown, State
from memory.deriving import division_of
from memory.engine import Cue, mend_task
from memory.extracting import facts_of_path
from memory.narrative import PRESETS
from models.scripted import Script, ScriptedModel
from settings import Settings
from storage.records import Kind, Memory, Message
from storage.scope import LOCAL_USER, Scope


class StoryMachine(RuleBasedStateMachine):
    """Draws are indices, taken modulo what there is, so that a failing run shrinks well."""

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
        return State({b: s.copy() for b, s in self.branches.items()}, active, self.preset)

    def _remember_state(self, active: str) -> None:
        """What undo should bring back."""
        self.done.append(self._state(active))
        self.undone.clear()

    def _back_to(self, state: State) -> None:
        self.branches, self.preset = state.branches, state.preset
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

    # What can be done

    @initialize()
    def begin(self) -> None:
        greeting = self._newest(self.active)
        self.variants[greeting.id] = [greeting.text]
        self.branches[self.active] = Shown([greeting.id], {greeting.id: 0})

    @rule(text=st.sampled_from(SAID), reply=st.sampled_from(REPLIES))
    def send(self, text: str, reply: str) -> None:
        self._remember_state(self.active)
        self.sent += 1
        self.model.enqueue(Script((reply,)))
        self.house.service.send(LOCAL_USER, self.chat_id, text, token=f"t{self.sent}", edition=self.edition)
        self._wait()
        for message in reversed(self.house.memory.store.chats.path(self.scope, self.active, limit=2)):
            self.variants[message.id] = [message.text]
            self.here.ids.append(message.id)
            self.here.which[message.id] = 0
        assert [self.variants[i][0] for i in self.here.ids[-2:]] == [text, reply]

    @rule(at=st.integers(0, 40), reply=st.sampled_from(REPLIES))
    def regenerate(self, at: int, reply: str) -> None:
        store = self.house.memory.store
        replies = [i for i in self.here.ids[1:] if store.chats.messages(self.scope, self.active, [i])[0].role.value == "character"]
        answered = [i for i in replies if any(self._is_said(j) for j in self.here.ids[: self.here.ids.index(i)])]
        if not answered:
            return
        message_id = answered[-1 - at % len(answered)] if at % 3 == 0 else answered[-1]
        newest = message_id == self.here.ids[-1]
        before = self.active
        self._remember_state(before)
        if not newest:
            self.done.append(self.done[-1])  # the fork and the variant are two steps
        self.model.enqueue(Script((reply,)))
        self.house.service.rewriting.regenerate(LOCAL_USER, self.chat_id, message_id, edition=self.edition)
        self._wait()
        if not newest:
            self.branches[self.active] = self.branches[before].copy(message_id)
            self.done[-1] = self._state(self.active)
        self._reworded(message_id, reply)

    def _is_said(self, message_id: str) -> bool:
        found = self.house.memory.store.chats.messages(self.scope, self.active, [message_id])[0]
        return found.role.value == "user" and not found.hidden

    def _reworded(self, message_id: str, text: str) -> None:
        self.variants[message_id].append(text)
        self.here.which[message_id] = len(self.variants[message_id]) - 1

    @rule(more=st.sampled_from(("And then some.", "还有一句。")))
    def resume(self, more: str) -> None:
        newest = self.here.ids[-1] if self.here.ids else None
        message = self._newest(self.active) if newest else None
        if message is None or message.role.value != "character" or message.hidden:
            return
        self._remember_state(self.active)
        self.model.enqueue(Script((more,)))
        self.house.service.rewriting.resume(LOCAL_USER, self.chat_id, edition=self.edition)
        self._wait()
        text = self._newest(self.active).text
        assert text.startswith(message.text.rstrip())
        assert text.endswith(more)
        self._reworded(message.id, text)

    @precondition(lambda self: self.here.ids)
    @rule(at=st.integers(0, 40), to=st.integers(0, 5))
    def swipe(self, at: int, to: int) -> None:
        message_id = self._message(at)
        which = to % len(self.variants[message_id])
        if which != self.here.which[message_id]:
            self._remember_state(self.active)
        self.house.service.rewriting.swipe(LOCAL_USER, self.chat_id, message_id, to=which + 1, edition=self.edition)
        self.here.which[message_id] = which

    @precondition(lambda self: self.here.ids)
    @rule(at=st.integers(0, 40), text=st.sampled_from(SAID), fork=st.booleans())
    def edit(self, at: int, text: str, fork: bool) -> None:
        message_id = self._message(at)
        now = self.variants[message_id][self.here.which[message_id]]
        if text == now:
            return
        before = self.active
        self._remember_state(before)
        rewriting = self.house.service.rewriting
        if fork:
            rewriting.edit_in_branch(LOCAL_USER, self.chat_id, message_id, text, edition=self.edition)
            self.branches[self.active] = self.branches[before].copy(message_id)
            self.done.append(self._state(self.active))
        else:
            rewriting.edit(LOCAL_USER, self.chat_id, message_id, text, edition=self.edition)
        self._reworded(message_id, text)

    @precondition(lambda self: len(self.here.ids) > 1)
    @rule(at=st.integers(0, 40), whole=st.booleans())
    def delete(self, at: int, whole: bool) -> None:
        message_id = self._message(at)
        self._remember_state(self.active)
        rewriting = self.house.service.rewriting
        if whole:
            rewriting.delete_from(LOCAL_USER, self.chat_id, message_id, edition=self.edition)
            del self.here.ids[self.here.ids.index(message_id) :]
        else:
            rewriting.delete(LOCAL_USER, self.chat_id, message_id, edition=self.edition)
            self.here.ids.remove(message_id)

    @precondition(lambda self: self.here.ids)
    @rule(at=st.integers(0, 40), hide=st.booleans())
    def hide(self, at: int, hide: bool) -> None:
        message_id = self._message(at)
        if (message_id in self.here.hidden) != hide:
            self._remember_state(self.active)
        rewriting = self.house.service.rewriting
        (rewriting.hide if hide else rewriting.show)(LOCAL_USER, self.chat_id, message_id, edition=self.edition)
        (self.here.hidden.add if hide else self.here.hidden.discard)(message_id)

    @precondition(lambda self: self.here.ids and len(self.branches) < 6)
    @rule(at=st.integers(0, 40), stay=st.booleans())
    def branch(self, at: int, stay: bool) -> None:
        message_id, before = self._message(at), self.active
        self._remember_state(before)
        rewriting = self.house.service.rewriting
        (rewriting.checkpoint if stay else rewriting.branch)(LOCAL_USER, self.chat_id, message_id, "there", edition=self.edition)
        (new,) = {b.id for b in self.house.memory.store.branches.all(self.scope)} - set(self.branches)
        self.branches[new] = self.branches[before].copy(message_id)

    @rule(at=st.integers(0, 9))
    def switch(self, at: int) -> None:
        wanted = list(self.branches)[
            at % len(self.branches)
        ]  # in order of birth: ids are made by chance, and a story must be the same when it is told again
        if wanted != self.active:
            self._remember_state(self.active)
        self.house.service.rewriting.switch(LOCAL_USER, self.chat_id, wanted, edition=self.edition)
        assert self.active == wanted

    @rule()
    def summarise(self) -> None:
        """Close the open chapter, if anything is open."""
        story, before = self.house.memory.store.story, self._state(self.active)
        known = set(story.ends(self.scope, self.active))
        try:
            self.house.service.rewriting.summarise(LOCAL_USER, self.chat_id, edition=self.edition)
        except NothingToTell:
            assert set(story.ends(self.scope, self.active)) == known
            return
        self.done.append(before)
        self.undone.clear()
        (end,) = set(story.ends(self.scope, self.active)) - known
        self.here.ends.add(end)

    @rule(preset=st.sampled_from(sorted(PRESETS)))
    def divide(self, preset: str) -> None:
        if preset != self.preset:
            self._remember_state(self.active)
        self.house.service.rewriting.divide(LOCAL_USER, self.chat_id, preset, edition=self.edition)
        self.preset = preset

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        self.undone.append(self._state(self.active))
        self.house.service.rewriting.undo(LOCAL_USER, self.chat_id, edition=self.edition)
        self._back_to(self.done.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.done.append(self._state(self.active))
        self.house.service.rewriting.redo(LOCAL_USER, self.chat_id, edition=self.edition)
        self._back_to(self.undone.pop())

    @rule(at=st.integers(0, 40), what=st.sampled_from(("pin", "unpin", "exclude", "include", "edit", "delete")))
    def decide(self, at: int, what: str) -> None:
        """A decision about a fact that the branch has."""
        store, controls = self.house.memory.store, self.house.service.controls
        ids = store.memories.visible(self.scope, self.active).of_kinds((Kind.FACT,)).ids
        facts = sorted(store.memories.get(self.scope, ids).values(), key=lambda m: (m.round_last, m.text, m.origin))
        if not facts:
            return
        memory = facts[at % len(facts)]
        self.touched.update(s.message_id for s in memory.sources)
        if what == "edit":
            controls.edit(LOCAL_USER, self.chat_id, memory.id, f"In the player's own words, number {at}.")
            return
        getattr(controls, what)(LOCAL_USER, self.chat_id, memory.id)
        if what == "delete" and memory.origin == "model":
            self.deleted.add((self._anchor(memory), memory.text))

    def _anchor(self, memory: Memory) -> str:
        """The last message that a memory rests on."""
        return max((s.message_id for s in memory.sources), key=lambda i: self.house.memory.store.chats.place(self.scope, i).depth)

    @rule()
    def end_session(self) -> None:
        """Topics are told of what was said; the conversation itself stays as it is."""
        self.house.service.end_session(LOCAL_USER, self.chat_id)

    @rule()
    def work(self) -> None:
        self.house.memory.work_off()
        self._memory_tells_no_lies()

    @rule(after=st.integers(0, 12))
    def crash(self, after: int) -> None:
        """The process dies in the middle of a task: whatever was begun is begun again."""
        steps = iter(range(after))

        class Died(BaseException):
            pass

        def breathe() -> None:
            if next(steps, None) is None:
                raise Died

        self.house.memory.engine.breathe_with(breathe)
        with contextlib.suppress(Died):
            self.house.memory.work_off()
        self.house.close()
        self.house = self._open()
        store = self.house.memory.store
        store.tasks.release_all()
        with store.database.write() as connection:
            # A task that the process died in three times pauses; what is compared is memory when all is done, so that time has passed.
            connection.execute("UPDATE task SET not_before = 0 WHERE state = 'queued'")
        self.house.memory.engine.reconcile()

    @rule()
    def rebuild(self) -> None:
        self._compare_with_rebuilt()

    # What must hold

    def _shown_texts(self, shown: Shown) -> list[str]:
        return [self.variants[i][shown.which[i]] for i in shown.ids]

    @invariant()
    def page_shows_what_it_should(self) -> None:
        if not self.branches:
            return
        StoryMachine.steps += 1
        view = self.house.service.transcript(LOCAL_USER, self.chat_id, limit=600)
        assert [m.text for m in view.messages] == self._shown_texts(self.here)
        assert [m.id for m in view.messages if m.hidden] == [i for i in self.here.ids if i in self.here.hidden]
        assert all(m.variants == len(self.variants[m.id]) and m.variant == self.here.which[m.id] + 1 for m in view.messages)
        store = self.house.memory.store
        assert {b.id for b in store.branches.all(self.scope)} == set(self.branches)
        assert store.chats.chat(self.scope).story == self.preset
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
            path = store.chats.span(self.scope, branch_id, first_round=1, last_round=newest if over else newest - 1)
            tells = [f for f in facts_of_path([m for m in path if not m.hidden], chat) if f.round_last < newest]
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


def play(stories: int, steps: int, *, shrink: bool = False) -> int:
    """Play that many stories of up to that many steps; how many steps were played. Raises at the first that does not hold."""
    before = StoryMachine.steps
    run_state_machine_as_test(
        StoryMachine,
        settings=settings(
            max_examples=stories,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
            print_blob=True,
            report_multiple_bugs=False,
        ),
    )
    return StoryMachine.steps - before
