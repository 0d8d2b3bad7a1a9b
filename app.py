"""Start Keepsake: read the settings, open the data folder, serve the page."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading

from pydantic import ValidationError

from errors import KeepsakeError
from settings import Settings, quiet_libraries


def port_is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


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
    if not port_is_free(settings.host, settings.port):
        print(
            f"Port {settings.port} on {settings.host} is taken; nothing was started. Close the program that uses it, "
            f"or choose another: KEEPSAKE_PORT={settings.port + 1} make run",
            file=sys.stderr,
        )
        return 2
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
        launch(page, settings)
        threading.Thread(target=house.model.warm, name="warm-model", daemon=True).start()
        print(f"Keepsake is at http://{settings.host}:{settings.port}  (data: {settings.data_dir}; Ctrl+C ends it)", flush=True)
        ended.wait()
    finally:
        page.close(verbose=False)
        house.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
