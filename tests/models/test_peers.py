"""Addresses by which clouds hand out secrets are never asked, in no spelling and under no name."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from models import peers
from models.chat_model import ChatMessage
from models.connection import Connection, checked
from models.errors import AddressUnfit, PeerRefused
from models.gateway import LiteLLMModel, litellm
from models.peers import connectable, refuse_literal
from tests.models.openai_endpoint import OpenAIEndpoint
from tests.models.test_gateway import model

REFUSED = [
    *(
        "169.254.169.254",
        "169.254.170.2",
        "2852039166",
        "0xA9FEA9FE",
        "0xa9.0xfe.0xa9.0xfe",
        "0251.0376.0251.0376",
        "025177524776",
        "169.254.43518",
    ),
    *(
        "169.16689662",
        "0xa9.254.0251.254",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[::169.254.169.254]",
        "[2002:a9fe:a9fe::1]",
    ),
    *(
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "0x646464c8",
        "168.63.129.16",
        "192.0.0.192",
        "0.0.0.0",
        "0",
        "[::]",
        "224.0.0.1",
    ),
    *(
        "metadata.google.internal",
        "metadata.google.internal.",
        "METADATA.Google.Internal",
        "metadata",
        "metadata.goog",
        "instance-data",
        "metadata.tencentyun.com",
    ),
    *("１６９.254.169.254", "169。254。169。254"),
]
TAKEN = [
    "127.0.0.1",
    "localhost",
    "[::1]",
    "192.168.1.5",
    "10.0.0.2",
    "100.64.0.1",
    "[fd12::1]",
    "8.8.8.8",
    "[::ffff:127.0.0.1]",
    "2130706433",
]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    litellm()


def connection(host: str) -> Connection:
    return Connection(id="c", name="Mine", kind="url", model="lamp", base=f"http://{host}:8000/v1")


@pytest.mark.parametrize("host", REFUSED)
def test_a_connection_to_one_is_not_kept_and_not_made(host: str) -> None:
    with pytest.raises(AddressUnfit):
        checked(connection(host))
    with pytest.raises(PeerRefused):
        connectable(host.replace("%25", "%").strip("[]"))


@pytest.mark.parametrize("host", TAKEN)
def test_ordinary_addresses_are_kept(host: str) -> None:
    assert checked(connection(host)).base
    refuse_literal(host)


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Let every name be at these addresses, one after the other; the last one from then on."""
    asked: list[str] = []

    def found(host: str, port: Any, **rest: Any) -> list[Any]:
        address = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))]

    monkeypatch.setattr(peers, "getaddrinfo", found)
    return asked


@pytest.mark.parametrize("address", ["169.254.169.254", "::ffff:169.254.169.254", "100.100.100.200", "fe80::1%eth0"])
def test_a_name_that_leads_to_one_is_refused_when_it_is_kept(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, address)
    with pytest.raises(AddressUnfit):
        checked(connection("models.example"))


def test_a_name_that_nobody_knows_now_may_be_known_later() -> None:
    assert checked(connection("models.invalid")).base


def ask(asked: LiteLLMModel) -> str:
    return "".join(asked.stream([ChatMessage("user", "Who is there?")], cancel=threading.Event()))


@pytest.mark.parametrize("provider", ["openai", "hosted_vllm", "ollama_chat", "anthropic"])
def test_a_name_that_leads_there_by_now_is_not_asked(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "169.254.169.254")
    with pytest.raises(PeerRefused, match="never asked"):
        ask(model("http://models.example:8000/v1", provider=provider, retries=0))


def test_the_address_that_was_looked_at_is_the_one_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere a moment later is looked up once for each connection."""
    with OpenAIEndpoint() as endpoint:
        asked = resolving(monkeypatch, "127.0.0.1", "169.254.169.254")
        assert ask(model(endpoint.url.replace("127.0.0.1", "models.example"), retries=0)) == "Hello there"
        assert asked == ["models.example"]
        assert len(endpoint.requests) == 1
