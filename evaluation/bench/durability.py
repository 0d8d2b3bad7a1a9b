"""Durability: `kill -9` at random moments of turns and imports; afterwards nothing acknowledged is missing and nothing is doubled.

The parent starts a child on the same data folder again and again and kills its process group at a random moment. The child says `ACK n` once a
message's `send` has returned, and `REPLY n` once its reply is final. At the end a last child works the queue off and the folder is read directly.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from chat.assembly import open_house
from chat.importer import main as import_main
from chat.service import ChatService
from evaluation.bench.conversation import made_rounds
from memory.engine import INDEXED
from models.build import build_embedder
from models.scripted import ScriptedModel
from settings import Settings, quiet_libraries
from storage.folder import DataFolder
from storage.index import MemoryIndex
from storage.records import Kind
from storage.scope import LOCAL_USER, Scope
from storage.store import Store

START = datetime(2024, 3, 1, tzinfo=UTC)
IMPORT_ROUNDS = 120
START_TIMEOUT_S = 60.0


@dataclass
class Damage:
    """What was found wrong; all zero when durability holds."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    wrong_memories: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def none(self) -> bool:
        return not (self.lost or self.doubled or self.wrong_memories)


# The child


def _child_settings(folder: Path) -> Settings:
    settings = Settings(data_dir=folder)
    quiet_libraries(settings)
    return settings


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def child_turns(folder: Path, *, first: int, settle: bool) -> None:
    """Say numbered lines in the folder's one chat until killed; with `settle`, only finish what is queued."""
    house = open_house(_child_settings(folder), model=ScriptedModel.endless(["I ", "hear ", "you."]))
    service = house.service
    chats = service.chats(LOCAL_USER)
    chat_id = chats[0].id if chats else service.create(LOCAL_USER, service.characters()[0].id)
    house.start(worker=True)
    scope = Scope.of(LOCAL_USER, chat_id)
    _say("READY")
    number = first
    while not settle:
        line = next(made_rounds(1, seed=number, start=START)).user
        service.send(LOCAL_USER, chat_id, f"line {number}: {line}", token=f"t{number}")
        _say(f"ACK {number}")
        while True:
            job = service.job(LOCAL_USER, chat_id)
            if job is None or job.final:
                break
            time.sleep(0.002)
        if job is not None and job.error_code is None:
            _say(f"REPLY {number}")
        number += 1
    if service.transcript(LOCAL_USER, chat_id).awaiting_reply:
        service.request_reply(LOCAL_USER, chat_id)
    while house.memory.store.tasks.queue(scope).waiting or _running(service, LOCAL_USER, chat_id):
        time.sleep(0.05)
    house.close()
    _say("SETTLED")


def _running(service: ChatService, user_id: str, chat_id: str) -> bool:
    job = service.job(user_id, chat_id)
    return job is not None and not job.final


def child_import(folder: Path, file: Path) -> None:
    os.environ["KEEPSAKE_DATA_DIR"] = str(folder)
    _say("READY")
    code = import_main([str(file), "--user", "Ann", "--character", "Bo"])
    _say(f"DONE {code}")


# The parent


def _spawn(mode: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "evaluation.bench.durability", mode, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )


def _run_and_kill(process: subprocess.Popen[str], delay: float) -> tuple[list[str], bool]:
    """Lines of a child killed `delay` seconds after READY, and whether it had ended by itself before."""
    lines: list[str] = []
    ready = threading.Event()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("READY"):
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    drain = threading.Thread(target=lambda: process.stderr and process.stderr.read(), daemon=True)
    drain.start()
    if not ready.wait(START_TIMEOUT_S):
        raise RuntimeError("the child did not start")
    try:
        process.wait(delay)
        ended = True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        ended = False
    reader.join(5)
    return lines, ended


def kill_turns(kills: int, *, seed: int, on_kill: Callable[[], None] = lambda: None) -> Damage:
    """Kill a chatting process `kills` times, then look."""
    rng = random.Random(seed)
    damage = Damage(kills=kills)
    spoken: set[int] = set()
    answered: set[int] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(kills):
            # As a page does: what was not acknowledged is sent again with the same token.
            first = max(spoken, default=-1) + 1
            lines, _ = _run_and_kill(_spawn("turns", str(folder), str(first)), rng.uniform(0.02, 0.9))
            spoken |= {int(line.split()[1]) for line in lines if line.startswith("ACK ")}
            answered |= {int(line.split()[1]) for line in lines if line.startswith("REPLY ")}
            on_kill()
        lines, ended = _run_and_kill(_spawn("settle", str(folder), "0"), 120.0)
        if not ended or "SETTLED" not in lines:
            damage.notes.append("the queue could not be worked off")
            damage.wrong_memories += 1
        damage.acknowledged = len(spoken) + len(answered)
        _look_at_turns(folder, spoken, answered, damage)
    return damage


