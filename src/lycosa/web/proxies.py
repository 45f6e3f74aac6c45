"""A proxy and its login, which is used, but never written down nor shown.

A person gives `http://USER:PASSWORD@HOST:PORT`; in plans, settings and messages stands `http://****@HOST:PORT`. Not
even the user name stays: with many services it is the key. Everything up to the last «@» is the login, percent-encoded
or not: the address of a proxy has no path in which another one could be.
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import NamedTuple
from urllib.parse import unquote

from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused

VARIABLE = "LYCOSA_PROXY"
"""The environment may hold what is too secret for a command line, which everybody on the machine can see."""
HIDDEN = "****"
UNREACHABLE, SHUT = "proxy unreachable", "proxy login refused"
"""Why nothing at all can be fetched."""
_GO_ON = "then go on with `lycosa resume` or the same command"
# A login in bytes that are no UTF-8 could be neither passed on nor complained of without being shown.
_parts = re.compile(r"(https?://)(?:([^\n\ud800-\udfff]*)@)?([^@/?#\\\s]+)/?", re.IGNORECASE).fullmatch


class Proxy(NamedTuple):
    """Where a proxy is, and what it wants to know."""

    address: str
    login: str

    @classmethod
    def read(cls, text: str) -> Proxy:
        """A proxy as a person gives it."""
        found = _parts(text.strip())
        address = canonical(f"{found[1]}{found[3]}/") if found else None
        if not found or not address:
            *login, place = text.rsplit("@", 1)
            shown = f"{HIDDEN}@{place}" if login else place
            raise Refused(
                f"{shown!r} is no proxy",
                "give it like http://127.0.0.1:3128 or http://USER:PASSWORD@HOST:3128",
                code=Code.BAD_VALUE,
                field="proxy",
            )
        return cls(address, found[2] or "")

    @property
    def is_hidden(self) -> bool:
        """Whether there is a login that was not written down."""
        return self.login == HIDDEN

    @property
    def headers(self) -> dict[str, str]:
        """How the proxy is told the login, if there is one."""
        if not self.login:
            return {}
        user, _, password = self.login.partition(":")
        said = b64encode(f"{unquote(user)}:{unquote(password)}".encode())
        return {"Proxy-Authorization": f"Basic {said.decode()}"}

    def trouble(self, reason: str) -> Refused | None:
        """What a person can do where nothing at all can be fetched; None where that is not so."""
        if reason == UNREACHABLE:
            return Refused("the proxy cannot be reached", f"start it, {_GO_ON}", code=Code.PROXY, field="proxy")
        if reason != SHUT:
            return None
        if self.login:
            return Refused(
                "the proxy refuses this user name and password (407)",
                f"correct them, {_GO_ON}",
                code=Code.PROXY,
                field="proxy",
            )
        give = f"give {VARIABLE} or --proxy as http://USER:PASSWORD@HOST:PORT"
        return Refused(
            "the proxy asks for a user name and a password (407)", f"{give}, {_GO_ON}", code=Code.PROXY, field="proxy"
        )


def written(text: str) -> str:
    """A proxy as it may be written down and shown."""
    address, login = Proxy.read(text)
    return address.replace("//", f"//{HIDDEN}@", 1) if login else text
