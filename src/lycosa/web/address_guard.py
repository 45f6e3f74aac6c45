"""The address guard: which hosts and addresses may be asked at all.

Three checks: the host's name before a request, its addresses when they are resolved, and the one address of a socket
when the socket is made. The last check is the one that counts: whatever a name resolved to before (DNS rebinding), no
socket to a refused address ever exists.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from ada_url import parse_url

from lycosa.system.errors import Code, Refused

_Address = IPv4Address | IPv6Address

# What is not the public Internet, from the IANA special-purpose registries. Python's is_global covers only part of it.
_SPECIAL4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, metadata services
        "168.63.129.16/32",  # a cloud's own services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
]
# Only 2000::/3 of IPv6 is allocated (so no loopback, link-local, site-local, unique-local or multicast), except these:
_GLOBAL6 = IPv6Network("2000::/3")
_SPECIAL6 = [
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
]
# IPv6 networks that embed an IPv4 address, and how many bits follow it: the IPv4 address is the one reached.
_EMBEDDED = [
    (IPv6Network("::ffff:0:0/96"), 0),  # v4-mapped
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
]
_PRIVATE_NAMES = frozenset(
    {"localhost", "internal", "local", "localdomain", "lan", "intranet", "corp", "arpa", "onion"}
    | {"svc", "home", "private", "localdomain6"}
)


class AddressError(OSError):
    """The guard refused this connection."""


class AddressGuard:
    """Refuses everything outside the public Internet, except hosts, addresses and networks that the user allows."""

    def __init__(self, allow: Sequence[str] = ()) -> None:
        self._names: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        self._endpoints: set[tuple[str, int]] = set()
        for item in allow:
            text = item.strip().lower().removeprefix("[").removesuffix("]")
            try:
                self._networks.append(ip_network(text, strict=False))
            except ValueError:
                name, address = ("", None) if set(text) & set("/:?#@\\ ") else _read(text)
                if not name:
                    raise Refused(
                        f"{item!r} cannot be allowed",
                        "give a host name, IP address or network",
                        code=Code.BAD_VALUE,
                        field="allow",
                    ) from None
                if address is None:
                    self._names.add(name)
                else:
                    self._networks.append(ip_network(address))

    def allow_endpoint(self, address: str, port: int) -> None:
        """Allow sockets to this address and port: a proxy, or the target of a name that the user maps.

        This does not make the address a host that may be crawled.
        """
        self._endpoints.add((address, port))

    def knows(self, host: str) -> bool:
        """Whether the user allowed this host, by name or address, and so accepts whatever it resolves to."""
        name, address = _read(host)
        return name in self._names if address is None else any(address in network for network in self._networks)

    def refuses_host(self, host: str) -> str | None:
        """Why a URL's host (a port may follow) must not be asked; None if its name allows it."""
        name, address = _read(host)
        if address is not None:
            return self.refuses_address(str(address))
        # A name without a dot is a machine on the local network, whatever the search list of a resolver or proxy adds.
        if name in self._names or ("." in name and name.rpartition(".")[2] not in _PRIVATE_NAMES):
            return None
        return f"refused host {name or host}"

    def refuses_address(self, address: str) -> str | None:
        """Why a socket must not be connected to this address; None if it may."""
        if _is_public(address):
            return None
        if self._networks:
            try:
                ip = ip_address(address)
            except ValueError:
                return f"refused address {address}"
            if any(ip in network for network in self._networks):
                return None
        return f"refused address {address}"

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address as getaddrinfo returns it: the last check, on the very address connected to."""
        family, kind, protocol, _, where = info
        if (where[0], where[1]) not in self._endpoints and (reason := self.refuses_address(where[0])):
            raise AddressError(reason)
        return socket.socket(family, kind, protocol)


def is_address(host: str) -> bool:
    """Whether a URL's host is an address, in any notation, and not a name."""
    return _read(host)[1] is not None


@lru_cache(maxsize=4096)
def _read(host: str) -> tuple[str, _Address | None]:
    """A host as the URL standard reads it: an address in any notation is an address; an invalid host has no name."""
    try:
        name: str = parse_url(f"http://{host}/", ("hostname",))["hostname"]
    except ValueError:
        return "", None
    name = name.removeprefix("[").removesuffix("]").rstrip(".")
    try:
        return name, ip_address(name)
    except ValueError:
        return name, None


@lru_cache(maxsize=4096)
def _is_public(address: str) -> bool:
    try:
        return _on_internet(ip_address(address))
    except ValueError:
        return False


def _on_internet(ip: _Address) -> bool:
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _SPECIAL4)
    if ip.scope_id:
        return False
    for network, bits in _EMBEDDED:
        if ip in network:
            return _on_internet(IPv4Address(int(ip) >> bits & 0xFFFFFFFF))
    return ip in _GLOBAL6 and not any(ip in network for network in _SPECIAL6)
