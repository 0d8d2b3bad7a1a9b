"""Search in Chroma with and without a list of ids: what may not be seen never comes, and what may comes in the same order."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from storage import index as module
from storage.index import IndexEntry, MemoryIndex

DIMENSION = 16
MINE, THEIRS = [f"mine{n:03d}" for n in range(300)], [f"theirs{n:03d}" for n in range(300)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryIndex]:
    made = MemoryIndex(tmp_path_factory.mktemp("index") / "index", fingerprint="test", dimension=DIMENSION)
    for user, ids in (("me", MINE), ("you", THEIRS)):
        made.upsert([IndexEntry(i, user, f"chat of {user}", "fact", n, n, _vector(i)) for n, i in enumerate(ids)])
    yield made
    made.close()


def _vector(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    vector = np.random.default_rng(list(text.encode())).normal(size=DIMENSION).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


QUERIES = np.stack([_vector(f"query {n}") for n in range(4)])


def _expected(ids: list[str], k: int) -> list[list[str]]:
    return [sorted(ids, key=lambda i: -float(_vector(i) @ query))[:k] for query in QUERIES]


@pytest.mark.parametrize("among", [MINE, MINE[::2], MINE[:7], [*MINE, *THEIRS]], ids=["half of all", "a quarter", "a few", "all"])
@pytest.mark.parametrize("extra", [[], ["not written yet"]])
def test_an_open_search_finds_what_a_listed_one_does_and_nothing_else(
    index: MemoryIndex, monkeypatch: pytest.MonkeyPatch, among: list[str], extra: list[str]
) -> None:
    found = {}
    for listed in (1, 10_000):
        monkeypatch.setattr(module, "LISTED", listed)
        hits = index.search(QUERIES, among=frozenset([*among, *extra]), k=12)
        found[listed] = [[i for i, _ in of_one] for of_one in hits]
        assert all(of_one == sorted(of_one, key=lambda hit: -hit[1]) for of_one in hits)
    assert found[1] == found[10_000] == _expected(among, 12)


def test_what_an_open_search_cannot_reach_is_asked_for_by_name(index: MemoryIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest of all are another's: what one's own are among so many is not found without their names."""
    monkeypatch.setattr(module, "LISTED", 1)
    query = _vector(THEIRS[0])[None]
    near = sorted(THEIRS, key=lambda i: -float(_vector(i) @ query[0]))
    far = sorted(MINE, key=lambda i: float(_vector(i) @ query[0]))[:150]
    (hits,) = index.search(query, among=frozenset(far), k=10)
    assert [i for i, _ in hits] == sorted(far, key=lambda i: -float(_vector(i) @ query[0]))[:10]
    assert not {i for i, _ in hits} & set(near)


def test_entries_written_since_they_were_counted_are_found(index: MemoryIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTED", 1)
    index.search(QUERIES, among=frozenset(MINE), k=3)
    new = [f"new{n}" for n in range(40)]
    index.upsert([IndexEntry(i, "me", "chat of me", "fact", n, n, _vector(i)) for n, i in enumerate(new)])
    try:
        hits = index.search(QUERIES, among=frozenset([*MINE, *new]), k=20)
        assert [[i for i, _ in of_one] for of_one in hits] == _expected([*MINE, *new], 20)
    finally:
        index.delete(new)


def test_more_may_be_seen_than_is_written_yet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTED", 1)
    young = MemoryIndex(tmp_path_factory.mktemp("young") / "index", fingerprint="test", dimension=DIMENSION)
    try:
        assert young.search(QUERIES, among=frozenset(MINE), k=5) == [[]] * len(QUERIES)
        young.upsert([IndexEntry(i, "me", "chat of me", "fact", n, n, _vector(i)) for n, i in enumerate(MINE[:8])])
        found = young.search(QUERIES, among=frozenset(MINE), k=60)
        assert [[i for i, _ in hits] for hits in found] == _expected(MINE[:8], 8)
    finally:
        young.close()


def test_whoever_looks_while_another_is_put_in_its_place_waits(tmp_path: Path) -> None:
    index = MemoryIndex(tmp_path / "index", fingerprint="of the test", dimension=DIMENSION)
    index.upsert([IndexEntry(i, "me", "chat of me", "fact", n, n, _vector(i)) for n, i in enumerate(MINE[:2])])
    over, seen, faults = threading.Event(), set[frozenset[str]](), list[BaseException]()

    def look() -> None:
        try:
            while not over.is_set():
                seen.add(frozenset(index.ids()))
                assert not index.has_others
                index.delete(["nobody"])
                assert not index.complete
        except BaseException as fault:  # noqa: BLE001
            faults.append(fault)

    looking = threading.Thread(target=look)
    looking.start()
    for _ in range(4):
        successor = index.successor()
        successor.upsert([IndexEntry(i, "me", "chat of me", "fact", n, n, _vector(i)) for n, i in enumerate(MINE[:2])])
        index.give_way(successor)
    over.set()
    looking.join()
    index.close()
    assert faults == []
    assert seen == {frozenset(MINE[:2])}
