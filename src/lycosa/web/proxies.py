"""A proxy and its login, which is used but never stored or shown.

A person gives `http://USER:PASSWORD@HOST:PORT`; plans, settings and messages contain `http://****@HOST:PORT`. Not even
the user name is kept: for many services it is the key. Everything up to the last «@» is the login, percent-encoded or
not: the address of a proxy has no path that could contain another «@».
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import NamedTuple
from urllib.parse import unquote

from lycosa.core.urls import canonical, host_of
from lycosa.system.errors import Code, Refused

VARIABLE = "LYCOSA_PROXY"
"""The environment variable for a proxy: every user of the machine can see a command line, but not the environment."""
HIDDEN = "****"
UNREACHABLE, SHUT = "proxy unreachable", "proxy login refused"
"""Why nothing at all can be fetched."""
# A login that is not valid UTF-8 could neither be sent nor be reported without being shown.
_parts = re.compile(r"(\w+)://(?:([^\n\ud800-\udfff]*)@)?([^@/?#\\\s]+)/?", re.IGNORECASE).fullmatch
_place = re.compile(r"(.+?)(?::(\d{1,5}))?").fullmatch
SOCKS = {"socks5": "socks5", "socks5h": "socks5", "socks4a": "socks4a"}
"""Schemes of SOCKS proxies; the names of hosts are always resolved by the proxy."""


class Proxy(NamedTuple):
    """The address of a proxy, and its login."""

    address: str
    login: str

    @classmethod
    def read(cls, text: str) -> Proxy:
        """Parse a proxy as a person gives it."""
        found = _parts(text.strip())
        address = _address(found[1].lower(), found[3]) if found else None
        if not found or not address:
            *login, place = text.rsplit("@", 1)
            shown = f"{HIDDEN}@{place}" if login else place
            raise Refused(
                f"{shown!r} is not the address of a proxy",
                "write it like http://127.0.0.1:3128 or http://USER:PASSWORD@HOST:3128, or with socks5:// or socks4a://",
                code=Code.BAD_VALUE,
                field="proxy",
            )
        return cls(address, found[2] or "")

    @property
    def is_socks(self) -> bool:
        """Whether it speaks SOCKS, not HTTP."""
        return self.address.startswith("socks")

    @property
    def is_hidden(self) -> bool:
        """Whether there is a login that was not stored."""
        return self.login == HIDDEN

    @property
    def headers(self) -> dict[str, str]:
        """The header that sends the login to a proxy of HTTP, if there is one."""
        if not self.login or self.is_socks:
            return {}
        user, _, password = self.login.partition(":")
        login = b64encode(f"{unquote(user)}:{unquote(password)}".encode())
        return {"Proxy-Authorization": f"Basic {login.decode()}"}

    def trouble(self, reason: str) -> Refused | None:
        """What a person can do if nothing at all can be fetched for this reason; None for any other reason."""
        if reason == UNREACHABLE:
            problem, fix = "the proxy cannot be reached", "start it, then resume"
        elif reason != SHUT:
            return None
        elif self.login:
            problem = "the proxy refuses this user name and password (407)"
            fix = "correct them, then resume"
        else:
            problem = "the proxy asks for a user name and a password (407)"
            fix = f"write it as http://USER:PASSWORD@HOST:PORT in the environment variable {VARIABLE}, then resume"
        return Refused(problem, fix, code=Code.PROXY, field="proxy")


def written(text: str) -> str:
    """A proxy as it may be stored and shown."""
    address, login = Proxy.read(text)
    return address.replace("//", f"//{HIDDEN}@", 1) if login else text


def _address(scheme: str, place: str) -> str | None:
    if scheme in ("http", "https"):
        return canonical(f"{scheme}://{place}/")
    parts = _place(place)
    name = canonical(f"http://{parts[1]}/") if parts and scheme in SOCKS else None
    port = int(parts[2] or 1080) if parts else 0
    return f"{SOCKS[scheme]}://{host_of(name)}:{port}" if name and 0 < port < 1 << 16 else None
