"""Replies by the thousand through the page's own path, in the real program with an endpoint for a model: what it holds open and how much memory it takes stay as
they are once it is warm. Its open files are limited to OPEN_FILES, as many a system does."""

from __future__ import annotations

import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
from tqdm import tqdm

from evaluation.bench.long_talk import ENGLISH, characters_line, players_line
from evaluation.bench.page_client import PageClient, model_endpoint
from evaluation.records import Figure

OPEN_FILES = 1024
REPLIES = 3_000
WARM = 0.2
"""The share of the replies after which the program counts as warm."""
TABS = 4
CHAT_REPLIES = 25
"""Replies of one conversation, before the tab begins another."""
SAMPLES = 60
START_S, END_S = 180.0, 60.0
CHARACTER = "builtin:nell-garrow"
MIB = 1 << 20


@dataclass(frozen=True)
class Sample:
    """What the program has after so many replies. memory: its resident bytes."""

    replies: int
    files: int
    threads: int
    memory: int


@contextmanager
def program(folder: Path, endpoint: str, *, open_files: int = OPEN_FILES, **environment: str) -> Iterator[tuple[psutil.Process, str]]:
    """The program in a process of its own, and where it is served. Raises RuntimeError where it does not start."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "KEEPSAKE_DATA_DIR": str(folder / "data"),
        "KEEPSAKE_PORT": str(port),
        "KEEPSAKE_CHAT_MODEL": "openai/soak",
        "KEEPSAKE_CHAT_API_BASE": endpoint,
        "KEEPSAKE_BACKUP_HOURS": "0",
        **environment,
    }

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))

    with (folder / "program.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "app.py"],
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
            preexec_fn=limit,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        ends = time.monotonic() + START_S
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError(f"the program does not answer: {(folder / 'program.log').read_text(errors='replace')[-2000:]}")
            time.sleep(0.2)
        yield psutil.Process(process.pid), url
    finally:
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


class _Tab:
    """Somebody who talks: a conversation after the other."""

    def __init__(self, url: str, number: int) -> None:
        self._client = PageClient(url, f"soak-{number}")
        self._number = number
        self._rng = random.Random(number)
        self._said = 0
        self._chat_id = ""

    def round(self) -> None:
        if self._said % CHAT_REPLIES == 0:
            self._chat_id = self._client.begin(CHARACTER)
        self._said += 1
        self._client.say(self._chat_id, players_line(ENGLISH, self._rng), token=f"{self._number}-{self._said}")
        self._client.follow(self._chat_id)

    def rounds(self, count: int) -> None:
        for _ in range(count):
            self.round()

    def close(self) -> None:
        self._client.close()


def soak(replies: int, *, tabs: int = TABS, samples: int = SAMPLES) -> list[Sample]:
    """So many replies, by so many tabs at once, looked at between them while no reply is being made. Raises RuntimeError and what a page raises."""
    found: list[Sample] = []
    with (
        tempfile.TemporaryDirectory() as name,
        model_endpoint(lambda rng: characters_line(ENGLISH, rng, paragraphs=2)) as endpoint,
        program(Path(name), endpoint) as (process, url),
        ThreadPoolExecutor(tabs) as pool,
        tqdm(total=replies, desc="Replies", disable=None) as progress,
    ):
        people = [_Tab(url, number) for number in range(tabs)]
        done = 0
        while done < replies:
            goal = min(replies, replies * (len(found) + 1) // samples)
            each = -(-(goal - done) // tabs)
            list(pool.map(_Tab.rounds, people, [each] * tabs))
            done += each * tabs
            progress.update(each * tabs)
            found.append(Sample(done, process.num_fds(), process.num_threads(), process.memory_info().rss))
        for person in people:
            person.close()
    return found


def growth(values: list[int], warm: int) -> float:
    """By how much of itself something grew: the median of the last fifth over that of as many after the first `warm`."""
    part = max(1, len(values) // 5)
    return statistics.median(values[-part:]) / statistics.median(values[warm : warm + part]) - 1


def soak_figures(*, replies: int = REPLIES) -> Iterator[Figure]:
    found = soak(replies)
    warm = int(len(found) * WARM)
    told = {
        "open_files": ([s.files for s in found], 1),
        "threads": ([s.threads for s in found], 1),
        "rss_mib": ([s.memory for s in found], MIB),
    }
    for name, (values, unit) in told.items():
        for metric, value in (
            (f"{name}_warm", values[warm] / unit),
            (f"{name}_end", values[-1] / unit),
            (f"{name}_most", max(values) / unit),
            (f"{name}_growth", growth(values, warm)),
        ):
            yield Figure(
                task="efficiency",
                dataset="made",
                system="keepsake",
                category="soak",
                unit="reply",
                metric=metric,
                value=value,
                n=found[-1].replies,
            )
