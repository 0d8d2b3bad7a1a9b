"""A player who does everything that can be done to a conversation, and what must hold whatever they did.

Beside the real house stands a plain model of the conversation (`story_house`): what each branch should show. After every step the page must show just that; after
every look at the memory nothing in it may rest on words that the branch does not show; and memory as it grew must equal memory made anew from the text.
"""

from __future__ import annotations

import contextlib

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from chat.errors import NothingToTell
from evaluation.bench.story_house import StoryHouse
from evaluation.bench.story_told import REPLIES, SAID, Shown
from memory.narrative import PRESETS
from models.scripted import Script
from storage.records import Kind
from storage.scope import LOCAL_USER


class StoryMachine(StoryHouse):
    """Draws are indices, taken modulo what there is, so that a failing run shrinks well."""

    @initialize()
    def begin(self) -> None:
        greeting = self._newest(self.active)
        told = self.house.memory.store.tree.wordings(self.scope, greeting.id)
        self.variants[greeting.id] = [wording.text for wording in told]  # a character may begin in several ways
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
        self.model.enqueue(Script((reply,)))
        self.house.service.rewriting.regenerate(LOCAL_USER, self.chat_id, message_id, edition=self.edition)
        self._wait()
        if not newest:
            self.branches[self.active] = self.branches[before].copy(message_id)
        self._reworded(message_id, reply)

    def _is_said(self, message_id: str) -> bool:
        found = self.house.memory.store.chats.messages(self.scope, self.active, [message_id])[0]
        return found.role.value == "user" and not found.hidden

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

    @rule(name=st.sampled_from(("", "Ann", "Mara")))
    def play_as(self, name: str) -> None:
        """Be somebody else from now on. A greeting that stands alone is told anew; nothing else that was said changes."""
        store, before = self.house.memory.store, list(self.here.ids)
        changed, kept = name != self.player, self._state(self.active)
        self.house.service.rewriting.play_as(LOCAL_USER, self.chat_id, self.players[name], follows=False, edition=self.edition)
        if not changed:
            return
        self.done.append(kept)
        self.undone.clear()
        self.player = name
        newest = store.chats.head(self.scope, self.active)
        if newest is not None and newest.id not in before:
            assert len(before) == 1
            self.variants[newest.id] = [wording.text for wording in store.tree.wordings(self.scope, newest.id)]
            self.here.ids[:] = [newest.id]
            self.here.which[newest.id] = newest.revision.ordinal

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


def play(stories: int, steps: int, *, shrink: bool = False) -> int:
    """Play that many stories of up to that many steps; how many steps were played. Raises at the first that does not hold."""
    before = StoryHouse.steps
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
    return StoryHouse.steps - before
