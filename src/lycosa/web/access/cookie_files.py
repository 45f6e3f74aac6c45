"""Files of cookies: cookies.txt (Netscape), and JSON as browser extensions and Playwright write it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from lycosa.system.errors import Code, Refused
from lycosa.system.private_files import read_private
from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.cookies import Cookie

LIMIT = 16 << 20
_FIX = "export the cookies of your browser as cookies.txt (Netscape) or as JSON"


def cookies_for(scope: AccessScope, file: Path) -> list[Cookie]:
    """The cookies of a file that are for a scope; all others, of a whole browser perhaps, are left alone."""
    content = read_private(file, LIMIT, "access")
    try:
        text = content.decode("utf-8-sig")
        found = list(_json(text) if text.lstrip()[:1] in ("[", "{") else _netscape(text))
    except (ValueError, KeyError, TypeError, AttributeError, msgspec.MsgspecError):
        raise Refused(f"{file} is no file of cookies", _FIX, code=Code.BAD_FILE, field="access") from None
    if not found:
        raise Refused(f"{file} contains no cookies", _FIX, code=Code.EMPTY, field="access")
    ours = [cookie for cookie in found if _may_be_sent(cookie, scope)]
    if not ours:
        fix = f"export them while you are logged in at {scope.name}"
        raise Refused(f"{file} has no cookie for {scope}", fix, code=Code.EMPTY, field="access")
    fresh = [cookie for cookie in ours if cookie.expires is None or cookie.expires > time.time()]
    if not fresh:
        problem = f"every cookie for {scope} in {file} has expired"
        raise Refused(problem, "log in with your browser, and export them again", code=Code.EMPTY, field="access")
    return fresh


def _may_be_sent(cookie: Cookie, scope: AccessScope) -> bool:
    name, domain = scope.name, cookie.domain
    return (
        name == domain
        or (not cookie.host_only and name.endswith(f".{domain}"))
        or (scope.wide and domain.endswith(f".{name}"))
    )


def _netscape(text: str) -> Iterator[Cookie]:
    for line in text.splitlines():
        line = line.removeprefix("#HttpOnly_")
        if not line.strip() or line.startswith("#"):
            continue
        domain, wide, path, secure, expires, name, value = line.split("\t")
        yield Cookie(
            name=name,
            value=value,
            domain=domain.lower().lstrip("."),
            host_only=wide.upper() != "TRUE" and not domain.startswith("."),
            path=path or "/",
            secure=secure.upper() == "TRUE",
            # 0 means until the browser is closed.
            expires=float(expires) or None,
        )


def _json(text: str) -> Iterator[Cookie]:
    found = msgspec.json.decode(text)
    for each in found["cookies"] if isinstance(found, dict) else found:
        yield _quick_manager(each) if "Name raw" in each else _plain(each)


def _plain(each: dict[str, Any]) -> Cookie:
    """As Cookie-Editor, EditThisCookie, Selenium and Playwright write it."""
    domain = str(each["domain"]).lower()
    ends = next((each[key] for key in ("expirationDate", "expires", "expiry") if each.get(key)), None)
    return Cookie(
        name=str(each["name"]),
        value=str(each["value"]),
        domain=domain.lstrip("."),
        host_only=bool(each.get("hostOnly", not domain.startswith("."))),
        path=str(each.get("path") or "/"),
        secure=bool(each.get("secure")),
        expires=None if ends is None or float(ends) < 0 else float(ends),
    )


def _quick_manager(each: dict[str, Any]) -> Cookie:
    """As Firefox's Cookie Quick Manager writes it."""
    host = (urlsplit(each["Host raw"]).hostname or "").lower()
    ends = float(each.get("Expires raw") or 0)
    return Cookie(
        name=each["Name raw"],
        value=each["Content raw"],
        domain=host.lstrip("."),
        host_only=not host.startswith("."),
        path=each.get("Path raw") or "/",
        secure=each.get("Send for raw") in (True, "true"),
        expires=ends or None,
    )
