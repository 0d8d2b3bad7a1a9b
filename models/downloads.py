"""Fetching models from the hub: one at a time, with progress, stopped and taken up again, and never used before its checksum is right."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from errors import KeepsakeError
from models.errors import FetchRunning, FileDamaged, HubOff, HubUnreachable, NoRoomForFile, NoSuchModel
from models.hub_file import HubFiles, Record
from models.hub_models import OFFERS, Offer
from storage.errors import storage_error

log = logging.getLogger(__name__)

Phase = Literal["asking", "fetching", "checking", "done", "stopped", "failed"]
PARTS = ".parts"
"""Folder of what is not whole yet, within the folder of models."""
SPARE_BYTES = 2**30
"""Stays free: a full disk would stop the conversations as well."""
ATTEMPTS = 4
"""At a connection that breaks, as long as something came each time."""
PAUSE_S = 2.0
ROOM_EVERY = 64 * 2**20


@dataclass(frozen=True)
class Fetch:
    """How fetching an offer stands. done, total: bytes; total 0 while it is unknown; error: why it failed."""

    offer: str
    phase: Phase
    done: int = 0
    total: int = 0
    sha256: str = ""
    error: KeepsakeError | None = None


class _Stopped(Exception):
    """A person stopped it, or the program ends."""


class Downloads:
    """folder: of models; hub: the hub's address; allowed: by the settings; pause_s: before a broken connection is tried again."""

    def __init__(self, folder: Path, *, hub: str, allowed: bool, offers: tuple[Offer, ...] = OFFERS, pause_s: float = PAUSE_S) -> None:
        self._folder = folder
        self._parts = folder / PARTS
        self.hub = hub
        self.allowed = allowed
        self.offers = {offer.id: offer for offer in offers}
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._fetches: dict[str, Fetch] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def standing(self) -> dict[str, Fetch]:
        """By offer: what is there, on its way, or was left half done, also by an earlier run of the program."""
        with self._lock:
            found = dict(self._fetches)
        for offer in self.offers.values():
            now = found.get(offer.id)
            if now is not None and now.phase in ("asking", "fetching", "checking"):
                continue
            if (self._folder / offer.file).is_file():
                size = (self._folder / offer.file).stat().st_size
                found[offer.id] = Fetch(offer.id, "done", size, size, now.sha256 if now else "")
            elif now is None or now.phase == "done":
                found.pop(offer.id, None)
                if (left := self._left(offer)) is not None:
                    found[offer.id] = left
        return found

    def start(self, offer_id: str) -> None:
        """Begin, or go on. Raises NoSuchModel, HubOff, FetchRunning."""
        offer = self._offer(offer_id)
        if not self.allowed:
            raise HubOff("Reaching model hubs is switched off: set KEEPSAKE_HUB=true and start Keepsake again.")
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                raise FetchRunning("A model is being fetched already. Wait until it is there, or stop it.")
            self._stop.clear()
            self._fetches[offer.id] = Fetch(offer.id, "asking")
            self._thread = threading.Thread(target=self._run, args=(offer,), name="model-fetch", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """What came is kept. Returns when nothing is written any more, or after some seconds."""
        self._stop.set()
        if (thread := self._thread) is not None:
            thread.join(10)

    def discard(self, offer_id: str) -> None:
        """Let go of what was left half done. Raises NoSuchModel, FetchRunning."""
        offer = self._offer(offer_id)
        with self._lock:
            now = self._fetches.get(offer.id)
            if now is not None and now.phase in ("asking", "fetching", "checking"):
                raise FetchRunning("This model is being fetched. Stop it first.")
            self._fetches.pop(offer.id, None)
        self._drop(offer)

    def _offer(self, offer_id: str) -> Offer:
        if offer_id not in self.offers:
            raise NoSuchModel("There is no such model to fetch.")
        return self.offers[offer_id]

    def _run(self, offer: Offer) -> None:
        hub = HubFiles(self.hub)
        try:
            self._fetch(hub, offer)
        except _Stopped:
            self._note(offer, phase="stopped")
        except KeepsakeError as error:
            self._note(offer, phase="failed", error=error)
        except OSError as error:
            self._note(offer, phase="failed", error=storage_error(error))
        except Exception:
            log.exception("fetching a model failed unexpectedly")
            self._note(offer, phase="failed", error=KeepsakeError("Fetching the model failed unexpectedly. What was fetched is kept."))
        finally:
            hub.close()

    def _fetch(self, hub: HubFiles, offer: Offer) -> None:
        record = hub.record(offer.repo, offer.file)
        self._parts.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = self._part(offer)
        if self._kept_record(offer) != record:
            self._drop(offer)
            self._record_path(offer).write_text(json.dumps(vars(record)), encoding="utf-8")
        done = part.stat().st_size if part.exists() else 0
        self._note(offer, phase="fetching", done=done, total=record.size, sha256=record.sha256)
        self._check_room(record.size - done)
        left = ATTEMPTS
        while done < record.size:
            before = done
            try:
                self._take(hub, offer, record, part, done)
                done = part.stat().st_size
            except HubUnreachable:
                done = part.stat().st_size if part.exists() else 0
                left = ATTEMPTS if done > before else left - 1
                if left <= 0:
                    raise
                if self._stop.wait(self._pause_s):
                    raise _Stopped from None
        self._check(offer, record, part)
        os.replace(part, self._folder / offer.file)
        self._record_path(offer).unlink(missing_ok=True)
        self._note(offer, phase="done", done=record.size)

    def _take(self, hub: HubFiles, offer: Offer, record: Record, part: Path, at: int) -> None:
        """Write what comes behind what is there; from the beginning where the hub knows no ranges."""
        with hub.opened(offer.repo, offer.file, record, at=at) as (start, pieces), part.open("r+b" if part.exists() else "wb") as file:
            file.seek(start)
            file.truncate()
            done = looked = start
            for piece in pieces:
                if self._stop.is_set():
                    raise _Stopped
                done += len(piece)
                if done > record.size:
                    break
                file.write(piece)
                self._note(offer, done=done)
                if done - looked >= ROOM_EVERY:
                    looked = done
                    self._check_room(record.size - done)
            file.flush()
            os.fsync(file.fileno())
        if done > record.size:
            self._drop(offer)
            raise FileDamaged("More came than the hub's record says. It was thrown away; fetch it again.")
        if done < record.size:
            raise HubUnreachable("The connection to the model hub broke. What was fetched is kept.")

    def _check(self, offer: Offer, record: Record, part: Path) -> None:
        self._note(offer, phase="checking", done=record.size)
        digest = hashlib.sha256()
        with part.open("rb") as file:
            while piece := file.read(2**20):
                if self._stop.is_set():
                    raise _Stopped
                digest.update(piece)
        if digest.hexdigest() != record.sha256:
            self._drop(offer)
            raise FileDamaged(
                "What was fetched is not the file of the hub's record: its checksum differs. It was thrown away; fetch it again."
            )

    def _check_room(self, needed: int) -> None:
        free = shutil.disk_usage(self._folder).free
        if free < needed + SPARE_BYTES:
            raise NoRoomForFile(
                f"There is not enough room: {needed + SPARE_BYTES:,} bytes are wanted, {free:,} are free. What was fetched is kept.",
                needed=round((needed + SPARE_BYTES) / 1e9, 1),
                free=round(free / 1e9, 1),
            )

    def _note(self, offer: Offer, **changes: object) -> None:
        with self._lock:
            self._fetches[offer.id] = replace(self._fetches.get(offer.id, Fetch(offer.id, "asking")), **changes)  # type: ignore[arg-type]

    def _left(self, offer: Offer) -> Fetch | None:
        record = self._kept_record(offer)
        if record is None or not self._part(offer).is_file():
            return None
        return Fetch(offer.id, "stopped", self._part(offer).stat().st_size, record.size, record.sha256)

    def _kept_record(self, offer: Offer) -> Record | None:
        try:
            kept = json.loads(self._record_path(offer).read_text(encoding="utf-8"))
            return Record(str(kept["commit"]), str(kept["sha256"]), int(kept["size"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _drop(self, offer: Offer) -> None:
        for path in (self._part(offer), self._record_path(offer)):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()

    def _part(self, offer: Offer) -> Path:
        return self._parts / f"{offer.file}.part"

    def _record_path(self, offer: Offer) -> Path:
        return self._parts / f"{offer.file}.json"
