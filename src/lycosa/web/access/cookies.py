"""Cookies of the hosts that have an access: a small jar, in memory only (RFC 6265)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from msgspec import Struct

MOST = 100
"""Cookies in a jar; the oldest is dropped for a new one."""
LONGEST = 4096
"""Characters of a cookie, its name and value together."""
_is_clean = re.compile(r"[^\x00-\x1f\x7f;]*").fullmatch


class Cookie(Struct, frozen=True, kw_only=True):
    """One cookie, and where it belongs."""

    name: str
    value: str
    domain: str
    """A host name without a leading dot."""
    host_only: bool = True
    path: str = "/"
    secure: bool = False
    expires: float | None = None

    def is_for(self, url: str, now: float) -> bool:
        """Whether it is sent with a request for a URL."""
        parts = urlsplit(url)
        host, path = parts.hostname or "", parts.path or "/"
        return (
            (host == self.domain or (not self.host_only and _is_below(host, self.domain)))
            and (path == self.path or path.startswith(self.path.rstrip("/") + "/"))
            and (parts.scheme == "https" or not self.secure)
            and (self.expires is None or self.expires > now)
        )


class CookieJar:
    """The cookies of one access."""

    def __init__(self, cookies: Iterable[Cookie] = ()) -> None:
        self._cookies: dict[tuple[str, str, str], Cookie] = {}
        for cookie in cookies:
            self.put(cookie)

    def put(self, cookie: Cookie) -> None:
        """Keep a cookie, in the place of an earlier one of that name; one that has expired is removed."""
        key = (cookie.domain, cookie.path, cookie.name)
        self._cookies.pop(key, None)
        if cookie.expires is None or cookie.expires > time.time():
            self._cookies[key] = cookie
            while len(self._cookies) > MOST:
                del self._cookies[next(iter(self._cookies))]

    def hear(self, url: str, headers: Iterable[str]) -> list[Cookie]:
        """Keep what the Set-Cookie headers of a response say; returns what was kept."""
        heard = [cookie for header in headers if (cookie := read_cookie(header, url))]
        for cookie in heard:
            self.put(cookie)
        return heard

    def header(self, url: str) -> str:
        """The Cookie header for a URL; empty if no cookie is for it."""
        now = time.time()
        fitting = [cookie for cookie in self._cookies.values() if cookie.is_for(url, now)]
        fitting.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in fitting)

    def holds(self, name: str) -> bool:
        """Whether there is a cookie of this name."""
        return any(cookie.name == name for cookie in self._cookies.values())


def read_cookie(header: str, url: str) -> Cookie | None:
    """The cookie of a Set-Cookie header from a URL; None if it is not one, or is for another host."""
    pair, *attributes = header.split(";")
    name, equals, value = pair.partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name or len(name) + len(value) > LONGEST or not _is_clean(name + value):
        return None
    said = {key.strip().lower(): text.strip() for key, _, text in (each.partition("=") for each in attributes)}
    parts = urlsplit(url)
    host, folder = parts.hostname or "", parts.path[: parts.path.rfind("/")] or "/"
    domain = said.get("domain", "").lower().lstrip(".")
    if domain and domain != host and not _is_below(host, domain):
        return None
    path = said.get("path", "")
    return Cookie(
        name=name,
        value=value,
        domain=domain or host,
        host_only=not domain,
        path=path if path.startswith("/") else folder,
        secure="secure" in said,
        expires=_end(said),
    )


def _is_below(host: str, domain: str) -> bool:
    return host.endswith(f".{domain}") and not re.fullmatch(r"[\d.]+|\[.*|.*:.*", host)


def _end(said: dict[str, str]) -> float | None:
    """When a cookie expires; Max-Age comes before Expires."""
    try:
        if age := said.get("max-age"):
            return time.time() + max(int(age[:12]), 0)
        return parsedate_to_datetime(said["expires"]).timestamp() if "expires" in said else None
    except (ValueError, OverflowError):
        return None
