"""Where what is asked of a model goes, by its name and address alone."""

from __future__ import annotations

import socket

import pytest

from models.reach import Reach, computes_here, destination


@pytest.mark.parametrize(
    ("model", "base", "reach", "host"),
    [
        ("embedded", None, Reach.HERE, ""),
        ("embedded", "http://203.0.113.1", Reach.HERE, ""),
        ("openai/m", "http://127.0.0.1:8000/v1", Reach.HERE, "127.0.0.1"),
        ("openai/m", "http://localhost:8000", Reach.HERE, "localhost"),
        ("openai/m", "http://[::1]:8000", Reach.HERE, "::1"),
        ("ollama_chat/qwen3", None, Reach.HERE, "ollama_chat"),
        ("ollama_chat/qwen3", "http://gpu:11434", Reach.NETWORK, "gpu"),
        ("openai/m", "http://192.168.1.7:8000", Reach.NETWORK, "192.168.1.7"),
        ("openai/m", "http://box.lan", Reach.NETWORK, "box.lan"),
        ("openai/m", "https://api.example.com/v1", Reach.ELSEWHERE, "api.example.com"),
        ("openai/m", "api.example.com", Reach.ELSEWHERE, "api.example.com"),
        ("openai/m", "https://user:key@api.example.com", Reach.ELSEWHERE, "api.example.com"),
        ("openai/m", "http://8.8.8.8", Reach.ELSEWHERE, "8.8.8.8"),
        ("anthropic/x", None, Reach.ELSEWHERE, "anthropic"),
        ("gpt-4o", None, Reach.ELSEWHERE, "gpt-4o"),
    ],
)
def test_an_address_says_how_far_it_goes(model: str, base: str | None, reach: Reach, host: str) -> None:
    found = destination(model, base)
    assert (found.reach, found.host) == (reach, host)


@pytest.mark.parametrize(
    ("model", "base", "here"),
    [
        ("embedded", None, True),
        ("openai/m", "http://127.0.0.1:8000/v1", True),
        ("openai/m", "http://127.8.9.1:8000/v1", True),
        ("openai/m", "http://[::1]:8000", True),
        ("openai/m", "http://0.0.0.0:8000", True),
        ("openai/m", f"http://{socket.gethostname().upper()}:8000", True),
        ("openai/m", "http://host.docker.internal:11434/v1", True),
        ("ollama_chat/qwen3", None, True),
        ("ollama_chat/qwen3", "http://gpu:11434", False),
        ("openai/m", "http://198.51.100.7:8000", False),
        ("openai/m", "http://[2001:db8::7]:8000", False),
        ("openai/m", "http://box.lan", False),
        ("openai/m", "https://api.example.com/v1", False),
        ("anthropic/x", None, False),
    ],
)
def test_memory_makes_room_for_models_of_this_machine_alone(model: str, base: str | None, here: bool) -> None:
    assert computes_here(model, base) is here
