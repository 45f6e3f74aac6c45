"""How the server is reached, and by whom."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address

from lycosa.system.errors import Refused

_is_host = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:]+").fullmatch
LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class ServerSettings:
    """Where the server listens and what it demands; any address but loopback needs a token."""

    address: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    """Host names by which it is known besides its address."""
    body: int = 1 << 20
    """Bytes of a request at most."""
    rate: float = 50.0
    """Calls that change something, a second, from one address."""
    agent_pages: int = 1000
    """Pages that agents may have fetched as long as the server lives."""
    agent_bytes: int = 1 << 30
    connections: int = 1000
    """Connections in all, as far as the limit of open files allows; one client may have three quarters."""
    streams: int = 512
    """Streams of events in all; one client may have a quarter of them."""
    head_timeout: float = 10.0
    """Seconds in which the head of a request must be there."""
    body_timeout: float = 30.0
    """Seconds in which its body must be there, and in which some of an answer must be taken."""
    idle_timeout: float = 15.0
    """Seconds that a connection stays open between two requests."""

    def __post_init__(self) -> None:
        if not self.is_local and not self.token:
            raise Refused(
                f"anybody who can reach {self.address} could use this server",
                "give a --token of 16 characters or more, or listen on 127.0.0.1",
            )
        if self.token and (len(self.token) < 16 or not self.token.isascii() or not self.token.isprintable()):
            raise Refused("the token is too easy to guess", "give 16 or more plain characters")
        for name in self.names:
            if not _is_host(name):
                raise Refused(f"--name {name!r} is no host name", "write it like search.example.org, without a port")
        if not 0 < self.rate < 1e6:
            raise Refused(f"--rate {self.rate} is not possible", "give a number above 0")
        for name in ("connections", "streams"):
            if not 4 <= getattr(self, name) <= 100_000:
                raise Refused(f"--{name} {getattr(self, name)} is not possible", "give 4 to 100,000")
        for name in ("head_timeout", "body_timeout", "idle_timeout"):
            if not 0 < getattr(self, name) <= 3600:
                option = name.replace("_", "-")
                raise Refused(f"--{option} {getattr(self, name)} is not possible", "give 3600 seconds at most, above 0")
        for name in ("agent_pages", "agent_bytes"):
            if not 0 <= getattr(self, name) < 2**53:
                raise Refused(f"--{name.replace('_', '-')} {getattr(self, name)} is not possible", "give 0 or more")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.address == "localhost" or _is_loopback(self.address)

    @property
    def url(self) -> str:
        """The address to open."""
        host = "localhost" if self.address in ("0.0.0.0", "::") else self.address
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this server: a foreign name on our address is somebody's rebound DNS."""
        name, port = _split(host)
        if port != self.port and not (port is None and self.port in (80, 443)):
            # Behind a proxy the port is another one; then the names are given.
            return name in self.names
        return name in LOCAL or name in self.names or name == self.address or (not self.is_local and _is_address(name))


def _split(host: str) -> tuple[str, int | None]:
    name, colon, port = host.lower().rpartition(":")
    if not colon or not (port.isascii() and port.isdecimal()):
        return _bare(host.lower()), None
    return _bare(name), int(port) if len(port) < 6 else None


def _bare(name: str) -> str:
    """An address of IPv6 without its brackets."""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ip_address(name).is_loopback
