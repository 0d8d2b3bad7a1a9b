"""One file of the model hub: what the hub's record says of it, and its bytes, from any place on, by ranges of HTTP.

No key and no token is ever sent. What comes is only trusted when its SHA-256 is the one of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote, urljoin

import httpx

from models.errors import HubRefused, HubUnreachable

CONNECT_S, SILENCE_S = 15.0, 60.0
PIECE_BYTES = 2**20
MOST_MOVES = 4
"""Times that the hub may send on to where a repository is called now."""
_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Record:
    """Of a file as a commit has it. size: bytes."""

    commit: str
    sha256: str
    size: int


class HubFiles:
    """address: of the hub or of a mirror, as https://huggingface.co."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._http = httpx.Client(timeout=httpx.Timeout(SILENCE_S, connect=CONNECT_S), headers={"Accept-Encoding": "identity"})

    def record(self, repo: str, file: str) -> Record:
        """Raises HubUnreachable, HubRefused."""
        place = self._place(repo, "main", file)
        with self._reached():
            for _ in range(MOST_MOVES):
                answer = self._http.head(place, follow_redirects=False)
                if "x-linked-etag" in answer.headers or not answer.is_redirect or not answer.headers.get("location", "").startswith("/"):
                    break
                place = urljoin(place, answer.headers["location"])
        if answer.status_code >= 400:
            raise HubRefused(
                f"The hub has no such file any more, or does not give it to everybody (it said {answer.status_code}).",
                status=answer.status_code,
            )
        said = answer.headers
        sha = _SHA256.fullmatch(said.get("x-linked-etag", ""))
        size = said.get("x-linked-size", "")
        if sha is None or not size.isdecimal() or not _COMMIT.fullmatch(said.get("x-repo-commit", "")):
            raise HubRefused("The hub's record of this file has no checksum; nothing was fetched.", status=answer.status_code)
        return Record(said["x-repo-commit"], sha[1], int(size))

    @contextmanager
    def opened(self, repo: str, file: str, record: Record, *, at: int) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Where the bytes that come begin (0 where the hub knows no ranges), and the bytes. Raises HubUnreachable, HubRefused, also while they come."""
        headers = {"Range": f"bytes={at}-"} if at else {}
        with (
            self._reached(),
            self._http.stream("GET", self._place(repo, record.commit, file), headers=headers, follow_redirects=True) as answer,
        ):
            if answer.status_code not in (200, 206):
                raise HubRefused(f"The hub did not give the file (it said {answer.status_code}).", status=answer.status_code)
            yield (at if answer.status_code == 206 else 0), answer.iter_bytes(PIECE_BYTES)

    def close(self) -> None:
        self._http.close()

    def _place(self, repo: str, revision: str, file: str) -> str:
        return f"{self._address}/{quote(repo)}/resolve/{quote(revision)}/{quote(file)}"

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, RuntimeError) as error:  # RuntimeError: the client was closed
            raise HubUnreachable(
                f"The model hub {self._address} cannot be reached ({type(error).__name__}). What was fetched is kept."
            ) from error
