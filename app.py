"""Start Keepsake: read the settings, open the data folder, serve the page."""

from __future__ import annotations

import argparse
import errno
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import machine
from errors import KeepsakeError
from settings import VERSION, Settings, is_this_computer, quiet_libraries, read_settings
from storage.scope import LOCAL_USER

if TYPE_CHECKING:
    from chat.assembly import House
    from ui.accounts.pages import AccountPages

log = logging.getLogger("keepsake")
ENDS_S, CLOSES_S = 6.0, 1.5
"""When told to end: so long everything under way has to end, and then the memory to be closed."""
LAST_S = 9.0
"""When told to end the process is gone after so long, whatever holds it up."""
CUT_OFF = "what is under way is cut off; it is gone on with at the next start"


def why_not(host: str, port: int) -> str:
    """Why the page cannot be served there; empty if it can."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return (
                    f"Port {port} on {host} is taken; nothing was started. Close the program that uses it, "
                    f"or choose another: KEEPSAKE_PORT={port + 1} make run"
                )
            return (
                f"The page cannot be served on {host}, port {port} ({error}); nothing was started. See KEEPSAKE_HOST in docs/settings.md."
            )
    return ""


def open_to_all(settings: Settings) -> str:
    """Why the page may not be served where others can reach it; empty if it may."""
    if is_this_computer(settings.host) or settings.accounts or settings.open_to_all:
        return ""
    return (
        f"{settings.host} can be reached from other computers, and without accounts whoever reaches the page reads and changes every conversation; nothing was "
        "started. Set KEEPSAKE_ACCOUNTS=on, or KEEPSAKE_OPEN_TO_ALL=on if that is what you want. See docs/accounts.md."
    )


def open_accounts(house: House, settings: Settings) -> AccountPages | None:
    """The pages about accounts; None where everybody is the local user."""
    from accounts.entrance import Entrance
    from accounts.people import People
    from ui.accounts.pages import AccountPages

    if not settings.accounts:
        return None
    stored = house.memory.store.accounts
    entrance = Entrance(stored, idle=timedelta(hours=settings.login_idle_hours), longest=timedelta(days=settings.login_days))
    return AccountPages(entrance, People(stored, entrance, erase=house.service.conversations.erase_account), settings.port)


def asked(arguments: Sequence[str] | None) -> dict[str, object]:
    """What the command line sets, by name of the setting. Ends the program for --help, --version and what is no option."""
    parser = argparse.ArgumentParser(
        prog="python app.py",
        description="Keepsake: role-play chat whose characters remember. Serves the page until Ctrl+C or SIGTERM.",
        epilog="Every setting is also a variable KEEPSAKE_NAME, a line of that name in a file .env, or a key in keepsake.toml, in the folder this is started "
        "from; an option here stands before them. docs/settings.md names all of them: models, memory, accounts, backups and the rest.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--host", metavar="ADDRESS", help="address the page is served on (KEEPSAKE_HOST; 127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="N", help="port the page is served on (KEEPSAKE_PORT; 7860)")
    parser.add_argument(
        "--data-dir",
        "--data",
        type=Path,
        metavar="FOLDER",
        help="folder of database and index, one running app per folder (KEEPSAKE_DATA_DIR; ~/.local/share/keepsake)",
    )
    parser.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        help="add two sample stories where there is no conversation yet, and show them first (KEEPSAKE_DEMO)",
    )
    parser.add_argument("--log-level", metavar="LEVEL", help="debug, info, warning or error (KEEPSAKE_LOG_LEVEL; info)")
    parser.add_argument("--version", action="version", version=f"Keepsake {VERSION}")
    return vars(parser.parse_args(arguments))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 after an orderly end, 2 if it could not start (the reason is on standard error)."""
    settings = read_settings(**asked(arguments))
    machine.share_arenas()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    for noisy in ("httpx", "httpcore", "LiteLLM", "apscheduler", "chromadb"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    if problem := why_not(settings.host, settings.port):
        print(problem, file=sys.stderr)
        return 2
    if problem := open_to_all(settings):
        print(problem, file=sys.stderr)
        return 2
    if settings.demo and settings.accounts:
        print("The demonstration is for one person: unset KEEPSAKE_ACCOUNTS or KEEPSAKE_DEMO. Nothing was started.", file=sys.stderr)
        return 2
    quiet_libraries(settings)

    from annotation.outlines import Outlines
    from annotation.probe_runs import ProbeRuns
    from annotation.probing import Probing
    from annotation.workbench import Workbench
    from chat.assembly import open_house
    from chat.building import follow
    from chat.lending import Lending
    from evaluation.run_queue import RunQueue
    from ui.annotation.pages import AnnotationPages
    from ui.page import build_page, launch
    from ui.runs.operations import Desk
    from ui.runs.pages import RunPages

    try:
        house = open_house(settings)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 2
    ended = threading.Event()

    def told_to_end(*_: object) -> None:
        if not ended.is_set():
            threading.Thread(target=leave_after, args=(LAST_S,), daemon=True).start()
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told_to_end)
    page = build_page(house.service, settings)
    store = house.memory.store
    runs = ProbeRuns(store, settings, embedder=house.memory.embedder, models=house.memory.models, breathe=house.memory.worker.after_live)
    measuring = RunQueue(settings, replying=lambda: house.memory.worker.replying)
    outlines = Outlines(store, settings, breathe=house.memory.worker.after_live)
    status = 1
    try:
        if settings.demo:
            house.service.samples.add_all(LOCAL_USER)
        house.start(worker=settings.worker)
        accounts = open_accounts(house, settings)
        bench = Workbench(store, Probing(store, house.memory.embedder, runs), outlines, Lending(house.service), house.memory.worker.tidy)
        launch(
            page, house.service, settings, accounts, AnnotationPages(bench, inbox=store.folder.imports), RunPages(Desk(measuring, bench))
        )
        measuring.wake()
        threading.Thread(target=make_ready, args=(house,), name="warm-model", daemon=True).start()
        print(f"Keepsake is at http://{settings.host}:{settings.port}  (data: {settings.data_dir}; Ctrl+C ends it)", flush=True)
        if accounts is not None and accounts.entrance.code:
            print(
                f"Nobody has an account yet. To make the first one, an admin's, open the page and enter this code: {accounts.entrance.code}",
                flush=True,
            )
        if settings.demo and settings.worker:
            follow(house.service.samples, LOCAL_USER, ended=ended)
        ended.wait()
        status = 0
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        status = 2
    finally:
        if not end(house, lambda: page.close(verbose=False), runs.close, measuring.close, outlines.close):
            log.warning(CUT_OFF)
    return status


def make_ready(house: House) -> None:
    """Load what is loaded late; with that everything is there that stays."""
    house.model.warm()
    machine.pass_over_what_is_there()


def end(house: House, *others: Callable[[], object], within_s: float = ENDS_S) -> bool:
    """Close everything, side by side, with what running replies have so far kept; False where something did not end in time.

    That is cut off. What was acknowledged is in the database, and memory tasks, outlines and runs are begun anew or gone on with at the next start.
    """
    worker = house.memory.worker
    under_way = (house.service.shutdown, house.upkeep.stop, lambda: worker.stop(timeout=within_s), *others)
    return _all_end(under_way, within_s) and _all_end([house.memory.close], CLOSES_S)


def _all_end(parts: Iterable[Callable[[], object]], within_s: float) -> bool:
    until = time.monotonic() + within_s
    threads = [threading.Thread(target=part, daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)


def leave_after(seconds: float) -> None:
    time.sleep(seconds)
    log.warning(CUT_OFF)
    leave(0)


def leave(status: int) -> None:
    """End this process now, whatever its threads are at, with those that it began: to take an interpreter apart takes seconds, and waits for threads."""
    for child in multiprocessing.active_children():
        child.terminate()
    logging.shutdown()
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(main())
