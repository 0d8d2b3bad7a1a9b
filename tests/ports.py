"""Ports for programs that tests start."""

from __future__ import annotations

import random
import socket


def free_port() -> int:
    """A port that nothing has at this moment, below those that systems give to outgoing connections: one of those may be taken before it is served."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("", random.randrange(20_000, 30_000)))  # on every address
            except OSError:
                continue
            return int(probe.getsockname()[1])