def _look_at_turns(folder: Path, spoken: set[int], answered: set[int], damage: Damage) -> None:
    store = Store(DataFolder(folder))
    try:
        (chat,) = store.chats.of_user(LOCAL_USER)
        scope = Scope.of(LOCAL_USER, chat.id)
        path = list(reversed(store.chats.path(scope, chat.branch_id, limit=1_000_000)))
        said = Counter(int(m.text.split(":")[0].removeprefix("line ")) for m in path if m.role == "user")
        replied = Counter(
            int(before.text.split(":")[0].removeprefix("line "))
            for before, after in pairwise(path)
            if before.role == "user" and after.role == "character"
        )
        damage.lost += len(spoken - set(said)) + len(answered - set(replied))
        damage.doubled += sum(n - 1 for n in (*said.values(), *replied.values()))
        rounds = Counter(m.round for m in path)
        damage.doubled += sum(1 for round_number, n in rounds.items() if round_number and n > 2)
        _look_at_memories(store, scope, chat.branch_id, {m.round for m in path if m.round}, damage)
    finally:
        store.close()


def _look_at_memories(store: Store, scope: Scope, branch_id: str, rounds: set[int], damage: Damage) -> None:
    """Every round has exactly one episode that shows, and Chroma holds exactly the memories that SQLite holds."""
    visible = store.memories.visible(scope, branch_id)
    shown = Counter(visible.of_kinds((Kind.EPISODE,)).rounds)
    damage.wrong_memories += len(rounds - set(shown)) + sum(n - 1 for n in shown.values())
    embedder = build_embedder(Settings())
    index = MemoryIndex(store.folder.index, fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    in_index, in_database = index.ids(), {memory_id for _, _, memory_id in store.memory_ids(INDEXED)}
    if in_index != in_database:
        damage.wrong_memories += len(in_index ^ in_database)
        damage.notes.append(f"index {len(in_index)} entries, database {len(in_database)}")
    index.close()


def kill_import(kills: int, *, seed: int, on_kill: Callable[[], None] = lambda: None) -> Damage:
    """Kill an import `kills` times, let it end, and compare it with one that was never disturbed."""
    rng = random.Random(seed)
    damage = Damage(kills=0)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        file = root / "story.txt"
        file.write_text(
            "\n".join(
                f"[{r.said_at:%Y-%m-%d %H:%M}] {who}: {text}"
                for r in made_rounds(IMPORT_ROUNDS, seed=seed, start=START)
                for who, text in (("Ann", r.user), ("Bo", r.reply))
            ),
            encoding="utf-8",
        )
        clean, undisturbed = root / "clean", {}
        lines, ended = _run_and_kill(_spawn("import", str(clean), str(file)), 300.0)
        if not ended or "DONE 0" not in lines:
            raise RuntimeError("the undisturbed import failed")
        undisturbed = _import_state(clean)
        folder, turn = root / "killed-0", 0
        while damage.kills < kills:
            _, ended = _run_and_kill(_spawn("import", str(folder), str(file)), rng.uniform(0.05, 3.0))
            if ended:  # it got through between kills: compare, and go on with a fresh folder
                _compare(undisturbed, _import_state(folder), damage)
                turn += 1
                folder = root / f"killed-{turn}"
                continue
            damage.kills += 1
            on_kill()
        lines, ended = _run_and_kill(_spawn("import", str(folder), str(file)), 300.0)
        if not ended or "DONE 0" not in lines:
            damage.notes.append("the last import did not end well")
            damage.lost += 1
        damage.acknowledged = len(undisturbed["messages"]) * (turn + 1)
        _compare(undisturbed, _import_state(folder), damage)
    return damage


def _compare(expected: dict[str, list[object]], found: dict[str, list[object]], damage: Damage) -> None:
    for part, wanted in expected.items():
        have = Counter(map(json.dumps, found[part]))
        want = Counter(map(json.dumps, wanted))
        missing, extra = sum((want - have).values()), sum((have - want).values())
        if part == "messages":
            damage.lost += missing
            damage.doubled += extra
        else:
            damage.wrong_memories += missing + extra


def _import_state(folder: Path) -> dict[str, list[object]]:
    """What an import left, without the ids that differ from one import to the next."""
    store = Store(DataFolder(folder))
    try:
        (chat,) = store.chats.of_user(LOCAL_USER)
        scope = Scope.of(LOCAL_USER, chat.id)
        path = store.chats.path(scope, chat.branch_id, limit=1_000_000)
        visible = store.memories.visible(scope, chat.branch_id)
        return {
            "messages": [[m.depth, m.round, m.speaker, m.text, m.said_at.isoformat()] for m in path],
            "memories": [[visible.round_of[i], memory.text] for i, memory in store.memories.get(scope, visible.ids).items()],
            "events": [
                [e.round, visible.round_of.get(e.memory_id, -1), e.effect.value] for e in store.memories.events(scope, chat.branch_id)
            ],
        }
    finally:
        store.close()


if __name__ == "__main__":
    mode, where, argument = sys.argv[1:4]
    if mode == "import":
        child_import(Path(where), Path(argument))
    else:
        child_turns(Path(where), first=int(argument), settle=mode == "settle")
