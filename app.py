"""Start Keepsake: read the settings, open the data folder, serve the page."""

from __future__ import annotations

import errno
import logging
import signal
import socket
import sys
import threading

from pydantic import ValidationError

from errors import KeepsakeError
from settings import Settings, quiet_libraries


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


def main() -> int:
    """Exit status: 0 after an orderly end, 2 if it could not start (the reason is on standard error)."""
    try:
        settings = Settings()
    except ValidationError as error:
        print(f"A setting is not valid; nothing was started.\n{error}", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    for noisy in ("httpx", "httpcore", "LiteLLM", "apscheduler", "chromadb"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    if problem := why_not(settings.host, settings.port):
        print(problem, file=sys.stderr)
        return 2
    if settings.host not in ("127.0.0.1", "::1", "localhost"):
        print(
            f"Note: {settings.host} can be reached from other computers, and there is no login: whoever reaches the page reads every chat.",
            file=sys.stderr,
        )
    quiet_libraries(settings)

    from chat.assembly import open_house
    from ui.page import build_page, launch

    try:
        house = open_house(settings)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 2
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    page = build_page(house.service, settings)
    try:
        house.start(worker=settings.worker)
        launch(page, house.service, settings)
        threading.Thread(target=house.model.warm, name="warm-model", daemon=True).start()
        print(f"Keepsake is at http://{settings.host}:{settings.port}  (data: {settings.data_dir}; Ctrl+C ends it)", flush=True)
        ended.wait()
    finally:
        page.close(verbose=False)
        house.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
