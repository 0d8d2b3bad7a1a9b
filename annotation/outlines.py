"""The outline of a dialogue: the engine lives through it in a data folder of its own, without a language model, and what it tells as the story is kept.

Who skims a dialogue sees the plots alone (MOOM 3.1); facts would be suggestions, and are given out by `annotation.suggesting` where they may be. One dialogue at a
time, in one thread, at nice 19, giving way to replies; one that was cut off begins anew.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tqdm import tqdm

from annotation.dialogues import language_of
from annotation.probe_living import with_probes
from annotation.probe_runs import NICENESS
from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.importer import Cast, Importer
from machine import lower_thread
from memory.narrative import ARC
from memory.overview import Piece, Story
from memory.persona import teller
from settings import Settings
from storage.annotation_outlines import Outline
from storage.annotation_records import Member, Turn
from storage.database import left_for_later
from storage.records import Kind, stable_id
from storage.scope import LOCAL_USER
from storage.store import Store

log = logging.getLogger(__name__)

FOLDER = "outlines"
PLENTY = 1_000_000
"""Memories: nothing is forgotten while a dialogue is gone through."""


class _Stopped(Exception):
    """The program ends, or the dialogue was taken out."""


@dataclass(frozen=True)
class Progress:
    """Of the dialogue under way, in tasks of memory."""

    item_id: str = ""
    done: int = 0
    all: int = 0


class Outlines:
    """breathe: waits while a reply is made; niceness: of the thread, from 0 to 19."""

    def __init__(self, store: Store, settings: Settings, *, breathe: Callable[[], object] = lambda: None, niceness: int = NICENESS) -> None:
        self._outlines = store.annotation_outlines
        self._settings = settings
        self._breathe = breathe
        self._niceness = niceness
        self._folder = store.folder.cache / FOLDER
        shutil.rmtree(self._folder, ignore_errors=True)  # of a crash
        with left_for_later():
            self._outlines.left_running()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = False
        self.progress = Progress()

    def of(self, member: Member, item_id: str) -> Outline | None:
        """As it is now; what is not there yet is begun."""
        if self._outlines.ask(member, item_id):
            self._wake()
        return self._outlines.of(member, item_id)

    def close(self) -> None:
        with self._lock:
            self._ended = True
            thread = self._thread
        if thread is not None:
            thread.join(30)
        shutil.rmtree(self._folder, ignore_errors=True)

    def wait(self) -> None:
        """Until nothing is under way (tests)."""
        if self._thread is not None:
            self._thread.join()

    def _wake(self) -> None:
        with self._lock:
            if self._ended or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._work, name="outlines", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        lower_thread(self._niceness)
        while not self._ended:
            item_id, turns = self._outlines.next_waiting()
            if not item_id:
                return
            try:
                self._outlines.ended(item_id, "done", self._told(item_id, turns))
            except _Stopped:
                self._outlines.ended(item_id, "waiting")
            except Exception:  # the thread's border: said where the outline would stand, with its trace in the log
                log.exception("the outline of a dialogue could not be made")
                self._outlines.ended(item_id, "failed")
            finally:
                self.progress = Progress()
                shutil.rmtree(self._folder, ignore_errors=True)

    def _told(self, item_id: str, turns: Sequence[Turn]) -> Mapping[str, object]:
        if len({turn.role == "user" for turn in turns}) < 2:
            return {"plots": [], "suggestions": []}  # nobody answers anybody
        changes = {"data_dir": self._folder / "living", "memory_capacity": PLENTY, "memory_capacity_tokens": 0, "memory_model": ""}
        memory = open_memory(self._settings.model_copy(update=changes))
        memory.engine.breathe_with(lambda: self._still(item_id))
        try:
            importer = self._write(memory, turns)
            scope = importer.scope
            done, waiting = 0, memory.store.tasks.queue(scope).waiting
            while (task := memory.store.tasks.lease()) is not None:
                self._still(item_id)
                self.progress = Progress(item_id, done, max(waiting, done + 1))
                memory.engine.run(task)
                memory.store.tasks.finish(task)
                done += 1
            branch = memory.store.chats.chat(scope).branch_id
            path = memory.store.chats.path(scope, branch, limit=len(turns) + 1)[::-1]
            number = {stable_id("message", importer.chat_id, f"T{turn.number}"): turn.number for turn in turns}
            rounds: dict[int, list[int]] = {}
            for message in path:
                if message.id in number:
                    rounds.setdefault(message.round, []).append(number[message.id])
            story = memory.engine.overview.story(scope, branch, current_round=path[-1].round)
            visible = memory.store.memories.visible(scope, branch).of_kinds((Kind.FACT,))
            facts = memory.store.memories.get(scope, visible.ids)
            player = next(turn.speaker for turn in turns if turn.role == "user")
            return {
                "plots": plots(story, rounds),
                "suggestions": suggestions(
                    item_id,
                    player,
                    [(one.text, [number[s.message_id] for s in one.sources if s.message_id in number]) for one in facts.values()],
                ),
            }
        finally:
            memory.close()

    def _write(self, memory: Memory, turns: Sequence[Turn]) -> Importer:
        conversation = with_probes(turns, (), longest=1)
        player, other = conversation.speakers[:2]
        language = language_of(" ".join(turn.text for turn in turns[:200]))
        character = character_named(memory.store, LOCAL_USER, other, language=language)
        importer = Importer(memory.store, conversation, Cast(player, other), character_id=character, language=language)
        with tqdm(disable=True) as bar:
            importer.write(bar)
        return importer

    def _still(self, item_id: str) -> None:
        if self._ended or not self._outlines.wanted(item_id):
            raise _Stopped
        self._breathe()


def plots(story: Story, rounds: Mapping[int, Sequence[int]]) -> list[dict[str, object]]:
    """The story as pieces in the order of the dialogue, an arc ahead of its chapters. rounds: the turns of each."""
    found = [piece for piece in (_piece(one, rounds) for one in (*story.arcs, *story.chapters, *story.so_far)) if piece is not None]
    return sorted(found, key=lambda piece: (piece["from"], -int(str(piece["tier"]))))


def _piece(piece: Piece, rounds: Mapping[int, Sequence[int]]) -> dict[str, object] | None:
    turns = [turn for number, some in rounds.items() if piece.span.first <= number <= piece.span.last for turn in some]
    if not turns or not piece.lines:
        return None
    lines = [{"text": line.text, "turn": min(rounds.get(line.round, turns))} for line in piece.lines]
    return {"from": min(turns), "to": max(turns), "tier": piece.span.tier, "arc": piece.span.tier == ARC, "lines": lines}


def suggestions(item_id: str, player: str, facts: Sequence[tuple[str, Sequence[int]]]) -> list[dict[str, object]]:
    """Facts with the turns that they are from, in the order of the dialogue. The name is that of their words, so that one that is told anew is the same."""
    named = [(told(text, player), tuple(sorted(set(turns)))) for text, turns in facts if turns]
    found = {stable_id("suggestion", item_id, text, *map(str, turns)): (text, turns) for text, turns in named}
    return [
        {"id": name, "text": text, "turns": list(turns)}
        for name, (text, turns) in sorted(found.items(), key=lambda one: (one[1][1], one[1][0]))
    ]


def told(text: str, player: str) -> str:
    """A fact with the player's name where it says "the player"."""
    return teller(player)(text)
