"""Where what is asked of a model goes: it stays on this computer, in its network, or leaves both."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from settings import EMBEDDED, is_this_computer

LOCAL_PROVIDERS = ("ollama", "ollama_chat")
"""Of LiteLLM's model strings those that mean a program on this computer, where no address is set."""
_HOME = (".local", ".lan", ".home", ".internal", ".home.arpa")


_THIS_MACHINE = ("host.docker.internal", "host.containers.internal")
"""How a container calls the machine that it runs on."""


class Reach(StrEnum):
    HERE = "here"
    NETWORK = "network"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Destination:
    reach: Reach
    host: str = ""
    """As it is called in the settings: a host, or where none is set the provider; empty for a model inside of this program."""


def destination(model: str, api_base: str | None) -> Destination:
    """model: a LiteLLM model string or `embedded`; api_base: the address that is set for it. By names alone: nothing is looked up."""
    if model == EMBEDDED:
        return Destination(Reach.HERE)
    if api_base:
        return _of_host(urlsplit(api_base if "//" in api_base else f"//{api_base}").hostname or api_base)
    provider = model.partition("/")[0]
    return Destination(Reach.HERE if provider in LOCAL_PROVIDERS else Reach.ELSEWHERE, provider)


def computes_here(model: str, api_base: str | None) -> bool:
    """Whether a model takes this machine's time: it runs in this program, or answers at one of this machine's own addresses. By names and numbers alone."""
    goes = destination(model, api_base)
    host = goes.host.casefold()
    if goes.reach is Reach.HERE or host in (*_THIS_MACHINE, socket.gethostname().casefold(), f"{socket.gethostname().casefold()}.local"):
        return True
    try:
        family = socket.AF_INET6 if ip_address(host).version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((host, 0))  # only a machine's own addresses can be bound; nothing is sent
    except (ValueError, OSError):
        return False
    return True


def _of_host(host: str) -> Destination:
    if is_this_computer(host):
        return Destination(Reach.HERE, host)
    try:
        private = ip_address(host).is_private
    except ValueError:
        private = "." not in host or host.casefold().endswith(_HOME)
    return Destination(Reach.NETWORK if private else Reach.ELSEWHERE, host)
