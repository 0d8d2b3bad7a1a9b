"""A dialogue lived through once at one setting of memory, in a data folder of its own: what every probe run begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tqdm import tqdm

from annotation.probe_settings import ORDINARY, ways
from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from models.structured import StructuredModel
from personas.cast import built_in
from settings import Settings
from storage.annotation_probes import Probe
from storage.annotation_records import Turn
from storage.annotation_run_rows import Setting
from storage.records import from_ms, stable_id
from storage.scope import LOCAL_USER, Scope

STEP = timedelta(seconds=1)
"""Between what was said and what is put in."""


@dataclass(frozen=True)
class Lived:
    """The dialogue as the engine has it."""

    memory: Memory
    conversation: ImportedConversation
    scope: Scope
    branch_id: str
    chat_id: str

    def message(self, external_id: str) -> str:
        """Id of a message: `T` with the number of a turn, `P` with the id of an item that was told."""
        return stable_id("message", self.chat_id, external_id)

    def work_off(self) -> None:
        self.memory.work_off()


def rounds_of(turns: Sequence[Turn]) -> int:
    return len({turn.round for turn in turns})


def speakers_of(turns: Sequence[Turn]) -> tuple[str, str]:
    """(who tells items of the table, whose memory it is)"""
    player = next((turn.speaker for turn in turns if turn.role == "user"), turns[0].speaker)
    return player, next((turn.speaker for turn in turns if turn.speaker != player), f"not {player}")


def concludes(turns: Sequence[Turn]) -> bool:
    """Whether the character of a dialogue has what insights are drawn through when it is lived: one that comes with the program, by its name."""
    other = speakers_of(turns)[1].strip().casefold()
    return any(character.stances and character.name.casefold() == other for character in built_in())


def rounds_behind(turns: Sequence[Turn], told: Sequence[int]) -> int:
    """How many whole rounds lie behind the last of some messages. told: their numbers."""
    last = max(turn.round for turn in turns if turn.number in told)
    return len({turn.round for turn in turns if turn.round > last})


def with_probes(turns: Sequence[Turn], probes: Sequence[Probe], *, longest: int, first: int = 1) -> ImportedConversation:
    """The dialogue with each item told by the player between two rounds, spread evenly over the rounds from the `first` on that have `longest` behind them; one alone
    ahead of the first."""
    player, other = speakers_of(turns)
    starts = [n for n, turn in enumerate(turns) if n == 0 or turn.round != turns[n - 1].round]
    first = min(first, len(starts))
    room = max(1, len(starts) - longest - (first - 1))
    places: dict[int, list[Probe]] = {}
    for n, probe in enumerate(probes):
        places.setdefault(starts[first - 1 + min(room - 1, n * room // len(probes))], []).append(probe)
    said: list[ImportedMessage] = []
    for n, turn in enumerate(turns):
        for probe in places.get(n, []):
            said.append(ImportedMessage(f"P{probe.id}", player, probe.p, from_ms(turn.said_at) - STEP, turn.session, len(said) + 1))
        said.append(ImportedMessage(f"T{turn.number}", turn.speaker, turn.text, from_ms(turn.said_at), turn.session, len(said) + 1))
    return ImportedConversation("probed", "probed", (player, other), tuple(said), ())


@contextmanager
def lived(
    settings: Settings,
    setting: Setting,
    conversation: ImportedConversation,
    *,
    folder: Path,
    language: str,
    reader: StructuredModel | None,
    note: Callable[[int, int], None],
) -> Iterator[Lived]:
    """note: told of (tasks done, tasks in all) before each task and within it; what it raises ends the run."""
    changes = {
        "data_dir": folder,
        "memory_capacity": setting.capacity,
        "memory_capacity_tokens": setting.capacity_tokens,
        "recall_k": setting.k,
        "memory_model": "",
    }
    reads = reader.lent() if reader is not None and setting.reading != "grounded" else None
    memory = open_memory(settings.model_copy(update=changes), model=reads, ways=ways(setting))
    at = [0, 1]
    memory.engine.breathe_with(lambda: note(*at))
    try:
        player, other = conversation.speakers[:2]
        character = character_named(memory.store, LOCAL_USER, other, language="zh" if language == "zh" else "en")
        importer = Importer(memory.store, conversation, Cast(player, other), character_id=character, language=language)
        with tqdm(disable=True) as bar:
            importer.write(bar)
        scope = importer.scope
        if setting.story != ORDINARY.story:
            memory.store.story.choose(scope, memory.store.chats.chat(scope).branch_id, setting.story)
        at[1] = max(1, memory.store.tasks.queue(scope).waiting)
        while (task := memory.store.tasks.lease()) is not None:
            note(*at)
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            at[0] += 1
            at[1] = max(at)
        yield Lived(memory, conversation, scope, memory.store.chats.chat(scope).branch_id, importer.chat_id)
    finally:
        memory.close()
