"""Putting the parts of one data folder together, for the app, the importer and the benches alike."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from chat.cast import enrol_built_in
from chat.health import Household
from chat.model_choice import ModelChoice
from chat.model_room import ModelRoom
from chat.service import ChatService
from chat.turn import Turn
from chat.upkeep import Upkeep, catch_up
from chat.views import StatusView
from memory.cross_reading import CrossReader
from memory.engine import INSIGHT_TASK, MemoryEngine
from memory.forgetting import Capacity
from memory.ways import ORDINARY, Ways
from memory.worker import Worker
from models.build import build_cross_encoder, build_embedder
from models.chat_model import ChatModel
from models.connection import Role
from models.embedder import Embedder
from models.reach import Destination, Reach, destination
from models.structured import StructuredModel
from settings import EMBEDDED, Settings, is_this_computer
from storage.backup import Backups
from storage.checking import check_pages
from storage.database import left_for_later
from storage.errors import ErasureUnfinished, StorageDamaged
from storage.folder import DataFolder
from storage.index import MemoryIndex
from storage.scope import LOCAL_USER
from storage.store import Store

log = logging.getLogger(__name__)

DEFAULT_NAMES = {"en": "You", "zh": "你"}
"""How the player is called where nothing else is known, by language."""


@dataclass(frozen=True)
class Memory:
    """An owned data folder with its engine and worker; enough to import and to recall."""

    store: Store
    embedder: Embedder
    index: MemoryIndex
    engine: MemoryEngine
    worker: Worker
    models: ModelChoice

    def work_off(self) -> int:
        """Do every task that is due, in this thread, for measurements; how many. Errors are raised, not recorded."""
        done = 0
        while (task := self.store.tasks.lease()) is not None:
            self.engine.run(task)
            self.store.tasks.finish(task)
            done += 1
        return done

    def close(self) -> None:
        """End the worker first: nothing may touch the database after it is closed."""
        ended = self.worker.stop()
        self.engine.close()
        if ended:
            self.index.close()
            self.store.close()
        else:
            log.warning("a memory task did not end in time; it is done again at the next start")
        self.models.close()
        self.store.folder.release()


@dataclass(frozen=True)
class House:
    """Everything behind the page."""

    memory: Memory
    service: ChatService
    upkeep: Upkeep

    @property
    def model(self) -> ChatModel:
        """Who talks now."""
        return self.memory.models.chat.present

    def start(self, *, worker: bool) -> None:
        with left_for_later():
            self.service.samples.resume()
        if worker:
            self.memory.worker.start()
        if self.memory.engine.cross is not None:
            self.memory.engine.cross.start()
        self.upkeep.start()

    def close(self) -> None:
        """Keep what running replies had, end the threads, close the files."""
        self.service.shutdown()
        self.upkeep.stop()
        self.memory.close()


def open_store(settings: Settings) -> Store:
    """The database of the data folder, owned or not, with the local user and the cast in it."""
    store = Store(DataFolder(settings.data_dir))
    with left_for_later():
        store.database.try_to_write()
        store.chats.ensure_user(LOCAL_USER, "")
        enrol_built_in(store)
    return store


def open_memory(
    settings: Settings,
    store: Store | None = None,
    *,
    niceness: int = 19,
    model: StructuredModel | None = None,
    models: ModelChoice | None = None,
    ways: Ways = ORDINARY,
) -> Memory:
    """Own the data folder and open its engine. Raises FolderBusy if another process has it. niceness: of the worker; model: overrides the chosen
    memory model (tests); models: who serves, where that is decided already; ways: how it remembers, where that is compared."""
    store = store or open_store(settings)
    store.folder.own()
    store.folder.clear_exports()
    store.folder.clear_imports()
    with left_for_later():
        if queued := catch_up(store):
            log.info("%d chats from an older version are being read for what they tell", queued)
    embedder = build_embedder(settings)
    index = MemoryIndex(
        store.folder.index, fingerprint=embedder.fingerprint, dimension=embedder.dimension, writable=store.database.trouble is None
    )
    capacity = Capacity(settings.memory_capacity, settings.memory_capacity_tokens)
    cross = CrossReader(lambda: build_cross_encoder(settings), budget_s=settings.cross_encoder_budget_s) if settings.cross_encoder else None
    models = models or ModelChoice(store, settings, reader=model)
    engine = MemoryEngine(
        store,
        embedder,
        index,
        k=settings.recall_k,
        capacity=capacity,
        idle=timedelta(minutes=settings.session_idle_minutes),
        reader=models.reader,
        cross=cross,
        ways=ways,
    )
    _finish_erasures(engine)

    def reconcile(may_go_on: Callable[[], bool]) -> None:
        # A folder that could only be read was opened without its lock, and without the index. Whoever misses the index asks again.
        if store.database.trouble is not None or not store.folder.try_own():
            return
        _finish_erasures(engine)
        added, removed = engine.reconcile(may_go_on=may_go_on)
        if added or removed:
            log.info("memory index: %d entries added, %d removed", added, removed)

    worker = Worker(store.tasks, engine.run, before=reconcile, niceness=niceness, threads=settings.memory_workers, resumed=[INSIGHT_TASK])
    engine.breathe_with(worker.breathe)
    engine.mended_by(worker.tidy)
    return Memory(store, embedder, index, engine, worker, models)


def _finish_erasures(engine: MemoryEngine) -> None:
    try:
        for name in engine.finish_erasures():
            log.warning("the backup %s was removed with what was erased: it could not be erased from", name)
    except ErasureUnfinished as error:
        log.warning("%s", error)


def open_house(settings: Settings, *, model: ChatModel | None = None, answering: StructuredModel | None = None) -> House:
    """Everything behind the page, not yet started. model, answering: override what is chosen to talk and to answer questions (tests). Raises StorageDamaged."""
    damage: Future[StorageDamaged] = Future()
    check_pages(DataFolder(settings.data_dir).database, later=damage.set_result)
    store = open_store(settings)
    damage.add_done_callback(lambda found: store.database.note_damage(found.result()))
    models = ModelChoice(store, settings, chat=model, answering=answering)
    memory = open_memory(settings, store, models=models)
    turn = Turn(
        store,
        memory.engine,
        models.voice,
        memory_tokens=settings.memory_tokens,
        recall_budget_s=settings.recall_budget_s,
        recall_k=settings.recall_k,
        cites=lambda talking: settings.citations == "on" or (settings.citations == "auto" and not models.is_demo(talking)),
        paused=memory.worker.paused,
        wake=memory.worker.wake,
    )
    backups = Backups(memory.store.folder, keep=settings.backup_keep)
    service = ChatService(
        store,
        memory.engine,
        turn,
        names={**DEFAULT_NAMES, **({"en": settings.player_name, "zh": settings.player_name} if settings.player_name else {})},
        status=lambda: _status(memory, settings),
        wake=memory.worker.wake,
        tidy=memory.worker.tidy,
        household=Household(
            replies=lambda: _destination(models, "chat", settings) or destination(EMBEDDED, None),
            memory=lambda: _destination(models, "memory", settings),
            hub=settings.hub,
            open_page=not is_this_computer(settings.host),
            accounts=settings.accounts,
            backups=backups,
            backup_hours=settings.backup_hours,
        ),
        models=ModelRoom(store, models, settings),
        demo=settings.demo,
    )
    upkeep = Upkeep(
        store,
        idle_minutes=settings.session_idle_minutes,
        backups=backups,
        backup_hours=settings.backup_hours,
    )
    return House(memory, service, upkeep)


def _destination(models: ModelChoice, role: Role, settings: Settings) -> Destination | None:
    """Where what is asked in a role goes now; None where nobody is asked."""
    connection = models.serving(role).connection
    if connection is not None:
        return destination(EMBEDDED, None) if connection.kind == "file" else destination(connection.model, connection.address)
    model, base = (settings.chat_model, settings.chat_api_base) if role == "chat" else (settings.memory_model, settings.memory_api_base)
    return destination(model, base) if model else None


def _status(memory: Memory, settings: Settings) -> StatusView:
    """What answers now."""
    models, cross = memory.models, memory.engine.cross
    connection = models.serving("chat").connection
    small = models.is_demo(models.chat.present)
    reads = models.reader.present
    goes = _destination(models, "chat", settings)
    return StatusView(
        model_name=models.chat.present.name,
        model_local=small or (connection is not None and connection.reach == "nowhere"),
        model_small=small,
        embedder=memory.embedder.fingerprint,
        data_dir=str(memory.store.folder.root),
        memory_model=reads.name if reads is not None else "",
        # Of a folder its name alone: where it lies is nobody's business who sees the page.
        cross_encoder=Path(settings.cross_encoder).name if Path(settings.cross_encoder).is_absolute() else settings.cross_encoder,
        cross_state=cross.state if cross else "",
        leaves_to=goes.host if goes is not None and goes.reach is not Reach.HERE else "",
    )
