"""The program as a bench has it: the real page and service on a folder, with a model that answers from a script at a stated speed.

`python -m evaluation.bench.page_house FOLDER PORT` says READY and serves until it is told to end.
"""

from __future__ import annotations

import itertools
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from chat.assembly import open_house
from evaluation.bench.long_talk import long_replies
from models.scripted import Script, ScriptedModel
from settings import Settings, quiet_libraries
from ui.page import build_page, launch

PIECES_A_SECOND = 40.0
"""Of a few letters each, as a hosted model writes: three to five times as fast as people read."""
LETTERS = 4
PARAGRAPHS = 14
REPLIES = 400


def pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def main(arguments: Sequence[str]) -> None:
    folder, port = Path(arguments[0]), int(arguments[1])
    settings = Settings(data_dir=folder, port=port)
    quiet_libraries(settings)
    model = ScriptedModel(context_tokens=8192, reply_tokens=2000)
    told = [long_replies(REPLIES // 2, language=language, seed=1, paragraphs=PARAGRAPHS) for language in ("en", "zh")]
    for text in itertools.chain.from_iterable(zip(*told, strict=True)):
        model.enqueue(Script(tuple(pieces(text, LETTERS)), before_s=0.2, between_s=1 / PIECES_A_SECOND))
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    house = open_house(settings, model=model)
    page = build_page(house.service, settings)
    try:
        house.start(worker=True)
        launch(page, house.service, settings)
        print("READY", flush=True)
        ended.wait()
    finally:
        page.close(verbose=False)
        house.close()


if __name__ == "__main__":
    main(sys.argv[1:])
