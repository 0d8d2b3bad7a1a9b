"""What is told to whoever looks after the program: whether it is well, and figures that name nobody."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from chat.assembly import House, open_house
from models.errors import ModelBusy
from models.scripted import Script, ScriptedModel
from settings import VERSION
from storage.errors import StorageFailed
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings
from tests.ui.served import Served, served
from ui.monitoring import Monitoring


@pytest.fixture(scope="module")
def house_with_accounts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("monitored")) as made:
        yield made


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk whose memory waits until its house is started."""
    model = ScriptedModel()
    house = open_house(house_settings(tmp_path / "data"), model=model)
    yield Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    house.close()


def asked(house: House, *, metrics: bool = True) -> TestClient:
    return TestClient(Starlette(routes=Monitoring(house.service, metrics=metrics).routes()))


def figures(client: TestClient) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def test_health_is_told_without_a_login_and_nothing_else_is(house_with_accounts: Served) -> None:
    with httpx.Client(base_url=house_with_accounts.url, timeout=30) as client:
        answer = client.get("/health")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        told = answer.json()
        assert (told["ready"], told["version"]) == (True, VERSION)
        assert set(told) == {"ready", "version", "queue", "storage", "last_error", "last_error_seconds_ago"}
        assert client.head("/health").status_code == 200
        for method, path in (("POST", "/health"), ("GET", "/health/"), ("GET", "/health/x")):
            assert client.request(method, path).status_code in (401, 403, 405), (method, path)


def test_figures_are_not_shown_unless_that_is_set(house_with_accounts: Served) -> None:
    answer = httpx.get(f"{house_with_accounts.url}/metrics", timeout=30)
    assert answer.status_code == 404
    assert "KEEPSAKE_METRICS" in answer.text


def test_another_host_name_is_refused_here_too(house_with_accounts: Served) -> None:
    for path in ("/health", "/metrics"):
        assert httpx.get(house_with_accounts.url + path, headers={"host": "evil.example"}, timeout=30).status_code == 403


def test_the_queue_is_counted_and_a_failure_told_by_its_kind_alone(talk: Talk) -> None:
    client = asked(talk.house)
    before = client.get("/health").json()["queue"]
    talk.say("My sister Imke keeps bees in Norden.")
    talk.say("She sold forty jars.")
    assert client.get("/health").json()["queue"] > before
    talk.model.enqueue(Script((), error=ModelBusy("Imke's secret key sk-123 is over its limit.")))
    talk.send("And you?")
    assert talk.wait().phase == "failed"
    told = client.get("/health")
    assert told.json()["last_error"] == "model_busy"
    assert told.status_code == 200
    assert "sk-123" not in told.text
    assert "Imke" not in told.text


def test_a_database_that_does_not_answer_is_not_ready(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    client = asked(talk.house)

    def broken(*states: str) -> dict[tuple[str, str], int]:
        raise sqlite3.OperationalError("disk I/O error at /home/ada/secret")

    monkeypatch.setattr(talk.house.service, "work_of_all", broken)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["ready"], answer.json()["queue"]) == (503, False, None)
    assert answer.json()["last_error"] == "OperationalError"
    assert "ada" not in answer.text


def test_figures_count_what_happened_and_name_nobody(talk: Talk) -> None:
    client = asked(talk.house)
    before = figures(client)

    def grown(name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return figures(client).get(key, 0.0) - before.get(key, 0.0)

    talk.say("My sister Imke keeps bees in Norden.")
    talk.say("She sold forty jars.")
    assert grown("keepsake_replies_total", kind="reply", outcome="done") == 2
    assert grown("keepsake_first_token_seconds_count") == 2
    assert grown("keepsake_acknowledgement_seconds_count") == 2
    assert grown("keepsake_recall_seconds_count") == 2
    assert grown("keepsake_recalls_total", degraded="no") + grown("keepsake_recalls_total", degraded="timeout") == 2
    waiting = sum(value for (name, labels), value in figures(client).items() if name == "keepsake_queue" and ("state", "queued") in labels)
    assert waiting == client.get("/health").json()["queue"] > 0

    talk.house.start(worker=True)
    wait_for(lambda: client.get("/health").json()["queue"] == 0)
    done = [labels for (name, labels) in figures(client) if name == "keepsake_memory_tasks_total" and ("outcome", "done") in labels]
    assert done
    now = figures(client)
    assert now["process_resident_memory_bytes", frozenset()] > 10**7
    assert now["process_open_fds", frozenset()] > 3
    names = {name for _, labels in now for name, _ in labels}
    assert names <= {"kind", "state", "outcome", "degraded", "le"}
    told = client.get("/metrics").text
    for word in ("Imke", talk.chat_id, talk.branch_id, talk.scope.user_id + '"'):
        assert word not in told


def test_figures_without_a_database_say_so(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*states: str) -> dict[tuple[str, str], int]:
        raise StorageFailed("no", reason="no")

    monkeypatch.setattr(talk.house.service, "work_of_all", broken)
    assert asked(talk.house).get("/metrics").status_code == 503


def wait_for(condition: object, seconds: float = 120.0) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
