"""Where what is asked of a model goes, by its name and address alone."""

from __future__ import annotations

import pytest

from models.reach import Reach, destination


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
