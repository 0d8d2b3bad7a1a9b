"""Fetching a model, from a server that stands in for the hub: whole, stopped, broken, taken up again, and never used unchecked."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from models.downloads import PARTS, Downloads, Fetch
from models.errors import FetchRunning, FileDamaged, HubOff, HubRefused, HubUnreachable, NoRoomForFile, NoSuchModel
from models.hub_models import OFFERS, Offer
from tests.models.hub import COMMIT, Hub
from tests.waiting import until

TINY = Offer("tiny", "Tiny", "Maker/Tiny-GGUF", "tiny.gguf", 3_000_000, "MIT", 0.1, ("en",))
CONTENT = os.urandom(3_000_000)


def downloads(folder: Path, url: str, *, allowed: bool = True) -> Downloads:
    return Downloads(folder / "models", hub=url, allowed=allowed, offers=(TINY,), pause_s=0.05)


def ended(fetching: Downloads) -> Fetch:
    until(lambda: fetching.standing().get("tiny", Fetch("tiny", "asking")).phase in ("done", "stopped", "failed"))
    return fetching.standing()["tiny"]


def test_a_file_comes_whole_and_checked(tmp_path: Path) -> None:
    with Hub(CONTENT) as hub:
        fetching = downloads(tmp_path, hub.url)
        assert fetching.standing() == {}
        fetching.start("tiny")
        end = ended(fetching)
    assert (end.phase, end.done, end.total, end.sha256, end.error) == ("done", len(CONTENT), len(CONTENT), hub.sha256, None)
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT
    assert list((tmp_path / "models" / PARTS).iterdir()) == []
    assert f"/resolve/{COMMIT}/" in hub.asked[1][1], "the very commit that the record is of"
    assert not any("authorization" in headers or "cookie" in headers for _, _, headers in hub.asked)


def test_a_broken_connection_is_taken_up_where_it_broke(tmp_path: Path) -> None:
    with Hub(CONTENT, breaks=2, breaks_at=1_200_000) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        assert ended(fetching).phase == "done"
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT
    assert hub.ranges_asked[0] == ""
    assert all(asked.startswith("bytes=") for asked in hub.ranges_asked[1:])
    assert len(hub.ranges_asked) == 3


def test_a_stop_keeps_what_came_and_another_run_goes_on(tmp_path: Path) -> None:
    with Hub(CONTENT, slow_s=0.05) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        until(lambda: fetching.standing()["tiny"].done > 1_000_000)
        with pytest.raises(FetchRunning):
            fetching.start("tiny")
        with pytest.raises(FetchRunning):
            fetching.discard("tiny")
        fetching.stop()
        left = ended(fetching)
        assert left.phase == "stopped"
        assert not (tmp_path / "models" / "tiny.gguf").exists()
        hub.slow_s = 0
        again = downloads(tmp_path, hub.url)
        assert (again.standing()["tiny"].phase, again.standing()["tiny"].done) == ("stopped", left.done), "an earlier run of the program"
        again.start("tiny")
        assert ended(again).phase == "done"
    assert hub.ranges_asked[-1] == f"bytes={left.done}-"
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT


def test_a_hub_without_ranges_begins_anew(tmp_path: Path) -> None:
    with Hub(CONTENT, breaks=1, breaks_at=1_000_000, ranges=False) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        assert ended(fetching).phase == "done"
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT


def test_what_is_not_the_file_of_the_record_is_thrown_away(tmp_path: Path) -> None:
    with Hub(CONTENT, lies=True) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        end = ended(fetching)
    assert end.phase == "failed"
    assert isinstance(end.error, FileDamaged)
    assert [path.name for path in (tmp_path / "models").rglob("*") if path.is_file()] == []


def test_half_a_file_of_another_commit_is_not_gone_on_with(tmp_path: Path) -> None:
    with Hub(CONTENT, slow_s=0.05) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        until(lambda: fetching.standing()["tiny"].done > 500_000)
        fetching.stop()
    newer = os.urandom(2_000_000)
    with Hub(newer) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        assert ended(fetching).phase == "done"
        assert hub.ranges_asked == [""]
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == newer


def test_discarding_lets_go_of_it(tmp_path: Path) -> None:
    with Hub(CONTENT, slow_s=0.05) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        until(lambda: fetching.standing()["tiny"].done > 500_000)
        fetching.stop()
    fetching.discard("tiny")
    assert fetching.standing() == {}
    assert list((tmp_path / "models" / PARTS).iterdir()) == []


@pytest.mark.parametrize(("fault", "kind"), [({"status": 404}, HubRefused), ({"status": 401}, HubRefused), ({"plain": True}, HubRefused)])
def test_a_hub_that_refuses_says_so(tmp_path: Path, fault: dict[str, int], kind: type[Exception]) -> None:
    with Hub(CONTENT, **fault) as hub:  # type: ignore[arg-type]
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        end = ended(fetching)
    assert isinstance(end.error, kind)
    assert hub.ranges_asked == [], "nothing was fetched"


def test_a_repository_under_another_name_is_found(tmp_path: Path) -> None:
    with Hub(CONTENT, moved=True) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        assert ended(fetching).phase == "done"


def test_no_network(tmp_path: Path) -> None:
    fetching = downloads(tmp_path, "http://127.0.0.1:9")
    fetching.start("tiny")
    assert isinstance(ended(fetching).error, HubUnreachable)
    off = downloads(tmp_path, "http://127.0.0.1:9", allowed=False)
    with pytest.raises(HubOff):
        off.start("tiny")
    with pytest.raises(NoSuchModel):
        fetching.start("other")


def test_the_disk_is_looked_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("models.downloads.shutil.disk_usage", lambda _: usage._replace(free=2**30 + 1000))
    with Hub(CONTENT) as hub:
        fetching = downloads(tmp_path, hub.url)
        fetching.start("tiny")
        end = ended(fetching)
    assert isinstance(end.error, NoRoomForFile)
    assert hub.ranges_asked == []


def test_what_is_offered_is_open_and_complete() -> None:
    assert {offer.licence for offer in OFFERS} <= {"Apache-2.0", "MIT"}
    assert len({offer.id for offer in OFFERS}) == len({offer.file for offer in OFFERS}) == len(OFFERS)
    for offer in OFFERS:
        assert offer.file.endswith(".gguf")
        assert "-of-" not in offer.file
        assert 0.5 <= offer.parameters <= 8.5
        assert 0.2 < offer.size / 1e9 / offer.parameters < 1.2
