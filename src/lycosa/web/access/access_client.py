"""The HTTP client of hosts with an access: each request gets what its own URL's scope has, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import aiohttp
from aiohttp import ClientResponse

from lycosa.core.nouns import Failure
from lycosa.core.urls import host_of
from lycosa.system.errors import Refused
from lycosa.web.access.entrances import Entrance, Entrances
from lycosa.web.access.login import Answer, LoginAnswer, LoginSession
from lycosa.web.body import Body
from lycosa.web.host_pauses import HostPauses
from lycosa.web.http_client import BoundedResponse, HttpClient
from lycosa.web.http_options import HttpOptions
from lycosa.web.proxies import SHUT, UNREACHABLE

NOT_READY = "access not ready"
"""A secret of the host cannot be read."""
OWN_PROXY = "host's own proxy"
_LIMIT = 1 << 20
"""Bytes of a page with a login form, or after it."""


class AccessClient:
    """Sends as HttpClient does, with the headers, cookies, certificate and proxy of the host that is asked."""

    def __init__(
        self,
        options: HttpOptions,
        variables: Mapping[str, str],
        make: Callable[[str | None], HttpClient],
        pauses: HostPauses,
    ) -> None:
        """`make` makes the client for a proxy, `pauses` are those between requests to a host."""
        self._entrances = Entrances(options.access, variables, ca=options.ca, proxy=options.proxy)
        self._proxy, self._make, self._pauses = options.proxy, make, pauses
        self._clients: dict[str | None, HttpClient] = {}
        self._sessions: dict[Entrance, LoginSession] = {}

    async def send(self, url: str, headers: dict[str, str] | None = None) -> ClientResponse | Failure:
        """The response to a GET request, with its body still unread; redirects are not followed."""
        try:
            entrance = self._entrances.open(url)
        except Refused:
            return Failure(NOT_READY, asked=False)
        if entrance is None:
            return await self._client(self._proxy).send(url, headers)
        return await self._enter(entrance, url, headers)

    async def within(self, url: str, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer for a URL, from within a session if its host has a login form."""
        try:
            entrance = self._entrances.open(url)
        except Refused:
            return Failure(NOT_READY, asked=False)
        return await self._session(entrance).within(url, ask) if entrance and entrance.login else await ask()

    def _session(self, entrance: Entrance) -> LoginSession:
        if entrance not in self._sessions:

            async def send(url: str, form: bytes | None) -> LoginAnswer | Failure:
                async with self._pauses.turn(host_of(url)):
                    return await self._ask_login(entrance, url, form)

            self._sessions[entrance] = LoginSession(entrance, send)
        return self._sessions[entrance]

    async def _ask_login(self, entrance: Entrance, url: str, form: bytes | None) -> LoginAnswer | Failure:
        response = await self._enter(entrance, url, form=form)
        if isinstance(response, Failure):
            return response
        body = Body(response.headers.get("Content-Encoding", ""), _LIMIT)
        try:
            while (chunk := await response.content.readany()) and body.feed(chunk):
                pass
            body.end()
        except (aiohttp.ClientError, OSError) as error:
            return Failure("timeout" if isinstance(error, TimeoutError) else "incomplete body", again=True)
        finally:
            if not response.closed:
                response.release()
        moved = response.headers.get("Location", "") if 300 <= response.status < 400 else ""
        return LoginAnswer(url, response.status, moved, body.content)

    async def _enter(
        self, entrance: Entrance, url: str, headers: dict[str, str] | None = None, *, form: bytes | None = None
    ) -> ClientResponse | Failure:
        client = self._client(entrance.proxy)
        own = {**entrance.headers(url), **(headers or {})}
        response = await client.send(url, own, tls=entrance.tls, form=form)
        if isinstance(response, Failure):
            single = entrance.proxy != self._proxy and response.reason in (SHUT, UNREACHABLE)
            # Other hosts can still be asked, so this is no reason to end the crawl.
            return Failure(response.reason.replace("proxy", OWN_PROXY, 1), response.again) if single else response
        assert isinstance(response, BoundedResponse)
        told = [value for name, value in response.raw_headers if name.lower() == b"set-cookie"]
        entrance.hear(url, [value.decode("utf-8", "replace") for value in told])
        response.mask(entrance.masked, entrance.masked_header)
        return response

    def knows(self, url: str) -> None:
        """Remember a URL that answered recently, to any process: if it is silent too, the network is down."""
        self._client(self._proxy).knows(url)

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    def _client(self, proxy: str | None) -> HttpClient:
        if proxy not in self._clients:
            self._clients[proxy] = self._make(proxy)
        return self._clients[proxy]
