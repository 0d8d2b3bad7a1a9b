"""Feed a conversation that listens: `python -m chat.listen URL < lines.jsonl`, or `python -m chat.listen URL FILE`.

Lines are JSON objects (`chat.fed_lines`), sent as they come: those of a file many at once, those of a pipe a moment after they are there. A line without an id is
given one that follows from the file's words, so that the same command on the same file goes on where it ended and doubles nothing. What comes through a pipe is
new each time, unless `--name` says which stream it is: then the same stream, fed again from its beginning, goes on as well.
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. What was sent is kept; the same command goes on from there.")

import argparse
import hashlib
import json
import os
import queue
import secrets
import stat
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from tqdm import tqdm

from chat.fed_lines import FedLine, FeedRefused, line_of

TOKEN = "KEEPSAKE_LISTEN_TOKEN"
MOST_AT_ONCE = 200
MOST_SENT_BYTES = 512 * 1024
"""Of a batch; the address takes twice as much, and one line is a fraction of it."""
GATHER_S = 0.2
"""What comes through a pipe within this time is sent together."""
PATIENCE_S = 120.0
"""How long an address that does not answer, or is too busy, is tried again."""
ANSWER_S = 60.0


class Unfed(Exception):
    """Why no more is sent; what was told to be added is kept."""


@dataclass(frozen=True)
class Sent:
    number: int
    """Of the line in what is fed, from 1."""
    raw: bytes


Ask = Callable[[Sequence[Sent]], dict[str, Any]]


def identified(lines: Iterator[bytes], *, name: str, by_words: bool) -> Iterator[Sent]:
    """The lines with an id each, blank ones left out. name: of the stream, which tells its lines by their number; by_words: by what they say and how often it was
    said before. Raises FeedRefused for the first that is none."""
    seen: Counter[str] = Counter()
    for number, raw in enumerate(lines, start=1):
        raw = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if not raw.strip():
            continue
        line = line_of(number, raw)
        value = json.loads(raw)
        if value.get("id") is None:
            value["id"] = _id(line, number, seen, name=name, by_words=by_words)
        yield Sent(number, json.dumps(value, ensure_ascii=False).encode())


def _id(line: FedLine, number: int, seen: Counter[str], *, name: str, by_words: bool) -> str:
    if name:
        return f"{name}:{number}"
    if not by_words:
        return f"~{secrets.token_hex(16)}"
    words = hashlib.sha256(json.dumps([line.speaker, line.text, line.at.isoformat() if line.at else ""]).encode()).hexdigest()[:32]
    seen[words] += 1
    return f"{words}:{seen[words]}"


def batches(lines: Iterator[Sent], *, waits: bool) -> Iterator[list[Sent]]:
    """Lines that are sent together. waits: they come in their own time (a pipe), and none waits for another longer than GATHER_S."""
    source = _within(lines, GATHER_S) if waits else lines
    batch: list[Sent] = []
    size = 0
    for line in source:
        if line is None or len(batch) >= MOST_AT_ONCE or size + len(line.raw) > MOST_SENT_BYTES:
            if batch:
                yield batch
            batch, size = [], 0
        if line is not None:
            batch.append(line)
            size += len(line.raw)
    if batch:
        yield batch


def _within(lines: Iterator[Sent], seconds: float) -> Iterator[Sent | None]:
    """The lines, and None where none came for a while; what reading them raises is raised here, after those before it."""
    found: queue.Queue[Sent | BaseException | None] = queue.Queue(maxsize=MOST_AT_ONCE)

    def read() -> None:
        try:
            for line in lines:
                found.put(line)
        except BaseException as error:  # noqa: BLE001 - raised where the lines are taken
            found.put(error)
        else:
            found.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = found.get(timeout=seconds)
        except queue.Empty:
            yield None
            continue
        if isinstance(line, BaseException):
            yield None
            raise line
        if line is None:
            return
        yield line


def asker(url: str, token: str) -> Ask:
    """Sends lines to an address; what it answers. Waits where it is told to, and where nobody answers, for PATIENCE_S. Raises Unfed."""

    def ask(batch: Sequence[Sent]) -> dict[str, Any]:
        body = b"\n".join(line.raw for line in batch)
        until = time.monotonic() + PATIENCE_S
        pause = 0.5
        while True:
            request = urllib.request.Request(url, data=body, method="POST", headers={"Content-Type": "application/x-ndjson"})
            if token:
                request.add_unredirected_header("Authorization", f"Bearer {token}")
            try:
                with _opener.open(request, timeout=ANSWER_S) as answer:
                    told: dict[str, Any] = json.loads(answer.read())
                    return told
            except urllib.error.HTTPError as error:
                wait = _wait(error)
                if wait is None:
                    raise Unfed(_why(error, batch)) from error
                why = f"it answers {error.code}"
                pause = max(pause, wait)
            except (OSError, ValueError) as error:
                why = str(getattr(error, "reason", error))
            if time.monotonic() + pause > until:
                raise Unfed(f"{urlsplit(url).netloc} cannot be reached: {why}")
            time.sleep(pause)
            pause = min(pause * 2, 10.0)

    return ask


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token along."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _wait(error: urllib.error.HTTPError) -> float | None:
    """Seconds after which it may be sent again; None where that would be no use."""
    if error.code == 429:
        said = error.headers.get("Retry-After", "")
        return float(said) if said.isdigit() else 1.0
    return 1.0 if error.code in (500, 502, 503, 504) else None


def _why(error: urllib.error.HTTPError, batch: Sequence[Sent]) -> str:
    try:
        told = json.loads(error.read())
        message = str(told["message"]["en"]) if isinstance(told.get("message"), dict) else str(told.get("detail", told))
    except (ValueError, KeyError, OSError, AttributeError):
        return f"the address answers {error.code}"
    if isinstance(line := told.get("line"), int) and 1 <= line <= len(batch):
        return f"line {batch[line - 1].number}: {message}"  # the address counts from the first of what it was sent
    return message


def feed(lines: Iterator[Sent], ask: Ask, *, waits: bool, progress: tqdm[Any]) -> tuple[int, int]:
    """How many lines are new, and how many were there. Raises Unfed and FeedRefused, after which what was sent before is kept."""
    added = known = 0
    for batch in batches(lines, waits=waits):
        told = ask(batch)
        added, known = added + int(told["added"]), known + int(told["known"])
        progress.update(len(batch))
        progress.set_postfix(new=added, there=known)
    return added, known


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 all is there, 1 it is not (why is said; what was sent is kept), 2 wrong usage, 130 or 143 stopped."""
    parser = argparse.ArgumentParser(prog="python -m chat.listen", description="Feed a Keepsake conversation that listens.")
    parser.add_argument("url", help="the address that the conversation's page shows")
    parser.add_argument("file", type=Path, nargs="?", help="JSON lines; without it what comes through the standard input")
    parser.add_argument(
        "--name", default="", help="what this stream is known by, where it has no ids: fed again under this name, it goes on"
    )
    options = parser.parse_args(arguments)
    if urlsplit(options.url).scheme not in ("http", "https"):
        parser.error("the address begins with http:// or https://")
    if len(options.name) > 100:
        parser.error("--name has at most 100 characters")
    try:
        stream: BinaryIO = options.file.open("rb") if options.file else sys.stdin.buffer
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 1
    file = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    lines = identified(iter(stream.readline, b""), name=options.name, by_words=file)
    with stream, tqdm(desc="Feeding", unit=" lines", disable=None) as progress:
        try:
            added, known = feed(lines, asker(options.url, os.environ.get(TOKEN, "")), waits=not file, progress=progress)
        except (Unfed, FeedRefused) as error:
            progress.close()
            print(f"{error}\nWhat was sent before is kept: {progress.n} lines. The same command goes on from there.", file=sys.stderr)
            return 1
    print(f"{added} new lines; {known} were there already")
    return 0


if __name__ == "__main__":
    sys.exit(main())
