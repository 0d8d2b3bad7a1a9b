"""Putting the parts of one data folder together, for the app, the importer and the benches alike."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from chat.cast import enrol_built_in
from chat.health import Household
from chat.service import ChatService
from chat.turn import Turn
from chat.upkeep import Upkeep, catch_up
from chat.views import StatusView
from memory.cross_reading import CrossReader
from memory.engine import INSIGHT_TASK, MemoryEngine
from memory.forgetting import Capacity
from memory.worker import Worker
from models.build import build_answer_model, build_chat_model, build_cross_encoder, build_embedder, build_memory_model
from models.chat_model import ChatModel
from models.embedder import Embedder
from models.reach import destination
from models.structured import StructuredModel
from settings import EMBEDDED, Settings, is_this_computer
from storage.backup import Backups
from storage.errors import ErasureUnfinished
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
        if self.worker.stop():
            self.index.close()
            self.store.close()
        else:
            log.warning("a memory task did not end in time; it is done again at the next start")
        self.store.folder.release()


@dataclass(frozen=True)
class House:
    """Everything behind the page."""

    memory: Memory
    model: ChatModel
    service: ChatService
    upkeep: Upkeep

    def start(self, *, worker: bool) -> None:
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
        self.model.close()


def open_store(settings: Settings) -> Store:
    """The database of the data folder, owned or not, with the local user and the cast in it."""
    store = Store(DataFolder(settings.data_dir))
    store.chats.ensure_user(LOCAL_USER, "")
    enrol_built_in(store)
    return store


def open_memory(settings: Settings, store: Store | None = None, *, niceness: int = 19, model: StructuredModel | None = None) -> Memory:
    """Own the data folder and open its engine. Raises FolderBusy if another process has it. niceness: of the worker; model: overrides the configured
    memory model (tests)."""
    store = store or open_store(settings)
    store.folder.own()
    store.folder.clear_exports()
    store.folder.clear_imports()
    if queued := catch_up(store):
        log.info("%d chats from an older version are being read for what they tell", queued)
    embedder = build_embedder(settings, store.folder.cache)
    index = MemoryIndex(store.folder.index, fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    capacity = Capacity(settings.memory_capacity, settings.memory_capacity_tokens)
    cross = CrossReader(lambda: build_cross_encoder(settings), budget_s=settings.cross_encoder_budget_s) if settings.cross_encoder else None
    engine = MemoryEngine(
        store,
        embedder,
        index,
        k=settings.recall_k,
        capacity=capacity,
        idle=timedelta(minutes=settings.session_idle_minutes),
        model=model or build_memory_model(settings),
        cross=cross,
    )
    _finish_erasures(engine)

    def reconcile(may_go_on: Callable[[], bool]) -> None:
        _finish_erasures(engine)
        added, removed = engine.reconcile(may_go_on=may_go_on)
        if added or removed:
            log.info("memory index: %d entries added, %d removed", added, removed)

    worker = Worker(store.tasks, engine.run, before=reconcile, niceness=niceness, threads=settings.memory_workers, resumed=[INSIGHT_TASK])
    engine.breathe_with(worker.breathe)
    return Memory(store, embedder, index, engine, worker)


def _finish_erasures(engine: MemoryEngine) -> None:
    try:
        for name in engine.finish_erasures():
            log.warning("the backup %s was removed with what was erased: it could not be erased from", name)
    except ErasureUnfinished as error:
        log.warning("%s", error)


def open_house(settings: Settings, *, model: ChatModel | None = None, answering: StructuredModel | None = None) -> House:
    """Everything behind the page, not yet started. model, answering: override what is configured to talk and to answer questions (tests)."""
    memory = open_memory(settings)
    chat_model = model or build_chat_model(settings)
    small = settings.chat_model == EMBEDDED
    turn = Turn(
        memory.store,
        memory.engine,
        chat_model,
        memory_tokens=settings.memory_tokens,
        recall_budget_s=settings.recall_budget_s,
        recall_k=settings.recall_k,
        cite=settings.citations == "on" or (settings.citations == "auto" and not small),
        paused=memory.worker.paused,
        wake=memory.worker.wake,
    )
    status = StatusView(
        model_name=chat_model.name,
        model_local=small,
        model_small=small,
        embedder=memory.embedder.fingerprint,
        data_dir=str(memory.store.folder.root),
        memory_model=settings.memory_model,
        # Of a folder its name alone: where it lies is nobody's business who sees the page.
        cross_encoder=Path(settings.cross_encoder).name if Path(settings.cross_encoder).is_absolute() else settings.cross_encoder,
    )
    cross = memory.engine.cross
    backups = Backups(memory.store.folder, keep=settings.backup_keep)
    service = ChatService(
        memory.store,
        memory.engine,
        turn,
        names={**DEFAULT_NAMES, **({"en": settings.player_name, "zh": settings.player_name} if settings.player_name else {})},
        status=lambda: replace(status, cross_state=cross.state) if cross else status,
        wake=memory.worker.wake,
        tidy=memory.worker.tidy,
        household=Household(
            replies=destination(settings.chat_model, settings.chat_api_base),
            memory=destination(settings.memory_model, settings.memory_api_base) if settings.memory_model else None,
            hub=settings.hub,
            open_page=not is_this_computer(settings.host),
            accounts=settings.accounts,
            backups=backups,
            backup_hours=settings.backup_hours,
        ),
        answering=answering or build_answer_model(settings),
        demo=settings.demo,
    )
    upkeep = Upkeep(
        memory.store,
        idle_minutes=settings.session_idle_minutes,
        backups=backups,
        backup_hours=settings.backup_hours,
    )
    return House(memory, chat_model, service, upkeep)
