"""The request guard: checks every request before any route sees it, and adds the headers that every answer carries.

- The Host header must name this server; any other name may come from DNS rebinding.
- Requests that a foreign page causes are refused: by Origin, by Sec-Fetch-Site, and because bodies must be JSON.
- If the server has a token, every request needs it, as a bearer token or as the cookie that /login sets.
- The size of bodies is limited, each and together; so is the rate of changes, and of wrong tokens.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lycosa.face.server.problems import told
from lycosa.face.server.server_settings import ServerSettings

COOKIE = "lycosa"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "manifest-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not «no-referrer»: then our own forms would be sent without an origin.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-DNS-Prefetch-Control": "off",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/login", "/static/")
"""Paths that need no token."""
COMPANION = "/api/companion/"
_EXTENSIONS = ("chrome-extension://", "moz-extension://")
_TOGETHER = 64
"""How many bodies of the largest size may be received at the same time."""
_WRONG = 10
"""Wrong tokens per minute that are allowed from one address."""


class Rate:
    """A leaky bucket for each address: so many requests at once, then so many per second."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self.a_second = a_second
        self.at_once = at_once
        self._full: dict[str, float] = {}
        """The time at which the bucket of each address will be empty."""

    def allows(self, address: str, count: float = 1.0) -> bool:
        """Whether there is room for `count` more from an address; if so, they are counted."""
        now, width = time.monotonic(), self.at_once / self.a_second
        until = max(now, self._full.get(address, now)) + count / self.a_second
        if until - now > width:
            return False
        if len(self._full) > 10_000:
            self._full = {one: end for one, end in self._full.items() if end > now}
        self._full[address] = until
        return True


class RequestGuard:
    """ASGI middleware in front of the app."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, pairing: Callable[[str], bool] | None = None) -> None:
        """`pairing` says whether a key is the one that the browser extension was given."""
        self.app = app
        self.settings = settings
        self.pairing = pairing
        self._changes = Rate(settings.rate, 4 * settings.rate)
        self._wrong = Rate(_WRONG / 60, _WRONG)
        self._announced = 0
        """Bytes of all bodies that are being received now."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        extension = headers.get("origin", "") if _is_extension(headers) and _is_companions(scope) else ""
        sending = _with_headers(send, extension)
        size = self._size(headers)
        answer = self._refusal(scope, headers) or self._too_much(size)
        if answer is not None:
            await answer(scope, receive, sending)
            return
        self._announced += size
        try:
            if "content-length" not in headers:
                # A body without a length is received and measured before the app sees it.
                messages = await _collected(receive, self.settings.body)
                if messages is None:
                    await self._too_large()(scope, receive, sending)
                    return
                receive = _told_again(messages, receive)
            await self.app(scope, receive, sending)
        finally:
            self._announced -= size

    def _size(self, headers: Headers) -> int:
        """The largest number of bytes that a body may turn out to have."""
        if "transfer-encoding" in headers:
            return self.settings.body
        return int(headers.get("content-length") or 0)

    def _too_much(self, size: int) -> Response | None:
        if not size or self._announced + size <= _TOGETHER * self.settings.body:
            return None
        return told(503, "too many large requests at the same time", "ask again in a moment", {"Retry-After": "5"})

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path, method, address = scope["path"], scope["method"], (scope.get("client") or ("",))[0]
        if not self.settings.answers_to(headers.get("host", "")):
            return told(403, "this server does not go by that name", f"open {self.settings.url} instead")
        if _is_extension(headers) or (_is_companions(scope) and self._shows_key(headers)):
            return self._extension(scope, headers, address)
        if (path.startswith(("/api/", "/mcp")) or method not in _SAFE) and not self._is_ours(headers):
            return told(403, "a foreign page may not use this server", f"open {self.settings.url} instead")
        if refusal := self._without_token(path, headers, address):
            return refusal
        return None if method in _SAFE else self._change(path, headers, address)

    def _shows_key(self, headers: Headers) -> bool:
        """Whether there is a key that is not the server's own token: an extension's request may have no Origin."""
        given = _bearer(headers)
        return bool(given) and not (self.settings.token and _same(given, self.settings.token))

    def _is_ours(self, headers: Headers) -> bool:
        """Whether the request comes from one of our own pages, or from no page at all."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2] == headers.get("host") != ""

    def _without_token(self, path: str, headers: Headers, address: str) -> Response | None:
        token = self.settings.token
        if not token or path.startswith(_OPEN):
            return None
        given = _bearer(headers)
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if _same(given, token) or _same(cookie, session_of(token)):
            return None
        if (given or cookie) and not self._wrong.allows(address):
            return told(429, "too many wrong tokens", "wait a minute", {"Retry-After": "60"})
        if path.startswith(("/api/", "/mcp")):
            return told(401, "a token is needed", "send Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"})
        return RedirectResponse("/login", 303)

    def _change(self, path: str, headers: Headers, address: str) -> Response | None:
        if path == "/login" and not self._wrong.allows(address):
            return told(429, "too many tries", "wait a minute", {"Retry-After": "60"})
        if not self._changes.allows(address):
            return told(429, "too many calls in a short time", "wait a second", {"Retry-After": "1"})
        if int(headers.get("content-length") or 0) > self.settings.body:
            return self._too_large()
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if path.startswith("/api/") and kind not in ("", "application/json"):
            # Types that a foreign form can send are refused, even if the browser says nothing about the origin.
            return told(415, f"a body of type {kind[:80]} is not understood", "send application/json")
        return None

    def _too_large(self) -> Response:
        return told(413, "the request is too large", f"send {self.settings.body:,} bytes at most")

    def _extension(self, scope: Scope, headers: Headers, address: str) -> Response | None:
        """Check a request of the browser extension, which is not one of our pages: it has a key and its own routes."""
        if not _is_companions(scope) or self.pairing is None:
            return told(403, "a browser extension may only use the companion")
        if scope["method"] == "OPTIONS":
            return Response(status_code=204)
        if not _is_extension(headers) and not self._is_ours(headers):
            return told(403, "a foreign page may not use this server", f"open {self.settings.url} instead")
        if not self.pairing(_bearer(headers)):
            if not self._wrong.allows(address):
                return told(429, "too many wrong keys", "wait a minute", {"Retry-After": "60"})
            return told(401, "the companion's key is missing or wrong", f"copy it from {self.settings.url}companion")
        return None if scope["method"] in _SAFE else self._change(scope["path"], headers, address)


def session_of(token: str) -> str:
    """The value that the cookie holds instead of the token."""
    return hmac.new(token.encode(), b"a session with lycosa", hashlib.sha256).hexdigest()


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def _bearer(headers: Headers) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def _is_extension(headers: Headers) -> bool:
    return headers.get("origin", "").startswith(_EXTENSIONS)


def _is_companions(scope: Scope) -> bool:
    return str(scope["path"]).startswith(COMPANION)


def _with_headers(send: Send, extension: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if extension:
                headers["Access-Control-Allow-Origin"] = extension
                headers["Access-Control-Allow-Headers"] = "authorization, content-type"
                headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
                headers["Vary"] = "Origin"
        await send(message)

    return sending


async def _collected(receive: Receive, limit: int) -> list[Message] | None:
    """The messages of a request's body; None if the body is larger than the limit."""
    messages, size = [], 0
    while True:
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        if size > limit:
            return None
        if not messages[-1].get("more_body", False):
            return messages


def _told_again(messages: list[Message], receive: Receive) -> Receive:
    """A `receive` that first repeats the messages that were already received."""

    async def receiving() -> Message:
        return messages.pop(0) if messages else await receive()

    return receiving
