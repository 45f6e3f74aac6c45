"""Settings of the server: where it listens, who may use it, and its limits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address

from lycosa.system.errors import Code, Refused, check_range

_is_host = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:]+").fullmatch
LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class ServerSettings:
    """Where the server listens and what it allows; any address except loopback needs a token."""

    address: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    """Host names that it answers to besides its address."""
    body: int = 1 << 20
    """Largest request body, in bytes."""
    rate: float = 50.0
    """Requests per second from one address that change something."""
    agent_pages: int = 1000
    """Pages that agents may have fetched in the lifetime of the server."""
    agent_bytes: int = 1 << 30
    connections: int = 1000
    """Connections in total, as far as the limit on open files allows; one client may have three quarters."""
    streams: int = 512
    """Event streams in total; one client may have a quarter of them."""
    head_timeout: float = 10.0
    """Seconds in which the head of a request must arrive."""
    body_timeout: float = 30.0
    """Seconds in which the body must arrive, and in which a client must read some of a stalled answer."""
    idle_timeout: float = 15.0
    """Seconds that a connection stays open between two requests."""

    def __post_init__(self) -> None:
        if not self.is_local and not self.token:
            raise Refused(
                f"anybody who can reach {self.address} could use this server",
                "give a token of 16 characters or more, or listen on 127.0.0.1",
                code=Code.MISSING,
                field="token",
            )
        if self.token and (len(self.token) < 16 or not self.token.isascii() or not self.token.isprintable()):
            raise Refused(
                "the token is too easy to guess", "give 16 or more plain characters", code=Code.BAD_VALUE, field="token"
            )
        for name in self.names:
            if not _is_host(name):
                raise Refused(
                    f"{name!r} is not a host name",
                    "write it like search.example.org, without a port",
                    code=Code.BAD_VALUE,
                    field="names",
                )
        check_range("rate", self.rate, above=0, below=1e6)
        for name in ("connections", "streams"):
            check_range(name, getattr(self, name), 4, 100_000)
        for name in ("head_timeout", "body_timeout", "idle_timeout"):
            check_range(name, getattr(self, name), above=0, high=3600)
        for name in ("agent_pages", "agent_bytes"):
            check_range(name, getattr(self, name), 0, 2**53)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.address == "localhost" or _is_loopback(self.address)

    @property
    def url(self) -> str:
        """The URL to open in a browser."""
        host = "localhost" if self.address in ("0.0.0.0", "::") else self.address
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this server; any other name at our address may come from DNS rebinding."""
        name, port = _split(host)
        if port != self.port and not (port is None and self.port in (80, 443)):
            # Behind a proxy the port differs; then the names must be given.
            return name in self.names
        return name in LOCAL or name in self.names or name == self.address or (not self.is_local and _is_address(name))


def _split(host: str) -> tuple[str, int | None]:
    name, colon, port = host.lower().rpartition(":")
    if not colon or not (port.isascii() and port.isdecimal()):
        return _bare(host.lower()), None
    return _bare(name), int(port) if len(port) < 6 else None


def _bare(name: str) -> str:
    """An IPv6 address without its brackets."""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ip_address(name).is_loopback
