"""How requests to the live Web are made. Separate from `http`, so that a plan can be read without an HTTP client."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from lycosa.core.urls import LIMIT, typed_host
from lycosa.system.errors import Code, Refused
from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.declared import Access, combined, hidden, read_access, variables_of
from lycosa.web.address_guard import AddressGuard
from lycosa.web.proxies import VARIABLE, Proxy, written
from lycosa.web.tls_reasons import NO_AUTHORITIES


class HttpOptions(Struct, frozen=True, kw_only=True):
    """How requests to the live Web are made."""

    agent: str = "Lycosa/0.1"
    contact: str = ""
    """A URL or e-mail address by which a host's owner can contact the user; it is sent with the agent."""
    timeout_connect: float = 10.0
    timeout_read: float = 10.0
    """Seconds that may pass without a single byte."""
    timeout_total: float = 30.0
    proxy: str | None = None
    """As http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, or with socks5:// or socks4a://."""
    ca: str | None = None
    """A file of certificate authorities to trust besides the system's, in PEM format."""
    allow: tuple[str, ...] = ()
    """Host names, addresses and networks that may be asked although they are not on the public Internet."""
    obey_robots: bool = True
    obey_nofollow: bool = True
    index_pages: bool = False
    lists: bool = False
    """Whether feeds and sitemaps are read, and pages tell which ones they know of."""
    hints: bool = False
    """Whether pages say under which other URLs they can be found."""
    url_limit: int = LIMIT
    delay: float = 0.0
    """Seconds between any two requests to a host; Crawl-delay may ask for more."""
    resolve: dict[str, str] = {}
    """Host names, or * for all of them, and the address:port to use instead of their own."""
    connections: int = 0
    """Most connections open at the same time; 0 = no limit."""
    access: dict[str, Access] = {}
    """How hosts are entered that do not let everybody in."""
    page_body: int = 0
    """Decoded bytes of a page of text at most; documents may have as many as each request allows. 0 = pages too."""

    def __post_init__(self) -> None:
        for name in ("timeout_connect", "timeout_read", "timeout_total"):
            if getattr(self, name) <= 0:
                problem = f"{name} of {getattr(self, name)} seconds is too short"
                raise Refused(problem, "give more than 0", code=Code.OUT_OF_RANGE, field=name)
        if not all(char.isprintable() for char in self.agent + self.contact) or not self.agent:
            raise _bad_value(
                "agent", f"the user agent {self.agent!r} cannot be sent", "give one line like MyCrawler/1.0"
            )
        if self.proxy is not None:
            Proxy.read(self.proxy)
        if self.ca is not None:
            # A crawl may be resumed from another working directory.
            force_setattr(self, "ca", str(Path(self.ca).absolute()))
        AddressGuard(self.allow)
        self.mapped()
        if self.access:
            force_setattr(self, "access", read_access(self.access))

    def __repr__(self) -> str:
        return Struct.__repr__(self.written())

    def written(self, urls: Iterable[str] | None = None) -> HttpOptions:
        """These options as they may be stored and shown: without the login of the proxy, and how hosts are entered.

        Of the hosts with an access only those remain that are asked for these URLs, if they are given: nobody to whom a
        collection is given needs to know which other hosts its owner can enter.
        """
        if not self.proxy and not self.access:
            return self
        return replace(self, proxy=written(self.proxy) if self.proxy else None, access=hidden(self.access, urls))

    def forgetting(self) -> HttpOptions:
        """These options as if they had been stored without what hosts are entered with."""
        return replace(self, access=hidden(self.access))

    def changed(self, given: Mapping[str, Any]) -> HttpOptions:
        """These options with others in their place; the access of further hosts is added."""
        access = combined(self.access, read_access(given.get("access") or {}))
        plain = {**msgspec.to_builtins(self), **given, "access": msgspec.to_builtins(access)}
        return msgspec.convert(plain, HttpOptions)

    def has_key(self, url: str) -> bool:
        """Whether a canonical URL is at a host that is entered otherwise than with a login form."""
        return any(not one.login and AccessScope.read(host).covers(url) for host, one in self.access.items())

    def variables(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The environment variables that hold secrets of hosts."""
        return {name: environment[name] for name in variables_of(self.access) if name in environment}

    def must_be_ready(self, urls: Iterable[str] = ()) -> None:
        """Refuse options with which nothing, or none of these URLs, could be fetched, before anything is fetched."""
        from lycosa.web.tls import check_ca, no_authorities

        self.must_know_login()
        if self.ca is not None:
            check_ca(self.ca)
        asked = list(urls)
        if any(url.startswith("https:") for url in asked) and (problem := no_authorities(self.ca)):
            raise problem
        if self.access and asked:
            from lycosa.web.access.entrances import Entrances

            entrances = Entrances(self.access, os.environ, ca=self.ca, proxy=self.proxy)
            for url in asked:
                entrances.open(url)

    def must_know_login(self) -> None:
        """Refuse to use a proxy whose login was not stored, or to ask hosts that were entered otherwise before."""
        if unknown := [host for host, access in self.access.items() if access.hidden]:
            raise Refused(
                f"how to enter {', '.join(unknown[:3])}{', ...' if len(unknown) > 3 else ''} is not stored",
                "give the access again",
                code=Code.MISSING,
                field="access",
            )
        if self.proxy and (proxy := Proxy.read(self.proxy)).is_hidden:
            place = proxy.address.rstrip("/")
            again = place.replace("//", "//USER:PASSWORD@", 1)
            raise Refused(
                f"the user name and the password of the proxy {place} are not stored",
                f"give them again, best in the environment: {VARIABLE}={again}",
                code=Code.MISSING,
                field="proxy",
            )

    def trouble(self, reason: str) -> Refused | None:
        """The error to report if a page could not be fetched for a reason that holds for every page."""
        if reason == NO_AUTHORITIES:
            from lycosa.web.tls import no_authorities

            return no_authorities(self.ca)
        return Proxy.read(self.proxy).trouble(reason) if self.proxy else None

    @property
    def network(self) -> str:
        """The network to which host names belong: empty for the Internet, else what replaces it on this machine."""
        proxy = Proxy.read(self.proxy).address if self.proxy else ""
        # A proxy elsewhere leads to the hosts of the Internet; one on loopback may serve a recording.
        local = proxy if proxy and urlsplit(proxy).hostname in ("127.0.0.1", "::1", "localhost") else ""
        return f"{local} {sorted(self.resolve.items())} " if local or self.resolve else ""

    @property
    def user_agent(self) -> str:
        """The User-Agent header that is sent to servers."""
        return f"{self.agent} (+{self.contact})" if self.contact else self.agent

    def mapped(self) -> dict[str, tuple[str, int]]:
        """`resolve` as addresses and ports."""
        mapped = {}
        for host, target in self.resolve.items():
            address, _, port = target.rpartition(":")
            name = host if host == "*" else typed_host(host)
            if name is None:
                fix = "map the name of a host, or * for every host"
                raise _bad_value("resolve", f"{host!r} is not the name of a host", fix)
            try:
                mapped[name] = (str(ip_address(address.strip("[]"))), int(port))
            except ValueError:
                fix = "write the target like 127.0.0.1:8080"
                raise _bad_value("resolve", f"{host} cannot be mapped to {target!r}", fix) from None
        return mapped


def _bad_value(field: str, problem: str, fix: str) -> Refused:
    return Refused(problem, fix, code=Code.BAD_VALUE, field=field)
