"""Logging in with a form: once, and again when the session has ended, but never without end.

The form is asked for as a browser does: fetched, filled in, sent with the values it came with, and its redirects
followed within the scope. robots.txt says what may be crawled; the login is a person's own visit, so it is not asked.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lycosa.core.nouns import Failure, Moved, Page, Unchanged
from lycosa.core.urls import canonical
from lycosa.web.access.entrances import Entrance
from lycosa.web.hostile import risky
from lycosa.web.placeholder_pages import LOGIN, leads_to

HOPS = 10
"""Redirects that are followed after a form is sent."""
MOST = 20
"""Logins of one access in one process."""
IN_VAIN = 3
"""Logins in a row that may be followed by the sign that the session has ended."""
REFUSED, NO_FORM, TOO_OFTEN, ELSEWHERE = (
    "login refused",
    "login form not found",
    "login needed too often",
    "login form leads elsewhere",
)
_asks_password = re.compile(rb"<input\b[^>]{0,500}\btype\s*=\s*[\"']?password\b", re.IGNORECASE).search


class LoginAnswer(NamedTuple):
    """What the server said to a step of a login."""

    url: str
    status: int
    location: str
    body: bytes


Answer = Page | Moved | Failure | Unchanged


class Sends(Protocol):
    """Sends a GET request to a URL, or a POST request with a form, within the pause of the host."""

    async def __call__(self, url: str, form: bytes | None) -> LoginAnswer | Failure: ...


class LoginSession:
    """The session of one access, in one process."""

    def __init__(self, entrance: Entrance, send: Sends) -> None:
        assert entrance.login
        self._entrance, self._send = entrance, send
        self._form = entrance.login
        self._lock = asyncio.Lock()
        self._number = 0
        """Logins that succeeded."""
        self._tries = 0
        self._in_vain = 0
        """Logins since the last page that was seen within the session."""
        self._asks_always = False
        """Whether a page asks for a password although somebody is logged in."""
        self._failure: Failure | None = None

    async def within(self, url: str, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """What `ask` gets for a URL from within a session; logs in first, and once more if the session has ended."""
        session = await self._after(0)
        if isinstance(session, Failure):
            return session
        answer = await ask()
        if self._has_ended(url, answer):
            session = await self._after(session)
            if isinstance(session, Failure):
                return session
            answer = await ask()
            if self._has_ended(url, answer):
                self._asks_always |= isinstance(answer, Page)
                return answer
        self._in_vain = 0
        return answer

    async def _after(self, session: int) -> Failure | int:
        """The number of a session after the given one, which others may have begun already; or why there is none."""
        async with self._lock:
            if self._number > session:
                return self._number
            if self._failure:
                return self._failure
            self._tries, self._in_vain = self._tries + 1, self._in_vain + 1
            if self._tries > MOST or self._in_vain > IN_VAIN:
                return Failure(TOO_OFTEN)
            answer = await self._log_in()
            if isinstance(answer, Failure):
                # What was refused once is not tried again: many servers lock an account after some attempts.
                self._failure = None if answer.again else answer
                return answer
            self._number += 1
            return self._number

    def _has_ended(self, url: str, answer: Answer) -> bool:
        """Whether an answer says that the session has ended."""
        kind, _, sign = self._form.ended.partition(":")
        if isinstance(answer, Failure):
            return answer.reason == "status 401"
        if isinstance(answer, Moved):
            form = sign.strip() if kind == "url" else self._form.url
            to_form = answer.to.partition("?")[0] == form.partition("?")[0]
            # The form may have several URLs, and be asked for at another one than that to which the site leads.
            return to_form or (kind != "url" and leads_to(url, answer.to) == LOGIN)
        if not isinstance(answer, Page) or answer.raw is None or kind == "url":
            return False
        if kind == "text":
            return sign.strip().encode() in answer.raw.body
        return not self._asks_always and bool(_asks_password(answer.raw.body))

    async def _log_in(self) -> LoginAnswer | Failure:
        page = await self._follow(self._form.url, None)
        if isinstance(page, Failure):
            return page
        if page.status == 429 or page.status >= 500:
            return Failure(f"login status {page.status}", again=True)
        filled = _filled(page, self._entrance.fields())
        if filled is None:
            return Failure(NO_FORM)
        target, form = filled
        if not self._entrance.scope.covers(target):
            return Failure(ELSEWHERE)
        answer = await self._follow(target, form)
        if isinstance(answer, Failure):
            return answer
        if answer.status >= 500:
            return Failure(f"login status {answer.status}", again=True)
        return answer if self._succeeded(answer) else Failure(REFUSED)

    async def _follow(self, url: str, form: bytes | None) -> LoginAnswer | Failure:
        """The answer after all redirects within the scope; a redirect that leads out of it is an answer itself."""
        for _ in range(HOPS):
            answer = await self._send(url, form)
            if isinstance(answer, Failure) or not answer.location:
                return answer
            target = canonical(answer.location, url, limit=2048)
            if target is None or not self._entrance.scope.covers(target):
                return answer
            # Only 307 and 308 ask for the form to be sent again.
            url, form = target, form if answer.status in (307, 308) else None
        return Failure("too many redirects")

    def _succeeded(self, answer: LoginAnswer) -> bool:
        kind, _, sign = self._form.success.partition(":")
        sign = sign.strip()
        match kind:
            case "text":
                return sign.encode() in answer.body
            case "cookie":
                return self._entrance.jar.holds(sign)
            case "url":
                return answer.url.startswith(sign)
        return answer.status < 400 and not _asks_password(answer.body)


def _filled(page: LoginAnswer, fields: Mapping[str, str]) -> tuple[str, bytes] | None:
    """Where the form with these fields is sent, and what; None if there is no such form."""
    if risky(page.body):
        return None
    for form in LexborHTMLParser(page.body).css("form"):
        values = _values(form)
        if fields.keys() <= values.keys():
            target = canonical(form.attributes.get("action") or page.url, page.url, limit=2048)
            sent = urlencode([(name, value) for name, value in {**values, **fields}.items() if value is not None])
            return (target, sent.encode()) if target else None
    return None


def _values(form: LexborNode) -> dict[str, str | None]:
    """The fields of a form with the values that it came with; None for what is not sent unless it is filled in."""
    found: dict[str, str | None] = {}
    button = form.css_first("input[type=submit][name],button[name]")
    if button:
        found[button.attributes.get("name") or ""] = button.attributes.get("value") or ""
    for field in form.css("input[name],textarea[name],select[name]"):
        name, kind = field.attributes.get("name") or "", (field.attributes.get("type") or "").lower()
        value = field.attributes.get("value") or ""
        if kind in ("submit", "image", "button", "reset", "file"):
            continue
        if kind in ("checkbox", "radio"):
            if "checked" in field.attributes:
                found[name] = value or "on"
            else:
                found.setdefault(name, None)
        elif field.tag == "select":
            chosen = field.css_first("option[selected]") or field.css_first("option")
            found[name] = chosen.attributes.get("value") or chosen.text() if chosen else None
        else:
            found[name] = field.text() if field.tag == "textarea" else value
    return found
