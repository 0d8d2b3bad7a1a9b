"""To whom a connection is never made: the addresses by which clouds hand a machine its secrets, in whatever spelling, and those that are no one's."""

from __future__ import annotations

import re
import socket
import unicodedata
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import getaddrinfo

from models.errors import PeerRefused

_CLOUDS = tuple(
    ip_network(net)
    for net in (
        "169.254.0.0/16",  # link-local: AWS, Google, Azure, Oracle, OpenStack, DigitalOcean, Tencent
        "100.100.100.200/32",  # Alibaba
        "168.63.129.16/32",  # Azure's wire server
        "192.0.0.192/32",  # Oracle, of old
        "fd00:ec2::/32",  # AWS
        "fd20:ce::/32",  # Google
    )
)
_NAMES = frozenset(
    {
        *("metadata", "metadata.google.internal", "metadata.goog", "metadata.internal", "instance-data", "instance-data.ec2.internal"),
        *("metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com", "metadata.azure.internal"),
    }
)
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)(?:\.(?:0[xX][0-9a-fA-F]+|\d+)){0,3}", re.ASCII)
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("::ffff:0:0:0/96"), ip_network("::/96"))
"""Where an older address stands in the last four bytes of a newer one, beside those that the standard library knows."""


def refuse_literal(host: str) -> None:
    """Raise PeerRefused for a host that is such a name or such an address in any spelling; nothing is looked up."""
    name = _plain(host)
    address = _literal(name)
    if name in _NAMES or name.endswith(".metadata.google.internal") or (address is not None and _refused(address)):
        raise _refusal(host)


def connectable(host: str) -> list[str]:
    """The addresses that a host has now, in the resolver's order. Raises PeerRefused if one of them is such a one, OSError if there is none."""
    refuse_literal(host)
    literal = _literal(_plain(host))
    if literal is not None:
        return [host.strip("[]") if "%" in host else str(literal)]
    found = list(dict.fromkeys(str(where[0]) for *_, where in getaddrinfo(host, None, type=socket.SOCK_STREAM)))
    if any(_refused(ip_address(one.partition("%")[0])) for one in found):
        raise _refusal(host)
    return found


def _plain(host: str) -> str:
    """A host as it is compared: one width, small letters, no dot at its end."""
    return unicodedata.normalize("NFKC", host).replace("。", ".").strip("[]").rstrip(".").lower()


def _literal(name: str) -> IPv4Address | IPv6Address | None:
    """The address that a name is, if it is one: also as one number, in hexadecimal or octal, or with parts left out, as resolvers read it."""
    try:
        return ip_address(name.partition("%")[0])
    except ValueError:
        pass
    if not _NUMBER.fullmatch(name):
        return None
    try:
        return IPv4Address(socket.inet_aton(name))
    except OSError:
        return None


def _refused(address: IPv4Address | IPv6Address) -> bool:
    inner = _inner(address) if isinstance(address, IPv6Address) else None
    if inner is not None and _refused(inner):
        return True
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return True
    return any(address in net for net in _CLOUDS if net.version == address.version)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """The older address that a newer one stands for."""
    if address.is_loopback:
        return None
    if any(address in net for net in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _refusal(host: str) -> PeerRefused:
    return PeerRefused(f"{host} leads to an address by which a machine is told its secrets, or that is nobody's. It is never asked.")
