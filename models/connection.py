"""A way to a language model: what a person entered about it, and what LiteLLM is told of that."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from models.dialect import dialect_key
from models.errors import AddressUnfit, FileUnfit, KeyNameUnfit, ModelNameUnfit, PeerRefused
from models.peers import connectable

Kind = Literal["url", "ollama", "hosted", "file"]
"""An OpenAI-compatible address; Ollama; a provider that LiteLLM knows; a GGUF file in the folder of models, run by the embedded llama.cpp."""
KINDS: tuple[Kind, ...] = ("url", "ollama", "hosted", "file")
Role = Literal["chat", "memory", "judge"]
ROLES: tuple[Role, ...] = ("chat", "memory", "judge")
Reach = Literal["nowhere", "computer", "network", "provider"]
"""How far what a model reads goes: not out of this program, to another program of this computer, to another computer, to a provider."""

OLLAMA_HOME = "http://127.0.0.1:11434"
KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY", re.ASCII)
"""Environment variables that a connection may name. Any other could hold something that is nobody's key to a model, and would be sent away."""
FILE_NAME = re.compile(r"[^\W_.][\w.+-]{0,150}\.gguf")
_MODEL = re.compile(r"[\w][\w.:/@+-]{0,150}", re.ASCII)


class Connection(BaseModel):
    """model: as the endpoint, Ollama or LiteLLM names it, or the file's name; base: an address, empty for the kind's own; key_env: the environment variable that
    holds its key; sealed: its key as `models.key_box` sealed it; threads: of a model in a file, 0 for as many as suit it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    kind: Kind
    model: Annotated[str, Field(min_length=1, max_length=160)]
    base: Annotated[str, Field(max_length=300)] = ""
    key_env: Annotated[str, Field(max_length=80)] = ""
    sealed: Annotated[str, Field(max_length=2000)] = ""
    context_tokens: Annotated[int, Field(ge=512, le=1_000_000)] = 8192
    reply_tokens: Annotated[int, Field(ge=16, le=8192)] = 400
    timeout_s: Annotated[float, Field(ge=5, le=600)] = 120.0
    threads: Annotated[int, Field(ge=0, le=64)] = 0

    @property
    def litellm_name(self) -> str:
        return {"url": f"openai/{self.model}", "ollama": f"ollama_chat/{self.model}"}.get(self.kind, self.model)

    @property
    def address(self) -> str | None:
        """None for a provider's own, and for a file."""
        return (self.base or OLLAMA_HOME) if self.kind == "ollama" else self.base or None

    @property
    def dialect_key(self) -> str:
        """By what is known how it wants to be spoken to."""
        return dialect_key("file:" if self.kind == "file" else self.address, self.model if self.kind == "file" else self.litellm_name)

    @property
    def host(self) -> str:
        """Where it is reached, without path and credentials; empty where that is no address of ours."""
        return host_of(self.address or "")

    @property
    def shown(self) -> str:
        """How receipts and the page call what answers. Where it is reached belongs to it: the same name elsewhere may be another model, at another price."""
        match self.kind:
            case "url":
                return f"{self.model} ({self.host})"
            case "ollama":
                return f"{self.model} (Ollama)"
            case "file":
                return self.model.removesuffix(".gguf")
            case "hosted":
                return self.model

    @property
    def reach(self) -> Reach:
        if self.kind == "file":
            return "nowhere"
        return "provider" if self.kind == "hosted" else reach_of(self.address or "")

    @property
    def seal(self) -> str:
        """What a sealed key is bound to: it opens for this place alone."""
        return f"{self.id}|{self.kind}|{self.base if self.kind != 'hosted' else self.model.split('/', 1)[0]}"


def host_of(address: str) -> str:
    """Host and port of an address."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "") + (f":{parts.port}" if parts.port else "")
    except ValueError:
        return ""


def reach_of(address: str) -> Reach:
    """How far an address is, by its name: whether a name of the network leads back here is not looked up."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return "network"
    if host == "localhost":
        return "computer"
    try:
        return "computer" if ip_address(host).is_loopback else "network"
    except ValueError:
        return "network"


def checked(connection: Connection) -> Connection:
    """The connection if it can be one. Of some providers LiteLLM takes an address in a model's name; here it has its own place.

    Raises AddressUnfit, ModelNameUnfit, KeyNameUnfit, FileUnfit.
    """
    if connection.kind == "url" or connection.base:
        _check_address(connection.base)
    if connection.kind == "file":
        if not FILE_NAME.fullmatch(connection.model):
            raise FileUnfit("A model's file is named by its name in the folder of models, and ends in .gguf. Nothing was changed.", name="")
    elif (
        not _MODEL.fullmatch(connection.model) or "//" in connection.model or (connection.kind == "hosted" and "/" not in connection.model)
    ):
        raise ModelNameUnfit("This is no name of a model: a hosted one is written as provider/model. Nothing was changed.")
    if connection.key_env and not KEY_NAME.fullmatch(connection.key_env):
        raise KeyNameUnfit("A variable that holds a key is written in capitals and ends in _API_KEY. Nothing was changed.")
    return connection


def _check_address(address: str) -> None:
    """http or https, a host, no credentials, no query. The addresses by which clouds tell a machine its secrets are refused."""
    unfit = AddressUnfit("An address is http:// or https:// with a host, without a name, password, “?” or “#” in it. Nothing was changed.")
    try:
        parts = urlsplit(address)
        port_ok = parts.port is None or parts.port > 0
    except ValueError:
        raise unfit from None
    odd = any(ord(sign) <= 32 or sign in "\\\x7f" for sign in address)
    if odd or not port_ok or parts.scheme not in ("http", "https") or not parts.hostname:
        raise unfit
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment or "?" in address or "#" in address:
        raise unfit
    try:
        connectable(parts.hostname)
    except PeerRefused:
        raise unfit from None
    except (OSError, UnicodeError):
        return  # nobody knows the name now; it is looked up again whenever it is asked
