"""The address of the page about models: who may do what, what it takes, and that no key ever comes back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from chat.model_choice import ModelChoice
from models.chat_model import ChatMessage
from settings import Settings
from tests.chat.conftest import Talk, talk
from tests.models.openai_endpoint import Answer, OpenAIEndpoint, takes_turns
from tests.ui.served import Served, another, first_admin, served
from tests.ui.test_transfers import app, client
from ui.models import HOUSE_ACTS, MODELS, MOST_BYTES, OWN_ACTS

__all__ = ["app", "client", "talk"]
KEY = "sk-planted-3141592653"
WAY = {
    "do": "keep",
    "kind": "url",
    "name": "Mine",
    "model": "qwen3",
    "key": KEY,
    "context_tokens": 4096,
    "reply_tokens": 200,
    "timeout_s": 20,
}


def asked(client: TestClient | httpx.Client, **said: object) -> dict[str, Any]:
    answer = client.post(MODELS, json=said)
    answer.raise_for_status()
    assert KEY not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, Any] = answer.json()
    return found


def test_a_connection_from_its_form_to_the_bin(talk: Talk, client: TestClient) -> None:
    with OpenAIEndpoint(Answer(pieces=("Good evening.",)), Answer(pieces=('{"colour": "green", "legs": 4}',))) as endpoint:
        (made,) = asked(client, **WAY, base=endpoint.url + "/")["house"]["connections"]
        assert (made["key"], made["base"], made["reach"], made["context_tokens"]) == ("kept", endpoint.url, "computer", 4096)
        assert "sealed" not in made
        tried = asked(client, do="try", connection=made["id"])["house"]["connections"][0]["trial"]
        assert (tried["fault"], tried["answer"], tried["json"]) == ("", "Good evening.", "schema")
        assert endpoint.requests[0].authorization == f"Bearer {KEY}"
    chosen = asked(client, do="choose", role="memory", connection=made["id"])
    assert [(r["role"], r["source"], r["connection"]) for r in chosen["roles"]][1] == ("memory", "page", made["id"])
    assert chosen["status"]["memory"].startswith("qwen3 (127.0.0.1:")
    assert asked(client, do="look", mark=chosen["mark"]) == {"same": True}
    changed = asked(client, **{**WAY, "key": "", "name": "<b>Else</b>"}, base=endpoint.url, connection=made["id"])
    assert [(c["name"], c["key"], c["trial"]) for c in changed["house"]["connections"]] == [("<b>Else</b>", "kept", None)], (
        "it is another now"
    )
    forgotten = asked(client, **{**WAY, "key": ""}, base=endpoint.url, connection=made["id"], forget_key="yes")
    assert forgotten["house"]["connections"][0]["key"] == "none"
    assert asked(client, do="remove", connection=made["id"])["refused"]["code"] == "connection_in_use"
    asked(client, do="choose", role="memory", connection="bundled")
    assert asked(client, do="remove", connection=made["id"])["house"]["connections"] == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"base": "http://169.254.169.254/"}, "address_unfit"),
        ({"base": f"http://me:{KEY}@host/"}, "address_unfit"),
        ({"base": ""}, "address_unfit"),
        ({"model": ""}, "connection_unfit"),
        ({"model": "a b"}, "model_name_unfit"),
        ({"key": f"{KEY} with spaces"}, "connection_unfit"),
        ({"key": "k" * 2000}, "connection_unfit"),
        ({"key_env": "PATH"}, "key_name_unfit"),
        ({"kind": "file", "model": "../keepsake.db"}, "file_unfit"),
        ({"kind": "file", "model": "/etc/passwd.gguf"}, "file_unfit"),
        ({"kind": "hosted", "model": "gpt"}, "model_name_unfit"),
    ],
)
def test_what_no_connection_can_be_is_refused(client: TestClient, changes: dict[str, str], code: str) -> None:
    said = asked(client, **{**WAY, "base": "http://127.0.0.1:1/v1", **changes})
    assert said["refused"]["code"] == code
    assert asked(client, do="look")["house"]["connections"] == []


def test_presets_and_bounds(talk: Talk, client: TestClient) -> None:
    first = asked(client, do="look", chat=talk.chat_id)
    assert first["bounds"]["temperature"] == [0, 2]
    assert first["bounds"]["max_tokens"] == [16, 8192]
    made = asked(client, do="keep_preset", name="Fog", values={"temperature": 1.25, "max_tokens": 90, "stop": 4, "top_p": True})
    (own,) = [preset for preset in made["presets"] if preset["own"]]
    assert own["values"] == {"temperature": 1.25, "max_tokens": 90}
    assert asked(client, do="prefer", chat=talk.chat_id, preset=own["id"])["sampling"] == own["id"]
    assert asked(client, do="prefer", chat="none", preset=own["id"])["refused"]["code"] == "chat_not_found"
    assert asked(client, do="keep_preset", name="x", values={"temperature": 9})["refused"]["code"] == "connection_unfit"
    assert not [p for p in asked(client, do="remove_preset", preset=own["id"])["presets"] if p["own"]]


def test_the_hub_is_off_unless_it_is_switched_on(client: TestClient) -> None:
    offers = asked(client, do="look")["house"]["offers"]
    assert asked(client, do="fetch", offer=offers[0]["id"])["refused"]["code"] == "hub_off"
    assert asked(client, do="fetch", offer="none")["refused"]["code"] == "no_such_model"
    assert "refused" not in asked(client, do="halt")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 60_000, b"\xff", b"1", b'{"do": 5}', b'{"do": "drop"}', b'{"do": "keep"}', b'{"do": "keep", "key": ["x"]}']
)
def test_what_is_no_request_changes_nothing(client: TestClient, body: bytes) -> None:
    assert client.post(MODELS, content=body).status_code in (200, 400)
    assert asked(client, do="look")["house"]["connections"] == []
    assert client.post(MODELS, content=b"x" * (MOST_BYTES + 1)).status_code == 413
    assert client.post(MODELS, json={"do": "look"}, headers={"sec-fetch-site": "cross-site"}).status_code == 403


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as opened:
        yield opened


def test_with_accounts_only_admins_set_addresses_and_each_has_presets_of_their_own(house: Served) -> None:
    ada = first_admin(house)
    ben = another(house, ada)
    reviewer = another(house, ada, name="Rae", role="reviewer")
    way = {**WAY, "base": "http://127.0.0.1:1/v1", "name": "Heliotrope"}
    (made,) = asked(ada.client, **way)["house"]["connections"]
    before = asked(ada.client, do="look")
    for who in (ben, reviewer):
        for act in HOUSE_ACTS:
            said = asked(who.client, **{**way, "do": act, "connection": made["id"], "role": "chat", "offer": "qwen3-4b"})
            assert said["refused"]["code"] == "not_for_you", act
        seen = asked(who.client, do="look")
        assert seen["house"] is None
        assert "127.0.0.1" not in json.dumps(seen), "no address, as none of these serves"
        assert "Heliotrope" not in json.dumps(seen)
    assert asked(ada.client, do="look", mark=before["mark"]) == {"same": True}
    asked(ada.client, do="choose", role="memory", connection=made["id"])
    (memory,) = [role for role in asked(ben.client, do="look")["roles"] if role["role"] == "memory"]
    assert (memory["model"], memory["reach"]) == ("qwen3 (127.0.0.1:1)", "computer"), "where what they say goes is everybody's to know"

    own = next(p for p in asked(ada.client, do="keep_preset", name="Vesperine", values={})["presets"] if p["own"])
    chat = house.house.service.create(ada.user_id, "builtin:nell-garrow")
    for act in OWN_ACTS:
        said = asked(ben.client, do=act, preset=own["id"], chat=chat, name="Ben's", values={})
        assert "Vesperine" not in json.dumps(said)
        assert act == "keep_preset" or said["refused"]["code"] in ("no_such_model", "chat_not_found"), act
    assert [p["name"] for p in asked(ada.client, do="look")["presets"] if p["own"]] == ["Vesperine"]
    assert house.client().post(MODELS, json={"do": "look"}).status_code == 401


def test_what_was_learned_of_a_server_is_shown_changed_and_forgotten(talk: Talk, client: TestClient) -> None:
    wants_turns = [lambda body: None if takes_turns(body) else Answer(status=400, error="roles must alternate")]
    with OpenAIEndpoint(Answer(pieces=("Good evening.",)), rules=wants_turns) as endpoint:
        (made,) = asked(client, **WAY, base=endpoint.url)["house"]["connections"]
        assert made["dialect"]["alternate"] is False
        model = talk.house.service.models.choice.made(talk.house.service.models.choice.connections()[made["id"]])
        said = [ChatMessage("system", "You are Ines."), ChatMessage("assistant", "You are early."), ChatMessage("user", "Am I?")]
        assert "".join(model.stream(said, cancel=threading.Event())) == "Good evening."
        learned = asked(client, do="look")["house"]["connections"][0]["dialect"]
        assert learned["alternate"] is True
    changed = {**learned, "alternate": "yes", "without": "temperature， top_p", "window": 4000, "system": "none"}
    shown = asked(client, do="speak", connection=made["id"], **changed)["house"]["connections"][0]["dialect"]
    assert (shown["without"], shown["window"], shown["system"], shown["alternate"]) == (["temperature", "top_p"], 4000, "none", True)
    kept = ModelChoice(talk.house.memory.store, Settings(_env_file=None))  # type: ignore[call-arg]
    assert kept.dialects.of(f"{endpoint.url} openai/qwen3").window == 4000, "it outlasts a start"
    kept.close()
    for wrong in ({"system": "sometimes"}, {"without": "a/b"}, {"limit": "least"}):
        assert asked(client, do="speak", connection=made["id"], **{**changed, **wrong})["refused"]["code"] == "connection_unfit"
    assert asked(client, do="speak", connection="none", **changed)["refused"]["code"] == "no_such_model"
    assert asked(client, do="speak", role="chat", **changed)["refused"]["code"] == "no_such_model", "the environment names none"
