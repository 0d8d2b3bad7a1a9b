"""What a connection may be, and how far what is sent over it goes."""

from __future__ import annotations

import pytest

from models.connection import Connection, checked
from models.errors import AddressUnfit, FileUnfit, KeyNameUnfit, ModelNameUnfit


def made(kind: str = "url", model: str = "qwen3", base: str = "http://127.0.0.1:8000/v1", **more: object) -> Connection:
    return Connection.model_validate({"id": "c", "name": "Mine", "kind": kind, "model": model, "base": base, **more})


@pytest.mark.parametrize(
    "base",
    ["http://127.0.0.1:8000/v1", "https://llm.example.org/v1", "http://192.168.1.9:1234", "http://[::1]:8080/v1", "http://gpu-box:8000/v1"],
)
def test_addresses_of_this_computer_the_network_and_the_internet_are_allowed(base: str) -> None:
    assert checked(made(base=base)).address == base


@pytest.mark.parametrize(
    "base",
    [
        "", "ftp://host/v1", "file:///etc/passwd", "gopher://host", "//host/v1", "http://", "http://me:sk-1@host/v1", "http://me@host/v1", "http://host/v1?key=1",
        "http://host/v1#x", "http://ho st/v1", "http://host\n/v1", "http://host:99999/v1", "http://169.254.169.254/latest", "http://[fe80::1]/v1", "http://0.0.0.0:1/v1",
        "http://224.0.0.1/v1", "http://metadata.google.internal/v1", "http://host\\@other/v1", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_no_other_address_is(base: str) -> None:
    with pytest.raises(AddressUnfit):
        checked(made(base=base))


@pytest.mark.parametrize(
    ("connection", "reach"),
    [
        (made(base="http://localhost:1/v1"), "computer"),
        (made(base="http://127.9.9.9:1/v1"), "computer"),
        (made(base="http://10.0.0.2:1/v1"), "network"),
        (made(base="https://example.org/v1"), "network"),
        (made("ollama", base=""), "computer"),
        (made("hosted", "anthropic/claude", base=""), "provider"),
        (made("file", "a.gguf", base=""), "nowhere"),
    ],
)
def test_how_far_what_is_sent_goes(connection: Connection, reach: str) -> None:
    assert connection.reach == reach


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a/b.gguf", "..gguf", ".hidden.gguf", "a.bin", "a\\b.gguf", "a.gguf\n", "a\x00.gguf", ""]
)
def test_a_file_is_named_by_its_name_alone(name: str) -> None:
    with pytest.raises((FileUnfit, ValueError)):
        checked(made("file", name, base=""))


def test_a_hosted_model_names_its_provider() -> None:
    assert checked(made("hosted", "anthropic/claude-x", base="")).litellm_name == "anthropic/claude-x"
    for name in ("gpt", "a b/c", "x/y\n", "--flag/x", "huggingface/http://169.254.169.254/x"):
        with pytest.raises(ModelNameUnfit):
            checked(made("hosted", name, base=""))


@pytest.mark.parametrize("name", ["PATH", "HOME", "KEEPSAKE_KEY_SECRET", "AWS_SECRET_ACCESS_KEY", "my_api_key", "_API_KEY", "A B_API_KEY"])
def test_only_a_variable_for_keys_can_be_sent_away(name: str) -> None:
    with pytest.raises(KeyNameUnfit):
        checked(made(key_env=name))
    assert checked(made(key_env="TOGETHER_API_KEY")).key_env == "TOGETHER_API_KEY"


def test_a_key_is_bound_to_where_it_goes() -> None:
    assert made().seal == made(model="another", name="Else", context_tokens=1024).seal
    assert made().seal != made(base="http://127.0.0.1:8001/v1").seal
    assert made("hosted", "anthropic/a", base="").seal == made("hosted", "anthropic/b", base="").seal
    assert made("hosted", "anthropic/a", base="").seal != made("hosted", "openai/a", base="").seal
